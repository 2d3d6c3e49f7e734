#include "move/pieces.h"
#include "base/memory.h"
#include "kern/kern.h"

#include <stdlib.h>
#include <string.h>

tsr_status tsri_pieces_add(tsri_pieces *pieces, const tsri_piece *piece)
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

tsr_status tsri_pieces_group(tsri_pieces *pieces)
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

void tsri_pieces_lay_out(tsri_pieces *pieces, bool sending)
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

void tsri_pieces_coalesce(tsri_pieces *pieces)
{
    for (int i = 0; i < pieces->count; ++i) {
        tsri_piece *piece = &pieces->item[i];
        int64_t *const strides[2] = {piece->from.stride, piece->to.stride};
        piece->ndim = tsri_coalesce(piece->ndim, piece->extent, 2, strides);
    }
}

void tsri_pieces_free(tsri_pieces *pieces)
{
    tsri_free(pieces->item);
    tsri_free(pieces->peer);
}

void tsri_pieces_reverse(tsri_pieces *pieces)
{
    for (int i = 0; i < pieces->count; ++i) {
        const tsri_place from = pieces->item[i].from;
        pieces->item[i].from = pieces->item[i].to;
        pieces->item[i].to = from;
    }
}

/* ---- what is done to whole plans --------------------------------------------------------------
 */

tsri_plan *tsri_plan_ref(tsri_plan *plan)
{
    atomic_fetch_add(&plan->refs, 1);
    return plan;
}

void tsri_plan_unref(tsri_plan *plan)
{
    if (plan == NULL || atomic_fetch_sub(&plan->refs, 1) > 1) return;
    tsri_pieces_free(&plan->send);
    tsri_pieces_free(&plan->receive);
    tsri_pieces_free(&plan->copy);
    tsri_free(plan->fill);
    tsri_free(plan);
}

void tsri_plan_reverse(tsri_plan *plan)
{
    const tsri_pieces send = plan->send;
    plan->send = plan->receive;
    plan->receive = send;
    tsri_pieces_reverse(&plan->send);
    tsri_pieces_reverse(&plan->receive);
    tsri_pieces_reverse(&plan->copy);
}
