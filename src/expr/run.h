/* Expressions as other parts use them: evaluated block by block, without a temporary array. */
#ifndef TSRI_EXPR_RUN_H
#define TSRI_EXPR_RUN_H

#include "expr/cache.h"
#include "expr/sweep.h"

/* An expression over arrays of one layout, ready to be run.  On the stack of its caller, who frees
 * nothing: programs belong to the layout. */
typedef struct tsri_run {
    tsri_eval_request request;
    const tsr_array *like; /* the first array among the arguments */
    tsr_layout *layout;    /* of the first array in the text, whose context talks */
    tsr_dtype dtype;       /* of the values */
    tsri_entry *entry;
} tsri_run;

/* Prepare a run: everything that can fail alike on all ranks, and, the first time, on some.  The
 * status goes into the caller's agreement together with tsri_run_hash(); when the ranks have agreed
 * tsri_run_settle() says how, whatever `st` this gave.  `dtype` is the type wanted, TSR_AUTO that
 * of the expression.  Without an array among the arguments there is nobody to agree with: run->like
 * is then NULL, and the failure the caller's.  Local. */
tsr_status tsri_run_prepare(const char *call, const char *text, int count, const tsr_arg *args,
                            tsr_dtype dtype, tsri_run *run);
uint64_t tsri_run_hash(const tsri_run *run);
void tsri_run_settle(tsri_run *run, bool agreed);

/* Compute all cells of this rank's block, in C order; `visit` gets bands of them, see
 * expr/sweep.h.  Collective when operands are shifted, or integers have an array of exponents;
 * failures are those of tsr_halo_update(), or bad exponents. */
tsr_status tsri_run_each(tsri_run *run, const int64_t *other, tsri_band_visitor *visit,
                         void *state);

/* Evaluate a request into an array, or into a new one after other local work, whose outcome is
 * agreed on with the array's.  Collective; agree when the program is fresh, or always. */
tsr_status tsri_run_write(const tsri_eval_request *request, tsr_array *output);
tsr_status tsri_run_new(tsr_status earlier, const tsri_eval_request *request, tsr_array **output);

#endif
