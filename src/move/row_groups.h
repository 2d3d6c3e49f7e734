/* The rows of a rank by where they go: for each destination the runs of neighbouring rows. */
#ifndef TSRI_MOVE_ROW_GROUPS_H
#define TSRI_MOVE_ROW_GROUPS_H

#include "base/context.h"

/* Neighbouring rows with one destination. */
typedef struct tsri_run {
    int64_t first, count;
} tsri_run;

/* The rows for one rank, in their order. */
typedef struct tsri_row_group {
    int rank;
    int64_t rows, runs;
    tsri_run *run;
} tsri_row_group;

/* Group 0 is what stays on this rank, which may be nothing; the others have rows. */
typedef struct tsri_row_groups {
    tsri_row_group *group;
    int count, room;
    int *slot; /* hash table: a group's number + 1, 0: free */
} tsri_row_groups;

/* Group n rows by owner.  Takes time and memory for the rows and their destinations, whatever the
 * number of ranks; runs are in the context's scratch `place`.  `call` is the public call;
 * TSR_ERR_VALUE when an owner is no rank.  Local.  `groups` is zeroed at first, and cleared also
 * after a failure. */
tsr_status tsri_row_groups_make(const char *call, tsri_context *context, int place, int64_t n,
                                const int *owner, tsri_row_groups *groups);
void tsri_row_groups_clear(tsri_row_groups *groups);

/* Copy the rows of a group of an array of rows of `bytes` bytes to one after another; returns the
 * first byte after them. */
unsigned char *tsri_row_group_copy(unsigned char *to, const tsri_row_group *group,
                                   const unsigned char *rows, size_t bytes);
/* Move the rows of a group, inside the array, to one after another from row `first` on.  Other rows
 * may be overwritten. */
void tsri_row_group_move(const tsri_row_group *group, unsigned char *rows, size_t bytes,
                         int64_t first);

#endif
