/* Selections by masks: the cells where an array of bool is true, in C order, and the place of each
 * among all of them. */
#ifndef TSRI_MOVE_MASKING_H
#define TSRI_MOVE_MASKING_H

#include "move/picks.h"

/* A mask with the layout of the array it is for, and, once they are counted, how many cells it
 * selects. */
typedef struct tsri_masking {
    const tsr_array *array, *mask;
    tsr_array *moved; /* the mask, when it had another layout */
    /* Lines of cells in C order: the cells of this rank's block with the same indices along the
     * axes before the last one that is cut into blocks.  Each one's selected cells are neighbours
     * in the selection, from place[line] on. */
    int cut; /* that axis; -1: none */
    int64_t lines;
    int64_t *place;
    int64_t total; /* of all ranks */
} tsri_masking;

/* What all ranks see alike: whether a mask can be used.  `call` is the public function.  Local. */
tsr_status tsri_mask_check(const char *call, const tsr_array *array, const tsr_array *mask);
/* Give a mask that has been checked the array's layout.  Collective; agrees, unless it has it.
 * `masking` is zeroed at first, and cleared also after a failure. */
tsr_status tsri_masking_make(const char *call, const tsr_array *array, const tsr_array *mask,
                             tsri_masking *masking);
/* Count.  Along each axis with blocks the counts are added up on the line of the process grid.
 * Collective; agrees. */
tsr_status tsri_masking_count(tsri_masking *masking);
void tsri_masking_clear(tsri_masking *masking);

/* Call `visit` for every run of selected cells along the last axis in this rank's block: its line,
 * its first cell's distance from the first owned one, and its cells.  Ends at a failure. */
typedef tsr_status tsri_mask_visit(void *ctx, int64_t line, int64_t cell, int64_t count);
tsr_status tsri_masking_each(const tsri_masking *masking, tsri_mask_visit *visit, void *ctx);

/* The selected cells of this rank's block, and the places they have in the blocks of `part`, which
 * other ranks may own; else as below.  Local. */
tsr_status tsri_masking_list(const tsri_masking *masking, const tsr_array *part, bool out,
                             tsri_picks *cells, tsri_picks *places);
/* The cells that move between the array and `part`, an array of one axis (or, if it broadcasts, of
 * fewer) with a place for each selected cell.  Ranks tell each other the places, line by line.
 * `out` says that the cells move from the array to the part.  Collective; agrees. */
tsr_status tsri_masking_picks(const tsri_masking *masking, const tsr_array *part, bool out,
                              tsri_picks *of_array, tsri_picks *of_part);

#endif
