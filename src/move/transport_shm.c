/* Transport between ranks that share memory.
 *
 * Each rank brings a board, a piece of the arena, to an exchange: the flags that this rank waits
 * for, one for each peer and direction; a list of how the peers are to read each of its pieces; and
 * the buffer that it packs for them.  When the exchange is made peers tell each other where in
 * their boards these things lie.
 *
 * Run n: the owner packs and raises "there" to n in the reader's board; the reader reads and raises
 * "read" to n in the owner's; the owner finishes when all its readers have.  Short links of an
 * exchange that is run many times have two places for their packed cells, in turn, and are not
 * waited for: the owner finishes when they have been read in run n - 1.  So that boards can be
 * freed their owners wait for the last reads then. */
#include "base/gate.h"
#include "base/memory.h"
#include "kern/kern.h"
#include "move/divide.h"
#include "move/exchange_parts.h"
#include "shm/team.h"

#include <string.h>

/* A piece is read where it lies, rather than from the buffer, when it is one run of cells or its
 * runs, along any axis, fill cache lines: then no more lines travel between the cores than the
 * buffer would take, and the owner need not copy.  (Measured: from 64 bytes on it is faster, by a
 * third at 32^3.) */
enum { LONG_RUN_BYTES = TSRI_CACHE_LINE };

/* Links up to this long are packed as a whole: their cells share cache lines with halo cells that
 * their owner writes, and nobody has to wait until they are read.  Packed links up to other lengths
 * have two places, and lines that are asked for before they are used.  (Measured.) */
enum { PACKED_BYTES = 8192, FETCHED_BYTES = 32768, SPARE_BYTES = 262144 };

/* How a peer is to read a piece: where it lies in the memory of its item, when it is `direct`. */
typedef struct way {
    int64_t direct;
    int64_t ndim;
    int64_t extent[TSR_MAX_NDIM];
    tsri_place place;
} way;

/* What a rank tells a peer; places in its board are in bytes. */
typedef struct offer {
    tsri_arena_address board;
    uint64_t answers; /* the flag that the peer raises when its cells are there */
    uint64_t reads;   /* the flag that the peer raises when it has read */
    uint64_t ways;    /* of the link to the peer */
    uint64_t packed;  /* the cells for the peer, and how far on those of odd runs are */
    uint64_t spare;
    uint64_t memories; /* the address of what each item reads; without bytes where it is private */
} offer;

/* A rank with which this one shares memory, and its links, NULL without. */
typedef struct peer {
    int rank;
    tsri_link *send, *receive;
    offer mine, theirs;
    unsigned char *board; /* mapped; NULL when either has none */
} peer;

struct tsri_meeting {
    unsigned char *board;
    uint64_t memories, ways, packed; /* in the board */
    size_t bytes;
    peer *peer;
    int npeers;
    tsri_request *request; /* [2 * npeers] */
    tsri_axes *axes;       /* of steps that read directly */
    void **mapped;         /* pieces of peers */
    int nmapped;
};

/* ---- the peers ------------------------------------------------------------------------------- */

/* Merge the links of both directions, each in the order of ranks, to a list of team members.  Those
 * that go out are shared until the meeting says otherwise. */
static void list_peers(tsri_exchange *e, const tsri_nodes *nodes, tsri_meeting *m)
{
    const int node = nodes->of[tsri_context_rank(e->context)];
    int s = 0, r = 0;

    while (s < e->send.count || r < e->receive.count) {
        tsri_link *send = s < e->send.count ? &e->send.item[s] : NULL;
        tsri_link *receive = r < e->receive.count ? &e->receive.item[r] : NULL;
        if (send != NULL && receive != NULL && send->rank < receive->rank) receive = NULL;
        if (send != NULL && receive != NULL && receive->rank < send->rank) send = NULL;
        s += send != NULL;
        r += receive != NULL;
        const int rank = send != NULL ? send->rank : receive->rank;
        if (nodes->of[rank] != node) continue;
        m->peer[m->npeers++] = (peer){.rank = rank, .send = send, .receive = receive};
        if (send != NULL) send->shared = true;
    }
}

