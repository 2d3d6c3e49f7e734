/* Saving and loading one array of doubles: `.npy` and HDF5, against the floor, in which every rank
 * writes or reads its share of the bytes with system calls and nothing else.
 *
 *     files [--megabytes 64] [--folder FOLDER] [--rounds N] [--only NAME,...] [--json FILE]
 *
 * Every way of writing waits until the bytes are on the device.  What was just written is read from
 * the system's memory. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "common.h"

#include <tessera.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { COLUMNS = 1024, PATH_BYTES = 1024 };

typedef struct problem {
    tsr_array *array;
    char plain[PATH_BYTES], npy[PATH_BYTES], hdf5[PATH_BYTES];
    tsr_layout_options options;
} problem;

/* ---- the floor ------------------------------------------------------------------------------- */

typedef ssize_t (*access_call)(int file, void *data, size_t bytes, off_t at);

static ssize_t write_call(int file, void *data, size_t bytes, off_t at)
{
    return pwrite(file, data, bytes, at);
}

static void access_block(const problem *p, int flags, access_call call)
{
    const tsr_view v = tsr_local(p->array);
    const size_t bytes = (size_t)(v.extent[0] * v.extent[1]) * sizeof(double);
    const off_t at = (off_t)(v.start[0] * v.extent[1]) * (off_t)sizeof(double);
    const int file = open(p->plain, flags, 0666);

    for (size_t done = 0; done < bytes;) {
        const ssize_t n = call(file, (char *)v.data + done, bytes - done, at + (off_t)done);
        if (n <= 0) BENCH_STOP("files: the floor cannot use %s", p->plain);
        done += (size_t)n;
    }
    if (flags != O_RDONLY && fsync(file) != 0) BENCH_STOP("files: fsync failed");
    close(file);
    bench_barrier();
}

/* Into a new file, as ours is. */
static void plain_save(void *ctx)
{
    const problem *p = ctx;

    if (tsr_layout_rank(tsr_array_layout(p->array)) == 0) remove(p->plain);
    bench_barrier();
    access_block(p, O_WRONLY | O_CREAT, write_call);
}

static void plain_load(void *ctx)
{
    access_block(ctx, O_RDONLY, pread);
}

/* ---- ours ------------------------------------------------------------------------------------ */

static void npy_save(void *ctx)
{
    const problem *p = ctx;
    TSR_CHECK(tsr_save(p->npy, p->array));
}

static void hdf5_save(void *ctx)
{
    const problem *p = ctx;
    TSR_CHECK(tsr_save_hdf5(p->hdf5, 1, (tsr_named_array[]){{"a", p->array}}, NULL));
}

/* Put a loaded array in the place of the problem's. */
static void take(problem *p, tsr_array *loaded)
{
    tsr_array_destroy(&p->array);
    p->array = loaded;
}

static void npy_load(void *ctx)
{
    problem *p = ctx;
    tsr_array *loaded = NULL;
    TSR_CHECK(tsr_load(p->npy, TSR_COMM_WORLD, &p->options, &loaded));
    take(p, loaded);
}

static void hdf5_load(void *ctx)
{
    problem *p = ctx;
    tsr_named_array loaded = {"a", NULL};
    TSR_CHECK(tsr_load_hdf5(p->hdf5, TSR_COMM_WORLD, &p->options, 1, &loaded, NULL));
    take(p, loaded.array);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static void set_cells(const problem *p, double first)
{
    const tsr_view v = tsr_local(p->array);
    for (int64_t i = 0; i < v.extent[0]; ++i)
        for (int64_t j = 0; j < v.extent[1]; ++j)
            TSR_AT(double, v, i, j) =
                first < 0 ? -1 : first + (double)((v.start[0] + i) * COLUMNS + j);
}

static bool is_set(const problem *p)
{
    const tsr_view v = tsr_local(p->array);
    bool good = true;
    for (int64_t i = 0; i < v.extent[0]; ++i)
        for (int64_t j = 0; j < v.extent[1]; ++j)
            good = good && TSR_AT(double, v, i, j) == (double)((v.start[0] + i) * COLUMNS + j);
    return good;
}

/* What is saved is what is loaded, and nothing else is. */
static bool goes_round(problem *p, void (*save)(void *), void (*load)(void *))
{
    set_cells(p, 0);
    save(p);
    set_cells(p, -1);
    load(p);
    return is_set(p);
}

static bool verify_plain(void *ctx)
{
    return goes_round(ctx, plain_save, plain_load);
}

static bool verify_npy(void *ctx)
{
    return goes_round(ctx, npy_save, npy_load);
}

static bool verify_hdf5(void *ctx)
{
    return goes_round(ctx, hdf5_save, hdf5_load);
}

int main(int argc, char **argv)
{
    bench_pin();
    TSR_CHECK(tsr_init(&argc, &argv));
    const bench_options options = bench_read_options(argc, argv);
    const int64_t megabytes = strtoll(bench_option(argc, argv, "--megabytes", "64"), NULL, 10);
    const char *folder = bench_option(argc, argv, "--folder", ".");
    problem p = {.options = {.split = TSR_AXES(0)}};
    tsr_layout *layout = NULL;
    char parameters[64];

    snprintf(p.plain, PATH_BYTES, "%s/bench-plain", folder);
    snprintf(p.npy, PATH_BYTES, "%s/bench.npy", folder);
    snprintf(p.hdf5, PATH_BYTES, "%s/bench.h5", folder);
    snprintf(parameters, sizeof parameters, "megabytes=%lld", (long long)megabytes);
    TSR_CHECK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(megabytes * 128, COLUMNS), &p.options,
                                &layout));
    TSR_CHECK(tsr_zeros(layout, TSR_F64, &p.array));

    const bench_entry saves[] = {{"plain write", BENCH_FLOOR, &p, plain_save, verify_plain, NULL},
                                 {"tessera npy", BENCH_PART, &p, npy_save, verify_npy, NULL},
                                 {"tessera hdf5", BENCH_OURS, &p, hdf5_save, verify_hdf5, NULL}};
    const bench_entry loads[] = {{"plain read", BENCH_FLOOR, &p, plain_load, verify_plain, NULL},
                                 {"tessera npy", BENCH_PART, &p, npy_load, verify_npy, NULL},
                                 {"tessera hdf5", BENCH_OURS, &p, hdf5_load, verify_hdf5, NULL}};
    bench_case(&options, "save", parameters, 3, saves);
    bench_case(&options, "load", parameters, 3, loads);

    bench_barrier();
    if (tsr_layout_rank(layout) == 0) {
        remove(p.plain);
        remove(p.npy);
        remove(p.hdf5);
    }
    tsr_array_destroy(&p.array);
    tsr_layout_destroy(&layout);
    return tsr_finalize();
}
