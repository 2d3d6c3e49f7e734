/**
 * @file reduce.h
 * Reductions: of whole arrays, along axes, running ones, inner products, comparisons.  Halo cells
 * never count.
 */
#ifndef TESSERA_REDUCE_H
#define TESSERA_REDUCE_H

#include <tessera/expr.h>

TSR_BEGIN_DECLS

/** As a flag: speed before exactness and reproducibility. */
#define TSR_FAST 0x1u

/** How to reduce.  Zero means default, so NULL and {0} are valid. */
typedef struct tsr_reduce_options {
    /** Sums and products alone: the type of the result, to which elements are converted first. */
    tsr_dtype dtype;
    int64_t ddof;   /**< var and std: the divisor is the number of elements minus this */
    bool keep;      /**< along axes: these stay, with length 1 */
    unsigned flags; /**< TSR_FAST: sums round at every step */
} tsr_reduce_options;

/* ---- of whole arrays (all Collective over the layout's communicator; they agree) --------------
 *
 * On one rank or replicated each rank reduces its own copy, and nothing is sent.  Else each rank
 * makes one pass over its block (var and std: two), and a record of 2 KiB goes up and down a tree.
 * Every rank gets the same result.
 *
 * All return TSR_OK, or TSR_ERR_VALUE (NULL), TSR_ERR_STATE, TSR_ERR_MISMATCH, TSR_ERR_NOMEM,
 * TSR_ERR_MPI; what else is said with each. */

/**
 * The sum of all elements.  Bool and signed integers give i64 and unsigned ones u64 (both wrap);
 * real and complex keep their type: the exact sum, rounded once, so the same bits at any rank
 * count, process grid and transport.  An empty array gives 0.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_sum(const tsr_array *array, tsr_scalar *sum);
/**
 * The product, in the types of the sum.  Integers wrap; others are multiplied in double, blocks in
 * the order of their ranks.  An empty array gives 1.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_prod(const tsr_array *array, tsr_scalar *product);
/**
 * The smallest and the largest element, in the array's type.  NaN wins (for complex: a NaN in
 * either part); complex ones are ordered by real, then imaginary part; false < true.
 * @return also TSR_ERR_VALUE for an array without elements.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_min(const tsr_array *array, tsr_scalar *min);
TSR_API TSR_MUST_CHECK tsr_status tsr_max(const tsr_array *array, tsr_scalar *max);
/**
 * The mean: the exact sum divided by the number of elements, rounded once.  Bool and integers give
 * f64 (their sum does not wrap), others their own type; an empty array gives NaN.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_mean(const tsr_array *array, tsr_scalar *mean);
/**
 * The variance, and its square root: the exact sum of the rounded squared distances from the
 * rounded mean, divided by the number of elements minus ddof.  Real, of the width of the mean; f32
 * in double up to the end.  Where the divisor is 0 or less: NaN if all elements are equal, else
 * infinity.  An empty array gives NaN.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_var(const tsr_array *array, tsr_scalar *variance);
TSR_API TSR_MUST_CHECK tsr_status tsr_std(const tsr_array *array, tsr_scalar *deviation);
/** Whether all elements, or any, are true: not zero (NaN is true).  Empty: true, false. */
TSR_API TSR_MUST_CHECK tsr_status tsr_all(const tsr_array *array, bool *all);
TSR_API TSR_MUST_CHECK tsr_status tsr_any(const tsr_array *array, bool *any);

