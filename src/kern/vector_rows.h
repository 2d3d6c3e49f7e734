/* How the files that hold kernels hand them to the lookup. */
#ifndef TSRI_KERN_VECTOR_ROWS_H
#define TSRI_KERN_VECTOR_ROWS_H

#include "kern/vector.h"

/* The functions of one operation, by element type. */
typedef struct tsri_vector_row {
    tsri_vector_op op;
    tsri_vector *of[TSR_DTYPE_END];
} tsri_vector_row;

/* Every family of kernels: X(name).  For each level there are its rows, tsri_NAME_LEVEL[], up to
 * one of TSRI_VECTOR_END. */
#define TSRI_FAMILY_LIST(X)                                                                        \
    X(arithmetic)                                                                                  \
    X(division)                                                                                    \
    X(order)                                                                                       \
    X(bits)                                                                                        \
    X(rounding)                                                                                    \
    X(complex)                                                                                     \
    X(function)                                                                                    \
    X(fused)

#define TSRI_DECLARE_FAMILY(family, level) extern const tsri_vector_row tsri_##family##_##level[];
#define TSRI_DECLARE_LEVEL(level)                                                                  \
    TSRI_DECLARE_FAMILY(arithmetic, level)                                                         \
    TSRI_DECLARE_FAMILY(division, level)                                                           \
    TSRI_DECLARE_FAMILY(order, level)                                                              \
    TSRI_DECLARE_FAMILY(bits, level)                                                               \
    TSRI_DECLARE_FAMILY(rounding, level)                                                           \
    TSRI_DECLARE_FAMILY(complex, level)                                                            \
    TSRI_DECLARE_FAMILY(function, level)                                                           \
    TSRI_DECLARE_FAMILY(fused, level)                                                              \
    extern tsri_vector_conversion *const tsri_conversions_##level[TSR_DTYPE_END][TSR_DTYPE_END];

TSRI_DECLARE_LEVEL(baseline)
TSRI_DECLARE_LEVEL(avx2)
TSRI_DECLARE_LEVEL(avx512)
#undef TSRI_DECLARE_LEVEL
#undef TSRI_DECLARE_FAMILY

#endif
