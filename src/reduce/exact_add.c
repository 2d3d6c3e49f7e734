/* Adding to exact sums. */
#include "kern/arithmetic_mode.h"
#include "reduce/exact_sum.h"

#include <float.h>
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
static const uint64_t low_half = (UINT64_C(1) << CHUNK_BITS) - 1;

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

static void make_room(tsri_exact_sum *sum, int32_t room)
{
    if (sum->room < room) tsri_exact_carry(sum);
    sum->room -= room;
}

static inline void use_chunks(tsri_exact_sum *sum, int32_t first, int32_t end)
{
    if (sum->first == sum->end) sum->first = first, sum->end = end;
    if (first < sum->first) sum->first = first;
    if (end > sum->end) sum->end = end;
}

/* Add a number below 2^53, at a place of the accumulator.  Needs room. */
static inline void add_mantissa(tsri_exact_sum *sum, unsigned place, bool negative,
                                uint64_t mantissa)
{
    const unsigned shift = place % CHUNK_BITS;
    const int32_t k = (int32_t)(place / CHUNK_BITS);
    const int64_t low = (int64_t)(mantissa << shift & low_half);
    const int64_t high = (int64_t)(mantissa >> (CHUNK_BITS - shift));

    use_chunks(sum, k, k + 2);
    sum->chunk[k] += negative ? -low : low;
    sum->chunk[k + 1] += negative ? -high : high;
}

/* The same for any number. */
static void add_bits(tsri_exact_sum *sum, unsigned place, bool negative, uint64_t bits)
{
    make_room(sum, 2);
    add_mantissa(sum, place, negative, bits & low_half);
    add_mantissa(sum, place + CHUNK_BITS, negative, bits >> CHUNK_BITS);
}

static void add_one(tsri_exact_sum *sum, double value)
{
    const parts v = take_apart(value);
    if (v.finite) {
        make_room(sum, 1);
        add_mantissa(sum, v.place + F64_PLACE, v.negative, v.mantissa);
    } else {
        add_not_finite(sum, value);
    }
}

static void add_product(tsri_exact_sum *sum, double x, double y)
{
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
    make_room(sum, 3);
    add_mantissa(sum, place, negative, low & low_half);
    add_mantissa(sum, place + CHUNK_BITS, negative, middle & low_half);
    add_mantissa(sum, place + 2 * CHUNK_BITS, negative, a1 * b1 + (middle >> CHUNK_BITS));
}

void tsri_exact_add_integer(tsri_exact_sum *sum, int64_t value, int exponent)
{
    const uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    if (value != 0) add_bits(sum, (unsigned)(exponent + ONE_PLACE), value < 0, size);
}

/* ---- classes: numbers too far apart for bins ------------------------------------------------- */

enum { FRACTION_BITS = 52, INFINITE = 0x7ff, MOST_OF_A_CLASS = 1 << 11 };

static void empty_class(tsri_exact_adder *a, unsigned which)
{
    const unsigned exponent = which & INFINITE;
    const bool negative = which > INFINITE;
    const uint64_t count = a->classes.count[which];
    const uint64_t fractions = a->classes.bits[which] - count * ((uint64_t)which << FRACTION_BITS);

    a->classes.bits[which] = a->classes.count[which] = 0;
    if (exponent == INFINITE)
        add_not_finite(a->sum, fractions != 0 ? (double)NAN : negative ? -HUGE_VAL : HUGE_VAL);
    else if (exponent == 0)
        add_bits(a->sum, F64_PLACE, negative, fractions);
    else
        add_bits(a->sum, exponent - 1 + F64_PLACE, negative, fractions + (count << FRACTION_BITS));
}

static inline void classify(tsri_exact_adder *a, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const unsigned which = (unsigned)(bits >> FRACTION_BITS);
    a->classes.bits[which] += bits;
    if (++a->classes.count[which] == MOST_OF_A_CLASS) empty_class(a, which);
}

static void classify_product(tsri_exact_adder *a, double x, double y)
{
    const double product = x * y;

    if (x == 0 || y == 0 || !(fabs(product) >= TSRI_LEAST_PRODUCT && fabs(product) <= DBL_MAX)) {
        add_product(a->sum, x, y);
        return;
    }
    classify(a, product);
    classify(a, fma(x, y, -product));
}

/* ---- one after another ----------------------------------------------------------------------- */

/* Of a kind other than exact products of doubles. */
static double term(tsri_terms_kind kind, const tsri_terms *terms, int64_t i)
{
    const bool single = tsri_terms_are_single(kind);
    const double x = single ? (double)((const float *)terms->x)[i] : ((const double *)terms->x)[i];

    if (kind == TSRI_TERMS_PRODUCTS_F32) return x * (double)((const float *)terms->y)[i];
    if (kind == TSRI_TERMS_SQUARES_F64 || kind == TSRI_TERMS_SQUARES_F32)
        return (x - terms->origin) * (x - terms->origin);
    return x;
}

static void add_each(tsri_exact_adder *a, tsri_terms_kind kind, int64_t n, const tsri_terms *terms)
{
    const double *x = terms->x, *y = terms->y;

    for (int64_t i = 0; i < n; ++i)
        if (kind == TSRI_TERMS_PRODUCTS_F64)
            add_product(a->sum, x[i], y[i]);
        else
            add_one(a->sum, term(kind, terms, i));
}

static void classify_each(tsri_exact_adder *a, tsri_terms_kind kind, int64_t n,
                          const tsri_terms *terms)
{
    const double *x = terms->x, *y = terms->y;

    if (!a->has_classes) memset(&a->classes, 0, sizeof a->classes);
    a->has_classes = true;
    for (int64_t i = 0; i < n; ++i)
        if (kind == TSRI_TERMS_F64)
            classify(a, x[i]);
        else if (kind == TSRI_TERMS_PRODUCTS_F64)
            classify_product(a, x[i], y[i]);
        else
            classify(a, term(kind, terms, i));
}

