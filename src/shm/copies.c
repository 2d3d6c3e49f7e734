#include "shm/copies.h"

#include "kern/kern.h"

#include <string.h>

static size_t size_of(const tsri_copies *c)
{
    return tsr_dtype_size(c->dtype);
}

static unsigned char *element(const tsri_copies *c, int64_t i)
{
    return (unsigned char *)c->cells + (size_t)i * size_of(c);
}

static unsigned char *copy_of(const tsri_copies *c, int place)
{
    return c->others + (size_t)place * (size_t)c->piece * size_of(c);
}

/* The elements of a place's slice that are combined in a round: how many, from `first` on. */
static int64_t piece_of(const tsri_copies *c, int place, int64_t round, int64_t *first)
{
    const int64_t end = tsri_axis_cut(&c->slices, place + 1);
    const int64_t left = end - tsri_axis_cut(&c->slices, place) - round * c->piece;

    *first = left > 0 ? end - left : end;
    return left < 0 ? 0 : left < c->piece ? left : c->piece;
}

static int rank_at(const tsri_copies *c, int place)
{
    return c->ranks != NULL ? c->ranks[place] : place;
}

static tsr_status send(tsri_copies *c, const void *data, int64_t n, int place)
{
    if (n == 0) return TSR_OK;
    return tsri_net_isend(c->context, data, (size_t)n * size_of(c), rank_at(c, place),
                          TSRI_TAG_EXCHANGE, &c->requests[c->nrequests++]);
}

static tsr_status receive(tsri_copies *c, void *data, int64_t n, int place)
{
    if (n == 0) return TSR_OK;
    return tsri_net_irecv(c->context, data, (size_t)n * size_of(c), rank_at(c, place),
                          TSRI_TAG_EXCHANGE, &c->requests[c->nrequests++]);
}

/* Exchange with every other one: its slice's piece for ours from `there`, or, to share results, the
 * other way round. */
static tsr_status exchange(tsri_copies *c, int64_t round, bool share)
{
    int64_t mine, theirs;
    const int64_t n = piece_of(c, c->index, round, &mine);
    tsr_status st = TSR_OK;

    c->nrequests = 0;
    for (int step = 1; step < c->count; ++step) {
        const int peer = (c->index + c->count - step) % c->count;
        const int64_t m = piece_of(c, peer, round, &theirs);
        tsri_keep(&st, share ? receive(c, element(c, theirs), m, peer)
                             : receive(c, copy_of(c, peer), n, peer));
    }
    for (int step = 1; step < c->count; ++step) {
        const int peer = (c->index + step) % c->count;
        const int64_t m = piece_of(c, peer, round, &theirs);
        tsri_keep(&st, share ? send(c, element(c, mine), n, peer)
                             : send(c, element(c, theirs), m, peer));
    }
    tsri_keep(&st, tsri_net_wait(c->context, c->nrequests, c->requests));
    return st;
}

static void combine_piece(tsri_copies *c, int64_t round)
{
    int64_t first;
    const int64_t n = piece_of(c, c->index, round, &first);

    if (n == 0) return;
    memcpy(copy_of(c, c->index), element(c, first), (size_t)n * size_of(c));
    for (int64_t bit = 1; bit < c->count; bit *= 2)
        for (int64_t r = 0; r + bit < c->count; r += 2 * bit)
            tsri_kern_get()->combine(c->op, c->dtype, n, copy_of(c, (int)r),
                                     copy_of(c, (int)(r + bit)));
    memcpy(element(c, first), copy_of(c, 0), (size_t)n * size_of(c));
}

/* The first slice is the longest. */
static int64_t longest(const tsri_copies *c)
{
    return tsri_axis_cut(&c->slices, 1);
}

tsr_status tsri_copies_prepare(tsri_copies *c)
{
    const size_t limit = (size_t)tsri_context_settings(c->context)->message_limit;
    tsr_status st = TSR_OK;

    c->slices = tsri_axis_make(c->ncells, c->count, NULL);
    size_t bytes = TSRI_COPIES_BYTES / (size_t)c->count;
    if (bytes > limit) bytes = limit;
    c->piece = bytes < size_of(c) ? 1 : (int64_t)(bytes / size_of(c));
    if (c->piece > longest(c)) c->piece = longest(c);
    const size_t others = (size_t)c->count * (size_t)c->piece * size_of(c);
    TSRI_ALLOC(done, c->requests, 2 * ((size_t)c->count - 1));
    c->others = tsri_alloc_aligned(others);
    TSRI_CHECK(done, c->others != NULL, TSR_ERR_NOMEM,
               "no memory for %zu bytes of the copies of other ranks", others);
done:
    return st;
}

void tsri_copies_free(tsri_copies *c)
{
    tsri_free(c->requests);
    tsri_free_aligned(c->others);
    *c = (tsri_copies){0};
}

tsr_status tsri_copies_combine(tsri_copies *c)
{
    tsr_status st = TSR_OK;

    for (int64_t round = 0; round * c->piece < longest(c); ++round) {
        tsri_keep(&st, exchange(c, round, false));
        combine_piece(c, round);
        tsri_keep(&st, exchange(c, round, true));
    }
    return st;
}
