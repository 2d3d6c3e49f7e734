/* ranks: 1 2 3 4 6 8 */
#include "support/cells.h"

#include <math.h>

/* Every rank may own nothing, so that all rank counts fit. */
static const tsr_layout_options anywhere = {.allow_empty = true};
static const tsr_layout_options with_halo = {.allow_empty = true, .halo = {2}};

/* The cells this rank owns are these, its halo cells are 0; then the array goes. */
static void check_values(tsr_array *array, tsr_dtype dtype, int64_t n, const double *expected)
{
    const tsr_view view = tsr_local(array);

    CHECK_INT(tsr_array_dtype(array), dtype);
    CHECK_INT(tsr_array_ndim(array), 1);
    CHECK_INT(tsr_array_cells(array), n);
    for (int64_t k = 0; k < stored_cells(&view); ++k) {
        int64_t i;
        const bool owned = stored_cell(&view, k, &i);
        CHECK_DOUBLE(cell_value(&view, &i), owned ? expected[view.start[0] + i] : 0, 0);
    }
    tsr_array_destroy(&array);
}
#define CHECK_VALUES(array, dtype, ...)                                                            \
    check_values((array), (dtype), sizeof((double[]){__VA_ARGS__}) / sizeof(double),               \
                 (double[]){__VA_ARGS__})

static tsr_array *arange(tsr_scalar start, tsr_scalar stop, tsr_scalar step, tsr_dtype dtype,
                         const tsr_layout_options *options)
{
    tsr_array *array = NULL;

    CHECK_OK(tsr_arange(TSR_COMM_WORLD, start, stop, step, dtype, options, &array));
    return array;
}

static tsr_array *linspace(double start, double stop, int64_t num, bool endpoint, tsr_dtype dtype)
{
    tsr_array *array = NULL;

    CHECK_OK(tsr_linspace(TSR_COMM_WORLD, tsr_f64(start), tsr_f64(stop), num, endpoint, dtype,
                          &with_halo, &array));
    return array;
}

/* ---- arange ---------------------------------------------------------------------------------- */

static void C_5_to_C_7_arange(void **state)
{
    const tsr_scalar one = tsr_i64(1);

    (void)state;
    CHECK_VALUES(arange(tsr_i64(2), tsr_i64(17), tsr_i64(3), TSR_AUTO, &with_halo), TSR_I64, 2, 5,
                 8, 11, 14);
    CHECK_VALUES(arange(tsr_i64(5), tsr_i64(-3), tsr_i64(-2), TSR_AUTO, &with_halo), TSR_I64, 5, 3,
                 1, -1);
    CHECK_VALUES(arange(tsr_f64(-2.5), tsr_i64(3), one, TSR_AUTO, &with_halo), TSR_F64, -2.5, -1.5,
                 -0.5, 0.5, 1.5, 2.5);
}

static void C_8_to_C_10_arange_in_double(void **state)
{
    const tsr_scalar zero = tsr_i64(0), tenth = tsr_f64(0.1);

    (void)state;
    CHECK_VALUES(arange(zero, tsr_i64(1), tenth, TSR_AUTO, &anywhere), TSR_F64, 0, 0.1, 0.2,
                 0.30000000000000004, 0.4, 0.5, 0.6000000000000001, 0.7000000000000001, 0.8, 0.9);
    CHECK_VALUES(arange(zero, tsr_f64(0.3), tenth, TSR_AUTO, &anywhere), TSR_F64, 0, 0.1, 0.2);
    CHECK_VALUES(arange(tsr_i64(1), tsr_f64(1.3), tenth, TSR_AUTO, &anywhere), TSR_F64, 1, 1.1, 1.2,
                 1 + 3 * 0.1);
}

