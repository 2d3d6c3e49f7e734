/* Reductions along axes: the calls. */
#include "base/checked.h"
#include "base/gate.h"
#include "kern/kern.h"
#include "reduce/frame.h"

#include <math.h>
#include <string.h>

/* ---- totals, means, variances ---------------------------------------------------------------- */

/* What a call asks for. */
typedef enum quantity { QUANTITY_TOTAL, QUANTITY_MEAN, QUANTITY_VARIANCE, QUANTITY_ROOT } quantity;

typedef struct reduction {
    quantity quantity;
    tsr_op op; /* of totals */
    tsr_status (*whole)(const tsr_array *array, const tsr_reduce_options *options,
                        tsr_scalar *value);
} reduction;

static void fold_totals(const tsri_frame *frame, const tsri_along *along, tsri_shares *shares)
{
    tsri_fold_totals(frame, along->operand, shares);
}

static int finish_totals(const tsri_frame *frame, const tsri_along *along, tsri_shares *shares)
{
    (void)frame;
    (void)along;
    (void)shares;
    return 0;
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

static tsri_along describe(const reduction *r, tsr_dtype dtype, const tsr_reduce_options *options)
{
    const bool truth = r->op == TSR_AND || r->op == TSR_OR;
    const bool extreme = r->op == TSR_MIN || r->op == TSR_MAX;
    tsri_along along = {
        .fold = fold_totals,
        .finish = finish_totals,
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

static tsr_status check(const char *name, const reduction *r, const tsri_frame *frame)
{
    const tsri_geometry *g = &frame->array->layout->geometry;
    tsr_status st = TSR_OK;

    if (r->op != TSR_MIN && r->op != TSR_MAX) return TSR_OK;
    for (int a = 0; a < g->ndim; ++a)
        TSRI_CHECK_IN(name, done, !tsri_frame_reduces(frame, a) || g->shape[a] > 0, TSR_ERR_VALUE,
                      "axis %d has length 0: there is no smallest or largest element", a);
done:
    return st;
}

static tsr_status reduce(const char *name, const reduction *r, const tsr_array *array,
                         tsr_axes axes, const tsr_reduce_options *options, tsr_array **result)
{
    const bool typed = r->quantity == QUANTITY_TOTAL && (r->op == TSR_SUM || r->op == TSR_PROD);
    tsr_reduce_options checked;
    tsr_axes reduced = axes;
    tsri_frame frame;
    tsri_along along = {0};
    uint64_t arguments = TSRI_HASH_START;
    tsr_status st = TSR_OK;

    if (result != NULL) *result = NULL;
    if (array == NULL) return TSRI_FAIL_IN(name, TSR_ERR_VALUE, "array is NULL");
    const int ndim = array->layout->geometry.ndim;
    TSRI_TRY(fail, tsri_enter(array->layout->context, false, "%s", name));

    frame = tsri_frame_make(name, array, 0, false);
    TSRI_CHECK_IN(name, reduce, result != NULL, TSR_ERR_VALUE, "no place for the result (NULL)");
    TSRI_TRY(reduce, tsri_options_check(name, options, typed, &checked));
    TSRI_CHECK_IN(name, reduce, tsri_axes_normalise(ndim, &reduced), TSR_ERR_AXIS,
                  "axes is 0x%x, which has axes beyond the array's %d", (unsigned)axes, ndim);
    frame = tsri_frame_make(name, array, reduced, checked.keep);
    TSRI_TRY(reduce, check(name, r, &frame));
    along = describe(r, array->dtype, &checked);
    arguments = tsri_hash(tsri_options_hash(arguments, &checked), name, strlen(name));
    arguments = tsri_hash(arguments, &reduced, sizeof reduced);
    arguments = tsri_hash(arguments, &array->dtype, sizeof array->dtype);
reduce:
    st = tsri_reduce_along(&frame, &along, st, arguments, result);
fail:
    return st;
}

/* ---- the calls ------------------------------------------------------------------------------- */

static tsr_status whole_min(const tsr_array *array, const tsr_reduce_options *options,
                            tsr_scalar *value)
{
    (void)options;
    return tsr_min(array, value);
}

static tsr_status whole_max(const tsr_array *array, const tsr_reduce_options *options,
                            tsr_scalar *value)
{
    (void)options;
    return tsr_max(array, value);
}

static tsr_status whole_all(const tsr_array *array, const tsr_reduce_options *options,
                            tsr_scalar *value)
{
    bool all = false;
    (void)options;
    const tsr_status st = tsr_all(array, &all);
    *value = tsr_bool(all);
    return st;
}

static tsr_status whole_any(const tsr_array *array, const tsr_reduce_options *options,
                            tsr_scalar *value)
{
    bool any = false;
    (void)options;
    const tsr_status st = tsr_any(array, &any);
    *value = tsr_bool(any);
    return st;
}

#define DEFINE_AXES(name, quantity, op, whole)                                                     \
    tsr_status tsr_##name##_axes(const tsr_array *array, tsr_axes axes,                            \
                                 const tsr_reduce_options *options, tsr_array **result)            \
    {                                                                                              \
        static const reduction r = {quantity, op, whole};                                          \
        return reduce(__func__, &r, array, axes, options, result);                                 \
    }
DEFINE_AXES(sum, QUANTITY_TOTAL, TSR_SUM, tsr_sum_with)
DEFINE_AXES(prod, QUANTITY_TOTAL, TSR_PROD, tsr_prod_with)
DEFINE_AXES(min, QUANTITY_TOTAL, TSR_MIN, whole_min)
DEFINE_AXES(max, QUANTITY_TOTAL, TSR_MAX, whole_max)
DEFINE_AXES(all, QUANTITY_TOTAL, TSR_AND, whole_all)
DEFINE_AXES(any, QUANTITY_TOTAL, TSR_OR, whole_any)
DEFINE_AXES(mean, QUANTITY_MEAN, TSR_SUM, tsr_mean_with)
DEFINE_AXES(var, QUANTITY_VARIANCE, TSR_SUM, tsr_var_with)
DEFINE_AXES(std, QUANTITY_ROOT, TSR_SUM, tsr_std_with)
