#include "array/band.h"

#include "kern/kern.h"

#include <string.h>

/* The last two axes. */
static tsri_band first_band(const tsr_array *array, int ndim, const int64_t *extent,
                            const int64_t *stride, const int64_t *step)
{
    const int col = ndim - 1, row = ndim - 2;
    tsri_band band = {.data = tsri_array_origin(array),
                      .size = tsr_dtype_size(array->dtype),
                      .rows = 1,
                      .cols = 1,
                      .col_stride = 1};

    if (col >= 0) {
        band.cols = extent[col];
        band.col_stride = stride[col];
        band.col_step = step[col];
    }
    if (row >= 0) {
        band.rows = extent[row];
        band.row_stride = stride[row];
        band.row_step = step[row];
    }
    return band;
}

static void move(tsri_band *band, int64_t elements, int64_t steps)
{
    band->data += elements * (ptrdiff_t)band->size;
    band->offset += steps;
}

void tsri_each_band(const tsr_array *array, const int64_t *other, tsri_band_visitor *visit,
                    void *state)
{
    int64_t extent[TSR_MAX_NDIM], stride[TSR_MAX_NDIM], step[TSR_MAX_NDIM] = {0};
    int64_t index[TSR_MAX_NDIM] = {0};
    int ndim = array->layout->geometry.ndim;

    if (array->cells == 0) return;
    memcpy(extent, array->extent, sizeof extent);
    memcpy(stride, array->stride, sizeof stride);
    if (other != NULL) memcpy(step, other, (size_t)ndim * sizeof *step);
    ndim = tsri_coalesce(ndim, extent, other == NULL ? 1 : 2, (int64_t *[]){stride, step});
    tsri_band band = first_band(array, ndim, extent, stride, step);
    for (;;) {
        visit(&band, state);
        int a = ndim - 3;
        for (; a >= 0 && ++index[a] == extent[a]; --a) {
            move(&band, -(extent[a] - 1) * stride[a], -(extent[a] - 1) * step[a]);
            index[a] = 0;
        }
        if (a < 0) return;
        move(&band, stride[a], step[a]);
    }
}

bool tsri_band_next(tsri_band_pieces *p, tsri_band *piece)
{
    const tsri_band *band = p->band;
    const int64_t rows = band->rows - p->row, cols = band->cols - p->col;

    if (rows <= 0) return false;
    *piece = *band;
    move(piece, p->row * band->row_stride + p->col * band->col_stride,
         p->row * band->row_step + p->col * band->col_step);
    if (band->cols <= p->most) {
        piece->rows = p->most / band->cols < rows ? p->most / band->cols : rows;
        p->row += piece->rows;
        return true;
    }
    piece->rows = 1;
    piece->cols = cols < p->most ? cols : p->most;
    p->col += piece->cols;
    if (p->col == band->cols) {
        p->col = 0;
        ++p->row;
    }
    return true;
}

tsri_band tsri_band_transposed(const tsri_band *band)
{
    tsri_band turned = *band;

    turned.rows = band->cols;
    turned.cols = band->rows;
    turned.row_stride = band->col_stride;
    turned.col_stride = band->row_stride;
    turned.row_step = band->col_step;
    turned.col_step = band->row_step;
    return turned;
}
