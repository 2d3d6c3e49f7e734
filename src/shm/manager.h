/* Managers of shared memory, and the arrays that they hold.
 *
 * A handle is a name, a number that no other manager or array of this process ever gets, and not an
 * address: so a stale one is known for what it is, and no freed memory is touched to find out. */
#ifndef TSRI_SHM_MANAGER_H
#define TSRI_SHM_MANAGER_H

#include "base/part.h"
#include "base/window.h"
#include "shm/board.h"
#include "shm/lane.h"

#include <tessera/shm.h>

typedef struct tsri_manager tsri_manager;

typedef struct tsri_shared {
    struct tsri_shared *older, *newer; /* of the manager */
    tsri_manager *manager;
    uintptr_t name;
    int64_t number; /* the same on all ranks of the segment, of no other array of theirs */
    bool is_node;   /* one copy on every node of the base */
    tsr_dtype dtype;
    int ndim;
    int64_t shape[TSR_MAX_NDIM];
    int64_t cells;
    size_t bytes;
    tsri_segment segment;
    tsr_win window; /* TSR_WIN_NULL until asked for */
} tsri_shared;

struct tsri_manager {
    tsri_manager *older, *newer;
    uintptr_t name;
    int64_t number; /* chosen by rank 0 of the base */
    tsri_live live;
    tsri_context *base, *node; /* counted */
    const tsri_team *team;     /* of the base: who shares this node */
    int nproc_reduce, node_root;
    tsr_comm node_comm, node_root_comm, tree_comm, tree_root_comm;
    int64_t node_arrays; /* made so far */
    tsri_shared *newest;
    tsri_segment board; /* of the node: a tsri_board */
    /* of the lock of a base of several nodes: given and done with, on rank 0; TSR_WIN_NULL when MPI
     * gives none */
    tsr_win tickets;
    int64_t *ticket_counts;
    bool holds[2];       /* the lock of the node, of the base */
    uint64_t ticket[2];  /* of a lock that it holds */
    uint64_t agreements; /* made on the board */
    uint64_t turns_over; /* in this rank's tree group, before the present accumulation */
    tsri_lane lane;      /* over the nodes of the base */
};

/* ---- names ----------------------------------------------------------------------------------- */

/* What a handle stands for, NULL when nothing.  Local. */
tsri_manager *tsri_manager_of(const tsr_shm *shm);
tsri_shared *tsri_shared_of(const tsr_shm_array *array);
tsr_shm_array *tsri_shared_handle(const tsri_shared *array);
/* Give a new one its name and put it in the lists; take it out of them. */
tsr_shm *tsri_manager_enlist(tsri_manager *manager);
void tsri_manager_delist(tsri_manager *manager);
tsr_shm_array *tsri_shared_enlist(tsri_shared *array);
void tsri_shared_delist(tsri_shared *array);
/* A number that no earlier call on this process gave. */
int64_t tsri_shared_number(void);

/* For public calls: what a handle stands for, or the failure. */
tsr_status tsri_manager_check(const char *call, const tsr_shm *shm, tsri_manager **manager);
tsr_status tsri_shared_check(const char *call, const tsr_shm_array *array, tsri_shared **shared);

/* ---- making and freeing ---------------------------------------------------------------------- */

/* Free an array with its window.  Its ranks have met before; all of them call it. */
void tsri_shared_free(tsri_shared *array);

tsri_board *tsri_manager_board(const tsri_manager *manager);
/* tsri_agree() over the base; on one node all is well without a message. */
tsr_status tsri_manager_agree(tsri_manager *manager, tsr_status status, uint64_t fingerprint);
/* This rank's slice of the elements, one of as many as there are ranks: how many, from `first` on.
 */
int64_t tsri_shared_slice(const tsri_shared *array, int64_t *first);
/* Set this rank's slice to one element. */
void tsri_shared_fill_slice(const tsri_shared *array, const void *element);
/* An array as a view of other memory of its shape. */
tsr_view tsri_shared_view(const tsri_shared *array, void *data);

/* This rank's place on its node and in its tree group. */
int tsri_tree_first(const tsri_manager *manager); /* node rank of the group's root */
int tsri_tree_size(const tsri_manager *manager);

#endif
