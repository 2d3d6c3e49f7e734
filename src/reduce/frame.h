/* The frame of a reduction along axes: which of an array's axes go and which stay, the layout of
 * the result, and this rank's share of it. */
#ifndef TSRI_REDUCE_FRAME_H
#define TSRI_REDUCE_FRAME_H

#include "reduce/shares.h"

typedef struct tsri_source tsri_source; /* source.h */

typedef struct tsri_frame {
    const char *name; /* the public call */
    tsri_source *source;
    const tsr_layout *layout; /* of the source */
    tsr_axes reduced;
    bool keep;
    double count;                /* product of the reduced lengths */
    int64_t start[TSR_MAX_NDIM]; /* of this rank's block, also where it has no cell */
    int64_t extent[TSR_MAX_NDIM];
    int64_t stride[TSR_MAX_NDIM]; /* of this rank's share: 0 along reduced axes */
    int64_t cells;                /* of this rank's share */
} tsri_frame;

tsri_frame tsri_frame_make(const char *name, tsri_source *source, tsr_axes reduced, bool keep);
static inline bool tsri_frame_reduces(const tsri_frame *frame, int axis)
{
    return (frame->reduced >> axis & 1u) != 0;
}
bool tsri_frame_reduces_all(const tsri_frame *frame);

/* The layout of the result, to be handed to tsri_layout_finish(); and whether it has the blocks of
 * the shares, so that nothing moves.  Local. */
tsr_status tsri_frame_layout(const tsri_frame *frame, tsr_layout **layout);
bool tsri_frame_stays(const tsri_frame *frame, const tsr_layout *layout);

/* ---- this rank's share: passes over the block (fold.c) --------------------------------------- */

/* Combine all elements, as those of a type and then converted to that of the totals, into shares of
 * no element. */
void tsri_fold_totals(const tsri_frame *frame, tsr_dtype as, tsri_shares *shares);
/* The same for moments and for positions along the one reduced axis. */
void tsri_fold_moments(const tsri_frame *frame, tsri_shares *shares);
void tsri_fold_positions(const tsri_frame *frame, bool max, tsri_shares *shares);

/* ---- between ranks (merge.c) ----------------------------------------------------------------- */

/* Combine the shares of all ranks, in the order of the ranks: each gets those of its block of the
 * result.  `status` says what failed on this rank before.  On success `shares` is replaced.
 * Collective; agrees. */
tsr_status tsri_merge_shares(const tsri_frame *frame, const tsr_layout *result, tsr_status status,
                             const tsri_share_type *type, tsri_shares *shares);

#endif
