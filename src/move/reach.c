#include "move/reach.h"

#include <string.h>

static const int16_t *offset_of(const tsri_offsets *offsets, int k)
{
    return &offsets->at[k * offsets->ndim];
}

/* ---- what offsets reach ---------------------------------------------------------------------- */

/* How far a way goes on one side. */
static int64_t along(int64_t way, int side)
{
    return side == 0 ? -way : way;
}

static bool goes_as_far(int64_t way, int64_t other)
{
    return other == 0 || along(way, other > 0) >= along(other, other > 0);
}

int64_t tsri_offsets_next(const tsri_offsets *offsets, int axis, int side, int64_t near)
{
    int64_t next = 0;

    for (int k = 0; k < offsets->count; ++k) {
        const int64_t way = along(offset_of(offsets, k)[axis], side);
        if (way > near && (next == 0 || way < next)) next = way;
    }
    return next;
}

static bool reaches(const int16_t *offset, int ndim, const int64_t *beyond)
{
    for (int a = 0; a < ndim; ++a)
        if (!goes_as_far(offset[a], beyond[a])) return false;
    return true;
}

bool tsri_offsets_reach(const tsri_offsets *offsets, const int64_t *beyond)
{
    for (int k = 0; k < offsets->count; ++k)
        if (reaches(offset_of(offsets, k), offsets->ndim, beyond)) return true;
    return false;
}

/* ---- building -------------------------------------------------------------------------------- */

tsri_reach tsri_reach_none(int ndim)
{
    return (tsri_reach){.offsets = {.ndim = ndim}};
}

static void remove_offset(tsri_offsets *o, int k)
{
    --o->count;
    memmove(&o->at[k * o->ndim], &o->at[(k + 1) * o->ndim],
            (size_t)((o->count - k) * o->ndim) * sizeof *o->at);
    memset(&o->at[o->count * o->ndim], 0, (size_t)o->ndim * sizeof *o->at);
}

/* Take out the offsets that reach no more than a new one. */
static void remove_shorter(tsri_offsets *o, const int64_t *offset)
{
    for (int k = o->count - 1; k >= 0; --k) {
        bool shorter = true;
        for (int a = 0; a < o->ndim; ++a)
            shorter = shorter && goes_as_far(offset[a], offset_of(o, k)[a]);
        if (shorter) remove_offset(o, k);
    }
}

static bool comes_before(const int16_t *offset, const int64_t *other, int ndim)
{
    int a = 0;
    while (a < ndim - 1 && offset[a] == other[a])
        ++a;
    return offset[a] < other[a];
}

static void insert(tsri_offsets *o, const int64_t *offset)
{
    int k = 0;
    while (k < o->count && comes_before(offset_of(o, k), offset, o->ndim))
        ++k;
    memmove(&o->at[(k + 1) * o->ndim], &o->at[k * o->ndim],
            (size_t)((o->count - k) * o->ndim) * sizeof *o->at);
    for (int a = 0; a < o->ndim; ++a)
        o->at[k * o->ndim + a] = (int16_t)offset[a];
    ++o->count;
}

static bool can_list(const tsri_offsets *o, const int64_t *offset)
{
    for (int a = 0; a < o->ndim; ++a)
        if (offset[a] < -INT16_MAX || offset[a] > INT16_MAX) return false;
    return (o->count + 1) * o->ndim <= TSRI_OFFSET_NUMBERS;
}

void tsri_reach_add(tsri_reach *reach, const int64_t *offset)
{
    tsri_offsets *o = &reach->offsets;

    for (int a = 0; a < o->ndim; ++a) {
        if (-offset[a] > reach->lo[a]) reach->lo[a] = -offset[a];
        if (offset[a] > reach->hi[a]) reach->hi[a] = offset[a];
    }
    if (reach->unlisted || tsri_offsets_reach(o, offset)) return;
    remove_shorter(o, offset);
    if (can_list(o, offset)) {
        insert(o, offset);
        return;
    }
    reach->unlisted = true;
    *o = (tsri_offsets){.ndim = o->ndim};
}

void tsri_reach_unite(tsri_reach *reach, const tsri_reach *with)
{
    const int ndim = with->offsets.ndim;
    int64_t offset[TSR_MAX_NDIM];

    for (int k = 0; k < with->offsets.count; ++k) {
        for (int a = 0; a < ndim; ++a)
            offset[a] = offset_of(&with->offsets, k)[a];
        tsri_reach_add(reach, offset);
    }
    if (!with->unlisted) return;
    for (int a = 0; a < ndim; ++a) {
        if (with->lo[a] > reach->lo[a]) reach->lo[a] = with->lo[a];
        if (with->hi[a] > reach->hi[a]) reach->hi[a] = with->hi[a];
    }
    reach->unlisted = true;
    reach->offsets = (tsri_offsets){.ndim = ndim};
}

/* ---- shapes ---------------------------------------------------------------------------------- */

bool tsri_reach_is_star(const tsri_reach *reach)
{
    const tsri_offsets *o = &reach->offsets;

    for (int k = 0; k < o->count; ++k) {
        int axes = 0;
        for (int a = 0; a < o->ndim; ++a)
            axes += offset_of(o, k)[a] != 0;
        if (axes > 1) return false;
    }
    return !reach->unlisted;
}

/* As many offsets as corners, each of which is one. */
bool tsri_reach_is_box(const tsri_reach *reach)
{
    const tsri_offsets *o = &reach->offsets;
    int64_t corners = 1;

    if (reach->unlisted) return true;
    for (int a = 0; a < o->ndim && corners <= o->count; ++a) {
        const int64_t lo = reach->lo[a], hi = reach->hi[a];
        corners *= lo > 0 && hi > 0 ? 2 : 1;
        for (int k = 0; k < o->count; ++k) {
            const int64_t way = offset_of(o, k)[a];
            const bool at_corner = way < 0 ? way == -lo : way > 0 ? way == hi : lo + hi == 0;
            if (!at_corner) return false;
        }
    }
    return corners == o->count;
}
