/* ranks: 1 2 3 4 6 */
/* Blocks, storage, neighbours, owners and rank boundaries: the examples. */
#include "support/layout_cases.h"

#include <math.h>

#define OPTIONS(...)                                                                               \
    &(tsr_layout_options)                                                                          \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
enum { NONE = TSR_NO_RANK };

static const int64_t shape_L_82[] = {11, 9, 4};
static const tsr_layout_options options_L_82 = {
    .split = TSR_AXES(0, 1), .halo = {2, 1, 0}, .periodic = TSR_AXES(0)};
static const int64_t shape_L_83[] = {10, 7};
static const tsr_layout_options options_L_83 = {.split = TSR_AXES(0, 1), .periodic = TSR_AXES(0)};

static void check_neighbours(const tsr_layout *layout, int rank, int axis, int before, int after)
{
    int found[2] = {-7, -7};
    CHECK_OK(tsr_layout_neighbours(layout, rank, axis, &found[0], &found[1]));
    CHECK_INT(found[0], before);
    CHECK_INT(found[1], after);
}

static void check_owners(const tsr_layout *layout, tsr_outside outside, int count,
                         const int64_t *cells, const int *expected)
{
    int owners[16];
    CHECK_OK(tsr_layout_owners(layout, count, cells, outside, owners));
    for (int i = 0; i < count; ++i) {
        int owner = -7;
        CHECK_INT(owners[i], expected[i]);
        if (outside != TSR_STRICT) continue;
        CHECK_OK(tsr_layout_owner(layout, cells + i * tsr_layout_ndim(layout), &owner));
        CHECK_INT(owner, expected[i]);
    }
}

static void check_L_82(const tsr_layout *layout)
{
    static const struct {
        int coords[3], neighbours[3][2];
        int64_t start[3], block[3], storage[3];
    } expected[6] = {
        {{0, 0, 0}, {{3, 3}, {NONE, 1}, {NONE, NONE}}, {0, 0, 0}, {6, 3, 4}, {10, 5, 4}},
        {{0, 1, 0}, {{4, 4}, {0, 2}, {NONE, NONE}}, {0, 3, 0}, {6, 3, 4}, {10, 5, 4}},
        {{0, 2, 0}, {{5, 5}, {1, NONE}, {NONE, NONE}}, {0, 6, 0}, {6, 3, 4}, {10, 5, 4}},
        {{1, 0, 0}, {{0, 0}, {NONE, 4}, {NONE, NONE}}, {6, 0, 0}, {5, 3, 4}, {9, 5, 4}},
        {{1, 1, 0}, {{1, 1}, {3, 5}, {NONE, NONE}}, {6, 3, 0}, {5, 3, 4}, {9, 5, 4}},
        {{1, 2, 0}, {{2, 2}, {4, NONE}, {NONE, NONE}}, {6, 6, 0}, {5, 3, 4}, {9, 5, 4}},
    };
    for (int rank = 0; rank < 6; ++rank) {
        int64_t start[3], block[3], storage[3];
        int coords[3], back = -1;
        CHECK_OK(tsr_layout_coords(layout, rank, coords));
        CHECK_OK(tsr_layout_rank_at(layout, coords, &back));
        CHECK_INT(back, rank);
        CHECK_OK(tsr_layout_block(layout, rank, start, block));
        CHECK_OK(tsr_layout_storage(layout, rank, storage));
        for (int a = 0; a < 3; ++a) {
            CHECK_INT(coords[a], expected[rank].coords[a]);
            CHECK_INT(start[a], expected[rank].start[a]);
            CHECK_INT(block[a], expected[rank].block[a]);
            CHECK_INT(storage[a], expected[rank].storage[a]);
            check_neighbours(layout, rank, a, expected[rank].neighbours[a][0],
                             expected[rank].neighbours[a][1]);
        }
    }
    CHECK_INT(tsr_layout_ndim(layout), 3);
    CHECK_INT(tsr_layout_size(layout), 6);
    CHECK_INT(tsr_layout_cells(layout), 11 * 9 * 4);
    CHECK_INT(tsr_layout_periodic(layout), TSR_AXES(0));
    CHECK_INT(tsr_layout_halo_lo(layout)[0], 2);
    CHECK_INT(tsr_layout_halo_hi(layout)[1], 1);
    CHECK(tsr_layout_is_distributed(layout) && !tsr_layout_is_replicated(layout));
}

