/* New arrays: of one value, of none, and copies in the same or another type. */
#include "array/array.h"
#include "base/checked.h"
#include "kern/kern.h"

#include <string.h>

/* An array of one value; of none (poison or whatever the memory holds) when `value` is NULL. */
static tsr_status create_filled(tsr_layout *layout, tsr_dtype dtype, const tsr_scalar *value,
                                const char *call, tsr_array **array)
{
    tsr_status st = TSR_OK;
    uint64_t fingerprint = TSRI_HASH_START;

    if (value != NULL) {
        fingerprint = tsri_hash_scalar(fingerprint, *value);
        if (!tsri_dtype_valid(value->dtype))
            st = TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                              "value has type %d, must be TSR_BOOL to TSR_C128", (int)value->dtype);
    }
    st = tsri_array_create_after(st, layout, dtype, call, fingerprint, array);
    if (st != TSR_OK || value == NULL) return st;
    tsri_array_fill(*array, *value);
    tsri_array_meet(*array);
    return TSR_OK;
}

static tsr_status create_like(const tsr_array *like, const tsr_scalar *value, const char *call,
                              tsr_array **array)
{
    if (array != NULL) *array = NULL;
    if (like == NULL) return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "like is NULL");
    const tsr_status st = create_filled(like->layout, like->dtype, value, call, array);
    if (st == TSR_OK) memcpy((*array)->boundary, like->boundary, sizeof like->boundary);
    return st;
}

tsr_status tsr_empty(tsr_layout *layout, tsr_dtype dtype, tsr_array **array)
{
    return create_filled(layout, dtype, NULL, __func__, array);
}

tsr_status tsr_zeros(tsr_layout *layout, tsr_dtype dtype, tsr_array **array)
{
    const tsr_scalar zero = tsr_i64(0);
    return create_filled(layout, dtype, &zero, __func__, array);
}

tsr_status tsr_ones(tsr_layout *layout, tsr_dtype dtype, tsr_array **array)
{
    const tsr_scalar one = tsr_i64(1);
    return create_filled(layout, dtype, &one, __func__, array);
}

tsr_status tsr_full(tsr_layout *layout, tsr_dtype dtype, tsr_scalar value, tsr_array **array)
{
    return create_filled(layout, dtype == TSR_AUTO ? value.dtype : dtype, &value, __func__, array);
}

tsr_status tsr_empty_like(const tsr_array *like, tsr_array **array)
{
    return create_like(like, NULL, __func__, array);
}

tsr_status tsr_zeros_like(const tsr_array *like, tsr_array **array)
{
    const tsr_scalar zero = tsr_i64(0);
    return create_like(like, &zero, __func__, array);
}

tsr_status tsr_ones_like(const tsr_array *like, tsr_array **array)
{
    const tsr_scalar one = tsr_i64(1);
    return create_like(like, &one, __func__, array);
}

tsr_status tsr_full_like(const tsr_array *like, tsr_scalar value, tsr_array **array)
{
    return create_like(like, &value, __func__, array);
}

/* ---- copies ---------------------------------------------------------------------------------- */

static tsr_status create_converted(const tsr_array *array, tsr_dtype dtype, const char *call,
                                   tsr_array **copy)
{
    tsr_status st = TSR_OK;

    if (copy != NULL) *copy = NULL;
    if (array == NULL) return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "array is NULL");
    if (array->storage->pending != 0)
        st = TSRI_FAIL_IN(call, TSR_ERR_STATE,
                          "an exchange of the array is pending; finish it first");
    st = tsri_array_create_after(st, array->layout, dtype, call, TSRI_HASH_START, copy);
    if (st != TSR_OK) return st;
    memcpy((*copy)->boundary, array->boundary, sizeof array->boundary);
    tsri_array_convert(*copy, array);
    tsri_array_meet(*copy);
    return TSR_OK;
}

tsr_status tsr_copy(const tsr_array *array, tsr_array **copy)
{
    return create_converted(array, tsr_array_dtype(array), __func__, copy);
}

tsr_status tsr_astype(const tsr_array *array, tsr_dtype dtype, tsr_array **copy)
{
    return create_converted(array, dtype, __func__, copy);
}
