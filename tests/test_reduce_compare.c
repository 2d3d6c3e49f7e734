/* ranks: 1 2 3 4 6 8 */
#include "support/harness.h"
#include "support/reduce_cases.h"

#include <math.h>

enum { LENGTH = 12 };

static bool are_close(const tsr_array *a, const tsr_array *b, bool equal_nan)
{
    bool close = false;
    CHECK_OK(tsr_allclose(a, b, TSR_RTOL, TSR_ATOL, equal_nan, &close));
    return close;
}

static bool are_equal(const tsr_array *a, const tsr_array *b, bool equal_nan)
{
    bool equal = false, swapped = false;
    CHECK_OK(tsr_array_equal(a, b, equal_nan, &equal));
    CHECK_OK(tsr_array_equal(b, a, equal_nan, &swapped));
    CHECK_INT(equal, swapped);
    return equal;
}

static void E_55_allclose(void **state)
{
    (void)state;
    double a[LENGTH], near[LENGTH], far[LENGTH];
    for (int i = 0; i < LENGTH; ++i) {
        a[i] = i;
        near[i] = i + 1e-9;
        far[i] = i + 1;
    }
    tsr_array *x = case_small(TSR_F64, 2, TSR_SHAPE(4, 3), a);
    tsr_array *y = case_small(TSR_F64, 2, TSR_SHAPE(4, 3), near);
    tsr_array *z = case_small(TSR_F64, 2, TSR_SHAPE(4, 3), far);
    CHECK(are_close(x, y, false));
    CHECK(!are_close(x, z, false));
    CHECK_OK(tsr_array_destroy(&y));
    CHECK_OK(tsr_array_destroy(&z));

    /* one element that differs, on each rank in turn */
    for (int at = 0; at < LENGTH; ++at) {
        memcpy(near, a, sizeof near);
        near[at] += 0.1;
        y = case_small(TSR_F64, 2, TSR_SHAPE(4, 3), near);
        CHECK(!are_close(x, y, false));
        CHECK(!are_equal(x, y, false));
        CHECK_OK(tsr_array_destroy(&y));
    }
    CHECK_OK(tsr_array_destroy(&x));
}

/* Closeness of one pair of numbers, as an array of one element. */
static bool pair_is_close(tsr_dtype dtype, const void *a, const void *b, double rtol, double atol,
                          bool equal_nan)
{
    tsr_array *x = case_small(dtype, 1, TSR_SHAPE(1), a),
              *y = case_small(dtype, 1, TSR_SHAPE(1), b);
    bool close = false;
    CHECK_OK(tsr_allclose(x, y, rtol, atol, equal_nan, &close));
    CHECK_OK(tsr_array_destroy(&x));
    CHECK_OK(tsr_array_destroy(&y));
    return close;
}

