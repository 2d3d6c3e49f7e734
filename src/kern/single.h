/* Functions of single numbers, as packs of doubles: short polynomials in double leave errors of
 * some 2^-30 beside the one rounding at the end, so results are within 0.51 ulp.  Polynomials
 * interpolate at the zeros of Chebyshev's.  tests/test_vector_numpy.c compares with correctly
 * rounded values. */
#ifndef TSRI_KERN_SINGLE_H
#define TSRI_KERN_SINGLE_H

#include "kern/exp_log.h"

#ifdef TSRI_PACKS

/* As many single numbers as there are doubles in a pack, and operations on bits. */
#if defined(TSRI_LEVEL_avx512)
typedef __m256 pack_singles;
static inline pack pack_widened(pack_singles v)
{
    return _mm512_cvtps_pd(v);
}
static inline pack_singles pack_narrowed(pack v)
{
    return _mm512_cvtpd_ps(v);
}
static inline pack pack_of_bits(pack_bits v)
{
    return _mm512_castsi512_pd(v);
}
static inline pack_bits pack_bits_all(long long v)
{
    return _mm512_set1_epi64(v);
}
static inline pack_bits pack_bits_up(pack_bits v, unsigned places)
{
    return _mm512_slli_epi64(v, places);
}
static inline pack_bits pack_bits_down(pack_bits v, unsigned places)
{
    return _mm512_srli_epi64(v, places);
}
#else
typedef __m128 pack_singles;
static inline pack pack_widened(pack_singles v)
{
    return _mm256_cvtps_pd(v);
}
static inline pack_singles pack_narrowed(pack v)
{
    return _mm256_cvtpd_ps(v);
}
static inline pack pack_of_bits(pack_bits v)
{
    return _mm256_castsi256_pd(v);
}
static inline pack_bits pack_bits_all(long long v)
{
    return _mm256_set1_epi64x(v);
}
static inline pack_bits pack_bits_up(pack_bits v, int places)
{
    return _mm256_slli_epi64(v, places);
}
static inline pack_bits pack_bits_down(pack_bits v, int places)
{
    return _mm256_srli_epi64(v, places);
}
#endif

/* A number plus this has the number, rounded, in its lowest bits; plus the second one as the
 * exponent of a power of two, to be shifted to its place. */
#define SINGLE_SHIFT 0x1.8p52
#define SINGLE_EXPONENT (0x1.8p52 + 1023)
enum { SINGLE_EXPONENT_AT = 52 };

static inline pack single_power_of_two(pack shifted)
{
    return pack_of_bits(pack_bits_up(pack_bits_of(shifted), SINGLE_EXPONENT_AT));
}

/* c[0] + c[1] v + c[2] v^2 */
static inline pack single_quadratic(pack v, double c0, double c1, double c2)
{
    return pack_fused(v, pack_fused(v, pack_all(c2), pack_all(c1)), pack_all(c0));
}

/* The result of an odd function of x, from its magnitude. */
static inline pack single_odd(pack size, pack x)
{
    return pack_signed(pack_size(size), x);
}

/* ---- exponentials ---------------------------------------------------------------------------- */

/* x = k ln(2) + r, and 2^k. */
typedef struct single_parts {
    pack k, r, power;
} single_parts;

static inline single_parts single_reduced(pack x)
{
    const pack shift = pack_all(SINGLE_EXPONENT);
    const pack shifted = pack_fused(x, pack_all(0x1.71547652b82fep+0), shift), k = shifted - shift;
    const pack r = pack_fused(k, pack_all(-0x1.62e42fefa39efp-1), x);
    return (single_parts){k, r, single_power_of_two(shifted)};
}

/* Beyond the clamped range results are -1 or infinite as single numbers. */
static inline pack single_expm1(pack x)
{
    const single_parts v = single_reduced(pack_clamped(x, -110, 90));
    const pack r2 = v.r * v.r;
    const pack low =
        single_quadratic(v.r, 0x1.0000000b8f670p-1, 0x1.5555555a78251p-3, 0x1.5554e91133b7ep-5);
    const pack high =
        single_quadratic(v.r, 0x1.1110e0f71a4a5p-7, 0x1.6d43152a5e20ap-10, 0x1.a124e412bb9cfp-13);
    const pack rest = pack_fused(r2, pack_fused(r2 * v.r, high, low), v.r);
    return single_odd(pack_fused(v.power, rest, v.power - pack_all(1)), x);
}

