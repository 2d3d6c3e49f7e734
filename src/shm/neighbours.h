/* Copies of the same cells that ranks of one node hold in memory that all of them can map: they
 * combine by direct reads and writes. */
#ifndef TSRI_SHM_NEIGHBOURS_H
#define TSRI_SHM_NEIGHBOURS_H

#include "base/net.h"
#include "shm/team.h"

typedef struct tsri_neighbours {
    tsri_context *context; /* borrowed */
    const tsri_team *team; /* its ranks, all of which share a node */
    void *own;             /* this rank's copy */
    void **copy;           /* [team->count] where each lies here; NULL when not mapped */
    tsri_arena_address *address;
    tsri_request *request;
} tsri_neighbours;

/* The team of a context all of whose ranks share memory, else NULL.  Local. */
const tsri_team *tsri_neighbours_team(const tsri_context *context);

/* Memory for it.  Local.  tsri_neighbours_free() takes a zeroed one; when others have been met they
 * must be done with this rank's copy. */
tsr_status tsri_neighbours_prepare(tsri_context *context, tsri_neighbours *n);
void tsri_neighbours_free(tsri_neighbours *n);
/* Map the copies of all; `own` is a piece of the arena, or NULL.  *complete, the same on all ranks,
 * says whether everyone has one.  All of the team call it; a rank on which it fails takes part, and
 * they have to agree on the outcome. */
tsr_status tsri_neighbours_meet(tsri_neighbours *n, void *own, bool *complete);
/* Combine, each rank a slice, and leave the result in every copy: by the tree of
 * tsri_net_combine().  A rank may still be at work in others' copies until they agree. */
void tsri_neighbours_combine(tsri_neighbours *n, tsr_op op, tsr_dtype dtype, int64_t cells);

#endif
