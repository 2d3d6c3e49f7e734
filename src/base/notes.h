/* A number for each of some ranks that do not know who has one for them. */
#ifndef TSRI_BASE_NOTES_H
#define TSRI_BASE_NOTES_H

#include "base/net.h"

enum { TSRI_TAG_NOTE = 65 };

/* A number, and the rank that it is for or comes from; `more` is whatever the caller tells with it.
 */
typedef struct tsri_note {
    int64_t rank, number;
    unsigned char more[64];
} tsri_note;

/* Notes received.  Zeroed at first; `item` is freed by the caller, also after a failure. */
typedef struct tsri_notes {
    tsri_note *item;
    int count, room;
} tsri_notes;

/* Give the other ranks named their numbers, with the first `more` bytes of what is told with them
 * (the same number on all ranks), and take those that others have for this rank, which come out in
 * the order of the ranks.
 *
 * Nobody knows how many will come, and no rank counts for all: messages are sent so that their
 * sender learns when they have been received; a rank whose notes all have been enters a barrier,
 * and goes on receiving until all are in it.  (Non-blocking consensus: T. Hoefler, C. Siebert,
 * A. Lumsdaine, Scalable communication protocols for dynamic sparse data exchange, PPoPP 2010.)
 *
 * Collective; one message a note and the barrier.  A rank on which a call fails still takes part,
 * and an agreement has to follow, so that nobody's next note arrives in this call. */
tsr_status tsri_notes_exchange(tsri_context *context, int count, const tsri_note *notes,
                               size_t more, tsri_notes *received);

#endif
