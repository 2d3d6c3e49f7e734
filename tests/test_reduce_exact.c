/* ranks: 1 2 3 4 6 8 */
#include "reduce/exact_sum.h"
#include "support/exact_sums.h"
#include "support/harness.h"
#include "support/reduce_cases.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
enum { FLUSH = 0x8040 }; /* subnormal numbers are taken for 0, and results of such size are 0 */
#endif

/* ---- the accumulator alone ------------------------------------------------------------------- */

static void add(tsri_exact_sum *sum, int n, const double *values)
{
    static tsri_exact_adder adder;
    tsri_exact_open(&adder, sum);
    tsri_exact_add(&adder, TSRI_TERMS_F64, n, &(tsri_terms){.x = values});
    tsri_exact_close(&adder);
}

static void rounds_as_exact_fractions_do(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof exact_sums / sizeof exact_sums[0]; ++i) {
        const double *values = exact_values + exact_sums[i].first;
        const int n = exact_sums[i].count;

        /* One after another, and as two halves in the other order. */
        for (int cut = 0; cut <= n; cut += n) {
            tsri_exact_sum left, right;
            tsri_exact_init(&left);
            tsri_exact_init(&right);
            add(&left, n - cut / 2, values + cut / 2);
            add(&right, cut / 2, values);
            tsri_exact_merge(&left, &right);
            if (tsri_exact_round_f64(&left) != exact_sums[i].f64 ||
                tsri_exact_divide_f32(&left, 1) != exact_sums[i].f32)
                tsrt_fail(__FILE__, __LINE__, "%s: %a and %a, expected %a and %a",
                          exact_sums[i].name, tsri_exact_round_f64(&left),
                          (double)tsri_exact_divide_f32(&left, 1), exact_sums[i].f64,
                          (double)exact_sums[i].f32);
        }
    }
}

/* More than carries can wait for of the numbers that move a chunk most: those whose lowest bit is
 * the highest of a chunk. */
static void carries_in_time(void **state)
{
    (void)state;
    static const double extremes[] = {0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023,
                                      0x1.fffffffffffffp33, -0x1.fffffffffffffp33,
                                      -0x0.fffffffffffffp-1022};
    enum { MANY = 5000 };
    static double same[MANY];

    for (size_t k = 0; k < sizeof extremes / sizeof extremes[0]; ++k) {
        tsri_exact_sum sum;
        big expected = {{0}};
        tsri_exact_init(&sum);
        for (int i = 0; i < MANY; ++i) {
            big_add(&expected, extremes[k]);
            same[i] = extremes[k];
        }
        add(&sum, MANY, same);
        check_nearest_f64(&expected, tsri_exact_round_f64(&sum), __FILE__, __LINE__);

        for (int doubling = 0; doubling < 30; ++doubling) {
            const tsri_exact_sum copy = sum;
            big sum_twice = expected;
            uint64_t carry = 0;
            for (int w = 0; w < BIG_WORDS; ++w) {
                carry += 2 * (uint64_t)expected.word[w];
                sum_twice.word[w] = (uint32_t)carry;
                carry >>= 32;
            }
            expected = sum_twice;
            tsri_exact_merge(&sum, &copy);
            check_nearest_f64(&expected, tsri_exact_round_f64(&sum), __FILE__, __LINE__);
        }
    }
}