/* ---- the board ------------------------------------------------------------------------------- */

static void find_memories(tsri_exchange *e)
{
    tsri_arena_address address;
    for (int i = 0; i < e->count; ++i)
        e->item[i].shared = e->item[i].from != NULL && tsri_arena_find(e->item[i].from, &address);
}

/* Whether a piece of this rank's is to be read where it lies. */
static bool is_read_directly(const tsri_exchange *e, const tsri_step *s)
{
    const tsri_piece *p = s->piece;
    const size_t size = e->item[s->item].size;
    int64_t extent[TSR_MAX_NDIM], stride[TSR_MAX_NDIM];

    if (!e->item[s->item].shared) return false;
    if (e->repeats && e->send.item[s->link].bytes <= PACKED_BYTES) return false;
    memcpy(extent, p->extent, sizeof extent);
    memcpy(stride, p->from.stride, sizeof stride);
    const int ndim = tsri_coalesce(p->ndim, extent, 1, (int64_t *const[]){stride});
    if (ndim == 0) return true;
    for (int a = 0; a < ndim; ++a)
        if (stride[a] == 1 && (size_t)extent[a] * size >= LONG_RUN_BYTES) return true;
    return ndim == 1 && stride[0] == 1;
}

static int count_packed(const tsri_exchange *e, const tsri_link *link)
{
    int count = 0;
    for (int k = link->first_step; k < link->first_step + link->nsteps; ++k)
        count += !is_read_directly(e, &e->send.step[k]);
    return count;
}

/* The distance of the second place for the cells of a link that is packed as a whole. */
static size_t spare_of(const tsri_exchange *e, const tsri_link *link)
{
    const bool has =
        e->repeats && link->bytes <= SPARE_BYTES && count_packed(e, link) == link->nsteps;
    return has ? tsri_line_up(link->bytes) : 0;
}

/* Flags of the links that come in, then of those that go out; memories; ways; packed cells. */
static void lay_out(const tsri_exchange *e, tsri_meeting *m)
{
    m->memories = (uint64_t)(e->receive.count + e->send.count) * sizeof(tsri_flag);
    m->ways = m->memories + (uint64_t)e->count * sizeof(tsri_arena_address);
    m->packed = tsri_line_up(m->ways + (uint64_t)e->send.nsteps * sizeof(way));
    m->bytes = m->packed;
    for (int k = 0; k < e->send.count; ++k) {
        tsri_link *link = &e->send.item[k];
        if (!link->shared || count_packed(e, link) == 0) continue;
        link->offset = m->bytes;
        link->spare = spare_of(e, link);
        m->bytes = tsri_line_up(m->bytes + link->bytes + link->spare);
    }
}

static void write_board(tsri_exchange *e, const tsri_meeting *m)
{
    tsri_arena_address *memories = (tsri_arena_address *)(m->board + m->memories);
    way *ways = (way *)(m->board + m->ways);

    memset(m->board, 0, m->packed);
    for (int i = 0; i < e->count; ++i)
        if (e->item[i].shared) (void)tsri_arena_find(e->item[i].from, &memories[i]);
    for (int k = 0; k < e->send.nsteps; ++k) {
        tsri_step *s = &e->send.step[k];
        const tsri_link *link = &e->send.item[s->link];
        const tsri_item *it = &e->item[s->item];
        if (!link->shared) continue;
        ways[k].direct = is_read_directly(e, s);
        ways[k].ndim = s->piece->ndim;
        memcpy(ways[k].extent, s->piece->extent, sizeof ways[k].extent);
        ways[k].place = s->piece->from;
        if (ways[k].direct) continue;
        s->target = tsri_item_at(it, m->board + link->offset + s->offset, s->piece->to.offset);
    }
}

