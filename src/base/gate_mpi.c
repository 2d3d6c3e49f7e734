#define _POSIX_C_SOURCE 200809L

#include "base/gate.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/comm.h"
#include "base/mpi_call.h"
#include "base/net.h"

/* Every rank tells rank 0 what it is about to do; rank 0 compares, and answers all. */

enum { NAME_BYTES = 144, LISTED_RANKS = 8, TAG_ARRIVAL = 1, TAG_VERDICT = 2 };

/* Others wait a little longer than rank 0, so that its verdict comes first. */
#define GRACE_S 0.5

enum { OF_ARGUMENTS, OF_DATA };

typedef struct {
    int64_t call; /* number of the collective call */
    uint64_t digest;
    int64_t of; /* of what the digest is */
    char name[NAME_BYTES];
} arrival;

typedef struct {
    int status;
    int broken; /* some rank did not come: no later call will do better */
    char text[TSRI_TEXT_BYTES];
} verdict;

/* MPI's buffers must live until their messages are through, which after a time-out is never; so
 * they are kept here.  One block of memory. */
struct tsri_gate {
    int64_t calls;
    arrival mine;
    verdict last; /* once broken, the answer to every call */
    verdict answered;
    MPI_Request *request; /* of arrivals: on rank 0 [size]; elsewhere one */
    MPI_Request *answer;  /* of verdicts, likewise */
    arrival others[];     /* likewise; on rank 0 those of all ranks */
};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Wait until all requests are complete, or for a time; returns how many are not. */
static int wait_until(int count, MPI_Request *requests, double deadline)
{
    for (int polls = 0;; ++polls) {
        int waiting = 0;
        for (int i = 0; i < count; ++i) {
            int done = 1;
            if (requests[i] != MPI_REQUEST_NULL) MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
            waiting += !done;
        }
        if (waiting == 0 || now_s() > deadline) return waiting;
        tsri_net_serve();
        if (polls > 100) nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
}

/* Append to a text that may be full. */
static void append(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, TSRI_TEXT_BYTES - used, format, args);
    va_end(args);
}

static void list_ranks(char *text, const struct tsri_gate *gate, int size,
                       bool (*listed)(const struct tsri_gate *gate, int rank))
{
    int count = 0;
    for (int r = 0; r < size; ++r) {
        if (!listed(gate, r)) continue;
        if (count < LISTED_RANKS) append(text, "%s%d", count > 0 ? ", " : "", r);
        if (count == LISTED_RANKS) append(text, ", ...");
        ++count;
    }
}

static bool is_missing(const struct tsri_gate *gate, int rank)
{
    return rank > 0 && gate->request[rank] != MPI_REQUEST_NULL;
}

static bool has_other_data(const struct tsri_gate *gate, int rank)
{
    return gate->others[rank].digest != gate->others[0].digest;
}

static bool in_other_call(const arrival *a, const arrival *b)
{
    return a->call != b->call || strcmp(a->name, b->name) != 0;
}

/* Rank 0: what each rank is in, as far as there is room. */
static void list_calls(char *text, const struct tsri_gate *gate, int size)
{
    for (int r = 0; r < size && r < LISTED_RANKS; ++r)
        append(text, "%srank %d: %s (call %lld)", r > 0 ? ", " : "", r, gate->others[r].name,
               (long long)gate->others[r].call);
    if (size > LISTED_RANKS) append(text, ", ...");
}

static verdict judge_missing(const struct tsri_gate *gate, int size, int missing, double limit)
{
    verdict v = {.status = TSR_ERR_GATE, .broken = 1};
    append(v.text, "rank 0 waited %g s in %s (collective call %lld) for rank%s ", limit,
           gate->mine.name, (long long)gate->mine.call, missing > 1 ? "s" : "");
    list_ranks(v.text, gate, size, is_missing);
    append(v.text, " [%s]", tsr_status_name(v.status));
    return v;
}

static verdict judge_all(const struct tsri_gate *gate, int size)
{
    verdict v = {.status = TSR_OK};
    bool other_call = false, other_data = false;

    for (int r = 1; r < size; ++r) {
        other_call = other_call || in_other_call(&gate->others[r], &gate->others[0]);
        other_data = other_data || has_other_data(gate, r);
    }
    if (other_call) {
        v.status = TSR_ERR_GATE;
        append(v.text, "the ranks are in different collective calls: ");
        list_calls(v.text, gate, size);
    } else if (other_data) {
        const bool of_data = gate->mine.of == OF_DATA;
        v.status = of_data ? TSR_ERR_VALUE : TSR_ERR_GATE;
        append(v.text, "%s: different %s on ranks [", gate->mine.name,
               of_data ? "data" : "arrays or options");
        list_ranks(v.text, gate, size, has_other_data);
        append(v.text, "], must be the same as on rank 0");
    }
    if (v.status != TSR_OK) append(v.text, " [%s]", tsr_status_name(v.status));
    return v;
}