static void special_values_win_as_in_numpy(void **state)
{
    (void)state;
    const double inf = HUGE_VAL, nan = (double)NAN;
    const struct {
        double values[3], expected;
    } cases[] = {
        {{1, nan, 2}, nan},        {{inf, 1, 2}, inf},     {{1, -inf, -inf}, -inf},
        {{inf, -inf, 0}, nan},     {{nan, inf, inf}, nan}, {{0x1p1023, 0x1p1023, -inf}, -inf},
        {{-0.0, -0.0, -0.0}, 0.0}, {{1, -1, -0.0}, 0.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        for (int merged = 0; merged < 2; ++merged) {
            tsri_exact_sum sum, other;
            tsri_exact_init(&sum);
            tsri_exact_init(&other);
            add(&sum, 3 - merged, cases[i].values);
            add(&other, merged, cases[i].values + 2);
            tsri_exact_merge(&sum, &other);
            CHECK_DOUBLE(tsri_exact_round_f64(&sum), cases[i].expected, 0);
            CHECK_DOUBLE((double)tsri_exact_divide_f32(&sum, 1), cases[i].expected, 0);
            CHECK(!signbit(tsri_exact_round_f64(&sum)) == !signbit(cases[i].expected) ||
                  isnan(cases[i].expected));
        }
}

/* ---- over ranks ------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

typedef enum { UNIFORM, WIDE, CANCELLING, SUBNORMAL, OVERFLOWING, LARGE_AND_TINY, KINDS } kind;

/* A number of one kind: the exponents' range is that of double or of float. */
static double number(int64_t cell, kind which, bool single)
{
    const uint64_t r = mix((uint64_t)cell * KINDS + (uint64_t)which);
    const double fraction = (double)(int64_t)r * 0x1p-63, largest = single ? FLT_MAX : DBL_MAX;
    const int widest = single ? 120 : 1000, least = single ? -147 : -1072;
    const int spread = (int)(mix(r) % (uint64_t)(2 * widest)) - widest;
    double value;

    switch (which) {
    case UNIFORM:
        value = fraction;
        break;
    case WIDE:
        value = ldexp(fraction, spread);
        break;
    case CANCELLING: /* pairs, with a little left over */
        value = number(cell / 2, WIDE, single);
        if (cell % 2 == 1) value = -value;
        if (cell % 7 == 6) value = ldexp(fraction, least + 40);
        break;
    case SUBNORMAL:
        value = ldexp(fraction, least + (int)(r % 50));
        break;
    case OVERFLOWING:
        value = cell % 3 == 2 ? -largest : largest;
        break;
    default:
        value = ldexp(cell % 10 < 5 ? 1 : -1, cell % 5 == 0 ? widest : least);
    }
    return single ? (double)(float)value : value;
}

static void write_f64(int64_t cell, void *element, void *ctx)
{
    *(double *)element = number(cell, *(const kind *)ctx, false);
}

static void write_f32(int64_t cell, void *element, void *ctx)
{
    *(float *)element = (float)number(cell, *(const kind *)ctx, true);
}

static void write_c128(int64_t cell, void *element, void *ctx)
{
    double *parts = element;
    parts[0] = number(cell, *(const kind *)ctx, false);
    parts[1] = number(cell + 1000, *(const kind *)ctx, false);
}

static void write_c64(int64_t cell, void *element, void *ctx)
{
    float *parts = element;
    parts[0] = (float)number(cell, *(const kind *)ctx, true);
    parts[1] = (float)number(cell + 1000, *(const kind *)ctx, true);
}

static void check_sums(tsr_layout *layout, kind which)
{
    static const struct {
        tsr_dtype dtype;
        case_value write;
        bool single;
    } types[] = {{TSR_F64, write_f64, false},
                 {TSR_F32, write_f32, true},
                 {TSR_C128, write_c128, false},
                 {TSR_C64, write_c64, true}};

    for (int t = 0; t < 4; ++t) {
        tsr_array *a = NULL;
        tsr_scalar sum;
        big exact[2] = {{{0}}, {{0}}};

        CHECK_OK(tsr_empty(layout, types[t].dtype, &a));
        case_fill(a, types[t].write, &which);
        for (int64_t cell = 0; cell < tsr_layout_cells(layout); ++cell)
            for (int part = 0; part < 2; ++part)
                big_add(&exact[part], number(cell + 1000 * part, which, types[t].single));
        CHECK_OK(tsr_sum(a, &sum));
        CHECK_INT(sum.dtype, types[t].dtype);
        const bool is_complex = t >= 2;
        for (int part = 0; part <= is_complex; ++part) {
            const double value = is_complex ? sum.as.c[part] : sum.as.f;
            if (types[t].single)
                check_nearest_f32(&exact[part], (float)value, __FILE__, __LINE__);
            else
                check_nearest_f64(&exact[part], value, __FILE__, __LINE__);
        }
        CHECK_OK(tsr_array_destroy(&a));
    }
}

/* The nearest number is the only right answer, so the bits are those of any other rank count. */
static void sums_are_the_exact_value_rounded_once_on_every_layout(void **state)
{
    (void)state;
    tsr_layout *layout;
    for (int i = 0; (layout = case_layout(i)) != NULL; ++i) {
        for (kind which = UNIFORM; which < KINDS; ++which)
            check_sums(layout, which);
        CHECK_OK(tsr_layout_destroy(&layout));
    }
}

typedef struct special {
    int64_t first, second; /* the cells that hold the values */
    double values[2];
} special;

static void write_special(int64_t cell, void *element, void *ctx)
{
    const special *s = ctx;
    *(double *)element = cell == s->first ? s->values[0] : cell == s->second ? s->values[1] : 1;
}

static void infinities_and_nan_on_each_rank_in_turn(void **state)
{
    (void)state;
    const double inf = HUGE_VAL, nan = (double)NAN;
    const struct {
        double values[2], expected;
    } cases[] = {{{inf, 1}, inf}, {{-inf, -inf}, -inf}, {{inf, -inf}, nan}, {{nan, inf}, nan}};
    tsr_layout *layout = NULL;
    tsr_array *a = NULL;
    const int n = tsrt_size();

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(2 * n), NULL, &layout));
    CHECK_OK(tsr_empty(layout, TSR_F64, &a));
    for (int first = 0; first < n; ++first)
        for (int second = 0; second < n; ++second)
            for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
                special s = {2 * first, 2 * second + 1, {cases[i].values[0], cases[i].values[1]}};
                tsr_scalar sum;
                case_fill(a, write_special, &s);
                CHECK_OK(tsr_sum(a, &sum));
                CHECK_DOUBLE(sum.as.f, cases[i].expected, 0);
            }
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* ---- modes of arithmetic --------------------------------------------------------------------- */

