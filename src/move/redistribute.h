/* The values of one layout in another. */
#ifndef TSRI_MOVE_REDISTRIBUTE_H
#define TSRI_MOVE_REDISTRIBUTE_H

#include "array/array.h"

/* Fill the blocks of `to` from those of `from`: arrays of one shape and type, over the same
 * processes, with any two layouts.  Halo cells are left as they are, unless the layouts are equal:
 * then the whole storage is copied.  Each rank sends each other one the overlap of its block with
 * the other's, in one message; from a replicated array each takes its part of its own copy.
 * Nothing moves when both are one array's storage.  `call` is the public function.  Collective over
 * `from`; agrees. */
tsr_status tsri_redistribute(const char *call, const tsr_array *from, tsr_array *to);

/* The same into a new array with the array's boundaries, its halo cells 0 unless copied; after
 * other work, whose outcome is agreed on with its own. */
tsr_status tsri_redistribute_new(const char *call, tsr_status earlier, const tsr_array *array,
                                 tsr_layout *layout, tsr_array **moved);

/* TSR_OK unless an exchange of the array is pending. */
tsr_status tsri_move_check(const char *call, const tsr_array *array);

#endif
