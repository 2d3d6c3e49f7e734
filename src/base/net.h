/* Messages over a context's private communicator.  The only header behind which MPI is called; a
 * build without MPI has one rank, which never sends.  Waiting tests, spins briefly, then yields, so
 * that more ranks than cores do not stop each other. */
#ifndef TSRI_BASE_NET_H
#define TSRI_BASE_NET_H

#include <limits.h>

#include "base/context.h"

#ifndef TSR_SERIAL
typedef MPI_Request tsri_request;
#define TSRI_REQUEST_NULL MPI_REQUEST_NULL
#else
typedef int tsri_request;
#define TSRI_REQUEST_NULL 0
#endif

/* Every tag that the library uses. */
enum {
    TSRI_TAG_COMBINE = 1,
    TSRI_TAG_BCAST,
    TSRI_TAG_EXCHANGE,
    TSRI_TAG_TEAM,
    TSRI_TAG_FILE,
    TSRI_TAG_MEETING,
};

/* The most bytes of a message, whatever the settings allow. */
#define TSRI_LARGEST_MESSAGE ((size_t)INT_MAX)

/* Persistent messages of at most the context's message limit.  Local; the request is
 * TSRI_REQUEST_NULL on failure.  tsri_net_free() frees inactive requests and sets them to
 * TSRI_REQUEST_NULL; it takes null ones. */
tsr_status tsri_net_send_init(tsri_context *context, const void *data, size_t bytes, int peer,
                              int tag, tsri_request *request);
tsr_status tsri_net_recv_init(tsri_context *context, void *data, size_t bytes, int peer, int tag,
                              tsri_request *request);
void tsri_net_free(int count, tsri_request *requests);

/* Start persistent messages.  Whoever starts them counts those it sends and their bytes: a request
 * does not say what it is. */
tsr_status tsri_net_start(tsri_context *context, int count, tsri_request *requests);
/* Whether all are complete; makes progress. */
tsr_status tsri_net_test(tsri_context *context, int count, tsri_request *requests, bool *done);
tsr_status tsri_net_wait(tsri_context *context, int count, tsri_request *requests);
/* Let MPI go on with messages under way, of the library or of the user, and serve.  For loops that
 * wait for something else, since others may wait for these messages. */
void tsri_net_progress(const tsri_context *context);

/* Have `serve` called while any call waits for messages, between tests, for who has other work to
 * do meanwhile.  It may test requests but not wait.  For the whole process; local. */
void tsri_net_on_wait(void (*serve)(void));
/* What waiting loops outside net_mpi.c call between tests. */
void tsri_net_serve(void);

/* The longest message that MPI sends at once inside a node; longer ones wait until the receiver has
 * answered. */
size_t tsri_net_eager_bytes(void);

/* A single message; counted.  The request completes in tsri_net_test() or tsri_net_wait(), also
 * after a failure, and needs no freeing. */
tsr_status tsri_net_isend(tsri_context *context, const void *data, size_t bytes, int peer, int tag,
                          tsri_request *request);
tsr_status tsri_net_irecv(tsri_context *context, void *data, size_t bytes, int peer, int tag,
                          tsri_request *request);

/* Give every rank the root's bytes.  Collective.  A rank on which a call fails still takes part. */
tsr_status tsri_net_bcast(tsri_context *context, void *data, size_t bytes, int root);
/* Give `to` as many bytes as `from` gives this rank, in messages of at most the context's limit;
 * TSR_NO_RANK: none.  After a failure the rest is sent all the same: others wait for it. */
tsr_status tsri_net_trade(tsri_context *context, int to, const void *out, int from, void *in,
                          size_t bytes);
/* Combine one record of `bytes` bytes from every rank, always in the same order for a given number
 * of ranks (a binomial tree; the left operand holds lower ranks), and give all of them the result.
 * `combine` sets left = left op right.  Collective; at most TSRI_LARGEST_MESSAGE bytes.  When the
 * call fails on one rank the record is undefined on all: agree before it is used. */
tsr_status tsri_net_combine(tsri_context *context, void *record, size_t bytes,
                            void (*combine)(void *left, const void *right));
/* For records of one bool: whether it is true on all ranks. */
void tsri_net_and(void *left, const void *right);

#endif
