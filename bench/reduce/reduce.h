/* What the ways to reduce an array share. */
#ifndef BENCH_REDUCE_H
#define BENCH_REDUCE_H

#include "common.h"

#include <stdint.h>

typedef enum reduce_operation {
    REDUCE_SUM,
    REDUCE_DOT,
    REDUCE_NORM,
    REDUCE_VAR,
    REDUCE_MAX,
    REDUCE_ARGMAX,
    REDUCE_OPERATIONS
} reduce_operation;
extern const char *const reduce_names[REDUCE_OPERATIONS];

/* This rank's elements: n of x and of y, of type float or double. */
typedef struct reduce_problem {
    reduce_operation operation;
    bool single;
    int64_t n;
    const void *x, *y;
} reduce_problem;

/* Read what the operation reads, at the speed of memory. */
double reduce_floor(const reduce_problem *p);
/* A plain loop, compiled with -ffast-math: this rank's part of the result. */
double reduce_loop(const reduce_problem *p);

/* NumPy in a process of its own for each rank; NULL when there is none. */
typedef struct reduce_numpy reduce_numpy;
reduce_numpy *reduce_numpy_start(const char *python);
void reduce_numpy_end(reduce_numpy *numpy);
/* Choose the operation and the elements, which it makes itself. */
void reduce_numpy_set(reduce_numpy *numpy, const reduce_problem *p, int64_t first);
/* Run it; the result, and seconds a run. */
double reduce_numpy_run(reduce_numpy *numpy, int runs, double *seconds);

#endif
