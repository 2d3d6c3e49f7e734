#include "layout/placement.h"
#include "base/memory.h"

/* Each cut face is counted once, at the block before it: that block's high halo, and the low halo
 * of the block behind. */
double tsri_placement_cut(const tsri_geometry *geometry, const int *node_at)
{
    const tsri_geometry *g = geometry;
    int64_t start[TSR_MAX_NDIM], extent[TSR_MAX_NDIM];
    double cut = 0;
    for (int p = 0; p < g->size; ++p) {
        if (!tsri_geometry_block(g, p, start, extent)) continue;
        for (int a = 0; a < g->ndim; ++a) {
            double cells = (double)g->halo_lo[a] + (double)g->halo_hi[a];
            int before, after;
            if (g->grid[a] == 1 || cells == 0) continue;
            tsri_geometry_neighbours(g, p, a, &before, &after);
            if (after == TSR_NO_RANK || node_at[after] == node_at[p]) continue;
            for (int other = 0; other < g->ndim; ++other)
                if (other != a) cells *= (double)extent[other];
            cut += cells;
        }
    }
    return cut;
}

/* What is known while candidates are compared. */
typedef struct comparison {
    const tsri_geometry *geometry;
    tsri_node_sizes nodes;
    const int *node; /* of each rank */
    int *node_at;    /* of each position, in the candidate */
    int *next;       /* room for a number for each node */
    int *order;      /* room for one for each rank */
    int *place;      /* the best so far */
    double least;    /* what it cuts */
} comparison;

/* The ranks of each node, ascending, take its positions, ascending. */
static void place_ranks(const comparison *c)
{
    const int size = c->geometry->size;
    int total = 0;
    for (int n = 0; n < c->nodes.count; ++n) {
        c->next[n] = total;
        total += c->nodes.ranks[n];
    }
    for (int p = 0; p < size; ++p)
        c->order[c->next[c->node_at[p]]++] = p;
    for (int n = 0; n < c->nodes.count; ++n)
        c->next[n] -= c->nodes.ranks[n];
    for (int r = 0; r < size; ++r)
        c->place[r] = c->order[c->next[c->node[r]]++];
}

/* Take the candidate in node_at if it is better than the best so far. */
static void consider(comparison *c)
{
    const double cut = tsri_placement_cut(c->geometry, c->node_at);
    if (cut >= c->least) return;
    c->least = cut;
    place_ranks(c);
}

static tsr_status find_candidates(comparison *c)
{
    tsr_status st = TSR_OK;
    bool found = false;
    TSRI_TRY(done, tsri_placement_boxes(c->geometry, c->nodes, c->node_at, &found));
    if (found) consider(c);
    TSRI_TRY(done, tsri_placement_bisect(c->geometry, c->nodes, c->node_at));
    consider(c);
done:
    return st;
}

tsr_status tsri_placement(const tsri_geometry *geometry, int nodes, const int *node,
                          const int *given, int *place)
{
    const int size = geometry->size;
    comparison c = {.geometry = geometry, .node = node, .place = place};
    tsr_status st = TSR_OK;
    int *ranks = NULL;

    TSRI_ALLOC(done, ranks, nodes);
    TSRI_ALLOC(done, c.next, nodes);
    TSRI_ALLOC(done, c.node_at, size);
    TSRI_ALLOC(done, c.order, size);
    for (int r = 0; r < size; ++r) {
        place[r] = given != NULL ? given[r] : r;
        c.node_at[place[r]] = node[r];
        ++ranks[node[r]];
    }
    c.nodes = (tsri_node_sizes){.count = nodes, .ranks = ranks};
    c.least = tsri_placement_cut(geometry, c.node_at);
    if (c.least > 0) st = find_candidates(&c);
done:
    tsri_free(ranks);
    tsri_free(c.next);
    tsri_free(c.node_at);
    tsri_free(c.order);
    return st;
}
