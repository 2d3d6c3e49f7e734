/* Saving and loading one array of doubles, `.npy` and HDF5: ours against the floor, in which every
 * rank writes or reads its share of the bytes with system calls and nothing else; parallel HDF5 by
 * hand; NumPy and h5py in one process; and dd.
 *
 *     files [--megabytes 64,...] [--folder FOLDER] [--python PATH] [--operations "save npy",...]
 *           [--rounds N] [--only NAME,...] [--json FILE]
 *
 * Every way of writing waits until the bytes are on the device; in a folder in memory (--folder
 * /dev/shm) there is nothing to wait for, for anybody.  What is saved is a new file, or takes the
 * place of one of the same length.  What was just written is read from the system's memory.  Ours,
 * NumPy and h5py load into a new array. */
#include "files/files.h"

#include <string.h>

/* ---- ours ------------------------------------------------------------------------------------ */

static void npy_save(files_problem *p)
{
    TSR_CHECK(tsr_save(p->npy, p->array));
}

static void hdf5_save(files_problem *p)
{
    TSR_CHECK(tsr_save_hdf5(p->hdf5, 1, (tsr_named_array[]){{"a", p->array}}, NULL));
}

/* Put a loaded array in the place of the problem's. */
static void take(files_problem *p, tsr_array *loaded)
{
    tsr_array_destroy(&p->array);
    p->array = loaded;
}

static void npy_load(files_problem *p)
{
    tsr_array *loaded = NULL;
    TSR_CHECK(tsr_load(p->npy, TSR_COMM_WORLD, &p->options, &loaded));
    take(p, loaded);
}

