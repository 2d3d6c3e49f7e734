/* ranks: 1 2 3 4 6 */
/* Layouts cut by weights: from all of them, from profiles, from a distributed array. */
#define _POSIX_C_SOURCE 200809L

#include "layout/weighted.h"
#include "support/layout_cases.h"

#include <math.h>
#include <stdio.h>

#define OPTIONS(...)                                                                               \
    &(tsr_layout_options)                                                                          \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* ---- the rule for one axis ------------------------------------------------------------------- */

typedef struct axis_case {
    const char *id;
    int length;
    double weight[12];
    int blocks, minimum;
    int64_t cuts[6];
} axis_case;

static const axis_case axis_cases[] = {
    {"L-98", 12, {10, 10, 10, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 3, 1, {0, 1, 3, 12}},
    {"L-99", 12, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 4, 1, {0, 3, 6, 9, 12}},
    {"L-100", 10, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 3, 1, {0, 3, 7, 10}},
    {"L-101", 10, {0}, 3, 1, {0, 4, 7, 10}},
    {"L-102", 12, {100, 100, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 3, 2, {0, 2, 4, 12}},
    {"L-103", 12, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 100, 100}, 3, 2, {0, 8, 10, 12}},
    {"L-104", 6, {5, 1, 1, 1, 1, 1}, 2, 1, {0, 1, 6}},
    {"L-105", 8, {1, 2, 3, 4, 5, 6, 7, 8}, 4, 1, {0, 4, 5, 7, 8}},
    {"L-106", 8, {1, 2, 3, 4, 5, 6, 7, 8}, 4, 2, {0, 2, 4, 6, 8}},
    {"L-107", 8, {0, 0, 0, 8, 0, 0, 0, 0}, 2, 1, {0, 3, 8}},
    {"L-108", 8, {9, 0, 0, 0, 0, 0, 0, 0}, 4, 1, {0, 1, 2, 3, 8}},
    {"L-109", 8, {0, 0, 0, 0, 0, 0, 0, 9}, 4, 1, {0, 5, 6, 7, 8}},
    {"L-110", 4, {3, 0, 0, 3}, 2, 1, {0, 1, 4}},
    {"L-111", 6, {4, 1, 1, 1, 1, 4}, 2, 3, {0, 3, 6}},
    {"L-112", 6, {10, 0, 0, 0, 0, 10}, 2, 1, {0, 1, 6}},
    {"L-113", 12, {20, 20, 20, 20, 1, 1, 1, 1, 1, 1, 1, 1}, 3, 1, {0, 1, 3, 12}},
};
enum { AXIS_CASES = sizeof axis_cases / sizeof *axis_cases };

static void L_98_to_L_113_the_rule(void **state)
{
    (void)state;
    for (int i = 0; i < AXIS_CASES; ++i) {
        const axis_case *c = &axis_cases[i];
        int64_t cuts[6];
        CHECK_OK(tsri_balanced_cuts("test", 0, c->length, c->weight, c->blocks, c->minimum, cuts));
        for (int k = 0; k <= c->blocks; ++k)
            if (cuts[k] != c->cuts[k])
                tsrt_fail(__FILE__, __LINE__, "%s: cut %d is %d, expected %d", c->id, k,
                          (int)cuts[k], (int)c->cuts[k]);
    }
}

static void L_118_no_room_for_the_minimum(void **state)
{
    (void)state;
    const double ones[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    int64_t cuts[4];
    CHECK_STATUS(tsri_balanced_cuts("test", 0, 12, ones, 3, 5, cuts), TSR_ERR_VALUE);
    CHECK_TEXT("axis 0 has 12 cells for 3 blocks of at least 5");
    CHECK_OK(tsri_balanced_cuts("test", 0, 12, ones, 3, 4, cuts));
}

/* The rule again, with all sums and all candidates written out. */
static void plain_cuts(int length, const double *weight, int blocks, int minimum, int64_t *cuts)
{
    double sum[65] = {0};
    for (int i = 0; i < length; ++i)
        sum[i + 1] = sum[i] + weight[i];
    cuts[0] = 0;
    cuts[blocks] = length;
    for (int k = 1; k < blocks; ++k) {
        const double target = sum[length] * k / blocks;
        int j = 0;
        while (sum[j] < target)
            ++j;
        if (j > 0 && fabs(sum[j - 1] - target) <= fabs(sum[j] - target)) --j;
        int64_t cut = j;
        if (cut < cuts[k - 1] + minimum) cut = cuts[k - 1] + minimum;
        if (cut > length - (blocks - k) * minimum) cut = length - (blocks - k) * minimum;
        cuts[k] = cut;
    }
}

static void random_profiles(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int round = 0; round < 20000; ++round) {
        const int length = 1 + tsrt_random(&seed, 64), blocks = 1 + tsrt_random(&seed, length);
        const int minimum = tsrt_random(&seed, length / blocks + 1);
        double weight[64], total = 0;
        int64_t cuts[65], plain[65];
        for (int i = 0; i < length; ++i) {
            weight[i] = tsrt_random(&seed, 3) * (round % 2 ? tsrt_random(&seed, 50) / 7.0 : 1);
            total += weight[i];
        }
        if (total == 0) weight[0] = 1;
        CHECK_OK(tsri_balanced_cuts("test", 0, length, weight, blocks, minimum, cuts));
        plain_cuts(length, weight, blocks, minimum, plain);
        for (int k = 0; k <= blocks; ++k)
            CHECK_INT(cuts[k], plain[k]);
    }
}

/* Sums and multiples of them beyond the largest number. */
static void huge_weights(void **state)
{
    (void)state;
    const double most = 1.7e308, part = most / 16, two[] = {most, most};
    const double equal[] = {part, part, part, part, part, part, part, part};
    int64_t cuts[5];
    CHECK_OK(tsri_balanced_cuts("test", 0, 8, equal, 4, 1, cuts));
    for (int k = 0; k <= 4; ++k)
        CHECK_INT(cuts[k], 2 * k);
    CHECK_STATUS(tsri_balanced_cuts("test", 3, 2, two, 2, 1, cuts), TSR_ERR_VALUE);
    CHECK_TEXT("the sum of the weights along axis 3 is infinite");
}

/* ---- layouts --------------------------------------------------------------------------------- */

/* An array of weights in some layout, made from all of them; halo cells hold NaN. */
static tsr_array *distributed(int ndim, const int64_t *shape, const double *weights,
                              tsr_dtype dtype, const tsr_layout_options *options)
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

static void check_layout(tsr_status st, tsr_layout **layout, const axis_case *c)
{
    CHECK_OK(st);
    tsrt_check_cuts(*layout, 0, c->blocks + 1, c->cuts);
    CHECK_INT(tsr_layout_split(*layout), TSR_AXES(0));
    CHECK_OK(tsr_layout_destroy(layout));
}

/* The examples as layouts, by all three calls; a halo sets the minimum. */
static void L_98_to_L_113_layouts(void **state)
{
    (void)state;
    for (int i = 0; i < AXIS_CASES; ++i) {
        const axis_case *c = &axis_cases[i];
        if (c->blocks != tsrt_size()) continue;
        const int64_t shape[] = {c->length};
        const tsr_layout_options options = {.halo_hi = {c->minimum == 1 ? 0 : c->minimum}};
        const tsr_profile profile = {.length = c->length, .weights = c->weight};
        tsr_layout *layout = NULL;
        check_layout(
            tsr_layout_create_weighted(TSR_COMM_WORLD, 1, shape, c->weight, &options, &layout),
            &layout, c);
        check_layout(
            tsr_layout_create_profiled(TSR_COMM_WORLD, 1, shape, &profile, &options, &layout),
            &layout, c);
        for (int round = 0; round < 3; ++round) {
            const tsr_layout_options own = {.halo = {round == 0 ? 2 : 0},
                                            .split = round == 1 ? TSR_WHOLE : 0};
            tsr_array *array =
                distributed(1, shape, c->weight, round == 2 ? TSR_I32 : TSR_F64, &own);
            check_layout(tsr_layout_create_balanced(array, &options, &layout), &layout, c);
            CHECK_OK(tsr_array_destroy(&array));
        }
    }
}

static void L_114(void **state)
{
    (void)state;
    double weights[36];
    for (int i = 0; i < 36; ++i)
        weights[i] = i / 6 < 2 && i % 6 < 2 ? 9 : 1;
    const double marginal[] = {22, 22, 6, 6, 6, 6};
    const tsr_profile profiles[] = {{6, marginal}, {6, marginal}};
    const tsr_layout_options options = {.split = TSR_AXES(0, 1)};
    if (tsrt_size() != 4) {
        tsrt_skip("the example L-114 is for 4 ranks");
        return;
    }
    tsr_array *array = distributed(2, TSR_SHAPE(6, 6), weights, TSR_U8, NULL);
    for (int round = 0; round < 3; ++round) {
        tsr_layout *layout = NULL;
        const int64_t *shape = TSR_SHAPE(6, 6);
        CHECK_OK(round == 0   ? tsr_layout_create_weighted(TSR_COMM_WORLD, 2, shape, weights,
                                                           &options, &layout)
                 : round == 1 ? tsr_layout_create_profiled(TSR_COMM_WORLD, 2, shape, profiles,
                                                           &options, &layout)
                              : tsr_layout_create_balanced(array, &options, &layout));
        static const double expected[] = {36, 8, 8, 16};
        for (int rank = 0; rank < 4; ++rank) {
            int64_t start[2], extent[2];
            double weight = 0;
            CHECK_OK(tsr_layout_block(layout, rank, start, extent));
            for (int64_t i = start[0]; i < start[0] + extent[0]; ++i)
                for (int64_t j = start[1]; j < start[1] + extent[1]; ++j)
                    weight += weights[6 * i + j];
            CHECK_DOUBLE(weight, expected[rank], 0);
        }
        for (int a = 0; a < 2; ++a)
            tsrt_check_cuts(layout, a, 3, TSR_SHAPE(0, 2, 6));
        CHECK_OK(tsr_layout_destroy(&layout));
    }
    CHECK_OK(tsr_array_destroy(&array));
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refused(tsr_status st, tsr_layout *layout, const char *call, const char *text)
{
    CHECK_STATUS(st, TSR_ERR_VALUE);
    CHECK(layout == NULL);
    CHECK_TEXT(call);
    CHECK_TEXT(text);
    CHECK_SAME_ON_ALL(tsrt_text_hash());
}

static void L_115_L_117_profiles_of_another_length(void **state)
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
                 {NULL, "profiles is NULL, must have 2 entries"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const tsr_status st =
            tsr_layout_create_profiled(TSR_COMM_WORLD, 2, shape, cases[i].profiles, NULL, &layout);
        refused(st, layout, "tsr_layout_create_profiled", cases[i].text);
    }
}

/* Negative, infinite and NaN, on one rank and replicated, too. */
static void L_116_impossible_weights(void **state)
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
            tsr_array *array = distributed(2, TSR_SHAPE(12, 2), weights, TSR_F64, &options);
            st = tsr_layout_create_balanced(array, NULL, &layout);
            refused(st, layout, "tsr_layout_create_balanced", text[i]);
            CHECK_TEXT("the weight of cell (8, 1) is ");
            CHECK_OK(tsr_array_destroy(&array));
        }
}

