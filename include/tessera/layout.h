/**
 * @file layout.h
 * Layouts: how a global array is cut into blocks, one a rank, with halo cells around them.
 *
 * A layout is immutable and counted by reference: arrays keep it alive.  All queries are local,
 * take O(ndim log ranks) and work for any rank.
 */
#ifndef TESSERA_LAYOUT_H
#define TESSERA_LAYOUT_H

#include <tessera/types.h>

TSR_BEGIN_DECLS

/** How to cut.  Zero means default, so NULL and {0} are valid. */
typedef struct tsr_layout_options {
    /** Axes cut over the ranks; 0: not given (axis 0, or the axes that process_grid or cuts give
     * more than one rank); TSR_WHOLE: none. */
    tsr_axes split;
    /** Halo width in cells on both sides of an axis, or per side in the two below (both forms on
     * one axis are an error). */
    int64_t halo[TSR_MAX_NDIM];
    int64_t halo_lo[TSR_MAX_NDIM], halo_hi[TSR_MAX_NDIM];
    tsr_axes periodic;              /**< axes whose ends meet */
    int process_grid[TSR_MAX_NDIM]; /**< ranks along each axis; all 0: automatic; else all >= 1 */
    /** Cut points of an axis: 0, ..., length.  NULL: near-even over process_grid[axis], or one
     * block without a grid.  Borrowed during the call. */
    const int64_t *cuts[TSR_MAX_NDIM];
    int ncuts[TSR_MAX_NDIM]; /**< number of cut points: blocks + 1 */
    bool allow_empty;        /**< ranks may own nothing */
    bool reorder;     /**< number ranks so that nodes share few halo cells (tsr_layout_comm()) */
    bool node_shared; /**< with TSR_WHOLE: one copy a node (tsr_layout_is_node_shared()) */
} tsr_layout_options;

/**
 * Make a layout.
 *
 * @par Call
 *   Collective over comm; agrees.
 * @param comm     an intra-communicator.  Its first use makes a private duplicate.
 * @param ndim     number of axes, 0 to TSR_MAX_NDIM.
 * @param shape    ndim lengths >= 0; may be NULL when ndim is 0.
 * @param options  NULL for defaults.  Same on all ranks.
 * @param layout   the new layout, owned by the caller; NULL on failure.
 * @return TSR_OK, or
 *   TSR_ERR_VALUE        an impossible shape, width, grid or cut (the text says which),
 *   TSR_ERR_MISMATCH     ranks passed different arguments,
 *   TSR_ERR_OVERFLOW     the cells of the array, or of a block with its halos, cannot be
 *                        counted in 64 bits,
 *   TSR_ERR_UNSUPPORTED  an option this build does not have, or an inter-communicator,
 *   TSR_ERR_STATE        MPI is not running, or the thread level is too low,
 *   TSR_ERR_NOMEM, TSR_ERR_MPI.
 * @par Cost
 *   One small allreduce; O(ndim) memory, plus the cuts given.  With `reorder` O(ranks) work and
 *   memory, and the first time for an order a new communicator.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_layout_create(tsr_comm comm, int ndim, const int64_t *shape,
                                                    const tsr_layout_options *options,
                                                    tsr_layout **layout);

/**
 * Make a layout with the cuts of another one, for an array that is longer or shorter at the end of
 * its axes: every block but the last along an axis stays where it is, so that cells of equal index
 * are on the same rank.  Communicator, process grid and node_shared are those of `like`.
 *
 * @par Call
 *   Collective over the communicator of `like`; agrees.
 * @param like     borrowed
 * @param ndim     number of axes, that of `like`
 * @param shape    ndim lengths, each beyond the start of the last block of `like` along the axis
 * @param options  NULL: the halo and periodicity of `like`.  Else both are as given here, and
 *                 nothing else may be given.
 * @param layout   the new layout, owned by the caller; NULL on failure.
 * @return as tsr_layout_create().
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_layout_create_aligned(const tsr_layout *like, int ndim,
                                                            const int64_t *shape,
                                                            const tsr_layout_options *options,
                                                            tsr_layout **layout);

/**
 * Make a layout in which the blocks along each axis have about equal weight, for work that is not
 * spread evenly.  Each axis is cut by its profile, the sums of the weights over all other axes: the
 * profiles are balanced, not the blocks themselves.  An axis without any weight is cut near-evenly.
 * Blocks get at least as many cells as the halo is wide, where the axis has room for that.
 *
 * @par Call
 *   Collective over comm; agrees.
 * @param weights  one for each cell, in C order, finite and >= 0; the same on every rank (their
 *                 profiles are compared).  May be NULL when there is no cell.
 * @param options  as for tsr_layout_create(), without cuts
 * @param layout   the new layout, owned by the caller; NULL on failure.  On one rank or replicated
 *                 the weights are checked, too, but decide nothing.
 * @return as tsr_layout_create(); TSR_ERR_VALUE also for a weight that is negative or not finite.
 * @par Cost
 *   One pass over the weights; one number for each place along each axis.
 * @see tsr_layout_create_balanced() for weights that are a distributed array.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_layout_create_weighted(tsr_comm comm, int ndim,
                                                             const int64_t *shape,
                                                             const double *weights,
                                                             const tsr_layout_options *options,
                                                             tsr_layout **layout);

/** The weights along one axis. */
typedef struct tsr_profile {
    int64_t length;        /**< their number, the length of the axis; 0 without weights */
    const double *weights; /**< NULL: the axis is cut near-evenly.  Borrowed during the call. */
} tsr_profile;

