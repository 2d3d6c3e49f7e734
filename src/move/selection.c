#include "move/selection.h"

#include "base/checked.h"
#include "move/part.h"

#include <string.h>

/* ---- entries --------------------------------------------------------------------------------- */

tsr_index tsr_index_int(int64_t index)
{
    return (tsr_index){.kind = TSR_INDEX_INT, .start = index};
}

tsr_index tsr_index_slice(int64_t start, int64_t stop, int64_t step)
{
    return (tsr_index){.kind = TSR_INDEX_SLICE, .start = start, .stop = stop, .step = step};
}

tsr_index tsr_index_ellipsis(void)
{
    return (tsr_index){.kind = TSR_INDEX_ELLIPSIS};
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* Entries, and where each begins in the text they come from. */
typedef struct {
    const char *call, *text;
    int count;
    const tsr_index *index;
    int column[TSRI_MAX_ENTRIES];
} entries;

/* A failure at an entry: where it stands in the text, or its number. */
#define FAIL_AT_ENTRY(e, k, code, format, ...)                                                     \
    ((e)->text != NULL                                                                             \
         ? TSRI_FAIL_AT((e)->call, (code), (e)->text, (e)->column[k], format, __VA_ARGS__)         \
         : TSRI_FAIL_IN((e)->call, (code), "entry %d: " format, (k), __VA_ARGS__))

/* The index as it is written: the number that was read may have been limited. */
static tsr_status refuse_index(const entries *e, int k, int64_t length, int axis)
{
    static const char digits[] = "0123456789";

    if (e->text == NULL)
        return TSRI_FAIL_IN(e->call, TSR_ERR_INDEX,
                            "entry %d: index %lld is out of bounds for axis %d of length %lld", k,
                            (long long)e->index[k].start, axis, (long long)length);
    const char *written = e->text + e->column[k] - 1;
    size_t count = strcspn(written, digits);
    count += strspn(written + count, digits);
    return TSRI_FAIL_AT(e->call, TSR_ERR_INDEX, e->text, e->column[k],
                        "index %.*s is out of bounds for axis %d of length %lld", (int)count,
                        written, axis, (long long)length);
}

/* One index of an axis. */
static tsr_status pick(const entries *e, int k, int64_t length, int axis, tsri_selection *s)
{
    const int64_t asked = e->index[k].start;

    if (asked < -length || asked >= length) return refuse_index(e, k, length, axis);
    s->start[axis] = asked < 0 ? asked + length : asked;
    s->step[axis] = s->count[axis] = 1;
    s->to[axis] = TSRI_NO_AXIS;
    return TSR_OK;
}

/* An end of a slice: negative ones count from the end, once; then it is limited. */
static int64_t slice_end(int64_t asked, int64_t missing, int64_t length, int64_t lo, int64_t hi)
{
    if (asked == TSR_NONE) return missing;
    if (asked < 0) asked += length;
    return asked < lo ? lo : asked > hi ? hi : asked;
}

static tsr_status cut(const entries *e, int k, int64_t length, int axis, tsri_selection *s)
{
    const tsr_index *slice = &e->index[k];
    const int64_t step = slice->step == TSR_NONE ? 1 : slice->step;

    if (step == 0)
        return FAIL_AT_ENTRY(e, k, TSR_ERR_VALUE, "the step along axis %d is 0, must not be", axis);
    const int64_t lo = step > 0 ? 0 : -1, hi = step > 0 ? length : length - 1;
    const int64_t start = slice_end(slice->start, step > 0 ? lo : hi, length, lo, hi);
    const int64_t stop = slice_end(slice->stop, step > 0 ? hi : lo, length, lo, hi);
    int64_t count = 0;
    if (step > 0 && start < stop) count = (stop - start - 1) / step + 1;
    if (step < 0 && start > stop) count = (start - stop - 1) / -step + 1;
    s->start[axis] = count > 0 ? start : 0;
    s->step[axis] = count > 1 ? step : 1;
    s->count[axis] = count;
    s->to[axis] = s->kept;
    s->of[s->kept] = axis;
    s->shape[s->kept++] = count;
    return TSR_OK;
}

static const tsr_index all = {TSR_INDEX_SLICE, TSR_NONE, TSR_NONE, 1};

/* Which entry is the ellipsis (the number of entries: none), and whether there are not too many. */
static tsr_status find_ellipsis(const entries *e, int ndim, int *ellipsis)
{
    *ellipsis = e->count;
    for (int k = 0; k < e->count; ++k) {
        const tsr_index_kind kind = e->index[k].kind;
        if (kind != TSR_INDEX_INT && kind != TSR_INDEX_SLICE && kind != TSR_INDEX_ELLIPSIS)
            return FAIL_AT_ENTRY(e, k, TSR_ERR_VALUE, "%d is no kind of entry", (int)kind);
        if (kind == TSR_INDEX_ELLIPSIS) {
            if (*ellipsis < e->count)
                return FAIL_AT_ENTRY(e, k, TSR_ERR_INDEX, "there can be one ellipsis, not %d", 2);
            *ellipsis = k;
        }
        if (k + 1 - (*ellipsis <= k) > ndim)
            return FAIL_AT_ENTRY(e, k, TSR_ERR_INDEX,
                                 "there are more entries than the array has axes: %d", ndim);
    }
    return TSR_OK;
}

static tsr_status resolve(const entries *e, int ndim, const int64_t *shape, tsri_selection *s)
{
    const entries whole = {.call = e->call, .count = 1, .index = &all};
    int ellipsis, axis = 0;
    tsr_status st = TSR_OK;

    *s = (tsri_selection){.ndim = ndim};
    TSRI_TRY(done, find_ellipsis(e, ndim, &ellipsis));
    const int missing = ndim - (e->count - (ellipsis < e->count));
    for (int k = 0; k <= e->count; ++k) {
        for (int i = 0; k == ellipsis && i < missing; ++i, ++axis)
            TSRI_TRY(done, cut(&whole, 0, shape[axis], axis, s));
        if (k == ellipsis || k == e->count) continue;
        TSRI_TRY(done, e->index[k].kind == TSR_INDEX_INT ? pick(e, k, shape[axis], axis, s)
                                                         : cut(e, k, shape[axis], axis, s));
        ++axis;
    }
done:
    return st;
}

tsr_status tsri_selection_make(const char *call, tsri_entries given, int ndim, const int64_t *shape,
                               tsri_selection *selection)
{
    entries e = {.call = call, .text = given.text, .count = given.count, .index = given.index};
    tsr_index read[TSRI_MAX_ENTRIES];
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, !given.is_text || given.text != NULL, TSR_ERR_VALUE,
                  "text is NULL, must be a selection");
    if (given.is_text) {
        TSRI_TRY(done, tsri_selection_read(call, given.text, read, e.column, &e.count));
        e.index = read;
    }
    TSRI_CHECK_IN(call, done, e.count >= 0, TSR_ERR_VALUE, "count is %d, must be >= 0", e.count);
    TSRI_CHECK_IN(call, done, e.count == 0 || e.index != NULL, TSR_ERR_VALUE,
                  "index is NULL, must point to %d value%s", e.count, TSRI_S(e.count));
    st = resolve(&e, ndim, shape, selection);
done:
    return st;
}

