#include "kern/reduce_condense.h"

#include "kern/walk.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define ON_X86 1
#include <immintrin.h>
#else
#define ON_X86 0
#endif

/* ---- the arithmetic's mode ------------------------------------------------------------------- */

/* Exactness needs rounding to nearest and subnormal numbers, whatever the program has chosen. */
#if ON_X86
enum { DEFAULT_MODE = 0x1f80 };
static inline unsigned mode_begin(void)
{
    const unsigned mode = _mm_getcsr();
    _mm_setcsr(DEFAULT_MODE);
    return mode;
}
static inline void mode_end(unsigned mode)
{
    _mm_setcsr(mode);
}
#else
static inline unsigned mode_begin(void)
{
    return 0;
}
static inline void mode_end(unsigned mode)
{
    (void)mode;
}
#endif

/* ---- condensing ------------------------------------------------------------------------------ */

/* The bits of the largest magnitude, and of the smallest but 0 (INT64_MAX when there is none): bits
 * of numbers >= 0 are ordered as these are. */
TSRI_EXPAND void find_range(int64_t n, const double *values, int64_t *low, int64_t *high)
{
    int64_t least = INT64_MAX, most = 0;

    for (int64_t i = 0; i < n; ++i) {
        int64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bits &= INT64_MAX;
        const int64_t counted = (int64_t)((uint64_t)bits - 1) & INT64_MAX; /* 0 goes last */
        most = bits > most ? bits : most;
        least = counted < least ? counted : least;
    }
    *low = least == INT64_MAX ? least : least + 1;
    *high = most;
}

/* Sums of parts above and below: several at a time, so that one need not wait for the other, and of
 * what is left at the end. */
enum { AT_ONCE = 32 };
typedef struct bins {
    double above[AT_ONCE + 1], below[AT_ONCE + 1];
} bins;

/* With vectors of some number of doubles.  Adding and subtracting `cutter` rounds to multiples of
 * its last bit. */
#define DEFINE_SUM_PARTS(lanes)                                                                    \
    typedef double vector_##lanes __attribute__((vector_size(lanes * sizeof(double))));            \
    TSRI_EXPAND void sum_parts_##lanes(int64_t n, const double *values, double cutter, bins *b)    \
    {                                                                                              \
        vector_##lanes above[AT_ONCE / lanes] = {0}, below[AT_ONCE / lanes] = {0};                 \
        for (int64_t i = 0; i + AT_ONCE <= n; i += AT_ONCE)                                        \
            for (int k = 0; k < AT_ONCE / lanes; ++k) {                                            \
                vector_##lanes value;                                                              \
                memcpy(&value, values + i + k * lanes, sizeof value);                              \
                const vector_##lanes part = (value + cutter) - cutter;                             \
                above[k] += part;                                                                  \
                below[k] += value - part;                                                          \
            }                                                                                      \
        memcpy(b->above, above, sizeof above);                                                     \
        memcpy(b->below, below, sizeof below);                                                     \
    }
DEFINE_SUM_PARTS(2)
DEFINE_SUM_PARTS(4)
DEFINE_SUM_PARTS(8)

TSRI_EXPAND void sum_parts(int lanes, int64_t n, const double *values, double cutter, bins *b)
{
    if (lanes == 8)
        sum_parts_8(n, values, cutter, b);
    else if (lanes == 4)
        sum_parts_4(n, values, cutter, b);
    else
        sum_parts_2(n, values, cutter, b);
    b->above[AT_ONCE] = b->below[AT_ONCE] = 0;
    for (int64_t i = n - n % AT_ONCE; i < n; ++i) {
        const double part = (values[i] + cutter) - cutter;
        b->above[AT_ONCE] += part;
        b->below[AT_ONCE] += values[i] - part;
    }
}

static int merge(const bins *b, double *sums)
{
    sums[0] = sums[1] = 0;
    for (int k = 0; k <= AT_ONCE; ++k) {
        sums[0] += b->above[k];
        sums[1] += b->below[k];
    }
    return 2;
}

/* The least k with n <= 2^k. */
static int log2_up(int64_t n)
{
    int k = 0;
    while ((INT64_C(1) << k) < n)
        ++k;
    return k;
}

/* Take numbers below 2^top, multiples of 2^last, and a cutter of 1.5 * 2^(top + bits).  2^bits
 * parts above have a sum below 2^(top + bits), which 53 bits hold in units of the cutter's last
 * bit.  2^bits parts below have one of at most 2^(top + 2 bits - 53), which they hold in units of
 * 2^last if that is at most 53 bits below. */
static bool bins_hold(int top, int last, int bits)
{
    return top + 2 * bits - DBL_MANT_DIG <= last + DBL_MANT_DIG;
}

