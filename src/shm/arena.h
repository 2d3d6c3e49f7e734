/* The arena: memory of this process that other processes of its node can map.
 *
 * One file without a name holds it all; others open it through this process's descriptor, so that
 * nothing is left behind whatever ends a program.  Pieces are reserved for real: when memory is
 * short, making one fails, and touching one never does.  Freed pieces are kept for the next of
 * their size, up to a limit.  The arena belongs to the process, not to a communicator; it goes when
 * it has no piece and no user (tsri_arena_use).  Beside it is a heap of the same kind of memory
 * that is this process's alone.
 *
 * All functions are local and may be called by several threads. */
#ifndef TSRI_SHM_ARENA_H
#define TSRI_SHM_ARENA_H

#include "base/error.h"
#include "base/memory.h"

/* Where a piece lies, for other processes: plain numbers that travel in messages. */
typedef struct tsri_arena_address {
    int64_t process;             /* its number in the system */
    int64_t file;                /* its descriptor there */
    uint64_t identity;           /* of the file, in the system */
    uint64_t chunk, chunk_bytes; /* what is mapped at once: place in the file, and length */
    uint64_t offset;             /* of the piece in the chunk */
    uint64_t bytes;              /* 0: no piece */
} tsri_arena_address;

/* A piece of at least one byte, aligned to 64, not initialised; *piece is NULL on failure.
 * TSR_ERR_NOMEM names the bytes asked and those free; TSR_ERR_UNSUPPORTED where processes cannot
 * share memory. */
tsr_status tsri_arena_alloc(size_t bytes, void **piece);
/* Whether pieces of this size are as fast to compute with as private ones: large ones are not where
 * only private memory can have huge pages.  Found out once. */
bool tsri_arena_suits(size_t bytes);
/* Takes NULL.  Nobody may use the piece any more, here or elsewhere. */
void tsri_arena_free(void *piece);
/* The library ends: what others still map of this process's keeps its values until they unmap it.
 */
void tsri_arena_leave(void);
/* The address of a piece of this process. */
tsri_arena_address tsri_arena_address_of(const void *piece);

/* Where memory lies, when it is in a piece of this process: an address from there on. */
bool tsri_arena_find(const void *memory, tsri_arena_address *address);

/* Map another process's piece, or find one's own.  Each attach is undone by one detach.  Mappings
 * are kept for later attaches, up to a limit. */
tsr_status tsri_arena_attach(const tsri_arena_address *address, void **piece);
/* Takes NULL. */
void tsri_arena_detach(void *piece);

/* The same kind of pieces in private memory, pooled likewise: system calls and page faults are
 * dear.  NULL when there is none. */
void *tsri_private_alloc(size_t bytes);
void tsri_private_free(void *piece);

/* What is free in the arena is kept only while somebody may ask for more: contexts with a team are
 * users.  (The private heap keeps what is free until the library ends.)
 * `limit_bytes` bounds the arena from now on (TESSERA_SHM_LIMIT). */
void tsri_arena_use(size_t limit_bytes);
void tsri_arena_unuse(void);

#endif
