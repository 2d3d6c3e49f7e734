/* A 3-D array of doubles from one layout to another: ours against the floor, hand-written MPI,
 * PETSc's VecScatter and FFTW's transposition.
 *
 *     redistribute [--shape 512,512,256] [--rounds N] [--only NAME,...] [--json FILE]
 *
 * Slab to slab; with a number of ranks that has two factors also slab to pencil and pencil to
 * pencil. */
#include "redistribute/redistribute.h"

#include <tessera.h>

#include <stdlib.h>
#include <string.h>

/* ---- blocks ---------------------------------------------------------------------------------- */

redist_box redist_block(const redist_problem *p, const int *grid, int rank)
{
    redist_box box;
    for (int k = 2; k >= 0; --k) {
        const int64_t at = rank % grid[k], n = p->shape[k], even = n / grid[k], more = n % grid[k];
        box.lo[k] = at * even + (at < more ? at : more);
        box.extent[k] = even + (at < more);
        rank /= grid[k];
    }
    return box;
}

int64_t redist_cells(const redist_box *box)
{
    return box->extent[0] * box->extent[1] * box->extent[2];
}

int64_t redist_offset(const redist_box *block, const int64_t *cell)
{
    return ((cell[0] - block->lo[0]) * block->extent[1] + cell[1] - block->lo[1]) *
               block->extent[2] +
           cell[2] - block->lo[2];
}

/* ---- ours ------------------------------------------------------------------------------------ */

/* The memory of these arrays is what the others work on, too. */
typedef struct {
    tsr_array *from, *to;
} arrays;

static tsr_array *make_array(const redist_problem *p, redist_side *side)
{
    tsr_layout_options options = {0};
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    memcpy(options.process_grid, side->grid, sizeof side->grid);
    TSR_CHECK(tsr_layout_create(TSR_COMM_WORLD, 3, p->shape, &options, &layout));
    TSR_CHECK(tsr_zeros(layout, TSR_F64, &array));
    tsr_layout_destroy(&layout);
    side->block = redist_block(p, side->grid, p->rank);
    side->data = tsr_local(array).data;
    return array;
}

static void redistribute(void *state)
{
    const arrays *a = state;
    TSR_CHECK(tsr_redistribute_into(a->from, a->to));
}

/* ---- the check ------------------------------------------------------------------------------- */

static double value_of(const redist_problem *p, int64_t i, int64_t j, int64_t k)
{
    return (double)((i * p->shape[1] + j) * p->shape[2] + k);
}

/* Every cell of the new block is where it belongs. */
static bool is_right(const redist_way *way)
{
    const redist_problem *p = way->problem;
    const redist_box *b = &p->to.block;
    const double *cell = p->to.data;
    const int slow = way->swapped ? 1 : 0, fast = 1 - slow;
    for (int64_t s = 0; s < b->extent[slow]; ++s)
        for (int64_t f = 0; f < b->extent[fast]; ++f)
            for (int64_t k = 0; k < b->extent[2]; ++k) {
                const int64_t i = way->swapped ? f : s, j = way->swapped ? s : f;
                if (*cell++ != value_of(p, b->lo[0] + i, b->lo[1] + j, b->lo[2] + k)) return false;
            }
    return true;
}

static void run(void *ctx)
{
    const redist_way *way = ctx;
    way->run(way->state);
}

static bool verify(void *ctx)
{
    const redist_way *way = ctx;
    const redist_problem *p = way->problem;
    const redist_box *b = &p->from.block;
    double *cell = p->from.data;
    if (way->role == BENCH_FLOOR) {
        way->run(way->state);
        return true;
    }
    for (int64_t i = 0; i < b->extent[0]; ++i)
        for (int64_t j = 0; j < b->extent[1]; ++j)
            for (int64_t k = 0; k < b->extent[2]; ++k)
                *cell++ = value_of(p, b->lo[0] + i, b->lo[1] + j, b->lo[2] + k);
    memset(p->to.data, 0xff, (size_t)redist_cells(&p->to.block) * sizeof *cell);
    bench_barrier();
    way->run(way->state);
    return is_right(way);
}

/* ---- the cases ------------------------------------------------------------------------------- */

static void measure(const bench_options *options, const char *name, const int64_t *shape,
                    const int *from, const int *to)
{
    static int (*const make[])(const redist_problem *, redist_way *) = {redist_hand, redist_petsc,
                                                                        redist_fftw};
    redist_problem p = {.shape = {shape[0], shape[1], shape[2]}};
    redist_way ways[REDIST_WAYS];
    bench_entry entries[REDIST_WAYS];
    char parameters[96];
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p.size);
    memcpy(p.from.grid, from, sizeof p.from.grid);
    memcpy(p.to.grid, to, sizeof p.to.grid);
    arrays a = {make_array(&p, &p.from), make_array(&p, &p.to)};

    ways[0] = (redist_way){"tessera", BENCH_OURS, &p, false, &a, redistribute, NULL};
    int count = 1;
    for (size_t m = 0; m < sizeof make / sizeof *make; ++m)
        count += make[m](&p, ways + count);
    for (int w = 0; w < count; ++w)
        entries[w] = (bench_entry){ways[w].name, ways[w].role, &ways[w], run, verify, NULL};
    snprintf(parameters, sizeof parameters, "%s %dx%dx%d", name, (int)shape[0], (int)shape[1],
             (int)shape[2]);
    bench_case(options, "redistribute", parameters, count, entries);
    for (int w = count - 1; w >= 0; --w)
        if (ways[w].free) ways[w].free(ways[w].state);
    tsr_array_destroy(&a.from);
    tsr_array_destroy(&a.to);
}

int main(int argc, char **argv)
{
    int ranks, factor = 2;
    bench_pin();
    TSR_CHECK(tsr_init(&argc, &argv));
    const bench_options options = bench_read_options(argc, argv);
    const bench_list lengths = bench_numbers(argc, argv, "--shape", "512,512,256", 1, 1 << 20);
    const int64_t *shape = lengths.number;
    if (lengths.count != 3) BENCH_STOP("--shape needs three lengths");
    bench_check_options(argc, argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    while (factor * factor < ranks && ranks % factor != 0)
        ++factor;

    const int rows[] = {ranks, 1, 1}, columns[] = {1, ranks, 1}, last[] = {1, 1, ranks};
    measure(&options, "slab 0 to slab 1", shape, rows, columns);
    measure(&options, "slab 0 to slab 2", shape, rows, last);
    if (ranks % factor == 0 && ranks > factor) {
        const int p = factor, q = ranks / factor;
        const int pencil[] = {p, q, 1}, other[] = {p, 1, q};
        measure(&options, "slab 0 to pencil 2", shape, rows, pencil);
        measure(&options, "pencil 2 to pencil 1", shape, pencil, other);
    }
    redist_petsc_end();
    return tsr_finalize();
}
