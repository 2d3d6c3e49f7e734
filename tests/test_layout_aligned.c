/* ranks: 1 2 3 4 6 */
/* tsr_layout_create_aligned(): the cuts of another layout, with another end. */
#include "support/layout_cases.h"

#define OPTIONS(...)                                                                               \
    &(tsr_layout_options)                                                                          \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static tsr_layout *make(int ndim, const int64_t *shape, const tsr_layout_options *options)
{
    tsr_layout *layout = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, ndim, shape, options, &layout));
    return layout;
}

static tsr_layout *align(const tsr_layout *like, int ndim, const int64_t *shape,
                         const tsr_layout_options *options)
{
    tsr_layout *layout = (tsr_layout *)&layout;
    CHECK_OK(tsr_layout_create_aligned(like, ndim, shape, options, &layout));
    CHECK(tsr_layout_comm(layout) == tsr_layout_comm(like));
    for (int a = 0; a < ndim; ++a) {
        CHECK_INT(tsr_layout_shape(layout)[a], shape[a]);
        CHECK_INT(tsr_layout_process_grid(layout)[a], tsr_layout_process_grid(like)[a]);
    }
    return layout;
}

static void refused(const tsr_layout *like, int ndim, const int64_t *shape,
                    const tsr_layout_options *options, tsr_status status, const char *text)
{
    tsr_layout *layout = (tsr_layout *)&layout;
    CHECK_STATUS(tsr_layout_create_aligned(like, ndim, shape, options, &layout), status);
    CHECK(layout == NULL);
    CHECK_TEXT(text);
    CHECK_TEXT("tsr_layout_create_aligned");
    CHECK_SAME_ON_ALL(tsrt_text_hash());
}

static void L_94_to_L_97(void **state)
{
    (void)state;
    if (tsrt_size() != 6) {
        tsrt_skip("the examples L-94 to L-97 are for 6 ranks");
        return;
    }
    tsr_layout *like = make(2, TSR_SHAPE(9, 7), OPTIONS(.split = TSR_AXES(0, 1)));
    tsrt_check_cuts(like, 0, 3, TSR_SHAPE(0, 5, 9));
    tsrt_check_cuts(like, 1, 4, TSR_SHAPE(0, 3, 5, 7));

    tsr_layout *longer = align(like, 2, TSR_SHAPE(10, 8), NULL);
    tsrt_check_cuts(longer, 0, 3, TSR_SHAPE(0, 5, 10));
    tsrt_check_cuts(longer, 1, 4, TSR_SHAPE(0, 3, 5, 8));
    tsr_layout *shorter = align(like, 2, TSR_SHAPE(6, 6), NULL);
    tsrt_check_cuts(shorter, 0, 3, TSR_SHAPE(0, 5, 6));
    tsrt_check_cuts(shorter, 1, 4, TSR_SHAPE(0, 3, 5, 6));

    refused(like, 2, TSR_SHAPE(5, 7), NULL, TSR_ERR_VALUE,
            "shape[0] is 5, must be > 5, where the last block of axis 0 starts");
    refused(like, 1, TSR_SHAPE(9), NULL, TSR_ERR_VALUE, "ndim is 1, must be 2, as in like");
    CHECK_OK(tsr_layout_destroy(&longer));
    CHECK_OK(tsr_layout_destroy(&shorter));
    CHECK_OK(tsr_layout_destroy(&like));
}

