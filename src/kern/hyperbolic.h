/* e^x - 1 and hyperbolic functions of packs, within 0.7 ulp: from (e^x - 1) / 2 as a sum of two, so
 * that nothing cancels. */
#ifndef TSRI_KERN_HYPERBOLIC_H
#define TSRI_KERN_HYPERBOLIC_H

#include "kern/exp_log.h"

#ifdef TSRI_PACKS

/* A number and what its rounding took from it. */
typedef struct pack_pair {
    pack sum, rest;
} pack_pair;

/* Of any two. */
static inline pack_pair pack_added(pack a, pack b)
{
    const pack sum = a + b, of_a = sum - b;
    return (pack_pair){sum, (a - of_a) + (b - (sum - of_a))};
}

/* (e^x - 1) / 2 where half of e^x is in range. */
static inline pack_pair pack_half_expm1(pack x)
{
    const exp_parts v = exp_reduced(x);
    const pack power = pack_fused(v.k, pack_all(0x1p-4), pack_all(-1)), r2 = v.r * v.r;
    const pack a = pack_scaled(pack_looked_up(exp_power, pack_bits_of(v.shifted)), power);
    const pack a_rest = pack_scaled(pack_looked_up(exp_power_rest, pack_bits_of(v.shifted)), power);
    const pack_pair less = pack_added(a, pack_all(-0.5));
    const pack product = a * v.r, product_lost = pack_fused(a, v.r, -product);
    const pack sum = less.sum + product, sum_lost = (less.sum - sum) + product;
    const pack series = pack_fused(r2, exp_series(v.r, r2), v.lost);
    const pack more = pack_fused(a, series, pack_fused(a_rest, v.r, a_rest)) +
                      (sum_lost + (product_lost + less.rest));
    const pack all = sum + more;
    return (pack_pair){all, (sum - all) + more};
}

/* a / b, and what is missing of it; and 1/b. */
typedef struct pack_quotient {
    pack value, rest, inverse;
} pack_quotient;

static inline pack_quotient pack_divided(pack_pair a, pack_pair b)
{
    const pack inverse = pack_all(1) / b.sum, value = a.sum * inverse;
    const pack left = pack_fused(-value, b.sum, a.sum) + pack_fused(-value, b.rest, a.rest);
    return (pack_quotient){value, left * inverse, inverse};
}

/* y, but x where it is so small that functions of which it is the first term are equal to it. */
static inline pack pack_unless_tiny(pack x, pack y)
{
    return pack_where_equal(pack_all(1) + x, pack_all(1), x, y);
}

static inline pack pack_expm1(pack x)
{
    const pack_pair half = pack_half_expm1(pack_clamped(x, -746, 710));
    return pack_unless_tiny(x, pack_all(2) * (half.sum + half.rest));
}

/* 1 + 2 (e^x - 1)/2 = e^x */
static inline pack_pair pack_one_more(pack_pair half, double times)
{
    pack_pair sum = pack_added(pack_all(1), pack_all(times) * half.sum);
    sum.rest += pack_all(times) * half.rest;
    return sum;
}

/* Half of e^x where e^-x does not count, infinite beyond the largest x for which it is in range;
 * the result `near` elsewhere. */
#define HYPERBOLIC_FAR 40.0
#define HYPERBOLIC_MOST 0x1.633ce8fb9f87dp+9
static inline pack pack_where_far(pack size, pack_pair half, pack near)
{
    const pack far = pack_where_greater(size, HYPERBOLIC_FAR, half.sum + half.rest, near);
    return pack_where_greater(size, HYPERBOLIC_MOST, pack_all(INFINITY), far);
}

/* With h = (e^x - 1)/2: sinh(x) = h + h / (1 + 2h). */
static inline pack pack_sinh(pack x)
{
    const pack size = pack_size(x);
    const pack_pair half = pack_half_expm1(pack_clamped(size, 0, HYPERBOLIC_MOST));
    const pack_quotient other = pack_divided(half, pack_one_more(half, 2));
    const pack sum = half.sum + other.value, lost = (half.sum - sum) + other.value;
    const pack near = sum + (lost + (half.rest + other.rest));
    return pack_unless_tiny(x, pack_signed(pack_where_far(size, half, near), x));
}

/* cosh(x) = (e^x + 1 / e^x) / 2 */
static inline pack pack_cosh(pack x)
{
    const pack size = pack_size(x);
    const pack_pair half = pack_half_expm1(pack_clamped(size, 0, HYPERBOLIC_MOST));
    const pack_pair power = pack_one_more(half, 2);
    const pack_quotient other = pack_divided((pack_pair){pack_all(1), pack_all(0)}, power);
    const pack sum = power.sum + other.value, lost = (power.sum - sum) + other.value;
    const pack near = pack_all(0.5) * (sum + (lost + (power.rest + other.rest)));
    return pack_where_far(size, half, near);
}

/* With h = (e^2x - 1)/2: tanh(x) = h / (1 + h). */
static inline pack pack_tanh(pack x)
{
    const pack size = pack_clamped(pack_size(x), 0, 20);
    const pack_pair half = pack_half_expm1(size + size);
    const pack_quotient y = pack_divided(half, pack_one_more(half, 1));
    return pack_unless_tiny(x, pack_signed(y.value + y.rest, x));
}

#endif
#endif
