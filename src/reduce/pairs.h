/* Reductions of two arrays of equal layout. */
#ifndef TSRI_REDUCE_PAIRS_H
#define TSRI_REDUCE_PAIRS_H

#include "reduce/whole.h"

/* Begin a call, as tsri_whole_begin() does, over the first array's layout; the second may be NULL,
 * which the check below refuses. */
tsr_status tsri_pair_begin(const char *name, const tsr_array *a, const tsr_array *b,
                           tsri_call *call);
/* That there is a second array, of the same shape and layout: TSR_ERR_VALUE that says what differs.
 * Local. */
tsr_status tsri_pair_check(const char *name, const tsr_array *a, const tsr_array *b);
/* Whether two arrays have the same lengths. */
bool tsri_same_shape(const tsr_array *a, const tsr_array *b);

#endif
