/**
 * @file array.h
 * Arrays: creation, copies, conversion, this rank's block, boundaries.
 *
 * Creation is collective over the layout's communicator and agrees: memory short on one rank is the
 * same error on all.  Every rank passes the same arguments; a rank that does not gets
 * TSR_ERR_MISMATCH on all.  Storage is aligned to 64 bytes.  The new array belongs to the caller.
 */
#ifndef TESSERA_ARRAY_H
#define TESSERA_ARRAY_H

#include <tessera/layout.h>

TSR_BEGIN_DECLS

/* ---- creation (all Collective) --------------------------------------------------------------- */

/**
 * An array with undefined values (NaN, or bytes 0xA5, under TESSERA_POISON=1), of zeros, of ones,
 * or of one value, halo cells included.
 *
 * @param layout  kept by the array; the caller may destroy its own handle
 * @param dtype   element type; for tsr_full() TSR_AUTO means the type of the value
 * @param value   converted to the element type (2.5 in an integer array becomes 2)
 * @param array   the new array, NULL on failure
 * @return TSR_OK, or
 *   TSR_ERR_VALUE     layout is NULL, or the value has no type,
 *   TSR_ERR_TYPE      no such element type,
 *   TSR_ERR_OVERFLOW  the storage does not fit the address space,
 *   TSR_ERR_MISMATCH, TSR_ERR_STATE, TSR_ERR_NOMEM, TSR_ERR_MPI.
 * @par Cost
 *   One small allreduce and one pass over the storage.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_empty(tsr_layout *layout, tsr_dtype dtype, tsr_array **array);
TSR_API TSR_MUST_CHECK tsr_status tsr_zeros(tsr_layout *layout, tsr_dtype dtype, tsr_array **array);
TSR_API TSR_MUST_CHECK tsr_status tsr_ones(tsr_layout *layout, tsr_dtype dtype, tsr_array **array);
TSR_API TSR_MUST_CHECK tsr_status tsr_full(tsr_layout *layout, tsr_dtype dtype, tsr_scalar value,
                                           tsr_array **array);
/** The same with the layout, element type and boundaries of another array. */
TSR_API TSR_MUST_CHECK tsr_status tsr_empty_like(const tsr_array *like, tsr_array **array);
TSR_API TSR_MUST_CHECK tsr_status tsr_zeros_like(const tsr_array *like, tsr_array **array);
TSR_API TSR_MUST_CHECK tsr_status tsr_ones_like(const tsr_array *like, tsr_array **array);
TSR_API TSR_MUST_CHECK tsr_status tsr_full_like(const tsr_array *like, tsr_scalar value,
                                                tsr_array **array);

/**
 * One axis of equally spaced values: start + i*step for i < ceil((stop - start)/step), computed
 * from the global index, so the same bits at any rank count.  Integers (bool too) are computed in
 * int64, others in double; the number of values always in double.  Halo cells are 0.
 *
 * @param dtype    TSR_AUTO: i64 when all three are integers, else f64
 * @param options  of the layout, NULL for defaults
 * @return TSR_OK, TSR_ERR_VALUE (step 0, a value not finite, a layout error), TSR_ERR_TYPE (complex
 *   arguments), TSR_ERR_OVERFLOW (too many values, or an integer beyond int64), and the errors of
 *   tsr_layout_create() and tsr_zeros().
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_arange(tsr_comm comm, tsr_scalar start, tsr_scalar stop,
                                             tsr_scalar step, tsr_dtype dtype,
                                             const tsr_layout_options *options, tsr_array **array);
/**
 * One axis of num values from start to stop: start + i*((stop - start)/div), div = num - 1 with the
 * end point (the last value is then exactly stop), num without.  Halo cells are 0.
 *
 * @param num       number of values, >= 0
 * @param endpoint  whether stop is the last value
 * @param dtype     TSR_AUTO: f64, or c128 when an end is complex; integers truncate toward zero
 * @return as tsr_arange(); TSR_ERR_OVERFLOW also when stop - start does not fit a double.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_linspace(tsr_comm comm, tsr_scalar start, tsr_scalar stop,
                                               int64_t num, bool endpoint, tsr_dtype dtype,
                                               const tsr_layout_options *options,
                                               tsr_array **array);

/**
 * A function of the global indices, called for one row of cells along the last axis at a time.
 *
 * @param index   global index of the row's first cell, ndim entries
 * @param count   cells of the row: indices index[ndim-1] .. index[ndim-1] + count - 1 (one cell
 * when the array has no axes)
 * @param values  count elements of the array's type, to be written
 * @param ctx     the pointer given with the function
 * @return TSR_OK, or the status that the calling function shall return on every rank.
 */
