#include "support/halo_model.h"

#include <stdlib.h>
#include <string.h>

/* ---- update ---------------------------------------------------------------------------------- */

/* Fold an index beyond a wall back into the array. */
static int64_t model_fold(tsr_boundary_kind kind, int64_t g, int64_t n)
{
    if (kind == TSR_EDGE || (kind == TSR_REFLECT && n == 1)) return g < 0 ? 0 : n - 1;
    const int64_t period = kind == TSR_SYMMETRIC ? 2 * n : 2 * n - 2;
    const int64_t m = g - model_floor_div(g, period) * period;
    if (m < n) return m;
    return kind == TSR_SYMMETRIC ? 2 * n - 1 - m : 2 * n - 2 - m;
}

typedef enum { MODEL_STAYS, MODEL_MOVES, MODEL_FILLED, MODEL_UNTOUCHED } model_source;

/* Where the cell at local index l of a block at `coord` comes from, along one axis: the coordinate
 * and local index of the source. */
static model_source model_axis_source(const model_layout *layout, const model_request *q, int a,
                                      int coord, int64_t l, int *from, int64_t *at)
{
    const int64_t extent = model_extent(layout, a, coord), n = layout->shape[a];
    int64_t g = layout->cuts[a][coord] + l;

    *from = coord;
    *at = l;
    if (!(q->axes & TSR_AXIS(a)) || (l >= 0 && l < extent)) return MODEL_STAYS;
    if (l < -q->width_lo[a] || l >= extent + q->width_hi[a]) return MODEL_UNTOUCHED;
    if (layout->periodic & TSR_AXIS(a)) {
        g -= model_floor_div(g, n) * n;
    } else if (g < 0 || g >= n) {
        const tsr_boundary_kind kind = q->boundary[2 * a + (g < 0 ? 0 : 1)].kind;
        if (kind == TSR_LEAVE) return MODEL_STAYS;
        if (kind == TSR_CONSTANT || kind == TSR_CALLBACK) return MODEL_FILLED;
        g = model_fold(kind, g, n);
    }
    *from = model_owner(layout, a, g);
    *at = g - layout->cuts[a][*from];
    return MODEL_MOVES;
}

uint64_t model_callback_hash(int ndim, int axis, bool high, const int64_t *index)
{
    uint64_t hash = model_hash((uint64_t)(2 * axis + high));
    for (int a = 0; a < ndim; ++a)
        hash = model_hash(hash ^ (uint64_t)(index[a] + 1000));
    return hash;
}

/* The scalars that the tests use as constants. */
static double model_scalar(tsr_scalar scalar)
{
    if (scalar.dtype == TSR_BOOL) return scalar.as.b;
    return scalar.dtype == TSR_I64 ? (double)scalar.as.i : scalar.as.f;
}

static void model_boundary_value(const model *m, const model_request *q, int axis,
                                 const int *coords, const int64_t *local, void *out)
{
    int64_t index[MODEL_NDIM] = {0};
    for (int a = 0; a < m->layout->ndim; ++a)
        index[a] = m->layout->cuts[a][coords[a]] + local[a];
    const bool high = index[axis] >= 0;
    const tsr_boundary *boundary = &q->boundary[2 * axis + high];

    if (boundary->kind == TSR_CALLBACK)
        model_element(m->dtype, model_callback_hash(m->layout->ndim, axis, high, index), out);
    else
        model_number(m->dtype, model_scalar(boundary->value), out);
}

static void model_update_cell(model *m, const model_request *q, const unsigned char *old, int rank,
                              const int *coords, const int64_t *local)
{
    int from[MODEL_NDIM], filled = -1;
    int64_t at[MODEL_NDIM];
    bool moves = false;

    for (int a = 0; a < m->layout->ndim; ++a) {
        const model_source source =
            model_axis_source(m->layout, q, a, coords[a], local[a], &from[a], &at[a]);
        if (source == MODEL_UNTOUCHED) return;
        if (source == MODEL_FILLED) filled = a;
        moves = moves || source == MODEL_MOVES;
    }
    if (q->faces_only && model_outside(m->layout, coords, local) != 1) return;

    unsigned char *cell = m->data + (size_t)model_cell(m, rank, local) * m->elem;
    if (filled >= 0) {
        model_boundary_value(m, q, filled, coords, local, cell);
    } else if (moves) {
        const int source = model_rank_at(m->layout, from, rank);
        memcpy(cell, old + (size_t)model_cell(m, source, at) * m->elem, m->elem);
    }
}

void model_update(model *m, const model_request *q)
{
    unsigned char *old = model_snapshot(m);

    for (int rank = 0; rank < m->layout->ranks; ++rank) {
        int coords[MODEL_NDIM];
        int64_t local[MODEL_NDIM];
        model_coords(m->layout, rank, coords);
        for (int64_t i = 0; i < m->offset[rank + 1] - m->offset[rank]; ++i) {
            model_local(m->layout, coords, i, local);
            model_update_cell(m, q, old, rank, coords, local);
        }
    }
    free(old);
}

