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
    if (out == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "out is NULL");
    return tsri_run_write(
        &(tsri_request){.call = "tsr_eval", .text = text, .count = count, .args = args}, out);
}

tsr_status tsr_eval_wherev(tsr_array *out, tsr_arg mask, const char *text, int count,
                           const tsr_arg *args)
{
    static const char call[] = "tsr_eval_where";

    if (out == NULL) return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "out is NULL");
    mask.name = "mask";
    if (mask.kind != TSR_ARG_ARRAY && (mask.kind != TSR_ARG_TEXT || mask.text == NULL))
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "the mask must be an array or an expression");
    return tsri_run_write(
        &(tsri_request){.call = call, .text = text, .mask = &mask, .count = count, .args = args},
        out);
}

tsr_status tsr_eval_newv(tsr_array **out, const char *text, int count, const tsr_arg *args)
{
    if (out == NULL)
        return TSRI_FAIL_IN("tsr_eval_new", TSR_ERR_VALUE,
                            "out is NULL, must point to where the handle goes");
    *out = NULL;
    return tsri_run_new(
        &(tsri_request){.call = "tsr_eval_new", .text = text, .count = count, .args = args}, out);
}

/* ---- two results ----------------------------------------------------------------------------- */

/* The text of a function of two expressions. */
static tsr_status join(const char *call, const char *function, const char *x, const char *y,
                       char **text)
{
    tsr_status st = TSR_OK;

    *text = NULL;
    TSRI_CHECK_IN(call, done, x != NULL && y != NULL, TSR_ERR_VALUE, "an expression is NULL");
    const size_t room = strlen(function) + strlen(x) + strlen(y) + 4;
    TSRI_ALLOC(done, *text, room);
    snprintf(*text, room, "%s(%s,%s)", function, x, y);
done:
    return st;
}

tsr_status tsr_divmodv(tsr_array **quotient, tsr_array **remainder, const char *x, const char *y,
                       int count, const tsr_arg *args)
{
    static const char call[] = "tsr_divmod";
    tsri_request request = {.call = call, .count = count, .args = args};
    tsr_array *first = NULL, *second = NULL;
    char *text = NULL;
    tsr_status st = TSR_OK;

    if (quotient != NULL) *quotient = NULL;
    if (remainder != NULL) *remainder = NULL;
    TSRI_CHECK_IN(call, done, quotient != NULL && remainder != NULL && quotient != remainder,
                  TSR_ERR_VALUE, "quotient or remainder is NULL, or both are one");
    TSRI_TRY(done, join(call, "floor_divide", x, y, &text));
    request.text = text;
    TSRI_TRY(done, tsri_run_new(&request, &first));
    tsri_free(text);
    TSRI_TRY(done, join(call, "remainder", x, y, &text));
    request.text = text;
    TSRI_TRY(done, tsri_run_new(&request, &second));
    *quotient = first;
    *remainder = second;
    first = NULL;
done:
    tsri_array_free(first);
    tsri_free(text);
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
    static const char call[] = "tsr_expr_eval";

    if (expr == NULL || out == NULL)
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "%s is NULL", expr == NULL ? "expr" : "out");
    return tsri_run_write(&(tsri_request){.call = call,
                                          .text = expr->tree.text,
                                          .tree = &expr->tree,
                                          .count = count,
                                          .args = args},
                          out);
}

tsr_status tsr_expr_destroy(tsr_expr **expr)
{
    if (expr == NULL || *expr == NULL) return TSR_OK;
    tsri_tree_clear(&(*expr)->tree);
    tsri_free(*expr);
    *expr = NULL;
    return TSR_OK;
}
