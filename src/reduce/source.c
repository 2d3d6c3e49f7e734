#include "reduce/source.h"

#include "kern/kern.h"

tsri_source tsri_source_of(const tsr_array *array)
{
    return (tsri_source){.layout = array->layout, .dtype = array->dtype, .array = array};
}

void tsri_source_bands(tsri_source *source, const int64_t *other, tsri_band_visitor *visit,
                       void *state)
{
    if (source->array != NULL)
        tsri_each_band(source->array, other, visit, state);
    else if (source->status == TSR_OK)
        source->status = tsri_run_each(source->run, other, visit, state);
}

/* ---- elements -------------------------------------------------------------------------------- */

typedef struct value_walk {
    tsr_dtype from, to;
    tsri_values_visitor *visit;
    void *state;
} value_walk;

static void visit_values(const tsri_band *band, void *state)
{
    const value_walk *w = state;
    tsri_band_pieces pieces = {.band = band, .most = tsri_values_length(w->from, band, w->to)};
    tsri_chunk chunk;

    for (tsri_band piece; tsri_band_next(&pieces, &piece);)
        w->visit(piece.rows * piece.cols, tsri_values(w->from, &piece, w->to, &chunk), w->state);
}

void tsri_each_values(tsri_source *source, tsr_dtype dtype, tsri_values_visitor *visit, void *state)
{
    value_walk walk = {source->dtype, dtype, visit, state};
    tsri_source_bands(source, NULL, visit_values, &walk);
}

/* ---- elements with their cells --------------------------------------------------------------- */

typedef struct cell_walk {
    tsr_dtype dtype;
    int64_t first; /* the number of the block's first cell */
    tsri_cells_visitor *visit;
    void *state;
} cell_walk;

static void visit_cells(const tsri_band *band, void *state)
{
    const cell_walk *w = state;
    const int64_t most = tsri_values_length(w->dtype, band, w->dtype);
    tsri_band_pieces pieces = {.band = band, .most = most < TSRI_CELLS ? most : TSRI_CELLS};
    tsri_chunk chunk;

    for (tsri_band piece; tsri_band_next(&pieces, &piece);) {
        const void *values = tsri_values(w->dtype, &piece, w->dtype, &chunk);
        piece.offset += w->first;
        w->visit(&piece, values, w->state);
    }
}

void tsri_each_cells(tsri_source *source, tsri_cells_visitor *visit, void *state)
{
    const tsri_geometry *g = &source->layout->geometry;
    cell_walk w = {.dtype = source->dtype, .visit = visit, .state = state};
    int64_t start[TSR_MAX_NDIM], extent[TSR_MAX_NDIM], number[TSR_MAX_NDIM];

    tsri_c_strides(g->ndim, g->shape, number);
    tsri_geometry_block(g, source->layout->rank, start, extent);
    for (int a = 0; a < g->ndim; ++a)
        w.first += start[a] * number[a];
    tsri_source_bands(source, number, visit_cells, &w);
}
