#include "shm/heap.h"

#include "shm/huge.h"
#include "shm/sanitize.h"

enum {
    ALIGNMENT = 64,
    PAGE = 4096,
    SMALL_CHUNK = TSRI_HUGE_PAGE,
    LARGEST_SMALL = SMALL_CHUNK / 2,
    MOST_LOOKED_AT = 16 /* free spans that may be too short, before a longer one is cut */
};

/* A chunk is a row of spans; each begins with this header, alone on a cache line. */
typedef struct tsri_span {
    tsri_chunk *chunk;
    size_t bytes;                      /* of the span, header included */
    size_t before;                     /* of the span before it in the chunk; 0: it is the first */
    size_t asked;                      /* of the piece; 0: the span is free */
    struct tsri_span *previous, *next; /* in its bin, while it is free */
} tsri_span;
_Static_assert(sizeof(tsri_span) <= ALIGNMENT, "a header fills one cache line");

/* From a span to its piece; sanitized builds leave a gap that nobody may touch. */
enum { HEADER = ALIGNMENT + TSRI_REDZONE };

static size_t align_up(size_t bytes, size_t alignment)
{
    return (bytes + alignment - 1) / alignment * alignment;
}

static tsri_span *span_of(const void *piece)
{
    return (tsri_span *)((unsigned char *)piece - HEADER);
}

static void *piece_of(tsri_span *span)
{
    return (unsigned char *)span + HEADER;
}

static tsri_span *after(const tsri_span *span)
{
    unsigned char *next = (unsigned char *)span + span->bytes;
    return next == span->chunk->base + span->chunk->bytes ? NULL : (tsri_span *)next;
}

static tsri_span *before(const tsri_span *span)
{
    return span->before == 0 ? NULL : (tsri_span *)((unsigned char *)span - span->before);
}

/* ---- free spans ------------------------------------------------------------------------------ */

/* Spans of 2^k to 2^(k+1) - 1 bytes are in bin k. */
static int bin_of(size_t bytes)
{
    return 63 - __builtin_clzll((unsigned long long)bytes);
}

static void put(tsri_heap *heap, tsri_span *span)
{
    tsri_span **bin = &heap->bin[bin_of(span->bytes)];
    span->asked = 0;
    span->previous = NULL;
    span->next = *bin;
    if (*bin != NULL) (*bin)->previous = span;
    *bin = span;
    TSRI_FORBID((unsigned char *)span + ALIGNMENT, span->bytes - ALIGNMENT);
}

static void take(tsri_heap *heap, tsri_span *span)
{
    if (span->previous == NULL) heap->bin[bin_of(span->bytes)] = span->next;
    if (span->previous != NULL) span->previous->next = span->next;
    if (span->next != NULL) span->next->previous = span->previous;
}

static tsri_span *find(const tsri_heap *heap, size_t bytes)
{
    int bin = bin_of(bytes), looked_at = 0;
    for (tsri_span *s = heap->bin[bin]; s != NULL && looked_at < MOST_LOOKED_AT; s = s->next) {
        if (s->bytes >= bytes) return s;
        ++looked_at;
    }
    while (++bin < TSRI_HEAP_BINS)
        if (heap->bin[bin] != NULL) return heap->bin[bin];
    return NULL;
}

/* Begin a span, and tell the one after it. */
static tsri_span *place(tsri_chunk *chunk, void *at, size_t bytes, size_t bytes_before)
{
    tsri_span *span = at;
    TSRI_ALLOW(span, ALIGNMENT);
    *span = (tsri_span){.chunk = chunk, .bytes = bytes, .before = bytes_before};
    tsri_span *next = after(span);
    if (next != NULL) next->before = bytes;
    return span;
}

/* Use the first `bytes` of a free span, and free the rest. */
static void cut(tsri_heap *heap, tsri_span *span, size_t bytes)
{
    const size_t rest = span->bytes - bytes;
    if (rest < HEADER + ALIGNMENT) return;
    span->bytes = bytes;
    put(heap, place(span->chunk, (unsigned char *)span + bytes, rest, bytes));
}

