#include "base/memory.h"
#include "move/exchange_parts.h"
#include "shm/team.h"

#include <stdlib.h>

enum { LARGEST_ELEMENT = 16 };

/* ---- listing what goes where ----------------------------------------------------------------- */

static const tsri_pieces *pieces_of(const tsri_item *it, bool sending)
{
    return sending ? &it->plan->send : &it->plan->receive;
}

/* The lowest rank that is next in some plan's list of peers; -1 when all lists are through. */
static int next_rank(const tsri_exchange *e, bool sending, const int *next)
{
    int rank = -1;
    for (int i = 0; i < e->count; ++i) {
        const tsri_pieces *pieces = pieces_of(&e->item[i], sending);
        if (next[i] == pieces->npeers) continue;
        if (rank < 0 || pieces->peer[next[i]].rank < rank) rank = pieces->peer[next[i]].rank;
    }
    return rank;
}

/* Give a plan, if it has cells for the peer of link `k`, a section of the link, and list the steps.
 */
static void add_section(const tsri_exchange *e, bool sending, int i, int *next, tsri_links *links,
                        int k)
{
    const tsri_pieces *pieces = pieces_of(&e->item[i], sending);
    tsri_link *link = &links->item[k];

    if (next[i] == pieces->npeers || pieces->peer[next[i]].rank != link->rank) return;
    const tsri_peer *peer = &pieces->peer[next[i]++];
    for (int p = 0; p < peer->count; ++p)
        links->step[links->nsteps++] = (tsri_step){
            .piece = &pieces->item[peer->first + p], .item = i, .link = k, .offset = link->bytes};
    link->bytes += (size_t)peer->cells * e->item[i].size;
}

/* The largest elements first, so that all sections are aligned without padding. */
static void add_sections(const tsri_exchange *e, bool sending, int *next, tsri_links *links, int k)
{
    for (size_t size = LARGEST_ELEMENT; size > 0; size /= 2)
        for (int i = 0; i < e->count; ++i)
            if (e->item[i].size == size) add_section(e, sending, i, next, links, k);
}

/* Merge the plans' lists of peers into one list of links. */
static tsr_status list_links(const tsri_exchange *e, bool sending, tsri_links *links)
{
    int *next = NULL, npeers = 0;
    tsr_status st = TSR_OK;

    for (int i = 0; i < e->count; ++i)
        npeers += pieces_of(&e->item[i], sending)->npeers;
    TSRI_ALLOC(done, next, e->count);
    TSRI_ALLOC(done, links->item, npeers);
    for (int rank; (rank = next_rank(e, sending, next)) >= 0;) {
        const int k = links->count++;
        links->item[k] = (tsri_link){.rank = rank, .first_step = links->nsteps};
        add_sections(e, sending, next, links, k);
        links->item[k].nsteps = links->nsteps - links->item[k].first_step;
    }
done:
    tsri_free(next);
    return st;
}

/* The copies of each plan that read what is here already, or those that read what has come. */
static void list_own(tsri_exchange *e, bool late)
{
    for (int i = 0; i < e->count; ++i) {
        const tsri_plan *plan = e->item[i].plan;
        const int early = plan->copy.count - plan->nlate, end = late ? plan->copy.count : early;
        for (int k = late ? early : 0; k < end; ++k)
            e->receive.step[e->receive.nsteps++] =
                (tsri_step){.piece = &plan->copy.item[k], .item = i, .link = TSRI_OWN};
    }
}

static tsr_status list_steps(tsri_exchange *e)
{
    int npack = 0, napply = 0;
    tsr_status st = TSR_OK;

    for (int i = 0; i < e->count; ++i) {
        const tsri_plan *plan = e->item[i].plan;
        npack += plan->send.count;
        napply += plan->receive.count + plan->copy.count;
    }
    TSRI_ALLOC(done, e->send.step, npack);
    TSRI_ALLOC(done, e->receive.step, napply);
    list_own(e, false);
    e->nown = e->receive.nsteps;
    TSRI_TRY(done, list_links(e, true, &e->send));
    TSRI_TRY(done, list_links(e, false, &e->receive));
    e->first_late = e->receive.nsteps;
    list_own(e, true);
done:
    return st;
}

/* ---- making ---------------------------------------------------------------------------------- */

/* A step along the axes of its piece, between the piece's two ends. */
static void shape(tsri_step *s)
{
    s->ndim = s->piece->ndim;
    s->extent = s->piece->extent;
    s->target_stride = s->piece->to.stride;
    s->source_stride = s->piece->from.stride;
}

/* The ends of the steps that lie in this rank's own memories. */
static void place_own_ends(tsri_exchange *e)
{
    for (int k = 0; k < e->send.nsteps; ++k) {
        tsri_step *s = &e->send.step[k];
        const tsri_item *it = &e->item[s->item];
        s->source = tsri_item_at(it, it->from, s->piece->from.offset);
        shape(s);
    }
    for (int k = 0; k < e->receive.nsteps; ++k) {
        tsri_step *s = &e->receive.step[k];
        const tsri_item *it = &e->item[s->item];
        s->target = tsri_item_at(it, it->to, s->piece->to.offset);
        shape(s);
        if (s->link == TSRI_OWN) s->source = tsri_item_at(it, it->from, s->piece->from.offset);
    }
}

