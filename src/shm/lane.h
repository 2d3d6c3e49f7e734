/* Ranks of different nodes that have the same place on theirs. */
#ifndef TSRI_SHM_LANE_H
#define TSRI_SHM_LANE_H

#include "shm/team.h"

typedef struct tsri_lane {
    int nodes;    /* of the context */
    int node;     /* this rank's */
    int shortest; /* ranks of the smallest node, and of the largest */
    int longest;
    int *rank; /* [nodes] the rank of each node with this rank's place there; any number where a
                  node has no such place */
} tsri_lane;

/* O(ranks) time.  Local once the context has a team.  tsri_lane_free() takes a zeroed one. */
tsr_status tsri_lane_find(tsri_context *context, const tsri_team *team, tsri_lane *lane);
void tsri_lane_free(tsri_lane *lane);

#endif
