/* PETSc's DMDA: DMLocalToLocal in place, which moves no owned cells. */
#include "halo.h"

#ifndef BENCH_PETSC

int halo_petsc(const halo_problem *problem, halo_way *ways)
{
    (void)problem;
    (void)ways;
    return 0;
}

void halo_petsc_end(void)
{
}

#else

#define PETSC_HAVE_BROKEN_RECURSIVE_MACRO /* leaves MPI's names alone */
#include <petscdmda.h>

#include <stdlib.h>

typedef struct {
    DM grid;
    Vec local;
} dmda;

static void update(void *state)
{
    const dmda *d = state;
    DMLocalToLocalBegin(d->grid, d->local, INSERT_VALUES, d->local);
    DMLocalToLocalEnd(d->grid, d->local, INSERT_VALUES, d->local);
}

static void release(void *state)
{
    dmda *d = state;
    VecDestroy(&d->local);
    DMDestroy(&d->grid);
    free(d);
}

/* Its axes are numbered the other way round. */
static DM make_grid(const halo_problem *p)
{
    const DMBoundaryType periodic = DM_BOUNDARY_PERIODIC;
    PetscInt cells[HALO_AXES];
    DM grid;
    for (int k = 0; k < HALO_AXES; ++k)
        cells[k] = p->n[k] * p->grid[k];
    if (p->axes == 2)
        DMDACreate2d(PETSC_COMM_WORLD, periodic, periodic, DMDA_STENCIL_BOX, cells[2], cells[1],
                     p->grid[2], p->grid[1], 1, p->width[2], NULL, NULL, &grid);
    else
        DMDACreate3d(PETSC_COMM_WORLD, periodic, periodic, periodic, DMDA_STENCIL_BOX, cells[2],
                     cells[1], cells[0], p->grid[2], p->grid[1], p->grid[0], 1, p->width[2], NULL,
                     NULL, NULL, &grid);
    DMSetUp(grid);
    return grid;
}

int halo_petsc(const halo_problem *p, halo_way *ways)
{
    PetscBool started = PETSC_FALSE;
    if (p->single) return 0; /* this PETSc has doubles */
    PetscInitialized(&started);
    if (!started) PetscInitializeNoArguments();

    dmda *d = bench_alloc(sizeof *d);
    d->grid = make_grid(p);
    DMCreateLocalVector(d->grid, &d->local);
    /* The values change behind PETSc's back, which is harmless for a scatter. */
    double *values, *block;
    VecGetArray(d->local, &values);
    block = values;
    VecRestoreArray(d->local, &values);
    ways[0] = (halo_way){"petsc", BENCH_PEER, p, block, d, update, release};
    return 1;
}

void halo_petsc_end(void)
{
    PetscBool started = PETSC_FALSE;
    PetscInitialized(&started);
    if (started) PetscFinalize();
}

#endif
