/* Arrays whose cells lie elsewhere: axes in another order, rolled, padded. */
#include "base/checked.h"
#include "base/gate.h"
#include "kern/kern.h"
#include "move/integers.h"
#include "move/redistribute.h"
#include "move/transfer.h"

#include <tessera/rearrange.h>

#include <string.h>

/* A call under way.  Result axis k comes from axis source[k] of the array. */
typedef struct arrangement {
    const char *call;
    const tsr_array *array;
    int source[TSR_MAX_NDIM];
    int64_t before[TSR_MAX_NDIM]; /* index 0 of the result is index -before of the array */
    int64_t shape[TSR_MAX_NDIM];  /* of the result */
    bool periodic;                /* beyond its ends the array is wrapped, ... */
    tsri_wall wall;               /* ... or this */
    const tsr_scalar *rest;       /* what gets no cell of the array */
    tsr_layout *layout;           /* of the result; NULL: the array's, likewise */
} arrangement;

static arrangement begin(const char *call, const tsr_array *array)
{
    arrangement r = {.call = call, .array = array, .wall = TSRI_WALL_DROP};
    for (int a = 0; a < array->layout->geometry.ndim; ++a) {
        r.source[a] = a;
        r.shape[a] = array->layout->geometry.shape[a];
    }
    return r;
}

static uint64_t fingerprint(const arrangement *r)
{
    const int ndim = r->array->layout->geometry.ndim;
    uint64_t hash = tsri_hash_call(r->call, r->array);

    hash = tsri_hash_layout(hash, r->layout);
    hash = tsri_hash(hash, r->source, (size_t)ndim * sizeof *r->source);
    hash = tsri_hash(hash, r->before, (size_t)ndim * sizeof *r->before);
    hash = tsri_hash(hash, r->shape, (size_t)ndim * sizeof *r->shape);
    hash = tsri_hash(hash, &r->wall, sizeof r->wall);
    return r->rest == NULL ? hash : tsri_hash_scalar(hash, *r->rest);
}

/* The array's layout with axes and lengths of the result; an axis of another length is cut
 * near-evenly. */
static tsr_status make_layout(const arrangement *r, tsr_layout **made)
{
    const tsri_geometry *g = &r->array->layout->geometry;
    const tsr_layout_options old = tsri_layout_options_of(g);
    tsr_layout_options options = {.split = g->whole ? TSR_WHOLE : 0,
                                  .allow_empty = old.allow_empty,
                                  .node_shared = old.node_shared};
    tsr_axes split = 0;

    for (int k = 0; k < g->ndim; ++k) {
        const int a = r->source[k];
        options.halo_lo[k] = old.halo_lo[a];
        options.halo_hi[k] = old.halo_hi[a];
        options.process_grid[k] = old.process_grid[a];
        if ((g->periodic >> a & 1u) != 0) options.periodic |= TSR_AXIS(k);
        if ((g->split >> a & 1u) != 0) split |= TSR_AXIS(k);
        if (r->shape[k] != g->shape[a]) continue;
        options.cuts[k] = old.cuts[a];
        options.ncuts[k] = old.ncuts[a];
    }
    const tsr_status st =
        tsri_layout_make(r->call, r->array->layout->context, g->ndim, r->shape, &options, made);
    if (st == TSR_OK) (*made)->geometry.split = split;
    return st;
}

/* A layout that was given must have the shape of the result. */
static tsr_status check_layout(const arrangement *r)
{
    const tsri_geometry *g = &r->layout->geometry;
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(r->call, done, g->ndim == r->array->layout->geometry.ndim, TSR_ERR_VALUE,
                  "the array has %d ax%cs and the layout %d, must have as many",
                  r->array->layout->geometry.ndim, TSRI_ES(r->array->layout->geometry.ndim),
                  g->ndim);
    for (int k = 0; k < g->ndim; ++k)
        TSRI_CHECK_IN(
            r->call, done, g->shape[k] == r->shape[k], TSR_ERR_VALUE,
            "axis %d of the layout has %lld cell%s, must have %lld, the length of axis %d "
            "of the array",
            k, (long long)g->shape[k], TSRI_S(g->shape[k]), (long long)r->shape[k], r->source[k]);
    TSRI_TRY(done, tsri_context_check(r->layout->context));
    st = tsri_numbering_check(r->call, r->array->layout->context, r->layout->context);
done:
    return st;
}

