/* Block numbering: where each element lies when blocks are stored one after another. */
#include "base/checked.h"
#include "layout/layout.h"

#include <inttypes.h>

static tsr_status check_axis_cuts(int axis, int64_t length, const int64_t *cuts, int ncuts)
{
    static const char call[] = "tsr_block_numbering";
    if (cuts == NULL || ncuts < 2) {
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                            "cuts[%d] has %d cut point%s, must have at least 2", axis,
                            cuts == NULL ? 0 : ncuts, TSRI_S(cuts == NULL ? 0 : ncuts));
    }
    if (cuts[0] != 0 || cuts[ncuts - 1] != length) {
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                            "cuts[%d] go from %" PRId64 " to %" PRId64
                            ", must go from 0 to %" PRId64,
                            axis, cuts[0], cuts[ncuts - 1], length);
    }
    for (int k = 1; k < ncuts; ++k) {
        if (cuts[k] >= cuts[k - 1]) continue;
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                            "cuts[%d][%d] is %" PRId64 ", must be >= %" PRId64 ", the cut before",
                            axis, k, cuts[k], cuts[k - 1]);
    }
    return TSR_OK;
}

/* The axes and the number of elements. */
static tsr_status read_axes(int ndim, const int64_t *shape, const int64_t *const *cuts,
                            const int *ncuts, tsri_axis *axes, int64_t *cells)
{
    static const char call[] = "tsr_block_numbering";
    if (ndim < 0 || ndim > TSR_MAX_NDIM) {
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "ndim is %d, must be 0 to %d", ndim, TSR_MAX_NDIM);
    }
    if (ndim > 0 && (shape == NULL || cuts == NULL || ncuts == NULL)) {
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                            "shape, cuts or ncuts is NULL, must have %d value%s", ndim,
                            TSRI_S(ndim));
    }
    for (int a = 0; a < ndim; ++a) {
        if (shape[a] < 0) {
            return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "shape[%d] is %" PRId64 ", must be >= 0", a,
                                shape[a]);
        }
        const tsr_status st = check_axis_cuts(a, shape[a], cuts[a], ncuts[a]);
        if (st != TSR_OK) return st;
        axes[a] = tsri_axis_make(shape[a], ncuts[a] - 1, cuts[a]);
    }
    if (!tsri_product_i64(ndim, shape, cells)) {
        return TSRI_FAIL_IN(call, TSR_ERR_OVERFLOW, "the shape has more than %" PRId64 " cells",
                            INT64_MAX);
    }
    return TSR_OK;
}

/* Step to the next position of a box, last axis fastest; false after the last one. */
static bool next_cell(int ndim, const int64_t *lo, const int64_t *hi, int64_t *i)
{
    for (int a = ndim - 1; a >= 0; --a) {
        if (++i[a] < hi[a]) return true;
        i[a] = lo[a];
    }
    return false;
}

/* Step to the next block that has a cell, found as the owner of the cell where the last one ends.
 */
static bool next_block(int ndim, const tsri_axis *axes, int64_t *lo, int64_t *hi)
{
    for (int a = ndim - 1; a >= 0; --a) {
        const bool wraps = hi[a] == axes[a].length;
        lo[a] = wraps ? 0 : hi[a];
        hi[a] = tsri_axis_cut(&axes[a], tsri_axis_owner(&axes[a], lo[a]) + 1);
        if (!wraps) return true;
    }
    return false;
}

tsr_status tsr_block_numbering(int ndim, const int64_t *shape, const int64_t *const *cuts,
                               const int *ncuts, int64_t *numbers)
{
    tsr_status st;
    tsri_axis axes[TSR_MAX_NDIM];
    int64_t lo[TSR_MAX_NDIM], hi[TSR_MAX_NDIM], i[TSR_MAX_NDIM];
    int64_t cells, number = 0;

    TSRI_TRY(done, read_axes(ndim, shape, cuts, ncuts, axes, &cells));
    if (cells == 0) return TSR_OK;
    TSRI_CHECK(done, numbers != NULL, TSR_ERR_VALUE, "numbers is NULL");
    for (int a = 0; a < ndim; ++a) {
        lo[a] = 0;
        hi[a] = tsri_axis_cut(&axes[a], tsri_axis_owner(&axes[a], 0) + 1);
    }
    do {
        for (int a = 0; a < ndim; ++a) {
            i[a] = lo[a];
        }
        do {
            int64_t position = 0;
            for (int a = 0; a < ndim; ++a) {
                position = position * shape[a] + i[a];
            }
            numbers[position] = number++;
        } while (next_cell(ndim, lo, hi, i));
    } while (next_block(ndim, axes, lo, hi));
done:
    return st;
}
