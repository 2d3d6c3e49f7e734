/* ranks: 1 2 3 4 6 8 */
/* Inner products, means and norms are the exact value rounded once (norms to 1 ulp), so they have
 * the same bits at every rank count, on every layout and in every order of the elements. */
#include "support/exact_products.h"
#include "support/harness.h"
#include "support/reduce_cases.h"

enum { MOST = 64, LAYOUTS = 4 };

static tsr_layout_options layout_of(int which)
{
    return which == 0   ? (tsr_layout_options){.allow_empty = true}
           : which == 1 ? (tsr_layout_options){.split = TSR_AXIS(1), .allow_empty = true}
           : which == 2
               ? (tsr_layout_options){.split = TSR_AXES(0, 1), .allow_empty = true, .halo = {2, 1}}
               : (tsr_layout_options){.split = TSR_WHOLE};
}

static void check_one(const char *name, const char *what, double actual, double expected, int ulps)
{
    double low = expected, high = expected;
    for (int k = 0; k < ulps; ++k) {
        low = nextafter(low, -HUGE_VAL);
        high = nextafter(high, HUGE_VAL);
    }
    if (!(actual >= low && actual <= high))
        tsrt_fail(__FILE__, __LINE__, "%s, %s: %a instead of %a", name, what, actual, expected);
}

/* The elements of a case in another order: `turn` further, backwards when odd. */
static void reorder(const double *from, int n, int turn, double *to)
{
    for (int i = 0; i < n; ++i)
        to[(turn % 2 == 0 ? i + turn : n - 1 - i + turn) % n] = from[i];
}

static void check_case(int i, int which, int turn)
{
    const char *name = exact_products[i].name;
    const int n = exact_products[i].count;
    const int64_t columns = n % 4 == 0 ? 4 : n % 3 == 0 ? 3 : 1;
    const int64_t shape[] = {n / columns, columns};
    const tsr_layout_options options = layout_of(which);
    double x[MOST], y[MOST], norm = 0;
    tsr_scalar value;

    CHECK(n <= MOST);
    reorder(factor_x + exact_products[i].first, n, turn, x);
    reorder(factor_y + exact_products[i].first, n, turn, y);
    tsr_array *a = case_array(TSR_COMM_WORLD, TSR_F64, 2, shape, &options, x);
    tsr_array *b = case_array(TSR_COMM_WORLD, TSR_F64, 2, shape, &options, y);
    CHECK_OK(tsr_vdot(a, b, &value));
    check_one(name, "vdot", value.as.f, exact_products[i].dot, 0);
    CHECK_OK(tsr_mean(a, &value));
    check_one(name, "mean", value.as.f, exact_products[i].mean, 0);
    CHECK_OK(tsr_norm(a, 2, &norm));
    check_one(name, "norm", norm, exact_products[i].norm, 1);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
}

static void products_means_and_norms_are_exact_on_every_layout(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof exact_products / sizeof exact_products[0]; ++i)
        for (int which = 0; which < LAYOUTS; ++which)
            for (int turn = 0; turn < 3; ++turn)
                check_case((int)i, which, turn);
}

/* As two complex arrays x + iy and its like: (x + iy)(x - iy) has no imaginary part. */
static void complex_products_are_exact(void **state)
{
    (void)state;
    const double pairs[] = {1e200, 1e200, 3, 4, 1e-200, -1e-200};
    const double others[] = {1e200, -1e200, 1, 0, 1, 1};
    const tsr_layout_options options = {.allow_empty = true};
    tsr_array *a = case_array(TSR_COMM_WORLD, TSR_C128, 1, TSR_SHAPE(3), &options, pairs);
    tsr_array *b = case_array(TSR_COMM_WORLD, TSR_C128, 1, TSR_SHAPE(3), &options, others);
    tsr_scalar value;

    /* conj(1e200 + 1e200i) (1e200 - 1e200i) = -2e400 i; the rest is 3 - 4i and little */
    CHECK_OK(tsr_vdot(a, b, &value));
    CHECK_DOUBLE(value.as.c[0], 3, 0);
    CHECK_DOUBLE(value.as.c[1], -HUGE_VAL, 0);
    CHECK_OK(tsr_dot(a, b, &value));
    CHECK_DOUBLE(value.as.c[0], HUGE_VAL, 0);
    CHECK_DOUBLE(value.as.c[1], 4, 0);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
}

static void what_is_not_finite(void **state)
{
    (void)state;
    const double inf = HUGE_VAL, nan = (double)NAN;
    const struct {
        double x[2], y[2], dot, norm;
    } cases[] = {{{inf, 1}, {2, 1}, inf, inf},      {{inf, 1}, {-2, 1}, -inf, inf},
                 {{inf, 1}, {0, 1}, nan, inf},      {{inf, -inf}, {1, 1}, nan, inf},
                 {{-inf, -inf}, {1, -1}, nan, inf}, {{nan, 1}, {0, 0}, nan, nan}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        tsr_array *a = case_small(TSR_F64, 1, TSR_SHAPE(2), cases[i].x);
        tsr_array *b = case_small(TSR_F64, 1, TSR_SHAPE(2), cases[i].y);
        tsr_scalar value;
        double norm = 0;
        CHECK_OK(tsr_dot(a, b, &value));
        CHECK_DOUBLE(value.as.f, cases[i].dot, 0);
        CHECK_OK(tsr_norm(a, 2, &norm));
        CHECK_DOUBLE(norm, cases[i].norm, 0);
        CHECK_OK(tsr_array_destroy(&a));
        CHECK_OK(tsr_array_destroy(&b));
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_means_and_norms_are_exact_on_every_layout),
        cmocka_unit_test(complex_products_are_exact),
        cmocka_unit_test(what_is_not_finite),
    };
    return TSRT_RUN(argc, argv, tests);
}
