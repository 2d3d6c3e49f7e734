/* FFTW's transpositions, which move slabs of axis 0 to slabs of axis 1 and nothing else.  They
 * leave the two axes exchanged in memory (a plan that does not, takes longer). */
#include "redistribute.h"

#ifndef BENCH_FFTW

int redist_fftw(const redist_problem *problem, redist_way *ways)
{
    (void)problem;
    (void)ways;
    return 0;
}

#else

#include <fftw3-mpi.h>

static void transpose(void *state)
{
    fftw_execute((fftw_plan)state);
}

static void release(void *state)
{
    fftw_destroy_plan((fftw_plan)state);
}

int redist_fftw(const redist_problem *p, redist_way *ways)
{
    if (p->from.grid[0] != p->size || p->to.grid[1] != p->size) return 0;
    for (int k = 0; k < 2; ++k) /* its blocks are near-even only then */
        if (p->shape[k] % p->size != 0) return 0;
    fftw_mpi_init();
    fftw_plan plan = fftw_mpi_plan_many_transpose(
        p->shape[0], p->shape[1], p->shape[2], FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
        p->from.data, p->to.data, MPI_COMM_WORLD, FFTW_ESTIMATE | FFTW_MPI_TRANSPOSED_OUT);
    fftw_plan full = fftw_mpi_plan_many_transpose(
        p->shape[0], p->shape[1], p->shape[2], FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
        p->from.data, p->to.data, MPI_COMM_WORLD, FFTW_ESTIMATE);
    if (plan == NULL || full == NULL) BENCH_STOP("FFTW made no plan");
    ways[0] = (redist_way){"fftw", BENCH_PEER, p, false, plan, transpose, release};
    ways[1] = (redist_way){"fftw transposed", BENCH_PEER, p, true, full, transpose, release};
    return 2;
}

#endif
