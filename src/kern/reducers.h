/* Reductions of elements that lie side by side, rounded at every step.  The steps are those of 32
 * lanes whatever the instruction set, so results have the same bits on all machines. */
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

/* Those for this machine. */
const tsri_reducers *tsri_reducers_get(void);

#endif
