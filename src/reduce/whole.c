#include "reduce/whole.h"

#include "base/checked.h"
#include "base/gate.h"
#include "kern/arithmetic_mode.h"

#include <math.h>
#include <string.h>

tsr_status tsri_whole_begin(const char *name, const tsr_array *array, tsri_call *call)
{
    if (array == NULL) return TSRI_FAIL_IN(name, TSR_ERR_VALUE, "array is NULL");
    *call = (tsri_call){.name = name, .layout = array->layout, .arguments = TSRI_HASH_START};
    call->arguments = tsri_hash_array(call->arguments, array);
    return tsri_call_enter(call);
}

static tsr_status check(const char *name, const tsri_whole *kind, const tsri_source *source,
                        tsri_ask *ask, const void *place)
{
    const tsr_reduce_options options = ask->options;
    const int64_t cells = source->layout->geometry.cells;
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(name, done, place != NULL, TSR_ERR_VALUE, "no place for the result (NULL)");
    TSRI_TRY(done, tsri_options_check(name, &options, kind->typed, &ask->options));
    TSRI_CHECK_IN(name, done, !kind->ordered || !tsri_is_complex(source->dtype), TSR_ERR_TYPE,
                  "the elements are %s, must be real: complex numbers have no order here",
                  tsr_dtype_name(source->dtype));
    TSRI_CHECK_IN(name, done, !kind->elements || cells > 0, TSR_ERR_VALUE,
                  "the array has no elements");
    TSRI_CHECK_IN(name, done, !kind->single || cells == 1, TSR_ERR_VALUE,
                  "the array has %lld elements, must have one; use tsr_all() or tsr_any()",
                  (long long)cells);
    TSRI_CHECK_IN(name, done,
                  !kind->norm || ask->order == 1 || ask->order == 2 || ask->order == HUGE_VAL,
                  TSR_ERR_VALUE, "order is %g, must be 1, 2 or INFINITY", ask->order);
done:
    return st;
}

/* A pass over this rank's block.  Expressions are evaluated in the program's mode of arithmetic. */
static void pass(void (*fold)(tsri_source *, const tsri_ask *, tsri_record *), tsri_source *source,
                 const tsri_ask *ask, tsri_record *record)
{
    if (source->array == NULL) {
        fold(source, ask, record);
        return;
    }
    const unsigned mode = tsri_mode_begin();
    fold(source, ask, record);
    tsri_mode_end(mode);
}

/* What comes of the passes is rounded to nearest, and to subnormal numbers. */
static void take_first(const tsri_whole *kind, const tsri_source *source, tsri_ask *ask,
                       const tsri_record *record)
{
    const unsigned mode = tsri_mode_begin();
    kind->take_first(source, ask, record);
    tsri_mode_end(mode);
}

static bool asks_again(const tsri_whole *kind, const tsri_source *source, tsri_ask *ask,
                       const tsri_record *record)
{
    if (kind->again == NULL) return false;
    const unsigned mode = tsri_mode_begin();
    const bool again = kind->again(source, ask, record);
    tsri_mode_end(mode);
    return again;
}

static void take_result(const tsri_whole *kind, const tsri_source *source, const tsri_ask *ask,
                        const tsri_record *record, tsr_scalar *result)
{
    const unsigned mode = tsri_mode_begin();
    *result = kind->result(source, ask, record);
    tsri_mode_end(mode);
}

tsr_status tsri_reduce_source(const tsri_call *call, const tsri_whole *kind, tsri_source *source,
                              tsri_ask *ask, tsr_status status, tsr_scalar *result)
{
    tsri_record record = {.kind = TSRI_RECORD_NONE};
    tsr_status st = status;

    if (kind->fold_first != NULL) {
        if (st == TSR_OK) pass(kind->fold_first, source, ask, &record);
        TSRI_TRY(done, tsri_reduce(call, st == TSR_OK ? source->status : st, &record));
        take_first(kind, source, ask, &record);
    }
    do {
        memset(&record, 0, sizeof record);
        if (st == TSR_OK) pass(kind->fold, source, ask, &record);
        TSRI_TRY(done, tsri_reduce(call, st == TSR_OK ? source->status : st, &record));
    } while (asks_again(kind, source, ask, &record));
    take_result(kind, source, ask, &record, result);
done:
    return st;
}

static tsr_status reduce_array(const char *name, const tsri_whole *kind, const tsr_array *array,
                               tsri_ask *ask, const void *place, tsr_scalar *result)
{
    tsri_call call;
    tsr_status st = tsri_whole_begin(name, array, &call);
    if (st != TSR_OK) return st;
    tsri_source source = tsri_source_of(array);
    st = check(name, kind, &source, ask, place);
    call.arguments = tsri_options_hash(call.arguments, &ask->options);
    call.arguments = tsri_hash(call.arguments, &ask->order, sizeof ask->order);
    return tsri_reduce_source(&call, kind, &source, ask, st, result);
}

/* A rank on which something failed must not leave others alone with the evaluation: the ranks agree
 * before it. */
static tsr_status reduce_expression(const char *name, const tsri_whole *kind,
                                    const tsri_operands *operands, tsri_ask *ask, const void *place,
                                    tsr_scalar *result)
{
    tsri_run run;
    tsri_call call = {.name = name};
    tsr_status st =
        tsri_run_prepare(name, operands->text, operands->count, operands->args, TSR_AUTO, &run);
    if (run.like == NULL) return st;
    tsri_source source = {.layout = run.layout, .dtype = run.dtype, .run = &run};
    call.layout = run.layout;
    call.arguments = tsri_run_hash(&run);
    const tsr_status entered = tsri_call_enter(&call);
    if (entered != TSR_OK) {
        tsri_run_settle(&run, false);
        return entered;
    }
    if (st == TSR_OK) st = check(name, kind, &source, ask, place);
    call.arguments = tsri_options_hash(call.arguments, &ask->options);
    call.arguments = tsri_hash(call.arguments, &ask->order, sizeof ask->order);
    if (!tsri_layout_is_local(run.layout)) st = tsri_agree(run.layout->context, st, call.arguments);
    tsri_run_settle(&run, st == TSR_OK);
    if (st != TSR_OK) return st;
    return tsri_reduce_source(&call, kind, &source, ask, st, result);
}

tsr_status tsri_reduce_whole(const char *name, const tsri_whole *kind,
                             const tsri_operands *operands, tsri_ask ask, const void *place,
                             tsr_scalar *result)
{
    if (operands->expression) return reduce_expression(name, kind, operands, &ask, place, result);
    return reduce_array(name, kind, operands->array, &ask, place, result);
}

tsr_status tsri_reduce_array(const char *name, const tsri_whole *kind, const tsr_array *array,
                             const tsr_reduce_options *options, tsr_scalar *result)
{
    const tsri_ask ask = {.options = options != NULL ? *options : (tsr_reduce_options){0}};
    tsr_scalar value = {.dtype = TSR_AUTO};
    const tsr_status st =
        tsri_reduce_whole(name, kind, &(tsri_operands){.array = array}, ask, result, &value);
    if (result != NULL) *result = value;
    return st;
}
