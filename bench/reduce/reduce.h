/* What the ways to reduce an array share. */
#ifndef BENCH_REDUCE_H
#define BENCH_REDUCE_H

#include "common.h"

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

#endif