/* 2^x; beyond the clamped range it is 0 or infinite as a single number. */
static inline pack single_exp2(pack x)
{
    const pack v = pack_clamped(x, -160, 130), shift = pack_all(SINGLE_EXPONENT);
    const pack shifted = v + shift, r = v - (shifted - shift), r2 = r * r;
    const pack low =
        single_quadratic(r, 0x1.62e42fefa39efp-1, 0x1.ebfbe045f4f0fp-3, 0x1.c6b08d883dd31p-5);
    const pack high = pack_fused(
        r2 * r, pack_all(0x1.00a58171401d5p-16),
        single_quadratic(r, 0x1.3b2a1b712bd19p-7, 0x1.5d879eaceeafdp-10, 0x1.443fffeffbeb7p-13));
    const pack power = single_power_of_two(shifted);
    return pack_fused(power, r * pack_fused(r2 * r, high, low), power);
}

/* ---- hyperbolic functions -------------------------------------------------------------------- */

/* 2 sinh(x) and 2 cosh(x), from e^x and e^-x so that nothing cancels. */
typedef struct single_pair {
    pack sinh, cosh;
} single_pair;

static inline single_pair single_hyperbolic(pack x)
{
    const single_parts v = single_reduced(x);
    const pack inverse = single_power_of_two(pack_all(SINGLE_EXPONENT) - v.k), r2 = v.r * v.r;
    const pack sum = v.power + inverse, difference = v.power - inverse;
    const pack cosine = pack_fused(
        r2, single_quadratic(r2, 0x1.0000000b8f670p-1, 0x1.5554e91133b7dp-5, 0x1.6d43152a5e2b6p-10),
        pack_all(1));
    const pack sine =
        v.r * pack_fused(r2,
                         single_quadratic(r2, 0x1.5555555a78251p-3, 0x1.1110e0f71a4a5p-7,
                                          0x1.a124e412bba68p-13),
                         pack_all(1));
    return (single_pair){pack_fused(difference, cosine, sum * sine),
                         pack_fused(sum, cosine, difference * sine)};
}

static inline pack single_sinh(pack x)
{
    const single_pair both = single_hyperbolic(pack_clamped(pack_size(x), 0, 90));
    return single_odd(both.sinh * pack_all(0.5), x);
}

static inline pack single_cosh(pack x)
{
    return single_hyperbolic(pack_clamped(pack_size(x), 0, 90)).cosh * pack_all(0.5);
}

/* 1/v to some 2^-38, for v that are neither tiny nor huge: two cubic steps from a guess within 6 %,
 * which takes the bits of a number for its logarithm. */
static inline pack single_inverse(pack v)
{
    pack y = pack_of_bits(pack_bits_all(0x7fde623822fc16e6) - pack_bits_of(v));

    for (int step = 0; step < 2; ++step) {
        const pack error = pack_fused(-v, y, pack_all(1));
        y = pack_fused(y, pack_fused(error, error, error), y);
    }
    return y;
}

static inline pack single_tanh(pack x)
{
    const single_pair both = single_hyperbolic(pack_clamped(pack_size(x), 0, 10));
    return single_odd(both.sinh * single_inverse(both.cosh), x);
}

/* ---- cube roots ------------------------------------------------------------------------------ */

/* |x|^(-1/3) from a guess within 5 %, by steps of the fourth and the third order; times x^2. */
static inline pack single_cbrt(pack x)
{
    const pack size = pack_size(x);
    const pack_bits upper = pack_bits_down(pack_bits_of(size), 32);
    const pack number = pack_of_bits(upper + pack_bits_all(0x4330000000000000)) - pack_all(0x1p52);
    const pack guess = pack_fused(number, pack_all(-1.0 / 3), pack_all(0x1p52 + 1430186164.0));
    pack z = pack_of_bits(pack_bits_up(pack_bits_of(guess), 32));

    for (int step = 0; step < 2; ++step) {
        const pack error = pack_fused(-size * z, z * z, pack_all(1));
        const pack series = single_quadratic(error, 1.0 / 3, 2.0 / 9, 14.0 / 81);
        z = pack_fused(z * error, series, z);
    }
    return pack_where_equal(size + size, size, x, single_odd(size * z * z, x));
}

/* ---- powers ---------------------------------------------------------------------------------- */

