/* Which halo cells a set of offsets reads.
 *
 * A cell of a block's halo lies outside the block along some axes, on the low or the high side, and
 * 1, 2, ... cells away.  An offset reaches those that lie outside on its own sides alone, and no
 * farther than it goes: (-1, 2) the row before the block, two columns behind it, and the two cells
 * where they meet.  Along the other axes all owned positions count. */
#ifndef TSRI_MOVE_REACH_H
#define TSRI_MOVE_REACH_H

#include "base/error.h"

/* Offsets in order, none of which reaches all that another one does. */
enum { TSRI_OFFSET_NUMBERS = 240 };
typedef struct tsri_offsets {
    int ndim, count;
    int16_t at[TSRI_OFFSET_NUMBERS]; /* [count][ndim] */
} tsri_offsets;

/* The same with the widths that hold them all.  When there are too many offsets, or too long ones,
 * none is listed, and everything within the widths is reached. */
typedef struct tsri_reach {
    int64_t lo[TSR_MAX_NDIM], hi[TSR_MAX_NDIM];
    bool unlisted;
    tsri_offsets offsets;
} tsri_reach;

tsri_reach tsri_reach_none(int ndim);
void tsri_reach_add(tsri_reach *reach, const int64_t *offset);
void tsri_reach_unite(tsri_reach *reach, const tsri_reach *with);
/* Whether each offset is along one axis; whether everything within the widths is reached. */
bool tsri_reach_is_star(const tsri_reach *reach);
bool tsri_reach_is_box(const tsri_reach *reach);

/* The shortest way that an offset goes along an axis on one side (0 or 1) beyond `near`; 0: none
 * does. */
int64_t tsri_offsets_next(const tsri_offsets *offsets, int axis, int side, int64_t near);
/* Whether cells so far outside a block are reached: negative on the low side, 0 inside. */
bool tsri_offsets_reach(const tsri_offsets *offsets, const int64_t *beyond);

#endif
