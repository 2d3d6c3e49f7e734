/* Doubles split into bins, whose sums are exact. */
#include "kern/arithmetic_mode.h"
#include "kern/bins.h"
#include "kern/vector_level.h"
#include "kern/walk.h"

#include <math.h>
#include <string.h>

/* ---- vectors --------------------------------------------------------------------------------- */

#if defined(TSRI_LEVEL_avx512)
enum { WIDTH = 8 };
#elif defined(TSRI_LEVEL_avx2)
enum { WIDTH = 4 };
#else
enum { WIDTH = 2 };
#endif
/* Vectors, so that one need not wait for the other. */
enum { AT_ONCE = 4, LANES = AT_ONCE * WIDTH };

typedef double vector __attribute__((vector_size(WIDTH * 8)));
typedef int64_t vector_bits __attribute__((vector_size(WIDTH * 8)));
typedef float vector_f32 __attribute__((vector_size(WIDTH * 4)));

#define EXPONENT_BITS ((int64_t)(UINT64_C(0xfff) << 52))

TSRI_EXPAND int64_t any_bits(vector_bits bits)
{
    int64_t any = 0;
    for (int k = 0; k < WIDTH; ++k)
        any |= bits[k];
    return any;
}

TSRI_EXPAND vector load_f64(const void *from, int64_t i)
{
    vector x;
    memcpy(&x, (const double *)from + i, sizeof x);
    return x;
}

/* Compilers make several instructions of a conversion of vectors that is one. */
TSRI_EXPAND vector load_f32(const void *from, int64_t i)
{
#if defined(TSRI_LEVEL_avx512)
    return (vector)_mm512_cvtps_pd(_mm256_loadu_ps((const float *)from + i));
#elif defined(TSRI_LEVEL_avx2)
    return (vector)_mm256_cvtps_pd(_mm_loadu_ps((const float *)from + i));
#else
    vector_f32 x;
    memcpy(&x, (const float *)from + i, sizeof x);
    return __builtin_convertvector(x, vector);
#endif
}

/* ---- a number into bins ---------------------------------------------------------------------- */

/* Bins in registers; and bits that say what went wrong, where no flag does. */
typedef struct bins_at_work {
    vector high[AT_ONCE], low[AT_ONCE];
    vector_bits start; /* of the high bins */
    vector_bits lost, moved;
} bins_at_work;

#if defined(TSRI_LEVEL_avx512)
/* The flags of these are not raised. */
#define QUIETLY (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
/* Without optimisation the compiler's header makes macros of these, with conversions of its own. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
TSRI_EXPAND vector add_quietly(vector a, vector b)
{
    return (vector)_mm512_add_round_pd((__m512d)a, (__m512d)b, QUIETLY);
}
TSRI_EXPAND vector subtract_quietly(vector a, vector b)
{
    return (vector)_mm512_sub_round_pd((__m512d)a, (__m512d)b, QUIETLY);
}
TSRI_EXPAND vector multiply_quietly(vector a, vector b)
{
    return (vector)_mm512_mul_round_pd((__m512d)a, (__m512d)b, QUIETLY);
}
#pragma GCC diagnostic pop

/* Where a high bin leaves its place for a while, and the difference is not exact, the flag says so;
 * whether it is back is seen at the end. */
TSRI_EXPAND void put(vector x, int k, bins_at_work *b)
{
    const vector sum = add_quietly(b->high[k], x);
    b->low[k] += x - (sum - b->high[k]);
    b->high[k] = sum;
}

/* The bins pass through these, so the compiler moves no addition to them across. */
#define THROUGH(b)                                                                                 \
    "+v"((b)->high[0]), "+v"((b)->high[1]), "+v"((b)->high[2]), "+v"((b)->high[3]),                \
        "+v"((b)->low[0]), "+v"((b)->low[1]), "+v"((b)->low[2]), "+v"((b)->low[3])

TSRI_EXPAND void watch(bins_at_work *bins, bins_at_work *errors)
{
    const unsigned mode = TSRI_DEFAULT_MODE;
    __asm__ volatile("ldmxcsr %[mode]" : THROUGH(bins) : [mode] "m"(mode));
    if (errors != NULL) __asm__ volatile("" : THROUGH(errors));
}

