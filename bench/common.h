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
#include <stdint.h>
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

/* ---- options ---------------------------------------------------------------------------------
 *
 * A program takes pairs of a name and a value.  It asks for each that it knows, and then has it
 * checked that it was given no other. */

typedef struct bench_options {
    int rounds;           /* samples of each entry; 0: verify only */
    double batch_seconds; /* about how long a sample takes */
    const char *only;     /* names of the entries to run, with commas; NULL: all */
    FILE *json;           /* rank 0: where the samples go, NULL for nowhere */
} bench_options;

/* Numbers with commas between them. */
enum { BENCH_NUMBERS = 16 };
typedef struct bench_list {
    int count;
    int64_t number[BENCH_NUMBERS];
} bench_list;

/* --rounds N, --only NAME,... and --json FILE (appended to), which every program has. */
bench_options bench_read_options(int argc, char **argv);
/* The value of an option of the program itself, or what it is without it. */
const char *bench_option(int argc, char **argv, const char *name, const char *otherwise);
/* The same of numbers from `least` to `most`; stops all ranks when it has others. */
bench_list bench_numbers(int argc, char **argv, const char *name, const char *otherwise,
                         int64_t least, int64_t most);
/* Stops all ranks when there is an option that nobody has asked for. */
void bench_check_options(int argc, char **argv);
/* Whether a list with commas has a word. */
bool bench_has_word(const char *list, const char *word);

/* ---- measuring ------------------------------------------------------------------------------- */

/* Pin this process to a core, before MPI starts threads of its own. */
void bench_pin(void);
/* Verify and time; rank 0 prints one line for people, and writes one of JSON.  Stops all ranks when
 * a result is wrong. */
void bench_case(const bench_options *options, const char *operation, const char *parameters,
                int count, const bench_entry *entries);
/* Of an entry whose result is nobody's, such as a floor. */
bool bench_no_result(void *ctx);

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

/* ---- what is measured in Python -------------------------------------------------------------- */

/* A process of this rank's own that runs a program of bench/, gets lines, and answers each with a
 * line of numbers.  NULL: there is no such Python, or it lacks what the program imports. */
typedef struct bench_python bench_python;
bench_python *bench_python_start(const char *python, const char *program);
void bench_python_end(bench_python *process);
/* Send a line and read the first `count` numbers of the answer; stops all ranks without one. */
void bench_python_ask(bench_python *process, int count, double *answer, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
