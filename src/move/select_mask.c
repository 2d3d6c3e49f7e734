/* Cells where a mask is true: into new arrays, and values into them. */
#include "base/checked.h"
#include "base/gate.h"
#include "kern/kern.h"
#include "move/masking.h"
#include "move/part.h"
#include "move/value.h"

#include <tessera/select.h>

static uint64_t fingerprint(const char *call, const tsr_array *array, const tsr_array *mask)
{
    return tsri_hash_array(tsri_hash_call(call, array), mask);
}

/* ---- select ---------------------------------------------------------------------------------- */

tsr_status tsr_select_mask(const tsr_array *array, const tsr_array *mask, tsr_array **result)
{
    tsri_masking m = {0};
    tsri_picks given = {0}, taken = {0};
    tsr_array *part = NULL;
    tsr_layout *made = NULL;
    uint64_t arguments = 0;
    tsr_status st = TSR_OK;

    if (result != NULL) *result = NULL;
    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    tsri_context *const context = array->layout->context;
    TSRI_TRY(done, tsri_enter(context, false, "%s", __func__));

    TSRI_CHECK(agree, result != NULL, TSR_ERR_VALUE,
               "result is NULL, must point to where the handle goes");
    TSRI_TRY(agree, tsri_mask_check(__func__, array, mask));
    arguments = fingerprint(__func__, array, mask);
agree:
    TSRI_TRY(done, tsri_agree(context, st, arguments));
    TSRI_TRY(done, tsri_masking_make(__func__, array, mask, &m));
    TSRI_TRY(done, tsri_masking_count(&m));
    st = tsri_part_layout(__func__, context, 1, &m.total, TSR_AXIS(0), &made);
    TSRI_TRY(done, tsri_part_create(__func__, context, st, 0, made, array->dtype, &part));
    TSRI_TRY(done, tsri_masking_picks(&m, part, true, &given, &taken));
    TSRI_TRY(done, tsri_picks_move(context, TSR_OK, 0, &given, &taken, array->dtype,
                                   tsri_array_origin(array), tsri_array_origin(part)));
    *result = part;
    part = NULL;
done:
    tsri_picks_free(&given);
    tsri_picks_free(&taken);
    tsri_masking_clear(&m);
    tsri_array_free(part);
    return st;
}

/* ---- assign ---------------------------------------------------------------------------------- */

/* A plain value on its way into the selected cells. */
typedef struct writer {
    tsr_array *array;
    const tsri_plain *plain;
    int64_t stride; /* of the value from one selected cell to the next */
    int64_t *place; /* of the next cell of each line; NULL: one value for all */
} writer;

static tsr_status write_run(void *ctx, int64_t line, int64_t cell, int64_t count)
{
    const writer *w = ctx;
    const int64_t one = 1, place = w->place == NULL ? 0 : w->place[line];
    const int64_t to_size = (int64_t)tsr_dtype_size(w->array->dtype);
    const int64_t from_size = (int64_t)tsr_dtype_size(w->plain->dtype);

    tsri_kern_get()->convert(
        1, &count, w->array->dtype, (unsigned char *)tsri_array_origin(w->array) + cell * to_size,
        &one, w->plain->dtype,
        (const unsigned char *)w->plain->data + place * w->stride * from_size, &w->stride);
    if (w->place != NULL) w->place[line] += count;
    return TSR_OK;
}

static void assign_plain(tsr_array *array, const tsri_masking *m, const tsr_arg *value)
{
    tsri_plain plain;

    if (!tsri_array_is_writer(array)) return;
    tsri_value_plain(value, array->dtype, 1, &plain);
    writer w = {.array = array,
                .plain = &plain,
                .stride = plain.stride[0],
                .place = plain.stride[0] == 0 ? NULL : m->place};
    (void)tsri_masking_each(m, write_run, &w);
}

