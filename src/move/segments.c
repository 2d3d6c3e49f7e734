/* Lists of segments, the runs of cells that axis maps are made of. */
#include "base/memory.h"
#include "move/axis_map.h"

#include <stdlib.h>
#include <string.h>

void tsri_segments_free(tsri_segments *list)
{
    tsri_free(list->item);
    *list = (tsri_segments){0};
}

/* Whether b goes on where a ends, in both blocks, so that the two are one segment. */
static bool continues(const tsri_segment *a, const tsri_segment *b)
{
    return a->source == b->source && a->receiver == b->receiver && a->image == b->image &&
           a->beyond == b->beyond && a->from_step == 1 && b->from_step == 1 && a->to_step == 1 &&
           b->to_step == 1 && a->to + a->count == b->to && a->from + a->count == b->from;
}

tsr_status tsri_segments_add(tsri_segments *list, tsri_segment segment)
{
    tsr_status st = TSR_OK;

    if (segment.count <= 0) return TSR_OK;
    if (list->count > 0 && continues(&list->item[list->count - 1], &segment)) {
        list->item[list->count - 1].count += segment.count;
        return TSR_OK;
    }
    TSRI_GROW(done, list->item, list->count, list->room, 8);
    list->item[list->count++] = segment;
done:
    return st;
}

static int by_image(const void *left, const void *right)
{
    const tsri_segment *const *a = left, *const *b = right;
    return (*a)->image < (*b)->image ? -1 : (*a)->image > (*b)->image;
}

tsr_status tsri_segments_number(tsri_segments *list)
{
    tsr_status st = TSR_OK;
    tsri_segment **order = NULL;

    TSRI_ALLOC(done, order, list->count);
    for (int i = 0; i < list->count; ++i)
        order[i] = &list->item[i];
    qsort(order, (size_t)list->count, sizeof *order, by_image);
    for (int i = 0; i < list->count; ++i)
        order[i]->turn = i;
done:
    tsri_free(order);
    return st;
}

/* ---- parts ----------------------------------------------------------------------------------- */

bool tsri_segment_stays(const tsri_segment *s)
{
    return s->source == s->receiver && s->from == s->to && s->from_step == s->to_step;
}

/* The positions of a segment, each from itself. */
static tsri_segment in_place(tsri_segment s)
{
    s.from = s.to;
    s.from_step = s.to_step;
    s.source = s.receiver;
    s.image = 0;
    return s;
}

tsr_status tsri_segments_part(const tsri_segments *all, tsri_part part, tsri_segments *out)
{
    tsr_status st = TSR_OK;

    for (int i = 0; i < all->count && st == TSR_OK; ++i) {
        const tsri_segment *s = &all->item[i];
        const bool stays = tsri_segment_stays(s);
        if (part == TSRI_STAYING && !stays) continue;
        if ((part == TSRI_MOVED || part == TSRI_MOVED_PLACES) && stays) continue;
        const bool places = part == TSRI_PLACES || part == TSRI_MOVED_PLACES;
        st = tsri_segments_add(out, places ? in_place(*s) : *s);
    }
    return st;
}

static bool are_alike(const tsri_segment *a, const tsri_segment *b)
{
    return a->source == b->source && a->receiver == b->receiver && a->count == b->count &&
           a->to_step == b->to_step && a->from_step == b->from_step && !a->twice && !b->twice &&
           tsri_segment_stays(a) == tsri_segment_stays(b);
}

void tsri_segments_pair(tsri_segments *list)
{
    for (int i = 0; i < list->count; ++i) {
        tsri_segment *s = &list->item[i];
        int k = i + 1;
        while (k < list->count && !are_alike(s, &list->item[k]))
            ++k;
        if (k == list->count) continue;
        s->twice = true;
        s->to_jump = list->item[k].to - s->to;
        s->from_jump = list->item[k].from - s->from;
        --list->count;
        memmove(&list->item[k], &list->item[k + 1], (size_t)(list->count - k) * sizeof *s);
    }
}
