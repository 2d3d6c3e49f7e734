/* The calls that reduce whole arrays, and expressions over them. */
#include "reduce/whole.h"

/* ---- a scalar -------------------------------------------------------------------------------- */

#define DEFINE_CALL(name, kind)                                                                    \
    tsr_status tsr_##name(const tsr_array *array, tsr_scalar *result)                              \
    {                                                                                              \
        return tsri_reduce_array(__func__, &tsri_whole_##kind, array, NULL, result);               \
    }                                                                                              \
    tsr_status tsr_##name##_exprv(tsr_scalar *result, const char *text, int count,                 \
                                  const tsr_arg *args)                                             \
    {                                                                                              \
        return reduce_text("tsr_" #name "_expr", &tsri_whole_##kind, text, count, args, result);   \
    }
#define DEFINE_CALL_WITH(name, kind)                                                               \
    tsr_status tsr_##name##_with(const tsr_array *array, const tsr_reduce_options *options,        \
                                 tsr_scalar *result)                                               \
    {                                                                                              \
        return tsri_reduce_array(__func__, &tsri_whole_##kind, array, options, result);            \
    }

static tsr_status reduce_text(const char *name, const tsri_whole *kind, const char *text, int count,
                              const tsr_arg *args, tsr_scalar *result)
{
    const tsri_operands operands = tsri_of_text(text, count, args);
    tsr_scalar value = {.dtype = TSR_AUTO};
    const tsr_status st = tsri_reduce_whole(name, kind, &operands, (tsri_ask){0}, result, &value);
    if (result != NULL) *result = value;
    return st;
}

DEFINE_CALL(sum, sum)
DEFINE_CALL(prod, product)
DEFINE_CALL(min, min)
DEFINE_CALL(max, max)
DEFINE_CALL(mean, mean)
DEFINE_CALL(var, variance)
DEFINE_CALL(std, deviation)
DEFINE_CALL_WITH(sum, sum)
DEFINE_CALL_WITH(prod, product)
DEFINE_CALL_WITH(mean, mean)
DEFINE_CALL_WITH(var, variance)
DEFINE_CALL_WITH(std, deviation)

/* ---- a truth, a place, a norm ---------------------------------------------------------------- */

static tsr_status find_truth(const char *name, const tsri_whole *kind,
                             const tsri_operands *operands, bool *truth)
{
    tsr_scalar value = tsr_bool(false);
    const tsr_status st = tsri_reduce_whole(name, kind, operands, (tsri_ask){0}, truth, &value);
    if (truth != NULL) *truth = value.as.b;
    return st;
}

static tsr_status find_place(const char *name, const tsri_whole *kind,
                             const tsri_operands *operands, int64_t *cell)
{
    tsr_scalar value = tsr_i64(-1);
    const tsr_status st = tsri_reduce_whole(name, kind, operands, (tsri_ask){0}, cell, &value);
    if (cell != NULL) *cell = value.as.i;
    return st;
}

static tsr_status find_norm(const char *name, const tsri_operands *operands, double order,
                            double *norm)
{
    tsr_scalar value = tsr_f64(0);
    const tsr_status st = tsri_reduce_whole(name, &tsri_whole_norm, operands,
                                            (tsri_ask){.order = order}, norm, &value);
    if (norm != NULL) *norm = value.as.f;
    return st;
}

#define DEFINE_FINDER(name, find, type)                                                            \
    tsr_status tsr_##name(const tsr_array *array, type *result)                                    \
    {                                                                                              \
        return find(__func__, &tsri_whole_##name, &(tsri_operands){.array = array}, result);       \
    }
#define DEFINE_FINDER_OF_TEXT(name, find, type)                                                    \
    tsr_status tsr_##name##_exprv(type *result, const char *text, int count, const tsr_arg *args)  \
    {                                                                                              \
        const tsri_operands operands = tsri_of_text(text, count, args);                            \
        return find("tsr_" #name "_expr", &tsri_whole_##name, &operands, result);                  \
    }
DEFINE_FINDER(all, find_truth, bool)
DEFINE_FINDER(any, find_truth, bool)
DEFINE_FINDER(truth, find_truth, bool)
DEFINE_FINDER(argmin, find_place, int64_t)
DEFINE_FINDER(argmax, find_place, int64_t)
DEFINE_FINDER_OF_TEXT(all, find_truth, bool)
DEFINE_FINDER_OF_TEXT(any, find_truth, bool)
DEFINE_FINDER_OF_TEXT(argmin, find_place, int64_t)
DEFINE_FINDER_OF_TEXT(argmax, find_place, int64_t)

tsr_status tsr_norm(const tsr_array *array, double order, double *norm)
{
    return find_norm(__func__, &(tsri_operands){.array = array}, order, norm);
}

tsr_status tsr_norm_exprv(double order, double *norm, const char *text, int count,
                          const tsr_arg *args)
{
    const tsri_operands operands = tsri_of_text(text, count, args);
    return find_norm("tsr_norm_expr", &operands, order, norm);
}
