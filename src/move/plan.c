#include "move/plan.h"

#include "base/checked.h"
#include "base/memory.h"
#include "kern/kern.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* One end of the messages while its pieces are listed. */
typedef struct {
    const tsri_plan_request *request;
    tsri_plan *plan;
    tsri_segments list[TSRI_MAX_FACTORS]; /* the segments that concern this rank */
    bool sending;
} lister;

/* ---- pieces ---------------------------------------------------------------------------------- */

static tsr_status add_piece(tsri_pieces *pieces, const tsri_piece *piece)
{
    tsr_status st = TSR_OK;
    tsri_piece *item = NULL;

    if (pieces->count == pieces->room) {
        const int room = pieces->room == 0 ? 8 : 2 * pieces->room;
        TSRI_ALLOC(done, item, room);
        if (pieces->count > 0) memcpy(item, pieces->item, (size_t)pieces->count * sizeof *item);
        tsri_free(pieces->item);
        pieces->item = item;
        pieces->room = room;
    }
    pieces->item[pieces->count] = *piece;
    pieces->item[pieces->count].serial = pieces->count;
    ++pieces->count;
done:
    return st;
}

static int by_peer(const void *left, const void *right)
{
    const tsri_piece *a = left, *b = right;
    if (a->peer != b->peer) return a->peer < b->peer ? -1 : 1;
    return a->serial < b->serial ? -1 : a->serial > b->serial;
}

static tsr_status group_by_peer(tsri_pieces *pieces)
{
    tsr_status st = TSR_OK;
    int npeers = 0;

    if (pieces->count == 0) return TSR_OK;
    qsort(pieces->item, (size_t)pieces->count, sizeof *pieces->item, by_peer);
    for (int i = 0; i < pieces->count; ++i)
        if (i == 0 || pieces->item[i].peer != pieces->item[i - 1].peer) ++npeers;
    TSRI_ALLOC(done, pieces->peer, npeers);
    for (int i = 0; i < pieces->count; ++i) {
        const tsri_piece *piece = &pieces->item[i];
        if (i == 0 || piece->peer != pieces->item[i - 1].peer)
            pieces->peer[pieces->npeers++] = (tsri_peer){.rank = piece->peer, .first = i};
        tsri_peer *peer = &pieces->peer[pieces->npeers - 1];
        ++peer->count;
        peer->cells += piece->cells;
    }
done:
    return st;
}

/* Lay the pieces of each peer one after another in its message. */
static void lay_out_messages(tsri_pieces *pieces, bool sending)
{
    for (int p = 0; p < pieces->npeers; ++p) {
        int64_t offset = 0;
        for (int i = 0; i < pieces->peer[p].count; ++i) {
            tsri_piece *piece = &pieces->item[pieces->peer[p].first + i];
            tsri_place *message = sending ? &piece->to : &piece->from;
            message->offset = offset;
            tsri_c_strides(piece->ndim, piece->extent, message->stride);
            offset += piece->cells;
        }
    }
}

/* Make every run as long as both sides allow. */
static void coalesce_pieces(tsri_pieces *pieces)
{
    for (int i = 0; i < pieces->count; ++i) {
        tsri_piece *piece = &pieces->item[i];
        int64_t *const strides[2] = {piece->from.stride, piece->to.stride};
        piece->ndim = tsri_coalesce(piece->ndim, piece->extent, 2, strides);
    }
}

static void pieces_free(tsri_pieces *pieces)
{
    tsri_free(pieces->item);
    tsri_free(pieces->peer);
}

/* ---- listing: the product of the axes -------------------------------------------------------- */

static const tsri_segment *segment_of(const lister *l, const int *chosen, int factor)
{
    return &l->list[factor].item[chosen[factor]];
}

/* The piece of one combination of segments, without its peer. */
static tsri_piece make_piece(const lister *l, const int *chosen)
{
    const tsri_plan_request *request = l->request;
    tsri_piece piece = {.cells = 1};

    for (int f = 0; f < request->nfactors; ++f) {
        const tsri_segment *s = segment_of(l, chosen, f);
        const int from = request->factor[f].from, to = request->factor[f].to;
        const int64_t from_stride = from == TSRI_NO_AXIS ? 0 : request->from_stride[from];
        piece.turn = piece.turn * l->list[f].count + s->turn;
        piece.from.offset += s->from * from_stride;
        if (to == TSRI_NO_AXIS) continue;
        piece.to.offset += s->to * request->to_stride[to];
        piece.extent[piece.ndim] = s->count;
        piece.from.stride[piece.ndim] = s->from_step * from_stride;
        piece.to.stride[piece.ndim++] = s->to_step * request->to_stride[to];
        piece.cells *= s->count;
    }
    return piece;
}

/* Whether every cell of a combination stands for itself. */
static bool is_identity(const lister *l, const int *chosen)
{
    for (int f = 0; f < l->request->nfactors; ++f) {
        const tsri_segment *s = segment_of(l, chosen, f);
        if (s->source != s->receiver || s->from != s->to || s->from_step != s->to_step)
            return false;
    }
    return true;
}

