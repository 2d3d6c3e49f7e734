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

TSR_END_DECLS
#endif
