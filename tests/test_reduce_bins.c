/* ranks: 1 */
/* Exact sums by way of bins, by each instruction set that this machine has, against sums of
 * integers of any width. */
#include "reduce/exact_sum.h"
#include "support/layout_cases.h"
#include "support/reduce_cases.h"

#include <fenv.h>
#include <math.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

enum { MOST = 20000 };

static double x[MOST], y[MOST];
static float x32[MOST], y32[MOST];

/* Of either sign, in 2 * spread + 1 powers of two; some are 0. */
static double number(uint64_t *seed, int spread)
{
    const double fraction = ldexp(
        (double)tsrt_random(seed, 1 << 30) * 0x1p30 + (double)tsrt_random(seed, 1 << 30), -60);
    const double value = ldexp(fraction, tsrt_random(seed, 2 * spread + 1) - spread);
    return tsrt_random(seed, 9) == 0 ? 0 : tsrt_random(seed, 2) == 0 ? value : -value;
}

static tsri_exact_sum sum_at(tsri_level level, tsri_terms_kind kind, int64_t n, int64_t cut,
                             const tsri_terms *terms)
{
    static tsri_exact_adder adder;
    const bool single =
        kind == TSRI_TERMS_F32 || kind == TSRI_TERMS_PRODUCTS_F32 || kind == TSRI_TERMS_SQUARES_F32;
    const int64_t bytes = cut * (single ? 4 : 8);
    tsri_terms rest = *terms;
    tsri_exact_sum sum;

    rest.x = (const char *)rest.x + bytes;
    if (rest.y != NULL) rest.y = (const char *)rest.y + bytes;
    tsri_exact_init(&sum);
    tsri_exact_open_at(&adder, &sum, level);
    tsri_exact_add(&adder, kind, cut, terms);
    tsri_exact_add(&adder, kind, n - cut, &rest);
    tsri_exact_close(&adder);
    return sum;
}

/* x*y as exact numbers. */
static void add_product(big *sum, double a, double b)
{
    const double split = 0x1p27 + 1, ah = a * split - (a * split - a),
                 bh = b * split - (b * split - b);
    big_add(sum, ah * bh);
    big_add(sum, ah * (b - bh));
    big_add(sum, (a - ah) * bh);
    big_add(sum, (a - ah) * (b - bh));
}

static void add_term(big *sum, tsri_terms_kind kind, int64_t i, double origin)
{
    const double a = (double)x32[i] - origin, b = x[i] - origin;
    switch (kind) {
    case TSRI_TERMS_F64:
        big_add(sum, x[i]);
        break;
    case TSRI_TERMS_F32:
        big_add(sum, (double)x32[i]);
        break;
    case TSRI_TERMS_PRODUCTS_F64:
        add_product(sum, x[i], y[i]);
        break;
    case TSRI_TERMS_PRODUCTS_F32:
        big_add(sum, (double)x32[i] * (double)y32[i]);
        break;
    case TSRI_TERMS_SQUARES_F64:
        big_add(sum, b * b);
        break;
    default:
        big_add(sum, a * a);
    }
}

static tsri_terms terms_of(tsri_terms_kind kind, double origin)
{
    switch (kind) {
    case TSRI_TERMS_F64:
        return (tsri_terms){.x = x};
    case TSRI_TERMS_F32:
        return (tsri_terms){.x = x32};
    case TSRI_TERMS_PRODUCTS_F64:
        return (tsri_terms){.x = x, .y = y};
    case TSRI_TERMS_PRODUCTS_F32:
        return (tsri_terms){.x = x32, .y = y32};
    case TSRI_TERMS_SQUARES_F64:
        return (tsri_terms){.x = x, .origin = origin};
    default:
        return (tsri_terms){.x = x32, .origin = origin};
    }
}

static void check_sums(int64_t n, int64_t cut, double origin)
{
    for (tsri_terms_kind kind = TSRI_TERMS_F64; kind < TSRI_TERMS_END; ++kind) {
        const tsri_terms terms = terms_of(kind, origin);
        big expected = {{0}};
        for (int64_t i = 0; i < n; ++i)
            add_term(&expected, kind, i, origin);
        for (tsri_level level = TSRI_BASELINE; level <= tsri_vector_level(); ++level) {
            const tsri_exact_sum sum = sum_at(level, kind, n, cut, &terms);
            check_nearest_f64(&expected, tsri_exact_round_f64(&sum), __FILE__, __LINE__);
        }
    }
}

