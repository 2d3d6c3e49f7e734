#include "base/window.h"

#include "base/comm.h"
#include "base/mpi_call.h"

tsr_status tsri_window_make(const tsri_context *context, void *memory, size_t bytes, size_t unit,
                            tsr_win *window)
{
    tsr_status st = TSR_OK;
    *window = MPI_WIN_NULL;
    TSRI_MPI(made, MPI_Win_create(memory, (MPI_Aint)bytes, (int)unit, MPI_INFO_NULL, context->comm,
                                  window));
made:
    if (*window != MPI_WIN_NULL) MPI_Win_set_errhandler(*window, MPI_ERRORS_RETURN);
    return st;
}

void tsri_window_free(tsr_win *window)
{
    if (*window != MPI_WIN_NULL) MPI_Win_free(window);
    *window = MPI_WIN_NULL;
}

tsr_status tsri_window_open(tsr_win window)
{
    tsr_status st = TSR_OK;
    TSRI_MPI(done, MPI_Win_lock_all(MPI_MODE_NOCHECK, window));
done:
    return st;
}

void tsri_window_close(tsr_win window)
{
    MPI_Win_unlock_all(window);
}

static tsr_status add(tsr_win window, int rank, int i, int64_t amount, int64_t *before)
{
    tsr_status st = TSR_OK;
    TSRI_MPI(done, MPI_Fetch_and_op(&amount, before, MPI_INT64_T, rank, i, MPI_SUM, window));
    TSRI_MPI(done, MPI_Win_flush(rank, window));
done:
    return st;
}

tsr_status tsri_window_add(tsr_win window, int rank, int i, int64_t amount, int64_t *before)
{
    tsri_fault_suspend();
    const tsr_status st = add(window, rank, i, amount, before);
    tsri_fault_resume();
    return st;
}
