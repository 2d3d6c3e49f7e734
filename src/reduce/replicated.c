#include "array/array.h"
#include "base/checked.h"
#include "base/gate.h"
#include "base/net.h"
#include "kern/kern.h"
#include "shm/copies.h"

#include <tessera/reduce.h>

#include <string.h>

/* Arrays up to this size go up and down the tree themselves; others are cut in slices. */
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

static tsr_status prepare(tsri_copies *copies, tsr_array *array, tsr_op op)
{
    const tsr_layout *layout = array->layout;
    *copies = (tsri_copies){.context = layout->context,
                            .count = layout->size,
                            .index = layout->rank,
                            .op = op,
                            .dtype = array->dtype,
                            .cells = array->storage->memory,
                            .ncells = array->cells};
    return tsri_copies_prepare(copies);
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

    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    tsri_context *const context = array->layout->context;
    TSRI_TRY(done,
             tsri_enter(context, array->layout->size == 1, "%s (%s)", __func__, tsri_op_name(op)));

    TSRI_TRY(agree, check(__func__, array, op));
    if (array->storage->bytes > SMALL_BYTES) TSRI_TRY(agree, prepare(&copies, array, op));
agree:
    TSRI_TRY(done, tsri_agree(context, st, fingerprint(__func__, array, op)));
    if (array->layout->size == 1 || array->cells == 0) goto done;
    if (array->storage->bytes > SMALL_BYTES)
        st = tsri_agree(context, tsri_copies_combine(&copies), 0);
    else
        st = combine_small(array, op);
done:
    tsri_copies_free(&copies);
    return st;
}
