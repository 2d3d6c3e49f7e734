#include "move/halo_plan.h"

#include "base/memory.h"
#include "kern/kern.h"

#include <string.h>

static bool has_axis(tsr_axes axes, int axis)
{
    return (axes >> axis & 1u) != 0;
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* One width: 0 asks for the whole halo, TSR_NO_HALO for nothing. */
static tsr_status resolve_width(const char *call, const char *name, int axis, int64_t asked,
                                int64_t halo, int64_t *width)
{
    if (asked < TSR_NO_HALO || asked > halo)
        return TSRI_FAIL_IN(
            call, TSR_ERR_VALUE,
            "%s[%d] is %lld, must be 1 to %lld (the halo of axis %d), 0 for all of it "
            "or TSR_NO_HALO",
            name, axis, (long long)asked, (long long)halo, axis);
    *width = asked == 0 ? halo : asked == TSR_NO_HALO ? 0 : asked;
    return TSR_OK;
}

static tsr_status make_widths(const char *call, const tsri_geometry *g,
                              const tsr_halo_options *options, tsri_halo_key *key)
{
    tsr_status st = TSR_OK;

    for (int a = 0; a < TSR_MAX_NDIM; ++a) {
        const int64_t lo = options->width_lo[a], hi = options->width_hi[a];
        TSRI_CHECK_IN(call, done, a < g->ndim || (lo == 0 && hi == 0), TSR_ERR_VALUE,
                      "width_lo[%d] and width_hi[%d] are %lld and %lld, but the array has %d ax%cs",
                      a, a, (long long)lo, (long long)hi, g->ndim, TSRI_ES(g->ndim));
        if (a >= g->ndim || !has_axis(key->axes, a)) continue;
        TSRI_TRY(done, resolve_width(call, "width_lo", a, lo, g->halo_lo[a], &key->width_lo[a]));
        TSRI_TRY(done, resolve_width(call, "width_hi", a, hi, g->halo_hi[a], &key->width_hi[a]));
    }
done:
    return st;
}

static tsri_wall wall_of(tsr_boundary_kind kind)
{
    switch (kind) {
    case TSR_CONSTANT:
    case TSR_CALLBACK:
        return TSRI_WALL_FILL;
    case TSR_EDGE:
        return TSRI_WALL_EDGE;
    case TSR_SYMMETRIC:
        return TSRI_WALL_SYMMETRIC;
    case TSR_REFLECT:
        return TSRI_WALL_REFLECT;
    default:
        return TSRI_WALL_LEAVE;
    }
}

const tsr_boundary *tsri_halo_boundary(const tsr_array *array, const tsr_halo_options *options,
                                       int axis, int side)
{
    if (options != NULL && options->boundary != NULL) return &options->boundary[2 * axis + side];
    return &array->boundary[axis][side];
}

static tsr_status make_walls(const char *call, const tsr_array *array,
                             const tsr_halo_options *options, tsri_halo_key *key)
{
    const tsri_geometry *g = &array->layout->geometry;
    tsr_status st = TSR_OK;

    for (int a = 0; a < g->ndim; ++a) {
        if (!has_axis(key->axes, a)) continue;
        const bool periodic = has_axis(g->periodic, a);
        for (int side = 0; side < 2; ++side) {
            const tsr_boundary *b = tsri_halo_boundary(array, options, a, side);
            /* on a periodic axis a boundary has no effect, so any length will do */
            const int64_t length = periodic ? 1 : g->shape[a];
            TSRI_TRY(done, tsri_boundary_check(call, b, a, length, array->dtype));
            const int64_t width = side == 0 ? key->width_lo[a] : key->width_hi[a];
            if (!periodic && width > 0) key->wall[a][side] = (unsigned char)wall_of(b->kind);
        }
    }
done:
    return st;
}

/* The widths that offsets ask for, which the array's halo has.  Offsets are listed only where faces
 * alone, or everything, would not do. */
static void make_reach(const tsri_reach *reach, tsri_halo_key *key)
{
    memcpy(key->width_lo, reach->lo, sizeof key->width_lo);
    memcpy(key->width_hi, reach->hi, sizeof key->width_hi);
    key->faces_only = tsri_reach_is_star(reach);
    if (!key->faces_only && !tsri_reach_is_box(reach)) key->offsets = reach->offsets;
}

tsr_status tsri_halo_key_make(const char *call, const tsr_array *array,
                              const tsri_halo_request *request, int which, tsri_halo_key *key)
{
    static const tsr_halo_options defaults;
    const tsri_geometry *g = &array->layout->geometry;
    tsr_status st = TSR_OK;

    memset(key, 0, sizeof *key); /* also what lies between the members */
    const tsr_halo_options *options = request->options != NULL ? request->options : &defaults;
    key->direction = request->direction;
    key->faces_only = options->faces_only;
    key->axes = options->axes == 0 ? TSR_ALL_AXES : options->axes;
    TSRI_TRY(done, tsri_axes_check(call, TSR_ERR_AXIS, "axes", "array", g->ndim, &key->axes));
    if (request->reach != NULL)
        make_reach(&request->reach[which], key);
    else
        TSRI_TRY(done, make_widths(call, g, options, key));
    if (request->direction == TSRI_UPDATE) {
        TSRI_TRY(done, make_walls(call, array, options, key));
    } else {
        for (int a = 0; a < g->ndim; ++a)
            key->wall[a][0] = key->wall[a][1] = (unsigned char)TSRI_WALL_DROP;
    }
done:
    return st;
}

/* ---- fills ----------------------------------------------------------------------------------- */

/* What fills are made from: the rank's block, and per axis the local indices that take part. */
typedef struct {
    const tsri_geometry *geometry;
    const tsri_halo_key *key;
    int64_t start[TSR_MAX_NDIM], extent[TSR_MAX_NDIM];
} scene;

/* Local indices of an axis that take part, when another axis is the one outside. */
static void full_range(const scene *s, int axis, int64_t *lo, int64_t *hi)
{
    const bool asked = has_axis(s->key->axes, axis);
    const bool owned = s->key->faces_only;
    *lo = owned ? 0 : asked ? -s->key->width_lo[axis] : -s->geometry->halo_lo[axis];
    *hi = s->extent[axis] + (owned   ? 0
                             : asked ? s->key->width_hi[axis]
                                     : s->geometry->halo_hi[axis]);
}

/* Local indices on one side of an axis that are filled; false when there are none. */
static bool fill_range(const scene *s, int axis, int side, int64_t *lo, int64_t *hi)
{
    const bool all = s->key->direction == TSRI_ACCUMULATE;
    const int64_t end = s->extent[axis];

    if (!has_axis(s->key->axes, axis)) return false;
    if (!all && s->key->wall[axis][side] != TSRI_WALL_FILL) return false;
    *lo = -s->key->width_lo[axis];
    *hi = all ? 0 : -s->start[axis];
    if (side == 1) {
        *lo = all ? end : s->geometry->shape[axis] - s->start[axis];
        *hi = end + s->key->width_hi[axis];
    }
    return *lo < *hi;
}

/* The box filled on one side of an axis: lower axes in full, higher ones without what they fill
 * themselves. */
static bool make_fill(const scene *s, int axis, int side, tsri_fill *fill)
{
    *fill = (tsri_fill){.axis = axis, .side = side};
    if (!fill_range(s, axis, side, &fill->lo[axis], &fill->hi[axis])) return false;
    for (int a = 0; a < s->geometry->ndim; ++a) {
        int64_t lo, hi;
        if (a == axis) continue;
        full_range(s, a, &fill->lo[a], &fill->hi[a]);
        if (a < axis || s->key->faces_only) continue;
        if (fill_range(s, a, 0, &lo, &hi)) fill->lo[a] = hi;
        if (fill_range(s, a, 1, &lo, &hi)) fill->hi[a] = lo;
    }
    return true;
}

int tsri_halo_fills(const tsri_geometry *geometry, int rank, const tsri_halo_key *key,
                    tsri_fill *fills)
{
    scene s = {.geometry = geometry, .key = key};
    int count = 0;

    if (!tsri_geometry_block(geometry, rank, s.start, s.extent)) return 0;
    for (int a = 0; a < geometry->ndim; ++a)
        for (int side = 0; side < 2; ++side)
            if (make_fill(&s, a, side, &fills[count])) ++count;
    return count;
}

/* ---- plans ----------------------------------------------------------------------------------- */

static tsri_axis_map map_axis(const tsri_geometry *geometry, const tsri_halo_key *key, int axis)
{
    tsri_axis_map map = {.kind = TSRI_MAP_HALO,
                         .from = tsri_geometry_axis(geometry, axis),
                         .to = tsri_geometry_axis(geometry, axis),
                         .width_lo = key->width_lo[axis],
                         .width_hi = key->width_hi[axis],
                         .wall = {key->wall[axis][0], key->wall[axis][1]},
                         .split = key->faces_only || key->offsets.count > 0,
                         .offsets = key->offsets.count > 0 ? &key->offsets : NULL,
                         .axis = axis};
    if (!has_axis(key->axes, axis) && !key->faces_only) map.kind = TSRI_MAP_STORAGE;
    return map;
}

/* Strides of a rank's storage: C order over block and halo. */
static void storage_strides(const tsri_geometry *geometry, const int64_t *extent, int64_t *stride)
{
    int64_t storage[TSR_MAX_NDIM];
    for (int a = 0; a < geometry->ndim; ++a)
        storage[a] = geometry->halo_lo[a] + extent[a] + geometry->halo_hi[a];
    tsri_c_strides(geometry->ndim, storage, stride);
}

static tsr_status add_fills(const tsri_geometry *geometry, int rank, const tsri_halo_key *key,
                            tsri_plan *plan)
{
    tsri_fill fills[TSRI_MAX_FILLS];
    const int count = tsri_halo_fills(geometry, rank, key, fills);
    tsr_status st = TSR_OK;

    if (count == 0) return TSR_OK;
    TSRI_ALLOC(done, plan->fill, count);
    memcpy(plan->fill, fills, (size_t)count * sizeof *fills);
    plan->nfills = count;
done:
    return st;
}

tsr_status tsri_halo_plan_create(const tsri_geometry *geometry, int rank, const tsri_halo_key *key,
                                 tsri_plan **out)
{
    tsri_plan_request request = {.from = geometry,
                                 .to = geometry,
                                 .rank = rank,
                                 .root = TSR_ALL_RANKS,
                                 .in_place = true,
                                 .faces_only = key->faces_only,
                                 .offsets = key->offsets.count > 0 ? &key->offsets : NULL,
                                 .nfactors = geometry->ndim};
    request.by_axis = key->direction == TSRI_UPDATE && !key->faces_only &&
                      request.offsets == NULL && 2 * geometry->ndim <= TSR_MAX_NDIM;
    int64_t start[TSR_MAX_NDIM], extent[TSR_MAX_NDIM];
    tsri_plan *plan = NULL;
    tsr_status st = TSR_OK;

    *out = NULL;
    tsri_geometry_block(geometry, rank, start, extent);
    storage_strides(geometry, extent, request.from_stride);
    memcpy(request.to_stride, request.from_stride, sizeof request.to_stride);
    for (int a = 0; a < geometry->ndim; ++a)
        request.factor[a] = (tsri_factor){a, a, map_axis(geometry, key, a)};

    TSRI_TRY(fail, tsri_plan_create(&request, &plan));
    if (key->direction == TSRI_ACCUMULATE) tsri_plan_reverse(plan);
    TSRI_TRY(fail, add_fills(geometry, rank, key, plan));
    *out = plan;
    return TSR_OK;
fail:
    tsri_plan_unref(plan);
    return st;
}
