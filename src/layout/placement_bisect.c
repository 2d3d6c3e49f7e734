/* Recursive bisection: a set of grid positions and a run of nodes with as many ranks are cut in two
 * across one axis, until each part is of one node. */
#include "base/memory.h"
#include "layout/placement.h"

#include <math.h>
#include <string.h>

typedef struct bisection {
    const tsri_geometry *geometry;
    const int *ranks; /* of each node */
    int *node_at;
    double face[TSR_MAX_NDIM]; /* halo cells between two blocks along an axis, on average */
    int *position;             /* the sets: ranges of this, in ascending order of position */
    int *room;                 /* for as many */
    int *tally;                /* room for a number for each place along any axis */
} bisection;

/* The smallest box around a set. */
typedef struct box {
    int lo[TSR_MAX_NDIM], extent[TSR_MAX_NDIM];
    bool full; /* the set is all of it */
} box;

/* Where a set is cut: the part before has `count` positions, of `nodes` nodes. */
typedef struct cut {
    int axis, nodes, count;
} cut;

static int coordinate(const tsri_geometry *g, int position, int axis)
{
    for (int a = g->ndim - 1; a > axis; --a)
        position /= g->grid[a];
    return position % g->grid[axis];
}

static box find_box(const bisection *b, const int *position, int count)
{
    box found = {.full = false};
    int64_t volume = 1;
    for (int a = 0; a < b->geometry->ndim; ++a) {
        int lo = b->geometry->grid[a], hi = 0;
        for (int i = 0; i < count; ++i) {
            const int c = coordinate(b->geometry, position[i], a);
            if (c < lo) lo = c;
            if (c > hi) hi = c;
        }
        found.lo[a] = lo;
        found.extent[a] = hi - lo + 1;
        volume *= found.extent[a];
    }
    found.full = volume == count;
    return found;
}

/* Halo cells in a plane of a box across an axis; with a second axis, in a line of it: what the step
 * costs that a cut has which is no plane. */
static double cells_across(const bisection *b, const box *around, int axis, int step)
{
    double cells = b->face[step >= 0 ? step : axis];
    for (int a = 0; a < b->geometry->ndim; ++a)
        if (a != axis && a != step) cells *= around->extent[a];
    return cells;
}

static double cost_of(const bisection *b, const box *around, cut c)
{
    const tsri_geometry *g = b->geometry;
    double cost = cells_across(b, around, c.axis, -1);
    int64_t plane = 1;
    /* an axis whose ends meet is cut in two places */
    if ((g->periodic >> c.axis & 1u) != 0 && around->extent[c.axis] == g->grid[c.axis]) cost *= 2;
    for (int a = 0; a < g->ndim; ++a)
        if (a != c.axis) plane *= around->extent[a];
    if (around->full && c.count % plane == 0) return cost;
    for (int a = 0; a < g->ndim; ++a)
        if (a != c.axis && g->grid[a] > 1) cost += cells_across(b, around, c.axis, a);
    return cost;
}

/* The cheapest cut that leaves each part at least a quarter, or else the one nearest to the middle;
 * of equal ones that nearest to the middle. */
static cut choose(const bisection *b, const box *around, int count, int first, int nodes)
{
    cut best = {.nodes = 0};
    double least[3] = {INFINITY, INFINITY, INFINITY};
    int before = 0;
    for (int n = 1; n < nodes; ++n) {
        before += b->ranks[first + n - 1];
        const double off = fabs(2.0 * before - count);
        for (int a = 0; a < b->geometry->ndim; ++a) {
            const cut tried = {.axis = a, .nodes = n, .count = before};
            if (around->extent[a] == 1) continue;
            const double score[3] = {off > count / 2.0 ? off : 0, cost_of(b, around, tried), off};
            int i = 0;
            while (i < 2 && score[i] == least[i])
                ++i;
            if (score[i] >= least[i]) continue;
            memcpy(least, score, sizeof least);
            best = tried;
        }
    }
    return best;
}

/* Bring the positions before a cut to the front, in their order: those on planes before it, and the
 * first of the plane where it lies. */
static void part(const bisection *b, const box *around, int *position, int count, cut c)
{
    const tsri_geometry *g = b->geometry;
    const int lo = around->lo[c.axis];
    int plane = 0, left = c.count, front = 0, back = 0;
    memset(b->tally, 0, (size_t)around->extent[c.axis] * sizeof *b->tally);
    for (int i = 0; i < count; ++i)
        ++b->tally[coordinate(g, position[i], c.axis) - lo];
    while (left >= b->tally[plane])
        left -= b->tally[plane++];
    for (int i = 0; i < count; ++i) {
        const int at = coordinate(g, position[i], c.axis) - lo;
        if (at < plane || (at == plane && left-- > 0)) {
            position[front++] = position[i];
        } else {
            b->room[back++] = position[i];
        }
    }
    memcpy(position + front, b->room, (size_t)back * sizeof *position);
}

static void bisect(const bisection *b, int *position, int count, int first, int nodes)
{
    if (nodes == 1) {
        for (int i = 0; i < count; ++i)
            b->node_at[position[i]] = first;
        return;
    }
    const box around = find_box(b, position, count);
    const cut c = choose(b, &around, count, first, nodes);
    part(b, &around, position, count, c);
    bisect(b, position, c.count, first, c.nodes);
    bisect(b, position + c.count, count - c.count, first + c.nodes, nodes - c.nodes);
}

static void average_faces(bisection *b)
{
    const tsri_geometry *g = b->geometry;
    for (int a = 0; a < g->ndim; ++a) {
        b->face[a] = (double)g->halo_lo[a] + (double)g->halo_hi[a];
        for (int other = 0; other < g->ndim; ++other)
            if (other != a) b->face[a] *= (double)g->shape[other] / g->grid[other];
    }
}

tsr_status tsri_placement_bisect(const tsri_geometry *geometry, tsri_node_sizes nodes, int *node_at)
{
    bisection b = {.geometry = geometry, .ranks = nodes.ranks, .node_at = node_at};
    tsr_status st = TSR_OK;
    int longest = 1;

    for (int a = 0; a < geometry->ndim; ++a)
        if (geometry->grid[a] > longest) longest = geometry->grid[a];
    TSRI_ALLOC(done, b.position, geometry->size);
    TSRI_ALLOC(done, b.room, geometry->size);
    TSRI_ALLOC(done, b.tally, longest);
    for (int p = 0; p < geometry->size; ++p)
        b.position[p] = p;
    average_faces(&b);
    bisect(&b, b.position, geometry->size, 0, nodes.count);
done:
    tsri_free(b.position);
    tsri_free(b.room);
    tsri_free(b.tally);
    return st;
}
