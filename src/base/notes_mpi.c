#define _POSIX_C_SOURCE 200809L

#include "base/notes.h"

#include <sched.h>
#include <stdlib.h>

#include "base/comm.h"
#include "base/mpi_call.h"

/* An exchange under way. */
typedef struct consensus {
    tsri_context *context;
    size_t bytes;       /* of a note, in a message */
    MPI_Request *sends; /* NULL: this rank sends nothing */
    int count, sent;    /* how many, and how many of them are known to have been received */
    MPI_Request barrier;
    bool in_barrier, over;
    tsri_notes *received;
    tsr_status st;
} consensus;

static tsr_status give(consensus *c, const tsri_note *note, MPI_Request *request)
{
    tsr_status st = TSR_OK;
    *request = MPI_REQUEST_NULL;
    tsri_count(TSRI_COUNT_MESSAGES, 1);
    tsri_count(TSRI_COUNT_MESSAGE_BYTES, (int64_t)c->bytes);
    TSRI_MPI(done, MPI_Issend(&note->number, (int)c->bytes, MPI_BYTE, (int)note->rank,
                              TSRI_TAG_NOTE, c->context->comm, request));
done:
    return st;
}

static tsr_status keep(tsri_notes *notes, tsri_note note)
{
    tsr_status st = TSR_OK;

    TSRI_GROW(done, notes->item, notes->count, notes->room, 16);
    notes->item[notes->count++] = note;
done:
    return st;
}

/* Without memory to keep it, a note is received all the same: its sender waits for that. */
static tsr_status take(consensus *c, int source)
{
    tsr_status st = TSR_OK;
    tsri_note note = {.rank = source};
    TSRI_MPI(done, MPI_Recv(&note.number, (int)c->bytes, MPI_BYTE, source, TSRI_TAG_NOTE,
                            c->context->comm, MPI_STATUS_IGNORE));
    if (c->st == TSR_OK) st = keep(c->received, note);
done:
    return st;
}

/* Whether there was one. */
static bool take_any(consensus *c)
{
    MPI_Status status;
    int waiting = 0;
    const int rc = MPI_Iprobe(MPI_ANY_SOURCE, TSRI_TAG_NOTE, c->context->comm, &waiting, &status);
    if (rc != MPI_SUCCESS) {
        tsri_keep(&c->st, tsri_fail_mpi(rc, __func__, __FILE__, __LINE__, "MPI_Iprobe"));
        c->over = true;
    } else if (waiting) {
        tsri_keep(&c->st, take(c, status.MPI_SOURCE));
    }
    return waiting;
}

static tsr_status enter_barrier(consensus *c)
{
    tsr_status st = TSR_OK;
    c->in_barrier = true;
    TSRI_MPI(done, MPI_Ibarrier(c->context->comm, &c->barrier));
done:
    return st;
}

static tsr_status leave_barrier(consensus *c)
{
    tsr_status st = TSR_OK;
    bool complete = false;
    TSRI_TRY(done, tsri_net_test(c->context, 1, &c->barrier, &complete));
done:
    c->over = complete || st != TSR_OK;
    return st;
}

/* A failure to test is a failure of MPI itself: there is nothing to wait for. */
static tsr_status advance(consensus *c)
{
    int received = 1, rc = MPI_SUCCESS;

    if (c->in_barrier) return leave_barrier(c);
    while (c->sent < c->count && received && rc == MPI_SUCCESS) {
        rc = MPI_Test(&c->sends[c->sent], &received, MPI_STATUS_IGNORE);
        c->sent += received || rc != MPI_SUCCESS;
    }
    if (rc != MPI_SUCCESS) return tsri_fail_mpi(rc, __func__, __FILE__, __LINE__, "MPI_Test");
    return c->sent == c->count ? enter_barrier(c) : TSR_OK;
}

static int by_rank(const void *left, const void *right)
{
    const tsri_note *a = left, *b = right;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

tsr_status tsri_notes_exchange(tsri_context *context, int count, const tsri_note *notes,
                               size_t more, tsri_notes *received)
{
    consensus c = {.context = context,
                   .bytes = sizeof notes->number + more,
                   .barrier = MPI_REQUEST_NULL,
                   .received = received};

    if (context->size == 1) return TSR_OK;
    c.st = tsri_context_check(context);
    if (c.st != TSR_OK) return c.st;
    c.sends = tsri_alloc((size_t)count, sizeof *c.sends);
    if (c.sends == NULL)
        c.st = TSRI_FAIL(TSR_ERR_NOMEM, "no memory for messages to %d ranks", count);
    for (; c.sends != NULL && c.count < count; ++c.count)
        tsri_keep(&c.st, give(&c, &notes[c.count], &c.sends[c.count]));
    while (!c.over) {
        const bool busy = take_any(&c);
        if (!c.over) tsri_keep(&c.st, advance(&c));
        if (busy || c.over) continue;
        tsri_net_serve();
        sched_yield();
    }
    tsri_free(c.sends);
    if (received->count > 0)
        qsort(received->item, (size_t)received->count, sizeof *received->item, by_rank);
    return c.st;
}
