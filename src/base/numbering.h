/* The same processes in two contexts, each of which numbers them in its own way. */
#ifndef TSRI_BASE_NUMBERING_H
#define TSRI_BASE_NUMBERING_H

#include "base/context.h"

/* place[r] is the number in `other` of rank r of a context, origin[n] the rank of number n.  NULL:
 * the numbers are the same. */
typedef struct tsri_numbering {
    const int *place, *origin;
} tsri_numbering;

/* How `other` numbers the ranks of a context; TSR_ERR_VALUE when it has other processes.  O(ranks)
 * when two contexts first meet, and kept with the first, which owns it.  Local. */
tsr_status tsri_numbering_of(tsri_context *context, tsri_context *other, tsri_numbering *numbering);
/* Whether it has one; a failure is that of the public function `call`.  Local. */
tsr_status tsri_numbering_check(const char *call, tsri_context *context, tsri_context *other);

#endif
