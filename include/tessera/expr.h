/**
 * @file expr.h
 * Whole-array computing: expressions written as in Python, with NumPy's functions and types.
 *
 *     tsr_eval_new(&c, "2*a + sin(b)", TSR_ARG(a), TSR_ARG(b));
 *     tsr_eval(next, "u + k*(u[-1,0] + u[1,0] - 2*u)", TSR_ARG(u), TSR_ARG(k));
 *
 * docs/expressions.md describes the language, docs/numpy-differences.md where it is not NumPy's.
 */
#ifndef TESSERA_EXPR_H
#define TESSERA_EXPR_H

#include <tessera/arg.h>

#ifndef __cplusplus

static inline tsr_arg tsr_arg_mask_text(const char *name, const char *text)
{
    (void)name;
    return tsr_arg_text(text);
}

#define TSR_MASK_OF(mask)                                                                          \
    _Generic((mask),                                                                               \
        tsr_array *: tsr_arg_array,                                                                \
        const tsr_array *: tsr_arg_array,                                                          \
        char *: tsr_arg_mask_text,                                                                 \
        const char *: tsr_arg_mask_text)("mask", (mask))

#define TSR_EVAL_TEXT(text, ...) (text)
#define TSR_EVAL_ARGS(text, ...) ((const tsr_arg[]){__VA_ARGS__})
#define TSR_EVAL_COUNT(text, ...)                                                                  \
    ((int)(sizeof((const tsr_arg[]){__VA_ARGS__}) / sizeof(tsr_arg)) - 1)

#else

inline tsr_arg tsr_mask_of(const tsr_array *mask)
{
    return tsr_arg_array("mask", mask);
}
inline tsr_arg tsr_mask_of(const char *mask)
{
    return tsr_arg_text(mask);
}
#define TSR_MASK_OF(mask) tsr_mask_of(mask)

/** A list of arguments that lives to the end of the full expression. */
template <typename... T> struct tsr_arg_list {
    tsr_arg value[sizeof...(T)];
};
template <typename First, typename... T> tsr_arg_list<T...> tsr_args_of(First, T... args)
{
    return {{args...}};
}
#define TSR_EVAL_TEXT(text, ...) (text)
#define TSR_EVAL_ARGS(...) (tsr_args_of(__VA_ARGS__).value)
#define TSR_EVAL_COUNT(...)                                                                        \
    (static_cast<int>(sizeof(tsr_args_of(__VA_ARGS__).value) / sizeof(tsr_arg)) - 1)

#endif

/** @def TSR_EXPRESSION
 * A text and its arguments as the three parameters that the plain functions below take. */
#define TSR_EXPRESSION(...)                                                                        \
    TSR_EVAL_TEXT(__VA_ARGS__, TSR_NO_ARG), TSR_EVAL_COUNT(__VA_ARGS__, TSR_NO_ARG),               \
        TSR_EVAL_ARGS(__VA_ARGS__, TSR_NO_ARG)

/* ---- evaluation (all Collective) ------------------------------------------------------------- */

/** @def tsr_eval
 * tsr_eval(out, text, ...): write the value of an expression into an array. */
#define tsr_eval(out, ...) tsr_evalv((out), TSR_EXPRESSION(__VA_ARGS__))
/** @def tsr_eval_new
 * tsr_eval_new(&out, text, ...): make a new array of it. */
#define tsr_eval_new(out, ...) tsr_eval_newv((out), TSR_EXPRESSION(__VA_ARGS__))
/** @def tsr_eval_where
 * tsr_eval_where(out, mask, text, ...): write it where the mask is true.  The mask is an array of
 * type bool, or an expression: tsr_eval_where(b, "a > 20", "-a", TSR_ARG(a)). */
#define tsr_eval_where(out, mask, ...)                                                             \
    tsr_eval_wherev((out), TSR_MASK_OF(mask), TSR_EXPRESSION(__VA_ARGS__))
