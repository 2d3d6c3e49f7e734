/* Global Arrays: GA_Update_ghosts. */
#include "halo.h"

#ifndef BENCH_GLOBAL_ARRAYS

int halo_global_arrays(const halo_problem *problem, halo_way *ways)
{
    (void)problem;
    (void)ways;
    return 0;
}

void halo_global_arrays_end(void)
{
}

#else

#include <ga.h>
#include <macdecls.h>

#include <stdlib.h>

static bool started;

static void update(void *state)
{
    GA_Update_ghosts(*(const int *)state);
}

static void release(void *state)
{
    GA_Destroy(*(const int *)state);
    free(state);
}

int halo_global_arrays(const halo_problem *p, halo_way *ways)
{
    if (!started) {
        GA_Initialize();
        MA_init(C_DBL, 1000000, 1000000);
        started = true;
    }
    int shape[3], widths[3], chunks[3], padded[3], lo[3], hi[3], stride[2];
    for (int k = 0; k < 3; ++k) {
        shape[k] = p->n * p->grid[k];
        widths[k] = p->width;
        chunks[k] = p->n;
    }
    int *array = bench_alloc(sizeof *array);
    *array = NGA_Create_ghosts(C_DBL, 3, shape, widths, "halo", chunks);
    if (*array == 0) BENCH_STOP("Global Arrays has no memory");
    NGA_Distribution(*array, p->rank, lo, hi);
    for (int k = 0; k < 3; ++k)
        if (lo[k] != p->coords[k] * p->n) BENCH_STOP("Global Arrays cuts its own way");
    double *block;
    NGA_Access_ghosts(*array, padded, &block, stride);
    ways[0] = (halo_way){"global_arrays", BENCH_PEER, p, block, array, update, release};
    return 1;
}

void halo_global_arrays_end(void)
{
    if (started) GA_Terminate();
}

#endif
