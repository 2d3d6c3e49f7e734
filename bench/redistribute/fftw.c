/* FFTW's transpositions, which move slabs of axis 0 to slabs of axis 1 and nothing else, planned by
 * measuring.  FFTW transposes the two axes in memory, too; its TRANSPOSED_OUT transposes each slab
 * back, so that axes are where they were, as ours are. */
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
    static const struct {
        const char *name;
        bool swapped;
        unsigned flags;
    } kinds[] = {{"fftw", false, FFTW_MPI_TRANSPOSED_OUT}, {"fftw axes exchanged", true, 0}};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    fftw_mpi_init();
    for (int k = 0; k < KINDS; ++k) {
        fftw_plan plan = fftw_mpi_plan_many_transpose(
            p->shape[0], p->shape[1], p->shape[2], FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
            p->from.data, p->to.data, MPI_COMM_WORLD, FFTW_MEASURE | kinds[k].flags);
        if (plan == NULL) BENCH_STOP("FFTW made no plan");
        ways[k] =
            (redist_way){kinds[k].name, BENCH_PEER, p, kinds[k].swapped, plan, transpose, release};
    }
    return KINDS;
}

#endif