/* log2(x) of positive normal doubles, to some 2^-36; as pack_log_parts(). */
static inline pack single_log2(pack x)
{
    const pack k = pack_exponent(x * pack_all(32.0 / 63)), power = pack_all(-1) - k;
    const pack z = pack_scaled(x, power);
    const pack_bits place = pack_place(z, 48);
    const pack r = pack_fused(z, pack_looked_up(log_inverse, place), pack_all(-1)), r2 = r * r;
    const pack whole =
        pack_fused(k, pack_all(0x1.62e42fefa38p-1), pack_looked_up(log_centre, place));
    const pack high =
        pack_fused(r, pack_all(-0x1.55b0cd381e04bp-3), pack_all(0x1.9a0221f2db8bfp-3));
    const pack low = single_quadratic(r, -0.5, 0x1.55555199d657ap-2, -0x1.fffff977d47edp-3);
    const pack ln = whole + pack_fused(r2, pack_fused(r2 * r, high, low), r);
    return ln * pack_all(0x1.71547652b82fep+0);
}

/* The sign turned where the lowest bit of `odd` is set. */
static inline pack single_turned(pack v, pack_bits odd)
{
    return pack_of_bits(pack_bits_of(v) ^ pack_bits_up(odd, 63));
}

/* Powers, but for those of anything else than numbers that are not 0: libm's. */
static inline pack single_power_repaired(pack x, pack y, pack power)
{
    enum { LANES = sizeof x / sizeof(double) };
    double base[LANES], exponent[LANES], result[LANES];

    if (pack_are_plain(pack_size(x)) && pack_are_plain(pack_size(y))) return power;
    memcpy(base, &x, sizeof x);
    memcpy(exponent, &y, sizeof y);
    memcpy(result, &power, sizeof power);
    for (int k = 0; k < LANES; ++k)
        if (!(fabs(base[k]) >= DBL_MIN && fabs(base[k]) <= DBL_MAX && fabs(exponent[k]) <= DBL_MAX))
            result[k] = pow(base[k], exponent[k]);
    memcpy(&power, result, sizeof power);
    return power;
}

/* x^y = 2^(y log2(x)); of negative numbers to whole powers, odd or even, else NaN. */
static inline pack single_pow(pack x, pack y)
{
    const pack shift = pack_all(SINGLE_SHIFT);
    const pack size = pack_size(x), exponent = pack_clamped(y, -0x1p30, 0x1p30);
    const pack shifted = exponent + shift, whole = shifted - shift;
    const pack power = single_exp2(y * single_log2(size));
    const pack_bits negative = pack_bits_down(pack_bits_of(x), 63);
    const pack odd = single_turned(power, pack_bits_of(shifted) & negative);
    const pack broken = pack_where_greater(pack_all(-0.0) - x, 0, pack_all((double)NAN), odd);
    return single_power_repaired(x, y, pack_where_equal(whole, exponent, odd, broken));
}

/* ---- sine and cosine ------------------------------------------------------------------------- */

/* Of magnitudes up to this. */
#define SINGLE_TURNS 0x1p30f

/* sin(x) up to a sign, where x = k pi + r with k, from rounding, in the lowest bits of `shifted`,
 * and `k` off by a half for the cosine. */
static inline pack single_wave(pack x, pack shifted, pack k)
{
    const pack near = pack_fused(k, pack_all(-0x1.921fb54442d18p+1), x);
    const pack r = pack_fused(k, pack_all(-0x1.1a62633145c07p-53), near), r2 = r * r, r4 = r2 * r2;
    const pack low =
        pack_fused(r2, pack_all(0x1.11110fdaad1f7p-7), pack_all(-0x1.555555546050ap-3));
    const pack high =
        pack_fused(r2, pack_all(0x1.71969139374c0p-19), pack_all(-0x1.a01905b8cbb20p-13));
    const pack series = pack_fused(r4, pack_fused(r4, pack_all(-0x1.9db1c3f99d50cp-26), high), low);
    return single_turned(r * pack_fused(r2, series, pack_all(1)), pack_bits_of(shifted));
}

static inline pack single_sin(pack x)
{
    const pack shift = pack_all(SINGLE_SHIFT);
    const pack shifted = pack_fused(x, pack_all(0x1.45f306dc9c883p-2), shift);
    return single_wave(x, shifted, shifted - shift);
}

/* cos(x) = sin(x + pi/2) */
static inline pack single_cos(pack x)
{
    const pack shift = pack_all(SINGLE_SHIFT);
    const pack turns = pack_fused(x, pack_all(0x1.45f306dc9c883p-2), pack_all(0.5));
    const pack shifted = turns + shift;
    return single_wave(x, shifted, (shifted - shift) - pack_all(0.5));
}

#endif
#endif