/**
 * The same with the profiles themselves: for each axis its weights, or none.
 * @param profiles  ndim entries, the same on every rank; may be NULL when ndim is 0
 * @return as tsr_layout_create_weighted(); TSR_ERR_VALUE also for a profile of another length than
 *   its axis.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_layout_create_profiled(tsr_comm comm, int ndim,
                                                             const int64_t *shape,
                                                             const tsr_profile *profiles,
                                                             const tsr_layout_options *options,
                                                             tsr_layout **layout);

/** Give up a layout and set the handle to NULL.  Arrays made with it keep it.  Local. */
TSR_API tsr_status tsr_layout_destroy(tsr_layout **layout);

/* ---- what a layout is (all Local; a NULL layout gives 0, NULL or false) -----------------------
 */

TSR_API int tsr_layout_ndim(const tsr_layout *layout);
/** This rank's number in the layout's communicator, and the number of ranks. */
TSR_API int tsr_layout_rank(const tsr_layout *layout);
TSR_API int tsr_layout_size(const tsr_layout *layout);
/**
 * The communicator in which the layout numbers its ranks: the one it was made with, or where
 * `reorder` found a better order one of the library's, the same for every layout with that order.
 * That one carries none of the library's messages and is not to be freed: it goes when neither the
 * first one nor a layout needs it.  TSR_COMM_NULL once the caller has freed the one it was made
 * with.
 */
TSR_API tsr_comm tsr_layout_comm(const tsr_layout *layout);
/** ndim entries each, owned by the layout: lengths, ranks along each axis, halo widths. */
TSR_API const int64_t *tsr_layout_shape(const tsr_layout *layout);
TSR_API const int *tsr_layout_process_grid(const tsr_layout *layout);
TSR_API const int64_t *tsr_layout_halo_lo(const tsr_layout *layout);
TSR_API const int64_t *tsr_layout_halo_hi(const tsr_layout *layout);
/** The stored split: with a grid or cuts the axes with more than one rank, else the axes asked for.
 */
TSR_API tsr_axes tsr_layout_split(const tsr_layout *layout);
TSR_API tsr_axes tsr_layout_periodic(const tsr_layout *layout);
/** More than one rank and every rank holds, or shares, the whole array. */
TSR_API bool tsr_layout_is_replicated(const tsr_layout *layout);
/**
 * The option node_shared: the ranks of a node hold one copy together.  Only collective calls write
 * to it, each rank a part, or one rank of the node where cells depend on each other; when they
 * return all of it is written.  Calls that write such an array are collective, also where they
 * would be local for copies of each rank's own.  Programs write through tsr_local_share() and
 * tsr_array_sync().  Where memory cannot be shared, or is short on some node, every rank gets a
 * copy of its own, with the same results.  Boundary functions are called on one rank of each node.
 */