/* Join a span with the free ones beside it. */
static tsri_span *join(tsri_heap *heap, tsri_span *span)
{
    tsri_span *next = after(span), *first = before(span);
    size_t bytes = span->bytes;
    if (next != NULL && next->asked == 0) {
        take(heap, next);
        bytes += next->bytes;
    }
    if (first != NULL && first->asked == 0) {
        take(heap, first);
        bytes += first->bytes;
        span = first;
    }
    return place(span->chunk, span, bytes, span->before);
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static void set_idle(tsri_heap *heap, tsri_chunk *chunk)
{
    chunk->idle = true;
    chunk->freed_before = heap->last_freed;
    chunk->freed_after = NULL;
    if (heap->last_freed != NULL) heap->last_freed->freed_after = chunk;
    if (heap->last_freed == NULL) heap->first_freed = chunk;
    heap->last_freed = chunk;
    heap->idle_bytes += chunk->bytes;
}

static void set_used(tsri_heap *heap, tsri_chunk *chunk)
{
    if (!chunk->idle) return;
    chunk->idle = false;
    if (chunk->freed_before != NULL) chunk->freed_before->freed_after = chunk->freed_after;
    if (chunk->freed_after != NULL) chunk->freed_after->freed_before = chunk->freed_before;
    if (heap->first_freed == chunk) heap->first_freed = chunk->freed_after;
    if (heap->last_freed == chunk) heap->last_freed = chunk->freed_before;
    heap->idle_bytes -= chunk->bytes;
}

/* What the heap keeps for itself counts as idle: tests ask what is left of pieces. */
static tsr_status add_chunk(tsri_heap *heap, size_t bytes, bool large, tsri_chunk **chunk)
{
    tsr_status st = TSR_OK;
    tsri_chunk *made = NULL;
    void *base = NULL;

    TSRI_ALLOC(fail, made, 1);
    st = heap->map(bytes, &base, &made->place);
    if (st != TSR_OK && heap->idle_bytes > 0) {
        tsri_heap_trim(heap, 0);
        st = heap->map(bytes, &base, &made->place);
    }
    TSRI_TRY(fail, st);
    tsri_count(TSRI_COUNT_IDLE_BLOCKS, 1);
    made->base = base;
    made->bytes = bytes;
    made->large = large;
    made->older = heap->newest;
    if (heap->newest != NULL) heap->newest->newer = made;
    heap->newest = made;
    heap->mapped_bytes += bytes;
    *chunk = made;
    return TSR_OK;

fail:
    tsri_free(made);
    return st;
}

static void drop_chunk(tsri_heap *heap, tsri_chunk *chunk)
{
    set_used(heap, chunk);
    if (!chunk->large) take(heap, (tsri_span *)chunk->base);
    if (chunk->older != NULL) chunk->older->newer = chunk->newer;
    if (chunk->newer != NULL) chunk->newer->older = chunk->older;
    if (heap->newest == chunk) heap->newest = chunk->older;
    heap->mapped_bytes -= chunk->bytes;
    TSRI_ALLOW(chunk->base, chunk->bytes);
    heap->unmap(chunk->base, chunk->bytes, chunk->place);
    tsri_count(TSRI_COUNT_IDLE_BLOCKS, -1);
    tsri_free(chunk);
}

void tsri_heap_trim(tsri_heap *heap, size_t keep_bytes)
{
    while (heap->first_freed != NULL && heap->idle_bytes > keep_bytes)
        drop_chunk(heap, heap->first_freed);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static tsr_status small_span(tsri_heap *heap, size_t bytes, tsri_span **span)
{
    tsr_status st = TSR_OK;
    tsri_chunk *chunk = NULL;

    *span = find(heap, bytes);
    if (*span != NULL) {
        take(heap, *span);
    } else {
        TSRI_TRY(done, add_chunk(heap, SMALL_CHUNK, false, &chunk));
        *span = place(chunk, chunk->base, chunk->bytes, 0);
    }
    cut(heap, *span, bytes);
done:
    return st;
}

/* A free chunk serves when at most a quarter of it would be left over, beside what pages round a
 * new one up to; the shortest is taken. */
static tsr_status large_span(tsri_heap *heap, size_t bytes, tsri_span **span)
{
    tsr_status st = TSR_OK;
    tsri_chunk *chunk = NULL;

    const size_t needed = align_up(bytes, bytes < TSRI_HUGE_PAGE ? PAGE : TSRI_HUGE_PAGE);
    for (tsri_chunk *c = heap->last_freed; c != NULL; c = c->freed_before)
        if (c->large && c->bytes >= needed && c->bytes - needed <= c->bytes / 4 &&
            (chunk == NULL || c->bytes < chunk->bytes))
            chunk = c;
    if (chunk == NULL) TSRI_TRY(done, add_chunk(heap, needed, true, &chunk));
    *span = place(chunk, chunk->base, chunk->bytes, 0);
done:
    return st;
}

tsr_status tsri_heap_alloc(tsri_heap *heap, size_t bytes, void **piece)
{
    tsr_status st = TSR_OK;
    tsri_span *span = NULL;

    *piece = NULL;
    if (bytes == 0) bytes = 1;
    TSRI_CHECK(done, bytes <= PTRDIFF_MAX - 2 * TSRI_HUGE_PAGE, TSR_ERR_NOMEM,
               "no memory for %zu bytes", bytes);
    const size_t needed = align_up(bytes, ALIGNMENT) + HEADER;
    st = needed <= LARGEST_SMALL ? small_span(heap, needed, &span) : TSR_ERR_NOMEM;
    if (st != TSR_OK) /* a small piece may still find room for itself, if not for a chunk */
        TSRI_TRY(done, large_span(heap, needed, &span));
    set_used(heap, span->chunk);
    span->asked = bytes;
    TSRI_FORBID((unsigned char *)span + ALIGNMENT, span->bytes - ALIGNMENT);
    *piece = piece_of(span);
    TSRI_ALLOW(*piece, bytes);
    ++heap->pieces;
done:
    return st;
}

void tsri_heap_free(tsri_heap *heap, void *piece)
{
    tsri_span *span = span_of(piece);
    tsri_chunk *chunk = span->chunk;

    --heap->pieces;
    if (!chunk->large) {
        span = join(heap, span);
        put(heap, span);
    } else {
        TSRI_FORBID((unsigned char *)span + ALIGNMENT, span->bytes - ALIGNMENT);
    }
    if (span->bytes < chunk->bytes) return;
    set_idle(heap, chunk);
    tsri_heap_trim(heap, heap->keep_bytes);
}

const tsri_chunk *tsri_heap_chunk_of(const void *piece)
{
    return span_of(piece)->chunk;
}

size_t tsri_heap_bytes_of(const void *piece)
{
    return span_of(piece)->asked;
}
