#include "reduce/frame.h"

#include "base/checked.h"
#include "reduce/source.h"

#include <string.h>

tsri_frame tsri_frame_make(const char *name, tsri_source *source, tsr_axes reduced, bool keep)
{
    const tsri_geometry *g = &source->layout->geometry;
    tsri_frame frame = {.name = name,
                        .source = source,
                        .layout = source->layout,
                        .reduced = reduced,
                        .keep = keep,
                        .count = 1,
                        .cells = 1};

    tsri_geometry_block(g, source->layout->rank, frame.start, frame.extent);
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
    for (int a = 0; a < frame->layout->geometry.ndim; ++a)
        if (!tsri_frame_reduces(frame, a)) return false;
    return true;
}

/* ---- the layout of the result ---------------------------------------------------------------- */

/* The lengths of the result, and for each of its axes that of the array; returns their number. */
static int result_shape(const tsri_frame *frame, int64_t *shape, int *source)
{
    const tsri_geometry *g = &frame->layout->geometry;
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
    const tsri_geometry *g = &frame->layout->geometry;

    for (int a = 0; a < g->ndim; ++a)
        if (tsri_frame_reduces(frame, a) && g->grid[a] > 1) return true;
    return false;
}

/* The blocks of the array, where each rank has one. */
static void keep_blocks(const tsri_frame *frame, int ndim, const int *source,
                        tsr_layout_options *options)
{
    const tsri_geometry *g = &frame->layout->geometry;

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
        if (!tsri_frame_reduces(frame, a) && (frame->layout->geometry.split >> a & 1u) != 0)
            options->split |= TSR_AXIS(k);
    }
}

tsr_status tsri_frame_layout(const tsri_frame *frame, tsr_layout **layout)
{
    const tsr_layout *from = frame->layout;
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
    const tsri_geometry *g = &frame->layout->geometry, *r = &layout->geometry;
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
