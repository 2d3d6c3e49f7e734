#include "move/exchange.h"

#include "base/memory.h"
#include "kern/kern.h"

#include <stdlib.h>

enum { LARGEST_ELEMENT = 16, BUFFER_ALIGNMENT = 64 };

/* One plan with its element type. */
typedef struct {
    tsri_plan *plan;
    tsr_dtype dtype;
    size_t size;
} item;

/* One piece to be packed into, or applied from, a message; or applied from this rank's own cells.
 */
typedef struct {
    const tsri_piece *piece;
    int item;
    bool own;
    size_t offset; /* in the buffer: of the first cell of the piece's peer and plan */
} step;

typedef struct {
    int rank;
    size_t offset, bytes; /* in the buffer */
    int first_step, nsteps;
    int first_request, nrequests; /* more than one when it exceeds the message limit */
} message;

/* All messages of one direction. */
typedef struct {
    message *item;
    int count;
    unsigned char *buffer;
    size_t bytes;
    tsri_request *request;
    int nrequests;
} traffic;

struct tsri_exchange {
    tsri_context *context;
    tsri_combine combine;
    int count;
    item *item;
    traffic send, receive;
    step *pack;
    step *apply;
    int npack, napply;
    int nown; /* the first steps of `apply`, which need no message */
    int64_t sent_bytes, applied_bytes;
};

/* ---- building -------------------------------------------------------------------------------- */

static const tsri_pieces *pieces_of(const item *it, bool sending)
{
    return sending ? &it->plan->send : &it->plan->receive;
}

