/* Arrays of equally spaced values: every rank computes its own. */
#include "array/array.h"
#include "base/checked.h"
#include "base/gate.h"
#include "kern/kern.h"

#include <math.h>

/* Equally spaced values: of the integers when dtype is TSR_I64, else of the complex numbers. */
typedef struct line {
    tsr_dtype dtype; /* TSR_I64, TSR_F64 or TSR_C128 */
    int64_t count;
    int64_t whole_start, whole_step;
    double start[2], step[2];
    double last[2]; /* the last value, when it is `exact` */
    bool exact;
} line;

enum { BLOCK = 256 };

/* Parts are `parts` doubles a value. */
static void line_reals(const line *l, int parts, int64_t first, int64_t n, double *values)
{
    for (int64_t k = 0; k < n; ++k)
        for (int p = 0; p < parts; ++p) {
            const double v = l->start[p] + (double)(first + k) * l->step[p];
            values[k * parts + p] = l->exact && first + k == l->count - 1 ? l->last[p] : v;
        }
}

/* Wraps, as integers do. */
static void line_integers(const line *l, int64_t first, int64_t n, int64_t *values)
{
    for (int64_t k = 0; k < n; ++k)
        values[k] =
            (int64_t)((uint64_t)l->whole_start + (uint64_t)(first + k) * (uint64_t)l->whole_step);
}

static void line_write(const line *l, tsr_array *array)
{
    const tsr_view view = tsr_local_share(array);
    const size_t size = tsr_dtype_size(view.dtype);
    const int64_t one = 1;
    union {
        int64_t i[BLOCK];
        double f[2 * BLOCK];
    } values;

    for (int64_t i = 0; i < view.extent[0]; i += BLOCK) {
        const int64_t n = view.extent[0] - i < BLOCK ? view.extent[0] - i : BLOCK;
        if (l->dtype == TSR_I64)
            line_integers(l, view.start[0] + i, n, values.i);
        else
            line_reals(l, l->dtype == TSR_C128 ? 2 : 1, view.start[0] + i, n, values.f);
        tsri_kern_get()->convert(1, &n, view.dtype, (unsigned char *)view.data + (size_t)i * size,
                                 &one, l->dtype, &values, &one);
    }
}

/* The collective part: `local` is how the local part ended. */
static tsr_status line_create(tsr_comm comm, tsr_status local, const line *l, tsr_dtype dtype,
                              const tsr_layout_options *options, uint64_t fingerprint,
                              const char *call, tsr_array **array)
{
    tsr_status st = TSR_OK;
    tsri_context *context = NULL;
    tsr_layout *layout = NULL;

    if (array != NULL) *array = NULL;
    TSRI_TRY(fail, tsri_context_enter(comm, call, &context));
    TSRI_TRY(fail, tsri_agree(context, local, fingerprint));
    TSRI_TRY(fail, tsri_layout_create(call, comm, 1, &l->count, options, &layout));
    if (dtype == TSR_AUTO) dtype = l->dtype;
    TSRI_TRY(fail, tsri_array_create(layout, dtype, call, fingerprint, array));
    tsri_array_clear_halo(*array);
    line_write(l, *array);
    tsri_array_meet(*array);
fail:
    tsri_layout_unref(layout);
    return st;
}

static bool is_complex(tsr_scalar s)
{
    return s.dtype == TSR_C64 || s.dtype == TSR_C128;
}

/* Both parts of a value, which must be finite. */
static tsr_status read_finite(tsr_scalar s, const char *call, const char *name, double *parts)
{
    if (!tsri_dtype_valid(s.dtype))
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "%s has type %d, must be TSR_BOOL to TSR_C128",
                            name, (int)s.dtype);
    tsri_scalar_store(s, TSR_C128, parts);
    if (!isfinite(parts[0]) || !isfinite(parts[1]))
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "%s is not finite, must be", name);
    return TSR_OK;
}

static uint64_t hash_line(tsr_dtype dtype, int n, const tsr_scalar *values)
{
    uint64_t hash = tsri_hash(TSRI_HASH_START, &dtype, sizeof dtype);

    for (int k = 0; k < n; ++k)
        hash = tsri_hash_scalar(hash, values[k]);
    return hash;
}

/* ---- arange ---------------------------------------------------------------------------------- */

enum { START, STOP, STEP };

static bool fits_int64(tsr_scalar s)
{
    return s.dtype < TSR_U8 || s.dtype > TSR_U64 || s.as.u <= INT64_MAX;
}

