/* The start and end of MPI, where the program leaves that to the library. */
#include "base/mpi_call.h"
#include "base/registry.h"

static bool started; /* tsr_init() started MPI, so tsr_finalize() ends it */

/* MPI_THREAD_SERIALIZED, because calls may come from any thread but not from two at once.  A
 * program whose threads work on different communicators at the same time asks for
 * MPI_THREAD_MULTIPLE itself, and pays for MPI's locks. */
tsr_status tsr_init(int *argc, char ***argv)
{
    tsr_status st = TSR_OK;
    int running = 0, ended = 0, level = MPI_THREAD_SINGLE;

    MPI_Finalized(&ended);
    TSRI_CHECK(done, !ended, TSR_ERR_STATE, "MPI has ended and cannot be started again");
    MPI_Initialized(&running);
    if (!running) {
        started = true;
        TSRI_MPI(done, MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &level));
    }
    tsri_registry_open();
done:
    return st;
}

tsr_status tsr_finalize(void)
{
    tsr_status st = TSR_OK;
    int running = 0, ended = 0;

    MPI_Initialized(&running);
    MPI_Finalized(&ended);
    if (!running || ended) return TSR_OK;
    tsri_registry_close();
    if (started) {
        started = false;
        TSRI_MPI(done, MPI_Finalize());
    }
done:
    return st;
}

void tsri_comm_abort(void)
{
    int running = 0, ended = 0;
    MPI_Initialized(&running);
    MPI_Finalized(&ended);
    if (running && !ended) MPI_Abort(MPI_COMM_WORLD, 1);
}
