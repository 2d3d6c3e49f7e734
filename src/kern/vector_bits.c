/* Bitwise and logical operations, shifts, and the kinds of floating-point numbers. */
#include "kern/vector_level.h"

#include <math.h>

/* ---- bool: a byte that is not 0 is true ------------------------------------------------------ */

KERNEL_2(and_BOOL, truth, truth, (a != 0) & (b != 0))
KERNEL_2(or_BOOL, truth, truth, (a | b) != 0)
KERNEL_2(xor_BOOL, truth, truth, (a != 0) != (b != 0))
KERNEL_1(invert_BOOL, truth, truth, a == 0)

/* ---- integers -------------------------------------------------------------------------------- */

/* Shifts take negative distances for very long ones. */
#define INTEGER(suffix, type, wide, smallest, largest, bits)                                       \
    KERNEL_2(and_##suffix, type, type, a &b)                                                       \
    KERNEL_2(or_##suffix, type, type, a | b)                                                       \
    KERNEL_2(xor_##suffix, type, type, a ^ b)                                                      \
    KERNEL_1(invert_##suffix, type, type, ~a)                                                      \
    KERNEL_2(left_shift_##suffix, type, type,                                                      \
             (wide)b < (bits) ? (wide)a << ((wide)b & ((bits)-1)) : 0)
INTEGER_LIST(INTEGER)

#define SHIFT(suffix, type, wide, smallest, largest, bits)                                         \
    KERNEL_2(right_shift_##suffix, type, type, a >> ((wide)b < (bits) ? (wide)b : (bits)-1))
SIGNED_LIST(SHIFT)

#define UNSIGNED_SHIFT(suffix, type, wide, smallest, largest, bits)                                \
    KERNEL_2(right_shift_##suffix, type, type, (wide)b < (bits) ? a >> ((wide)b & ((bits)-1)) : 0)
UNSIGNED_LIST(UNSIGNED_SHIFT)

/* ---- kinds of reals -------------------------------------------------------------------------- */

#define REAL(suffix, type, word, m)                                                                \
    KERNEL_1(isnan_##suffix, truth, type, a != a)                                                  \
    KERNEL_1(isinf_##suffix, truth, type, fabs##m(a) == (type)INFINITY)                            \
    KERNEL_1(isfinite_##suffix, truth, type, fabs##m(a) < (type)INFINITY)                          \
    KERNEL_1(signbit_##suffix, truth, word, a >> (8 * sizeof(word) - 1))
REAL_LIST(REAL)

const tsri_vector_row TSRI_AT_LEVEL(bits)[] = {
    {TSRI_VECTOR_BITWISE_AND, {[TSR_BOOL] = and_BOOL, INTEGER_ROW(and)}},
    {TSRI_VECTOR_BITWISE_OR, {[TSR_BOOL] = or_BOOL, INTEGER_ROW(or)}},
    {TSRI_VECTOR_BITWISE_XOR, {[TSR_BOOL] = xor_BOOL, INTEGER_ROW(xor)}},
    {TSRI_VECTOR_INVERT, {[TSR_BOOL] = invert_BOOL, INTEGER_ROW(invert)}},
    {TSRI_VECTOR_LEFT_SHIFT, {INTEGER_ROW(left_shift)}},
    {TSRI_VECTOR_RIGHT_SHIFT, {INTEGER_ROW(right_shift)}},
    {TSRI_VECTOR_LOGICAL_AND, {[TSR_BOOL] = and_BOOL}},
    {TSRI_VECTOR_LOGICAL_OR, {[TSR_BOOL] = or_BOOL}},
    {TSRI_VECTOR_LOGICAL_XOR, {[TSR_BOOL] = xor_BOOL}},
    {TSRI_VECTOR_LOGICAL_NOT, {[TSR_BOOL] = invert_BOOL}},
    {TSRI_VECTOR_ISNAN, {REAL_ROW(isnan)}},
    {TSRI_VECTOR_ISINF, {REAL_ROW(isinf)}},
    {TSRI_VECTOR_ISFINITE, {REAL_ROW(isfinite)}},
    {TSRI_VECTOR_SIGNBIT, {REAL_ROW(signbit)}},
    {.op = TSRI_VECTOR_END}};
