/* How the files that hold kernels hand them to the lookup. */
#ifndef TSRI_KERN_VECTOR_ROWS_H
#define TSRI_KERN_VECTOR_ROWS_H

#include "kern/bins.h"
#include "kern/reducers.h"
#include "kern/vector.h"

/* The functions of one operation, by element type. */
typedef struct tsri_vector_row {
    tsri_vector_op op;
    tsri_vector *of[TSR_DTYPE_END];
} tsri_vector_row;

/* Every family of kernels: X(name, level). */
#define TSRI_FAMILY_LIST(X, level)                                                                 \
    X(arithmetic, level)                                                                           \
    X(division, level)                                                                             \
    X(order, level)                                                                                \
    X(bits, level)                                                                                 \
    X(rounding, level)                                                                             \
    X(complex, level)                                                                              \
    X(function, level)                                                                             \
    X(complex_function, level)                                                                     \
    X(fused, level)

/* For each level: the rows of every family, up to one of TSRI_VECTOR_END, the conversions,
 * [to][from], and what reductions are made of. */
#define TSRI_ROWS(family, level) extern const tsri_vector_row tsri_##family##_##level[];
#define TSRI_TABLES(level)                                                                         \
    TSRI_FAMILY_LIST(TSRI_ROWS, level)                                                             \
    extern tsri_vector_conversion *const tsri_conversions_##level[TSR_DTYPE_END][TSR_DTYPE_END];   \
    extern const tsri_bin_kernels tsri_bin_kernels_##level;                                        \
    extern const tsri_reducers tsri_reducers_##level;                                              \
    extern const tsri_extreme_kernels tsri_extreme_kernels_##level;

TSRI_TABLES(baseline)
TSRI_TABLES(avx2)
TSRI_TABLES(avx512)
#undef TSRI_TABLES
#undef TSRI_ROWS

#endif
