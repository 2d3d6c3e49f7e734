/* Where the ranks of a communicator are: real nodes are one, since tests run on one machine, or
 * pretended ones of TESSERA_RANKS_PER_NODE ranks. */
#ifndef TSRT_SUPPORT_NODES_H
#define TSRT_SUPPORT_NODES_H

#include "support/data_in.h"

/* Ranks of a full node among `size` ranks. */
int ranks_per_node(int size);
/* Ranks of the node of this rank, and how many nodes there are. */
int node_size_of(int rank, int size);
int nodes_among(int size);
/* Ranks of the smallest node. */
int smallest_node(int size);

/* The next number of ranks to try after n in a run of all ranks, from 0: their own number, and what
 * no run has (5 to 7). */
int next_size(int n);

/* The rank in a communicator and its size, without the library; TSR_COMM_NULL gives -1 and 0. */
int rank_in(tsr_comm comm);
int size_of(tsr_comm comm);

/* A manager, checked. */
tsr_shm *make_manager(tsr_comm comm, int nproc_reduce, int node_root);
/* Part 0 (real) or 1 (imaginary, 0 of real types) of element i of a shared array. */
double shared_part(const tsr_shm_array *array, int64_t i, int which);
/* All elements have one value. */
void check_shared_all(const tsr_shm_array *array, double value);

#endif
