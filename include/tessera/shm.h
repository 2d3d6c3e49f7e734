/**
 * @file shm.h
 * Memory shared by the ranks of a node: arrays that every rank of a node reads and writes in place,
 * and sums over all ranks into one copy a node.
 *
 * A manager knows which ranks of a communicator, its base, share a node, and what they hold
 * together.  Its handle and those of its arrays are names that are never used twice: a handle of
 * something that is gone, or that never was one, is TSR_ERR_VALUE in every call (NULL, 0 or
 * TSR_COMM_NULL in those that give no status), though a collective call that is given one on some
 * ranks alone leaves the others waiting.
 */
#ifndef TESSERA_SHM_H
#define TESSERA_SHM_H

#include <tessera/types.h>

TSR_BEGIN_DECLS

typedef struct tsr_shm tsr_shm;
typedef struct tsr_shm_array tsr_shm_array;

/** How a manager divides a node.  Zero means default, so NULL and {0} are valid. */
typedef struct tsr_shm_options {
    /** Ranks of a tree group, which take turns in one map when they accumulate: clamped to 1 ..
     * ranks of the node. */
    int nproc_reduce;
    /** The rank of each node that owns what all its ranks share; every node must have it. */
    int node_root;
} tsr_shm_options;

/* ---- managers -------------------------------------------------------------------------------- */

/**
 * A manager of what the ranks of each node share.  Several may live side by side.
 *
 * @param comm     the base communicator; may be freed while the manager lives
 * @param options  NULL for defaults; the same on all ranks
 * @param shm      the new manager, NULL on failure; belongs to the caller
 * @par Call
 *   Collective over comm; agrees.
 * @return TSR_OK, or
 *   TSR_ERR_VALUE        shm is NULL, comm is not a communicator, or node_root is no rank of some
 *                        node,
 *   TSR_ERR_UNSUPPORTED  an inter-communicator, or ranks of a node cannot share memory,
 *   TSR_ERR_MISMATCH, TSR_ERR_STATE, TSR_ERR_NOMEM, TSR_ERR_MPI.
 * @par Cost
 *   Some small collectives, up to four communicators, and memory for one number a node.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_create(tsr_comm comm, const tsr_shm_options *options,
                                                 tsr_shm **shm);
/**
 * Free a manager with all its arrays and the communicators that it made, never the base, and set
 * the handle to NULL; NULL is fine.  After tsr_finalize(), which frees all of these, it is local
 * and does nothing.
 *
 * @par Call
 *   Collective over the base communicator, since it frees communicators; agrees.
 * @return TSR_OK (the status may be ignored), TSR_ERR_VALUE (no manager), TSR_ERR_MISMATCH (ranks
 *   destroy different ones; nothing is freed).
 */
TSR_API tsr_status tsr_shm_destroy(tsr_shm **shm);

/* ---- nodes and groups (all Local) --------------------------------------------------------------
 *
 * The communicators belong to the manager.  Without MPI each is the base communicator. */

/** The base communicator, TSR_COMM_NULL once it is freed. */
TSR_API tsr_comm tsr_shm_comm(const tsr_shm *shm);
/** The ranks of the base that share this rank's node, in their order there; this rank's number
 * among them, and how many they are. */
TSR_API tsr_comm tsr_shm_node_comm(const tsr_shm *shm);
TSR_API int tsr_shm_node_rank(const tsr_shm *shm);
TSR_API int tsr_shm_node_size(const tsr_shm *shm);
/** The rank of a node that owns its memory, and the nodes of the base. */
TSR_API int tsr_shm_node_root(const tsr_shm *shm);
TSR_API int tsr_shm_nodes(const tsr_shm *shm);
/** Those ranks of all nodes, in the order of the base; TSR_COMM_NULL on others. */
TSR_API tsr_comm tsr_shm_node_root_comm(const tsr_shm *shm);
/** Ranks of a full tree group on this node: what was asked for, clamped. */
TSR_API int tsr_shm_nproc_reduce(const tsr_shm *shm);
/** The ranks of this rank's tree group: neighbours on the node, nproc_reduce of them but in the
 * last group; this rank's number among them, how many they are, and their root, which is 0. */