/* A value in the array's own memory is read from a copy.  Collective; agrees. */
static tsr_status assign_whole(const char *call, tsr_array *array, const tsri_masking *m,
                               tsr_arg value)
{
    tsr_array *copy = NULL;
    tsr_status st = TSR_OK;

    if (tsri_array_is_writer(array) && tsri_storage_overlaps(value.array->storage, array->storage))
        st = tsri_value_converted(call, value.array, array, &copy);
    TSRI_TRY(done, tsri_agree(array->layout->context, st, 0));
    if (copy != NULL) value.array = copy;
    assign_plain(array, m, &value);
done:
    tsri_array_free(copy);
    return st;
}

/* Move the cells of a distributed value to the selected ones.  Collective; agrees. */
static tsr_status assign_array(const char *call, tsr_array *array, const tsri_masking *m,
                               const tsr_array *value)
{
    tsri_context *const context = array->layout->context;
    tsr_array *converted = NULL;
    tsri_picks given = {0}, taken = {0};
    tsr_status st = tsri_value_converted(call, value, array, &converted);

    TSRI_TRY(done, tsri_agree(context, st, 0));
    if (converted != NULL) value = converted;
    TSRI_TRY(done, tsri_masking_picks(m, value, false, &taken, &given));
    st = tsri_picks_move(context, TSR_OK, 0, &given, &taken, array->dtype, tsri_array_origin(value),
                         tsri_array_target(array));
done:
    tsri_picks_free(&given);
    tsri_picks_free(&taken);
    tsri_array_free(converted);
    return st;
}

/* Into the call, whose arguments are right or not; they are agreed on unless it is quiet. */
static tsr_status enter(const char *call, const tsr_array *array, bool quiet, tsr_status st,
                        uint64_t arguments)
{
    tsri_context *const context = array->layout->context;
    const tsr_status entered = quiet && tsri_layout_is_local(array->layout)
                                   ? tsri_enter(context, true, "%s", call)
                                   : tsri_enter_with(context, arguments, "%s", call);
    if (entered != TSR_OK) return entered;
    return quiet ? st : tsri_agree(context, st, arguments);
}

/* A value of several elements needs the places of the selected cells.  Collective; agrees. */
static tsr_status assign_several(const char *call, tsr_array *array, tsri_masking *m,
                                 const tsr_arg *value)
{
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_masking_count(m));
    TSRI_TRY(done, tsri_value_check_shape(call, value, 1, &m->total));
    if (value->kind != TSR_ARG_ARRAY)
        assign_plain(array, m, value);
    else
        st = tsri_value_is_plain(value) ? assign_whole(call, array, m, *value)
                                        : assign_array(call, array, m, value->array);
done:
    return st;
}

tsr_status tsr_assign_maskv(tsr_array *array, const tsr_array *mask, tsr_arg value)
{
    static const char call[] = "tsr_assign_mask";
    tsri_masking m = {0};
    uint64_t arguments = 0;
    tsr_status st = TSR_OK;

    if (array == NULL) return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "array is NULL");
    tsri_context *const context = array->layout->context;
    const bool single = tsri_value_is_single(&value);
    /* Then every rank has what it needs. */
    const bool quiet = single && !array->layout->geometry.node_shared &&
                       (mask == NULL || tsr_layout_equal(array->layout, mask->layout));
    TSRI_TRY(enter, tsri_mask_check(call, array, mask));
    TSRI_TRY(enter, tsri_value_check(call, &value, array));
    arguments = tsri_value_hash(fingerprint(call, array, mask), &value, tsri_gate_is_on(context));
enter:
    TSRI_TRY(done, enter(call, array, quiet, st, arguments));
    TSRI_TRY(done, tsri_masking_make(call, array, mask, &m));
    if (single)
        assign_plain(array, &m, &value);
    else
        TSRI_TRY(done, assign_several(call, array, &m, &value));
    tsri_array_clear_halo(array);
    tsri_array_meet(array);
done:
    tsri_masking_clear(&m);
    return st;
}
