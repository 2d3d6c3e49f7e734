/* Positions in space to cells and their owners. */
#include "layout/layout.h"

#include <inttypes.h>
#include <math.h>

/* One axis as positions of one element type see it: lo <= x < hi. */
typedef struct span {
    tsri_axis axis;
    double lo, hi, length, spacing;
    double first; /* the least position of the type that is inside */
    bool wraps, clips;
} span;

/* The least number of the type that is not below x. */
static double round_up(tsr_dtype dtype, double x)
{
    if (dtype == TSR_F64) return x;
    const float y = (float)x;
    return (double)(y < x ? nextafterf(y, INFINITY) : y);
}

static double rounded(tsr_dtype dtype, double x)
{
    return dtype == TSR_F32 ? (double)(float)x : x;
}

static bool is_inside(const span *s, double x)
{
    return x >= s->lo && x < s->hi;
}

/* A position that differs by whole lengths of the axis, and is inside after rounding, too. */
static double wrap(const span *s, tsr_dtype dtype, double x)
{
    double beyond = fmod(x - s->lo, s->length);
    if (beyond < 0) beyond += s->length;
    const double y = rounded(dtype, s->lo + beyond);
    return is_inside(s, y) ? y : s->first;
}

/* The cell of a position; one at an end for a position beyond it. */
static int64_t cell_of(const span *s, double x)
{
    const double cells = floor((x - s->lo) / s->spacing);
    const int64_t last = s->axis.length - 1;
    if (!(cells > 0)) return 0;
    if (cells >= (double)s->axis.length) return last;
    const int64_t cell = (int64_t)cells;
    return cell < last ? cell : last;
}

/* ---- a row ----------------------------------------------------------------------------------- */

static double load(tsr_dtype dtype, const void *row, int a)
{
    return dtype == TSR_F32 ? (double)((const float *)row)[a] : ((const double *)row)[a];
}

static void store(tsr_dtype dtype, void *row, int a, double x)
{
    if (dtype == TSR_F32)
        ((float *)row)[a] = (float)x;
    else
        ((double *)row)[a] = x;
}

/* The cell of a row, its position wrapped; false, and the row as it was, when it is outside. */
static bool find_cell(int ndim, const span *spans, tsr_dtype dtype, void *row, int64_t *cell)
{
    double moved[TSR_MAX_NDIM];
    for (int a = 0; a < ndim; ++a) {
        const span *s = &spans[a];
        const double x = load(dtype, row, a);
        moved[a] = x;
        if (s->wraps && isfinite(x) && !is_inside(s, x)) moved[a] = wrap(s, dtype, x);
        if (isnan(x) || !(s->clips || is_inside(s, moved[a]))) return false;
        cell[a] = cell_of(s, moved[a]);
    }
    for (int a = 0; a < ndim; ++a)
        if (spans[a].wraps) store(dtype, row, a, moved[a]);
    return true;
}

static int owner_of(int ndim, const span *spans, const int64_t *cell)
{
    int rank = 0;
    for (int a = 0; a < ndim; ++a)
        rank = rank * spans[a].axis.blocks + tsri_axis_owner(&spans[a].axis, cell[a]);
    return rank;
}

/* ---- the call -------------------------------------------------------------------------------- */

