/* Broadcast and combination as binomial trees of single messages, so that waiting yields. */
#include "base/comm.h"
#include "base/net.h"

/* A record's partner of this size is kept on the stack, so that agreement needs no memory. */
enum { SMALL_BYTES = 4096 };

static tsr_status send(tsri_context *context, const void *data, size_t bytes, int peer, int tag)
{
    tsri_request request;
    tsr_status st = tsri_net_isend(context, data, bytes, peer, tag, &request);
    tsri_keep(&st, tsri_net_wait(context, 1, &request));
    return st;
}

static tsr_status receive(tsri_context *context, void *data, size_t bytes, int peer, int tag)
{
    tsri_request request;
    tsr_status st = tsri_net_irecv(context, data, bytes, peer, tag, &request);
    tsri_keep(&st, tsri_net_wait(context, 1, &request));
    return st;
}

tsr_status tsri_net_trade(tsri_context *context, int to, const void *out, int from, void *in,
                          size_t bytes)
{
    const size_t limit = (size_t)context->settings.message_limit;
    tsr_status st = TSR_OK;

    for (size_t done = 0; done < bytes; done += limit) {
        const size_t n = bytes - done < limit ? bytes - done : limit;
        tsri_request requests[2] = {TSRI_REQUEST_NULL, TSRI_REQUEST_NULL};
        if (from != TSR_NO_RANK)
            tsri_keep(&st, tsri_net_irecv(context, (unsigned char *)in + done, n, from,
                                          TSRI_TAG_EXCHANGE, &requests[0]));
        if (to != TSR_NO_RANK)
            tsri_keep(&st, tsri_net_isend(context, (const unsigned char *)out + done, n, to,
                                          TSRI_TAG_EXCHANGE, &requests[1]));
        tsri_keep(&st, tsri_net_wait(context, 2, requests));
    }
    return st;
}

/* Ranks count from the root.  A rank hears from the one without its lowest bit and tells those that
 * have one lower bit more. */
tsr_status tsri_bcast_record(tsri_context *context, void *record, size_t bytes, int root)
{
    tsr_status st = TSR_OK;
    const int64_t size = context->size, place = (context->rank - root + size) % size;
    int64_t bit = 1;

    while (bit < size && (place & bit) == 0)
        bit *= 2;
    if (place != 0)
        st = receive(context, record, bytes, (int)((place - bit + root) % size), TSRI_TAG_BCAST);
    for (bit /= 2; bit > 0; bit /= 2)
        if (place + bit < size)
            tsri_keep(&st, send(context, record, bytes, (int)((place + bit + root) % size),
                                TSRI_TAG_BCAST));
    return st;
}

tsr_status tsri_net_bcast(tsri_context *context, void *data, size_t bytes, int root)
{
    tsr_status st = TSR_OK;
    const size_t limit = (size_t)context->settings.message_limit;
    for (size_t done = 0; done < bytes; done += limit) {
        const size_t piece = bytes - done < limit ? bytes - done : limit;
        tsri_keep(&st, tsri_bcast_record(context, (unsigned char *)data + done, piece, root));
    }
    return st;
}

/* Rank r collects the records of r .. r + bit - 1 while bit doubles, until it has to hand its own
 * to r - bit. */
static tsr_status combine_to_root(tsri_context *context, void *record, void *right, size_t bytes,
                                  void (*combine)(void *left, const void *right))
{
    tsr_status st = TSR_OK;
    const int64_t size = context->size, rank = context->rank;

    for (int64_t bit = 1; bit < size; bit *= 2) {
        if ((rank & bit) != 0) {
            tsri_keep(&st, send(context, record, bytes, (int)(rank - bit), TSRI_TAG_COMBINE));
            break;
        }
        if (rank + bit >= size) continue;
        tsri_keep(&st, receive(context, right, bytes, (int)(rank + bit), TSRI_TAG_COMBINE));
        if (right != record) combine(record, right);
    }
    return st;
}

/* Without memory for the partner's record this rank still takes part: messages overwrite its own.
 */
tsr_status tsri_net_combine(tsri_context *context, void *record, size_t bytes,
                            void (*combine)(void *left, const void *right))
{
    tsr_status st = TSR_OK;
    union {
        max_align_t alignment;
        unsigned char bytes[SMALL_BYTES];
    } small;
    void *large = NULL, *right = small.bytes;

    if (context->size == 1) return TSR_OK;
    if (bytes > sizeof small) {
        large = tsri_alloc_aligned(bytes);
        right = large != NULL ? large : record;
        if (large == NULL)
            st = TSRI_FAIL(TSR_ERR_NOMEM, "no memory for a message of %zu bytes", bytes);
    }
    tsri_keep(&st, combine_to_root(context, record, right, bytes, combine));
    tsri_keep(&st, tsri_bcast_record(context, record, bytes, 0));
    tsri_free_aligned(large);
    return st;
}

void tsri_net_and(void *left, const void *right)
{
    bool *l = left;
    const bool *r = right;
    *l = *l && *r;
}
