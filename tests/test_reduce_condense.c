/* ranks: 1 */
/* Few numbers with the exact sum of many, by each instruction set that this machine has. */
#include "kern/reduce_condense.h"
#include "support/layout_cases.h"
#include "support/reduce_cases.h"

#include <fenv.h>
#include <math.h>

enum { BLOCK = TSRI_CONDENSE_BLOCK };

static double number(uint64_t *seed, int spread)
{
    const double fraction = ldexp(
        (double)tsrt_random(seed, 1 << 30) * 0x1p30 + (double)tsrt_random(seed, 1 << 30), -60);
    const double value = ldexp(fraction, tsrt_random(seed, 2 * spread + 1) - spread);
    return tsrt_random(seed, 9) == 0 ? 0 : tsrt_random(seed, 2) == 0 ? value : -value;
}

/* The sums of both lists are the same integer. */
static void check_same_sum(int64_t n, const double *values, int count, const double *sums)
{
    big left = {{0}}, right = {{0}};
    for (int64_t i = 0; i < n; ++i)
        big_add(&left, values[i]);
    for (int i = 0; i < count; ++i)
        big_add(&right, sums[i]);
    CHECK_INT(big_compare(&left, &right), 0);
}

static void sums_are_kept(void **state)
{
    (void)state;
    static double values[BLOCK];
    double sums[TSRI_CONDENSED];
    uint64_t seed = 7;

    for (int trial = 0; trial < 600; ++trial) {
        const int64_t n = trial % 3 == 0 ? BLOCK : 1 + tsrt_random(&seed, BLOCK);
        const int spread = tsrt_random(&seed, 30), scale = tsrt_random(&seed, 2100) - 1080;
        for (int64_t i = 0; i < n; ++i)
            values[i] = ldexp(number(&seed, spread), scale);
        int expected = -1;
        for (int which = 0; tsri_condenser_at(which) != NULL; ++which) {
            const int count = tsri_condenser_at(which)->condense(n, values, sums);
            CHECK(count >= 0 && count <= TSRI_CONDENSED);
            if (count > 0) check_same_sum(n, values, count, sums);
            if (which > 0) CHECK_INT(count, expected);
            expected = count;
        }
    }
}

/* Data of moderate range must take the fast way: this is what makes it fast. */
static void ordinary_numbers_are_condensed(void **state)
{
    (void)state;
    static double values[BLOCK];
    double sums[TSRI_CONDENSED];
    uint64_t seed = 11;

    for (int64_t i = 0; i < BLOCK; ++i)
        values[i] = number(&seed, 3);
    for (int which = 0; tsri_condenser_at(which) != NULL; ++which)
        CHECK(tsri_condenser_at(which)->condense(BLOCK, values, sums) > 0);
    memset(values, 0, sizeof values);
    CHECK(tsri_condense(BLOCK, values, sums) > 0);
    CHECK_DOUBLE(sums[0], 0, 0);
    for (int i = 0; i < BLOCK; ++i)
        values[i] = i % 2 == 0 ? 0x1p-1074 : -0x1p-1060;
    const int count = tsri_condense(BLOCK, values, sums);
    CHECK(count > 0);
    check_same_sum(BLOCK, values, count, sums);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    const double bad[] = {HUGE_VAL, -HUGE_VAL, (double)NAN, 0x1.fffffffffffffp1023, 0x1p-60};
    double values[64], sums[TSRI_CONDENSED];

    for (int k = 0; k < 5; ++k)
        for (int at = 0; at < 64; at += 21) {
            for (int i = 0; i < 64; ++i)
                values[i] = 1;
            values[at] = bad[k];
            for (int which = 0; tsri_condenser_at(which) != NULL; ++which)
                CHECK_INT(tsri_condenser_at(which)->condense(64, values, sums), 0);
        }
}

static void products_are_cut_exactly(void **state)
{
    (void)state;
    enum { N = 333 };
    double x[2 * N], y[3 * N], products[N], errors[N];
    uint64_t seed = 3;

    for (int trial = 0; trial < 50; ++trial) {
        for (int i = 0; i < 3 * N; ++i) {
            if (i < 2 * N) x[i] = number(&seed, 100);
            y[i] = number(&seed, 100);
        }
        for (int which = 0; tsri_condenser_at(which) != NULL; ++which) {
            const tsri_condenser *c = tsri_condenser_at(which);
            if (!c->split(N, x, 2, y, 3, products, errors)) {
                CHECK(tsri_condenser_at(which + 1) == NULL);
                continue;
            }
            for (int i = 0; i < N; ++i) {
                CHECK_DOUBLE(products[i], x[2 * i] * y[3 * i], 0);
                CHECK_DOUBLE(errors[i], fma(x[2 * i], y[3 * i], -products[i]), 0);
            }
        }
    }
    const double bad[][2] = {
        {1e200, 1e200}, {1e-200, 1e-200}, {1e-150, 1e-145}, {HUGE_VAL, 1}, {(double)NAN, 1}};
    for (int k = 0; k < 5; ++k)
        for (int which = 0; tsri_condenser_at(which) != NULL; ++which) {
            for (int i = 0; i < N; ++i)
                x[i] = y[i] = 1;
            x[40] = bad[k][0];
            y[40] = bad[k][1];
            CHECK(!tsri_condenser_at(which)->split(N, x, 1, y, 1, products, errors));
        }
}

/* A program's rounding mode neither changes sums nor is changed. */
static void the_rounding_mode_does_not_matter(void **state)
{
    (void)state;
    static double values[BLOCK];
    double expected[TSRI_CONDENSED], sums[TSRI_CONDENSED];
    uint64_t seed = 5;

    for (int i = 0; i < BLOCK; ++i)
        values[i] = number(&seed, 4);
    const int count = tsri_condense(BLOCK, values, expected);
    CHECK(count > 0);
    CHECK_INT(fesetround(FE_UPWARD), 0);
    const int again = tsri_condense(BLOCK, values, sums);
    const int mode = fegetround();
    CHECK_INT(fesetround(FE_TONEAREST), 0);
    CHECK_INT(mode, FE_UPWARD);
    CHECK_INT(again, count);
    CHECK_INT(memcmp(expected, sums, (size_t)count * sizeof *sums), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_kept),
        cmocka_unit_test(ordinary_numbers_are_condensed),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(products_are_cut_exactly),
        cmocka_unit_test(the_rounding_mode_does_not_matter),
    };
    return TSRT_RUN(argc, argv, tests);
}
