/* Exact sums of many numbers, nearly as fast as rounded ones.
 *
 * Each number is cut at a bit: what lies above it and what lies below go to two bins of their own,
 * several of each side by side.  A bin starts at 1.5 * 2^k and stays between 2^k and 2^(k+1), so it
 * counts units of its last bit; as long as nothing is lost from the lower bins, the sum is exact in
 * whatever order.  Whether something was is told by the arithmetic itself: by its sticky flag for
 * inexact results where single instructions can be kept from raising it (AVX-512), elsewhere by
 * taking back each addition.
 *
 * The "binned" summation of J. Demmel and Y. Hida, "Fast and accurate floating point summation with
 * application to computational geometry", 2004, with two bins a number and a check in place of a
 * bound. */
#ifndef TSRI_KERN_BINS_H
#define TSRI_KERN_BINS_H

#include "kern/vector.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    TSRI_BIN_LANES = 32,      /* at most */
    TSRI_BIN_ADDITIONS = 512, /* the most to a lane until bins are emptied */
};

typedef struct tsri_bins {
    _Alignas(64) double high[TSRI_BIN_LANES];
    double low[TSRI_BIN_LANES];
    int exponent; /* of the high bins */
} tsri_bins;

/* What is added. */
typedef enum tsri_terms_kind {
    TSRI_TERMS_F64,
    TSRI_TERMS_F32,
    TSRI_TERMS_PRODUCTS_F64, /* exact: errors of the rounded ones go to bins of their own */
    TSRI_TERMS_PRODUCTS_F32, /* of which double holds all */
    TSRI_TERMS_SQUARES_F64,  /* the rounded squares of rounded distances from `origin` */
    TSRI_TERMS_SQUARES_F32,
    TSRI_TERMS_END
} tsri_terms_kind;

/* Whether the elements are f32, else they are f64. */
static inline bool tsri_terms_are_single(tsri_terms_kind kind)
{
    return kind == TSRI_TERMS_F32 || kind == TSRI_TERMS_PRODUCTS_F32 ||
           kind == TSRI_TERMS_SQUARES_F32;
}

/* The error of a product of doubles below this may not be a double. */
#define TSRI_LEAST_PRODUCT 0x1p-960

typedef struct tsri_terms {
    const void *x, *y; /* elements that lie side by side */
    double origin;
} tsri_terms;

/* Empty bins for numbers below 2^top. */
void tsri_bins_place(tsri_bins *bins, int top);
/* Integers and the powers of two that they count, whose sum the bins hold: high ones, low ones. */
typedef struct tsri_binned {
    int64_t count;
    int exponent;
} tsri_binned;
void tsri_bins_take(const tsri_bins *bins, tsri_binned *high, tsri_binned *low);

/* For an instruction set.  All to be called in the default mode of the arithmetic
 * (arithmetic_mode.h), with at most tsri_bin_block() terms. */
typedef struct tsri_bin_kernels {
    int lanes;
    /* Add n terms to bins, the errors of products to further ones; false, and nothing is changed,
     * when something would be lost or a term is not finite.  NULL where there is no good way. */
    bool (*add[TSRI_TERMS_END])(int64_t n, const tsri_terms *terms, tsri_bins *bins,
                                tsri_bins *errors);
    /* The largest magnitude; NaN is larger than all others. */
    double (*largest[TSRI_TERMS_END])(int64_t n, const tsri_terms *terms);
} tsri_bin_kernels;
/* In vector.c, as all that depends on the instruction set. */
const tsri_bin_kernels *tsri_bin_kernels_at(tsri_level level);

static inline int64_t tsri_bin_block(const tsri_bin_kernels *kernels)
{
    return 128 * kernels->lanes;
}
/* The most additions to a lane in a call: what is left over goes to few of them. */
static inline int64_t tsri_bin_additions(const tsri_bin_kernels *kernels, int64_t n)
{
    return n / kernels->lanes + 4;
}

#endif
