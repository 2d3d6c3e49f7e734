/* Variances: the mean of all elements first, then their distances from it. */
#include "base/checked.h"
#include "reduce/whole.h"

#include <math.h>

/* ---- this rank's block ----------------------------------------------------------------------- */

typedef struct distances {
    const double *mean;
    bool plain;
    tsri_record *record;
} distances;

/* Add rounded squares, which are side by side. */
static void add_squares(const distances *d, int64_t n, const double *squares)
{
    if (!d->plain) {
        tsri_exact_add_f64(&d->record->as.exact[0], n, squares, 1);
        return;
    }
    double sum = 0;
    for (int64_t i = 0; i < n; ++i)
        sum += squares[i];
    d->record->as.number[0] += sum;
}

/* Components in turn: the real and the imaginary part of complex numbers. */
static void add_distances(int64_t n, const double *values, int parts, const distances *d)
{
    double squares[TSRI_CHUNK];

    for (int64_t done = 0; done < n; done += TSRI_CHUNK) {
        const int64_t batch = n - done < TSRI_CHUNK ? n - done : TSRI_CHUNK;
        for (int64_t i = 0; i < batch; ++i) {
            const double distance = values[done + i] - d->mean[parts == 2 ? i % 2 : 0];
            squares[i] = distance * distance;
        }
        add_squares(d, batch, squares);
    }
}

static void add_real(int64_t n, const void *run, void *state)
{
    add_distances(n, run, 1, state);
}

static void add_complex(int64_t n, const void *run, void *state)
{
    add_distances(2 * n, run, 2, state);
}

static void sum_distances(tsri_source *source, const tsri_ask *ask, tsri_record *record)
{
    const bool is_complex = tsri_is_complex(source->dtype);
    distances d = {
        .mean = ask->mean, .plain = (ask->options.flags & TSR_FAST) != 0, .record = record};

    record->kind = d.plain ? TSRI_RECORD_PLAIN : TSRI_RECORD_EXACT;
    if (!d.plain) {
        tsri_exact_init(&record->as.exact[0]);
        tsri_exact_init(&record->as.exact[1]);
    }
    tsri_each_values(source, is_complex ? TSR_C128 : TSR_F64, is_complex ? add_complex : add_real,
                     &d);
}

/* ---- all blocks ------------------------------------------------------------------------------ */

static void sum_elements(tsri_source *source, const tsri_ask *ask, tsri_record *record)
{
    const tsr_dtype dtype =
        tsri_is_integer(source->dtype) ? tsri_wide_dtype(source->dtype) : source->dtype;

    if ((ask->options.flags & TSR_FAST) != 0)
        tsri_sum_plainly(source, source->dtype, record);
    else
        tsri_sum_exactly(source, dtype, record);
}

/* The rounded mean of all elements, in double. */
static void take_mean(const tsri_source *source, tsri_ask *ask, const tsri_record *record)
{
    const int64_t cells = source->layout->geometry.cells;

    for (int part = 0; part < 2; ++part) {
        if (cells == 0)
            ask->mean[part] = (double)NAN;
        else if (record->kind == TSRI_RECORD_PLAIN)
            ask->mean[part] = record->as.number[part] / (double)cells;
        else
            ask->mean[part] = tsri_exact_divide_f64(&record->as.exact[part], cells);
    }
}

static double variance(const tsri_source *source, const tsri_ask *ask, const tsri_record *record)
{
    const int64_t cells = source->layout->geometry.cells, ddof = ask->options.ddof;
    const bool plain = record->kind == TSRI_RECORD_PLAIN, positive = ddof < cells;
    int64_t divisor = 0;

    if (cells == 0) return (double)NAN;
    if (positive && !plain && tsri_add_i64(cells, -ddof, &divisor))
        return tsri_exact_divide_f64(&record->as.exact[0], divisor);
    const double squares =
        plain ? record->as.number[0] : tsri_exact_round_f64(&record->as.exact[0]);
    return squares / (positive ? (double)cells - (double)ddof : 0);
}

static tsr_scalar in_its_type(const tsri_source *source, double value)
{
    return tsri_scalar_as(tsr_f64(value), tsri_real_dtype(tsri_mean_dtype(source->dtype)));
}

static tsr_scalar variance_result(const tsri_source *source, const tsri_ask *ask,
                                  const tsri_record *record)
{
    return in_its_type(source, variance(source, ask, record));
}

static tsr_scalar deviation_result(const tsri_source *source, const tsri_ask *ask,
                                   const tsri_record *record)
{
    return in_its_type(source, sqrt(variance(source, ask, record)));
}

const tsri_whole tsri_whole_variance = {.fold_first = sum_elements,
                                        .take_first = take_mean,
                                        .fold = sum_distances,
                                        .result = variance_result};
const tsri_whole tsri_whole_deviation = {.fold_first = sum_elements,
                                         .take_first = take_mean,
                                         .fold = sum_distances,
                                         .result = deviation_result};