typedef tsr_status (*tsr_function)(const int64_t *index, int64_t count, void *values, void *ctx);
/**
 * An array whose cells are a function of their global indices; each rank evaluates its own block.
 * Halo cells are 0.
 * @return as tsr_zeros(), or what the function returned (where ranks differ: what comes later in
 *   TSR_STATUS_LIST; TSR_ERR_VALUE for a negative number).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_fromfunction(tsr_layout *layout, tsr_dtype dtype,
                                                   tsr_function function, void *ctx,
                                                   tsr_array **array);
/**
 * An array from a global array that every rank holds; each rank keeps its block.  Halo cells are 0.
 *
 * @param data    cell 0 of the global array, of the given element type; borrowed during the call
 * @param stride  elements from a cell to the next along each axis (ndim entries, may be negative or
 *                0), or NULL for C order
 * @return as tsr_zeros(), and TSR_ERR_VALUE when data is NULL though the array has cells.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_from_global(tsr_layout *layout, tsr_dtype dtype,
                                                  const void *data, const int64_t *stride,
                                                  tsr_array **array);
/**
 * An array whose storage is memory of the caller: this rank's block with its halo cells, in C order
 * (the lengths that tsr_layout_storage() gives).  Shared, not copied: the values there are the
 * array's.  The library never frees it; it must stay until the array, and every exchange of it that
 * was started, has ended.  After tsr_array_swap() it belongs to the other handle.
 *
 * @param storage  aligned for the element type (a complex one: for its parts); may be NULL on a
 *                 rank without cells
 * @param bytes    of the storage: at least what the cells take
 * @return TSR_OK, or
 *   TSR_ERR_VALUE  layout is NULL; on some rank the storage is too small, NULL, or not aligned,
 *   TSR_ERR_TYPE, TSR_ERR_OVERFLOW, TSR_ERR_MISMATCH, TSR_ERR_STATE, TSR_ERR_NOMEM, TSR_ERR_MPI.
 * @par Cost
 *   One small allreduce.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_adopt(tsr_layout *layout, tsr_dtype dtype, void *storage,
                                            size_t bytes, tsr_array **array);
/**
 * A copy: same layout, type and boundaries, halo cells too, no shared memory.
 * @return as tsr_zeros(), and TSR_ERR_STATE while an exchange of the array is pending.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_copy(const tsr_array *array, tsr_array **copy);
/**
 * A copy converted to another type, halo cells too.  Real to integer truncates toward zero (outside
 * the range: the nearest end; NaN: 0), integers wrap, complex to real drops the imaginary part,
 * anything to bool is "not zero" (NaN is true).
 * @return as tsr_copy().
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_astype(const tsr_array *array, tsr_dtype dtype,
                                             tsr_array **copy);
/**
 * Give up an array and set the handle to NULL.  A pending exchange keeps what it needs.  Local.
 */
TSR_API tsr_status tsr_array_destroy(tsr_array **array);

/* ---- what an array is (all Local; a NULL array gives NULL, 0 or TSR_AUTO) ---------------------
 */

/** The array's layout; belongs to the array. */
TSR_API tsr_layout *tsr_array_layout(const tsr_array *array);
TSR_API tsr_dtype tsr_array_dtype(const tsr_array *array);
TSR_API int tsr_array_ndim(const tsr_array *array);
/** ndim global lengths, owned by the layout. */
TSR_API const int64_t *tsr_array_shape(const tsr_array *array);
/** Cells of the global array, and their bytes (halo cells not counted). */
TSR_API int64_t tsr_array_cells(const tsr_array *array);
TSR_API size_t tsr_array_bytes(const tsr_array *array);
/** Length of axis 0.  @return TSR_OK, TSR_ERR_TYPE when the array has no axes. */
TSR_API TSR_MUST_CHECK tsr_status tsr_array_length(const tsr_array *array, int64_t *length);
/**
 * This rank's block; see tsr_view.  On a rank without cells, and after tsr_finalize(), data is NULL
 * and extents and halo widths are 0; for a NULL array everything is.  Valid until the array is
 * destroyed or swapped.
 */
TSR_API tsr_view tsr_local(const tsr_array *array);
/**
 * The cells that this rank is to write when the program writes to memory itself: all of its block,
 * or, where the ranks of a node share one copy (node_shared), its share of that.  The shares of a
 * node's ranks are the whole copy and do not overlap; of a share without cells data is NULL, which
 * for an array without axes nothing else tells.  Where memory could not be shared every rank has a
 * copy of its own, and its share is all of that: a program that writes shares is right in both
 * cases.  Halo widths are those of the storage at the ends of the copy, and 0 inside.
 *
 * Between a write and another rank's read, and before a write of what others may still be reading,
 * there must be a tsr_array_sync().  Otherwise as tsr_local().
 */
