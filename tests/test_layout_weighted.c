/* ranks: 1 2 3 4 6 */
/* Layouts cut by weights: from all of them, from profiles, from a distributed array. */
#define _POSIX_C_SOURCE 200809L

#include "support/weighted_cases.h"

/* ---- layouts --------------------------------------------------------------------------------- */

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
                weights_array(1, shape, c->weight, round == 2 ? TSR_I32 : TSR_F64, &own);
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
    tsr_array *array = weights_array(2, TSR_SHAPE(6, 6), weights, TSR_U8, NULL);
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
        tsr_array *array = weights_array(3, shape, weights, dtype, &own);
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
    tsr_array *array = weights_array(1, TSR_SHAPE(12), ramp, TSR_F64, NULL);
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
