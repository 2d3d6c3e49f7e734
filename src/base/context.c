#include "base/context.h"

#include <string.h>

#include "base/comm.h"
#include "base/net.h"
#include "base/registry.h"

/* What rank 0 tells all ranks of a new context. */
typedef struct welcome {
    tsri_settings settings;
    int64_t id;
    tsri_orphans orphans;
} welcome;

static void and_bits(void *left, const void *right)
{
    uint64_t a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    a &= b;
    memcpy(left, &a, sizeof a);
}

/* Share rank 0's view and find the orphans that all ranks can free. */
static tsr_status introduce(tsri_context *fresh, tsri_orphans *orphans, uint64_t *agreed,
                            tsri_context **found)
{
    tsr_status st = TSR_OK;
    welcome w;

    memset(&w, 0, sizeof w);
    if (fresh->rank == 0) {
        st = tsri_settings_read(&w.settings);
        w.id = tsri_registry_new_id();
        tsri_registry_propose(fresh, &w.orphans);
    }
    tsri_keep(&st, tsri_bcast_record(fresh, &w, sizeof w, 0));
    fresh->settings = w.settings;
    fresh->id = w.id;
    *orphans = w.orphans;
    tsri_keep(&st, tsri_registry_match(fresh, orphans, agreed, found));
    tsri_keep(&st, tsri_net_combine(fresh, agreed, sizeof *agreed, and_bits));
    return st;
}

/* The new context is worked on in `draft`, which cannot run out of memory: with it this rank can
 * take part in everything, whatever fails. */
static tsr_status create(tsr_comm user, tsri_context **context)
{
    tsr_status st = TSR_OK;
    tsri_context draft = {.user = user, .comm = TSR_COMM_NULL}, *kept = NULL;
    tsri_orphans orphans;
    tsri_context *found[TSRI_MAX_ORPHANS];
    uint64_t agreed = 0;

    TSRI_ALLOC(open, kept, 1);
open:
    tsri_keep(&st, tsri_comm_open(&draft));
    if (draft.comm == TSR_COMM_NULL) {
        tsri_free(kept);
        return st;
    }
    tsri_keep(&st, introduce(&draft, &orphans, &agreed, found));
    if (kept != NULL) {
        *kept = draft;
        tsri_keep(&st, tsri_comm_attach(kept));
    }

    st = tsri_agree(&draft, st, 0);
    tsri_registry_settle(&draft, &orphans, st == TSR_OK ? agreed : 0, found);
    if (st == TSR_OK) {
        tsri_registry_add(kept);
        *context = kept;
    } else {
        if (kept != NULL) tsri_comm_detach(kept);
        tsri_comm_close(&draft);
        tsri_free(kept);
    }
    return st;
}

static tsr_status check_open(void)
{
    return tsri_registry_closed() ? TSRI_FAIL(TSR_ERR_STATE, "tsr_finalize() has been called")
                                  : TSR_OK;
}

tsr_status tsri_context_of(tsr_comm comm, tsri_context **context)
{
    tsr_status st = TSR_OK;
    *context = NULL;
    TSRI_TRY(done, tsri_comm_usable());
    TSRI_TRY(done, check_open());
    TSRI_TRY(done, tsri_comm_find(comm, context));
    if (*context == NULL) st = create(comm, context);
done:
    return st;
}

tsr_status tsri_context_check(const tsri_context *context)
{
    tsr_status st = TSR_OK;
    TSRI_CHECK(done, context->comm != TSR_COMM_NULL, TSR_ERR_STATE,
               "the library or MPI has ended, only destroy functions may be called");
    st = tsri_comm_usable();
done:
    return st;
}

int tsri_context_rank(const tsri_context *context)
{
    return context->rank;
}

int tsri_context_size(const tsri_context *context)
{
    return context->size;
}

tsr_comm tsri_context_comm(const tsri_context *context)
{
    return context->user;
}

const tsri_settings *tsri_context_settings(const tsri_context *context)
{
    return &context->settings;
}
