/* ranks: 1 */
/* Which rank goes where, on machines that need not exist: halo cells between nodes are counted for
 * ranks in row-major order and for ours.  Prints the table of docs/placement.md. */
#include "layout/placement.h"
#include "support/layout_cases.h"

#include <stdio.h>

/* ---- counting, anew -------------------------------------------------------------------------- */

/* Halo cells whose owner is on another node, faces only, one cell of the halo at a time. */
static double count_cells(const tsr_layout *layout, const int *node_at)
{
    double cells = 0;
    for (int rank = 0; rank < tsr_layout_size(layout); ++rank) {
        int64_t start[4], extent[4];
        CHECK_OK(tsr_layout_block(layout, rank, start, extent));
        for (int a = 0; a < tsr_layout_ndim(layout); ++a) {
            int neighbour[2];
            double face = 1;
            for (int k = 0; k < tsr_layout_ndim(layout); ++k)
                if (k != a) face *= (double)extent[k];
            CHECK_OK(tsr_layout_neighbours(layout, rank, a, &neighbour[0], &neighbour[1]));
            for (int64_t i = 0; i < tsr_layout_halo_lo(layout)[a]; ++i)
                if (neighbour[0] >= 0 && node_at[neighbour[0]] != node_at[rank]) cells += face;
            for (int64_t i = 0; i < tsr_layout_halo_hi(layout)[a]; ++i)
                if (neighbour[1] >= 0 && node_at[neighbour[1]] != node_at[rank]) cells += face;
        }
    }
    return cells;
}

/* ---- machines -------------------------------------------------------------------------------- */

enum { MOST_RANKS = 8192 };

/* The nodes of `size` ranks. */
typedef struct machine {
    int size, nodes;
    int node[MOST_RANKS];
} machine;

/* Nodes of the sizes listed, again and again; the last may have fewer ranks. */
static machine machine_of(int size, int count, const int *ranks)
{
    machine m = {.size = size};
    for (int r = 0; r < size; ++m.nodes)
        for (int i = 0; i < ranks[m.nodes % count] && r < size; ++i)
            m.node[r++] = m.nodes;
    return m;
}

/* What is cut by ranks as they are, and by ours; ours is a placement, and not worse. */
typedef struct outcome {
    double row_major, ours;
} outcome;

