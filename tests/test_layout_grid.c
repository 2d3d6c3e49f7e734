/* ranks: 1 */
/* Process grids: the automatic one by the table, the fitting one by the examples and against the
 * list of all grids. */
#include "layout/geometry.h"
#include "support/layout_cases.h"

/* ---- the automatic grid ---------------------------------------------------------------------- */

static const struct {
    int id, ranks, grids[3][4]; /* over 2, 3 and 4 split axes */
} automatic[] = {
    {12, 1, {{1, 1}, {1, 1, 1}, {1, 1, 1, 1}}},
    {13, 2, {{1, 2}, {1, 1, 2}, {1, 1, 1, 2}}},
    {14, 3, {{1, 3}, {1, 1, 3}, {1, 1, 1, 3}}},
    {15, 4, {{2, 2}, {2, 1, 2}, {1, 2, 1, 2}}},
    {16, 5, {{1, 5}, {1, 1, 5}, {1, 1, 1, 5}}},
    {17, 6, {{2, 3}, {2, 1, 3}, {2, 1, 1, 3}}},
    {18, 7, {{1, 7}, {1, 1, 7}, {1, 1, 1, 7}}},
    {19, 8, {{2, 4}, {2, 2, 2}, {2, 2, 1, 2}}},
    {20, 9, {{3, 3}, {1, 3, 3}, {1, 1, 3, 3}}},
    {21, 10, {{2, 5}, {2, 1, 5}, {2, 1, 1, 5}}},
    {22, 12, {{3, 4}, {2, 2, 3}, {2, 2, 1, 3}}},
    {23, 15, {{3, 5}, {1, 3, 5}, {1, 1, 3, 5}}},
    {24, 16, {{4, 4}, {2, 2, 4}, {2, 2, 2, 2}}},
    {25, 18, {{3, 6}, {3, 2, 3}, {2, 1, 3, 3}}},
    {26, 20, {{4, 5}, {2, 2, 5}, {2, 2, 1, 5}}},
    {27, 24, {{4, 6}, {3, 2, 4}, {2, 2, 2, 3}}},
    {28, 27, {{3, 9}, {3, 3, 3}, {1, 3, 3, 3}}},
    {29, 30, {{5, 6}, {3, 2, 5}, {2, 1, 3, 5}}},
    {30, 32, {{4, 8}, {2, 4, 4}, {2, 2, 2, 4}}},
    {31, 36, {{6, 6}, {3, 3, 4}, {2, 3, 2, 3}}},
    {32, 48, {{6, 8}, {4, 3, 4}, {3, 2, 2, 4}}},
    {33, 60, {{6, 10}, {4, 3, 5}, {3, 2, 2, 5}}},
    {34, 64, {{8, 8}, {4, 4, 4}, {2, 2, 4, 4}}},
    {35, 72, {{8, 9}, {4, 3, 6}, {3, 3, 2, 4}}},
    {36, 100, {{10, 10}, {5, 4, 5}, {2, 2, 5, 5}}},
    {37, 128, {{8, 16}, {4, 4, 8}, {2, 4, 4, 4}}},
    {38, 210, {{14, 15}, {6, 5, 7}, {3, 2, 5, 7}}},
    {39, 360, {{18, 20}, {6, 6, 10}, {4, 3, 5, 6}}},
    {40, 1000, {{25, 40}, {10, 10, 10}, {5, 5, 5, 8}}},
    {41, 1024, {{32, 32}, {8, 8, 16}, {4, 4, 8, 8}}},
};

static void check_automatic(int id, int ranks, int ndim, tsr_axes split, const int *expected)
{
    int grid[TSR_MAX_NDIM];
    tsri_grid_automatic(ranks, ndim, split, grid);
    for (int a = 0; a < ndim; ++a)
        if (grid[a] != expected[a])
            tsrt_fail(__FILE__, __LINE__, "L-%d: axis %d of %d has %d ranks, expected %d", id, a,
                      ndim, grid[a], expected[a]);
}

static void L_12_to_L_41(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof automatic / sizeof *automatic; ++i)
        for (int ndim = 2; ndim <= 4; ++ndim)
            check_automatic(automatic[i].id, automatic[i].ranks, ndim, TSR_ALL_AXES,
                            automatic[i].grids[ndim - 2]);
}

