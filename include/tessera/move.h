/**
 * @file move.h
 * Moving cells between ranks: halo update and accumulate, gather, get.
 */
#ifndef TESSERA_MOVE_H
#define TESSERA_MOVE_H

#include <tessera/array.h>

TSR_BEGIN_DECLS

/** As a width in tsr_halo_options: no halo cells on this side. */
#define TSR_NO_HALO (-1)

/** Which halo cells take part.  NULL: all axes, full widths, corners, the array's own boundaries.
 */
typedef struct tsr_halo_options {
    tsr_axes axes; /**< 0: all.  Other axes take part over their full storage extent. */
    /** Cells on each side; 0: full; TSR_NO_HALO: none.  Cells farther out are not touched. */
    int64_t width_lo[TSR_MAX_NDIM], width_hi[TSR_MAX_NDIM];
    bool faces_only; /**< only cells in the halo of one axis: a star stencil needs no corners */
    /** NULL, or 2*ndim boundaries, low and high side of each axis, that override the array's own.
     */
    const tsr_boundary *boundary;
} tsr_halo_options;

/** An exchange that has been started. */
typedef struct tsr_pending tsr_pending;

/**
 * Fill the halo cells of an array from the ranks that own what they stand for, corners included;
 * beyond walls by the boundaries.
 *
 * A halo cell is the value at its global index: modulo the length on periodic axes; beyond a wall
 * the boundary maps it to a cell inside (edge, symmetric, reflect), however far, gives it a value
 * (constant, callback: the highest such axis wins) or leaves it.  A cell beyond a wall left alone,
 * or in the halo of an axis not asked for, and in the halo of another axis takes the value of the
 * same halo cell of the neighbour along that axis.
 *
 * @param options  NULL for defaults.  Same on all ranks.
 * @par Call
 *   Collective over the layout's communicator.  The first use of an array with given options
 * agrees; later ones check only what all ranks share and allocate nothing.
 * @return TSR_OK, or
 *   TSR_ERR_VALUE  unknown boundary, width negative or larger than the halo, a mirror on an axis of
 *                  length 0,
 *   TSR_ERR_AXIS   an axis beyond the array's,
 *   TSR_ERR_STATE  an exchange of the array is pending,
 *   TSR_ERR_MISMATCH, TSR_ERR_NOMEM (first use), TSR_ERR_MPI, or what a callback returned.
 * @par Cost
 *   One message to and from each rank that holds or needs a cell; the bytes of the halo.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_halo_update(tsr_array *array,
                                                  const tsr_halo_options *options);
/** The same for several different arrays on one communicator: one message to each peer for all. */
TSR_API TSR_MUST_CHECK tsr_status tsr_halo_update_many(int count, tsr_array *const *arrays,
                                                       const tsr_halo_options *options);
/**
 * The reverse: add every halo cell to the owned cell it stands for, then set the halo cells to
 * zero.
 *
 * Halo cells beyond a wall are dropped.  Contributions are added in the order of the contributing
 * blocks in space (first axis slowest), so the result has the same bits with every transport.
 * Bool: logical or.
 *
 * @param options  as above; boundaries play no part
 * @par Call, errors, cost
 *   As tsr_halo_update().
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_halo_accumulate(tsr_array *array,
                                                      const tsr_halo_options *options);
TSR_API TSR_MUST_CHECK tsr_status tsr_halo_accumulate_many(int count, tsr_array *const *arrays,
                                                           const tsr_halo_options *options);

/**
 * Start an update, or an accumulation, of several different arrays on one communicator.  Until it
 * is finished the arrays must not be written and their halo cells not be read; the blocks may be
 * read.
 *
 * @param pending  the exchange, to be finished exactly once; NULL on failure.  An array destroyed
 *                 meanwhile is kept until then.
 * @par Call
 *   Collective, as tsr_halo_update().
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_halo_start(int count, tsr_array *const *arrays,
                                                 const tsr_halo_options *options,
                                                 tsr_pending **pending);
TSR_API TSR_MUST_CHECK tsr_status tsr_halo_accumulate_start(int count, tsr_array *const *arrays,
                                                            const tsr_halo_options *options,
                                                            tsr_pending **pending);
/**
 * Whether the messages of an exchange have arrived, so that tsr_halo_finish() will not wait; makes
 * progress.  True for NULL.  Local.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_halo_test(tsr_pending *pending, bool *done);
/**
 * Complete an exchange and set the handle to NULL; a NULL handle is fine.  Several pending
 * exchanges may be finished in any order.
 * @par Call
 *   Collective.
 * @return TSR_OK, TSR_ERR_MPI, or what a callback returned.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_halo_finish(tsr_pending **pending);

/**
 * Set the halo cells along some axes to zero, over the full storage extent of the others.
 * @param axes  TSR_ALL_AXES for all
 * @par Call
 *   Local.
 * @return TSR_OK, TSR_ERR_VALUE, TSR_ERR_AXIS, TSR_ERR_STATE (an exchange is pending).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_halo_clear(tsr_array *array, tsr_axes axes);

/**
 * Copy the whole global array, without halo cells, in C order, into a buffer of the caller.
 *
 * @param root    the rank that gets it, or TSR_ALL_RANKS
 * @param buffer  tsr_array_bytes() bytes; ignored (may be NULL) on ranks that get nothing
 * @par Call
 *   Collective; agrees.
 * @return TSR_OK, TSR_ERR_VALUE (root, or buffer NULL where it is needed), TSR_ERR_STATE,
 *   TSR_ERR_MISMATCH, TSR_ERR_NOMEM, TSR_ERR_MPI.
 * @par Cost
 *   One message from each rank to each rank that gets the array; the bytes of the array.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_gather(const tsr_array *array, int root, void *buffer);
/**
 * One element, on every rank.
 * @param index  ndim global indices; negative ones count from the end; the same on all ranks
 * @par Call
 *   Collective; agrees.
 * @return TSR_OK, TSR_ERR_INDEX, TSR_ERR_MISMATCH, TSR_ERR_MPI.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_get(const tsr_array *array, const int64_t *index,
                                          tsr_scalar *value);

TSR_END_DECLS
#endif
