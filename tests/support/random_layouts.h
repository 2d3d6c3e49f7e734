/* Layouts of every kind, drawn from a seed that is the same on all ranks. */
#ifndef TSRT_SUPPORT_RANDOM_LAYOUTS_H
#define TSRT_SUPPORT_RANDOM_LAYOUTS_H

#include "support/layout_cases.h"

enum { RANDOM_AXES = 4, RANDOM_CUTS = 9 };

/* Options, with the cuts that they point at. */
typedef struct random_options {
    tsr_layout_options options;
    int64_t cuts[RANDOM_AXES][RANDOM_CUTS];
} random_options;

/* A shape of 0 to 4 axes, some of length 0 or 1; returns their number. */
int random_shape(uint64_t *seed, int64_t *shape);
/* Options of a layout over all ranks: a grid of any form with near-even or other cuts, empty blocks
 * and halos, or replicated. */
void draw_options(uint64_t *seed, int ndim, const int64_t *shape, random_options *drawn);
/* Such a layout of a shape. */
tsr_layout *random_layout(uint64_t *seed, int ndim, const int64_t *shape);
/* The same on another communicator of all ranks. */
tsr_layout *random_layout_on(tsr_comm comm, uint64_t *seed, int ndim, const int64_t *shape);

#endif
