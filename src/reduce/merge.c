/* Shares between ranks. */
#include "base/checked.h"
#include "base/net.h"
#include "kern/kern.h"
#include "move/transfer.h"
#include "reduce/frame.h"

#include <string.h>

/* ---- a distributed result: to the owners ----------------------------------------------------- */

/* The shares are moved as an array of their own, in which a reduced axis has one place for each
 * block along it.  In the result's blocks all places are on one rank, where they are combined. */
typedef struct delivery {
    tsri_geometry from, to;
    int64_t cells;  /* of this rank's block of the result */
    int64_t places; /* shares of each */
    tsri_plan *plan;
    tsri_shares arrived; /* place after place */
} delivery;

static void describe(const tsri_frame *frame, const tsr_layout *result, tsri_plan_request *request,
                     delivery *d)
{
    const tsri_geometry *g = &frame->layout->geometry, *r = &result->geometry;
    int64_t start[TSR_MAX_NDIM], extent[TSR_MAX_NDIM], stride[TSR_MAX_NDIM];
    int k = 0;

    d->from = d->to = *g;
    tsri_geometry_block(r, result->rank, start, extent);
    d->cells = tsri_c_strides(r->ndim, extent, stride);
    d->places = 1;
    for (int a = 0; a < g->ndim; ++a) {
        request->from_stride[a] = frame->stride[a];
        if (tsri_frame_reduces(frame, a)) {
            d->from.shape[a] = d->to.shape[a] = g->grid[a];
            d->from.cuts[a] = d->to.cuts[a] = NULL;
            d->to.grid[a] = 1;
            k += frame->keep;
        } else {
            d->to.grid[a] = r->grid[k];
            d->to.cuts[a] = r->cuts[k];
            request->to_stride[a] = stride[k++];
        }
    }
    for (int a = g->ndim - 1; a >= 0; --a) {
        if (!tsri_frame_reduces(frame, a)) continue;
        request->to_stride[a] = d->cells * d->places;
        d->places *= g->grid[a];
    }
}

static tsr_status prepare(const tsri_frame *frame, const tsr_layout *result,
                          const tsri_share_type *type, delivery *d)
{
    tsri_plan_request request = {.rank = result->rank, .root = TSR_ALL_RANKS};
    tsr_status st = TSR_OK;

    describe(frame, result, &request, d);
    request.from = &d->from;
    request.to = &d->to;
    for (int a = 0; a < d->to.ndim; ++a)
        tsri_plan_request_add_same(&request, a, a);
    TSRI_TRY(done, tsri_plan_create(&request, &d->plan));
    TSRI_TRY(done, tsri_shares_make(type, d->cells * d->places, NULL, &d->arrived));
done:
    return st;
}

/* Combine the places, first axis slowest, which is the order of their ranks, into the first. */
static void combine_places(delivery *d)
{
    for (int64_t place = 1; place < d->places; ++place) {
        void *share[TSRI_MOST_PLANES];
        for (int p = 0; p < d->arrived.type.planes; ++p)
            share[p] = tsri_shares_at(&d->arrived, p, place * d->cells);
        tsri_shares_combine(&d->arrived.type, d->cells, d->arrived.plane, share);
    }
    d->arrived.cells = d->cells;
}

static tsr_status deliver(const tsri_frame *frame, const tsr_layout *result, tsr_status status,
                          const tsri_share_type *type, tsri_shares *shares)
{
    delivery d = {0};
    tsri_plan *plans[TSRI_MOST_PLANES];
    tsr_status st = status;

    if (st == TSR_OK) st = prepare(frame, result, type, &d);
    for (int p = 0; p < type->planes; ++p)
        plans[p] = d.plan;
    TSRI_TRY(done, tsri_transfer_many(result->context, st, 0, type->planes, plans, type->dtype,
                                      shares->plane, d.arrived.plane));
    combine_places(&d);
    tsri_shares_free(shares);
    *shares = d.arrived;
    d.arrived = (tsri_shares){0};
done:
    tsri_plan_unref(d.plan);
    tsri_shares_free(&d.arrived);
    return st;
}

/* ---- a replicated result: up and down a tree ------------------------------------------------- */

enum { LARGEST_PIECE = 1 << 20 }; /* bytes of a message */

/* Shares in a message that knows what they are: plane after plane. */
typedef struct piece {
    tsri_share_type type;
    int64_t cells;
    _Alignas(16) unsigned char planes[];
} piece;

static void planes_of(piece *message, void **planes)
{
    unsigned char *next = message->planes;
    for (int p = 0; p < message->type.planes; ++p) {
        planes[p] = next;
        next += (size_t)message->cells * tsr_dtype_size(message->type.dtype[p]);
    }
}

