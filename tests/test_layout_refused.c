/* ranks: 1 2 3 4 6 */
/* What a layout refuses, with which sentence, and what it accepts. */
#include "support/layout_cases.h"

#define OPTIONS(...)                                                                               \
    &(tsr_layout_options)                                                                          \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define CUTS(...) TSR_SHAPE(__VA_ARGS__)

static void L_58_L_59_cuts_on_both_axes(const tsr_layout *layout)
{
    static const int64_t start[6][2] = {{0, 0}, {0, 4}, {0, 5}, {1, 0}, {1, 4}, {1, 5}};
    static const int64_t end[6][2] = {{1, 4}, {1, 5}, {1, 12}, {8, 4}, {8, 5}, {8, 12}};
    CHECK_INT(tsr_layout_split(layout), TSR_AXES(0, 1));
    CHECK_INT(tsr_layout_process_grid(layout)[0], 2);
    CHECK_INT(tsr_layout_process_grid(layout)[1], 3);
    for (int rank = 0; rank < 6; ++rank) {
        int coords[2];
        int64_t first[2], extent[2];
        CHECK_OK(tsr_layout_coords(layout, rank, coords));
        CHECK_INT(coords[0], rank / 3);
        CHECK_INT(coords[1], rank % 3);
        CHECK_OK(tsr_layout_block(layout, rank, first, extent));
        for (int a = 0; a < 2; ++a) {
            CHECK_INT(first[a], start[rank][a]);
            CHECK_INT(first[a] + extent[a], end[rank][a]);
        }
    }
    const int64_t cells[] = {0, 0, 0, 4, 0, 5, 1, 3, 1, 4, 7, 11};
    int owners[6];
    CHECK_OK(tsr_layout_owners(layout, 6, cells, TSR_STRICT, owners));
    for (int i = 0; i < 6; ++i)
        CHECK_INT(owners[i], i);
}

static void L_58_L_59(void **state)
{
    (void)state;
    const tsr_layout_options options = {.cuts = {CUTS(0, 1, 8), CUTS(0, 4, 5, 12)},
                                        .ncuts = {3, 4}};
    tsrt_on_layout(6, 2, TSR_SHAPE(8, 12), &options, L_58_L_59_cuts_on_both_axes);
}

static void L_60_to_L_64(void **state)
{
    (void)state;
    const int any = tsrt_size();
    tsrt_refused(any, 2, TSR_SHAPE(4, -1), NULL, TSR_ERR_VALUE, "shape[1] is -1, must be >= 0");
    tsrt_refused(any, 2, TSR_SHAPE(4, 4), OPTIONS(.halo = {1, -1}), TSR_ERR_VALUE,
                 "halo[1] is -1, must be >= 0");
    tsrt_refused(any, 2, TSR_SHAPE(4, 4), OPTIONS(.periodic = TSR_AXES(0, 1, 2)), TSR_ERR_VALUE,
                 "periodic has axis 2, but the layout has 2 axes: 0 and 1");
    tsrt_refused(any, 2, TSR_SHAPE(4, 4), OPTIONS(.split = TSR_AXES(2)), TSR_ERR_VALUE,
                 "split has axis 2, but the layout has 2 axes: 0 and 1");
    /* L-64, the same axis twice, cannot be written: a set has no repeats.  -2 is no axis of one. */
    tsrt_refused(any, 2, TSR_SHAPE(4, 4), OPTIONS(.split = TSR_AXES(0, -2)), TSR_ERR_VALUE,
                 "split has an axis outside 0 to 15");
}

static void L_65_to_L_68_cuts(void **state)
{
    (void)state;
    tsrt_refused(2, 1, TSR_SHAPE(10), OPTIONS(.cuts = {CUTS(0, 5, 9)}, .ncuts = {3}), TSR_ERR_VALUE,
                 "cuts[0][2] is 9, must be 10");
    tsrt_refused(2, 1, TSR_SHAPE(10), OPTIONS(.cuts = {CUTS(0, 5, 5, 10)}, .ncuts = {4}),
                 TSR_ERR_VALUE, "cuts[0][2] is 5, must be > 5");
    tsrt_refused(2, 1, TSR_SHAPE(10),
                 OPTIONS(.cuts = {CUTS(0, 5, 10)}, .ncuts = {3}, .process_grid = {1}),
                 TSR_ERR_VALUE, "process_grid[0] is 1, must be 2");
    tsrt_refused(3, 1, TSR_SHAPE(10), OPTIONS(.cuts = {CUTS(0, 5, 10)}, .ncuts = {3}),
                 TSR_ERR_VALUE, "has 2 blocks, must have 3");
}

