/* Reductions along axes: what all calls share. */
#include "reduce/along.h"
#include "base/checked.h"
#include "base/gate.h"
#include "kern/kern.h"

#include <string.h>

/* ---- the values ------------------------------------------------------------------------------ */

/* Where the shares may be the result itself: they stay, and are of its type. */
static void *shares_place(const tsri_frame *frame, const tsri_along *along,
                          const tsr_layout *layout, const tsr_array *array)
{
    const tsri_share_type *type = &along->type;
    const bool same = type->planes == 1 && type->dtype[0] == along->dtype;

    return same && tsri_frame_stays(frame, layout) ? tsri_array_origin(array) : NULL;
}

/* This rank's share, then that of all ranks.  `array` is NULL where it could not be made, as
 * `status` says. */
static tsr_status fill(const tsri_frame *frame, const tsri_along *along, const tsr_layout *layout,
                       tsr_status status, tsr_array *array)
{
    const int64_t one = 1;
    tsri_source *const source = frame->source;
    tsri_shares shares = {0};

    if (status == TSR_OK)
        status = tsri_shares_make(&along->type, frame->cells,
                                  shares_place(frame, along, layout, array), &shares);
    /* no rank may be left alone with the evaluation of an expression */
    if (source->run != NULL) status = tsri_agree(layout->context, status, 0);
    if (status == TSR_OK) along->fold(frame, along, &shares);
    if (status == TSR_OK) status = source->status;
    status = tsri_merge_shares(frame, layout, status, &along->type, &shares);
    if (status == TSR_OK && array->cells > 0) {
        const int plane = along->finish == NULL ? 0 : along->finish(frame, along, &shares);
        if (shares.plane[plane] != tsri_array_origin(array))
            tsri_kern_get()->convert(1, &array->cells, array->dtype, tsri_array_origin(array), &one,
                                     along->type.dtype[plane], shares.plane[plane], &one);
    }
    tsri_shares_free(&shares);
    return status;
}

/* The same from the value of the whole. */
static tsr_status fill_whole(const tsri_frame *frame, const tsri_along *along,
                             const tsr_layout *layout, tsr_status status, tsr_array *array)
{
    const tsri_call call = {.name = frame->name, .layout = frame->layout};
    tsri_ask ask = {.options = along->options};
    tsr_scalar value;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_agree(layout->context, status, 0));
    TSRI_TRY(done, tsri_reduce_source(&call, along->whole, frame->source, &ask, st, &value));
    tsri_array_fill(array, value);
done:
    return st;
}

/* Make the result.  `status` says what failed before, when the frame need not be complete. */
static tsr_status make_result(const tsri_frame *frame, const tsri_along *along, tsr_status status,
                              uint64_t arguments, tsr_array **result)
{
    const tsr_layout *from = frame->layout;
    tsr_status st = status;
    tsr_layout *made = NULL, *layout = NULL;
    tsr_array *array = NULL;

    if (st == TSR_OK) st = tsri_frame_layout(frame, &made);
    arguments ^= tsr_layout_hash(from);
    st = tsri_layout_finish(from->context, st, arguments, &tsri_layout_defaults, made, &layout);
    if (frame->source->run != NULL) tsri_run_settle(frame->source->run, st == TSR_OK);
    TSRI_TRY(fail, st);
    st = tsri_array_make(layout, along->dtype, frame->name, &array);
    if (along->whole != NULL && tsri_frame_reduces_all(frame))
        st = fill_whole(frame, along, layout, st, array);
    else
        st = fill(frame, along, layout, st, array);
    TSRI_TRY(fail, st);
    *result = array;
    array = NULL;
fail:
    tsri_array_free(array);
    tsri_layout_unref(layout);
    return st;
}

/* ---- a call ---------------------------------------------------------------------------------- */

/* The axes that go, as a set. */
static tsr_status find_axes(const tsri_axes_call *call, int ndim, tsr_axes *reduced)
{
    int axis = call->axis;
    tsr_status st = TSR_OK;

    *reduced = call->axes;
    if (call->one_axis) {
        TSRI_TRY(done, tsri_axis_check(call->name, TSR_ERR_AXIS, "array", ndim, &axis));
        *reduced = TSR_AXIS(axis);
    }
    st = tsri_axes_check(call->name, TSR_ERR_AXIS, "axes", "array", ndim, reduced);
done:
    return st;
}

/* The call, once entered.  `status` says what failed on this rank before. */
static tsr_status reduce(const tsri_axes_call *call, tsri_source *source, tsr_status status,
                         uint64_t arguments, tsr_array **result)
{
    const char *name = call->name;
    tsr_reduce_options checked;
    tsr_axes reduced = 0;
    tsri_frame frame = tsri_frame_make(name, source, 0, false);
    tsri_along along = {0};
    tsr_status st = TSR_OK;

    TSRI_TRY(make, status);
    TSRI_CHECK_IN(name, make, result != NULL, TSR_ERR_VALUE, "no place for the result (NULL)");
    TSRI_TRY(make, tsri_options_check(name, call->options, call->typed, &checked));
    TSRI_TRY(make, find_axes(call, source->layout->geometry.ndim, &reduced));
    frame = tsri_frame_make(name, source, reduced, checked.keep);
    TSRI_TRY(make, call->describe(call, &frame, &checked, &along));
    arguments = tsri_hash(tsri_options_hash(arguments, &checked), name, strlen(name));
    arguments = tsri_hash(arguments, &reduced, sizeof reduced);
    arguments = tsri_hash(arguments, &source->dtype, sizeof source->dtype);
make:
    return make_result(&frame, &along, st, arguments, result);
}

tsr_status tsri_reduce_axes(const tsri_axes_call *call, tsr_array **result)
{
    const tsri_operands *o = &call->operands;
    tsri_run run = {.like = o->array};
    tsri_source source;
    tsr_status st = TSR_OK, prepared = TSR_OK;

    if (result != NULL) *result = NULL;
    if (o->expression)
        prepared = tsri_run_prepare(call->name, o->text, o->count, o->args, TSR_AUTO, &run);
    else if (o->array == NULL)
        prepared = TSRI_FAIL_IN(call->name, TSR_ERR_VALUE, "array is NULL");
    if (run.like == NULL) return prepared; /* there is nobody to agree with */
    source = o->expression ? (tsri_source){.layout = run.layout, .dtype = run.dtype, .run = &run}
                           : tsri_source_of(o->array);
    TSRI_TRY(fail, tsri_enter(source.layout->context, false, "%s", call->name));
    return reduce(call, &source, prepared, o->expression ? tsri_run_hash(&run) : TSRI_HASH_START,
                  result);
fail:
    if (o->expression) tsri_run_settle(&run, false);
    return st;
}
