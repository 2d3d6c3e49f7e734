/* Memory that the ranks of a team hold together: a piece of the first member's arena, which the
 * others map.  In front of it lies what they meet by. */
#ifndef TSRI_SHM_NODE_PIECE_H
#define TSRI_SHM_NODE_PIECE_H

#include "shm/barrier.h"
#include "shm/team.h"

typedef struct tsri_node_piece {
    struct tsri_node_head *head; /* NULL: none */
    bool own;                    /* this rank is the first member */
    uint64_t meetings;           /* of the barrier, as this rank counts them */
    uint64_t shown;              /* times that the first member said that it has written */
} tsri_node_piece;

/* Room for `bytes` bytes, aligned to 64 and not initialised.  Collective over the team; the ranks
 * have to agree on the outcome, and after a failure on any of them all drop the piece. */
tsr_status tsri_node_piece_make(tsri_context *context, const tsri_team *team, size_t bytes,
                                tsri_node_piece *piece);
void tsri_node_piece_drop(tsri_node_piece *piece);
/* Give it up, in any order on different ranks: the memory returns to the arena when the last of
 * them has.  Local; takes a zeroed one. */
void tsri_node_piece_release(tsri_node_piece *piece);

void *tsri_node_piece_data(const tsri_node_piece *piece);
/* Wait for all members; what each wrote before is visible to all after. */
void tsri_node_piece_meet(const tsri_context *context, const tsri_team *team,
                          tsri_node_piece *piece);
/* The first member says that it has written; the others wait until it does, and it for nobody. */
void tsri_node_piece_show(const tsri_context *context, tsri_node_piece *piece);

#endif