static void check_L_86_L_87(const tsr_layout *layout)
{
    const int64_t inside[] = {0, 0, 0, 5, 2, 3, 6, 3, 0, -1, -1, -1, 5, 6, 0, 10, 5, 1};
    check_owners(layout, TSR_STRICT, 6, inside, (int[]){0, 0, 4, 5, 2, 4});
    const int64_t outside[] = {-3, 4, 0, 99, 99, 99, 5, -1, 2};
    check_owners(layout, TSR_CLIP, 3, outside, (int[]){1, 5, 0});
    /* Axis 0 wraps; the others are as strict. */
    const int64_t wrapped[] = {-3, 4, 0, 11, -1, 3, 22 + 6, 0, 0, INT64_MIN, 0, 0};
    check_owners(layout, TSR_WRAP, 4, wrapped,
                 (int[]){4, 2, 3, (11 + INT64_MIN % 11) % 11 >= 6 ? 3 : 0});
}

static void L_82_six_ranks(void **state)
{
    (void)state;
    tsrt_on_layout(6, 3, shape_L_82, &options_L_82, check_L_82);
}

static void L_86_L_87(void **state)
{
    (void)state;
    tsrt_on_layout(6, 3, shape_L_82, &options_L_82, check_L_86_L_87);
}

static void check_L_83(const tsr_layout *layout)
{
    static const int neighbours[4][2][2] = {
        {{2, 2}, {NONE, 1}}, {{3, 3}, {0, NONE}}, {{0, 0}, {NONE, 3}}, {{1, 1}, {2, NONE}}};
    int64_t rows[3], columns[3];
    CHECK_OK(tsr_layout_cuts(layout, 0, rows));
    CHECK_OK(tsr_layout_cuts(layout, 1, columns));
    CHECK_INT(rows[1], 5);
    CHECK_INT(rows[2], 10);
    CHECK_INT(columns[1], 4);
    CHECK_INT(columns[2], 7);
    for (int rank = 0; rank < 4; ++rank)
        for (int a = 0; a < 2; ++a) {
            check_neighbours(layout, rank, a, neighbours[rank][a][0], neighbours[rank][a][1]);
            check_neighbours(layout, rank, a - 2, neighbours[rank][a][0], neighbours[rank][a][1]);
        }
    check_owners(layout, TSR_STRICT, 3, TSR_SHAPE(6, 2, 0, 0, 9, 6), (int[]){2, 0, 3}); /* L-92 */
    check_owners(layout, TSR_CLIP, 1, TSR_SHAPE(-1, 9), (int[]){1});                    /* L-93 */
}

static void L_83_L_92_L_93(void **state)
{
    (void)state;
    tsrt_on_layout(4, 2, shape_L_83, &options_L_83, check_L_83);
}

static void check_L_84(const tsr_layout *layout)
{
    int coords[2], rank = -1;
    int64_t start[2], extent[2];
    CHECK_OK(tsr_layout_coords(layout, 2, coords));
    CHECK(coords[0] == 0 && coords[1] == 0);
    CHECK_OK(tsr_layout_rank_at(layout, coords, &rank));
    CHECK_INT(rank, 0);
    CHECK_OK(tsr_layout_block(layout, 2, start, extent));
    CHECK(start[0] == 0 && start[1] == 0 && extent[0] == 4 && extent[1] == 3);
    check_neighbours(layout, 2, 0, 2, 2);
    check_neighbours(layout, 2, 1, NONE, NONE);
    CHECK(tsr_layout_is_replicated(layout) && !tsr_layout_is_distributed(layout));
    CHECK_INT(tsr_layout_split(layout), 0);
    check_owners(layout, TSR_STRICT, 2, TSR_SHAPE(3, 2, -4, 0), (int[]){0, 0});
    CHECK_STATUS(tsr_layout_owner(layout, TSR_SHAPE(4, 0), &rank), TSR_ERR_INDEX);
    int64_t position[2];
    bool mine = false;
    CHECK_OK(tsr_layout_local_index(layout, TSR_SHAPE(-1, 1), position, &mine));
    CHECK(mine && position[0] == 3 && position[1] == 1);
}

static void L_84_replicated(void **state)
{
    (void)state;
    tsrt_on_layout(3, 2, TSR_SHAPE(4, 3), OPTIONS(.split = TSR_WHOLE, .periodic = TSR_AXES(0)),
                   check_L_84);
}

static void check_L_85(const tsr_layout *layout)
{
    check_neighbours(layout, 0, 0, 0, 0);
    check_neighbours(layout, 0, 1, NONE, NONE);
    CHECK(!tsr_layout_is_replicated(layout) && !tsr_layout_is_distributed(layout));
}

