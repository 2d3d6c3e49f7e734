/* Loops over raw strided memory: one table of functions per backend.  No MPI, no arrays.  The
 * portable table is complete; tuned ones override entries.
 *
 * A shape is `ndim` extents, first axis slowest; strides are in elements, may be negative or 0.  An
 * extent of 0 means nothing is touched.  With ndim 0 there is one cell.  Sources and destinations
 * do not overlap unless said otherwise. */
#ifndef TSRI_KERN_KERN_H
#define TSRI_KERN_KERN_H

#include "base/error.h"

typedef struct tsri_kern {
    /* dst[cell] = src[cell] for elements of `size` bytes (1, 2, 4, 8 or 16).  Packing and unpacking
     * are copies with one contiguous side. */
    void (*copy)(size_t size, int ndim, const int64_t *extent, void *dst, const int64_t *dst_stride,
                 const void *src, const int64_t *src_stride);
    /* The same for so many cells that those at the beginning would have left the caches when the
     * last are copied: written past the caches, and fenced. */
    void (*stream)(size_t size, int ndim, const int64_t *extent, void *dst,
                   const int64_t *dst_stride, const void *src, const int64_t *src_stride);
    /* dst[cell] = the element at value. */
    void (*fill)(size_t size, int ndim, const int64_t *extent, void *dst, const int64_t *dst_stride,
                 const void *value);
    /* dst[cell] += src[cell]; bool: logical or. */
    void (*add)(tsr_dtype dtype, int ndim, const int64_t *extent, void *dst,
                const int64_t *dst_stride, const void *src, const int64_t *src_stride);
    /* dst[cell] = src[cell] converted between types, by the rules of tsr_astype(). */
    void (*convert)(int ndim, const int64_t *extent, tsr_dtype dst_dtype, void *dst,
                    const int64_t *dst_stride, tsr_dtype src_dtype, const void *src,
                    const int64_t *src_stride);
    /* inout[i] = inout[i] op in[i] for n elements side by side; the operation is defined for the
     * type. */
    void (*combine)(tsr_op op, tsr_dtype dtype, int64_t n, void *inout, const void *in);
} tsri_kern;

/* Copies of this many bytes and more do not stay in a core's caches. */
enum { TSRI_STREAM_BYTES = 8 << 20 };

/* The table in use. */
const tsri_kern *tsri_kern_get(void);

/* Whether there is such an operation, whether it is defined for a type, and its name. */
bool tsri_op_valid(tsr_op op);
bool tsri_op_defined(tsr_op op, tsr_dtype dtype);
const char *tsri_op_name(tsr_op op);
/* The value that an operation leaves others as they are with, to be stored as an element of the
 * type. */
tsr_scalar tsri_op_identity(tsr_op op, tsr_dtype dtype);

/* Write a scalar as one element of a type, at `element` (tsr_dtype_size() bytes), and read one
 * back. */
void tsri_scalar_store(tsr_scalar scalar, tsr_dtype dtype, void *element);
tsr_scalar tsri_scalar_load(tsr_dtype dtype, const void *element);
/* Write what new storage holds under TESSERA_POISON=1: NaN, or bytes 0xA5. */
void tsri_poison_store(tsr_dtype dtype, void *element);
/* A valid element type with a size. */
bool tsri_dtype_valid(tsr_dtype dtype);

/* Merge axes that are contiguous with each other in every one of `n` strides, and drop axes of
 * extent 1, so that the innermost run is as long as possible.  Returns the new number of axes;
 * extent and strides (each ndim entries) are rewritten in place.  Order of cells is kept. */
int tsri_coalesce(int ndim, int64_t *extent, int n, int64_t *const *strides);
/* Strides, in elements, of a C-ordered array of these extents; returns its number of cells. */
int64_t tsri_c_strides(int ndim, const int64_t *extent, int64_t *stride);

#endif
