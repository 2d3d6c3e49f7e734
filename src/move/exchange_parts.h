/* The insides of exchanges, for exchange.c and the transports. */
#ifndef TSRI_MOVE_EXCHANGE_PARTS_H
#define TSRI_MOVE_EXCHANGE_PARTS_H

#include "move/exchange.h"
#include "shm/flag.h"

/* One plan with its element type, and the memories that it is between. */
typedef struct tsri_item {
    tsri_plan *plan;
    tsr_dtype dtype;
    size_t size;
    unsigned char *from, *to;
    bool shared; /* peers may read `from` */
} tsri_item;

enum { TSRI_OWN = -1 };

/* One piece to be packed for a peer, or applied: from a peer, or from this rank's own cells.  Both
 * ends of a link list the same pieces in the same order. */
typedef struct tsri_step {
    const tsri_piece *piece;
    int item;
    int link;              /* TSRI_OWN: no peer's */
    size_t offset;         /* in the link's bytes: of the first cell that the plan has there */
    unsigned char *target; /* first cells; no target: the peer reads the source itself */
    const unsigned char *source;
    int ndim; /* the same cells in the same order as the piece's, perhaps along other axes */
    const int64_t *extent, *target_stride, *source_stride;
} tsri_step;

/* All cells that go to, or come from, one rank. */
typedef struct tsri_link {
    int rank;
    size_t bytes; /* of its cells, packed */
    int first_step, nsteps;
    /* p2p */
    size_t offset;                /* in the buffer */
    int first_request, nrequests; /* more than one when it exceeds the message limit */
    bool there;                   /* this run: what comes in */
    /* shm */
    bool shared;
    bool taken;        /* this run: read, and the peer told so */
    tsri_flag *waits;  /* of this rank: raised by the peer when its cells are there, or when it has
                          read this rank's */
    tsri_flag *raises; /* of the peer: the answer */
    size_t spare; /* bytes from the packed cells of even runs to those of odd ones; 0: there is one
                     place for all, or some cells are read where they lie */
    unsigned char *fetched; /* those of even runs, when they are so few that their cache lines are
                               asked for before they are used; else NULL */
} tsri_link;

typedef struct tsri_links {
    tsri_link *item;
    int count;
    tsri_step *step;
    int nsteps;
} tsri_links;

/* p2p in one direction. */
typedef struct tsri_traffic {
    unsigned char *buffer;
    size_t bytes;
    tsri_request *request;
    int nrequests;
    /* This run: */
    bool complete;
    int awaited; /* of what comes in: links that are not there, ... */
    int next;    /* ... and the link that is tested next */
} tsri_traffic;

/* The memory by which the peers of a node meet, and what is mapped of theirs. */
typedef struct tsri_meeting tsri_meeting;

struct tsri_exchange {
    tsri_context *context;
    tsri_combine combine;
    int count;
    tsri_item *item;
    tsri_links send, receive; /* of `receive`, the first `nown` steps, and those from `first_late`
                                 on, are this rank's own */
    int nown, first_late;
    bool repeats;   /* is to be run many times */
    tsri_step *add; /* TSRI_ADD: all that is added, in order; NULL otherwise.  What comes from
                       other ranks is in `stage` or received by then, so that they need not wait
                       for the finish, before which nothing may be added */
    unsigned char *stage;
    tsri_traffic sent, received;
    tsri_meeting *meeting; /* NULL: no peer shares memory */
    uint64_t run;          /* its number, from 1 */
    int64_t copied_bytes;  /* of a run */
    /* The run under way: */
    struct tsri_exchange *older, *newer;
    bool active;
    bool held;       /* must not write yet */
    bool own_moved;  /* this rank's own cells are copied */
    bool late_moved; /* also those that depend on what comes from peers */
    bool abandoned;
    tsr_status failure; /* the first */
};

/* An address `cells` cells of an item's type beyond another; NULL, where there is no cell, stays.
 */
static inline unsigned char *tsri_item_at(const tsri_item *item, unsigned char *base, int64_t cells)
{
    return base == NULL ? NULL : base + cells * (int64_t)item->size;
}

/* Where the packed cells of the present run are, beyond those of even runs. */
static inline size_t tsri_link_shift(const tsri_exchange *e, const tsri_link *link)
{
    return link->shared && e->run % 2 == 1 ? link->spare : 0;
}

/* ---- p2p: the links that are not shared ------------------------------------------------------ */

/* Make buffers and requests.  Local. */
tsr_status tsri_p2p_create(tsri_exchange *exchange);
void tsri_p2p_free(tsri_exchange *exchange);
tsr_status tsri_p2p_start_receiving(tsri_exchange *exchange);
/* The link is packed. */
tsr_status tsri_p2p_send(tsri_exchange *exchange, const tsri_link *link);
/* Test what is under way. */
tsr_status tsri_p2p_progress(tsri_exchange *exchange);

/* ---- shm: links to ranks that share memory --------------------------------------------------- */

/* Find the peers that may share memory, and make what the meeting takes.  Local: without enough
 * shared memory they are p2p. */
tsr_status tsri_shm_create(tsri_exchange *exchange);
void tsri_shm_free(tsri_exchange *exchange);
/* Tell peers where things lie, map what they tell, and resolve the steps.  Collective among the
 * peers; to be agreed on. */
tsr_status tsri_shm_meet(tsri_exchange *exchange);

#endif
