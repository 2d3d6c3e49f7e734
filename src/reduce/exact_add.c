/* Adding to exact sums. */
#include "kern/reduce_condense.h"
#include "reduce/exact_sum.h"

#include <math.h>
#include <string.h>

enum {
    CHUNK_BITS = TSRI_EXACT_CHUNK_BITS,
    /* Where 1, the unit of doubles (at the start of a chunk) and that of their
       products lie. */
    ONE_PLACE = -TSRI_EXACT_UNIT,
    F64_PLACE = ONE_PLACE - 1074,
    PRODUCT_PLACE = ONE_PLACE - 2 * 1074,
};
static const int64_t chunk_base = INT64_C(1) << CHUNK_BITS;

/* ---- one ------------------------------------------------------------------------------------- */

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
    if (sum->room < room) tsri_exact_carry(sum);
    const int64_t most = sum->room / room;
    if (n > most) n = most;
    sum->room -= (int32_t)n * room;
    return n;
}

/* ---- many ------------------------------------------------------------------------------------ */

/* Fewer are added one by one. */
enum { WORTH_CONDENSING = 32, BLOCK = TSRI_CONDENSE_BLOCK };

static void add_each(tsri_exact_sum *sum, int64_t n, const double *values)
{
    for (int64_t batch; n > 0; n -= batch, values += batch) {
        batch = make_room(sum, n, 1);
        for (int64_t i = 0; i < batch; ++i)
            add_one(sum, values[i]);
    }
}

/* At most a block. */
static void add_block(tsri_exact_sum *sum, int64_t n, const double *values)
{
    double sums[TSRI_CONDENSED];
    const int count = n < WORTH_CONDENSING ? 0 : tsri_condense(n, values, sums);

    if (count > 0)
        add_each(sum, count, sums);
    else
        add_each(sum, n, values);
}

#define DEFINE_ADD(suffix, ctype, in_place)                                                        \
    void tsri_exact_add_##suffix(tsri_exact_sum *sum, int64_t n, const ctype *values,              \
                                 int64_t stride)                                                   \
    {                                                                                              \
        double block[BLOCK];                                                                       \
        for (int64_t batch; n > 0; n -= batch, values += batch * stride) {                         \
            batch = n < BLOCK ? n : BLOCK;                                                         \
            for (int64_t i = 0; i < batch && !(in_place); ++i)                                     \
                block[i] = (double)values[i * stride];                                             \
            add_block(sum, batch, (in_place) ? (const void *)values : block);                      \
        }                                                                                          \
    }
DEFINE_ADD(f64, double, stride == 1)
DEFINE_ADD(f32, float, false)

static void add_each_product(tsri_exact_sum *sum, int64_t n, const double *x, int64_t x_stride,
                             const double *y, int64_t y_stride)
{
    for (int64_t batch; n > 0; n -= batch, x += batch * x_stride, y += batch * y_stride) {
        batch = make_room(sum, n, 3);
        for (int64_t i = 0; i < batch; ++i)
            add_one_product(sum, x[i * x_stride], y[i * y_stride]);
    }
}

void tsri_exact_add_products(tsri_exact_sum *sum, int64_t n, const double *x, int64_t x_stride,
                             const double *y, int64_t y_stride)
{
    double products[BLOCK], errors[BLOCK];

    for (int64_t batch; n > 0; n -= batch, x += batch * x_stride, y += batch * y_stride) {
        batch = n < BLOCK ? n : BLOCK;
        if (batch < WORTH_CONDENSING ||
            !tsri_split_products(batch, x, x_stride, y, y_stride, products, errors)) {
            add_each_product(sum, batch, x, x_stride, y, y_stride);
            continue;
        }
        add_block(sum, batch, products);
        add_block(sum, batch, errors);
    }
}

void tsri_exact_add_integer(tsri_exact_sum *sum, int64_t value, unsigned shift)
{
    const uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    const unsigned place = shift + ONE_PLACE;

    make_room(sum, 1, 2);
    add_mantissa(sum, place, value < 0, size & ((uint64_t)chunk_base - 1));
    add_mantissa(sum, place + CHUNK_BITS, value < 0, size >> CHUNK_BITS);
}