TSR_API tsr_comm tsr_shm_tree_comm(const tsr_shm *shm);
TSR_API int tsr_shm_tree_rank(const tsr_shm *shm);
TSR_API int tsr_shm_tree_size(const tsr_shm *shm);
TSR_API int tsr_shm_tree_root(const tsr_shm *shm);
/** The roots of the tree groups of this node, in its order; TSR_COMM_NULL on others. */
TSR_API tsr_comm tsr_shm_tree_root_comm(const tsr_shm *shm);

/* ---- arrays ------------------------------------------------------------------------------------
 *
 * In C order, aligned to 64 bytes, without halo.  Memory is reserved when an array is made: when it
 * is short that is an error, and touching an array never is. */

/**
 * An array that all ranks of a communicator share: of undefined values (NaN, or bytes 0xA5, under
 * TESSERA_POISON=1), of zeros, of ones, or of one value.  The ranks fill it together, each its
 * slice, and it is full on return.
 *
 * @param comm   ranks that share a node: a communicator of the manager's, or another
 * @param root   the rank of it whose memory the array is
 * @param dtype  element type; with a value TSR_AUTO means the type of that
 * @param value  converted to the element type
 * @param ndim   number of axes, 0 to TSR_MAX_NDIM
 * @param shape  ndim lengths >= 0; may be NULL without axes
 * @param array  the new array, NULL on failure; the manager frees it if the caller does not
 * @par Call
 *   Collective over comm; agrees.  All arguments are the same on all ranks.
 * @return TSR_OK, or
 *   TSR_ERR_VALUE        no manager, array or shape is NULL, no communicator, its ranks do not
 *                        share a node, no such root, ndim out of range, a negative length, a value
 *                        without a type,
 *   TSR_ERR_TYPE         no such element type,
 *   TSR_ERR_OVERFLOW     the bytes do not fit the address space,
 *   TSR_ERR_NOMEM        memory is short; the text has the bytes asked and those free,
 *   TSR_ERR_UNSUPPORTED  an inter-communicator, or the ranks cannot share memory,
 *   TSR_ERR_MISMATCH, TSR_ERR_STATE, TSR_ERR_MPI.
 * @par Cost
 *   Some small collectives over comm, and one pass over the array.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_alloc(tsr_shm *shm, tsr_comm comm, int root,
                                                tsr_dtype dtype, int ndim, const int64_t *shape,
                                                tsr_shm_array **array);
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_zeros(tsr_shm *shm, tsr_comm comm, int root,
                                                tsr_dtype dtype, int ndim, const int64_t *shape,
                                                tsr_shm_array **array);
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_ones(tsr_shm *shm, tsr_comm comm, int root,
                                               tsr_dtype dtype, int ndim, const int64_t *shape,
                                               tsr_shm_array **array);
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_full(tsr_shm *shm, tsr_comm comm, int root,
                                               tsr_dtype dtype, tsr_scalar value, int ndim,
                                               const int64_t *shape, tsr_shm_array **array);
/**
 * A node array: one copy on every node, shared by the ranks of the node communicator and owned by
 * the node root.  Otherwise as tsr_shm_alloc().
 *
 * @par Call
 *   Collective over the base communicator; agrees.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_alloc_node(tsr_shm *shm, tsr_dtype dtype, int ndim,
                                                     const int64_t *shape, tsr_shm_array **array);
/** The same of zeros, of ones, or of one value. */
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_zeros_node(tsr_shm *shm, tsr_dtype dtype, int ndim,
                                                     const int64_t *shape, tsr_shm_array **array);
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_ones_node(tsr_shm *shm, tsr_dtype dtype, int ndim,
                                                    const int64_t *shape, tsr_shm_array **array);
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_full_node(tsr_shm *shm, tsr_dtype dtype, tsr_scalar value,
                                                    int ndim, const int64_t *shape,
                                                    tsr_shm_array **array);

/** The first element, aligned to 64; what the ranks share.  Not NULL for an array without elements.
 * Local; a lookup, so keep the pointer in loops.  Valid until the array is freed. */
TSR_API void *tsr_shm_data(const tsr_shm_array *array);
/** The array as a view: the whole of it, start 0, no halo.  Local. */
TSR_API tsr_view tsr_shm_view(const tsr_shm_array *array);
/** What an array is; `bytes` are those of its elements.  All Local. */
TSR_API tsr_dtype tsr_shm_dtype(const tsr_shm_array *array);
TSR_API int tsr_shm_ndim(const tsr_shm_array *array);
/** ndim lengths, valid until the array is freed.  Local. */
TSR_API const int64_t *tsr_shm_shape(const tsr_shm_array *array);
/** As tsr_shm_dtype(). */
TSR_API int64_t tsr_shm_cells(const tsr_shm_array *array);
TSR_API size_t tsr_shm_bytes(const tsr_shm_array *array);
/** Whether there is one copy on every node.  Local. */
TSR_API bool tsr_shm_is_node(const tsr_shm_array *array);

