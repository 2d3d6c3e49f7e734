/* What calls that assign values have in common. */
#ifndef TSRI_MOVE_ASSIGN_H
#define TSRI_MOVE_ASSIGN_H

#include "move/value.h"

/* A call that assigns, whose selection has been checked. */
typedef struct tsri_assignment {
    const char *call; /* the public one */
    tsr_array *array;
    const tsr_arg *value;
    int ndim; /* of what is selected, and its shape */
    const int64_t *shape;
    uint64_t fingerprint; /* of the call, the array and the selection */
    /* Write a value that every rank has.  Local. */
    void (*plain)(tsr_array *array, const void *ctx, const tsr_arg *value);
    /* Write the blocks of a distributed one, which has the array's type and other storage, as they
     * move.  `earlier` says how this rank's work before it ended; the value may be NULL then.
     * Collective; agrees. */
    tsr_status (*moved)(tsr_array *array, const void *ctx, tsr_status earlier, uint64_t arguments,
                        const tsr_array *value);
    bool listed; /* cells are listed, in an order that counts: not divided among ranks that share a
                    copy; and the array's halo ends as 0 */
    const void *ctx;
} tsri_assignment;

/* Carry it out; `earlier` says how the check of the selection ended.  Only a distributed value
 * makes ranks depend on each other, or a copy that they share. */
tsr_status tsri_assign(const tsri_assignment *assignment, tsr_status earlier);

#endif
