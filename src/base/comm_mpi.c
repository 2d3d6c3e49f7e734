#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "base/comm.h"
#include "base/gate.h"
#include "base/mpi_call.h"
#include "base/registry.h"

/* Calls outside TSRI_MPI cannot fail on the handles they get, or their failure changes nothing. */

/* Guards the two below. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int context_key = MPI_KEYVAL_INVALID; /* a user's communicator to its context */
static bool hooked;                          /* MPI_COMM_SELF tells us when MPI ends */

tsr_status tsri_fail_mpi(int rc, const char *func, const char *file, int line, const char *call)
{
    char words[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (MPI_Error_string(rc, words, &length) != MPI_SUCCESS) words[0] = '\0';
    const int name = (int)strcspn(call, "(");
    return tsri_fail(TSR_ERR_MPI, func, file, line, "%.*s failed: %s", name, call, words);
}

tsr_status tsri_comm_usable(void)
{
    tsr_status st = TSR_OK;
    int started = 0, ended = 0, level = MPI_THREAD_SINGLE, main_thread = 0;

    MPI_Initialized(&started);
    TSRI_CHECK(done, started, TSR_ERR_STATE, "MPI is not running, call tsr_init() first");
    MPI_Finalized(&ended);
    TSRI_CHECK(done, !ended, TSR_ERR_STATE, "MPI has ended, only destroy functions may be called");
    MPI_Query_thread(&level);
    if (level < MPI_THREAD_SERIALIZED) MPI_Is_thread_main(&main_thread);
    TSRI_CHECK(done, level >= MPI_THREAD_SERIALIZED || main_thread, TSR_ERR_STATE,
               "called from a thread that is not MPI's main one, but MPI was started with a "
               "thread level below MPI_THREAD_SERIALIZED");
done:
    return st;
}

static int key_now(void)
{
    pthread_mutex_lock(&lock);
    const int key = context_key;
    pthread_mutex_unlock(&lock);
    return key;
}

static tsr_status find(tsr_comm user, tsri_context **context)
{
    tsr_status st = TSR_OK;
    const int key = key_now();
    int inter = 0, found = 0;
    void *value = NULL;

    TSRI_CHECK(done, user != TSR_COMM_NULL, TSR_ERR_VALUE,
               "comm is TSR_COMM_NULL, must be a communicator");
    TSRI_MPI(done, MPI_Comm_test_inter(user, &inter));
    TSRI_CHECK(done, !inter, TSR_ERR_UNSUPPORTED,
               "comm is an inter-communicator, must be an intra-communicator");
    if (key != MPI_KEYVAL_INVALID) TSRI_MPI(done, MPI_Comm_get_attr(user, key, &value, &found));
    if (found) *context = value;
done:
    return st;
}

/* Faults are not injected: there is no communicator yet over which to agree on one. */
tsr_status tsri_comm_find(tsr_comm user, tsri_context **context)
{
    tsri_fault_suspend();
    const tsr_status st = find(user, context);
    tsri_fault_resume();
    return st;
}

static tsr_status return_errors(MPI_Comm comm)
{
    tsr_status st = TSR_OK;
    TSRI_MPI(done, MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
done:
    return st;
}

/* A split, since a duplicate would copy the attributes that others have put on the user's
 * communicator. */
tsr_status tsri_comm_open(tsri_context *context)
{
    tsr_status st = TSR_OK;
    TSRI_MPI(opened, MPI_Comm_split(context->user, 0, 0, &context->comm));
opened:
    if (context->comm == MPI_COMM_NULL) return st;
    tsri_count(TSRI_COUNT_COMMS, 1);
    MPI_Comm_rank(context->comm, &context->rank);
    MPI_Comm_size(context->comm, &context->size);
    tsri_keep(&st, return_errors(context->comm));
    return st;
}

tsr_status tsri_comm_split(const tsri_context *context, int rank, tsr_comm *comm)
{
    tsr_status st = TSR_OK;
    *comm = MPI_COMM_NULL;
    TSRI_MPI(made, MPI_Comm_split(context->comm, 0, rank, comm));
made:
    if (*comm != MPI_COMM_NULL) tsri_count(TSRI_COUNT_COMMS, 1);
    return st;
}

void tsri_comm_free(tsr_comm *comm)
{
    if (*comm == MPI_COMM_NULL) return;
    MPI_Comm_free(comm);
    *comm = MPI_COMM_NULL;
    tsri_count(TSRI_COUNT_COMMS, -1);
}

void tsri_comm_close(tsri_context *context)
{
    if (tsri_gate_is_broken(context)) {
        context->comm = MPI_COMM_NULL; /* some rank is elsewhere: left, not waited for */
        return;
    }
    tsri_gate_close(context);
    tsri_comm_free(&context->comm);
    tsri_comm_free(&context->own);
}

static void meet_all(tsri_context *context)
{
    int met = 0;
    while (MPI_Test(&context->meeting, &met, MPI_STATUS_IGNORE) == MPI_SUCCESS && !met) {
        tsri_net_serve();
        sched_yield();
    }
}

/* All at once, as threads may have made the communicators in another order on each rank.  With the
 * debug gate on a rank may be missing, which the gate waits for no longer than it always does. */
void tsri_comm_meet(tsri_context *newest)
{
    for (tsri_context *c = newest; c != NULL; c = c->older) {
        c->meeting = MPI_REQUEST_NULL;
        if (c->size > 1 && !tsri_gate_is_on(c)) MPI_Ibarrier(c->comm, &c->meeting);
    }
    for (tsri_context *c = newest; c != NULL; c = c->older) {
        tsri_gate_last(c);
        meet_all(c);
    }
}

static int user_comm_freed(MPI_Comm user, int key, void *value, void *extra)
{
    (void)user;
    (void)key;
    (void)extra;
    tsri_registry_orphan(value);
    return MPI_SUCCESS;
}

static int mpi_ends(MPI_Comm self, int key, void *value, void *extra)
{
    (void)self;
    (void)key;
    (void)value;
    (void)extra;
    tsri_registry_close();
    return MPI_SUCCESS;
}

/* MPI_Finalize begins by deleting the attributes of MPI_COMM_SELF, while MPI still works. */
static tsr_status hook_locked(void)
{
    tsr_status st = TSR_OK;
    int key = MPI_KEYVAL_INVALID;
    if (hooked) return TSR_OK;
    TSRI_MPI(done, MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, mpi_ends, &key, NULL));
    TSRI_MPI(done, MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL));
    hooked = true;
done:
    if (key != MPI_KEYVAL_INVALID) MPI_Comm_free_keyval(&key);
    return st;
}

