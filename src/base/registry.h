/* All contexts of this process that have a private communicator, in order of creation.
 *
 * When the user frees a communicator its context becomes an orphan.  Its private communicator can
 * only be freed by all its ranks together, and only when none of them uses it any more; so the next
 * creation over the same ranks asks them.  With it go the contexts of its ranks in other orders. */
#ifndef TSRI_BASE_REGISTRY_H
#define TSRI_BASE_REGISTRY_H

#include "base/comm.h"

void tsri_registry_add(tsri_context *context);
void tsri_registry_orphan(tsri_context *context);
int64_t tsri_registry_new_id(void);

/* Keep what tsri_nodes_of() found out with the context. */
void tsri_registry_keep_nodes(tsri_context *context, tsri_nodes *nodes);
/* The context of the ranks of `base` in this order, NULL when there is none. */
tsri_context *tsri_registry_reordered(const tsri_context *base, const int *place);

enum { TSRI_MAX_ORPHANS = 64 };
typedef struct tsri_orphans {
    int64_t ids[TSRI_MAX_ORPHANS];
    int count;
} tsri_orphans;

/* On rank 0 of a new context: orphans of its size that rank 0 could free.  They stay proposed until
 * tsri_registry_settle(). */
void tsri_registry_propose(const tsri_context *fresh, tsri_orphans *orphans);
/* The proposed orphans that this rank could free: those of the same ranks that it does not use.
 * Bit i of the result and found[i] are of ids[i]. */
tsr_status tsri_registry_match(const tsri_context *fresh, const tsri_orphans *orphans,
                               uint64_t *matches, tsri_context **found);
/* Free the orphans that every rank could free; the others are no longer proposed. */
void tsri_registry_settle(const tsri_context *fresh, const tsri_orphans *orphans, uint64_t agreed,
                          tsri_context *const *found);

/* The library is open until it is closed, which releases all objects and then all communicators;
 * contexts that are still referenced live on without one.  Collective over all ranks. */
void tsri_registry_close(void);
void tsri_registry_open(void);
bool tsri_registry_closed(void);

#endif
