/* The geometry of a layout: pure integers, no communicator, so that a million ranks can be asked
 * about in one process.  Everything takes the rank as an argument. */
#ifndef TSRI_LAYOUT_GEOMETRY_H
#define TSRI_LAYOUT_GEOMETRY_H

#include "base/error.h"

#include <tessera/layout.h>

typedef struct tsri_geometry {
    int ndim;
    int size;   /* ranks */
    bool whole; /* the grid has one block: every rank holds the whole array */
    bool allow_empty;
    bool node_shared; /* whole, and the ranks of a node hold one copy together */
    tsr_axes split;   /* the stored split */
    tsr_axes periodic;
    int64_t cells; /* product of shape */
    int64_t shape[TSR_MAX_NDIM];
    int64_t halo_lo[TSR_MAX_NDIM], halo_hi[TSR_MAX_NDIM];
    int grid[TSR_MAX_NDIM];
    int64_t *cuts[TSR_MAX_NDIM]; /* NULL: near-even.  Cuts equal to the near-even ones are kept as
                                    NULL */
} tsri_geometry;

/* One axis of a geometry, by value; `cuts` is borrowed. */
typedef struct tsri_axis {
    int64_t length, halo_lo, halo_hi;
    const int64_t *cuts;
    int64_t quotient; /* without cuts: every block has this many cells, ... */
    int longer;       /* ... the first of them one more */
    int blocks;
    bool periodic;
} tsri_axis;

/* Fill a geometry for `size` ranks: the checks of the specification, in its order.  `call` is the
 * public function.  Local.  On failure nothing is held.  tsri_geometry_clear() takes a zeroed one.
 */
tsr_status tsri_geometry_init(const char *call, tsri_geometry *geometry, int size, int ndim,
                              const int64_t *shape, const tsr_layout_options *options);
void tsri_geometry_clear(tsri_geometry *geometry);
bool tsri_geometry_equal(const tsri_geometry *a, const tsri_geometry *b);
uint64_t tsri_geometry_hash(const tsri_geometry *geometry);

tsri_axis tsri_geometry_axis(const tsri_geometry *geometry, int axis);
/* Position of a rank in the grid (0 ... 0 when whole) and back; unchecked. */
void tsri_geometry_coords(const tsri_geometry *geometry, int rank, int *coords);
int tsri_geometry_rank(const tsri_geometry *geometry, const int *coords);
/* Block of a rank; true when it has a cell. */
bool tsri_geometry_block(const tsri_geometry *geometry, int rank, int64_t *start, int64_t *extent);
/* Storage of a rank, halos included: all 0 and false when its block has no cell. */
bool tsri_geometry_storage(const tsri_geometry *geometry, int rank, int64_t *extent);
/* The ranks next to a rank along an axis, over ranks without cells; TSR_NO_RANK at a wall. */
void tsri_geometry_neighbours(const tsri_geometry *geometry, int rank, int axis, int *before,
                              int *after);

/* An axis without halos, near-even when cuts is NULL. */
tsri_axis tsri_axis_make(int64_t length, int blocks, const int64_t *cuts);
/* Cut point k of an axis, 0 <= k <= blocks; block k is [cut k, cut k+1). */
int64_t tsri_axis_cut(const tsri_axis *axis, int k);
/* The block that owns index i, 0 <= i < length: the last one whose first cut is <= i, so empty
 * blocks are jumped over.  O(1) near-even, O(log blocks) with cuts. */
int tsri_axis_owner(const tsri_axis *axis, int64_t i);
/* The extent of the largest block: O(1) near-even, O(blocks) with cuts. */
int64_t tsri_axis_largest(const tsri_axis *axis);

/* Process grids for `size` ranks over the axes in `split`: the automatic one, and the one of least
 * surface with no more ranks than cells on every split axis.  The second may run out of memory;
 * when no grid fits, `found` is false and `grid` untouched. */
void tsri_grid_automatic(int size, int ndim, tsr_axes split, int *grid);
tsr_status tsri_grid_fitting(int size, int ndim, const int64_t *shape, tsr_axes split, int *grid,
                             bool *found);

#endif
