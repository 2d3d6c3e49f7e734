#include "move/picks.h"

#include "base/checked.h"
#include "move/integers.h"
#include "move/pieces.h"
#include "move/transfer.h"

#include <string.h>

/* ---- lists ----------------------------------------------------------------------------------- */

tsr_status tsri_picks_add(tsri_picks *picks, int rank, int64_t cell, int64_t count)
{
    tsr_status st = TSR_OK;

    if (count == 0) return TSR_OK;
    if (picks->count > 0) {
        tsri_pick *last = &picks->item[picks->count - 1];
        if (last->rank == rank && last->cell + last->count == cell) {
            last->count += count;
            return TSR_OK;
        }
    }
    TSRI_GROW(done, picks->item, picks->count, picks->room, 16);
    picks->item[picks->count++] = (tsri_pick){.rank = rank, .cell = cell, .count = count};
done:
    return st;
}

void tsri_picks_free(tsri_picks *picks)
{
    tsri_free(picks->item);
    *picks = (tsri_picks){0};
}

/* ---- products -------------------------------------------------------------------------------- */

/* A product on its way: the axes of the other layout, and this rank's place in all but the last. */
typedef struct {
    int n;
    const tsri_way *way;
    const int64_t *stride;
    const tsri_other_end *other;
    tsri_axis axis[TSR_MAX_NDIM];
    int coords[TSR_MAX_NDIM];
    tsri_picks *picks;
} product;

static int64_t place_of(const tsri_way *way, int64_t k)
{
    return way->places != NULL ? way->places[k] : way->place + k * way->place_step;
}

static int64_t index_of(const tsri_way *way, int64_t k)
{
    return way->indices != NULL ? way->indices[k] : way->index + k * way->index_step;
}

/* Whether the other layout has several blocks along an axis. */
static bool has_blocks(const product *p, int a)
{
    const int axis = p->way[a].axis;
    return axis != TSRI_NO_AXIS && p->other->geometry->grid[axis] > 1;
}

/* Step k of an axis: the block at the other end. */
static void set_block(product *p, int a, int64_t k)
{
    if (has_blocks(p, a))
        p->coords[p->way[a].axis] = tsri_axis_owner(&p->axis[a], index_of(&p->way[a], k));
}

/* How many steps from step k of the last axis on are neighbouring cells of one block; at least 1.
 * The block is set. */
static int64_t run_length(const product *p, int64_t k)
{
    const int last = p->n - 1;
    const tsri_way *way = &p->way[last];
    const int64_t left = way->count - k;

    if (way->places != NULL || way->place_step * p->stride[last] != 1) return 1;
    if (!has_blocks(p, last)) return left;
    if (way->indices != NULL) return 1;
    if (way->index_step == 0) return left;
    return way->index_step != 1
               ? 1
               : tsri_min_i64(left, tsri_axis_cut(&p->axis[last], p->coords[way->axis] + 1) -
                                        index_of(way, k));
}

int tsri_other_rank(const tsri_other_end *other, const int *coords)
{
    return other->geometry->whole ? other->rank : tsri_geometry_rank(other->geometry, coords);
}

static tsr_status add_run(product *p, int64_t cell, int64_t count)
{
    const tsri_other_end *other = p->other;
    const int rank = tsri_other_rank(other, p->coords);
    return other->only && rank != other->rank ? TSR_OK
                                              : tsri_picks_add(p->picks, rank, cell, count);
}

/* The cells along the last axis. */
static tsr_status add_row(product *p, int64_t cell)
{
    const int last = p->n - 1;
    tsr_status st = TSR_OK;

    if (p->n == 0) return add_run(p, cell, 1);
    for (int64_t k = 0, n; k < p->way[last].count; k += n) {
        set_block(p, last, k);
        n = run_length(p, k);
        TSRI_TRY(done, add_run(p, cell + place_of(&p->way[last], k) * p->stride[last], n));
    }
done:
    return st;
}

