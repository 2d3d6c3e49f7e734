/* Reductions along axes: the calls. */
#include "reduce/along.h"

#include <math.h>

/* ---- totals, means, variances ---------------------------------------------------------------- */

/* What a call asks for. */
typedef enum quantity { QUANTITY_TOTAL, QUANTITY_MEAN, QUANTITY_VARIANCE, QUANTITY_ROOT } quantity;

typedef struct reduction {
    quantity quantity;
    tsr_op op; /* of totals */
    const tsri_whole *whole;
} reduction;

static void fold_totals(const tsri_frame *frame, const tsri_along *along, tsri_shares *shares)
{
    tsri_fold_totals(frame, along->operand, shares);
}

static int finish_means(const tsri_frame *frame, const tsri_along *along, tsri_shares *shares)
{
    const int parts = along->type.dtype[0] == TSR_C128 ? 2 : 1;
    double *const sum = shares->plane[0];

    for (int64_t i = 0; i < parts * shares->cells; ++i)
        sum[i] /= frame->count;
    return 0;
}

static void fold_moments(const tsri_frame *frame, const tsri_along *along, tsri_shares *shares)
{
    (void)along;
    tsri_fold_moments(frame, shares);
}

static int finish_variances(const tsri_frame *frame, const tsri_along *along, tsri_shares *shares)
{
    const double left = frame->count - (double)along->options.ddof;
    const double divisor = frame->count > 0 && left > 0 ? left : 0;
    double *const squares = shares->plane[2];

    for (int64_t i = 0; i < shares->cells; ++i) {
        const double variance = squares[i] / divisor;
        squares[i] = along->root ? sqrt(variance) : variance;
    }
    return 2;
}

/* Sums and products of real numbers go in double; integers in the result's own type, if asked for,
 * else as wide as there is. */
static tsr_dtype total_dtype(tsr_dtype result)
{
    return tsri_is_integer(result) ? result : tsri_wide_dtype(result);
}

static tsri_along along_of(const reduction *r, tsr_dtype dtype, const tsr_reduce_options *options)
{
    const bool truth = r->op == TSR_AND || r->op == TSR_OR;
    const bool extreme = r->op == TSR_MIN || r->op == TSR_MAX;
    tsri_along along = {
        .fold = fold_totals,
        .whole = r->whole,
        .options = {.dtype = options->dtype, .ddof = options->ddof, .flags = options->flags}};

    switch (r->quantity) {
    case QUANTITY_TOTAL:
        along.dtype = truth                        ? TSR_BOOL
                      : extreme                    ? dtype
                      : options->dtype != TSR_AUTO ? options->dtype
                                                   : tsri_sum_dtype(dtype);
        along.operand = options->dtype != TSR_AUTO ? options->dtype : truth ? TSR_BOOL : dtype;
        along.type =
            tsri_share_total(r->op, truth || extreme ? along.dtype : total_dtype(along.dtype));
        break;
    case QUANTITY_MEAN:
        along.dtype = tsri_mean_dtype(dtype);
        along.operand = dtype;
        along.type = tsri_share_total(TSR_SUM, tsri_wide_dtype(along.dtype));
        along.finish = finish_means;
        break;
    default:
        along.dtype = tsri_real_dtype(tsri_mean_dtype(dtype));
        along.type = tsri_share_moments(tsri_wide_dtype(tsri_mean_dtype(dtype)));
        along.fold = fold_moments;
        along.finish = finish_variances;
        along.root = r->quantity == QUANTITY_ROOT;
    }
    return along;
}

static tsr_status describe(const tsri_axes_call *call, const tsri_frame *frame,
                           const tsr_reduce_options *options, tsri_along *along)
{
    const reduction *r = call->kind;
    const tsri_geometry *g = &frame->layout->geometry;
    const bool extreme = r->op == TSR_MIN || r->op == TSR_MAX;
    tsr_status st = TSR_OK;

    for (int a = 0; a < g->ndim && extreme; ++a)
        TSRI_CHECK_IN(call->name, done, !tsri_frame_reduces(frame, a) || g->shape[a] > 0,
                      TSR_ERR_VALUE,
                      "axis %d has length 0: there is no smallest or largest element", a);
    *along = along_of(r, frame->source->dtype, options);
done:
    return st;
}

static tsr_status reduce(const char *name, const reduction *r, tsri_operands operands,
                         tsr_axes axes, const tsr_reduce_options *options, tsr_array **result)
{
    const bool typed = r->quantity == QUANTITY_TOTAL && (r->op == TSR_SUM || r->op == TSR_PROD);
    return tsri_reduce_axes(&(tsri_axes_call){.name = name,
                                              .operands = operands,
                                              .axes = axes,
                                              .options = options,
                                              .typed = typed,
                                              .kind = r,
                                              .describe = describe},
                            result);
}

/* ---- the calls ------------------------------------------------------------------------------- */

#define DEFINE_AXES(name, quantity, op, whole)                                                     \
    static const reduction reduction_##name = {quantity, op, &tsri_whole_##whole};                 \
    tsr_status tsr_##name##_axes(const tsr_array *array, tsr_axes axes,                            \
                                 const tsr_reduce_options *options, tsr_array **result)            \
    {                                                                                              \
        const tsri_operands operands = {.array = array};                                           \
        return reduce(__func__, &reduction_##name, operands, axes, options, result);               \
    }                                                                                              \
    tsr_status tsr_##name##_axes_exprv(tsr_axes axes, const tsr_reduce_options *options,           \
                                       tsr_array **result, const char *text, int count,            \
                                       const tsr_arg *args)                                        \
    {                                                                                              \
        const tsri_operands operands = tsri_of_text(text, count, args);                            \
        return reduce("tsr_" #name "_axes_expr", &reduction_##name, operands, axes, options,       \
                      result);                                                                     \
    }
DEFINE_AXES(sum, QUANTITY_TOTAL, TSR_SUM, sum)
DEFINE_AXES(prod, QUANTITY_TOTAL, TSR_PROD, product)
DEFINE_AXES(min, QUANTITY_TOTAL, TSR_MIN, min)
DEFINE_AXES(max, QUANTITY_TOTAL, TSR_MAX, max)
DEFINE_AXES(all, QUANTITY_TOTAL, TSR_AND, all)
DEFINE_AXES(any, QUANTITY_TOTAL, TSR_OR, any)
DEFINE_AXES(mean, QUANTITY_MEAN, TSR_SUM, mean)
DEFINE_AXES(var, QUANTITY_VARIANCE, TSR_SUM, variance)
DEFINE_AXES(std, QUANTITY_ROOT, TSR_SUM, deviation)
