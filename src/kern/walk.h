/* Walks over the cells of one or two strided operands: the two innermost axes as planes, which a
 * kernel runs through in tight loops, the outer ones by an odometer. */
#ifndef TSRI_KERN_WALK_H
#define TSRI_KERN_WALK_H

#include "kern/kern.h"

/* For loops that are expanded with constants, which is what makes them fast. */
#if defined(__GNUC__)
#define TSRI_EXPAND static inline __attribute__((always_inline))
#else
#define TSRI_EXPAND static inline
#endif

typedef struct tsri_walk {
    int ndim;
    int64_t extent[TSR_MAX_NDIM + 1];
    ptrdiff_t dst[TSR_MAX_NDIM + 1], src[TSR_MAX_NDIM + 1]; /* bytes to the next cell */
} tsri_walk;

/* Two axes, distances in bytes. */
typedef struct tsri_plane {
    int64_t rows, cols;
    ptrdiff_t dst_row, dst_col, src_row, src_col;
} tsri_plane;

typedef void tsri_plane_function(const tsri_plane *plane, unsigned char *restrict dst,
                                 const unsigned char *restrict src, const void *ctx);

/* An operand: bytes of an element, and elements from a cell to the next along each axis. */
typedef struct tsri_operand {
    size_t size;
    const int64_t *stride;
} tsri_operand;

/* Prepare a walk, with as few and as long axes as possible.  With parts = 2 each element is two
 * cells side by side: the real and the imaginary part.  A NULL stride means 0 along every axis.
 * False when there is no cell. */
bool tsri_walk_init(tsri_walk *walk, int ndim, const int64_t *extent, int parts, tsri_operand dst,
                    tsri_operand src);
/* When the innermost axis is contiguous in both operands (elements of `size` bytes), take it off
 * the walk; returns the bytes that belong together. */
size_t tsri_walk_take_run(tsri_walk *walk, size_t size);
void tsri_walk_planes(const tsri_walk *walk, void *dst, const void *src,
                      tsri_plane_function *function, const void *ctx);

#endif