static void L_69_to_L_72_grids(void **state)
{
    (void)state;
    const int64_t shape[] = {12, 6};
    tsrt_refused(6, 2, shape, OPTIONS(.process_grid = {2, 2}), TSR_ERR_VALUE,
                 "has 4 blocks, must have 6");
    tsrt_refused(6, 2, shape, OPTIONS(.process_grid = {0, 6}), TSR_ERR_VALUE,
                 "process_grid[0] is 0, must be >= 1");
    tsrt_refused(6, 2, shape, OPTIONS(.process_grid = {6}), TSR_ERR_VALUE,
                 "process_grid[1] is 0, must be >= 1");
    tsrt_refused(6, 2, shape, OPTIONS(.process_grid = {3, 2}, .split = TSR_AXES(0)), TSR_ERR_VALUE,
                 "axis 1 has 2 ranks, but split leaves it whole");
}

static void L_73_L_74_more_ranks_than_cells(void **state)
{
    (void)state;
    tsrt_refused(4, 1, TSR_SHAPE(3), NULL, TSR_ERR_VALUE,
                 "axis 0 has 3 cells for 4 ranks; use allow_empty or fewer ranks");
    tsrt_refused(2, 2, TSR_SHAPE(0, 5), NULL, TSR_ERR_VALUE, "axis 0 has 0 cells for 2 ranks");
    tsrt_accepted(2, 2, TSR_SHAPE(0, 5), OPTIONS(.split = TSR_WHOLE));
    tsrt_accepted(4, 1, TSR_SHAPE(3), OPTIONS(.allow_empty = true));
    tsrt_accepted(2, 2, TSR_SHAPE(0, 5), OPTIONS(.allow_empty = true));
}

/* The design overrides these three: halos may be wider than blocks. */
static void L_75_L_76_L_77_wide_halos_are_accepted(void **state)
{
    (void)state;
    tsrt_accepted(4, 1, TSR_SHAPE(10), OPTIONS(.halo = {3}));
    tsrt_accepted(2, 1, TSR_SHAPE(10),
                  OPTIONS(.cuts = {CUTS(0, 1, 10)}, .ncuts = {3}, .halo = {2}));
    tsrt_accepted(1, 2, TSR_SHAPE(4, 3), OPTIONS(.halo = {0, 4}, .periodic = TSR_ALL_AXES));
}

static void L_79_storage(const tsr_layout *layout)
{
    int64_t storage;
    CHECK_OK(tsr_layout_storage(layout, 0, &storage));
    CHECK_INT(storage, 12);
}

static void L_81_split(const tsr_layout *layout)
{
    CHECK_INT(tsr_layout_split(layout), TSR_AXES(0));
}

static void L_78_to_L_81_accepted(void **state)
{
    (void)state;
    tsrt_accepted(4, 1, TSR_SHAPE(10), OPTIONS(.halo = {2}));
    tsrt_on_layout(1, 1, TSR_SHAPE(2), OPTIONS(.halo = {5}), L_79_storage);
    tsrt_accepted(1, 2, TSR_SHAPE(4, 3), OPTIONS(.halo = {3, 3}, .periodic = TSR_ALL_AXES));
    tsrt_on_layout(6, 2, TSR_SHAPE(12, 6), OPTIONS(.split = TSR_AXES(0, 1), .process_grid = {6, 1}),
                   L_81_split);
}

static void dimensions(void **state)
{
    (void)state;
    int64_t shape[TSR_MAX_NDIM + 1];
    for (int a = 0; a <= TSR_MAX_NDIM; ++a)
        shape[a] = 2;
    const int any = tsrt_size();
    tsrt_refused(any, TSR_MAX_NDIM + 1, shape, NULL, TSR_ERR_VALUE, "ndim is 17, must be 0 to 16");
    tsrt_refused(any, -1, shape, NULL, TSR_ERR_VALUE, "ndim is -1");
    tsrt_refused(any, 2, NULL, NULL, TSR_ERR_VALUE, "shape is NULL");
    tsrt_accepted(any, TSR_MAX_NDIM, shape, OPTIONS(.split = TSR_WHOLE));
    tsrt_accepted(1, TSR_MAX_NDIM, shape, OPTIONS(.split = TSR_AXIS(15), .periodic = TSR_AXIS(15)));
    tsrt_accepted(any, 0, NULL, NULL);
    /* An array without axes is never split, whatever is asked. */
    tsrt_accepted(any, 0, NULL, OPTIONS(.split = TSR_AXES(3)));
    tsrt_refused(any, 0, NULL, OPTIONS(.periodic = TSR_AXES(0)), TSR_ERR_VALUE,
                 "periodic has axis 0, but the layout has no axes");
}

