/* Places of extremes along an axis. */
#include "reduce/along.h"

static void fold(const tsri_frame *frame, const tsri_along *along, tsri_shares *shares)
{
    tsri_fold_positions(frame, along->max, shares);
}

/* The indices are in the second plane, after the keys. */
static int finish(const tsri_frame *frame, const tsri_along *along, tsri_shares *shares)
{
    (void)frame;
    (void)along;
    (void)shares;
    return 1;
}

static tsr_status describe(const tsri_axes_call *call, const tsri_frame *frame,
                           const tsr_reduce_options *options, tsri_along *along)
{
    const bool *max = call->kind;
    const tsri_source *source = frame->source;
    tsr_status st = TSR_OK;
    (void)options;

    TSRI_CHECK_IN(call->name, done, !tsri_is_complex(source->dtype), TSR_ERR_TYPE,
                  "the array is %s, must be real: complex numbers have no order here",
                  tsr_dtype_name(source->dtype));
    TSRI_CHECK_IN(call->name, done, source->layout->geometry.cells > 0, TSR_ERR_VALUE,
                  "the array has no elements");
    *along = (tsri_along){.type = tsri_share_position(),
                          .dtype = TSR_I64,
                          .fold = fold,
                          .finish = finish,
                          .max = *max};
done:
    return st;
}

static tsr_status find(const char *name, bool max, tsri_operands operands, int axis,
                       const tsr_reduce_options *options, tsr_array **result)
{
    return tsri_reduce_axes(&(tsri_axes_call){.name = name,
                                              .operands = operands,
                                              .one_axis = true,
                                              .axis = axis,
                                              .options = options,
                                              .kind = &max,
                                              .describe = describe},
                            result);
}

#define DEFINE_POSITION(name, max)                                                                 \
    tsr_status tsr_##name##_axis(const tsr_array *array, int axis,                                 \
                                 const tsr_reduce_options *options, tsr_array **result)            \
    {                                                                                              \
        return find(__func__, max, (tsri_operands){.array = array}, axis, options, result);        \
    }                                                                                              \
    tsr_status tsr_##name##_axis_exprv(int axis, const tsr_reduce_options *options,                \
                                       tsr_array **result, const char *text, int count,            \
                                       const tsr_arg *args)                                        \
    {                                                                                              \
        const tsri_operands operands = tsri_of_text(text, count, args);                            \
        return find("tsr_" #name "_axis_expr", max, operands, axis, options, result);              \
    }
DEFINE_POSITION(argmin, false)
DEFINE_POSITION(argmax, true)
