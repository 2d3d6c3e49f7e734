/* The frame of a reduction along axes: which of an array's axes go and which stay, the layout of
 * the result, and this rank's share of it. */
#ifndef TSRI_REDUCE_FRAME_H
#define TSRI_REDUCE_FRAME_H

#include "reduce/reduction.h"
#include "reduce/shares.h"

typedef struct tsri_frame {
    const char *name; /* the public call */
    const tsr_array *array;
    tsr_axes reduced;
    bool keep;
    double count;                 /* product of the reduced lengths */
    int64_t extent[TSR_MAX_NDIM]; /* of this rank's block, also where it has no cell */
    int64_t stride[TSR_MAX_NDIM]; /* of this rank's share: 0 along reduced axes */
    int64_t cells;                /* of this rank's share */
} tsri_frame;

tsri_frame tsri_frame_make(const char *name, const tsr_array *array, tsr_axes reduced, bool keep);
static inline bool tsri_frame_reduces(const tsri_frame *frame, int axis)
{
    return (frame->reduced >> axis & 1u) != 0;
}
bool tsri_frame_reduces_all(const tsri_frame *frame);

/* The layout of the result, to be handed to tsri_layout_finish(); and whether it has the blocks of
 * the shares, so that nothing moves.  Local. */
tsr_status tsri_frame_layout(const tsri_frame *frame, tsr_layout **layout);
bool tsri_frame_stays(const tsri_frame *frame, const tsr_layout *layout);

/* ---- this rank's share: passes over the block (fold.c) ----------------------------------------
 */

/* Combine all elements, as those of a type and then converted to that of the totals, into shares of
 * no element. */
void tsri_fold_totals(const tsri_frame *frame, tsr_dtype as, tsri_shares *shares);
/* The same for moments and for positions along the one reduced axis. */
void tsri_fold_moments(const tsri_frame *frame, tsri_shares *shares);
void tsri_fold_positions(const tsri_frame *frame, bool max, tsri_shares *shares);

/* ---- between ranks (merge.c) ------------------------------------------------------------------
 */

/* Combine the shares of all ranks, in the order of the ranks: each gets those of its block of the
 * result.  `status` says what failed on this rank before.  On success `shares` is replaced.
 * Collective; agrees. */
tsr_status tsri_merge_shares(const tsri_frame *frame, const tsr_layout *result, tsr_status status,
                             const tsri_share_type *type, tsri_shares *shares);

/* ---- a call -----------------------------------------------------------------------------------
 */

/* What differs between reductions along axes. */
typedef struct tsri_along tsri_along;
struct tsri_along {
    tsri_share_type type; /* of shares */
    tsr_dtype operand;    /* what elements are converted to first */
    tsr_dtype dtype;      /* of the result */
    void (*fold)(const tsri_frame *frame, const tsri_along *along, tsri_shares *shares);
    /* Make the values of the result, in the plane whose number is returned. */
    int (*finish)(const tsri_frame *frame, const tsri_along *along, tsri_shares *shares);
    /* NULL, or what gives the value when all axes are reduced. */
    tsr_status (*whole)(const tsr_array *array, const tsr_reduce_options *options,
                        tsr_scalar *value);
    tsr_reduce_options options;
    bool root; /* of variances */
    bool max;  /* positions */
};

/* Make the result.  `status` says what failed before, when the frame need not be complete;
 * `arguments` is a fingerprint.  Collective over the context; agrees. */
tsr_status tsri_reduce_along(const tsri_frame *frame, const tsri_along *along, tsr_status status,
                             uint64_t arguments, tsr_array **result);

#endif
