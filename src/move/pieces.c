#include "move/pieces.h"
#include "base/memory.h"
#include "kern/kern.h"

#include <stdlib.h>

tsr_status tsri_pieces_add(tsri_pieces *pieces, const tsri_piece *piece)
{
    tsr_status st = TSR_OK;

    TSRI_GROW(done, pieces->item, pieces->count, pieces->room, 8);
    pieces->item[pieces->count] = *piece;
    pieces->item[pieces->count].serial = pieces->count;
    ++pieces->count;
done:
    return st;
}

tsr_status tsri_pieces_reserve(tsri_pieces *pieces, int64_t count)
{
    tsr_status st = TSR_OK;
    TSRI_ALLOC(done, pieces->item, count);
    TSRI_ALLOC(done, pieces->peer, count);
done:
    return st;
}

void tsri_pieces_add_peer(tsri_pieces *pieces, tsri_piece piece)
{
    piece.serial = pieces->count;
    pieces->peer[pieces->npeers++] =
        (tsri_peer){.rank = piece.peer, .first = pieces->count, .count = 1, .cells = piece.cells};
    pieces->item[pieces->count++] = piece;
}

static int by_rank(const void *left, const void *right)
{
    const tsri_peer *a = left, *b = right;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

void tsri_pieces_sort_peers(tsri_pieces *pieces)
{
    if (pieces->npeers > 1)
        qsort(pieces->peer, (size_t)pieces->npeers, sizeof *pieces->peer, by_rank);
}

static int by_peer(const void *left, const void *right)
{
    const tsri_piece *a = left, *b = right;
    if (a->peer != b->peer) return a->peer < b->peer ? -1 : 1;
    return a->serial < b->serial ? -1 : a->serial > b->serial;
}

static void lay_out(tsri_pieces *pieces, bool sending)
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

tsr_status tsri_pieces_group(tsri_pieces *pieces, bool sending)
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
    lay_out(pieces, sending);
done:
    return st;
}

void tsri_pieces_coalesce(tsri_pieces *pieces)
{
    for (int i = 0; i < pieces->count; ++i) {
        tsri_piece *piece = &pieces->item[i];
        int64_t *const strides[2] = {piece->from.stride, piece->to.stride};
        piece->ndim = tsri_coalesce(piece->ndim, piece->extent, 2, strides);
    }
}

/* ---- what is done to whole plans ------------------------------------------------------------- */

static void free_pieces(tsri_pieces *pieces)
{
    tsri_free(pieces->item);
    tsri_free(pieces->peer);
}

/* Swap the two ends of every piece. */
static void reverse(tsri_pieces *pieces)
{
    for (int i = 0; i < pieces->count; ++i) {
        const tsri_place from = pieces->item[i].from;
        pieces->item[i].from = pieces->item[i].to;
        pieces->item[i].to = from;
    }
}

tsri_plan *tsri_plan_ref(tsri_plan *plan)
{
    atomic_fetch_add(&plan->refs, 1);
    return plan;
}

void tsri_plan_unref(tsri_plan *plan)
{
    if (plan == NULL || atomic_fetch_sub(&plan->refs, 1) > 1) return;
    free_pieces(&plan->send);
    free_pieces(&plan->receive);
    free_pieces(&plan->copy);
    tsri_free(plan->fill);
    tsri_free(plan);
}

static void renumber(tsri_pieces *pieces, const int *numbers)
{
    for (int i = 0; i < pieces->count; ++i)
        pieces->item[i].peer = numbers[pieces->item[i].peer];
}

void tsri_plan_renumber(tsri_plan *plan, const int *numbers)
{
    if (numbers == NULL) return;
    renumber(&plan->send, numbers);
    renumber(&plan->receive, numbers);
    renumber(&plan->copy, numbers);
}

void tsri_plan_reverse(tsri_plan *plan)
{
    const tsri_pieces send = plan->send;
    plan->send = plan->receive;
    plan->receive = send;
    reverse(&plan->send);
    reverse(&plan->receive);
    reverse(&plan->copy);
}