static size_t align_up(size_t offset)
{
    return (offset + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
}

/* The lowest rank that is next in some plan's list of peers; -1 when all lists are through. */
static int next_rank(const tsri_exchange *e, bool sending, const int *next)
{
    int rank = -1;
    for (int i = 0; i < e->count; ++i) {
        const tsri_pieces *pieces = pieces_of(&e->item[i], sending);
        if (next[i] == pieces->npeers) continue;
        if (rank < 0 || pieces->peer[next[i]].rank < rank) rank = pieces->peer[next[i]].rank;
    }
    return rank;
}

/* Give a plan, if it has cells for message m's peer, a section of the message, and list the steps.
 */
static void add_section(const tsri_exchange *e, bool sending, int i, int *next, message *m,
                        step *steps, int *nsteps)
{
    const tsri_pieces *pieces = pieces_of(&e->item[i], sending);
    if (next[i] == pieces->npeers || pieces->peer[next[i]].rank != m->rank) return;
    const tsri_peer *peer = &pieces->peer[next[i]++];
    for (int k = 0; k < peer->count; ++k)
        steps[(*nsteps)++] = (step){
            .piece = &pieces->item[peer->first + k], .item = i, .offset = m->offset + m->bytes};
    m->bytes += (size_t)peer->cells * e->item[i].size;
}

/* The largest elements first, so that all sections are aligned without padding. */
static void add_sections(const tsri_exchange *e, bool sending, int *next, message *m, step *steps,
                         int *nsteps)
{
    for (size_t size = LARGEST_ELEMENT; size > 0; size /= 2)
        for (int i = 0; i < e->count; ++i)
            if (e->item[i].size == size) add_section(e, sending, i, next, m, steps, nsteps);
}

int64_t tsri_exchange_messages(size_t bytes, size_t limit)
{
    return (int64_t)(bytes / limit) + (bytes % limit != 0);
}

/* MPI counts requests in int. */
static tsr_status add_requests(const tsri_exchange *e, traffic *t, message *m)
{
    const size_t limit = (size_t)tsri_context_settings(e->context)->message_limit;
    const int64_t n = tsri_exchange_messages(m->bytes, limit);
    tsr_status st = TSR_OK;

    TSRI_CHECK(done, n <= INT_MAX - t->nrequests, TSR_ERR_OVERFLOW,
               "%zu bytes in messages of at most %zu: more than %d messages", m->bytes, limit,
               INT_MAX);
    m->first_request = t->nrequests;
    m->nrequests = (int)n;
    t->nrequests += m->nrequests;
done:
    return st;
}

/* Merge the plans' lists of peers into one list of messages. */
static tsr_status list_messages(const tsri_exchange *e, bool sending, traffic *t, step *steps,
                                int *nsteps)
{
    int *next = NULL, npeers = 0;
    tsr_status st = TSR_OK;

    for (int i = 0; i < e->count; ++i)
        npeers += pieces_of(&e->item[i], sending)->npeers;
    TSRI_ALLOC(done, next, e->count);
    TSRI_ALLOC(done, t->item, npeers);
    for (int rank; (rank = next_rank(e, sending, next)) >= 0;) {
        message *m = &t->item[t->count++];
        *m = (message){.rank = rank, .offset = align_up(t->bytes), .first_step = *nsteps};
        add_sections(e, sending, next, m, steps, nsteps);
        m->nsteps = *nsteps - m->first_step;
        TSRI_TRY(done, add_requests(e, t, m));
        t->bytes = m->offset + m->bytes;
    }
done:
    tsri_free(next);
    return st;
}

static tsr_status make_requests(const tsri_exchange *e, bool sending, traffic *t)
{
    const size_t limit = (size_t)tsri_context_settings(e->context)->message_limit;
    tsr_status st = TSR_OK;

    TSRI_ALLOC(done, t->request, t->nrequests);
    for (int i = 0; i < t->nrequests; ++i)
        t->request[i] = TSRI_REQUEST_NULL;
    if (t->bytes > 0) {
        t->buffer = tsri_alloc_aligned(t->bytes);
        TSRI_CHECK(done, t->buffer != NULL, TSR_ERR_NOMEM,
                   "no memory for %zu bytes of messages to and from other ranks", t->bytes);
    }
    for (int i = 0; i < t->count; ++i) {
        const message *m = &t->item[i];
        for (int k = 0; k < m->nrequests; ++k) {
            const size_t first = (size_t)k * limit, left = m->bytes - first;
            const size_t bytes = left < limit ? left : limit;
            unsigned char *data = t->buffer + m->offset + first;
            tsri_request *request = &t->request[m->first_request + k];
            TSRI_TRY(done, sending ? tsri_net_send_init(e->context, data, bytes, m->rank,
                                                        TSRI_TAG_EXCHANGE, request)
                                   : tsri_net_recv_init(e->context, data, bytes, m->rank,
                                                        TSRI_TAG_EXCHANGE, request));
        }
    }
done:
    return st;
}

/* Contributions in the order in which they are added: by plan, then by turn. */
static int by_turn(const void *left, const void *right)
{
    const step *a = left, *b = right;
    if (a->item != b->item) return a->item < b->item ? -1 : 1;
    return a->piece->turn < b->piece->turn ? -1 : a->piece->turn > b->piece->turn;
}

static tsr_status list_steps(tsri_exchange *e)
{
    int npack = 0, napply = 0;
    tsr_status st = TSR_OK;

    for (int i = 0; i < e->count; ++i) {
        const tsri_plan *plan = e->item[i].plan;
        npack += plan->send.count;
        napply += plan->receive.count + plan->copy.count;
    }
    TSRI_ALLOC(done, e->pack, npack);
    TSRI_ALLOC(done, e->apply, napply);
    for (int i = 0; i < e->count; ++i) {
        const tsri_pieces *copy = &e->item[i].plan->copy;
        for (int k = 0; k < copy->count; ++k)
            e->apply[e->napply++] = (step){.piece = &copy->item[k], .item = i, .own = true};
    }
    e->nown = e->combine == TSRI_REPLACE ? e->napply : 0;
    TSRI_TRY(done, list_messages(e, true, &e->send, e->pack, &e->npack));
    TSRI_TRY(done, list_messages(e, false, &e->receive, e->apply, &e->napply));
    for (int i = 0; i < e->send.count; ++i)
        e->sent_bytes += (int64_t)e->send.item[i].bytes;
    for (int i = 0; i < e->napply; ++i)
        e->applied_bytes += e->apply[i].piece->cells * (int64_t)e->item[e->apply[i].item].size;
    if (e->combine == TSRI_ADD) qsort(e->apply, (size_t)e->napply, sizeof *e->apply, by_turn);
done:
    return st;
}

tsr_status tsri_exchange_create(tsri_context *context, int count, tsri_plan *const *plans,
                                const tsr_dtype *dtypes, tsri_combine combine, tsri_exchange **out)
{
    tsr_status st = TSR_OK;
    tsri_exchange *e = NULL;

    *out = NULL;
    TSRI_ALLOC(fail, e, 1);
    e->context = context;
    e->combine = combine;
    TSRI_ALLOC(fail, e->item, count);
    for (int i = 0; i < count; ++i)
        e->item[e->count++] = (item){
            .plan = tsri_plan_ref(plans[i]), .dtype = dtypes[i], .size = tsr_dtype_size(dtypes[i])};
    TSRI_TRY(fail, list_steps(e));
    TSRI_TRY(fail, make_requests(e, true, &e->send));
    TSRI_TRY(fail, make_requests(e, false, &e->receive));
    *out = e;
    return TSR_OK;
fail:
    tsri_exchange_free(e);
    return st;
}

static void traffic_free(traffic *t)
{
    if (t->request != NULL) tsri_net_free(t->nrequests, t->request);
    tsri_free(t->request);
    tsri_free(t->item);
    tsri_free_aligned(t->buffer);
}

void tsri_exchange_free(tsri_exchange *e)
{
    if (e == NULL) return;
    traffic_free(&e->send);
    traffic_free(&e->receive);
    for (int i = 0; i < e->count; ++i)
        tsri_plan_unref(e->item[i].plan);
    tsri_free(e->item);
    tsri_free(e->pack);
    tsri_free(e->apply);
    tsri_free(e);
}

/* ---- running --------------------------------------------------------------------------------- */

/* An address `cells` cells of a plan's type beyond another; NULL, where there is no cell, stays. */
static void *advance(const item *it, void *base, int64_t cells)
{
    return base == NULL ? NULL : (unsigned char *)base + cells * (int64_t)it->size;
}

static void copy_piece(const item *it, const tsri_piece *p, void *to, void *from)
{
    tsri_kern_get()->copy(it->size, p->ndim, p->extent, advance(it, to, p->to.offset), p->to.stride,
                          advance(it, from, p->from.offset), p->from.stride);
}

static void add_piece(const item *it, const tsri_piece *p, void *to, void *from)
{
    tsri_kern_get()->add(it->dtype, p->ndim, p->extent, advance(it, to, p->to.offset), p->to.stride,
                         advance(it, from, p->from.offset), p->from.stride);
}

static tsr_status send_message(tsri_exchange *e, const message *m, void *const *from)
{
    for (int i = m->first_step; i < m->first_step + m->nsteps; ++i) {
        const step *s = &e->pack[i];
        copy_piece(&e->item[s->item], s->piece, e->send.buffer + s->offset, from[s->item]);
    }
    return tsri_net_start(e->context, m->nrequests, &e->send.request[m->first_request]);
}

tsr_status tsri_exchange_start(tsri_exchange *e, void *const *from)
{
    /* After a failure the rest is posted all the same: peers wait for it. */
    tsr_status st = tsri_net_start(e->context, e->receive.nrequests, e->receive.request);
    for (int i = 0; i < e->send.count; ++i) {
        const tsr_status sent = send_message(e, &e->send.item[i], from);
        if (st == TSR_OK) st = sent;
    }
    tsri_count(TSRI_COUNT_MESSAGES, e->send.nrequests);
    tsri_count(TSRI_COUNT_MESSAGE_BYTES, e->sent_bytes);
    tsri_count(TSRI_COUNT_COPIED_BYTES, e->sent_bytes + e->applied_bytes);
    return st;
}

tsr_status tsri_exchange_test(tsri_exchange *e, bool *arrived)
{
    bool sent = false;
    tsr_status st = tsri_net_test(e->context, e->receive.nrequests, e->receive.request, arrived);
    if (st == TSR_OK) st = tsri_net_test(e->context, e->send.nrequests, e->send.request, &sent);
    *arrived = *arrived && sent;
    return st;
}

tsr_status tsri_exchange_wait(tsri_exchange *e)
{
    tsr_status st = tsri_net_wait(e->context, e->receive.nrequests, e->receive.request);
    const tsr_status sent = tsri_net_wait(e->context, e->send.nrequests, e->send.request);
    return st == TSR_OK ? sent : st;
}

static void apply(const tsri_exchange *e, int first, int end, void *const *from, void *const *to)
{
    for (int i = first; i < end; ++i) {
        const step *s = &e->apply[i];
        void *source = s->own ? from[s->item] : e->receive.buffer + s->offset;
        if (e->combine == TSRI_ADD)
            add_piece(&e->item[s->item], s->piece, to[s->item], source);
        else
            copy_piece(&e->item[s->item], s->piece, to[s->item], source);
    }
}

void tsri_exchange_apply_own(const tsri_exchange *e, void *const *from, void *const *to)
{
    apply(e, 0, e->nown, from, to);
}

void tsri_exchange_apply_rest(const tsri_exchange *e, void *const *from, void *const *to)
{
    apply(e, e->nown, e->napply, from, to);
}

bool tsri_exchange_is(const tsri_exchange *e, int i, const tsri_plan *plan, tsr_dtype dtype)
{
    return i < e->count && e->item[i].plan == plan && e->item[i].dtype == dtype;
}

const tsri_plan *tsri_exchange_plan(const tsri_exchange *e, int i)
{
    return e->item[i].plan;
}
