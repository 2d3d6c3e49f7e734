/* Meetings of the ranks that share some memory, in that memory. */
#ifndef TSRI_SHM_BARRIER_H
#define TSRI_SHM_BARRIER_H

#include "base/context.h"
#include "shm/flag.h"

/* All zero before the first round. */
typedef struct tsri_barrier {
    _Alignas(TSRI_CACHE_LINE) _Atomic uint64_t arrived; /* in all rounds together */
    tsri_flag passed;                                   /* the last round that all came to */
} tsri_barrier;

/* Wait until a flag is raised; yields, and lets MPI go on: the rank that is to raise it may be
 * waiting for a message from here.  The context is one of this rank's. */
void tsri_flag_wait(const tsri_context *context, const tsri_flag *flag, uint64_t value);

/* Wait for all `size` ranks; what each wrote before is visible to all after.  `round` is this
 * rank's count of rounds. */
void tsri_barrier_wait(const tsri_context *context, tsri_barrier *barrier, int size,
                       uint64_t *round);

#endif
