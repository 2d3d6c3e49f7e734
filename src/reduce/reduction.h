/* What every reduction of a whole array is made of: a pass over this rank's block, one message of a
 * fixed size up and down a tree, and an agreement. */
#ifndef TSRI_REDUCE_REDUCTION_H
#define TSRI_REDUCE_REDUCTION_H

#include "array/array.h"
#include "reduce/exact_sum.h"

/* The smallest and the largest element: as keys, 64-bit integers in the order of the elements, or,
 * for complex types, themselves. */
typedef struct tsri_extremes {
    bool any; /* whether there is an element */
    union {
        struct {
            int64_t min, max;
        } key;
        struct {
            double min[2], max[2];
        } complex;
    } as;
} tsri_extremes;

typedef enum tsri_record_kind {
    TSRI_RECORD_NONE = 0,
    TSRI_RECORD_WRAPPED, /* a sum of integers, modulo 2^64 */
    TSRI_RECORD_EXACT,   /* a sum of real or complex numbers */
    TSRI_RECORD_KEYS,
    TSRI_RECORD_COMPLEX
} tsri_record_kind;

/* A rank's share of a reduction, and the result.  All are of one size, so that ranks in different
 * reductions end in TSR_ERR_MISMATCH and not in messages of the wrong length. */
typedef struct tsri_record {
    tsri_record_kind kind;
    union {
        uint64_t wrapped;
        tsri_exact_sum exact[2]; /* real and imaginary part */
        tsri_extremes extremes;
    } as;
} tsri_record;

/* Combine the records of all ranks, or keep this rank's own on one rank or replicated.  `status`
 * says what failed on this rank before; `call` is the public function.  Collective; agrees. */
tsr_status tsri_reduce(const tsr_array *array, const char *call, tsr_status status,
                       tsri_record *record);

/* Call `visit` for every row of this rank's block, in C order, halo cells left out.  A row is
 * `count` elements that are `stride` elements apart; rows that follow each other in memory are one.
 */
typedef void (*tsri_row_visitor)(const void *row, int64_t count, int64_t stride, void *state);
void tsri_each_row(const tsr_array *array, tsri_row_visitor visit, void *state);

/* left = left op right, for records of one kind. */
void tsri_extremes_combine_keys(tsri_extremes *left, const tsri_extremes *right);
void tsri_extremes_combine_complex(tsri_extremes *left, const tsri_extremes *right);

#endif
