/* This rank's share of reductions along axes: passes over its block. */
#include "kern/reducers.h"
#include "reduce/frame.h"
#include "reduce/source.h"

#include <string.h>

/* ---- where cells belong ---------------------------------------------------------------------- */

/* A number for each cell of the block: the cell of the share that it goes into, plus a multiple of
 * `turn`, which is more than there are cells.  Along the one axis of a position that multiple is
 * the index.  Axes that go are numbered as one where they follow each other, and so that a kept one
 * between them, which may have one cell on this rank and several on another, always shows. */
typedef struct numbering {
    int64_t turn, step[TSR_MAX_NDIM];
} numbering;

static numbering number_cells(const tsri_frame *frame)
{
    numbering n = {.turn = frame->cells + 1};
    int64_t next = n.turn;
    bool kept = false;

    for (int a = frame->layout->geometry.ndim - 1; a >= 0; --a) {
        if (!tsri_frame_reduces(frame, a)) {
            n.step[a] = frame->stride[a];
            kept = true;
            continue;
        }
        if (kept && next > n.turn) next += n.turn;
        n.step[a] = next;
        next *= frame->extent[a];
        kept = false;
    }
    return n;
}

/* Whether the last axis goes, those of length 1 apart. */
static bool goes_along_rows(const tsri_frame *frame)
{
    const tsri_geometry *g = &frame->layout->geometry;
    int a = g->ndim - 1;

    while (a > 0 && g->shape[a] == 1)
        --a;
    return a >= 0 && tsri_frame_reduces(frame, a);
}

/* Rows so short that several at once are worth turning into columns. */
enum { SHORT_ROW = 16 };

/* ---- totals ---------------------------------------------------------------------------------- */

/* In rows along reduced axes elements are combined halves with halves, otherwise one after the
 * other, so that bits depend neither on how the axes that stay are cut nor on where rows lie. */
typedef struct pass {
    tsr_dtype from, as; /* elements of the array, and what they are converted to */
    tsr_dtype dtype;    /* of the totals */
    size_t size;        /* likewise */
    tsri_vector *combine;
    bool halves;
    int64_t turn;
    unsigned char *total;
    const double *mean; /* NULL, or: rather than elements, their squared distances from these */
} pass;

static tsri_vector *function_of(tsr_op op, tsr_dtype dtype)
{
    static const tsri_vector_op ops[TSR_OP_END] = {
        [TSR_SUM] = TSRI_VECTOR_ADD,         [TSR_PROD] = TSRI_VECTOR_MULTIPLY,
        [TSR_MIN] = TSRI_VECTOR_MINIMUM,     [TSR_MAX] = TSRI_VECTOR_MAXIMUM,
        [TSR_AND] = TSRI_VECTOR_LOGICAL_AND, [TSR_OR] = TSRI_VECTOR_LOGICAL_OR};
    return tsri_vector_find(tsri_vector_level(), ops[op], dtype);
}

/* Combine rows of `width` elements, halves with halves, in `room` unless there is one row; returns
 * where the result is. */
static const unsigned char *combine_rows(const pass *p, int64_t rows, int64_t width,
                                         const unsigned char *values, unsigned char *room)
{
    const size_t row = (size_t)width * p->size;

    while (rows > 1) {
        const int64_t pairs = rows / 2, half = rows - pairs;
        p->combine(pairs * width, room, (const void *[]){values, values + (size_t)half * row});
        if (half > pairs && values != room)
            memcpy(room + (size_t)pairs * row, values + (size_t)pairs * row, row);
        values = room;
        rows = half;
    }
    return values;
}

/* Combine n values into totals, `step` apart. */
static void combine_totals(const pass *p, int64_t n, const unsigned char *values, int64_t first,
                           int64_t step)
{
    unsigned char *total = p->total + (size_t)first * p->size;

    if (step == 1) {
        p->combine(n, total, (const void *[]){total, values});
        return;
    }
    for (int64_t i = 0; i < n; ++i, values += p->size, total += step * (ptrdiff_t)p->size)
        p->combine(1, total, (const void *[]){total, values});
}

