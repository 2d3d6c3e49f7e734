#include "move/stack.h"

#include "base/checked.h"
#include "base/spread.h"
#include "kern/kern.h"
#include "move/integers.h"
#include "move/pieces.h"

#include <stdlib.h>
#include <string.h>

/* ---- where pieces begin ---------------------------------------------------------------------- */

/* Round by round a rank knows the sum over twice as many ranks below it. */
tsr_status tsri_rows_before(tsri_context *context, int64_t rows, int64_t *before)
{
    const int64_t rank = tsri_context_rank(context), size = tsri_context_size(context);
    int64_t sum = rows;
    tsr_status st = TSR_OK;

    *before = 0;
    for (int64_t bit = 1; bit < size; bit *= 2) {
        const int to = rank + bit < size ? (int)(rank + bit) : TSR_NO_RANK;
        const int from = rank >= bit ? (int)(rank - bit) : TSR_NO_RANK;
        int64_t below = 0;
        tsri_keep(&st, tsri_net_trade(context, to, &sum, from, &below, sizeof below));
        *before += below;
        sum += below;
    }
    return st;
}

/* ---- who has rows for whom ------------------------------------------------------------------- */

/* Rows [start, end) of the stacked array that a rank has. */
typedef struct source {
    int64_t rank, start, end;
} source;

/* The plan while it is made. */
typedef struct maker {
    const tsri_stacked *piece;
    tsri_axis along;
    int rank;
    int first, last;    /* blocks that need rows of this rank's piece; none: first > last */
    int64_t start, end; /* rows of this rank's block */
    int64_t missing;    /* of them, those whose source is not known yet */
    source *sources;    /* other ranks that have rows of the block */
    int nsources, room;
    tsr_status st; /* of taking note of them */
    tsri_request *requests;
    tsri_plan *plan;
} maker;

static int64_t overlap(int64_t a, int64_t a_end, int64_t b, int64_t b_end)
{
    return tsri_max_i64(0, tsri_min_i64(a_end, b_end) - tsri_max_i64(a, b));
}

static tsr_status note_source(maker *m, const source *s)
{
    tsr_status st = TSR_OK;

    TSRI_GROW(done, m->sources, m->nsources, m->room, 8);
    m->sources[m->nsources++] = *s;
done:
    return st;
}

/* Without memory to keep them, sources are counted all the same: they must be received. */
static bool take_source(void *ctx, const void *record)
{
    maker *m = ctx;
    source s;

    memcpy(&s, record, sizeof s);
    if (s.start >= s.end) return false; /* messages fail: nothing more will come */
    if (m->st == TSR_OK) m->st = note_source(m, &s);
    m->missing -= overlap(s.start, s.end, m->start, m->end);
    return m->missing > 0;
}

