/* ranks: 1 */
/* variants: none */
/* Plans of layouts of 10^3 to 10^6 ranks, made in one process: as many pieces and peers as blocks
 * overlap, the same at both ends, and memory that does not grow with the ranks.  Geometry alone. */
#include "base/memory.h"
#include "kern/kern.h"
#include "move/plan.h"
#include "support/harness.h"
#include "support/layout_cases.h"

/* Two layouts and how cells of the first get to the second. */
typedef struct scene {
    tsri_geometry from, to;
    int64_t shift;  /* along axis 0: cell i goes to (i + shift) mod n */
    bool transpose; /* axes in reverse */
} scene;

static tsri_geometry geometry_of(int size, int ndim, const int64_t *shape,
                                 const tsr_layout_options *options)
{
    tsri_geometry g;
    CHECK_OK(tsri_geometry_init("tsr_layout_create", &g, size, ndim, shape, options));
    return g;
}

static tsri_plan *plan_of(const scene *s, int rank)
{
    const int ndim = s->from.ndim;
    tsri_plan_request request = {
        .from = &s->from, .to = &s->to, .rank = rank, .root = TSR_ALL_RANKS};
    int64_t start[TSR_MAX_NDIM], extent[TSR_MAX_NDIM];
    tsri_plan *plan = NULL;

    for (int a = 0; a < ndim; ++a) {
        const int from = s->transpose ? ndim - 1 - a : a;
        tsri_plan_request_add_same(&request, from, a);
        if (a == 0) {
            request.factor[a].map.affine.from = -s->shift;
            request.factor[a].map.from.periodic = true;
        }
    }
    tsri_geometry_block(&s->from, rank, start, extent);
    tsri_c_strides(ndim, extent, request.from_stride);
    tsri_geometry_block(&s->to, rank, start, extent);
    tsri_c_strides(ndim, extent, request.to_stride);
    CHECK_OK(tsri_plan_create(&request, &plan));
    return plan;
}

static int64_t block_cells(const tsri_geometry *g, int rank)
{
    int64_t start[TSR_MAX_NDIM], extent[TSR_MAX_NDIM], cells = 1;
    if (!tsri_geometry_block(g, rank, start, extent)) return 0;
    for (int a = 0; a < g->ndim; ++a)
        cells *= extent[a];
    return cells;
}

static int64_t cells_of(const tsri_pieces *pieces)
{
    int64_t cells = 0;
    for (int i = 0; i < pieces->count; ++i)
        cells += pieces->item[i].cells;
    return cells;
}

/* The cells that a peer in a list has; 0 when it is not there. */
static int64_t cells_with(const tsri_pieces *pieces, int rank)
{
    for (int i = 0; i < pieces->npeers; ++i)
        if (pieces->peer[i].rank == rank) return pieces->peer[i].cells;
    return 0;
}

/* Every cell of the block is sent or stays, every cell of the new block arrives or was there, and
 * each peer expects exactly what this rank sends. */
static void check_rank(const scene *s, int rank, int most_peers)
{
    const tsri_counters before = tsri_counters_read();
    tsri_plan *plan = plan_of(s, rank);
    const tsri_counters after = tsri_counters_read();

    /* Lists grow by doubling: a few allocations for each, whatever the number of ranks. */
    CHECK(after.allocations - before.allocations < 80);
    CHECK(plan->send.npeers <= most_peers && plan->receive.npeers <= most_peers);
    CHECK_INT(cells_of(&plan->send) + cells_of(&plan->copy), block_cells(&s->from, rank));
    CHECK_INT(cells_of(&plan->receive) + cells_of(&plan->copy), block_cells(&s->to, rank));
    for (int i = 0; i < plan->send.npeers && i < 3; ++i) {
        const tsri_peer *peer = &plan->send.peer[i];
        tsri_plan *other = plan_of(s, peer->rank);
        CHECK_INT(cells_with(&other->receive, rank), peer->cells);
        tsri_plan_unref(other);
    }
    tsri_plan_unref(plan);
}

