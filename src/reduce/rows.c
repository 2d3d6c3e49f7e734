/* The elements of bands, side by side. */
#include "kern/kern.h"
#include "kern/vector.h"
#include "reduce/reduction.h"

/* Rows that are worth a visit of their own. */
enum { LONG_ROW = 64 };

static bool is_direct(const tsri_band *b)
{
    return (b->cols == 1 || b->col_stride == 1) &&
           (b->rows == 1 || b->row_stride == (b->cols == 1 ? 1 : b->cols));
}

int64_t tsri_values_length(tsr_dtype from, const tsri_band *band, tsr_dtype to)
{
    if (from != to) return TSRI_CHUNK;
    if (is_direct(band)) return INT64_MAX;
    return band->col_stride == 1 && band->cols >= LONG_ROW ? band->cols : TSRI_CHUNK;
}

static const void *gather(const tsri_band *band, void *room)
{
    tsri_kern_get()->copy(band->size, 2, (const int64_t[]){band->rows, band->cols}, room,
                          (const int64_t[]){band->cols, 1}, band->data,
                          (const int64_t[]){band->row_stride, band->col_stride});
    return room;
}

const void *tsri_values(tsr_dtype from, const tsri_band *band, tsr_dtype to, tsri_chunk *chunk)
{
    const bool direct = is_direct(band);
    tsri_chunk gathered;

    if (from == to) return direct ? band->data : gather(band, chunk->bytes);
    tsri_vector_convert(tsri_vector_level(), to, from)(
        band->rows * band->cols, chunk->bytes, direct ? band->data : gather(band, gathered.bytes));
    return chunk->bytes;
}

/* ---- two arrays ------------------------------------------------------------------------------ */

typedef struct pair_walk {
    tsri_side left, right;
    tsri_pair_visitor *visit;
    void *state;
} pair_walk;

/* The right array's cells: those at the left one's places in the other order. */
static tsri_band on_the_right(const tsri_band *left, const tsr_array *right)
{
    const size_t size = tsr_dtype_size(right->dtype);
    const unsigned char *origin = tsri_array_origin(right);

    return (tsri_band){.data = origin + left->offset * (ptrdiff_t)size,
                       .size = size,
                       .rows = left->rows,
                       .cols = left->cols,
                       .row_stride = left->row_step,
                       .col_stride = left->col_step};
}

static void visit_pairs(const tsri_band *band, void *state)
{
    const pair_walk *w = state;
    const tsr_dtype from_left = w->left.array->dtype, from_right = w->right.array->dtype;
    const tsri_band other = on_the_right(band, w->right.array);
    const int64_t most = tsri_values_length(from_left, band, w->left.dtype);
    const int64_t other_most = tsri_values_length(from_right, &other, w->right.dtype);
    tsri_band_pieces pieces = {.band = band, .most = most < other_most ? most : other_most};
    tsri_chunk left_chunk, right_chunk;

    for (tsri_band left; tsri_band_next(&pieces, &left);) {
        const tsri_band right = on_the_right(&left, w->right.array);
        w->visit(left.rows * left.cols, tsri_values(from_left, &left, w->left.dtype, &left_chunk),
                 tsri_values(from_right, &right, w->right.dtype, &right_chunk), w->state);
    }
}

void tsri_each_pair(tsri_side left, tsri_side right, tsri_pair_visitor *visit, void *state)
{
    pair_walk walk = {left, right, visit, state};
    tsri_each_band(left.array, right.array->stride, visit_pairs, &walk);
}