static void E_52_E_53_E_54_as_isclose(void **state)
{
    (void)state;
    const double inf = HUGE_VAL, nan = (double)NAN;
    const struct {
        double a, b, rtol, atol;
        bool equal_nan, close;
    } cases[] = {{1, 1.00001, 1e-5, 1e-8, false, true}, {1, 1.0001, 1e-5, 1e-8, false, false},
                 {inf, inf, 1e-5, 1e-8, false, true},   {nan, nan, 1e-5, 1e-8, false, false},
                 {0, 1e-9, 1e-5, 1e-8, false, true},    {1e10, 1.00001e10, 1e-5, 1e-8, false, true},
                 {inf, -inf, 1e-5, 1e-8, false, false}, {1e300, inf, 1e-5, 1e-8, false, false},
                 {nan, nan, 1e-5, 1e-8, true, true},    {1, 1.1, 0.1, 0, false, true},
                 {1.1, 1, 0.0999, 0, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const double a[] = {cases[i].a, 1}, b[] = {cases[i].b, 1};
        CHECK_INT(pair_is_close(TSR_F64, a, b, cases[i].rtol, cases[i].atol, cases[i].equal_nan),
                  cases[i].close);
        if (isfinite(cases[i].a) && isfinite(cases[i].b) && cases[i].atol > 0)
            CHECK_INT(pair_is_close(TSR_C128, a, b, cases[i].rtol, cases[i].atol, false),
                      fabs(a[0] - b[0]) <= 1e-8 + 1e-5 * hypot(b[0], 1));
    }
    const float f[] = {1, 1.000009f, 2};
    CHECK(pair_is_close(TSR_F32, &f[0], &f[1], 1e-5, 1e-8, false));
    CHECK(!pair_is_close(TSR_F32, &f[0], &f[2], 1e-5, 1e-8, false));
    const int8_t small[] = {-128, 127};
    CHECK(!pair_is_close(TSR_I8, &small[0], &small[1], 1e-5, 1e-8, false));
}

static tsr_array *numbers(const tsr_layout_options *options, tsr_dtype dtype, int64_t rows)
{
    static const int64_t values[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
    tsr_array *a = case_array(TSR_COMM_WORLD, TSR_I64, 2, TSR_SHAPE(rows, 3), options, values);
    tsr_array *converted = NULL;
    CHECK_OK(tsr_astype(a, dtype, &converted));
    CHECK_OK(tsr_array_destroy(&a));
    return converted;
}

static void E_56_array_equal_on_any_layouts_and_types(void **state)
{
    (void)state;
    const tsr_layout_options layouts[] = {{.allow_empty = true},
                                          {.split = TSR_WHOLE, .halo = {1, 0}},
                                          {.split = TSR_AXES(1), .allow_empty = true},
                                          {.allow_empty = true, .halo = {2, 1}},
                                          {.split = TSR_AXES(0, 1), .allow_empty = true}};
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j)
            for (tsr_dtype dtype = TSR_I8; dtype < TSR_DTYPE_END; ++dtype) {
                tsr_array *a = numbers(&layouts[i], (i + j) % 2 == 0 ? TSR_I64 : TSR_U64, 4);
                tsr_array *b = numbers(&layouts[j], dtype, 4);
                tsr_array *rows = numbers(&layouts[j], dtype, 2);
                CHECK(are_equal(a, b, false));
                CHECK(are_equal(a, b, true));
                const tsri_counters before = tsri_counters_read();
                CHECK(!are_equal(a, rows, false));
                CHECK_INT(tsri_counters_read().messages, before.messages);
                CHECK_OK(tsr_array_destroy(&a));
                CHECK_OK(tsr_array_destroy(&b));
                CHECK_OK(tsr_array_destroy(&rows));
            }
}

static void E_57_nan(void **state)
{
    (void)state;
    const double values[] = {1, (double)NAN, 3};
    tsr_array *a = case_small(TSR_F64, 1, TSR_SHAPE(3), values);
    tsr_array *b = case_small(TSR_F64, 1, TSR_SHAPE(3), values);
    CHECK(!are_equal(a, b, false));
    CHECK(are_equal(a, b, true));
    CHECK(!are_close(a, b, false));
    CHECK(are_close(a, b, true));
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
}

static void large_integers_are_compared_exactly(void **state)
{
    (void)state;
    const int64_t signed_[] = {INT64_MAX, -1, 0};
    const uint64_t same[] = {INT64_MAX, UINT64_MAX, 0}, off[] = {(uint64_t)INT64_MAX + 1, 0, 0};
    tsr_array *a = case_small(TSR_I64, 1, TSR_SHAPE(1), signed_);
    tsr_array *b = case_small(TSR_U64, 1, TSR_SHAPE(1), same);
    tsr_array *c = case_small(TSR_U64, 1, TSR_SHAPE(1), off);
    tsr_array *d = case_small(TSR_I64, 1, TSR_SHAPE(1), signed_ + 1);
    tsr_array *e = case_small(TSR_U64, 1, TSR_SHAPE(1), same + 1);
    CHECK(are_equal(a, b, false));
    CHECK(!are_equal(a, c, false));
    CHECK(!are_equal(d, e, false));
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_array_destroy(&c));
    CHECK_OK(tsr_array_destroy(&d));
    CHECK_OK(tsr_array_destroy(&e));
}

static void refused(void **state)
{
    (void)state;
    tsr_array *a = case_small(TSR_F64, 1, TSR_SHAPE(4), (const double[4]){0});
    tsr_array *b = case_array(TSR_COMM_SELF, TSR_F64, 1, TSR_SHAPE(4),
                              &(tsr_layout_options){.halo = {1}}, (const double[4]){0});
    bool answer = true;
    CHECK_STATUS(tsr_allclose(a, b, TSR_RTOL, TSR_ATOL, false, &answer), TSR_ERR_VALUE);
    CHECK(!answer);
    CHECK_STATUS(tsr_array_equal(a, b, false, &answer), tsrt_size() > 1 ? TSR_ERR_VALUE : TSR_OK);
    CHECK_INT(answer, tsrt_size() == 1); /* of one rank: a duplicate of the world */
    CHECK_STATUS(tsr_array_equal(a, NULL, false, &answer), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_array_equal(a, a, false, NULL), TSR_ERR_VALUE);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(E_55_allclose),
        cmocka_unit_test(E_52_E_53_E_54_as_isclose),
        cmocka_unit_test(E_56_array_equal_on_any_layouts_and_types),
        cmocka_unit_test(E_57_nan),
        cmocka_unit_test(large_integers_are_compared_exactly),
        cmocka_unit_test(refused),
    };
    return TSRT_RUN(argc, argv, tests);
}