/* Doubles are scaled as far as products with exact parts reach, floats less. */
static void fill(uint64_t *seed, int64_t n, int spread, int scale)
{
    for (int64_t i = 0; i < n; ++i) {
        x[i] = ldexp(number(seed, spread), scale);
        y[i] = ldexp(number(seed, spread), -scale / 2);
        x32[i] = (float)ldexp(number(seed, spread > 40 ? 40 : spread), scale / 8);
        y32[i] = (float)number(seed, spread > 40 ? 40 : spread);
    }
}

static void sums_are_exact(void **state)
{
    (void)state;
    uint64_t seed = 7;

    for (int trial = 0; trial < 150; ++trial) {
        const int64_t n =
            trial % 5 == 0 ? 6000 : 1 + tsrt_random(&seed, trial % 2 == 0 ? 100 : 2500);
        const int spread = trial % 3 == 0 ? 100 : tsrt_random(&seed, 30);
        fill(&seed, n, spread, tsrt_random(&seed, 600) - 300);
        check_sums(n, tsrt_random(&seed, (int)n), number(&seed, 3));
    }
}

/* Many of one sign, until bins are full; growing, shrinking; a few large ones among small. */
static void bins_are_emptied_in_time(void **state)
{
    (void)state;
    for (int kind = 0; kind < 5; ++kind) {
        for (int64_t i = 0; i < MOST; ++i) {
            const double value = kind == 0   ? 0x1.fffffffffffffp0
                                 : kind == 1 ? ldexp(1.1, (int)(i / 64))
                                 : kind == 2 ? ldexp(-1.3, (int)(-i / 64))
                                 : kind == 3 ? (i % 1000 == 999 ? 0x1.8p20 : 0x1.123456789abcdp-3)
                                             : (i < MOST / 2 ? 0 : 1.7);
            x[i] = value;
            y[i] = i % 2 == 0 ? 0x1.fffffffffffffp0 : 1;
            x32[i] =
                (float)ldexp(value, kind == 1 || kind == 2 ? (int)(kind == 1 ? -i : i) / 80 : 0);
            y32[i] = 3;
        }
        if (kind != 1) check_sums(MOST, 4096, 0.75);
    }
}

