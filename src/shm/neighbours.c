#include "shm/neighbours.h"

#include "kern/kern.h"
#include "layout/geometry.h"

#include <string.h>

/* Bytes of each copy that are worked on before the next: what many ranks read stays in cache. */
enum { BLOCK_BYTES = 16 * 1024 };

tsr_status tsri_neighbours_prepare(tsri_context *context, tsri_neighbours *n)
{
    tsr_status st = TSR_OK;

    *n = (tsri_neighbours){.context = context, .team = tsri_context_team(context)};
    const size_t count = (size_t)n->team->count;
    TSRI_ALLOC(done, n->copy, count);
    TSRI_ALLOC(done, n->address, count);
    TSRI_ALLOC(done, n->request, 2 * count);
done:
    return st;
}

void tsri_neighbours_free(tsri_neighbours *n)
{
    for (int i = 0; n->copy != NULL && i < n->team->count; ++i)
        if (n->copy[i] != n->own) tsri_arena_detach(n->copy[i]);
    tsri_free(n->copy);
    tsri_free(n->address);
    tsri_free(n->request);
    *n = (tsri_neighbours){0};
}

/* Everyone's address to everyone. */
static tsr_status exchange(tsri_neighbours *n)
{
    const tsri_team *team = n->team;
    const size_t bytes = sizeof *n->address;
    tsr_status st = TSR_OK;
    int count = 0;

    for (int step = 1; step < team->count; ++step) {
        const int from = (team->index + team->count - step) % team->count;
        tsri_keep(&st, tsri_net_irecv(n->context, &n->address[from], bytes, team->rank[from],
                                      TSRI_TAG_EXCHANGE, &n->request[count++]));
    }
    for (int step = 1; step < team->count; ++step) {
        const int to = (team->index + step) % team->count;
        tsri_keep(&st, tsri_net_isend(n->context, &n->address[team->index], bytes, team->rank[to],
                                      TSRI_TAG_EXCHANGE, &n->request[count++]));
    }
    tsri_keep(&st, tsri_net_wait(n->context, count, n->request));
    return st;
}

tsr_status tsri_neighbours_meet(tsri_neighbours *n, void *own, bool *complete)
{
    const tsri_team *team = n->team;
    tsr_status st = TSR_OK;

    n->own = own;
    if (own != NULL) n->address[team->index] = tsri_arena_address_of(own);
    st = exchange(n);
    *complete = true;
    for (int i = 0; i < team->count; ++i)
        *complete = *complete && n->address[i].bytes > 0;
    if (team->count < tsri_context_size(n->context))
        tsri_keep(&st, tsri_net_combine(n->context, complete, sizeof *complete, tsri_net_and));
    if (!*complete) return st;
    for (int i = 0; i < team->count && st == TSR_OK; ++i) {
        if (i == team->index)
            n->copy[i] = own;
        else
            st = tsri_arena_attach(&n->address[i], &n->copy[i]);
    }
    return st;
}

static unsigned char *at(const tsri_neighbours *n, int i, size_t offset)
{
    return (unsigned char *)n->copy[i] + offset;
}

/* This rank's slice: how many cells, from `first` on. */
static int64_t slice_of(const tsri_neighbours *n, int64_t cells, int64_t *first)
{
    const tsri_axis slices = tsri_axis_make(cells, n->team->count, NULL);
    *first = tsri_axis_cut(&slices, n->team->index);
    return tsri_axis_cut(&slices, n->team->index + 1) - *first;
}

/* From one copy to all others, or to this rank's. */
static void spread(const tsri_neighbours *n, int from, size_t offset, size_t bytes, bool share)
{
    for (int i = 0; i < n->team->count; ++i)
        if (i != from && (share || i == n->team->index))
            memcpy(at(n, i, offset), at(n, from, offset), bytes);
}

void tsri_neighbours_combine(tsri_neighbours *n, tsr_op op, tsr_dtype dtype, int64_t cells,
                             bool share)
{
    const int count = n->team->count;
    const size_t size = tsr_dtype_size(dtype);
    const int64_t block = BLOCK_BYTES / (int64_t)size;
    int64_t first;
    const int64_t mine = slice_of(n, cells, &first);

    for (int64_t done = 0; done < mine; done += block) {
        const size_t offset = (size_t)(first + done) * size;
        const int64_t some = mine - done < block ? mine - done : block;
        for (int64_t bit = 1; bit < count; bit *= 2)
            for (int64_t r = 0; r + bit < count; r += 2 * bit)
                tsri_kern_get()->combine(op, dtype, some, at(n, (int)r, offset),
                                         at(n, (int)(r + bit), offset));
        spread(n, 0, offset, (size_t)some * size, share);
    }
}

void tsri_neighbours_share(tsri_neighbours *n, tsr_dtype dtype, int64_t cells)
{
    const size_t size = tsr_dtype_size(dtype);
    int64_t first;
    const int64_t mine = slice_of(n, cells, &first);

    spread(n, n->team->index, (size_t)first * size, (size_t)mine * size, true);
}
