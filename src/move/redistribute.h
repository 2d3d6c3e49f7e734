/* The values of one layout in another. */
#ifndef TSRI_MOVE_REDISTRIBUTE_H
#define TSRI_MOVE_REDISTRIBUTE_H

#include "array/array.h"

/* Fill the blocks of `to` from those of `from`: arrays of one shape and type, on one communicator,
 * with any two layouts.  Halo cells are left as they are.  Each rank sends each other one the
 * overlap of its block with the other's, in one message; from a replicated array each takes its
 * part of its own copy.  Nothing moves when both are one array's storage.  `call` is the public
 * function.  Collective; agrees. */
tsr_status tsri_redistribute(const char *call, const tsr_array *from, tsr_array *to);

#endif
