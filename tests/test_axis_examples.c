/* ranks: 1 2 3 4 6 8 */
/* The specification's examples of reductions along axes: sections 10, 11 and 12. */
#include "support/data_in.h"
#include "support/harness.h"
#include "support/reduce_cases.h"

#include <math.h>
#include <stdio.h>

static const double nan_ = (double)NAN;
static const int64_t d[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

static tsr_array *make_d(void)
{
    return case_small(TSR_I64, 2, TSR_SHAPE(4, 3), d);
}

static const tsr_reduce_options kept = {.keep = true};

/* ---- layouts of results ---------------------------------------------------------------------- */

enum { MOST_AXES = 3 };
typedef struct layout_case {
    const char *id;
    int ranks, ndim;
    int64_t shape[MOST_AXES];
    tsr_layout_options options;
    tsr_axes reduced;
    int result_ndim;
    int64_t result_shape[MOST_AXES];
    int grid[MOST_AXES]; /* all 1: replicated */
    const char *cuts;    /* of all axes with more than one block */
} layout_case;

static const int64_t cuts_018[] = {0, 1, 8};

#define SPLIT_2(a, b)                                                                              \
    {                                                                                              \
        .split = TSR_AXES(a, b)                                                                    \
    }
static const layout_case layout_cases[] = {
    {"R-20", 3, 2, {9, 5}, {0}, TSR_AXIS(1), 1, {9}, {3}, "0 3 6 9"},
    {"R-21", 6, 3, {12, 9, 4}, SPLIT_2(0, 1), TSR_AXIS(2), 2, {12, 9}, {2, 3}, "0 6 12 0 3 6 9"},
    {"R-22", 6, 3, {12, 9, 4}, SPLIT_2(0, 1), TSR_AXIS(0), 2, {9, 4}, {6, 1}, "0 2 4 6 7 8 9"},
    {"R-23", 6, 3, {12, 9, 4}, SPLIT_2(0, 1), TSR_AXES(0, 1), 1, {4}, {1}, ""},
    {"R-24", 4, 2, {12, 10}, SPLIT_2(0, 1), TSR_AXIS(0), 1, {10}, {4}, "0 3 6 8 10"},
    {"R-25", 4, 2, {12, 10}, SPLIT_2(0, 1), TSR_AXIS(1), 1, {12}, {4}, "0 3 6 9 12"},
    {"R-26", 4, 2, {12, 3}, SPLIT_2(0, 1), TSR_AXIS(0), 1, {3}, {1}, ""},
    {"R-27", 4, 2, {8, 6}, {0}, TSR_AXIS(0), 1, {6}, {1}, ""},
    {"R-28",
     8,
     3,
     {8, 8, 8},
     {.split = TSR_AXES(0, 1, 2)},
     TSR_AXIS(1),
     2,
     {8, 8},
     {2, 4},
     "0 4 8 0 2 4 6 8"},
    {"R-29", 2, 2, {8, 6}, SPLIT_2(0, 1), TSR_AXIS(1), 1, {8}, {2}, "0 4 8"},
    {"R-30", 2, 2, {8, 6}, {.process_grid = {1, 2}}, TSR_AXIS(1), 1, {8}, {1}, ""},
    {"R-31", 2, 2, {8, 3}, {.cuts = {cuts_018}, .ncuts = {3}}, TSR_AXIS(1), 1, {8}, {2}, "0 1 8"},
};

/* The cut points of the axes with more than one block, as text. */
static void write_cuts(const tsr_layout *layout, char *text, size_t size)
{
    int64_t cuts[16];
    size_t length = 0;

    text[0] = 0;
    for (int a = 0; a < tsr_layout_ndim(layout); ++a) {
        const int blocks = tsr_layout_process_grid(layout)[a];
        if (blocks == 1) continue;
        CHECK_OK(tsr_layout_cuts(layout, a, cuts));
        for (int k = 0; k <= blocks; ++k)
            length += (size_t)snprintf(text + length, size - length, "%s%lld",
                                       length == 0 ? "" : " ", (long long)cuts[k]);
    }
}

static int64_t cells_of(int ndim, const int64_t *shape)
{
    int64_t cells = 1;
    for (int a = 0; a < ndim; ++a)
        cells *= shape[a];
    return cells;
}

/* Cell i holds i; the sum over axes, from a loop over all cells. */
static void expected_sums(const layout_case *c, double *sums)
{
    for (int64_t i = 0; i < cells_of(c->ndim, c->shape); ++i) {
        int64_t index[MOST_AXES], rest = i, cell = 0;
        for (int a = c->ndim - 1; a >= 0; --a) {
            index[a] = rest % c->shape[a];
            rest /= c->shape[a];
        }
        for (int a = 0; a < c->ndim; ++a)
            if ((c->reduced >> a & 1u) == 0) cell = cell * c->shape[a] + index[a];
        sums[cell] += (double)i;
    }
}

static void check_layout(const layout_case *c, tsr_comm comm)
{
    enum { MOST_CELLS = 512 };
    double values[MOST_CELLS], sums[MOST_CELLS] = {0};
    char cuts[128];
    tsr_array *sum = NULL;

    for (int i = 0; i < MOST_CELLS; ++i)
        values[i] = i;
    tsr_layout_options options = c->options;
    options.halo[0] = 1;
    options.periodic = TSR_AXIS(0);
    tsr_array *a = case_array(comm, TSR_F64, c->ndim, c->shape, &options, values);
    CHECK_OK(tsr_sum_axes(a, c->reduced, NULL, &sum));
    const tsr_layout *layout = tsr_array_layout(sum);
    for (int k = 0; k < c->result_ndim; ++k) {
        CHECK_INT(tsr_layout_process_grid(layout)[k], c->grid[k]);
        CHECK_INT(tsr_layout_halo_lo(layout)[k], 0);
        CHECK_INT(tsr_layout_halo_hi(layout)[k], 0);
    }
    CHECK_INT(tsr_layout_periodic(layout), 0);
    write_cuts(layout, cuts, sizeof cuts);
    CHECK_STR(cuts, c->cuts);
    expected_sums(c, sums);
    case_expect(&sum, TSR_F64, c->result_ndim, c->result_shape, sums, c->id, 0);
    CHECK_OK(tsr_array_destroy(&a));
}

static void R_20_to_R_31_layouts_of_results(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof layout_cases / sizeof layout_cases[0]; ++i) {
        if (layout_cases[i].ranks > tsrt_size()) continue;
        tsr_comm comm = first_ranks(layout_cases[i].ranks);
        if (comm != TSR_COMM_NULL) check_layout(&layout_cases[i], comm);
        free_ranks(&comm);
    }
}

