/* ranks: 1 2 3 4 6 8 */
/* The specification's examples of whole-array reductions: sections 9, 11 and 13. */
#include "support/reduce_cases.h"
#include "support/reduce_examples.h"

#include <math.h>

/* A reduction of an array, which is destroyed. */
typedef tsr_status reduction(const tsr_array *array, tsr_scalar *value);
static tsr_scalar reduced(reduction *call, tsr_array *a)
{
    tsr_scalar value;
    CHECK_OK(call(a, &value));
    CHECK_OK(tsr_array_destroy(&a));
    return value;
}

typedef tsr_status with_options(const tsr_array *array, const tsr_reduce_options *options,
                                tsr_scalar *value);
static tsr_scalar with_ddof(with_options *call, tsr_array *a, int64_t ddof)
{
    tsr_scalar value;
    CHECK_OK(call(a, &(tsr_reduce_options){.ddof = ddof}, &value));
    CHECK_OK(tsr_array_destroy(&a));
    return value;
}

static void R_1_R_2_R_3_R_4_of_1_to_12(void **state)
{
    (void)state;
    expect_real(reduced(tsr_sum, example_d()), TSR_I64, 78, 0);
    expect_real(reduced(tsr_prod, example_d()), TSR_I64, 479001600, 0);
    expect_real(reduced(tsr_min, example_d()), TSR_I64, 1, 0);
    expect_real(reduced(tsr_max, example_d()), TSR_I64, 12, 0);
    expect_real(reduced(tsr_mean, example_d()), TSR_F64, 6.5, 0);
    expect_real(reduced(tsr_var, example_d()), TSR_F64, 11.916666666666666, 0);
    expect_real(with_ddof(tsr_var_with, example_d(), 1), TSR_F64, 13, 0);
    expect_real(reduced(tsr_std, example_d()), TSR_F64, 3.452052529534663, 0);
    expect_real(with_ddof(tsr_std_with, example_d(), 1), TSR_F64, 3.605551275463989, 0);
}

static void R_5_R_17_all_and_any(void **state)
{
    (void)state;
    const double nan = (double)NAN;
    bool truth = false;
    tsr_array *a = case_small(TSR_BOOL, 1, TSR_SHAPE(3), (const bool[]){true, true, true});
    CHECK_OK(tsr_all(a, &truth));
    CHECK(truth);
    CHECK_OK(tsr_array_destroy(&a));
    a = case_small(TSR_BOOL, 2, TSR_SHAPE(2, 2), (const bool[4]){false});
    CHECK_OK(tsr_any(a, &truth));
    CHECK(!truth);
    CHECK_OK(tsr_array_destroy(&a));
    a = case_small(TSR_F64, 1, TSR_SHAPE(3), (const double[]){1, nan, -1});
    CHECK_OK(tsr_all(a, &truth));
    CHECK(truth);
    CHECK_OK(tsr_array_destroy(&a));
    a = case_small(TSR_F64, 1, TSR_SHAPE(2), (const double[]){0, nan});
    CHECK_OK(tsr_any(a, &truth));
    CHECK(truth);
    CHECK_OK(tsr_array_destroy(&a));
}

static void R_6_R_7_small_types(void **state)
{
    (void)state;
    const bool truths[] = {true, true, false};
    expect_real(reduced(tsr_sum, case_small(TSR_I8, 1, TSR_SHAPE(2), (const int8_t[]){100, 100})),
                TSR_I64, 200, 0);
    expect_real(reduced(tsr_sum, case_small(TSR_U8, 1, TSR_SHAPE(2), (const uint8_t[]){250, 10})),
                TSR_U64, 260, 0);
    expect_real(reduced(tsr_sum, case_small(TSR_BOOL, 1, TSR_SHAPE(3), truths)), TSR_I64, 2, 0);
    expect_real(reduced(tsr_mean, case_small(TSR_BOOL, 1, TSR_SHAPE(3), truths)), TSR_F64,
                0.6666666666666666, 0);
    expect_real(reduced(tsr_mean, case_small(TSR_F32, 1, TSR_SHAPE(3), (const float[]){1, 2, 4})),
                TSR_F32, (double)(7.0f / 3), 0);
}

