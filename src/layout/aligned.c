/* Layouts with the cuts of another one. */
#include "base/gate.h"
#include "base/memory.h"
#include "layout/layout.h"

#include <inttypes.h>
#include <string.h>

/* The new end of every axis lies in the last block, which may become empty only where ranks may
 * own nothing. */
static tsr_status check_shape(const char *call, const tsri_geometry *like, int ndim,
                              const int64_t *shape)
{
    tsr_status st = TSR_OK;
    TSRI_CHECK_IN(call, done, ndim == like->ndim, TSR_ERR_VALUE,
                  "ndim is %d, must be %d, as in like", ndim, like->ndim);
    TSRI_CHECK_IN(call, done, ndim == 0 || shape != NULL, TSR_ERR_VALUE,
                  "shape is NULL, must point to %d length%s", ndim, TSRI_S(ndim));
    for (int a = 0; a < ndim; ++a) {
        const tsri_axis axis = tsri_geometry_axis(like, a);
        const int64_t last = tsri_axis_cut(&axis, axis.blocks - 1);
        TSRI_CHECK_IN(call, done, shape[a] > last || (like->allow_empty && shape[a] == last),
                      TSR_ERR_VALUE,
                      "shape[%d] is %" PRId64 ", must be %s %" PRId64
                      ", where the last block of axis %d starts",
                      a, shape[a], like->allow_empty ? ">=" : ">", last, a);
    }
done:
    return st;
}

static tsr_status check_options(const char *call, const tsr_layout_options *options)
{
    tsr_status st = TSR_OK;
    bool given =
        options->split != 0 || options->allow_empty || options->reorder || options->node_shared;
    for (int a = 0; a < TSR_MAX_NDIM; ++a)
        if (options->process_grid[a] != 0 || options->cuts[a] != NULL || options->ncuts[a] != 0)
            given = true;
    TSRI_CHECK_IN(call, done, !given, TSR_ERR_VALUE,
                  "the options may give halo and periodic only, all else is as in like");
done:
    return st;
}

/* The options that give the new layout, the memory of their cuts in one block. */
static tsr_status follow(const tsri_geometry *like, const int64_t *shape,
                         const tsr_layout_options *asked, tsr_layout_options *options,
                         int64_t **memory)
{
    tsr_status st = TSR_OK;
    size_t points = 0;
    *options = tsri_layout_options_of(like);
    if (asked != NULL) {
        memcpy(options->halo, asked->halo, sizeof options->halo);
        memcpy(options->halo_lo, asked->halo_lo, sizeof options->halo_lo);
        memcpy(options->halo_hi, asked->halo_hi, sizeof options->halo_hi);
        options->periodic = asked->periodic;
    }
    if (like->whole) return TSR_OK;
    for (int a = 0; a < like->ndim; ++a)
        points += (size_t)like->grid[a] + 1;
    TSRI_ALLOC(done, *memory, points);
    int64_t *next = *memory;
    for (int a = 0; a < like->ndim; ++a) {
        const tsri_axis axis = tsri_geometry_axis(like, a);
        options->cuts[a] = next;
        options->ncuts[a] = axis.blocks + 1;
        for (int k = 0; k < axis.blocks; ++k)
            *next++ = tsri_axis_cut(&axis, k);
        *next++ = shape[a];
    }
done:
    return st;
}

tsr_status tsr_layout_create_aligned(const tsr_layout *like, int ndim, const int64_t *shape,
                                     const tsr_layout_options *options, tsr_layout **layout)
{
    tsr_status st = TSR_OK;
    tsr_layout *made = NULL;
    tsr_layout_options full = {0};
    int64_t *memory = NULL;
    uint64_t arguments = 0;

    if (layout != NULL) *layout = NULL;
    TSRI_CHECK(fail, like != NULL, TSR_ERR_VALUE, "like is NULL");
    TSRI_TRY(fail, tsri_enter(like->context, false, "%s", __func__));

    TSRI_CHECK(agree, layout != NULL, TSR_ERR_VALUE,
               "layout is NULL, must point to where the handle goes");
    TSRI_TRY(agree, check_shape(__func__, &like->geometry, ndim, shape));
    if (options != NULL) TSRI_TRY(agree, check_options(__func__, options));
    TSRI_TRY(agree, follow(&like->geometry, shape, options, &full, &memory));
    TSRI_TRY(agree, tsri_layout_make(__func__, like->context, ndim, shape, &full, &made));
    arguments = tsri_layout_fingerprint(__func__, made, &full);
agree:
    st = tsri_layout_finish(like->context, st, arguments, &full, made, layout);
fail:
    tsri_free(memory);
    return st;
}
