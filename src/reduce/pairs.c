#include "reduce/pairs.h"

#include "base/checked.h"

#include <string.h>

tsr_status tsri_pair_begin(const char *name, const tsr_array *a, const tsr_array *b,
                           tsri_call *call)
{
    const tsr_status st = tsri_whole_begin(name, a, call);

    if (st != TSR_OK || b == NULL) return st;
    call->arguments = tsri_hash_array(call->arguments, b);
    return st;
}

bool tsri_same_shape(const tsr_array *a, const tsr_array *b)
{
    const tsri_geometry *f = &a->layout->geometry, *g = &b->layout->geometry;
    return f->ndim == g->ndim &&
           memcmp(f->shape, g->shape, (size_t)f->ndim * sizeof *f->shape) == 0;
}

tsr_status tsri_pair_check(const char *name, const tsr_array *a, const tsr_array *b)
{
    if (b == NULL) return TSRI_FAIL_IN(name, TSR_ERR_VALUE, "the second array is NULL");
    if (!tsri_same_shape(a, b))
        return TSRI_FAIL_IN(name, TSR_ERR_VALUE, "the arrays have different shapes");
    if (!tsr_layout_equal(a->layout, b->layout))
        return TSRI_FAIL_IN(name, TSR_ERR_VALUE,
                            "the arrays have the same shape but different layouts: communicator, "
                            "halo, periodicity, grid and cuts must be equal");
    return TSR_OK;
}
