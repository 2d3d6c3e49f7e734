#include "array/arg.h"

#include "kern/kern.h"

tsr_arg tsr_arg_array(const char *name, const tsr_array *array)
{
    return (tsr_arg){.name = name, .kind = TSR_ARG_ARRAY, .array = array};
}

static tsr_arg weak(const char *name, tsr_scalar value)
{
    return (tsr_arg){.name = name, .kind = TSR_ARG_WEAK, .scalar = value};
}

tsr_arg tsr_arg_bool(const char *name, bool value)
{
    return weak(name, tsr_bool(value));
}

tsr_arg tsr_arg_int(const char *name, int64_t value)
{
    return weak(name, tsr_i64(value));
}

tsr_arg tsr_arg_uint(const char *name, uint64_t value)
{
    return weak(name, value <= INT64_MAX ? tsr_i64((int64_t)value) : tsr_u64(value));
}

tsr_arg tsr_arg_real(const char *name, double value)
{
    return weak(name, tsr_f64(value));
}

tsr_arg tsr_arg_complex_parts(const char *name, double real, double imag)
{
    return weak(name, tsr_c128(real, imag));
}

tsr_arg tsr_arg_scalar(const char *name, tsr_scalar value)
{
    return (tsr_arg){.name = name, .kind = TSR_ARG_TYPED, .scalar = value};
}

tsr_arg tsr_arg_global(const char *name, tsr_dtype dtype, const void *data, int ndim,
                       const int64_t *shape, const int64_t *stride)
{
    return (tsr_arg){.name = name,
                     .kind = TSR_ARG_GLOBAL_DATA,
                     .data = data,
                     .dtype = dtype,
                     .ndim = ndim,
                     .shape = shape,
                     .stride = stride};
}

tsr_arg tsr_arg_storage(const char *name, tsr_dtype dtype, const void *data)
{
    return (tsr_arg){.name = name, .kind = TSR_ARG_STORAGE_DATA, .data = data, .dtype = dtype};
}

tsr_arg tsr_arg_text(const char *text)
{
    return (tsr_arg){.kind = TSR_ARG_TEXT, .text = text};
}

/* ---- checks ---------------------------------------------------------------------------------- */

static tsr_status check_global(const char *call, const tsr_arg *arg)
{
    tsr_status st = TSR_OK;
    bool empty = false;

    TSRI_CHECK_IN(call, done, arg->ndim >= 0 && arg->ndim <= TSR_MAX_NDIM, TSR_ERR_VALUE,
                  "\"%s\" has %d ax%cs, must be 0 to %d", arg->name, arg->ndim, TSRI_ES(arg->ndim),
                  TSR_MAX_NDIM);
    TSRI_CHECK_IN(call, done, arg->ndim == 0 || arg->shape != NULL, TSR_ERR_VALUE,
                  "the shape of \"%s\" is NULL", arg->name);
    for (int a = 0; a < arg->ndim; ++a) {
        TSRI_CHECK_IN(call, done, arg->shape[a] >= 0, TSR_ERR_VALUE,
                      "axis %d of \"%s\" has length %lld, must be >= 0", a, arg->name,
                      (long long)arg->shape[a]);
        empty = empty || arg->shape[a] == 0;
    }
    TSRI_CHECK_IN(call, done, empty || arg->data != NULL, TSR_ERR_VALUE,
                  "the data of \"%s\" is NULL", arg->name);
done:
    return st;
}

tsr_status tsri_arg_check(const char *call, const tsr_arg *arg)
{
    const bool plain = arg->kind == TSR_ARG_GLOBAL_DATA || arg->kind == TSR_ARG_STORAGE_DATA;
    tsr_status st = TSR_OK;

    if (plain)
        TSRI_CHECK_IN(call, done, tsri_dtype_valid(arg->dtype), TSR_ERR_TYPE,
                      "\"%s\" has no element type", arg->name);
    switch (arg->kind) {
    case TSR_ARG_ARRAY:
        TSRI_CHECK_IN(call, done, arg->array != NULL, TSR_ERR_VALUE, "the array \"%s\" is NULL",
                      arg->name);
        return TSR_OK;
    case TSR_ARG_WEAK:
    case TSR_ARG_TYPED:
        TSRI_CHECK_IN(call, done, tsri_dtype_valid(arg->scalar.dtype), TSR_ERR_VALUE,
                      "the number \"%s\" has no type", arg->name);
        return TSR_OK;
    case TSR_ARG_GLOBAL_DATA:
        return check_global(call, arg);
    case TSR_ARG_STORAGE_DATA:
    case TSR_ARG_TEXT:
        return TSR_OK;
    default:
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "\"%s\" is no kind of argument: %d", arg->name,
                            (int)arg->kind);
    }
done:
    return st;
}

void tsri_arg_strides(const tsr_arg *arg, int ndim, int64_t *stride)
{
    const int missing = ndim - arg->ndim;
    int64_t c_order[TSR_MAX_NDIM];

    tsri_c_strides(arg->ndim, arg->shape, c_order);
    for (int a = 0; a < ndim; ++a) {
        const int own = a - missing;
        const bool repeats = own < 0 || arg->shape[own] == 1;
        stride[a] = repeats ? 0 : arg->stride != NULL ? arg->stride[own] : c_order[own];
    }
}