uint64_t tsri_selection_hash(uint64_t hash, const tsri_selection *s)
{
    const size_t bytes = (size_t)s->ndim * sizeof(int64_t);
    hash = tsri_hash(hash, s->start, bytes);
    hash = tsri_hash(hash, s->step, bytes);
    hash = tsri_hash(hash, s->count, bytes);
    return tsri_hash(hash, s->to, (size_t)s->ndim * sizeof *s->to);
}

/* ---- layouts and plans ----------------------------------------------------------------------- */

tsr_status tsri_selection_layout(const char *call, const tsr_array *array, const tsri_selection *s,
                                 tsr_layout **layout)
{
    const tsri_geometry *from = &array->layout->geometry;
    tsr_axes split = 0;

    for (int k = 0; k < s->kept && !from->whole; ++k)
        if ((from->split >> s->of[k] & 1u) != 0) split |= TSR_AXIS(k);
    return tsri_part_layout(call, array->layout->context, s->kept, s->shape, split, layout);
}

tsr_status tsri_plan_select(const tsr_array *array, const tsri_selection *s, tsri_blocks part,
                            int root, tsri_plan **plan)
{
    tsri_plan_request request = {.from = &array->layout->geometry,
                                 .to = part.geometry,
                                 .rank = array->layout->rank,
                                 .root = root};

    memcpy(request.from_stride, array->stride, sizeof array->stride);
    for (int k = 0; k < s->kept; ++k)
        request.to_stride[k] = part.stride[k];
    for (int a = 0; a < s->ndim; ++a)
        tsri_plan_request_add(
            &request, a, s->to[a],
            (tsri_affine){
                .count = s->count[a], .from = s->start[a], .from_step = s->step[a], .to_step = 1});
    return tsri_plan_create(&request, plan);
}

tsr_status tsri_plan_assign(const tsr_array *value, const tsri_selection *s, const tsr_array *array,
                            tsri_plan **plan)
{
    const tsri_geometry *g = &value->layout->geometry;
    const int missing = s->kept - g->ndim; /* axes that the value lacks; or has too many, if < 0 */
    tsri_plan_request request;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_request_between(value, array, &request));
    request.by_to = true;
    for (int v = 0; v < -missing; ++v)
        tsri_plan_request_add(&request, v, TSRI_NO_AXIS,
                              (tsri_affine){.count = 1, .from_step = 1, .to_step = 1});
    for (int a = 0; a < s->ndim; ++a) {
        const int v = s->to[a] == TSRI_NO_AXIS ? -1 : s->to[a] - missing;
        const bool repeats = v < 0 || g->shape[v] == 1;
        tsri_plan_request_add(&request, v < 0 ? TSRI_NO_AXIS : v, a,
                              (tsri_affine){.count = s->count[a],
                                            .from_step = repeats ? 0 : 1,
                                            .to = s->start[a],
                                            .to_step = s->step[a]});
    }
    st = tsri_plan_create(&request, plan);
done:
    return st;
}