static void C_11_C_12_empty_arange(void **state)
{
    const tsr_scalar three = tsr_i64(3), one = tsr_i64(1);
    tsr_array *array = NULL;

    (void)state;
    check_values(arange(three, three, one, TSR_AUTO, &(tsr_layout_options){.split = TSR_WHOLE}),
                 TSR_I64, 0, NULL);
    check_values(arange(tsr_i64(9), three, one, TSR_AUTO, &anywhere), TSR_I64, 0, NULL);
    if (tsrt_size() == 1) {
        check_values(arange(three, three, one, TSR_AUTO, NULL), TSR_I64, 0, NULL);
    } else {
        CHECK_STATUS(tsr_arange(TSR_COMM_WORLD, three, three, one, TSR_AUTO, NULL, &array),
                     TSR_ERR_VALUE);
        CHECK(array == NULL);
    }
}

/* Values first, then the type; integers of every kind count as integers. */
static void arange_types(void **state)
{
    const tsr_scalar zero = tsr_u64(0), four = tsr_u8(4), one = tsr_bool(true);

    (void)state;
    CHECK_VALUES(arange(zero, four, one, TSR_AUTO, &with_halo), TSR_I64, 0, 1, 2, 3);
    CHECK_VALUES(arange(zero, four, one, TSR_C64, &with_halo), TSR_C64, 0, 1, 2, 3);
    CHECK_VALUES(arange(zero, four, one, TSR_BOOL, &with_halo), TSR_BOOL, 0, 1, 1, 1);
    CHECK_VALUES(arange(tsr_f32(-1), tsr_i64(1), tsr_f64(0.5), TSR_I32, &anywhere), TSR_I32, -1, 0,
                 0, 0);
    CHECK_VALUES(arange(tsr_i64(254), tsr_i64(258), one, TSR_U8, &anywhere), TSR_U8, 254, 255, 0,
                 1);
}

/* Beyond the 53 bits of a double, at both ends of the range. */
static void arange_of_large_integers(void **state)
{
    const int64_t start[] = {INT64_MAX - 3, INT64_MIN, INT64_MIN, (INT64_C(1) << 53) + 1};
    const int64_t stop[] = {INT64_MAX, INT64_MIN + 3, INT64_MAX, (INT64_C(1) << 53) + 4};
    const int64_t step[] = {1, 1, INT64_C(1) << 62, 1}, count[] = {3, 3, 4, 3};

    (void)state;
    for (int c = 0; c < 4; ++c) {
        tsr_array *array =
            arange(tsr_i64(start[c]), tsr_i64(stop[c]), tsr_i64(step[c]), TSR_AUTO, &anywhere);
        const tsr_view view = tsr_local(array);
        CHECK_INT(tsr_array_cells(array), count[c]);
        for (int64_t i = 0; i < view.extent[0]; ++i)
            CHECK_INT(
                TSR_AT(int64_t, view, i),
                (int64_t)((uint64_t)start[c] + (uint64_t)(view.start[0] + i) * (uint64_t)step[c]));
        tsr_array_destroy(&array);
    }
}

/* More values than one block of the loop that makes them. */
static void long_ranges(void **state)
{
    tsr_array *a = arange(tsr_i64(-7), tsr_i64(9993), tsr_i64(1), TSR_F32, &with_halo), *b = NULL;
    const tsr_view view = tsr_local(a);

    (void)state;
    for (int64_t i = 0; i < view.extent[0]; ++i)
        CHECK_DOUBLE(TSR_AT(float, view, i), (double)(view.start[0] + i - 7), 0);
    CHECK_OK(
        tsr_linspace(TSR_COMM_WORLD, tsr_i64(0), tsr_i64(9999), 10000, true, TSR_U16, NULL, &b));
    const tsr_view w = tsr_local(b);
    for (int64_t i = 0; i < w.extent[0]; ++i)
        CHECK_INT(TSR_AT(uint16_t, w, i), w.start[0] + i);
    tsr_array_destroy(&a);
    tsr_array_destroy(&b);
}

/* Before an update the halo cells are 0, on a periodic axis too. */
static void X_5_arange_before_an_update(void **state)
{
    (void)state;
    CHECK_VALUES(arange(tsr_i64(0), tsr_i64(6), tsr_i64(1), TSR_AUTO,
                        &(tsr_layout_options){.allow_empty = true, .halo = {1}, .periodic = 1}),
                 TSR_I64, 0, 1, 2, 3, 4, 5);
}

