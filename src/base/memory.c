#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"

enum { ALIGNMENT = 64 };

static atomic_int_fast64_t live_blocks, allocations;
static atomic_int_fast64_t counts[TSRI_COUNT_IDLE_BLOCKS + 1];

static void *counted(void *pointer)
{
    if (pointer != NULL) {
        atomic_fetch_add_explicit(&live_blocks, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    }
    return pointer;
}

static void uncounted(void *pointer)
{
    if (pointer != NULL) atomic_fetch_sub_explicit(&live_blocks, 1, memory_order_relaxed);
}

/* No object is larger than PTRDIFF_MAX bytes; to ask for one is an error to some allocators. */
void *tsri_alloc(size_t count, size_t size)
{
    size_t bytes = 0;
    if (tsri_fault() || !tsri_mul_size(count, size, &bytes) || bytes > PTRDIFF_MAX) return NULL;
    return counted(calloc(bytes > 0 ? bytes : 1, 1));
}

void tsri_free(void *pointer)
{
    uncounted(pointer);
    free(pointer);
}

void *tsri_grow(void *objects, size_t count, size_t room, size_t size)
{
    void *const grown = tsri_alloc(room, size);
    if (grown == NULL) return NULL;
    if (count > 0) memcpy(grown, objects, count * size);
    tsri_free(objects);
    return grown;
}

void *tsri_alloc_aligned(size_t bytes)
{
    if (tsri_fault() || bytes > PTRDIFF_MAX - ALIGNMENT) return NULL;
    if (bytes == 0) bytes = 1;
    return counted(aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT));
}

void tsri_free_aligned(void *pointer)
{
    tsri_free(pointer);
}

void *tsri_give_away(void *pointer)
{
    uncounted(pointer);
    return pointer;
}

void *tsri_take_over(void *pointer)
{
    if (pointer != NULL) atomic_fetch_add_explicit(&live_blocks, 1, memory_order_relaxed);
    return pointer;
}

/* Where there is no smaller block, the larger one stays. */
void *tsri_shrink(void *pointer, size_t bytes)
{
    void *smaller = realloc(pointer, bytes > 0 ? bytes : 1);
    return smaller != NULL ? smaller : pointer;
}

void tsri_count(tsri_counter which, int64_t amount)
{
    atomic_fetch_add_explicit(&counts[which], amount, memory_order_relaxed);
}

tsri_counters tsri_counters_read(void)
{
    const int64_t idle = counts[TSRI_COUNT_IDLE_COMMS];
    return (tsri_counters){
        .live_blocks = live_blocks - counts[TSRI_COUNT_IDLE_BLOCKS],
        .allocations = allocations + counts[TSRI_COUNT_PIECES_MADE],
        .messages = counts[TSRI_COUNT_MESSAGES],
        .message_bytes = counts[TSRI_COUNT_MESSAGE_BYTES],
        .copied_bytes = counts[TSRI_COUNT_COPIED_BYTES],
        .live_requests = counts[TSRI_COUNT_REQUESTS],
        .live_comms = counts[TSRI_COUNT_COMMS] - idle,
        .live_pieces = counts[TSRI_COUNT_PIECES],
        .live_attachments = counts[TSRI_COUNT_ATTACHMENTS],
        .idle_comms = idle,
    };
}