static void L_42_to_L_45_some_axes_whole(void **state)
{
    (void)state;
    check_automatic(42, 12, 3, TSR_AXES(2, 0), (int[]){3, 1, 4});
    check_automatic(43, 8, 2, TSR_AXES(1), (int[]){1, 8});
    check_automatic(44, 8, 2, 0, (int[]){1, 1});
    check_automatic(45, 24, 4, TSR_AXES(1, 3), (int[]){1, 4, 1, 6});
}

static void automatic_grids_multiply_to_the_ranks(void **state)
{
    (void)state;
    static const int large[] = {INT32_MAX, INT32_MAX - 1, 1000000, 735134400, 46340 * 46340};
    for (int i = 1; i <= 400 + 5; ++i) {
        const int ranks = i <= 400 ? i : large[i - 401];
        for (int ndim = 1; ndim <= TSR_MAX_NDIM; ++ndim) {
            int grid[TSR_MAX_NDIM];
            int64_t product = 1;
            tsri_grid_automatic(ranks, ndim, TSR_ALL_AXES, grid);
            for (int a = 0; a < ndim; ++a)
                product *= grid[a];
            CHECK_INT(product, ranks);
        }
    }
}

/* ---- the fitting grid ------------------------------------------------------------------------ */

typedef struct fitting {
    int id, ranks, ndim;
    int64_t shape[3];
    tsr_axes split;
    int grid[3]; /* of the layout */
} fitting;

static const fitting fitting_examples[] = {
    {46, 4, 2, {1, 1000}, TSR_AXES(0, 1), {1, 4}},
    {47, 8, 3, {1, 6, 1000}, TSR_AXES(0, 1, 2), {1, 1, 8}},
    {48, 16, 2, {3, 200}, TSR_AXES(0, 1), {1, 16}},
    {49, 12, 2, {2, 50}, TSR_AXES(0, 1), {1, 12}},
    {50, 27, 3, {2, 9, 30}, TSR_AXES(0, 1, 2), {1, 3, 9}},
    {51, 18, 3, {2, 10, 10}, TSR_AXES(0, 1, 2), {1, 3, 6}},
    {52, 6, 3, {1, 9, 9}, TSR_AXES(0, 1, 2), {1, 2, 3}},
    {55, 16, 3, {2, 64, 64}, TSR_AXES(0, 1, 2), {2, 2, 4}},
    {56, 6, 3, {12, 10, 0}, TSR_AXES(0, 1), {1, 6, 1}},
    {57, 6, 3, {4, 100, 100}, TSR_AXES(0, 1, 2), {2, 1, 3}},
};

static void L_46_to_L_57(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fitting_examples / sizeof *fitting_examples; ++i) {
        const fitting *e = &fitting_examples[i];
        const tsr_layout_options options = {.split = e->split};
        tsr_layout *layout = tsrt_layout(0, e->ranks, e->ndim, e->shape, &options);
        for (int a = 0; a < e->ndim; ++a)
            if (tsr_layout_process_grid(layout)[a] != e->grid[a])
                tsrt_fail(__FILE__, __LINE__, "L-%d: axis %d has %d ranks, expected %d", e->id, a,
                          tsr_layout_process_grid(layout)[a], e->grid[a]);
        tsrt_layout_free(layout);
    }
}

static void L_53_L_54_nothing_fits(void **state)
{
    (void)state;
    const tsr_layout_options options = {.split = TSR_AXES(0, 1)};
    tsrt_refused(8, 2, TSR_SHAPE(2, 2), &options, TSR_ERR_VALUE, "axis 1 has 2 cells for 4 ranks");
    tsrt_refused(12, 3, TSR_SHAPE(5, 2, 40), &options, TSR_ERR_VALUE,
                 "axis 1 has 2 cells for 4 ranks");
}

static void L_57_the_search_itself(void **state)
{
    (void)state;
    int grid[3];
    bool found;
    CHECK_OK(tsri_grid_fitting(6, 3, TSR_SHAPE(4, 100, 100), TSR_AXES(0, 1, 2), grid, &found));
    CHECK(found);
    CHECK_INT(grid[0], 1);
    CHECK_INT(grid[1], 2);
    CHECK_INT(grid[2], 3);
}

/* Lists all grids, in lexicographic order. */
typedef struct listing {
    int ndim;
    const int64_t *shape;
    tsr_axes split;
    int grid[TSR_MAX_NDIM], best[TSR_MAX_NDIM];
    int64_t best_surface; /* -1: none yet */
} listing;

