#include "shm/lane.h"

#include "base/memory.h"

tsr_status tsri_lane_find(tsri_context *context, const tsri_team *team, tsri_lane *lane)
{
    const tsri_nodes *nodes = NULL;
    tsr_status st = TSR_OK;
    int *seen = NULL; /* ranks of each node so far */

    *lane = (tsri_lane){0};
    TSRI_TRY(done, tsri_nodes_of(context, &nodes));
    TSRI_ALLOC(done, seen, nodes->count);
    TSRI_ALLOC(done, lane->rank, nodes->count);
    for (int rank = 0; rank < tsri_context_size(context); ++rank)
        if (seen[nodes->of[rank]]++ == team->index) lane->rank[nodes->of[rank]] = rank;
    lane->nodes = nodes->count;
    lane->node = nodes->of[tsri_context_rank(context)];
    lane->shortest = lane->longest = seen[0];
    for (int node = 1; node < nodes->count; ++node) {
        if (seen[node] < lane->shortest) lane->shortest = seen[node];
        if (seen[node] > lane->longest) lane->longest = seen[node];
    }
done:
    tsri_free(seen);
    return st;
}

void tsri_lane_free(tsri_lane *lane)
{
    tsri_free(lane->rank);
    *lane = (tsri_lane){0};
}
