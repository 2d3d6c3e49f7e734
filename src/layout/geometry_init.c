/* From the user's arguments to a geometry: the checks, in the order in which they decide. */
#include "base/checked.h"
#include "base/memory.h"
#include "layout/layout.h"

#include <inttypes.h>
#include <string.h>

/* The steps below hold nothing that needs releasing, so they return at the first failure.  The text
 * names the call that users make, not the step. */
#define REFUSE(code, ...) return TSRI_FAIL_IN(call, (code), __VA_ARGS__)

static bool has(tsr_axes axes, int axis)
{
    return (axes >> axis & 1u) != 0;
}

static tsr_status set_shape(const char *call, tsri_geometry *g, int ndim, const int64_t *shape)
{
    if (ndim < 0 || ndim > TSR_MAX_NDIM) {
        REFUSE(TSR_ERR_VALUE, "ndim is %d, must be 0 to %d", ndim, TSR_MAX_NDIM);
    }
    if (ndim > 0 && shape == NULL) {
        REFUSE(TSR_ERR_VALUE, "shape is NULL, must point to %d length%s", ndim, TSRI_S(ndim));
    }
    for (int a = 0; a < ndim; ++a) {
        if (shape[a] < 0) {
            REFUSE(TSR_ERR_VALUE, "shape[%d] is %" PRId64 ", must be >= 0", a, shape[a]);
        }
        g->shape[a] = shape[a];
    }
    g->ndim = ndim;
    if (!tsri_product_i64(ndim, shape, &g->cells)) {
        REFUSE(TSR_ERR_OVERFLOW, "the shape has more than %" PRId64 " cells", INT64_MAX);
    }
    return TSR_OK;
}

static tsr_status set_halo(const char *call, tsri_geometry *g, const tsr_layout_options *options)
{
    for (int a = g->ndim; a < TSR_MAX_NDIM; ++a) {
        if (options->halo[a] != 0 || options->halo_lo[a] != 0 || options->halo_hi[a] != 0) {
            REFUSE(TSR_ERR_VALUE, "a halo is given for axis %d, but the layout has %d ax%cs", a,
                   g->ndim, TSRI_ES(g->ndim));
        }
    }
    for (int a = 0; a < g->ndim; ++a) {
        const int64_t both = options->halo[a];
        const int64_t lo = options->halo_lo[a], hi = options->halo_hi[a];
        if (both != 0 && (lo != 0 || hi != 0)) {
            REFUSE(TSR_ERR_VALUE,
                   "axis %d has halo %" PRId64 " and also halo_lo %" PRId64 ", halo_hi %" PRId64
                   "; give one form only",
                   a, both, lo, hi);
        }
        if (both < 0) REFUSE(TSR_ERR_VALUE, "halo[%d] is %" PRId64 ", must be >= 0", a, both);
        if (lo < 0) REFUSE(TSR_ERR_VALUE, "halo_lo[%d] is %" PRId64 ", must be >= 0", a, lo);
        if (hi < 0) REFUSE(TSR_ERR_VALUE, "halo_hi[%d] is %" PRId64 ", must be >= 0", a, hi);
        g->halo_lo[a] = both + lo;
        g->halo_hi[a] = both + hi;
    }
    return TSR_OK;
}

static tsr_status set_periodic(const char *call, tsri_geometry *g,
                               const tsr_layout_options *options)
{
    g->periodic = options->periodic;
    return tsri_axes_check(call, TSR_ERR_VALUE, "periodic", "layout", g->ndim, &g->periodic);
}

/* The split as asked for: none when the array has no axes, axis 0 when nothing else decides. */
static tsr_status set_split(const char *call, tsri_geometry *g, const tsr_layout_options *options)
{
    if (g->ndim == 0 || options->split == TSR_WHOLE) return TSR_OK;
    g->split = options->split == 0 ? TSR_AXIS(0) : options->split;
    return tsri_axes_check(call, TSR_ERR_VALUE, "split", "layout", g->ndim, &g->split);
}

static tsr_status check_cut_points(const char *call, int size, int axis, int64_t length, int ncuts,
                                   const int64_t *cuts, bool allow_empty)
{
    /* No more blocks than cells, or than ranks when blocks may be empty: known before any is read.
     */
    const int64_t most = allow_empty ? size : length > 0 ? length : 1;
    if (ncuts - 1 > most) {
        REFUSE(TSR_ERR_VALUE, "ncuts[%d] is %d, must be 2 to %" PRId64, axis, ncuts, most + 1);
    }
    if (cuts[0] != 0) REFUSE(TSR_ERR_VALUE, "cuts[%d][0] is %" PRId64 ", must be 0", axis, cuts[0]);
    if (cuts[ncuts - 1] != length) {
        REFUSE(TSR_ERR_VALUE,
               "cuts[%d][%d] is %" PRId64 ", must be %" PRId64 ", the length of axis %d", axis,
               ncuts - 1, cuts[ncuts - 1], length, axis);
    }
    for (int k = 1; k < ncuts; ++k) {
        if (cuts[k] > cuts[k - 1] || (allow_empty && cuts[k] == cuts[k - 1])) continue;
        REFUSE(TSR_ERR_VALUE, "cuts[%d][%d] is %" PRId64 ", must be %s %" PRId64 ", the cut before",
               axis, k, cuts[k], allow_empty ? ">=" : ">", cuts[k - 1]);
    }
    return TSR_OK;
}

