#include "reduce/frame.h"

#include "base/checked.h"
#include "kern/kern.h"

#include <string.h>

tsri_frame tsri_frame_make(const char *name, const tsr_array *array, tsr_axes reduced, bool keep)
{
    const tsri_geometry *g = &array->layout->geometry;
    tsri_frame frame = {
        .name = name, .array = array, .reduced = reduced, .keep = keep, .count = 1, .cells = 1};
    int64_t start[TSR_MAX_NDIM];

    tsri_geometry_block(g, array->layout->rank, start, frame.extent);
    for (int a = g->ndim - 1; a >= 0; --a) {
        if (tsri_frame_reduces(&frame, a)) {
            frame.count *= (double)g->shape[a];
        } else {
            frame.stride[a] = frame.cells;
            /* too many for 64 bits: then there is no layout for the result either */
            if (!tsri_mul_i64(frame.cells, frame.extent[a], &frame.cells)) frame.cells = 0;
        }
    }
    return frame;
}

bool tsri_frame_reduces_all(const tsri_frame *frame)
{
    for (int a = 0; a < frame->array->layout->geometry.ndim; ++a)
        if (!tsri_frame_reduces(frame, a)) return false;
    return true;
}

/* ---- the layout of the result ---------------------------------------------------------------- */

/* The lengths of the result, and for each of its axes that of the array; returns their number. */
static int result_shape(const tsri_frame *frame, int64_t *shape, int *source)
{
    const tsri_geometry *g = &frame->array->layout->geometry;
    int ndim = 0;

    for (int a = 0; a < g->ndim; ++a) {
        const bool reduced = tsri_frame_reduces(frame, a);
        if (reduced && !frame->keep) continue;
        shape[ndim] = reduced ? 1 : g->shape[a];
        source[ndim++] = a;
    }
    return ndim;
}

static bool moves(const tsri_frame *frame)
{
    const tsri_geometry *g = &frame->array->layout->geometry;

    for (int a = 0; a < g->ndim; ++a)
        if (tsri_frame_reduces(frame, a) && g->grid[a] > 1) return true;
    return false;
}

/* The blocks of the array, where each rank has one. */
static void keep_blocks(const tsri_frame *frame, int ndim, const int *source,
                        tsr_layout_options *options)
{
    const tsri_geometry *g = &frame->array->layout->geometry;

    for (int k = 0; k < ndim; ++k) {
        const int a = source[k];
        options->process_grid[k] = g->grid[a];
        if (tsri_frame_reduces(frame, a) || g->cuts[a] == NULL) continue;
        options->cuts[k] = g->cuts[a];
        options->ncuts[k] = g->grid[a] + 1;
    }
}

static void split_as_before(const tsri_frame *frame, int ndim, const int *source,
                            tsr_layout_options *options)
{
    for (int k = 0; k < ndim; ++k) {
        const int a = source[k];
        if (!tsri_frame_reduces(frame, a) && (frame->array->layout->geometry.split >> a & 1u) != 0)
            options->split |= TSR_AXIS(k);
    }
}

tsr_status tsri_frame_layout(const tsri_frame *frame, tsr_layout **layout)
{
    const tsr_layout *from = frame->array->layout;
    int64_t shape[TSR_MAX_NDIM];
    int source[TSR_MAX_NDIM];
    const int ndim = result_shape(frame, shape, source);
    const bool distributed = !from->geometry.whole;
    tsr_status st = TSR_ERR_VALUE;

    /* Each step is for what does not fit the one before. */
    if (distributed && !moves(frame) && ndim > 0) {
        tsr_layout_options options = {0};
        keep_blocks(frame, ndim, source, &options);
        st = tsri_layout_make(frame->name, from->context, ndim, shape, &options, layout);
    }
    if (st == TSR_ERR_VALUE && distributed) {
        tsr_layout_options options = {0};
        split_as_before(frame, ndim, source, &options);
        if (options.split != 0)
            st = tsri_layout_make(frame->name, from->context, ndim, shape, &options, layout);
    }
    if (st == TSR_ERR_VALUE)
        st = tsri_layout_make(frame->name, from->context, ndim, shape,
                              &(tsr_layout_options){.split = TSR_WHOLE}, layout);
    return st;
}

bool tsri_frame_stays(const tsri_frame *frame, const tsr_layout *layout)
{
    const tsri_geometry *g = &frame->array->layout->geometry, *r = &layout->geometry;
    int k = 0;

    if (g->whole) return true;
    if (r->whole || moves(frame)) return false;
    for (int a = 0; a < g->ndim; ++a) {
        const bool reduced = tsri_frame_reduces(frame, a);
        if (!reduced) {
            const size_t points = (size_t)g->grid[a] + 1;
            if (r->grid[k] != g->grid[a] || (r->cuts[k] == NULL) != (g->cuts[a] == NULL))
                return false;
            if (r->cuts[k] != NULL &&
                memcmp(r->cuts[k], g->cuts[a], points * sizeof *g->cuts[a]) != 0)
                return false;
        }
        k += !reduced || frame->keep;
    }
    return true;
}

/* ---- a call ---------------------------------------------------------------------------------- */

/* The result's values: this rank's share, then that of all ranks.  `array` is NULL where it could
 * not be made, as `status` says. */
static tsr_status fill(const tsri_frame *frame, const tsri_along *along, const tsr_layout *layout,
                       tsr_status status, tsr_array *array)
{
    const int64_t one = 1;
    tsri_shares shares = {0};

    if (status == TSR_OK) status = tsri_shares_make(&along->type, frame->cells, &shares);
    if (status == TSR_OK) along->fold(frame, along, &shares);
    status = tsri_merge_shares(frame, layout, status, &along->type, &shares);
    if (status == TSR_OK && array->cells > 0) {
        const int plane = along->finish(frame, along, &shares);
        tsri_kern_get()->convert(1, &array->cells, array->dtype, tsri_array_origin(array), &one,
                                 along->type.dtype[plane], shares.plane[plane], &one);
    }
    tsri_shares_free(&shares);
    return status;
}

/* The same from the value of the whole array. */
static tsr_status fill_whole(const tsri_frame *frame, const tsri_along *along,
                             const tsr_layout *layout, tsr_status status, tsr_array *array)
{
    tsr_scalar value;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_agree(layout->context, status, 0));
    TSRI_TRY(done, along->whole(frame->array, &along->options, &value));
    tsri_array_fill(array, value);
done:
    return st;
}

tsr_status tsri_reduce_along(const tsri_frame *frame, const tsri_along *along, tsr_status status,
                             uint64_t arguments, tsr_array **result)
{
    tsri_context *const context = frame->array->layout->context;
    tsr_status st = status;
    tsr_layout *made = NULL, *layout = NULL;
    tsr_array *array = NULL;

    if (st == TSR_OK) st = tsri_frame_layout(frame, &made);
    arguments ^= tsr_layout_hash(frame->array->layout);
    TSRI_TRY(fail,
             tsri_layout_finish(context, st, arguments, &tsri_layout_defaults, made, &layout));
    st = tsri_array_make(layout, along->dtype, frame->name, &array);
    if (along->whole != NULL && tsri_frame_reduces_all(frame))
        st = fill_whole(frame, along, layout, st, array);
    else
        st = fill(frame, along, layout, st, array);
    TSRI_TRY(fail, st);
    *result = array;
    array = NULL;
fail:
    tsri_array_free(array);
    tsri_layout_unref(layout);
    return st;
}
