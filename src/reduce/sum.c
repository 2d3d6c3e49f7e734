/* Sums, products and means of whole arrays. */
#include "base/checked.h"
#include "kern/reducers.h"
#include "reduce/whole.h"

#include <math.h>

/* Bool is read as bytes: storage that was never written may hold any. */
typedef unsigned char stored_bool;

/* ---- integers: modulo 2^64 ------------------------------------------------------------------- */

#define INTEGER_LIST(X)                                                                            \
    X(BOOL, stored_bool, values[i] != 0)                                                           \
    X(I8, int8_t, values[i])                                                                       \
    X(I16, int16_t, values[i])                                                                     \
    X(I32, int32_t, values[i])                                                                     \
    X(I64, int64_t, values[i])                                                                     \
    X(U8, uint8_t, values[i])                                                                      \
    X(U16, uint16_t, values[i])                                                                    \
    X(U32, uint32_t, values[i])                                                                    \
    X(U64, uint64_t, values[i])

#define DEFINE_WRAPPED(suffix, ctype, value)                                                       \
    static void add_##suffix(int64_t n, const void *run, void *state)                              \
    {                                                                                              \
        const ctype *values = run;                                                                 \
        uint64_t *sum = state;                                                                     \
        for (int64_t i = 0; i < n; ++i)                                                            \
            *sum += (uint64_t)(value);                                                             \
    }                                                                                              \
    static void multiply_##suffix(int64_t n, const void *run, void *state)                         \
    {                                                                                              \
        const ctype *values = run;                                                                 \
        uint64_t *product = state;                                                                 \
        for (int64_t i = 0; i < n; ++i)                                                            \
            *product *= (uint64_t)(value);                                                         \
    }
INTEGER_LIST(DEFINE_WRAPPED)

#define ADD_ENTRY(suffix, ctype, value) [TSR_##suffix] = add_##suffix,
static tsri_values_visitor *const wrapped_adders[TSR_DTYPE_END] = {INTEGER_LIST(ADD_ENTRY)};
#define MULTIPLY_ENTRY(suffix, ctype, value) [TSR_##suffix] = multiply_##suffix,
static tsri_values_visitor *const wrapped_multipliers[TSR_DTYPE_END] = {
    INTEGER_LIST(MULTIPLY_ENTRY)};

/* For means, sums that do not wrap: of low and of high halves, which cannot overflow in a batch. */
enum { HALF_BITS = 32, BATCH = 1 << 30 };

#define DEFINE_HALVES(suffix, ctype)                                                               \
    static void add_exact_##suffix(int64_t n, const void *run, void *state)                        \
    {                                                                                              \
        const ctype *values = run;                                                                 \
        const tsri_exact_adder *adder = state;                                                     \
        for (int64_t batch; n > 0; n -= batch, values += batch) {                                  \
            int64_t low = 0, high = 0;                                                             \
            batch = n < BATCH ? n : BATCH;                                                         \
            for (int64_t i = 0; i < batch; ++i) {                                                  \
                low += (int64_t)((uint64_t)values[i] & UINT32_MAX);                                \
                high += (int64_t)(values[i] >> HALF_BITS);                                         \
            }                                                                                      \
            tsri_exact_add_integer(adder->sum, low, 0);                                            \
            tsri_exact_add_integer(adder->sum, high, HALF_BITS);                                   \
        }                                                                                          \
    }
DEFINE_HALVES(I64, int64_t)
DEFINE_HALVES(U64, uint64_t)

/* ---- real and complex numbers ---------------------------------------------------------------- */

/* The state of exact sums: an adder for each part. */
static void add_exact_F32(int64_t n, const void *run, void *state)
{
    tsri_exact_add(state, TSRI_TERMS_F32, n, &(tsri_terms){.x = run});
}

static void add_exact_F64(int64_t n, const void *run, void *state)
{
    tsri_exact_add(state, TSRI_TERMS_F64, n, &(tsri_terms){.x = run});
}