/**
 * Make everything that any rank of the array's communicator wrote before visible to all of them:
 * each rank's writes are ordered before the meeting of the ranks, and its reads after it.  Needed
 * between a write by one rank and a read, or another write, of the same elements by another.
 *
 * @par Call
 *   Collective over the array's communicator (node arrays: that of the node), unagreed.
 * @return TSR_OK, TSR_ERR_VALUE (no array), TSR_ERR_STATE.
 * @par Cost
 *   A barrier in shared memory: below a microsecond when every rank has a core.  Ranks that wait
 *   yield the core and let MPI go on.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_sync(const tsr_shm_array *array);
/**
 * The same for all arrays of the manager on a communicator; with none nothing happens.  Otherwise
 * as tsr_shm_sync().
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_sync_all(const tsr_shm *shm, tsr_comm comm);

/* ---- sums over all ranks ------------------------------------------------------------------------
 *
 * All are Collective over the base communicator, on node arrays, and agree. */

/**
 * Adds this rank's share to a map.  Ranks of a tree group are called one after the other, groups at
 * the same time; it must not make collective calls.
 *
 * @param scratch  a map of the array's shape and type, the same memory for the ranks of a group.
 *                 It begins as the identity of the operation (0 for a sum) and holds what the
 *                 ranks before have added.  Valid during the call.
 * @param ctx      the pointer given with the function
 * @return TSR_OK, or the status that tsr_shm_accumulate() shall return on every rank.
 */
typedef tsr_status (*tsr_shm_add)(tsr_view scratch, void *ctx);
/**
 * Combine what all ranks of the base add, and leave the result in the node array of every node.
 * The array's values from before count for nothing.  Each tree group fills one map, its members by
 * turns in their order; the maps of a node combine in the order of the groups, the ranks of the
 * node working on a slice each; the nodes combine as a binary tree over their numbers.  So all
 * ranks see the same bits, which are those of every run with the same ranks, nodes and
 * nproc_reduce; integers have those of any other.
 *
 * @param op   an operation; the same on all ranks
 * @param add  called once on each rank, also when another rank's has failed
 * @return TSR_OK, or
 *   TSR_ERR_VALUE     no array, or one that is no node array; no such operation; add is NULL or
 *                     returned a negative number,
 *   TSR_ERR_TYPE      the operation is not defined for the element type,
 *   TSR_ERR_NOMEM     the maps do not fit,
 *   TSR_ERR_MISMATCH, TSR_ERR_STATE, TSR_ERR_MPI, or what add returned.
 *   When add was called on some rank every element is the identity of the operation afterwards, as
 *   if nobody had added anything; else the array is as it was, or such.
 * @par Cost
 *   The turns of the largest group; the maps of a node once through memory, split over its ranks;
 *   with several nodes, twice the bytes of the array sent and received by each of them.  Memory:
 *   tsr_shm_accumulate_bytes(), given back to the library's pool at the end.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_accumulate(tsr_shm_array *array, tsr_op op,
                                                     tsr_shm_add add, void *ctx);
/**
 * The most bytes that tsr_shm_accumulate() will need on this rank's node, beside the array itself:
 * a map for each tree group but the first, which uses the array, and with several nodes 4 MiB for
 * each rank that talks to other nodes.  Local.
 */
TSR_API size_t tsr_shm_accumulate_bytes(const tsr_shm_array *array);
/**
 * Combine the copies of all nodes, element by element and in place; on one node nothing happens.
 * What ranks wrote before is counted, without a tsr_shm_sync().
 * @return as tsr_shm_accumulate(); after TSR_ERR_MPI the values are undefined.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_allreduce(tsr_shm_array *array, tsr_op op);
/**
 * Write one rank's values into a box of the copy of every node.
 *
 * @param root    the rank of the base that has the box and the values; those of others are ignored
 * @param lo,hi   the box, half-open, ndim entries each; may be NULL without axes
 * @param values  the box's elements in C order, of the array's type; NULL when it has none
 * @return TSR_OK, or
 *   TSR_ERR_VALUE  no array, or one that is no node array; no such root; NULL; lo above hi,
 *   TSR_ERR_INDEX  the box is not inside,
 *   TSR_ERR_MISMATCH, TSR_ERR_STATE, TSR_ERR_NOMEM, TSR_ERR_MPI (the box is then undefined).
 * @par Cost
 *   Some small collectives and the box once to each node, as a tree.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_set(tsr_shm_array *array, int root, const int64_t *lo,
                                              const int64_t *hi, const void *values);

/* ---- locks, windows -------------------------------------------------------------------------- */