static void add_factors(const void *ctx, tsri_plan_request *request)
{
    const arrangement *r = ctx;

    for (int k = 0; k < request->to->ndim; ++k) {
        tsri_plan_request_add(
            request, r->source[k], k,
            (tsri_affine){
                .count = r->shape[k], .from = -r->before[k], .from_step = 1, .to_step = 1});
        tsri_axis_map *map = &request->factor[k].map;
        map->from.periodic = r->periodic;
        map->wall[0] = map->wall[1] = r->wall;
        if (map->from.length != 1 || r->wall == TSRI_WALL_DROP) continue;
        map->from.periodic = false; /* all ways to go on beyond one cell are the same */
        map->wall[0] = map->wall[1] = TSRI_WALL_EDGE;
    }
}

/* Agree on how this rank's checks ended, and make the result. */
static tsr_status finish(const arrangement *r, tsr_status earlier, tsr_array **result)
{
    tsri_context *const context = r->array->layout->context;
    tsr_layout *made = NULL, *layout = NULL;
    uint64_t arguments = 0;
    tsr_status st = TSR_OK;

    TSRI_TRY(agree, earlier);
    TSRI_CHECK_IN(r->call, agree, result != NULL, TSR_ERR_VALUE,
                  "result is NULL, must point to where the handle goes");
    TSRI_TRY(agree, tsri_move_check(r->call, r->array));
    TSRI_TRY(agree, r->layout != NULL ? check_layout(r) : make_layout(r, &made));
    arguments = fingerprint(r);
agree:
    if (r->layout != NULL) {
        TSRI_TRY(done, tsri_agree(context, st, arguments));
        layout = tsri_layout_ref(r->layout);
    } else {
        TSRI_TRY(done,
                 tsri_layout_finish(context, st, arguments, &tsri_layout_defaults, made, &layout));
    }
    TSRI_TRY(done, tsri_move_new(r->call, r->array, layout, add_factors, r, r->rest, result));
    for (int k = 0; k < layout->geometry.ndim; ++k)
        memcpy((*result)->boundary[k], r->array->boundary[r->source[k]],
               sizeof(*result)->boundary[k]);
done:
    tsri_layout_unref(layout);
    return st;
}

/* ---- axes in another order ------------------------------------------------------------------- */

static tsr_status read_axes(arrangement *r, const int *axes)
{
    const tsri_geometry *g = &r->array->layout->geometry;
    tsr_axes seen = 0;
    tsr_status st = TSR_OK;

    for (int k = 0; k < g->ndim; ++k) {
        int axis = axes == NULL ? g->ndim - 1 - k : axes[k];
        TSRI_TRY(done, tsri_axis_check(r->call, TSR_ERR_AXIS, "array", g->ndim, &axis));
        TSRI_CHECK_IN(r->call, done, (seen & TSR_AXIS(axis)) == 0, TSR_ERR_VALUE,
                      "axes names axis %d twice, must name each of %d axes once", axis, g->ndim);
        seen |= TSR_AXIS(axis);
        r->source[k] = axis;
        r->shape[k] = g->shape[axis];
    }
done:
    return st;
}

tsr_status tsr_transpose(const tsr_array *array, const int *axes, tsr_layout *layout,
                         tsr_array **result)
{
    tsr_status st = TSR_OK;

    if (result != NULL) *result = NULL;
    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    TSRI_TRY(done, tsri_enter(array->layout->context, false, "%s", __func__));
    arrangement r = begin(__func__, array);
    r.layout = layout;
    st = finish(&r, read_axes(&r, axes), result);
done:
    return st;
}

/* ---- rolled ---------------------------------------------------------------------------------- */