TSRI_EXPAND bool flags_are_clear(bins_at_work *bins, bins_at_work *errors)
{
    enum { INVALID = 1, OVERFLOW = 8, UNDERFLOW = 16, INEXACT = 32 };
    unsigned flags = 0;
    if (errors != NULL) __asm__ volatile("" : THROUGH(errors));
    __asm__ volatile("stmxcsr %[flags]" : THROUGH(bins), [flags] "+m"(flags));
    if (errors != NULL) __asm__ volatile("" : THROUGH(errors));
    return (flags & (INVALID | OVERFLOW | UNDERFLOW | INEXACT)) == 0;
}
#else
TSRI_EXPAND vector subtract_quietly(vector a, vector b)
{
    return a - b;
}
TSRI_EXPAND vector multiply_quietly(vector a, vector b)
{
    return a * b;
}

/* A high bin that stays in its place is larger than what is added, so all differences are exact;
 * then the one thing that can be lost is the end of the addition to the low bin. */
TSRI_EXPAND void put(vector x, int k, bins_at_work *b)
{
    const vector sum = b->high[k] + x, rest = x - (sum - b->high[k]), below = b->low[k] + rest;
    b->moved |= (vector_bits)sum ^ b->start;
    b->lost |= (vector_bits)(below - b->low[k] != rest);
    b->high[k] = sum;
    b->low[k] = below;
}

TSRI_EXPAND void watch(bins_at_work *bins, bins_at_work *errors)
{
    (void)bins;
    (void)errors;
}
TSRI_EXPAND bool flags_are_clear(bins_at_work *bins, bins_at_work *errors)
{
    (void)bins;
    (void)errors;
    return true;
}
#endif

/* ---- bins in memory and in registers --------------------------------------------------------- */

TSRI_EXPAND void take_up(const tsri_bins *bins, bins_at_work *b)
{
    memcpy(b->high, bins->high, sizeof b->high);
    memcpy(b->low, bins->low, sizeof b->low);
    b->start = (vector_bits){0} + ((int64_t)(bins->exponent + 1023) << 52);
    b->lost = b->moved = (vector_bits){0};
}

/* Whether all bins are in their places, and were, and nothing was lost. */
TSRI_EXPAND bool all_is_well(const tsri_bins *bins, const bins_at_work *b)
{
    vector_bits moved = b->moved, low = {0}, start;
    memcpy(&start, bins->low, sizeof start);
    for (int k = 0; k < AT_ONCE; ++k) {
        moved |= (vector_bits)b->high[k] ^ b->start;
        low |= (vector_bits)b->low[k] ^ start;
    }
    return any_bits(((moved | low) & EXPONENT_BITS) | b->lost) == 0;
}

TSRI_EXPAND void put_back(const bins_at_work *b, tsri_bins *bins)
{
    memcpy(bins->high, b->high, sizeof b->high);
    memcpy(bins->low, b->low, sizeof b->low);
}

/* ---- terms ----------------------------------------------------------------------------------- */

#define HAVE_ERRORS(kind) ((kind) == TSRI_TERMS_PRODUCTS_F64)

#if defined(__FMA__)
#define HAVE_FMA true
TSRI_EXPAND vector error_of(vector x, vector y, vector product, bins_at_work *errors)
{
#if defined(TSRI_LEVEL_avx512)
    (void)errors;
    return (vector)_mm512_fmsub_pd((__m512d)x, (__m512d)y, (__m512d)product);
#else
    const vector_bits factors = (vector_bits)(x != 0) & (vector_bits)(y != 0);
    const vector size = (vector)((vector_bits)product & INT64_MAX);
    errors->lost |= (vector_bits)(size < TSRI_LEAST_PRODUCT) & factors;
    return (vector)_mm256_fmsub_pd((__m256d)x, (__m256d)y, (__m256d)product);
#endif
}
#else
#define HAVE_FMA false
TSRI_EXPAND vector error_of(vector x, vector y, vector product, bins_at_work *errors)
{
    (void)x, (void)y, (void)errors;
    return product;
}
#endif

/* Put a vector of terms into bins number k; those that `kept` has no bits for count as 0. */
TSRI_EXPAND void put_terms(tsri_terms_kind kind, const tsri_terms *terms, int64_t i,
                           vector_bits kept, int k, bins_at_work *bins, bins_at_work *errors)
{
    const bool single = tsri_terms_are_single(kind);
    vector x = single ? load_f32(terms->x, i) : load_f64(terms->x, i);

    if (kind == TSRI_TERMS_PRODUCTS_F64 || kind == TSRI_TERMS_PRODUCTS_F32) {
        const vector y = single ? load_f32(terms->y, i) : load_f64(terms->y, i);
        const vector product = multiply_quietly(x, y);
        if (HAVE_ERRORS(kind)) put(error_of(x, y, product, errors), k, errors);
        x = product;
    } else if (kind == TSRI_TERMS_SQUARES_F64 || kind == TSRI_TERMS_SQUARES_F32) {
        const vector distance = subtract_quietly(x, terms->origin - (vector){0});
        x = multiply_quietly(distance, distance);
    }
    put((vector)((vector_bits)x & kept), k, bins);
}

