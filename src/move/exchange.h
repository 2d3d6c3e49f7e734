/* Exchanges: plans ready to run, for fixed element types: buffers, persistent requests, and the
 * steps that pack and apply.  One message to and from each peer, whatever the number of plans; more
 * when it exceeds the message limit.
 *
 * Transports: `self` (pieces that stay on this rank are copied directly) and `p2p` (packed buffers
 * and persistent requests).  An exchange is started and completed any number of times; starts are
 * in the same order on all ranks of the context, which is what pairs messages. */
#ifndef TSRI_MOVE_EXCHANGE_H
#define TSRI_MOVE_EXCHANGE_H

#include "base/net.h"
#include "move/plan.h"

/* How cells that arrive combine with those that are there. */
typedef enum { TSRI_REPLACE, TSRI_ADD } tsri_combine;

typedef struct tsri_exchange tsri_exchange;

/* Local.  Keeps a reference to each plan. */
tsr_status tsri_exchange_create(tsri_context *context, int count, tsri_plan *const *plans,
                                const tsr_dtype *dtypes, tsri_combine combine,
                                tsri_exchange **exchange);
/* No message may be under way.  Takes NULL. */
void tsri_exchange_free(tsri_exchange *exchange);

/* Post all messages.  from[i] is the first owned cell of what plan i reads. */
tsr_status tsri_exchange_start(tsri_exchange *exchange, void *const *from);
tsr_status tsri_exchange_test(tsri_exchange *exchange, bool *arrived);
tsr_status tsri_exchange_wait(tsri_exchange *exchange);
/* Write what needs no message, at any time after the start; then, after the wait, the rest.  to[i]
 * is the first owned cell of what plan i writes.  Cannot fail. */
void tsri_exchange_apply_own(const tsri_exchange *exchange, void *const *from, void *const *to);
void tsri_exchange_apply_rest(const tsri_exchange *exchange, void *const *from, void *const *to);

/* The messages that carry `bytes` bytes to one rank: all as long as the limit but the last. */
int64_t tsri_exchange_messages(size_t bytes, size_t limit);

/* Whether an exchange's i-th part is of this plan and type. */
bool tsri_exchange_is(const tsri_exchange *exchange, int i, const tsri_plan *plan, tsr_dtype dtype);
const tsri_plan *tsri_exchange_plan(const tsri_exchange *exchange, int i);

#endif
