/* Places of extremes in whole arrays. */
#include "kern/reducers.h"
#include "reduce/whole.h"

typedef struct search {
    tsr_dtype dtype;
    bool max;
    const tsri_extreme_kernels *kernels;
    tsri_position *best;
} search;

/* Elements come in the order of their cells, so of equal ones the first is kept. */
static void search_cells(const tsri_band *band, const void *values, void *state)
{
    search *s = state;
    const int64_t n = band->rows * band->cols;
    tsr_scalar best;
    int64_t key;

    s->kernels->extreme[s->dtype](n, values, s->max, &best.as);
    s->kernels->keys[s->dtype](1, &best.as, s->max ? -1 : 0, &key);
    if (key >= s->best->key && s->best->cell != INT64_MAX) return;
    const int64_t i = s->kernels->find[s->dtype](n, values, &best.as);
    s->best->key = key;
    s->best->cell =
        band->offset + i / band->cols * band->row_step + i % band->cols * band->col_step;
}

static void search_block(tsri_source *source, bool max, tsri_record *record)
{
    search s = {.dtype = source->dtype,
                .max = max,
                .kernels = tsri_extreme_kernels_get(),
                .best = &record->as.position};

    record->kind = TSRI_RECORD_POSITION;
    record->as.position = (tsri_position){INT64_MAX, INT64_MAX};
    tsri_each_cells(source, search_cells, &s);
}

static void search_min(tsri_source *source, const tsri_ask *ask, tsri_record *record)
{
    (void)ask;
    search_block(source, false, record);
}

static void search_max(tsri_source *source, const tsri_ask *ask, tsri_record *record)
{
    (void)ask;
    search_block(source, true, record);
}

static tsr_scalar result(const tsri_source *source, const tsri_ask *ask, const tsri_record *record)
{
    (void)source;
    (void)ask;
    return tsr_i64(record->as.position.cell);
}

const tsri_whole tsri_whole_argmin = {
    .elements = true, .ordered = true, .fold = search_min, .result = result};
const tsri_whole tsri_whole_argmax = {
    .elements = true, .ordered = true, .fold = search_max, .result = result};
