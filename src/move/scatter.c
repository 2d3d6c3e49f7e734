/* Arrays from data that one rank holds. */
#include "base/checked.h"
#include "kern/kern.h"
#include "move/transfer.h"

#include <tessera/move.h>

static tsr_status check_scatter(const char *call, const tsr_layout *layout, int root,
                                const void *data, tsr_array **array)
{
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, root >= 0 && root < layout->size, TSR_ERR_VALUE,
                  "root is %d, must be 0 to %d", root, layout->size - 1);
    TSRI_CHECK_IN(call, done, data != NULL || root != layout->rank || layout->geometry.cells == 0,
                  TSR_ERR_VALUE, "data is NULL on rank %d, which has the array", root);
    TSRI_CHECK_IN(call, done, array != NULL, TSR_ERR_VALUE,
                  "array is NULL, must point to where the handle goes");
done:
    return st;
}

/* The storage goes down a tree, with its halo cells, which are 0 and let it be one run of memory.
 */
static tsr_status give_storage(tsr_array *array, int root, const void *data, const int64_t *stride)
{
    tsri_context *const context = array->layout->context;

    if (root == array->layout->rank) tsri_block_copy_in(array, data, stride);
    return tsri_agree(
        context, tsri_net_bcast(context, array->storage->memory, array->storage->bytes, root), 0);
}

/* The copies of nodes get their cells from an array of each rank's own. */
static tsr_status give_nodes(tsr_array *array, int root, const void *data, const int64_t *stride)
{
    tsri_context *const context = array->layout->context;
    tsr_array *own = NULL;
    tsr_status st = TSR_OK;

    TSRI_TRY(
        done,
        tsri_agree(context, tsri_array_make(array->layout, array->dtype, "tsr_scatter", &own), 0));
    tsri_array_clear_halo(own);
    TSRI_TRY(done, give_storage(own, root, data, stride));
    tsri_array_convert(array, own);
    tsri_array_meet(array);
done:
    tsri_array_free(own);
    return st;
}

/* Every rank gets all cells. */
static tsr_status give_whole(tsr_array *array, int root, const void *data, const int64_t *stride)
{
    return array->layout->geometry.node_shared ? give_nodes(array, root, data, stride)
                                               : give_storage(array, root, data, stride);
}

/* A gathering that runs backwards. */
static tsr_status give_blocks(tsr_array *array, int root, const void *data, const int64_t *stride)
{
    const tsr_layout *layout = array->layout;
    int64_t c_order[TSR_MAX_NDIM];
    tsri_geometry whole;
    tsri_plan *plan = NULL;

    tsri_whole_geometry(&layout->geometry, &whole);
    tsri_c_strides(whole.ndim, whole.shape, c_order);
    tsr_status st = tsri_plan_blocks(
        tsri_blocks_of(array),
        (tsri_blocks){&whole, stride != NULL && root == layout->rank ? stride : c_order},
        layout->rank, root, &plan);
    if (st == TSR_OK) tsri_plan_reverse(plan);
    st = tsri_transfer(layout->context, st, 0, plan, array->dtype, data, tsri_array_origin(array));
    tsri_plan_unref(plan);
    return st;
}

tsr_status tsr_scatter(tsr_layout *layout, tsr_dtype dtype, int root, const void *data,
                       const int64_t *stride, tsr_array **array)
{
    const uint64_t hash = tsri_hash(TSRI_HASH_START, &root, sizeof root);
    tsr_status st = TSR_OK;
    tsr_array *made = NULL;

    if (array != NULL) *array = NULL;
    if (layout != NULL) st = check_scatter(__func__, layout, root, data, array);
    TSRI_TRY(fail, tsri_array_create_after(st, layout, dtype, __func__, hash, &made));
    tsri_array_clear_halo(made);
    TSRI_TRY(fail, layout->geometry.whole ? give_whole(made, root, data, stride)
                                          : give_blocks(made, root, data, stride));
    *array = made;
    return TSR_OK;

fail:
    tsri_array_free(made);
    return st;
}
