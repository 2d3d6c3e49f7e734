/* Exponentials and logarithms of packs, within 0.7 ulp.
 *
 * After P. T. P. Tang, "Table-driven implementation of the exponential function in IEEE
 * floating-point arithmetic", ACM TOMS 15 (1989), and "... of the logarithm function ...", ACM TOMS
 * 16 (1990), with tables so small that they stay in registers.  Polynomials interpolate at the
 * zeros of Chebyshev's.  tests/test_vector_numpy.c compares with correctly rounded values. */
#ifndef TSRI_KERN_EXP_LOG_H
#define TSRI_KERN_EXP_LOG_H

#include "kern/pack.h"

#include <float.h>
#include <math.h>
#include <string.h>

#ifdef TSRI_PACKS

/* 2^(j/16), and what rounding took from it. */
static const double exp_power[PACK_TABLE] = {
    0x1.0000000000000p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0,
    0x1.306fe0a31b715p+0, 0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0,
    0x1.6a09e667f3bcdp+0, 0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f090p+0,
    0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0};
static const double exp_power_rest[PACK_TABLE] = {0x0.0p+0,
                                                  0x1.8a62e4adc610bp-54,
                                                  -0x1.19041b9d78a76p-55,
                                                  0x1.9b07eb6c70573p-54,
                                                  0x1.6f46ad23182e4p-55,
                                                  0x1.ada0911f09ebcp-55,
                                                  0x1.d4397afec42e2p-56,
                                                  0x1.6324c054647adp-54,
                                                  -0x1.bdd3413b26456p-54,
                                                  -0x1.41577ee04992fp-55,
                                                  0x1.6e9f156864b27p-54,
                                                  0x1.c7c46b071f2bep-56,
                                                  0x1.7a1cd345dcc81p-54,
                                                  0x1.11065895048ddp-55,
                                                  0x1.2ed02d75b3707p-55,
                                                  -0x1.e9c23179c2893p-54};

/* 2^(k/16) (1 + rest); the lowest bits of `shifted` are those of k. */
static inline pack exp_powers(pack shifted, pack k, pack rest)
{
    const pack power = pack_looked_up(exp_power, pack_bits_of(shifted));
    const pack power_rest = pack_looked_up(exp_power_rest, pack_bits_of(shifted));
    return pack_scaled(power + pack_fused(power, rest, power_rest), k * pack_all(0x1p-4));
}

/* (e^r - 1 - r) / r^2 for |r| <= ln(2)/32 */
static inline pack exp_series(pack r, pack r2)
{
    const pack high =
        pack_fused(r, pack_all(0x1.a01b0c30efd6fp-13), pack_all(0x1.6c17ed4f1c46bp-10));
    const pack middle =
        pack_fused(r, pack_all(0x1.11111110e109cp-7), pack_all(0x1.55555554e944dp-5));
    const pack low = pack_fused(r, pack_all(0x1.5555555555556p-3), pack_all(0x1.0p-1));
    return pack_fused(r2, pack_fused(r2, high, middle), low);
}

/* x = k ln(2)/16 + r + lost; the lowest bits of `shifted` are those of k. */
typedef struct exp_parts {
    pack shifted, k, r, lost;
} exp_parts;

static inline exp_parts exp_reduced(pack x)
{
    const pack shift = pack_all(0x1.8p52);
    const pack shifted = pack_fused(x, pack_all(0x1.71547652b82fep+4), shift);
    const pack k = shifted - shift, low = k * pack_all(0x1.abc9e3b39803fp-60);
    const pack near = pack_fused(k, pack_all(-0x1.62e42fefa39efp-5), x), r = near - low;
    return (exp_parts){shifted, k, r, (near - r) - low};
}

/* e^x = 2^(k/16) e^r; beyond the clamped range it is 0 or infinite. */
static inline pack pack_exp(pack x)
{
    const exp_parts v = exp_reduced(pack_clamped(x, -746, 710));
    const pack r2 = v.r * v.r;
    return exp_powers(v.shifted, v.k, pack_fused(r2, exp_series(v.r, r2), v.r));
}

/* The same to base 2. */
static inline pack pack_exp2(pack x)
{
    const pack v = pack_clamped(x, -1077, 1025), shift = pack_all(0x1.8p52);
    const pack shifted = pack_fused(v, pack_all(0x1p4), shift);
    const pack k = shifted - shift;
    const pack r = pack_fused(k, pack_all(-0x1p-4), v), r2 = r * r;
    const pack high =
        pack_fused(r2, pack_all(0x1.ffcd7adca34afp-17),
                   pack_fused(r, pack_all(0x1.430a49637bcfep-13), pack_all(0x1.5d87fe7846d14p-10)));
    const pack middle =
        pack_fused(r, pack_all(0x1.3b2ab6fb09b0ap-7), pack_all(0x1.c6b08d704a0c1p-5));
    const pack low = pack_fused(r, pack_all(0x1.ebfbdff82c594p-3), pack_all(0x1.62e42fefa39efp-1));
    const pack rest = r * pack_fused(r2, pack_fused(r2, high, middle), low);
    return exp_powers(shifted, k, rest);
}

/* Near 1/c for c = 1 + j/16, of so few bits that a product with it minus 1 is exact; ln(2) - ln of
 * it, in multiples of 2^-42 of which any sum is exact, and what is left. */
static const double log_inverse[PACK_TABLE] = {
    0x1.00p+0, 0x1.e0p-1, 0x1.c8p-1, 0x1.b0p-1, 0x1.98p-1, 0x1.88p-1, 0x1.78p-1, 0x1.68p-1,
    0x1.58p-1, 0x1.48p-1, 0x1.38p-1, 0x1.30p-1, 0x1.28p-1, 0x1.18p-1, 0x1.10p-1, 0x1.08p-1};
