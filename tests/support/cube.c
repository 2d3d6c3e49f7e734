#include "support/cube.h"

#include "kern/kern.h"
#include "support/layout_cases.h"

static const int edges[] = {10, 22, 46, 100}; /* of cubes of 10^3 to 10^6 ranks, all even */
enum { EDGES = 4 };

tsri_context *lone_context(int rank, int size)
{
    tsri_context *context = calloc(1, sizeof *context);
    CHECK(context != NULL);
    context->rank = rank;
    context->size = size;
    return context;
}

void lone_context_free(tsri_context *context)
{
    for (int k = 0; k < TSRI_SCRATCHES; ++k) {
        if (context->scratch[k].block == NULL) continue;
        tsri_free_aligned(context->scratch[k].block);
        tsri_count(TSRI_COUNT_IDLE_BLOCKS, -1);
    }
    free(context);
}

const tsr_axes cube_axes = TSR_AXIS(1) | TSR_AXIS(2) | TSR_AXIS(3);

tsr_array cube_view(tsr_layout *layout)
{
    tsr_array a = {.layout = layout, .dtype = TSR_F64, .cells = 1};
    if (!tsri_geometry_block(&layout->geometry, layout->rank, a.start, a.extent))
        memset(a.extent, 0, sizeof a.extent);
    for (int k = 0; k < layout->geometry.ndim; ++k)
        a.cells *= a.extent[k];
    tsri_c_strides(layout->geometry.ndim, a.extent, a.stride);
    return a;
}

static void cube_open(cube *c, int e)
{
    memset(c, 0, sizeof *c);
    c->e = e;
    c->ranks = e * e * e;
    c->rank = (e / 2 * e + e / 2) * e + e / 2;
    c->n = (int64_t)CUBE_BLOCK * e;
    c->middle = (int64_t)CUBE_BLOCK * (e / 2);
    c->context = lone_context(c->rank, c->ranks);
    c->layout =
        tsrt_layout(c->rank, c->ranks, 4, TSR_SHAPE(2, c->n, c->n, c->n),
                    &(tsr_layout_options){.split = cube_axes, .process_grid = {1, e, e, e}});
    c->layout->context = c->context;
    c->array = cube_view(c->layout);
    CHECK_INT(c->array.start[1], c->middle);
}

static void cube_close(cube *c)
{
    lone_context_free(c->context);
    tsrt_layout_free(c->layout);
}

void cube_check_constant(cube_work *run, int kinds)
{
    for (int kind = 0; kind < kinds; ++kind) {
        cube_cost first = {0};
        for (int i = 0; i < EDGES; ++i) {
            cube c;
            cube_open(&c, edges[i]);
            const cube_cost found = run(&c, kind);
            CHECK(found.pieces > 0 && found.cells > 0);
            if (i == 0) first = found;
            CHECK_INT(found.allocations, first.allocations);
            CHECK_INT(found.pieces, first.pieces);
            CHECK_INT(found.sends, first.sends);
            CHECK_INT(found.receives, first.receives);
            CHECK_INT(found.cells, first.cells);
            cube_close(&c);
        }
    }
}

static int64_t cells_of(const tsri_pieces *pieces)
{
    int64_t cells = 0;
    for (int i = 0; i < pieces->count; ++i)
        cells += pieces->item[i].cells;
    return cells;
}

int64_t cube_allocations(void)
{
    return tsri_counters_read().allocations;
}

cube_cost cube_of_plan(tsri_plan *plan, int64_t before)
{
    const cube_cost found = {.allocations = cube_allocations() - before,
                             .pieces = plan->send.count + plan->receive.count + plan->copy.count,
                             .sends = plan->send.npeers,
                             .receives = plan->receive.npeers,
                             .cells = cells_of(&plan->send) + cells_of(&plan->receive) +
                                      cells_of(&plan->copy)};
    tsri_plan_unref(plan);
    return found;
}

cube_cost cube_of_picks(const tsri_picks *given, const tsri_picks *taken, int64_t before)
{
    cube_cost found = {.allocations = cube_allocations() - before,
                       .pieces = given->count + taken->count,
                       .sends = given->count,
                       .receives = taken->count};
    for (int64_t i = 0; i < given->count; ++i)
        found.cells += given->item[i].count;
    for (int64_t i = 0; i < taken->count; ++i)
        found.cells += taken->item[i].count;
    return found;
}