static void halos(void **state)
{
    (void)state;
    const int any = tsrt_size();
    const int64_t shape[] = {8, 8};
    tsrt_refused(any, 2, shape, OPTIONS(.halo = {0, 0, 1}), TSR_ERR_VALUE,
                 "a halo is given for axis 2, but the layout has 2 axes");
    tsrt_refused(any, 2, shape, OPTIONS(.halo_hi[15] = -1), TSR_ERR_VALUE, "for axis 15");
    tsrt_refused(any, 2, shape, OPTIONS(.halo_lo = {0, -3}), TSR_ERR_VALUE, "halo_lo[1] is -3");
    tsrt_refused(any, 2, shape, OPTIONS(.halo_hi = {-4}), TSR_ERR_VALUE, "halo_hi[0] is -4");
    tsrt_refused(any, 2, shape, OPTIONS(.halo = {0, 2}, .halo_hi = {0, 2}), TSR_ERR_VALUE,
                 "axis 1 has halo 2 and also halo_lo 0, halo_hi 2; give one form only");
    tsrt_accepted(any, 2, shape, OPTIONS(.halo = {0, 2}, .halo_lo = {1}));
}

static void splits(void **state)
{
    (void)state;
    const int any = tsrt_size();
    const int64_t shape[] = {8, 8};
    tsrt_refused(any, 2, shape, OPTIONS(.split = TSR_WHOLE | TSR_AXES(0)), TSR_ERR_VALUE,
                 "split has TSR_WHOLE beside other axes");
    tsrt_refused(any, 2, shape, OPTIONS(.split = TSR_AXIS(16)), TSR_ERR_VALUE,
                 "split has an axis outside 0 to 15");
    tsrt_refused(any, 2, shape, OPTIONS(.periodic = TSR_WHOLE), TSR_ERR_VALUE,
                 "periodic has TSR_WHOLE");
    tsrt_refused(2, 2, shape, OPTIONS(.split = TSR_WHOLE, .process_grid = {2, 1}), TSR_ERR_VALUE,
                 "axis 0 has 2 ranks, but split leaves it whole");
    tsrt_refused(2, 2, shape, OPTIONS(.split = TSR_WHOLE, .process_grid = {1, 1}), TSR_ERR_VALUE,
                 "has 1 block, must have 2");
    tsrt_accepted(1, 2, shape, OPTIONS(.split = TSR_WHOLE, .process_grid = {1, 1}));
    tsrt_accepted(any, 2, shape, OPTIONS(.split = TSR_ALL_AXES, .periodic = TSR_ALL_AXES));
}

static void grids_and_cuts(void **state)
{
    (void)state;
    const int64_t shape[] = {8, 8};
    tsrt_refused(4, 2, shape, OPTIONS(.process_grid = {2, 2, 1}), TSR_ERR_VALUE,
                 "process_grid[2] is 1, but the layout has 2 axes");
    tsrt_refused(4, 2, shape, OPTIONS(.process_grid = {0, 0, 4}), TSR_ERR_VALUE,
                 "process_grid[0] is 0, must be >= 1");
    tsrt_refused(4, 2, shape, OPTIONS(.process_grid = {-2, -2}), TSR_ERR_VALUE,
                 "process_grid[0] is -2, must be >= 1");
    tsrt_refused(4, 2, shape, OPTIONS(.process_grid = {INT32_MAX, INT32_MAX}), TSR_ERR_VALUE,
                 "has at least 2147483647 blocks, must have 4");
    tsrt_refused(4, 2, shape, OPTIONS(.ncuts = {0, 3}), TSR_ERR_VALUE, "cuts[1] is NULL");
    tsrt_refused(4, 2, shape, OPTIONS(.cuts = {CUTS(0)}, .ncuts = {1}), TSR_ERR_VALUE,
                 "ncuts[0] is 1, must be >= 2");
    tsrt_refused(4, 2, shape, OPTIONS(.cuts = {CUTS(0)}), TSR_ERR_VALUE, "ncuts[0] is 0");
    tsrt_refused(4, 2, shape, OPTIONS(.cuts = {CUTS(1, 8)}, .ncuts = {2}), TSR_ERR_VALUE,
                 "cuts[0][0] is 1, must be 0");
    tsrt_refused(4, 2, shape, OPTIONS(.cuts[2] = CUTS(0, 8), .ncuts[2] = 2), TSR_ERR_VALUE,
                 "cuts are given for axis 2, but the layout has 2 axes");
    tsrt_refused(4, 2, shape,
                 OPTIONS(.cuts = {CUTS(0, 5, 3, 8)}, .ncuts = {4}, .allow_empty = true),
                 TSR_ERR_VALUE, "cuts[0][2] is 3, must be >= 5");
    tsrt_refused(4, 2, shape,
                 OPTIONS(.cuts = {CUTS(0, 2, 4, 6, 8)}, .ncuts = {5}, .split = TSR_AXES(1)),
                 TSR_ERR_VALUE, "axis 0 has 4 ranks, but split leaves it whole");
    tsrt_accepted(4, 2, shape,
                  OPTIONS(.cuts = {CUTS(0, 0, 8, 8, 8)}, .ncuts = {5}, .allow_empty = true));
}

