/* Layouts for tests, of any rank of any number of ranks: the examples of the specification name
 * rank counts, and most of what a layout answers needs no communicator. */
#ifndef TSRT_SUPPORT_LAYOUT_CASES_H
#define TSRT_SUPPORT_LAYOUT_CASES_H

#include "layout/layout.h"
#include "support/harness.h"

/* A layout as rank `rank` of `size` would hold it, without a communicator: only for calls that are
 * local.  Fails the test when the layout is refused. */
tsr_layout *tsrt_layout(int rank, int size, int ndim, const int64_t *shape,
                        const tsr_layout_options *options);
void tsrt_layout_free(tsr_layout *layout);

/* Check something of a layout as each rank holds it, and, when there are `size` ranks, also of the
 * one that tsr_layout_create() makes. */
void tsrt_on_layout(int size, int ndim, const int64_t *shape, const tsr_layout_options *options,
                    void (*check)(const tsr_layout *layout));

/* The layout is refused for `size` ranks with this status and text; when there are `size` ranks,
 * also by tsr_layout_create(), with the same text on all of them. */
void tsrt_refused(int size, int ndim, const int64_t *shape, const tsr_layout_options *options,
                  tsr_status status, const char *text);
/* The layout is accepted for `size` ranks, likewise. */
void tsrt_accepted(int size, int ndim, const int64_t *shape, const tsr_layout_options *options);

/* Let each allocation and MPI call of a creation fail once, on each rank in turn: all ranks get one
 * status and text and no layout, and nothing leaks.  Returns how many calls could fail. */
int tsrt_layout_faults(tsr_status (*create)(void *ctx, tsr_layout **layout), void *ctx);

/* Cuts of a layout along an axis are these. */
void tsrt_check_cuts(const tsr_layout *layout, int axis, int count, const int64_t *cuts);

/* A number for the text of the last failure. */
int tsrt_text_hash(void);

/* Numbers that depend on nothing but the seed: 0 .. limit-1. */
int tsrt_random(uint64_t *seed, int limit);

/* A random shape of 0 to 4 axes with lengths 0 to 12, and options that suit `size` ranks: near-even
 * or with cuts, empty blocks included.  The options point into `cuts`. */
typedef struct tsrt_random_layout {
    int size, ndim;
    int64_t shape[TSR_MAX_NDIM];
    tsr_layout_options options;
    int64_t cuts[4][16];
} tsrt_random_layout;
void tsrt_random_layout_make(uint64_t *seed, tsrt_random_layout *layout);

#endif