tsr_status tsri_picks_product(int n, const tsri_way *ways, const int64_t *stride,
                              const tsri_other_end *other, tsri_picks *picks)
{
    product p = {.n = n, .way = ways, .stride = stride, .other = other, .picks = picks};
    int64_t step[TSR_MAX_NDIM] = {0}, cell = 0;
    tsr_status st = TSR_OK;

    for (int b = 0; b < other->geometry->ndim; ++b) { /* some axis of length 1 may have no way */
        const tsri_axis axis = tsri_geometry_axis(other->geometry, b);
        p.coords[b] = axis.length > 0 ? tsri_axis_owner(&axis, 0) : 0;
    }
    for (int a = 0; a < n; ++a) {
        if (ways[a].count == 0) return TSR_OK;
        if (ways[a].axis != TSRI_NO_AXIS)
            p.axis[a] = tsri_geometry_axis(other->geometry, ways[a].axis);
        set_block(&p, a, 0);
        if (a < n - 1) cell += place_of(&ways[a], 0) * stride[a];
    }
    for (int a = 0; a >= 0;) {
        TSRI_TRY(done, add_row(&p, cell));
        for (a = n - 2; a >= 0; --a) { /* odometer: wrap this axis, carry on */
            cell -= place_of(&ways[a], step[a]) * stride[a];
            step[a] = step[a] + 1 < ways[a].count ? step[a] + 1 : 0;
            cell += place_of(&ways[a], step[a]) * stride[a];
            set_block(&p, a, step[a]);
            if (step[a] > 0) break;
        }
    }
done:
    return st;
}

/* ---- moves ----------------------------------------------------------------------------------- */

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

/* Order picks by one digit of their ranks; those with equal ones stay in their order. */
static void sort_digit(int64_t n, const tsri_pick *from, tsri_pick *to, int shift)
{
    int64_t next[DIGITS + 1] = {0};

    for (int64_t i = 0; i < n; ++i)
        ++next[((from[i].rank >> shift) & (DIGITS - 1)) + 1];
    for (int d = 0; d < DIGITS; ++d)
        next[d + 1] += next[d];
    for (int64_t i = 0; i < n; ++i)
        to[next[(from[i].rank >> shift) & (DIGITS - 1)]++] = from[i];
}

/* Order picks by rank, those of one rank as they are; `cells` is how many there are. */
static tsr_status sort(tsri_picks *picks, int64_t *cells)
{
    bool sorted = true;
    int most = 0;
    tsri_pick *other = NULL;
    tsr_status st = TSR_OK;

    *cells = 0;
    for (int64_t i = 0; i < picks->count; ++i) {
        *cells += picks->item[i].count;
        sorted = sorted && (i == 0 || picks->item[i - 1].rank <= picks->item[i].rank);
        if (picks->item[i].rank > most) most = picks->item[i].rank;
    }
    if (sorted) return TSR_OK;
    TSRI_ALLOC(done, other, picks->room);
    for (int shift = 0; shift < 31 && most >> shift != 0; shift += DIGIT_BITS) {
        tsri_pick *const from = picks->item;
        sort_digit(picks->count, from, other, shift);
        picks->item = other;
        other = from;
    }
done:
    tsri_free(other);
    return st;
}

static void add_piece(tsri_pieces *pieces, int peer, int64_t cells, int64_t from, int64_t to)
{
    tsri_pieces_add_peer(pieces, (tsri_piece){.peer = peer,
                                              .ndim = 1,
                                              .extent = {cells},
                                              .cells = cells,
                                              .from = {.offset = from, .stride = {1}},
                                              .to = {.offset = to, .stride = {1}}});
}

/* The group of picks with one rank that begins at i, and where the next begins. */
static int64_t group_cells(const tsri_picks *picks, int64_t i, int64_t *next)
{
    int64_t cells = 0;
    for (*next = i; *next < picks->count && picks->item[*next].rank == picks->item[i].rank; ++*next)
        cells += picks->item[*next].count;
    return cells;
}

static int64_t groups(const tsri_picks *picks)
{
    int64_t n = 0;
    for (int64_t i = 0, next; i < picks->count; i = next, ++n)
        group_cells(picks, i, &next);
    return n;
}

/* Where the cells from this rank begin among those taken. */
static int64_t own_place(const tsri_picks *taken, int rank)
{
    int64_t cells = 0;
    for (int64_t i = 0; i < taken->count; ++i) {
        if (tsri_picks_peer(taken, taken->item[i].rank) == rank) break;
        cells += taken->item[i].count;
    }
    return cells;
}

