#include "expr/stencil.h"

#include <string.h>

/* ---- exchange -------------------------------------------------------------------------------- */

/* The reaches of arguments that are one array, together. */
typedef struct need {
    tsr_array *array;
    tsri_reach reach;
} need;

static bool same_reach(const tsri_reach *a, const tsri_reach *b)
{
    return a->star == b->star && memcmp(a->lo, b->lo, sizeof a->lo) == 0 &&
           memcmp(a->hi, b->hi, sizeof a->hi) == 0;
}

static void unite(tsri_reach *reach, const tsri_reach *with)
{
    for (int a = 0; a < TSR_MAX_NDIM; ++a) {
        if (with->lo[a] > reach->lo[a]) reach->lo[a] = with->lo[a];
        if (with->hi[a] > reach->hi[a]) reach->hi[a] = with->hi[a];
    }
    reach->star = reach->star && with->star;
}

/* The array of reach `which`, and how far it is read under any name; false when an earlier reach is
 * of the same array. */
static bool find_need(const tsri_program *p, const tsri_setting *setting, int which, need *n)
{
    const tsr_array *array = tsri_setting_arg(setting, p->reach[which].arg)->array;

    *n = (need){(tsr_array *)array, p->reach[which]};
    for (int r = 0; r < p->reaches; ++r) {
        if (r == which ||
            tsri_setting_arg(setting, p->reach[r].arg)->array->storage != array->storage)
            continue;
        if (r < which) return false;
        unite(&n->reach, &p->reach[r]);
    }
    return true;
}

static tsr_halo_options options_of(const tsri_reach *reach, int ndim)
{
    tsr_halo_options options = {.axes = TSR_ALL_AXES, .faces_only = reach->star};

    for (int a = 0; a < ndim; ++a) {
        options.width_lo[a] = reach->lo[a] == 0 ? TSR_NO_HALO : reach->lo[a];
        options.width_hi[a] = reach->hi[a] == 0 ? TSR_NO_HALO : reach->hi[a];
    }
    return options;
}

/* One exchange for all arrays that are read equally far. */
tsr_status tsri_stencil_start(tsri_program *p, const tsri_setting *setting)
{
    tsr_status st = TSR_OK;
    need first, other;

    for (int r = 0; r < p->reaches; ++r)
        p->pending[r] = NULL;
    for (int r = 0; r < p->reaches && st == TSR_OK; ++r) {
        int count = 0;
        bool earlier = false;
        if (!find_need(p, setting, r, &first)) continue;
        for (int k = 0; k < p->reaches; ++k) {
            if (!find_need(p, setting, k, &other) || !same_reach(&other.reach, &first.reach))
                continue;
            earlier = earlier || k < r;
            p->exchanged[count++] = other.array;
        }
        if (earlier) continue;
        const tsr_halo_options options = options_of(&first.reach, setting->geometry->ndim);
        st = tsr_halo_start(count, p->exchanged, &options, &p->pending[r]);
    }
    return st;
}

tsr_status tsri_stencil_finish(tsri_program *p, tsr_status earlier)
{
    tsr_status st = earlier;

    for (int r = 0; r < p->reaches; ++r) {
        const tsr_status finished = tsr_halo_finish(&p->pending[r]);
        if (st == TSR_OK) st = finished;
    }
    return st;
}

/* ---- boxes ----------------------------------------------------------------------------------- */

void tsri_stencil_inner(const tsri_program *p, const tsr_array *like, tsri_cells *inner)
{
    inner->ndim = like->layout->geometry.ndim;
    for (int a = 0; a < inner->ndim; ++a) {
        int64_t lo = 0, hi = 0;
        for (int r = 0; r < p->reaches; ++r) {
            if (p->reach[r].lo[a] > lo) lo = p->reach[r].lo[a];
            if (p->reach[r].hi[a] > hi) hi = p->reach[r].hi[a];
        }
        inner->lo[a] = lo < like->extent[a] ? lo : like->extent[a];
        inner->hi[a] = like->extent[a] - hi > inner->lo[a] ? like->extent[a] - hi : inner->lo[a];
    }
}

/* Peeled off one axis after the other. */
int tsri_stencil_rims(const tsr_array *like, const tsri_cells *inner, tsri_cells *rims)
{
    tsri_cells rest = {.ndim = inner->ndim};
    int count = 0;

    memcpy(rest.hi, like->extent, sizeof rest.hi);
    for (int a = 0; a < inner->ndim; ++a) {
        const int64_t end = rest.hi[a];
        rest.hi[a] = inner->lo[a];
        if (rest.hi[a] > 0) rims[count++] = rest;
        rest.lo[a] = inner->hi[a];
        rest.hi[a] = end;
        if (rest.lo[a] < end) rims[count++] = rest;
        rest.lo[a] = inner->lo[a];
        rest.hi[a] = inner->hi[a];
    }
    return count;
}
