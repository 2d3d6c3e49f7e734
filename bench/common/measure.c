#define _GNU_SOURCE
#include "common.h"

#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_ENTRIES = 32 };

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void bench_pause(double seconds)
{
    const time_t whole = (time_t)seconds;
    const struct timespec t = {whole, (long)(1e9 * (seconds - (double)whole))};
    nanosleep(&t, NULL);
}

void *bench_alloc(size_t bytes)
{
    const size_t lines = bytes / 64 + 1;
    void *memory = aligned_alloc(64, 64 * lines);
    if (memory == NULL) BENCH_STOP("no memory for %zu bytes", bytes);
    memset(memory, 0, 64 * lines);
    return memory;
}

void bench_barrier(void)
{
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done;
         MPI_Test(&request, &done, MPI_STATUS_IGNORE))
        sched_yield();
}

/* One rank a core, as long as there are cores. */
void bench_pin(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                            "PMI_RANK"};
    const char *local_rank = NULL;
    for (size_t v = 0; local_rank == NULL && v < sizeof variables / sizeof *variables; ++v)
        local_rank = getenv(variables[v]);
    const long core = local_rank ? atol(local_rank) % sysconf(_SC_NPROCESSORS_CONF) : 0;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)core, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) perror("sched_setaffinity");
}

/* ---- timing ---------------------------------------------------------------------------------- */

/* Seconds a run takes on the slowest rank, over `count` runs, after `before` that are not timed. */
static double time_batch(const bench_entry *entry, int before, int count)
{
    bench_barrier();
    double mine, slowest;
    if (entry->time != NULL) {
        mine = entry->time(entry->ctx, count);
    } else {
        for (int i = 0; i < before; ++i) /* refill the caches that the entry before has emptied */
            entry->run(entry->ctx);
        bench_barrier();
        const double start = bench_now();
        for (int i = 0; i < count; ++i)
            entry->run(entry->ctx);
        mine = (bench_now() - start) / count;
    }
    bench_barrier();
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

/* How often an entry runs in one sample: not timed, and timed. */
typedef struct {
    int before, count;
} batch;

static batch make_batch(const bench_options *options, const bench_entry *entry)
{
    enum { MOST = 5000 };
    double once = time_batch(entry, 0, 1);
    if (once < 10 * options->batch_seconds) once = time_batch(entry, 0, 3);
    const double count = options->batch_seconds / once;
    batch b = {2, count < 1 ? 1 : count > MOST ? MOST : (int)count};
    if (once > 10 * options->batch_seconds) b.before = 0; /* what is as long fills caches itself */
    return b;
}

/* A new order, the same on all ranks, so that nobody always follows the same other one. */
static void shuffle(int count, int *order)
{
    static uint64_t state = UINT64_C(88172645463325252);
    for (int i = 0; i < count; ++i)
        order[i] = i;
    for (int i = count - 1; i > 0; --i) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        const int j = (int)(state % (uint64_t)(i + 1)), swapped = order[i];
        order[i] = order[j];
        order[j] = swapped;
    }
}

