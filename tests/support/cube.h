/* A rank of many, alone in one process: what it does on its own before cells or rows move, counted.
 */
#ifndef TSRT_SUPPORT_CUBE_H
#define TSRT_SUPPORT_CUBE_H

#include "base/comm.h"
#include "move/picks.h"
#include "move/plan.h"
#include "support/harness.h"

/* A context that knows its place and nothing else. */
tsri_context *lone_context(int rank, int size);
void lone_context_free(tsri_context *context);

enum { CUBE_BLOCK = 4 };

/* The rank in the middle of a cube of e x e x e ranks with blocks of CUBE_BLOCK cells along each
 * axis, and two cells along an axis before these that is not split. */
typedef struct cube {
    int e, ranks, rank;
    int64_t n, middle; /* cells along an axis; the rank's first */
    tsri_context *context;
    tsr_layout *layout;
    tsr_array array;
    tsri_storage storage;
} cube;

/* The axes that are split. */
extern const tsr_axes cube_axes;

/* The rank's view of an array, which has no cells in memory. */
tsr_array cube_view(tsr_layout *layout);

/* What some work costs, and a kind of it. */
typedef struct cube_cost {
    int64_t allocations, pieces, sends, receives, cells;
} cube_cost;
typedef cube_cost cube_work(cube *c, int kind);

/* Every kind costs the same in cubes of 10^3 to 10^6 ranks. */
void cube_check_constant(cube_work *run, int kinds);

/* Allocations so far, and what a plan (released) or picks cost since; of picks each run counts as a
 * peer. */
int64_t cube_allocations(void);
cube_cost cube_of_plan(tsri_plan *plan, int64_t before);
cube_cost cube_of_picks(const tsri_picks *given, const tsri_picks *taken, int64_t before);

#endif
