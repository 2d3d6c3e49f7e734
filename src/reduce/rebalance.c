/* Arrays in the layouts that weights balance. */
#include "base/gate.h"
#include "base/numbering.h"
#include "move/redistribute.h"
#include "reduce/pairs.h"
#include "reduce/weights.h"

#include <tessera/reduce.h>

#include <string.h>

static tsr_status check_weights(const char *call, const tsr_array *array, const tsr_array *weights)
{
    tsr_status st = TSR_OK;
    TSRI_CHECK_IN(call, done, weights != NULL, TSR_ERR_VALUE, "weights is NULL");
    TSRI_CHECK_IN(call, done, tsri_same_shape(array, weights), TSR_ERR_VALUE,
                  "the weights have another shape than the array, must have the same");
    TSRI_TRY(done, tsri_numbering_check(call, weights->layout->context, array->layout->context));
    TSRI_TRY(done, tsri_move_check(call, array));
done:
    return st;
}

tsr_status tsr_rebalance(const tsr_array *array, const tsr_array *weights, tsr_array **result)
{
    tsr_layout *layout = NULL;
    tsr_array *moved = NULL;
    uint64_t arguments = 0;
    tsr_status st = TSR_OK;

    if (result != NULL) *result = NULL;
    TSRI_CHECK(done, array != NULL, TSR_ERR_VALUE, "array is NULL");
    TSRI_TRY(done, tsri_enter(array->layout->context, false, "%s", __func__));

    TSRI_CHECK(balance, result != NULL, TSR_ERR_VALUE,
               "result is NULL, must point to where the handle goes");
    TSRI_TRY(balance, check_weights(__func__, array, weights));
    arguments = tsri_hash_array(tsri_hash_call(__func__, array), weights);
balance:
    TSRI_TRY(done, tsri_agree(array->layout->context, st, arguments));
    if (weights->layout->context != array->layout->context)
        TSRI_TRY(done, tsri_redistribute_new(__func__, st, weights, array->layout, &moved));
    tsr_layout_options options = tsri_layout_options_of(&array->layout->geometry);
    memset(options.cuts, 0, sizeof options.cuts);
    memset(options.ncuts, 0, sizeof options.ncuts);
    TSRI_TRY(done,
             tsri_layout_balance(__func__, st, moved != NULL ? moved : weights, &options, &layout));
    st = tsri_redistribute_new(__func__, TSR_OK, array, layout, result);
done:
    tsri_layout_unref(layout);
    tsri_array_free(moved);
    return st;
}
