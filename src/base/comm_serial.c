/* Communicators without MPI: the world and self, each of one rank. */
#include "base/comm.h"
#include "base/registry.h"

struct tsr_serial_comm {
    tsri_context **context;
};

static tsri_context *contexts[2];
const struct tsr_serial_comm tsr_serial_world = {&contexts[0]};
const struct tsr_serial_comm tsr_serial_self = {&contexts[1]};

tsr_status tsri_comm_usable(void)
{
    return TSR_OK;
}

tsr_status tsri_comm_find(tsr_comm user, tsri_context **context)
{
    tsr_status st = TSR_OK;
    TSRI_CHECK(done, user != TSR_COMM_NULL, TSR_ERR_VALUE,
               "comm is TSR_COMM_NULL, must be a communicator");
    TSRI_CHECK(done, user == TSR_COMM_WORLD || user == TSR_COMM_SELF, TSR_ERR_VALUE,
               "comm is neither TSR_COMM_WORLD nor TSR_COMM_SELF");
    *context = *user->context;
done:
    return st;
}

tsr_status tsri_comm_open(tsri_context *context)
{
    context->comm = context->user;
    context->size = 1;
    tsri_count(TSRI_COUNT_COMMS, 1);
    return TSR_OK;
}

/* One rank has one order, so this is not reached. */
tsr_status tsri_comm_split(const tsri_context *context, int rank, tsr_comm *comm)
{
    (void)context;
    *comm = TSR_COMM_NULL;
    return TSRI_FAIL(TSR_ERR_INTERNAL, "rank %d of a new order, but there is one rank", rank);
}

void tsri_comm_close(tsri_context *context)
{
    context->comm = TSR_COMM_NULL;
    tsri_count(TSRI_COUNT_COMMS, -1);
}

tsr_status tsri_comm_attach(tsri_context *context)
{
    *context->user->context = context;
    return TSR_OK;
}

void tsri_comm_detach(tsri_context *context)
{
    *context->user->context = NULL;
    context->user = TSR_COMM_NULL;
}

void tsri_comm_meet(tsri_context *newest)
{
    (void)newest;
}

void tsri_comm_end(void)
{
}

tsr_status tsri_comm_congruent(const tsri_context *a, const tsri_context *b, bool *congruent)
{
    *congruent = a->user == b->user;
    return TSR_OK;
}

tsr_status tsri_comm_translate(const tsri_context *from, const tsri_context *to, int *place,
                               bool *same)
{
    (void)from, (void)to;
    place[0] = 0;
    *same = true;
    return TSR_OK;
}

void tsri_comm_abort(void)
{
}

tsr_status tsr_init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    tsri_registry_open();
    return TSR_OK;
}

tsr_status tsr_finalize(void)
{
    tsri_registry_close();
    return TSR_OK;
}
