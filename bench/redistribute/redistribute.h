/* The same 3-D array of doubles in two layouts: blocks of `from` become blocks of `to`.  All ways
 * read and write the same two blocks of memory. */
#ifndef BENCH_REDISTRIBUTE_H
#define BENCH_REDISTRIBUTE_H

#include "../common.h"

#include <stdint.h>

typedef struct redist_box {
    int64_t lo[3], extent[3];
} redist_box;

typedef struct redist_side {
    int grid[3];
    redist_box block; /* this rank's */
    double *data;     /* its cells in C order */
} redist_side;

typedef struct redist_problem {
    int64_t shape[3];
    int rank, size;
    redist_side from, to;
} redist_problem;

typedef struct redist_way {
    const char *name;
    bench_role role;
    const redist_problem *problem;
    bool swapped;              /* the result has its first two axes exchanged */
    void *state;               /* what run works on */
    void (*run)(void *state);  /* one redistribution */
    void (*free)(void *state); /* NULL: nothing to free */
} redist_way;

/* Each appends its ways to do it, and returns how many: at most REDIST_WAYS in all.  Those of
 * libraries that were not there at compile time append none. */
enum { REDIST_WAYS = 12 };
int redist_hand(const redist_problem *problem, redist_way *ways);
int redist_petsc(const redist_problem *problem, redist_way *ways);
int redist_fftw(const redist_problem *problem, redist_way *ways);
/* End the other library, before MPI ends. */
void redist_petsc_end(void);

/* The block of a rank on a grid, near-even along every axis. */
redist_box redist_block(const redist_problem *problem, const int *grid, int rank);
int64_t redist_cells(const redist_box *box);
/* Where a cell lies in a block. */
int64_t redist_offset(const redist_box *block, const int64_t *cell);

#endif