/**
 * The same with options, the same on all ranks.
 * @return also TSR_ERR_TYPE (a type that does not exist, or for a reduction that takes none),
 *   TSR_ERR_VALUE (unknown flags, ddof out of range).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_sum_with(const tsr_array *array,
                                               const tsr_reduce_options *options, tsr_scalar *sum);
TSR_API TSR_MUST_CHECK tsr_status tsr_prod_with(const tsr_array *array,
                                                const tsr_reduce_options *options,
                                                tsr_scalar *product);
TSR_API TSR_MUST_CHECK tsr_status tsr_mean_with(const tsr_array *array,
                                                const tsr_reduce_options *options,
                                                tsr_scalar *mean);
TSR_API TSR_MUST_CHECK tsr_status tsr_var_with(const tsr_array *array,
                                               const tsr_reduce_options *options,
                                               tsr_scalar *variance);
TSR_API TSR_MUST_CHECK tsr_status tsr_std_with(const tsr_array *array,
                                               const tsr_reduce_options *options,
                                               tsr_scalar *deviation);

/**
 * The place of the smallest or the largest element: its number in C order of the whole array.  Of
 * equal ones the first; the first NaN where there is one.  Compared in the array's own type.
 * @return also TSR_ERR_TYPE (complex), TSR_ERR_VALUE (no elements).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_argmin(const tsr_array *array, int64_t *cell);
TSR_API TSR_MUST_CHECK tsr_status tsr_argmax(const tsr_array *array, int64_t *cell);
/**
 * Whether the one element of an array is true.
 * @return also TSR_ERR_VALUE for an array that has not exactly one element.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_truth(const tsr_array *array, bool *truth);

/* ---- of expressions (Collective, as above) ------------------------------------------------------
 *
 * The same reductions of what tsr_eval() would write, without an array for it: the elements are
 * computed block by block as they are reduced.  Types and rules are those of tsr_eval() and of the
 * reduction; the layout is that of the first array in the text.
 *
 *     tsr_sum_expr(&s, "a*conj(b)", TSR_ARG(a), TSR_ARG(b));
 *     tsr_norm_expr(2, &n, "a - b", TSR_ARG(a), TSR_ARG(b));
 *
 * @return also what tsr_evalv() does. */

/** @def tsr_sum_expr
 * tsr_sum_expr(&result, text, ...); likewise the others. */
#define tsr_sum_expr(result, ...) tsr_sum_exprv((result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_prod_expr(result, ...) tsr_prod_exprv((result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_min_expr(result, ...) tsr_min_exprv((result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_max_expr(result, ...) tsr_max_exprv((result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_mean_expr(result, ...) tsr_mean_exprv((result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_var_expr(result, ...) tsr_var_exprv((result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_std_expr(result, ...) tsr_std_exprv((result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_all_expr(result, ...) tsr_all_exprv((result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_any_expr(result, ...) tsr_any_exprv((result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_argmin_expr(result, ...) tsr_argmin_exprv((result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_argmax_expr(result, ...) tsr_argmax_exprv((result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_norm_expr(order, norm, ...) tsr_norm_exprv((order), (norm), TSR_EXPRESSION(__VA_ARGS__))

/** The plain functions behind the macros, for other languages. */
#define TSR_DECLARE_EXPR(name, type)                                                               \
    TSR_API TSR_MUST_CHECK tsr_status tsr_##name##_exprv(type *result, const char *text,           \
                                                         int count, const tsr_arg *args);
TSR_DECLARE_EXPR(sum, tsr_scalar)
TSR_DECLARE_EXPR(prod, tsr_scalar)
TSR_DECLARE_EXPR(min, tsr_scalar)
TSR_DECLARE_EXPR(max, tsr_scalar)
TSR_DECLARE_EXPR(mean, tsr_scalar)
TSR_DECLARE_EXPR(var, tsr_scalar)
TSR_DECLARE_EXPR(std, tsr_scalar)
TSR_DECLARE_EXPR(all, bool)
TSR_DECLARE_EXPR(any, bool)
TSR_DECLARE_EXPR(argmin, int64_t)
TSR_DECLARE_EXPR(argmax, int64_t)
#undef TSR_DECLARE_EXPR
TSR_API TSR_MUST_CHECK tsr_status tsr_norm_exprv(double order, double *norm, const char *text,
                                                 int count, const tsr_arg *args);

/* ---- inner products and norms (Collective, as above) ------------------------------------------
 */