static outcome place(const machine *m, int ndim, const int64_t *shape,
                     const tsr_layout_options *options)
{
    static int position[MOST_RANKS], node_at[MOST_RANKS];
    tsr_layout *layout = tsrt_layout(0, m->size, ndim, shape, options);
    const outcome before = {.row_major = count_cells(layout, m->node)};
    CHECK_DOUBLE(tsri_placement_cut(&layout->geometry, m->node), before.row_major, 0);
    CHECK_OK(tsri_placement(&layout->geometry, m->nodes, m->node, NULL, position));
    for (int p = 0; p < m->size; ++p)
        node_at[p] = -1;
    for (int r = 0; r < m->size; ++r) {
        CHECK(position[r] >= 0 && position[r] < m->size);
        CHECK_INT(node_at[position[r]], -1);
        node_at[position[r]] = m->node[r];
    }
    const outcome found = {.row_major = before.row_major, .ours = count_cells(layout, node_at)};
    CHECK_DOUBLE(tsri_placement_cut(&layout->geometry, node_at), found.ours, 0);
    CHECK(found.ours <= found.row_major);
    if (found.ours == found.row_major)
        for (int r = 0; r < m->size; ++r)
            CHECK_INT(position[r], r); /* as good as given is as given */
    tsrt_layout_free(layout);
    return found;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void print_row(const char *nodes, int ranks, const tsr_layout_options *options, int ndim,
                      const int64_t *shape, outcome found)
{
    char grid[64] = "";
    size_t length = 0;
    tsr_layout *layout = tsrt_layout(0, ranks, ndim, shape, options);
    for (int a = 0; a < ndim; ++a)
        length += (size_t)snprintf(grid + length, sizeof grid - length, "%s%d", a > 0 ? " x " : "",
                                   tsr_layout_process_grid(layout)[a]);
    tsrt_layout_free(layout);
    printf("| %s | %d | %s | %.0f | %.0f | %.2f |\n", nodes, ranks, grid, found.row_major,
           found.ours, found.row_major > 0 ? found.ours / found.row_major : 1.0);
}

static const int64_t plane[] = {8192, 8192}, cube[] = {512, 512, 512};

static void row(int ndim, int size, int count, const int *ranks, const char *nodes, bool periodic)
{
    const tsr_layout_options options = {.split = TSR_ALL_AXES,
                                        .halo = {1, ndim > 1, ndim > 2},
                                        .periodic = periodic ? TSR_ALL_AXES : 0};
    const machine m = machine_of(size, count, ranks);
    const int64_t *shape = ndim == 2 ? plane : cube;
    print_row(nodes, size, &options, ndim, shape, place(&m, ndim, shape, &options));
}

static void the_table(void **state)
{
    (void)state;
    static const int per_node[] = {1, 4, 16, 48, 128}, nodes[] = {2, 4, 8, 16, 64};
    for (int ndim = 2; ndim <= 3; ++ndim) {
        printf("\n%d-D:\n", ndim);
        for (size_t i = 0; i < sizeof per_node / sizeof *per_node; ++i)
            for (size_t j = 0; j < sizeof nodes / sizeof *nodes; ++j) {
                char text[64];
                snprintf(text, sizeof text, "%d of %d", nodes[j], per_node[i]);
                row(ndim, nodes[j] * per_node[i], 1, &per_node[i], text, false);
            }
        row(ndim, 512, 1, (const int[]){16}, "32 of 16, periodic", true);
        row(ndim, 100, 1, (const int[]){16}, "6 of 16, 1 of 4", false);
        row(ndim, 1000, 1, (const int[]){48}, "20 of 48, 1 of 40", false);
        row(ndim, 360, 2, (const int[]){48, 24}, "5 of 48, 5 of 24, in turn", false);
        row(ndim, 210, 3, (const int[]){7, 20, 3}, "7 each of 7, 20 and 3, in turn", false);
    }
}

/* ---- known best placements ------------------------------------------------------------------- */

static outcome grid_of(int nodes, int per_node, const int *grid, int ndim, const int64_t *shape,
                       tsr_axes periodic)
{
    tsr_layout_options options = {.periodic = periodic};
    for (int a = 0; a < ndim; ++a) {
        options.process_grid[a] = grid[a];
        options.halo[a] = 1;
    }
    const machine m = machine_of(nodes * per_node, 1, &per_node);
    return place(&m, ndim, shape, &options);
}

static void squares_and_cubes(void **state)
{
    (void)state;
    /* Four squares: one cut across each axis, two cells deep. */
    outcome found = grid_of(4, 16, (const int[]){8, 8}, 2, TSR_SHAPE(80, 80), 0);
    CHECK_DOUBLE(found.row_major, 3 * 2 * 80, 0);
    CHECK_DOUBLE(found.ours, 2 * 2 * 80, 0);
    /* Eight cubes: one cut across each of three axes; slabs have seven. */
    found = grid_of(8, 8, (const int[]){4, 4, 4}, 3, TSR_SHAPE(16, 16, 16), 0);
    CHECK_DOUBLE(found.ours, 3 * 2 * 16 * 16, 0);
    /* Ends that meet are cut, too, but not along an axis that a node has whole. */
    found = grid_of(4, 16, (const int[]){8, 8}, 2, TSR_SHAPE(80, 80), TSR_ALL_AXES);
    CHECK_DOUBLE(found.row_major, 4 * 2 * 80, 0);
    CHECK_DOUBLE(found.ours, 4 * 2 * 80, 0);
    /* The longer axis is cut, whatever the grid: planes across it are smaller. */
    found = grid_of(2, 8, (const int[]){4, 4}, 2, TSR_SHAPE(10, 1000), 0);
    CHECK_DOUBLE(found.row_major, 2 * 1000, 0);
    CHECK_DOUBLE(found.ours, 2 * 10, 0);
    /* Three nodes of twelve: two of them side by side behind the third. */
    found = grid_of(3, 12, (const int[]){6, 6}, 2, TSR_SHAPE(60, 60), 0);
    CHECK_DOUBLE(found.row_major, 2 * 2 * 60, 0);
    CHECK_DOUBLE(found.ours, 2 * 60 + 2 * 40, 0);
}

/* Only axes with halos count, and more where they are wide. */
static void halos_decide(void **state)
{
    (void)state;
    const machine m = machine_of(16, 1, (const int[]){4});
    const int64_t shape[] = {40, 40};
    const tsr_layout_options columns = {.process_grid = {4, 4}, .halo = {1, 0}},
                             rows = {.process_grid = {4, 4}, .halo_hi = {0, 1}},
                             wide = {.process_grid = {4, 4}, .halo = {9, 1}};
    CHECK_DOUBLE(place(&m, 2, shape, &columns).ours, 0, 0);
    CHECK_DOUBLE(place(&m, 2, shape, &rows).ours, 0, 0);
    CHECK_DOUBLE(place(&m, 2, shape, &wide).row_major, 3 * 18 * 40, 0);
    CHECK_DOUBLE(place(&m, 2, shape, &wide).ours, 3 * 2 * 40, 0);
    CHECK_DOUBLE(place(&m, 2, shape, &(tsr_layout_options){.process_grid = {4, 4}}).ours, 0, 0);
}

/* The least that any assignment of positions to nodes cuts, all of them tried. */
typedef struct search {
    const tsr_layout *layout;
    int nodes, left[8], node_at[16];
    double least;
} search;

static void try_all(search *s, int position)
{
    if (position == tsr_layout_size(s->layout)) {
        const double cut = tsri_placement_cut(&s->layout->geometry, s->node_at);
        if (cut < s->least) s->least = cut;
        return;
    }
    for (int n = 0; n < s->nodes; ++n) {
        if (s->left[n] == 0) continue;
        --s->left[n];
        s->node_at[position] = n;
        try_all(s, position + 1);
        ++s->left[n];
    }
}

static void small_machines_are_best_or_near(void **state)
{
    (void)state;
    static const struct {
        int grid[3], count, ranks[4];
        double allowed; /* above the least of all assignments */
    } cases[] = {
        {{2, 4}, 2, {4, 4}, 1},    {{4, 2}, 4, {2, 2, 2, 2}, 1}, {{2, 6}, 3, {4, 4, 4}, 1},
        {{3, 4}, 2, {6, 6}, 1},    {{3, 4}, 2, {8, 4}, 1},       {{3, 4}, 3, {3, 6, 3}, 1},
        {{3, 4}, 2, {7, 5}, 1},    {{2, 2, 3}, 2, {6, 6}, 1},    {{2, 2, 2}, 2, {4, 4}, 1},
        {{2, 2, 3}, 2, {8, 4}, 1}, {{3, 3}, 3, {3, 3, 3}, 1},    {{3, 3}, 2, {5, 4}, 1},
        {{12}, 3, {4, 4, 4}, 1},   {{3, 4}, 3, {5, 4, 3}, 1.2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        tsr_layout_options options = {.allow_empty = false};
        int size = 1, ndim = 0;
        for (; ndim < 3 && cases[i].grid[ndim] > 0; ++ndim) {
            options.process_grid[ndim] = cases[i].grid[ndim];
            options.halo[ndim] = 1;
            size *= cases[i].grid[ndim];
        }
        const int64_t shape[] = {60, 60, 60};
        const machine m = machine_of(size, cases[i].count, cases[i].ranks);
        tsr_layout *layout = tsrt_layout(0, size, ndim, shape, &options);
        search s = {.layout = layout, .nodes = m.nodes, .least = 1e300};
        memcpy(s.left, cases[i].ranks, sizeof cases[i].ranks);
        try_all(&s, 0);
        const outcome found = place(&m, ndim, shape, &options);
        if (found.ours > cases[i].allowed * s.least)
            tsrt_fail(__FILE__, __LINE__, "case %d cuts %g, the best is %g", (int)i, found.ours,
                      s.least);
        tsrt_layout_free(layout);
    }
}

/* ---- all kinds ------------------------------------------------------------------------------- */

/* Ranks in any order on nodes of any size, layouts of any kind, blocks without cells among them. */
static void random_machines(void **state)
{
    (void)state;
    int better = 0, kept = 0;
    for (uint64_t round = 0; round < 1000; ++round) {
        uint64_t seed = round;
        tsrt_random_layout l;
        tsrt_random_layout_make(&seed, &l);
        machine m = {.size = l.size, .nodes = 1 + tsrt_random(&seed, l.size)};
        for (int r = 0; r < m.size; ++r)
            m.node[r] = r < m.nodes ? r : tsrt_random(&seed, m.nodes);
        const outcome found = place(&m, l.ndim, l.shape, &l.options);
        better += found.ours < found.row_major;
        kept += found.ours == found.row_major;
    }
    CHECK(better > 100 && kept > 100);
}

/* The positions that ranks have, when those are not their numbers, are kept unless there is better.
 */
static void given_positions(void **state)
{
    (void)state;
    const machine m = machine_of(8, 1, (const int[]){4});
    const tsr_layout_options options = {.process_grid = {2, 4}, .halo = {1, 1}};
    const int squares[] = {0, 1, 4, 5, 3, 2, 7, 6}, rows[] = {7, 6, 5, 4, 3, 2, 1, 0};
    int position[8];
    tsr_layout *layout = tsrt_layout(0, 8, 2, TSR_SHAPE(40, 80), &options);
    CHECK_OK(tsri_placement(&layout->geometry, m.nodes, m.node, squares, position));
    for (int r = 0; r < 8; ++r)
        CHECK_INT(position[r], squares[r]);
    const int spread[] = {0, 2, 4, 6, 1, 3, 5, 7};
    CHECK_OK(tsri_placement(&layout->geometry, m.nodes, m.node, spread, position));
    CHECK(position[0] == 0 && position[1] == 1 && position[2] == 4 && position[3] == 5);
    CHECK_OK(tsri_placement(&layout->geometry, m.nodes, m.node, rows, position));
    CHECK(position[0] == 0 && position[1] == 1 && position[2] == 4 && position[3] == 5);
    tsrt_layout_free(layout);
}

static void without_memory(void **state)
{
    (void)state;
    const machine m = machine_of(24, 1, (const int[]){4});
    const tsr_layout_options options = {.process_grid = {4, 6}, .halo = {1, 1}};
    tsr_layout *layout = tsrt_layout(0, 24, 2, TSR_SHAPE(48, 48), &options);
    bool fired = true;
    int n = 0;
    for (; fired; ++n) {
        int position[24];
        const int64_t live = tsri_counters_read().live_blocks;
        tsri_fault_arm(n);
        const tsr_status st = tsri_placement(&layout->geometry, m.nodes, m.node, NULL, position);
        fired = tsri_fault_fired();
        tsri_fault_arm(-1);
        CHECK_INT(st, fired ? TSR_ERR_NOMEM : TSR_OK);
        CHECK_INT(tsri_counters_read().live_blocks, live);
    }
    CHECK(n > 8);
    tsrt_layout_free(layout);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table),       cmocka_unit_test(squares_and_cubes),
        cmocka_unit_test(halos_decide),    cmocka_unit_test(small_machines_are_best_or_near),
        cmocka_unit_test(random_machines), cmocka_unit_test(given_positions),
        cmocka_unit_test(without_memory),
    };
    return TSRT_RUN(argc, argv, tests);
}