/* ---- values ---------------------------------------------------------------------------------- */

typedef tsr_status over_axes(const tsr_array *array, tsr_axes axes,
                             const tsr_reduce_options *options, tsr_array **result);

/* The result for an array that is destroyed. */
static tsr_array *over(over_axes *call, tsr_array *a, tsr_axes axes,
                       const tsr_reduce_options *options)
{
    tsr_array *result = NULL;
    CHECK_OK(call(a, axes, options, &result));
    CHECK_OK(tsr_array_destroy(&a));
    return result;
}

static void R_32_R_33_R_34_totals(void **state)
{
    (void)state;
    tsr_array *r = over(tsr_sum_axes, make_d(), TSR_AXIS(0), NULL);
    CASE_EXPECT(r, TSR_I64, 1, TSR_SHAPE(3), 22, 26, 30);
    r = over(tsr_sum_axes, make_d(), TSR_AXIS(1), NULL);
    CASE_EXPECT(r, TSR_I64, 1, TSR_SHAPE(4), 6, 15, 24, 33);
    r = over(tsr_prod_axes, make_d(), TSR_AXIS(0), NULL);
    CASE_EXPECT(r, TSR_I64, 1, TSR_SHAPE(3), 280, 880, 1944);
    r = over(tsr_min_axes, make_d(), TSR_AXIS(1), NULL);
    CASE_EXPECT(r, TSR_I64, 1, TSR_SHAPE(4), 1, 4, 7, 10);
    r = over(tsr_max_axes, make_d(), TSR_AXIS(0), &kept);
    CASE_EXPECT(r, TSR_I64, 2, TSR_SHAPE(1, 3), 10, 11, 12);
}

