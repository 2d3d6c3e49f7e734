/* Random strided operands and a cell-by-cell way through them, to check loops over raw memory. */
#ifndef TSRT_SUPPORT_STRIDED_H
#define TSRT_SUPPORT_STRIDED_H

#include "support/harness.h"

/* Random numbers, the same in every run: next_random(seed) is uniform in 0 .. 2^32 - 1. */
uint32_t next_random(uint64_t *seed);
/* Uniform in low .. high. */
int64_t random_between(uint64_t *seed, int64_t low, int64_t high);

enum { STRIDED_AXES = 6 };

/* Cells at first + sum of index*stride, all inside 0 .. span - 1, in elements. */
typedef struct strided {
    int64_t stride[STRIDED_AXES];
    int64_t first, span;
} strided;

/* A shape of up to STRIDED_AXES axes, most of them short, some of length 0 or 1; at most `cells`
 * cells. */
int random_extent(uint64_t *seed, int64_t cells, int64_t *extent);
/* Strides for a shape: axes in any order, either sign, with gaps or without; no two cells at one
 * place unless `zeros` lets strides be 0. */
strided random_strides(uint64_t *seed, int ndim, const int64_t *extent, bool zeros);

int64_t shape_cells(int ndim, const int64_t *extent);
/* Where cell k in C order lies. */
int64_t cell_place(const strided *s, int ndim, const int64_t *extent, int64_t k);
/* Fill with bytes that differ from place to place. */
void random_bytes(uint64_t *seed, void *data, size_t bytes);

#endif