/**
 * The sum of conj(a)*b over all elements, and, for arrays of one axis, that of a*b.  In the type
 * that both promote to: integers wrap in it, bool is true where any pair is; real and complex are
 * the exact sum of the exact products, rounded once.
 * @return also TSR_ERR_VALUE (layouts differ), TSR_ERR_TYPE (tsr_dot: not one axis).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_vdot(const tsr_array *a, const tsr_array *b,
                                           tsr_scalar *product);
TSR_API TSR_MUST_CHECK tsr_status tsr_dot(const tsr_array *a, const tsr_array *b,
                                          tsr_scalar *product);
/**
 * The norm of all elements as one vector, for every type in double.
 * @param order  2: the root of the sum of squared magnitudes, to 1 ulp, also where the sum is
 *               beyond the range of double; 1: the sum of magnitudes, rounded once; INFINITY: the
 *               largest magnitude, 0 for an empty array.  NaN wins.
 * @return also TSR_ERR_VALUE (another order).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_norm(const tsr_array *array, double order, double *norm);

/* ---- comparisons (Collective, as above) --------------------------------------------------------
 */

/** The usual tolerances of tsr_allclose(). */
#define TSR_RTOL 1e-5
#define TSR_ATOL 1e-8
/**
 * Whether all elements are close: equal, or |a - b| <= atol + rtol*|b| and b finite, or both NaN if
 * these count as equal.
 * @return also TSR_ERR_VALUE (layouts differ).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_allclose(const tsr_array *a, const tsr_array *b, double rtol,
                                               double atol, bool equal_nan, bool *close);
/**
 * Whether two arrays have the same shape and equal elements, whatever their types and layouts, on
 * communicators of the same processes in any order.  Different shapes are no error, and nothing is
 * sent then.  Elements that lie on other ranks are moved first.
 * @return also TSR_ERR_VALUE (other processes).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_array_equal(const tsr_array *a, const tsr_array *b,
                                                  bool equal_nan, bool *equal);

/* ---- along axes (all Collective; they agree) --------------------------------------------------
 *
 * A new array without the reduced axes (or with length 1 there), without halo, not periodic; it
 * belongs to the caller.  Elements and types are those of the whole-array reductions, but sums are
 * plain: added in double (integers as above), each rank's share in a fixed order and the shares in
 * the order of the ranks, so the same bits for the same cuts.
 *
 * The layout: replicated and on one rank as the array's.  When every reduced axis has one block,
 * blocks stay where they are, and no cell moves.  Else near-even over the kept axes of the array's
 * split, or, where there is none or the axes are too short for that, replicated.
 *
 * @par Errors
 *   TSR_ERR_AXIS   an axis beyond the array's,
 *   TSR_ERR_VALUE  NULL; min, max: a reduced axis has length 0,
 *   TSR_ERR_TYPE, TSR_ERR_STATE, TSR_ERR_MISMATCH, TSR_ERR_NOMEM, TSR_ERR_MPI.
 * @par Cost
 *   One pass over the block (var, std: two).  A rank's share goes to the ranks that own it in the
 *   result, one message to each; a replicated result is combined up and down a tree. */

/**
 * Reduce over a set of axes.
 * @param axes     none: every element for itself; all: the value of the whole-array reduction, in
 *                 an array without axes
 * @param options  NULL for defaults; the same on all ranks
 * @param result   the new array, NULL on failure
 */
#define TSR_DECLARE_AXES(name)                                                                     \
    TSR_API TSR_MUST_CHECK tsr_status tsr_##name##_axes(const tsr_array *array, tsr_axes axes,     \
                                                        const tsr_reduce_options *options,         \
                                                        tsr_array **result);
TSR_DECLARE_AXES(sum)
TSR_DECLARE_AXES(prod)
TSR_DECLARE_AXES(min)
TSR_DECLARE_AXES(max)
TSR_DECLARE_AXES(mean)
TSR_DECLARE_AXES(var)
TSR_DECLARE_AXES(std)
TSR_DECLARE_AXES(all)
TSR_DECLARE_AXES(any)
#undef TSR_DECLARE_AXES

