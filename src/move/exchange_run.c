/* Running exchanges.
 *
 * The exchanges that are under way in this process are in one list.  Whoever waits for anything
 * serves all of them: takes what has arrived and says so to the ranks that it came from.  So a rank
 * that is late with a finish, or finishes in another order, keeps nobody waiting while it waits
 * itself. */
#define _POSIX_C_SOURCE 200809L

#include "base/gate.h"
#include "base/memory.h"
#include "kern/kern.h"
#include "move/exchange_parts.h"

#include <pthread.h>

/* Guards the list and what the exchanges in it have done. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tsri_exchange *newest;
static atomic_int under_way;

/* ---- cells ----------------------------------------------------------------------------------- */

/* Cells that are packed in this run may lie further on in their buffer than the step says.  Without
 * a target nothing is written here: another rank writes the copy that both have. */
static void copy_step(const tsri_exchange *e, const tsri_step *s, size_t target_shift,
                      size_t source_shift)
{
    if (s->target == NULL) return;
    const tsri_kern *kern = tsri_kern_get();
    (e->copied_bytes < TSRI_STREAM_BYTES ? kern->copy : kern->stream)(
        e->item[s->item].size, s->ndim, s->extent, s->target + target_shift, s->target_stride,
        s->source + source_shift, s->source_stride);
}

static void add_step(const tsri_exchange *e, const tsri_step *s)
{
    if (s->target == NULL) return;
    tsri_kern_get()->add(e->item[s->item].dtype, s->ndim, s->extent, s->target, s->target_stride,
                         s->source, s->source_stride);
}

static void copy_steps(const tsri_exchange *e, const tsri_step *steps, int count,
                       size_t source_shift)
{
    for (int k = 0; k < count; ++k)
        copy_step(e, &steps[k], 0, source_shift);
}

/* What is read where it lies is not packed. */
static void pack(const tsri_exchange *e, const tsri_link *link)
{
    const size_t shift = tsri_link_shift(e, link);
    for (int k = link->first_step; k < link->first_step + link->nsteps; ++k)
        copy_step(e, &e->send.step[k], shift, 0);
}

/* ---- progress -------------------------------------------------------------------------------- */

static bool is_there(const tsri_exchange *e, const tsri_link *link)
{
    return link->shared ? tsri_flag_is_raised(link->waits, e->run) : link->there;
}

static bool all_there(const tsri_exchange *e)
{
    if (!e->received.complete) return false;
    for (int k = 0; k < e->receive.count; ++k)
        if (!is_there(e, &e->receive.item[k])) return false;
    return true;
}

/* Read what a peer has for this rank, which it may not overwrite before, and say so.  Contributions
 * are not added yet, and those in messages are kept where they are. */
static void take(tsri_exchange *e, tsri_link *link, bool writes)
{
    if (link->fetched != NULL)
        tsri_fetch_lines(link->fetched + tsri_link_shift(e, link), link->bytes);
    if (writes && (e->combine == TSRI_REPLACE || link->shared))
        copy_steps(e, &e->receive.step[link->first_step], link->nsteps, tsri_link_shift(e, link));
    if (link->shared) tsri_flag_raise(link->raises, e->run);
    link->taken = true;
}

/* Take what has arrived.  What failed writes nothing, but answers. */
static void take_arrived(tsri_exchange *e)
{
    const bool writes = e->failure == TSR_OK && !e->abandoned;

    if (e->held && writes) return;
    if (!e->own_moved && writes && e->combine == TSRI_REPLACE)
        copy_steps(e, e->receive.step, e->nown, 0);
    e->own_moved = true;
    bool all = true;
    for (int k = 0; k < e->receive.count; ++k) {
        tsri_link *link = &e->receive.item[k];
        if (!link->taken && is_there(e, link)) take(e, link, writes);
        all = all && link->taken;
    }
    if (!all || e->late_moved) return;
    if (writes && e->combine == TSRI_REPLACE)
        copy_steps(e, &e->receive.step[e->first_late], e->receive.nsteps - e->first_late, 0);
    e->late_moved = true;
}

static void progress(tsri_exchange *e)
{
    const tsr_status st = tsri_p2p_progress(e);
    if (e->failure == TSR_OK) e->failure = st;
    take_arrived(e);
}

/* Everything that this rank needs has been taken, and its peers have read what it may write next:
 * of cells with two places those of the run before. */
static bool is_over(const tsri_exchange *e)
{
    if (!e->sent.complete || !e->received.complete || !e->late_moved) return false;
    for (int k = 0; k < e->send.count; ++k) {
        const tsri_link *link = &e->send.item[k];
        if (link->shared && !tsri_flag_is_raised(link->waits, e->run - (link->spare > 0)))
            return false;
    }
    return true;
}

