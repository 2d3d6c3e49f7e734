/* A heap: pieces cut out of chunks that come from a source.
 *
 * Small pieces share chunks; a large one has a chunk of its own.  Free chunks are kept for later
 * pieces, up to a limit, oldest given back first.  Not for several threads: the owner locks. */
#ifndef TSRI_SHM_HEAP_H
#define TSRI_SHM_HEAP_H

#include "base/error.h"
#include "base/memory.h"

typedef struct tsri_chunk {
    struct tsri_chunk *older, *newer;              /* all chunks of the heap */
    struct tsri_chunk *freed_before, *freed_after; /* those without pieces */
    unsigned char *base;
    size_t bytes;
    uint64_t place; /* the source's own: where the chunk lies */
    bool large;     /* for one piece */
    bool idle;      /* without pieces */
} tsri_chunk;

enum { TSRI_HEAP_BINS = 64 };

typedef struct tsri_heap {
    /* Memory of at least one page, aligned to a page, to read and write; and give it back. */
    tsr_status (*map)(size_t bytes, void **base, uint64_t *place);
    void (*unmap)(void *base, size_t bytes, uint64_t place);
    size_t keep_bytes; /* free chunks are kept up to this */
    /* All of the following start as zeros. */
    size_t mapped_bytes, idle_bytes;
    int64_t pieces;
    tsri_chunk *newest;
    tsri_chunk *first_freed, *last_freed;
    struct tsri_span *bin[TSRI_HEAP_BINS]; /* free spans of small chunks, by size */
} tsri_heap;

/* A piece of at least one byte, aligned to 64, not initialised.  On failure *piece is NULL, and the
 * status is the source's, unless there was no memory for the heap's own records. */
tsr_status tsri_heap_alloc(tsri_heap *heap, size_t bytes, void **piece);
void tsri_heap_free(tsri_heap *heap, void *piece);
/* The chunk and size of a piece. */
const tsri_chunk *tsri_heap_chunk_of(const void *piece);
size_t tsri_heap_bytes_of(const void *piece);
/* Give back free chunks until at most this many bytes are kept. */
void tsri_heap_trim(tsri_heap *heap, size_t keep_bytes);

#endif
