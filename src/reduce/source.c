#include "reduce/source.h"

#include "kern/kern.h"

#include <string.h>

tsri_source tsri_source_of(const tsr_array *array)
{
    return (tsri_source){.layout = array->layout, .dtype = array->dtype, .array = array};
}

/* ---- lines ----------------------------------------------------------------------------------- */

typedef struct line_walk {
    int ndim;
    const int64_t *other;
    tsri_row_visitor *visit;
    void *state;
} line_walk;

static void take_line(void *ctx, const int64_t *index, int64_t n, const void *values)
{
    const line_walk *w = ctx;
    tsri_row row = {.data = values, .count = n, .stride = 1};

    for (int a = 0; a < w->ndim; ++a)
        row.offset += index[a] * w->other[a];
    if (w->ndim > 0) row.step = w->other[w->ndim - 1];
    w->visit(&row, w->state);
}

void tsri_each_line(tsri_source *source, const int64_t *other, tsri_row_visitor *visit, void *state)
{
    line_walk walk = {source->layout->geometry.ndim, other, visit, state};

    if (source->array != NULL)
        tsri_each_row(source->array, other, visit, state);
    else if (source->status == TSR_OK)
        source->status = tsri_run_each(source->run, true, take_line, &walk);
}

/* ---- elements -------------------------------------------------------------------------------- */

typedef struct value_walk {
    tsr_dtype from, to;
    tsri_values_visitor *visit;
    void *state;
} value_walk;

static void visit_values(const value_walk *w, int64_t count, int64_t stride, const void *data)
{
    const int64_t step = stride * (int64_t)tsr_dtype_size(w->from);
    tsri_chunk chunk;

    for (int64_t done = 0, n; done < count; done += n) {
        n = tsri_values_length(w->from, stride, w->to, count - done);
        w->visit(n,
                 tsri_values(w->from, (const char *)data + done * step, stride, w->to, n, &chunk),
                 w->state);
    }
}

static void take_row(const tsri_row *row, void *state)
{
    visit_values(state, row->count, row->stride, row->data);
}

static void take_block(void *ctx, const int64_t *index, int64_t n, const void *values)
{
    (void)index;
    visit_values(ctx, n, 1, values);
}

void tsri_each_values(tsri_source *source, tsr_dtype dtype, tsri_values_visitor *visit, void *state)
{
    value_walk walk = {source->dtype, dtype, visit, state};

    if (source->array != NULL)
        tsri_each_row(source->array, NULL, take_row, &walk);
    else if (source->status == TSR_OK)
        source->status = tsri_run_each(source->run, false, take_block, &walk);
}

/* ---- elements with their cells --------------------------------------------------------------- */

typedef struct cell_walk {
    tsr_dtype dtype;
    int64_t stride[TSR_MAX_NDIM]; /* of cell numbers */
    int64_t first;                /* the number of the block's first cell */
    tsri_cells_visitor *visit;
    void *state;
} cell_walk;

static void take_cell_row(const tsri_row *row, void *state)
{
    const cell_walk *w = state;
    const char *data = row->data;
    const int64_t step = row->stride * (int64_t)tsr_dtype_size(w->dtype);
    tsri_chunk chunk;

    for (int64_t done = 0, n; done < row->count; done += n) {
        n = row->count - done < TSRI_CELLS ? row->count - done : TSRI_CELLS;
        n = tsri_values_length(w->dtype, row->stride, w->dtype, n);
        w->visit(n, tsri_values(w->dtype, data + done * step, row->stride, w->dtype, n, &chunk),
                 w->first + row->offset + done * row->step, row->step, w->state);
    }
}

void tsri_each_cells(tsri_source *source, tsri_cells_visitor *visit, void *state)
{
    const tsri_geometry *g = &source->layout->geometry;
    cell_walk w = {.dtype = source->dtype, .visit = visit, .state = state};
    int64_t start[TSR_MAX_NDIM], extent[TSR_MAX_NDIM];

    tsri_c_strides(g->ndim, g->shape, w.stride);
    tsri_geometry_block(g, source->layout->rank, start, extent);
    for (int a = 0; a < g->ndim; ++a)
        w.first += start[a] * w.stride[a];
    tsri_each_line(source, w.stride, take_cell_row, &w);
}
