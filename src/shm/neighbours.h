/* Copies of the same cells that ranks of one node hold in memory that all of them can map: they
 * combine by direct reads and writes. */
#ifndef TSRI_SHM_NEIGHBOURS_H
#define TSRI_SHM_NEIGHBOURS_H

#include "base/net.h"
#include "shm/team.h"

typedef struct tsri_neighbours {
    tsri_context *context; /* borrowed */
    const tsri_team *team; /* the ranks of it that share this rank's node */
    void *own;             /* this rank's copy */
    void **copy;           /* [team->count] where each lies here; NULL when not mapped */
    tsri_arena_address *address;
    tsri_request *request;
} tsri_neighbours;

/* Memory for it.  Local.  tsri_neighbours_free() takes a zeroed one; when others have been met they
 * must be done with this rank's copy. */
tsr_status tsri_neighbours_prepare(tsri_context *context, tsri_neighbours *n);
void tsri_neighbours_free(tsri_neighbours *n);
/* Map the copies of the node; `own` is a piece of the arena, or NULL.  *complete says whether every
 * rank of the context has one: the same on all of them.  Collective over the context; a rank on
 * which it fails takes part, and they have to agree on the outcome. */
tsr_status tsri_neighbours_meet(tsri_neighbours *n, void *own, bool *complete);
/* Combine this rank's slice of all copies, by the tree of tsri_net_combine(), and leave the result
 * in its own copy or, when it is to be shared, in every one.  A rank may still be at work in
 * others' copies until they agree. */
void tsri_neighbours_combine(tsri_neighbours *n, tsr_op op, tsr_dtype dtype, int64_t cells,
                             bool share);
/* Give this rank's slice to every copy. */
void tsri_neighbours_share(tsri_neighbours *n, tsr_dtype dtype, int64_t cells);

#endif
