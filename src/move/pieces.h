/* Lists of pieces while a plan is made. */
#ifndef TSRI_MOVE_PIECES_H
#define TSRI_MOVE_PIECES_H

#include "move/plan.h"

tsr_status tsri_pieces_add(tsri_pieces *pieces, const tsri_piece *piece);
/* Where each peer has one piece: room for them in an empty list, and the next peer's. */
tsr_status tsri_pieces_reserve(tsri_pieces *pieces, int64_t count);
void tsri_pieces_add_peer(tsri_pieces *pieces, tsri_piece piece);
/* Put the pieces of each peer together, in the order in which they were added. */
tsr_status tsri_pieces_group(tsri_pieces *pieces);
/* Lay the pieces of each peer one after another in its message. */
void tsri_pieces_lay_out(tsri_pieces *pieces, bool sending);
/* Make every run as long as both sides allow. */
void tsri_pieces_coalesce(tsri_pieces *pieces);

#endif
