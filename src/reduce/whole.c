#include "reduce/whole.h"

#include "base/checked.h"
#include "base/gate.h"

tsr_status tsri_whole_begin(const char *name, const tsr_array *array, tsri_call *call)
{
    if (array == NULL) return TSRI_FAIL_IN(name, TSR_ERR_VALUE, "array is NULL");
    *call = (tsri_call){.name = name, .layout = array->layout, .arguments = TSRI_HASH_START};
    call->arguments = tsri_hash(call->arguments, &array->dtype, sizeof array->dtype);
    return tsri_call_enter(call);
}

tsr_status tsri_reduce_whole(const char *name, const tsri_whole *kind, const tsr_array *array,
                             const tsr_reduce_options *options, tsr_scalar *result)
{
    tsr_status st = TSR_OK;
    tsr_reduce_options checked;
    tsri_record record = {.kind = TSRI_RECORD_NONE};
    tsri_call call;

    if (result != NULL) *result = (tsr_scalar){.dtype = TSR_AUTO};
    TSRI_TRY(fail, tsri_whole_begin(name, array, &call));
    TSRI_CHECK_IN(name, reduce, result != NULL, TSR_ERR_VALUE, "no place for the result (NULL)");
    TSRI_TRY(reduce, tsri_options_check(name, options, kind->typed, &checked));
    TSRI_CHECK_IN(name, reduce, !kind->needs_elements || array->layout->geometry.cells > 0,
                  TSR_ERR_VALUE, "the array has no elements");
    call.arguments = tsri_options_hash(call.arguments, &checked);
    kind->fold(array, &checked, &record);

reduce:
    TSRI_TRY(fail, tsri_reduce(&call, st, &record));
    *result = kind->result(array, &checked, &record);
    return TSR_OK;

fail:
    return st;
}
