/* The array object: a layout, an element type, storage, and boundaries. */
#ifndef TSRI_ARRAY_ARRAY_H
#define TSRI_ARRAY_ARRAY_H

#include "layout/layout.h"
#include "shm/node_piece.h"

#include <tessera/array.h>

/* Whose memory it is: this process's alone, a piece of the arena, which the ranks of the node can
 * map, one piece that they hold together, or the caller's, which is never freed here. */
typedef enum {
    TSRI_MEMORY_PRIVATE,
    TSRI_MEMORY_SHARED,
    TSRI_MEMORY_NODE,
    TSRI_MEMORY_ADOPTED
} tsri_memory;

/* One rank's memory of an array.  Counted: pending exchanges hold it too.  `channels` is what
 * src/move keeps with it (buffers and persistent requests), freed with it. */
typedef struct tsri_storage {
    atomic_int refs;
    tsri_live live;
    uint64_t id;  /* no two storages of this process have the same */
    int64_t born; /* with the debug gate: the collective call that made it, on all ranks the same */
    void *memory; /* first cell of the storage, aligned to 64 unless adopted; NULL without cells */
    size_t bytes;
    tsri_memory kind;
    tsri_node_piece piece; /* TSRI_MEMORY_NODE */
    int pending;           /* exchanges under way: 0 or 1 */
    void *channels;
    void (*channels_free)(void *channels);
} tsri_storage;

struct tsr_array {
    tsr_layout *layout;
    tsr_dtype dtype;
    tsri_storage *storage;
    int64_t cells;                /* of the storage */
    int64_t origin;               /* offset of the first owned cell in the storage, in elements */
    int64_t extent[TSR_MAX_NDIM]; /* of the block; all 0 on a rank without cells */
    int64_t stride[TSR_MAX_NDIM];
    int64_t start[TSR_MAX_NDIM];
    tsr_boundary boundary[TSR_MAX_NDIM][2]; /* low and high side of each axis */
};

/* The one place where storage is allocated: shared when the context's team shares memory and there
 * is enough, else private.  Local. */
tsr_status tsri_storage_create(const tsr_layout *layout, size_t bytes, tsri_storage **storage);
/* Storage that is to be memory of the node's, without memory yet.  Local. */
tsr_status tsri_storage_create_bare(const tsr_layout *layout, size_t bytes, tsri_storage **storage);
/* Give it memory: one piece for the ranks of each node; where shared memory is short, or cannot be
 * had, on some node, each rank its own.  Collective; agrees. */
tsr_status tsri_storage_share(tsri_context *context, tsri_storage *storage);
/* Storage in memory of the caller, which outlives it. */
tsr_status tsri_storage_adopt(const tsr_layout *layout, void *memory, size_t bytes,
                              tsri_storage **storage);
tsri_storage *tsri_storage_ref(tsri_storage *storage);
void tsri_storage_unref(tsri_storage *storage);
/* Whether they have memory of this rank in common, as two that were adopted may.  Local. */
bool tsri_storage_overlaps(const tsri_storage *a, const tsri_storage *b);

/* Make an array without values (poison under TESSERA_POISON=1), locally: what creation does before
 * it agrees.  Checks dtype and sizes; `call` names the public call in texts.  tsri_array_free()
 * takes NULL and half-made arrays. */
tsr_status tsri_array_make(tsr_layout *layout, tsr_dtype dtype, const char *call,
                           tsr_array **array);
/* The same without storage, and the bytes that it takes. */
tsr_status tsri_array_make_bare(tsr_layout *layout, tsr_dtype dtype, const char *call,
                                tsr_array **array, size_t *bytes);
/* The same in two steps around an agreement, for arrays that the ranks of a node may share: local,
 * then collective (and agreed, where there is anything to do).  Between them such an array has no
 * memory. */
tsr_status tsri_array_begin(tsr_layout *layout, tsr_dtype dtype, const char *call,
                            tsr_array **array);
tsr_status tsri_array_complete(tsr_array *array);
/* Both: collective for such arrays, and then *agreed; else local. */
tsr_status tsri_array_make_together(tsr_layout *layout, tsr_dtype dtype, const char *call,
                                    tsr_array **array, bool *agreed);
void tsri_array_free(tsr_array *array);
/* Collective creation from a layout: make, agree; `call` names the caller in the fingerprint.  A
 * NULL layout is a local error. */
tsr_status tsri_array_create(tsr_layout *layout, tsr_dtype dtype, const char *call,
                             uint64_t fingerprint, tsr_array **array);
/* The same after other local work, whose outcome is agreed on with the array's. */
tsr_status tsri_array_create_after(tsr_status earlier, tsr_layout *layout, tsr_dtype dtype,
                                   const char *call, uint64_t fingerprint, tsr_array **array);
/* Set all cells of the storage, or the halo cells alone, which then are 0: those that this rank
 * writes.  Local. */
void tsri_array_fill(tsr_array *array, tsr_scalar value);
void tsri_array_clear_halo(tsr_array *array);
/* The same from the storage of an array of an equal layout, converted.  Local. */
void tsri_array_convert(tsr_array *array, const tsr_array *from);

/* ---- who writes what ----------------------------------------------------------------------------
 *
 * The copy that the ranks of a node share is written by collective calls alone.  What follows says,
 * for any array, which cells this rank is to write, and whom it has to wait for: for all others
 * everything, and nobody.  Before a rank writes, all have entered the call: ranks agree, or meet.
 * After it they meet, or agree. */

/* This rank's share: the array as if its block were that; without cells on a rank that has none.
 * Ends up to the first and last block's ones have their halo cells in them. */
tsr_array tsri_array_share(const tsr_array *array);
/* The same in the storage, halo cells included: as many cells from `first` on. */
int64_t tsri_array_run(const tsr_array *array, int64_t *first);
/* The same as a box of the storage, its first cell at 0; false when it has no cell. */
bool tsri_array_box(const tsr_array *array, int64_t *lo, int64_t *hi);
/* Whether this rank writes what cannot be divided: one rank of each node does.  The first owned
 * cell for that: NULL on others, and without storage. */
bool tsri_array_is_writer(const tsr_array *array);
void *tsri_array_target(const tsr_array *array);
/* Wait for the others who share the memory: what each wrote before is visible to all after.
 * Collective over them. */
void tsri_array_meet(const tsr_array *array);

/* ---- fingerprints, cells --------------------------------------------------------------------- */

/* The fingerprint of a call with an array, to be continued; with one more array, and a scalar.  Of
 * an array count its layout and type, and, with the debug gate, which array it is. */
uint64_t tsri_hash_call(const char *call, const tsr_array *array);
uint64_t tsri_hash_array(uint64_t hash, const tsr_array *array);
uint64_t tsri_hash_scalar(uint64_t hash, tsr_scalar scalar);
/* Address of the first owned cell, NULL without storage. */
void *tsri_array_origin(const tsr_array *array);
/* Whether a boundary may be used on an axis of this length with this type: TSR_OK or TSR_ERR_VALUE.
 */
tsr_status tsri_boundary_check(const char *call, const tsr_boundary *boundary, int axis,
                               int64_t length, tsr_dtype dtype);

#endif
