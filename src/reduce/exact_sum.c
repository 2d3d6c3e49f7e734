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

    for (int k = 0; k < TSRI_EXACT_CHUNKS - 1; ++k) {
        const int64_t value = sum->chunk[k] + up;
        const int64_t low = (int64_t)((uint64_t)value % (uint64_t)chunk_base);
        sum->chunk[k] = low;
        up = (value - low) / chunk_base;
    }
    sum->chunk[TSRI_EXACT_CHUNKS - 1] += up;
    sum->room = ROOM;
}

void tsri_exact_merge(tsri_exact_sum *left, const tsri_exact_sum *right)
{
    tsri_exact_sum other = *right;

    tsri_exact_carry(left);
    tsri_exact_carry(&other);
    for (int k = 0; k < TSRI_EXACT_CHUNKS; ++k)
        left->chunk[k] += other.chunk[k];
    tsri_exact_carry(left);
    left->nan = left->nan || other.nan;
    left->plus_infinity = left->plus_infinity || other.plus_infinity;
    left->minus_infinity = left->minus_infinity || other.minus_infinity;
}

/* The sum's magnitude in base 2^32, lowest digit first; true when it is negative. */
static bool magnitude(const tsri_exact_sum *sum, uint32_t *digits)
{
    tsri_exact_sum work = *sum;

    tsri_exact_carry(&work);
    const bool negative = work.chunk[TSRI_EXACT_CHUNKS - 1] < 0;
    if (negative) {
        for (int k = 0; k < TSRI_EXACT_CHUNKS; ++k)
            work.chunk[k] = -work.chunk[k];
        tsri_exact_carry(&work);
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
    int k = DIGITS - 1, i = CHUNK_BITS - 1;

    while (k > 0 && digits[k] == 0)
        --k;
    while (i >= 0 && (digits[k] >> i & 1) == 0)
        --i;
    return k * CHUNK_BITS + i;
}

/* Round the digits, and something below them if `rest`, to `precision` bits, but no finer than
 * 2^finest: mantissa * 2^exponent. */
static uint64_t round_digits(const uint32_t *digits, bool rest, int precision, int finest,
                             int *exponent)
{
    const int top = highest_bit(digits);
    int lowest = top + 1 - precision;
    uint64_t mantissa = 0;

    if (lowest < finest - UNIT_EXPONENT) lowest = finest - UNIT_EXPONENT;
    for (int i = top; i >= lowest; --i)
        mantissa = mantissa << 1 | bit(digits, i);
    if (lowest > 0 && bit(digits, lowest - 1))
        if ((mantissa & 1) != 0 || rest || any_bit_below(digits, lowest - 1)) ++mantissa;
    *exponent = lowest + UNIT_EXPONENT;
    return mantissa;
}

/* Divide by 1 ... 2^63 - 1; whether something remains. */
static bool divide(uint32_t *digits, uint64_t divisor)
{
    uint64_t remainder = 0;

    if (divisor == 1) return false;
    for (int k = DIGITS - 1; k >= 0; --k) {
        uint32_t quotient = 0;
        if (divisor < (uint64_t)chunk_base) {
            const uint64_t value = remainder << CHUNK_BITS | digits[k];
            quotient = (uint32_t)(value / divisor);
            remainder = value % divisor;
        } else {
            for (int i = CHUNK_BITS - 1; i >= 0; --i) {
                remainder = remainder << 1 | (digits[k] >> i & 1);
                quotient = quotient << 1 | (remainder >= divisor);
                if (remainder >= divisor) remainder -= divisor;
            }
        }
        digits[k] = quotient;
    }
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
    uint32_t digits[DIGITS];
    double result;
    int exponent;

    if (not_finite(sum, &result)) return result;
    const bool negative = magnitude(sum, digits);
    const bool rest = divide(digits, (uint64_t)divisor);
    const uint64_t mantissa = round_digits(digits, rest, F64_BITS, F64_UNIT_EXPONENT, &exponent);
    result = ldexp((double)mantissa, exponent);
    return negative ? -result : result;
}

float tsri_exact_divide_f32(const tsri_exact_sum *sum, int64_t divisor)
{
    uint32_t digits[DIGITS];
    double special;
    int exponent;

    if (not_finite(sum, &special)) return (float)special;
    const bool negative = magnitude(sum, digits);
    const bool rest = divide(digits, (uint64_t)divisor);
    const uint64_t mantissa = round_digits(digits, rest, F32_BITS, F32_UNIT_EXPONENT, &exponent);
    const float result = ldexpf((float)mantissa, exponent);
    return negative ? -result : result;
}

double tsri_exact_round_f64(const tsri_exact_sum *sum)
{
    return tsri_exact_divide_f64(sum, 1);
}

float tsri_exact_round_f32(const tsri_exact_sum *sum)
{
    return tsri_exact_divide_f32(sum, 1);
}

double tsri_exact_sqrt(const tsri_exact_sum *sum)
{
    uint32_t digits[DIGITS];
    double result;
    int exponent;

    if (not_finite(sum, &result)) return result;
    (void)magnitude(sum, digits);
    double mantissa = (double)round_digits(digits, false, F64_BITS, UNIT_EXPONENT, &exponent);
    if (exponent % 2 != 0) {
        mantissa *= 2;
        --exponent;
    }
    return ldexp(sqrt(mantissa), exponent / 2);
}