static int by_rank(const void *left, const void *right)
{
    const source *a = left, *b = right;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* ---- the plan -------------------------------------------------------------------------------- */

/* One side of a piece of the plan: rows of a rank's piece or block, or a message, which has its
 * cells in C order. */
typedef struct side {
    const int64_t *stride; /* NULL: a message */
    int64_t row;
} side;

static tsri_place place_of(const tsri_piece *piece, int axis, side end)
{
    tsri_place place = {0};

    if (end.stride == NULL) {
        tsri_c_strides(piece->ndim, piece->extent, place.stride);
    } else {
        memcpy(place.stride, end.stride, (size_t)piece->ndim * sizeof *end.stride);
        place.offset = end.row * end.stride[axis];
    }
    return place;
}

static tsri_piece make_piece(const maker *m, int peer, int64_t rows, side from, side to)
{
    const tsri_geometry *g = &m->piece->array->layout->geometry;
    tsri_piece piece = {.peer = peer, .ndim = g->ndim, .cells = 1};

    for (int a = 0; a < g->ndim; ++a) {
        piece.extent[a] = a == m->piece->axis ? rows : g->shape[a];
        piece.cells *= piece.extent[a];
    }
    piece.from = place_of(&piece, m->piece->axis, from);
    piece.to = place_of(&piece, m->piece->axis, to);
    piece.ndim = tsri_coalesce(piece.ndim, piece.extent, 2,
                               (int64_t *[]){piece.from.stride, piece.to.stride});
    return piece;
}

/* What this rank sends, and the rows of its own that stay. */
static tsr_status list_sent(maker *m)
{
    const tsri_stacked *p = m->piece;
    tsri_plan *plan = m->plan;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_pieces_reserve(&plan->send, m->last - m->first + 1));
    TSRI_TRY(done, tsri_pieces_reserve(&plan->copy, 1));
    for (int k = m->first; k <= m->last; ++k) {
        const int64_t block = tsri_axis_cut(&m->along, k), end = tsri_axis_cut(&m->along, k + 1);
        const int64_t lo = tsri_max_i64(p->start, block),
                      rows = overlap(p->start, p->end, block, end);
        const side from = {p->stride, lo - p->start};
        if (k == m->rank)
            tsri_pieces_add_peer(
                &plan->copy, make_piece(m, k, rows, from, (side){p->array->stride, lo - block}));
        else
            tsri_pieces_add_peer(&plan->send, make_piece(m, k, rows, from, (side){0}));
    }
done:
    return st;
}

static tsr_status list_received(maker *m)
{
    tsr_status st = TSR_OK;

    if (m->nsources > 0) qsort(m->sources, (size_t)m->nsources, sizeof *m->sources, by_rank);
    TSRI_TRY(done, tsri_pieces_reserve(&m->plan->receive, m->nsources));
    for (int i = 0; i < m->nsources; ++i) {
        const source *s = &m->sources[i];
        const int64_t lo = tsri_max_i64(s->start, m->start);
        tsri_pieces_add_peer(&m->plan->receive,
                             make_piece(m, (int)s->rank,
                                        overlap(s->start, s->end, m->start, m->end), (side){0},
                                        (side){m->piece->array->stride, lo - m->start}));
    }
done:
    return st;
}

/* Where this rank's rows go, and how many it lacks. */
static void survey(maker *m)
{
    const tsri_stacked *p = m->piece;
    const tsr_layout *layout = p->array->layout;

    m->along = tsri_geometry_axis(&layout->geometry, p->axis);
    m->rank = layout->rank;
    m->last = -1;
    if (layout->geometry.cells == 0) return;
    m->start = tsri_axis_cut(&m->along, m->rank);
    m->end = tsri_axis_cut(&m->along, m->rank + 1);
    m->missing = m->end - m->start - overlap(p->start, p->end, m->start, m->end);
    if (p->start == p->end) return;
    m->first = tsri_axis_owner(&m->along, p->start);
    m->last = tsri_axis_owner(&m->along, p->end - 1);
}

tsr_status tsri_stack_plan_create(const tsri_stacked *piece, tsri_plan **out)
{
    tsri_context *const context = piece->array->layout->context;
    maker m = {.piece = piece};
    tsr_status st = TSR_OK;

    *out = NULL;
    survey(&m);
    TSRI_ALLOC(agree, m.plan, 1);
    atomic_init(&m.plan->refs, 1);
    TSRI_ALLOC(agree, m.requests, m.last - m.first + 1);
    TSRI_TRY(agree, list_sent(&m));
agree:
    TSRI_TRY(done, tsri_agree(context, st, 0));

    const source mine = {m.rank, piece->start, piece->end};
    st = tsri_spread(context, &mine, sizeof mine, m.first, m.last, m.requests, m.missing > 0,
                     take_source, &m);
    if (st == TSR_OK) st = m.st;
    if (st == TSR_OK) st = list_received(&m);
    st = tsri_agree(context, st, 0);
    if (st == TSR_OK) {
        *out = m.plan;
        m.plan = NULL;
    }
done:
    tsri_plan_unref(m.plan);
    tsri_free(m.requests);
    tsri_free(m.sources);
    return st;
}