enum { RESULTS = 13 };

static void reduce(const tsr_array *a, const tsr_array *narrow, double *result)
{
    tsr_scalar s[10];
    CHECK_OK(tsr_sum(a, &s[0]));
    CHECK_OK(tsr_mean(a, &s[1]));
    CHECK_OK(tsr_var(a, &s[2]));
    CHECK_OK(tsr_std(a, &s[3]));
    CHECK_OK(tsr_prod(a, &s[4]));
    CHECK_OK(tsr_dot(a, a, &s[5]));
    CHECK_OK(tsr_sum(narrow, &s[6]));
    CHECK_OK(tsr_mean(narrow, &s[7]));
    CHECK_OK(tsr_std(narrow, &s[8]));
    CHECK_OK(tsr_dot(narrow, narrow, &s[9]));
    for (int i = 0; i < 10; ++i)
        result[i] = tsr_to_double(s[i]);
    CHECK_OK(tsr_norm(a, 1, &result[10]));
    CHECK_OK(tsr_norm(a, 2, &result[11]));
    CHECK_OK(tsr_norm(a, (double)INFINITY, &result[12]));
}

/* The same in a mode of the program's, which stays, and so do its flags. */
static void reduce_in_mode(int mode, const tsr_array *a, const tsr_array *narrow, double *result)
{
    CHECK_INT(feclearexcept(FE_ALL_EXCEPT), 0);
    CHECK_INT(feraiseexcept(FE_DIVBYZERO), 0);
    CHECK_INT(fesetround(mode), 0);
#if defined(__SSE2__)
    _mm_setcsr(_mm_getcsr() | FLUSH);
    const unsigned before = _mm_getcsr();
    reduce(a, narrow, result);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(after & ~(unsigned)FLUSH);
    CHECK_INT(after, before);
#else
    reduce(a, narrow, result);
#endif
    CHECK_INT(fegetround(), mode);
    CHECK_INT(fesetround(FE_TONEAREST), 0);
}

static void results_are_rounded_in_no_other_mode(void **state)
{
    (void)state;
    enum { CELLS = 9 };
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    static const double values[][CELLS] = {
        {5e-324, 5e-324, 5e-324, -1e-323, 5e-324, 0, 1e-45, -1e-45, 3e-45},
        {1, 0.1, 1e-310, -1, 2e-40, -0.1, -2e-40, 0, 1e-45},
        {0.1, 0.7, 1.3, 1e-16, 3, 1e5, -7, 0.3, 1e-9},
        {1, (double)NAN, 2, 3, 4, 5, 6, 7, 8},
    };

    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
        tsr_array *a = case_small(TSR_F64, 1, TSR_SHAPE(CELLS), values[i]), *narrow = NULL;
        double expected[RESULTS], result[RESULTS];

        CHECK_OK(tsr_astype(a, TSR_F32, &narrow));
        reduce(a, narrow, expected);
        for (size_t k = 0; k < sizeof modes / sizeof modes[0]; ++k) {
            reduce_in_mode(modes[k], a, narrow, result);
            for (int r = 0; r < RESULTS; ++r)
                CHECK_DOUBLE(result[r], expected[r], 0);
        }
        CHECK_OK(tsr_array_destroy(&a));
        CHECK_OK(tsr_array_destroy(&narrow));
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_as_exact_fractions_do),
        cmocka_unit_test(carries_in_time),
        cmocka_unit_test(special_values_win_as_in_numpy),
        cmocka_unit_test(sums_are_the_exact_value_rounded_once_on_every_layout),
        cmocka_unit_test(infinities_and_nan_on_each_rank_in_turn),
        cmocka_unit_test(results_are_rounded_in_no_other_mode),
    };
    return TSRT_RUN(argc, argv, tests);
}