static void combine_pieces(void *left, const void *right)
{
    piece *l = left, *r = (piece *)right;
    void *left_planes[TSRI_MOST_PLANES], *right_planes[TSRI_MOST_PLANES];

    planes_of(l, left_planes);
    planes_of(r, right_planes);
    tsri_shares_combine(&l->type, l->cells, left_planes, right_planes);
}

/* Cells of a message. */
static int64_t piece_cells(const tsr_layout *result, const tsri_share_type *type)
{
    const int64_t all = result->geometry.cells;
    int64_t bytes = tsri_context_settings(result->context)->message_limit;
    if (bytes > LARGEST_PIECE) bytes = LARGEST_PIECE;
    const int64_t cells = (bytes - (int64_t)sizeof(piece)) / (int64_t)tsri_share_bytes(type);
    return cells > all ? all : cells < 1 ? 1 : cells;
}

/* Copy cells [first, first + n) between shares and a message. */
static void copy_piece(const tsri_shares *shares, int64_t first, piece *message, bool out)
{
    void *planes[TSRI_MOST_PLANES];

    planes_of(message, planes);
    for (int p = 0; p < shares->type.planes; ++p) {
        void *cells = tsri_shares_at(shares, p, first);
        const size_t bytes = (size_t)message->cells * tsr_dtype_size(shares->type.dtype[p]);
        memcpy(out ? planes[p] : cells, out ? cells : planes[p], bytes);
    }
}

/* Put this rank's share in its place in that of the whole result. */
static void place(const tsri_frame *frame, const tsri_shares *shares, tsri_shares *all)
{
    const tsri_geometry *g = &frame->layout->geometry;
    int64_t extent[TSR_MAX_NDIM], from[TSR_MAX_NDIM], to[TSR_MAX_NDIM], shape[TSR_MAX_NDIM];
    int64_t start[TSR_MAX_NDIM], block[TSR_MAX_NDIM], offset = 0;
    int ndim = 0;

    tsri_geometry_block(g, frame->layout->rank, block, extent);
    for (int a = 0; a < g->ndim; ++a) {
        if (tsri_frame_reduces(frame, a)) continue;
        shape[ndim] = g->shape[a];
        extent[ndim] = frame->extent[a];
        from[ndim] = frame->stride[a];
        start[ndim++] = block[a];
    }
    tsri_c_strides(ndim, shape, to);
    for (int a = 0; a < ndim; ++a)
        offset += start[a] * to[a];
    for (int p = 0; p < shares->type.planes; ++p)
        tsri_kern_get()->copy(tsr_dtype_size(shares->type.dtype[p]), ndim, extent,
                              tsri_shares_at(all, p, offset), to, shares->plane[p], from);
}

static tsr_status combine_all(const tsr_layout *result, tsri_shares *all, piece *message)
{
    const int64_t most = piece_cells(result, &all->type);
    const size_t cell = tsri_share_bytes(&all->type);
    tsr_status st = TSR_OK;

    for (int64_t done = 0; done < all->cells; done += most) {
        message->type = all->type;
        message->cells = all->cells - done < most ? all->cells - done : most;
        copy_piece(all, done, message, true);
        const tsr_status sent =
            tsri_net_combine(result->context, message,
                             sizeof *message + (size_t)message->cells * cell, combine_pieces);
        if (sent == TSR_OK) copy_piece(all, done, message, false);
        if (st == TSR_OK) st = sent;
    }
    return st;
}

static tsr_status share_all(const tsri_frame *frame, const tsr_layout *result, tsr_status status,
                            const tsri_share_type *type, tsri_shares *shares)
{
    tsr_status st = status;
    tsri_shares all = {0};
    piece *message = NULL;
    const size_t bytes =
        sizeof *message + (size_t)piece_cells(result, type) * tsri_share_bytes(type);

    TSRI_TRY(agree, status);
    TSRI_TRY(agree, tsri_shares_make(type, result->geometry.cells, NULL, &all));
    message = tsri_alloc_aligned(bytes);
    TSRI_CHECK_IN(frame->name, agree, message != NULL, TSR_ERR_NOMEM,
                  "no memory for a message of %zu bytes", bytes);
    memset(message, 0, bytes);
    place(frame, shares, &all);
agree:
    TSRI_TRY(done, tsri_agree(result->context, st, 0));
    TSRI_TRY(done, tsri_agree(result->context, combine_all(result, &all, message), 0));
    tsri_shares_free(shares);
    *shares = all;
    all = (tsri_shares){0};
done:
    tsri_shares_free(&all);
    tsri_free_aligned(message);
    return st;
}

tsr_status tsri_merge_shares(const tsri_frame *frame, const tsr_layout *result, tsr_status status,
                             const tsri_share_type *type, tsri_shares *shares)
{
    if (tsri_frame_stays(frame, result)) return tsri_agree(result->context, status, 0);
    if (result->geometry.whole) return share_all(frame, result, status, type, shares);
    return deliver(frame, result, status, type, shares);
}
