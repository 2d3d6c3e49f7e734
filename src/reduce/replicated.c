#include "array/array.h"
#include "base/checked.h"
#include "base/gate.h"
#include "base/net.h"
#include "kern/kern.h"
#include "shm/copies.h"
#include "shm/neighbours.h"

#include <tessera/reduce.h>

#include <string.h>

/* Arrays up to this size go up and down the tree themselves.  Others are cut in slices, one a rank,
 * which reads the copies of others where they lie, or gets them in messages. */
enum { SMALL_BYTES = 1024 };

/* ---- small arrays ---------------------------------------------------------------------------- */

typedef struct record {
    tsr_op op;
    tsr_dtype dtype;
    int64_t cells;
    _Alignas(16) unsigned char element[SMALL_BYTES];
} record;

static void combine_records(void *left, const void *right)
{
    record *l = left;
    const record *r = right;
    tsri_kern_get()->combine(l->op, l->dtype, l->cells, l->element, r->element);
}

static tsr_status combine_small(tsr_array *array, tsr_op op)
{
    tsri_context *const context = array->layout->context;
    const size_t bytes = array->storage->bytes;
    record all = {.op = op, .dtype = array->dtype, .cells = array->cells};

    memcpy(all.element, array->storage->memory, bytes);
    const tsr_status sent =
        tsri_net_combine(context, &all, offsetof(record, element) + bytes, combine_records);
    const tsr_status st = tsri_agree(context, sent, 0);
    if (st == TSR_OK) memcpy(array->storage->memory, all.element, bytes);
    return st;
}

/* ---- large arrays ---------------------------------------------------------------------------- */

static tsri_copies copies_of(tsr_array *array, tsr_op op)
{
    const tsr_layout *layout = array->layout;
    return (tsri_copies){.context = layout->context,
                         .count = layout->size,
                         .index = layout->rank,
                         .op = op,
                         .dtype = array->dtype,
                         .cells = array->storage->memory,
                         .ncells = array->cells};
}

/* Some rank's copy is in memory of the caller's, or shared memory was short. */
static tsr_status combine_after_all(tsr_array *array, tsr_op op)
{
    tsri_context *const context = array->layout->context;
    tsri_copies copies = copies_of(array, op);
    tsr_status st = tsri_agree(context, tsri_copies_prepare(&copies), 0);

    if (st == TSR_OK) st = tsri_agree(context, tsri_copies_combine(&copies), 0);
    tsri_copies_free(&copies);
    return st;
}

static tsr_status combine_directly(tsri_neighbours *n, tsr_array *array, tsr_op op)
{
    const tsri_storage *storage = array->storage;
    void *const piece = storage->kind == TSRI_MEMORY_SHARED ? storage->memory : NULL;
    bool complete = false;
    tsr_status st = tsri_neighbours_meet(n, piece, &complete);

    if (complete && st == TSR_OK) tsri_neighbours_combine(n, op, array->dtype, array->cells);
    st = tsri_agree(n->context, st, 0);
    return st == TSR_OK && !complete ? combine_after_all(array, op) : st;
}

/* ---- the call -------------------------------------------------------------------------------- */

static tsr_status check(const char *call, const tsr_array *array, tsr_op op)
{
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, !tsr_layout_is_distributed(array->layout), TSR_ERR_VALUE,
                  "the array is distributed, must be replicated (split TSR_WHOLE)");
    TSRI_CHECK_IN(call, done, tsri_op_valid(op), TSR_ERR_VALUE,
                  "op is %d, must be TSR_SUM to TSR_BXOR", (int)op);
    TSRI_CHECK_IN(call, done, tsri_op_defined(op, array->dtype), TSR_ERR_TYPE,
                  "%s is not defined for %s", tsri_op_name(op), tsr_dtype_name(array->dtype));
    TSRI_CHECK_IN(call, done, array->storage->pending == 0, TSR_ERR_STATE,
                  "an exchange of the array is pending; finish it first");
done:
    return st;
}

static uint64_t fingerprint(const char *call, const tsr_array *array, tsr_op op)
{
    const uint64_t layout = tsr_layout_hash(array->layout);
    uint64_t hash = tsri_hash(TSRI_HASH_START, call, strlen(call));
    hash = tsri_hash(hash, &layout, sizeof layout);
    hash = tsri_hash(hash, &array->dtype, sizeof array->dtype);
    return tsri_hash(hash, &op, sizeof op);
}

tsr_status tsr_allreduce_replicated(tsr_array *array, tsr_op op)
{
    tsr_status st = TSR_OK;
    tsri_copies copies = {0};
    tsri_neighbours neighbours = {0};

    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    tsri_context *const context = array->layout->context;
    const bool large = array->storage->bytes > SMALL_BYTES;
    const bool direct = large && tsri_neighbours_team(context) != NULL;
    TSRI_TRY(done,
             tsri_enter(context, array->layout->size == 1, "%s (%s)", __func__, tsri_op_name(op)));

    TSRI_TRY(agree, check(__func__, array, op));
    if (direct) {
        TSRI_TRY(agree, tsri_neighbours_prepare(context, &neighbours));
    } else if (large) {
        copies = copies_of(array, op);
        TSRI_TRY(agree, tsri_copies_prepare(&copies));
    }
agree:
    TSRI_TRY(done, tsri_agree(context, st, fingerprint(__func__, array, op)));
    if (array->layout->size == 1 || array->cells == 0) goto done;
    if (direct)
        st = combine_directly(&neighbours, array, op);
    else if (large)
        st = tsri_agree(context, tsri_copies_combine(&copies), 0);
    else
        st = combine_small(array, op);
done:
    tsri_neighbours_free(&neighbours);
    tsri_copies_free(&copies);
    return st;
}