static tsr_status list_given(const tsri_picks *given, const tsri_picks *taken, int rank, int size,
                             tsri_plan *plan)
{
    const bool to_all = given->count > 0 && given->item[0].rank == TSR_ALL_RANKS;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_pieces_reserve(&plan->send, to_all ? size : groups(given)));
    TSRI_TRY(done, tsri_pieces_reserve(&plan->copy, 1));
    for (int64_t i = 0, next, from = 0; i < given->count; i = next) {
        const int64_t cells = group_cells(given, i, &next);
        const int first = to_all ? 0 : tsri_picks_peer(given, given->item[i].rank);
        const int last = to_all ? size - 1 : first;
        for (int peer = first; peer <= last; ++peer) {
            if (peer == rank)
                add_piece(&plan->copy, peer, cells, from, own_place(taken, rank));
            else
                add_piece(&plan->send, peer, cells, from, 0);
        }
        from += cells;
    }
    if (given->numbers != NULL) tsri_pieces_sort_peers(&plan->send);
done:
    return st;
}

static tsr_status list_taken(const tsri_picks *taken, int rank, tsri_plan *plan)
{
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_pieces_reserve(&plan->receive, groups(taken)));
    for (int64_t i = 0, next, to = 0; i < taken->count; i = next) {
        const int64_t cells = group_cells(taken, i, &next);
        const int peer = tsri_picks_peer(taken, taken->item[i].rank);
        if (peer != rank) add_piece(&plan->receive, peer, cells, 0, to);
        to += cells;
    }
    if (taken->numbers != NULL) tsri_pieces_sort_peers(&plan->receive);
done:
    return st;
}

/* Single cells of the usual sizes need no call. */
static inline void copy_run(unsigned char *to, const unsigned char *from, size_t bytes)
{
    switch (bytes) {
    case 1:
        memcpy(to, from, 1);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, bytes);
    }
}

/* Copy picked cells between their block and one after another. */
static void copy(const tsri_picks *picks, size_t size, unsigned char *block, unsigned char *packed,
                 bool pack)
{
    for (int64_t i = 0; i < picks->count; ++i) {
        const tsri_pick *pick = &picks->item[i];
        unsigned char *cells = block + pick->cell * (int64_t)size;
        copy_run(pack ? packed : cells, pack ? cells : packed, (size_t)pick->count * size);
        packed += (size_t)pick->count * size;
    }
}

static tsr_status buffer(int64_t cells, size_t size, unsigned char **memory)
{
    tsr_status st = TSR_OK;
    *memory = tsri_alloc_aligned((size_t)cells * size);
    TSRI_CHECK(done, *memory != NULL, TSR_ERR_NOMEM, "no memory for %lld selected cells",
               (long long)cells);
done:
    return st;
}

tsr_status tsri_picks_move(tsri_context *context, tsr_status earlier, uint64_t fingerprint,
                           tsri_picks *given, tsri_picks *taken, tsr_dtype dtype, const void *from,
                           void *to)
{
    const int rank = tsri_context_rank(context), size = tsri_context_size(context);
    const size_t element = tsr_dtype_size(dtype);
    unsigned char *out = NULL, *in = NULL;
    int64_t cells = 0;
    tsri_plan *plan = NULL;
    tsr_status st = earlier;

    if (st != TSR_OK) goto move;
    TSRI_TRY(move, sort(given, &cells));
    TSRI_TRY(move, buffer(cells, element, &out));
    TSRI_TRY(move, sort(taken, &cells));
    TSRI_TRY(move, buffer(cells, element, &in));
    TSRI_ALLOC(move, plan, 1);
    atomic_init(&plan->refs, 1);
    TSRI_TRY(move, list_given(given, taken, rank, size, plan));
    TSRI_TRY(move, list_taken(taken, rank, plan));
    copy(given, element, (unsigned char *)from, out, true);
move:
    st = tsri_transfer(context, st, fingerprint, plan, dtype, out, in);
    if (st == TSR_OK && to != NULL) copy(taken, element, to, in, false);
    tsri_plan_unref(plan);
    tsri_free_aligned(out);
    tsri_free_aligned(in);
    return st;
}