static void R_35_R_36_R_37_moments(void **state)
{
    (void)state;
    const double third = 0.6666666666666666;
    const tsr_reduce_options one = {.ddof = 1};
    tsr_array *r = over(tsr_mean_axes, make_d(), TSR_AXIS(0), NULL);
    CASE_EXPECT(r, TSR_F64, 1, TSR_SHAPE(3), 5.5, 6.5, 7.5);
    r = over(tsr_var_axes, make_d(), TSR_AXIS(0), NULL);
    CASE_EXPECT(r, TSR_F64, 1, TSR_SHAPE(3), 11.25, 11.25, 11.25);
    r = over(tsr_var_axes, make_d(), TSR_AXIS(0), &one);
    CASE_EXPECT(r, TSR_F64, 1, TSR_SHAPE(3), 15, 15, 15);
    r = over(tsr_var_axes, make_d(), TSR_AXIS(1), NULL);
    CASE_EXPECT(r, TSR_F64, 1, TSR_SHAPE(4), third, third, third, third);
    r = over(tsr_std_axes, make_d(), TSR_AXIS(1), &one);
    CASE_EXPECT(r, TSR_F64, 1, TSR_SHAPE(4), 1, 1, 1, 1);
}

static void R_38_all_axes(void **state)
{
    (void)state;
    tsr_array *r = over(tsr_sum_axes, make_d(), TSR_AXES(0, 1), &kept);
    CASE_EXPECT(r, TSR_I64, 2, TSR_SHAPE(1, 1), 78);
    r = over(tsr_sum_axes, make_d(), TSR_ALL_AXES, NULL);
    CASE_EXPECT(r, TSR_I64, 0, NULL, 78);
    /* the exact sum, as of the whole array */
    const double values[] = {1e300, 1, -1e300, 2};
    r = over(tsr_sum_axes, case_small(TSR_F64, 2, TSR_SHAPE(2, 2), values), TSR_ALL_AXES, NULL);
    CASE_EXPECT(r, TSR_F64, 0, NULL, 3);
    /* no axis: every element for itself */
    r = over(tsr_sum_axes, case_small(TSR_I8, 2, TSR_SHAPE(2, 2), (int8_t[]){1, 2, 3, 4}), 0, NULL);
    CASE_EXPECT(r, TSR_I64, 2, TSR_SHAPE(2, 2), 1, 2, 3, 4);
    r = over(tsr_var_axes, case_small(TSR_I8, 2, TSR_SHAPE(2, 2), (int8_t[]){1, 2, 3, 4}), 0, NULL);
    CASE_EXPECT(r, TSR_F64, 2, TSR_SHAPE(2, 2), 0, 0, 0, 0);
}

