/* This rank's share of reductions along axes: passes over its block. */
#include "kern/kern.h"
#include "reduce/frame.h"
#include "reduce/keys.h"
#include "reduce/source.h"

#include <string.h>

/* ---- totals ---------------------------------------------------------------------------------- */

/* A pass whose rows lie along kept axes, so that they go into a row of totals element by element,
 * or along reduced ones, so that they go into one total. */
typedef struct pass {
    tsr_dtype from, as; /* elements of the array, and what they are converted to */
    tsr_op op;
    tsr_dtype dtype; /* of the totals */
    unsigned char *total;
    const double *mean; /* NULL, or: rather than elements, their squared distances from these */
} pass;

/* Combine n >= 1 elements side by side, halves with halves: the result is the first. */
static void combine_run(const pass *p, int64_t n, unsigned char *values)
{
    const int64_t size = (int64_t)tsr_dtype_size(p->dtype);

    while (n > 1) {
        const int64_t half = (n + 1) / 2;
        tsri_kern_get()->combine(p->op, p->dtype, n - half, values, values + half * size);
        n = half;
    }
}

/* Squared distances of n elements from the means of their cells, `step` cells apart. */
static void square_distances(const pass *p, int64_t n, const void *elements, int64_t cell,
                             int64_t step, double *squares)
{
    const int parts = p->as == TSR_C128 ? 2 : 1;
    const double *value = elements, *mean = p->mean + parts * cell;

    for (int64_t i = 0; i < n; ++i, value += parts, mean += parts * step) {
        const double x = value[0] - mean[0], y = parts == 2 ? value[1] - mean[1] : 0;
        squares[i] = x * x + y * y;
    }
}

/* At most a chunk of elements into the totals of their cells. */
static void pass_chunk(const pass *p, int64_t n, const void *data, int64_t stride, int64_t cell,
                       int64_t step)
{
    tsri_chunk elements, values;
    unsigned char *total = p->total + cell * (int64_t)tsr_dtype_size(p->dtype);
    const void *run = tsri_values(p->from, data, stride, p->as, n, &elements);

    if (p->mean != NULL)
        square_distances(p, n, run, cell, step, values.number);
    else
        run = tsri_values(p->as, run, 1, p->dtype, n, &values);
    if (p->mean != NULL) run = values.bytes;
    if (step != 0) {
        tsri_kern_get()->combine(p->op, p->dtype, n, total, run);
        return;
    }
    if (run != values.bytes) memcpy(values.bytes, run, (size_t)n * tsr_dtype_size(p->dtype));
    combine_run(p, n, values.bytes);
    tsri_kern_get()->combine(p->op, p->dtype, 1, total, values.bytes);
}

static void pass_row(const tsri_row *row, void *state)
{
    const pass *p = state;
    const unsigned char *data = row->data;
    const int64_t size = row->stride * (int64_t)tsr_dtype_size(p->from);

    for (int64_t done = 0, n; done < row->count; done += n) {
        n = row->count - done < TSRI_CHUNK ? row->count - done : TSRI_CHUNK;
        pass_chunk(p, n, data + done * size, row->stride, row->offset + done * row->step,
                   row->step);
    }
}

void tsri_fold_totals(const tsri_frame *frame, tsr_dtype as, tsri_shares *shares)
{
    pass p = {.from = frame->source->dtype,
              .as = as,
              .op = shares->type.op,
              .dtype = shares->type.dtype[0],
              .total = shares->plane[0]};
    tsri_each_line(frame->source, frame->stride, pass_row, &p);
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
    pass sum = {.from = frame->source->dtype,
                .as = dtype,
                .op = TSR_SUM,
                .dtype = dtype,
                .total = shares->plane[1]};
    pass squares = {.from = frame->source->dtype,
                    .as = dtype,
                    .op = TSR_SUM,
                    .dtype = TSR_F64,
                    .total = shares->plane[2],
                    .mean = mean};

    for (int a = 0; a < frame->layout->geometry.ndim; ++a)
        if (tsri_frame_reduces(frame, a)) count *= frame->extent[a];
    if (count == 0) return;
    tsri_each_line(frame->source, frame->stride, pass_row, &sum);
    for (int64_t i = 0; i < parts * shares->cells; ++i)
        mean[i] /= (double)count;
    for (int64_t i = 0; i < shares->cells; ++i)
        counts[i] = count;
    tsri_each_line(frame->source, frame->stride, pass_row, &squares);
}

/* ---- positions ------------------------------------------------------------------------------- */

/* Rows come with the number index * cells + cell, where index is that along the axis. */
typedef struct search {
    tsr_dtype dtype;
    bool max;
    int64_t cells, start; /* of the share; the first index */
    int64_t *key, *index;
} search;

static void offer(const search *s, int64_t cell, int64_t key, int64_t index)
{
    if (key > s->key[cell] || (key == s->key[cell] && index >= s->index[cell])) return;
    s->key[cell] = key;
    s->index[cell] = index;
}

static void search_row(const tsri_row *row, void *state)
{
    const search *s = state;
    const unsigned char *data = row->data;
    const int64_t size = row->stride * (int64_t)tsr_dtype_size(s->dtype);
    const bool along = row->step >= s->cells;
    int64_t keys[TSRI_CHUNK];
    tsri_chunk chunk;

    for (int64_t done = 0, n; done < row->count; done += n) {
        const int64_t number = row->offset + done * row->step;
        const int64_t cell = number % s->cells, index = s->start + number / s->cells;
        n = row->count - done < TSRI_CHUNK ? row->count - done : TSRI_CHUNK;
        if (!along && n > s->cells - cell) n = s->cells - cell;
        tsri_keys(s->dtype, s->max, n,
                  tsri_values(s->dtype, data + done * size, row->stride, s->dtype, n, &chunk),
                  keys);
        if (along) {
            const int64_t i = tsri_least_key(n, keys);
            offer(s, cell, keys[i], index + i);
            continue;
        }
        for (int64_t i = 0; i < n; ++i)
            offer(s, cell + i, keys[i], index);
    }
}

void tsri_fold_positions(const tsri_frame *frame, bool max, tsri_shares *shares)
{
    search s = {.dtype = frame->source->dtype,
                .max = max,
                .cells = frame->cells,
                .key = shares->plane[0],
                .index = shares->plane[1]};
    int64_t number[TSR_MAX_NDIM] = {0};

    for (int a = 0; a < frame->layout->geometry.ndim; ++a) {
        number[a] = frame->stride[a];
        if (!tsri_frame_reduces(frame, a)) continue;
        number[a] = frame->cells;
        s.start = frame->start[a];
    }
    tsri_each_line(frame->source, number, search_row, &s);
}
