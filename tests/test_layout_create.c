/* ranks: 1 2 3 4 6 8 */
/* tsr_layout_create() as a collective call: all ranks get the same outcome, and nothing leaks. */
#include "support/layout_cases.h"

#include <stdio.h>

#define OPTIONS(...)                                                                               \
    &(tsr_layout_options)                                                                          \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static const int64_t shape[] = {48, 48};

static bool last_rank(void)
{
    return tsrt_rank() == tsrt_size() - 1;
}

/* The outcome is `expected` on all ranks, with one text. */
static void check_outcome(tsr_status st, tsr_layout **layout, tsr_status expected)
{
    CHECK_STATUS(st, expected);
    CHECK((*layout != NULL) == (st == TSR_OK));
    if (st != TSR_OK) CHECK_SAME_ON_ALL(tsrt_text_hash());
    CHECK_OK(tsr_layout_destroy(layout));
    CHECK(*layout == NULL);
}

/* The last rank passes other arguments than the rest. */
static void last_differs(const tsr_layout_options *options, const int64_t *last_shape,
                         const tsr_layout_options *last_options, tsr_status expected)
{
    tsr_layout *layout = (tsr_layout *)&layout;
    const bool last = last_rank();
    const tsr_status st = tsr_layout_create(TSR_COMM_WORLD, 2, last ? last_shape : shape,
                                            last ? last_options : options, &layout);
    check_outcome(st, &layout, expected);
}

/* Cuts of 48 cells over all ranks: near-even ones, and the same moved by one. */
static void make_cuts(int64_t *even, int64_t *moved)
{
    const int n = tsrt_size();
    even[n] = moved[n] = 48;
    for (int k = 0; k < n; ++k) {
        CHECK_OK(tsr_near_even(48, n, k, &even[k], NULL));
        moved[k] = even[k] + (k > 0);
    }
}

static void different_arguments_are_a_mismatch(void **state)
{
    (void)state;
    int64_t even[9], moved[9];
    const int n = tsrt_size();
    const tsr_status expected = n > 1 ? TSR_ERR_MISMATCH : TSR_OK; /* with oneself one agrees */
    make_cuts(even, moved);
    last_differs(NULL, TSR_SHAPE(48, 49), NULL, expected);
    last_differs(NULL, shape, OPTIONS(.halo = {1}), expected);
    last_differs(OPTIONS(.halo_lo = {1}), shape, OPTIONS(.halo_hi = {1}), expected);
    last_differs(NULL, shape, OPTIONS(.periodic = TSR_AXES(1)), expected);
    last_differs(NULL, shape, OPTIONS(.split = TSR_AXES(1)), expected);
    last_differs(NULL, shape, OPTIONS(.split = TSR_WHOLE), expected);
    last_differs(NULL, shape, OPTIONS(.allow_empty = true), expected);
    last_differs(OPTIONS(.cuts = {even}, .ncuts = {n + 1}), shape,
                 OPTIONS(.cuts = {moved}, .ncuts = {n + 1}), expected);
    /* An option without effect here is still an argument. */
    last_differs(OPTIONS(.split = TSR_WHOLE), shape, OPTIONS(.split = TSR_WHOLE, .reorder = true),
                 expected);
}

static void different_words_for_the_same_are_none(void **state)
{
    (void)state;
    int64_t even[9], moved[9];
    const int n = tsrt_size();
    make_cuts(even, moved);
    last_differs(NULL, shape, OPTIONS(.split = TSR_AXES(0)), TSR_OK);
    last_differs(OPTIONS(.halo = {2}), shape, OPTIONS(.halo_lo = {2}, .halo_hi = {2}), TSR_OK);
    last_differs(OPTIONS(.periodic = TSR_ALL_AXES), shape, OPTIONS(.periodic = TSR_AXES(0, 1)),
                 TSR_OK);
    last_differs(OPTIONS(.process_grid = {n, 1}), shape, OPTIONS(.cuts = {even}, .ncuts = {n + 1}),
                 TSR_OK);
}

