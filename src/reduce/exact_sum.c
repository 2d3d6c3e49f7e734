#include "reduce/exact_sum.h"

#include <math.h>
#include <string.h>

enum {
    CHUNK_BITS = 32,
    /* An addition changes a chunk by less than 2^52; after carrying, chunks are below 2^32. */
    ROOM = 1 << 10,
    /* The unit of the whole, and where the unit of doubles and that of their products lie in it:
       the first at the start of a chunk.  The top chunk is read as two digits. */
    UNIT_EXPONENT = TSRI_EXACT_UNIT,
    F64_UNIT_EXPONENT = -1074,
    F64_PLACE = F64_UNIT_EXPONENT - UNIT_EXPONENT,
    PRODUCT_PLACE = 2 * F64_UNIT_EXPONENT - UNIT_EXPONENT,
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

/* A double as an integer times a power of two; place 0 stands for the unit of doubles. */
typedef struct parts {
    uint64_t mantissa;
    unsigned place;
    bool negative, finite;
} parts;

static inline parts take_apart(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const unsigned exponent = (unsigned)(bits >> 52) & 0x7ff;
    const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    return (parts){.mantissa = exponent == 0 ? fraction : fraction | UINT64_C(1) << 52,
                   .place = exponent == 0 ? 0 : exponent - 1,
                   .negative = bits >> 63,
                   .finite = exponent != 0x7ff};
}

static inline void add_digits(tsri_exact_sum *sum, unsigned k, bool negative, uint64_t low,
                              uint64_t high)
{
    sum->chunk[k] += negative ? -(int64_t)low : (int64_t)low;
    sum->chunk[k + 1] += negative ? -(int64_t)high : (int64_t)high;
}

/* Add a number below 2^53, at a place of the accumulator.  Needs room. */
static inline void add_mantissa(tsri_exact_sum *sum, unsigned place, bool negative,
                                uint64_t mantissa)
{
    const unsigned shift = place % CHUNK_BITS;
    add_digits(sum, place / CHUNK_BITS, negative, mantissa << shift & (uint64_t)(chunk_base - 1),
               mantissa >> (CHUNK_BITS - shift));
}

/* Needs room. */
static inline void add_one(tsri_exact_sum *sum, double value)
{
    const parts v = take_apart(value);
    if (v.finite)
        add_mantissa(sum, v.place + F64_PLACE, v.negative, v.mantissa);
    else
        add_not_finite(sum, value);
}

/* Needs room for three. */
static inline void add_one_product(tsri_exact_sum *sum, double x, double y)
{
    const uint64_t low_half = (uint64_t)chunk_base - 1;
    const parts a = take_apart(x), b = take_apart(y);
    const bool negative = a.negative != b.negative;
    const unsigned place = a.place + b.place + PRODUCT_PLACE;
    const uint64_t a0 = a.mantissa & low_half, a1 = a.mantissa >> CHUNK_BITS;
    const uint64_t b0 = b.mantissa & low_half, b1 = b.mantissa >> CHUNK_BITS;

    if (!a.finite || !b.finite) {
        add_not_finite(sum, x * y);
        return;
    }
    const uint64_t low = a0 * b0, middle = a0 * b1 + a1 * b0 + (low >> CHUNK_BITS);
    add_mantissa(sum, place, negative, low & low_half);
    add_mantissa(sum, place + CHUNK_BITS, negative, middle & low_half);
    add_mantissa(sum, place + 2 * CHUNK_BITS, negative, a1 * b1 + (middle >> CHUNK_BITS));
}

/* The additions that can be made at once of n that each take `room`. */
static int64_t make_room(tsri_exact_sum *sum, int64_t n, int32_t room)
{
    if (sum->room < room) carry(sum);
    const int64_t most = sum->room / room;
    if (n > most) n = most;
    sum->room -= (int32_t)n * room;
    return n;
}

#define DEFINE_ADD(suffix, ctype)                                                                  \
    void tsri_exact_add_##suffix(tsri_exact_sum *sum, int64_t n, const ctype *values,              \
                                 int64_t stride)                                                   \
    {                                                                                              \
        for (int64_t batch; n > 0; n -= batch, values += batch * stride) {                         \
            batch = make_room(sum, n, 1);                                                          \
            for (int64_t i = 0; i < batch; ++i)                                                    \
                add_one(sum, (double)values[i * stride]);                                          \
        }                                                                                          \
    }
DEFINE_ADD(f64, double)
DEFINE_ADD(f32, float)

void tsri_exact_add_products(tsri_exact_sum *sum, int64_t n, const double *x, int64_t x_stride,
                             const double *y, int64_t y_stride)
{
    for (int64_t batch; n > 0; n -= batch, x += batch * x_stride, y += batch * y_stride) {
        batch = make_room(sum, n, 3);
        for (int64_t i = 0; i < batch; ++i)
            add_one_product(sum, x[i * x_stride], y[i * y_stride]);
    }
}

void tsri_exact_add_integer(tsri_exact_sum *sum, int64_t value, unsigned shift)
{
    const uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    const unsigned place = shift - (unsigned)UNIT_EXPONENT;

    make_room(sum, 1, 2);
    add_mantissa(sum, place, value < 0, size & ((uint64_t)chunk_base - 1));
    add_mantissa(sum, place + CHUNK_BITS, value < 0, size >> CHUNK_BITS);
}

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
