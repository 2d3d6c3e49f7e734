/**
 * @file reduce.h
 * Reductions of whole arrays.  Halo cells never count.
 */
#ifndef TESSERA_REDUCE_H
#define TESSERA_REDUCE_H

#include <tessera/array.h>

TSR_BEGIN_DECLS

/**
 * The sum of all elements.  Bool and signed integers give i64 and unsigned ones u64 (both wrap);
 * real and complex keep their type: the exact sum, rounded once, so the same bits at any rank
 * count, process grid and transport.  An empty array gives 0.
 *
 * @par Call
 *   Collective over the layout's communicator; on one rank or replicated each rank reduces its own
 *   copy.  Agrees.
 * @return TSR_OK, TSR_ERR_VALUE (NULL), TSR_ERR_STATE, TSR_ERR_MISMATCH, TSR_ERR_NOMEM,
 * TSR_ERR_MPI.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_sum(const tsr_array *array, tsr_scalar *sum);
/**
 * The smallest and the largest element, in the array's type.  NaN wins (for complex: a NaN in
 * either part); complex ones are ordered by real, then imaginary part; false < true.
 * @return as tsr_sum(), and TSR_ERR_VALUE for an array without elements.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_min(const tsr_array *array, tsr_scalar *min);
TSR_API TSR_MUST_CHECK tsr_status tsr_max(const tsr_array *array, tsr_scalar *max);

/**
 * Combine the copies of a replicated array, cell by cell and in place, halo cells too.  All ranks
 * end with the same bits, which are the same in every run: copies combine in the order of the
 * ranks, as a binary tree over them.  On one rank nothing happens.
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
 *   Large arrays: each rank combines a slice of the array, so it sends and receives twice the bytes
 *   of the array whatever the number of ranks, and holds a few MiB of others' cells at a time.
 *   Small ones (up to 1 KiB) go up and down a tree.
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

TSR_END_DECLS
#endif
