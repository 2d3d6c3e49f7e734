/* The owners of cells, one or many. */
#include "layout/layout.h"

#include <inttypes.h>

/* Bring an index into 0 .. length-1; false when it is outside. */
static bool index_normalise(const tsri_axis *axis, tsr_outside outside, int64_t *index)
{
    const int64_t n = axis->length;
    if (*index >= 0 && *index < n) return true;
    if (n == 0) return false;
    if (outside == TSR_CLIP) {
        *index = *index < 0 ? 0 : n - 1;
    } else if (outside == TSR_WRAP && axis->periodic) {
        *index %= n;
        if (*index < 0) *index += n;
    } else {
        if (*index < -n || *index >= n) return false;
        *index += n;
    }
    return true;
}

/* The rank that owns a cell; the cell's indices are in range for the mode. */
static int cell_owner(int ndim, const tsri_axis *axes, const int64_t *cell, tsr_outside outside)
{
    int rank = 0;
    for (int a = 0; a < ndim; ++a) {
        int64_t index = cell[a];
        index_normalise(&axes[a], outside, &index);
        rank = rank * axes[a].blocks + tsri_axis_owner(&axes[a], index);
    }
    return rank;
}

static void axes_of(const tsri_geometry *geometry, tsri_axis *axes)
{
    for (int a = 0; a < geometry->ndim; ++a) {
        axes[a] = tsri_geometry_axis(geometry, a);
    }
}

/* The first axis on which a cell is outside, -1 when there is none. */
static int axis_outside(int ndim, const tsri_axis *axes, const int64_t *cell, tsr_outside outside)
{
    for (int a = 0; a < ndim; ++a) {
        int64_t index = cell[a];
        if (!index_normalise(&axes[a], outside, &index)) return a;
    }
    return -1;
}

static tsr_status check_cell(const char *call, int ndim, const tsri_axis *axes, const int64_t *cell)
{
    const int a = axis_outside(ndim, axes, cell, TSR_STRICT);
    if (a < 0) return TSR_OK;
    return TSRI_FAIL_IN(call, TSR_ERR_INDEX,
                        "index[%d] is %" PRId64 ", must be %" PRId64 " to %" PRId64
                        " (axis %d has %" PRId64 " cell%s)",
                        a, cell[a], -axes[a].length, axes[a].length - 1, a, axes[a].length,
                        TSRI_S(axes[a].length));
}

static tsr_status check_cells(const char *call, int ndim, const tsri_axis *axes, int64_t count,
                              const int64_t *cells, tsr_outside outside)
{
    for (int64_t i = 0; i < count; ++i) {
        const int64_t *cell = cells + i * ndim;
        const int a = axis_outside(ndim, axes, cell, outside);
        if (a < 0) continue;
        return TSRI_FAIL_IN(call, TSR_ERR_INDEX,
                            "cell %" PRId64 " has index %" PRId64 " on axis %d, must be %" PRId64
                            " to %" PRId64 " (the axis has %" PRId64 " cell%s)",
                            i, cell[a], a, -axes[a].length, axes[a].length - 1, axes[a].length,
                            TSRI_S(axes[a].length));
    }
    return TSR_OK;
}

static tsr_status check_query(const char *call, const tsr_layout *layout, const int64_t *index)
{
    if (layout == NULL) {
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "layout is NULL");
    }
    if (index == NULL && layout->geometry.ndim > 0) {
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "index is NULL, must point to %d value%s",
                            layout->geometry.ndim, TSRI_S(layout->geometry.ndim));
    }
    return TSR_OK;
}

tsr_status tsri_layout_check_index(const char *call, const tsr_layout *layout, const int64_t *index)
{
    tsri_axis axes[TSR_MAX_NDIM] = {0};
    tsr_status st = check_query(call, layout, index);
    if (st != TSR_OK) return st;
    axes_of(&layout->geometry, axes);
    return check_cell(call, layout->geometry.ndim, axes, index);
}

