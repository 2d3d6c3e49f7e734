#define _POSIX_C_SOURCE 200809L

#include "base/context.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/checked.h"
#include "base/comm.h"
#include "base/gate.h"
#include "base/net.h"
#include "base/registry.h"

/* What rank 0 tells all ranks of a new context. */
typedef struct welcome {
    tsri_settings settings;
    int64_t id;
    uint64_t name;
    tsri_orphans orphans;
} welcome;

/* What all ranks can do, one bit each. */
typedef struct common {
    uint64_t orphans, levels;
} common;

static void and_bits(void *left, const void *right)
{
    common a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    a.orphans &= b.orphans;
    a.levels &= b.levels;
    memcpy(left, &a, sizeof a);
}

static tsri_level best_of(uint64_t levels)
{
    tsri_level best = TSRI_BASELINE;
    for (tsri_level level = TSRI_BASELINE; level < TSRI_LEVEL_END; ++level)
        if ((levels >> level & 1u) != 0) best = level;
    return best;
}

/* Of this process, for one of its contexts. */
static uint64_t new_name(int64_t id)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    const int64_t parts[] = {id, (int64_t)getpid(), (int64_t)now.tv_sec, (int64_t)now.tv_nsec};
    return tsri_hash(TSRI_HASH_START, parts, sizeof parts);
}

/* Share rank 0's view, find the orphans that all ranks can free and the instructions that all have.
 */
static tsr_status introduce(tsri_context *fresh, tsri_orphans *orphans, uint64_t *agreed,
                            tsri_context **found)
{
    tsr_status st = TSR_OK;
    welcome w;

    memset(&w, 0, sizeof w);
    if (fresh->rank == 0) {
        if (fresh->base == NULL) st = tsri_settings_read(&w.settings);
        if (fresh->base != NULL) w.settings = fresh->base->settings;
        w.id = tsri_registry_new_id();
        w.name = new_name(w.id);
        tsri_registry_propose(fresh, &w.orphans);
    }
    tsri_keep(&st, tsri_bcast_record(fresh, &w, sizeof w, 0));
    fresh->settings = w.settings;
    fresh->id = w.id;
    fresh->name = w.name;
    *orphans = w.orphans;
    tsri_keep(&st, tsri_registry_match(fresh, orphans, agreed, found));
    common c = {.orphans = *agreed, .levels = (UINT64_C(2) << tsri_machine_level()) - 1};
    tsri_keep(&st, tsri_net_combine(fresh, &c, sizeof c, and_bits));
    *agreed = c.orphans;
    fresh->level = best_of(c.levels);
    return st;
}

/* Before it has a communicator of any kind. */
static const tsri_context blank = {
    .user = TSR_COMM_NULL, .comm = TSR_COMM_NULL, .own = TSR_COMM_NULL, .gate_comm = TSR_COMM_NULL};

/* Room for a context, and with a base for the ranks in it. */
static tsr_status allocate(const tsri_context *base, tsri_context **context)
{
    const size_t places = base == NULL ? 0 : (size_t)base->size;
    *context = tsri_alloc(1, sizeof **context + places * sizeof *(*context)->place);
    return *context != NULL
               ? TSR_OK
               : TSRI_FAIL(TSR_ERR_NOMEM, "no memory for what the library keeps of a communicator");
}

/* A context over draft.user, on a rank that may have failed before.  The new one is worked on in
 * `draft`, which cannot run out of memory: with it this rank can take part in everything, whatever
 * fails. */
static tsr_status create(tsri_context draft, tsr_status st, tsri_context **context)
{
    tsri_context *kept = NULL;
    tsri_orphans orphans;
    tsri_context *found[TSRI_MAX_ORPHANS];
    uint64_t agreed = 0;

    tsri_keep(&st, allocate(draft.base, &kept));
    tsri_keep(&st, tsri_comm_open(&draft));
    if (draft.comm == TSR_COMM_NULL) {
        tsri_free(kept);
        return st;
    }
    tsri_keep(&st, introduce(&draft, &orphans, &agreed, found));
    if (draft.settings.debug && draft.size > 1) tsri_keep(&st, tsri_gate_open(&draft));
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
    if (!tsri_registry_closed()) return TSR_OK;
    return TSRI_FAIL(TSR_ERR_STATE,
                     "tsr_finalize() has been called, call tsr_init() to begin anew");
}

