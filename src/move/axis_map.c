#include "move/axis_map.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t floor_mod(int64_t a, int64_t n)
{
    const int64_t r = a % n;
    return r < 0 ? r + n : r;
}

static int64_t floor_div(int64_t a, int64_t n)
{
    return (a - floor_mod(a, n)) / n;
}

/* ---- segments -------------------------------------------------------------------------------- */

void tsri_segments_free(tsri_segments *list)
{
    tsri_free(list->item);
    *list = (tsri_segments){0};
}

/* Whether b goes on where a ends, in both blocks, so that the two are one segment. */
static bool continues(const tsri_segment *a, const tsri_segment *b)
{
    return a->source == b->source && a->receiver == b->receiver && a->image == b->image &&
           a->owned == b->owned && a->step == 1 && b->step == 1 && a->to + a->count == b->to &&
           a->from + a->count == b->from;
}

static tsr_status add_segment(tsri_segments *list, tsri_segment segment)
{
    tsr_status st = TSR_OK;
    tsri_segment *item = NULL;

    if (segment.count <= 0) return TSR_OK;
    if (list->count > 0 && continues(&list->item[list->count - 1], &segment)) {
        list->item[list->count - 1].count += segment.count;
        return TSR_OK;
    }
    if (list->count == list->room) {
        const int room = list->room == 0 ? 8 : 2 * list->room;
        TSRI_ALLOC(done, item, room);
        if (list->count > 0) memcpy(item, list->item, (size_t)list->count * sizeof *item);
        tsri_free(list->item);
        list->item = item;
        list->room = room;
    }
    list->item[list->count++] = segment;
done:
    return st;
}

static int by_image(const void *left, const void *right)
{
    const tsri_segment *const *a = left, *const *b = right;
    return (*a)->image < (*b)->image ? -1 : (*a)->image > (*b)->image;
}

tsr_status tsri_segments_number(tsri_segments *list)
{
    tsr_status st = TSR_OK;
    tsri_segment **order = NULL;

    TSRI_ALLOC(done, order, list->count);
    for (int i = 0; i < list->count; ++i)
        order[i] = &list->item[i];
    qsort(order, (size_t)list->count, sizeof *order, by_image);
    for (int i = 0; i < list->count; ++i)
        order[i]->turn = i;
done:
    tsri_free(order);
    return st;
}

/* The walk along the positions of a receiving block. */
typedef struct {
    const tsri_axis_map *map;
    tsri_segments *list;
    int block;
    int source;         /* the only one wanted, or TSRI_ANY_SOURCE */
    int64_t start, end; /* global range of the block */
} walk;

static tsr_status add(const walk *w, tsri_segment segment)
{
    if (w->source != TSRI_ANY_SOURCE && w->source != segment.source) return TSR_OK;
    segment.receiver = w->block;
    return add_segment(w->list, segment);
}

/* Positions that stand for themselves. */
static tsr_status add_self(const walk *w, int64_t lo, int64_t hi)
{
    const bool owned = !w->map->split_owned || (lo >= w->start && hi <= w->end);
    return add(w, (tsri_segment){.to = lo - w->start,
                                 .from = lo - w->start,
                                 .count = hi - lo,
                                 .step = 1,
                                 .source = w->block,
                                 .owned = owned});
}

/* Global positions [lo, hi), which stand for `index`, `index + step`, ...: one segment for each
 * block that owns some of them. */
static tsr_status add_mapped(const walk *w, int64_t lo, int64_t hi, int64_t index, int step,
                             int64_t image)
{
    const tsri_axis *axis = &w->map->from;
    tsr_status st = TSR_OK;

    while (st == TSR_OK && lo < hi) {
        const int source = tsri_axis_owner(axis, index);
        const int64_t first = tsri_axis_cut(axis, source), end = tsri_axis_cut(axis, source + 1);
        const int64_t room = step > 0 ? end - index : step < 0 ? index - first + 1 : hi - lo;
        const int64_t count = min64(room, hi - lo);
        st = add(w, (tsri_segment){.to = lo - w->start,
                                   .from = index - first,
                                   .count = count,
                                   .image = w->block - image - source,
                                   .step = step,
                                   .source = source});
        lo += count;
        index += step * count;
    }
    return st;
}