static void hdf5_load(files_problem *p)
{
    tsr_named_array loaded = {"a", NULL};
    TSR_CHECK(tsr_load_hdf5(p->hdf5, TSR_COMM_WORLD, &p->options, 1, &loaded, NULL));
    take(p, loaded.array);
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* Each cell has its number, or all have -1. */
static void set_cells(const files_problem *p, bool numbers)
{
    const tsr_view v = tsr_local(p->array);
    for (int64_t i = 0; i < v.extent[0]; ++i)
        for (int64_t j = 0; j < v.extent[1]; ++j)
            TSR_AT(double, v, i, j) =
                numbers ? (double)((v.start[0] + i) * FILES_COLUMNS + j) : -1.0;
}

static bool is_set(const files_problem *p)
{
    const tsr_view v = tsr_local(p->array);
    bool good = true;
    for (int64_t i = 0; i < v.extent[0]; ++i)
        for (int64_t j = 0; j < v.extent[1]; ++j)
            good =
                good && TSR_AT(double, v, i, j) == (double)((v.start[0] + i) * FILES_COLUMNS + j);
    return good;
}

typedef struct {
    files_problem *problem;
    const files_way *way;
    bool clear; /* whether each run finds the folder without a file */
} use;

/* What is saved is what is loaded, and nothing else is. */
static bool verify(void *ctx)
{
    const use *u = ctx;
    set_cells(u->problem, true);
    u->way->save(u->problem);
    set_cells(u->problem, false);
    u->way->load(u->problem);
    switch (u->way->result) {
    case FILES_IN_ARRAY:
        return is_set(u->problem);
    case FILES_IN_PYTHON:
        return files_python_is_right(u->problem);
    default:
        return true;
    }
}

/* Seconds of a run, of several. */
static double time_of(const use *u, void (*run)(files_problem *p), int runs)
{
    double seconds = 0;
    for (int i = 0; i < runs; ++i) {
        if (u->clear) files_clear(u->problem);
        files_have_memory(u->problem);
        bench_barrier();
        const double start = bench_now();
        run(u->problem);
        seconds += bench_now() - start;
    }
    return seconds / runs;
}

static double time_save(void *ctx, int runs)
{
    const use *u = ctx;
    return time_of(u, u->way->save, runs);
}

static double time_load(void *ctx, int runs)
{
    const use *u = ctx;
    return time_of(u, u->way->load, runs);
}

/* ---- the cases ------------------------------------------------------------------------------- */

enum { WAYS = 8 };

static const files_way npy_saves[] = {
    {"plain write", BENCH_FLOOR, files_plain_save, files_plain_load, FILES_IN_ARRAY},
    {"tessera", BENCH_OURS, npy_save, npy_load, FILES_IN_ARRAY},
    {"numpy", BENCH_PEER, files_numpy_save, npy_load, FILES_IN_ARRAY},
    {"dd", BENCH_PEER, files_dd_save, files_plain_load, FILES_NOWHERE},
    {.name = NULL}};
static const files_way npy_loads[] = {
    {"plain read", BENCH_FLOOR, files_plain_save, files_plain_load, FILES_IN_ARRAY},
    {"plain read, new", BENCH_PART, files_plain_save, files_plain_load_new, FILES_NOWHERE},
    {"tessera", BENCH_OURS, npy_save, npy_load, FILES_IN_ARRAY},
    {"numpy", BENCH_PEER, npy_save, files_numpy_load, FILES_IN_PYTHON},
    {"dd", BENCH_PEER, files_plain_save, files_dd_load, FILES_NOWHERE},
    {.name = NULL}};
static const files_way hdf5_saves[] = {
    {"plain write", BENCH_FLOOR, files_plain_save, files_plain_load, FILES_IN_ARRAY},
    {"tessera", BENCH_OURS, hdf5_save, hdf5_load, FILES_IN_ARRAY},
    {"hand_parallel_hdf5", BENCH_HAND, files_hand_hdf5_save, hdf5_load, FILES_IN_ARRAY},
    {"h5py", BENCH_PEER, files_h5py_save, hdf5_load, FILES_IN_ARRAY},
    {.name = NULL}};
static const files_way hdf5_loads[] = {
    {"plain read", BENCH_FLOOR, files_plain_save, files_plain_load, FILES_IN_ARRAY},
    {"plain read, new", BENCH_PART, files_plain_save, files_plain_load_new, FILES_NOWHERE},
    {"tessera", BENCH_OURS, hdf5_save, hdf5_load, FILES_IN_ARRAY},
    {"hand_parallel_hdf5", BENCH_HAND, hdf5_save, files_hand_hdf5_load, FILES_IN_ARRAY},
    {"h5py", BENCH_PEER, hdf5_save, files_h5py_load, FILES_IN_PYTHON},
    {.name = NULL}};

static bool can(const files_problem *p, const files_way *way)
{
    if (way->role == BENCH_HAND) return files_has_parallel_hdf5();
    return p->has_python || (strcmp(way->name, "numpy") != 0 && strcmp(way->name, "h5py") != 0);
}

static void measure(const bench_options *options, const char *operation, const char *parameters,
                    files_problem *p, const files_way *ways)
{
    const bool loads = strncmp(operation, "load", 4) == 0;
    const bool clear = strncmp(operation, "save", 4) == 0;
    bench_entry entries[WAYS];
    use uses[WAYS];
    int count = 0;
    if (p->operations != NULL && !bench_has_word(p->operations, operation)) return;
    for (const files_way *way = ways; way->name != NULL; ++way) {
        if (!can(p, way)) continue;
        uses[count] = (use){p, way, clear};
        entries[count] = (bench_entry){way->name, way->role, &uses[count],
                                       NULL,      verify,    loads ? time_load : time_save};
        ++count;
    }
    bench_case(options, operation, parameters, count, entries);
}

static void measure_size(const bench_options *options, int64_t megabytes, const char *folder,
                         const char *operations, bench_python *python)
{
    files_problem p = {.options = {.split = TSR_AXES(0)},
                       .rows = megabytes * 128,
                       .operations = operations,
                       .python = python};
    tsr_layout *layout = NULL;
    char parameters[128];
    int has_python = python != NULL;

    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    MPI_Bcast(&has_python, 1, MPI_INT, 0, MPI_COMM_WORLD);
    p.has_python = has_python != 0;
    snprintf(p.plain, FILES_PATH, "%s/bench-plain", folder);
    snprintf(p.npy, FILES_PATH, "%s/bench.npy", folder);
    snprintf(p.hdf5, FILES_PATH, "%s/bench.h5", folder);
    snprintf(parameters, sizeof parameters, "megabytes=%lld in %s", (long long)megabytes, folder);
    TSR_CHECK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(p.rows, FILES_COLUMNS), &p.options,
                                &layout));
    TSR_CHECK(tsr_zeros(layout, TSR_F64, &p.array));
    measure(options, "save npy", parameters, &p, npy_saves);
    measure(options, "replace npy", parameters, &p, npy_saves);
    measure(options, "load npy", parameters, &p, npy_loads);
    measure(options, "save hdf5", parameters, &p, hdf5_saves);
    measure(options, "load hdf5", parameters, &p, hdf5_loads);
    files_clear(&p);
    tsr_array_destroy(&p.array);
    tsr_layout_destroy(&layout);
}

int main(int argc, char **argv)
{
    bench_pin();
    TSR_CHECK(tsr_init(&argc, &argv));
    const bench_options options = bench_read_options(argc, argv);
    const bench_list megabytes = bench_numbers(argc, argv, "--megabytes", "64", 1, 1 << 20);
    const char *folder = bench_option(argc, argv, "--folder", ".");
    const char *operations = bench_option(argc, argv, "--operations", NULL);
    const char *path = bench_option(argc, argv, "--python", "build/bench/venv/bin/python");
    int rank;
    bench_check_options(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bench_python *python = rank == 0 ? bench_python_start(path, "files/peers.py") : NULL;
    for (int k = 0; k < megabytes.count; ++k)
        measure_size(&options, megabytes.number[k], folder, operations, python);
    bench_python_end(python);
    return tsr_finalize();
}
