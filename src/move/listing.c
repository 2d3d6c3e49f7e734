#include "move/listing.h"

#include "base/checked.h"

#include <string.h>

/* ---- checks ---------------------------------------------------------------------------------- */

/* An index of the list, counted from the front. */
static tsr_status check_index(const char *call, const tsri_list *list, int64_t k, int axis,
                              int64_t length, int64_t *index)
{
    const int64_t asked = *index;
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, asked >= -length && asked < length, TSR_ERR_INDEX,
                  "%s %lld of the list: index %lld is out of bounds for axis %d of length %lld",
                  list->points ? "cell" : "entry", (long long)k, (long long)asked, axis,
                  (long long)length);
    if (asked < 0) *index += length;
done:
    return st;
}

static tsr_status check_list(const char *call, const tsri_list *list, tsri_listing *l)
{
    const tsri_geometry *g = &l->array->layout->geometry;
    const int64_t each = list->points ? g->ndim : 1;
    int64_t total = 0;
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, list->count >= 0, TSR_ERR_VALUE, "count is %lld, must be >= 0",
                  (long long)list->count);
    if (!list->points)
        TSRI_TRY(done, tsri_axis_check(call, TSR_ERR_AXIS, "array", g->ndim, &l->axis));
    TSRI_CHECK_IN(call, done, tsri_mul_i64(list->count, each, &total), TSR_ERR_OVERFLOW,
                  "%lld cells have more indices than 64 bits count", (long long)list->count);
    TSRI_CHECK_IN(call, done, total == 0 || list->index != NULL, TSR_ERR_VALUE,
                  "the list is NULL, must have %lld number%s", (long long)total, TSRI_S(total));
    TSRI_ALLOC(done, l->index, total);
    if (total > 0) memcpy(l->index, list->index, (size_t)total * sizeof *l->index);
    int64_t *index = l->index;
    for (int64_t k = 0; k < list->count; ++k)
        for (int e = 0; e < each; ++e, ++index) {
            const int axis = list->points ? e : l->axis;
            TSRI_TRY(done, check_index(call, list, k, axis, g->shape[axis], index));
        }
done:
    return st;
}

/* ---- this rank's share ----------------------------------------------------------------------- */

/* Whether number k of the list lies in this rank's block, and where. */
static bool is_own(const tsri_listing *l, int64_t k, int64_t *place)
{
    const tsr_array *array = l->array;
    const int ndim = array->layout->geometry.ndim;
    const int first = l->points ? 0 : l->axis, end = l->points ? ndim : l->axis + 1;

    *place = 0;
    for (int a = first; a < end; ++a) {
        const int64_t index = l->points ? l->index[k * ndim + a] : l->index[k];
        const int64_t local = index - array->start[a];
        if (local < 0 || local >= array->extent[a]) return false;
        *place += local * (l->points ? array->stride[a] : 1);
    }
    return array->cells > 0;
}

static tsr_status find_own(tsri_listing *l)
{
    int64_t place = 0, n = 0;
    tsr_status st = TSR_OK;

    for (int64_t k = 0; k < l->count; ++k)
        n += is_own(l, k, &place);
    TSRI_ALLOC(done, l->own, n);
    TSRI_ALLOC(done, l->place, n);
    for (int64_t k = 0; k < l->count; ++k) {
        if (!is_own(l, k, &place)) continue;
        l->own[l->nown] = k;
        l->place[l->nown++] = place;
    }
done:
    return st;
}

tsr_status tsri_listing_make(const char *call, const tsr_array *array, const tsri_list *list,
                             tsri_listing *l)
{
    tsr_status st = TSR_OK;

    *l = (tsri_listing){.array = array, .points = list->points, .axis = list->axis};
    TSRI_TRY(done, check_list(call, list, l));
    l->count = list->count;
    l->ndim = list->points ? 1 : array->layout->geometry.ndim;
    for (int a = 0; a < l->ndim && !list->points; ++a)
        l->shape[a] = array->layout->geometry.shape[a];
    l->shape[list->points ? 0 : l->axis] = list->count;
    st = find_own(l);
done:
    return st;
}

void tsri_listing_clear(tsri_listing *l)
{
    tsri_free(l->index);
    tsri_free(l->own);
    tsri_free(l->place);
}

