/* Places of extremes along an axis. */
#include "base/checked.h"
#include "base/gate.h"
#include "reduce/frame.h"

#include <string.h>

static void fold(const tsri_frame *frame, const tsri_along *along, tsri_shares *shares)
{
    tsri_fold_positions(frame, along->max, shares);
}

static int finish(const tsri_frame *frame, const tsri_along *along, tsri_shares *shares)
{
    (void)frame;
    (void)along;
    (void)shares;
    return 1;
}

static tsr_status find(const char *name, const tsr_array *array, int axis, bool max,
                       const tsr_reduce_options *options, tsr_array **result)
{
    const tsri_along along = {.type = tsri_share_position(),
                              .dtype = TSR_I64,
                              .fold = fold,
                              .finish = finish,
                              .max = max};
    tsr_reduce_options checked;
    tsri_frame frame;
    uint64_t arguments = TSRI_HASH_START;
    tsr_status st = TSR_OK;
    int along_axis = axis;

    if (result != NULL) *result = NULL;
    if (array == NULL) return TSRI_FAIL_IN(name, TSR_ERR_VALUE, "array is NULL");
    const tsri_geometry *g = &array->layout->geometry;
    TSRI_TRY(fail, tsri_enter(array->layout->context, false, "%s", name));

    frame = tsri_frame_make(name, array, 0, false);
    TSRI_CHECK_IN(name, reduce, result != NULL, TSR_ERR_VALUE, "no place for the result (NULL)");
    TSRI_TRY(reduce, tsri_options_check(name, options, false, &checked));
    TSRI_CHECK_IN(name, reduce, tsri_axis_normalise(g->ndim, &along_axis), TSR_ERR_AXIS,
                  "axis is %d, but the array has %d axes", axis, g->ndim);
    TSRI_CHECK_IN(name, reduce, !tsri_is_complex(array->dtype), TSR_ERR_TYPE,
                  "the array is %s, must be real: complex numbers have no order here",
                  tsr_dtype_name(array->dtype));
    TSRI_CHECK_IN(name, reduce, g->cells > 0, TSR_ERR_VALUE, "the array has no elements");
    frame = tsri_frame_make(name, array, TSR_AXIS(along_axis), checked.keep);
    arguments = tsri_hash(tsri_options_hash(arguments, &checked), name, strlen(name));
    arguments = tsri_hash(arguments, &along_axis, sizeof along_axis);
    arguments = tsri_hash(arguments, &array->dtype, sizeof array->dtype);
reduce:
    st = tsri_reduce_along(&frame, &along, st, arguments, result);
fail:
    return st;
}

tsr_status tsr_argmin_axis(const tsr_array *array, int axis, const tsr_reduce_options *options,
                           tsr_array **result)
{
    return find(__func__, array, axis, false, options, result);
}

tsr_status tsr_argmax_axis(const tsr_array *array, int axis, const tsr_reduce_options *options,
                           tsr_array **result)
{
    return find(__func__, array, axis, true, options, result);
}