/* Whether a combination is among what the plan is for. */
static bool is_reached(const lister *l, const int *chosen)
{
    int64_t beyond[TSR_MAX_NDIM];

    if (l->request->offsets == NULL) return true;
    for (int f = 0; f < l->request->nfactors; ++f)
        beyond[l->request->factor[f].to] = segment_of(l, chosen, f)->beyond;
    return tsri_offsets_reach(l->request->offsets, beyond);
}

static int number(const int *numbers, int rank)
{
    return numbers == NULL ? rank : numbers[rank];
}

/* The ranks [first, last] that get a combination of segments from this rank. */
static void find_receivers(const lister *l, const int *chosen, int *first, int *last)
{
    const tsri_plan_request *request = l->request;
    int coords[TSR_MAX_NDIM];

    if (request->from->whole) {
        *first = *last = request->rank;
    } else if (!request->to->whole) {
        for (int f = 0; f < request->nfactors; ++f)
            if (request->factor[f].to != TSRI_NO_AXIS)
                coords[request->factor[f].to] = segment_of(l, chosen, f)->receiver;
        *first = *last = number(request->number.origin, tsri_geometry_rank(request->to, coords));
    } else if (request->root != TSR_ALL_RANKS) {
        *first = *last = request->root;
    } else {
        *first = 0;
        *last = request->from->size - 1;
    }
}

static tsr_status list_sent(const lister *l, const int *chosen)
{
    tsri_piece piece = make_piece(l, chosen);
    int last = 0;
    tsr_status st = TSR_OK;

    find_receivers(l, chosen, &piece.peer, &last);
    for (; st == TSR_OK && piece.peer <= last; ++piece.peer) {
        const bool mine = piece.peer == l->request->rank;
        st = add_piece(mine ? &l->plan->copy : &l->plan->send, &piece);
    }
    return st;
}

static tsr_status list_received(const lister *l, const int *chosen)
{
    const tsri_plan_request *request = l->request;
    tsri_piece piece = make_piece(l, chosen);
    int coords[TSR_MAX_NDIM];

    for (int f = 0; f < request->nfactors; ++f)
        if (request->factor[f].from != TSRI_NO_AXIS)
            coords[request->factor[f].from] = segment_of(l, chosen, f)->source;
    piece.peer = tsri_geometry_rank(request->from, coords);
    return piece.peer == request->rank ? TSR_OK : add_piece(&l->plan->receive, &piece);
}

/* The next segment of a factor, from i on, that takes part when `face` is the one factor outside
 * the owned range (-1: all do); the count when there is none. */
static int next_segment(const lister *l, int factor, int i, int face)
{
    const tsri_segments *list = &l->list[factor];
    while (face >= 0 && i < list->count && (list->item[i].beyond == 0) == (factor == face))
        ++i;
    return i;
}

/* Every combination of segments, first factor slowest. */
static tsr_status list_product(const lister *l, int face)
{
    const int n = l->request->nfactors;
    int chosen[TSRI_MAX_FACTORS];
    tsr_status st = TSR_OK;

    for (int f = 0; f < n; ++f) {
        chosen[f] = next_segment(l, f, 0, face);
        if (chosen[f] == l->list[f].count) return TSR_OK;
    }
    for (int f = 0; f >= 0;) {
        if (is_reached(l, chosen) && (!l->request->in_place || !is_identity(l, chosen)))
            TSRI_TRY(done, l->sending ? list_sent(l, chosen) : list_received(l, chosen));
        for (f = n - 1; f >= 0; --f) { /* odometer: wrap this factor, carry on */
            chosen[f] = next_segment(l, f, chosen[f] + 1, face);
            if (chosen[f] < l->list[f].count) break;
            chosen[f] = next_segment(l, f, 0, face);
        }
    }
done:
    return st;
}

/* ---- the segments of one factor that concern this rank --------------------------------------- */

/* What the block at this rank's place gets. */
static tsr_status find_received(const tsri_axis_map *map, int block, tsri_segments *list)
{
    return tsri_axis_map_segments(map, block, TSRI_ANY_SOURCE, list);
}

/* The next block with a cell; beyond the last when there is none. */
static int next_block(const tsri_axis *axis, int block)
{
    const int64_t end = tsri_axis_cut(axis, block + 1);
    return end == axis->length ? axis->blocks : tsri_axis_owner(axis, end);
}

/* What other blocks, and this one, get from the block at this rank's place. */
static tsr_status find_sent(const tsri_axis_map *map, int block, tsri_segments *list)
{
    tsri_ranges ranges;
    tsr_status st = TSR_OK;

    tsri_axis_map_receivers(map, block, &ranges);
    for (int r = 0; r < ranges.count; ++r)
        for (int to = ranges.first[r]; to <= ranges.last[r]; to = next_block(&map->to, to))
            TSRI_TRY(done, tsri_axis_map_segments(map, to, block, list));
done:
    return st;
}

