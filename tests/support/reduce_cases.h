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
