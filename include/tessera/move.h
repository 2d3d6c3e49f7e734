/**
 * @file move.h
 * Moving cells between ranks: halo update and accumulate, gather, get, scatter, arrays from pieces,
 * rows to their owners.
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
 * Whether an exchange has come so far that tsr_halo_finish() will not wait; makes progress.  True
 * for NULL.  Local.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_halo_test(tsr_pending *pending, bool *done);
/**
 * Complete an exchange and set the handle to NULL; a NULL handle is fine.  Several pending
 * exchanges may be finished in any order.  Returns when this rank's cells have been taken by all
 * that need them.
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

/* ---- data in (all Collective; they agree) ---------------------------------------------------- */

/**
 * An array from a global array that one rank holds; each rank gets its block.  Halo cells are 0.
 *
 * @param root    the rank that has the array; the same on all ranks
 * @param data    on the root: cell 0 of the global array, of the given element type; borrowed
 *                during the call.  Ignored (may be NULL) on other ranks.
 * @param stride  on the root: elements from a cell to the next along each axis (ndim entries, may
 *                be negative or 0), or NULL for C order.  Ignored on other ranks.
 * @return TSR_OK, TSR_ERR_VALUE (layout or array NULL, no such root, data NULL on it), and the
 *   errors of tsr_zeros().
 * @par Cost
 *   One message to each rank that has cells; the root packs all that it sends.  A replicated
 *   array goes down a tree.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_scatter(tsr_layout *layout, tsr_dtype dtype, int root,
                                              const void *data, const int64_t *stride,
                                              tsr_array **array);
/**
 * An array from the blocks of a layout, each given by the rank that owns it.  Halo cells are 0.
 *
 * @param data    cell 0 of this rank's block, of the given element type; borrowed during the call;
 *                may be NULL when there are no cells
 * @param extent  lengths of what data points to, ndim entries: those of this rank's block, or, when
 *                that has no cells, any without cells
 * @param stride  elements from a cell to the next along each axis (ndim entries, may be negative or
 *                0), or NULL for C order
 * @return TSR_OK, TSR_ERR_VALUE (layout NULL; on some rank extent does not fit, or data is NULL),
 *   and the errors of tsr_zeros().
 * @par Cost
 *   One small allreduce and one pass over the block; no cell moves between ranks.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_from_local(tsr_layout *layout, tsr_dtype dtype,
                                                 const void *data, const int64_t *extent,
                                                 const int64_t *stride, tsr_array **array);
/**
 * An array from pieces of any lengths, stacked in the order of the ranks along one axis, which is
 * cut near-evenly.  Halo cells are 0.
 *
 * @param ndim     number of axes of the pieces and of the array; the same on all ranks
 * @param extent   lengths of this rank's piece, ndim entries; may be 0; the same on all ranks but
 *                 along the axis
 * @param axis     the axis along which they are stacked; negative ones count from the end.  The
 *                 same on all ranks.
 * @param dtype    element type, the same on all ranks
 * @param data     cell 0 of this rank's piece; borrowed during the call; may be NULL without cells
 * @param stride   as in tsr_from_local()
 * @param options  NULL for defaults.  Halo widths, periodic and allow_empty are as for
 *                 tsr_layout_create(), the same on all ranks; a grid, cuts or reorder do not fit.
 *                 With split = TSR_WHOLE each rank's piece is the whole array, of one shape on all
 *                 ranks, and the axis is ignored.
 * @return TSR_OK, or
 *   TSR_ERR_VALUE  pieces that do not fit together, no such axis, an option that does not fit,
 *                  fewer rows in total than ranks without allow_empty,
 *   TSR_ERR_TYPE   no such element type,
 *   TSR_ERR_OVERFLOW, TSR_ERR_MISMATCH, TSR_ERR_STATE, TSR_ERR_NOMEM, TSR_ERR_MPI.
 * @par Cost
 *   A few small allreduces.  Only rows that have to move do: two messages (one of them small) from
 *   each rank to each other rank whose block has rows of its piece; memory for what is sent and
 *   received.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_from_pieces(tsr_comm comm, int ndim, const int64_t *extent,
                                                  int axis, tsr_dtype dtype, const void *data,
                                                  const int64_t *stride,
                                                  const tsr_layout_options *options,
                                                  tsr_array **array);

/* ---- rows of a table ------------------------------------------------------------------------- */

/** An array that has one row for each particle, or whatever the rows stand for. */
typedef struct tsr_rows {
    void *data;    /**< the address of the caller's pointer to the rows: of a `double *`, say */
    size_t bytes;  /**< of a row, 0 or more; the same on all ranks */
    int64_t count; /**< rows that the array has, to be compared with n; 0: not given */
    int64_t *room; /**< NULL, or the rows that the memory has room for, at least n: see below */
} tsr_rows;

