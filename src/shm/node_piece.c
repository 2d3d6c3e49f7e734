#include "shm/node_piece.h"

#include "base/net.h"

#include <pthread.h>
#include <string.h>

typedef struct tsri_node_head {
    tsri_barrier barrier;
    tsri_flag shown;
    _Alignas(TSRI_CACHE_LINE) atomic_int holders;
    struct tsri_node_head *next; /* the first member's own: of those that it waits to get back */
} tsri_node_head;

/* ---- pieces that others still hold when their owner does not any more ------------------------ */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tsri_node_head *first_lent;
static bool ends; /* `ending` is in the list of what lives */

static bool is_held(const tsri_node_head *head)
{
    return atomic_load_explicit(&head->holders, memory_order_acquire) > 0;
}

/* Take back what nobody holds any more, or everything. */
static void take_back(bool all)
{
    pthread_mutex_lock(&lock);
    for (tsri_node_head **link = &first_lent; *link != NULL;) {
        tsri_node_head *const head = *link;
        if (!all && is_held(head)) {
            link = &head->next;
            continue;
        }
        *link = head->next;
        tsri_count(TSRI_COUNT_PIECES, 1);
        tsri_arena_free(head);
    }
    if (all) ends = false;
    pthread_mutex_unlock(&lock);
}

/* The library ends here; others may still read. */
static void end(tsri_live *self)
{
    (void)self;
    tsri_arena_leave();
    take_back(true);
}

/* To those who ask what lives, a piece that waits for others is none. */
static void lend(tsri_node_head *head)
{
    static tsri_live ending;

    pthread_mutex_lock(&lock);
    head->next = first_lent;
    first_lent = head;
    tsri_count(TSRI_COUNT_PIECES, -1);
    if (!ends) tsri_live_add(&ending, end);
    ends = true;
    pthread_mutex_unlock(&lock);
}

/* ---- making and giving up -------------------------------------------------------------------- */

static tsr_status allocate(const tsri_team *team, size_t bytes, tsri_node_piece *piece)
{
    tsr_status st = TSR_OK;
    void *memory = NULL;

    TSRI_CHECK(done, bytes <= PTRDIFF_MAX - sizeof(tsri_node_head), TSR_ERR_OVERFLOW,
               "%zu bytes do not fit the address space", bytes);
    take_back(false);
    TSRI_TRY(done, tsri_arena_alloc(sizeof(tsri_node_head) + bytes, &memory));
    piece->head = memory;
    memset(piece->head, 0, sizeof *piece->head);
    atomic_init(&piece->head->holders, team->count);
done:
    return st;
}

/* The first member tells the others where its piece lies; zeros stand for none. */
static tsr_status tell(tsri_context *context, const tsri_team *team, tsri_arena_address *address)
{
    tsri_request request;
    tsr_status st = TSR_OK;

    if (team->index > 0) {
        st = tsri_net_irecv(context, address, sizeof *address, team->rank[0], TSRI_TAG_TEAM,
                            &request);
        tsri_keep(&st, tsri_net_wait(context, 1, &request));
        return st;
    }
    for (int i = 1; i < team->count; ++i) {
        tsri_keep(&st, tsri_net_isend(context, address, sizeof *address, team->rank[i],
                                      TSRI_TAG_TEAM, &request));
        tsri_keep(&st, tsri_net_wait(context, 1, &request));
    }
    return st;
}

tsr_status tsri_node_piece_make(tsri_context *context, const tsri_team *team, size_t bytes,
                                tsri_node_piece *piece)
{
    tsri_arena_address address;
    void *memory = NULL;
    tsr_status st = TSR_OK;

    *piece = (tsri_node_piece){.own = team->index == 0};
    memset(&address, 0, sizeof address);
    if (piece->own) {
        st = allocate(team, bytes, piece);
        if (st == TSR_OK) address = tsri_arena_address_of(piece->head);
    }
    tsri_keep(&st, tell(context, team, &address));
    if (st == TSR_OK && !piece->own && address.bytes > 0) {
        st = tsri_arena_attach(&address, &memory);
        piece->head = memory;
    }
    return st;
}

void tsri_node_piece_drop(tsri_node_piece *piece)
{
    if (piece->own)
        tsri_arena_free(piece->head);
    else
        tsri_arena_detach(piece->head);
    *piece = (tsri_node_piece){0};
}

void tsri_node_piece_release(tsri_node_piece *piece)
{
    tsri_node_head *const head = piece->head;

    if (head == NULL) return;
    const bool last = atomic_fetch_sub_explicit(&head->holders, 1, memory_order_acq_rel) == 1;
    if (!piece->own)
        tsri_arena_detach(head);
    else if (last)
        tsri_arena_free(head);
    else
        lend(head);
    *piece = (tsri_node_piece){0};
    take_back(false);
}

/* ---- use ------------------------------------------------------------------------------------- */

void *tsri_node_piece_data(const tsri_node_piece *piece)
{
    return piece->head + 1;
}

void tsri_node_piece_meet(const tsri_context *context, const tsri_team *team,
                          tsri_node_piece *piece)
{
    tsri_barrier_wait(context, &piece->head->barrier, team->count, &piece->meetings);
}

void tsri_node_piece_show(const tsri_context *context, tsri_node_piece *piece)
{
    tsri_flag *const shown = &piece->head->shown;

    ++piece->shown;
    if (piece->own)
        tsri_flag_raise(shown, piece->shown);
    else
        tsri_flag_wait(context, shown, piece->shown);
}
