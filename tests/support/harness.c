#define _POSIX_C_SOURCE 200809L

#include "support/harness.h"

#include "base/context.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int world_rank = 0;
static int world_size = 1;

/* ---- ranks ----------------------------------------------------------------------------------- */

#ifndef TSR_SERIAL
static MPI_Comm comm = MPI_COMM_NULL; /* the harness's own messages */

static void ranks_begin(void)
{
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &world_rank);
    MPI_Comm_size(comm, &world_size);
}

static void ranks_end(void)
{
    MPI_Comm_free(&comm);
}

static _Noreturn void ranks_stop(void)
{
    int running = 0, over = 0;
    MPI_Initialized(&running);
    MPI_Finalized(&over);
    if (running && !over) MPI_Abort(MPI_COMM_WORLD, 1);
    _exit(1);
}

void tsrt_barrier(void)
{
    MPI_Barrier(comm);
}

void tsrt_bcast(void *data, size_t bytes, int root)
{
    MPI_Bcast(data, (int)bytes, MPI_BYTE, root, comm);
}

static void gather_ints(int value, int *values)
{
    MPI_Allgather(&value, 1, MPI_INT, values, 1, MPI_INT, comm);
}
#else
static void ranks_begin(void)
{
}

static void ranks_end(void)
{
}

static _Noreturn void ranks_stop(void)
{
    _exit(1);
}

void tsrt_barrier(void)
{
}

void tsrt_bcast(void *data, size_t bytes, int root)
{
    (void)data, (void)bytes, (void)root;
}

static void gather_ints(int value, int *values)
{
    values[0] = value;
}
#endif

int tsrt_rank(void)
{
    return world_rank;
}

int tsrt_size(void)
{
    return world_size;
}

bool tsrt_counts_messages(void)
{
    const char *transport = getenv("TESSERA_TRANSPORT");
    return transport != NULL && strcmp(transport, "p2p") == 0;
}

void tsrt_count_messages(void)
{
    CHECK(setenv("TESSERA_TRANSPORT", "p2p", 1) == 0);
}

const char *tsrt_folder(void)
{
    const char *folder = getenv("TSRT_TMPDIR");
    return folder != NULL ? folder : ".";
}

/* ---- checks ---------------------------------------------------------------------------------- */

void tsrt_fail(const char *file, int line, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fflush(stdout);
    fprintf(stderr, "rank %d: %s:%d: %s\n", world_rank, file, line, text);
    fflush(stderr);
    ranks_stop();
}

void tsrt_check_status(tsr_status actual, tsr_status expected, const char *call, const char *file,
                       int line)
{
    if (actual == expected) return;
    tsrt_fail(file, line, "%s gave %s, expected %s; last failure: \"%s\"", call,
              tsr_status_name(actual), tsr_status_name(expected), tsr_error_text());
}

void tsrt_check_text(const char *part, const char *file, int line)
{
    if (strstr(tsr_error_text(), part) != NULL) return;
    tsrt_fail(file, line, "error text is \"%s\", expected \"%s\" in it", tsr_error_text(), part);
}

void tsrt_check_int(int64_t actual, int64_t expected, const char *what, const char *file, int line)
{
    if (actual == expected) return;
    tsrt_fail(file, line, "%s is %" PRId64 ", expected %" PRId64, what, actual, expected);
}

void tsrt_check_double(double actual, double expected, double tolerance, const char *what,
                       const char *file, int line)
{
    if (actual == expected || (isnan(actual) && isnan(expected))) return;
    if (fabs(actual - expected) <= tolerance) return;
    tsrt_fail(file, line, "%s is %.17g, expected %.17g within %g", what, actual, expected,
              tolerance);
}

void tsrt_check_str(const char *actual, const char *expected, const char *what, const char *file,
                    int line)
{
    if (actual == NULL) tsrt_fail(file, line, "%s is NULL, expected \"%s\"", what, expected);
    if (strcmp(actual, expected) == 0) return;
    tsrt_fail(file, line, "%s is \"%s\", expected \"%s\"", what, actual, expected);
}

void tsrt_check_same(int value, const char *what, const char *file, int line)
{
    int *values = calloc((size_t)world_size, sizeof *values);
    if (values == NULL) tsrt_fail(file, line, "no memory for %d values", world_size);
    gather_ints(value, values);
    for (int r = 1; r < world_size; ++r)
        if (values[r] != values[0])
            tsrt_fail(file, line, "%s is %d on rank 0 but %d on rank %d", what, values[0],
                      values[r], r);
    free(values);
}