static bool is_awaited(const tsri_exchange *e)
{
    return e->sent.complete && all_there(e);
}

static void progress_all(void)
{
    for (tsri_exchange *e = newest; e != NULL; e = e->older)
        progress(e);
}

static void serve_all(void)
{
    if (atomic_load_explicit(&under_way, memory_order_relaxed) == 0) return;
    pthread_mutex_lock(&lock);
    progress_all();
    pthread_mutex_unlock(&lock);
}

/* Serve all exchanges; whether `e` has got where it should, and what has failed in it. */
static tsr_status serve(const tsri_exchange *e, bool (*has)(const tsri_exchange *e), bool *got)
{
    pthread_mutex_lock(&lock);
    progress_all();
    *got = has(e);
    const tsr_status st = e->failure;
    pthread_mutex_unlock(&lock);
    return st;
}

static tsr_status wait_until(const tsri_exchange *e, bool (*has)(const tsri_exchange *e))
{
    bool got = false;
    tsr_status st = serve(e, has, &got);
    for (int round = 0; !got; st = serve(e, has, &got))
        tsri_relax(&round);
    return st;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void enlist(tsri_exchange *e)
{
    tsri_net_on_wait(serve_all);
    pthread_mutex_lock(&lock);
    e->older = newest;
    e->newer = NULL;
    if (newest != NULL) newest->newer = e;
    newest = e;
    e->active = true;
    atomic_fetch_add(&under_way, 1);
    pthread_mutex_unlock(&lock);
}

static void delist(tsri_exchange *e)
{
    pthread_mutex_lock(&lock);
    if (e->older != NULL) e->older->newer = e->newer;
    if (e->newer != NULL) e->newer->older = e->older;
    if (newest == e) newest = e->older;
    e->active = false;
    atomic_fetch_sub(&under_way, 1);
    pthread_mutex_unlock(&lock);
}

tsr_status tsri_exchange_start(tsri_exchange *e)
{
    ++e->run;
    e->own_moved = e->late_moved = e->abandoned = false;
    for (int k = 0; k < e->receive.count; ++k)
        e->receive.item[k].taken = false;
    /* After a failure the rest is posted all the same: peers wait for it. */
    e->failure = tsri_context_check(e->context);
    const tsr_status posted = tsri_p2p_start_receiving(e);
    if (e->failure == TSR_OK) e->failure = posted;
    for (int k = 0; k < e->send.count; ++k) {
        const tsri_link *link = &e->send.item[k];
        pack(e, link);
        if (link->shared) {
            tsri_flag_raise(link->raises, e->run);
            continue;
        }
        const tsr_status sent = tsri_p2p_send(e, link);
        if (e->failure == TSR_OK) e->failure = sent;
    }
    tsri_count(TSRI_COUNT_COPIED_BYTES, e->copied_bytes);
    const tsr_status st = e->failure;
    enlist(e);
    return st;
}

tsr_status tsri_exchange_test(tsri_exchange *e, bool *done)
{
    return serve(e, is_over, done);
}

void tsri_exchange_hold(tsri_exchange *e, bool held)
{
    pthread_mutex_lock(&lock);
    e->held = held;
    pthread_mutex_unlock(&lock);
}

tsr_status tsri_exchange_await(tsri_exchange *e)
{
    return wait_until(e, is_awaited);
}

/* The lines that the next run packs, while there is time. */
static void claim_next(const tsri_exchange *e)
{
    for (int k = 0; k < e->send.count; ++k) {
        const tsri_link *link = &e->send.item[k];
        const size_t shift = link->spare - tsri_link_shift(e, link);
        if (link->fetched != NULL) tsri_claim_lines(link->fetched + shift, link->bytes);
    }
}

tsr_status tsri_exchange_finish(tsri_exchange *e)
{
    const tsr_status st = wait_until(e, is_over);
    delist(e);
    claim_next(e);
    if (e->combine == TSRI_ADD && st == TSR_OK && !e->abandoned)
        for (int k = 0; k < e->receive.nsteps; ++k)
            add_step(e, &e->add[k]);
    return st;
}

/* Where a rank is missing nobody waits for it; it may still come, so what it may touch stays. */
void tsri_exchange_abandon(tsri_exchange *e)
{
    if (tsri_gate_is_broken(e->context)) return;
    pthread_mutex_lock(&lock);
    e->abandoned = true;
    pthread_mutex_unlock(&lock);
    (void)tsri_exchange_finish(e);
}
