/* Halo update of a block per rank, periodic, corners included: ours against the floor, hand-written
 * MPI, PETSc and Global Arrays.
 *
 *     halo [--n 16,32,...] [--width 1,2,3] [--axes 3] [--type f64,f32] [--split first,last]
 *          [--measure update] [--rounds N] [--only NAME,...] [--json FILE]
 *
 * n cells a rank along each of --axes 2 or 3 axes.  --split first: the ranks cut the first axis, so
 * that faces are contiguous; last: the last one, so that they are strided; all: every axis, as far
 * as the ranks have factors.  --measure overlap: updates while inner cells are computed. */
#include "halo/halo.h"

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

tsr_array *halo_array(const halo_problem *p, void **block)
{
    const int first = HALO_AXES - p->axes;
    int64_t shape[HALO_AXES];
    tsr_layout_options options = {.periodic = TSR_ALL_AXES};
    for (int k = first; k < HALO_AXES; ++k) {
        shape[k - first] = (int64_t)p->n[k] * p->grid[k];
        options.process_grid[k - first] = p->grid[k];
        options.halo[k - first] = p->width[k];
    }
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    TSR_CHECK(tsr_layout_create(TSR_COMM_WORLD, p->axes, shape, &options, &layout));
    TSR_CHECK(tsr_zeros(layout, p->single ? TSR_F32 : TSR_F64, &array));
    tsr_layout_destroy(&layout);
    const tsr_view v = tsr_local(array);
    int64_t before = 0; /* elements from the first halo cell to the first owned one */
    for (int a = 0; a < p->axes; ++a)
        before += v.halo_lo[a] * v.stride[a];
    *block = (char *)v.data - before * p->size;
    return array;
}

int halo_tessera(const halo_problem *p, halo_way *ways)
{
    void *block;
    tsr_array *array = halo_array(p, &block);
    ways[0] = (halo_way){"tessera", BENCH_OURS, p, block, array, update, destroy};
    return 1;
}

/* ---- the check ------------------------------------------------------------------------------- */

/* What the cell at an index of the padded block must hold is a number that its global index and the
 * step give, exact in both types.  The floors wrap inside the block. */
static const uint64_t per_cell = UINT64_C(2654435761), per_step = 40503;

static double value_of(uint64_t number)
{
    return (double)(int)(number % (1 << 22));
}

static uint64_t number_of(const halo_way *way, const int *index, int step)
{
    const halo_problem *p = way->problem;
    uint64_t cell = 0;
    for (int k = 0; k < HALO_AXES; ++k) {
        const bool inside = way->role == BENCH_FLOOR;
        const int length = inside ? p->n[k] : p->n[k] * p->grid[k];
        const int start = inside ? 0 : p->coords[k] * p->n[k];
        cell = cell * (uint64_t)length +
               (uint64_t)((index[k] - p->width[k] + start + length) % length);
    }
    return cell * per_cell + (uint64_t)step * per_step;
}

static void fill_row(const halo_way *way, const int *index, int step)
{
    const int n = way->problem->n[2];
    void *row = halo_cell(way->problem, way->block, index);
    uint64_t number = number_of(way, index, step);
    for (int k = 0; k < n; ++k, number += per_cell)
        if (way->problem->single)
            ((float *)row)[k] = (float)value_of(number);
        else
            ((double *)row)[k] = value_of(number);
}

static double load(const halo_way *way, const int *index)
{
    const void *cell = halo_cell(way->problem, way->block, index);
    return way->problem->single ? (double)*(const float *)cell : *(const double *)cell;
}

static bool owns(const halo_problem *p, int axis, int i)
{
    return i >= p->width[axis] && i < p->n[axis] + p->width[axis];
}

static void fill(const halo_way *way, int step)
{
    const int *w = way->problem->width, *n = way->problem->n;
    for (int i = w[0]; i < n[0] + w[0]; ++i)
        for (int j = w[1]; j < n[1] + w[1]; ++j)
            fill_row(way, (int[]){i, j, w[2]}, step);
}

static bool halo_is_right(const halo_way *way, int step)
{
    const halo_problem *p = way->problem;
    for (int i = 0; i < p->padded[0]; ++i)
        for (int j = 0; j < p->padded[1]; ++j)
            for (int k = 0; k < p->padded[2]; ++k) {
                if (k == p->width[2] && owns(p, 0, i) && owns(p, 1, j)) k += p->n[2];
                if (k >= p->padded[2]) break;
                const int index[] = {i, j, k};
                if (load(way, index) != value_of(number_of(way, index, step))) return false;
            }
    return true;
}

/* Owners rewrite their cells as soon as an update is done, with ranks out of step: a way that does
 * not wait for its readers, or reads too early, shows. */
