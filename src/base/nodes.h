/* Which ranks share a node. */
#ifndef TSRI_BASE_NODES_H
#define TSRI_BASE_NODES_H

#include "base/context.h"

/* Nodes are numbered in the order of their lowest ranks. */
typedef struct tsri_nodes {
    int count;
    int *
        machine; /* the lowest rank on each rank's machine, which may pretend to be several nodes */
    int of[];    /* the node of each rank of the context */
} tsri_nodes;

/* The nodes of a context: real ones, or with TESSERA_RANKS_PER_NODE=k each real one cut into nodes
 * of k ranks, the last of which may have fewer.  O(ranks) memory, found out when first asked for
 * and kept with the context.  Borrowed.  The first call is collective and agrees; later ones are
 * local.
 */
tsr_status tsri_nodes_of(tsri_context *context, const tsri_nodes **nodes);

/* The same, where they were found out before; else NULL.  Local. */
const tsri_nodes *tsri_nodes_known(const tsri_context *context);

#endif