tsr_status tsri_context_of(tsr_comm comm, tsri_context **context)
{
    tsr_status st = TSR_OK;
    *context = NULL;
    TSRI_TRY(done, tsri_comm_usable());
    TSRI_TRY(done, check_open());
    TSRI_TRY(done, tsri_comm_find(comm, context));
    if (*context == NULL) {
        tsri_context draft = blank;
        draft.user = comm;
        st = create(draft, TSR_OK, context);
    }
done:
    return st;
}

bool tsri_context_ended(void)
{
    return tsri_registry_closed();
}

tsri_context *tsri_context_find(tsr_comm comm)
{
    tsri_context *context = NULL;
    if (comm == TSR_COMM_NULL || tsri_registry_closed() || tsri_comm_usable() != TSR_OK ||
        tsri_comm_find(comm, &context) != TSR_OK)
        return NULL;
    return context;
}

tsr_status tsri_context_enter(tsr_comm comm, const char *call, tsri_context **context)
{
    tsri_error_enter(call);
    const tsr_status st = tsri_context_of(comm, context);
    return st == TSR_OK ? tsri_enter(*context, false, "%s", call) : st;
}

static bool is_own_order(const tsri_context *context, const int *place)
{
    for (int rank = 0; rank < context->size; ++rank)
        if (place[rank] != rank) return false;
    return true;
}

tsr_status tsri_context_reordered(tsri_context *base, const int *place, tsri_context **context)
{
    *context = is_own_order(base, place) ? base : tsri_registry_reordered(base, place);
    if (*context != NULL) return TSR_OK;

    tsri_context draft = blank;
    draft.base = base;
    tsr_status st = tsri_comm_split(base, place[base->rank], &draft.own);
    if (draft.own == TSR_COMM_NULL) return st;
    draft.user = draft.own;
    st = create(draft, st, context);
    if (st == TSR_OK) memcpy((*context)->place, place, (size_t)base->size * sizeof *place);
    return st;
}

tsri_context *tsri_context_base(tsri_context *context)
{
    return context->base != NULL ? context->base : context;
}

const int *tsri_context_places(const tsri_context *context)
{
    return context->base != NULL ? context->place : NULL;
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

uint64_t tsri_context_name(const tsri_context *context)
{
    return context->name;
}

int tsri_context_rank(const tsri_context *context)
{
    return context->rank;
}

int tsri_context_size(const tsri_context *context)
{
    return context->size;
}

void *tsri_context_team(const tsri_context *context)
{
    return context->team;
}

const tsri_nodes *tsri_nodes_known(const tsri_context *context)
{
    return context->nodes;
}

tsr_comm tsri_context_comm(const tsri_context *context)
{
    return context->user;
}

tsri_level tsri_context_level(const tsri_context *context)
{
    return context->level;
}

const tsri_settings *tsri_context_settings(const tsri_context *context)
{
    return &context->settings;
}

/* Blocks count as idle: no object holds them. */
void *tsri_context_scratch(tsri_context *context, int place, size_t bytes)
{
    void **const block = &context->scratch[place].block;
    size_t *const size = &context->scratch[place].bytes;

    if (*block != NULL && bytes <= *size && *size / 4 <= bytes) return *block;
    if (*block != NULL) tsri_count(TSRI_COUNT_IDLE_BLOCKS, -1);
    tsri_free_aligned(*block);
    *size = bytes + bytes / 8; /* a little more next time will do, too */
    *block = tsri_alloc_aligned(*size);
    if (*block != NULL) tsri_count(TSRI_COUNT_IDLE_BLOCKS, 1);
    return *block;
}