static tsr_status make(const tsri_exchange_parts *parts, tsri_exchange **out)
{
    tsr_status st = TSR_OK;
    tsri_exchange *e = NULL;

    TSRI_ALLOC(done, e, 1);
    *out = e;
    e->context = parts->context;
    e->combine = parts->combine;
    e->repeats = parts->repeats;
    TSRI_ALLOC(done, e->item, parts->count);
    for (int i = 0; i < parts->count; ++i)
        e->item[e->count++] = (tsri_item){.plan = tsri_plan_ref(parts->plans[i]),
                                          .dtype = parts->dtypes[i],
                                          .size = tsr_dtype_size(parts->dtypes[i]),
                                          .from = parts->from[i],
                                          .to = parts->to[i]};
    TSRI_TRY(done, list_steps(e));
    place_own_ends(e);
done:
    return st;
}

/* Contributions in the order in which they are added: by plan, then by turn. */
static int by_turn(const void *left, const void *right)
{
    const tsri_step *a = left, *b = right;
    if (a->item != b->item) return a->item < b->item ? -1 : 1;
    return a->piece->turn < b->piece->turn ? -1 : a->piece->turn > b->piece->turn;
}

/* Room for contributions from peers that share memory, packed. */
static tsr_status make_stage(tsri_exchange *e)
{
    const tsri_links *receive = &e->receive;
    size_t bytes = 0;
    tsr_status st = TSR_OK;

    TSRI_ALLOC(done, e->add, receive->nsteps);
    for (int k = 0; k < receive->count; ++k)
        if (receive->item[k].shared) bytes += tsri_line_up(receive->item[k].bytes);
    if (bytes == 0) return TSR_OK;
    e->stage = tsri_alloc_aligned(bytes);
    TSRI_CHECK(done, e->stage != NULL, TSR_ERR_NOMEM,
               "no memory for %zu bytes of contributions from other ranks", bytes);
done:
    return st;
}

/* What is added, and from where; what is staged goes to the stage first. */
static void order_additions(tsri_exchange *e)
{
    unsigned char *section = e->stage; /* of a link */
    int link = TSRI_OWN;

    for (int k = 0; k < e->receive.nsteps; ++k) {
        tsri_step *s = &e->receive.step[k];
        e->add[k] = *s;
        if (s->link == TSRI_OWN || !e->receive.item[s->link].shared) continue;
        if (link != TSRI_OWN && link != s->link)
            section += tsri_line_up(e->receive.item[link].bytes);
        link = s->link;
        s->target = tsri_item_at(&e->item[s->item], section + s->offset, s->piece->from.offset);
        if (s->source_stride == s->piece->from.stride) s->target_stride = s->piece->from.stride;
        e->add[k].source = s->target;
        shape(&e->add[k]);
    }
    qsort(e->add, (size_t)e->receive.nsteps, sizeof *e->add, by_turn);
}

/* What a run copies: packed, staged, and written at its place. */
static void count_bytes(tsri_exchange *e)
{
    for (int k = 0; k < e->send.nsteps; ++k) {
        const tsri_step *s = &e->send.step[k];
        if (s->target != NULL) e->copied_bytes += s->piece->cells * (int64_t)e->item[s->item].size;
    }
    for (int k = 0; k < e->receive.nsteps; ++k) {
        const tsri_step *s = &e->receive.step[k];
        if (s->target == NULL) continue;
        const bool staged =
            e->add != NULL && s->link != TSRI_OWN && e->receive.item[s->link].shared;
        e->copied_bytes += (1 + staged) * s->piece->cells * (int64_t)e->item[s->item].size;
    }
}

/* When it is known which links are shared. */
static tsr_status complete(tsri_exchange *e)
{
    tsr_status st = TSR_OK;
    TSRI_TRY(done, tsri_p2p_create(e));
    if (e->combine == TSRI_ADD) {
        TSRI_TRY(done, make_stage(e));
        order_additions(e);
    }
    count_bytes(e);
done:
    return st;
}

tsr_status tsri_exchange_create(const tsri_exchange_parts *parts, tsr_status earlier,
                                uint64_t fingerprint, tsri_exchange **out)
{
    tsr_status st = TSR_OK;
    tsri_exchange *e = NULL;
    const tsri_team *team = NULL;
    bool meets = false;

    *out = NULL;
    if (!parts->local) {
        TSRI_TRY(fail, tsri_team_that_shares(parts->context, &team));
        meets = team != NULL && team->anyone_shares;
    }
    TSRI_TRY(agree, earlier);
    TSRI_TRY(agree, make(parts, &e));
    TSRI_TRY(agree, meets ? tsri_shm_create(e) : complete(e));
agree:
    if (!parts->local) st = tsri_agree(parts->context, st, fingerprint);
    if (st != TSR_OK) goto fail;
    if (meets) {
        st = tsri_shm_meet(e);
        if (st == TSR_OK) st = complete(e);
        TSRI_TRY(fail, tsri_agree(parts->context, st, 0));
    }
    *out = e;
    return TSR_OK;

fail:
    tsri_exchange_free(e);
    return st;
}

static void links_free(tsri_links *links)
{
    tsri_free(links->item);
    tsri_free(links->step);
}

void tsri_exchange_free(tsri_exchange *e)
{
    if (e == NULL || e->active) return;
    tsri_p2p_free(e);
    tsri_shm_free(e);
    for (int i = 0; i < e->count; ++i)
        tsri_plan_unref(e->item[i].plan);
    links_free(&e->send);
    links_free(&e->receive);
    tsri_free(e->add);
    tsri_free_aligned(e->stage);
    tsri_free(e->item);
    tsri_free(e);
}

bool tsri_exchange_is(const tsri_exchange *e, int i, const tsri_plan *plan, tsr_dtype dtype)
{
    return i < e->count && e->item[i].plan == plan && e->item[i].dtype == dtype;
}

const tsri_plan *tsri_exchange_plan(const tsri_exchange *e, int i)
{
    return e->item[i].plan;
}