/* What one rank alone gets wrong, all hear of, with that rank's words. */
static void a_fault_on_the_last_rank_only(void **state)
{
    (void)state;
    char who[32];
    if (tsrt_size() > 1) {
        snprintf(who, sizeof who, "rank %d", tsrt_size() - 1);
    } else {
        who[0] = '\0';
    }
    last_differs(NULL, shape, OPTIONS(.halo = {0, -5}), TSR_ERR_VALUE);
    CHECK_TEXT("halo[1] is -5, must be >= 0");
    CHECK_TEXT(who);
    last_differs(NULL, NULL, NULL, TSR_ERR_VALUE);
    CHECK_TEXT("shape is NULL");
    CHECK_TEXT(who);
    last_differs(NULL, TSR_SHAPE(INT64_MAX, 2), NULL, TSR_ERR_OVERFLOW);
    CHECK_TEXT(who);
}

static void a_null_handle_on_the_last_rank_only(void **state)
{
    (void)state;
    tsr_layout *layout = (tsr_layout *)&layout;
    const tsr_status st =
        tsr_layout_create(TSR_COMM_WORLD, 2, shape, NULL, last_rank() ? NULL : &layout);
    if (last_rank()) layout = NULL;
    check_outcome(st, &layout, TSR_ERR_VALUE);
    CHECK_TEXT("layout is NULL");
}

static void node_shared_needs_whole(void **state)
{
    (void)state;
    const tsr_layout_options shared = {.node_shared = true};
    last_differs(&shared, shape, &shared, TSR_ERR_VALUE);
    CHECK_TEXT("node_shared is true, so split must be TSR_WHOLE");
}

static tsr_status create_with_cuts(void *cuts, tsr_layout **layout)
{
    const tsr_layout_options options = {.cuts = {cuts}, .ncuts = {tsrt_size() + 1}, .halo = {1, 1}};
    return tsr_layout_create(TSR_COMM_WORLD, 2, shape, &options, layout);
}

static void faults_on_each_rank_in_turn(void **state)
{
    (void)state;
    int64_t even[9], moved[9];
    make_cuts(even, moved);
    /* The object and, with several ranks, its cuts. */
    CHECK(tsrt_layout_faults(create_with_cuts, moved) >= (tsrt_size() > 1 ? 2 : 1));
}

/* ---- lifetime -------------------------------------------------------------------------------- */

static void the_last_reference_frees(void **state)
{
    (void)state;
    tsr_layout *layout = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, shape, NULL, &layout));
    tsr_layout *second = tsri_layout_ref(layout);
    const int64_t live = tsri_counters_read().live_blocks;
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK_INT(tsri_counters_read().live_blocks, live);
    CHECK_INT(tsr_layout_cells(second), 48 * 48);
    tsri_layout_unref(second);
    CHECK(tsri_counters_read().live_blocks < live);
    tsri_layout_unref(NULL);
}

static int freed;

static void count_free(void *plans)
{
    freed += plans == &freed;
}

static void plans_go_with_the_layout(void **state)
{
    (void)state;
    tsr_layout *layout = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, shape, NULL, &layout));
    freed = 0;
    layout->plans = &freed;
    layout->plans_free = count_free;
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK_INT(freed, 1);
}

/* Destroying is local: each rank may do it in its own order. */
static void destroyed_in_any_order(void **state)
{
    (void)state;
    enum { COUNT = 8 };
    tsr_layout *layouts[COUNT];
    for (int i = 0; i < COUNT; ++i)
        CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(48, i), NULL, &layouts[i]));
    for (int i = 0; i < COUNT; ++i)
        CHECK_OK(tsr_layout_destroy(&layouts[(3 * i + tsrt_rank()) % COUNT]));
    for (int i = 0; i < COUNT; ++i)
        CHECK(layouts[i] == NULL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(different_arguments_are_a_mismatch),
        cmocka_unit_test(different_words_for_the_same_are_none),
        cmocka_unit_test(a_fault_on_the_last_rank_only),
        cmocka_unit_test(a_null_handle_on_the_last_rank_only),
        cmocka_unit_test(node_shared_needs_whole),
        cmocka_unit_test(faults_on_each_rank_in_turn),
        cmocka_unit_test(the_last_reference_frees),
        cmocka_unit_test(plans_go_with_the_layout),
        cmocka_unit_test(destroyed_in_any_order),
    };
    return TSRT_RUN(argc, argv, tests);
}
