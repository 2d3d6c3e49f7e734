/* What the ranks of a node tell each other through memory, for one manager. */
#ifndef TSRI_SHM_BOARD_H
#define TSRI_SHM_BOARD_H

#include "shm/segment.h"

/* A lock that ranks get in the order in which they asked for it. */
typedef struct tsri_ticket_lock {
    _Alignas(TSRI_CACHE_LINE) _Atomic uint64_t next; /* ticket to be given */
    tsri_flag served;                                /* tickets that are done with */
} tsri_ticket_lock;

/* Of a rank. */
typedef struct tsri_notice {
    _Alignas(TSRI_CACHE_LINE) uint64_t outcome[2];        /* of what is agreed on, by turns */
    _Alignas(TSRI_CACHE_LINE) tsri_arena_address scratch; /* of its tree group, whose root it is */
    tsri_flag turns; /* of members of that group that are over, in all accumulations together */
} tsri_notice;

typedef struct tsri_board {
    tsri_ticket_lock lock[2]; /* of the node; of the base, when that is one node */
    tsri_notice notice[];     /* of each rank of the node */
} tsri_board;

#endif
