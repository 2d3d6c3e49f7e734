/* Sums of floating-point numbers, and of their products, without rounding: a fixed-point number
 * wide enough for any sum of products of two doubles.  The value does not depend on the order in
 * which numbers are added or sums are merged, so neither does the result, which is rounded once.
 *
 * The "small superaccumulator" of R. M. Neal, "Fast exact summation using small and large
 * superaccumulators", arXiv:1505.05571 (2015), made twice as wide for products.  Most numbers reach
 * it through bins (kern/bins.h), and those too far apart for bins through his large one. */
#ifndef TSRI_REDUCE_EXACT_SUM_H
#define TSRI_REDUCE_EXACT_SUM_H

#include "kern/bins.h"

/* Chunk k counts units of 2^(32k - 2162).  Chunks are 32 bits apart and 64 wide, so carries may
 * wait for many additions; the last one leaves room for 2^63 numbers. */
enum { TSRI_EXACT_CHUNKS = 135, TSRI_EXACT_CHUNK_BITS = 32, TSRI_EXACT_UNIT = -2162 };

typedef struct tsri_exact_sum {
    int64_t chunk[TSRI_EXACT_CHUNKS];
    int32_t first, end; /* of the chunks in use; the others are 0 */
    int32_t room;       /* additions until carries must be moved up */
    bool nan, plus_infinity, minus_infinity;
} tsri_exact_sum;

/* Zero, the sum of no numbers. */
void tsri_exact_init(tsri_exact_sum *sum);
/* Add value * 2^exponent, which is a multiple of 2^-1074. */
void tsri_exact_add_integer(tsri_exact_sum *sum, int64_t value, int exponent);
/* Bring all chunks in use but the last into 0 ... 2^32 - 1; the last one then has the sign of the
 * sum. */
void tsri_exact_carry(tsri_exact_sum *sum);
/* left += right */
void tsri_exact_merge(tsri_exact_sum *left, const tsri_exact_sum *right);
/* The nearest number, halves to even; infinite beyond the largest.  As in NumPy, a NaN and two
 * opposite infinities give NaN, and every sum of zero is +0.  These and those below round in the
 * mode of their caller, which is that of kern/arithmetic_mode.h. */
double tsri_exact_round_f64(const tsri_exact_sum *sum);
/* The number nearest to the sum divided by a divisor >= 1. */
double tsri_exact_divide_f64(const tsri_exact_sum *sum, int64_t divisor);
float tsri_exact_divide_f32(const tsri_exact_sum *sum, int64_t divisor);
/* The square root of a sum that is not negative, to 1 ulp, also where the sum itself is beyond the
 * range of doubles. */
double tsri_exact_sqrt(const tsri_exact_sum *sum);

/* ---- adding many numbers --------------------------------------------------------------------- */

/* Sums of numbers by sign and exponent: of their bits, modulo 2^64. */
enum { TSRI_EXACT_CLASSES = 1 << 12 };
typedef struct tsri_exact_classes {
    uint64_t bits[TSRI_EXACT_CLASSES];
    uint16_t count[TSRI_EXACT_CLASSES];
} tsri_exact_classes;

/* Numbers on their way to a sum, which is complete when this is closed. */
typedef struct tsri_exact_adder {
    tsri_exact_sum *sum;
    const tsri_bin_kernels *kernels;
    tsri_bins bins[2]; /* the second for errors of products */
    bool placed;       /* bins are in use, for numbers below 2^top, with room for this many
                          additions to a lane */
    int top;
    int64_t room;
    int64_t slow;    /* numbers of a block that did not fit in bins */
    int passed_over; /* blocks until bins are tried again */
    bool has_classes;
    tsri_exact_classes classes;
} tsri_exact_adder;

void tsri_exact_open(tsri_exact_adder *adder, tsri_exact_sum *sum);
void tsri_exact_add(tsri_exact_adder *adder, tsri_terms_kind kind, int64_t n,
                    const tsri_terms *terms);
void tsri_exact_close(tsri_exact_adder *adder);
/* To be used in place of the best for this machine, in tests. */
void tsri_exact_open_at(tsri_exact_adder *adder, tsri_exact_sum *sum, tsri_level level);

#endif
