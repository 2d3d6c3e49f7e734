/* The ranks of a context that share this rank's node, and whether they can share memory. */
#ifndef TSRI_SHM_TEAM_H
#define TSRI_SHM_TEAM_H

#include "base/nodes.h"
#include "shm/arena.h"

typedef struct tsri_team {
    int count;          /* members; 1 in a build without MPI */
    int index;          /* this rank's place among them */
    const int *rank;    /* [count] their ranks in the context, ascending */
    bool sharing;       /* every member can map every other's arena: the same on all of them, and on
                           all nodes.  false when there is one member, or TESSERA_TRANSPORT=p2p */
    bool anyone_shares; /* some team of the context does: the same on all ranks */
} tsri_team;

/* The team of a context, real or pretended (TESSERA_RANKS_PER_NODE).  Borrowed: it is kept with the
 * context.  The first call is collective and agrees; later ones are local. */
tsr_status tsri_team_of(tsri_context *context, const tsri_team **team);
/* The same for who only wants to know what is shared: NULL, at no cost, when nothing can be. */
tsr_status tsri_team_that_shares(tsri_context *context, const tsri_team **team);

#endif
