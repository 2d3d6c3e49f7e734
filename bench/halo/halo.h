/* The halo update of a 2-D or 3-D block per rank: n cells and `width` halo cells on every side of
 * each axis, periodic, corners included, last axis fastest.  Every way to do it fills the halo
 * cells of a padded block of its own.
 *
 * All code is for three axes: of a 2-D block the first has one cell and no halo. */
#ifndef BENCH_HALO_H
#define BENCH_HALO_H

#include "../common.h"

#include <tessera.h>

#include <string.h>

enum { HALO_AXES = 3 };

typedef struct halo_problem {
    int axes;                                              /* 2 or 3 */
    bool single;                                           /* float; else double */
    int size;                                              /* bytes of a cell */
    int n[HALO_AXES], width[HALO_AXES], padded[HALO_AXES]; /* padded = n + 2 width */
    int grid[HALO_AXES], coords[HALO_AXES], rank;
    int owner[3][3][3]; /* the rank whose cells are seen in direction (d0 - 1, d1 - 1, d2 - 1) */
} halo_problem;

typedef struct halo_way {
    const char *name;
    bench_role role;
    const halo_problem *problem;
    void *block;               /* the padded cells; the owned ones are the input */
    void *state;               /* what run works on */
    void (*run)(void *state);  /* one update */
    void (*free)(void *state); /* NULL: nothing to free */
} halo_way;

/* Each appends its ways to do it, and returns how many: at most HALO_WAYS in all.  Those of
 * libraries that were not there at compile time, or lack the type, append none. */
enum { HALO_WAYS = 16 };
int halo_tessera(const halo_problem *problem, halo_way *ways);
int halo_floor(const halo_problem *problem, halo_way *ways);
int halo_hand(const halo_problem *problem, halo_way *ways);
int halo_petsc(const halo_problem *problem, halo_way *ways);
int halo_global_arrays(const halo_problem *problem, halo_way *ways);
/* Updates while the inner cells are computed; all ways in one, of doubles in three axes. */
int halo_overlap(const halo_problem *problem, halo_way *ways);
/* End the other libraries, before MPI ends. */
void halo_petsc_end(void);
void halo_global_arrays_end(void);

/* An array of ours as the problem wants it. */
tsr_array *halo_array(const halo_problem *problem, void **block);
/* By hand, one message to each rank, in two steps. */
typedef struct halo_hand_state halo_hand_state;
halo_hand_state *halo_hand_make(const halo_problem *problem, void **block);
void halo_hand_start(halo_hand_state *state);
void halo_hand_test(halo_hand_state *state);
void halo_hand_finish(halo_hand_state *state);
void halo_hand_free(void *state);

/* ---- copies inside a padded block ------------------------------------------------------------ */

typedef struct halo_box {
    int lo[HALO_AXES], extent[HALO_AXES]; /* counted from the block's first halo cell */
} halo_box;

static inline int halo_box_cells(halo_box box)
{
    return box.extent[0] * box.extent[1] * box.extent[2];
}

static inline size_t halo_block_bytes(const halo_problem *p)
{
    return (size_t)p->padded[0] * (size_t)p->padded[1] * (size_t)p->padded[2] * (size_t)p->size;
}

static inline unsigned char *halo_cell(const halo_problem *p, void *block, const int *at)
{
    const ptrdiff_t row = (ptrdiff_t)at[0] * p->padded[1] + at[1];
    return (unsigned char *)block + (row * p->padded[2] + at[2]) * p->size;
}

/* A call for a few cells costs more than the cells. */
static inline void halo_copy_row(unsigned char *restrict to, const unsigned char *restrict from,
                                 size_t bytes)
{
    switch (bytes) {
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    case 12:
        memcpy(to, from, 12);
        break;
    case 16:
        memcpy(to, from, 16);
        break;
    case 24:
        memcpy(to, from, 24);
        break;
    default:
        memcpy(to, from, bytes);
    }
}

/* Cells of a box from one place of the same block to another. */
void halo_copy_within(const halo_problem *p, void *block, halo_box to, halo_box from);
void halo_pack(const halo_problem *p, void *buffer, void *block, halo_box from);
void halo_unpack(const halo_problem *p, void *block, halo_box to, const void *buffer);

/* The boxes of an update that goes axis by axis, each over the full extent of the axes before it.
 */
typedef enum { HALO_SEND_LOW, HALO_SEND_HIGH, HALO_FILL_LOW, HALO_FILL_HIGH } halo_part;
halo_box halo_axis_box(const halo_problem *p, int axis, halo_part part);
/* Fill both halos of an axis from the block itself. */
void halo_wrap_axis(const halo_problem *p, void *block, int axis);

#endif
