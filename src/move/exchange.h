/* Exchanges: plans ready to run between given memories, for fixed element types.
 *
 * Transports, chosen for each peer when the exchange is made: `self` (pieces that stay on this rank
 * are copied), `shm` (peers that share memory: read where they lie, or from a buffer that their
 * owner packs) and `p2p` (packed buffers and persistent requests; one message to and from each
 * peer, more when it exceeds the message limit).  An exchange is started and finished any number of
 * times; starts are in the same order on all ranks of the context, which is what pairs messages.
 *
 * From start to finish what is read must not be written.  What is replaced may be written at any
 * time from then on: while a rank waits, it serves all exchanges that it has under way.  Sums are
 * made by the finish. */
#ifndef TSRI_MOVE_EXCHANGE_H
#define TSRI_MOVE_EXCHANGE_H

#include "base/net.h"
#include "move/plan.h"

/* How cells that arrive combine with those that are there. */
typedef enum { TSRI_REPLACE, TSRI_ADD } tsri_combine;

typedef struct tsri_exchange tsri_exchange;

/* What an exchange is made of.  from[i] and to[i] are the first owned cells of what plan i reads
 * and writes, NULL without cells; a NULL to[i] with cells writes nothing. */
typedef struct tsri_exchange_parts {
    tsri_context *context;
    int count;
    tsri_plan *const *plans;
    const tsr_dtype *dtypes;
    void *const *from, *const *to;
    tsri_combine combine;
    bool local;   /* no rank depends on another: no message, no agreement */
    bool repeats; /* it is kept, to be run many times */
} tsri_exchange_parts;

/* `earlier` says how this rank's work before it ended, and `fingerprint` is of all arguments that
 * must be the same on all ranks; `parts` but for context and local count only when `earlier` is
 * TSR_OK.  Keeps a reference to each plan.  Collective; agrees. */
tsr_status tsri_exchange_create(const tsri_exchange_parts *parts, tsr_status earlier,
                                uint64_t fingerprint, tsri_exchange **exchange);
/* Takes NULL.  What is under way, after tsri_exchange_abandon(), is left. */
void tsri_exchange_free(tsri_exchange *exchange);

/* Make this rank's cells available.  After a failure it is under way all the same. */
tsr_status tsri_exchange_start(tsri_exchange *exchange);
/* Whether finishing would not wait; makes progress. */
tsr_status tsri_exchange_test(tsri_exchange *exchange, bool *done);
/* Write all cells and wait until this rank's have been read.  What failed writes no more. */
tsr_status tsri_exchange_finish(tsri_exchange *exchange);

/* For first runs, whose outcome is agreed on before anything is written.  What is held writes
 * nothing, so it must not be finished; it can be awaited: until all cells are there. */
void tsri_exchange_hold(tsri_exchange *exchange, bool held);
tsr_status tsri_exchange_await(tsri_exchange *exchange);
/* Finish without writing: nobody reads this rank's memory, or writes to it, afterwards.  Where the
 * debug gate found a rank missing the exchange stays under way. */
void tsri_exchange_abandon(tsri_exchange *exchange);

/* The messages that carry `bytes` bytes to one rank: all as long as the limit but the last. */
int64_t tsri_exchange_messages(size_t bytes, size_t limit);

/* Whether an exchange's i-th part is of this plan and type. */
bool tsri_exchange_is(const tsri_exchange *exchange, int i, const tsri_plan *plan, tsr_dtype dtype);
const tsri_plan *tsri_exchange_plan(const tsri_exchange *exchange, int i);

#endif