/* Positions on a periodic axis, wrapped as often as needed. */
static tsr_status add_wrapped(const walk *w, int64_t lo, int64_t hi)
{
    const int64_t n = w->map->from.length;
    tsr_status st = TSR_OK;

    while (st == TSR_OK && lo < hi) {
        const int64_t index = floor_mod(lo, n);
        const int64_t stop = lo + min64(hi - lo, n - index);
        st = add_mapped(w, lo, stop, index, 1, floor_div(lo, n) * w->map->from.blocks);
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
        return w->map->split_owned ? TSR_OK : add_self(w, lo, hi);
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

/* Halo positions [lo, hi), all on one side of the block. */
static tsr_status add_halo(const walk *w, int64_t lo, int64_t hi)
{
    const int64_t n = w->map->from.length;
    tsr_status st = TSR_OK;

    if (lo >= hi) return TSR_OK;
    if (w->map->from.periodic) return add_wrapped(w, lo, hi);
    if (lo < 0) TSRI_TRY(done, add_beyond_wall(w, lo, min64(hi, 0), 0));
    if (max64(lo, 0) < min64(hi, n))
        TSRI_TRY(done, add_mapped(w, max64(lo, 0), min64(hi, n), max64(lo, 0), 1, 0));
    if (hi > n) TSRI_TRY(done, add_beyond_wall(w, max64(lo, n), hi, 1));
done:
    return st;
}

/* The owned positions, from one source without a look at the others. */
static tsr_status add_blocks(const walk *w)
{
    int64_t lo = w->start, hi = w->end;

    if (w->source != TSRI_ANY_SOURCE) {
        lo = max64(lo, tsri_axis_cut(&w->map->from, w->source));
        hi = min64(hi, tsri_axis_cut(&w->map->from, w->source + 1));
    }
    return add_mapped(w, lo, hi, lo, 1, 0);
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
    case TSRI_MAP_BLOCKS:
        st = add_blocks(&w);
        break;
    case TSRI_MAP_STORAGE:
        st = add_self(&w, w.start - map->to.halo_lo, w.end + map->to.halo_hi);
        break;
    case TSRI_MAP_HALO:
        TSRI_TRY(done, add_halo(&w, w.start - map->width_lo, w.start));
        TSRI_TRY(done, add_self(&w, w.start, w.end));
        TSRI_TRY(done, add_halo(&w, w.end, w.end + map->width_hi));
        break;
    }
done:
    return st;
}

/* ---- receivers ------------------------------------------------------------------------------- */

/* Add the blocks that own cells in [lo, hi), cut to the axis. */
static void add_owners(tsri_ranges *ranges, const tsri_axis *axis, int64_t lo, int64_t hi)
{
    lo = max64(lo, 0);
    hi = min64(hi, axis->length);
    if (lo >= hi) return;
    ranges->first[ranges->count] = tsri_axis_owner(axis, lo);
    ranges->last[ranges->count] = tsri_axis_owner(axis, hi - 1);
    ++ranges->count;
}

/* Whether cells [start, end) can be seen beyond the wall of a side within `width` cells of it. */
static bool mirrored(const tsri_axis_map *map, int side, int64_t start, int64_t end, int64_t width)
{
    const int64_t depth = side == 0 ? start : map->from.length - end;
    switch (map->wall[side]) {
    case TSRI_WALL_EDGE:
        return width > 0 && depth == 0;
    case TSRI_WALL_SYMMETRIC:
    case TSRI_WALL_REFLECT:
        return width > 0 && depth <= width;
    default:
        return false;
    }
}

static void sort_and_join(tsri_ranges *ranges)
{
    for (int i = 1; i < ranges->count; ++i) {
        const int first = ranges->first[i], last = ranges->last[i];
        int j = i;
        for (; j > 0 && ranges->first[j - 1] > first; --j) {
            ranges->first[j] = ranges->first[j - 1];
            ranges->last[j] = ranges->last[j - 1];
        }
        ranges->first[j] = first;
        ranges->last[j] = last;
    }
    int kept = 0;
    for (int i = 1; i < ranges->count; ++i) {
        if (ranges->first[i] <= ranges->last[kept]) {
            if (ranges->last[i] > ranges->last[kept]) ranges->last[kept] = ranges->last[i];
        } else {
            ++kept;
            ranges->first[kept] = ranges->first[i];
            ranges->last[kept] = ranges->last[i];
        }
    }
    ranges->count = ranges->count > 0 ? kept + 1 : 0;
}

static void halo_receivers(const tsri_axis_map *map, int block, int64_t start, int64_t end,
                           tsri_ranges *ranges)
{
    const int64_t n = map->from.length;
    const int64_t lo = start - map->width_hi, hi = end + map->width_lo;

    ranges->first[0] = ranges->last[0] = block;
    ranges->count = 1;
    if (map->from.periodic && hi - lo >= n) {
        add_owners(ranges, &map->to, 0, n);
    } else {
        add_owners(ranges, &map->to, lo, hi);
        if (map->from.periodic) {
            if (hi > n) add_owners(ranges, &map->to, 0, hi - n);
            if (lo < 0) add_owners(ranges, &map->to, lo + n, n);
        } else {
            if (mirrored(map, 0, start, end, map->width_lo))
                add_owners(ranges, &map->to, 0, map->width_lo);
            if (mirrored(map, 1, start, end, map->width_hi))
                add_owners(ranges, &map->to, n - map->width_hi, n);
        }
    }
    sort_and_join(ranges);
}

void tsri_axis_map_receivers(const tsri_axis_map *map, int block, tsri_ranges *ranges)
{
    const int64_t start = tsri_axis_cut(&map->from, block);
    const int64_t end = tsri_axis_cut(&map->from, block + 1);

    ranges->count = 0;
    if (start >= end) return;
    switch (map->kind) {
    case TSRI_MAP_BLOCKS:
        add_owners(ranges, &map->to, start, end);
        break;
    case TSRI_MAP_STORAGE:
        ranges->first[0] = ranges->last[0] = block;
        ranges->count = 1;
        break;
    case TSRI_MAP_HALO:
        halo_receivers(map, block, start, end, ranges);
        break;
    }
}