/* Cells of equal index are on the same rank, whichever the cuts. */
static void cells_stay_where_they_are(void **state)
{
    (void)state;
    const int n = tsrt_size();
    int64_t cuts[8] = {0};
    for (int k = 1; k <= n; ++k)
        cuts[k] = cuts[k - 1] + k;
    const tsr_layout_options near_even = {.halo_lo = {3}, .halo_hi = {1}, .periodic = TSR_AXES(0)};
    tsr_layout_options given = near_even;
    given.cuts[0] = cuts;
    given.ncuts[0] = n + 1;
    for (int round = 0; round < 2; ++round) {
        tsr_layout *like = make(2, TSR_SHAPE(cuts[n], 3), round == 0 ? &near_even : &given);
        int64_t points[8];
        CHECK_OK(tsr_layout_cuts(like, 0, points));
        for (int64_t length = points[n - 1] + 1; length < points[n] + 5; ++length) {
            tsr_layout *layout = align(like, 2, TSR_SHAPE(length, 5), NULL);
            for (int64_t i = 0; i < length && i < cuts[n]; ++i) {
                int here = -1, there = -2;
                CHECK_OK(tsr_layout_owner(like, TSR_SHAPE(i, 2), &here));
                CHECK_OK(tsr_layout_owner(layout, TSR_SHAPE(i, 2), &there));
                CHECK_INT(there, here);
            }
            CHECK_INT(tsr_layout_halo_lo(layout)[0], 3);
            CHECK_INT(tsr_layout_halo_hi(layout)[0], 1);
            CHECK_INT(tsr_layout_periodic(layout), TSR_AXES(0));
            CHECK_INT(tsr_layout_split(layout), tsr_layout_split(like));
            CHECK_OK(tsr_layout_destroy(&layout));
        }
        tsr_layout *same = align(like, 2, tsr_layout_shape(like), NULL);
        CHECK(tsr_layout_equal(same, like));
        CHECK(tsr_layout_hash(same) == tsr_layout_hash(like));
        CHECK_OK(tsr_layout_destroy(&same));
        CHECK_OK(tsr_layout_destroy(&like));
    }
}