/* Squared distances of a band's elements from the means of their cells. */
static void square_distances(const pass *p, const tsri_band *band, const double *value,
                             double *squares)
{
    const int parts = p->as == TSR_C128 ? 2 : 1;

    for (int64_t i = 0; i < band->rows; ++i) {
        const double *mean = p->mean + parts * (band->offset + i * band->row_step);
        for (int64_t j = 0; j < band->cols; ++j, value += parts, mean += parts * band->col_step) {
            const double x = value[0] - mean[0], y = parts == 2 ? value[1] - mean[1] : 0;
            *squares++ = x * x + y * y;
        }
    }
}

/* The values of a band's cells, side by side: at most a chunk. */
static const unsigned char *values_of(const pass *p, const tsri_band *band, tsri_chunk *elements,
                                      tsri_chunk *values)
{
    const tsri_band run = {.data = tsri_values(p->from, band, p->as, elements),
                           .size = tsr_dtype_size(p->as),
                           .rows = 1,
                           .cols = band->rows * band->cols,
                           .col_stride = 1};

    if (p->mean == NULL) return tsri_values(p->as, &run, p->dtype, values);
    square_distances(p, band, (const double *)(const void *)run.data, values->number);
    return values->bytes;
}

static void pass_piece(const pass *p, const tsri_band *piece)
{
    const bool turned = piece->col_step == 0 && (p->halves || piece->row_step != 0);
    const tsri_band band = turned ? tsri_band_transposed(piece) : *piece;
    tsri_chunk elements, room;
    const unsigned char *values = values_of(p, &band, &elements, &room);

    if (turned && p->halves) {
        values = combine_rows(p, band.rows, band.cols, values, room.bytes);
        combine_totals(p, band.cols, values, band.offset, band.col_step);
    } else if (band.row_step == band.cols && band.col_step == 1) {
        combine_totals(p, band.rows * band.cols, values, band.offset, 1);
    } else {
        for (int64_t i = 0; i < band.rows; ++i, values += (size_t)band.cols * p->size)
            combine_totals(p, band.cols, values, band.offset + i * band.row_step, band.col_step);
    }
}

/* The steps of a band's totals are 0 along axes that go. */
static void pass_band(const tsri_band *numbered, void *state)
{
    const pass *p = state;
    tsri_band band = *numbered;

    band.offset %= p->turn;
    if (band.row_step >= p->turn) band.row_step = 0;
    if (band.col_step >= p->turn) band.col_step = 0;
    const bool single = p->halves && band.col_step == 0 && band.cols > SHORT_ROW;
    const int64_t most = single && band.cols < TSRI_CHUNK ? band.cols : TSRI_CHUNK;
    tsri_band_pieces pieces = {.band = &band, .most = most};

    for (tsri_band piece; tsri_band_next(&pieces, &piece);)
        pass_piece(p, &piece);
}

/* Pass over all elements; those of type `as` are combined, or their squared distances from `mean`.
 */
static void pass_block(const tsri_frame *frame, tsr_dtype as, tsr_op op, tsr_dtype dtype,
                       void *total, const double *mean)
{
    const numbering number = number_cells(frame);
    pass p = {.from = frame->source->dtype,
              .as = as,
              .dtype = dtype,
              .size = tsr_dtype_size(dtype),
              .combine = function_of(op, dtype),
              .halves = goes_along_rows(frame),
              .turn = number.turn,
              .total = total,
              .mean = mean};
    tsri_source_bands(frame->source, number.step, pass_band, &p);
}

void tsri_fold_totals(const tsri_frame *frame, tsr_dtype as, tsri_shares *shares)
{
    pass_block(frame, as, shares->type.op, shares->type.dtype[0], shares->plane[0], NULL);
}

/* ---- moments --------------------------------------------------------------------------------- */

