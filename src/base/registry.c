#define _POSIX_C_SOURCE 200809L

#include "base/registry.h"

#include <pthread.h>
#include <string.h>

/* Guards everything here, and the fields of contexts that change.  Not held while MPI may call
 * back. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tsri_context *newest;
static int64_t last_id;
static int64_t last_serial;
static int64_t last_proposed;
static bool closed;

/* A listed context that no object uses counts as idle, with all that is kept with it. */
static void count_idle(const tsri_context *context, int amount)
{
    if (!context->listed || context->refs > 0) return;
    const int comms = 1 + (context->own != TSR_COMM_NULL) + (context->gate_comm != TSR_COMM_NULL);
    const int blocks =
        1 + (context->nodes != NULL) + (context->team != NULL) + (context->gate != NULL);
    tsri_count(TSRI_COUNT_IDLE_COMMS, comms * amount);
    tsri_count(TSRI_COUNT_IDLE_BLOCKS, blocks * amount);
}

static void free_team(tsri_context *context)
{
    if (context->team != NULL) context->team_free(context->team);
    context->team = NULL;
}

static void context_free(tsri_context *context)
{
    tsri_numbers_free(&context->numbers);
    for (int k = 0; k < TSRI_SCRATCHES; ++k) {
        if (context->scratch[k].block != NULL) tsri_count(TSRI_COUNT_IDLE_BLOCKS, -1);
        tsri_free_aligned(context->scratch[k].block);
    }
    tsri_free(context->nodes);
    tsri_free(context);
}

static void unlink_locked(tsri_context *context)
{
    if (context->older != NULL) context->older->newer = context->newer;
    if (context->newer != NULL) context->newer->older = context->older;
    if (newest == context) newest = context->older;
    context->older = context->newer = NULL;
    count_idle(context, -1);
    context->listed = false;
}

void tsri_registry_add(tsri_context *context)
{
    pthread_mutex_lock(&lock);
    context->older = newest;
    if (newest != NULL) newest->newer = context;
    newest = context;
    context->listed = true;
    context->serial = ++last_serial;
    count_idle(context, 1);
    pthread_mutex_unlock(&lock);
}

void tsri_registry_orphan(tsri_context *context)
{
    pthread_mutex_lock(&lock);
    context->orphan = true;
    context->user = TSR_COMM_NULL;
    pthread_mutex_unlock(&lock);
}

int64_t tsri_registry_new_id(void)
{
    pthread_mutex_lock(&lock);
    const int64_t id = ++last_id;
    pthread_mutex_unlock(&lock);
    return id;
}

tsri_context *tsri_context_ref(tsri_context *context)
{
    pthread_mutex_lock(&lock);
    count_idle(context, -1);
    ++context->refs;
    pthread_mutex_unlock(&lock);
    return context;
}

/* Local, so a communicator no longer used waits in the registry for all ranks to free it. */
void tsri_context_unref(tsri_context *context)
{
    if (context == NULL) return;
    pthread_mutex_lock(&lock);
    const bool last = --context->refs == 0 && context->comm == TSR_COMM_NULL;
    count_idle(context, 1);
    pthread_mutex_unlock(&lock);
    if (last) context_free(context);
}

void tsri_registry_keep_nodes(tsri_context *context, tsri_nodes *nodes)
{
    pthread_mutex_lock(&lock);
    count_idle(context, -1);
    context->nodes = nodes;
    count_idle(context, 1);
    pthread_mutex_unlock(&lock);
}

void tsri_context_keep_team(tsri_context *context, void *team, void (*free_it)(void *team))
{
    pthread_mutex_lock(&lock);
    count_idle(context, -1);
    context->team = team;
    context->team_free = free_it;
    count_idle(context, 1);
    pthread_mutex_unlock(&lock);
}

tsri_context *tsri_registry_reordered(const tsri_context *base, const int *place)
{
    pthread_mutex_lock(&lock);
    tsri_context *c = newest;
    while (c != NULL &&
           (c->base != base || memcmp(c->place, place, (size_t)base->size * sizeof *place) != 0))
        c = c->older;
    pthread_mutex_unlock(&lock);
    return c;
}

/* The newest context of the same ranks in another order; they go when their base goes. */
static tsri_context *reordered_of(const tsri_context *base)
{
    tsri_context *c = newest;
    while (c != NULL && c->base != base)
        c = c->older;
    return c;
}