static tsr_status make_span(const char *call, const tsr_layout *layout, const tsr_positions *p,
                            tsr_outside outside, int a, span *s)
{
    tsr_status st = TSR_OK;
    *s = (span){.axis = tsri_geometry_axis(&layout->geometry, a)};
    s->lo = p->origin != NULL ? p->origin[a] : 0;
    s->spacing = p->spacing != NULL ? p->spacing[a] : 1;
    s->length = (double)s->axis.length * s->spacing;
    s->hi = s->lo + s->length;
    s->first = round_up(p->dtype, s->lo);
    s->wraps = outside == TSR_WRAP && s->axis.periodic && s->axis.length > 0;
    s->clips = outside == TSR_CLIP && s->axis.length > 0;
    TSRI_CHECK_IN(call, done, isfinite(s->lo), TSR_ERR_VALUE, "origin[%d] is %g, must be finite", a,
                  s->lo);
    TSRI_CHECK_IN(call, done, isfinite(s->spacing) && s->spacing > 0, TSR_ERR_VALUE,
                  "spacing[%d] is %g, must be finite and > 0", a, s->spacing);
    TSRI_CHECK_IN(call, done, isfinite(s->hi) && (s->axis.length == 0 || s->first < s->hi),
                  TSR_ERR_VALUE, "axis %d from %.17g to %.17g has no position of the type %s", a,
                  s->lo, s->hi, tsr_dtype_name(p->dtype));
done:
    return st;
}

static tsr_status check(const char *call, const tsr_layout *layout, int64_t count,
                        const tsr_positions *p, tsr_outside outside)
{
    tsr_status st = TSR_OK;
    TSRI_CHECK_IN(call, done, layout != NULL, TSR_ERR_VALUE, "layout is NULL");
    TSRI_CHECK_IN(call, done, count >= 0, TSR_ERR_VALUE, "count is %" PRId64 ", must be >= 0",
                  count);
    TSRI_CHECK_IN(call, done, p != NULL, TSR_ERR_VALUE, "positions is NULL");
    const int ndim = layout->geometry.ndim;
    TSRI_CHECK_IN(call, done, p->dtype == TSR_F32 || p->dtype == TSR_F64, TSR_ERR_TYPE,
                  "positions are of type %s, must be float32 or float64", tsr_dtype_name(p->dtype));
    TSRI_CHECK_IN(call, done, p->data != NULL || count == 0 || ndim == 0, TSR_ERR_VALUE,
                  "positions.data is NULL, must have %" PRId64 " row%s of %d coordinate%s", count,
                  TSRI_S(count), ndim, TSRI_S(ndim));
    TSRI_CHECK_IN(call, done, p->stride == 0 || p->stride >= ndim, TSR_ERR_VALUE,
                  "positions.stride is %" PRId64 ", must be 0 or at least the %d coordinate%s of a "
                  "row",
                  p->stride, ndim, TSRI_S(ndim));
    TSRI_CHECK_IN(call, done, outside == TSR_STRICT || outside == TSR_CLIP || outside == TSR_WRAP,
                  TSR_ERR_VALUE, "outside is %d, must be TSR_STRICT, TSR_CLIP or TSR_WRAP",
                  (int)outside);
done:
    return st;
}

tsr_status tsr_layout_locate(const tsr_layout *layout, int64_t count,
                             const tsr_positions *positions, tsr_outside outside, int64_t *cells,
                             int *owner, int64_t *left)
{
    span spans[TSR_MAX_NDIM] = {0};
    int64_t lost = 0;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, check(__func__, layout, count, positions, outside));
    const int ndim = layout->geometry.ndim;
    for (int a = 0; a < ndim; ++a)
        TSRI_TRY(done, make_span(__func__, layout, positions, outside, a, &spans[a]));

    const size_t size = tsr_dtype_size(positions->dtype);
    const size_t stride = size * (size_t)(positions->stride > 0 ? positions->stride : ndim);
    unsigned char *row = positions->data;
    for (int64_t i = 0; i < count; ++i) {
        int64_t cell[TSR_MAX_NDIM];
        const bool found = find_cell(ndim, spans, positions->dtype, row, cell);
        if (ndim > 0) row += stride;
        lost += !found;
        if (owner != NULL) owner[i] = found ? owner_of(ndim, spans, cell) : TSR_NO_RANK;
        for (int a = 0; cells != NULL && a < ndim; ++a)
            cells[i * ndim + a] = found ? cell[a] : TSR_NO_CELL;
    }
    if (left != NULL) *left = lost;
done:
    return st;
}