static void other_arguments_that_are_refused(void **state)
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
    refused(st, layout, "tsr_layout_create_weighted", "weights is NULL, must have 16 entries");
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
    tsr_array *array = distributed(2, shape, weights, TSR_C64, NULL);
    CHECK_STATUS(tsr_layout_create_balanced(array, NULL, &layout), TSR_ERR_TYPE);
    CHECK_TEXT("the weights are complex64, must be real");
    CHECK_OK(tsr_array_destroy(&array));
}

/* Other weights on one rank are another argument; where ranks own blocks. */
static void different_weights_are_a_mismatch(void **state)
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

/* ---- the three calls against each other ------------------------------------------------------ */

/* The same layout from all weights and from an array of any type, cut in any way. */
static void an_array_gives_what_all_weights_give(void **state)
{
    (void)state;
    const int n = tsrt_size();
    const tsr_dtype dtypes[] = {TSR_BOOL, TSR_I8,  TSR_I16, TSR_I32, TSR_I64, TSR_U8,
                                TSR_U16,  TSR_U32, TSR_U64, TSR_F32, TSR_F64};
    for (int round = 0; round < 44; ++round) {
        uint64_t seed = (uint64_t)round;
        const tsr_dtype dtype = dtypes[round % 11];
        const int64_t shape[] = {n + tsrt_random(&seed, 9), 6, n + tsrt_random(&seed, 700)};
        const int64_t cells = shape[0] * shape[1] * shape[2];
        double *weights = calloc((size_t)cells, sizeof *weights);
        for (int64_t i = 0; i < cells; ++i)
            weights[i] = tsrt_random(&seed, dtype == TSR_BOOL ? 2 : 100);
        const tsr_layout_options own = {.split = round % 3 == 0 ? TSR_WHOLE : TSR_AXES(0, 2),
                                        .halo = {0, 1, 2},
                                        .allow_empty = true};
        const tsr_layout_options options = {.split = round % 2 ? TSR_AXES(0, 2) : TSR_AXES(2),
                                            .halo = {1, 0, 3},
                                            .periodic = TSR_AXES(1)};
        tsr_layout *all = NULL, *shared = NULL;
        tsr_array *array = distributed(3, shape, weights, dtype, &own);
        CHECK_OK(tsr_layout_create_weighted(TSR_COMM_WORLD, 3, shape, weights, &options, &all));
        CHECK_OK(tsr_layout_create_balanced(array, &options, &shared));
        CHECK(tsr_layout_equal(all, shared));
        CHECK_INT(tsr_layout_halo_lo(all)[2], 3);
        CHECK_INT(tsr_layout_periodic(all), TSR_AXES(1));
        CHECK_OK(tsr_array_destroy(&array));
        CHECK_OK(tsr_layout_destroy(&all));
        CHECK_OK(tsr_layout_destroy(&shared));
        free(weights);
    }
}

