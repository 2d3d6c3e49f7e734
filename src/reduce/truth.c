/* Whether all elements, or any, are true. */
#include "base/checked.h"
#include "reduce/whole.h"

/* Storage that was never written may hold any byte. */
typedef unsigned char stored_bool;

static void all_of(int64_t n, const void *run, void *state)
{
    const stored_bool *values = run;
    bool *truth = state, all = true;
    for (int64_t i = 0; i < n; ++i)
        all &= values[i] != 0;
    *truth = *truth && all;
}

static void any_of(int64_t n, const void *run, void *state)
{
    const stored_bool *values = run;
    bool *truth = state, any = false;
    for (int64_t i = 0; i < n; ++i)
        any |= values[i] != 0;
    *truth = *truth || any;
}

static void fold_block(const tsr_array *array, bool all, tsri_record *record)
{
    record->kind = all ? TSRI_RECORD_ALL : TSRI_RECORD_ANY;
    record->as.truth = all;
    tsri_each_run(array, TSR_BOOL, all ? all_of : any_of, &record->as.truth);
}

static tsr_status fold(const char *name, const tsr_array *array, bool all, bool single, bool *truth)
{
    tsr_status st = TSR_OK;
    tsri_record record = {.kind = TSRI_RECORD_NONE};
    tsri_call call;

    if (truth != NULL) *truth = false;
    TSRI_TRY(fail, tsri_whole_begin(name, array, &call));
    const int64_t cells = array->layout->geometry.cells;
    TSRI_CHECK_IN(name, reduce, truth != NULL, TSR_ERR_VALUE, "no place for the result (NULL)");
    TSRI_CHECK_IN(name, reduce, cells == 1 || !single, TSR_ERR_VALUE,
                  "the array has %lld elements, must have one; use tsr_all() or tsr_any()",
                  (long long)cells);
    fold_block(array, all, &record);

reduce:
    TSRI_TRY(fail, tsri_reduce(&call, st, &record));
    *truth = record.as.truth;
    return TSR_OK;

fail:
    return st;
}

tsr_status tsr_all(const tsr_array *array, bool *all)
{
    return fold(__func__, array, true, false, all);
}

tsr_status tsr_any(const tsr_array *array, bool *any)
{
    return fold(__func__, array, false, false, any);
}

tsr_status tsr_truth(const tsr_array *array, bool *truth)
{
    return fold(__func__, array, false, true, truth);
}