TSR_API tsr_view tsr_local_share(const tsr_array *array);
/**
 * Make what any rank wrote to a copy that the ranks of a node share visible to all of them: each
 * rank's writes are ordered before the meeting of the ranks, and its reads after it.  For other
 * arrays nothing happens.
 *
 * @par Call
 *   Collective over the ranks of the node, unagreed.
 * @return TSR_OK, TSR_ERR_VALUE (array is NULL), TSR_ERR_STATE (the library or MPI has ended).
 * @par Cost
 *   A barrier in shared memory, as tsr_shm_sync().
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_array_sync(const tsr_array *array);
/**
 * Write type, shape, split and this rank's block into a buffer as snprintf does:
 * `DistributedArray(shape=(200,), dtype=int64, split=(0,), rank 0 of 2 holds [0:100]: [0, 1, 2,
 * ..., 97, 98, 99] (100 values))`. Safe on one rank alone.
 * @return the length of the whole text, without the final NUL, even when it did not fit.
 */
TSR_API size_t tsr_array_describe(const tsr_array *array, size_t size, char *buffer);
/**
 * Exchange the values of two arrays of equal layout and type (halo cells too); boundaries stay with
 * their handles.  Nothing is copied.  Local; call it on every rank alike.
 * @return TSR_OK, TSR_ERR_VALUE (layouts or types differ), TSR_ERR_STATE (an exchange is pending).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_array_swap(tsr_array *a, tsr_array *b);

/* ---- boundaries ------------------------------------------------------------------------------ */

/** What halo cells beyond a wall (an end of a non-periodic axis) get in a halo update. */
typedef enum tsr_boundary_kind {
    TSR_LEAVE = 0, /**< nothing: they stay as they are */
    TSR_CONSTANT,  /**< a value */
    TSR_EDGE,      /**< the nearest cell of the array */
    TSR_SYMMETRIC, /**< mirrored, the edge cell repeated: d c b a | a b c d */
    TSR_REFLECT,   /**< mirrored, the edge cell not repeated: e d c b | a b c d */
    TSR_CALLBACK   /**< what a function writes */
} tsr_boundary_kind;

/** Ends of an axis. */
typedef enum tsr_side { TSR_LOW_SIDE = 1, TSR_HIGH_SIDE = 2, TSR_BOTH_SIDES = 3 } tsr_side;

/**
 * Fills the halo cells beyond a wall.  Runs after the exchange and the other boundaries, for one
 * axis after the other, so it may read every other cell of the view.
 *
 * @param view  this rank's block
 * @param axis  the axis of the wall
 * @param side  TSR_LOW_SIDE or TSR_HIGH_SIDE
 * @param lo,hi the box to fill, half-open, as local indices (0 is the first owned cell)
 * @param ctx   the pointer given with the function
 * @return TSR_OK, or the status that the halo update shall return on every rank.
 */
typedef tsr_status (*tsr_boundary_function)(tsr_view view, int axis, tsr_side side,
                                            const int64_t *lo, const int64_t *hi, void *ctx);

/** The boundary of one side of one axis. */
typedef struct tsr_boundary {
    tsr_boundary_kind kind;
    tsr_scalar value;               /**< of TSR_CONSTANT; converted to the element type */
    tsr_boundary_function callback; /**< of TSR_CALLBACK */
    void *ctx;
} tsr_boundary;

/**
 * Set the boundary that halo updates of this array use.  New arrays have TSR_LEAVE everywhere.  On
 * periodic axes it has no effect.
 *
 * @param axes   the axes it is for (TSR_ALL_AXES, TSR_AXES(0, 1))
 * @param sides  TSR_LOW_SIDE, TSR_HIGH_SIDE or TSR_BOTH_SIDES
 * @param kind   any but TSR_CALLBACK
 * @param value  of TSR_CONSTANT, ignored for others
 * @par Call
 *   Local; call it on every rank alike.
 * @return TSR_OK, TSR_ERR_VALUE (unknown kind or side, no value, a bool for an array of another
 *   type, other than TSR_LEAVE or TSR_CONSTANT on an axis of length 0), TSR_ERR_AXIS, TSR_ERR_STATE
 *   (an exchange is pending).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_array_set_boundary(tsr_array *array, tsr_axes axes,
                                                         tsr_side sides, tsr_boundary_kind kind,
                                                         tsr_scalar value);
/** The same with a function. */
TSR_API TSR_MUST_CHECK tsr_status tsr_array_set_boundary_function(tsr_array *array, tsr_axes axes,
                                                                  tsr_side sides,
                                                                  tsr_boundary_function function,
                                                                  void *ctx);
/** The boundary of one side of an axis.  Local.  @return TSR_OK, TSR_ERR_AXIS, TSR_ERR_VALUE. */
TSR_API TSR_MUST_CHECK tsr_status tsr_array_boundary(const tsr_array *array, int axis,
                                                     tsr_side side, tsr_boundary *boundary);

TSR_END_DECLS
#endif