static tsr_status check_cuts(const char *call, const tsri_geometry *g,
                             const tsr_layout_options *options, bool *given)
{
    for (int a = 0; a < TSR_MAX_NDIM; ++a) {
        const int64_t *cuts = options->cuts[a];
        const int ncuts = options->ncuts[a];
        if (cuts == NULL && ncuts == 0) continue;
        *given = true;
        if (a >= g->ndim) {
            REFUSE(TSR_ERR_VALUE, "cuts are given for axis %d, but the layout has %d ax%cs", a,
                   g->ndim, TSRI_ES(g->ndim));
        }
        if (cuts == NULL) {
            REFUSE(TSR_ERR_VALUE, "cuts[%d] is NULL but ncuts[%d] is %d, must be 0", a, a, ncuts);
        }
        if (ncuts < 2) {
            REFUSE(TSR_ERR_VALUE, "ncuts[%d] is %d, must be >= 2 (number of blocks + 1)", a, ncuts);
        }
        const tsr_status st =
            check_cut_points(call, g->size, a, g->shape[a], ncuts, cuts, options->allow_empty);
        if (st != TSR_OK) return st;
    }
    return TSR_OK;
}

/* The grid that process_grid, cuts or both ask for. */
static tsr_status set_given_grid(const char *call, tsri_geometry *g,
                                 const tsr_layout_options *options, bool grid_given)
{
    for (int a = 0; a < g->ndim; ++a) {
        const int blocks = options->ncuts[a] - 1;
        const bool cut = options->cuts[a] != NULL;
        g->grid[a] = grid_given ? options->process_grid[a] : 1;
        if (!cut) continue;
        if (grid_given && g->grid[a] != blocks) {
            REFUSE(TSR_ERR_VALUE, "process_grid[%d] is %d, must be %d, the blocks of cuts[%d]", a,
                   g->grid[a], blocks, a);
        }
        g->grid[a] = blocks;
    }
    for (int a = 0; a < g->ndim; ++a) {
        if (g->grid[a] < 1) {
            REFUSE(TSR_ERR_VALUE, "process_grid[%d] is %d, must be >= 1 (all 0: automatic)", a,
                   g->grid[a]);
        }
    }
    for (int a = g->ndim; a < TSR_MAX_NDIM; ++a) {
        if (options->process_grid[a] != 0) {
            REFUSE(TSR_ERR_VALUE, "process_grid[%d] is %d, but the layout has %d ax%cs", a,
                   options->process_grid[a], g->ndim, TSRI_ES(g->ndim));
        }
    }
    return TSR_OK;
}

/* The stored split of a layout with a given grid: the axes with more than one rank, all of which a
 * given split must name. */
static tsr_status split_given_grid(const char *call, tsri_geometry *g,
                                   const tsr_layout_options *options)
{
    int64_t blocks = 1;
    tsr_axes split = 0;
    for (int a = 0; a < g->ndim; ++a) {
        blocks *= g->grid[a]; /* at most size * INT_MAX */
        if (blocks > g->size) break;
    }
    if (blocks != g->size) {
        REFUSE(TSR_ERR_VALUE,
               "the process grid has %s%" PRId64 " block%s, must have %d, one a rank",
               blocks > g->size ? "at least " : "", blocks, TSRI_S(blocks), g->size);
    }
    for (int a = 0; a < g->ndim; ++a) {
        if (g->grid[a] == 1) continue;
        split |= TSR_AXIS(a);
        if (options->split != 0 && !has(g->split, a)) {
            REFUSE(TSR_ERR_VALUE, "axis %d has %d ranks, but split leaves it whole", a, g->grid[a]);
        }
    }
    g->split = split;
    return TSR_OK;
}

/* The automatic grid, or where it has more ranks than cells on an axis, a fitting one if there is
 * any. */
static tsr_status set_automatic_grid(tsri_geometry *g)
{
    if (g->split == 0) {
        tsri_grid_automatic(1, g->ndim, 0, g->grid);
        return TSR_OK;
    }
    tsri_grid_automatic(g->size, g->ndim, g->split, g->grid);
    for (int a = 0; a < g->ndim; ++a) {
        bool found;
        if (g->grid[a] <= g->shape[a]) continue;
        return tsri_grid_fitting(g->size, g->ndim, g->shape, g->split, g->grid, &found);
    }
    return TSR_OK;
}