TSR_API bool tsr_layout_is_node_shared(const tsr_layout *layout);
/** More than one rank and ranks hold different blocks. */
TSR_API bool tsr_layout_is_distributed(const tsr_layout *layout);
/** Cells of the global array. */
TSR_API int64_t tsr_layout_cells(const tsr_layout *layout);
/**
 * Same shape, halo, periodicity, grid, cuts and communicator (a duplicate is another communicator).
 * Ignores split, allow_empty, reorder and node_shared.
 */
TSR_API bool tsr_layout_equal(const tsr_layout *a, const tsr_layout *b);
/** A number that is the same for equal layouts. */
TSR_API uint64_t tsr_layout_hash(const tsr_layout *layout);
/**
 * Write the text form, `Layout(shape=(8, 4), split=(0,), ...)`, into a buffer as snprintf does.
 * @return the length of the whole text, without the final NUL, even when it did not fit.
 */
TSR_API size_t tsr_layout_describe(const tsr_layout *layout, size_t size, char *buffer);

/* ---- where things are (all Local) ------------------------------------------------------------ */

/**
 * The blocks + 1 cut points of an axis (negative axes count from the end).
 * @return TSR_OK, TSR_ERR_AXIS.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_layout_cuts(const tsr_layout *layout, int axis,
                                                  int64_t *cuts);
/**
 * The block of a rank: global index of its first cell and number of cells along each axis (either
 * output may be NULL).  In a replicated layout every rank's block is the whole array.
 * @return TSR_OK, TSR_ERR_INDEX (no such rank).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_layout_block(const tsr_layout *layout, int rank,
                                                   int64_t *start, int64_t *extent);
/**
 * The storage of a rank along each axis: block plus halo cells, or all zero for a rank without
 * cells.
 * @return TSR_OK, TSR_ERR_INDEX (no such rank).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_layout_storage(const tsr_layout *layout, int rank,
                                                     int64_t *extent);
/**
 * The position of a rank in the process grid, and the rank at a position (last axis fastest).
 * In a replicated layout every rank is at 0 ... 0, and rank 0 is there.
 * @return TSR_OK, TSR_ERR_INDEX (outside the grid or the ranks).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_layout_coords(const tsr_layout *layout, int rank,
                                                    int *coords);
TSR_API TSR_MUST_CHECK tsr_status tsr_layout_rank_at(const tsr_layout *layout, const int *coords,
                                                     int *rank);
/**
 * The ranks before and after a rank along an axis: wrapped on a periodic axis, TSR_NO_RANK beyond a
 * wall.  Ranks without cells are jumped over, and have no neighbours themselves.
 * @return TSR_OK, TSR_ERR_INDEX (no such rank), TSR_ERR_AXIS.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_layout_neighbours(const tsr_layout *layout, int rank,
                                                        int axis, int *before, int *after);

/** What tsr_layout_owners() does with an index outside the array. */
typedef enum tsr_outside {
    TSR_STRICT = 0, /**< negative ones count from the end once; else TSR_ERR_INDEX */
    TSR_CLIP,       /**< limited to 0 .. length-1; negative ones do not count from the end */
    TSR_WRAP        /**< modulo the length on periodic axes, as TSR_STRICT on others */
} tsr_outside;

/**
 * The rank that owns a cell; 0 in a replicated layout.  Negative indices count from the end.
 * @param index  ndim entries
 * @return TSR_OK, TSR_ERR_INDEX.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_layout_owner(const tsr_layout *layout, const int64_t *index,
                                                   int *rank);
/**
 * The owners of many cells.  Nothing is written when one of them is outside.
 * @param count    number of cells, >= 0
 * @param cells    count x ndim indices, row by row
 * @param outside  what to do with indices outside
 * @param ranks    count entries
 * @return TSR_OK, TSR_ERR_INDEX, TSR_ERR_VALUE (count negative, unknown mode, clip on an empty
 * axis).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_layout_owners(const tsr_layout *layout, int64_t count,
                                                    const int64_t *cells, tsr_outside outside,
                                                    int *ranks);
/** In a table of cells: the position is in none. */
#define TSR_NO_CELL INT64_MIN

