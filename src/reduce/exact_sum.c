#include "reduce/exact_sum.h"

#include <math.h>
#include <string.h>

enum {
    CHUNK_BITS = TSRI_EXACT_CHUNK_BITS,
    /* An addition changes a chunk by less than 2^52; after carrying, chunks are below 2^32. */
    ROOM = 1 << 10,
    UNIT_EXPONENT = TSRI_EXACT_UNIT,
    F64_UNIT_EXPONENT = -1074,
    DIGITS = TSRI_EXACT_CHUNKS + 1, /* the top chunk is read as two */
    F64_BITS = 53,
    F32_BITS = 24,
    F32_UNIT_EXPONENT = -149,
};
static const int64_t chunk_base = INT64_C(1) << CHUNK_BITS;

void tsri_exact_init(tsri_exact_sum *sum)
{
    memset(sum, 0, sizeof *sum);
    sum->room = ROOM;
}

void tsri_exact_carry(tsri_exact_sum *sum)
{
    int64_t up = 0;

    for (int k = sum->first; k < sum->end; ++k) {
        const int64_t value = sum->chunk[k] + up;
        const bool is_last = k == sum->end - 1;
        sum->chunk[k] = value;
        if (k == TSRI_EXACT_CHUNKS - 1 || (is_last && -chunk_base < value && value < chunk_base))
            break;
        const int64_t low = (int64_t)((uint64_t)value % (uint64_t)chunk_base);
        sum->chunk[k] = low;
        up = (value - low) / chunk_base;
        sum->end += is_last;
    }
    sum->room = ROOM;
}

void tsri_exact_merge(tsri_exact_sum *left, const tsri_exact_sum *right)
{
    tsri_exact_sum other = *right;

    tsri_exact_carry(left);
    tsri_exact_carry(&other);
    if (left->first == left->end) left->first = left->end = other.first;
    if (other.first < other.end && other.first < left->first) left->first = other.first;
    if (other.end > left->end) left->end = other.end;
    for (int k = other.first; k < other.end; ++k)
        left->chunk[k] += other.chunk[k];
    tsri_exact_carry(left);
    left->nan = left->nan || other.nan;
    left->plus_infinity = left->plus_infinity || other.plus_infinity;
    left->minus_infinity = left->minus_infinity || other.minus_infinity;
}

/* ---- rounding -------------------------------------------------------------------------------- */

/* A magnitude in base 2^32, lowest digit first; digits below the first are 0. */
typedef struct number {
    uint32_t digit[DIGITS];
    int first, end;
    bool negative;
} number;

static void take_magnitude(const tsri_exact_sum *sum, number *m)
{
    tsri_exact_sum work = *sum;

    tsri_exact_carry(&work);
    m->first = work.first;
    m->negative = work.first < work.end && work.chunk[work.end - 1] < 0;
    if (m->negative) {
        for (int k = work.first; k < work.end; ++k)
            work.chunk[k] = -work.chunk[k];
        tsri_exact_carry(&work);
    }
    for (int k = work.first; k < work.end; ++k)
        m->digit[k] = (uint32_t)work.chunk[k];
    m->end = work.end;
    if (work.end == TSRI_EXACT_CHUNKS)
        m->digit[m->end++] = (uint32_t)(work.chunk[work.end - 1] / chunk_base);
    while (m->end > m->first && m->digit[m->end - 1] == 0)
        --m->end;
}

/* 64 bits from bit i on, of which those above the number are 0. */
static uint64_t bits_from(const number *m, int i)
{
    const int shift = i % CHUNK_BITS;
    uint64_t bits = 0;

    for (int k = i / CHUNK_BITS, at = -shift; at < 64; ++k, at += CHUNK_BITS) {
        if (k < m->first || k >= m->end) continue;
        bits |= at < 0 ? (uint64_t)m->digit[k] >> -at : (uint64_t)m->digit[k] << at;
    }
    return bits;
}

static bool any_bit_below(const number *m, int i)
{
    for (int k = m->first; k < m->end && k < i / CHUNK_BITS; ++k)
        if (m->digit[k] != 0) return true;
    return i % CHUNK_BITS != 0 && bits_from(m, i - i % CHUNK_BITS) << (64 - i % CHUNK_BITS) != 0;
}

/* Of a number that is not 0. */
static int highest_bit(const number *m)
{
    int i = CHUNK_BITS - 1;

    while ((m->digit[m->end - 1] >> i & 1) == 0)
        --i;
    return (m->end - 1) * CHUNK_BITS + i;
}

