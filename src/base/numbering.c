#include "base/numbering.h"

#include "base/comm.h"

static tsr_status refuse(const char *call)
{
    return TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                        "the communicators have different processes, must have the same (in any "
                        "order)");
}

/* Of contexts with one base the numbers are known; otherwise MPI is asked. */
static tsr_status translate(tsri_context *context, tsri_context *other, int *place)
{
    bool same = true;
    tsr_status st = TSR_OK;

    if (tsri_context_base(context) != tsri_context_base(other)) {
        TSRI_TRY(done, tsri_comm_translate(context, other, place, &same));
        if (!same) st = refuse(__func__);
        goto done;
    }
    const int *from = tsri_context_places(context), *to = tsri_context_places(other);
    for (int rank = 0; rank < context->size; ++rank)
        place[from != NULL ? from[rank] : rank] = to != NULL ? to[rank] : rank;
done:
    return st;
}

/* The one kept for `other`, which becomes the newest. */
static tsri_numbers *find(tsri_context *context, const tsri_context *other)
{
    for (tsri_numbers **link = &context->numbers; *link != NULL; link = &(*link)->older) {
        tsri_numbers *const found = *link;
        if (found->other != other->serial) continue;
        *link = found->older;
        found->older = context->numbers;
        context->numbers = found;
        return found;
    }
    return NULL;
}

/* Blocks count as idle: no object holds them. */
void tsri_numbers_free(tsri_numbers **list)
{
    while (*list != NULL) {
        tsri_numbers *const first = *list;
        *list = first->older;
        tsri_free(first);
        tsri_count(TSRI_COUNT_IDLE_BLOCKS, -1);
    }
}

/* Those that were not asked for longest make room. */
static void keep(tsri_context *context, tsri_numbers *made)
{
    enum { MOST_KEPT = 4 };
    tsri_numbers **link = &context->numbers;

    made->older = context->numbers;
    context->numbers = made;
    tsri_count(TSRI_COUNT_IDLE_BLOCKS, 1);
    for (int kept = 0; kept < MOST_KEPT && *link != NULL; ++kept)
        link = &(*link)->older;
    tsri_numbers_free(link);
}

tsr_status tsri_numbering_of(tsri_context *context, tsri_context *other, tsri_numbering *numbering)
{
    tsr_status st = TSR_OK;
    tsri_numbers *made = NULL;

    *numbering = (tsri_numbering){0};
    if (context == other) return TSR_OK;
    if (context->size != other->size) return refuse(__func__);
    tsri_numbers *found = find(context, other);
    if (found == NULL) {
        made = tsri_alloc(1, sizeof *made + 2 * (size_t)context->size * sizeof *made->place);
        TSRI_CHECK(done, made != NULL, TSR_ERR_NOMEM, "no memory for the numbers of %d ranks",
                   context->size);
        made->other = other->serial;
        TSRI_TRY(done, translate(context, other, made->place));
        for (int rank = 0; rank < context->size; ++rank)
            made->place[context->size + made->place[rank]] = rank;
        keep(context, made);
        found = made;
        made = NULL;
    }
    *numbering = (tsri_numbering){found->place, found->place + context->size};
done:
    tsri_free(made);
    return st;
}

tsr_status tsri_numbering_check(const char *call, tsri_context *context, tsri_context *other)
{
    tsri_numbering numbering;
    const tsr_status st = tsri_numbering_of(context, other, &numbering);
    return st == TSR_ERR_VALUE ? refuse(call) : st;
}