/**
 * The index along an axis of the smallest or the largest element there, as i64.
 * @param axis     negative ones count from the end
 * @param options  keep alone counts
 * @return also TSR_ERR_TYPE (complex), TSR_ERR_VALUE (an array without elements).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_argmin_axis(const tsr_array *array, int axis,
                                                  const tsr_reduce_options *options,
                                                  tsr_array **result);
TSR_API TSR_MUST_CHECK tsr_status tsr_argmax_axis(const tsr_array *array, int axis,
                                                  const tsr_reduce_options *options,
                                                  tsr_array **result);

/** @def tsr_sum_axes_expr
 * tsr_sum_axes_expr(axes, options, &result, text, ...): the same of an expression, without an array
 * for it, as tsr_sum_expr(); likewise the others. */
#define tsr_sum_axes_expr(axes, options, result, ...)                                              \
    tsr_sum_axes_exprv((axes), (options), (result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_prod_axes_expr(axes, options, result, ...)                                             \
    tsr_prod_axes_exprv((axes), (options), (result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_min_axes_expr(axes, options, result, ...)                                              \
    tsr_min_axes_exprv((axes), (options), (result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_max_axes_expr(axes, options, result, ...)                                              \
    tsr_max_axes_exprv((axes), (options), (result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_mean_axes_expr(axes, options, result, ...)                                             \
    tsr_mean_axes_exprv((axes), (options), (result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_var_axes_expr(axes, options, result, ...)                                              \
    tsr_var_axes_exprv((axes), (options), (result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_std_axes_expr(axes, options, result, ...)                                              \
    tsr_std_axes_exprv((axes), (options), (result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_all_axes_expr(axes, options, result, ...)                                              \
    tsr_all_axes_exprv((axes), (options), (result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_any_axes_expr(axes, options, result, ...)                                              \
    tsr_any_axes_exprv((axes), (options), (result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_argmin_axis_expr(axis, options, result, ...)                                           \
    tsr_argmin_axis_exprv((axis), (options), (result), TSR_EXPRESSION(__VA_ARGS__))
#define tsr_argmax_axis_expr(axis, options, result, ...)                                           \
    tsr_argmax_axis_exprv((axis), (options), (result), TSR_EXPRESSION(__VA_ARGS__))

/** The plain functions behind the macros, for other languages. */
#define TSR_DECLARE_AXES_EXPR(name, axes)                                                          \
    TSR_API TSR_MUST_CHECK tsr_status tsr_##name##_exprv(axes, const tsr_reduce_options *options,  \
                                                         tsr_array **result, const char *text,     \
                                                         int count, const tsr_arg *args);
TSR_DECLARE_AXES_EXPR(sum_axes, tsr_axes axes)
TSR_DECLARE_AXES_EXPR(prod_axes, tsr_axes axes)
TSR_DECLARE_AXES_EXPR(min_axes, tsr_axes axes)
TSR_DECLARE_AXES_EXPR(max_axes, tsr_axes axes)
TSR_DECLARE_AXES_EXPR(mean_axes, tsr_axes axes)
TSR_DECLARE_AXES_EXPR(var_axes, tsr_axes axes)
TSR_DECLARE_AXES_EXPR(std_axes, tsr_axes axes)
TSR_DECLARE_AXES_EXPR(all_axes, tsr_axes axes)
TSR_DECLARE_AXES_EXPR(any_axes, tsr_axes axes)
TSR_DECLARE_AXES_EXPR(argmin_axis, int axis)
TSR_DECLARE_AXES_EXPR(argmax_axis, int axis)
#undef TSR_DECLARE_AXES_EXPR

/** As an axis: the only one of an array that has one. */
#define TSR_ONLY_AXIS INT32_MIN
/**
 * Running sums and products along an axis: element i is that of elements 0 to i.  A new array of
 * the same layout, halo cells 0, in the type of sums (or that of the options, where it alone
 * counts).
 * @param axis  negative ones count from the end; or TSR_ONLY_AXIS
 * @return TSR_OK, or TSR_ERR_AXIS, TSR_ERR_TYPE (TSR_ONLY_AXIS for an array that has not one axis;
 *   no such type), and the errors of tsr_zeros().
 * @par Cost
 *   One pass.  With more than one block along the axis the last cells of the blocks, combined over
 *   the ranks of a line: log2(blocks) messages from each.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_cumsum(const tsr_array *array, int axis,
                                             const tsr_reduce_options *options, tsr_array **result);
TSR_API TSR_MUST_CHECK tsr_status tsr_cumprod(const tsr_array *array, int axis,
                                              const tsr_reduce_options *options,
                                              tsr_array **result);

/* ---- replicated arrays, layouts by weight -------------------------------------------------------
 */

/**
 * Combine the copies of a replicated array, cell by cell and in place, halo cells too.  All ranks
 * end with the same bits, which are the same in every run: copies combine in the order of the
 * ranks, as a binary tree over them; those of several nodes of equally many ranks that share memory
 * as a tree on each node, and a tree over the nodes.  On one rank nothing happens.  Of an array
 * that the ranks of a node share (node_shared) each node's copy counts once: they combine as a tree
 * over the nodes.
 *
 * @param op  an operation; the same on all ranks
 * @par Call
 *   Collective over the layout's communicator; agrees.
 * @return TSR_OK, or
 *   TSR_ERR_VALUE  array is NULL or distributed, or there is no such operation,
 *   TSR_ERR_TYPE   the operation is not defined for the element type,
 *   TSR_ERR_STATE  an exchange of the array is pending,
 *   TSR_ERR_MISMATCH, TSR_ERR_NOMEM, TSR_ERR_MPI (the values are then undefined).
 * @par Cost
 *   Large arrays: each rank of a node reads a slice in every rank's memory and writes the result
 *   there, and between nodes sends and receives twice the bytes of its slice.  Where nodes differ
 *   in their ranks, or some copy is in memory of the caller's, slices travel in messages inside
 *   nodes, too: twice the bytes of the array for each rank, which holds a few MiB of others' cells.
 *   Small arrays (up to 1 KiB) go up and down a tree.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_allreduce_replicated(tsr_array *array, tsr_op op);

/**
 * Make a layout as tsr_layout_create_weighted() does, from weights that are an array: of any real
 * type and any layout, which is also where the shape and the communicator come from.  Halo cells do
 * not count.
 *
 * @par Call
 *   Collective over the communicator of the weights; agrees.
 * @param weights  finite and >= 0; true counts as 1
 * @param options  as for tsr_layout_create(), without cuts; not those of the weights' own layout
 * @param layout   the new layout, owned by the caller; NULL on failure.  The same on every rank.
 * @return as tsr_layout_create_weighted(); TSR_ERR_TYPE also for complex weights.
 * @par Cost
 *   One pass over the block; one number for each place along each axis, combined over all ranks.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_layout_create_balanced(const tsr_array *weights,
                                                             const tsr_layout_options *options,
                                                             tsr_layout **layout);
/**
 * The same values in the layout that weights balance: with the array's communicator, grid, halos
 * and periodicity, cut as tsr_layout_create_balanced() does.  Replicated arrays are copied.
 *
 * For weights that every rank has, or profiles, make the layout with tsr_layout_create_weighted()
 * or tsr_layout_create_profiled() and give it to tsr_redistribute().
 *
 * @par Call
 *   Collective over the array's communicator; agrees.
 * @param array    borrowed; its boundaries are the result's, too
 * @param weights  one of any real type for each cell, in any layout, on a communicator of the same
 *                 processes in any order; finite and >= 0.  May be the array itself.
 * @param result   a new array; its halo cells are 0, or copied when the layouts are equal
 * @return as tsr_layout_create_balanced() and tsr_redistribute(); TSR_ERR_VALUE also when the
 * shapes or processes of the two differ.
 * @par Cost
 *   As tsr_layout_create_balanced() and tsr_redistribute().
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_rebalance(const tsr_array *array, const tsr_array *weights,
                                                tsr_array **result);

TSR_END_DECLS
#endif
