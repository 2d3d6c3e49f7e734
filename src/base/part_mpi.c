#include "base/part.h"

#include "base/comm.h"
#include "base/mpi_call.h"

/* The private communicator returns errors; users want what they have set on theirs. */
static tsr_status inherit_handler(tsr_comm user, tsr_comm comm)
{
    tsr_status st = TSR_OK;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    TSRI_MPI(done, MPI_Comm_get_errhandler(user, &handler));
    TSRI_MPI(done, MPI_Comm_set_errhandler(comm, handler));
done:
    if (handler != MPI_ERRHANDLER_NULL) MPI_Errhandler_free(&handler);
    return st;
}

tsr_status tsri_part_make(const tsri_context *context, int part, tsr_comm *comm)
{
    tsr_status st = TSR_OK;
    *comm = MPI_COMM_NULL;
    TSRI_MPI(made,
             MPI_Comm_split(context->comm, part >= 0 ? part : MPI_UNDEFINED, context->rank, comm));
made:
    if (*comm == MPI_COMM_NULL) return st;
    tsri_count(TSRI_COUNT_COMMS, 1);
    tsri_keep(&st, inherit_handler(context->user, *comm));
    return st;
}

void tsri_part_free(tsr_comm *comm)
{
    tsri_comm_free(comm);
}