/* Axes without a profile are cut near-evenly; blocks hold their halo where there is room. */
static void profiles_of_some_axes(void **state)
{
    (void)state;
    const int n = tsrt_size();
    double weight[40] = {0};
    weight[0] = 1;
    const tsr_profile first[] = {{40, weight}, {0, NULL}}, none[] = {{0, NULL}, {0, NULL}};
    tsr_layout *layout = NULL, *even = NULL;
    int64_t cuts[8], near_even[8];
    CHECK_OK(tsr_layout_create_profiled(TSR_COMM_WORLD, 2, TSR_SHAPE(40, 40), first,
                                        OPTIONS(.halo_lo = {5}), &layout));
    CHECK_OK(tsr_layout_cuts(layout, 0, cuts));
    for (int k = 1; k < n; ++k)
        CHECK_INT(cuts[k], 5 * k);
    CHECK_OK(tsr_layout_destroy(&layout));
    /* Halos wider than blocks are allowed: then blocks are as even as they can be. */
    CHECK_OK(tsr_layout_create_profiled(TSR_COMM_WORLD, 2, TSR_SHAPE(40, 40), first,
                                        OPTIONS(.halo_hi = {99}), &layout));
    CHECK_OK(tsr_layout_cuts(layout, 0, cuts));
    for (int k = 1; k < n; ++k)
        CHECK_INT(cuts[k], 40 / n * k);
    CHECK_OK(tsr_layout_destroy(&layout));

    const tsr_layout_options both = {.process_grid = {1, n}};
    CHECK_OK(
        tsr_layout_create_profiled(TSR_COMM_WORLD, 2, TSR_SHAPE(40, 40), first, &both, &layout));
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(40, 40), &both, &even));
    CHECK(tsr_layout_equal(layout, even));
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK_OK(
        tsr_layout_create_profiled(TSR_COMM_WORLD, 2, TSR_SHAPE(40, 40), none, &both, &layout));
    CHECK(tsr_layout_equal(layout, even));
    CHECK_OK(tsr_layout_cuts(layout, 1, near_even));
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK_OK(tsr_layout_destroy(&even));
}