static void verify_all(const char *operation, const char *parameters, int count,
                       const bench_entry *entries)
{
    for (int e = 0; e < count; ++e) {
        int good = entries[e].verify(entries[e].ctx), all_good = 0;
        MPI_Allreduce(&good, &all_good, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
        if (!all_good) BENCH_STOP("%s %s: %s is WRONG", operation, parameters, entries[e].name);
    }
}

bool bench_no_result(void *ctx)
{
    (void)ctx;
    return true;
}

/* ---- results --------------------------------------------------------------------------------- */

typedef struct {
    double low, median, high; /* the quartiles, in microseconds */
} result;

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static result summarise(int count, double *samples)
{
    qsort(samples, (size_t)count, sizeof *samples, by_value);
    return (result){samples[count / 4], samples[count / 2], samples[(3 * count) / 4]};
}

static const char *mpi_name(void)
{
    static char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    return strstr(version, "Open MPI") ? "openmpi" : strstr(version, "MPICH") ? "mpich" : "mpi";
}

static void write_json(FILE *json, const char *operation, const char *parameters, int count,
                       const bench_entry *entries, int rounds, const double *samples)
{
    static const char *const roles[] = {"floor", "ours", "hand", "peer", "part"};
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    fprintf(json,
            "{\"operation\": \"%s\", \"mpi\": \"%s\", \"ranks\": %d, \"case\": \"%s\", "
            "\"unit\": \"us\", \"entries\": [",
            operation, mpi_name(), ranks, parameters);
    for (int e = 0; e < count; ++e) {
        fprintf(json, "%s{\"name\": \"%s\", \"role\": \"%s\", \"samples\": [", e ? ", " : "",
                entries[e].name, roles[entries[e].role]);
        for (int i = 0; i < rounds; ++i)
            fprintf(json, "%s%.6g", i ? ", " : "", samples[e * rounds + i]);
        fprintf(json, "]}");
    }
    fprintf(json, "]}\n");
    fflush(json);
}

static int best(bench_role role, int count, const bench_entry *entries, const result *results)
{
    int found = -1;
    for (int e = 0; e < count; ++e)
        if (entries[e].role == role && (found < 0 || results[e].median < results[found].median))
            found = e;
    return found;
}

/* Times of the floor and ours, and how many times longer each of the others takes than ours. */
static void print_line(const char *operation, const char *parameters, int count,
                       const bench_entry *entries, const result *results)
{
    const int floor = best(BENCH_FLOOR, count, entries, results);
    const int ours = best(BENCH_OURS, count, entries, results);
    const int hand = best(BENCH_HAND, count, entries, results);
    printf("%-9s %-8s %-28s", operation, mpi_name(), parameters);
    if (floor >= 0) printf("  floor %9.2f us", results[floor].median);
    if (ours < 0) {
        printf("\n");
        return;
    }
    const result r = results[ours];
    printf("  ours %9.2f us (%.2f to %.2f)", r.median, r.low, r.high);
    if (floor >= 0) printf(" = %5.2f floors", r.median / results[floor].median);
    for (int e = 0; e < count; ++e)
        if (e == hand || entries[e].role == BENCH_PEER)
            printf("  %s %.2fx", entries[e].name, results[e].median / r.median);
    printf("\n");
    fflush(stdout);
}

/* Parameters, and what the environment says about nodes and transports. */
static void make_label(const char *parameters, size_t bytes, char *label)
{
    const char *nodes = getenv("TESSERA_RANKS_PER_NODE"), *transport = getenv("TESSERA_TRANSPORT");
    int end = snprintf(label, bytes, "%s", parameters);
    if (nodes) end += snprintf(label + end, bytes - (size_t)end, " nodes of %s", nodes);
    if (transport) snprintf(label + end, bytes - (size_t)end, " %s", transport);
}

/* Rounds over all entries: `rounds` samples in microseconds of each. */
static void sample_all(const bench_options *options, int count, const bench_entry *entries,
                       double *samples)
{
    batch batches[MAX_ENTRIES];
    int order[MAX_ENTRIES];
    for (int e = 0; e < count; ++e)
        batches[e] = make_batch(options, &entries[e]);
    for (int round = 0; round < options->rounds; ++round) {
        shuffle(count, order);
        for (int k = 0; k < count; ++k) {
            const int e = order[k];
            samples[e * options->rounds + round] =
                1e6 * time_batch(&entries[e], batches[e].before, batches[e].count);
        }
    }
}

void bench_case(const bench_options *options, const char *operation, const char *parameters,
                int count, const bench_entry *entries)
{
    bench_entry wanted[MAX_ENTRIES] = {{0}};
    result results[MAX_ENTRIES];
    char label[128];
    int wanted_count = 0, rank;
    for (int e = 0; e < count && wanted_count < MAX_ENTRIES; ++e)
        if (options->only == NULL || bench_has_word(options->only, entries[e].name))
            wanted[wanted_count++] = entries[e];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    make_label(parameters, sizeof label, label);

    verify_all(operation, label, wanted_count, wanted);
    if (options->rounds == 0) {
        if (rank == 0) printf("%s %s: %d are right\n", operation, label, wanted_count);
        return;
    }
    double *samples = bench_alloc((size_t)(options->rounds * wanted_count + 1) * sizeof *samples);
    sample_all(options, wanted_count, wanted, samples);
    verify_all(operation, label, wanted_count, wanted);
    if (rank == 0 && options->json)
        write_json(options->json, operation, label, wanted_count, wanted, options->rounds, samples);
    for (int e = 0; e < wanted_count; ++e)
        results[e] = summarise(options->rounds, samples + e * options->rounds);
    if (rank == 0) print_line(operation, label, wanted_count, wanted, results);
    free(samples);
}
