#include "base/spread.h"

#include "base/comm.h"

#include <string.h>

static tsr_status receive(tsri_context *context, void *record, size_t bytes)
{
    tsri_request request;
    tsr_status st =
        tsri_net_irecv(context, record, bytes, MPI_ANY_SOURCE, TSRI_TAG_SPREAD, &request);
    tsri_keep(&st, tsri_net_wait(context, 1, &request));
    return st;
}

tsr_status tsri_spread(tsri_context *context, const void *record, size_t bytes, int first, int last,
                       tsri_request *requests, bool awaited, tsri_take take, void *ctx)
{
    _Alignas(max_align_t) unsigned char arrived[TSRI_SPREAD_BYTES];
    tsr_status st = TSR_OK;
    int sent = 0;

    for (int peer = first; peer <= last; ++peer)
        if (peer != context->rank)
            tsri_keep(&st, tsri_net_isend(context, record, bytes, peer, TSRI_TAG_SPREAD,
                                          &requests[sent++]));
    while (awaited) {
        memset(arrived, 0, sizeof arrived);
        tsri_keep(&st, receive(context, arrived, bytes));
        awaited = take(ctx, arrived);
    }
    tsri_keep(&st, tsri_net_wait(context, sent, requests));
    return st;
}
