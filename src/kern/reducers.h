/* Reductions of elements that lie side by side.  Sums are rounded at every step; the steps are
 * those of 32 lanes whatever the instruction set, so results have the same bits on all machines. */
#ifndef TSRI_KERN_REDUCERS_H
#define TSRI_KERN_REDUCERS_H

#include "kern/vector.h"

typedef struct tsri_reducers {
    double (*sum_F32)(int64_t n, const float *values);
    double (*sum_F64)(int64_t n, const double *values);
    /* Of squared distances from an origin. */
    double (*squares_F32)(int64_t n, const float *values, double origin);
    double (*squares_F64)(int64_t n, const double *values, double origin);
} tsri_reducers;

/* Of real types alone, and n >= 1 elements. */
typedef struct tsri_extreme_kernels {
    /* Write the largest or the smallest element, a NaN where there is one; of both zeros either. */
    void (*extreme[TSR_DTYPE_END])(int64_t n, const void *elements, bool max, void *best);
    /* The place of the first element equal to one that is there, NaN to NaN. */
    int64_t (*find[TSR_DTYPE_END])(int64_t n, const void *elements, const void *element);
    /* Write elements as keys: integers that are ordered as they are, or, with flip = -1 rather than
     * 0, the other way round.  Equal elements, the two zeros among them, have equal keys; a NaN has
     * INT64_MIN, before all other numbers. */
    void (*keys[TSR_DTYPE_END])(int64_t n, const void *elements, int64_t flip, int64_t *keys);
    /* Replace the least keys so far and their places by keys at one place, where those are less, or
     * equal and earlier. */
    void (*offer)(int64_t n, const int64_t *keys, int64_t place, int64_t *least, int64_t *places);
} tsri_extreme_kernels;

/* Those for this machine. */
const tsri_reducers *tsri_reducers_get(void);
const tsri_extreme_kernels *tsri_extreme_kernels_get(void);

#endif
