#include "move/plan.h"

#include "base/checked.h"
#include "base/memory.h"
#include "move/pieces.h"

#include <limits.h>

/* One end of the messages while its pieces are listed. */
typedef struct {
    const tsri_plan_request *request;
    tsri_plan *plan;
    tsri_segments list[TSRI_MAX_FACTORS]; /* the segments that concern this rank */
    bool sending;
} lister;

/* ---- listing: the product of the axes -------------------------------------------------------- */

static const tsri_segment *segment_of(const lister *l, const int *chosen, int factor)
{
    return &l->list[factor].item[chosen[factor]];
}

static void add_axis(tsri_piece *piece, int64_t extent, int64_t from_stride, int64_t to_stride)
{
    piece->extent[piece->ndim] = extent;
    piece->from.stride[piece->ndim] = from_stride;
    piece->to.stride[piece->ndim++] = to_stride;
    piece->cells *= extent;
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
        const int64_t to_stride = request->to_stride[to];
        piece.to.offset += s->to * to_stride;
        if (s->twice) add_axis(&piece, 2, s->from_jump * from_stride, s->to_jump * to_stride);
        add_axis(&piece, s->count, s->from_step * from_stride, s->to_step * to_stride);
    }
    return piece;
}

/* Whether every cell of a combination stands for itself. */
static bool is_identity(const lister *l, const int *chosen)
{
    for (int f = 0; f < l->request->nfactors; ++f)
        if (!tsri_segment_stays(segment_of(l, chosen, f))) return false;
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
        st = tsri_pieces_add(mine ? &l->plan->copy : &l->plan->send, &piece);
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
    return piece.peer == request->rank ? TSR_OK : tsri_pieces_add(&l->plan->receive, &piece);
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

static void lister_free(lister *l)
{
    for (int f = 0; f < l->request->nfactors; ++f)
        tsri_segments_free(&l->list[f]);
}

/* By axis, one that no rank shares with another takes no part in messages. */
static bool is_wrapped(const tsri_plan_request *request, int factor)
{
    const tsri_axis_map *map = &request->factor[factor].map;
    return request->by_axis && map->kind == TSRI_MAP_HALO && map->from.blocks == 1;
}

/* Of a list, only a part. */
static tsr_status reduce_to(tsri_part part, tsri_segments *list)
{
    const tsri_segments all = *list;
    *list = (tsri_segments){0};
    const tsr_status st = tsri_segments_part(&all, part, list);
    tsri_free(all.item);
    return st;
}

/* The block at this rank's place along a factor. */
static int block_at(const int *coords, int axis)
{
    return axis == TSRI_NO_AXIS ? 0 : coords[axis];
}

/* Whether along every factor some block gets cells of this rank's. */
static bool is_sender(const tsri_plan_request *request, const int *coords)
{
    tsri_ranges ranges;
    for (int f = 0; f < request->nfactors; ++f) {
        const int block = block_at(coords, request->factor[f].from);
        tsri_axis_map_receivers(&request->factor[f].map, block, &ranges);
        if (ranges.count == 0) return false;
    }
    return true;
}

/* The segments that concern this rank as sender, or as receiver.  What repeats along an axis is got
 * by all blocks there, which a rank that sends nothing does not list. */
static tsr_status list_segments(lister *l, bool as_receiver)
{
    const tsri_plan_request *request = l->request;
    int coords[TSR_MAX_NDIM];
    tsr_status st = TSR_OK;

    if (as_receiver)
        tsri_geometry_coords(request->to, number(request->number.place, request->rank), coords);
    else
        tsri_geometry_coords(request->from, request->rank, coords);
    if (!as_receiver && !is_sender(request, coords)) return TSR_OK;
    for (int f = 0; f < request->nfactors; ++f) {
        const tsri_factor *factor = &request->factor[f];
        const int block = block_at(coords, as_receiver ? factor->to : factor->from);
        TSRI_TRY(done, as_receiver ? find_received(&factor->map, block, &l->list[f])
                                   : find_sent(&factor->map, block, &l->list[f]));
    }
done:
    return st;
}

/* What moves between ranks, and copies that it does not matter for. */
static tsr_status list_combinations(lister *l)
{
    const tsri_plan_request *request = l->request;
    tsr_status st = TSR_OK;

    for (int f = 0; f < request->nfactors; ++f) {
        if (is_wrapped(request, f)) TSRI_TRY(done, reduce_to(TSRI_STAYING, &l->list[f]));
        if (request->by_axis) tsri_segments_pair(&l->list[f]);
        TSRI_TRY(done, tsri_segments_number(&l->list[f]));
    }
    TSRI_TRY(done, check_product(l));
    if (!request->faces_only) TSRI_TRY(done, list_product(l, -1));
    for (int face = 0; request->faces_only && face < request->nfactors; ++face)
        TSRI_TRY(done, list_product(l, face));
done:
    return st;
}

/* List the pieces that this rank sends (and copies), or those it receives. */
static tsr_status list_pieces(const tsri_plan_request *request, tsri_plan *plan, bool sending)
{
    lister l = {.request = request, .plan = plan, .sending = sending};
    bool as_receiver;
    tsr_status st = TSR_OK;

    /* Without a cell there may still be axes of any length, and no end of segments. */
    if (!has_cells(request->from) || !has_cells(request->to)) return TSR_OK;
    if (!has_part(request, sending, &as_receiver)) return TSR_OK;
    TSRI_TRY(done, list_segments(&l, as_receiver));
    TSRI_TRY(done, list_combinations(&l));
done:
    lister_free(&l);
    return st;
}

/* ---- wraps: axis by axis, from cells of this rank that are there already --------------------- */

/* What is beyond this rank's block along `axis`, over a part of the other axes: of those that are
 * wrapped, later ones are complete; of those with other ranks on them, only what stays (split =
 * TSRI_NO_AXIS), or what comes from elsewhere along `split`, with all of those before it. */
static tsri_part part_of(const tsri_plan_request *request, int axis, int split, int factor)
{
    if (factor == axis) return TSRI_MOVED;
    if (is_wrapped(request, factor)) return factor > axis ? TSRI_PLACES : TSRI_STAYING;
    if (factor == split) return TSRI_MOVED_PLACES;
    return factor < split ? TSRI_PLACES : TSRI_STAYING;
}

static tsr_status list_wrap(const tsri_plan_request *request, tsri_plan *plan,
                            const tsri_segments *all, int axis, int split)
{
    lister l = {.request = request, .plan = plan, .sending = true};
    tsr_status st = TSR_OK;

    for (int f = 0; f < request->nfactors; ++f) {
        TSRI_TRY(done, tsri_segments_part(&all[f], part_of(request, axis, split, f), &l.list[f]));
        tsri_segments_pair(&l.list[f]);
    }
    TSRI_TRY(done, check_product(&l));
    TSRI_TRY(done, list_product(&l, -1));
done:
    lister_free(&l);
    return st;
}

/* The last axis first, so that the others are copied by longer runs. */
static tsr_status list_wraps(const tsri_plan_request *request, tsri_plan *plan)
{
    lister l = {.request = request};
    tsr_status st = TSR_OK;

    if (!has_cells(request->from)) return TSR_OK;
    TSRI_TRY(done, list_segments(&l, true));
    for (int a = request->nfactors - 1; a >= 0; --a)
        if (is_wrapped(request, a))
            TSRI_TRY(done, list_wrap(request, plan, l.list, a, TSRI_NO_AXIS));
    const int early = plan->copy.count;
    for (int a = request->nfactors - 1; a >= 0; --a)
        for (int split = 0; is_wrapped(request, a) && split < request->nfactors; ++split)
            if (!is_wrapped(request, split))
                TSRI_TRY(done, list_wrap(request, plan, l.list, a, split));
    plan->nlate = plan->copy.count - early;
done:
    lister_free(&l);
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
    if (request->by_axis) TSRI_TRY(fail, list_wraps(request, plan));
    if (request->by_to) tsri_plan_renumber(plan, request->number.place);
    TSRI_TRY(fail, tsri_pieces_group(&plan->send, true));
    TSRI_TRY(fail, tsri_pieces_group(&plan->receive, false));
    tsri_pieces_coalesce(&plan->send);
    tsri_pieces_coalesce(&plan->receive);
    tsri_pieces_coalesce(&plan->copy);
    *out = plan;
    return TSR_OK;
fail:
    tsri_plan_unref(plan);
    return st;
}
