/* Several doubles at once, at the levels that have fused multiply-add; arithmetic operators work on
 * them.  What is here has the same bits at every such level. */
#ifndef TSRI_KERN_PACK_H
#define TSRI_KERN_PACK_H

#if defined(TSRI_LEVEL_avx512) || defined(TSRI_LEVEL_avx2)
#define TSRI_PACKS

#include <immintrin.h>
#include <stdbool.h>

enum { PACK_TABLE = 16 }; /* entries */

#if defined(TSRI_LEVEL_avx512)

typedef __m512d pack;
typedef __m512i pack_bits;

static inline pack pack_all(double v)
{
    return _mm512_set1_pd(v);
}
static inline pack_bits pack_bits_of(pack v)
{
    return _mm512_castpd_si512(v);
}
/* a*b + c, rounded once. */
static inline pack pack_fused(pack a, pack b, pack c)
{
    return _mm512_fmadd_pd(a, b, c);
}
/* Between two numbers; NaN stays. */
static inline pack pack_clamped(pack v, double low, double high)
{
    return _mm512_min_pd(pack_all(high), _mm512_max_pd(pack_all(low), v));
}
/* By the lowest four bits of each place. */
static inline pack pack_looked_up(const double *table, pack_bits place)
{
    return _mm512_permutex2var_pd(_mm512_loadu_pd(table), place, _mm512_loadu_pd(table + 8));
}
/* v * 2^floor(k), rounded once. */
static inline pack pack_scaled(pack v, pack k)
{
    return _mm512_scalef_pd(v, k);
}
/* Without optimisation the compiler's header makes a macro of this, with a conversion of its own.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
/* floor(log2(v)) of positive finite numbers that are not subnormal. */
static inline pack pack_exponent(pack v)
{
    return _mm512_getexp_pd(v);
}
#pragma GCC diagnostic pop
/* The bits of a number, and half of a unit of the place that begins at one. */
static inline pack_bits pack_place(pack v, int first)
{
    const __m512i half = _mm512_set1_epi64(1LL << (first - 1));
    return _mm512_srli_epi64(_mm512_add_epi64(pack_bits_of(v), half), (unsigned)first);
}
/* The magnitude, and a magnitude with the sign of another number. */
static inline pack pack_size(pack v)
{
    return _mm512_abs_pd(v);
}
static inline pack pack_signed(pack size, pack like)
{
    return _mm512_or_pd(size, _mm512_and_pd(like, pack_all(-0.0)));
}
/* x where a > limit, else y. */
static inline pack pack_where_greater(pack a, double limit, pack x, pack y)
{
    return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(a, pack_all(limit), _CMP_GT_OQ), y, x);
}
/* x where a == b, else y. */
static inline pack pack_where_equal(pack a, pack b, pack x, pack y)
{
    return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ), y, x);
}
/* Whether all are positive, finite and not subnormal. */
static inline bool pack_are_plain(pack v)
{
    enum { ANY_BUT_PLAIN = 0xff };
    return _mm512_fpclass_pd_mask(v, ANY_BUT_PLAIN) == 0;
}

#else

typedef __m256d pack;
typedef __m256i pack_bits;

static inline pack pack_all(double v)
{
    return _mm256_set1_pd(v);
}
static inline pack_bits pack_bits_of(pack v)
{
    return _mm256_castpd_si256(v);
}
static inline pack pack_fused(pack a, pack b, pack c)
{
    return _mm256_fmadd_pd(a, b, c);
}
static inline pack pack_clamped(pack v, double low, double high)
{
    return _mm256_min_pd(pack_all(high), _mm256_max_pd(pack_all(low), v));
}
static inline pack pack_looked_up(const double *table, pack_bits place)
{
    return _mm256_i64gather_pd(table, _mm256_and_si256(place, _mm256_set1_epi64x(PACK_TABLE - 1)),
                               8);
}
/* 2^k of whole numbers for which it is not subnormal. */
static inline pack pack_power(pack k)
{
    const pack biased = k + pack_all(0x1.8p52 + 1023);
    return _mm256_castsi256_pd(_mm256_slli_epi64(pack_bits_of(biased), 52));
}
static inline pack pack_scaled(pack v, pack k)
{
    const pack all = _mm256_floor_pd(k), half = _mm256_floor_pd(all * pack_all(0.5));
    return v * pack_power(half) * pack_power(all - half);
}
static inline pack pack_exponent(pack v)
{
    const __m256i biased = _mm256_srli_epi64(pack_bits_of(v), 52);
    const __m256i magic = _mm256_set1_epi64x(0x4330000000000000);
    return _mm256_castsi256_pd(_mm256_or_si256(biased, magic)) - pack_all(0x1p52 + 1023);
}
static inline pack_bits pack_place(pack v, int first)
{
    const __m256i half = _mm256_set1_epi64x(1LL << (first - 1));
    return _mm256_srli_epi64(_mm256_add_epi64(pack_bits_of(v), half), first);
}
static inline pack pack_size(pack v)
{
    return _mm256_andnot_pd(pack_all(-0.0), v);
}
static inline pack pack_signed(pack size, pack like)
{
    return _mm256_or_pd(size, _mm256_and_pd(like, pack_all(-0.0)));
}
static inline pack pack_where_greater(pack a, double limit, pack x, pack y)
{
    return _mm256_blendv_pd(y, x, _mm256_cmp_pd(a, pack_all(limit), _CMP_GT_OQ));
}
static inline pack pack_where_equal(pack a, pack b, pack x, pack y)
{
    return _mm256_blendv_pd(y, x, _mm256_cmp_pd(a, b, _CMP_EQ_OQ));
}
static inline bool pack_are_plain(pack v)
{
    const pack low = _mm256_cmp_pd(v, pack_all(0x1p-1022), _CMP_GE_OQ);
    const pack high = _mm256_cmp_pd(v, pack_all(0x1.fffffffffffffp1023), _CMP_LE_OQ);
    return _mm256_movemask_pd(_mm256_and_pd(low, high)) == 0xf;
}

#endif
#endif
#endif
