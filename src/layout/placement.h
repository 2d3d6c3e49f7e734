/* Which rank goes where in a process grid, so that the boundaries between nodes cut few halo cells.
 * Pure geometry: no communicator, any number of ranks. */
#ifndef TSRI_LAYOUT_PLACEMENT_H
#define TSRI_LAYOUT_PLACEMENT_H

#include "layout/geometry.h"

/* Place the ranks of a geometry, which has a block for each: place[r] is the position of rank r, in
 * row-major order of the grid.  `node` has the node, 0 .. nodes-1, of each rank; `given` the
 * positions that the ranks have, NULL when each is at its own number.
 *
 * The result cuts the fewest halo cells of: the given placement, which is kept when it is as good
 * as the others; equal boxes of positions, one a node, when all nodes have as many ranks and such
 * boxes divide the grid; and bisection, in which the grid is cut in two again and again.  O(ranks
 * log nodes) work, O(ranks) memory, the same on every rank.  Local. */
tsr_status tsri_placement(const tsri_geometry *geometry, int nodes, const int *node,
                          const int *given, int *place);

/* How many halo cells have their owner on another node, when node_at has the node at each position:
 * those on the faces of blocks, as if the block next to it held all of a halo.  A whole number,
 * exact up to 2^53.  Local. */
double tsri_placement_cut(const tsri_geometry *geometry, const int *node_at);

/* The candidates: each fills node_at. */
typedef struct tsri_node_sizes {
    int count;
    const int *ranks; /* of each node, >= 1 */
} tsri_node_sizes;
tsr_status tsri_placement_boxes(const tsri_geometry *geometry, tsri_node_sizes nodes, int *node_at,
                                bool *found);
tsr_status tsri_placement_bisect(const tsri_geometry *geometry, tsri_node_sizes nodes,
                                 int *node_at);

#endif
