/* Whether all elements, or any, are true. */
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

static void fold_all(tsri_source *source, const tsri_ask *ask, tsri_record *record)
{
    (void)ask;
    record->kind = TSRI_RECORD_ALL;
    record->as.truth = true;
    tsri_each_values(source, TSR_BOOL, all_of, &record->as.truth);
}

static void fold_any(tsri_source *source, const tsri_ask *ask, tsri_record *record)
{
    (void)ask;
    record->kind = TSRI_RECORD_ANY;
    tsri_each_values(source, TSR_BOOL, any_of, &record->as.truth);
}

static tsr_scalar result(const tsri_source *source, const tsri_ask *ask, const tsri_record *record)
{
    (void)source;
    (void)ask;
    return tsr_bool(record->as.truth);
}

const tsri_whole tsri_whole_all = {.fold = fold_all, .result = result};
const tsri_whole tsri_whole_any = {.fold = fold_any, .result = result};
const tsri_whole tsri_whole_truth = {.single = true, .fold = fold_any, .result = result};
