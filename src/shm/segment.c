#include "shm/segment.h"

#include <string.h>

#include "base/net.h"

/* What the root tells the others. */
typedef struct announcement {
    bool made;
    tsri_arena_address address;
} announcement;

static bool is_owner(const tsri_segment *segment)
{
    return tsri_context_rank(segment->context) == segment->root;
}

/* Alone a rank needs nothing that others can map. */
static bool is_private(const tsri_segment *segment)
{
    return tsri_context_size(segment->context) == 1;
}

static tsr_status allocate(tsri_segment *segment, size_t bytes)
{
    tsr_status st = TSR_OK;
    const size_t whole = sizeof(tsri_barrier) + bytes;

    TSRI_CHECK(done, bytes <= PTRDIFF_MAX - sizeof(tsri_barrier), TSR_ERR_OVERFLOW,
               "%zu bytes do not fit the address space", bytes);
    if (is_private(segment)) {
        segment->piece = tsri_private_alloc(whole);
        TSRI_CHECK(done, segment->piece != NULL, TSR_ERR_NOMEM, "no memory for %zu bytes", whole);
    } else {
        TSRI_TRY(done, tsri_arena_alloc(whole, &segment->piece));
    }
    tsri_barrier *const barrier = segment->piece;
    atomic_init(&barrier->arrived, 0);
    atomic_init(&barrier->passed.value, 0);
done:
    return st;
}

tsr_status tsri_segment_make(tsri_context *context, int root, size_t bytes, tsri_segment *segment)
{
    tsr_status st = TSR_OK;
    announcement said;

    *segment = (tsri_segment){.context = tsri_context_ref(context), .root = root};
    memset(&said, 0, sizeof said);
    if (is_owner(segment)) {
        st = allocate(segment, bytes);
        said.made = st == TSR_OK;
    }
    if (is_private(segment)) return st;

    if (said.made) said.address = tsri_arena_address_of(segment->piece);
    tsri_keep(&st, tsri_net_bcast(context, &said, sizeof said, root));
    if (st == TSR_OK && said.made && !is_owner(segment))
        st = tsri_arena_attach(&said.address, &segment->piece);
    return st;
}

void tsri_segment_free(tsri_segment *segment)
{
    if (segment->context == NULL) return;
    if (is_private(segment))
        tsri_private_free(segment->piece);
    else if (segment->piece != NULL && is_owner(segment))
        tsri_arena_free(segment->piece);
    else if (segment->piece != NULL)
        tsri_arena_detach(segment->piece);
    tsri_context_unref(segment->context);
    *segment = (tsri_segment){0};
}

void *tsri_segment_data(const tsri_segment *segment)
{
    return (tsri_barrier *)segment->piece + 1;
}

void tsri_segment_barrier(tsri_segment *segment)
{
    tsri_barrier_wait(segment->context, segment->piece, tsri_context_size(segment->context),
                      &segment->round);
}