#define DEFINE_PARTS(suffix, ctype, part)                                                          \
    static void add_exact_##suffix(int64_t n, const void *run, void *state)                        \
    {                                                                                              \
        const ctype *values = run;                                                                 \
        tsri_exact_adder *adders = state;                                                          \
        ctype real[TSRI_CHUNK], imaginary[TSRI_CHUNK];                                             \
        for (int64_t batch; n > 0; n -= batch, values += 2 * batch) {                              \
            batch = n < TSRI_CHUNK ? n : TSRI_CHUNK;                                               \
            for (int64_t i = 0; i < batch; ++i) {                                                  \
                real[i] = values[2 * i];                                                           \
                imaginary[i] = values[2 * i + 1];                                                  \
            }                                                                                      \
            add_exact_##part(batch, real, &adders[0]);                                             \
            add_exact_##part(batch, imaginary, &adders[1]);                                        \
        }                                                                                          \
    }
DEFINE_PARTS(C64, float, F32)
DEFINE_PARTS(C128, double, F64)

static tsri_values_visitor *const exact_adders[TSR_DTYPE_END] = {
    [TSR_I64] = add_exact_I64, [TSR_U64] = add_exact_U64, [TSR_F32] = add_exact_F32,
    [TSR_F64] = add_exact_F64, [TSR_C64] = add_exact_C64, [TSR_C128] = add_exact_C128};

/* Independent sums and products, so that one need not wait for the other. */
enum { LANES = 8 };

static void add_plain_F32(int64_t n, const void *run, void *state)
{
    double *total = state;
    *total += tsri_reducers_get()->sum_F32(n, run);
}

static void add_plain_F64(int64_t n, const void *run, void *state)
{
    double *total = state;
    *total += tsri_reducers_get()->sum_F64(n, run);
}

static void add_plain_C128(int64_t n, const void *run, void *state)
{
    const double *values = run;
    double *total = state, lane[2 * LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int k = 0; k < 2 * LANES; ++k)
            lane[k] += values[2 * i + k];
    for (; i < n; ++i)
        for (int k = 0; k < 2; ++k)
            lane[k] += values[2 * i + k];
    for (int k = 0; k < 2 * LANES; ++k)
        total[k % 2] += lane[k];
}

static void multiply_F64(int64_t n, const void *run, void *state)
{
    const double *values = run;
    double *product = state, lane[LANES] = {1, 1, 1, 1, 1, 1, 1, 1};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int k = 0; k < LANES; ++k)
            lane[k] *= values[i + k];
    for (; i < n; ++i)
        lane[i % LANES] *= values[i];
    for (int k = 0; k < LANES; ++k)
        *product *= lane[k];
}

static void multiply_C128(int64_t n, const void *run, void *state)
{
    const double *values = run;
    double *product = state;
    for (int64_t i = 0; i < n; ++i) {
        const double re = values[2 * i], im = values[2 * i + 1];
        const double real = product[0] * re - product[1] * im;
        product[1] = product[0] * im + product[1] * re;
        product[0] = real;
    }
}

/* ---- this rank's block ----------------------------------------------------------------------- */

void tsri_exact_begin(tsri_record *record, int parts, tsri_exact_adder *adders)
{
    record->kind = TSRI_RECORD_EXACT;
    for (int part = 0; part < parts; ++part) {
        tsri_exact_init(&record->as.exact[part]);
        tsri_exact_open(&adders[part], &record->as.exact[part]);
    }
}

void tsri_exact_end(int parts, tsri_exact_adder *adders)
{
    for (int part = 0; part < parts; ++part)
        tsri_exact_close(&adders[part]);
}

static void sum_exactly(tsri_source *source, tsr_dtype dtype, tsri_record *record)
{
    const int parts = tsri_is_complex(dtype) ? 2 : 1;
    tsri_exact_adder adders[2];

    tsri_exact_begin(record, parts, adders);
    tsri_each_values(source, dtype, exact_adders[dtype], adders);
    tsri_exact_end(parts, adders);
}

static void sum_plainly(tsri_source *source, tsr_dtype dtype, tsri_record *record)
{
    record->kind = TSRI_RECORD_PLAIN;
    if (dtype == TSR_F32)
        tsri_each_values(source, dtype, add_plain_F32, record->as.number);
    else if (tsri_is_complex(dtype))
        tsri_each_values(source, TSR_C128, add_plain_C128, record->as.number);
    else
        tsri_each_values(source, TSR_F64, add_plain_F64, record->as.number);
}

/* The type that elements are converted to before they are added or multiplied. */
static tsr_dtype operand_dtype(const tsri_source *source, const tsri_ask *ask)
{
    return ask->options.dtype != TSR_AUTO ? ask->options.dtype : source->dtype;
}

