/* Packed rows for other ranks, in sections, one for each.
 *
 * Ranks that share memory with this one read their sections where they lie: the note that tells a
 * rank how many rows will come says where.  A section is not to be read before an agreement that
 * follows its packing; each reader says when it has read, and the owner waits for that before the
 * memory serves another purpose. */
#ifndef TSRI_MOVE_OUTBOX_H
#define TSRI_MOVE_OUTBOX_H

#include "base/notes.h"
#include "shm/team.h"

typedef struct tsri_outbox {
    const tsri_nodes *nodes; /* NULL: no rank shares memory */
    int node;
    unsigned char *memory;
    bool shared; /* lies in the arena */
    size_t end;  /* of the last section */
} tsri_outbox;

/* Room for sections of `bytes` bytes together: shared where ranks of the node can read it, else in
 * the context's scratch `place`; `team` may be NULL.  TSR_ERR_NOMEM.  Local. */
tsr_status tsri_outbox_open(tsri_context *context, const tsri_team *team, int place, int sections,
                            size_t bytes, tsri_outbox *box);
/* Add a section for the rank that a note is for, and write into the note where it is. */
void tsri_outbox_add(tsri_outbox *box, size_t bytes, tsri_note *note);
/* The rows of a section; whether the rank it is for reads them there. */
unsigned char *tsri_outbox_rows(const tsri_outbox *box, const tsri_note *note);
bool tsri_outbox_is_read(const tsri_outbox *box, const tsri_note *note);
/* Wait until the sections of these notes have been read. */
void tsri_outbox_wait(const tsri_outbox *box, int count, const tsri_note *notes);
void tsri_outbox_close(tsri_outbox *box);

/* At the other end: map the section that a note from another rank tells of, NULL when its rows come
 * in messages; and say that it has been read (`read`), or will not be, and unmap it. */
tsr_status tsri_outbox_attach(const tsri_note *note, void **section);
const unsigned char *tsri_outbox_rows_at(const void *section);
void tsri_outbox_detach(void *section, bool read);

#endif
