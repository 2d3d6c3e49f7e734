#include "reduce/exact_sum.h"

#include <math.h>
#include <string.h>

enum {
    CHUNK_BITS = 32,
    /* An addition changes a chunk by less than 2^52; after carrying, chunks are below 2^32. */
    ROOM = 1 << 10,
    /* The unit of the whole is 2^-1074; the top chunk is read as two digits. */
    UNIT_EXPONENT = -1074,
    DIGITS = TSRI_EXACT_CHUNKS + 1,
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

/* Bring all chunks but the last into 0 ... 2^32 - 1; the last one then has the sign of the sum. */
static void carry(tsri_exact_sum *sum)
{
    int64_t up = 0;

    for (int k = 0; k < TSRI_EXACT_CHUNKS - 1; ++k) {
        const int64_t value = sum->chunk[k] + up;
        const int64_t low = (int64_t)((uint64_t)value % (uint64_t)chunk_base);
        sum->chunk[k] = low;
        up = (value - low) / chunk_base;
    }
    sum->chunk[TSRI_EXACT_CHUNKS - 1] += up;
    sum->room = ROOM;
}

static void add_not_finite(tsri_exact_sum *sum, double value)
{
    if (isnan(value))
        sum->nan = true;
    else if (value > 0)
        sum->plus_infinity = true;
    else
        sum->minus_infinity = true;
}

/* Needs room. */
static inline void add_one(tsri_exact_sum *sum, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const unsigned exponent = (unsigned)(bits >> 52) & 0x7ff;
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);

    if (exponent == 0x7ff) {
        add_not_finite(sum, value);
        return;
    }
    if (exponent != 0) mantissa |= UINT64_C(1) << 52;
    const unsigned position = exponent == 0 ? 0 : exponent - 1;
    const unsigned k = position / CHUNK_BITS, shift = position % CHUNK_BITS;
    const int64_t low = (int64_t)(mantissa << shift & (uint64_t)(chunk_base - 1));
    const int64_t high = (int64_t)(mantissa >> (CHUNK_BITS - shift));
    const bool negative = bits >> 63;

    sum->chunk[k] += negative ? -low : low;
    sum->chunk[k + 1] += negative ? -high : high;
}

#define DEFINE_ADD(suffix, ctype)                                                                  \
    void tsri_exact_add_##suffix(tsri_exact_sum *sum, int64_t n, const ctype *values,              \
                                 int64_t stride)                                                   \
    {                                                                                              \
        while (n > 0) {                                                                            \
            if (sum->room == 0) carry(sum);                                                        \
            const int64_t batch = n < sum->room ? n : sum->room;                                   \
            for (int64_t i = 0; i < batch; ++i)                                                    \
                add_one(sum, (double)values[i * stride]);                                          \
            sum->room -= (int32_t)batch;                                                           \
            values += batch * stride;                                                              \
            n -= batch;                                                                            \
        }                                                                                          \
    }
DEFINE_ADD(f64, double)
DEFINE_ADD(f32, float)

void tsri_exact_merge(tsri_exact_sum *left, const tsri_exact_sum *right)
{
    tsri_exact_sum other = *right;

    carry(left);
    carry(&other);
    for (int k = 0; k < TSRI_EXACT_CHUNKS; ++k)
        left->chunk[k] += other.chunk[k];
    carry(left);
    left->nan = left->nan || other.nan;
    left->plus_infinity = left->plus_infinity || other.plus_infinity;
    left->minus_infinity = left->minus_infinity || other.minus_infinity;
}

/* The sum's magnitude in base 2^32, lowest digit first; true when it is negative. */
static bool magnitude(const tsri_exact_sum *sum, uint32_t *digits)
{
    tsri_exact_sum work = *sum;

    carry(&work);
    const bool negative = work.chunk[TSRI_EXACT_CHUNKS - 1] < 0;
    if (negative) {
        for (int k = 0; k < TSRI_EXACT_CHUNKS; ++k)
            work.chunk[k] = -work.chunk[k];
        carry(&work);
    }
    for (int k = 0; k < TSRI_EXACT_CHUNKS; ++k)
        digits[k] = (uint32_t)work.chunk[k];
    digits[DIGITS - 1] = (uint32_t)(work.chunk[TSRI_EXACT_CHUNKS - 1] / chunk_base);
    return negative;
}

static bool bit(const uint32_t *digits, int i)
{
    return digits[i / CHUNK_BITS] >> i % CHUNK_BITS & 1;
}

static bool any_bit_below(const uint32_t *digits, int i)
{
    for (int k = 0; k < i / CHUNK_BITS; ++k)
        if (digits[k] != 0) return true;
    return i % CHUNK_BITS != 0 && digits[i / CHUNK_BITS] << (CHUNK_BITS - i % CHUNK_BITS) != 0;
}

static int highest_bit(const uint32_t *digits)
{
    for (int i = DIGITS * CHUNK_BITS - 1; i >= 0; --i)
        if (bit(digits, i)) return i;
    return -1;
}

/* Round the digits to `precision` bits, but no finer than 2^finest: mantissa * 2^exponent. */
static uint64_t round_digits(const uint32_t *digits, int precision, int finest, int *exponent)
{
    const int top = highest_bit(digits);
    int lowest = top + 1 - precision;
    uint64_t mantissa = 0;

    if (lowest < finest - UNIT_EXPONENT) lowest = finest - UNIT_EXPONENT;
    for (int i = top; i >= lowest; --i)
        mantissa = mantissa << 1 | bit(digits, i);
    if (lowest > 0 && bit(digits, lowest - 1))
        if ((mantissa & 1) != 0 || any_bit_below(digits, lowest - 1)) ++mantissa;
    *exponent = lowest + UNIT_EXPONENT;
    return mantissa;
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

double tsri_exact_round_f64(const tsri_exact_sum *sum)
{
    uint32_t digits[DIGITS];
    double result;
    int exponent;

    if (not_finite(sum, &result)) return result;
    const bool negative = magnitude(sum, digits);
    const uint64_t mantissa = round_digits(digits, F64_BITS, UNIT_EXPONENT, &exponent);
    result = ldexp((double)mantissa, exponent);
    return negative ? -result : result;
}

float tsri_exact_round_f32(const tsri_exact_sum *sum)
{
    uint32_t digits[DIGITS];
    double special;
    int exponent;

    if (not_finite(sum, &special)) return (float)special;
    const bool negative = magnitude(sum, digits);
    const uint64_t mantissa = round_digits(digits, F32_BITS, F32_UNIT_EXPONENT, &exponent);
    const float result = ldexpf((float)mantissa, exponent);
    return negative ? -result : result;
}
