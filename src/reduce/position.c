/* Places of extremes in whole arrays. */
#include "base/checked.h"
#include "kern/kern.h"
#include "reduce/keys.h"
#include "reduce/whole.h"

typedef struct search {
    tsr_dtype dtype;
    bool max;
    int64_t start; /* the number of the block's first cell in the whole array */
    tsri_position *best;
} search;

/* Rows come in the order of their cells, so of equal elements the first is kept. */
static void search_run(search *s, int64_t n, const void *values, int64_t cell, int64_t step)
{
    int64_t keys[TSRI_CHUNK];

    tsri_keys(s->dtype, s->max, n, values, keys);
    const int64_t i = tsri_least_key(n, keys);
    if (keys[i] < s->best->key || s->best->cell == INT64_MAX)
        *s->best = (tsri_position){keys[i], cell + i * step};
}

static void search_row(const tsri_row *row, void *state)
{
    search *s = state;
    const char *data = row->data;
    const int64_t step = row->stride * (int64_t)tsr_dtype_size(s->dtype);
    tsri_chunk chunk;

    for (int64_t done = 0, n; done < row->count; done += n) {
        n = row->count - done < TSRI_CHUNK ? row->count - done : TSRI_CHUNK;
        search_run(s, n, tsri_run(s->dtype, data + done * step, row->stride, s->dtype, n, &chunk),
                   s->start + row->offset + done * row->step, row->step);
    }
}

static void search_block(const tsr_array *array, bool max, tsri_record *record)
{
    const tsri_geometry *g = &array->layout->geometry;
    search s = {.dtype = array->dtype, .max = max, .best = &record->as.position};
    int64_t stride[TSR_MAX_NDIM];

    record->kind = TSRI_RECORD_POSITION;
    record->as.position = (tsri_position){INT64_MAX, INT64_MAX};
    tsri_c_strides(g->ndim, g->shape, stride);
    for (int a = 0; a < g->ndim; ++a)
        s.start += array->start[a] * stride[a];
    tsri_each_row(array, stride, search_row, &s);
}

static tsr_status find(const char *name, const tsr_array *array, bool max, int64_t *cell)
{
    tsr_status st = TSR_OK;
    tsri_record record = {.kind = TSRI_RECORD_NONE};
    tsri_call call;

    if (cell != NULL) *cell = -1;
    TSRI_TRY(fail, tsri_whole_begin(name, array, &call));
    TSRI_CHECK_IN(name, reduce, cell != NULL, TSR_ERR_VALUE, "no place for the result (NULL)");
    TSRI_CHECK_IN(name, reduce, !tsri_is_complex(array->dtype), TSR_ERR_TYPE,
                  "the array is %s, must be real: complex numbers have no order here",
                  tsr_dtype_name(array->dtype));
    TSRI_CHECK_IN(name, reduce, array->layout->geometry.cells > 0, TSR_ERR_VALUE,
                  "the array has no elements");
    search_block(array, max, &record);

reduce:
    TSRI_TRY(fail, tsri_reduce(&call, st, &record));
    *cell = record.as.position.cell;
    return TSR_OK;

fail:
    return st;
}

tsr_status tsr_argmin(const tsr_array *array, int64_t *cell)
{
    return find(__func__, array, false, cell);
}

tsr_status tsr_argmax(const tsr_array *array, int64_t *cell)
{
    return find(__func__, array, true, cell);
}