tsr_status tsr_layout_owner(const tsr_layout *layout, const int64_t *index, int *rank)
{
    tsr_status st;
    tsri_axis axes[TSR_MAX_NDIM] = {0};
    TSRI_TRY(done, check_query(__func__, layout, index));
    TSRI_CHECK(done, rank != NULL, TSR_ERR_VALUE,
               "rank is NULL, must point to where the result goes");
    axes_of(&layout->geometry, axes);
    const int ndim = layout->geometry.ndim;
    TSRI_TRY(done, check_cell(__func__, ndim, axes, index));
    *rank = cell_owner(ndim, axes, index, TSR_STRICT);
done:
    return st;
}

tsr_status tsr_layout_owners(const tsr_layout *layout, int64_t count, const int64_t *cells,
                             tsr_outside outside, int *ranks)
{
    static const int64_t no_index = 0;
    tsr_status st = TSR_OK;
    tsri_axis axes[TSR_MAX_NDIM] = {0};
    TSRI_CHECK(done, layout != NULL, TSR_ERR_VALUE, "layout is NULL");
    TSRI_CHECK(done, count >= 0, TSR_ERR_VALUE, "count is %" PRId64 ", must be >= 0", count);
    TSRI_CHECK(done, outside == TSR_STRICT || outside == TSR_CLIP || outside == TSR_WRAP,
               TSR_ERR_VALUE, "outside is %d, must be TSR_STRICT, TSR_CLIP or TSR_WRAP",
               (int)outside);
    if (count == 0) return TSR_OK;

    const int ndim = layout->geometry.ndim;
    if (ndim == 0) cells = &no_index; /* a table without columns, which may be NULL */
    TSRI_CHECK(done, cells != NULL, TSR_ERR_VALUE,
               "cells is NULL, must have %" PRId64 " row%s of %d number%s", count, TSRI_S(count),
               ndim, TSRI_S(ndim));
    TSRI_CHECK(done, ranks != NULL, TSR_ERR_VALUE,
               "ranks is NULL, must have room for %" PRId64 " value%s", count, TSRI_S(count));
    axes_of(&layout->geometry, axes);
    for (int a = 0; a < ndim; ++a) {
        TSRI_CHECK(done, outside != TSR_CLIP || axes[a].length > 0, TSR_ERR_VALUE,
                   "outside is TSR_CLIP, but axis %d has no cells to clip to", a);
    }
    if (outside != TSR_CLIP) {
        TSRI_TRY(done, check_cells(__func__, ndim, axes, count, cells, outside));
    }
    for (int64_t i = 0; i < count; ++i) {
        ranks[i] = cell_owner(ndim, axes, cells + i * ndim, outside);
    }
done:
    return st;
}

tsr_status tsr_layout_local_index(const tsr_layout *layout, const int64_t *index, int64_t *position,
                                  bool *mine)
{
    tsr_status st;
    tsri_axis axes[TSR_MAX_NDIM] = {0};
    int64_t start[TSR_MAX_NDIM], extent[TSR_MAX_NDIM], place[TSR_MAX_NDIM];
    bool inside = true;
    TSRI_TRY(done, check_query(__func__, layout, index));
    const int ndim = layout->geometry.ndim;
    TSRI_CHECK(done, mine != NULL, TSR_ERR_VALUE,
               "mine is NULL, must point to where the result goes");
    TSRI_CHECK(done, position != NULL || ndim == 0, TSR_ERR_VALUE,
               "position is NULL, must have room for %d value%s", ndim, TSRI_S(ndim));
    axes_of(&layout->geometry, axes);
    TSRI_TRY(done, check_cell(__func__, ndim, axes, index));
    tsri_geometry_block(&layout->geometry, layout->rank, start, extent);
    for (int a = 0; a < ndim; ++a) {
        int64_t i = index[a];
        index_normalise(&axes[a], TSR_STRICT, &i);
        place[a] = i - start[a] + axes[a].halo_lo;
        if (i < start[a] || i >= start[a] + extent[a]) inside = false;
    }
    for (int a = 0; a < ndim && inside; ++a) {
        position[a] = place[a];
    }
    *mine = inside;
done:
    return st;
}
