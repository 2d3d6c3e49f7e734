/* Measuring several ways to do the same thing, side by side in one run.
 *
 * A case is a list of entries: the floor, ours, what a programmer would write by hand, and other
 * libraries.  Each is verified, then all are timed in rounds, in an order that changes from round
 * to round, then verified again.  Compare ratios within one run; absolute times drift. */
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include <mpi.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A part is no way to do the whole: it is timed to explain the others. */
typedef enum bench_role { BENCH_FLOOR, BENCH_OURS, BENCH_HAND, BENCH_PEER, BENCH_PART } bench_role;

typedef struct bench_entry {
    const char *name;
    bench_role role;
    void *ctx;
    void (*run)(void *ctx);    /* do it once; called by all ranks */
    bool (*verify)(void *ctx); /* run it on known data: whether this rank's result is right */
    /* NULL, or seconds a run takes, of several: for what is timed elsewhere */
    double (*time)(void *ctx, int runs);
} bench_entry;

typedef struct bench_options {
    int rounds;           /* samples of each entry */
    double batch_seconds; /* about how long a sample takes */
    const char *only;     /* names of the entries to run, with commas; NULL: all */
    FILE *json;           /* rank 0: where the samples go, NULL for nowhere */
} bench_options;

/* Pin this process to a core, before MPI starts threads of its own. */
void bench_pin(void);
/* Take --rounds, --only and --json FILE (appended to) out of the arguments. */
bench_options bench_read_options(int *argc, char **argv);
/* The value of an option of the program itself, or what it is without it. */
const char *bench_option(int argc, char **argv, const char *name, const char *otherwise);

/* Verify and time; rank 0 prints one line for people, and one JSON line for each entry.
 * Stops all ranks when a result is wrong. */
void bench_case(const bench_options *options, const char *operation, const char *parameters,
                int count, const bench_entry *entries);

/* A barrier that yields the core: MPI_Barrier may spin and steal time from ranks still at work. */
void bench_barrier(void);
double bench_now(void); /* seconds */
void bench_pause(double seconds);
/* Zeroed memory that starts at a cache line; stops all ranks when there is none. */
void *bench_alloc(size_t bytes);
#define BENCH_STOP(...)                                                                            \
    do {                                                                                           \
        fprintf(stderr, __VA_ARGS__);                                                              \
        fputc('\n', stderr);                                                                       \
        MPI_Abort(MPI_COMM_WORLD, 1);                                                              \
    } while (0)

#endif
