/* The entries of the portable table, which tuned tables fall back on.  Operands need no alignment.
 */
#ifndef TSRI_KERN_PORTABLE_H
#define TSRI_KERN_PORTABLE_H

#include "kern/kern.h"

void tsri_portable_copy(size_t size, int ndim, const int64_t *extent, void *dst,
                        const int64_t *dst_stride, const void *src, const int64_t *src_stride);
void tsri_portable_stream(size_t size, int ndim, const int64_t *extent, void *dst,
                          const int64_t *dst_stride, const void *src, const int64_t *src_stride);
void tsri_portable_fill(size_t size, int ndim, const int64_t *extent, void *dst,
                        const int64_t *dst_stride, const void *value);
void tsri_portable_add(tsr_dtype dtype, int ndim, const int64_t *extent, void *dst,
                       const int64_t *dst_stride, const void *src, const int64_t *src_stride);
void tsri_portable_convert(int ndim, const int64_t *extent, tsr_dtype dst_dtype, void *dst,
                           const int64_t *dst_stride, tsr_dtype src_dtype, const void *src,
                           const int64_t *src_stride);
void tsri_portable_combine(tsr_op op, tsr_dtype dtype, int64_t n, void *inout, const void *in);

#endif