void tsrt_skip(const char *reason)
{
    if (world_rank == 0) printf("skipped: %s\n", reason);
    skip();
}

/* ---- running --------------------------------------------------------------------------------- */

/* Signals that cmocka turns into a failed test.  On one rank of several that would leave the others
 * waiting, so tests run with the handlers the program started with. */
static const int fatal_signals[] = {SIGFPE, SIGILL, SIGSEGV, SIGBUS, SIGSYS};
enum { FATAL_SIGNALS = sizeof fatal_signals / sizeof fatal_signals[0] };
static struct sigaction original_action[FATAL_SIGNALS];

/* The state of a wrapped test is the test as its file wrote it. */
static void run_checked(void **state)
{
    const struct CMUnitTest *test = *state;
    void *own = test->initial_state;
    for (int i = 0; i < FATAL_SIGNALS; ++i)
        sigaction(fatal_signals[i], &original_action[i], NULL);

    const tsri_counters before = tsri_counters_read();
    if (test->setup_func != NULL) CHECK(test->setup_func(&own) == 0);
    test->test_func(&own);
    if (test->teardown_func != NULL) CHECK(test->teardown_func(&own) == 0);
    tsri_fault_arm(-1);

    const tsri_counters after = tsri_counters_read();
    if (after.live_blocks != before.live_blocks || after.live_requests != before.live_requests ||
        after.live_comms != before.live_comms || after.live_pieces != before.live_pieces ||
        after.live_attachments != before.live_attachments)
        tsrt_fail(__FILE__, __LINE__,
                  "%s leaves %" PRId64 " blocks, %" PRId64 " requests, %" PRId64
                  " communicators, %" PRId64 " pieces, %" PRId64 " attachments",
                  test->name, after.live_blocks - before.live_blocks,
                  after.live_requests - before.live_requests, after.live_comms - before.live_comms,
                  after.live_pieces - before.live_pieces,
                  after.live_attachments - before.live_attachments);
    tsrt_barrier(); /* no rank is still in the test when the next one begins */
}

/* Only rank 0 reports.  In TAP form cmocka writes to standard output alone, so standard error stays
 * open on every rank for failures. */
static void silence_other_ranks(void)
{
    if (world_rank == 0) return;
    if (freopen("/dev/null", "w", stdout) == NULL)
        tsrt_fail(__FILE__, __LINE__, "cannot open /dev/null");
    cmocka_set_message_output(CM_OUTPUT_TAP);
}

static int run_all(const char *name, const struct CMUnitTest *tests, size_t count)
{
    struct CMUnitTest *wrapped = calloc(count, sizeof *wrapped);
    if (wrapped == NULL) tsrt_fail(__FILE__, __LINE__, "no memory for %zu tests", count);
    for (size_t i = 0; i < count; ++i)
        wrapped[i] = (struct CMUnitTest){
            .name = tests[i].name, .test_func = run_checked, .initial_state = (void *)&tests[i]};
    const int failed = _cmocka_run_group_tests(name, wrapped, count, NULL, NULL);
    free(wrapped);
    return failed;
}

int tsrt_run(int argc, char **argv, const struct CMUnitTest *tests, size_t count)
{
    for (int i = 0; i < FATAL_SIGNALS; ++i)
        sigaction(fatal_signals[i], NULL, &original_action[i]);
    CHECK_OK(tsr_init(&argc, &argv));
    ranks_begin();
    silence_other_ranks();
    tsri_context *context = NULL;
    CHECK_OK(tsri_context_of(TSR_COMM_WORLD, &context));
    CHECK_OK(tsri_context_of(TSR_COMM_SELF, &context));

    const char *slash = strrchr(argv[0], '/');
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const int failed = run_all(slash != NULL ? slash + 1 : argv[0], tests, count);
    if (failed != 0) tsrt_fail(__FILE__, __LINE__, "%d assertions of cmocka failed", failed);

    ranks_end();
    CHECK_OK(tsr_finalize());
    const tsri_counters end = tsri_counters_read();
    CHECK_INT(end.live_blocks, 0);
    CHECK_INT(end.live_requests, 0);
    CHECK_INT(end.live_comms, 0);
    CHECK_INT(end.live_pieces, 0);
    CHECK_INT(end.live_attachments, 0);
    CHECK_INT(end.idle_comms, 0);
    return 0;
}