static void axes_without_cells_and_no_axes(void **state)
{
    (void)state;
    const double one = 1, negative = -1;
    tsr_layout *layout = NULL;
    CHECK_OK(tsr_layout_create_weighted(TSR_COMM_WORLD, 2, TSR_SHAPE(0, 12), NULL,
                                        OPTIONS(.split = TSR_AXES(1)), &layout));
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK_OK(tsr_layout_create_weighted(TSR_COMM_WORLD, 0, NULL, &one, NULL, &layout));
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK_STATUS(tsr_layout_create_weighted(TSR_COMM_WORLD, 0, NULL, &negative, NULL, &layout),
                 TSR_ERR_VALUE);
    CHECK_OK(tsr_layout_create_profiled(TSR_COMM_WORLD, 0, NULL, NULL, NULL, &layout));
    CHECK_OK(tsr_layout_destroy(&layout));
    /* More ranks than cells, where ranks may own nothing. */
    const double weights[] = {0, 5};
    CHECK_OK(tsr_layout_create_weighted(TSR_COMM_WORLD, 1, TSR_SHAPE(2), weights,
                                        OPTIONS(.allow_empty = true), &layout));
    CHECK_INT(tsr_layout_cells(layout), 2);
    tsr_array *array = NULL;
    CHECK_OK(tsr_ones(layout, TSR_F64, &array));
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK_OK(tsr_layout_create_balanced(array, OPTIONS(.allow_empty = true), &layout));
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK_OK(tsr_array_destroy(&array));
}

