#include "expr/stencil.h"

#include "move/halo.h"

#include <string.h>

/* ---- exchange -------------------------------------------------------------------------------- */

/* The arrays that are exchanged, each once, and what is read of them under any name. */
static int find_exchanged(tsri_program *p, const tsri_setting *setting)
{
    int count = 0;

    for (int s = 0; s < p->shifts; ++s) {
        const tsr_array *array = tsri_setting_arg(setting, p->shifted[s].arg)->array;
        int k = 0;
        while (k < count && p->exchanged[k]->storage != array->storage)
            ++k;
        if (k < count) {
            tsri_reach_unite(&p->reach[k], &p->shifted[s].reach);
            continue;
        }
        p->exchanged[count] = (tsr_array *)array;
        p->reach[count++] = p->shifted[s].reach;
    }
    return count;
}

tsr_status tsri_stencil_start(tsri_program *p, const tsri_setting *setting)
{
    const int count = find_exchanged(p, setting);
    const tsri_halo_request request = {.direction = TSRI_UPDATE, .reach = p->reach};

    p->pending = NULL;
    for (int s = 0; s < p->shifts; ++s) {
        const tsr_arg *arg = tsri_setting_arg(setting, p->shifted[s].arg);
        if (arg->array->storage->pending != 0)
            return TSRI_FAIL_IN(setting->call, TSR_ERR_STATE,
                                "an exchange of \"%s\" is pending; finish it first", arg->name);
    }
    return tsri_halo_start(setting->call, count, p->exchanged, &request, &p->pending);
}

tsr_status tsri_stencil_finish(tsri_program *p)
{
    return tsr_halo_finish(&p->pending);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

void tsri_stencil_inner(const tsri_program *p, const tsr_array *like, tsri_cells *inner)
{
    inner->ndim = like->layout->geometry.ndim;
    for (int a = 0; a < inner->ndim; ++a) {
        int64_t lo = 0, hi = 0;
        for (int s = 0; s < p->shifts; ++s) {
            const tsri_reach *reach = &p->shifted[s].reach;
            if (reach->lo[a] > lo) lo = reach->lo[a];
            if (reach->hi[a] > hi) hi = reach->hi[a];
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
