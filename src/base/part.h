/* Communicators that the library makes for its users: parts of the ranks of a context. */
#ifndef TSRI_BASE_PART_H
#define TSRI_BASE_PART_H

#include "base/context.h"

/* The communicator of the ranks that give the same part >= 0, in their order in the context, with
 * the error handler of the user's communicator; TSR_COMM_NULL on ranks that give a negative one.  A
 * rank on which a call fails has one all the same, unless MPI itself gave none.  Collective. */
tsr_status tsri_part_make(const tsri_context *context, int part, tsr_comm *comm);
/* TSR_COMM_NULL is fine.  Collective over the part. */
void tsri_part_free(tsr_comm *comm);

#endif
