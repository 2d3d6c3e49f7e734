/* Combining the copies of the same cells that several ranks hold.
 *
 * Each rank combines a slice of the cells and shares the result.  Every cell combines by the tree
 * of tsri_net_combine(): copies 0 and 1, 2 and 3, ..., then the results of both pairs, and so on.
 * So a cell's bits do not depend on how many there are, nor on how they travel. */
#ifndef TSRI_SHM_COPIES_H
#define TSRI_SHM_COPIES_H

#include "base/net.h"
#include "layout/geometry.h"

typedef struct tsri_copies {
    tsri_context *context; /* borrowed */
    const int *ranks;      /* [count] of the context, who hold one, ascending; NULL: every one */
    int count, index;      /* how many they are, and this rank's place among them */
    tsr_op op;
    tsr_dtype dtype;
    void *cells; /* this rank's copy */
    int64_t ncells;
    /* What follows belongs to the functions below. */
    tsri_axis slices;
    int64_t piece;         /* elements of a slice at a time */
    unsigned char *others; /* a piece of this rank's slice from each rank */
    tsri_request *requests;
    int nrequests;
} tsri_copies;

/* The most bytes of others' cells that a rank holds. */
enum { TSRI_COPIES_BYTES = 4 * 1024 * 1024 };

/* Memory for it, given the fields above.  Local.  tsri_copies_free() takes a zeroed one. */
tsr_status tsri_copies_prepare(tsri_copies *copies);
void tsri_copies_free(tsri_copies *copies);
/* Combine, in place.  All of the ranks call it; a rank on which a call fails still takes part, and
 * they have to agree on the outcome. */
tsr_status tsri_copies_combine(tsri_copies *copies);

#endif
