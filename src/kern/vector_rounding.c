/* Rounding to integers, and other functions that are exact. */
#include "kern/vector_level.h"

#include <math.h>

static inline double spacing(double v)
{
    return nextafter(v, v < 0 ? -(double)INFINITY : (double)INFINITY) - v;
}

static inline float spacingf(float v)
{
    return nextafterf(v, v < 0 ? -INFINITY : INFINITY) - v;
}

#define REAL(suffix, type, word, m)                                                                \
    KERNEL_1(floor_##suffix, type, type, floor##m(a))                                              \
    KERNEL_1(ceil_##suffix, type, type, ceil##m(a))                                                \
    KERNEL_1(trunc_##suffix, type, type, trunc##m(a))                                              \
    KERNEL_1(rint_##suffix, type, type, rint##m(a))                                                \
    KERNEL_2(copysign_##suffix, type, type, copysign##m(a, b))                                     \
    KERNEL_2(nextafter_##suffix, type, type, nextafter##m(a, b))                                   \
    KERNEL_1(spacing_##suffix, type, type, spacing##m(a))                                          \
    KERNEL_2(heaviside_##suffix, type, type, a != a ? a : a == 0 ? b : a < 0 ? 0 : 1)
REAL_LIST(REAL)

const tsri_vector_row TSRI_AT_LEVEL(rounding)[] = {{TSRI_VECTOR_FLOOR, {REAL_ROW(floor)}},
                                                   {TSRI_VECTOR_CEIL, {REAL_ROW(ceil)}},
                                                   {TSRI_VECTOR_TRUNC, {REAL_ROW(trunc)}},
                                                   {TSRI_VECTOR_RINT, {REAL_ROW(rint)}},
                                                   {TSRI_VECTOR_COPYSIGN, {REAL_ROW(copysign)}},
                                                   {TSRI_VECTOR_NEXTAFTER, {REAL_ROW(nextafter)}},
                                                   {TSRI_VECTOR_SPACING, {REAL_ROW(spacing)}},
                                                   {TSRI_VECTOR_HEAVISIDE, {REAL_ROW(heaviside)}},
                                                   {.op = TSRI_VECTOR_END}};