static void check_scene(scene *s, int most_peers)
{
    uint64_t seed = 5;
    check_rank(s, 0, most_peers);
    check_rank(s, s->from.size - 1, most_peers);
    for (int k = 0; k < 30; ++k)
        check_rank(s, tsrt_random(&seed, s->from.size), most_peers);
    tsri_geometry_clear(&s->from);
    tsri_geometry_clear(&s->to);
}

static const int edges[] = {10, 22, 46, 100}; /* of cubes of 10^3 to 10^6 ranks */

/* Blocks of a cube become blocks of a plane of ranks: each overlaps a few. */
static void cubes_to_pencils(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        const int e = edges[i], ranks = e * e * e;
        const int64_t n = 4 * e + 3;
        scene s = {.from = geometry_of(ranks, 3, TSR_SHAPE(n * n, n, n),
                                       &(tsr_layout_options){.process_grid = {e, e, e}}),
                   .to = geometry_of(ranks, 3, TSR_SHAPE(n * n, n, n),
                                     &(tsr_layout_options){.process_grid = {e * e, e, 1}})};
        /* A block is cut in about e along axis 0 and 2 along axis 1; a pencil meets e blocks along
         * axis 2: so many really overlap. */
        check_scene(&s, 4 * (e + 2));
    }
}

static void cubes_to_shifted_or_transposed_cubes(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        const int e = edges[i], ranks = e * e * e;
        const int64_t n = 4 * e + 3;
        const tsr_layout_options cube = {.process_grid = {e, e, e}};
        scene shifted = {.from = geometry_of(ranks, 3, TSR_SHAPE(n, n, n), &cube),
                         .to = geometry_of(ranks, 3, TSR_SHAPE(n, n, n), &cube),
                         .shift = n / 2 + 1};
        check_scene(&shifted, 3);
        scene transposed = {.from = geometry_of(ranks, 3, TSR_SHAPE(n, n + 1, n + 2), &cube),
                            .to = geometry_of(ranks, 3, TSR_SHAPE(n + 2, n + 1, n), &cube),
                            .transpose = true};
        check_scene(&transposed, 1);
    }
}

/* All cells go from the first rank to the last, over ranks without any: these are jumped over,
 * which shows in the time that so many plans take. */
static void ranks_without_cells_are_jumped_over(void **state)
{
    (void)state;
    for (int ranks = 1000; ranks <= 1000000; ranks *= 10) {
        int64_t *first = calloc((size_t)ranks + 1, sizeof *first);
        int64_t *last = calloc((size_t)ranks + 1, sizeof *last);
        CHECK(first != NULL && last != NULL);
        for (int k = 1; k <= ranks; ++k)
            first[k] = 100;
        last[ranks] = 100;
        last[1] = 1;
        for (int k = 2; k < ranks; ++k)
            last[k] = 1;
        scene s = {
            .from = geometry_of(
                ranks, 1, TSR_SHAPE(100),
                &(tsr_layout_options){.cuts = {first}, .ncuts = {ranks + 1}, .allow_empty = true}),
            .to = geometry_of(
                ranks, 1, TSR_SHAPE(100),
                &(tsr_layout_options){.cuts = {last}, .ncuts = {ranks + 1}, .allow_empty = true})};
        tsri_plan *plan = plan_of(&s, 0);
        CHECK_INT(plan->send.npeers, 1);
        CHECK_INT(plan->send.peer[0].rank, ranks - 1);
        CHECK_INT(plan->send.peer[0].cells, 99);
        CHECK_INT(plan->copy.count, 1);
        tsri_plan_unref(plan);
        for (int k = 0; k < 2000; ++k)
            tsri_plan_unref(plan_of(&s, k % 2 == 0 ? 0 : ranks - 1));
        check_scene(&s, 1);
        free(first);
        free(last);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_to_pencils),
        cmocka_unit_test(cubes_to_shifted_or_transposed_cubes),
        cmocka_unit_test(ranks_without_cells_are_jumped_over),
    };
    return TSRT_RUN(argc, argv, tests);
}
