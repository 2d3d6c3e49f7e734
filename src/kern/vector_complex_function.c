/* Functions of complex blocks. */
#include "kern/vector_level.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

/* Functions of libm, of c64 in double precision too: within its results of f64 there is none of the
 * loss that single precision suffers between steps. */

typedef double complex number;

static inline number number_of(double re, double im)
{
    return (union {
               double part[2];
               number z;
           }){{re, im}}
        .z;
}

static const double ln_2 = 0.69314718055994530942, log2_e = 1.44269504088896340736,
                    log10_e = 0.43429448190325182765;

/* ---- what libm lacks ------------------------------------------------------------------------- */

static inline number scaled(number z, double by)
{
    return number_of(creal(z) * by, cimag(z) * by);
}

static inline number log2_of(number z)
{
    return scaled(clog(z), log2_e);
}

static inline number log10_of(number z)
{
    return scaled(clog(z), log10_e);
}

static inline number exp2_of(number z)
{
    const double size = exp2(creal(z)), angle = cimag(z) * ln_2;

    if (!(size > 0 && size < INFINITY) || !isfinite(angle)) return cexp(scaled(z, ln_2));
    return number_of(size * cos(angle), angle == 0 ? angle : size * sin(angle));
}

/* e^x cos(y) - 1 = expm1(x) cos(y) - 2 sin(y/2)^2 */
static inline number expm1_of(number z)
{
    const double x = creal(z), y = cimag(z), half = sin(y / 2);

    return number_of(expm1(x) * cos(y) - 2 * half * half, exp(x) * sin(y));
}

/* Near 0, abs(1 + z)^2 is 1 plus a small number. */
static inline number log1p_of(number z)
{
    const double x = creal(z), y = cimag(z);
    const bool small = fabs(x) < 0.5 && fabs(y) < 0.5;

    return number_of(small ? log1p(x * (2 + x) + y * y) / 2 : log(hypot(1 + x, y)),
                     atan2(y, 1 + x));
}

/* ---- powers ---------------------------------------------------------------------------------- */

static inline number product(number a, number b)
{
    return number_of(ROUNDED(creal(a) * creal(b)) - ROUNDED(cimag(a) * cimag(b)),
                     ROUNDED(creal(a) * cimag(b)) + ROUNDED(cimag(a) * creal(b)));
}

/* 1/z by Smith's method; the zeros in it are what a division has there. */
static number inverse(number z)
{
    const double re = creal(z), im = cimag(z);

    if (re == 0 && im == 0) return number_of(1 / fabs(re), 0 / fabs(re));
    if (fabs(re) >= fabs(im)) {
        const double ratio = im / re, scale = 1 / (re + ROUNDED(im * ratio));
        return number_of(scale, (0 - ratio) * scale);
    }
    const double ratio = re / im, scale = 1 / (im + ROUNDED(re * ratio));
    return number_of((ratio + 0) * scale, -scale);
}

/* Up to the cube without a factor 1, which makes NaN of what is infinite. */
static number whole_power(number z, int exponent)
{
    if (exponent == 1) return z;
    if (exponent == 2) return product(z, z);
    if (exponent == 3) return product(product(z, z), z);
    number result = number_of(1, 0);
    for (int left = abs(exponent); left != 0; left >>= 1) {
        if (left & 1) result = product(result, z);
        z = product(z, z);
    }
    return exponent < 0 ? inverse(result) : result;
}

/* 0 to a power whose real part is not positive has no value, except that z^0 is 1. */
static number power_of(number z, number exponent)
{
    const double re = creal(exponent), im = cimag(exponent);

    if (re == 0 && im == 0) return number_of(1, 0);
    if (creal(z) == 0 && cimag(z) == 0) return re > 0 ? number_of(0, 0) : number_of(NAN, NAN);
    if (im == 0 && fabs(re) < 100 && re == floor(re)) return whole_power(z, (int)re);
    return cpow(z, exponent);
}

/* ---- kernels --------------------------------------------------------------------------------- */