/* In one bin above and one below if these hold all numbers, else in as many as there are. */
TSRI_EXPAND int condense(int lanes, int64_t n, const double *values, double *sums)
{
    enum { INFINITE = 0x7ff, FRACTION_BITS = 52, BIAS = 1022 };
    const int all = log2_up(n), each = log2_up(n / AT_ONCE < AT_ONCE ? AT_ONCE : n / AT_ONCE);
    int64_t low, high;
    bins b;

    find_range(n, values, &low, &high);
    /* the exponent 0 of subnormal numbers means 1 */
    const int most = (int)(high >> FRACTION_BITS), least = (int)(low >> FRACTION_BITS);
    const int top = (most > 0 ? most : 1) - BIAS;
    const int last = (least > 0 ? least : 1) - BIAS - DBL_MANT_DIG;
    const bool together = bins_hold(top, last, all);
    const int bits = together ? all : each;
    if (most == INFINITE || top + bits > DBL_MAX_EXP - 2) return 0;
    if (!together && !bins_hold(top, last, each)) return 0;
    sum_parts(lanes, n, values, ldexp(1.5, top + bits), &b);
    if (together) return merge(&b, sums);
    memcpy(sums, &b, sizeof b);
    return (int)(sizeof b / sizeof *sums);
}

/* ---- products -------------------------------------------------------------------------------- */

/* Below this a product's error may have no room. */
#define LEAST_PRODUCT 0x1p-960

/* The smaller factor of products that cannot be cut is kept: it is 0 where one may. */
TSRI_EXPAND bool split(int64_t n, const double *x, int64_t x_stride, const double *y,
                       int64_t y_stride, double *products, double *errors)
{
    int64_t bad = 0;

    for (int64_t i = 0; i < n; ++i) {
        const double a = x[i * x_stride], b = y[i * y_stride], product = a * b;
        const double size = fabs(product), smaller = fabs(a) < fabs(b) ? fabs(a) : fabs(b);
        const double kept = size >= LEAST_PRODUCT && size <= DBL_MAX ? 0 : smaller;
        int64_t bits;
        memcpy(&bits, &kept, sizeof bits);
        products[i] = product;
        errors[i] = __builtin_fma(a, b, -product);
        bad |= bits;
    }
    return bad == 0;
}

/* ---- for each machine ------------------------------------------------------------------------ */

#define DEFINE_MACHINE(name, lanes, target)                                                        \
    target static int condense_##name(int64_t n, const double *values, double *sums)               \
    {                                                                                              \
        return condense(lanes, n, values, sums);                                                   \
    }                                                                                              \
    target static bool split_##name(int64_t n, const double *x, int64_t x_stride, const double *y, \
                                    int64_t y_stride, double *products, double *errors)            \
    {                                                                                              \
        if (x_stride == 1 && y_stride == 1) return split(n, x, 1, y, 1, products, errors);         \
        return split(n, x, x_stride, y, y_stride, products, errors);                               \
    }                                                                                              \
    static const tsri_condenser name = {condense_##name, split_##name};

#if ON_X86
#ifdef __clang__
#define WIDE_VECTORS ""
#else
#define WIDE_VECTORS ",prefer-vector-width=512"
#endif
DEFINE_MACHINE(avx2, 4, __attribute__((target("avx2,fma"))))
DEFINE_MACHINE(avx512, 8, __attribute__((target("avx512f,avx512dq,avx512vl,fma" WIDE_VECTORS))))
#endif

static int condense_portable(int64_t n, const double *values, double *sums)
{
    return condense(2, n, values, sums);
}

/* In software fused operations are slower than what they would spare. */
static bool split_portable(int64_t n, const double *x, int64_t x_stride, const double *y,
                           int64_t y_stride, double *products, double *errors)
{
#ifdef FP_FAST_FMA
    return split(n, x, x_stride, y, y_stride, products, errors);
#else
    (void)n, (void)x, (void)x_stride, (void)y, (void)y_stride, (void)products, (void)errors;
    return false;
#endif
}
static const tsri_condenser portable = {condense_portable, split_portable};

/* All give the same sums: they are exact. */
const tsri_condenser *tsri_condenser_at(int which)
{
    const tsri_condenser *found[3];
    int count = 0;

#if ON_X86
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        found[count++] = &avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) found[count++] = &avx2;
#endif
    found[count++] = &portable;
    return which < count ? found[which] : NULL;
}

int tsri_condense(int64_t n, const double *values, double *sums)
{
    const tsri_condenser *const c = tsri_condenser_at(0);
    const unsigned mode = mode_begin();
    const int count = c->condense(n, values, sums);
    mode_end(mode);
    return count;
}

bool tsri_split_products(int64_t n, const double *x, int64_t x_stride, const double *y,
                         int64_t y_stride, double *products, double *errors)
{
    const tsri_condenser *const c = tsri_condenser_at(0);
    const unsigned mode = mode_begin();
    const bool done = c->split(n, x, x_stride, y, y_stride, products, errors);
    mode_end(mode);
    return done;
}
