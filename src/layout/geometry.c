/* What a geometry answers about its ranks. */
#include "layout/geometry.h"
#include "base/checked.h"
#include "base/memory.h"

#include <string.h>

void tsri_geometry_clear(tsri_geometry *geometry)
{
    for (int a = 0; a < geometry->ndim; ++a) {
        tsri_free(geometry->cuts[a]);
    }
    *geometry = (tsri_geometry){0};
}

static bool cuts_equal(const tsri_geometry *a, const tsri_geometry *b, int axis)
{
    const int64_t *left = a->cuts[axis], *right = b->cuts[axis];
    if (left == NULL || right == NULL) return left == right;
    return memcmp(left, right, ((size_t)a->grid[axis] + 1) * sizeof *left) == 0;
}

bool tsri_geometry_equal(const tsri_geometry *a, const tsri_geometry *b)
{
    if (a->ndim != b->ndim || a->size != b->size || a->periodic != b->periodic) return false;
    for (int d = 0; d < a->ndim; ++d) {
        if (a->shape[d] != b->shape[d] || a->grid[d] != b->grid[d]) return false;
        if (a->halo_lo[d] != b->halo_lo[d] || a->halo_hi[d] != b->halo_hi[d]) return false;
        if (!cuts_equal(a, b, d)) return false;
    }
    return true;
}

uint64_t tsri_geometry_hash(const tsri_geometry *geometry)
{
    const size_t n = (size_t)geometry->ndim;
    uint64_t hash = tsri_hash(TSRI_HASH_START, &geometry->ndim, sizeof geometry->ndim);
    hash = tsri_hash(hash, &geometry->size, sizeof geometry->size);
    hash = tsri_hash(hash, &geometry->periodic, sizeof geometry->periodic);
    hash = tsri_hash(hash, geometry->shape, n * sizeof geometry->shape[0]);
    hash = tsri_hash(hash, geometry->halo_lo, n * sizeof geometry->halo_lo[0]);
    hash = tsri_hash(hash, geometry->halo_hi, n * sizeof geometry->halo_hi[0]);
    hash = tsri_hash(hash, geometry->grid, n * sizeof geometry->grid[0]);
    for (int a = 0; a < geometry->ndim; ++a) {
        const size_t points = geometry->cuts[a] == NULL ? 0 : (size_t)geometry->grid[a] + 1;
        hash = tsri_hash(hash, &points, sizeof points);
        if (points > 0) hash = tsri_hash(hash, geometry->cuts[a], points * sizeof(int64_t));
    }
    return hash;
}

tsri_axis tsri_geometry_axis(const tsri_geometry *geometry, int axis)
{
    tsri_axis made =
        tsri_axis_make(geometry->shape[axis], geometry->grid[axis], geometry->cuts[axis]);
    made.halo_lo = geometry->halo_lo[axis];
    made.halo_hi = geometry->halo_hi[axis];
    made.periodic = (geometry->periodic >> axis & 1u) != 0;
    return made;
}

void tsri_geometry_coords(const tsri_geometry *geometry, int rank, int *coords)
{
    /* A whole layout has one block: every remainder below is 0. */
    for (int a = geometry->ndim - 1; a >= 0; --a) {
        coords[a] = rank % geometry->grid[a];
        rank /= geometry->grid[a];
    }
}

int tsri_geometry_rank(const tsri_geometry *geometry, const int *coords)
{
    int rank = 0;
    for (int a = 0; a < geometry->ndim; ++a) {
        rank = rank * geometry->grid[a] + coords[a];
    }
    return rank;
}

bool tsri_geometry_block(const tsri_geometry *geometry, int rank, int64_t *start, int64_t *extent)
{
    int coords[TSR_MAX_NDIM];
    bool has_cells = true;
    tsri_geometry_coords(geometry, rank, coords);
    for (int a = 0; a < geometry->ndim; ++a) {
        const tsri_axis axis = tsri_geometry_axis(geometry, a);
        start[a] = tsri_axis_cut(&axis, coords[a]);
        extent[a] = tsri_axis_cut(&axis, coords[a] + 1) - start[a];
        if (extent[a] == 0) has_cells = false;
    }
    return has_cells;
}

bool tsri_geometry_storage(const tsri_geometry *geometry, int rank, int64_t *extent)
{
    int64_t start[TSR_MAX_NDIM];
    const bool has_cells = tsri_geometry_block(geometry, rank, start, extent);
    for (int a = 0; a < geometry->ndim; ++a) {
        extent[a] = has_cells ? geometry->halo_lo[a] + extent[a] + geometry->halo_hi[a] : 0;
    }
    return has_cells;
}

void tsri_geometry_neighbours(const tsri_geometry *geometry, int rank, int axis, int *before,
                              int *after)
{
    int64_t start[TSR_MAX_NDIM], extent[TSR_MAX_NDIM];
    int coords[TSR_MAX_NDIM];
    *before = *after = TSR_NO_RANK;
    if (!tsri_geometry_block(geometry, rank, start, extent)) return;

    /* The neighbour owns the cell next to the block, so ranks without cells are jumped over. */
    const tsri_axis along = tsri_geometry_axis(geometry, axis);
    int64_t below = start[axis] - 1, above = start[axis] + extent[axis];
    if (along.periodic && below < 0) below = along.length - 1;
    if (along.periodic && above == along.length) above = 0;

    tsri_geometry_coords(geometry, rank, coords);
    if (below >= 0) {
        coords[axis] = tsri_axis_owner(&along, below);
        *before = geometry->whole ? rank : tsri_geometry_rank(geometry, coords);
    }
    if (above < along.length) {
        coords[axis] = tsri_axis_owner(&along, above);
        *after = geometry->whole ? rank : tsri_geometry_rank(geometry, coords);
    }
}