static void R_39_refused(void **state)
{
    (void)state;
    tsr_array *a = make_d(), *r = a;
    CHECK_STATUS(tsr_sum_axes(a, TSR_AXIS(2), NULL, &r), TSR_ERR_AXIS);
    CHECK(r == NULL);
    CHECK_STATUS(tsr_max_axes(a, TSR_AXES(0, -2), NULL, &r), TSR_ERR_AXIS);
    CHECK_STATUS(tsr_sum_axes(NULL, TSR_AXIS(0), NULL, &r), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_sum_axes(a, TSR_AXIS(0), NULL, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_var_axes(a, TSR_AXIS(0), &(tsr_reduce_options){.dtype = TSR_F32}, &r),
                 TSR_ERR_TYPE);
    CHECK_OK(tsr_array_destroy(&a));
}

static tsr_array *make_nothing(void)
{
    return case_array(TSR_COMM_WORLD, TSR_F64, 2, TSR_SHAPE(0, 3),
                      &(tsr_layout_options){.split = TSR_WHOLE}, "");
}

static void R_40_axes_of_length_0(void **state)
{
    (void)state;
    tsr_array *a = make_nothing(), *r = NULL;
    CHECK_STATUS(tsr_min_axes(a, TSR_AXIS(0), NULL, &r), TSR_ERR_VALUE);
    CHECK_TEXT("axis 0 has length 0");
    CHECK_OK(tsr_array_destroy(&a));
    r = over(tsr_sum_axes, make_nothing(), TSR_AXIS(0), NULL);
    CASE_EXPECT(r, TSR_F64, 1, TSR_SHAPE(3), 0, 0, 0);
    r = over(tsr_prod_axes, make_nothing(), TSR_AXIS(0), NULL);
    CASE_EXPECT(r, TSR_F64, 1, TSR_SHAPE(3), 1, 1, 1);
    r = over(tsr_all_axes, make_nothing(), TSR_AXIS(0), NULL);
    CASE_EXPECT(r, TSR_BOOL, 1, TSR_SHAPE(3), 1, 1, 1);
    r = over(tsr_any_axes, make_nothing(), TSR_AXIS(0), NULL);
    CASE_EXPECT(r, TSR_BOOL, 1, TSR_SHAPE(3), 0, 0, 0);
    r = over(tsr_mean_axes, make_nothing(), TSR_AXIS(0), NULL);
    CASE_EXPECT(r, TSR_F64, 1, TSR_SHAPE(3), nan_, nan_, nan_);
    r = over(tsr_var_axes, make_nothing(), TSR_AXIS(0), NULL);
    CASE_EXPECT(r, TSR_F64, 1, TSR_SHAPE(3), nan_, nan_, nan_);
    r = over(tsr_min_axes, make_nothing(), TSR_AXIS(1), NULL);
    CASE_EXPECT(r, TSR_F64, 1, TSR_SHAPE(0), 0);
}

static tsr_array *make_nans(void)
{
    const double values[] = {3, nan_, 1, nan_, 2, 0, 5, 7, 9};
    return case_small(TSR_F64, 2, TSR_SHAPE(3, 3), values);
}

static void R_41_nan_wins(void **state)
{
    (void)state;
    tsr_array *r = over(tsr_max_axes, make_nans(), TSR_AXIS(0), NULL);
    CASE_EXPECT(r, TSR_F64, 1, TSR_SHAPE(3), nan_, nan_, 9);
    r = over(tsr_min_axes, make_nans(), TSR_AXIS(1), NULL);
    CASE_EXPECT(r, TSR_F64, 1, TSR_SHAPE(3), nan_, nan_, 5);
}

static tsr_array *make_columns(void)
{
    const double values[] = {1, 10, 3, 10, 5, 16, 7, 4, 9, 10};
    return case_small(TSR_F64, 2, TSR_SHAPE(5, 2), values);
}

static void R_42_moments_of_blocks(void **state)
{
    (void)state;
    tsr_array *r = over(tsr_var_axes, make_columns(), TSR_AXIS(0), NULL);
    CASE_EXPECT(r, TSR_F64, 1, TSR_SHAPE(2), 8, 14.4);
    r = over(tsr_var_axes, make_columns(), TSR_AXIS(0), &(tsr_reduce_options){.ddof = 1});
    CASE_EXPECT(r, TSR_F64, 1, TSR_SHAPE(2), 10, 18);
    r = over(tsr_mean_axes, make_columns(), TSR_AXIS(0), NULL);
    CASE_EXPECT(r, TSR_F64, 1, TSR_SHAPE(2), 5, 10);
    r = over(tsr_std_axes, make_columns(), TSR_AXIS(0), NULL);
    CASE_EXPECT(r, TSR_F64, 1, TSR_SHAPE(2), 2.8284271247461903, 3.794733192202055);
}

static tsr_array *make_complex(void)
{
    const double values[] = {1, 1, 2, -1, 3, 0, 0, 2};
    return case_small(TSR_C128, 2, TSR_SHAPE(2, 2), values);
}

static void R_43_complex(void **state)
{
    (void)state;
    tsr_array *r = over(tsr_var_axes, make_complex(), TSR_AXIS(0), NULL);
    CASE_EXPECT(r, TSR_F64, 1, TSR_SHAPE(2), 1.25, 3.25);
    r = over(tsr_mean_axes, make_complex(), TSR_AXIS(0), NULL);
    CASE_EXPECT(r, TSR_C128, 1, TSR_SHAPE(2), 2, 0.5, 1, 0.5);
    r = over(tsr_sum_axes, make_complex(), TSR_AXIS(1), NULL);
    CASE_EXPECT(r, TSR_C128, 1, TSR_SHAPE(2), 3, 0, 3, 2);
}

static void R_44_a_type_asked_for(void **state)
{
    (void)state;
    tsr_array *r =
        over(tsr_sum_axes, make_d(), TSR_AXIS(0), &(tsr_reduce_options){.dtype = TSR_F32});
    CASE_EXPECT(r, TSR_F32, 1, TSR_SHAPE(3), 22, 26, 30);
    r = over(tsr_prod_axes, make_d(), TSR_AXIS(0), &(tsr_reduce_options){.dtype = TSR_I8});
    CASE_EXPECT(r, TSR_I8, 1, TSR_SHAPE(3), 24, 112, -104);
}

/* ---- places ---------------------------------------------------------------------------------- */

typedef tsr_status along_axis(const tsr_array *array, int axis, const tsr_reduce_options *options,
                              tsr_array **result);
static tsr_array *along(along_axis *call, tsr_array *a, int axis)
{
    tsr_array *result = NULL;
    CHECK_OK(call(a, axis, NULL, &result));
    CHECK_OK(tsr_array_destroy(&a));
    return result;
}

static tsr_array *make_ties(void)
{
    return case_small(TSR_I32, 2, TSR_SHAPE(3, 3), (const int32_t[]){2, 9, 2, 9, 2, 9, 2, 2, 9});
}

static void R_47_R_48_places(void **state)
{
    (void)state;
    tsr_array *r = along(tsr_argmin_axis, make_ties(), 0);
    CASE_EXPECT(r, TSR_I64, 1, TSR_SHAPE(3), 0, 1, 0);
    r = along(tsr_argmin_axis, make_ties(), 1);
    CASE_EXPECT(r, TSR_I64, 1, TSR_SHAPE(3), 0, 1, 0);
    r = along(tsr_argmax_axis, make_ties(), -2);
    CASE_EXPECT(r, TSR_I64, 1, TSR_SHAPE(3), 1, 0, 1);
    r = along(tsr_argmax_axis, make_ties(), -1);
    CASE_EXPECT(r, TSR_I64, 1, TSR_SHAPE(3), 1, 0, 2);
}

static void R_50_R_51_places_of_nan(void **state)
{
    (void)state;
    tsr_array *r = along(tsr_argmax_axis, make_nans(), 0);
    CASE_EXPECT(r, TSR_I64, 1, TSR_SHAPE(3), 1, 0, 2);
    r = along(tsr_argmin_axis, make_nans(), 0);
    CASE_EXPECT(r, TSR_I64, 1, TSR_SHAPE(3), 1, 0, 1);
    r = along(tsr_argmax_axis, make_nans(), 1);
    CASE_EXPECT(r, TSR_I64, 1, TSR_SHAPE(3), 1, 0, 2);
    r = along(tsr_argmin_axis, make_nans(), 1);
    CASE_EXPECT(r, TSR_I64, 1, TSR_SHAPE(3), 1, 0, 0);
}

static void refused_places(void **state)
{
    (void)state;
    tsr_array *a = make_complex(), *r = a;
    CHECK_STATUS(tsr_argmin_axis(a, 0, NULL, &r), TSR_ERR_TYPE);
    CHECK(r == NULL);
    CHECK_OK(tsr_array_destroy(&a));
    a = make_nans();
    CHECK_STATUS(tsr_argmin_axis(a, 2, NULL, &r), TSR_ERR_AXIS);
    CHECK_STATUS(tsr_argmin_axis(a, -3, NULL, &r), TSR_ERR_AXIS);
    CHECK_OK(tsr_array_destroy(&a));
    a = make_nothing();
    CHECK_STATUS(tsr_argmax_axis(a, 1, NULL, &r), TSR_ERR_VALUE);
    CHECK_OK(tsr_array_destroy(&a));
}

/* ---- running totals -------------------------------------------------------------------------- */

static void R_54_R_55_R_56_running_totals(void **state)
{
    (void)state;
    int64_t ten[10], sixteen[16];
    for (int i = 0; i < 16; ++i)
        sixteen[i] = i + 1;
    memcpy(ten, sixteen, sizeof ten);
    tsr_array *r = along(tsr_cumsum, case_small(TSR_I64, 1, TSR_SHAPE(10), ten), 0);
    CASE_EXPECT(r, TSR_I64, 1, TSR_SHAPE(10), 1, 3, 6, 10, 15, 21, 28, 36, 45, 55);
    r = along(tsr_cumsum, make_d(), 0);
    CASE_EXPECT(r, TSR_I64, 2, TSR_SHAPE(4, 3), 1, 2, 3, 5, 7, 9, 12, 15, 18, 22, 26, 30);
    r = along(tsr_cumsum, make_d(), 1);
    CASE_EXPECT(r, TSR_I64, 2, TSR_SHAPE(4, 3), 1, 3, 6, 4, 9, 15, 7, 15, 24, 10, 21, 33);
    r = along(tsr_cumprod, make_d(), 0);
    CASE_EXPECT(r, TSR_I64, 2, TSR_SHAPE(4, 3), 1, 2, 3, 4, 10, 18, 28, 80, 162, 280, 880, 1944);

    tsr_layout_options grid = {.split = TSR_AXES(0, 1), .halo = {1, 2}};
    tsr_array *a =
        case_array(TSR_COMM_WORLD, TSR_I64, 2, TSR_SHAPE(4, 4),
                   tsrt_size() > 4 ? &(tsr_layout_options){.allow_empty = true} : &grid, sixteen);
    const tsr_layout *layout = tsr_array_layout(a);
    CHECK_OK(tsr_cumsum(a, 1, NULL, &r));
    CHECK(tsr_layout_equal(layout, tsr_array_layout(r)));
    CASE_EXPECT(r, TSR_I64, 2, TSR_SHAPE(4, 4), 1, 3, 6, 10, 5, 11, 18, 26, 9, 19, 30, 42, 13, 27,
                42, 58);
    CHECK_OK(tsr_array_destroy(&a));
}

static void R_57_without_an_axis(void **state)
{
    (void)state;
    tsr_array *a = make_d(), *r = a;
    CHECK_STATUS(tsr_cumsum(a, TSR_ONLY_AXIS, NULL, &r), TSR_ERR_TYPE);
    CHECK(r == NULL);
    CHECK_STATUS(tsr_cumprod(a, 2, NULL, &r), TSR_ERR_AXIS);
    CHECK_OK(tsr_array_destroy(&a));
    r = along(tsr_cumsum, case_small(TSR_U8, 1, TSR_SHAPE(4), (const uint8_t[]){200, 100, 0, 1}),
              TSR_ONLY_AXIS);
    CASE_EXPECT(r, TSR_U64, 1, TSR_SHAPE(4), 200, 300, 300, 301);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(R_20_to_R_31_layouts_of_results),
        cmocka_unit_test(R_32_R_33_R_34_totals),
        cmocka_unit_test(R_35_R_36_R_37_moments),
        cmocka_unit_test(R_38_all_axes),
        cmocka_unit_test(R_39_refused),
        cmocka_unit_test(R_40_axes_of_length_0),
        cmocka_unit_test(R_41_nan_wins),
        cmocka_unit_test(R_42_moments_of_blocks),
        cmocka_unit_test(R_43_complex),
        cmocka_unit_test(R_44_a_type_asked_for),
        cmocka_unit_test(R_47_R_48_places),
        cmocka_unit_test(R_50_R_51_places_of_nan),
        cmocka_unit_test(refused_places),
        cmocka_unit_test(R_54_R_55_R_56_running_totals),
        cmocka_unit_test(R_57_without_an_axis),
    };
    return TSRT_RUN(argc, argv, tests);
}