/* Data of moderate range must take the fast way: this is what makes it fast. */
static void ordinary_numbers_go_to_bins(void **state)
{
    (void)state;
    uint64_t seed = 11;

    for (int64_t i = 0; i < MOST; ++i) {
        x[i] = number(&seed, 3);
        y[i] = number(&seed, 3);
        x32[i] = (float)x[i];
        y32[i] = (float)y[i];
    }
    for (tsri_level level = TSRI_BASELINE; level <= tsri_vector_level(); ++level) {
        const tsri_bin_kernels *kernels = tsri_bin_kernels_at(level);
        for (tsri_terms_kind kind = TSRI_TERMS_F64; kind < TSRI_TERMS_END; ++kind) {
            const tsri_terms terms = terms_of(kind, 0.5);
            tsri_bins bins, errors;
            if (kernels->add[kind] == NULL) {
                CHECK_INT(level, TSRI_BASELINE);
                continue;
            }
            tsri_bins_place(&bins, 8);
            tsri_bins_place(&errors, 8 - 53);
            for (int k = 0; k < 3; ++k)
                CHECK(kernels->add[kind](tsri_bin_block(kernels), &terms, &bins, &errors));
        }
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    const double bad[] = {HUGE_VAL, -HUGE_VAL, (double)NAN, 0x1.fffffffffffffp1023, 0x1.1p-90};

    for (tsri_level level = TSRI_BASELINE; level <= tsri_vector_level(); ++level) {
        const tsri_bin_kernels *kernels = tsri_bin_kernels_at(level);
        for (int k = 0; k < 5; ++k)
            for (int at = 0; at < 70; at += 23) {
                tsri_bins bins, before, errors;
                for (int i = 0; i < 70; ++i)
                    x[i] = 1;
                x[at] = bad[k];
                tsri_bins_place(&bins, 1);
                tsri_bins_place(&errors, -52);
                before = bins;
                CHECK(!kernels->add[TSRI_TERMS_F64](70, &(tsri_terms){.x = x}, &bins, &errors));
                CHECK_INT(memcmp(bins.high, before.high, sizeof bins.high), 0);
                CHECK_INT(memcmp(bins.low, before.low, sizeof bins.low), 0);
            }
    }
}

/* Errors below the smallest double, products beyond the largest one. */
static void products_out_of_range_are_exact(void **state)
{
    (void)state;
    const double a[] = {0x1.8000000000001p-540, 0x1.8p700, -0x1.8p700, 0x1.1p-1060, 0};
    const double b[] = {0x1.8000000000001p-500, 0x1p600, 0x1p600, 0x1p-1070, 0x1p-1000};
    enum { N = 1000 };

    for (tsri_level level = TSRI_BASELINE; level <= tsri_vector_level(); ++level) {
        tsri_exact_sum sum, expected;
        static tsri_exact_adder adder;
        tsri_exact_init(&expected);
        tsri_exact_open(&adder, &expected);
        for (int i = 0; i < N; ++i) {
            x[i] = a[i % 5] + (i == 777 ? 1 : 0);
            y[i] = b[i % 5];
            /* one at a time: without bins */
            tsri_exact_add(&adder, TSRI_TERMS_PRODUCTS_F64, 1,
                           &(tsri_terms){.x = x + i, .y = y + i});
        }
        tsri_exact_close(&adder);
        sum = sum_at(level, TSRI_TERMS_PRODUCTS_F64, N, 10, &(tsri_terms){.x = x, .y = y});
        tsri_exact_carry(&sum);
        tsri_exact_carry(&expected);
        CHECK_INT(memcmp(sum.chunk, expected.chunk, sizeof sum.chunk), 0);
    }
}

static void not_finite_among_classes(void **state)
{
    (void)state;
    uint64_t seed = 3;
    const double inf = HUGE_VAL;

    for (tsri_level level = TSRI_BASELINE; level <= tsri_vector_level(); ++level)
        for (int k = 0; k < 4; ++k) {
            fill(&seed, 5000, 300, 0);
            if (k != 1) x[1234] = k == 3 ? (double)NAN : inf;
            if (k != 0) x[4321] = -inf;
            const tsri_exact_sum sum =
                sum_at(level, TSRI_TERMS_F64, 5000, 0, &(tsri_terms){.x = x});
            CHECK_DOUBLE(tsri_exact_round_f64(&sum), k == 0 ? inf : k == 1 ? -inf : (double)NAN, 0);
        }
}

/* A program's mode and flags neither change sums nor are changed. */
static void the_mode_does_not_matter(void **state)
{
    (void)state;
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    uint64_t seed = 5;

    fill(&seed, 3000, 25, -900);
    for (tsri_level level = TSRI_BASELINE; level <= tsri_vector_level(); ++level)
        for (tsri_terms_kind kind = TSRI_TERMS_F64; kind < TSRI_TERMS_END; ++kind)
            for (int k = 0; k < 3; ++k) {
                const tsri_terms terms = terms_of(kind, 0.5);
                tsri_exact_sum expected = sum_at(level, kind, 3000, 64, &terms);
                CHECK_INT(feclearexcept(FE_ALL_EXCEPT), 0);
                CHECK_INT(feraiseexcept(FE_DIVBYZERO), 0);
                CHECK_INT(fesetround(modes[k]), 0);
#if defined(__SSE2__)
                _mm_setcsr(_mm_getcsr() | 0x8040); /* subnormal numbers are taken for 0 */
#endif
                tsri_exact_sum sum = sum_at(level, kind, 3000, 64, &terms);
                const int mode = fegetround(), flags = fetestexcept(FE_ALL_EXCEPT);
#if defined(__SSE2__)
                const unsigned register_after = _mm_getcsr();
                _mm_setcsr(register_after & ~0x8040u);
                CHECK_INT(register_after & 0x8040, 0x8040);
#endif
                CHECK_INT(fesetround(FE_TONEAREST), 0);
                CHECK_INT(mode, modes[k]);
                CHECK_INT(flags, FE_DIVBYZERO);
                tsri_exact_carry(&sum);
                tsri_exact_carry(&expected);
                CHECK_INT(memcmp(sum.chunk, expected.chunk, sizeof sum.chunk), 0);
            }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_exact),
        cmocka_unit_test(bins_are_emptied_in_time),
        cmocka_unit_test(ordinary_numbers_go_to_bins),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(products_out_of_range_are_exact),
        cmocka_unit_test(not_finite_among_classes),
        cmocka_unit_test(the_mode_does_not_matter),
    };
    return TSRT_RUN(argc, argv, tests);
}
