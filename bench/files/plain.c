#define _GNU_SOURCE /* MADV_HUGEPAGE */
#define _FILE_OFFSET_BITS 64
#include "files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void files_sync(const files_problem *p, const char *path)
{
    bench_barrier();
    if (p->rank == 0) {
        const int file = open(path, O_RDONLY);
        if (file < 0 || fsync(file) != 0) BENCH_STOP("files: cannot sync %s", path);
        close(file);
    }
    bench_barrier();
}

/* ---- before a run ---------------------------------------------------------------------------- */

void files_clear(const files_problem *p)
{
    if (p->rank == 0) {
        remove(p->plain);
        remove(p->npy);
        remove(p->hdf5);
    }
    bench_barrier();
}

static size_t block_bytes(const files_problem *p)
{
    const tsr_view v = tsr_local(p->array);
    return (size_t)(v.extent[0] * v.extent[1]) * sizeof(double);
}

/* New memory, in huge pages where there are any (MADV_HUGEPAGE), or in small ones. */
static char *map(size_t bytes, int advice)
{
    void *data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (data == MAP_FAILED) BENCH_STOP("files: no memory");
    madvise(data, bytes, advice);
    return data;
}

/* Huge pages are what arrays come to lie in, small ones what files do. */
void files_have_memory(const files_problem *p)
{
    enum { PAGE = 4096 };
    const size_t whole = (size_t)p->rows * FILES_COLUMNS * sizeof(double);
    const size_t bytes = p->rank == 0 ? whole : block_bytes(p);
    char *const small = map(bytes, MADV_NOHUGEPAGE), *const huge = map(bytes, MADV_HUGEPAGE);

    for (size_t at = 0; at < bytes; at += PAGE)
        *(volatile char *)(small + at) = *(volatile char *)(huge + at) = 1;
    bench_barrier();
    munmap(huge, bytes);
    munmap(small, bytes);
}

/* ---- every rank its share -------------------------------------------------------------------- */

typedef ssize_t access_call(int file, void *data, size_t bytes, off_t at);

static ssize_t write_call(int file, void *data, size_t bytes, off_t at)
{
    return pwrite(file, data, bytes, at);
}

static void access_block(const files_problem *p, int flags, access_call *call, void *data)
{
    const tsr_view v = tsr_local(p->array);
    const size_t bytes = block_bytes(p);
    const off_t at = (off_t)(v.start[0] * v.extent[1]) * (off_t)sizeof(double);
    const int file = open(p->plain, flags, 0666);

    for (size_t done = 0; done < bytes;) {
        const ssize_t n = call(file, (char *)data + done, bytes - done, at + (off_t)done);
        if (n <= 0) BENCH_STOP("files: the floor cannot use %s", p->plain);
        done += (size_t)n;
    }
    if (flags != O_RDONLY && fsync(file) != 0) BENCH_STOP("files: fsync failed");
    close(file);
    bench_barrier();
}

void files_plain_save(files_problem *p)
{
    if (p->rank == 0) close(open(p->plain, O_WRONLY | O_CREAT | O_TRUNC, 0666));
    bench_barrier();
    access_block(p, O_WRONLY, write_call, tsr_local(p->array).data);
}

void files_plain_load(files_problem *p)
{
    access_block(p, O_RDONLY, pread, tsr_local(p->array).data);
}

void files_plain_load_new(files_problem *p)
{
    const size_t bytes = block_bytes(p);
    void *const data = map(bytes, MADV_HUGEPAGE);

    access_block(p, O_RDONLY, pread, data);
    munmap(data, bytes);
}

/* ---- dd -------------------------------------------------------------------------------------- */

static void run_dd(const files_problem *p, const char *from, const char *to, const char *more)
{
    if (p->rank == 0) {
        char command[3 * FILES_PATH];
        snprintf(command, sizeof command, "dd if='%s' of='%s' bs=1M count=%lld %s 2>&1", from, to,
                 (long long)(p->rows * FILES_COLUMNS * 8 >> 20), more);
        if (system(command) != 0) BENCH_STOP("files: failed: %s", command);
    }
    bench_barrier();
}

void files_dd_save(files_problem *p)
{
    run_dd(p, "/dev/zero", p->plain, "conv=fsync status=none");
}

void files_dd_load(files_problem *p)
{
    run_dd(p, p->plain, "/dev/null", "status=none");
}