/* ---- requests -------------------------------------------------------------------------------- */

model_request model_request_of(const model_layout *layout, const tsr_halo_options *options,
                               const tsr_boundary *own)
{
    static const tsr_halo_options none;
    const tsr_halo_options *o = options != NULL ? options : &none;
    model_request q = {.axes = o->axes != 0 ? o->axes : TSR_ALL_AXES, .faces_only = o->faces_only};

    for (int a = 0; a < layout->ndim; ++a) {
        const int64_t lo = o->width_lo[a], hi = o->width_hi[a];
        q.width_lo[a] = lo == 0 ? layout->lo[a] : lo == TSR_NO_HALO ? 0 : lo;
        q.width_hi[a] = hi == 0 ? layout->hi[a] : hi == TSR_NO_HALO ? 0 : hi;
        for (int side = 0; side < 2; ++side)
            q.boundary[2 * a + side] = (o->boundary != NULL ? o->boundary : own)[2 * a + side];
    }
    return q;
}

/* ---- accumulate ------------------------------------------------------------------------------ */

/* One halo cell on its way to the owned cell it stands for. */
typedef struct model_gift {
    int64_t target, source;
    int64_t order[MODEL_NDIM]; /* the sender's block, unwrapped, relative to the receiver's */
    int ndim;
} model_gift;

static int model_gift_compare(const void *left, const void *right)
{
    const model_gift *a = left, *b = right;
    if (a->target != b->target) return a->target < b->target ? -1 : 1;
    for (int k = 0; k < a->ndim; ++k)
        if (a->order[k] != b->order[k]) return a->order[k] < b->order[k] ? -1 : 1;
    return 0;
}

typedef enum { MODEL_OWNED, MODEL_GIVEN, MODEL_DROPPED, MODEL_IGNORED } model_target;

/* Where the cell at local index l of a block at `coord` goes, along one axis. */
static model_target model_axis_target(const model_layout *layout, const model_request *q, int a,
                                      int coord, int64_t l, int *to, int64_t *at, int64_t *order)
{
    const int64_t extent = model_extent(layout, a, coord), n = layout->shape[a];
    const int64_t g = layout->cuts[a][coord] + l;
    int64_t wraps = 0;

    *to = coord;
    *at = l;
    *order = 0;
    if (!(q->axes & TSR_AXIS(a)) || (l >= 0 && l < extent)) return MODEL_OWNED;
    if (l < -q->width_lo[a] || l >= extent + q->width_hi[a]) return MODEL_IGNORED;
    if (layout->periodic & TSR_AXIS(a))
        wraps = model_floor_div(g, n);
    else if (g < 0 || g >= n)
        return MODEL_DROPPED;
    *to = model_owner(layout, a, g - wraps * n);
    *at = g - wraps * n - layout->cuts[a][*to];
    *order = coord - (*to + wraps * layout->grid[a]);
    return MODEL_GIVEN;
}

/* Clear a cell that takes part; true when it also gives its value to an owned cell. */
static bool model_take(model *m, const model_request *q, int rank, const int *coords,
                       const int64_t *local, model_gift *gift)
{
    const model_layout *layout = m->layout;
    int to[MODEL_NDIM];
    int64_t at[MODEL_NDIM];
    bool asked = false, dropped = false;

    for (int a = 0; a < layout->ndim; ++a) {
        const model_target target =
            model_axis_target(layout, q, a, coords[a], local[a], &to[a], &at[a], &gift->order[a]);
        if (target == MODEL_IGNORED) return false;
        asked = asked || target != MODEL_OWNED;
        dropped = dropped || target == MODEL_DROPPED;
    }
    if (!asked || (q->faces_only && model_outside(layout, coords, local) != 1)) return false;
    gift->ndim = layout->ndim;
    gift->source = model_cell(m, rank, local);
    memset(m->data + (size_t)gift->source * m->elem, 0, m->elem);
    if (!dropped) gift->target = model_cell(m, model_rank_at(layout, to, rank), at);
    return !dropped;
}

void model_accumulate(model *m, const model_request *q)
{
    unsigned char *old = model_snapshot(m);
    model_gift *gifts = malloc(((size_t)m->offset[m->layout->ranks] + 1) * sizeof *gifts);
    size_t count = 0;

    for (int rank = 0; rank < m->layout->ranks; ++rank) {
        int coords[MODEL_NDIM];
        int64_t local[MODEL_NDIM];
        model_coords(m->layout, rank, coords);
        for (int64_t i = 0; i < m->offset[rank + 1] - m->offset[rank]; ++i) {
            model_local(m->layout, coords, i, local);
            count += model_take(m, q, rank, coords, local, &gifts[count]);
        }
    }
    qsort(gifts, count, sizeof *gifts, model_gift_compare);
    for (size_t k = 0; k < count; ++k)
        model_add(m->dtype, m->data + (size_t)gifts[k].target * m->elem,
                  old + (size_t)gifts[k].source * m->elem);
    free(gifts);
    free(old);
}
