/* Who has the selected cells of a mask, and who their places. */
#include "base/notes.h"
#include "move/integers.h"
#include "move/masking.h"

#include <string.h>

/* Selected cells while they are listed. */
typedef struct listing {
    tsri_other_end part;
    tsri_axis axis; /* of the places */
    int along;      /* which one it is of the part; TSRI_NO_AXIS: it has none */
    bool repeats;   /* one place for all */
    int coords[TSR_MAX_NDIM];
    int64_t *next; /* place of the next cell of each line */
    tsri_picks *cells, *places;
} listing;

/* Cells with places, as far as one block of the part has them. */
static tsr_status list_block(listing *l, int64_t place, int64_t cell, int64_t count)
{
    const int block = l->along == TSRI_NO_AXIS ? 0 : tsri_axis_owner(&l->axis, place);
    tsr_status st = TSR_OK;

    if (l->along != TSRI_NO_AXIS) l->coords[l->along] = block;
    const int rank = tsri_other_rank(&l->part, l->coords);
    if (l->part.only && rank != l->part.rank) return TSR_OK;
    TSRI_TRY(done, tsri_picks_add(l->cells, rank, cell, count));
    st = tsri_picks_add(l->places, rank,
                        l->along == TSRI_NO_AXIS ? 0 : place - tsri_axis_cut(&l->axis, block),
                        count);
done:
    return st;
}

static tsr_status list_run(void *ctx, int64_t line, int64_t cell, int64_t count)
{
    listing *l = ctx;
    int64_t n;
    tsr_status st = TSR_OK;

    for (; st == TSR_OK && count > 0; count -= n, cell += n) {
        const int64_t place = l->repeats ? 0 : l->next[line];
        n = 1;
        if (!l->repeats)
            n = tsri_min_i64(count,
                             tsri_axis_cut(&l->axis, tsri_axis_owner(&l->axis, place) + 1) - place);
        st = list_block(l, place, cell, n);
        l->next[line] += n;
    }
    return st;
}

tsr_status tsri_masking_list(const tsri_masking *m, const tsr_array *part, bool out,
                             tsri_picks *cells, tsri_picks *places)
{
    const tsr_layout *layout = m->array->layout;
    const tsri_geometry *g = &part->layout->geometry;
    const bool whole = layout->geometry.whole;
    listing l = {.part = {.geometry = g,
                          .rank = out && !whole ? TSR_ALL_RANKS : layout->rank,
                          .only = out && whole},
                 .along = g->ndim > 0 ? g->ndim - 1 : TSRI_NO_AXIS,
                 .cells = cells,
                 .places = places};
    tsri_numbering number;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_numbering_of(layout->context, part->layout->context, &number));
    cells->numbers = places->numbers = number.origin;

    for (int a = 0; a < g->ndim; ++a) {
        l.axis = tsri_geometry_axis(g, a);
        l.coords[a] = l.axis.length > 0 ? tsri_axis_owner(&l.axis, 0) : 0;
    }
    l.repeats = l.along == TSRI_NO_AXIS || l.axis.length == 1;
    TSRI_ALLOC(done, l.next, m->lines);
    memcpy(l.next, m->place, (size_t)m->lines * sizeof *l.next);
    st = tsri_masking_each(m, list_run, &l);
done:
    tsri_free(l.next);
    return st;
}

/* ---- telling each other ---------------------------------------------------------------------- */

/* A run of places in a block, as ranks tell it: an element of 16 bytes. */
typedef struct places {
    int64_t first, count;
} places;
static const tsr_dtype places_dtype = TSR_C128;

/* The runs of this rank, of each group of places with one owner how many, and those that come. */
typedef struct telling {
    places *told, *heard;
    tsri_note *notes;
    int nnotes;
    tsri_notes received;
    tsri_picks given, taken;
} telling;

static tsr_status prepare(telling *t, const tsri_picks *picks, int rank, int size)
{
    const bool to_all = picks->count > 0 && picks->item[0].rank == TSR_ALL_RANKS;
    tsr_status st = TSR_OK;

    t->given.numbers = picks->numbers;
    TSRI_ALLOC(done, t->told, picks->count);
    TSRI_ALLOC(done, t->notes, to_all ? size : picks->count);
    for (int64_t i = 0; i < picks->count; ++i) {
        const tsri_pick *pick = &picks->item[i];
        t->told[i] = (places){pick->cell, pick->count};
        TSRI_TRY(done, tsri_picks_add(&t->given, pick->rank, i, 1));
    }
    for (int64_t i = 0; i < t->given.count; ++i) {
        const tsri_pick *group = &t->given.item[i];
        const int first = to_all ? 0 : tsri_picks_peer(picks, group->rank);
        const int last = to_all ? size - 1 : first;
        for (int peer = first; peer <= last; ++peer) {
            if (peer == rank)
                TSRI_TRY(done, tsri_picks_add(&t->taken, rank, 0, group->count));
            else
                t->notes[t->nnotes++] = (tsri_note){.rank = peer, .number = group->count};
        }
    }
done:
    return st;
}

/* Where the runs that come go: this rank's own are first. */
static tsr_status make_room(telling *t)
{
    int64_t runs = t->taken.count > 0 ? t->taken.item[0].count : 0;
    tsr_status st = TSR_OK;

    for (int k = 0; k < t->received.count; ++k) {
        const tsri_note *note = &t->received.item[k];
        TSRI_TRY(done, tsri_picks_add(&t->taken, (int)note->rank, runs, note->number));
        runs += note->number;
    }
    TSRI_ALLOC(done, t->heard, runs);
done:
    return st;
}

/* Turn this rank's places in others' blocks into the places of others in its block. */
static tsr_status tell(tsri_context *context, tsr_status earlier, const tsri_picks *mine,
                       tsri_picks *theirs)
{
    telling t = {0};
    tsr_status st = earlier;

    if (st == TSR_OK)
        st = prepare(&t, mine, tsri_context_rank(context), tsri_context_size(context));
    tsri_keep(&st,
              tsri_notes_exchange(context, st == TSR_OK ? t.nnotes : 0, t.notes, 0, &t.received));
    if (st == TSR_OK) st = make_room(&t);
    TSRI_TRY(done,
             tsri_picks_move(context, st, 0, &t.given, &t.taken, places_dtype, t.told, t.heard));
    for (int64_t i = 0; i < t.taken.count; ++i) {
        const tsri_pick *from = &t.taken.item[i];
        for (int64_t k = 0; k < from->count; ++k) {
            const places *run = &t.heard[from->cell + k];
            TSRI_TRY(built, tsri_picks_add(theirs, from->rank, run->first, run->count));
        }
    }
built:
    st = tsri_agree(context, st, 0);
done:
    tsri_free(t.told);
    tsri_free(t.heard);
    tsri_free(t.notes);
    tsri_free(t.received.item);
    tsri_picks_free(&t.given);
    tsri_picks_free(&t.taken);
    return st;
}

tsr_status tsri_masking_picks(const tsri_masking *m, const tsr_array *part, bool out,
                              tsri_picks *of_array, tsri_picks *of_part)
{
    const tsr_layout *layout = m->array->layout;
    tsri_picks mine = {0};
    tsr_status st = tsri_masking_list(m, part, out, of_array, &mine);

    if (out && layout->geometry.whole) { /* each rank takes its part of its own copy */
        *of_part = mine;
        return tsri_agree(layout->context, st, 0);
    }
    st = tell(layout->context, st, &mine, of_part);
    tsri_picks_free(&mine);
    return st;
}
