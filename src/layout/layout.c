/* The layout object: made collectively, counted by reference, asked locally. */
#include "layout/layout.h"
#include "base/checked.h"
#include "base/gate.h"
#include "layout/reorder.h"

#include <string.h>

/* What concerns only whole layouts. */
static tsr_status check_sharing(const char *call, const tsr_layout_options *options)
{
    if (!options->node_shared || options->split == TSR_WHOLE) return TSR_OK;
    return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "node_shared is true, so split must be TSR_WHOLE");
}

tsr_status tsri_layout_make(const char *call, tsri_context *context, int ndim, const int64_t *shape,
                            const tsr_layout_options *options, tsr_layout **layout)
{
    tsr_status st = TSR_OK;
    tsr_layout *made = NULL;

    *layout = NULL;
    TSRI_ALLOC(fail, made, 1);
    made->rank = tsri_context_rank(context);
    made->size = tsri_context_size(context);
    TSRI_TRY(fail, tsri_geometry_init(call, &made->geometry, made->size, ndim, shape, options));
    TSRI_TRY(fail, check_sharing(call, options));
    made->geometry.node_shared = options->node_shared;
    *layout = made;
    return TSR_OK;

fail:
    tsri_layout_free(made);
    return st;
}

void tsri_layout_free(tsr_layout *layout)
{
    if (layout == NULL) return;
    tsri_geometry_clear(&layout->geometry);
    tsri_free(layout);
}

/* Normalised: equivalent arguments are the same. */
uint64_t tsri_layout_fingerprint(const char *call, const tsr_layout *layout,
                                 const tsr_layout_options *options)
{
    const tsri_geometry *geometry = &layout->geometry;
    const bool flags[] = {options->allow_empty, options->reorder, options->node_shared};
    uint64_t hash = tsri_hash(tsri_geometry_hash(geometry), call, strlen(call));
    hash = tsri_hash(hash, &geometry->split, sizeof geometry->split);
    return tsri_hash(hash, flags, sizeof flags);
}

static void kept_release(tsr_layout *layout)
{
    if (layout->plans != NULL) layout->plans_free(layout->plans);
    if (layout->programs != NULL) layout->programs_free(layout->programs);
    layout->plans = layout->programs = NULL;
}

static void live_release(tsri_live *live)
{
    kept_release((tsr_layout *)((char *)live - offsetof(tsr_layout, live)));
}

tsr_status tsri_layout_finish(tsri_context *context, tsr_status earlier, uint64_t fingerprint,
                              const tsr_layout_options *options, tsr_layout *made,
                              tsr_layout **layout)
{
    tsr_status st;
    TSRI_TRY(fail, tsri_agree(context, earlier, fingerprint));
    if (options->reorder && !made->geometry.whole)
        TSRI_TRY(fail, tsri_context_placed(context, &made->geometry, &context));

    atomic_init(&made->refs, 1);
    made->context = tsri_context_ref(context);
    made->rank = tsri_context_rank(context);
    tsri_live_add(&made->live, live_release);
    *layout = made;
    return TSR_OK;

fail:
    tsri_layout_free(made);
    return st;
}

tsr_layout_options tsri_layout_options_of(const tsri_geometry *g)
{
    tsr_layout_options options = {.periodic = g->periodic, .allow_empty = g->allow_empty};

    if (g->whole) options.split = g->split != 0 ? g->split : TSR_WHOLE;
    options.node_shared = g->node_shared;
    for (int a = 0; a < g->ndim; ++a) {
        options.halo_lo[a] = g->halo_lo[a];
        options.halo_hi[a] = g->halo_hi[a];
        if (g->whole) continue;
        options.process_grid[a] = g->grid[a];
        options.cuts[a] = g->cuts[a];
        if (g->cuts[a] != NULL) options.ncuts[a] = g->grid[a] + 1;
    }
    return options;
}

const tsr_layout_options tsri_layout_defaults;

