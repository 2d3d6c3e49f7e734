/* Walks over this rank's block of an array. */
#include "kern/kern.h"
#include "reduce/reduction.h"

#include <string.h>

void tsri_each_row(const tsr_array *array, const int64_t *other, tsri_row_visitor *visit,
                   void *state)
{
    int64_t extent[TSR_MAX_NDIM], stride[TSR_MAX_NDIM], step[TSR_MAX_NDIM] = {0};
    int64_t index[TSR_MAX_NDIM] = {0};
    const int64_t elem = (int64_t)tsr_dtype_size(array->dtype);
    const char *data = tsri_array_origin(array);
    int ndim = array->layout->geometry.ndim;
    tsri_row row = {.count = 1, .stride = 1};

    if (array->cells == 0) return;
    memcpy(extent, array->extent, sizeof extent);
    memcpy(stride, array->stride, sizeof stride);
    if (other != NULL) memcpy(step, other, (size_t)ndim * sizeof *step);
    ndim = tsri_coalesce(ndim, extent, other == NULL ? 1 : 2, (int64_t *[]){stride, step});
    const int last = ndim - 1;
    if (ndim > 0)
        row = (tsri_row){.count = extent[last], .stride = stride[last], .step = step[last]};
    for (;;) {
        row.data = data;
        visit(&row, state);
        int a = last - 1;
        for (; a >= 0 && ++index[a] == extent[a]; --a) {
            data -= (extent[a] - 1) * stride[a] * elem;
            row.offset -= (extent[a] - 1) * step[a];
            index[a] = 0;
        }
        if (a < 0) return;
        data += stride[a] * elem;
        row.offset += step[a];
    }
}

/* ---- side by side
 * ------------------------------------------------------------------------------------ */

int64_t tsri_values_length(tsr_dtype from, int64_t stride, tsr_dtype to, int64_t n)
{
    return (from == to && stride == 1) || n < TSRI_CHUNK ? n : TSRI_CHUNK;
}

const void *tsri_values(tsr_dtype from, const void *data, int64_t stride, tsr_dtype to, int64_t n,
                        tsri_chunk *chunk)
{
    const int64_t one = 1;

    if (from == to && (stride == 1 || n == 1)) return data;
    tsri_kern_get()->convert(1, &n, to, chunk->bytes, &one, from, data, &stride);
    return chunk->bytes;
}

typedef struct pair_walk {
    tsri_side left, right;
    tsri_pair_visitor *visit;
    void *state;
} pair_walk;

static void visit_pairs(const tsri_row *row, void *state)
{
    const pair_walk *w = state;
    const tsr_dtype from_left = w->left.array->dtype, from_right = w->right.array->dtype;
    const char *left = row->data, *right = tsri_array_origin(w->right.array);
    const int64_t left_step = row->stride * (int64_t)tsr_dtype_size(from_left);
    const int64_t right_step = row->step * (int64_t)tsr_dtype_size(from_right);
    tsri_chunk left_chunk, right_chunk;

    right += row->offset * (int64_t)tsr_dtype_size(from_right);
    for (int64_t done = 0, n; done < row->count; done += n) {
        n = tsri_values_length(from_left, row->stride, w->left.dtype, row->count - done);
        n = tsri_values_length(from_right, row->step, w->right.dtype, n);
        w->visit(n,
                 tsri_values(from_left, left + done * left_step, row->stride, w->left.dtype, n,
                             &left_chunk),
                 tsri_values(from_right, right + done * right_step, row->step, w->right.dtype, n,
                             &right_chunk),
                 w->state);
    }
}

void tsri_each_pair(tsri_side left, tsri_side right, tsri_pair_visitor *visit, void *state)
{
    pair_walk walk = {left, right, visit, state};
    tsri_each_row(left.array, right.array->stride, visit_pairs, &walk);
}
