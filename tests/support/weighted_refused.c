/* Weights and other arguments that layouts cut by weights refuse. */
#include "support/weighted_cases.h"

#include <math.h>

tsr_array *weights_array(int ndim, const int64_t *shape, const double *weights, tsr_dtype dtype,
                         const tsr_layout_options *options)
{
    tsr_layout *layout = NULL;
    tsr_array *given = NULL, *array = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, ndim, shape, options, &layout));
    CHECK_OK(tsr_from_global(layout, TSR_F64, weights, NULL, &given));
    CHECK_OK(tsr_astype(given, dtype, &array));
    if (dtype == TSR_F64) {
        const tsr_view v = tsr_local(array);
        if (ndim == 1 && v.extent[0] > 0)
            for (int64_t i = -v.halo_lo[0]; i < v.extent[0] + v.halo_hi[0]; ++i)
                if (i < 0 || i >= v.extent[0]) TSR_AT(double, v, i) = NAN;
    }
    CHECK_OK(tsr_array_destroy(&given));
    CHECK_OK(tsr_layout_destroy(&layout));
    return array;
}

static void refused(tsr_status st, tsr_layout *layout, const char *call, const char *text)
{
    CHECK_STATUS(st, TSR_ERR_VALUE);
    CHECK(layout == NULL);
    CHECK_TEXT(call);
    CHECK_TEXT(text);
    CHECK_SAME_ON_ALL(tsrt_text_hash());
}

