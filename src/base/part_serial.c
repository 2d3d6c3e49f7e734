/* One rank has one part: the communicator itself. */
#include "base/part.h"

tsr_status tsri_part_make(const tsri_context *context, int part, tsr_comm *comm)
{
    *comm = part >= 0 ? tsri_context_comm(context) : TSR_COMM_NULL;
    return TSR_OK;
}

void tsri_part_free(tsr_comm *comm)
{
    *comm = TSR_COMM_NULL;
}