static void L_85_one_rank(void **state)
{
    (void)state;
    tsrt_on_layout(1, 2, TSR_SHAPE(4, 3), OPTIONS(.periodic = TSR_AXES(0)), check_L_85);
}

static void check_L_88_to_L_91(const tsr_layout *layout)
{
    check_owners(layout, TSR_STRICT, 10, TSR_SHAPE(0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
                 (int[]){0, 0, 0, 1, 1, 1, 2, 2, 3, 3});
    check_owners(layout, TSR_STRICT, 2, TSR_SHAPE(-1, -10), (int[]){3, 0});
    check_owners(layout, TSR_CLIP, 2, TSR_SHAPE(-5, 20), (int[]){0, 3});
    int owners[2] = {-7, -7};
    CHECK_STATUS(tsr_layout_owners(layout, 2, TSR_SHAPE(0, 10), TSR_STRICT, owners), TSR_ERR_INDEX);
    CHECK_TEXT("cell 1 has index 10 on axis 0, must be -10 to 9");
    CHECK(owners[0] == -7 && owners[1] == -7);
    CHECK_STATUS(tsr_layout_owners(layout, 2, TSR_SHAPE(0, -11), TSR_WRAP, owners), TSR_ERR_INDEX);
    CHECK(owners[0] == -7 && owners[1] == -7);
}

static void L_88_to_L_91(void **state)
{
    (void)state;
    tsrt_on_layout(4, 1, TSR_SHAPE(10), NULL, check_L_88_to_L_91);
}

static void check_refusals(const tsr_layout *layout)
{
    int rank = -7, coords[3] = {0, 3, 0};
    int64_t extent[3];
    bool mine;
    CHECK_STATUS(tsr_layout_rank_at(layout, coords, &rank), TSR_ERR_INDEX);
    CHECK_TEXT("coords[1] is 3, must be 0 to 2");
    CHECK_STATUS(tsr_layout_coords(layout, 6, coords), TSR_ERR_INDEX);
    CHECK_TEXT("rank is 6, must be 0 to 5");
    CHECK_STATUS(tsr_layout_block(layout, -1, extent, extent), TSR_ERR_INDEX);
    CHECK_STATUS(tsr_layout_storage(layout, 6, extent), TSR_ERR_INDEX);
    CHECK_STATUS(tsr_layout_neighbours(layout, 6, 0, &rank, &rank), TSR_ERR_INDEX);
    CHECK_STATUS(tsr_layout_neighbours(layout, 0, 3, &rank, &rank), TSR_ERR_AXIS);
    CHECK_TEXT("axis is 3, but the layout has 3 axes");
    CHECK_STATUS(tsr_layout_owner(layout, TSR_SHAPE(0, 9, 0), &rank), TSR_ERR_INDEX);
    CHECK_TEXT("index[1] is 9, must be -9 to 8");
    CHECK_STATUS(tsr_layout_local_index(layout, TSR_SHAPE(0, 0, -5), extent, &mine), TSR_ERR_INDEX);
    CHECK_STATUS(tsr_layout_owners(layout, -1, extent, TSR_STRICT, &rank), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_layout_owners(layout, 0, NULL, (tsr_outside)9, NULL), TSR_ERR_VALUE);
    CHECK_TEXT("outside is 9");
    CHECK_STATUS(tsr_layout_owners(layout, 1, NULL, TSR_STRICT, &rank), TSR_ERR_VALUE);
    CHECK_INT(rank, -7);
    CHECK_OK(tsr_layout_owners(layout, 0, NULL, TSR_CLIP, NULL));
    CHECK_OK(tsr_layout_block(layout, 0, NULL, NULL));
    CHECK_OK(tsr_layout_neighbours(layout, 0, 0, NULL, NULL));
}

static void queries_outside(void **state)
{
    (void)state;
    tsrt_on_layout(6, 3, shape_L_82, &options_L_82, check_refusals);
}

static void check_empty_axis(const tsr_layout *layout)
{
    int rank = -7;
    const int64_t cell[] = {0, 0};
    CHECK_STATUS(tsr_layout_owners(layout, 1, cell, TSR_CLIP, &rank), TSR_ERR_VALUE);
    CHECK_TEXT("axis 1 has no cells");
    CHECK_STATUS(tsr_layout_owners(layout, 1, cell, TSR_WRAP, &rank), TSR_ERR_INDEX);
    CHECK_STATUS(tsr_layout_owner(layout, cell, &rank), TSR_ERR_INDEX);
    CHECK_INT(rank, -7);
    CHECK_OK(tsr_layout_owners(layout, 0, cell, TSR_CLIP, &rank));
}

static void an_axis_without_cells_has_no_owners(void **state)
{
    (void)state;
    tsrt_on_layout(2, 2, TSR_SHAPE(4, 0), OPTIONS(.periodic = TSR_AXES(1)), check_empty_axis);
}

static void check_local_index(const tsr_layout *layout)
{
    int64_t start[3], extent[3], index[3];
    CHECK_OK(tsr_layout_block(layout, tsr_layout_rank(layout), start, extent));
    for (index[0] = 0; index[0] < 11; ++index[0])
        for (index[1] = 0; index[1] < 9; ++index[1])
            for (index[2] = 0; index[2] < 4; ++index[2]) {
                int64_t position[3] = {-7, -7, -7};
                bool mine = false, inside = true;
                CHECK_OK(tsr_layout_local_index(layout, index, position, &mine));
                for (int a = 0; a < 3; ++a)
                    inside = inside && index[a] >= start[a] && index[a] < start[a] + extent[a];
                CHECK_INT(mine, inside);
                for (int a = 0; a < 3; ++a)
                    CHECK_INT(position[a],
                              mine ? index[a] - start[a] + tsr_layout_halo_lo(layout)[a] : -7);
            }
}

static void local_index(void **state)
{
    (void)state;
    tsrt_on_layout(6, 3, shape_L_82, &options_L_82, check_local_index);
}

/* One cell, which every rank holds; lists with one entry an axis may be NULL. */
static void check_no_axes(const tsr_layout *layout)
{
    int rank = -7, ranks[3] = {-7, -7, -7};
    bool mine = false;
    CHECK_INT(tsr_layout_cells(layout), 1);
    CHECK_INT(tsr_layout_is_replicated(layout), tsr_layout_size(layout) > 1);
    CHECK_OK(tsr_layout_owner(layout, NULL, &rank));
    CHECK_INT(rank, 0);
    CHECK_OK(tsr_layout_owners(layout, 3, NULL, TSR_STRICT, ranks));
    CHECK(ranks[0] == 0 && ranks[1] == 0 && ranks[2] == 0);
    CHECK_OK(tsr_layout_local_index(layout, NULL, NULL, &mine));
    CHECK(mine);
    CHECK_OK(tsr_layout_coords(layout, 0, NULL));
    CHECK_OK(tsr_layout_rank_at(layout, NULL, &rank));
    CHECK_INT(rank, 0);
    CHECK_OK(tsr_layout_storage(layout, 0, NULL));
    CHECK_STATUS(tsr_layout_neighbours(layout, 0, 0, &rank, &rank), TSR_ERR_AXIS);
    CHECK_STATUS(tsr_layout_cuts(layout, -1, NULL), TSR_ERR_AXIS);
}

static void without_axes(void **state)
{
    (void)state;
    for (int size = 1; size <= 3; ++size)
        tsrt_on_layout(size, 0, NULL, OPTIONS(.split = TSR_AXES(3)), check_no_axes);
}

/* ---- rank boundaries ------------------------------------------------------------------------- */

static void check_Z_9(const tsr_layout *layout)
{
    double x[10], found[2];
    for (int i = 0; i < 10; ++i)
        x[i] = 0.25 + 0.5 * i;
    CHECK_OK(tsr_layout_rank_boundaries(layout, 0, 10, x, found));
    CHECK_DOUBLE(found[0], 2.25, 0);
    CHECK_DOUBLE(found[1], 3.75, 0);
    CHECK_STATUS(tsr_layout_rank_boundaries(layout, 0, 9, x, found), TSR_ERR_VALUE);
    CHECK_TEXT("count is 9, must be 10");
}

static void check_Z_10(const tsr_layout *layout)
{
    double x[64], found[3];
    for (int i = 0; i < 64; ++i)
        x[i] = i / 63.0;
    CHECK_OK(tsr_layout_rank_boundaries(layout, -1, 64, x, found));
    CHECK_DOUBLE(found[0], 0.25396825396825395, 0);
    CHECK_DOUBLE(found[1], 0.5079365079365079, 0);
    CHECK_DOUBLE(found[2], 0.7619047619047619, 0);
}

static void check_Z_11(const tsr_layout *layout)
{
    double x[7], found[2];
    for (int i = 0; i < 7; ++i)
        x[i] = (double)i * i;
    CHECK_OK(tsr_layout_rank_boundaries(layout, 0, 7, x, found));
    CHECK_DOUBLE(found[0], 9, 0);
    CHECK_DOUBLE(found[1], 25, 0);
}

static void check_Z_12_Z_13(const tsr_layout *layout)
{
    const double x[4] = {0};
    double found[1] = {-7};
    CHECK_OK(tsr_layout_rank_boundaries(layout, 1, 4, x, found));
    CHECK_OK(tsr_layout_rank_boundaries(layout, -1, 4, x, NULL));
    CHECK_DOUBLE(found[0], -7, 0);
    CHECK_STATUS(tsr_layout_rank_boundaries(layout, 2, 4, x, found), TSR_ERR_INDEX);
    CHECK_TEXT("axis is 2, but the layout has 2 axes");
    CHECK_STATUS(tsr_layout_rank_boundaries(layout, -3, 4, x, found), TSR_ERR_INDEX);
}

static void check_boundaries_of_empty_blocks(const tsr_layout *layout)
{
    double found[3];
    CHECK_OK(tsr_layout_rank_boundaries(layout, 0, 2, (double[]){5, 6}, found));
    CHECK_DOUBLE(found[0], 6, 0);
    CHECK(isnan(found[1]) && isnan(found[2]));
}

static void Z_9_to_Z_13(void **state)
{
    (void)state;
    tsrt_on_layout(3, 1, TSR_SHAPE(10), NULL, check_Z_9);
    tsrt_on_layout(4, 1, TSR_SHAPE(64), NULL, check_Z_10);
    tsrt_on_layout(3, 1, TSR_SHAPE(7), NULL, check_Z_11);
    tsrt_on_layout(3, 2, TSR_SHAPE(10, 4), NULL, check_Z_12_Z_13);
    tsrt_on_layout(4, 1, TSR_SHAPE(2), OPTIONS(.allow_empty = true),
                   check_boundaries_of_empty_blocks);
}

static void without_a_layout(void **state)
{
    (void)state;
    int64_t extent[1];
    int rank;
    bool mine;
    double x;
    CHECK_STATUS(tsr_layout_cuts(NULL, 0, extent), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_layout_block(NULL, 0, extent, extent), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_layout_storage(NULL, 0, extent), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_layout_coords(NULL, 0, &rank), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_layout_rank_at(NULL, &rank, &rank), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_layout_neighbours(NULL, 0, 0, &rank, &rank), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_layout_owner(NULL, extent, &rank), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_layout_owners(NULL, 0, extent, TSR_STRICT, &rank), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_layout_local_index(NULL, extent, extent, &mine), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_layout_rank_boundaries(NULL, 0, 0, &x, &x), TSR_ERR_VALUE);
    CHECK_TEXT("layout is NULL");
    CHECK(tsr_layout_ndim(NULL) == 0 && tsr_layout_rank(NULL) == 0 && tsr_layout_size(NULL) == 0);
    CHECK(tsr_layout_comm(NULL) == TSR_COMM_NULL && tsr_layout_shape(NULL) == NULL);
    CHECK(tsr_layout_process_grid(NULL) == NULL && tsr_layout_cells(NULL) == 0);
    CHECK(tsr_layout_halo_lo(NULL) == NULL && tsr_layout_halo_hi(NULL) == NULL);
    CHECK(tsr_layout_split(NULL) == 0 && tsr_layout_periodic(NULL) == 0);
    CHECK(!tsr_layout_is_replicated(NULL) && !tsr_layout_is_distributed(NULL));
    CHECK(!tsr_layout_equal(NULL, NULL) && tsr_layout_hash(NULL) == 0);
    CHECK_INT(tsr_layout_describe(NULL, 0, NULL), 0);
    CHECK_OK(tsr_layout_destroy(NULL));
    CHECK_OK(tsr_layout_destroy(&(tsr_layout *){NULL}));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(L_82_six_ranks),  cmocka_unit_test(L_83_L_92_L_93),
        cmocka_unit_test(L_84_replicated), cmocka_unit_test(L_85_one_rank),
        cmocka_unit_test(L_86_L_87),       cmocka_unit_test(L_88_to_L_91),
        cmocka_unit_test(queries_outside), cmocka_unit_test(an_axis_without_cells_has_no_owners),
        cmocka_unit_test(local_index),     cmocka_unit_test(without_axes),
        cmocka_unit_test(Z_9_to_Z_13),     cmocka_unit_test(without_a_layout),
    };
    return TSRT_RUN(argc, argv, tests);
}
