/* The public calls. */
#include "base/memory.h"
#include "expr/run.h"

#include <stdio.h>
#include <string.h>

struct tsr_expr {
    tsri_tree tree;
};

tsr_status tsr_evalv(tsr_array *out, const char *text, int count, const tsr_arg *args)
{
    static const char call[] = "tsr_eval";

    if (out == NULL) return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "out is NULL");
    return tsri_run_write(
        &(tsri_eval_request){.call = call, .text = text, .count = count, .args = args}, out);
}

tsr_status tsr_eval_wherev(tsr_array *out, tsr_arg mask, const char *text, int count,
                           const tsr_arg *args)
{
    static const char call[] = "tsr_eval_where";

    if (out == NULL) return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "out is NULL");
    mask.name = "mask";
    return tsri_run_write(
        &(tsri_eval_request){
            .call = call, .text = text, .mask = &mask, .count = count, .args = args},
        out);
}

tsr_status tsr_eval_newv(tsr_array **out, const char *text, int count, const tsr_arg *args)
{
    return tsri_run_new(
        TSR_OK,
        &(tsri_eval_request){.call = "tsr_eval_new", .text = text, .count = count, .args = args},
        out);
}

/* ---- two results ----------------------------------------------------------------------------- */

/* A function of two expressions, x and y.  What failed on this rank before ends the call on all. */
static tsr_status run_function(tsr_status earlier, const char *function, const char *x,
                               const char *y, int count, const tsr_arg *args, tsr_array **result)
{
    tsri_eval_request request = {.call = "tsr_divmod", .count = count, .args = args};
    char *text = NULL;
    tsr_status st = TSR_OK;

    TSRI_TRY(run, earlier);
    TSRI_CHECK_IN(request.call, run, x != NULL && y != NULL, TSR_ERR_VALUE,
                  "an expression is NULL");
    const size_t room = strlen(function) + strlen(x) + strlen(y) + 4;
    TSRI_ALLOC(run, text, room);
    snprintf(text, room, "%s(%s,%s)", function, x, y);
    request.text = text;
run:
    st = tsri_run_new(st, &request, result);
    tsri_free(text);
    return st;
}

tsr_status tsr_divmodv(tsr_array **quotient, tsr_array **remainder, const char *x, const char *y,
                       int count, const tsr_arg *args)
{
    tsr_array *first = NULL, *second = NULL;
    tsr_status st = TSR_OK;

    if (quotient != NULL) *quotient = NULL;
    if (remainder != NULL) *remainder = NULL;
    if (quotient == NULL || remainder == NULL || quotient == remainder)
        st = TSRI_FAIL_IN("tsr_divmod", TSR_ERR_VALUE,
                          "quotient or remainder is NULL, or both are one");
    TSRI_TRY(done, run_function(st, "floor_divide", x, y, count, args, &first));
    TSRI_TRY(done, run_function(TSR_OK, "remainder", x, y, count, args, &second));
    *quotient = first;
    *remainder = second;
    first = NULL;
done:
    tsri_array_free(first);
    return st;
}

/* ---- expressions that have been read --------------------------------------------------------- */

tsr_status tsr_expr_create(const char *text, tsr_expr **expr)
{
    tsr_status st = TSR_OK;
    tsr_expr *made = NULL;

    if (expr == NULL)
        return TSRI_FAIL(TSR_ERR_VALUE, "expr is NULL, must point to where the handle goes");
    *expr = NULL;
    TSRI_ALLOC(fail, made, 1);
    TSRI_TRY(fail, tsri_tree_read(__func__, text, &made->tree));
    *expr = made;
    return TSR_OK;

fail:
    tsri_free(made);
    return st;
}

tsr_status tsr_expr_evalv(const tsr_expr *expr, tsr_array *out, int count, const tsr_arg *args)
{
    tsri_eval_request request = {.call = "tsr_expr_eval", .count = count, .args = args};

    if (out == NULL) return TSRI_FAIL_IN(request.call, TSR_ERR_VALUE, "out is NULL");
    if (expr != NULL) {
        request.text = expr->tree.text;
        request.tree = &expr->tree;
    }
    return tsri_run_write(&request, out);
}

tsr_status tsr_expr_destroy(tsr_expr **expr)
{
    if (expr == NULL || *expr == NULL) return TSR_OK;
    tsri_tree_clear(&(*expr)->tree);
    tsri_free(*expr);
    *expr = NULL;
    return TSR_OK;
}