/* The mean of each cell, then the sum of squared distances from it. */
void tsri_fold_moments(const tsri_frame *frame, tsri_shares *shares)
{
    const tsr_dtype dtype = shares->type.dtype[1];
    const int parts = dtype == TSR_C128 ? 2 : 1;
    double *const mean = shares->plane[1];
    int64_t *const counts = shares->plane[0];
    int64_t count = 1;

    for (int a = 0; a < frame->layout->geometry.ndim; ++a)
        if (tsri_frame_reduces(frame, a)) count *= frame->extent[a];
    if (count == 0) return;
    pass_block(frame, dtype, TSR_SUM, dtype, mean, NULL);
    for (int64_t i = 0; i < parts * shares->cells; ++i)
        mean[i] /= (double)count;
    for (int64_t i = 0; i < shares->cells; ++i)
        counts[i] = count;
    pass_block(frame, dtype, TSR_SUM, TSR_F64, shares->plane[2], mean);
}

/* ---- positions ------------------------------------------------------------------------------- */

/* Cells are placed by the number index * turn + cell, where index is that along the axis and `turn`
 * more than there are cells, so that axes that stay and the one that goes are never taken for one.
 */
typedef struct search {
    tsr_dtype dtype;
    bool max;
    const tsri_extreme_kernels *kernels;
    int64_t turn, start; /* the first index */
    int64_t *key, *index;
} search;

static void search_along(const search *s, const tsri_band *row, const void *values)
{
    const int64_t cell = row->offset % s->turn, index = s->start + row->offset / s->turn;
    tsr_scalar best;
    int64_t key;

    s->kernels->extreme[s->dtype](row->cols, values, s->max, &best.as);
    const int64_t found = s->kernels->find[s->dtype](row->cols, values, &best.as);
    s->kernels->keys[s->dtype](1, &best.as, s->max ? -1 : 0, &key);
    s->kernels->offer(1, &key, index + found, s->key + cell, s->index + cell);
}

static void search_across(const search *s, const tsri_band *row, const int64_t *keys)
{
    const int64_t cell = row->offset % s->turn, index = s->start + row->offset / s->turn;
    s->kernels->offer(row->cols, keys, index, s->key + cell, s->index + cell);
}

/* Rows along the axis, whose best element is found first, or across it. */
static void search_piece(const search *s, const tsri_band *piece, bool along)
{
    const unsigned char *values;
    tsri_band row = *piece;
    tsri_chunk chunk;
    int64_t keys[TSRI_CHUNK];

    values = tsri_values(s->dtype, piece, s->dtype, &chunk);
    if (!along)
        s->kernels->keys[s->dtype](piece->rows * piece->cols, values, s->max ? -1 : 0, keys);
    for (int64_t i = 0; i < piece->rows; ++i, row.offset += piece->row_step) {
        if (along)
            search_along(s, &row, values + (size_t)(i * piece->cols) * piece->size);
        else
            search_across(s, &row, keys + i * piece->cols);
    }
}

/* Long runs along the axis are searched as rows; short ones side by side, as columns. */
static void search_band(const tsri_band *band, void *state)
{
    enum { LONG_RUN = 40 };
    const search *s = state;
    const bool rows_go = band->row_step >= s->turn, cols_go = band->col_step >= s->turn;
    const bool along = rows_go ? band->rows >= LONG_RUN && band->cols < LONG_RUN
                               : cols_go && (band->cols >= LONG_RUN || band->rows == 1);
    tsri_band_pieces pieces = {.band = band, .most = TSRI_CHUNK};

    for (tsri_band piece; tsri_band_next(&pieces, &piece);) {
        const tsri_band turned = along == cols_go ? piece : tsri_band_transposed(&piece);
        search_piece(s, &turned, along);
    }
}

void tsri_fold_positions(const tsri_frame *frame, bool max, tsri_shares *shares)
{
    const numbering number = number_cells(frame);
    search s = {.dtype = frame->source->dtype,
                .max = max,
                .kernels = tsri_extreme_kernels_get(),
                .turn = number.turn,
                .key = shares->plane[0],
                .index = shares->plane[1]};

    for (int a = 0; a < frame->layout->geometry.ndim; ++a)
        if (tsri_frame_reduces(frame, a)) s.start = frame->start[a];
    tsri_source_bands(frame->source, number.step, search_band, &s);
}
