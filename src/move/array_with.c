/* The same values with some layout options changed. */
#include "base/gate.h"
#include "move/redistribute.h"

#include <tessera/rearrange.h>

#include <string.h>

/* What decides where a layout is cut. */
static bool gives_cuts(const tsr_layout_options *options)
{
    bool given = options->split != 0;
    for (int a = 0; a < TSR_MAX_NDIM; ++a)
        given = given || options->process_grid[a] != 0 || options->cuts[a] != NULL ||
                options->ncuts[a] != 0;
    return given;
}

static int64_t width(int64_t given)
{
    return given == TSR_NO_HALO ? 0 : given;
}

/* The array's options with what is given in their place. */
static tsr_layout_options changed(const tsri_geometry *g, const tsr_layout_options *given)
{
    tsr_layout_options options = tsri_layout_options_of(g);

    options.node_shared = given->node_shared;
    if (!gives_cuts(given)) {
        options.node_shared = options.node_shared || g->node_shared;
    } else {
        options.split = given->split;
        memcpy(options.process_grid, given->process_grid, sizeof options.process_grid);
        memcpy(options.cuts, given->cuts, sizeof options.cuts);
        memcpy(options.ncuts, given->ncuts, sizeof options.ncuts);
    }
    for (int a = 0; a < TSR_MAX_NDIM; ++a) {
        if (given->halo[a] == 0 && given->halo_lo[a] == 0 && given->halo_hi[a] == 0) continue;
        options.halo[a] = width(given->halo[a]);
        options.halo_lo[a] = width(given->halo_lo[a]);
        options.halo_hi[a] = width(given->halo_hi[a]);
    }
    if (given->periodic != 0)
        options.periodic = given->periodic == TSR_NO_AXES ? 0 : given->periodic;
    options.allow_empty = options.allow_empty || given->allow_empty;
    options.reorder = given->reorder;
    return options;
}

tsr_status tsr_array_with(const tsr_array *array, const tsr_layout_options *given,
                          tsr_array **result)
{
    tsr_layout_options options = tsri_layout_defaults;
    uint64_t arguments = 0;
    tsr_layout *made = NULL, *layout = NULL;
    tsr_status st = TSR_OK;

    if (result != NULL) *result = NULL;
    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    const tsri_geometry *g = &array->layout->geometry;
    tsri_context *const context = array->layout->context;
    TSRI_TRY(done, tsri_enter(context, false, "%s", __func__));

    options = changed(g, given != NULL ? given : &tsri_layout_defaults);
    TSRI_CHECK(agree, result != NULL, TSR_ERR_VALUE,
               "result is NULL, must point to where the handle goes");
    TSRI_TRY(agree, tsri_move_check(__func__, array));
    TSRI_TRY(agree, tsri_layout_make(__func__, context, g->ndim, g->shape, &options, &made));
    if (given == NULL || !gives_cuts(given)) made->geometry.split = g->split;
    arguments = tsri_layout_fingerprint(__func__, made, &options) ^ tsri_hash_call(__func__, array);
agree:
    TSRI_TRY(done, tsri_layout_finish(context, st, arguments, &options, made, &layout));
    st = tsri_redistribute_new(__func__, TSR_OK, array, layout, result);
done:
    tsri_layout_unref(layout);
    return st;
}
