/* Moves that are made once: a plan of blocks, run and agreed on. */
#ifndef TSRI_MOVE_TRANSFER_H
#define TSRI_MOVE_TRANSFER_H

#include "array/array.h"
#include "move/exchange.h"

/* The blocks of a layout, and the strides in which this rank holds its own. */
typedef struct tsri_blocks {
    const tsri_geometry *geometry;
    const int64_t *stride;
} tsri_blocks;
tsri_blocks tsri_blocks_of(const tsr_array *array);

/* The layout of a buffer that holds the whole array, as any rank sees it. */
void tsri_whole_geometry(const tsri_geometry *of, tsri_geometry *whole);

/* The plan that fills the blocks of `to` from those of `from`, two layouts of one shape over the
 * same ranks.  When `to` is whole and `from` is not, `root` gets it, or every rank with
 * TSR_ALL_RANKS.  Local. */
tsr_status tsri_plan_blocks(tsri_blocks from, tsri_blocks to, int rank, int root, tsri_plan **plan);

/* Begin the request of a plan that fills the block of `to` from those of `from`, arrays over the
 * same processes.  Messages go by the ranks of `from`.  Local. */
tsr_status tsri_request_between(const tsr_array *from, const tsr_array *to,
                                tsri_plan_request *request);

/* Run a plan once: `from` and `to` are the first owned cells of what it reads and writes.
 * `earlier` says how this rank's work before it ended, the plan's creation among it; fingerprints
 * of other arguments may be given.  Nothing is written unless the cells are there on all ranks.
 * Collective; agrees. */
tsr_status tsri_transfer(tsri_context *context, tsr_status earlier, uint64_t fingerprint,
                         tsri_plan *plan, tsr_dtype dtype, const void *from, void *to);

/* What a plan moves within this rank.  Local. */
void tsri_plan_copy(const tsri_plan *plan, tsr_dtype dtype, const void *from, void *to);

/* The same with several plans, whose cells go in one message to each peer. */
tsr_status tsri_transfer_many(tsri_context *context, tsr_status earlier, uint64_t fingerprint,
                              int count, tsri_plan *const *plans, const tsr_dtype *dtypes,
                              void *const *from, void *const *to);

/* Adds the factors of a plan to a request that has all else. */
typedef void (*tsri_factors)(const void *ctx, tsri_plan_request *request);
/* A new array of a layout, its block filled from an array through these factors; cells that none
 * fills get `rest` (0 when NULL), halo cells 0.  Collective over the array; agrees. */
tsr_status tsri_move_new(const char *call, const tsr_array *from, tsr_layout *layout,
                         tsri_factors factors, const void *ctx, const tsr_scalar *rest,
                         tsr_array **moved);

/* Fill what this rank writes of its block from memory of the block's shape with these strides;
 * NULL: C order.  Local. */
void tsri_block_copy_in(tsr_array *array, const void *data, const int64_t *stride);

#endif
