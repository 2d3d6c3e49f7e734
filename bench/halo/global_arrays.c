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
    const int first = HALO_AXES - p->axes;
    int shape[HALO_AXES], widths[HALO_AXES], chunks[HALO_AXES];
    int padded[HALO_AXES], lo[HALO_AXES], hi[HALO_AXES], stride[HALO_AXES - 1];
    for (int k = first; k < HALO_AXES; ++k) {
        shape[k - first] = p->n[k] * p->grid[k];
        widths[k - first] = p->width[k];
        chunks[k - first] = p->n[k];
    }
    int *array = bench_alloc(sizeof *array);
    *array = NGA_Create_ghosts(p->single ? C_FLOAT : C_DBL, p->axes, shape, widths, "halo", chunks);
    if (*array == 0) BENCH_STOP("Global Arrays has no memory");
    NGA_Distribution(*array, p->rank, lo, hi);
    for (int k = first; k < HALO_AXES; ++k)
        if (lo[k - first] != p->coords[k] * p->n[k]) BENCH_STOP("Global Arrays cuts its own way");
    void *block;
    NGA_Access_ghosts(*array, padded, &block, stride);
    ways[0] = (halo_way){"global_arrays", BENCH_PEER, p, block, array, update, release};
    return 1;
}

void halo_global_arrays_end(void)
{
    if (started) GA_Terminate();
}

#endif
