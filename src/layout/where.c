/* Where things are: blocks, ranks, owners.  Everything here is local. */
#include "layout/layout.h"

#include <inttypes.h>
#include <math.h>

static tsr_status check_layout(const char *call, const tsr_layout *layout)
{
    if (layout != NULL) return TSR_OK;
    return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "layout is NULL");
}

static tsr_status check_pointer(const char *call, const char *name, const void *pointer)
{
    if (pointer != NULL) return TSR_OK;
    return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "%s is NULL", name);
}

/* A list with one entry an axis may be NULL when there are none. */
static tsr_status check_list(const char *call, const char *name, const void *list,
                             const tsr_layout *layout)
{
    return layout->geometry.ndim == 0 ? TSR_OK : check_pointer(call, name, list);
}

static tsr_status check_rank(const char *call, const tsr_layout *layout, int rank)
{
    const tsr_status st = check_layout(call, layout);
    if (st != TSR_OK || (rank >= 0 && rank < layout->size)) return st;
    return TSRI_FAIL_IN(call, TSR_ERR_INDEX, "rank is %d, must be 0 to %d", rank, layout->size - 1);
}

/* Also counts a negative axis from the end. */
static tsr_status check_axis(const char *call, tsr_status code, const tsr_layout *layout, int *axis)
{
    const tsr_status st = check_layout(call, layout);
    return st != TSR_OK ? st : tsri_axis_check(call, code, "layout", layout->geometry.ndim, axis);
}

tsr_status tsr_layout_cuts(const tsr_layout *layout, int axis, int64_t *cuts)
{
    tsr_status st;
    TSRI_TRY(done, check_axis(__func__, TSR_ERR_AXIS, layout, &axis));
    TSRI_TRY(done, check_pointer(__func__, "cuts", cuts));
    const tsri_axis along = tsri_geometry_axis(&layout->geometry, axis);
    for (int k = 0; k <= along.blocks; ++k) {
        cuts[k] = tsri_axis_cut(&along, k);
    }
done:
    return st;
}

tsr_status tsr_layout_block(const tsr_layout *layout, int rank, int64_t *start, int64_t *extent)
{
    int64_t first[TSR_MAX_NDIM], cells[TSR_MAX_NDIM];
    tsr_status st;
    TSRI_TRY(done, check_rank(__func__, layout, rank));
    tsri_geometry_block(&layout->geometry, rank, first, cells);
    for (int a = 0; a < layout->geometry.ndim; ++a) {
        if (start != NULL) start[a] = first[a];
        if (extent != NULL) extent[a] = cells[a];
    }
done:
    return st;
}

tsr_status tsr_layout_storage(const tsr_layout *layout, int rank, int64_t *extent)
{
    tsr_status st;
    TSRI_TRY(done, check_rank(__func__, layout, rank));
    TSRI_TRY(done, check_list(__func__, "extent", extent, layout));
    tsri_geometry_storage(&layout->geometry, rank, extent);
done:
    return st;
}

tsr_status tsr_layout_coords(const tsr_layout *layout, int rank, int *coords)
{
    tsr_status st;
    TSRI_TRY(done, check_rank(__func__, layout, rank));
    TSRI_TRY(done, check_list(__func__, "coords", coords, layout));
    tsri_geometry_coords(&layout->geometry, rank, coords);
done:
    return st;
}

tsr_status tsr_layout_rank_at(const tsr_layout *layout, const int *coords, int *rank)
{
    tsr_status st;
    TSRI_TRY(done, check_layout(__func__, layout));
    TSRI_TRY(done, check_list(__func__, "coords", coords, layout));
    TSRI_TRY(done, check_pointer(__func__, "rank", rank));
    for (int a = 0; a < layout->geometry.ndim; ++a) {
        const int blocks = layout->geometry.grid[a];
        TSRI_CHECK(done, coords[a] >= 0 && coords[a] < blocks, TSR_ERR_INDEX,
                   "coords[%d] is %d, must be 0 to %d", a, coords[a], blocks - 1);
    }
    *rank = tsri_geometry_rank(&layout->geometry, coords);
done:
    return st;
}

tsr_status tsr_layout_neighbours(const tsr_layout *layout, int rank, int axis, int *before,
                                 int *after)
{
    tsr_status st;
    int ranks[2];
    TSRI_TRY(done, check_rank(__func__, layout, rank));
    TSRI_TRY(done, check_axis(__func__, TSR_ERR_AXIS, layout, &axis));
    tsri_geometry_neighbours(&layout->geometry, rank, axis, &ranks[0], &ranks[1]);
    if (before != NULL) *before = ranks[0];
    if (after != NULL) *after = ranks[1];
done:
    return st;
}

tsr_status tsr_layout_rank_boundaries(const tsr_layout *layout, int axis, int64_t count,
                                      const double *coordinates, double *boundaries)
{
    tsr_status st;
    TSRI_TRY(done, check_axis(__func__, TSR_ERR_INDEX, layout, &axis));
    const tsri_axis along = tsri_geometry_axis(&layout->geometry, axis);
    TSRI_CHECK(done, count == along.length, TSR_ERR_VALUE,
               "count is %" PRId64 ", must be %" PRId64 ", the length of axis %d", count,
               along.length, axis);
    if (along.blocks == 1) return TSR_OK;
    if (count > 0) TSRI_TRY(done, check_pointer(__func__, "coordinates", coordinates));
    TSRI_TRY(done, check_pointer(__func__, "boundaries", boundaries));
    for (int k = 1; k < along.blocks; ++k) {
        const int64_t cut = tsri_axis_cut(&along, k);
        boundaries[k - 1] = cut < count ? coordinates[cut] : NAN;
    }
done:
    return st;
}