static void meet_as_root(tsri_context *context)
{
    struct tsri_gate *gate = context->gate;
    const double limit = context->settings.debug_timeout_s;
    const int size = context->size;

    gate->others[0] = gate->mine;
    gate->request[0] = MPI_REQUEST_NULL;
    for (int r = 1; r < size; ++r)
        MPI_Irecv(&gate->others[r], sizeof gate->mine, MPI_BYTE, r, TAG_ARRIVAL, context->gate_comm,
                  &gate->request[r]);
    const int missing = wait_until(size, gate->request, now_s() + limit);
    gate->last = missing > 0 ? judge_missing(gate, size, missing, limit) : judge_all(gate, size);
    for (int r = 1; r < size; ++r)
        if (gate->request[r] == MPI_REQUEST_NULL)
            MPI_Isend(&gate->last, sizeof gate->last, MPI_BYTE, r, TAG_VERDICT, context->gate_comm,
                      &gate->answer[r]);
    (void)wait_until(size, gate->answer, now_s() + limit);
}

static void meet_as_other(tsri_context *context)
{
    struct tsri_gate *gate = context->gate;
    const double limit = context->settings.debug_timeout_s;

    MPI_Irecv(&gate->answered, sizeof gate->answered, MPI_BYTE, 0, TAG_VERDICT, context->gate_comm,
              &gate->answer[0]);
    MPI_Isend(&gate->mine, sizeof gate->mine, MPI_BYTE, 0, TAG_ARRIVAL, context->gate_comm,
              &gate->request[0]);
    const double deadline = now_s() + limit + GRACE_S;
    if (wait_until(1, gate->answer, deadline) + wait_until(1, gate->request, deadline) == 0) {
        gate->last = gate->answered;
        return;
    }
    gate->last = (verdict){.status = TSR_ERR_GATE, .broken = 1};
    append(gate->last.text, "rank %d waited %g s in %s (collective call %lld) for rank 0 [%s]",
           context->rank, limit, gate->mine.name, (long long)gate->mine.call,
           tsr_status_name(TSR_ERR_GATE));
}

/* The outcome is the gate's last. */
static void come(tsri_context *context, int of, uint64_t digest, const char *name)
{
    struct tsri_gate *gate = context->gate;

    if (gate->last.broken) return;
    memset(&gate->mine, 0, sizeof gate->mine);
    gate->mine.call = ++gate->calls;
    gate->mine.of = of;
    gate->mine.digest = digest;
    snprintf(gate->mine.name, sizeof gate->mine.name, "%s", name);
    if (context->rank == 0)
        meet_as_root(context);
    else
        meet_as_other(context);
}

static tsr_status meet(tsri_context *context, int of, uint64_t digest, const char *name)
{
    struct tsri_gate *gate = context->gate;

    come(context, of, digest, name);
    if (gate->last.status != TSR_OK) tsri_error_set(gate->last.text, context->rank == 0);
    return gate->last.status;
}

/* ---- for the rest of the library ------------------------------------------------------------- */

bool tsri_gate_is_on(const tsri_context *context)
{
    return context->gate != NULL;
}

int64_t tsri_gate_calls(const tsri_context *context)
{
    return context->gate == NULL ? 0 : context->gate->calls;
}

bool tsri_gate_is_broken(const tsri_context *context)
{
    return context->gate != NULL && context->gate->last.broken;
}

/* Into a call, whose name is the format's first argument. */
static tsr_status enter(tsri_context *context, bool meets, uint64_t arguments, const char *format,
                        va_list args)
{
    char name[NAME_BYTES];
    va_list first;

    va_copy(first, args);
    context->call = va_arg(first, const char *);
    va_end(first);
    tsri_error_enter(context->call);
    const tsr_status st = tsri_context_check(context);
    if (st != TSR_OK || !meets || context->gate == NULL) return st;
    vsnprintf(name, sizeof name, format, args);
    return meet(context, OF_ARGUMENTS, arguments, name);
}

tsr_status tsri_enter(tsri_context *context, bool local, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const tsr_status st = enter(context, !local, 0, format, args);
    va_end(args);
    return st;
}

tsr_status tsri_enter_with(tsri_context *context, uint64_t arguments, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const tsr_status st = enter(context, true, arguments, format, args);
    va_end(args);
    return st;
}

tsr_status tsri_gate_same_data(tsri_context *context, const char *call, uint64_t digest)
{
    return context->gate == NULL ? TSR_OK : meet(context, OF_DATA, digest, call);
}

void tsri_gate_last(tsri_context *context)
{
    if (context->gate != NULL) come(context, OF_ARGUMENTS, 0, "tsr_finalize");
}

static tsr_status allocate(int count, struct tsri_gate **gate)
{
    const size_t each = sizeof(arrival) + 2 * sizeof(MPI_Request);
    struct tsri_gate *made = tsri_alloc(1, sizeof *made + (size_t)count * each);

    if (made == NULL)
        return TSRI_FAIL(TSR_ERR_NOMEM, "no memory for the debug checks of %d ranks", count);
    made->request = (MPI_Request *)&made->others[count];
    made->answer = made->request + count;
    for (int i = 0; i < count; ++i)
        made->request[i] = made->answer[i] = MPI_REQUEST_NULL;
    *gate = made;
    return TSR_OK;
}

tsr_status tsri_gate_open(tsri_context *context)
{
    tsr_status st = allocate(context->rank == 0 ? context->size : 1, &context->gate);
    tsri_keep(&st, tsri_comm_split(context, context->rank, &context->gate_comm));
    return st;
}

void tsri_gate_close(tsri_context *context)
{
    if (tsri_gate_is_broken(context)) return;
    tsri_comm_free(&context->gate_comm);
    tsri_free(context->gate);
    context->gate = NULL;
}