#define FUNCTION_1(op, suffix, type, value) KERNEL_1(op##_##suffix, type, type, (value((number)a)))
#define FUNCTIONS(suffix, type)                                                                    \
    FUNCTION_1(sqrt, suffix, type, csqrt)                                                          \
    FUNCTION_1(exp, suffix, type, cexp)                                                            \
    FUNCTION_1(exp2, suffix, type, exp2_of)                                                        \
    FUNCTION_1(expm1, suffix, type, expm1_of)                                                      \
    FUNCTION_1(log, suffix, type, clog)                                                            \
    FUNCTION_1(log2, suffix, type, log2_of)                                                        \
    FUNCTION_1(log10, suffix, type, log10_of)                                                      \
    FUNCTION_1(log1p, suffix, type, log1p_of)                                                      \
    FUNCTION_1(sin, suffix, type, csin)                                                            \
    FUNCTION_1(cos, suffix, type, ccos)                                                            \
    FUNCTION_1(tan, suffix, type, ctan)                                                            \
    FUNCTION_1(arcsin, suffix, type, casin)                                                        \
    FUNCTION_1(arccos, suffix, type, cacos)                                                        \
    FUNCTION_1(arctan, suffix, type, catan)                                                        \
    FUNCTION_1(sinh, suffix, type, csinh)                                                          \
    FUNCTION_1(cosh, suffix, type, ccosh)                                                          \
    FUNCTION_1(tanh, suffix, type, ctanh)                                                          \
    FUNCTION_1(arcsinh, suffix, type, casinh)                                                      \
    FUNCTION_1(arccosh, suffix, type, cacosh)                                                      \
    FUNCTION_1(arctanh, suffix, type, catanh)                                                      \
    KERNEL_2(power_##suffix, type, type, power_of((number)a, (number)b))
FUNCTIONS(C64, float complex)
FUNCTIONS(C128, double complex)

const tsri_vector_row TSRI_AT_LEVEL(complex_function)[] = {
    {TSRI_VECTOR_POWER, {COMPLEX_ROW(power)}},
    {TSRI_VECTOR_FLOAT_POWER, {[TSR_C128] = power_C128}},
    {TSRI_VECTOR_SQRT, {COMPLEX_ROW(sqrt)}},
    {TSRI_VECTOR_EXP, {COMPLEX_ROW(exp)}},
    {TSRI_VECTOR_EXP2, {COMPLEX_ROW(exp2)}},
    {TSRI_VECTOR_EXPM1, {COMPLEX_ROW(expm1)}},
    {TSRI_VECTOR_LOG, {COMPLEX_ROW(log)}},
    {TSRI_VECTOR_LOG2, {COMPLEX_ROW(log2)}},
    {TSRI_VECTOR_LOG10, {COMPLEX_ROW(log10)}},
    {TSRI_VECTOR_LOG1P, {COMPLEX_ROW(log1p)}},
    {TSRI_VECTOR_SIN, {COMPLEX_ROW(sin)}},
    {TSRI_VECTOR_COS, {COMPLEX_ROW(cos)}},
    {TSRI_VECTOR_TAN, {COMPLEX_ROW(tan)}},
    {TSRI_VECTOR_ARCSIN, {COMPLEX_ROW(arcsin)}},
    {TSRI_VECTOR_ARCCOS, {COMPLEX_ROW(arccos)}},
    {TSRI_VECTOR_ARCTAN, {COMPLEX_ROW(arctan)}},
    {TSRI_VECTOR_SINH, {COMPLEX_ROW(sinh)}},
    {TSRI_VECTOR_COSH, {COMPLEX_ROW(cosh)}},
    {TSRI_VECTOR_TANH, {COMPLEX_ROW(tanh)}},
    {TSRI_VECTOR_ARCSINH, {COMPLEX_ROW(arcsinh)}},
    {TSRI_VECTOR_ARCCOSH, {COMPLEX_ROW(arccosh)}},
    {TSRI_VECTOR_ARCTANH, {COMPLEX_ROW(arctanh)}},
    {.op = TSRI_VECTOR_END}};