static void write_offers(tsri_exchange *e, tsri_meeting *m)
{
    for (int i = 0; i < m->npeers; ++i) {
        peer *p = &m->peer[i];
        p->mine = (offer){.board = tsri_arena_address_of(m->board), .memories = m->memories};
        if (p->receive != NULL)
            p->mine.answers = (uint64_t)(p->receive - e->receive.item) * sizeof(tsri_flag);
        if (p->send == NULL) continue;
        p->mine.reads = (uint64_t)(e->receive.count + (p->send - e->send.item)) * sizeof(tsri_flag);
        p->mine.ways = m->ways + (uint64_t)p->send->first_step * sizeof(way);
        p->mine.packed = p->send->offset;
        p->mine.spare = p->send->spare;
    }
}

/* Without enough shared memory there is no board, and its peers are served by messages. */
static void make_board(tsri_exchange *e, tsri_meeting *m)
{
    void *board = NULL;

    find_memories(e);
    lay_out(e, m);
    tsri_fault_suspend();
    const tsr_status st = tsri_arena_alloc(m->bytes, &board);
    tsri_fault_resume();
    if (st != TSR_OK) return;
    m->board = board;
    write_board(e, m);
    write_offers(e, m);
}

tsr_status tsri_shm_create(tsri_exchange *e)
{
    const int most = e->send.count + e->receive.count;
    const tsri_nodes *nodes = NULL;
    tsri_meeting *m = NULL;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_nodes_of(e->context, &nodes));
    TSRI_ALLOC(done, m, 1);
    e->meeting = m;
    TSRI_ALLOC(done, m->peer, most);
    list_peers(e, nodes, m);
    TSRI_ALLOC(done, m->request, 2 * m->npeers);
    /* a board for each link and the memory of each item for each link that comes in */
    TSRI_ALLOC(done, m->mapped, (size_t)m->npeers * (size_t)(1 + e->count));
    if (m->npeers > 0) make_board(e, m);
done:
    return st;
}

/* Whether all that peers may read has been read. */
static bool is_read(const tsri_exchange *e)
{
    for (int k = 0; k < e->send.count; ++k) {
        const tsri_link *link = &e->send.item[k];
        if (link->shared && link->waits != NULL && !tsri_flag_is_raised(link->waits, e->run))
            return false;
    }
    return true;
}

/* Peers that have not read the cells of the last run are about to: what they need is there.  Where
 * the debug gate found one missing it may still come, so what it may touch stays. */
void tsri_shm_free(tsri_exchange *e)
{
    tsri_meeting *m = e->meeting;
    if (m == NULL) return;
    for (int round = 0; !is_read(e);) {
        if (tsri_gate_is_broken(e->context)) return;
        tsri_net_serve();
        tsri_relax(&round);
    }
    for (int i = 0; i < m->nmapped; ++i)
        tsri_arena_detach(m->mapped[i]);
    tsri_arena_free(m->board);
    tsri_free(m->axes);
    tsri_free(m->mapped);
    tsri_free(m->request);
    tsri_free(m->peer);
    tsri_free(m);
}

/* ---- meeting --------------------------------------------------------------------------------- */

static tsr_status exchange_offers(const tsri_exchange *e, tsri_meeting *m)
{
    tsr_status st = TSR_OK, first = TSR_OK;

    for (int i = 0; i < m->npeers; ++i) {
        peer *p = &m->peer[i];
        st = tsri_net_irecv(e->context, &p->theirs, sizeof p->theirs, p->rank, TSRI_TAG_MEETING,
                            &m->request[2 * i]);
        if (first == TSR_OK) first = st;
        st = tsri_net_isend(e->context, &p->mine, sizeof p->mine, p->rank, TSRI_TAG_MEETING,
                            &m->request[2 * i + 1]);
        if (first == TSR_OK) first = st;
    }
    st = tsri_net_wait(e->context, 2 * m->npeers, m->request);
    return first == TSR_OK ? st : first;
}

static tsr_status map(tsri_meeting *m, const tsri_arena_address *address, unsigned char **memory)
{
    void *piece = NULL;
    const tsr_status st = tsri_arena_attach(address, &piece);
    if (st == TSR_OK) m->mapped[m->nmapped++] = piece;
    *memory = piece;
    return st;
}

