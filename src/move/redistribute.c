#include "move/redistribute.h"

#include "base/checked.h"
#include "move/transfer.h"

#include <string.h>

static tsr_status check(const char *call, const tsr_array *from, const tsr_array *to)
{
    const tsri_geometry *f = &from->layout->geometry, *t = &to->layout->geometry;
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, f->ndim == t->ndim, TSR_ERR_VALUE,
                  "the array has %d axes and the layout %d, must have the same shape", f->ndim,
                  t->ndim);
    for (int a = 0; a < f->ndim; ++a)
        TSRI_CHECK_IN(call, done, f->shape[a] == t->shape[a], TSR_ERR_VALUE,
                      "axis %d has %lld cells in the array and %lld in the layout, must have the "
                      "same shape",
                      a, (long long)f->shape[a], (long long)t->shape[a]);
    TSRI_CHECK_IN(call, done, from->dtype == to->dtype, TSR_ERR_TYPE,
                  "the arrays hold %s and %s, must hold the same type", tsr_dtype_name(from->dtype),
                  tsr_dtype_name(to->dtype));
    TSRI_CHECK_IN(call, done, from->storage->pending == 0 && to->storage->pending == 0,
                  TSR_ERR_STATE, "an exchange of the array is pending; finish it first");
done:
    return st;
}

/* What must be the same on all ranks. */
static uint64_t fingerprint(const char *call, const tsr_array *from, const tsr_array *to)
{
    const uint64_t layouts[] = {tsr_layout_hash(from->layout), tsr_layout_hash(to->layout)};
    const uint64_t hash = tsri_hash(TSRI_HASH_START, call, strlen(call));
    return tsri_hash(tsri_hash(hash, layouts, sizeof layouts), &from->dtype, sizeof from->dtype);
}

tsr_status tsri_redistribute(const char *call, const tsr_array *from, tsr_array *to)
{
    tsri_context *const context = from->layout->context;
    tsri_plan *plan = NULL;

    if (context != to->layout->context)
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                            "the array and the layout have different communicators");
    if (from->storage == to->storage) return TSR_OK;
    tsr_status st = check(call, from, to);
    if (st == TSR_OK)
        st = tsri_plan_blocks(tsri_blocks_of(from), tsri_blocks_of(to), from->layout->rank,
                              TSR_ALL_RANKS, &plan);
    st = tsri_transfer(context, st, fingerprint(call, from, to), plan, from->dtype,
                       tsri_array_origin(from), tsri_array_origin(to));
    tsri_plan_unref(plan);
    return st;
}
