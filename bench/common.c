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

/* ---- options --------------------------------------------------------------------------------- */

const char *bench_option(int argc, char **argv, const char *name, const char *otherwise)
{
    for (int a = 1; a + 1 < argc; ++a)
        if (strcmp(argv[a], name) == 0) return argv[a + 1];
    return otherwise;
}

static const char *take_option(int *argc, char **argv, const char *name, const char *otherwise)
{
    const char *value = bench_option(*argc, argv, name, NULL);
    if (value == NULL) return otherwise;
    int kept = 1;
    for (int a = 1; a < *argc; ++a)
        if (strcmp(argv[a], name) == 0)
            ++a;
        else
            argv[kept++] = argv[a];
    *argc = kept;
    return value;
}

bench_options bench_read_options(int *argc, char **argv)
{
    bench_options options = {.batch_seconds = 2e-3};
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    options.rounds = atoi(take_option(argc, argv, "--rounds", "15"));
    if (options.rounds < 1) BENCH_STOP("--rounds needs a number >= 1");
    options.only = take_option(argc, argv, "--only", NULL);
    const char *json = take_option(argc, argv, "--json", NULL);
    if (json != NULL && rank == 0) {
        options.json = fopen(json, "a");
        if (options.json == NULL) BENCH_STOP("cannot write %s", json);
    }
    return options;
}

static bool is_wanted(const bench_options *options, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = options->only; at != NULL; at = strchr(at, ',')) {
        if (*at == ',') ++at;
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return options->only == NULL;
}

/* ---- timing ---------------------------------------------------------------------------------- */

/* Seconds a run takes on the slowest rank, over `count` runs. */
static double time_batch(const bench_entry *entry, int count)
{
    bench_barrier();
    double mine, slowest;
    if (entry->time != NULL) {
        mine = entry->time(entry->ctx, count);
    } else {
        entry->run(entry->ctx); /* refills the caches that the entry before has emptied */
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

static int runs_a_batch(const bench_options *options, const bench_entry *entry)
{
    const double once = time_batch(entry, 3);
    double count = options->batch_seconds / once;
    count = count < 2 ? 2 : count > 5000 ? 5000 : count;
    int agreed = (int)count;
    MPI_Bcast(&agreed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return agreed;
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

static void write_json(FILE *json, const char *operation, const char *parameters,
                       const bench_entry *entry, int count, const double *samples)
{
    static const char *const roles[] = {"floor", "ours", "hand", "peer", "part"};
    fprintf(json,
            "{\"operation\": \"%s\", \"mpi\": \"%s\", \"case\": \"%s\", \"entry\": \"%s\", "
            "\"role\": \"%s\", \"microseconds\": [",
            operation, mpi_name(), parameters, entry->name, roles[entry->role]);
    for (int i = 0; i < count; ++i)
        fprintf(json, "%s%.6g", i ? ", " : "", samples[i]);
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
    printf("%-5s %-8s %-24s", operation, mpi_name(), parameters);
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

void bench_case(const bench_options *options, const char *operation, const char *parameters,
                int count, const bench_entry *entries)
{
    bench_entry wanted[MAX_ENTRIES] = {{0}};
    result results[MAX_ENTRIES];
    int wanted_count = 0, runs[MAX_ENTRIES], order[MAX_ENTRIES], rank;
    for (int e = 0; e < count && wanted_count < MAX_ENTRIES; ++e)
        if (is_wanted(options, entries[e].name)) wanted[wanted_count++] = entries[e];

    verify_all(operation, parameters, wanted_count, wanted);
    for (int e = 0; e < wanted_count; ++e)
        runs[e] = runs_a_batch(options, &wanted[e]);
    const size_t rounds = (size_t)options->rounds;
    double *samples = bench_alloc(rounds * MAX_ENTRIES * sizeof *samples);
    for (size_t round = 0; round < rounds; ++round) {
        shuffle(wanted_count, order);
        for (int k = 0; k < wanted_count; ++k) {
            const int e = order[k];
            samples[(size_t)e * rounds + round] = 1e6 * time_batch(&wanted[e], runs[e]);
        }
    }
    verify_all(operation, parameters, wanted_count, wanted);

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int e = 0; e < wanted_count; ++e) {
        double *own = samples + (size_t)e * rounds;
        if (rank == 0 && options->json)
            write_json(options->json, operation, parameters, &wanted[e], options->rounds, own);
        results[e] = summarise(options->rounds, own);
    }
    if (rank == 0) print_line(operation, parameters, wanted_count, wanted, results);
    free(samples);
}
