#include "move/value.h"

#include "base/checked.h"
#include "kern/kern.h"

/* ---- checks ---------------------------------------------------------------------------------- */

/* Trailing axes are aligned, a length of 1 repeats; axes in front of the others have length 1. */
static tsr_status check_shape(const char *call, const tsri_target *t, int ndim,
                              const int64_t *shape)
{
    const int missing = t->ndim - ndim;
    tsr_status st = TSR_OK;

    for (int v = 0; v < ndim; ++v) {
        const int a = v + missing;
        TSRI_CHECK_IN(call, done, a >= 0 || shape[v] == 1, TSR_ERR_VALUE,
                      "the value has %d axes, but what is selected has %d", ndim, t->ndim);
        TSRI_CHECK_IN(call, done, a < 0 || shape[v] == 1 || shape[v] == t->shape[a], TSR_ERR_VALUE,
                      "axis %d of the value has length %lld, must be 1 or %lld as in what is "
                      "selected",
                      v, (long long)shape[v], (long long)t->shape[a]);
    }
done:
    return st;
}

tsr_status tsri_value_check(const char *call, const tsr_arg *value, const tsri_target *target)
{
    tsr_arg named = *value;
    tsr_status st = TSR_OK;

    named.name = "value";
    TSRI_TRY(done, tsri_arg_check(call, &named));
    TSRI_CHECK_IN(call, done, target->array->storage->pending == 0, TSR_ERR_STATE,
                  "an exchange of the array is pending; finish it first");
    switch (value->kind) {
    case TSR_ARG_WEAK:
    case TSR_ARG_TYPED:
        return TSR_OK;
    case TSR_ARG_GLOBAL_DATA:
        return check_shape(call, target, value->ndim, value->shape);
    case TSR_ARG_ARRAY:
        TSRI_CHECK_IN(call, done, value->array->layout->context == target->array->layout->context,
                      TSR_ERR_VALUE, "the array and the value have different communicators");
        return check_shape(call, target, value->array->layout->geometry.ndim,
                           value->array->layout->geometry.shape);
    default:
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                            "a value is an array, a number or a plain array of all its cells");
    }
done:
    return st;
}

/* ---- fingerprints ---------------------------------------------------------------------------- */

static uint64_t hash_cells(uint64_t hash, const tsr_arg *value)
{
    const size_t size = tsr_dtype_size(value->dtype);
    const unsigned char *cell = value->data;
    int64_t index[TSR_MAX_NDIM] = {0}, stride[TSR_MAX_NDIM];

    tsri_arg_strides(value, value->ndim, stride);
    for (int a = 0; a < value->ndim; ++a)
        if (value->shape[a] == 0) return hash;
    for (int a = 0; a >= 0;) {
        hash = tsri_hash(hash, cell, size);
        for (a = value->ndim - 1; a >= 0; --a) {
            cell += stride[a] * (int64_t)size;
            if (++index[a] < value->shape[a]) break;
            cell -= value->shape[a] * stride[a] * (int64_t)size;
            index[a] = 0;
        }
    }
    return hash;
}

uint64_t tsri_value_hash(uint64_t hash, const tsr_arg *value, bool contents)
{
    const tsr_array *array = value->array;

    hash = tsri_hash(hash, &value->kind, sizeof value->kind);
    switch (value->kind) {
    case TSR_ARG_ARRAY: {
        const uint64_t layout = tsr_layout_hash(array->layout);
        return tsri_hash(tsri_hash(hash, &layout, sizeof layout), &array->dtype,
                         sizeof array->dtype);
    }
    case TSR_ARG_GLOBAL_DATA:
        hash = tsri_hash(hash, &value->dtype, sizeof value->dtype);
        hash = tsri_hash(hash, value->shape, (size_t)value->ndim * sizeof *value->shape);
        return contents ? hash_cells(hash, value) : hash;
    default:
        return tsri_hash_scalar(hash, value->scalar);
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

bool tsri_value_is_plain(const tsr_arg *value)
{
    return value->kind != TSR_ARG_ARRAY;
}

void tsri_value_plain(const tsr_arg *value, tsr_dtype dtype, int ndim, tsri_plain *plain)
{
    *plain = (tsri_plain){.dtype = dtype};
    if (value->kind == TSR_ARG_GLOBAL_DATA) {
        plain->data = value->data;
        plain->dtype = value->dtype;
        tsri_arg_strides(value, ndim, plain->stride);
    } else {
        plain->data = plain->element;
        tsri_scalar_store(value->scalar, dtype, plain->element);
    }
}

tsr_status tsri_value_converted(const char *call, const tsr_array *value, const tsr_array *into,
                                tsr_array **converted)
{
    const tsri_geometry *g = &value->layout->geometry;
    tsr_status st = TSR_OK;

    *converted = NULL;
    if (value->dtype == into->dtype && value->storage != into->storage) return TSR_OK;
    TSRI_TRY(done, tsri_array_make(value->layout, into->dtype, call, converted));
    if (value->cells > 0)
        tsri_kern_get()->convert(g->ndim, value->extent, into->dtype, tsri_array_origin(*converted),
                                 (*converted)->stride, value->dtype, tsri_array_origin(value),
                                 value->stride);
done:
    return st;
}
