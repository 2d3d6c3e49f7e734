/* Cells picked one by one: where they lie in this rank's blocks, and the ranks they go to or come
 * from, as runs of neighbouring cells.
 *
 * Both ends of a message list the same cells in the same order, so a message is its cells and no
 * more.  They are packed once on either side: of a run of one cell, as indices give them, a plan's
 * piece would be many times as large as what it moves. */
#ifndef TSRI_MOVE_PICKS_H
#define TSRI_MOVE_PICKS_H

#include "array/array.h"
#include "move/plan.h"

/* Neighbouring cells: the first one's distance from the block's first owned cell, in cells.  Or
 * cells at listed distances from that one. */
typedef struct tsri_pick {
    int rank; /* at the other end; TSR_ALL_RANKS: every one */
    int list; /* number of the list, from 1; 0: neighbouring cells */
    int64_t cell, count;
} tsri_pick;

/* `numbers` are those of the ranks in messages, NULL: the same. */
typedef struct tsri_picks {
    tsri_pick *item;
    int64_t count, room;
    int64_t **list; /* several picks may have one */
    int nlists, lists_room;
    const int *numbers;
} tsri_picks;
static inline int tsri_picks_peer(const tsri_picks *picks, int rank)
{
    return picks->numbers == NULL ? rank : picks->numbers[rank];
}
/* Append cells, which are joined to the last ones where they go on. */
tsr_status tsri_picks_add(tsri_picks *picks, int rank, int64_t cell, int64_t count);
/* Append a pick as it is; and make a list of distances for such, zeroed. */
tsr_status tsri_picks_append(tsri_picks *picks, tsri_pick pick);
tsr_status tsri_picks_new_list(tsri_picks *picks, int64_t count, int *number, int64_t **list);
/* Order picks by rank, those of one rank as they are; `cells` is how many there are. */
tsr_status tsri_picks_sort(tsri_picks *picks, int64_t *cells);
void tsri_picks_free(tsri_picks *picks);

/* One axis of a product: for each k < count a place in this rank's block and an index of an axis of
 * the layout at the other end.  Both go in steps, or as listed. */
typedef struct tsri_way {
    int64_t count;
    int64_t place, place_step;
    const int64_t *places; /* NULL: in steps */
    int axis;              /* TSRI_NO_AXIS: the other layout has none */
    int64_t index, index_step;
    const int64_t *indices; /* NULL: in steps */
} tsri_way;
/* The layout at the other end.  When it is whole its cells are on every rank, and `rank` stands for
 * them: this one, or TSR_ALL_RANKS.  With `only`, cells of other ranks than `rank` are left out. */
typedef struct tsri_other_end {
    const tsri_geometry *geometry;
    int rank;
    bool only;
} tsri_other_end;
/* The rank that has a block there. */
int tsri_other_rank(const tsri_other_end *other, const int *coords);
/* List the cells of a product of axes, first one slowest; `stride` is that of this rank's block
 * along each.  Local. */
tsr_status tsri_picks_product(int n, const tsri_way *ways, const int64_t *stride,
                              const tsri_other_end *other, tsri_picks *picks);

/* Move the given cells to where they are taken: `from` and `to` are the first owned cells.
 * `earlier` says how this rank's work before it ended; then the lists need not be complete.
 * Afterwards both are in the order of their ranks.  Collective; agrees. */
tsr_status tsri_picks_move(tsri_context *context, tsr_status earlier, uint64_t fingerprint,
                           tsri_picks *given, tsri_picks *taken, tsr_dtype dtype, const void *from,
                           void *to);

#endif
