#include "move/picks.h"

#include "base/checked.h"
#include "move/pieces.h"
#include "move/transfer.h"

#include <string.h>

/* ---- lists ----------------------------------------------------------------------------------- */

tsr_status tsri_picks_add(tsri_picks *picks, int rank, int64_t cell, int64_t count)
{
    if (count == 0) return TSR_OK;
    if (picks->count > 0) {
        tsri_pick *last = &picks->item[picks->count - 1];
        if (last->rank == rank && last->list == 0 && last->cell + last->count == cell) {
            last->count += count;
            return TSR_OK;
        }
    }
    return tsri_picks_append(picks, (tsri_pick){.rank = rank, .cell = cell, .count = count});
}

tsr_status tsri_picks_append(tsri_picks *picks, tsri_pick pick)
{
    tsr_status st = TSR_OK;
    TSRI_GROW(done, picks->item, picks->count, picks->room, 16);
    picks->item[picks->count++] = pick;
done:
    return st;
}

tsr_status tsri_picks_new_list(tsri_picks *picks, int64_t count, int *number, int64_t **list)
{
    tsr_status st = TSR_OK;
    TSRI_GROW(done, picks->list, picks->nlists, picks->lists_room, 4);
    TSRI_ALLOC(done, *list, count);
    picks->list[picks->nlists] = *list;
    *number = ++picks->nlists;
done:
    return st;
}

void tsri_picks_free(tsri_picks *picks)
{
    for (int k = 0; k < picks->nlists; ++k)
        tsri_free(picks->list[k]);
    tsri_free(picks->list);
    tsri_free(picks->item);
    *picks = (tsri_picks){0};
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

tsr_status tsri_picks_sort(tsri_picks *picks, int64_t *cells)
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

/* Copy picked cells of one size between their block and one after another. */
static inline void copy_sized(const tsri_picks *picks, size_t size, unsigned char *block,
                              unsigned char *packed, bool pack)
{
    for (int64_t i = 0; i < picks->count; ++i) {
        const tsri_pick *pick = &picks->item[i];
        unsigned char *cells = block + pick->cell * (int64_t)size;
        const int64_t *list = pick->list == 0 ? NULL : picks->list[pick->list - 1];
        const int64_t n = pick->count;
        if (list == NULL && n > 1) {
            memcpy(pack ? packed : cells, pack ? cells : packed, (size_t)n * size);
            packed += (size_t)n * size;
            continue;
        }
        for (int64_t k = 0; k < n; ++k, packed += size) {
            unsigned char *cell = cells + (list == NULL ? 0 : list[k]) * (int64_t)size;
            memcpy(pack ? packed : cell, pack ? cell : packed, size);
        }
    }
}

/* Copies of cells of a constant size need no call. */
static void copy(const tsri_picks *picks, size_t size, unsigned char *block, unsigned char *packed,
                 bool pack)
{
    switch (size) {
#define COPY(bytes)                                                                                \
    case bytes:                                                                                    \
        if (pack)                                                                                  \
            copy_sized(picks, bytes, block, packed, true);                                         \
        else                                                                                       \
            copy_sized(picks, bytes, block, packed, false);                                        \
        break;
        COPY(1)
        COPY(2)
        COPY(4)
        COPY(8)
    default:
        COPY(16)
#undef COPY
    }
}

/* Room for packed cells: the context's scratch `place`, so that a call in a loop does not get fresh
 * pages each time, or, of what is too much to keep, memory of its own. */
enum { OUT = 1, IN = 2, MOST_KEPT = 32 << 20 };
static tsr_status buffer(tsri_context *context, int place, int64_t cells, size_t size,
                         unsigned char **memory, unsigned char **own)
{
    const size_t bytes = (size_t)cells * size;
    tsr_status st = TSR_OK;

    if (bytes == 0) return TSR_OK;
    if (bytes > MOST_KEPT) *own = tsri_alloc_aligned(bytes);
    *memory = bytes > MOST_KEPT ? *own : tsri_context_scratch(context, place, bytes);
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
    unsigned char *out = NULL, *in = NULL, *own[2] = {NULL, NULL};
    int64_t cells = 0;
    tsri_plan *plan = NULL;
    tsr_status st = earlier;

    if (st != TSR_OK) goto move;
    TSRI_TRY(move, tsri_picks_sort(given, &cells));
    TSRI_TRY(move, buffer(context, OUT, cells, element, &out, &own[0]));
    TSRI_TRY(move, tsri_picks_sort(taken, &cells));
    TSRI_TRY(move, buffer(context, IN, cells, element, &in, &own[1]));
    TSRI_ALLOC(move, plan, 1);
    atomic_init(&plan->refs, 1);
    TSRI_TRY(move, list_given(given, taken, rank, size, plan));
    TSRI_TRY(move, list_taken(taken, rank, plan));
    copy(given, element, (unsigned char *)from, out, true);
move:
    st = tsri_transfer(context, st, fingerprint, plan, dtype, out, in);
    if (st == TSR_OK && to != NULL) copy(taken, element, to, in, false);
    tsri_plan_unref(plan);
    tsri_free_aligned(own[0]);
    tsri_free_aligned(own[1]);
    return st;
}