static tsr_status set_grid(const char *call, tsri_geometry *g, const tsr_layout_options *options,
                           bool cuts_given)
{
    bool grid_given = false;
    tsr_status st = TSR_OK;
    for (int a = 0; a < TSR_MAX_NDIM; ++a) {
        if (options->process_grid[a] != 0) grid_given = true;
    }
    if (grid_given || cuts_given) {
        st = set_given_grid(call, g, options, grid_given);
        if (st == TSR_OK) st = split_given_grid(call, g, options);
    } else {
        st = set_automatic_grid(g);
    }
    g->whole = true;
    for (int a = 0; a < g->ndim; ++a) {
        if (g->grid[a] > 1) g->whole = false;
    }
    return st;
}

static tsr_status check_fits(const char *call, const tsri_geometry *g)
{
    for (int a = 0; a < g->ndim; ++a) {
        if (g->grid[a] > 1 && g->grid[a] > g->shape[a] && !g->allow_empty) {
            REFUSE(TSR_ERR_VALUE,
                   "axis %d has %" PRId64 " cell%s for %d ranks; use allow_empty or fewer ranks", a,
                   g->shape[a], TSRI_S(g->shape[a]), g->grid[a]);
        }
    }
    return TSR_OK;
}

static bool is_near_even(const tsri_axis *axis, const int64_t *cuts)
{
    for (int k = 0; k <= axis->blocks; ++k) {
        if (cuts[k] != tsri_axis_cut(axis, k)) return false;
    }
    return true;
}

/* Keep the cuts that the near-even rule does not give. */
static tsr_status set_cuts(const char *call, tsri_geometry *g, const tsr_layout_options *options)
{
    for (int a = 0; a < g->ndim; ++a) {
        const tsri_axis axis = tsri_geometry_axis(g, a);
        if (options->cuts[a] == NULL || is_near_even(&axis, options->cuts[a])) continue;
        const size_t points = (size_t)axis.blocks + 1;
        g->cuts[a] = tsri_alloc(points, sizeof *g->cuts[a]);
        if (g->cuts[a] == NULL) REFUSE(TSR_ERR_NOMEM, "no memory for %zu cuts", points);
        memcpy(g->cuts[a], options->cuts[a], points * sizeof *g->cuts[a]);
    }
    return TSR_OK;
}

/* Every axis with its halos, and the largest block with its halos, can be counted in 64 bits. */
static tsr_status check_sizes(const char *call, const tsri_geometry *g)
{
    int64_t storage[TSR_MAX_NDIM], cells;
    for (int a = 0; a < g->ndim; ++a) {
        const tsri_axis axis = tsri_geometry_axis(g, a);
        int64_t end;
        if (!tsri_add_i64(g->halo_lo[a], g->halo_hi[a], &end) ||
            !tsri_add_i64(end, g->shape[a], &end)) {
            REFUSE(TSR_ERR_OVERFLOW,
                   "axis %d with its halos (%" PRId64 ", %" PRId64 ") is longer than %" PRId64, a,
                   g->halo_lo[a], g->halo_hi[a], INT64_MAX);
        }
        storage[a] = end - g->shape[a] + tsri_axis_largest(&axis);
    }
    if (g->cells > 0 && !tsri_product_i64(g->ndim, storage, &cells)) {
        REFUSE(TSR_ERR_OVERFLOW, "the largest block with its halos has more than %" PRId64 " cells",
               INT64_MAX);
    }
    return TSR_OK;
}

tsr_status tsri_geometry_init(const char *call, tsri_geometry *geometry, int size, int ndim,
                              const int64_t *shape, const tsr_layout_options *options)
{
    static const tsr_layout_options defaults = {0};
    tsr_status st = TSR_OK;
    bool cuts_given = false;

    if (options == NULL) options = &defaults;
    *geometry = (tsri_geometry){.size = size, .allow_empty = options->allow_empty};
    TSRI_TRY(fail, set_shape(call, geometry, ndim, shape));
    TSRI_TRY(fail, set_halo(call, geometry, options));
    TSRI_TRY(fail, set_periodic(call, geometry, options));
    TSRI_TRY(fail, set_split(call, geometry, options));
    TSRI_TRY(fail, check_cuts(call, geometry, options, &cuts_given));
    TSRI_TRY(fail, set_grid(call, geometry, options, cuts_given));
    TSRI_TRY(fail, check_fits(call, geometry));
    TSRI_TRY(fail, set_cuts(call, geometry, options));
    TSRI_TRY(fail, check_sizes(call, geometry));
    return TSR_OK;

fail:
    tsri_geometry_clear(geometry);
    return st;
}