/* ---- linspace -------------------------------------------------------------------------------- */

static void C_13_to_C_18_linspace(void **state)
{
    (void)state;
    CHECK_VALUES(linspace(0, 1, 5, true, TSR_AUTO), TSR_F64, 0, 0.25, 0.5, 0.75, 1);
    CHECK_VALUES(linspace(0, 1, 5, false, TSR_AUTO), TSR_F64, 0, 0.2, 0.4, 0.6000000000000001, 0.8);
    CHECK_VALUES(linspace(-3, 7, 6, true, TSR_AUTO), TSR_F64, -3, -1, 1, 3, 5, 7);
    CHECK_VALUES(linspace(2, 2, 3, true, TSR_AUTO), TSR_F64, 2, 2, 2);
    CHECK_VALUES(linspace(0, 1, 1, true, TSR_AUTO), TSR_F64, 0);
    CHECK_VALUES(linspace(1, 0, 1, false, TSR_AUTO), TSR_F64, 1);
    check_values(linspace(1, 0, 0, true, TSR_AUTO), TSR_F64, 0, NULL);
    check_values(linspace(1, 0, 0, false, TSR_AUTO), TSR_F64, 0, NULL);
}

static void C_19_C_20_linspace_truncates(void **state)
{
    (void)state;
    CHECK_VALUES(linspace(0, 10, 4, true, TSR_I64), TSR_I64, 0, 3, 6, 10);
    CHECK_VALUES(linspace(-1, 1, 4, true, TSR_I64), TSR_I64, -1, 0, 0, 1);
}

static void C_21_linspace_ends_exactly(void **state)
{
    (void)state;
    CHECK_VALUES(linspace(0, 1, 11, true, TSR_AUTO), TSR_F64, 0, 0.1, 0.2, 0.30000000000000004, 0.4,
                 0.5, 0.6000000000000001, 0.7000000000000001, 0.8, 0.9, 1);
    /* 49 times 1/49 is not 1 in double. */
    tsr_array *array = linspace(0, 1, 50, true, TSR_AUTO);
    const tsr_view view = tsr_local(array);
    if (view.start[0] + view.extent[0] == 50 && view.extent[0] > 0)
        CHECK_DOUBLE(TSR_AT(double, view, view.extent[0] - 1), 1, 0);
    tsr_array_destroy(&array);
}

static void linspace_complex(void **state)
{
    tsr_array *array = NULL;

    (void)state;
    CHECK_OK(tsr_linspace(TSR_COMM_WORLD, tsr_i64(1), tsr_c128(3, -4), 5, true, TSR_AUTO, &anywhere,
                          &array));
    CHECK_INT(tsr_array_dtype(array), TSR_C128);
    const tsr_view view = tsr_local(array);
    for (int64_t i = 0; i < view.extent[0]; ++i) {
        double parts[2];
        cell_parts(&view, &i, parts);
        CHECK_DOUBLE(parts[0], 1 + 0.5 * (double)(view.start[0] + i), 0);
        CHECK_DOUBLE(parts[1], -(double)(view.start[0] + i), 0);
    }
    tsr_array_destroy(&array);
}

/* ---- refused --------------------------------------------------------------------------------- */

static void refuse_arange(tsr_scalar start, tsr_scalar stop, tsr_scalar step, tsr_dtype dtype,
                          tsr_status status, const char *text)
{
    tsr_array *array = (tsr_array *)&array;

    CHECK_STATUS(tsr_arange(TSR_COMM_WORLD, start, stop, step, dtype, &anywhere, &array), status);
    CHECK(array == NULL);
    CHECK_TEXT(text);
    check_same_text();
}