static void R_8_R_9_R_10_complex(void **state)
{
    (void)state;
    expect_complex(reduced(tsr_sum, example_complex()), 2, 5);
    expect_complex(reduced(tsr_mean, example_complex()), 0.5, 1.25);
    expect_real(reduced(tsr_var, example_complex()), TSR_F64, 6.9375, 0);
    expect_real(with_ddof(tsr_var_with, example_complex(), 1), TSR_F64, 9.25, 0);
    expect_real(reduced(tsr_std, example_complex()), TSR_F64, 2.6339134382131846, 0);
    expect_complex(reduced(tsr_min, example_complex()), -2, 0);
    expect_complex(reduced(tsr_max, example_complex()), 3, -1);
    expect_complex(reduced(tsr_prod, example_complex()), 40, -40);
}

static void R_11_complex_extremes(void **state)
{
    (void)state;
    const double values[] = {1, 5, 3, -1, 3, 2, -2, 9};
    expect_complex(reduced(tsr_min, case_small(TSR_C128, 1, TSR_SHAPE(4), values)), -2, 9);
    expect_complex(reduced(tsr_max, case_small(TSR_C128, 1, TSR_SHAPE(4), values)), 3, 2);
}

static void R_12_R_13_empty(void **state)
{
    (void)state;
    tsr_array *a = example_empty();
    tsr_scalar value;
    bool truth = false;

    expect_real(reduced(tsr_sum, example_empty()), TSR_F64, 0, 0);
    expect_real(reduced(tsr_prod, example_empty()), TSR_F64, 1, 0);
    expect_real(reduced(tsr_mean, example_empty()), TSR_F64, (double)NAN, 0);
    expect_real(reduced(tsr_var, example_empty()), TSR_F64, (double)NAN, 0);
    CHECK_OK(tsr_all(a, &truth));
    CHECK(truth);
    CHECK_OK(tsr_any(a, &truth));
    CHECK(!truth);
    CHECK_STATUS(tsr_min(a, &value), TSR_ERR_VALUE);
    CHECK_TEXT("no elements");
    CHECK_OK(tsr_array_destroy(&a));
}

static void R_14_R_15_without_degrees_of_freedom(void **state)
{
    (void)state;
    const double values[] = {1, 2, 3};
    expect_real(with_ddof(tsr_var_with, case_small(TSR_F64, 1, TSR_SHAPE(1), (double[]){5}), 1),
                TSR_F64, (double)NAN, 0);
    for (int64_t ddof = 3; ddof < 6; ++ddof)
        expect_real(with_ddof(tsr_var_with, case_small(TSR_F64, 1, TSR_SHAPE(3), values), ddof),
                    TSR_F64, HUGE_VAL, 0);
}

static void R_16_variance_over_blocks(void **state)
{
    (void)state;
    const double values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    expect_real(reduced(tsr_var, case_small(TSR_F64, 1, TSR_SHAPE(10), values)), TSR_F64, 8.25, 0);
    expect_real(with_ddof(tsr_var_with, case_small(TSR_F64, 1, TSR_SHAPE(10), values), 1), TSR_F64,
                9.166666666666666, 0);
}

static void R_18_nan_on_each_rank_in_turn(void **state)
{
    (void)state;
    enum { LENGTH = 24 };
    reduction *const calls[] = {tsr_sum, tsr_prod, tsr_min, tsr_max, tsr_mean, tsr_var, tsr_std};
    double values[LENGTH], norm = 0;
    int64_t cell = -1;

    for (int at = 0; at < LENGTH; ++at) {
        for (int i = 0; i < LENGTH; ++i)
            values[i] = i == at ? (double)NAN : i % 5;
        for (int k = 0; k < 7; ++k)
            CHECK(isnan(reduced(calls[k], case_small(TSR_F64, 1, TSR_SHAPE(LENGTH), values)).as.f));
        tsr_array *a = case_small(TSR_F64, 2, TSR_SHAPE(6, 4), values);
        CHECK_OK(tsr_argmin(a, &cell));
        CHECK_INT(cell, at);
        CHECK_OK(tsr_argmax(a, &cell));
        CHECK_INT(cell, at);
        for (int order = 1; order <= 3; ++order) {
            CHECK_OK(tsr_norm(a, order < 3 ? order : HUGE_VAL, &norm));
            CHECK(isnan(norm));
        }
        CHECK_OK(tsr_array_destroy(&a));
    }
}

/* y = 2x + sin x */
static tsr_array *make_y(void)
{
    double y[8];
    for (int i = 0; i < 8; ++i)
        y[i] = 2 * (i * (1.0 / 7)) + sin(i * (1.0 / 7));
    return case_small(TSR_F64, 1, TSR_SHAPE(8), y);
}

