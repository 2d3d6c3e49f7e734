/* One rank never sends a message, so none of these is reached. */
#include "base/net.h"

void tsri_net_on_wait(void (*serve)(void))
{
    (void)serve;
}

void tsri_net_serve(void)
{
}

size_t tsri_net_eager_bytes(void)
{
    return TSRI_LARGEST_MESSAGE;
}

static tsr_status nobody(int peer)
{
    return TSRI_FAIL(TSR_ERR_INTERNAL, "a message with rank %d, but there is one rank", peer);
}

tsr_status tsri_net_send_init(tsri_context *context, const void *data, size_t bytes, int peer,
                              int tag, tsri_request *request)
{
    (void)context, (void)data, (void)bytes, (void)tag;
    *request = TSRI_REQUEST_NULL;
    return nobody(peer);
}

tsr_status tsri_net_recv_init(tsri_context *context, void *data, size_t bytes, int peer, int tag,
                              tsri_request *request)
{
    (void)context, (void)data, (void)bytes, (void)tag;
    *request = TSRI_REQUEST_NULL;
    return nobody(peer);
}

tsr_status tsri_net_isend(tsri_context *context, const void *data, size_t bytes, int peer, int tag,
                          tsri_request *request)
{
    return tsri_net_send_init(context, data, bytes, peer, tag, request);
}

tsr_status tsri_net_irecv(tsri_context *context, void *data, size_t bytes, int peer, int tag,
                          tsri_request *request)
{
    return tsri_net_recv_init(context, data, bytes, peer, tag, request);
}

void tsri_net_free(int count, tsri_request *requests)
{
    (void)count, (void)requests;
}

tsr_status tsri_net_start(tsri_context *context, int count, tsri_request *requests)
{
    (void)count, (void)requests;
    return tsri_context_check(context);
}

tsr_status tsri_net_test(tsri_context *context, int count, tsri_request *requests, bool *done)
{
    (void)count, (void)requests;
    *done = true;
    return tsri_context_check(context);
}

tsr_status tsri_net_wait(tsri_context *context, int count, tsri_request *requests)
{
    (void)count, (void)requests;
    return tsri_context_check(context);
}

void tsri_net_progress(const tsri_context *context)
{
    (void)context;
}