/* Without bins.  Fewer numbers than this are not worth the emptying of classes. */
enum { WORTH_CLASSES = 512 };
static void add_slowly(tsri_exact_adder *a, tsri_terms_kind kind, int64_t n,
                       const tsri_terms *terms)
{
    const bool fused = kind != TSRI_TERMS_PRODUCTS_F64 || a->kernels->add[kind] != NULL;

    if (fused && (a->has_classes || n >= WORTH_CLASSES))
        classify_each(a, kind, n, terms);
    else
        add_each(a, kind, n, terms);
}

/* ---- bins ------------------------------------------------------------------------------------ */

static void empty_bins(tsri_exact_adder *a)
{
    tsri_binned high, low;

    if (!a->placed) return;
    for (int k = 0; k < 2; ++k) {
        tsri_bins_take(&a->bins[k], &high, &low);
        tsri_exact_add_integer(a->sum, high.count, high.exponent);
        tsri_exact_add_integer(a->sum, low.count, low.exponent);
    }
    a->placed = false;
}

/* Bins for numbers below 2^top. */
static void place_bins(tsri_exact_adder *a, int top)
{
    tsri_bins_place(&a->bins[0], top);
    tsri_bins_place(&a->bins[1], top - DBL_MANT_DIG);
    a->top = top;
    a->placed = true;
    a->room = TSRI_BIN_ADDITIONS;
}

static bool place_bins_for(tsri_exact_adder *a, tsri_terms_kind kind, int64_t n,
                           const tsri_terms *terms)
{
    const double largest = a->kernels->largest[kind](n, terms);
    int top = DBL_MIN_EXP;

    if (!(largest <= DBL_MAX)) return false;
    if (largest > 0) (void)frexp(largest, &top);
    place_bins(a, top);
    return true;
}

static bool fill_bins(tsri_exact_adder *a, tsri_terms_kind kind, int64_t n, const tsri_terms *terms)
{
    const int64_t additions = tsri_bin_additions(a->kernels, n);

    if (!a->placed) return false;
    if (a->room < additions) { /* the next numbers are probably like those before */
        empty_bins(a);
        place_bins(a, a->top);
    }
    a->room -= additions;
    return a->kernels->add[kind](n, terms, &a->bins[0], &a->bins[1]);
}

/* A few numbers too small for the bins are the reason why a block does not fit, or most are. */
enum { WORTH_BINS = 16, WORTH_HALVING = 128, PASS_OVER = 16 };

static tsri_terms skip(tsri_terms_kind kind, const tsri_terms *terms, int64_t n)
{
    const size_t bytes = (size_t)n * (tsri_terms_are_single(kind) ? sizeof(float) : sizeof(double));
    tsri_terms rest = *terms;

    rest.x = (const char *)rest.x + bytes;
    if (rest.y != NULL) rest.y = (const char *)rest.y + bytes;
    return rest;
}

/* Halve until the numbers fit, but not for ever. */
static void add_part(tsri_exact_adder *a, tsri_terms_kind kind, int64_t n, const tsri_terms *terms)
{
    if (fill_bins(a, kind, n, terms)) return;
    empty_bins(a);
    if (n >= WORTH_BINS && place_bins_for(a, kind, n, terms) && fill_bins(a, kind, n, terms))
        return;
    a->placed = false;
    if (n >= WORTH_HALVING) {
        const tsri_terms rest = skip(kind, terms, n / 2);
        add_part(a, kind, n / 2, terms);
        add_part(a, kind, n - n / 2, &rest);
    } else {
        add_slowly(a, kind, n, terms);
        a->slow += n;
    }
}

static void add_block(tsri_exact_adder *a, tsri_terms_kind kind, int64_t n, const tsri_terms *terms)
{
    if (a->kernels->add[kind] == NULL || a->passed_over > 0) {
        add_slowly(a, kind, n, terms);
        a->passed_over -= a->passed_over > 0;
        return;
    }
    a->slow = 0;
    add_part(a, kind, n, terms);
    if (a->slow > n / 4 && n >= WORTH_HALVING) a->passed_over = PASS_OVER;
}

/* ---- an adder -------------------------------------------------------------------------------- */

void tsri_exact_open_at(tsri_exact_adder *adder, tsri_exact_sum *sum, tsri_level level)
{
    adder->sum = sum;
    adder->kernels = tsri_bin_kernels_at(level);
    adder->placed = adder->has_classes = false;
    adder->passed_over = 0;
}

void tsri_exact_open(tsri_exact_adder *adder, tsri_exact_sum *sum)
{
    tsri_exact_open_at(adder, sum, tsri_vector_level());
}

void tsri_exact_add(tsri_exact_adder *adder, tsri_terms_kind kind, int64_t n,
                    const tsri_terms *terms)
{
    const int64_t most = tsri_bin_block(adder->kernels);
    const unsigned mode = tsri_mode_begin();
    tsri_terms rest = *terms;

    for (int64_t done = 0, count; done < n; done += count, rest = skip(kind, &rest, count)) {
        count = n - done < most ? n - done : most;
        add_block(adder, kind, count, &rest);
    }
    tsri_mode_end(mode);
}

void tsri_exact_close(tsri_exact_adder *adder)
{
    empty_bins(adder);
    for (unsigned k = 0; adder->has_classes && k < TSRI_EXACT_CLASSES; ++k)
        if (adder->classes.count[k] > 0) empty_class(adder, k);
    adder->has_classes = false;
}