static void arange_refuses(void **state)
{
    const tsr_scalar zero = tsr_i64(0), one = tsr_i64(1), ten = tsr_i64(10);
    const tsr_scalar nothing = {.dtype = TSR_AUTO};

    (void)state;
    refuse_arange(zero, ten, zero, TSR_AUTO, TSR_ERR_VALUE, "step is 0");
    refuse_arange(zero, ten, tsr_f64(-0.0), TSR_AUTO, TSR_ERR_VALUE, "step is 0");
    refuse_arange(tsr_f64(NAN), ten, one, TSR_AUTO, TSR_ERR_VALUE, "start is not finite");
    refuse_arange(zero, tsr_f32(INFINITY), one, TSR_AUTO, TSR_ERR_VALUE, "stop is not finite");
    refuse_arange(zero, ten, tsr_f64(INFINITY), TSR_AUTO, TSR_ERR_VALUE, "step is not finite");
    refuse_arange(zero, tsr_c64(1, 0), one, TSR_AUTO, TSR_ERR_TYPE, "stop is complex");
    refuse_arange(zero, ten, nothing, TSR_AUTO, TSR_ERR_VALUE, "step has type 0");
    refuse_arange(zero, ten, one, (tsr_dtype)99, TSR_ERR_TYPE, "dtype is 99");
    refuse_arange(zero, ten, tsr_f64(1e-300), TSR_AUTO, TSR_ERR_OVERFLOW, "1e+301 values");
    refuse_arange(tsr_f64(-1e308), tsr_f64(1e308), one, TSR_AUTO, TSR_ERR_OVERFLOW, "inf values");
    refuse_arange(zero, tsr_u64(UINT64_MAX), one, TSR_AUTO, TSR_ERR_OVERFLOW,
                  "stop is 18446744073709551615");
    refuse_arange(zero, tsr_i64(INT64_MAX), one, TSR_AUTO, TSR_ERR_OVERFLOW, "");
}

static void linspace_refuses(void **state)
{
    tsr_array *array = (tsr_array *)&array;
    const tsr_scalar zero = tsr_i64(0), one = tsr_i64(1);

    (void)state;
    CHECK_STATUS(tsr_linspace(TSR_COMM_WORLD, zero, one, -1, true, TSR_AUTO, NULL, &array),
                 TSR_ERR_VALUE);
    CHECK_TEXT("num is -1");
    CHECK_STATUS(tsr_linspace(TSR_COMM_WORLD, zero, one, INT64_MIN, true, TSR_AUTO, NULL, &array),
                 TSR_ERR_VALUE);
    CHECK(array == NULL);
    CHECK_STATUS(
        tsr_linspace(TSR_COMM_WORLD, zero, tsr_c64(0, NAN), 9, true, TSR_AUTO, NULL, &array),
        TSR_ERR_VALUE);
    CHECK_TEXT("stop is not finite");
    CHECK_STATUS(tsr_linspace(TSR_COMM_WORLD, tsr_f64(-1e308), tsr_f64(1e308), 9, true, TSR_AUTO,
                              NULL, &array),
                 TSR_ERR_OVERFLOW);
    CHECK_STATUS(tsr_linspace(TSR_COMM_WORLD, zero, one, 9, true, TSR_AUTO, NULL, NULL),
                 TSR_ERR_VALUE);
    check_same_text();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C_5_to_C_7_arange),
        cmocka_unit_test(C_8_to_C_10_arange_in_double),
        cmocka_unit_test(C_11_C_12_empty_arange),
        cmocka_unit_test(arange_types),
        cmocka_unit_test(arange_of_large_integers),
        cmocka_unit_test(long_ranges),
        cmocka_unit_test(X_5_arange_before_an_update),
        cmocka_unit_test(C_13_to_C_18_linspace),
        cmocka_unit_test(C_19_C_20_linspace_truncates),
        cmocka_unit_test(C_21_linspace_ends_exactly),
        cmocka_unit_test(linspace_complex),
        cmocka_unit_test(arange_refuses),
        cmocka_unit_test(linspace_refuses),
    };
    return TSRT_RUN(argc, argv, tests);
}
