#include "move/axis_map.h"

#include "move/integers.h"

/* The walk along the positions of a receiving block. */
typedef struct {
    const tsri_axis_map *map;
    tsri_segments *list;
    int block;
    int source;         /* the only one wanted, or TSRI_ANY_SOURCE */
    int64_t start, end; /* range of the block, in the indices that the walk goes along */
    int64_t beyond;     /* of the segments being added */
} walk;

/* `count` indices from `to` on, which stand for `from`, `from + from_step`, ... */
typedef struct {
    int64_t to, to_step, from, from_step, count;
    int64_t image; /* of a period: its first block */
} run;

static tsr_status add(const walk *w, tsri_segment segment)
{
    if (w->source != TSRI_ANY_SOURCE && w->source != segment.source) return TSR_OK;
    segment.receiver = w->block;
    segment.beyond = w->beyond;
    return tsri_segments_add(w->list, segment);
}

/* Positions that stand for themselves. */
static tsr_status add_self(const walk *w, int64_t lo, int64_t hi)
{
    return add(w, (tsri_segment){.to = lo - w->start,
                                 .from = lo - w->start,
                                 .count = hi - lo,
                                 .to_step = 1,
                                 .from_step = 1,
                                 .source = w->block});
}

/* One segment for each block that owns some of a run's sources. */
static tsr_status add_run(const walk *w, const run *r)
{
    const tsri_axis *axis = &w->map->from;
    int64_t k = 0, end = r->count, none, count;
    tsr_status st = TSR_OK;

    if (w->source != TSRI_ANY_SOURCE)
        tsri_steps_within(r->from, r->from_step, tsri_axis_cut(axis, w->source),
                          tsri_axis_cut(axis, w->source + 1), r->count, &k, &end);
    for (; st == TSR_OK && k < end; k += count) {
        const int64_t index = r->from + k * r->from_step;
        const int source = tsri_axis_owner(axis, index);
        const int64_t first = tsri_axis_cut(axis, source);
        tsri_steps_within(index, r->from_step, first, tsri_axis_cut(axis, source + 1), end - k,
                          &none, &count);
        st = add(w, (tsri_segment){.to = r->to + k * r->to_step - w->start,
                                   .to_step = r->to_step,
                                   .from = index - first,
                                   .from_step = r->from_step,
                                   .count = count,
                                   .image = w->block - r->image - source,
                                   .source = source});
    }
    return st;
}

/* Indices [lo, hi), which stand for `from`, `from + step`, ... */
static tsr_status add_mapped(const walk *w, int64_t lo, int64_t hi, int64_t from, int step,
                             int64_t image)
{
    return add_run(w, &(run){.to = lo,
                             .to_step = 1,
                             .from = from,
                             .from_step = step,
                             .count = hi - lo,
                             .image = image});
}

/* Positions on a periodic axis, wrapped as often as needed. */
static tsr_status add_wrapped(const walk *w, int64_t lo, int64_t hi)
{
    const int64_t n = w->map->from.length;
    tsr_status st = TSR_OK;

    while (st == TSR_OK && lo < hi) {
        const int64_t index = tsri_floor_mod(lo, n);
        const int64_t stop = lo + tsri_min_i64(hi - lo, n - index);
        st = add_mapped(w, lo, stop, index, 1, tsri_floor_div(lo, n) * w->map->from.blocks);
        lo = stop;
    }
    return st;
}

/* Positions beyond a wall, mirrored as often as needed: with period 2n when the edge cell is
 * repeated, 2n - 2 when it is not.  Unsigned, since twice a length may be beyond int64. */
static tsr_status add_folded(const walk *w, int64_t lo, int64_t hi, bool repeat_edge)
{
    const uint64_t n = (uint64_t)w->map->from.length;
    const uint64_t period = repeat_edge ? 2 * n : 2 * n - 2;
    tsr_status st = TSR_OK;

    while (st == TSR_OK && lo < hi) {
        const uint64_t phase =
            lo >= 0 ? (uint64_t)lo % period : period - 1 - (uint64_t)(-1 - lo) % period;
        const bool up = phase < n;
        const uint64_t index = up ? phase : repeat_edge ? period - 1 - phase : period - phase;
        const uint64_t room = up ? n - phase : period - phase;
        const int64_t stop = room < (uint64_t)(hi - lo) ? lo + (int64_t)room : hi;
        st = add_mapped(w, lo, stop, (int64_t)index, up ? 1 : -1, 0);
        lo = stop;
    }
    return st;
}

