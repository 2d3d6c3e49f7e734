#define _POSIX_C_SOURCE 200809L

#include <sched.h>
#include <stdatomic.h>

#include "base/comm.h"
#include "base/mpi_call.h"
#include "base/net.h"

/* Tests before the first yield: some microseconds, about what a message takes. */
enum { SPINS = 100 };

static void (*_Atomic waiting)(void);

void tsri_net_on_wait(void (*serve)(void))
{
    atomic_store_explicit(&waiting, serve, memory_order_release);
}

void tsri_net_serve(void)
{
    void (*const serve)(void) = atomic_load_explicit(&waiting, memory_order_acquire);
    if (serve != NULL) serve();
}

/* Open MPI: 4096 bytes with its header.  Others: measured with MPICH. */
size_t tsri_net_eager_bytes(void)
{
#ifdef OPEN_MPI
    return 4000;
#else
    return 8192;
#endif
}

static tsr_status check(const tsri_context *context, size_t bytes, size_t limit)
{
    tsr_status st = TSR_OK;
    TSRI_TRY(done, tsri_context_check(context));
    TSRI_CHECK(done, bytes <= limit, TSR_ERR_OVERFLOW,
               "a message of %zu bytes is too long, must be at most %zu", bytes, limit);
done:
    return st;
}

static size_t limit_of(const tsri_context *context)
{
    return (size_t)context->settings.message_limit;
}

tsr_status tsri_net_send_init(tsri_context *context, const void *data, size_t bytes, int peer,
                              int tag, tsri_request *request)
{
    tsr_status st = TSR_OK;
    *request = MPI_REQUEST_NULL;
    TSRI_TRY(done, check(context, bytes, limit_of(context)));
    TSRI_MPI(made, MPI_Send_init(data, (int)bytes, MPI_BYTE, peer, tag, context->comm, request));
made:
    tsri_count(TSRI_COUNT_REQUESTS, *request != MPI_REQUEST_NULL);
    if (st != TSR_OK) tsri_net_free(1, request);
done:
    return st;
}

tsr_status tsri_net_recv_init(tsri_context *context, void *data, size_t bytes, int peer, int tag,
                              tsri_request *request)
{
    tsr_status st = TSR_OK;
    *request = MPI_REQUEST_NULL;
    TSRI_TRY(done, check(context, bytes, limit_of(context)));
    TSRI_MPI(made, MPI_Recv_init(data, (int)bytes, MPI_BYTE, peer, tag, context->comm, request));
made:
    tsri_count(TSRI_COUNT_REQUESTS, *request != MPI_REQUEST_NULL);
    if (st != TSR_OK) tsri_net_free(1, request);
done:
    return st;
}

/* After MPI's end there is nothing left to free. */
void tsri_net_free(int count, tsri_request *requests)
{
    int ended = 0;
    MPI_Finalized(&ended);
    for (int i = 0; i < count; ++i) {
        if (requests[i] == MPI_REQUEST_NULL) continue;
        if (!ended) MPI_Request_free(&requests[i]);
        requests[i] = MPI_REQUEST_NULL;
        tsri_count(TSRI_COUNT_REQUESTS, -1);
    }
}

tsr_status tsri_net_start(tsri_context *context, int count, tsri_request *requests)
{
    tsr_status st = TSR_OK;
    TSRI_TRY(done, tsri_context_check(context));
    if (count > 0) TSRI_MPI(done, MPI_Startall(count, requests));
done:
    return st;
}

tsr_status tsri_net_isend(tsri_context *context, const void *data, size_t bytes, int peer, int tag,
                          tsri_request *request)
{
    tsr_status st = TSR_OK;
    *request = MPI_REQUEST_NULL;
    TSRI_TRY(done, check(context, bytes, TSRI_LARGEST_MESSAGE));
    tsri_count(TSRI_COUNT_MESSAGES, 1);
    tsri_count(TSRI_COUNT_MESSAGE_BYTES, (int64_t)bytes);
    TSRI_MPI(done, MPI_Isend(data, (int)bytes, MPI_BYTE, peer, tag, context->comm, request));
done:
    return st;
}

tsr_status tsri_net_irecv(tsri_context *context, void *data, size_t bytes, int peer, int tag,
                          tsri_request *request)
{
    tsr_status st = TSR_OK;
    *request = MPI_REQUEST_NULL;
    TSRI_TRY(done, check(context, bytes, TSRI_LARGEST_MESSAGE));
    TSRI_MPI(done, MPI_Irecv(data, (int)bytes, MPI_BYTE, peer, tag, context->comm, request));
done:
    return st;
}

/* Test requests from *complete on, up to the first that is under way. */
static int test_from(int *complete, int count, tsri_request *requests)
{
    for (int done = 0; *complete < count; ++*complete) {
        const int rc = MPI_Test(&requests[*complete], &done, MPI_STATUS_IGNORE);
        if (rc != MPI_SUCCESS || !done) return rc;
    }
    return MPI_SUCCESS;
}

/* Only the test that ends the waiting is a place for faults: how many there are before it depends
 * on timing. */
tsr_status tsri_net_test(tsri_context *context, int count, tsri_request *requests, bool *done)
{
    tsr_status st = TSR_OK;
    int complete = 0;
    *done = false;
    TSRI_TRY(out, tsri_context_check(context));
    const int message = test_from(&complete, count, requests);
    *done = complete == count;
    if (message != MPI_SUCCESS || *done) TSRI_MPI(out, message);
out:
    return st;
}

static int wait_for(int count, tsri_request *requests)
{
    int complete = 0;
    for (int spins = 0;; ++spins) {
        const int rc = test_from(&complete, count, requests);
        if (rc != MPI_SUCCESS || complete == count) return rc;
        tsri_net_serve();
        if (spins >= SPINS) sched_yield();
    }
}

tsr_status tsri_net_wait(tsri_context *context, int count, tsri_request *requests)
{
    tsr_status st = TSR_OK;
    TSRI_TRY(done, tsri_context_check(context));
    const int message = wait_for(count, requests);
    TSRI_MPI(done, message);
done:
    return st;
}

void tsri_net_progress(const tsri_context *context)
{
    int arrived = 0;
    tsri_net_serve();
    if (context->comm == MPI_COMM_NULL) return;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, context->comm, &arrived, MPI_STATUS_IGNORE);
}
