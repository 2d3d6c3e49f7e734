#include "move/value.h"

#include "base/checked.h"
#include "base/numbering.h"
#include "kern/kern.h"

/* ---- checks ---------------------------------------------------------------------------------- */

tsr_status tsri_value_check(const char *call, const tsr_arg *value, const tsr_array *array)
{
    tsr_arg named = *value;
    tsr_status st = TSR_OK;

    named.name = "value";
    TSRI_TRY(done, tsri_arg_check(call, &named));
    TSRI_CHECK_IN(call, done, value->kind != TSR_ARG_STORAGE_DATA && value->kind != TSR_ARG_TEXT,
                  TSR_ERR_VALUE, "a value is an array, a number or global data");
    if (value->kind == TSR_ARG_ARRAY)
        TSRI_TRY(done,
                 tsri_numbering_check(call, array->layout->context, value->array->layout->context));
    TSRI_CHECK_IN(call, done, array->storage->pending == 0, TSR_ERR_STATE,
                  "an exchange of the array is pending; finish it first");
done:
    return st;
}

/* The lengths of a value; returns their number. */
static int value_shape(const tsr_arg *value, const int64_t **shape)
{
    const bool array = value->kind == TSR_ARG_ARRAY && value->array != NULL;

    *shape = array ? value->array->layout->geometry.shape : value->shape;
    return array                                ? value->array->layout->geometry.ndim
           : value->kind == TSR_ARG_GLOBAL_DATA ? value->ndim
                                                : 0;
}

/* Trailing axes are aligned, a length of 1 repeats; axes in front of the others have length 1. */
tsr_status tsri_value_check_shape(const char *call, const tsr_arg *value, int ndim,
                                  const int64_t *shape)
{
    const int64_t *own;
    const int axes = value_shape(value, &own), missing = ndim - axes;
    tsr_status st = TSR_OK;

    for (int v = 0; v < axes; ++v) {
        const int a = v + missing;
        TSRI_CHECK_IN(call, done, a >= 0 || own[v] == 1, TSR_ERR_VALUE,
                      "the value has %d ax%cs, but what is selected has %d", axes, TSRI_ES(axes),
                      ndim);
        TSRI_CHECK_IN(call, done, a < 0 || own[v] == 1 || own[v] == shape[a], TSR_ERR_VALUE,
                      "axis %d of the value has length %lld, must be 1 or %lld as in what is "
                      "selected",
                      v, (long long)own[v], (long long)shape[a]);
    }
done:
    return st;
}

bool tsri_value_is_plain(const tsr_arg *value)
{
    return value->kind != TSR_ARG_ARRAY ||
           (value->array != NULL && value->array->layout->geometry.whole);
}

bool tsri_value_is_single(const tsr_arg *value)
{
    const int64_t *shape;
    const int ndim = value_shape(value, &shape);

    for (int a = 0; a < ndim; ++a)
        if (shape == NULL || a == TSR_MAX_NDIM || shape[a] != 1) return false;
    return tsri_value_is_plain(value);
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
    hash = tsri_hash(hash, &value->kind, sizeof value->kind);
    switch (value->kind) {
    case TSR_ARG_ARRAY:
        return tsri_hash_array(hash, value->array);
    case TSR_ARG_GLOBAL_DATA:
        hash = tsri_hash(hash, &value->dtype, sizeof value->dtype);
        hash = tsri_hash(hash, value->shape, (size_t)value->ndim * sizeof *value->shape);
        return contents ? hash_cells(hash, value) : hash;
    default:
        return tsri_hash_scalar(hash, value->scalar);
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

void tsri_value_plain(const tsr_arg *value, tsr_dtype dtype, int ndim, tsri_plain *plain)
{
    tsr_arg data = *value;

    *plain = (tsri_plain){.dtype = dtype};
    if (value->kind == TSR_ARG_ARRAY)
        data = tsr_arg_global(value->name, value->array->dtype, tsri_array_origin(value->array),
                              value->array->layout->geometry.ndim,
                              value->array->layout->geometry.shape, value->array->stride);
    if (data.kind == TSR_ARG_GLOBAL_DATA) {
        plain->data = data.data;
        plain->dtype = data.dtype;
        tsri_arg_strides(&data, ndim, plain->stride);
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
    if (value->dtype == into->dtype && !tsri_storage_overlaps(value->storage, into->storage))
        return TSR_OK;
    TSRI_TRY(done, tsri_array_make(value->layout, into->dtype, call, converted));
    if (value->cells > 0)
        tsri_kern_get()->convert(g->ndim, value->extent, into->dtype, tsri_array_origin(*converted),
                                 (*converted)->stride, value->dtype, tsri_array_origin(value),
                                 value->stride);
done:
    return st;
}
