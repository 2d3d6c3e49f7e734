/* Plans: who sends which boxes of cells to whom, as this rank sees it.
 *
 * A plan is made from geometry alone, without communication, in time proportional to the pieces
 * that this rank sends and receives: both ends of a message list its pieces in the same order.  It
 * is the product of one index map per axis (axis_map.h); halo updates, accumulation, redistribution
 * and gathering differ only in the maps. */
#ifndef TSRI_MOVE_PLAN_H
#define TSRI_MOVE_PLAN_H

#include "base/numbering.h"
#include "move/axis_map.h"

#include <stdatomic.h>

/* One side of a piece: where its first cell lies, and the strides, in cells.  In a block, relative
 * to the first owned cell; in a message, to the first cell that the same peer and plan put there.
 */
typedef struct tsri_place {
    int64_t offset;
    int64_t stride[TSR_MAX_NDIM];
} tsri_place;

/* A box of cells that moves as one: read at `from`, written at `to`. */
typedef struct tsri_piece {
    int peer;   /* the rank at the other end; this rank: a copy */
    int serial; /* place in the listing, which both ends share */
    int ndim;
    int64_t extent[TSR_MAX_NDIM];
    int64_t cells;
    int64_t turn; /* order among all pieces, of all peers, that an operation combines on one rank */
    tsri_place from, to;
} tsri_piece;

/* Pieces in the order of their peers, and for each peer the range of its pieces. */
typedef struct tsri_peer {
    int rank;
    int first, count; /* pieces */
    int64_t cells;
} tsri_peer;
typedef struct tsri_pieces {
    tsri_piece *item;
    int count, room;
    tsri_peer *peer;
    int npeers;
} tsri_pieces;

/* A box of this rank's storage that is filled without a source: local indices, half-open. */
typedef struct tsri_fill {
    int axis, side; /* the wall it lies beyond; side 0 or 1 */
    int64_t lo[TSR_MAX_NDIM], hi[TSR_MAX_NDIM];
} tsri_fill;

typedef struct tsri_plan {
    atomic_int refs;
    tsri_pieces send, receive, copy; /* copy: the pieces that stay on this rank, in order */
    int nlate;                       /* the last copies, which read what has come from peers */
    tsri_fill *fill;
    int nfills;
} tsri_plan;

/* One factor of a plan: an axis of `to` whose indices come from an axis of `from`.  Without an axis
 * of `from` (TSRI_NO_AXIS) every index there takes the same cells; without one of `to`, one index
 * of `from` is taken.  The missing side of the map is an axis of one cell. */
enum { TSRI_NO_AXIS = -1, TSRI_MAX_FACTORS = 2 * TSR_MAX_NDIM };
typedef struct tsri_factor {
    int from, to;
    tsri_axis_map map;
} tsri_factor;

/* What a plan is made of: the cells of a `from` layout that a `to` layout needs.  Every axis of
 * either is in one factor.  When `from` is whole every rank has its own copy and nothing is sent;
 * when `to` is whole and `from` is not, `root` (or every rank, with TSR_ALL_RANKS) receives. */
typedef struct tsri_plan_request {
    const tsri_geometry *from, *to;
    int rank;              /* this rank in `from`, whose numbers messages go by */
    tsri_numbering number; /* of the ranks in `to` */
    bool by_to;            /* messages go by the numbers of `to` instead */
    int root;
    bool in_place;               /* both are one storage: cells that stand for themselves stay */
    bool faces_only;             /* only cells outside the owned range along exactly one axis */
    const tsri_offsets *offsets; /* only cells that these reach; NULL: all */
    bool by_axis; /* in place, and none of the two above: what lies beyond an axis that no rank
                     shares with another is copied from cells that have been brought before */
    int nfactors;
    tsri_factor factor[TSRI_MAX_FACTORS];
    int64_t from_stride[TSR_MAX_NDIM], to_stride[TSR_MAX_NDIM]; /* of this rank's cells */
} tsri_plan_request;

/* Add a factor whose map is affine; TSRI_NO_AXIS as above. */
void tsri_plan_request_add(tsri_plan_request *request, int from_axis, int to_axis,
                           tsri_affine affine);
/* Add one in which index i stands for index i. */
void tsri_plan_request_add_same(tsri_plan_request *request, int from_axis, int to_axis);

/* Local; the plan has one reference. */
tsr_status tsri_plan_create(const tsri_plan_request *request, tsri_plan **plan);
tsri_plan *tsri_plan_ref(tsri_plan *plan);
void tsri_plan_unref(tsri_plan *plan);
/* Turn a plan round: what was received is sent, and the other way round. */
void tsri_plan_reverse(tsri_plan *plan);

#endif
