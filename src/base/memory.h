/* Memory with live counters, and fault injection.  The only place that calls the C allocator. */
#ifndef TSRI_BASE_MEMORY_H
#define TSRI_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed memory for count objects of size bytes, NULL when there is none (or the product
 * overflows). A count of zero gives a valid pointer.  tsri_free takes NULL. */
void *tsri_alloc(size_t count, size_t size);
void tsri_free(void *pointer);
/* The first `count` of objects of size bytes moved to zeroed memory for `room`, and theirs freed;
 * NULL when there is none, and they stay where they are. */
void *tsri_grow(void *objects, size_t count, size_t room, size_t size);
/* Memory of at least one byte aligned to 64, not initialised. */
void *tsri_alloc_aligned(size_t bytes);
void tsri_free_aligned(void *pointer);

/* Blocks that change hands with the library's caller, who uses malloc, realloc and free: one of the
 * library's becomes the caller's, or the other way round.  Both return the pointer. */
void *tsri_give_away(void *pointer);
void *tsri_take_over(void *pointer);
/* Make a block of the caller's smaller; the pointer may change.  Never fails. */
void *tsri_shrink(void *pointer, size_t bytes);

/* What the library does, counted for tests.  Totals since the program began but for those
 * of what is alive. */
typedef struct tsri_counters {
    int64_t live_blocks;      /* allocations not yet freed */
    int64_t allocations;      /* allocations ever made */
    int64_t messages;         /* messages sent */
    int64_t message_bytes;    /* bytes sent */
    int64_t copied_bytes;     /* bytes copied inside this rank: packing, unpacking, own images */
    int64_t live_requests;    /* persistent requests not yet freed */
    int64_t live_comms;       /* communicators not yet freed */
    int64_t live_pieces;      /* pieces of the library's heaps (shm/arena.h) not yet freed */
    int64_t live_attachments; /* pieces of other processes not yet detached */
    int64_t idle_comms; /* communicators that no object uses: kept for the user's next call, or
                           for a collective call to free them.  They and the blocks kept with
                           them are not counted as live */
} tsri_counters;
tsri_counters tsri_counters_read(void);
typedef enum {
    TSRI_COUNT_MESSAGES,
    TSRI_COUNT_MESSAGE_BYTES,
    TSRI_COUNT_COPIED_BYTES,
    TSRI_COUNT_REQUESTS,
    TSRI_COUNT_COMMS,
    TSRI_COUNT_PIECES,
    TSRI_COUNT_PIECES_MADE, /* allocations, too */
    TSRI_COUNT_ATTACHMENTS,
    TSRI_COUNT_IDLE_COMMS,
    TSRI_COUNT_IDLE_BLOCKS
} tsri_counter;
void tsri_count(tsri_counter which, int64_t amount);

/* Fault injection.  Armed with n >= 0, the n-th (from 0) allocation, MPI call or file call from now
 * on fails once on this rank; -1 disarms.  Calls of the agreement itself are not counted. */
void tsri_fault_arm(int64_t n);
bool tsri_fault_fired(void);
/* True when this call is the one to fail.  For MPI and file calls: ask after the call, so that
 * peers do not wait for ever. */
bool tsri_fault(void);
/* Calls between these two are not counted (they nest). */
void tsri_fault_suspend(void);
void tsri_fault_resume(void);

#endif
