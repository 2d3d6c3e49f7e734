/* Selections by lists of indices: along one axis, or of single cells. */
#ifndef TSRI_MOVE_LISTING_H
#define TSRI_MOVE_LISTING_H

#include "move/picks.h"

/* What the user gave. */
typedef struct tsri_list {
    bool points; /* ndim indices of each cell; else indices of one axis */
    int axis;
    int64_t count;
    const int64_t *index;
} tsri_list;

/* A list that has been checked, and this rank's share of it. */
typedef struct tsri_listing {
    const tsr_array *array;
    bool points;
    int axis;
    int64_t count;
    int64_t *index; /* none negative */
    int ndim;       /* of what is selected, and its shape */
    int64_t shape[TSR_MAX_NDIM];
    /* Of what is listed, what lies in this rank's block, in the list's order: its number in the
     * list, and its place along the axis, or a point's distance from the first owned cell. */
    int64_t nown;
    int64_t *own, *place;
} tsri_listing;

/* `call` is the public function.  Local.  `listing` is to be cleared, also after a failure. */
tsr_status tsri_listing_make(const char *call, const tsr_array *array, const tsri_list *list,
                             tsri_listing *listing);
void tsri_listing_clear(tsri_listing *listing);
/* Continue the fingerprint of a call. */
uint64_t tsri_listing_hash(uint64_t hash, const tsri_listing *listing);

/* The cells that move between the array and `part`, an array that broadcasts to what is selected:
 * those of this rank's block of the array, and those of its block of the part.  `out` says that
 * they move from the array to the part.  Local. */
tsr_status tsri_listing_picks(const tsri_listing *listing, const tsr_array *part, bool out,
                              tsri_picks *of_array, tsri_picks *of_part);

#endif