static tsr_status check_product(const lister *l)
{
    tsr_status st = TSR_OK;
    int64_t combinations = 1;

    for (int f = 0; f < l->request->nfactors; ++f) {
        bool fits = tsri_mul_i64(combinations, l->list[f].count, &combinations);
        fits = fits && (l->request->faces_only || combinations < INT_MAX);
        TSRI_CHECK(
            done, fits, TSR_ERR_OVERFLOW,
            "what moves is made of too many pieces: over %d combinations of blocks along the "
            "axes; use narrower halos, fewer axes or faces_only",
            INT_MAX);
    }
done:
    return st;
}

/* Whether this rank lists pieces in this direction, and whether as their receiver: a whole `from`
 * is read by its own rank only, which lists what it gets, as copies. */
static bool has_part(const tsri_plan_request *request, bool sending, bool *as_receiver)
{
    *as_receiver = !sending || request->from->whole;
    if (request->from->whole) return sending;
    return sending || !request->to->whole || request->root == TSR_ALL_RANKS ||
           request->root == request->rank;
}

static bool has_cells(const tsri_geometry *geometry)
{
    for (int a = 0; a < geometry->ndim; ++a)
        if (geometry->shape[a] == 0) return false;
    return true;
}

/* List the pieces that this rank sends (and copies), or those it receives. */
static tsr_status list_pieces(const tsri_plan_request *request, tsri_plan *plan, bool sending)
{
    lister l = {.request = request, .plan = plan, .sending = sending};
    int coords[TSR_MAX_NDIM];
    bool as_receiver;
    tsr_status st = TSR_OK;

    /* Without a cell there may still be axes of any length, and no end of segments. */
    if (!has_cells(request->from) || !has_cells(request->to)) return TSR_OK;
    if (!has_part(request, sending, &as_receiver)) return TSR_OK;
    if (as_receiver)
        tsri_geometry_coords(request->to, number(request->number.place, request->rank), coords);
    else
        tsri_geometry_coords(request->from, request->rank, coords);
    for (int f = 0; f < request->nfactors; ++f) {
        const tsri_factor *factor = &request->factor[f];
        const int axis = as_receiver ? factor->to : factor->from;
        const int block = axis == TSRI_NO_AXIS ? 0 : coords[axis];
        TSRI_TRY(done, as_receiver ? find_received(&factor->map, block, &l.list[f])
                                   : find_sent(&factor->map, block, &l.list[f]));
        TSRI_TRY(done, tsri_segments_number(&l.list[f]));
    }
    TSRI_TRY(done, check_product(&l));
    if (!request->faces_only) TSRI_TRY(done, list_product(&l, -1));
    for (int face = 0; request->faces_only && face < request->nfactors; ++face)
        TSRI_TRY(done, list_product(&l, face));
done:
    for (int f = 0; f < request->nfactors; ++f)
        tsri_segments_free(&l.list[f]);
    return st;
}

/* ---- plans ----------------------------------------------------------------------------------- */

tsr_status tsri_plan_create(const tsri_plan_request *request, tsri_plan **out)
{
    tsr_status st = TSR_OK;
    tsri_plan *plan = NULL;

    *out = NULL;
    TSRI_ALLOC(fail, plan, 1);
    atomic_init(&plan->refs, 1);
    TSRI_TRY(fail, list_pieces(request, plan, true));
    TSRI_TRY(fail, list_pieces(request, plan, false));
    TSRI_TRY(fail, group_by_peer(&plan->send));
    TSRI_TRY(fail, group_by_peer(&plan->receive));
    lay_out_messages(&plan->send, true);
    lay_out_messages(&plan->receive, false);
    coalesce_pieces(&plan->send);
    coalesce_pieces(&plan->receive);
    coalesce_pieces(&plan->copy);
    *out = plan;
    return TSR_OK;
fail:
    tsri_plan_unref(plan);
    return st;
}

tsri_plan *tsri_plan_ref(tsri_plan *plan)
{
    atomic_fetch_add(&plan->refs, 1);
    return plan;
}

void tsri_plan_unref(tsri_plan *plan)
{
    if (plan == NULL || atomic_fetch_sub(&plan->refs, 1) > 1) return;
    pieces_free(&plan->send);
    pieces_free(&plan->receive);
    pieces_free(&plan->copy);
    tsri_free(plan->fill);
    tsri_free(plan);
}

static void reverse_pieces(tsri_pieces *pieces)
{
    for (int i = 0; i < pieces->count; ++i) {
        const tsri_place from = pieces->item[i].from;
        pieces->item[i].from = pieces->item[i].to;
        pieces->item[i].to = from;
    }
}

void tsri_plan_reverse(tsri_plan *plan)
{
    const tsri_pieces send = plan->send;
    plan->send = plan->receive;
    plan->receive = send;
    reverse_pieces(&plan->send);
    reverse_pieces(&plan->receive);
    reverse_pieces(&plan->copy);
}