static bool collectable(const tsri_context *context, const tsri_context *fresh)
{
    if (!context->orphan || context->base != NULL || context->size != fresh->size) return false;
    for (const tsri_context *c = newest; c != NULL; c = c->older)
        if (c->refs > 0 && (c == context || c->base == context)) return false;
    return true;
}

/* Orphans that some rank still uses are asked for again and again, so each creation begins where
 * the one before ended: none is passed over for ever. */
void tsri_registry_propose(const tsri_context *fresh, tsri_orphans *orphans)
{
    pthread_mutex_lock(&lock);
    const int64_t begin = last_proposed;
    orphans->count = 0;
    for (int pass = 0; pass < 2; ++pass) {
        tsri_context *c = newest;
        while (c != NULL && c->older != NULL)
            c = c->older;
        for (; c != NULL && orphans->count < TSRI_MAX_ORPHANS; c = c->newer) {
            if (c->rank != 0 || c->proposed || !collectable(c, fresh)) continue;
            if ((c->id > begin) != (pass == 0)) continue;
            c->proposed = true;
            orphans->ids[orphans->count++] = c->id;
            last_proposed = c->id;
        }
    }
    pthread_mutex_unlock(&lock);
}

/* The orphan with this id; an orphan of other ranks may have the same id from another rank 0. */
static tsr_status find_orphan(const tsri_context *fresh, int64_t id, tsri_context **found)
{
    tsr_status st = TSR_OK;
    *found = NULL;
    for (tsri_context *c = newest; c != NULL && *found == NULL; c = c->older) {
        if (c->id != id || !collectable(c, fresh)) continue;
        bool congruent = false;
        tsri_keep(&st, tsri_comm_congruent(c, fresh, &congruent));
        if (congruent) *found = c;
    }
    return st;
}

tsr_status tsri_registry_match(const tsri_context *fresh, const tsri_orphans *orphans,
                               uint64_t *matches, tsri_context **found)
{
    tsr_status st = TSR_OK;
    *matches = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < orphans->count; ++i) {
        tsri_keep(&st, find_orphan(fresh, orphans->ids[i], &found[i]));
        if (found[i] != NULL) *matches |= (uint64_t)1 << i;
    }
    pthread_mutex_unlock(&lock);
    return st;
}

/* Close a context that nobody uses, after those that have it as their base. */
static void collect(tsri_context *context)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        tsri_context *const reordered = reordered_of(context);
        tsri_context *const next = reordered != NULL ? reordered : context;
        unlink_locked(next);
        pthread_mutex_unlock(&lock);
        tsri_comm_detach(next);
        free_team(next);
        tsri_comm_close(next);
        context_free(next);
        if (next == context) return;
    }
}

/* Those about to be freed stay proposed, so that no other thread proposes them meanwhile. */
void tsri_registry_settle(const tsri_context *fresh, const tsri_orphans *orphans, uint64_t agreed,
                          tsri_context *const *found)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < orphans->count && fresh->rank == 0; ++i)
        for (tsri_context *c = newest; c != NULL && (agreed >> i & 1) == 0; c = c->older)
            if (c->rank == 0 && c->id == orphans->ids[i]) c->proposed = false;
    pthread_mutex_unlock(&lock);

    for (int i = 0; i < orphans->count; ++i)
        if (agreed >> i & 1) collect(found[i]);
}

static tsri_context *take_newest(void)
{
    pthread_mutex_lock(&lock);
    tsri_context *context = newest;
    if (context != NULL) unlink_locked(context);
    pthread_mutex_unlock(&lock);
    return context;
}

void tsri_registry_close(void)
{
    if (tsri_registry_closed()) return;
    tsri_comm_meet(newest);
    tsri_live_release_all();
    for (tsri_context *c = take_newest(); c != NULL; c = take_newest()) {
        tsri_context_ref(c);
        tsri_comm_detach(c);
        free_team(c);
        tsri_comm_close(c);
        tsri_context_unref(c); /* frees it unless an object still holds it */
    }
    tsri_comm_end();
    pthread_mutex_lock(&lock);
    closed = true;
    pthread_mutex_unlock(&lock);
}

void tsri_registry_open(void)
{
    pthread_mutex_lock(&lock);
    closed = false;
    pthread_mutex_unlock(&lock);
}

bool tsri_registry_closed(void)
{
    pthread_mutex_lock(&lock);
    const bool is = closed;
    pthread_mutex_unlock(&lock);
    return is;
}
