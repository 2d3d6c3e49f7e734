/* What can be asked of an array, and the exchange of two arrays' contents. */
#include "array/array.h"

#include <string.h>

tsr_layout *tsr_array_layout(const tsr_array *array)
{
    return array == NULL ? NULL : array->layout;
}

tsr_dtype tsr_array_dtype(const tsr_array *array)
{
    return array == NULL ? TSR_AUTO : array->dtype;
}

int tsr_array_ndim(const tsr_array *array)
{
    return array == NULL ? 0 : array->layout->geometry.ndim;
}

const int64_t *tsr_array_shape(const tsr_array *array)
{
    return array == NULL ? NULL : array->layout->geometry.shape;
}

int64_t tsr_array_cells(const tsr_array *array)
{
    return array == NULL ? 0 : array->layout->geometry.cells;
}

size_t tsr_array_bytes(const tsr_array *array)
{
    return (size_t)tsr_array_cells(array) * tsr_dtype_size(tsr_array_dtype(array));
}

tsr_status tsr_array_length(const tsr_array *array, int64_t *length)
{
    tsr_status st = TSR_OK;

    if (length != NULL) *length = 0;
    TSRI_CHECK(fail, array != NULL && length != NULL, TSR_ERR_VALUE, "%s is NULL",
               array == NULL ? "array" : "length");
    TSRI_CHECK(fail, array->layout->geometry.ndim > 0, TSR_ERR_TYPE,
               "the array has no axes, so it has no length");
    *length = array->layout->geometry.shape[0];
fail:
    return st;
}

tsr_view tsr_local(const tsr_array *array)
{
    tsr_view view = {0};

    if (array == NULL) return view;
    const tsri_geometry *g = &array->layout->geometry;
    const size_t row = (size_t)g->ndim * sizeof(int64_t);
    view.dtype = array->dtype;
    view.ndim = g->ndim;
    view.data = tsri_array_origin(array);
    memcpy(view.stride, array->stride, row);
    memcpy(view.start, array->start, row);
    if (view.data == NULL) return view;
    memcpy(view.extent, array->extent, row);
    memcpy(view.halo_lo, g->halo_lo, row);
    memcpy(view.halo_hi, g->halo_hi, row);
    return view;
}

tsr_status tsr_array_swap(tsr_array *a, tsr_array *b)
{
    tsr_status st = TSR_OK;

    TSRI_CHECK(fail, a != NULL && b != NULL, TSR_ERR_VALUE, "%s array is NULL",
               a == NULL ? "the first" : "the second");
    TSRI_CHECK(fail, a->dtype == b->dtype, TSR_ERR_VALUE,
               "the arrays hold %s and %s, must hold the same type", tsr_dtype_name(a->dtype),
               tsr_dtype_name(b->dtype));
    TSRI_CHECK(fail, tsr_layout_equal(a->layout, b->layout), TSR_ERR_VALUE,
               "the arrays have different layouts, must have equal ones");
    TSRI_CHECK(fail, a->layout->geometry.node_shared == b->layout->geometry.node_shared,
               TSR_ERR_VALUE, "one array is shared by the ranks of a node and the other is not");
    TSRI_CHECK(fail, a->storage->pending == 0 && b->storage->pending == 0, TSR_ERR_STATE,
               "an exchange of %s array is pending; finish it first",
               a->storage->pending != 0 ? "the first" : "the second");
    tsri_storage *const storage = a->storage;
    a->storage = b->storage;
    b->storage = storage;
fail:
    return st;
}
