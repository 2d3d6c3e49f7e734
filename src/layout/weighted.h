/* Layouts cut by weights. */
#ifndef TSRI_LAYOUT_WEIGHTED_H
#define TSRI_LAYOUT_WEIGHTED_H

#include "layout/layout.h"

/* For each axis the sum of the weights over all others. */
typedef struct tsri_profiles {
    int ndim;
    int64_t length[TSR_MAX_NDIM];
    double *weight[TSR_MAX_NDIM]; /* one after another in the memory of the first */
    int64_t total;                /* weights of all axes together */
} tsri_profiles;

/* Zeroed profiles for the axes of a layout.  tsri_profiles_free() takes zeroed ones. */
tsr_status tsri_profiles_make(const tsr_layout *layout, tsri_profiles *profiles);
void tsri_profiles_free(tsri_profiles *profiles);
/* Add the weights of `count` cells, from `cell` on along the last axis; TSR_ERR_VALUE for one that
 * is negative or not finite. */
tsr_status tsri_profiles_add(const char *call, tsri_profiles *profiles, const int64_t *cell,
                             int64_t count, const double *weights);
uint64_t tsri_profiles_hash(uint64_t hash, const tsri_profiles *profiles);

/* What the calls that cut by weights share.  tsri_layout_make_even() makes the near-even layout and
 * refuses options that such calls do not take; tsri_layout_weigh() replaces it by the one cut by
 * `weight`, for each axis its weights or NULL (near-even), unless it has one block.  Local. */
tsr_status tsri_layout_make_even(const char *call, tsri_context *context, int ndim,
                                 const int64_t *shape, const tsr_layout_options *options,
                                 tsr_layout **layout);
tsr_status tsri_layout_weigh(const char *call, tsri_context *context, const double *const *weight,
                             const tsr_layout_options *options, tsr_layout **layout);

/* Cut an axis in blocks of about equal weight, each of at least `minimum` cells: cut k lies where
 * the weights before it come closest to k/blocks of all (of two as close, the lower), as far as the
 * minimum allows; near-even without any weight.  Weights are finite and >= 0. */
tsr_status tsri_balanced_cuts(const char *call, int axis, int64_t length, const double *weights,
                              int blocks, int64_t minimum, int64_t *cuts);

#endif
