/* Arrays filled from a function of the indices, or from data that every rank has. */
#include "array/array.h"
#include "base/checked.h"
#include "base/gate.h"
#include "kern/kern.h"

#include <stdio.h>
#include <string.h>

/* ---- from a function ------------------------------------------------------------------------- */

/* The failure of a user's function, which may have set a text of its own: `before` is the thread's
 * from before the call.  A negative number is no status. */
static tsr_status function_failed(tsr_status returned, const char *before, const char *call,
                                  const int64_t *index, int ndim)
{
    char where[TSR_MAX_NDIM * 21 + 1] = "";
    size_t length = 0;

    if (returned > 0 && strcmp(tsr_error_text(), before) != 0) return returned;
    for (int a = 0; a < ndim; ++a)
        length += (size_t)snprintf(where + length, sizeof where - length, "%s%lld",
                                   a == 0 ? "" : ",", (long long)index[a]);
    return TSRI_FAIL_IN(call, returned > 0 ? returned : TSR_ERR_VALUE,
                        "the function returned status %d for the row at (%s)", returned, where);
}

/* Call a function for every row of the block. */
static tsr_status evaluate(const tsr_array *array, tsr_function function, void *ctx,
                           const char *call)
{
    const int ndim = array->layout->geometry.ndim;
    const size_t size = tsr_dtype_size(array->dtype);
    const int64_t count = ndim > 0 ? array->extent[ndim - 1] : 1;
    unsigned char *row = tsri_array_origin(array);
    int64_t index[TSR_MAX_NDIM];
    char before[TSRI_TEXT_BYTES];

    if (array->cells == 0) return TSR_OK;
    memcpy(index, array->start, sizeof index);
    snprintf(before, sizeof before, "%s", tsr_error_text());
    for (;;) {
        const tsr_status st = function(index, count, row, ctx);
        if (st != TSR_OK) return function_failed(st, before, call, index, ndim);
        int a = ndim - 2;
        while (a >= 0 && ++index[a] == array->start[a] + array->extent[a]) {
            row -= (size_t)((array->extent[a] - 1) * array->stride[a]) * size;
            index[a] = array->start[a];
            --a;
        }
        if (a < 0) return TSR_OK;
        row += (size_t)array->stride[a] * size;
    }
}

tsr_status tsr_fromfunction(tsr_layout *layout, tsr_dtype dtype, tsr_function function, void *ctx,
                            tsr_array **array)
{
    tsr_status st = TSR_OK;
    tsr_array *made = NULL;

    if (array != NULL) *array = NULL;
    TSRI_CHECK(create, function != NULL, TSR_ERR_VALUE, "function is NULL");
    TSRI_CHECK(create, array != NULL, TSR_ERR_VALUE,
               "array is NULL, must point to where the handle goes");
create:
    TSRI_TRY(fail, tsri_array_create_after(st, layout, dtype, __func__, TSRI_HASH_START, &made));
    tsri_array_clear_halo(made);
    const tsr_array share = tsri_array_share(made);
    st = evaluate(&share, function, ctx, __func__);
    TSRI_TRY(fail, tsri_agree(layout->context, st, TSRI_HASH_START));
    *array = made;
    return TSR_OK;

fail:
    tsri_array_free(made);
    return st;
}

/* ---- from a global array --------------------------------------------------------------------- */

/* A hash of a global array's cells in C order, however they lie in memory. */
static uint64_t digest(int ndim, const int64_t *extent, size_t size, const void *data,
                       const int64_t *stride)
{
    const unsigned char *cell = data;
    int64_t index[TSR_MAX_NDIM] = {0};
    uint64_t hash = tsri_hash(TSRI_HASH_START, extent, (size_t)ndim * sizeof *extent);

    for (int a = 0; a < ndim; ++a)
        if (extent[a] == 0) return hash;
    for (int a = 0; a >= 0;) {
        hash = tsri_hash(hash, cell, size);
        for (a = ndim - 1; a >= 0; --a) {
            cell += stride[a] * (int64_t)size;
            if (++index[a] < extent[a]) break;
            cell -= extent[a] * stride[a] * (int64_t)size;
            index[a] = 0;
        }
    }
    return hash;
}

tsr_status tsr_from_global(tsr_layout *layout, tsr_dtype dtype, const void *data,
                           const int64_t *stride, tsr_array **array)
{
    tsr_status st = TSR_OK;
    int64_t c_order[TSR_MAX_NDIM];
    int64_t first = 0; /* of the block, in elements */

    if (array != NULL) *array = NULL;
    TSRI_CHECK(create, data != NULL || tsr_layout_cells(layout) == 0, TSR_ERR_VALUE,
               "data is NULL, must point to %lld cell%s", (long long)tsr_layout_cells(layout),
               TSRI_S(tsr_layout_cells(layout)));
create:
    st = tsri_array_create_after(st, layout, dtype, __func__, TSRI_HASH_START, array);
    if (st != TSR_OK) return st;

    const tsr_array share = tsri_array_share(*array);
    const int ndim = layout->geometry.ndim;
    const size_t size = tsr_dtype_size(dtype);
    if (stride == NULL) {
        tsri_c_strides(ndim, layout->geometry.shape, c_order);
        stride = c_order;
    }
    if (tsri_gate_is_on(layout->context)) {
        st = tsri_gate_same_data(layout->context, __func__,
                                 digest(ndim, layout->geometry.shape, size, data, stride));
        if (st != TSR_OK) {
            tsr_array_destroy(array);
            return st;
        }
    }
    for (int a = 0; a < ndim; ++a)
        first += share.start[a] * stride[a];
    tsri_array_clear_halo(*array);
    if (share.cells > 0)
        tsri_kern_get()->copy(size, ndim, share.extent, tsri_array_origin(&share), share.stride,
                              (const unsigned char *)data + first * (int64_t)size, stride);
    tsri_array_meet(*array);
    return TSR_OK;
}
