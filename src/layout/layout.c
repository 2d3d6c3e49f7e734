/* The layout object: made collectively, counted by reference, asked locally. */
#include "layout/layout.h"
#include "base/checked.h"

#include <inttypes.h>

static const char create_call[] = "tsr_layout_create";

/* The options that need more than the geometry. */
static tsr_status check_placement(const tsri_geometry *geometry, const tsr_layout_options *options)
{
    if (options->node_shared && options->split != TSR_WHOLE) {
        return tsri_fail(TSR_ERR_VALUE, create_call, __FILE__, __LINE__,
                         "node_shared is true and split is 0x%" PRIx32 ", must be TSR_WHOLE",
                         options->split);
    }
    if (options->node_shared) {
        return tsri_fail(TSR_ERR_UNSUPPORTED, create_call, __FILE__, __LINE__,
                         "node_shared is true, this version allows only false");
    }
    if (options->reorder && !geometry->whole) {
        return tsri_fail(TSR_ERR_UNSUPPORTED, create_call, __FILE__, __LINE__,
                         "reorder is true, this version allows only false");
    }
    return TSR_OK;
}

/* What must be the same on all ranks, normalised: equivalent arguments are the same. */
static uint64_t fingerprint(const tsri_geometry *geometry, const tsr_layout_options *options)
{
    const bool flags[] = {options->allow_empty, options->reorder, options->node_shared};
    uint64_t hash = tsri_hash(tsri_geometry_hash(geometry), create_call, sizeof create_call);
    hash = tsri_hash(hash, &geometry->split, sizeof geometry->split);
    return tsri_hash(hash, flags, sizeof flags);
}

static void plans_release(tsr_layout *layout)
{
    if (layout->plans != NULL) layout->plans_free(layout->plans);
    layout->plans = NULL;
}

static void live_release(tsri_live *live)
{
    plans_release((tsr_layout *)((char *)live - offsetof(tsr_layout, live)));
}

tsr_status tsr_layout_create(tsr_comm comm, int ndim, const int64_t *shape,
                             const tsr_layout_options *options, tsr_layout **layout)
{
    static const tsr_layout_options defaults = {0};
    tsr_status st = TSR_OK;
    tsri_context *context = NULL;
    tsr_layout *made = NULL;
    uint64_t arguments = 0;

    if (layout != NULL) *layout = NULL;
    if (options == NULL) options = &defaults;
    /* Without a context there is nothing to agree over. */
    TSRI_TRY(fail, tsri_context_of(comm, &context));

    TSRI_CHECK(agree, layout != NULL, TSR_ERR_VALUE,
               "layout is NULL, must point to where the handle goes");
    TSRI_ALLOC(agree, made, 1);
    made->rank = tsri_context_rank(context);
    made->size = tsri_context_size(context);
    TSRI_TRY(agree, tsri_geometry_init(&made->geometry, made->size, ndim, shape, options));
    TSRI_TRY(agree, check_placement(&made->geometry, options));
    arguments = fingerprint(&made->geometry, options);
agree:
    TSRI_TRY(fail, tsri_agree(context, st, arguments));

    atomic_init(&made->refs, 1);
    made->context = tsri_context_ref(context);
    tsri_live_add(&made->live, live_release);
    *layout = made;
    return TSR_OK;

fail:
    if (made != NULL) tsri_geometry_clear(&made->geometry);
    tsri_free(made);
    return st;
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
    plans_release(layout);
    tsri_context_unref(layout->context);
    tsri_geometry_clear(&layout->geometry);
    tsri_free(layout);
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