static void R_19_R_63_of_a_curve(void **state)
{
    (void)state;
    tsr_array *a = make_y();
    double norm = 0;
    expect_real(reduced(tsr_sum, make_y()), TSR_F64, 11.633144897399504, 1e-14);
    expect_real(reduced(tsr_max, make_y()), TSR_F64, 2.8414709848078967, 1e-15);
    CHECK_OK(tsr_norm(a, 2, &norm));
    CHECK_DOUBLE(norm, 4.887094305532312, 2e-15);
    CHECK_OK(tsr_array_destroy(&a));
}

/* ---- options, truth -------------------------------------------------------------------------- */

static void a_type_can_be_asked_for(void **state)
{
    (void)state;
    const double values[] = {1.5, 2.7, -0.2, 300};
    tsr_array *a = case_small(TSR_F64, 1, TSR_SHAPE(4), values);
    tsr_scalar value;

    CHECK_OK(tsr_sum_with(a, &(tsr_reduce_options){.dtype = TSR_I16}, &value));
    CHECK_INT(value.dtype, TSR_I16);
    CHECK_INT(value.as.i, 303);
    CHECK_OK(tsr_sum_with(a, &(tsr_reduce_options){.dtype = TSR_BOOL}, &value));
    CHECK_INT(value.dtype, TSR_BOOL);
    CHECK(value.as.b);
    CHECK_OK(tsr_prod_with(a, &(tsr_reduce_options){.dtype = TSR_F32}, &value));
    expect_real(value, TSR_F32, (double)(float)(1.5 * 2.7 * -0.2 * 300), 1e-4);
    CHECK_OK(tsr_sum_with(a, &(tsr_reduce_options){.flags = TSR_FAST}, &value));
    expect_real(value, TSR_F64, 304, 1e-12);
    CHECK_STATUS(tsr_sum_with(a, &(tsr_reduce_options){.flags = 6}, &value), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_sum_with(a, &(tsr_reduce_options){.dtype = TSR_DTYPE_END}, &value),
                 TSR_ERR_TYPE);
    CHECK_STATUS(tsr_mean_with(a, &(tsr_reduce_options){.dtype = TSR_F32}, &value), TSR_ERR_TYPE);
    CHECK_STATUS(tsr_var_with(a, &(tsr_reduce_options){.ddof = INT64_MIN}, &value), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_sum_with(a, NULL, NULL), TSR_ERR_VALUE);
    CHECK_OK(tsr_array_destroy(&a));
}

static void a_mean_of_integers_does_not_wrap(void **state)
{
    (void)state;
    const int64_t large[] = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX - 4};
    const uint64_t larger[] = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
    expect_real(reduced(tsr_mean, case_small(TSR_I64, 1, TSR_SHAPE(4), large)), TSR_F64, 0x1p63, 0);
    expect_real(reduced(tsr_mean, case_small(TSR_U64, 1, TSR_SHAPE(3), larger)), TSR_F64, 0x1p64,
                0);
    expect_real(reduced(tsr_sum, case_small(TSR_I64, 1, TSR_SHAPE(4), large)), TSR_I64, -8, 0);
}

static void a_large_mean_does_not_spoil_the_variance(void **state)
{
    (void)state;
    double values[600];
    for (int i = 0; i < 600; ++i)
        values[i] = 1e6 + 3 * (i % 2 == 0 ? 1 : -1);
    expect_real(reduced(tsr_var, case_small(TSR_F64, 1, TSR_SHAPE(600), values)), TSR_F64, 9, 0);
    expect_real(reduced(tsr_std, case_small(TSR_F64, 2, TSR_SHAPE(20, 30), values)), TSR_F64, 3, 0);
}

static void truth_of_one_element(void **state)
{
    (void)state;
    const double values[] = {0.0, -0.0, (double)NAN, 2};
    bool truth = false;
    for (int i = 0; i < 4; ++i) {
        tsr_array *a = case_small(TSR_F64, 3, TSR_SHAPE(1, 1, 1), &values[i]);
        CHECK_OK(tsr_truth(a, &truth));
        CHECK_INT(truth, i >= 2);
        CHECK_OK(tsr_array_destroy(&a));
    }
    tsr_array *a = example_empty(), *b = example_d();
    CHECK_STATUS(tsr_truth(a, &truth), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_truth(b, &truth), TSR_ERR_VALUE);
    CHECK_TEXT("12 elements");
    CHECK_STATUS(tsr_truth(NULL, &truth), TSR_ERR_VALUE);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
}

