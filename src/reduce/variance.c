/* Variances: the mean of all elements first, then their distances from it. */
#include "base/checked.h"
#include "kern/reducers.h"
#include "reduce/whole.h"

#include <math.h>

/* ---- this rank's block ----------------------------------------------------------------------- */

typedef struct distances {
    const double *mean;
    double sum;              /* the plain one */
    tsri_exact_adder *adder; /* or the exact one's */
} distances;

static void add_F64(int64_t n, const void *run, void *state)
{
    distances *d = state;
    tsri_exact_add(d->adder, TSRI_TERMS_SQUARES_F64, n,
                   &(tsri_terms){.x = run, .origin = d->mean[0]});
}

static void add_F32(int64_t n, const void *run, void *state)
{
    distances *d = state;
    tsri_exact_add(d->adder, TSRI_TERMS_SQUARES_F32, n,
                   &(tsri_terms){.x = run, .origin = d->mean[0]});
}

static void add_C128(int64_t n, const void *run, void *state)
{
    const double *values = run;
    distances *d = state;
    double part[TSRI_CHUNK];

    for (int64_t batch; n > 0; n -= batch, values += 2 * batch) {
        batch = n < TSRI_CHUNK ? n : TSRI_CHUNK;
        for (int k = 0; k < 2; ++k) {
            for (int64_t i = 0; i < batch; ++i)
                part[i] = values[2 * i + k];
            tsri_exact_add(d->adder, TSRI_TERMS_SQUARES_F64, batch,
                           &(tsri_terms){.x = part, .origin = d->mean[k]});
        }
    }
}

static void add_plain_F64(int64_t n, const void *run, void *state)
{
    distances *d = state;
    d->sum += tsri_reducers_get()->squares_F64(n, run, d->mean[0]);
}

static void add_plain_F32(int64_t n, const void *run, void *state)
{
    distances *d = state;
    d->sum += tsri_reducers_get()->squares_F32(n, run, d->mean[0]);
}

static void add_plain_C128(int64_t n, const void *run, void *state)
{
    const double *values = run;
    distances *d = state;

    for (int64_t i = 0; i < n; ++i)
        for (int k = 0; k < 2; ++k) {
            const double distance = values[2 * i + k] - d->mean[k];
            d->sum += distance * distance;
        }
}

static void sum_distances(tsri_source *source, const tsri_ask *ask, tsri_record *record)
{
    static const struct {
        tsri_values_visitor *exact, *plain;
    } visitors[TSR_DTYPE_END] = {[TSR_F32] = {add_F32, add_plain_F32},
                                 [TSR_F64] = {add_F64, add_plain_F64},
                                 [TSR_C128] = {add_C128, add_plain_C128}};
    const tsr_dtype dtype = tsri_is_complex(source->dtype) ? TSR_C128
                            : source->dtype == TSR_F32     ? TSR_F32
                                                           : TSR_F64;
    tsri_exact_adder adder;
    distances d = {.mean = ask->mean, .adder = &adder};

    if ((ask->options.flags & TSR_FAST) != 0) {
        tsri_each_values(source, dtype, visitors[dtype].plain, &d);
        record->kind = TSRI_RECORD_PLAIN;
        record->as.number[0] = d.sum;
        return;
    }
    tsri_exact_begin(record, 1, &adder);
    tsri_each_values(source, dtype, visitors[dtype].exact, &d);
    tsri_exact_end(1, &adder);
}

/* ---- all blocks ------------------------------------------------------------------------------ */

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

const tsri_whole tsri_whole_variance = {.fold_first = tsri_sum_for_mean,
                                        .take_first = take_mean,
                                        .fold = sum_distances,
                                        .result = variance_result};
const tsri_whole tsri_whole_deviation = {.fold_first = tsri_sum_for_mean,
                                         .take_first = take_mean,
                                         .fold = sum_distances,
                                         .result = deviation_result};
