/* Values into selected parts of arrays. */
#include "move/assign.h"

#include "base/gate.h"
#include "kern/kern.h"
#include "move/integers.h"
#include "move/selection.h"

/* ---- what all such calls have in common ------------------------------------------------------ */

static void finish(const tsri_assignment *a)
{
    if (a->listed) tsri_array_clear_halo(a->array);
    tsri_array_meet(a->array);
}

/* The blocks of a value in the array's type, not where the array itself is written. */
static tsr_status assign_moved(const tsri_assignment *a, tsr_status earlier)
{
    const tsr_array *value = a->value->array;
    tsr_array *converted = NULL;
    uint64_t arguments = 0;
    tsr_status st = earlier;

    if (st == TSR_OK) {
        arguments = tsri_value_hash(a->fingerprint, a->value, false);
        st = tsri_value_converted(a->call, value, a->array, &converted);
    }
    st = a->moved(a->array, a->ctx, st, arguments, converted != NULL ? converted : value);
    if (st == TSR_OK) finish(a);
    tsri_array_free(converted);
    return st;
}

/* A value of the array's own is read from a copy, by those who write. */
static tsr_status assign_plainly(const tsri_assignment *a, tsr_status earlier)
{
    const bool same = a->value->kind == TSR_ARG_ARRAY &&
                      tsri_storage_overlaps(a->value->array->storage, a->array->storage);
    const bool writes = tsri_array_is_writer(a->array);
    tsr_arg value = *a->value;
    tsr_array *copy = NULL;
    tsr_status st = earlier;

    if (same && writes && st == TSR_OK)
        st = tsri_value_converted(a->call, value.array, a->array, &copy);
    if (a->array->layout->geometry.node_shared) st = tsri_agree(a->array->layout->context, st, 0);
    TSRI_TRY(done, st);
    if (copy != NULL) value.array = copy;
    if (!same && !a->listed) {
        tsr_array share = tsri_array_share(a->array);
        if (share.cells > 0) a->plain(&share, a->ctx, &value);
    } else if (writes && a->array->cells > 0) {
        a->plain(a->array, a->ctx, &value);
    }
    finish(a);
done:
    tsri_array_free(copy);
    return st;
}

tsr_status tsri_assign(const tsri_assignment *a, tsr_status earlier)
{
    const tsr_layout *layout = a->array->layout;
    const bool plain = tsri_value_is_plain(a->value);
    const bool local = plain && tsri_layout_is_local(layout);
    uint64_t digest = 0;
    tsr_status st = earlier;

    if (st == TSR_OK) st = tsri_value_check(a->call, a->value, a->array);
    if (st == TSR_OK) st = tsri_value_check_shape(a->call, a->value, a->ndim, a->shape);
    if (st == TSR_OK && !local && tsri_gate_is_on(layout->context))
        digest = tsri_value_hash(a->fingerprint, a->value, true);
    const tsr_status entered = local ? tsri_enter(layout->context, true, "%s", a->call)
                                     : tsri_enter_with(layout->context, digest, "%s", a->call);
    if (entered != TSR_OK) return entered;
    if (!plain) return assign_moved(a, st);
    return assign_plainly(a, st);
}

/* ---- integers and slices --------------------------------------------------------------------- */

/* Convert the part of a value that this rank's block gets. */
static void assign_plain(tsr_array *array, const void *ctx, const tsr_arg *value)
{
    const tsri_selection *s = ctx;
    int64_t extent[TSR_MAX_NDIM], to_stride[TSR_MAX_NDIM], from_stride[TSR_MAX_NDIM];
    int64_t to = 0, from = 0;
    tsri_plain plain;

    tsri_value_plain(value, array->dtype, s->kept, &plain);
    for (int a = 0; a < s->ndim; ++a) {
        const int64_t stride = s->to[a] == TSRI_NO_AXIS ? 0 : plain.stride[s->to[a]];
        int64_t first, end;
        tsri_steps_within(s->start[a], s->step[a], array->start[a],
                          array->start[a] + array->extent[a], s->count[a], &first, &end);
        if (first >= end) return;
        extent[a] = end - first;
        to_stride[a] = s->step[a] * array->stride[a];
        from_stride[a] = stride;
        to += (s->start[a] + first * s->step[a] - array->start[a]) * array->stride[a];
        from += first * stride;
    }
    tsri_kern_get()->convert(
        s->ndim, extent, array->dtype,
        (unsigned char *)tsri_array_origin(array) + to * (int64_t)tsr_dtype_size(array->dtype),
        to_stride, plain.dtype,
        (const unsigned char *)plain.data + from * (int64_t)tsr_dtype_size(plain.dtype),
        from_stride);
}

static tsr_status assign_array(tsr_array *array, const void *ctx, tsr_status earlier,
                               uint64_t arguments, const tsr_array *value)
{
    tsri_plan *plan = NULL;
    tsr_status st = earlier;

    if (st == TSR_OK) st = tsri_plan_assign(value, ctx, array, &plan);
    st = tsri_transfer(array->layout->context, st, arguments, plan, array->dtype,
                       value == NULL ? NULL : tsri_array_origin(value), tsri_array_target(array));
    tsri_plan_unref(plan);
    return st;
}

static tsr_status assign(const char *call, tsr_array *array, tsri_entries entries,
                         const tsr_arg *value)
{
    tsri_selection s = {0};

    if (array == NULL) return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "array is NULL");
    const tsri_geometry *g = &array->layout->geometry;
    const tsr_status st = tsri_selection_make(call, entries, g->ndim, g->shape, &s);
    return tsri_assign(
        &(tsri_assignment){.call = call,
                           .array = array,
                           .value = value,
                           .ndim = s.kept,
                           .shape = s.shape,
                           .fingerprint = tsri_selection_hash(tsri_hash_call(call, array), &s),
                           .plain = assign_plain,
                           .moved = assign_array,
                           .ctx = &s},
        st);
}

tsr_status tsr_assignv(tsr_array *array, const char *text, tsr_arg value)
{
    return assign("tsr_assign", array, tsri_entries_text(text), &value);
}

tsr_status tsr_assign_indexv(tsr_array *array, int count, const tsr_index *index, tsr_arg value)
{
    return assign("tsr_assign_index", array, tsri_entries_list(count, index), &value);
}
