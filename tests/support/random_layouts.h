/* Layouts of every kind, drawn from a seed that is the same on all ranks. */
#ifndef TSRT_SUPPORT_RANDOM_LAYOUTS_H
#define TSRT_SUPPORT_RANDOM_LAYOUTS_H

#include "support/layout_cases.h"

enum { RANDOM_AXES = 4 };

/* A shape of 0 to 4 axes, some of length 0 or 1; returns their number. */
int random_shape(uint64_t *seed, int64_t *shape);
/* A layout of a shape over all ranks: a grid of any form with near-even or other cuts, empty blocks
 * and halos, or replicated. */
tsr_layout *random_layout(uint64_t *seed, int ndim, const int64_t *shape);
/* The same on another communicator of all ranks. */
tsr_layout *random_layout_on(tsr_comm comm, uint64_t *seed, int ndim, const int64_t *shape);

#endif