tsr_status tsri_layout_create(const char *call, tsr_comm comm, int ndim, const int64_t *shape,
                              const tsr_layout_options *options, tsr_layout **layout)
{
    tsr_status st = TSR_OK;
    tsri_context *context = NULL;
    tsr_layout *made = NULL;
    uint64_t arguments = 0;

    if (layout != NULL) *layout = NULL;
    if (options == NULL) options = &tsri_layout_defaults;
    TSRI_TRY(fail, tsri_context_enter(comm, call, &context));

    TSRI_CHECK(agree, layout != NULL, TSR_ERR_VALUE,
               "layout is NULL, must point to where the handle goes");
    TSRI_TRY(agree, tsri_layout_make(call, context, ndim, shape, options, &made));
    arguments = tsri_layout_fingerprint(call, made, options);
agree:
    st = tsri_layout_finish(context, st, arguments, options, made, layout);
fail:
    return st;
}

tsr_status tsr_layout_create(tsr_comm comm, int ndim, const int64_t *shape,
                             const tsr_layout_options *options, tsr_layout **layout)
{
    return tsri_layout_create(__func__, comm, ndim, shape, options, layout);
}

tsr_layout *tsri_layout_ref(tsr_layout *layout)
{
    atomic_fetch_add_explicit(&layout->refs, 1, memory_order_relaxed);
    return layout;
}

void tsri_layout_unref(tsr_layout *layout)
{
    if (layout == NULL) return;
    if (atomic_fetch_sub_explicit(&layout->refs, 1, memory_order_acq_rel) > 1) return;
    tsri_live_remove(&layout->live);
    kept_release(layout);
    tsri_context_unref(layout->context);
    tsri_layout_free(layout);
}

tsr_status tsr_layout_destroy(tsr_layout **layout)
{
    if (layout == NULL) return TSR_OK;
    tsri_layout_unref(*layout);
    *layout = NULL;
    return TSR_OK;
}

int tsr_layout_ndim(const tsr_layout *layout)
{
    return layout == NULL ? 0 : layout->geometry.ndim;
}

int tsr_layout_rank(const tsr_layout *layout)
{
    return layout == NULL ? 0 : layout->rank;
}

int tsr_layout_size(const tsr_layout *layout)
{
    return layout == NULL ? 0 : layout->size;
}

tsr_comm tsr_layout_comm(const tsr_layout *layout)
{
    return layout == NULL ? TSR_COMM_NULL : tsri_context_comm(layout->context);
}

const int64_t *tsr_layout_shape(const tsr_layout *layout)
{
    return layout == NULL ? NULL : layout->geometry.shape;
}

const int *tsr_layout_process_grid(const tsr_layout *layout)
{
    return layout == NULL ? NULL : layout->geometry.grid;
}

const int64_t *tsr_layout_halo_lo(const tsr_layout *layout)
{
    return layout == NULL ? NULL : layout->geometry.halo_lo;
}

const int64_t *tsr_layout_halo_hi(const tsr_layout *layout)
{
    return layout == NULL ? NULL : layout->geometry.halo_hi;
}

tsr_axes tsr_layout_split(const tsr_layout *layout)
{
    return layout == NULL ? 0 : layout->geometry.split;
}

tsr_axes tsr_layout_periodic(const tsr_layout *layout)
{
    return layout == NULL ? 0 : layout->geometry.periodic;
}

bool tsr_layout_is_replicated(const tsr_layout *layout)
{
    return layout != NULL && layout->size > 1 && layout->geometry.whole;
}

bool tsr_layout_is_node_shared(const tsr_layout *layout)
{
    return layout != NULL && layout->geometry.node_shared;
}

bool tsri_layout_is_local(const tsr_layout *layout)
{
    return layout->geometry.whole && !layout->geometry.node_shared;
}

bool tsr_layout_is_distributed(const tsr_layout *layout)
{
    return layout != NULL && !layout->geometry.whole;
}

int64_t tsr_layout_cells(const tsr_layout *layout)
{
    return layout == NULL ? 0 : layout->geometry.cells;
}

bool tsr_layout_equal(const tsr_layout *a, const tsr_layout *b)
{
    if (a == NULL || b == NULL) return false;
    return a == b || (a->context == b->context && tsri_geometry_equal(&a->geometry, &b->geometry));
}

uint64_t tsr_layout_hash(const tsr_layout *layout)
{
    return layout == NULL ? 0 : tsri_geometry_hash(&layout->geometry);
}

uint64_t tsri_hash_layout(uint64_t hash, const tsr_layout *layout)
{
    const uint64_t parts[] = {tsr_layout_hash(layout),
                              layout == NULL ? 0 : tsri_context_name(layout->context)};
    return tsri_hash(hash, parts, sizeof parts);
}
