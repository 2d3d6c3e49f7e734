/* What operations cost on a machine of any size, from the plans of its ranks alone: plans are made
 * from geometry, so those of a rank of a million are made here as that rank would make them. */
#ifndef BENCH_SCALE_MODEL_H
#define BENCH_SCALE_MODEL_H

#include "layout/geometry.h"

/* Ranks are placed node by node, in their order. */
typedef struct scale_machine {
    int ranks, ranks_per_node;
    double latency;   /* seconds from a send to its receipt on another node */
    double overhead;  /* seconds for which a message keeps a rank busy */
    double bandwidth; /* bytes a second that leave a node */
    double memory;    /* bytes a second that a rank copies */
    int looked_at;    /* ranks whose plans are made, about, all when there are no more */
} scale_machine;

/* What a rank, or a number of them, sends. */
typedef struct scale_load {
    double messages, bytes;         /* to other ranks */
    double far_messages, far_bytes; /* of these, to other nodes */
    double copied;                  /* bytes that stay on the rank */
} scale_load;

typedef struct scale_cost {
    scale_load most;   /* by one rank; each number on its own */
    scale_load all;    /* by all ranks together; from those looked at when these are not all */
    double node_bytes; /* most that leave a node */
    double seconds;    /* the slowest node's */
} scale_cost;

/* A halo update of the full widths, of elements of `size` bytes. */
tsr_status scale_halo(const scale_machine *machine, const tsri_geometry *geometry, size_t size,
                      scale_cost *cost);
/* The values of one layout in another. */
tsr_status scale_redistribute(const scale_machine *machine, const tsri_geometry *from,
                              const tsri_geometry *to, size_t size, scale_cost *cost);
/* A reduction along axes, some and not all of them, into a result that is split along the others as
 * the array is: each rank's share of it, `size` bytes a cell, goes to the owners. */
tsr_status scale_reduce_axes(const scale_machine *machine, const tsri_geometry *from,
                             tsr_axes reduced, size_t size, scale_cost *cost);
/* `rounds` records of these bytes up a binomial tree and down again. */
void scale_tree(const scale_machine *machine, int rounds, const size_t *bytes, scale_cost *cost);

/* The records of a reduction of a whole array: its own, and that of the agreement. */
enum { SCALE_REDUCTION_ROUNDS = 2 };
extern const size_t scale_reduction_bytes[SCALE_REDUCTION_ROUNDS];

#endif