/* stop - start, rounded once. */
static double integer_difference(int64_t start, int64_t stop)
{
    if (stop >= start) return (double)((uint64_t)stop - (uint64_t)start);
    return -(double)((uint64_t)start - (uint64_t)stop);
}

/* What is to be counted, from start, stop and step. */
static tsr_status arange_line(const tsr_scalar *given, const char *call, line *l)
{
    static const char *const name[] = {"start", "stop", "step"};
    tsr_status st = TSR_OK;
    double value[3][2];
    bool whole = true;

    for (int k = START; k <= STEP; ++k) {
        TSRI_TRY(fail, read_finite(given[k], call, name[k], value[k]));
        TSRI_CHECK_IN(call, fail, !is_complex(given[k]), TSR_ERR_TYPE,
                      "%s is complex, must be real", name[k]);
        whole = whole && given[k].dtype <= TSR_U64;
    }
    TSRI_CHECK_IN(call, fail, value[STEP][0] != 0, TSR_ERR_VALUE, "step is 0, must not be");
    for (int k = START; k <= STEP; ++k)
        TSRI_CHECK_IN(call, fail, !whole || fits_int64(given[k]), TSR_ERR_OVERFLOW,
                      "%s is %llu, must be at most %lld in a range of integers", name[k],
                      (unsigned long long)given[k].as.u, (long long)INT64_MAX);

    double difference = value[STOP][0] - value[START][0];
    if (whole) {
        l->dtype = TSR_I64;
        l->whole_start = tsr_to_int64(given[START]);
        l->whole_step = tsr_to_int64(given[STEP]);
        difference = integer_difference(l->whole_start, tsr_to_int64(given[STOP]));
    } else {
        l->dtype = TSR_F64;
        l->start[0] = value[START][0];
        l->step[0] = value[STEP][0];
    }
    const double count = ceil(difference / value[STEP][0]);
    TSRI_CHECK_IN(call, fail, count < 0x1p63, TSR_ERR_OVERFLOW,
                  "the range has %g values, more than 64 bits count", count);
    l->count = count > 0 ? (int64_t)count : 0;
fail:
    return st;
}

tsr_status tsr_arange(tsr_comm comm, tsr_scalar start, tsr_scalar stop, tsr_scalar step,
                      tsr_dtype dtype, const tsr_layout_options *options, tsr_array **array)
{
    const tsr_scalar given[] = {start, stop, step};
    line l = {0};
    const tsr_status local = arange_line(given, __func__, &l);

    return line_create(comm, local, &l, dtype, options, hash_line(dtype, 3, given), __func__,
                       array);
}

/* ---- linspace -------------------------------------------------------------------------------- */

static tsr_status linspace_line(tsr_scalar start, tsr_scalar stop, int64_t num, bool endpoint,
                                const char *call, line *l)
{
    tsr_status st = TSR_OK;

    TSRI_TRY(fail, read_finite(start, call, "start", l->start));
    TSRI_TRY(fail, read_finite(stop, call, "stop", l->last));
    TSRI_CHECK_IN(call, fail, num >= 0, TSR_ERR_VALUE, "num is %lld, must be >= 0", (long long)num);
    const int64_t intervals = endpoint ? num - 1 : num;
    l->dtype = is_complex(start) || is_complex(stop) ? TSR_C128 : TSR_F64;
    l->count = num;
    l->exact = endpoint && num > 1;
    for (int p = 0; p < 2; ++p) {
        const double difference = l->last[p] - l->start[p];
        TSRI_CHECK_IN(call, fail, isfinite(difference), TSR_ERR_OVERFLOW,
                      "stop - start is %g, must be finite", difference);
        l->step[p] = intervals > 0 ? difference / (double)intervals : difference;
    }
fail:
    return st;
}

tsr_status tsr_linspace(tsr_comm comm, tsr_scalar start, tsr_scalar stop, int64_t num,
                        bool endpoint, tsr_dtype dtype, const tsr_layout_options *options,
                        tsr_array **array)
{
    const tsr_scalar given[] = {start, stop, tsr_i64(num), tsr_bool(endpoint)};
    line l = {0};
    const tsr_status local = linspace_line(start, stop, num, endpoint, __func__, &l);

    return line_create(comm, local, &l, dtype, options, hash_line(dtype, 4, given), __func__,
                       array);
}