static int64_t surface_of(const listing *l)
{
    int64_t surface = 0;
    for (int a = 0; a < l->ndim; ++a) {
        int64_t face = 1;
        if (l->grid[a] == 1) continue;
        for (int k = 0; k < l->ndim; ++k)
            if (k != a) face *= (l->shape[k] + l->grid[k] - 1) / l->grid[k];
        surface += face;
    }
    return surface;
}

static void list_grids(listing *l, int axis, int left)
{
    if (axis == l->ndim) {
        const int64_t surface = surface_of(l);
        if (left != 1 || (l->best_surface >= 0 && surface >= l->best_surface)) return;
        l->best_surface = surface;
        memcpy(l->best, l->grid, sizeof l->grid);
        return;
    }
    const bool split = (l->split & TSR_AXIS(axis)) != 0;
    for (int ranks = 1; ranks <= left; ++ranks) {
        if (left % ranks != 0 || (split ? ranks > l->shape[axis] : ranks > 1)) continue;
        l->grid[axis] = ranks;
        list_grids(l, axis + 1, left / ranks);
    }
}

static void the_search_finds_the_best_of_all_grids(void **state)
{
    (void)state;
    uint64_t seed = 2024;
    int fitting_grids = 0;
    for (int round = 0; round < 20000; ++round) {
        int64_t shape[4];
        int grid[4];
        bool found;
        const int ranks = 1 + tsrt_random(&seed, round % 2 ? 72 : 720);
        listing l = {.ndim = 1 + tsrt_random(&seed, 4), .shape = shape, .best_surface = -1};
        for (int a = 0; a < l.ndim; ++a) {
            shape[a] = tsrt_random(&seed, round % 3 ? 12 : 60);
            if (tsrt_random(&seed, 4) > 0) l.split |= TSR_AXIS(a);
        }
        list_grids(&l, 0, ranks);
        CHECK_OK(tsri_grid_fitting(ranks, l.ndim, shape, l.split, grid, &found));
        CHECK_INT(found, l.best_surface >= 0);
        for (int a = 0; a < l.ndim && found; ++a)
            CHECK_INT(grid[a], l.best[a]);
        fitting_grids += found;
    }
    CHECK(fitting_grids > 2000);
}

/* A million ranks over 16 axes have billions of grids: the search must not list them. */
static void the_search_is_bounded(void **state)
{
    (void)state;
    static const int sizes[] = {1000000, 720720, 1048576, 735134400, INT32_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        for (int ndim = 1; ndim <= TSR_MAX_NDIM; ++ndim) {
            int64_t shape[TSR_MAX_NDIM], product = 1;
            int grid[TSR_MAX_NDIM];
            bool found;
            for (int a = 0; a < ndim; ++a)
                shape[a] = 13 - a % 3;
            CHECK_OK(tsri_grid_fitting(sizes[i], ndim, shape, TSR_ALL_AXES, grid, &found));
            for (int a = 0; a < ndim && found; ++a) {
                CHECK(grid[a] >= 1 && grid[a] <= shape[a]);
                product *= grid[a];
            }
            if (found) CHECK_INT(product, sizes[i]);
            if (sizes[i] == 1000000) CHECK_INT(found, ndim >= 6); /* 10^6: six axes of ten ranks */
        }
    }
}

static void the_search_without_memory(void **state)
{
    (void)state;
    bool fired = true;
    for (int n = 0; fired; ++n) {
        int grid[3] = {-1, -1, -1};
        bool found = true;
        tsri_fault_arm(n);
        const tsr_status st =
            tsri_grid_fitting(720720, 3, TSR_SHAPE(131, 97, 1001), TSR_ALL_AXES, grid, &found);
        fired = tsri_fault_fired();
        tsri_fault_arm(-1);
        CHECK_INT(st, fired ? TSR_ERR_NOMEM : TSR_OK);
        if (fired) CHECK(!found && grid[0] == -1);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(L_12_to_L_41),
        cmocka_unit_test(L_42_to_L_45_some_axes_whole),
        cmocka_unit_test(automatic_grids_multiply_to_the_ranks),
        cmocka_unit_test(L_46_to_L_57),
        cmocka_unit_test(L_53_L_54_nothing_fits),
        cmocka_unit_test(L_57_the_search_itself),
        cmocka_unit_test(the_search_finds_the_best_of_all_grids),
        cmocka_unit_test(the_search_is_bounded),
        cmocka_unit_test(the_search_without_memory),
    };
    return TSRT_RUN(argc, argv, tests);
}