#ifndef TSR_SERIAL
/* Profiles that are longer than a message. */
static void many_small_messages(void **state)
{
    (void)state;
    enum { LENGTH = 2000 };
    static double weights[LENGTH];
    for (int i = 0; i < LENGTH; ++i)
        weights[i] = i % 97;
    MPI_Comm comm;
    CHECK(setenv("TESSERA_MESSAGE_LIMIT", "1000", 1) == 0);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    tsr_layout *even = NULL, *layout = NULL, *expected = NULL;
    tsr_array *array = NULL;
    CHECK_OK(tsr_layout_create(comm, 1, TSR_SHAPE(LENGTH), NULL, &even));
    CHECK(unsetenv("TESSERA_MESSAGE_LIMIT") == 0);
    CHECK_OK(tsr_from_global(even, TSR_F64, weights, NULL, &array));
    CHECK_OK(tsr_layout_create_balanced(array, NULL, &layout));
    CHECK_OK(tsr_layout_create_weighted(comm, 1, TSR_SHAPE(LENGTH), weights, NULL, &expected));
    CHECK(tsr_layout_equal(layout, expected));
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&even));
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK_OK(tsr_layout_destroy(&expected));
    MPI_Comm_free(&comm);
}
#endif

/* ---- faults ---------------------------------------------------------------------------------- */

static const double ramp[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

static tsr_status create_weighted(void *ctx, tsr_layout **layout)
{
    (void)ctx;
    return tsr_layout_create_weighted(TSR_COMM_WORLD, 1, TSR_SHAPE(12), ramp, NULL, layout);
}

static tsr_status create_profiled(void *ctx, tsr_layout **layout)
{
    (void)ctx;
    const tsr_profile profile = {12, ramp};
    return tsr_layout_create_profiled(TSR_COMM_WORLD, 1, TSR_SHAPE(12), &profile, NULL, layout);
}

static tsr_status create_balanced(void *array, tsr_layout **layout)
{
    return tsr_layout_create_balanced(array, NULL, layout);
}

static void faults_on_each_rank_in_turn(void **state)
{
    (void)state;
    const int more = tsrt_size() > 1 ? 3 : 0; /* the cuts, the layout, its copy of the cuts */
    tsr_array *array = distributed(1, TSR_SHAPE(12), ramp, TSR_F64, NULL);
    CHECK(tsrt_layout_faults(create_weighted, NULL) >= 2 + more);
    CHECK(tsrt_layout_faults(create_profiled, NULL) >= 1 + more);
    CHECK(tsrt_layout_faults(create_balanced, array) >= 3 + more);
    CHECK_OK(tsr_array_destroy(&array));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(L_98_to_L_113_the_rule),
        cmocka_unit_test(L_118_no_room_for_the_minimum),
        cmocka_unit_test(random_profiles),
        cmocka_unit_test(huge_weights),
        cmocka_unit_test(L_98_to_L_113_layouts),
        cmocka_unit_test(L_114),
        cmocka_unit_test(L_115_L_117_profiles_of_another_length),
        cmocka_unit_test(L_116_impossible_weights),
        cmocka_unit_test(other_arguments_that_are_refused),
        cmocka_unit_test(different_weights_are_a_mismatch),
        cmocka_unit_test(an_array_gives_what_all_weights_give),
        cmocka_unit_test(profiles_of_some_axes),
        cmocka_unit_test(axes_without_cells_and_no_axes),
#ifndef TSR_SERIAL
        cmocka_unit_test(many_small_messages),
#endif
        cmocka_unit_test(faults_on_each_rank_in_turn),
    };
    return TSRT_RUN(argc, argv, tests);
}