static bool verify(void *ctx)
{
    const halo_way *way = ctx;
    const halo_problem *p = way->problem;
    bool good = true;
    if (way->block == NULL) return true;
    memset(way->block, 0xff, halo_block_bytes(p)); /* NaN */
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

static halo_problem make_problem(int axes, int n, int width, bool single, const int *grid)
{
    halo_problem p = {.axes = axes, .single = single, .size = single ? 4 : 8};
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    for (int k = HALO_AXES - 1, rest = p.rank; k >= 0; --k) {
        const bool used = k >= HALO_AXES - axes;
        p.n[k] = used ? n : 1;
        p.width[k] = used ? width : 0;
        p.padded[k] = p.n[k] + 2 * p.width[k];
        p.grid[k] = grid[k];
        p.coords[k] = rest % grid[k];
        rest /= grid[k];
    }
    for (int d = 0; d < 27; ++d) {
        const int offset[] = {d / 9, d / 3 % 3, d % 3};
        int rank = 0;
        for (int k = 0; k < HALO_AXES; ++k)
            rank = rank * grid[k] + (p.coords[k] + offset[k] - 1 + grid[k]) % grid[k];
        p.owner[offset[0]][offset[1]][offset[2]] = rank;
    }
    return p;
}

typedef int maker(const halo_problem *problem, halo_way *ways);

static void measure(const bench_options *options, const char *operation,
                    const halo_problem *problem, maker *const *make)
{
    halo_way ways[HALO_WAYS];
    bench_entry entries[HALO_WAYS];
    char parameters[96], grid[32];
    int count = 0;
    for (; *make != NULL; ++make)
        count += (*make)(problem, ways + count);
    for (int w = 0; w < count; ++w)
        entries[w] = (bench_entry){ways[w].name, ways[w].role, &ways[w], run, verify, NULL};
    snprintf(grid, sizeof grid, "%dx%dx%d", problem->grid[0], problem->grid[1], problem->grid[2]);
    snprintf(parameters, sizeof parameters, "%s n=%d width=%d %s",
             problem->axes == 2 ? strchr(grid, 'x') + 1 : grid, problem->n[2], problem->width[2],
             problem->single ? "f32" : "f64");
    bench_case(options, operation, parameters, count, entries);
    for (int w = count - 1; w >= 0; --w)
        if (ways[w].free) ways[w].free(ways[w].state);
}

/* The ranks along each axis. */
static void make_grid(int axes, const char *split, int *grid)
{
    const int first = HALO_AXES - axes;
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int k = 0; k < HALO_AXES; ++k)
        grid[k] = 1;
    if (strcmp(split, "all") == 0) {
        memset(grid + first, 0, (size_t)axes * sizeof *grid);
        MPI_Dims_create(ranks, axes, grid + first);
    } else {
        grid[strcmp(split, "first") == 0 ? first : HALO_AXES - 1] = ranks;
    }
}

/* What to measure. */
typedef struct {
    bench_list sizes, widths, axes;
    const char *types, *splits, *operations;
} choice;

static void measure_case(const bench_options *options, const choice *c, const halo_problem *problem)
{
    static maker *const updates[] = {halo_tessera, halo_floor,         halo_hand,
                                     halo_petsc,   halo_global_arrays, NULL};
    static maker *const overlaps[] = {halo_overlap, NULL};
    if (bench_has_word(c->operations, "update")) measure(options, "halo", problem, updates);
    if (bench_has_word(c->operations, "overlap") && problem->axes == 3 && !problem->single)
        measure(options, "overlap", problem, overlaps);
}

static void measure_sizes(const bench_options *options, const choice *c, int axes, bool single,
                          const char *split)
{
    int grid[HALO_AXES];
    make_grid(axes, split, grid);
    for (int w = 0; w < c->widths.count; ++w)
        for (int s = 0; s < c->sizes.count; ++s) {
            const int n = (int)c->sizes.number[s], width = (int)c->widths.number[w];
            if (n < width) BENCH_STOP("--n must not be less than --width");
            const halo_problem problem = make_problem(axes, n, width, single, grid);
            measure_case(options, c, &problem);
        }
}

int main(int argc, char **argv)
{
    static const char *const splits[] = {"first", "last", "all"}, *const types[] = {"f64", "f32"};
    bench_pin();
    TSR_CHECK(tsr_init(&argc, &argv));
    const bench_options options = bench_read_options(argc, argv);
    const choice c = {.sizes = bench_numbers(argc, argv, "--n", "16,32,64,128,256", 1, 1 << 14),
                      .widths = bench_numbers(argc, argv, "--width", "1,2,3", 1, 64),
                      .axes = bench_numbers(argc, argv, "--axes", "3", 2, 3),
                      .types = bench_option(argc, argv, "--type", "f64,f32"),
                      .splits = bench_option(argc, argv, "--split", "first,last"),
                      .operations = bench_option(argc, argv, "--measure", "update")};
    bench_check_options(argc, argv);

    for (int split = 0; split < 3; ++split)
        for (int a = 0; a < c.axes.count; ++a)
            for (int single = 0; single < 2; ++single)
                if (bench_has_word(c.splits, splits[split]) &&
                    bench_has_word(c.types, types[single]))
                    measure_sizes(&options, &c, (int)c.axes.number[a], single != 0, splits[split]);
    halo_global_arrays_end();
    halo_petsc_end();
    return tsr_finalize();
}
