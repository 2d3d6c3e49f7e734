/* Selected parts of arrays, as new arrays and in buffers. */
#include "base/checked.h"
#include "base/gate.h"
#include "kern/kern.h"
#include "move/part.h"
#include "move/selection.h"

#include <string.h>

static tsr_status make_selection(const char *call, const tsr_array *array, tsri_entries entries,
                                 tsri_selection *s)
{
    const tsri_geometry *g = &array->layout->geometry;
    return tsri_selection_make(call, entries, g->ndim, g->shape, s);
}

/* ---- into a new array ------------------------------------------------------------------------ */

static tsr_status select_part(const char *call, const tsr_array *array, tsri_entries entries,
                              tsr_array **result)
{
    tsri_selection s;
    uint64_t arguments = 0;
    tsr_layout *made = NULL;
    tsr_array *part = NULL;
    tsri_plan *plan = NULL;
    tsr_status st = TSR_OK;

    if (result != NULL) *result = NULL;
    if (array == NULL) return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "array is NULL");
    tsri_context *const context = array->layout->context;
    TSRI_TRY(done, tsri_enter(context, false, "%s", call));

    TSRI_CHECK_IN(call, agree, result != NULL, TSR_ERR_VALUE,
                  "result is NULL, must point to where the handle goes");
    TSRI_TRY(agree, make_selection(call, array, entries, &s));
    TSRI_TRY(agree, tsri_selection_layout(call, array, &s, &made));
    arguments = tsri_selection_hash(tsri_hash_call(call, array), &s);
agree:
    TSRI_TRY(done, tsri_part_create(call, context, st, arguments, made, array->dtype, &part));
    st = tsri_plan_select(array, &s, tsri_blocks_of(part), TSR_ALL_RANKS, &plan);
    TSRI_TRY(done, tsri_transfer(context, st, 0, plan, array->dtype, tsri_array_origin(array),
                                 tsri_array_origin(part)));
    *result = part;
    part = NULL;
done:
    tsri_plan_unref(plan);
    tsri_array_free(part);
    return st;
}

tsr_status tsr_select(const tsr_array *array, const char *text, tsr_array **result)
{
    return select_part(__func__, array, tsri_entries_text(text), result);
}

tsr_status tsr_select_index(const tsr_array *array, int count, const tsr_index *index,
                            tsr_array **result)
{
    return select_part(__func__, array, tsri_entries_list(count, index), result);
}

/* ---- into a buffer --------------------------------------------------------------------------- */

static tsr_status plan_gather(const tsr_array *array, const tsri_selection *s, int root,
                              tsri_plan **plan)
{
    int64_t stride[TSR_MAX_NDIM];
    tsri_geometry whole = {.ndim = s->kept, .size = array->layout->size, .whole = true};

    for (int k = 0; k < s->kept; ++k) {
        whole.shape[k] = s->shape[k];
        whole.grid[k] = 1;
    }
    tsri_c_strides(s->kept, s->shape, stride);
    return tsri_plan_select(array, s, (tsri_blocks){&whole, stride}, root, plan);
}

static tsr_status check_buffer(const char *call, const tsr_layout *layout, const tsri_selection *s,
                               int root, const void *buffer)
{
    const bool receives = root == TSR_ALL_RANKS || root == layout->rank;
    int64_t cells = 0;
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, root == TSR_ALL_RANKS || (root >= 0 && root < layout->size),
                  TSR_ERR_VALUE, "root is %d, must be 0 to %d or TSR_ALL_RANKS", root,
                  layout->size - 1);
    tsri_product_i64(s->kept, s->shape, &cells);
    TSRI_CHECK_IN(call, done, !receives || buffer != NULL || cells == 0, TSR_ERR_VALUE,
                  "buffer is NULL on rank %d, which gets %lld cell%s", layout->rank,
                  (long long)cells, TSRI_S(cells));
done:
    return st;
}

static tsr_status gather_part(const char *call, const tsr_array *array, tsri_entries entries,
                              int root, void *buffer)
{
    tsri_selection s;
    uint64_t arguments = 0;
    tsri_plan *plan = NULL;
    tsr_status st = TSR_OK;

    if (array == NULL) return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "array is NULL");
    const tsr_layout *layout = array->layout;
    TSRI_TRY(done, tsri_enter(layout->context, layout->geometry.whole, "%s (root %d)", call, root));

    TSRI_TRY(agree, make_selection(call, array, entries, &s));
    TSRI_TRY(agree, check_buffer(call, layout, &s, root, buffer));
    TSRI_TRY(agree, plan_gather(array, &s, root, &plan));
    arguments = tsri_hash(tsri_selection_hash(tsri_hash_call(call, array), &s), &root, sizeof root);
agree:
    if (!layout->geometry.whole)
        st = tsri_transfer(layout->context, st, arguments, plan, array->dtype,
                           tsri_array_origin(array), buffer);
    else if (st == TSR_OK && (root == TSR_ALL_RANKS || root == layout->rank))
        tsri_plan_copy(plan, array->dtype, tsri_array_origin(array), buffer);
done:
    tsri_plan_unref(plan);
    return st;
}

tsr_status tsr_gather_part(const tsr_array *array, const char *text, int root, void *buffer)
{
    return gather_part(__func__, array, tsri_entries_text(text), root, buffer);
}

tsr_status tsr_gather_part_index(const tsr_array *array, int count, const tsr_index *index,
                                 int root, void *buffer)
{
    return gather_part(__func__, array, tsri_entries_list(count, index), root, buffer);
}

tsr_status tsr_selection_shape(const tsr_array *array, const char *text, int *ndim, int64_t *shape)
{
    tsri_selection s;
    tsr_status st = TSR_OK;

    TSRI_CHECK(done, array != NULL && ndim != NULL, TSR_ERR_VALUE, "array or ndim is NULL");
    TSRI_TRY(done, make_selection(__func__, array, tsri_entries_text(text), &s));
    *ndim = s.kept;
    if (shape != NULL && s.kept > 0) memcpy(shape, s.shape, (size_t)s.kept * sizeof *shape);
done:
    return st;
}