void L_115_L_117_profiles_of_another_length(void **state)
{
    (void)state;
    const double weight[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const int64_t shape[] = {12, 4};
    tsr_layout *layout = (tsr_layout *)&layout;
    const tsr_profile too_short[] = {{5, weight}, {0, NULL}}, threes[] = {{3, weight}, {3, weight}};
    const tsr_profile unsplit[] = {{0, NULL}, {5, weight}}, none[] = {{12, NULL}, {0, NULL}};
    const struct {
        const tsr_profile *profiles;
        const char *text;
    } cases[] = {{too_short, "profiles[0] has 5 weights, must have 12, the length of axis 0"},
                 {threes, "profiles[0] has 3 weights, must have 12"},
                 {unsplit, "profiles[1] has 5 weights, must have 4"},
                 {none, "profiles[0].weights is NULL but its length is 12, must be 0"},
                 {NULL, "profiles is NULL, must have 2 profiles"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const tsr_status st =
            tsr_layout_create_profiled(TSR_COMM_WORLD, 2, shape, cases[i].profiles, NULL, &layout);
        refused(st, layout, "tsr_layout_create_profiled", cases[i].text);
    }
}

/* Negative, infinite and NaN, on one rank and replicated, too. */
void L_116_impossible_weights(void **state)
{
    (void)state;
    const double bad[] = {-1, -1e-300, NAN, INFINITY, -INFINITY};
    const char *text[] = {"is -1, must be finite and >= 0", "is -1e-300", "nan", "inf", "-inf"};
    for (int i = 0; i < 5; ++i)
        for (int whole = 0; whole < 2; ++whole) {
            double weights[24];
            tsr_layout *layout = (tsr_layout *)&layout;
            const tsr_layout_options options = {.split = whole ? TSR_WHOLE : TSR_AXES(0)};
            for (int j = 0; j < 24; ++j)
                weights[j] = j == 17 ? bad[i] : j;
            tsr_status st = tsr_layout_create_weighted(TSR_COMM_WORLD, 2, TSR_SHAPE(12, 2), weights,
                                                       &options, &layout);
            refused(st, layout, "tsr_layout_create_weighted", text[i]);
            CHECK_TEXT("the weight of cell (8, 1) is ");
            const tsr_profile profiles[] = {{0, NULL}, {24, weights}};
            st = tsr_layout_create_profiled(TSR_COMM_WORLD, 2, TSR_SHAPE(12, 24), profiles,
                                            &options, &layout);
            refused(st, layout, "tsr_layout_create_profiled", text[i]);
            CHECK_TEXT("profiles[1].weights[17] is ");
            tsr_array *array = weights_array(2, TSR_SHAPE(12, 2), weights, TSR_F64, &options);
            st = tsr_layout_create_balanced(array, NULL, &layout);
            refused(st, layout, "tsr_layout_create_balanced", text[i]);
            CHECK_TEXT("the weight of cell (8, 1) is ");
            CHECK_OK(tsr_array_destroy(&array));
        }
}

void other_arguments_that_are_refused(void **state)
{
    (void)state;
    const double weights[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7};
    const int64_t *cuts = TSR_SHAPE(0, 8);
    const bool last = tsrt_rank() == tsrt_size() - 1;
    const int64_t shape[] = {8, 2};
    tsr_layout *layout = (tsr_layout *)&layout;
    tsr_status st = tsr_layout_create_weighted(TSR_COMM_WORLD, 2, shape, weights,
                                               OPTIONS(.cuts = {cuts}, .ncuts = {2}), &layout);
    refused(st, layout, "tsr_layout_create_weighted", "cuts[0] or ncuts[0] is given");
    st = tsr_layout_create_weighted(TSR_COMM_WORLD, 2, shape, NULL, NULL, &layout);
    refused(st, layout, "tsr_layout_create_weighted", "weights is NULL, must have 16 weights");
    st = tsr_layout_create_weighted(TSR_COMM_WORLD, 2, TSR_SHAPE(8, -1), weights, NULL, &layout);
    refused(st, layout, "tsr_layout_create_weighted", "shape[1] is -1");
    st = tsr_layout_create_weighted(TSR_COMM_WORLD, 2, shape, weights, OPTIONS(.halo = {0, -1}),
                                    &layout);
    refused(st, layout, "tsr_layout_create_weighted", "halo[1] is -1");
    st = tsr_layout_create_weighted(TSR_COMM_WORLD, 2, shape, weights, NULL, last ? NULL : &layout);
    CHECK_STATUS(st, TSR_ERR_VALUE);
    CHECK_TEXT("layout is NULL");
    CHECK_STATUS(tsr_layout_create_balanced(NULL, NULL, &layout), TSR_ERR_VALUE);
    CHECK(layout == NULL);
    tsr_array *array = weights_array(2, shape, weights, TSR_C64, NULL);
    CHECK_STATUS(tsr_layout_create_balanced(array, NULL, &layout), TSR_ERR_TYPE);
    CHECK_TEXT("the weights are complex64, must be real");
    CHECK_OK(tsr_array_destroy(&array));
}

/* Other weights on one rank are another argument; where ranks own blocks. */
void different_weights_are_a_mismatch(void **state)
{
    (void)state;
    const bool last = tsrt_rank() == tsrt_size() - 1;
    double weights[12];
    for (int i = 0; i < 12; ++i)
        weights[i] = 1 + (last && i == 3);
    const tsr_status expected = tsrt_size() > 1 ? TSR_ERR_MISMATCH : TSR_OK;
    const tsr_profile profile = {12, weights};
    tsr_layout *layout = NULL;
    CHECK_STATUS(
        tsr_layout_create_weighted(TSR_COMM_WORLD, 1, TSR_SHAPE(12), weights, NULL, &layout),
        expected);
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK_STATUS(
        tsr_layout_create_profiled(TSR_COMM_WORLD, 1, TSR_SHAPE(12), &profile, NULL, &layout),
        expected);
    CHECK_OK(tsr_layout_destroy(&layout));
    tsr_array *array = NULL;
    CHECK_OK(
        tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(12), OPTIONS(.split = TSR_WHOLE), &layout));
    CHECK_OK(tsr_ones(layout, TSR_F64, &array));
    CHECK_OK(tsr_layout_destroy(&layout));
    const tsr_view v = tsr_local(array);
    for (int64_t i = 0; i < 12; ++i)
        TSR_AT(double, v, i) = weights[i];
    CHECK_STATUS(tsr_layout_create_balanced(array, NULL, &layout), expected);
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK_OK(tsr_array_destroy(&array));
}
