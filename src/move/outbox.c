#include "move/outbox.h"

#include <string.h>

#include "shm/flag.h"

/* A section: the flag that its reader raises, then the rows. */
enum { ROWS = sizeof(tsri_flag) };

/* What a note carries beside the number of rows: an address without bytes stands for none. */
typedef struct place {
    tsri_arena_address address; /* of the section, for the rank that it is for */
    uint64_t offset;            /* of the section in the outbox, for its owner */
} place;
_Static_assert(sizeof(place) <= sizeof((tsri_note *)0)->more, "a note has room for a place");

static place place_of(const tsri_note *note)
{
    place p;
    memcpy(&p, note->more, sizeof p);
    return p;
}

/* Memory that others can map, as far as there is some. */
static void *share(size_t bytes)
{
    void *memory = NULL;
    tsri_fault_suspend();
    const tsr_status st = tsri_arena_alloc(bytes, &memory);
    tsri_fault_resume();
    return st == TSR_OK ? memory : NULL;
}

tsr_status tsri_outbox_open(tsri_context *context, const tsri_team *team, int scratch, int sections,
                            size_t bytes, tsri_outbox *box)
{
    const size_t all = bytes + (size_t)sections * (ROWS + TSRI_CACHE_LINE);
    tsr_status st = TSR_OK;

    *box = (tsri_outbox){0};
    if (sections == 0) return TSR_OK;
    if (team != NULL && team->sharing && bytes > 0) {
        TSRI_TRY(done, tsri_nodes_of(context, &box->nodes));
        box->node = box->nodes->of[tsri_context_rank(context)];
        box->memory = share(all);
        box->shared = box->memory != NULL;
    }
    if (!box->shared) box->memory = tsri_context_scratch(context, scratch, all);
    TSRI_CHECK(done, box->memory != NULL, TSR_ERR_NOMEM, "no memory for %zu bytes of rows", bytes);
done:
    return st;
}

void tsri_outbox_add(tsri_outbox *box, size_t bytes, tsri_note *note)
{
    unsigned char *section = box->memory + box->end;
    place p = {.offset = box->end};

    if (box->shared && box->nodes->of[note->rank] == box->node) {
        (void)tsri_arena_find(section, &p.address);
        atomic_init(&((tsri_flag *)section)->value, 0);
    }
    memcpy(note->more, &p, sizeof p);
    box->end += tsri_line_up(ROWS + bytes);
}

unsigned char *tsri_outbox_rows(const tsri_outbox *box, const tsri_note *note)
{
    return box->memory + place_of(note).offset + ROWS;
}

bool tsri_outbox_is_read(const tsri_outbox *box, const tsri_note *note)
{
    return box->shared && place_of(note).address.bytes > 0;
}

void tsri_outbox_wait(const tsri_outbox *box, int count, const tsri_note *notes)
{
    for (int k = 0; k < count; ++k) {
        if (!tsri_outbox_is_read(box, &notes[k])) continue;
        const tsri_flag *flag = (tsri_flag *)(box->memory + place_of(&notes[k]).offset);
        for (int round = 0; !tsri_flag_is_raised(flag, 1);) {
            tsri_net_serve();
            tsri_relax(&round);
        }
    }
}

void tsri_outbox_close(tsri_outbox *box)
{
    if (box->shared) tsri_arena_free(box->memory);
    *box = (tsri_outbox){0};
}

tsr_status tsri_outbox_attach(const tsri_note *note, void **section)
{
    const place p = place_of(note);
    *section = NULL;
    return p.address.bytes > 0 ? tsri_arena_attach(&p.address, section) : TSR_OK;
}

const unsigned char *tsri_outbox_rows_at(const void *section)
{
    return (const unsigned char *)section + ROWS;
}

void tsri_outbox_detach(void *section, bool read)
{
    if (section != NULL && read) tsri_flag_raise(section, 1);
    tsri_arena_detach(section);
}
