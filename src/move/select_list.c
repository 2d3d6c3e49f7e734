/* Cells at listed indices: into new arrays, and values into them. */
#include "base/gate.h"
#include "kern/kern.h"
#include "move/assign.h"
#include "move/listing.h"
#include "move/part.h"

#include <tessera/select.h>

/* ---- select ---------------------------------------------------------------------------------- */

static tsr_status select_listed(const char *call, const tsr_array *array, const tsri_list *list,
                                tsr_array **result)
{
    tsri_listing l = {0};
    tsri_picks given = {0}, taken = {0};
    tsr_array *part = NULL;
    tsr_layout *made = NULL;
    uint64_t arguments = 0;
    tsr_status st = TSR_OK;

    if (result != NULL) *result = NULL;
    if (array == NULL) return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "array is NULL");
    tsri_context *const context = array->layout->context;
    TSRI_TRY(done, tsri_enter(context, false, "%s", call));

    TSRI_CHECK_IN(call, agree, result != NULL, TSR_ERR_VALUE,
                  "result is NULL, must point to where the handle goes");
    TSRI_TRY(agree, tsri_listing_make(call, array, list, &l));
    TSRI_TRY(agree, tsri_part_layout(call, context, l.ndim, l.shape, TSR_AXIS(0), &made));
    arguments = tsri_listing_hash(tsri_hash_call(call, array), &l);
agree:
    TSRI_TRY(done, tsri_part_create(call, context, st, arguments, made, array->dtype, &part));
    st = tsri_listing_picks(&l, part, true, &given, &taken);
    TSRI_TRY(done, tsri_picks_move(context, st, 0, &given, &taken, array->dtype,
                                   tsri_array_origin(array), tsri_array_origin(part)));
    *result = part;
    part = NULL;
done:
    tsri_picks_free(&given);
    tsri_picks_free(&taken);
    tsri_listing_clear(&l);
    tsri_array_free(part);
    return st;
}

tsr_status tsr_select_list(const tsr_array *array, int axis, int64_t count, const int64_t *list,
                           tsr_array **result)
{
    return select_listed(__func__, array, &(tsri_list){.axis = axis, .count = count, .index = list},
                         result);
}

tsr_status tsr_select_points(const tsr_array *array, int64_t count, const int64_t *points,
                             tsr_array **result)
{
    return select_listed(__func__, array,
                         &(tsri_list){.points = true, .count = count, .index = points}, result);
}

/* ---- assign ---------------------------------------------------------------------------------- */

/* Convert what a plain value has for this rank's listed cells: a slab or a cell for each, the last
 * of equal ones last. */
static void assign_plain(tsr_array *array, const void *ctx, const tsr_arg *value)
{
    const tsri_listing *l = ctx;
    const int ndim = array->layout->geometry.ndim;
    const int64_t along = l->points ? 1 : array->stride[l->axis];
    unsigned char *to = tsri_array_origin(array);
    int64_t extent[TSR_MAX_NDIM], to_stride[TSR_MAX_NDIM], from_stride[TSR_MAX_NDIM], first = 0;
    int n = 0;
    tsri_plain plain;

    tsri_value_plain(value, array->dtype, l->ndim, &plain);
    for (int a = 0; a < ndim && !l->points; ++a) {
        if (a == l->axis) continue;
        extent[n] = array->extent[a];
        to_stride[n] = array->stride[a];
        from_stride[n++] = plain.stride[a];
        first += array->start[a] * plain.stride[a];
    }
    const int64_t step = plain.stride[l->points ? 0 : l->axis];
    for (int64_t k = 0; k < l->nown; ++k)
        tsri_kern_get()->convert(n, extent, array->dtype,
                                 to + l->place[k] * along * (int64_t)tsr_dtype_size(array->dtype),
                                 to_stride, plain.dtype,
                                 (const unsigned char *)plain.data +
                                     (first + l->own[k] * step) *
                                         (int64_t)tsr_dtype_size(plain.dtype),
                                 from_stride);
}

static tsr_status assign_array(tsr_array *array, const void *ctx, tsr_status earlier,
                               uint64_t arguments, const tsr_array *value)
{
    const tsri_listing *l = ctx;
    tsri_picks given = {0}, taken = {0};
    tsr_status st = earlier;

    if (st == TSR_OK) st = tsri_listing_picks(l, value, false, &taken, &given);
    st = tsri_picks_move(array->layout->context, st, arguments, &given, &taken, array->dtype,
                         value == NULL ? NULL : tsri_array_origin(value), tsri_array_target(array));
    tsri_picks_free(&given);
    tsri_picks_free(&taken);
    return st;
}

static tsr_status assign_listed(const char *call, tsr_array *array, const tsri_list *list,
                                const tsr_arg *value)
{
    tsri_listing l = {0};

    if (array == NULL) return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "array is NULL");
    tsr_status st = tsri_listing_make(call, array, list, &l);
    st = tsri_assign(
        &(tsri_assignment){.call = call,
                           .array = array,
                           .value = value,
                           .ndim = l.ndim,
                           .shape = l.shape,
                           .fingerprint = tsri_listing_hash(tsri_hash_call(call, array), &l),
                           .plain = assign_plain,
                           .moved = assign_array,
                           .listed = true,
                           .ctx = &l},
        st);
    tsri_listing_clear(&l);
    return st;
}

tsr_status tsr_assign_listv(tsr_array *array, int axis, int64_t count, const int64_t *list,
                            tsr_arg value)
{
    return assign_listed("tsr_assign_list", array,
                         &(tsri_list){.axis = axis, .count = count, .index = list}, &value);
}

tsr_status tsr_assign_pointsv(tsr_array *array, int64_t count, const int64_t *points, tsr_arg value)
{
    return assign_listed("tsr_assign_points", array,
                         &(tsri_list){.points = true, .count = count, .index = points}, &value);
}
