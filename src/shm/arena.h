/* The arena: memory of this process that other processes of its node can map.
 *
 * One file without a name holds it all; others open it through this process's descriptor, so that
 * nothing is left behind whatever ends a program.  Pieces are reserved for real: when memory is
 * short, making one fails, and touching one never does.  Freed pieces are kept for the next of
 * their size, up to a limit.  The arena belongs to the process, not to a communicator; it goes when
 * the last piece is freed. */
#ifndef TSRI_SHM_ARENA_H
#define TSRI_SHM_ARENA_H

#include "base/error.h"
#include "base/memory.h"

/* Where a piece lies, for other processes: plain numbers that travel in messages. */
typedef struct tsri_arena_address {
    int64_t process;             /* its number in the system */
    int64_t file;                /* its descriptor there */
    uint64_t chunk, chunk_bytes; /* what is mapped at once: place in the file, and length */
    uint64_t offset;             /* of the piece in the chunk */
    uint64_t bytes;
} tsri_arena_address;

/* A piece of at least one byte, aligned to 64, not initialised.  Local.  TSR_ERR_NOMEM names the
 * bytes asked and those free; TSR_ERR_UNSUPPORTED where processes cannot share memory. */
tsr_status tsri_arena_alloc(size_t bytes, void **piece);
/* Takes NULL.  Nobody may use the piece any more, here or elsewhere. */
void tsri_arena_free(void *piece);
/* The address of a piece of this process. */
tsri_arena_address tsri_arena_address_of(const void *piece);

/* Map another process's piece, or find one's own.  Local.  Each attach is undone by one detach. */
tsr_status tsri_arena_attach(const tsri_arena_address *address, void **piece);
void tsri_arena_detach(void *piece);

#endif
