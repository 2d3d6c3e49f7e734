/* Transport by messages: packed buffers and persistent requests. */
#include "base/memory.h"
#include "base/nodes.h"
#include "move/exchange_parts.h"

/* Inside a machine, up to this length several messages that are sent at once are faster than one
 * that is not.  (Measured with both MPIs, by up to 1.8 times; see docs/performance.md.) */
enum { LONGEST_CUT_BYTES = 32768 };

static size_t message_limit(const tsri_exchange *e, const tsri_link *link)
{
    const size_t limit = (size_t)tsri_context_settings(e->context)->message_limit;
    const size_t eager = tsri_net_eager_bytes();
    const tsri_nodes *const nodes = tsri_nodes_known(e->context);
    if (!e->repeats || link->bytes > LONGEST_CUT_BYTES || eager >= limit || nodes == NULL)
        return limit;
    const int here = nodes->machine[tsri_context_rank(e->context)];
    return nodes->machine[link->rank] == here ? eager : limit;
}

int64_t tsri_exchange_messages(size_t bytes, size_t limit)
{
    return (int64_t)(bytes / limit) + (bytes % limit != 0);
}

/* MPI counts requests in int. */
static tsr_status add_requests(tsri_traffic *t, tsri_link *link, size_t limit)
{
    const int64_t n = tsri_exchange_messages(link->bytes, limit);
    tsr_status st = TSR_OK;

    TSRI_CHECK(done, n <= INT_MAX - t->nrequests, TSR_ERR_OVERFLOW,
               "%zu bytes in messages of at most %zu: more than %d messages", link->bytes, limit,
               INT_MAX);
    link->first_request = t->nrequests;
    link->nrequests = (int)n;
    t->nrequests += link->nrequests;
done:
    return st;
}

static tsr_status make_requests(const tsri_exchange *e, bool sending, const tsri_traffic *t,
                                const tsri_link *link)
{
    const size_t limit = message_limit(e, link);
    tsr_status st = TSR_OK;

    for (int k = 0; k < link->nrequests && st == TSR_OK; ++k) {
        const size_t first = (size_t)k * limit, left = link->bytes - first;
        const size_t bytes = left < limit ? left : limit;
        unsigned char *data = t->buffer + link->offset + first;
        tsri_request *request = &t->request[link->first_request + k];
        st = sending ? tsri_net_send_init(e->context, data, bytes, link->rank, TSRI_TAG_EXCHANGE,
                                          request)
                     : tsri_net_recv_init(e->context, data, bytes, link->rank, TSRI_TAG_EXCHANGE,
                                          request);
    }
    return st;
}

static tsr_status make_traffic(const tsri_exchange *e, bool sending, tsri_links *links,
                               tsri_traffic *t)
{
    tsr_status st = TSR_OK;

    for (int k = 0; k < links->count; ++k) {
        tsri_link *link = &links->item[k];
        if (link->shared) continue;
        link->offset = tsri_line_up(t->bytes);
        t->bytes = link->offset + link->bytes;
        TSRI_TRY(done, add_requests(t, link, message_limit(e, link)));
    }
    TSRI_ALLOC(done, t->request, t->nrequests);
    for (int i = 0; i < t->nrequests; ++i)
        t->request[i] = TSRI_REQUEST_NULL;
    if (t->bytes > 0) {
        t->buffer = tsri_alloc_aligned(t->bytes);
        TSRI_CHECK(done, t->buffer != NULL, TSR_ERR_NOMEM,
                   "no memory for %zu bytes of messages to and from other ranks", t->bytes);
    }
    for (int k = 0; k < links->count; ++k)
        if (!links->item[k].shared) TSRI_TRY(done, make_requests(e, sending, t, &links->item[k]));
done:
    return st;
}

/* The end of a step that lies in a buffer, as a place in `base`. */
static unsigned char *in_buffer(const tsri_exchange *e, const tsri_step *s, const tsri_link *link,
                                unsigned char *buffer, const tsri_place *place)
{
    return tsri_item_at(&e->item[s->item], buffer + link->offset + s->offset, place->offset);
}

static void place_ends(tsri_exchange *e)
{
    for (int k = 0; k < e->send.nsteps; ++k) {
        tsri_step *s = &e->send.step[k];
        const tsri_link *link = &e->send.item[s->link];
        if (!link->shared) s->target = in_buffer(e, s, link, e->sent.buffer, &s->piece->to);
    }
    for (int k = e->nown; k < e->first_late; ++k) {
        tsri_step *s = &e->receive.step[k];
        const tsri_link *link = &e->receive.item[s->link];
        if (!link->shared) s->source = in_buffer(e, s, link, e->received.buffer, &s->piece->from);
    }
}

tsr_status tsri_p2p_create(tsri_exchange *e)
{
    tsr_status st = TSR_OK;
    TSRI_TRY(done, make_traffic(e, true, &e->send, &e->sent));
    TSRI_TRY(done, make_traffic(e, false, &e->receive, &e->received));
    place_ends(e);
done:
    return st;
}

static void traffic_free(tsri_traffic *t)
{
    if (t->request != NULL) tsri_net_free(t->nrequests, t->request);
    tsri_free(t->request);
    tsri_free_aligned(t->buffer);
}

void tsri_p2p_free(tsri_exchange *e)
{
    traffic_free(&e->sent);
    traffic_free(&e->received);
}

static void await_all(tsri_exchange *e)
{
    e->received.awaited = e->received.next = 0;
    for (int k = 0; k < e->receive.count; ++k) {
        tsri_link *link = &e->receive.item[k];
        link->there = link->shared;
        e->received.awaited += !link->there;
    }
    e->received.complete = e->received.awaited == 0;
}

tsr_status tsri_p2p_start_receiving(tsri_exchange *e)
{
    e->sent.complete = e->sent.nrequests == 0;
    await_all(e);
    tsri_count(TSRI_COUNT_MESSAGES, e->sent.nrequests);
    if (e->received.complete) return TSR_OK;
    return tsri_net_start(e->context, e->received.nrequests, e->received.request);
}

tsr_status tsri_p2p_send(tsri_exchange *e, const tsri_link *link)
{
    tsri_count(TSRI_COUNT_MESSAGE_BYTES, (int64_t)link->bytes);
    return tsri_net_start(e->context, link->nrequests, &e->sent.request[link->first_request]);
}

/* What failed is not waited for. */
static tsr_status test(const tsri_exchange *e, const tsri_traffic *t, int first, int count,
                       bool *complete)
{
    const tsr_status st = tsri_net_test(e->context, count, &t->request[first], complete);
    *complete = *complete || st != TSR_OK;
    return st;
}

/* The links in turn, up to the first that is under way; from the one after it on next time.  So
 * each is taken when it has come, and a round of waiting costs one test. */
static tsr_status test_received(tsri_exchange *e)
{
    tsri_traffic *t = &e->received;
    tsr_status st = TSR_OK;

    while (t->awaited > 0) {
        tsri_link *link = &e->receive.item[t->next];
        t->next = (t->next + 1) % e->receive.count;
        if (link->there) continue;
        tsri_keep(&st, test(e, t, link->first_request, link->nrequests, &link->there));
        if (!link->there) break;
        --t->awaited;
    }
    t->complete = t->awaited == 0;
    return st;
}

tsr_status tsri_p2p_progress(tsri_exchange *e)
{
    tsr_status st = test_received(e);
    if (!e->sent.complete)
        tsri_keep(&st, test(e, &e->sent, 0, e->sent.nrequests, &e->sent.complete));
    return st;
}
