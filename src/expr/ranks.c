#include "expr/ranks.h"

#include "base/checked.h"
#include "base/gate.h"

bool tsri_run_is_watched(const tsri_run *run)
{
    return run->request.into != NULL && run->request.into->layout->geometry.node_shared;
}

bool tsri_run_is_local(const tsri_run *run)
{
    const tsri_eval_request *r = &run->request;

    if (!tsri_layout_is_local(run->layout)) return false;
    for (int k = 0; r->args != NULL && k < r->count; ++k)
        if (r->args[k].kind == TSR_ARG_ARRAY && r->args[k].array != NULL &&
            !tsri_layout_is_local(r->args[k].array->layout))
            return false;
    return true;
}

/* For the gate: what a kept program will run on, which the ranks do not agree about. */
static uint64_t digest(const tsri_run *run)
{
    const tsri_eval_request *r = &run->request;

    if (run->entry == NULL || tsri_entry_is_fresh(run->entry)) return 0;
    uint64_t hash = tsri_hash_array(TSRI_HASH_START, r->into);
    for (int k = 0; k < r->count; ++k)
        if (r->args[k].kind == TSR_ARG_ARRAY) hash = tsri_hash_array(hash, r->args[k].array);
    if (r->mask != NULL && r->mask->kind == TSR_ARG_ARRAY)
        hash = tsri_hash_array(hash, r->mask->array);
    return hash;
}

tsr_status tsri_run_enter(const tsri_run *run)
{
    tsri_context *context = run->layout->context;
    const char *call = run->request.call;
    const char *text = run->request.text != NULL ? run->request.text : "NULL";

    if (tsri_run_is_local(run) || !tsri_gate_is_on(context))
        return tsri_enter(context, tsri_run_is_local(run), "%s (%s)", call, text);
    return tsri_enter_with(context, digest(run), "%s (%s)", call, text);
}
