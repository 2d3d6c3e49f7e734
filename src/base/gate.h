/* The debug gate (TESSERA_DEBUG=1): all ranks meet before every collective call and compare what
 * they are about to do, so that a rank in another call, or one that never comes, is an error that
 * names both instead of a hang. */
#ifndef TSRI_BASE_GATE_H
#define TSRI_BASE_GATE_H

#include "base/context.h"

/* Enter a collective call over a context: tsri_context_check(), then the gate, if it is on.  The
 * format says what must be the same on all ranks, "%s (root %d)"; its first argument is the name of
 * the public call, which is kept for later texts.  A call that turns out `local`, since each rank
 * has a copy of its own, does not pass the gate. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
tsr_status
tsri_enter(tsri_context *context, bool local, const char *format, ...);

/* The same for a call with arguments that a name cannot tell apart: their digest must be the same
 * on all ranks. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
tsr_status
tsri_enter_with(tsri_context *context, uint64_t arguments, const char *format, ...);

/* With the gate on: whether every rank passes the same data, given by its digest.  TSR_ERR_VALUE
 * names the ranks that differ from rank 0. */
tsr_status tsri_gate_same_data(tsri_context *context, const char *call, uint64_t digest);
bool tsri_gate_is_on(const tsri_context *context);
/* With the gate on, how many collective calls there have been: the same on all ranks.  Else 0. */
int64_t tsri_gate_calls(const tsri_context *context);

/* The gate of a new context whose settings ask for it.  Collective; a rank on which something fails
 * takes part all the same.  Closing is collective, too, but for a gate that broke: it is left. */
tsr_status tsri_gate_open(tsri_context *context);
void tsri_gate_close(tsri_context *context);
/* The last meeting of the ranks, at the end: one that does not come is no failure any more, but
 * breaks the gate.  Nothing with the gate off. */
void tsri_gate_last(tsri_context *context);
/* A rank did not come: the context is unusable, and nothing of it may wait for others. */
bool tsri_gate_is_broken(const tsri_context *context);

#endif
