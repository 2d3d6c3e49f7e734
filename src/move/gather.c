/* Whole arrays on one rank or on all. */
#include "array/array.h"
#include "base/checked.h"
#include "base/gate.h"
#include "kern/kern.h"
#include "move/transfer.h"

#include <tessera/move.h>

#include <string.h>

/* What must be the same on all ranks: the array's layout and type, and one argument. */
static uint64_t fingerprint(const tsr_array *array, const void *argument, size_t bytes)
{
    return tsri_hash(tsri_hash_array(TSRI_HASH_START, array), argument, bytes);
}

/* ---- gather ---------------------------------------------------------------------------------- */

static tsr_status plan_gather(const tsr_array *array, int root, tsri_plan **plan)
{
    tsri_geometry whole;
    int64_t stride[TSR_MAX_NDIM];

    tsri_whole_geometry(&array->layout->geometry, &whole);
    tsri_c_strides(whole.ndim, whole.shape, stride);
    return tsri_plan_blocks(tsri_blocks_of(array), (tsri_blocks){&whole, stride},
                            array->layout->rank, root, plan);
}

static tsr_status check_gather(const char *call, const tsr_array *array, int root,
                               const void *buffer)
{
    const tsr_layout *layout = array->layout;
    const bool receives = root == TSR_ALL_RANKS || root == layout->rank;

    if (root != TSR_ALL_RANKS && (root < 0 || root >= layout->size))
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "root is %d, must be 0 to %d or TSR_ALL_RANKS",
                            root, layout->size - 1);
    if (receives && buffer == NULL && layout->geometry.cells > 0)
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "buffer is NULL on rank %d, which gets the array",
                            layout->rank);
    return TSR_OK;
}

/* Without other ranks, or with a copy on each, there is nothing to agree on. */
static tsr_status agree_if_distributed(const tsr_layout *layout, tsr_status st, uint64_t hash)
{
    return layout->geometry.whole ? st : tsri_agree(layout->context, st, hash);
}

/* This rank has the whole array itself. */
static void copy_out(const tsr_array *array, void *buffer)
{
    const tsri_geometry *g = &array->layout->geometry;
    int64_t stride[TSR_MAX_NDIM];

    tsri_c_strides(g->ndim, array->extent, stride);
    tsri_kern_get()->copy(tsr_dtype_size(array->dtype), g->ndim, array->extent, buffer, stride,
                          tsri_array_origin(array), array->stride);
}

tsr_status tsr_gather(const tsr_array *array, int root, void *buffer)
{
    tsr_status st = TSR_OK;
    tsri_plan *plan = NULL;

    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    const tsr_layout *layout = array->layout;
    TSRI_TRY(done,
             tsri_enter(layout->context, layout->geometry.whole, "%s (root %d)", __func__, root));

    st = check_gather(__func__, array, root, buffer);
    if (layout->geometry.whole) {
        if (st == TSR_OK && (root == TSR_ALL_RANKS || root == layout->rank) && array->cells > 0)
            copy_out(array, buffer);
        goto done;
    }
    if (st == TSR_OK) st = plan_gather(array, root, &plan);
    st = tsri_transfer(layout->context, st, fingerprint(array, &root, sizeof root), plan,
                       array->dtype, tsri_array_origin(array), buffer);
done:
    tsri_plan_unref(plan);
    return st;
}

/* ---- one element ----------------------------------------------------------------------------- */

/* Read an element, on the rank that owns it, into 16 bytes. */
static void read_element(const tsr_array *array, const int64_t *position, void *element)
{
    const tsr_layout *layout = array->layout;
    const size_t size = tsr_dtype_size(array->dtype);
    const unsigned char *cell = tsri_array_origin(array);

    for (int a = 0; a < layout->geometry.ndim; ++a)
        cell += (position[a] - layout->geometry.halo_lo[a]) * array->stride[a] * (int64_t)size;
    memcpy(element, cell, size);
}

tsr_status tsr_get(const tsr_array *array, const int64_t *index, tsr_scalar *value)
{
    _Alignas(16) unsigned char element[16] = {0};
    int64_t position[TSR_MAX_NDIM];
    uint64_t hash = TSRI_HASH_START;
    bool mine = false;
    int owner = 0;
    tsr_status st = TSR_OK;

    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    const tsr_layout *layout = array->layout;
    TSRI_TRY(done, tsri_enter(layout->context, layout->geometry.whole, "%s", __func__));

    TSRI_CHECK(agree, value != NULL, TSR_ERR_VALUE,
               "value is NULL, must point to where the result goes");
    TSRI_TRY(agree, tsri_layout_check_index(__func__, layout, index));
    TSRI_TRY(agree, tsr_layout_owner(layout, index, &owner));
    TSRI_TRY(agree, tsr_layout_local_index(layout, index, position, &mine));
    hash = fingerprint(array, index, (size_t)layout->geometry.ndim * sizeof *index);
agree:
    TSRI_TRY(done, agree_if_distributed(layout, st, hash));
    if (mine) read_element(array, position, element);
    if (!layout->geometry.whole)
        TSRI_TRY(done,
                 tsri_agree(layout->context,
                            tsri_net_bcast(layout->context, element, sizeof element, owner), 0));
    *value = tsri_scalar_load(array->dtype, element);
done:
    return st;
}