static void cuts_beside_a_grid(const tsr_layout *layout)
{
    int64_t cuts[3];
    CHECK_INT(tsr_layout_split(layout), TSR_AXES(0, 1));
    CHECK_OK(tsr_layout_cuts(layout, 0, cuts));
    CHECK_INT(cuts[1], 1);
    CHECK_OK(tsr_layout_cuts(layout, -1, cuts));
    CHECK_INT(cuts[1], 4);
    CHECK_INT(cuts[2], 7);
    CHECK_STATUS(tsr_layout_cuts(layout, 2, cuts), TSR_ERR_AXIS);
    CHECK_STATUS(tsr_layout_cuts(layout, -3, cuts), TSR_ERR_AXIS);
    CHECK_TEXT("axis is -3, but the layout has 2 axes");
}

static void an_axis_without_cuts_is_near_even_over_the_grid(void **state)
{
    (void)state;
    tsrt_on_layout(4, 2, TSR_SHAPE(8, 7),
                   OPTIONS(.cuts = {CUTS(0, 1, 8)}, .ncuts = {3}, .process_grid = {2, 2}),
                   cuts_beside_a_grid);
}

/* The first failing check decides: each of these has its own fault and all the later ones. */
static void the_order_of_the_checks(void **state)
{
    (void)state;
    tsr_layout_options o = {.split = TSR_AXES(5),
                            .halo = {1, -1},
                            .periodic = TSR_AXES(4),
                            .cuts = {CUTS(0, 3)},
                            .ncuts = {2},
                            .process_grid = {3, 0}};
    tsrt_refused(4, 2, TSR_SHAPE(-3, 3), &o, TSR_ERR_VALUE, "shape[0]");
    o.halo[2] = 1;
    tsrt_refused(4, 2, TSR_SHAPE(3, 3), &o, TSR_ERR_VALUE, "a halo is given for axis 2");
    o.halo[2] = 0;
    tsrt_refused(4, 2, TSR_SHAPE(3, 3), &o, TSR_ERR_VALUE, "halo[1]");
    o.halo[1] = 1;
    tsrt_refused(4, 2, TSR_SHAPE(3, 3), &o, TSR_ERR_VALUE, "periodic");
    o.periodic = 0;
    tsrt_refused(4, 2, TSR_SHAPE(3, 3), &o, TSR_ERR_VALUE, "split");
    o.split = TSR_AXES(1);
    tsrt_refused(4, 2, TSR_SHAPE(4, 3), &o, TSR_ERR_VALUE, "cuts[0][1] is 3, must be 4");
    tsrt_refused(4, 2, TSR_SHAPE(3, 3), &o, TSR_ERR_VALUE, "process_grid[0] is 3, must be 1");
    o.process_grid[0] = 1;
    tsrt_refused(4, 2, TSR_SHAPE(3, 3), &o, TSR_ERR_VALUE, "process_grid[1] is 0, must be >= 1");
    o.process_grid[1] = 3;
    tsrt_refused(4, 2, TSR_SHAPE(3, 3), &o, TSR_ERR_VALUE, "has 3 blocks, must have 4");
    o.process_grid[1] = 4;
    tsrt_refused(4, 2, TSR_SHAPE(3, 3), &o, TSR_ERR_VALUE, "axis 1 has 3 cells for 4 ranks");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(L_58_L_59),
        cmocka_unit_test(L_60_to_L_64),
        cmocka_unit_test(L_65_to_L_68_cuts),
        cmocka_unit_test(L_69_to_L_72_grids),
        cmocka_unit_test(L_73_L_74_more_ranks_than_cells),
        cmocka_unit_test(L_75_L_76_L_77_wide_halos_are_accepted),
        cmocka_unit_test(L_78_to_L_81_accepted),
        cmocka_unit_test(dimensions),
        cmocka_unit_test(halos),
        cmocka_unit_test(splits),
        cmocka_unit_test(grids_and_cuts),
        cmocka_unit_test(an_axis_without_cuts_is_near_even_over_the_grid),
        cmocka_unit_test(the_order_of_the_checks),
    };
    return TSRT_RUN(argc, argv, tests);
}