static const double log_centre[PACK_TABLE] = {
    0x1.62e42fefa3800p-1, 0x1.83ef615ae0000p-1, 0x1.9e327eb6ac000p-1, 0x1.b9e1319cf4800p-1,
    0x1.d7250fb939000p-1, 0x1.eba0a400e3000p-1, 0x1.007b61d49e800p+0, 0x1.0b9d38f243800p+0,
    0x1.1740a5041f400p+0, 0x1.2371ff14e7400p+0, 0x1.303f7ab5bb000p+0, 0x1.36e5cf0e54800p+0,
    0x1.3db989ff63c00p+0, 0x1.4bf35d64be400p+0, 0x1.535f178f9b000p+0, 0x1.5b03892c05800p+0};
static const double log_centre_rest[PACK_TABLE] = {
    0x1.ef35793c76730p-45,  0x1.30068dbc29f1ap-45,  0x1.61bfbd1cd7965p-44,  0x1.5bb459e131b22p-45,
    0x1.8e0b7f659a977p-45,  -0x1.e96db67ef4476p-44, 0x1.58880f76562efp-44,  -0x1.06bd544e1ad30p-45,
    -0x1.5cf191f5d02e4p-44, -0x1.d61c316c5713fp-44, -0x1.ceb29dd330683p-45, -0x1.16872a7f959bcp-45,
    -0x1.6a680efe2f5a8p-45, -0x1.8b088a1a4a57ap-45, -0x1.25fd92a9d5187p-44, 0x1.233445588623ep-44};

/* (ln(1 + r) - r + r^2/2) / r^3 for |r| < 0.0333 */
static inline pack log_series(pack r, pack r2)
{
    const pack q0 = pack_fused(r, pack_all(-0x1.fffffffffffddp-3), pack_all(0x1.5555555555542p-2));
    const pack q2 = pack_fused(r, pack_all(-0x1.555555564b551p-3), pack_all(0x1.9999999aa5f4cp-3));
    const pack q4 = pack_fused(r, pack_all(-0x1.ffffddf50bb1bp-4), pack_all(0x1.24923693104e2p-3));
    const pack q6 = pack_fused(r, pack_all(-0x1.9a5a84850bf68p-4), pack_all(0x1.c7eee584f683ep-4));
    return pack_fused(r2 * r2, pack_fused(r2, q6, q4), pack_fused(r2, q2, q0));
}

/* Of positive normal numbers x = 2^(k + 1) z with z from 63/64 to 63/32: ln(x) = (k + 1) ln(2) +
 * ln(c) + ln(1 + r), where z = c (1 + r), as a sum of two; and 1/x. */
typedef struct log_parts {
    pack sum, rest, slope;
} log_parts;

static inline log_parts pack_log_parts(pack x)
{
    const pack k = pack_exponent(x * pack_all(32.0 / 63)), power = pack_all(-1) - k;
    const pack z = pack_scaled(x, power);
    const pack_bits place = pack_place(z, 48);
    const pack inverse = pack_looked_up(log_inverse, place);
    const pack r = pack_fused(z, inverse, pack_all(-1)), r2 = r * r;
    const pack whole =
        pack_fused(k, pack_all(0x1.62e42fefa38p-1), pack_looked_up(log_centre, place));
    const pack sum = whole + r, lost = (whole - sum) + r;
    const pack rest =
        pack_fused(k, pack_all(0x1.ef35793c7673p-45), pack_looked_up(log_centre_rest, place));
    const pack series = pack_fused(r, log_series(r, r2), pack_all(-0.5));
    return (log_parts){sum, pack_fused(r2, series, lost + rest),
                       pack_scaled(inverse - inverse * r, power)};
}

/* The same to another base: times high + low. */
static inline pack log_times(log_parts log, double high, double low)
{
    const pack product = log.sum * pack_all(high);
    const pack lost = pack_fused(log.sum, pack_all(high), -product);
    const pack rest =
        pack_fused(log.rest, pack_all(high), pack_fused(log.sum, pack_all(low), lost));
    return product + rest;
}

/* The results y of elements x, but for those whose logarithm is not of a plain number: libm's. */
static inline pack log_repaired(pack x, pack number, pack y, double (*libm)(double))
{
    enum { LANES = sizeof x / sizeof(double) };
    double element[LANES], of[LANES], result[LANES];

    if (pack_are_plain(number)) return y;
    memcpy(element, &x, sizeof x);
    memcpy(of, &number, sizeof number);
    memcpy(result, &y, sizeof y);
    for (int k = 0; k < LANES; ++k)
        if (!(of[k] >= DBL_MIN && of[k] <= DBL_MAX)) result[k] = libm(element[k]);
    memcpy(&y, result, sizeof y);
    return y;
}

static inline pack pack_log(pack x)
{
    const log_parts parts = pack_log_parts(x);
    return log_repaired(x, x, parts.sum + parts.rest, log);
}

static inline pack pack_log2(pack x)
{
    const pack y = log_times(pack_log_parts(x), 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56);
    return log_repaired(x, x, y, log2);
}

static inline pack pack_log10(pack x)
{
    const pack y = log_times(pack_log_parts(x), 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57);
    return log_repaired(x, x, y, log10);
}

/* Of 1 + x and of what its rounding took. */
static inline pack pack_log1p(pack x)
{
    const pack one = pack_all(1), number = one + x, of_x = number - one;
    const pack lost = (one - (number - of_x)) + (x - of_x);
    const log_parts parts = pack_log_parts(number);
    const pack y = parts.sum + pack_fused(lost, parts.slope, parts.rest);
    return log_repaired(x, number, pack_where_equal(number, one, x, y), log1p);
}

#endif
#endif
