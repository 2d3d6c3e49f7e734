/* Lists of pieces while a plan is made. */
#ifndef TSRI_MOVE_PIECES_H
#define TSRI_MOVE_PIECES_H

#include "move/plan.h"

tsr_status tsri_pieces_add(tsri_pieces *pieces, const tsri_piece *piece);
/* Where each peer has one piece: room for them in an empty list, and the next peer's. */
tsr_status tsri_pieces_reserve(tsri_pieces *pieces, int64_t count);
void tsri_pieces_add_peer(tsri_pieces *pieces, tsri_piece piece);
/* Put peers that were not added in the order of their ranks into it. */
void tsri_pieces_sort_peers(tsri_pieces *pieces);
/* Put the pieces of each peer together, in the order in which they were added, one after another in
 * its message. */
tsr_status tsri_pieces_group(tsri_pieces *pieces, bool sending);
/* Make every run as long as both sides allow. */
void tsri_pieces_coalesce(tsri_pieces *pieces);
/* Peer r of a plan becomes peer numbers[r]; NULL: as it is.  Before they are grouped. */
void tsri_plan_renumber(tsri_plan *plan, const int *numbers);

#endif
