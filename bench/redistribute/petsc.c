/* PETSc's VecScatter, from the cells of one vector to those of another, in blocks as long as the
 * runs that no cut divides. */
#include "redistribute.h"

#ifndef BENCH_PETSC

int redist_petsc(const redist_problem *problem, redist_way *ways)
{
    (void)problem;
    (void)ways;
    return 0;
}

void redist_petsc_end(void)
{
}

#else

#define PETSC_HAVE_BROKEN_RECURSIVE_MACRO /* leaves MPI's names alone */
#include <petscvec.h>

#include <stdlib.h>

typedef struct {
    Vec from, to;
    VecScatter scatter;
} scattering;

static void scatter(void *state)
{
    const scattering *s = state;
    VecScatterBegin(s->scatter, s->from, s->to, INSERT_VALUES, SCATTER_FORWARD);
    VecScatterEnd(s->scatter, s->from, s->to, INSERT_VALUES, SCATTER_FORWARD);
}

static void release(void *state)
{
    scattering *s = state;
    VecScatterDestroy(&s->scatter);
    VecDestroy(&s->from);
    VecDestroy(&s->to);
    free(s);
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* The longest run that divides every block of both sides along the last axis. */
static int64_t run_length(const redist_problem *p)
{
    int64_t run = p->shape[2];
    for (int r = 0; r < p->size; ++r) {
        const redist_box a = redist_block(p, p->from.grid, r), b = redist_block(p, p->to.grid, r);
        run = common_divisor(run, a.lo[2]);
        run = common_divisor(run, a.extent[2]);
        run = common_divisor(run, b.lo[2]);
        run = common_divisor(run, b.extent[2]);
    }
    return run;
}

/* The rank whose block has a cell, and where in the vector of all blocks it lies. */
static int64_t place_of(const redist_problem *p, const redist_box *blocks, const int64_t *cell)
{
    int64_t before = 0;
    for (int r = 0; r < p->size; ++r) {
        bool inside = true;
        for (int k = 0; k < 3; ++k)
            inside = inside && cell[k] >= blocks[r].lo[k] &&
                     cell[k] < blocks[r].lo[k] + blocks[r].extent[k];
        if (inside) return before + redist_offset(&blocks[r], cell);
        before += redist_cells(&blocks[r]);
    }
    return -1;
}

/* For each run of this rank's new block the number of its run in the old vector. */
static PetscInt *sources(const redist_problem *p, int64_t run, PetscInt count)
{
    redist_box *blocks = bench_alloc((size_t)p->size * sizeof *blocks);
    for (int r = 0; r < p->size; ++r)
        blocks[r] = redist_block(p, p->from.grid, r);
    PetscInt *index = bench_alloc((size_t)count * sizeof *index), n = 0;
    const redist_box *box = &p->to.block;
    for (int64_t i = 0; i < box->extent[0]; ++i)
        for (int64_t j = 0; j < box->extent[1]; ++j)
            for (int64_t k = 0; k < box->extent[2]; k += run) {
                const int64_t cell[] = {box->lo[0] + i, box->lo[1] + j, box->lo[2] + k};
                index[n++] = (PetscInt)(place_of(p, blocks, cell) / run);
            }
    free(blocks);
    return index;
}

int redist_petsc(const redist_problem *p, redist_way *ways)
{
    PetscBool started = PETSC_FALSE;
    PetscInitialized(&started);
    if (!started) PetscInitializeNoArguments();

    const int64_t run = run_length(p);
    const PetscInt in = (PetscInt)redist_cells(&p->from.block),
                   out = (PetscInt)redist_cells(&p->to.block), count = (PetscInt)(out / run);
    scattering *s = bench_alloc(sizeof *s);
    IS from, to;
    PetscInt first, *index = sources(p, run, count);
    VecCreateMPIWithArray(PETSC_COMM_WORLD, (PetscInt)run, in, PETSC_DETERMINE, p->from.data,
                          &s->from);
    VecCreateMPIWithArray(PETSC_COMM_WORLD, (PetscInt)run, out, PETSC_DETERMINE, p->to.data,
                          &s->to);
    ISCreateBlock(PETSC_COMM_WORLD, (PetscInt)run, count, index, PETSC_COPY_VALUES, &from);
    VecGetOwnershipRange(s->to, &first, NULL);
    for (PetscInt k = 0; k < count; ++k)
        index[k] = first / (PetscInt)run + k;
    ISCreateBlock(PETSC_COMM_WORLD, (PetscInt)run, count, index, PETSC_COPY_VALUES, &to);
    VecScatterCreate(s->from, from, s->to, to, &s->scatter);
    ISDestroy(&from);
    ISDestroy(&to);
    free(index);
    ways[0] = (redist_way){"petsc", BENCH_PEER, p, false, s, scatter, release};
    return 1;
}

void redist_petsc_end(void)
{
    PetscBool started = PETSC_FALSE;
    PetscInitialized(&started);
    if (started) PetscFinalize();
}

#endif