static void sum_block(tsri_source *source, const tsri_ask *ask, tsri_record *record)
{
    const tsr_dtype dtype = operand_dtype(source, ask);

    if (tsri_is_integer(dtype)) {
        record->kind = TSRI_RECORD_SUM;
        tsri_each_values(source, dtype, wrapped_adders[dtype], &record->as.wrapped);
    } else if ((ask->options.flags & TSR_FAST) != 0) {
        sum_plainly(source, dtype, record);
    } else {
        sum_exactly(source, dtype, record);
    }
}

static void multiply_block(tsri_source *source, const tsri_ask *ask, tsri_record *record)
{
    const tsr_dtype dtype = operand_dtype(source, ask);

    if (tsri_is_integer(dtype)) {
        record->kind = TSRI_RECORD_PRODUCT;
        record->as.wrapped = 1;
        tsri_each_values(source, dtype, wrapped_multipliers[dtype], &record->as.wrapped);
    } else {
        const bool complex = tsri_is_complex(dtype);
        record->kind = complex ? TSRI_RECORD_FACTORS : TSRI_RECORD_FACTOR;
        record->as.number[0] = 1;
        tsri_each_values(source, tsri_wide_dtype(dtype), complex ? multiply_C128 : multiply_F64,
                         record->as.number);
    }
}

void tsri_sum_for_mean(tsri_source *source, const tsri_ask *ask, tsri_record *record)
{
    const tsr_dtype dtype =
        tsri_is_integer(source->dtype) ? tsri_wide_dtype(source->dtype) : source->dtype;

    if ((ask->options.flags & TSR_FAST) != 0)
        sum_plainly(source, source->dtype, record);
    else
        sum_exactly(source, dtype, record);
}

/* ---- results --------------------------------------------------------------------------------- */

tsr_scalar tsri_exact_scalar(const tsri_exact_sum *sums, int64_t divisor, tsr_dtype dtype)
{
    switch (dtype) {
    case TSR_F32:
        return tsr_f32(tsri_exact_divide_f32(sums, divisor));
    case TSR_C64:
        return tsr_c64(tsri_exact_divide_f32(sums, divisor),
                       tsri_exact_divide_f32(sums + 1, divisor));
    case TSR_C128:
        return tsr_c128(tsri_exact_divide_f64(sums, divisor),
                        tsri_exact_divide_f64(sums + 1, divisor));
    default:
        return tsr_f64(tsri_exact_divide_f64(sums, divisor));
    }
}

/* The sum, or the product, in a type. */
static tsr_scalar total(const tsri_record *record, tsr_dtype dtype)
{
    const double *number = record->as.number;

    if (record->kind == TSRI_RECORD_EXACT) return tsri_exact_scalar(record->as.exact, 1, dtype);
    if (tsri_is_complex(dtype)) return tsri_scalar_as(tsr_c128(number[0], number[1]), dtype);
    if (!tsri_is_integer(dtype)) return tsri_scalar_as(tsr_f64(number[0]), dtype);
    return tsri_scalar_as(tsr_u64(record->as.wrapped), dtype);
}

static tsr_scalar total_result(const tsri_source *source, const tsri_ask *ask,
                               const tsri_record *record)
{
    return total(record, ask->options.dtype != TSR_AUTO ? ask->options.dtype
                                                        : tsri_sum_dtype(source->dtype));
}

static tsr_scalar mean_result(const tsri_source *source, const tsri_ask *ask,
                              const tsri_record *record)
{
    const tsr_dtype dtype = tsri_mean_dtype(source->dtype);
    const int64_t cells = source->layout->geometry.cells;
    const double *sum = record->as.number;
    (void)ask;

    if (cells == 0) return tsri_scalar_as(tsr_c128((double)NAN, (double)NAN), dtype);
    if (record->kind == TSRI_RECORD_EXACT) return tsri_exact_scalar(record->as.exact, cells, dtype);
    return tsri_scalar_as(tsr_c128(sum[0] / (double)cells, sum[1] / (double)cells), dtype);
}

/* ---- the reductions -------------------------------------------------------------------------- */

const tsri_whole tsri_whole_sum = {.typed = true, .fold = sum_block, .result = total_result};
const tsri_whole tsri_whole_product = {
    .typed = true, .fold = multiply_block, .result = total_result};
const tsri_whole tsri_whole_mean = {.fold = tsri_sum_for_mean, .result = mean_result};
