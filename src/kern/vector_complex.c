/* Arithmetic, comparisons and parts of complex blocks. */
#include "kern/vector_level.h"

#include <math.h>

/* ---- arithmetic ------------------------------------------------------------------------------ */

/* Conditions choose among values rather than ways, so that loops are vectorised. */
#define ARITHMETIC(suffix, type, part, part_suffix, m)                                             \
    static inline type product_##suffix(type a, type b)                                            \
    {                                                                                              \
        return (type){ROUNDED(a.re * b.re) - ROUNDED(a.im * b.im),                                 \
                      ROUNDED(a.re * b.im) + ROUNDED(a.im * b.re)};                                \
    }                                                                                              \
    /* By Smith's method: the larger part of b is taken out of both. */                            \
    static inline type quotient_##suffix(type a, type b)                                           \
    {                                                                                              \
        const part re = fabs##m(b.re), im = fabs##m(b.im);                                         \
        const bool real = re >= im;                                                                \
        const part large = real ? b.re : b.im, small = real ? b.im : b.re;                         \
        const part x = real ? a.re : a.im, y = real ? a.im : a.re;                                 \
        const bool zero = (re == 0) & (im == 0);                                                   \
        const part ratio = small / large;                                                          \
        const part scale = 1 / (zero ? re : large + ROUNDED(small * ratio));                       \
        const part imaginary = real ? y - ROUNDED(x * ratio) : ROUNDED(x * ratio) - y;             \
        return (type){(zero ? a.re : x + ROUNDED(y * ratio)) * scale,                              \
                      (zero ? a.im : imaginary) * scale};                                          \
    }                                                                                              \
    static inline type inverse_##suffix(type a)                                                    \
    {                                                                                              \
        const bool real = fabs##m(a.im) <= fabs##m(a.re);                                          \
        const part large = real ? a.re : a.im, small = real ? a.im : a.re;                         \
        const part ratio = small / large, d = large + small * ratio;                               \
        return (type){(real ? 1 : ratio) / d, (real ? -ratio : -1) / d};                           \
    }                                                                                              \
    LOOP_2(add_##suffix, type, type, ((type){a.re + b.re, a.im + b.im}))                           \
    LOOP_2(subtract_##suffix, type, type, ((type){a.re - b.re, a.im - b.im}))                      \
    LOOP_2(multiply_##suffix, type, type, product_##suffix(a, b))                                  \
    LOOP_2(divide_##suffix, type, type, quotient_##suffix(a, b))                                   \
    LOOP_1(reciprocal_##suffix, type, type, inverse_##suffix(a))                                   \
    LOOP_1(square_##suffix, type, type, product_##suffix(a, a))                                    \
    LOOP_1(negative_##suffix, type, type, ((type){-a.re, -a.im}))                                  \
    LOOP_1(conjugate_##suffix, type, type, ((type){a.re, -a.im}))                                  \
    LOOP_1(rint_##suffix, type, type, ((type){rint##m(a.re), rint##m(a.im)}))                      \
    LOOP_1(real_##suffix, part, type, a.re)                                                        \
    LOOP_1(imag_##suffix, part, type, a.im)                                                        \
    LOOP_1(absolute_##suffix, part, type, hypot##m(a.re, a.im))
COMPLEX_LIST(ARITHMETIC)

/* z/abs(z), where abs(z) may be too large for the type; of an infinite number its direction, if it
 * has one. */
#define SIGN(suffix, type, part, part_suffix, m)                                                   \
    static inline type sign_of_##suffix(type a)                                                    \
    {                                                                                              \
        const bool re = isinf(a.re), im = isinf(a.im);                                             \
        part size = hypot##m(a.re, a.im);                                                          \
        if (size == (part)INFINITY && !re && !im) {                                                \
            a = (type){a.re / 2, a.im / 2};                                                        \
            size = hypot##m(a.re, a.im);                                                           \
        }                                                                                          \
        if (size == 0) return (type){0, 0};                                                        \
        if (size < (part)INFINITY) return (type){a.re / size, a.im / size};                        \
        if (re == im) return (type){(part)NAN, (part)NAN};                                         \
        return (type){re ? copysign##m(1, a.re) : 0, im ? copysign##m(1, a.im) : 0};               \
    }                                                                                              \
    LOOP_1(sign_##suffix, type, type, sign_of_##suffix(a))
COMPLEX_LIST(SIGN)

/* ---- order: real parts, then imaginary ones -------------------------------------------------- */

#define IS_NAN(v) ((v.re != v.re) | (v.im != v.im))
#define BEFORE(a, b, than) (((a.re than b.re) & (a.im == a.im) & (b.im == b.im)))
#define LESS(a, b) (BEFORE(a, b, <) | ((a.re == b.re) & (a.im < b.im)))
#define LESS_EQUAL(a, b) (BEFORE(a, b, <) | ((a.re == b.re) & (a.im <= b.im)))

#define ORDER(suffix, type, ...)                                                                   \
    KERNEL_2(less_##suffix, truth, type, LESS(a, b))                                               \
    KERNEL_2(less_equal_##suffix, truth, type, LESS_EQUAL(a, b))                                   \
    KERNEL_2(greater_##suffix, truth, type, LESS(b, a))                                            \
    KERNEL_2(greater_equal_##suffix, truth, type, LESS_EQUAL(b, a))                                \
    KERNEL_2(equal_##suffix, truth, type, (a.re == b.re) & (a.im == b.im))                         \
    KERNEL_2(not_equal_##suffix, truth, type, (a.re != b.re) | (a.im != b.im))                     \
    LOOP_2(maximum_##suffix, type, type, LESS_EQUAL(b, a) | IS_NAN(a) ? a : b)                     \
    LOOP_2(minimum_##suffix, type, type, LESS_EQUAL(a, b) | IS_NAN(a) ? a : b)                     \
    LOOP_2(fmax_##suffix, type, type, LESS_EQUAL(b, a) | IS_NAN(b) ? a : b)                        \
    LOOP_2(fmin_##suffix, type, type, LESS_EQUAL(a, b) | IS_NAN(b) ? a : b)
COMPLEX_LIST(ORDER)

/* ---- kinds ----------------------------------------------------------------------------------- */

#define KINDS(suffix, type, part, part_suffix, m)                                                  \
    KERNEL_1(isnan_##suffix, truth, type, IS_NAN(a))                                               \
    KERNEL_1(isinf_##suffix, truth, type,                                                          \
             (fabs##m(a.re) == (part)INFINITY) | (fabs##m(a.im) == (part)INFINITY))                \
    KERNEL_1(isfinite_##suffix, truth, type,                                                       \
             (fabs##m(a.re) < (part)INFINITY) & (fabs##m(a.im) < (part)INFINITY))
COMPLEX_LIST(KINDS)

const tsri_vector_row TSRI_AT_LEVEL(complex)[] = {
    {TSRI_VECTOR_ADD, {COMPLEX_ROW(add)}},
    {TSRI_VECTOR_SUBTRACT, {COMPLEX_ROW(subtract)}},
    {TSRI_VECTOR_MULTIPLY, {COMPLEX_ROW(multiply)}},
    {TSRI_VECTOR_DIVIDE, {COMPLEX_ROW(divide)}},
    {TSRI_VECTOR_NEGATIVE, {COMPLEX_ROW(negative)}},
    {TSRI_VECTOR_ABSOLUTE, {COMPLEX_ROW(absolute)}},
    {TSRI_VECTOR_SQUARE, {COMPLEX_ROW(square)}},
    {TSRI_VECTOR_RECIPROCAL, {COMPLEX_ROW(reciprocal)}},
    {TSRI_VECTOR_SIGN, {COMPLEX_ROW(sign)}},
    {TSRI_VECTOR_CONJUGATE, {COMPLEX_ROW(conjugate)}},
    {TSRI_VECTOR_REAL, {COMPLEX_ROW(real)}},
    {TSRI_VECTOR_IMAG, {COMPLEX_ROW(imag)}},
    {TSRI_VECTOR_MAXIMUM, {COMPLEX_ROW(maximum)}},
    {TSRI_VECTOR_MINIMUM, {COMPLEX_ROW(minimum)}},
    {TSRI_VECTOR_FMAX, {COMPLEX_ROW(fmax)}},
    {TSRI_VECTOR_FMIN, {COMPLEX_ROW(fmin)}},
    {TSRI_VECTOR_LESS, {COMPLEX_ROW(less)}},
    {TSRI_VECTOR_LESS_EQUAL, {COMPLEX_ROW(less_equal)}},
    {TSRI_VECTOR_EQUAL, {COMPLEX_ROW(equal)}},
    {TSRI_VECTOR_NOT_EQUAL, {COMPLEX_ROW(not_equal)}},
    {TSRI_VECTOR_GREATER, {COMPLEX_ROW(greater)}},
    {TSRI_VECTOR_GREATER_EQUAL, {COMPLEX_ROW(greater_equal)}},
    {TSRI_VECTOR_ISNAN, {COMPLEX_ROW(isnan)}},
    {TSRI_VECTOR_ISINF, {COMPLEX_ROW(isinf)}},
    {TSRI_VECTOR_ISFINITE, {COMPLEX_ROW(isfinite)}},
    {TSRI_VECTOR_RINT, {COMPLEX_ROW(rint)}},
    {.op = TSRI_VECTOR_END}};
