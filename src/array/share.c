/* Who writes which cells of a copy that the ranks of a node share: each a run of planes of the
 * first axis that has more than one, so that what a rank writes is one run of memory. */
#include "array/array.h"
#include "base/gate.h"
#include "shm/team.h"

/* Owned planes [first, end) along an axis. */
typedef struct planes {
    int axis;
    int64_t first, end;
} planes;

static bool is_shared(const tsr_array *array)
{
    return array->storage->kind == TSRI_MEMORY_NODE;
}

static const tsri_team *team_of(const tsr_array *array)
{
    return tsri_context_team(array->layout->context);
}

/* Planes of the storage along an axis. */
static int64_t stored(const tsr_array *array, int axis)
{
    const tsri_geometry *g = &array->layout->geometry;
    return g->halo_lo[axis] + array->extent[axis] + g->halo_hi[axis];
}

static planes planes_of(const tsr_array *array)
{
    const tsri_team *team = team_of(array);
    const int last = array->layout->geometry.ndim - 1;
    planes p = {0};

    while (p.axis < last && stored(array, p.axis) == 1)
        ++p.axis;
    const tsri_axis cuts = tsri_axis_make(array->extent[p.axis], team->count, NULL);
    p.first = tsri_axis_cut(&cuts, team->index);
    p.end = tsri_axis_cut(&cuts, team->index + 1);
    return p;
}

/* Without axes there is one cell. */
static bool is_divided(const tsr_array *array)
{
    return is_shared(array) && array->layout->geometry.ndim > 0;
}

bool tsri_array_is_writer(const tsr_array *array)
{
    return !is_shared(array) || team_of(array)->index == 0;
}

void *tsri_array_target(const tsr_array *array)
{
    return tsri_array_is_writer(array) ? tsri_array_origin(array) : NULL;
}

bool tsri_array_box(const tsr_array *array, int64_t *lo, int64_t *hi)
{
    for (int a = 0; a < array->layout->geometry.ndim; ++a) {
        lo[a] = 0;
        hi[a] = stored(array, a);
    }
    if (!is_divided(array)) return tsri_array_is_writer(array) && array->cells > 0;
    const planes p = planes_of(array);
    const int64_t low = array->layout->geometry.halo_lo[p.axis];
    if (p.first > 0) lo[p.axis] = low + p.first;
    if (p.end < array->extent[p.axis]) hi[p.axis] = low + p.end;
    return p.first < p.end;
}

int64_t tsri_array_run(const tsr_array *array, int64_t *first)
{
    int64_t lo[TSR_MAX_NDIM], hi[TSR_MAX_NDIM];

    *first = 0;
    if (!tsri_array_box(array, lo, hi)) return 0;
    if (!is_divided(array)) return array->cells;
    const int axis = planes_of(array).axis;
    *first = lo[axis] * array->stride[axis];
    return (hi[axis] - lo[axis]) * array->stride[axis];
}

tsr_array tsri_array_share(const tsr_array *array)
{
    tsr_array share = *array;
    int64_t first;

    share.cells = tsri_array_run(array, &first);
    if (share.cells == 0) {
        for (int a = 0; a < array->layout->geometry.ndim; ++a)
            share.extent[a] = 0;
    } else if (is_divided(array)) {
        const planes p = planes_of(array);
        share.start[p.axis] += p.first;
        share.extent[p.axis] = p.end - p.first;
        share.origin += p.first * array->stride[p.axis];
    }
    return share;
}

void tsri_array_meet(const tsr_array *array)
{
    if (!is_shared(array)) return;
    tsri_node_piece_meet(array->layout->context, team_of(array), &array->storage->piece);
}

/* ---- public ---------------------------------------------------------------------------------- */

tsr_view tsr_local_share(const tsr_array *array)
{
    if (array == NULL || array->storage->memory == NULL) return tsr_local(array);
    const tsr_array share = tsri_array_share(array);
    const bool none = share.cells == 0;
    tsr_view view = tsr_local(&share);
    if (none) view.data = NULL;
    for (int a = 0; a < view.ndim; ++a) {
        const int64_t after = array->start[a] + array->extent[a] - view.start[a] - view.extent[a];
        if (none || view.start[a] > array->start[a]) view.halo_lo[a] = 0;
        if (none || after > 0) view.halo_hi[a] = 0;
    }
    return view;
}

tsr_status tsr_array_sync(const tsr_array *array)
{
    tsr_status st = TSR_OK;

    TSRI_CHECK(done, array != NULL, TSR_ERR_VALUE, "array is NULL");
    TSRI_TRY(done, tsri_context_check(array->layout->context));
    tsri_array_meet(array);
done:
    return st;
}
