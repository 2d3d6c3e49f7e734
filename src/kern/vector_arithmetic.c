/* Arithmetic of bool, integer and real blocks. */
#include "kern/vector_level.h"

#include <math.h>

/* ---- bool ------------------------------------------------------------------------------------ */

KERNEL_2(add_BOOL, truth, truth, (a | b) != 0)
KERNEL_2(multiply_BOOL, truth, truth, (a != 0) & (b != 0))

/* ---- integers -------------------------------------------------------------------------------- */

#define INTEGER(suffix, type, wide, smallest, largest, bits)                                       \
    KERNEL_2(add_##suffix, type, type, (wide)a + (wide)b)                                          \
    KERNEL_2(subtract_##suffix, type, type, (wide)a - (wide)b)                                     \
    KERNEL_2(multiply_##suffix, type, type, (wide)a *(wide)b)                                      \
    KERNEL_1(negative_##suffix, type, type, 0 - (wide)a)                                           \
    KERNEL_1(square_##suffix, type, type, (wide)a *(wide)a)
INTEGER_LIST(INTEGER)

#define SIGNED(suffix, type, wide, smallest, largest, bits)                                        \
    KERNEL_1(absolute_##suffix, type, type, a < 0 ? 0 - (wide)a : (wide)a)                         \
    KERNEL_1(sign_##suffix, type, type, (a > 0) - (a < 0))                                         \
    KERNEL_1(reciprocal_##suffix, type, type, a == 0 ? (smallest) : a == 1 || a == -1 ? a : 0)
SIGNED_LIST(SIGNED)

#define UNSIGNED(suffix, type, wide, smallest, largest, bits)                                      \
    KERNEL_1(sign_##suffix, type, type, a != 0)                                                    \
    KERNEL_1(reciprocal_##suffix, type, type, a == 1)
UNSIGNED_LIST(UNSIGNED)

/* ---- reals ----------------------------------------------------------------------------------- */

#define REAL(suffix, type, word, m)                                                                \
    KERNEL_2(add_##suffix, type, type, a + b)                                                      \
    KERNEL_2(subtract_##suffix, type, type, a - b)                                                 \
    KERNEL_2(multiply_##suffix, type, type, a *b)                                                  \
    KERNEL_2(divide_##suffix, type, type, a / b)                                                   \
    KERNEL_1(negative_##suffix, type, type, -a)                                                    \
    KERNEL_1(absolute_##suffix, type, type, fabs##m(a))                                            \
    KERNEL_1(square_##suffix, type, type, a *a)                                                    \
    KERNEL_1(reciprocal_##suffix, type, type, 1 / a)                                               \
    KERNEL_1(sign_##suffix, type, type, a > 0 ? 1 : a < 0 ? -1 : a == 0 ? 0 : a)
REAL_LIST(REAL)

/* ---- the imaginary part of what has none ----------------------------------------------------- */

#define IMAG(suffix, type, ...)                                                                    \
    static void imag_##suffix(int64_t n, void *out, const void *const *in)                         \
    {                                                                                              \
        type *to = out;                                                                            \
        (void)in;                                                                                  \
        for (int64_t i = 0; i < n; ++i)                                                            \
            to[i] = 0;                                                                             \
    }
IMAG(BOOL, truth, )
NUMBER_LIST(IMAG)

const tsri_vector_row TSRI_AT_LEVEL(arithmetic)[] = {
    {TSRI_VECTOR_ADD, {[TSR_BOOL] = add_BOOL, INTEGER_ROW(add), REAL_ROW(add)}},
    {TSRI_VECTOR_SUBTRACT, {INTEGER_ROW(subtract), REAL_ROW(subtract)}},
    {TSRI_VECTOR_MULTIPLY, {[TSR_BOOL] = multiply_BOOL, INTEGER_ROW(multiply), REAL_ROW(multiply)}},
    {TSRI_VECTOR_DIVIDE, {REAL_ROW(divide)}},
    {TSRI_VECTOR_NEGATIVE, {INTEGER_ROW(negative), REAL_ROW(negative)}},
    {TSRI_VECTOR_ABSOLUTE, {SIGNED_ROW(absolute), REAL_ROW(absolute)}},
    {TSRI_VECTOR_SQUARE, {INTEGER_ROW(square), REAL_ROW(square)}},
    {TSRI_VECTOR_RECIPROCAL, {INTEGER_ROW(reciprocal), REAL_ROW(reciprocal)}},
    {TSRI_VECTOR_SIGN, {INTEGER_ROW(sign), REAL_ROW(sign)}},
    {TSRI_VECTOR_IMAG, {[TSR_BOOL] = imag_BOOL, INTEGER_ROW(imag), REAL_ROW(imag)}},
    {.op = TSRI_VECTOR_END}};
