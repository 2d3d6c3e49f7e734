/* What the tests of reductions share: layouts of every kind, arrays filled from global indices with
 * poison around the blocks, and sums as integers of any width. */
#ifndef TSRT_SUPPORT_REDUCE_CASES_H
#define TSRT_SUPPORT_REDUCE_CASES_H

#include "support/harness.h"

/* Layout number `which` over all ranks; NULL after the last.  Among them: no axes, halos of
 * different widths, grids of several axes, uneven cuts, ranks that own nothing, replicated. */
tsr_layout *case_layout(int which);

/* Writes the element of global cell number `cell` (C order). */
typedef void (*case_value)(int64_t cell, void *element, void *ctx);
/* Fill this rank's whole storage with bytes 0xff (NaN, -1, the largest unsigned), then its block
 * cell by cell. */
void case_fill(tsr_array *array, case_value value, void *ctx);

/* An array with these elements, given for the whole in C order, and poisoned halo cells. */
tsr_array *case_array(tsr_comm comm, tsr_dtype dtype, int ndim, const int64_t *shape,
                      const tsr_layout_options *options, const void *elements);
/* The same over all ranks, some of which may own nothing, with a halo of one cell everywhere. */
tsr_array *case_small(tsr_dtype dtype, int ndim, const int64_t *shape, const void *elements);
/* Stop the test unless the array, which is destroyed, has this shape, these elements (as double;
 * two each for complex types; NaN is NaN) and zero halo cells.  Collective. */
void case_expect(tsr_array **array, tsr_dtype dtype, int ndim, const int64_t *shape,
                 const double *elements, const char *file, int line);
#define CASE_EXPECT(array, dtype, ndim, shape, ...)                                                \
    case_expect(&(array), (dtype), (ndim), (shape), (const double[]){__VA_ARGS__}, __FILE__,       \
                __LINE__)

/* ---- sums of doubles as integers: units of 2^-1074, two's complement ------------------------- */

enum { BIG_WORDS = 72 };
typedef struct big {
    uint32_t word[BIG_WORDS]; /* lowest first */
} big;

void big_add(big *sum, double value);
/* -1, 0 or 1 as a is less than, equal to or more than b. */
int big_compare(const big *a, const big *b);

/* Stop the test unless `rounded` is the double (or the float) nearest to the sum, halves to even.
 */
void check_nearest_f64(const big *sum, double rounded, const char *file, int line);
void check_nearest_f32(const big *sum, float rounded, const char *file, int line);

#endif