/** Positions in space, in a row for each particle. */
typedef struct tsr_positions {
    tsr_dtype dtype;       /**< TSR_F32 or TSR_F64 */
    void *data;            /**< rows of ndim coordinates */
    int64_t stride;        /**< elements from a row to the next; 0: ndim */
    const double *origin;  /**< where cell 0 begins along each axis, ndim entries; NULL: at 0 */
    const double *spacing; /**< lengths of a cell, ndim entries; NULL: 1 */
} tsr_positions;

/**
 * The cells in which positions lie, and their owners.  An axis reaches from lo = origin to
 * hi = origin + length*spacing, lo included, hi not, and a position has the cell
 * floor((x - lo) / spacing), or the last one where rounding gives the length.
 *
 * With TSR_WRAP positions on periodic axes are moved by whole lengths of the axis so that
 * lo <= x < hi holds in their own type: where rounding would give hi, to the first number from lo
 * on.  With TSR_CLIP positions are left alone, and those beyond an end have the cell there.  All
 * others outside, and NaN in any case, are in no cell; their rows are not written.
 *
 * @param count      number of positions, >= 0
 * @param positions  rows, read, and written where positions are wrapped
 * @param cells      count x ndim indices, TSR_NO_CELL for a row in no cell; may be NULL
 * @param owner      count ranks, TSR_NO_RANK for a row in no cell; may be NULL
 * @param left       how many are in no cell; may be NULL
 * @return TSR_OK, TSR_ERR_VALUE (a pointer NULL, count or stride too small, unknown mode, an axis
 *   that has no position of the type), TSR_ERR_TYPE.
 * @see tsr_migratev()
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_layout_locate(const tsr_layout *layout, int64_t count,
                                                    const tsr_positions *positions,
                                                    tsr_outside outside, int64_t *cells, int *owner,
                                                    int64_t *left);
/**
 * Where a cell lies in this rank's storage: index minus start plus low halo width, per axis.
 * @param index     ndim entries; negative ones count from the end
 * @param position  ndim entries; untouched when the cell is another rank's
 * @param mine      whether this rank owns the cell (always, in a replicated layout)
 * @return TSR_OK, TSR_ERR_INDEX.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_layout_local_index(const tsr_layout *layout,
                                                         const int64_t *index, int64_t *position,
                                                         bool *mine);
/**
 * The coordinate at each inner cut of an axis: of the first cell of every block but the first.
 * @param axis         negative ones count from the end
 * @param count        entries of coordinates; must be the length of the axis
 * @param coordinates  one value for each index of the axis
 * @param boundaries   blocks - 1 entries; NaN for a block that begins at the end of the axis
 * @return TSR_OK, TSR_ERR_INDEX (axis out of range), TSR_ERR_VALUE (wrong count).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_layout_rank_boundaries(const tsr_layout *layout, int axis,
                                                             int64_t count,
                                                             const double *coordinates,
                                                             double *boundaries);

/* ---- without a layout (Local) ---------------------------------------------------------------- */

/**
 * Chunk i of a length cut near-evenly in count chunks: the first (length mod count) have one more.
 * Chunks may be empty.
 * @return TSR_OK, TSR_ERR_VALUE (length < 0, count < 1), TSR_ERR_INDEX (no such chunk).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_near_even(int64_t length, int64_t count, int64_t i,
                                                int64_t *start, int64_t *end);
/**
 * The position of every element when blocks are stored one after another, blocks in row-major
 * order, C order inside each.
 * @param cuts     for each axis its cut points: from 0 to the length, never decreasing
 * @param ncuts    for each axis their number, at least 2
 * @param numbers  one entry for each element, C order; may be NULL when there is none
 * @return TSR_OK, TSR_ERR_VALUE, TSR_ERR_OVERFLOW.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_block_numbering(int ndim, const int64_t *shape,
                                                      const int64_t *const *cuts, const int *ncuts,
                                                      int64_t *numbers);

TSR_END_DECLS
#endif
