/* Variances: the mean of all elements first, then their distances from it. */
#include "base/checked.h"
#include "reduce/whole.h"

#include <math.h>

/* ---- this rank's block ----------------------------------------------------------------------- */

typedef struct distances {
    double mean[2];
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

static void sum_distances(const tsr_array *array, distances *d)
{
    const bool is_complex = tsri_is_complex(array->dtype);

    d->record->kind = d->plain ? TSRI_RECORD_PLAIN : TSRI_RECORD_EXACT;
    if (!d->plain) {
        tsri_exact_init(&d->record->as.exact[0]);
        tsri_exact_init(&d->record->as.exact[1]);
    }
    tsri_each_run(array, is_complex ? TSR_C128 : TSR_F64, is_complex ? add_complex : add_real, d);
}

/* ---- all blocks ------------------------------------------------------------------------------ */

/* The rounded mean of all elements, in double. */
static tsr_status find_mean(const tsri_call *call, const tsr_array *array, bool plain,
                            tsr_status status, double *mean)
{
    const int64_t cells = array->layout->geometry.cells;
    tsri_record record = {.kind = TSRI_RECORD_NONE};

    if (status == TSR_OK && plain)
        tsri_sum_plainly(array, array->dtype, &record);
    else if (status == TSR_OK)
        tsri_sum_exactly(
            array, tsri_is_integer(array->dtype) ? tsri_wide_dtype(array->dtype) : array->dtype,
            &record);
    status = tsri_reduce(call, status, &record);
    for (int part = 0; part < 2; ++part) {
        if (status != TSR_OK || cells == 0)
            mean[part] = (double)NAN;
        else if (plain)
            mean[part] = record.as.number[part] / (double)cells;
        else
            mean[part] = tsri_exact_divide_f64(&record.as.exact[part], cells);
    }
    return status;
}

static double divide(const tsri_record *record, int64_t divisor)
{
    const bool plain = record->kind == TSRI_RECORD_PLAIN;

    if (divisor > 0 && !plain) return tsri_exact_divide_f64(&record->as.exact[0], divisor);
    const double squares =
        plain ? record->as.number[0] : tsri_exact_divide_f64(&record->as.exact[0], 1);
    return squares / (divisor > 0 ? (double)divisor : 0);
}

static tsr_status variance(const char *name, const tsr_array *array,
                           const tsr_reduce_options *options, bool root, tsr_scalar *result)
{
    tsr_status st = TSR_OK;
    tsr_reduce_options checked;
    tsri_record record = {.kind = TSRI_RECORD_NONE};
    distances d = {.record = &record};
    tsri_call call;
    int64_t divisor = 0;

    if (result != NULL) *result = (tsr_scalar){.dtype = TSR_AUTO};
    TSRI_TRY(fail, tsri_whole_begin(name, array, &call));
    const int64_t cells = array->layout->geometry.cells;
    TSRI_CHECK_IN(name, mean, result != NULL, TSR_ERR_VALUE, "no place for the result (NULL)");
    TSRI_TRY(mean, tsri_options_check(name, options, false, &checked));
    TSRI_CHECK_IN(name, mean,
                  checked.ddof > INT64_MIN && tsri_add_i64(cells, -checked.ddof, &divisor),
                  TSR_ERR_VALUE, "ddof is %lld, out of range", (long long)checked.ddof);
    call.arguments = tsri_options_hash(call.arguments, &checked);
    d.plain = (checked.flags & TSR_FAST) != 0;
mean:
    TSRI_TRY(fail, find_mean(&call, array, d.plain, st, d.mean));
    sum_distances(array, &d);
    TSRI_TRY(fail, tsri_reduce(&call, TSR_OK, &record));

    double value = cells == 0 ? (double)NAN : divide(&record, divisor);
    if (root) value = sqrt(value);
    *result = tsri_scalar_as(tsr_f64(value), tsri_real_dtype(tsri_mean_dtype(array->dtype)));
    return TSR_OK;

fail:
    return st;
}

tsr_status tsr_var(const tsr_array *array, tsr_scalar *result)
{
    return variance(__func__, array, NULL, false, result);
}

tsr_status tsr_var_with(const tsr_array *array, const tsr_reduce_options *options,
                        tsr_scalar *result)
{
    return variance(__func__, array, options, false, result);
}

tsr_status tsr_std(const tsr_array *array, tsr_scalar *result)
{
    return variance(__func__, array, NULL, true, result);
}

tsr_status tsr_std_with(const tsr_array *array, const tsr_reduce_options *options,
                        tsr_scalar *result)
{
    return variance(__func__, array, options, true, result);
}