/* Round the number, and something below it if `rest`, to `precision` bits, but no finer than
 * 2^finest: mantissa * 2^exponent. */
static uint64_t round_number(const number *m, bool rest, int precision, int finest, int *exponent)
{
    *exponent = 0;
    if (m->first == m->end) return 0;
    int lowest = highest_bit(m) + 1 - precision;
    if (lowest < finest - UNIT_EXPONENT) lowest = finest - UNIT_EXPONENT;
    uint64_t mantissa = bits_from(m, lowest);
    if (lowest > 0 && (bits_from(m, lowest - 1) & 1) != 0)
        if ((mantissa & 1) != 0 || rest || any_bit_below(m, lowest - 1)) ++mantissa;
    *exponent = lowest + UNIT_EXPONENT;
    return mantissa;
}

/* Divide by 1 ... 2^63 - 1; whether something remains.  A quotient has so many digits that rounding
 * it needs no more. */
static bool divide(number *m, uint64_t divisor)
{
    enum { ENOUGH = 6 };
    uint64_t remainder = 0;

    if (divisor == 1) return false;
    for (; m->first > 0 && m->first > m->end - ENOUGH; --m->first)
        m->digit[m->first - 1] = 0;
    for (int k = m->end - 1; k >= m->first; --k) {
        uint32_t quotient = 0;
        if (divisor < (uint64_t)chunk_base) {
            const uint64_t value = remainder << CHUNK_BITS | m->digit[k];
            quotient = (uint32_t)(value / divisor);
            remainder = value % divisor;
        } else {
            for (int i = CHUNK_BITS - 1; i >= 0; --i) {
                remainder = remainder << 1 | (m->digit[k] >> i & 1);
                quotient = quotient << 1 | (remainder >= divisor);
                if (remainder >= divisor) remainder -= divisor;
            }
        }
        m->digit[k] = quotient;
    }
    while (m->end > m->first && m->digit[m->end - 1] == 0)
        --m->end;
    return remainder != 0;
}

static bool not_finite(const tsri_exact_sum *sum, double *result)
{
    if (sum->nan || (sum->plus_infinity && sum->minus_infinity))
        *result = (double)NAN;
    else if (sum->plus_infinity)
        *result = HUGE_VAL;
    else if (sum->minus_infinity)
        *result = -HUGE_VAL;
    else
        return false;
    return true;
}

double tsri_exact_divide_f64(const tsri_exact_sum *sum, int64_t divisor)
{
    number m;
    double result;
    int exponent;

    if (not_finite(sum, &result)) return result;
    take_magnitude(sum, &m);
    const bool rest = divide(&m, (uint64_t)divisor);
    const uint64_t mantissa = round_number(&m, rest, F64_BITS, F64_UNIT_EXPONENT, &exponent);
    result = ldexp((double)mantissa, exponent);
    return m.negative ? -result : result;
}

float tsri_exact_divide_f32(const tsri_exact_sum *sum, int64_t divisor)
{
    number m;
    double special;
    int exponent;

    if (not_finite(sum, &special)) return (float)special;
    take_magnitude(sum, &m);
    const bool rest = divide(&m, (uint64_t)divisor);
    const uint64_t mantissa = round_number(&m, rest, F32_BITS, F32_UNIT_EXPONENT, &exponent);
    const float result = ldexpf((float)mantissa, exponent);
    return m.negative ? -result : result;
}

double tsri_exact_round_f64(const tsri_exact_sum *sum)
{
    return tsri_exact_divide_f64(sum, 1);
}

double tsri_exact_sqrt(const tsri_exact_sum *sum)
{
    enum { BITS = 62, LOW_BITS = 10 }; /* what a double would lose of them counts */
    number m;
    double result;
    int exponent;

    if (not_finite(sum, &result)) return result;
    take_magnitude(sum, &m);
    const uint64_t bits = round_number(&m, false, BITS, UNIT_EXPONENT, &exponent);
    double high = (double)(bits >> LOW_BITS << LOW_BITS);
    double low = (double)(bits & ((1 << LOW_BITS) - 1));
    if (exponent % 2 != 0) {
        high *= 2;
        low *= 2;
        --exponent;
    }
    double root = sqrt(high + low);
    if (root > 0) root += (fma(-root, root, high) + low) / (2 * root);
    return ldexp(root, exponent / 2);
}