/** Whom a lock keeps out. */
typedef enum tsr_shm_scope {
    TSR_SHM_NODE = 0, /**< the other ranks of this node; every node has a lock of its own */
    TSR_SHM_BASE      /**< the other ranks of the base */
} tsr_shm_scope;

/**
 * Take a lock of the manager, which ranks get in the order in which they ask, and give it back.
 * What a rank wrote while it had the lock is visible to the next.
 *
 * The lock of a base of several nodes is kept by its rank 0 and reached by one-sided messages: MPI
 * may need that rank to come into some call of MPI or the library now and then.
 *
 * @par Call
 *   Local: the status is this rank's.  Waits.
 * @return TSR_OK, or
 *   TSR_ERR_VALUE  no manager, no such scope,
 *   TSR_ERR_STATE  this rank has the lock already (to lock), or not (to unlock),
 *   TSR_ERR_UNSUPPORTED  a base of several nodes, and MPI gives no windows,
 *   TSR_ERR_MPI.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_lock(tsr_shm *shm, tsr_shm_scope scope);
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_unlock(tsr_shm *shm, tsr_shm_scope scope);

/**
 * An MPI window over an array, for one-sided communication: the array's root shows all of it, in
 * units of an element, and other ranks nothing.  Made in the first call; later ones are local and
 * give the same.  It belongs to the array.  No epoch is open, and errors return.
 *
 * @par Call
 *   Collective over the array's communicator (node arrays: that of the node); agrees.
 * @return TSR_OK, or TSR_ERR_VALUE (no array; window is NULL), TSR_ERR_UNSUPPORTED (a build without
 *   MPI), TSR_ERR_MISMATCH, TSR_ERR_STATE, TSR_ERR_MPI.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_window(tsr_shm_array *array, tsr_win *window);

/* ---- what is held, and giving it back -------------------------------------------------------- */

/** How many arrays the manager holds on a communicator, and the bytes of their elements.  Local. */
TSR_API int tsr_shm_count(const tsr_shm *shm, tsr_comm comm);
TSR_API size_t tsr_shm_total_bytes(const tsr_shm *shm, tsr_comm comm);
/** The i-th of them in the order in which they were made, from 0; NULL beyond.  Local. */
TSR_API tsr_shm_array *tsr_shm_array_at(const tsr_shm *shm, tsr_comm comm, int i);
/**
 * Write into a buffer, as snprintf does, what this rank's node looks like and what the manager
 * holds: one line each.  Local.
 * @return the length of the whole text, without the final NUL, even when it did not fit.
 */
TSR_API size_t tsr_shm_describe(const tsr_shm *shm, size_t size, char *buffer);

/**
 * Free an array, in any order, and set the handle to NULL.
 *
 * @par Call
 *   Collective over the array's communicator (node arrays: that of the node); agrees.
 * @return TSR_OK, or
 *   TSR_ERR_VALUE     array is NULL, or no array of a manager (it was freed already),
 *   TSR_ERR_MISMATCH  ranks pass different ones; nothing is freed,
 *   TSR_ERR_STATE, TSR_ERR_MPI.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_free(tsr_shm_array **array);
/**
 * Free all arrays of the manager on a communicator, the newest first.
 * @par Call
 *   Collective over the communicator; agrees.
 * @return as tsr_shm_free(); TSR_ERR_VALUE when comm is TSR_COMM_NULL.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_free_comm(tsr_shm *shm, tsr_comm comm);
/**
 * Free all arrays of the manager; it stays usable, and so do its communicators.
 * @par Call
 *   Collective over the base communicator; agrees.
 * @return as tsr_shm_free().
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_shm_free_all(tsr_shm *shm);

TSR_END_DECLS
#endif