/** @def tsr_divmod
 * tsr_divmod(&quotient, &remainder, x, y, ...): new arrays of x // y and x % y, two expressions. */
#define tsr_divmod(quotient, remainder, x, ...)                                                    \
    tsr_divmodv((quotient), (remainder), (x), TSR_EXPRESSION(__VA_ARGS__))
/** @def tsr_expr_eval
 * tsr_expr_eval(expr, out, ...): tsr_eval() of a compiled expression. */
#define tsr_expr_eval(expr, ...) tsr_expr_evalv((expr), TSR_EXPRESSION(__VA_ARGS__))

TSR_BEGIN_DECLS

/**
 * Write the value of an expression into this rank's block of an array.  Halo cells of the output
 * stay as they are, and none is computed.  The output may be an argument, too: the result is as if
 * a temporary array had been made.
 *
 * @param out    the array; arrays in the expression must have an equal layout
 * @param text   the expression
 * @param count  number of arguments
 * @param args   what the names stand for; borrowed during the call
 * @par Call
 *   Collective over the layout's communicator; the text and the arguments (but for storage) are the
 *   same on all ranks.  The first use of a text with arguments of given types agrees; later ones
 *   check only what all ranks share, and allocate nothing.  With shifted operands the halo cells
 *   that they read are exchanged, as by tsr_halo_update().
 * @return TSR_OK, or
 *   TSR_ERR_VALUE  the text cannot be read, or names something unknown (the text says in which
 *                  column); layouts or shapes differ; an integer does not fit; a halo is too narrow
 *                  for a shift; a negative integer exponent,
 *   TSR_ERR_TYPE   an operation is not defined for its operands, or the result would have to be
 *                  converted to a lower kind (real to integer, say),
 *   TSR_ERR_STATE  an exchange of an array is pending,
 *   TSR_ERR_MISMATCH, TSR_ERR_NOMEM (first use), TSR_ERR_MPI.
 * @par Cost
 *   One pass over memory.  Communicates only for shifts, and once (an allreduce) for integers to
 *   the power of a signed integer array or argument.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_evalv(tsr_array *out, const char *text, int count,
                                            const tsr_arg *args);
/**
 * The same into a new array with the layout of the first array in the text, the type of the
 * expression, and halo cells of 0.  Agrees.
 * @param out  the new array, NULL on failure
 * @return as tsr_evalv() and tsr_zeros(); TSR_ERR_VALUE also when the text has no array.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_eval_newv(tsr_array **out, const char *text, int count,
                                                const tsr_arg *args);
/**
 * The same as tsr_evalv() for the cells where a mask is true; others stay as they are.
 * @param mask  an array of type bool, or TSR_ARG_TEXT: an expression of that type
 * @return as tsr_evalv(); TSR_ERR_TYPE also for a mask of another type.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_eval_wherev(tsr_array *out, tsr_arg mask, const char *text,
                                                  int count, const tsr_arg *args);
/**
 * Two new arrays: floor quotient and remainder of two expressions.  NULL both on failure.
 * @return as tsr_eval_newv().
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_divmodv(tsr_array **quotient, tsr_array **remainder,
                                              const char *x, const char *y, int count,
                                              const tsr_arg *args);

/** An expression that has been read. */
typedef struct tsr_expr tsr_expr;

/**
 * Read an expression, for tsr_expr_eval().  Types and layouts are checked when it is evaluated.
 * @par Call
 *   Local.
 * @return TSR_OK, TSR_ERR_VALUE (the text cannot be read), TSR_ERR_NOMEM.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_expr_create(const char *text, tsr_expr **expr);
/** tsr_evalv() of an expression. */
TSR_API TSR_MUST_CHECK tsr_status tsr_expr_evalv(const tsr_expr *expr, tsr_array *out, int count,
                                                 const tsr_arg *args);
/** Give up an expression and set the handle to NULL.  Local. */
TSR_API tsr_status tsr_expr_destroy(tsr_expr **expr);

TSR_END_DECLS
#endif
