/* Halo update of a 3-D block of doubles per rank, periodic, corners included: ours against the
 * floor, hand-written MPI, PETSc and Global Arrays.
 *
 *     halo [--n 16,32,...] [--width 1,2] [--rounds N] [--only NAME,...] [--json FILE]
 *
 * The ranks cut the first axis, then the last: contiguous faces, then strided ones. */
#include "halo/halo.h"
#include "common.h"

#include <tessera.h>

#include <stdlib.h>
#include <string.h>

/* ---- ours ------------------------------------------------------------------------------------ */

static void update(void *state)
{
    TSR_CHECK(tsr_halo_update(state, NULL));
}

static void destroy(void *state)
{
    tsr_array *array = state;
    tsr_array_destroy(&array);
}

int halo_tessera(const halo_problem *p, halo_way *ways)
{
    int64_t shape[3];
    tsr_layout_options options = {.periodic = TSR_ALL_AXES};
    for (int k = 0; k < 3; ++k) {
        shape[k] = (int64_t)p->n * p->grid[k];
        options.process_grid[k] = p->grid[k];
        options.halo[k] = p->width;
    }
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    TSR_CHECK(tsr_layout_create(TSR_COMM_WORLD, 3, shape, &options, &layout));
    TSR_CHECK(tsr_zeros(layout, TSR_F64, &array));
    tsr_layout_destroy(&layout);
    const tsr_view v = tsr_local(array);
    double *block = &TSR_AT(double, v, -p->width, -p->width, -p->width);
    ways[0] = (halo_way){"tessera", BENCH_OURS, p, block, array, update, destroy};
    return 1;
}

/* ---- the check ------------------------------------------------------------------------------- */

/* What the cell at an index of the padded block must hold: its global index, and the step.  The
 * floors wrap inside the block. */
static double expected(const halo_way *way, const int *index, int step)
{
    const halo_problem *p = way->problem;
    double value = 0;
    for (int k = 0; k < 3; ++k) {
        const bool inside = way->role == BENCH_FLOOR;
        const int length = inside ? p->n : p->n * p->grid[k];
        const int start = inside ? 0 : p->coords[k] * p->n;
        value = value * length + (index[k] - p->width + start + length) % length;
    }
    return value + 1e10 * step;
}

static bool owns(const halo_problem *p, int i)
{
    return i >= p->width && i < p->n + p->width;
}

static void fill(const halo_way *way, int step)
{
    const halo_problem *p = way->problem;
    for (int i = p->width; i < p->n + p->width; ++i)
        for (int j = p->width; j < p->n + p->width; ++j) {
            const int lo[] = {i, j, p->width};
            double *row = halo_cell(p, way->block, lo);
            const double first = expected(way, lo, step);
            for (int k = 0; k < p->n; ++k)
                row[k] = first + k;
        }
}

static bool halo_is_right(const halo_way *way, int step)
{
    const halo_problem *p = way->problem;
    for (int i = 0; i < p->padded; ++i)
        for (int j = 0; j < p->padded; ++j)
            for (int k = 0; k < p->padded; ++k) {
                if (k == p->width && owns(p, i) && owns(p, j)) k += p->n;
                const int index[] = {i, j, k};
                if (*halo_cell(p, way->block, index) != expected(way, index, step)) return false;
            }
    return true;
}

/* Owners rewrite their cells as soon as an update is done, with ranks out of step: a way that does
 * not wait for its readers, or reads too early, shows. */
static bool verify(void *ctx)
{
    const halo_way *way = ctx;
    const halo_problem *p = way->problem;
    const size_t side = (size_t)p->padded;
    bool good = true;
    if (way->block == NULL) return true;
    for (size_t c = 0; c < side * side * side; ++c)
        way->block[c] = -1;
    bench_barrier();
    for (int step = 1; step <= 4; ++step) {
        if ((step + p->rank) % 2) bench_pause(50e-6 + 300e-6 * p->rank);
        fill(way, step);
        way->run(way->state);
        good = good && halo_is_right(way, step);
    }
    return good;
}

static void run(void *ctx)
{
    const halo_way *way = ctx;
    way->run(way->state);
}

/* ---- the cases ------------------------------------------------------------------------------- */

static halo_problem make_problem(int n, int width, const int *grid)
{
    halo_problem p = {.n = n, .width = width, .padded = n + 2 * width};
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    memcpy(p.grid, grid, sizeof p.grid);
    for (int k = 2, rest = p.rank; k >= 0; --k) {
        p.coords[k] = rest % grid[k];
        rest /= grid[k];
    }
    for (int d = 0; d < 27; ++d) {
        const int offset[] = {d / 9, d / 3 % 3, d % 3};
        int rank = 0;
        for (int k = 0; k < 3; ++k)
            rank = rank * grid[k] + (p.coords[k] + offset[k] - 1 + grid[k]) % grid[k];
        p.owner[offset[0]][offset[1]][offset[2]] = rank;
    }
    return p;
}

static void measure(const bench_options *options, int n, int width, const int *grid)
{
    static int (*const make[])(const halo_problem *, halo_way *) = {
        halo_tessera, halo_floor, halo_hand, halo_petsc, halo_global_arrays};
    const halo_problem problem = make_problem(n, width, grid);
    halo_way ways[HALO_WAYS];
    bench_entry entries[HALO_WAYS];
    int count = 0;
    for (size_t m = 0; m < sizeof make / sizeof *make; ++m)
        count += make[m](&problem, ways + count);
    for (int w = 0; w < count; ++w)
        entries[w] = (bench_entry){ways[w].name, ways[w].role, &ways[w], run, verify, NULL};
    char parameters[64];
    snprintf(parameters, sizeof parameters, "%dx%dx%d n=%d width=%d", grid[0], grid[1], grid[2], n,
             width);
    bench_case(options, "halo", parameters, count, entries);
    for (int w = count - 1; w >= 0; --w)
        if (ways[w].free) ways[w].free(ways[w].state);
}

/* The next number of a list with commas, 0 at its end. */
static int next_number(const char **list)
{
    char *end;
    const long number = strtol(*list, &end, 10);
    if (end == *list || number < 1 || number > 1024) return 0;
    *list = *end == ',' ? end + 1 : end;
    return (int)number;
}

int main(int argc, char **argv)
{
    bench_pin();
    TSR_CHECK(tsr_init(&argc, &argv));
    const bench_options options = bench_read_options(&argc, argv);
    const char *sizes = bench_option(argc, argv, "--n", "16,32,64,128,256");
    const char *widths = bench_option(argc, argv, "--width", "1,2");
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int grids[][3] = {{ranks, 1, 1}, {1, 1, ranks}};

    for (int g = 0; g < 2; ++g)
        for (const char *w = widths; *w != '\0';) {
            const int width = next_number(&w);
            for (const char *s = sizes; *s != '\0';) {
                const int n = next_number(&s);
                if (width == 0 || n < width) BENCH_STOP("--n and --width need numbers, n >= width");
                measure(&options, n, width, grids[g]);
            }
        }
    halo_global_arrays_end();
    halo_petsc_end();
    return tsr_finalize();
}