/* Both ends merged neighbouring axes of one box, each where its memory allowed. */
static void divide_axes(tsri_step *s, const int64_t *target_stride, const way *w, tsri_axes *out)
{
    const tsri_piece *p = s->piece;
    s->ndim = tsri_divide_axes(p->ndim, p->extent, target_stride, (int)w->ndim, w->extent,
                               w->place.stride, out);
    s->extent = out->extent;
    s->target_stride = out->target_stride;
    s->source_stride = out->source_stride;
}

/* Where the pieces that this rank reads lie.  Sums are made from a stage, where cells are packed.
 */
static tsr_status find_sources(tsri_exchange *e, tsri_meeting *m, const peer *p, tsri_axes **next)
{
    const tsri_arena_address *memories = (tsri_arena_address *)(p->board + p->theirs.memories);
    const way *ways = (way *)(p->board + p->theirs.ways);
    tsri_step *steps = &e->receive.step[p->receive->first_step];
    unsigned char *memory = NULL;
    int mapped = -1; /* the item of which `memory` is */
    tsr_status st = TSR_OK;

    for (int k = 0; k < p->receive->nsteps; ++k) {
        tsri_step *s = &steps[k];
        const tsri_item *it = &e->item[s->item];
        const tsri_place *from = &s->piece->from, *to = &s->piece->to;
        if (!ways[k].direct) {
            s->source = tsri_item_at(it, p->board + p->theirs.packed + s->offset, from->offset);
            continue;
        }
        if (mapped != s->item) TSRI_TRY(done, map(m, &memories[s->item], &memory));
        mapped = s->item;
        s->source = tsri_item_at(it, memory, ways[k].place.offset);
        divide_axes(s, e->combine == TSRI_ADD ? from->stride : to->stride, &ways[k], (*next)++);
    }
done:
    return st;
}

static void share(tsri_link *link, void *waits, void *raises)
{
    link->shared = true;
    link->waits = waits;
    link->raises = raises;
}

static void set_places(tsri_link *link, unsigned char *packed, size_t spare)
{
    link->spare = spare;
    if (spare > 0 && spare <= FETCHED_BYTES) link->fetched = packed;
}

/* Map the peer's board; both ends of a link come to the same answer. */
static tsr_status meet_peer(tsri_meeting *m, peer *p)
{
    tsr_status st = TSR_OK;

    if (p->send != NULL) p->send->shared = false;
    if (m->board == NULL || p->theirs.board.bytes == 0) return TSR_OK;
    TSRI_TRY(done, map(m, &p->theirs.board, &p->board));
    if (p->send != NULL) share(p->send, m->board + p->mine.reads, p->board + p->theirs.answers);
    if (p->send != NULL) set_places(p->send, m->board + p->mine.packed, p->mine.spare);
    if (p->receive == NULL) goto done;
    share(p->receive, m->board + p->mine.answers, p->board + p->theirs.reads);
    set_places(p->receive, p->board + p->theirs.packed, p->theirs.spare);
done:
    return st;
}

static size_t count_direct(const peer *p)
{
    const way *ways = (way *)(p->board + p->theirs.ways);
    size_t count = 0;
    for (int k = 0; k < p->receive->nsteps; ++k)
        count += ways[k].direct != 0;
    return count;
}

tsr_status tsri_shm_meet(tsri_exchange *e)
{
    tsri_meeting *m = e->meeting;
    tsri_axes *next = NULL;
    size_t direct = 0;
    tsr_status st = exchange_offers(e, m);

    for (int i = 0; i < m->npeers && st == TSR_OK; ++i) {
        peer *p = &m->peer[i];
        st = meet_peer(m, p);
        if (st == TSR_OK && p->receive != NULL && p->receive->shared) direct += count_direct(p);
    }
    TSRI_TRY(done, st);
    TSRI_ALLOC(done, m->axes, direct);
    next = m->axes;
    for (int i = 0; i < m->npeers; ++i)
        if (m->peer[i].receive != NULL && m->peer[i].receive->shared)
            TSRI_TRY(done, find_sources(e, m, &m->peer[i], &next));
done:
    return st;
}
