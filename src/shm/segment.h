/* Segments: memory of one rank that all ranks of a context see, with a barrier of these ranks. */
#ifndef TSRI_SHM_SEGMENT_H
#define TSRI_SHM_SEGMENT_H

#include "shm/barrier.h"
#include "shm/team.h"

typedef struct tsri_segment {
    tsri_context *context; /* counted */
    int root;              /* whose memory it is */
    void *piece;           /* a barrier, then the data; NULL when there is none */
    uint64_t round;        /* of the barrier */
} tsri_segment;

/* Room for `bytes` bytes on the root, aligned to 64 and not initialised, of which every rank has
 * the address.  Collective over the context; the arguments are the same on all ranks, which share a
 * node.  The ranks have to agree on the outcome, and on failure each frees what it has. */
tsr_status tsri_segment_make(tsri_context *context, int root, size_t bytes, tsri_segment *segment);
/* Give it up.  Local, but nobody may use the segment any more: the ranks have met before.  Takes a
 * zeroed one. */
void tsri_segment_free(tsri_segment *segment);

void *tsri_segment_data(const tsri_segment *segment);
void tsri_segment_barrier(tsri_segment *segment);

#endif