/* As in NumPy: inner products of integers wrap in the promoted type, norms do not. */
static void inner_products_of_integers_wrap(void **state)
{
    (void)state;
    const int8_t small[] = {100, 100};
    const uint8_t other[] = {200, 200};
    tsr_array *a = case_small(TSR_I8, 1, TSR_SHAPE(2), small);
    tsr_array *b = case_small(TSR_U8, 1, TSR_SHAPE(2), other);
    tsr_scalar value;
    double norm = 0;

    CHECK_OK(tsr_vdot(a, a, &value));
    expect_real(value, TSR_I8, 32, 0);
    CHECK_OK(tsr_dot(a, b, &value));
    expect_real(value, TSR_I16, 40000 - 65536, 0);
    CHECK_OK(tsr_norm(a, 2, &norm));
    CHECK_DOUBLE(norm, 141.4213562373095, 1e-13);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
}

/* The element of a vector, on all ranks. */
static double element_of(const tsr_array *a, int64_t i)
{
    tsr_scalar value;
    CHECK_OK(tsr_get(a, &i, &value));
    return value.as.f;
}

static void T_4_of_a_wave(void **state)
{
    (void)state;
    const double tops[] = {1.26227819, 1.25379625, 1.22861583};
    tsr_layout *layout = NULL;
    tsr_array *w = NULL, *means = NULL, *largest = NULL;
    tsr_scalar value;
    int64_t cell = 0;

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(96, 96),
                               &(tsr_layout_options){.split = TSR_AXES(0, 1)}, &layout));
    CHECK_OK(tsr_zeros(layout, TSR_F64, &w));
    CHECK_OK(tsr_eval(w, "sin(2*pi*i0/96)*cos(4*pi*i1/96) + i0/96"));
    CHECK_OK(tsr_max(w, &value));
    CHECK_DOUBLE(value.as.f, 1.7622781947071435, 1e-15);
    CHECK_OK(tsr_argmax(w, &cell));
    CHECK_INT(cell, 7128);
    CHECK_OK(tsr_get(w, TSR_SHAPE(10, 20), &value));
    CHECK_DOUBLE(value.as.f, -0.42303619569900236, 1e-15);
    CHECK_OK(tsr_mean_axes(w, TSR_AXIS(1), NULL, &means));
    CHECK_DOUBLE(element_of(means, 48), 0.5, 1e-8);
    CHECK_OK(tsr_max_axes(w, TSR_AXIS(0), NULL, &largest));
    for (int i = 0; i < 3; ++i)
        CHECK_DOUBLE(element_of(largest, i), tops[i], 1e-8);
    CHECK_OK(tsr_array_destroy(&w));
    CHECK_OK(tsr_array_destroy(&means));
    CHECK_OK(tsr_array_destroy(&largest));
    CHECK_OK(tsr_layout_destroy(&layout));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(R_1_R_2_R_3_R_4_of_1_to_12),
        cmocka_unit_test(R_5_R_17_all_and_any),
        cmocka_unit_test(R_6_R_7_small_types),
        cmocka_unit_test(R_8_R_9_R_10_complex),
        cmocka_unit_test(R_11_complex_extremes),
        cmocka_unit_test(R_12_R_13_empty),
        cmocka_unit_test(R_14_R_15_without_degrees_of_freedom),
        cmocka_unit_test(R_16_variance_over_blocks),
        cmocka_unit_test(R_18_nan_on_each_rank_in_turn),
        cmocka_unit_test(R_19_R_63_of_a_curve),
        cmocka_unit_test(R_45_R_46_R_49_first_of_equals),
        cmocka_unit_test(places_are_compared_in_the_type_itself),
        cmocka_unit_test(R_52_R_53_refused_places),
        cmocka_unit_test(R_58_R_59_R_62_products_and_norms),
        cmocka_unit_test(R_60_dot),
        cmocka_unit_test(R_61_refused_norms),
        cmocka_unit_test(a_type_can_be_asked_for),
        cmocka_unit_test(a_mean_of_integers_does_not_wrap),
        cmocka_unit_test(a_large_mean_does_not_spoil_the_variance),
        cmocka_unit_test(truth_of_one_element),
        cmocka_unit_test(inner_products_of_integers_wrap),
        cmocka_unit_test(T_4_of_a_wave),
    };
    return TSRT_RUN(argc, argv, tests);
}
