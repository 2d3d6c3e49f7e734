/* Which blocks along an axis receive cells of a block, without asking each. */
#include "move/axis_map.h"

#include "move/integers.h"

/* Add the blocks that own cells in [lo, hi), cut to the axis. */
static void add_owners(tsri_ranges *ranges, const tsri_axis *axis, int64_t lo, int64_t hi)
{
    lo = tsri_max_i64(lo, 0);
    hi = tsri_min_i64(hi, axis->length);
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

/* Add the blocks that get indices [lo, hi) of `from`, which may go beyond its ends. */
static void add_affine_range(tsri_ranges *ranges, const tsri_axis_map *map, int64_t lo, int64_t hi)
{
    const tsri_affine *affine = &map->affine;
    int64_t first, end;

    tsri_steps_within(affine->from, affine->from_step, lo, hi, affine->count, &first, &end);
    if (first >= end) return;
    const int64_t a = affine->to + first * affine->to_step;
    const int64_t b = affine->to + (end - 1) * affine->to_step;
    add_owners(ranges, &map->to, tsri_min_i64(a, b), tsri_max_i64(a, b) + 1);
}

/* A map that goes round the axis many times is taken for one in which every block gets all. */
static void affine_receivers(const tsri_axis_map *map, int64_t start, int64_t end,
                             tsri_ranges *ranges)
{
    const int64_t n = map->from.length;
    const int64_t lo = map->affine.from, hi = lo + map->affine.count;

    if (map->affine.from_step != 1 || (lo >= 0 && hi <= n)) {
        add_affine_range(ranges, map, start, end);
    } else if (!map->from.periodic) {
        add_affine_range(ranges, map, start, end);
        if (mirrored(map, 0, start, end, -lo))
            add_affine_range(ranges, map, lo, tsri_min_i64(0, hi));
        if (mirrored(map, 1, start, end, hi - n))
            add_affine_range(ranges, map, tsri_max_i64(n, lo), hi);
    } else {
        const int64_t first = tsri_floor_div(lo, n), last = tsri_floor_div(hi - 1, n);
        if (last - first >= TSRI_MAX_RANGES) add_affine_range(ranges, map, lo, hi);
        for (int64_t k = first; k <= last && last - first < TSRI_MAX_RANGES; ++k)
            add_affine_range(ranges, map, start + k * n, end + k * n);
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
    case TSRI_MAP_AFFINE:
        affine_receivers(map, start, end, ranges);
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
