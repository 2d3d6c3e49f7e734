/* Few numbers with the exact sum of many: what makes exact sums nearly as fast as plain ones.
 *
 * Each number is cut at a bit that is the same for all of a block.  The parts above it, and those
 * below, are multiples of one power of two each and so small that their sums are exact in any
 * order: the "binned" summation of J. Demmel and Y. Hida, "Fast and accurate floating point
 * summation with application to computational geometry", 2004, with two bins whose place is chosen
 * for each block from its largest and smallest magnitude. */
#ifndef TSRI_KERN_REDUCE_CONDENSE_H
#define TSRI_KERN_REDUCE_CONDENSE_H

#include <stdbool.h>
#include <stdint.h>

/* The most numbers at a time, and what they become. */
enum { TSRI_CONDENSE_BLOCK = 2048, TSRI_CONDENSED = 66 };

/* Write at most TSRI_CONDENSED numbers with the exact sum of n <= TSRI_CONDENSE_BLOCK ones, which
 * lie side by side; returns how many.  0 when there are none: some number is not finite, or they
 * are too far apart (over 40 powers of two), or too large. */
int tsri_condense(int64_t n, const double *values, double *sums);

/* Cut each of n products exactly in two numbers, product and error, side by side; false when that
 * cannot be done: a product is not finite or so small that its error is not a double, or the
 * machine has no fused multiply-add. */
bool tsri_split_products(int64_t n, const double *x, int64_t x_stride, const double *y,
                         int64_t y_stride, double *products, double *errors);

/* The functions for each instruction set that this machine has, the best first, which is the one
 * used above; NULL after the last.  The last one needs nothing special; its `split` is always false
 * where there is no fused multiply-add. */
typedef struct tsri_condenser {
    int (*condense)(int64_t n, const double *values, double *sums);
    bool (*split)(int64_t n, const double *x, int64_t x_stride, const double *y, int64_t y_stride,
                  double *products, double *errors);
} tsri_condenser;
const tsri_condenser *tsri_condenser_at(int which);

#endif