static void halo_and_periodicity_are_replaced_together(void **state)
{
    (void)state;
    tsr_layout *like = make(2, TSR_SHAPE(24, 5), OPTIONS(.halo = {1, 2}, .periodic = TSR_ALL_AXES));
    tsr_layout *layout = align(like, 2, TSR_SHAPE(25, 5), OPTIONS(.halo_hi = {0, 7}));
    CHECK_INT(tsr_layout_periodic(layout), 0);
    CHECK_INT(tsr_layout_halo_lo(layout)[0] + tsr_layout_halo_hi(layout)[0], 0);
    CHECK_INT(tsr_layout_halo_lo(layout)[1], 0);
    CHECK_INT(tsr_layout_halo_hi(layout)[1], 7);
    CHECK_OK(tsr_layout_destroy(&layout));

    const int64_t cuts[] = {0, 25};
    const tsr_layout_options others[] = {
        {.split = TSR_AXES(0)},
        {.process_grid = {1, 1}},
        {.cuts = {cuts}},
        {.ncuts = {2}},
        {.allow_empty = true},
        {.reorder = true},
        {.node_shared = true, .split = TSR_WHOLE},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        refused(like, 2, TSR_SHAPE(25, 5), &others[i], TSR_ERR_VALUE,
                "may give halo and periodic only");
    refused(like, 2, TSR_SHAPE(25, 5), OPTIONS(.halo = {-1}), TSR_ERR_VALUE, "halo[0] is -1");
    refused(like, 2, TSR_SHAPE(25, 5), OPTIONS(.halo = {1}, .halo_lo = {1}), TSR_ERR_VALUE,
            "give one form only");
    refused(like, 2, TSR_SHAPE(25, 5), OPTIONS(.periodic = TSR_AXES(2)), TSR_ERR_VALUE, "periodic");
    CHECK_OK(tsr_layout_destroy(&like));
}

static void replicated_stays_replicated(void **state)
{
    (void)state;
    tsr_layout *like = make(2, TSR_SHAPE(4, 3), OPTIONS(.split = TSR_WHOLE, .halo = {1, 1}));
    tsr_layout *layout = align(like, 2, TSR_SHAPE(1, 9), NULL);
    CHECK(!tsr_layout_is_distributed(layout));
    CHECK_INT(tsr_layout_is_replicated(layout), tsrt_size() > 1);
    CHECK_OK(tsr_layout_destroy(&layout));
    refused(like, 2, TSR_SHAPE(0, 9), NULL, TSR_ERR_VALUE, "shape[0] is 0, must be > 0");
    CHECK_OK(tsr_layout_destroy(&like));

    like = make(1, TSR_SHAPE(4), OPTIONS(.split = TSR_WHOLE, .node_shared = true));
    layout = align(like, 1, TSR_SHAPE(7), NULL);
    CHECK(tsr_layout_is_node_shared(layout));
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK_OK(tsr_layout_destroy(&like));

    like = make(0, NULL, NULL);
    layout = align(like, 0, NULL, NULL);
    CHECK(tsr_layout_equal(layout, like));
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK_OK(tsr_layout_destroy(&like));
}

/* Where ranks may own nothing, the last block may become empty. */
static void empty_blocks(void **state)
{
    (void)state;
    const int n = tsrt_size();
    tsr_layout *like = make(1, TSR_SHAPE(2), OPTIONS(.allow_empty = true, .halo = {1}));
    int64_t cuts[8];
    CHECK_OK(tsr_layout_cuts(like, 0, cuts));
    for (int64_t length = cuts[n - 1]; length < 5; ++length) {
        tsr_layout *layout = align(like, 1, &length, NULL);
        int64_t found[8];
        CHECK_OK(tsr_layout_cuts(layout, 0, found));
        for (int k = 0; k < n; ++k)
            CHECK_INT(found[k], cuts[k]);
        CHECK_INT(found[n], length);
        CHECK_OK(tsr_layout_destroy(&layout));
    }
    if (n > 1) refused(like, 1, TSR_SHAPE(cuts[n - 1] - 1), NULL, TSR_ERR_VALUE, "must be >= ");
    CHECK_OK(tsr_layout_destroy(&like));
}

static void what_is_refused(void **state)
{
    (void)state;
    tsr_layout *like = make(2, TSR_SHAPE(24, 5), OPTIONS(.halo = {1}));
    tsr_layout *layout = (tsr_layout *)&layout;
    const bool last = tsrt_rank() == tsrt_size() - 1;
    CHECK_STATUS(tsr_layout_create_aligned(NULL, 2, TSR_SHAPE(24, 5), NULL, &layout),
                 TSR_ERR_VALUE);
    CHECK(layout == NULL);
    CHECK_TEXT("like is NULL");
    refused(like, 2, NULL, NULL, TSR_ERR_VALUE, "shape is NULL");
    refused(like, 2, TSR_SHAPE(-3, 5), NULL, TSR_ERR_VALUE, "shape[0] is -3");
    refused(like, 2, TSR_SHAPE(INT64_MAX, 1), NULL, TSR_ERR_OVERFLOW, "axis 0 with its halos");
    refused(like, 2, TSR_SHAPE(INT64_MAX, 2), NULL, TSR_ERR_OVERFLOW, "the shape has more than");
    /* One rank alone is wrong, or different, or has no place for the layout. */
    CHECK_STATUS(tsr_layout_create_aligned(like, 2, TSR_SHAPE(last ? -1 : 24, 5), NULL, &layout),
                 TSR_ERR_VALUE);
    CHECK_SAME_ON_ALL(tsrt_text_hash());
    const tsr_status different =
        tsr_layout_create_aligned(like, 2, TSR_SHAPE(last ? 25 : 26, 5), NULL, &layout);
    CHECK_STATUS(different, tsrt_size() > 1 ? TSR_ERR_MISMATCH : TSR_OK);
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK_STATUS(tsr_layout_create_aligned(like, 2, TSR_SHAPE(24, 5), NULL, last ? NULL : &layout),
                 TSR_ERR_VALUE);
    CHECK_TEXT("layout is NULL");
    CHECK_OK(tsr_layout_destroy(&like));
}

static tsr_status create(void *like, tsr_layout **layout)
{
    return tsr_layout_create_aligned(like, 2, TSR_SHAPE(29, 5), NULL, layout);
}

static void faults_on_each_rank_in_turn(void **state)
{
    (void)state;
    tsr_layout *like = make(2, TSR_SHAPE(24, 5), OPTIONS(.halo = {1}));
    CHECK(tsrt_layout_faults(create, like) >= (tsrt_size() > 1 ? 3 : 1));
    CHECK_OK(tsr_layout_destroy(&like));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(L_94_to_L_97),
        cmocka_unit_test(cells_stay_where_they_are),
        cmocka_unit_test(halo_and_periodicity_are_replaced_together),
        cmocka_unit_test(replicated_stays_replicated),
        cmocka_unit_test(empty_blocks),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(faults_on_each_rank_in_turn),
    };
    return TSRT_RUN(argc, argv, tests);
}