#ifndef __cplusplus
/** TSR_ROWS(x, 3 * sizeof *x): the rows that the pointer variable x points to, and their bytes. */
#define TSR_ROWS(pointer, row_bytes)                                                               \
    ((tsr_rows){.data = &(pointer) + 0 * TSR_IS_POINTER(pointer), .bytes = (row_bytes)})
/** TSR_ROWS_ROOM(x, 3 * sizeof *x, &room): the same, with the rows that the memory has room for. */
#define TSR_ROWS_ROOM(pointer, row_bytes, rows_room)                                               \
    ((tsr_rows){.data = &(pointer) + 0 * TSR_IS_POINTER(pointer),                                  \
                .bytes = (row_bytes),                                                              \
                .room = (rows_room)})
/* Does not compile for an array, which cannot be replaced. */
#define TSR_IS_POINTER(p) sizeof(char[sizeof(p) == sizeof(void *) ? 1 : -1])
#define TSR_ROWS_COUNT(...) ((int)(sizeof((const tsr_rows[]){__VA_ARGS__}) / sizeof(tsr_rows)))
#define TSR_ROWS_LIST(...) ((const tsr_rows[]){__VA_ARGS__})
#else
TSR_END_DECLS
template <typename T> tsr_rows tsr_rows_of(T **pointer, size_t bytes, int64_t *room = nullptr)
{
    return {pointer, bytes, 0, room};
}
/** A list that lives to the end of the full expression. */
template <typename... T> struct tsr_rows_list {
    tsr_rows value[sizeof...(T)];
};
template <typename... T> tsr_rows_list<T...> tsr_rows_list_of(T... rows)
{
    return {{rows...}};
}
#define TSR_ROWS(pointer, row_bytes) tsr_rows_of(&(pointer), (row_bytes))
#define TSR_ROWS_ROOM(pointer, row_bytes, room) tsr_rows_of(&(pointer), (row_bytes), (room))
#define TSR_ROWS_COUNT(...)                                                                        \
    (static_cast<int>(sizeof(tsr_rows_list_of(__VA_ARGS__).value) / sizeof(tsr_rows)))
#define TSR_ROWS_LIST(...) (tsr_rows_list_of(__VA_ARGS__).value)
TSR_BEGIN_DECLS
#endif

/** @def tsr_migrate
 * tsr_migrate(comm, n, owner, TSR_ROWS(...), ...): move rows to the ranks they belong to. */
#define tsr_migrate(comm, n, owner, ...)                                                           \
    tsr_migratev((comm), (n), (owner), TSR_ROWS_COUNT(__VA_ARGS__), TSR_ROWS_LIST(__VA_ARGS__))

/**
 * Move each row to the rank that is to own it, in all arrays alike.
 *
 * Afterwards a rank has the rows sent to it in the order of the ranks they come from, and those of
 * one rank in the order that they had there; its own among them.
 *
 * The memory of the rows is the caller's, from malloc(), calloc() or realloc(), or NULL where there
 * are no rows.  The call frees it or keeps it, as it needs, and sets the pointers to what holds the
 * rows now; that is the caller's, for realloc() and free().  Other pointers into the rows are not
 * valid any more.  After an error, on whatever rank, rows, pointers and n are as before.
 *
 * An array without `room` gets new memory whenever it grows.  One that says how many rows its
 * memory has room for grows inside that, and beyond it gets some more than it needs; `room` is then
 * written, so rows that come and go in a loop cost no memory from the system.  Arrays may share a
 * `room` when they have the same.
 *
 * @param n      number of rows; on return, of those this rank has now
 * @param owner  for each row the rank of comm that it goes to; borrowed during the call.  See
 *               tsr_layout_locate() and tsr_layout_owners(); the ranks of a layout made with
 *               `reorder` are those of tsr_layout_comm().
 * @param count  number of arrays, the same on all ranks
 * @param rows   the arrays, each with n rows
 * @par Call
 *   Collective over comm; agrees.
 * @return TSR_OK, or
 *   TSR_ERR_VALUE     on some rank an owner is no rank, an array has another number of rows, a
 *                     pointer is NULL where there are rows, n or count is negative, room is
 *                     less than n, or two arrays are the same memory,
 *   TSR_ERR_MISMATCH  ranks passed other numbers of arrays, or rows of other sizes,
 *   TSR_ERR_OVERFLOW, TSR_ERR_STATE, TSR_ERR_NOMEM, TSR_ERR_MPI.
 * @par Cost
 *   Two small allreduces.  Two messages to each other rank that gets rows: their number, and all
 *   that is in them.  No rank learns of ranks that it has nothing for and gets nothing from
 *   (non-blocking consensus: T. Hoefler, C. Siebert, A. Lumsdaine, PPoPP 2010).  Rows that stay are
 *   moved at most once, inside their memory unless it has to grow; beside that, memory for what
 *   is sent and received, which the library keeps for the next call on the communicator.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_migratev(tsr_comm comm, int64_t *n, const int *owner,
                                               int count, const tsr_rows *rows);

TSR_END_DECLS
#endif