static tsr_status add_beyond_wall(const walk *w, int64_t lo, int64_t hi, int side)
{
    const int64_t n = w->map->from.length;
    switch (w->map->wall[side]) {
    case TSRI_WALL_LEAVE:
        return add_self(w, lo, hi);
    case TSRI_WALL_EDGE:
        return add_mapped(w, lo, hi, side == 0 ? 0 : n - 1, 0, 0);
    case TSRI_WALL_SYMMETRIC:
        return add_folded(w, lo, hi, true);
    case TSRI_WALL_REFLECT:
        return n == 1 ? add_mapped(w, lo, hi, 0, 0, 0) : add_folded(w, lo, hi, false);
    default:
        return TSR_OK;
    }
}

/* Indices [lo, hi) of an axis that goes on beyond its ends. */
static tsr_status add_extended(const walk *w, int64_t lo, int64_t hi)
{
    const int64_t n = w->map->from.length;
    tsr_status st = TSR_OK;

    if (lo >= hi) return TSR_OK;
    if (w->map->from.periodic) return add_wrapped(w, lo, hi);
    if (lo < 0) TSRI_TRY(done, add_beyond_wall(w, lo, tsri_min_i64(hi, 0), 0));
    if (tsri_max_i64(lo, 0) < tsri_min_i64(hi, n))
        TSRI_TRY(done, add_mapped(w, tsri_max_i64(lo, 0), tsri_min_i64(hi, n), tsri_max_i64(lo, 0),
                                  1, 0));
    if (hi > n) TSRI_TRY(done, add_beyond_wall(w, tsri_max_i64(lo, n), hi, 1));
done:
    return st;
}

/* The halo positions on one side; split, in bands that other offsets reach. */
static tsr_status add_side(walk w, int side)
{
    const int64_t width = side == 0 ? w.map->width_lo : w.map->width_hi;
    tsr_status st = TSR_OK;

    for (int64_t near = 0, far; near < width && st == TSR_OK; near = far) {
        far = w.map->offsets != NULL ? tsri_offsets_next(w.map->offsets, w.map->axis, side, near)
                                     : width;
        if (w.map->split) w.beyond = side == 0 ? -far : far;
        st = side == 0 ? add_extended(&w, w.start - far, w.start - near)
                       : add_extended(&w, w.end + near, w.end + far);
    }
    return st;
}

/* With steps of 1 the walk goes along the indices of `from`, which may go beyond its ends. */
static tsr_status add_affine(const walk *w)
{
    const tsri_affine *affine = &w->map->affine;
    const int64_t shift = affine->from - affine->to;
    int64_t first, end;

    tsri_steps_within(affine->to, affine->to_step, w->start, w->end, affine->count, &first, &end);
    if (first >= end) return TSR_OK;
    const run r = {.to = affine->to + first * affine->to_step,
                   .to_step = affine->to_step,
                   .from = affine->from + first * affine->from_step,
                   .from_step = affine->from_step,
                   .count = end - first};
    if (affine->from_step != 1 || affine->to_step != 1) return add_run(w, &r);
    walk shifted = *w;
    shifted.start += shift;
    shifted.end += shift;
    return add_extended(&shifted, r.from, r.from + r.count);
}

tsr_status tsri_axis_map_segments(const tsri_axis_map *map, int block, int source,
                                  tsri_segments *list)
{
    tsr_status st = TSR_OK;
    const walk w = {.map = map,
                    .list = list,
                    .block = block,
                    .source = source,
                    .start = tsri_axis_cut(&map->to, block),
                    .end = tsri_axis_cut(&map->to, block + 1)};

    if (w.start >= w.end) return TSR_OK;
    switch (map->kind) {
    case TSRI_MAP_AFFINE:
        st = add_affine(&w);
        break;
    case TSRI_MAP_STORAGE:
        st = add_self(&w, w.start - map->to.halo_lo, w.end + map->to.halo_hi);
        break;
    case TSRI_MAP_HALO:
        TSRI_TRY(done, add_side(w, 0));
        TSRI_TRY(done, add_self(&w, w.start, w.end));
        TSRI_TRY(done, add_side(w, 1));
        break;
    }
done:
    return st;
}
