/* What the ranks of a run have to do with each other. */
#ifndef TSRI_EXPR_RANKS_H
#define TSRI_EXPR_RANKS_H

#include "expr/run.h"

/* Whether no rank depends on another: all that is read and written is each rank's own. */
bool tsri_run_is_local(const tsri_run *run);
/* Whether others may still read what is to be written, so that all have to come first. */
bool tsri_run_is_watched(const tsri_run *run);
/* Into a public call that writes: the gate compares what ranks do not agree about. */
tsr_status tsri_run_enter(const tsri_run *run);

#endif