/* The last n % WIDTH elements, with zeros behind them. */
TSRI_EXPAND void put_rest(tsri_terms_kind kind, const tsri_terms *terms, size_t size, int64_t i,
                          int64_t n, bins_at_work *bins, bins_at_work *errors)
{
    double x[WIDTH] = {0}, y[WIDTH] = {0};
    vector_bits kept = {0};
    const size_t skipped = (size_t)i * size, bytes = (size_t)(n - i) * size;

    memcpy(x, (const char *)terms->x + skipped, bytes);
    if (terms->y != NULL) memcpy(y, (const char *)terms->y + skipped, bytes);
    for (int k = 0; k < WIDTH; ++k)
        kept[k] = k < n - i ? -1 : 0;
    put_terms(kind, &(tsri_terms){x, y, terms->origin}, 0, kept, 0, bins, errors);
}

TSRI_EXPAND bool add(tsri_terms_kind kind, size_t size, int64_t n, const tsri_terms *terms,
                     tsri_bins *bins, tsri_bins *errors)
{
    const vector_bits every = (vector_bits){0} - 1;
    bins_at_work main, further, *const other = HAVE_ERRORS(kind) ? &further : NULL;
    int64_t i = 0;

    take_up(bins, &main);
    if (other != NULL) take_up(errors, other);
    watch(&main, other);
    for (; i + LANES <= n; i += LANES)
        for (int k = 0; k < AT_ONCE; ++k)
            put_terms(kind, terms, i + k * WIDTH, every, k, &main, other);
    for (; i + WIDTH <= n; i += WIDTH)
        put_terms(kind, terms, i, every, 0, &main, other);
    if (i < n) put_rest(kind, terms, size, i, n, &main, other);
    if (!flags_are_clear(&main, other) || !all_is_well(bins, &main)) return false;
    if (other != NULL && !all_is_well(errors, other)) return false;
    put_back(&main, bins);
    if (other != NULL) put_back(other, errors);
    return true;
}

#define DEFINE_ADD(kind, type)                                                                     \
    static bool add_##kind(int64_t n, const tsri_terms *terms, tsri_bins *bins, tsri_bins *errors) \
    {                                                                                              \
        return add(TSRI_TERMS_##kind, sizeof(type), n, terms, bins, errors);                       \
    }

#define DEFINE_LARGEST(kind, type, term)                                                           \
    static double largest_##kind(int64_t n, const tsri_terms *terms)                               \
    {                                                                                              \
        const type *x = terms->x, *y = terms->y;                                                   \
        const double origin = terms->origin;                                                       \
        int64_t most = 0;                                                                          \
        double largest;                                                                            \
        for (int64_t i = 0; i < n; ++i) {                                                          \
            const double value = fabs(term);                                                       \
            int64_t bits;                                                                          \
            memcpy(&bits, &value, sizeof bits);                                                    \
            most = bits > most ? bits : most;                                                      \
        }                                                                                          \
        (void)y;                                                                                   \
        (void)origin;                                                                              \
        memcpy(&largest, &most, sizeof largest);                                                   \
        return largest;                                                                            \
    }

/* ---- for each kind --------------------------------------------------------------------------- */

#define KIND_LIST(X)                                                                               \
    X(F64, double, x[i])                                                                           \
    X(F32, float, (double)x[i])                                                                    \
    X(PRODUCTS_F64, double, x[i] * y[i])                                                           \
    X(PRODUCTS_F32, float, (double)x[i] * (double)y[i])                                            \
    X(SQUARES_F64, double, (x[i] - origin) * (x[i] - origin))                                      \
    X(SQUARES_F32, float, ((double)x[i] - origin) * ((double)x[i] - origin))

#define DEFINE_KIND(kind, type, term) DEFINE_ADD(kind, type) DEFINE_LARGEST(kind, type, term)
KIND_LIST(DEFINE_KIND)

/* In software fused operations are slower than what they would spare. */
#define ADD_ENTRY(kind, type, term)                                                                \
    [TSRI_TERMS_##kind] = HAVE_FMA || !HAVE_ERRORS(TSRI_TERMS_##kind) ? add_##kind : NULL,
#define LARGEST_ENTRY(kind, type, term) [TSRI_TERMS_##kind] = largest_##kind,
const tsri_bin_kernels TSRI_AT_LEVEL(bin_kernels) = {
    LANES, {KIND_LIST(ADD_ENTRY)}, {KIND_LIST(LARGEST_ENTRY)}};
