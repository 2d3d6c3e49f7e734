/**
 * @file rearrange.h
 * The cells of arrays in other layouts and places: redistribution, transposition, rolls, pads,
 * arrays joined.
 *
 * All calls are collective over the communicator of the first array and agree.  No call gathers:
 * each rank sends each other one the cells that it needs, in one message, and looks at no others.
 */
#ifndef TESSERA_REARRANGE_H
#define TESSERA_REARRANGE_H

#include <tessera/move.h>

TSR_BEGIN_DECLS

/**
 * The same values in another layout of the same shape: other cuts, axes, halos; whole on every rank
 * (TSR_WHOLE) or from that; on a communicator of the same processes in any order.
 *
 * @param array   borrowed; its boundaries are the new array's, too
 * @param layout  kept by the new array
 * @param moved   the new array.  Its halo cells are 0; when the layout equals the array's they are
 *                copied like all others.
 * @par Call
 *   Collective over the array's communicator; agrees.
 * @return TSR_OK, or
 *   TSR_ERR_VALUE  NULL, another shape, a communicator of other processes,
 *   TSR_ERR_STATE  an exchange of the array is pending,
 *   TSR_ERR_OVERFLOW, TSR_ERR_MISMATCH, TSR_ERR_NOMEM, TSR_ERR_MPI.
 * @par Cost
 *   One message from each rank to each other one whose new block overlaps its old block, with
 *   exactly the cells of the overlap; the number of ranks plays no other part.  Nothing is sent
 * from a replicated array, or between equal layouts.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_redistribute(const tsr_array *array, tsr_layout *layout,
                                                   tsr_array **moved);
/**
 * The same into an array that exists, whose values, halo cells too, become those that
 * tsr_redistribute() would give; its boundaries stay.  Nothing happens when both are one array.  An
 * error leaves the target as it was: nothing is written before all cells are there on all ranks.
 *
 * @param target  of the array's shape and type
 * @return as tsr_redistribute(), and
 *   TSR_ERR_TYPE   the arrays have different types,
 *   TSR_ERR_VALUE  also when their memory overlaps on some rank (adopted storage),
 *   TSR_ERR_STATE  also when an exchange of the target is pending.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_redistribute_into(const tsr_array *array, tsr_array *target);

/** As periodic in tsr_array_with(): no axis. */
#define TSR_NO_AXES ((tsr_axes)1 << 30)
/**
 * The same values with some layout options changed; a copy when none is.
 *
 * @param options  what is given replaces what the array has, all else is kept: communicator, cuts
 *                 and grid unless one of split, process_grid and cuts is given; the halo of an axis
 *                 unless one is given for it (TSR_NO_HALO: none); periodic unless given
 *                 (TSR_NO_AXES: none); allow_empty.  NULL changes nothing.
 * @param result   a new array with the array's boundaries.  Its halo cells are 0, or copied when
 * the layouts are equal.
 * @par Call
 *   Collective over the array's communicator; agrees.
 * @return as tsr_layout_create() and tsr_redistribute()
 * @par Cost
 *   As tsr_redistribute().
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_array_with(const tsr_array *array,
                                                 const tsr_layout_options *options,
                                                 tsr_array **result);

/**
 * The array with its axes in another order: cell (i, j, k) of the result is cell (i', j', k') of
 * the array, where the result's axis n is the array's axis axes[n].
 *
 * @param axes    ndim axes, each once, negative ones counting from the end; NULL: in reverse
 * @param layout  of the result, on the same processes; NULL: the array's with its axes in that
 *                order, so that whole blocks stay or move.  Kept by the result.
 * @param result  a new array with the boundaries in that order; halo cells are 0
 * @par Call
 *   Collective over the array's communicator; agrees.
 * @return as tsr_redistribute(), and
 *   TSR_ERR_AXIS   no such axis,
 *   TSR_ERR_VALUE  an axis twice.
 * @par Cost
 *   As tsr_redistribute(): one message from each rank to each other one that gets some of its
 * cells.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_transpose(const tsr_array *array, const int *axes,
                                                tsr_layout *layout, tsr_array **result);
/**
 * Cells moved along their axes, those beyond an end to the other end: cell i of the result is cell
 * (i - shift) mod n of the array, along every axis.
 *
 * @param shift   ndim numbers of cells of any size and sign, 0 for axes that stay; NULL when there
 *                are no axes
 * @param result  a new array of the array's layout and boundaries; halo cells are 0
 * @par Call
 *   Collective over the array's communicator; agrees.
 * @return as tsr_redistribute().
 * @par Cost
 *   Only cells that change their rank are sent.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_roll(const tsr_array *array, const int64_t *shift,
                                           tsr_array **result);

/** What tsr_pad() puts around an array; by the names of NumPy. */
typedef enum tsr_pad_mode {
    TSR_PAD_CONSTANT = 0, /**< one value */
    TSR_PAD_EDGE,         /**< the nearest cell */
    TSR_PAD_SYMMETRIC,    /**< mirrored, the edge cell repeated: c b a | a b c | c b a */
    TSR_PAD_REFLECT,      /**< mirrored, the edge cell not repeated: c b | a b c | b a */
    TSR_PAD_WRAP          /**< from the other end: a b c | a b c | a b c */
} tsr_pad_mode;
/**
 * An array with further cells before and after it along its axes.
 *
 * @param before,after  ndim numbers of cells >= 0, of any size; NULL: none
 * @param value   of TSR_PAD_CONSTANT, converted to the element type; ignored for others
 * @param result  a new array.  Its layout is the array's but for the lengths; axes that have become
 *                longer are cut near-evenly.  Halo cells are 0.
 * @par Call
 *   Collective over the array's communicator; agrees.
 * @return as tsr_redistribute(), and
 *   TSR_ERR_VALUE     a number < 0, unknown mode, a value without a type, other than
 *                     TSR_PAD_CONSTANT along an axis of length 0,
 *   TSR_ERR_OVERFLOW  too many cells to count.
 * @par Cost
 *   Only cells that change their rank are sent, and the copies of them that other ranks get.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_pad(const tsr_array *array, const int64_t *before,
                                          const int64_t *after, tsr_pad_mode mode, tsr_scalar value,
                                          tsr_array **result);

/**
 * Arrays one after another along an axis.  The result has the layout of the first one, but for the
 * length of that axis, which is cut near-evenly over as many ranks, and the type that all promote
 * to; halo cells are 0.
 *
 * @param count   number of arrays, at least 1
 * @param arrays  of equal layout, but for the length and the cuts of the axis
 * @param axis    negative ones count from the end
 * @par Call
 *   Collective over the arrays' communicator; agrees.
 * @return as tsr_zeros(), and
 *   TSR_ERR_VALUE  count < 1, NULL, shapes or layouts that do not fit,
 *   TSR_ERR_AXIS   no such axis,
 *   TSR_ERR_STATE  an exchange of one of them is pending.
 * @par Cost
 *   Along an axis that is not split one pass over the blocks: no cell moves between ranks.  Else
 *   one message from each rank to each other one that gets some of its cells, for all arrays.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_concatenate(int count, tsr_array *const *arrays, int axis,
                                                  tsr_array **result);
/**
 * Arrays of equal layout along a new axis, which has one block and no halo; otherwise as
 * tsr_concatenate().  No cell moves between ranks.
 * @param axis  the place of the new axis among those of the result; negative ones count from the
 *              end
 * @par Call
 *   Collective over the arrays' communicator; agrees.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_stack(int count, tsr_array *const *arrays, int axis,
                                            tsr_array **result);

TSR_END_DECLS
#endif