uint64_t tsri_listing_hash(uint64_t hash, const tsri_listing *l)
{
    const int64_t each = l->points ? l->array->layout->geometry.ndim : 1;
    hash = tsri_hash(hash, &l->axis, sizeof l->axis);
    hash = tsri_hash(hash, &l->count, sizeof l->count);
    return tsri_hash(hash, l->index, (size_t)(l->count * each) * sizeof *l->index);
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* The axis of a part that broadcasts which stands for axis a of what is selected, or none. */
static int part_axis(const tsri_listing *l, const tsr_array *part, int a)
{
    const int v = a - (l->ndim - part->layout->geometry.ndim);
    return v < 0 ? TSRI_NO_AXIS : v;
}

static bool repeats(const tsr_array *part, int v)
{
    return v == TSRI_NO_AXIS || part->layout->geometry.shape[v] == 1;
}

/* The cells of this rank's block of the array. */
static tsr_status list_array(const tsri_listing *l, const tsr_array *part,
                             const tsri_other_end *other, tsri_picks *picks)
{
    const tsr_array *array = l->array;
    static const int64_t one = 1;
    tsri_way ways[TSR_MAX_NDIM];

    for (int a = 0; a < l->ndim; ++a) {
        const bool listed = l->points || a == l->axis;
        const int v = part_axis(l, part, a);
        ways[a] = (tsri_way){.count = listed ? l->nown : array->extent[a],
                             .place_step = 1,
                             .places = listed ? l->place : NULL,
                             .axis = v};
        if (repeats(part, v)) continue;
        ways[a].index = array->start[a];
        ways[a].index_step = 1;
        ways[a].indices = listed ? l->own : NULL;
    }
    return tsri_picks_product(l->ndim, ways, l->points ? &one : array->stride, other, picks);
}

/* The cells of this rank's block of the part, of listed points. */
static tsr_status list_part_points(const tsri_listing *l, const tsr_array *part,
                                   const tsri_other_end *other, tsri_picks *picks)
{
    const int ndim = l->array->layout->geometry.ndim, v = part_axis(l, part, 0);
    const bool same = repeats(part, v);
    const int64_t first = same ? 0 : part->start[v], n = same ? l->count : part->extent[v];
    const int64_t stride = v == TSRI_NO_AXIS ? 0 : part->stride[v];
    tsri_axis axis[TSR_MAX_NDIM];
    int coords[TSR_MAX_NDIM];
    tsr_status st = TSR_OK;

    for (int a = 0; a < ndim; ++a)
        axis[a] = tsri_geometry_axis(other->geometry, a);
    for (int64_t k = 0; k < n; ++k) {
        for (int a = 0; a < ndim; ++a)
            coords[a] = tsri_axis_owner(&axis[a], l->index[(first + k) * ndim + a]);
        const int rank = tsri_other_rank(other, coords);
        if (!other->only || rank == other->rank)
            TSRI_TRY(done, tsri_picks_add(picks, rank, same ? 0 : k * stride, 1));
    }
done:
    return st;
}

static tsr_status list_part(const tsri_listing *l, const tsr_array *part,
                            const tsri_other_end *other, tsri_picks *picks)
{
    int64_t stride[TSR_MAX_NDIM];
    tsri_way ways[TSR_MAX_NDIM];

    if (part->cells == 0) return TSR_OK;
    if (l->points) return list_part_points(l, part, other, picks);
    for (int a = 0; a < l->ndim; ++a) {
        const int v = part_axis(l, part, a);
        const bool same = repeats(part, v);
        stride[a] = v == TSRI_NO_AXIS ? 0 : part->stride[v];
        ways[a] = (tsri_way){.count = same ? l->shape[a] : part->extent[v],
                             .place_step = same ? 0 : 1,
                             .axis = a,
                             .index = same ? 0 : part->start[v],
                             .index_step = 1};
        if (a == l->axis) ways[a].indices = l->index + ways[a].index;
    }
    return tsri_picks_product(l->ndim, ways, stride, other, picks);
}

tsr_status tsri_listing_picks(const tsri_listing *l, const tsr_array *part, bool out,
                              tsri_picks *of_array, tsri_picks *of_part)
{
    const tsr_layout *a = l->array->layout, *p = part->layout;
    const bool from_whole = out ? a->geometry.whole : p->geometry.whole;
    /* Whole copies are read by their own ranks; cells of others go to every copy. */
    const tsri_other_end giving = {.geometry = out ? &p->geometry : &a->geometry,
                                   .rank = from_whole ? a->rank : TSR_ALL_RANKS,
                                   .only = from_whole};
    const tsri_other_end taking = {.geometry = out ? &a->geometry : &p->geometry, .rank = a->rank};
    tsri_numbering number;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_numbering_of(a->context, p->context, &number));
    of_array->numbers = number.origin;
    TSRI_TRY(done, list_array(l, part, out ? &giving : &taking, of_array));
    st = list_part(l, part, out ? &taking : &giving, of_part);
done:
    return st;
}
