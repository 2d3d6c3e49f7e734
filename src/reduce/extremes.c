/* The least and the greatest element, and where they are. */
#include "kern/reducers.h"
#include "reduce/whole.h"

#include <math.h>
#include <string.h>

/* Every real type maps to 64-bit integers that keep the order of its values, so that one comparison
 * serves all.  Floating-point numbers map to the total order of IEEE 754: -0 comes before +0, so
 * the result has the same bits whatever the order of the elements, and NaNs lie beyond the
 * infinities, where they are found at the end. */

static int64_t key_of_unsigned(uint64_t value)
{
    return value > INT64_MAX ? (int64_t)(value - INT64_MAX - 1) : (int64_t)value - INT64_MAX - 1;
}

static int64_t key_of_real(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >= 0 ? bits : bits ^ INT64_MAX;
}

static double real_of_key(int64_t key)
{
    const int64_t bits = key >= 0 ? key : key ^ INT64_MAX;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- this rank's block ----------------------------------------------------------------------- */

static void include_keys(tsri_extremes *extremes, int64_t min, int64_t max)
{
    extremes->any = true;
    if (min < extremes->as.key.min) extremes->as.key.min = min;
    if (max > extremes->as.key.max) extremes->as.key.max = max;
}

typedef struct scan {
    bool max;
    const tsri_extreme_kernels *kernels;
    tsri_extremes *extremes;
} scan;

#define DEFINE_INCLUDE(suffix, ctype, key_of)                                                      \
    static void scan_##suffix(int64_t n, const void *run, void *state)                             \
    {                                                                                              \
        const scan *s = state;                                                                     \
        ctype best;                                                                                \
        s->kernels->extreme[TSR_##suffix](n, run, s->max, &best);                                  \
        include_keys(s->extremes, key_of(best), key_of(best));                                     \
    }
DEFINE_INCLUDE(BOOL, unsigned char, (int64_t))
DEFINE_INCLUDE(I8, int8_t, (int64_t))
DEFINE_INCLUDE(I16, int16_t, (int64_t))
DEFINE_INCLUDE(I32, int32_t, (int64_t))
DEFINE_INCLUDE(I64, int64_t, (int64_t))
DEFINE_INCLUDE(U8, uint8_t, key_of_unsigned)
DEFINE_INCLUDE(U16, uint16_t, key_of_unsigned)
DEFINE_INCLUDE(U32, uint32_t, key_of_unsigned)
DEFINE_INCLUDE(U64, uint64_t, key_of_unsigned)

/* Of zeros the one that comes last upwards is the largest.  NaN is beyond both ends. */
#define DEFINE_INCLUDE_REAL(suffix, ctype)                                                         \
    static void scan_##suffix(int64_t n, const void *run, void *state)                             \
    {                                                                                              \
        const scan *s = state;                                                                     \
        const ctype *values = run;                                                                 \
        ctype best;                                                                                \
        s->kernels->extreme[TSR_##suffix](n, run, s->max, &best);                                  \
        if (isnan(best)) {                                                                         \
            include_keys(s->extremes, INT64_MIN, INT64_MAX);                                       \
            return;                                                                                \
        }                                                                                          \
        for (int64_t i = 0; best == 0 && i < n; ++i)                                               \
            if (values[i] == 0 && (signbit(values[i]) == 0) == s->max) {                           \
                best = values[i];                                                                  \
                break;                                                                             \
            }                                                                                      \
        include_keys(s->extremes, key_of_real((double)best), key_of_real((double)best));           \
    }
DEFINE_INCLUDE_REAL(F32, float)
DEFINE_INCLUDE_REAL(F64, double)

/* Whether complex a goes before b: any NaN first, then by real and by imaginary part, upwards for
 * min (sign 1) and downwards for max (sign -1).  Equal numbers that differ in the sign of a zero
 * are ordered too, -0 below +0, so that the result does not depend on the order of the elements. */
static bool complex_before(const double *a, const double *b, int sign)
{
    const bool a_nan = isnan(a[0]) || isnan(a[1]), b_nan = isnan(b[0]) || isnan(b[1]);

    if (a_nan != b_nan) return a_nan;
    for (int part = 0; part < 2; ++part) {
        if (isnan(a[part]) != isnan(b[part])) return isnan(a[part]);
        if (a[part] < b[part]) return sign > 0;
        if (a[part] > b[part]) return sign < 0;
    }
    for (int part = 0; part < 2; ++part)
        if (!isnan(a[part]) && !signbit(a[part]) != !signbit(b[part]))
            return (signbit(a[part]) != 0) == (sign > 0);
    return false;
}

static void include_complex(tsri_extremes *extremes, const double *min, const double *max)
{
    double *const low = extremes->as.complex.min, *const high = extremes->as.complex.max;

    if (!extremes->any || complex_before(min, low, 1)) memcpy(low, min, 2 * sizeof *low);
    if (!extremes->any || complex_before(max, high, -1)) memcpy(high, max, 2 * sizeof *high);
    extremes->any = true;
}

#define DEFINE_INCLUDE_COMPLEX(suffix, ctype)                                                      \
    static void scan_##suffix(int64_t n, const void *run, void *state)                             \
    {                                                                                              \
        const scan *s = state;                                                                     \
        const ctype *values = run;                                                                 \
        for (int64_t i = 0; i < n; ++i) {                                                          \
            const ctype *part = values + 2 * i;                                                    \
            const double value[2] = {(double)part[0], (double)part[1]};                            \
            include_complex(s->extremes, value, value);                                            \
        }                                                                                          \
    }
DEFINE_INCLUDE_COMPLEX(C64, float)
DEFINE_INCLUDE_COMPLEX(C128, double)

static tsri_values_visitor *const scanners[TSR_DTYPE_END] = {
#define SCANNER(suffix, ctype, name, components) [TSR_##suffix] = scan_##suffix,
    TSR_DTYPE_LIST(SCANNER)};

static void scan_block(tsri_source *source, bool max, tsri_record *record)
{
    tsri_extremes *extremes = &record->as.extremes;
    scan s = {.max = max, .kernels = tsri_extreme_kernels_get(), .extremes = &record->as.extremes};

    if (tsri_is_complex(source->dtype)) {
        record->kind = TSRI_RECORD_COMPLEX;
        *extremes = (tsri_extremes){.any = false};
    } else {
        record->kind = TSRI_RECORD_KEYS;
        *extremes = (tsri_extremes){.as.key = {INT64_MAX, INT64_MIN}};
    }
    tsri_each_values(source, source->dtype, scanners[source->dtype], &s);
}

static void scan_min(tsri_source *source, const tsri_ask *ask, tsri_record *record)
{
    (void)ask;
    scan_block(source, false, record);
}

static void scan_max(tsri_source *source, const tsri_ask *ask, tsri_record *record)
{
    (void)ask;
    scan_block(source, true, record);
}

/* ---- between ranks --------------------------------------------------------------------------- */

void tsri_extremes_combine_keys(tsri_extremes *left, const tsri_extremes *right)
{
    if (right->any) include_keys(left, right->as.key.min, right->as.key.max);
}

void tsri_extremes_combine_complex(tsri_extremes *left, const tsri_extremes *right)
{
    if (right->any) include_complex(left, right->as.complex.min, right->as.complex.max);
}

/* ---- the result ------------------------------------------------------------------------------ */

static double one_nan(double value)
{
    return isnan(value) ? (double)NAN : value;
}

static tsr_scalar real_result(tsr_dtype dtype, const tsri_extremes *extremes, bool max)
{
    const double low = real_of_key(extremes->as.key.min), high = real_of_key(extremes->as.key.max);
    const double chosen = max ? high : low;

    return (tsr_scalar){.dtype = dtype, .as.f = isnan(low) || isnan(high) ? (double)NAN : chosen};
}

static tsr_scalar extreme(tsr_dtype dtype, const tsri_extremes *extremes, bool max)
{
    const int64_t key = max ? extremes->as.key.max : extremes->as.key.min;
    const double *parts = max ? extremes->as.complex.max : extremes->as.complex.min;

    switch (dtype) {
    case TSR_BOOL:
        return tsr_bool(key != 0);
    case TSR_U8:
    case TSR_U16:
    case TSR_U32:
    case TSR_U64:
        return (tsr_scalar){.dtype = dtype, .as.u = (uint64_t)key + INT64_MAX + 1};
    case TSR_F32:
    case TSR_F64:
        return real_result(dtype, extremes, max);
    case TSR_C64:
    case TSR_C128:
        return (tsr_scalar){.dtype = dtype, .as.c = {one_nan(parts[0]), one_nan(parts[1])}};
    default:
        return (tsr_scalar){.dtype = dtype, .as.i = key};
    }
}

static tsr_scalar min_result(const tsri_source *source, const tsri_ask *ask,
                             const tsri_record *record)
{
    (void)ask;
    return extreme(source->dtype, &record->as.extremes, false);
}

static tsr_scalar max_result(const tsri_source *source, const tsri_ask *ask,
                             const tsri_record *record)
{
    (void)ask;
    return extreme(source->dtype, &record->as.extremes, true);
}

const tsri_whole tsri_whole_min = {.elements = true, .fold = scan_min, .result = min_result};
const tsri_whole tsri_whole_max = {.elements = true, .fold = scan_max, .result = max_result};
