/* Equal boxes of grid positions, one a node.  What they cut is a sum over the axes: whole planes of
 * the array.  So the best box is found axis by axis, from the last to the first, keeping for every
 * divisor of the ranks of a node the least that boxes of so many positions over the axes from here
 * on can cut. */
#include "base/memory.h"
#include "layout/divisors.h"
#include "layout/placement.h"

#include <math.h>

typedef struct search {
    const tsri_geometry *geometry;
    tsri_divisors divisors; /* of the ranks of a node */
    double *least;          /* [ndim + 1][divisors] */
} search;

static double *least_at(const search *s, int axis, int positions)
{
    return &s->least[axis * s->divisors.count + tsri_divisors_index(&s->divisors, positions)];
}

/* Halo cells cut along an axis by boxes with so many positions along it. */
static double cut_along(const tsri_geometry *g, int axis, int positions)
{
    const int boxes = g->grid[axis] / positions;
    const bool wraps = (g->periodic >> axis & 1u) != 0 && boxes > 1;
    double cells = (double)g->halo_lo[axis] + (double)g->halo_hi[axis];
    for (int other = 0; other < g->ndim; ++other)
        if (other != axis) cells *= (double)g->shape[other];
    return cells * (boxes - 1 + wraps);
}

/* The least that boxes of `positions` over the axes from `axis` on can cut when they have `here`
 * along it; infinite when that is not possible. */
static double least_with(const search *s, int axis, int positions, int here)
{
    if (positions % here != 0 || s->geometry->grid[axis] % here != 0) return INFINITY;
    return cut_along(s->geometry, axis, here) + *least_at(s, axis + 1, positions / here);
}

static void fill(search *s)
{
    const int ndim = s->geometry->ndim;
    for (int i = 1; i < s->divisors.count; ++i)
        *least_at(s, ndim, s->divisors.value[i]) = INFINITY;
    for (int a = ndim - 1; a >= 0; --a)
        for (int i = 0; i < s->divisors.count; ++i) {
            const int positions = s->divisors.value[i];
            double *least = least_at(s, a, positions);
            *least = INFINITY;
            for (int j = 0; j <= i; ++j)
                *least = fmin(*least, least_with(s, a, positions, s->divisors.value[j]));
        }
}

static void read_box(const search *s, int positions, int *box)
{
    for (int a = 0; a < s->geometry->ndim; ++a) {
        int j = 0;
        while (least_with(s, a, positions, s->divisors.value[j]) > *least_at(s, a, positions))
            ++j;
        box[a] = s->divisors.value[j];
        positions /= box[a];
    }
}

static void number_boxes(const tsri_geometry *g, const int *box, int *node_at)
{
    int coords[TSR_MAX_NDIM];
    for (int p = 0; p < g->size; ++p) {
        int number = 0;
        tsri_geometry_coords(g, p, coords);
        for (int a = 0; a < g->ndim; ++a)
            number = number * (g->grid[a] / box[a]) + coords[a] / box[a];
        node_at[p] = number;
    }
}

tsr_status tsri_placement_boxes(const tsri_geometry *geometry, tsri_node_sizes nodes, int *node_at,
                                bool *found)
{
    search s = {.geometry = geometry};
    tsr_status st = TSR_OK;
    int box[TSR_MAX_NDIM];
    const int positions = nodes.ranks[0];

    *found = false;
    for (int n = 1; n < nodes.count; ++n)
        if (nodes.ranks[n] != positions) return TSR_OK;
    TSRI_TRY(done, tsri_divisors_find(positions, &s.divisors));
    TSRI_ALLOC(done, s.least, (geometry->ndim + 1) * s.divisors.count);
    fill(&s);
    *found = isfinite(*least_at(&s, 0, positions));
    if (!*found) goto done;
    read_box(&s, positions, box);
    number_boxes(geometry, box, node_at);
done:
    tsri_divisors_free(&s.divisors);
    tsri_free(s.least);
    return st;
}