tsr_status tsr_roll(const tsr_array *array, const int64_t *shift, tsr_array **result)
{
    tsr_status st = TSR_OK;

    if (result != NULL) *result = NULL;
    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    TSRI_TRY(done, tsri_enter(array->layout->context, false, "%s", __func__));
    arrangement r = begin(__func__, array);
    const tsri_geometry *g = &array->layout->geometry;
    r.layout = array->layout;
    r.periodic = true;
    TSRI_CHECK(finish, shift != NULL || g->ndim == 0, TSR_ERR_VALUE,
               "shift is NULL, must have %d value%s", g->ndim, TSRI_S(g->ndim));
    for (int a = 0; a < g->ndim; ++a)
        r.before[a] = g->shape[a] == 0 ? 0 : tsri_floor_mod(shift[a], g->shape[a]);
finish:
    st = finish(&r, st, result);
done:
    return st;
}

/* ---- padded ---------------------------------------------------------------------------------- */

static tsr_status check_width(const arrangement *r, const char *name, int axis, int64_t cells,
                              bool constant)
{
    tsr_status st = TSR_OK;
    TSRI_CHECK_IN(r->call, done, cells >= 0, TSR_ERR_VALUE, "%s[%d] is %lld, must be >= 0", name,
                  axis, (long long)cells);
    TSRI_CHECK_IN(r->call, done, cells == 0 || constant || r->shape[axis] > 0, TSR_ERR_VALUE,
                  "axis %d has no cell, only TSR_PAD_CONSTANT can make it longer", axis);
done:
    return st;
}

static tsr_status read_widths(arrangement *r, const int64_t *before, const int64_t *after,
                              bool constant)
{
    tsr_status st = TSR_OK;

    for (int a = 0; a < r->array->layout->geometry.ndim; ++a) {
        const int64_t lo = before == NULL ? 0 : before[a], hi = after == NULL ? 0 : after[a];
        TSRI_TRY(done, check_width(r, "before", a, lo, constant));
        TSRI_TRY(done, check_width(r, "after", a, hi, constant));
        TSRI_CHECK_IN(r->call, done,
                      tsri_add_i64(r->shape[a], lo, &r->shape[a]) &&
                          tsri_add_i64(r->shape[a], hi, &r->shape[a]),
                      TSR_ERR_OVERFLOW,
                      "axis %d with %lld cells before and %lld after has too many cells to count",
                      a, (long long)lo, (long long)hi);
        r->before[a] = lo;
    }
done:
    return st;
}

tsr_status tsr_pad(const tsr_array *array, const int64_t *before, const int64_t *after,
                   tsr_pad_mode mode, tsr_scalar value, tsr_array **result)
{
    static const tsri_wall walls[] = {[TSR_PAD_CONSTANT] = TSRI_WALL_DROP,
                                      [TSR_PAD_EDGE] = TSRI_WALL_EDGE,
                                      [TSR_PAD_SYMMETRIC] = TSRI_WALL_SYMMETRIC,
                                      [TSR_PAD_REFLECT] = TSRI_WALL_REFLECT,
                                      [TSR_PAD_WRAP] = TSRI_WALL_LEAVE};
    tsr_status st = TSR_OK;

    if (result != NULL) *result = NULL;
    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    TSRI_TRY(done, tsri_enter(array->layout->context, false, "%s", __func__));
    arrangement r = begin(__func__, array);
    TSRI_CHECK(finish, (int)mode >= TSR_PAD_CONSTANT && mode <= TSR_PAD_WRAP, TSR_ERR_VALUE,
               "mode is %d, must be TSR_PAD_CONSTANT to TSR_PAD_WRAP", (int)mode);
    r.wall = walls[mode];
    r.periodic = mode == TSR_PAD_WRAP;
    if (mode == TSR_PAD_CONSTANT) {
        TSRI_CHECK(finish, tsri_dtype_valid(value.dtype), TSR_ERR_VALUE,
                   "value has type %d, must be TSR_BOOL to TSR_C128", (int)value.dtype);
        r.rest = &value;
    }
    TSRI_TRY(finish, read_widths(&r, before, after, mode == TSR_PAD_CONSTANT));
finish:
    st = finish(&r, st, result);
done:
    return st;
}
