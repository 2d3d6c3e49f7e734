/* ranks: 1 */
/* Costs that must not grow with the number of ranks, and sizes near the limits of 64 bits: layouts
 * of any size are made, asked and planned for in one process. */
#include "move/halo_plan.h"
#include "support/layout_cases.h"

#include <stdio.h>
#include <time.h>

static const char call[] = "tsr_layout_create";

static double seconds(void)
{
    struct timespec now;
    CHECK(timespec_get(&now, TIME_UTC) == TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A halo update, or an accumulation, of the full widths with one kind of wall everywhere. */
static tsri_halo_key key_of(const tsri_geometry *g, tsri_direction direction, tsri_wall wall)
{
    tsri_halo_key key;
    memset(&key, 0, sizeof key);
    key.direction = direction;
    for (int a = 0; a < g->ndim; ++a) {
        key.axes |= TSR_AXIS(a);
        key.width_lo[a] = g->halo_lo[a];
        key.width_hi[a] = g->halo_hi[a];
        key.wall[a][0] = key.wall[a][1] = (unsigned char)wall;
    }
    return key;
}

/* ---- costs ----------------------------------------------------------------------------------- */

static size_t bytes_of(const tsri_pieces *pieces)
{
    return (size_t)pieces->room * sizeof *pieces->item +
           (size_t)pieces->npeers * sizeof *pieces->peer;
}

/* What one plan takes. */
typedef struct cost {
    int64_t allocations;
    size_t bytes;
    int peers;
    double seconds;
} cost;

static cost plan_cost(const tsri_geometry *g, int rank, const tsri_halo_key *key)
{
    tsri_plan *plan = NULL;
    const tsri_counters before = tsri_counters_read();
    const double start = seconds();
    CHECK_OK(tsri_halo_plan_create(g, rank, key, &plan));
    const cost c = {.seconds = seconds() - start,
                    .allocations = tsri_counters_read().allocations - before.allocations,
                    .bytes = sizeof *plan + bytes_of(&plan->send) + bytes_of(&plan->receive) +
                             bytes_of(&plan->copy),
                    .peers = plan->receive.npeers};
    tsri_plan_unref(plan);
    return c;
}

/* A cube of ranks with near-even cuts or given ones, all of the same extents but the last. */
static void make_cube(tsri_geometry *g, int side, bool cuts)
{
    int64_t *points = calloc((size_t)side + 1, sizeof *points);
    const int64_t length = 12 * (int64_t)side + 5;
    for (int k = 1; k <= side; ++k)
        points[k] = k < side ? 12 * k : length;
    tsr_layout_options options = {.halo = {1, 2, 1}, .periodic = TSR_AXES(1)};
    for (int a = 0; a < 3; ++a) {
        options.process_grid[a] = side;
        if (!cuts) continue;
        options.cuts[a] = points;
        options.ncuts[a] = side + 1;
    }
    CHECK_OK(tsri_geometry_init(call, g, side * side * side, 3, TSR_SHAPE(length, length, length),
                                &options));
    free(points);
}

/* The plan of an inner rank, and of one at a corner, costs the same at 10^3 and at 10^6 ranks. */
static void plans_do_not_see_the_ranks(void **state)
{
    (void)state;
    static const tsri_wall walls[] = {TSRI_WALL_LEAVE, TSRI_WALL_FILL, TSRI_WALL_EDGE,
                                      TSRI_WALL_SYMMETRIC, TSRI_WALL_REFLECT};
    static const int sides[] = {10, 100};
    for (int cuts = 0; cuts < 2; ++cuts)
        for (int kind = 0; kind < 6; ++kind)
            for (int corner = 0; corner < 2; ++corner) {
                cost costs[2];
                for (int i = 0; i < 2; ++i) {
                    const int side = sides[i], middle = (side * side + side + 1) * (side - 3);
                    tsri_geometry g;
                    make_cube(&g, side, cuts != 0);
                    const tsri_halo_key key = kind < 5
                                                  ? key_of(&g, TSRI_UPDATE, walls[kind])
                                                  : key_of(&g, TSRI_ACCUMULATE, TSRI_WALL_DROP);
                    costs[i] = plan_cost(&g, corner ? 0 : middle, &key);
                    tsri_geometry_clear(&g);
                }
                CHECK_INT(costs[0].allocations, costs[1].allocations);
                CHECK_INT(costs[0].bytes, costs[1].bytes);
                CHECK_INT(costs[0].peers, costs[1].peers);
                CHECK(costs[1].bytes < 200000);
                if (!corner) CHECK_INT(costs[1].peers, 26);
            }
}

static int by_size(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* Printed, not judged: the machine may be busy. */
static void times_are_printed(void **state)
{
    (void)state;
    enum { TIMES = 101 };
    static double creation[TIMES], planning[TIMES];
    tsri_geometry g;
    int peers = 0;
    for (int i = 0; i < TIMES; ++i) {
        const double start = seconds();
        make_cube(&g, 100, false);
        creation[i] = seconds() - start;
        const tsri_halo_key key = key_of(&g, TSRI_UPDATE, TSRI_WALL_EDGE);
        const cost c = plan_cost(&g, 505050, &key);
        planning[i] = c.seconds;
        peers = c.peers;
        tsri_geometry_clear(&g);
    }
    qsort(creation, TIMES, sizeof *creation, by_size);
    qsort(planning, TIMES, sizeof *planning, by_size);
    printf("10^6 ranks: layout %.2f microseconds and %zu bytes, halo plan %.2f microseconds a peer"
           " (%d peers; medians of %d)\n",
           1e6 * creation[TIMES / 2], sizeof(tsr_layout), 1e6 * planning[TIMES / 2] / peers, peers,
           TIMES);
}

/* Creating a near-even layout takes its object and nothing else; asking takes nothing. */
static void creation_and_queries(void **state)
{
    (void)state;
    CHECK(sizeof(tsr_layout) < 100000);
    const tsri_counters before = tsri_counters_read();
    const tsr_layout_options options = {.split = TSR_ALL_AXES, .halo = {1, 1, 1}};
    tsr_layout *layout = tsrt_layout(765432, 1000000, 3, TSR_SHAPE(5000, 5001, 5002), &options);
    int64_t start[3], extent[3], position[3];
    int coords[3], rank = -1, around[2];
    bool mine = false;
    char text[512];
    CHECK_OK(tsr_layout_block(layout, 765432, start, extent));
    CHECK_OK(tsr_layout_storage(layout, 765432, extent));
    CHECK_OK(tsr_layout_coords(layout, 765432, coords));
    CHECK_OK(tsr_layout_rank_at(layout, coords, &rank));
    CHECK_INT(rank, 765432);
    CHECK_OK(tsr_layout_owner(layout, start, &rank));
    CHECK_INT(rank, 765432);
    CHECK_OK(tsr_layout_owners(layout, 1, start, TSR_WRAP, &rank));
    CHECK_OK(tsr_layout_local_index(layout, start, position, &mine));
    CHECK(mine && position[0] == 1);
    CHECK_OK(tsr_layout_neighbours(layout, 765432, 2, &around[0], &around[1]));
    CHECK_INT(around[1], 765433);
    CHECK(tsr_layout_describe(layout, sizeof text, text) < sizeof text);
    CHECK(tsr_layout_equal(layout, layout));
    CHECK(tsr_layout_hash(layout) != 0);
    CHECK_INT(tsri_counters_read().allocations, before.allocations);
    tsrt_layout_free(layout);
}

/* Highly composite numbers of ranks over many axes of unlike lengths: the search for a grid keeps
 * few candidates. */
static void the_search_for_a_grid_is_bounded(void **state)
{
    (void)state;
    static const int sizes[] = {1000000, 720720, 1048576, 735134400, 2095133040, INT32_MAX};
    static const int64_t primes[] = {2, 101, 3, 97, 5, 89, 7, 83, 11, 79, 13, 73, 17, 71, 19, 67};
    double longest = 0, million = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int ndim = 1; ndim <= TSR_MAX_NDIM; ++ndim) {
            int grid[TSR_MAX_NDIM];
            bool found;
            const double start = seconds();
            CHECK_OK(tsri_grid_fitting(sizes[i], ndim, primes, TSR_ALL_AXES, grid, &found));
            const double took = seconds() - start;
            if (took > longest) longest = took;
            if (i == 0 && took > million) million = took;
            int64_t product = 1;
            for (int a = 0; a < ndim && found; ++a) {
                CHECK(grid[a] >= 1 && grid[a] <= primes[a]);
                product *= grid[a];
            }
            if (found) CHECK_INT(product, sizes[i]);
        }
    printf("longest search for a grid: 10^6 ranks %.2f ms, any %.1f ms\n", 1e3 * million,
           1e3 * longest);
}

/* ---- near the limits ------------------------------------------------------------------------- */

/* The cells that a rank's plan takes from peers and from itself. */
static int64_t cells_of(const tsri_pieces *pieces)
{
    int64_t cells = 0;
    for (int i = 0; i < pieces->count; ++i)
        cells += pieces->item[i].cells;
    return cells;
}

static void check_plan(const tsri_geometry *g, int rank, tsri_wall wall, int64_t received,
                       int64_t copied)
{
    const tsri_halo_key key = key_of(g, TSRI_UPDATE, wall);
    tsri_plan *plan = NULL;
    CHECK_OK(tsri_halo_plan_create(g, rank, &key, &plan));
    CHECK_INT(cells_of(&plan->receive), received);
    CHECK_INT(cells_of(&plan->copy), copied);
    tsri_plan_unref(plan);
}

/* An axis of 2^62 cells and more, whose double is beyond int64: folded and wrapped all the same. */
static void long_axes(void **state)
{
    (void)state;
    const int64_t lengths[] = {(INT64_C(1) << 62) - 1, INT64_C(1) << 62, (INT64_C(1) << 62) + 1,
                               INT64_MAX - 6};
    for (int i = 0; i < 4; ++i)
        for (int size = 1; size <= 3; size += 2)
            for (int periodic = 0; periodic < 2; ++periodic) {
                const tsr_layout_options options = {.halo = {3},
                                                    .periodic = periodic ? TSR_AXES(0) : 0};
                tsri_geometry g;
                CHECK_OK(tsri_geometry_init(call, &g, size, 1, &lengths[i], &options));
                for (int rank = 0; rank < size; ++rank) {
                    /* at a wall the three cells are folded: this rank's own */
                    const int walls = periodic || size == 1 ? 0 : rank == 0 || rank == size - 1;
                    const int64_t received = size == 1 ? 0 : 6 - 3 * walls;
                    const tsri_wall folds[] = {TSRI_WALL_SYMMETRIC, TSRI_WALL_REFLECT,
                                               TSRI_WALL_EDGE};
                    for (int k = 0; k < 3; ++k)
                        check_plan(&g, rank, folds[k], received, 6 - received);
                    check_plan(&g, rank, TSRI_WALL_LEAVE, received, periodic && size == 1 ? 6 : 0);
                }
                tsri_geometry_clear(&g);
            }
}

/* Halos of two and a half times an axis of 2^60 cells: round and round, or to and fro. */
static void long_halos(void **state)
{
    (void)state;
    const int64_t length = INT64_C(1) << 60, halo = 2 * length + length / 2;
    const tsr_layout_options options = {.halo = {halo}},
                             round = {.halo = {halo}, .periodic = TSR_AXES(0)};
    tsri_geometry g;
    CHECK_OK(tsri_geometry_init(call, &g, 1, 1, &length, &options));
    check_plan(&g, 0, TSRI_WALL_SYMMETRIC, 0, 2 * halo);
    check_plan(&g, 0, TSRI_WALL_REFLECT, 0, 2 * halo);
    tsri_geometry_clear(&g);
    CHECK_OK(tsri_geometry_init(call, &g, 1, 1, &length, &round));
    check_plan(&g, 0, TSRI_WALL_LEAVE, 0, 2 * halo);
    tsri_geometry_clear(&g);
    /* Two ranks: of each turn a half is the other's, and so is the half turn. */
    CHECK_OK(tsri_geometry_init(call, &g, 2, 1, &length, &round));
    check_plan(&g, 0, TSRI_WALL_LEAVE, 3 * length, 2 * length);
    check_plan(&g, 1, TSRI_WALL_LEAVE, 3 * length, 2 * length);
    tsri_geometry_clear(&g);
}

/* Layouts of 2^31 - 1, 2^31, 2^33 and 2^62 cells: every number a layout gives, and what does not
 * fit is refused. */
static void counts_beyond_32_bits(void **state)
{
    (void)state;
    const int64_t cells[] = {INT32_MAX, INT64_C(1) << 31, INT64_C(1) << 33, INT64_C(1) << 62};
    for (int i = 0; i < 4; ++i) {
        const tsr_layout_options options = {.halo = {1}, .periodic = TSR_AXES(0)};
        for (int rank = 0; rank < 5; ++rank) {
            tsr_layout *layout = tsrt_layout(rank, 5, 1, &cells[i], &options);
            int64_t start, extent, storage, next = 0;
            int owner = -1;
            CHECK_INT(tsr_layout_cells(layout), cells[i]);
            CHECK_OK(tsr_layout_block(layout, rank, &start, &extent));
            CHECK_OK(tsr_layout_storage(layout, rank, &storage));
            CHECK_INT(storage, extent + 2);
            if (rank < 4) CHECK_OK(tsr_layout_block(layout, rank + 1, &next, NULL));
            CHECK_INT(rank < 4 ? next : cells[i], start + extent);
            CHECK_OK(tsr_layout_owner(layout, TSR_SHAPE(start + extent - 1), &owner));
            CHECK_INT(owner, rank);
            CHECK_OK(tsr_layout_owner(layout, TSR_SHAPE(start - cells[i]), &owner));
            CHECK_INT(owner, rank);
            const int64_t far = start > 0 ? INT64_MIN / cells[i] * cells[i] + start : start;
            CHECK_OK(tsr_layout_owners(layout, 1, &far, TSR_WRAP, &owner));
            CHECK_INT(owner, rank);
            check_plan(&layout->geometry, rank, TSRI_WALL_LEAVE, 2, 0);
            tsrt_layout_free(layout);
        }
    }
    const int64_t many = INT64_C(1) << 32;
    tsrt_refused(3, 2, TSR_SHAPE(many, many), NULL, TSR_ERR_OVERFLOW, "the shape has more than");
    tsrt_refused(3, 3, TSR_SHAPE(many, 3, many), NULL, TSR_ERR_OVERFLOW, "the shape has more than");
    tsrt_accepted(3, 3, TSR_SHAPE(many, many, 0), NULL);
}

/* The calls that take sizes without a layout, and those that compare them. */
static void sizes_beyond_32_bits(void **state)
{
    (void)state;
    const int64_t many = INT64_C(1) << 33;
    int64_t start, end;
    CHECK_OK(tsr_near_even(3 * many, many, many - 1, &start, &end));
    CHECK_INT(start, 3 * (many - 1));
    CHECK_INT(end, 3 * many);
    const int64_t *const cuts[] = {TSR_SHAPE(0, many, 3 * many), TSR_SHAPE(0, 0)};
    CHECK_OK(tsr_block_numbering(2, TSR_SHAPE(3 * many, 0), cuts, (const int[]){3, 2}, NULL));
    CHECK_STATUS(tsr_block_numbering(2, TSR_SHAPE(many, many), cuts, (const int[]){3, 2}, &end),
                 TSR_ERR_VALUE);
    tsr_layout *layout = tsrt_layout(1, 2, 1, &many, NULL);
    const double coordinate = 0;
    double boundary = 0;
    CHECK_STATUS(tsr_layout_rank_boundaries(layout, 0, many + 1, &coordinate, &boundary),
                 TSR_ERR_VALUE);
    CHECK_TEXT("count is 8589934593, must be 8589934592");
    CHECK_OK(tsr_layout_cuts(layout, 0, (int64_t[3]){0}));
    tsrt_layout_free(layout);
}

/* A short axis without halo and without ranks does not matter. */
static void only_what_is_used_is_checked(void **state)
{
    (void)state;
    const tsr_layout_options options = {
        .split = TSR_AXES(0, 1), .halo = {4, 4}, .periodic = TSR_ALL_AXES};
    tsri_geometry g;
    tsrt_accepted(4, 3, TSR_SHAPE(16, 16, 1), &options);
    CHECK_OK(tsri_geometry_init(call, &g, 4, 3, TSR_SHAPE(16, 16, 1), &options));
    check_plan(&g, 3, TSRI_WALL_LEAVE, 16 * 16 - 8 * 8, 0);
    tsri_geometry_clear(&g);
}

/* Blocks of 2^28 doubles and more: a plan counts their faces in 64 bits. */
static void large_faces(void **state)
{
    (void)state;
    const int64_t shape[] = {2, INT64_C(1) << 20, INT64_C(1) << 20};
    const tsr_layout_options options = {.halo = {1, 0, 0}};
    tsri_geometry g;
    CHECK_OK(tsri_geometry_init(call, &g, 2, 3, shape, &options));
    check_plan(&g, 0, TSRI_WALL_LEAVE, INT64_C(1) << 40, 0);
    check_plan(&g, 1, TSRI_WALL_EDGE, INT64_C(1) << 40, INT64_C(1) << 40);
    tsri_geometry_clear(&g);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_do_not_see_the_ranks),
        cmocka_unit_test(times_are_printed),
        cmocka_unit_test(creation_and_queries),
        cmocka_unit_test(the_search_for_a_grid_is_bounded),
        cmocka_unit_test(long_axes),
        cmocka_unit_test(long_halos),
        cmocka_unit_test(counts_beyond_32_bits),
        cmocka_unit_test(sizes_beyond_32_bits),
        cmocka_unit_test(only_what_is_used_is_checked),
        cmocka_unit_test(large_faces),
    };
    return TSRT_RUN(argc, argv, tests);
}