static tsr_status make_key_locked(void)
{
    tsr_status st = TSR_OK;
    if (context_key == MPI_KEYVAL_INVALID)
        TSRI_MPI(done, MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, user_comm_freed, &context_key,
                                              NULL));
done:
    return st;
}

tsr_status tsri_comm_attach(tsri_context *context)
{
    pthread_mutex_lock(&lock);
    tsr_status st = make_key_locked();
    tsri_keep(&st, hook_locked());
    pthread_mutex_unlock(&lock);
    if (st == TSR_OK) TSRI_MPI(done, MPI_Comm_set_attr(context->user, key_now(), context));
done:
    return st;
}

void tsri_comm_detach(tsri_context *context)
{
    const int key = key_now();
    void *value = NULL;
    int found = 0;
    if (context->user == MPI_COMM_NULL || key == MPI_KEYVAL_INVALID) return;
    MPI_Comm_get_attr(context->user, key, &value, &found);
    if (found) MPI_Comm_delete_attr(context->user, key);
}

void tsri_comm_end(void)
{
    pthread_mutex_lock(&lock);
    if (context_key != MPI_KEYVAL_INVALID) MPI_Comm_free_keyval(&context_key);
    pthread_mutex_unlock(&lock);
}

tsr_status tsri_comm_congruent(const tsri_context *a, const tsri_context *b, bool *congruent)
{
    tsr_status st = TSR_OK;
    int result = MPI_UNEQUAL;
    TSRI_MPI(done, MPI_Comm_compare(a->comm, b->comm, &result));
done:
    *congruent = result == MPI_CONGRUENT;
    return st;
}

static tsr_status translate(const tsri_context *from, MPI_Group from_group, MPI_Group to_group,
                            int *place, bool *same)
{
    tsr_status st = TSR_OK;
    int result = MPI_UNEQUAL, *ranks = NULL;

    TSRI_MPI(done, MPI_Group_compare(from_group, to_group, &result));
    *same = result != MPI_UNEQUAL;
    if (!*same) goto done;
    TSRI_ALLOC(done, ranks, from->size);
    for (int rank = 0; rank < from->size; ++rank)
        ranks[rank] = rank;
    TSRI_MPI(done, MPI_Group_translate_ranks(from_group, from->size, ranks, to_group, place));
done:
    tsri_free(ranks);
    return st;
}

tsr_status tsri_comm_translate(const tsri_context *from, const tsri_context *to, int *place,
                               bool *same)
{
    MPI_Group group[2] = {MPI_GROUP_NULL, MPI_GROUP_NULL};
    tsr_status st = TSR_OK;

    *same = false;
    TSRI_MPI(done, MPI_Comm_group(from->comm, &group[0]));
    TSRI_MPI(done, MPI_Comm_group(to->comm, &group[1]));
    st = translate(from, group[0], group[1], place, same);
done:
    for (int i = 0; i < 2; ++i)
        if (group[i] != MPI_GROUP_NULL) MPI_Group_free(&group[i]);
    return st;
}
