/* Norms. */
#include "reduce/whole.h"

#include <math.h>
#include <string.h>

/* Integers of 64 bits are two numbers each, of which all sums and products are exact: the high and
 * the low half. */
typedef struct halves {
    double high[TSRI_CHUNK], low[TSRI_CHUNK];
} halves;

#define DEFINE_SPLIT(suffix, ctype)                                                                \
    static void split_##suffix(int64_t n, const ctype *values, halves *h)                          \
    {                                                                                              \
        for (int64_t i = 0; i < n; ++i) {                                                          \
            h->high[i] = (double)(values[i] >> 32) * 0x1p32;                                       \
            h->low[i] = (double)((uint64_t)values[i] & UINT32_MAX);                                \
        }                                                                                          \
    }
DEFINE_SPLIT(I64, int64_t)
DEFINE_SPLIT(U64, uint64_t)

/* ---- 2: the sum of squares ------------------------------------------------------------------- */

static void add_halves(tsri_exact_sum *sum, int64_t n, halves *h)
{
    tsri_exact_add_products(sum, n, h->low, 1, h->low, 1);
    tsri_exact_add_products(sum, n, h->high, 1, h->high, 1);
    for (int64_t i = 0; i < n; ++i)
        h->high[i] *= 2;
    tsri_exact_add_products(sum, n, h->high, 1, h->low, 1);
}

#define DEFINE_SQUARES(suffix, ctype)                                                              \
    static void square_##suffix(int64_t n, const void *run, void *state)                           \
    {                                                                                              \
        const ctype *values = run;                                                                 \
        halves h;                                                                                  \
        for (int64_t batch; n > 0; n -= batch, values += batch) {                                  \
            batch = n < TSRI_CHUNK ? n : TSRI_CHUNK;                                               \
            split_##suffix(batch, values, &h);                                                     \
            add_halves(state, batch, &h);                                                          \
        }                                                                                          \
    }
DEFINE_SQUARES(I64, int64_t)
DEFINE_SQUARES(U64, uint64_t)

static void square_F64(int64_t n, const void *run, void *state)
{
    tsri_exact_add_products(state, n, run, 1, run, 1);
}

static void square_C128(int64_t n, const void *run, void *state)
{
    square_F64(2 * n, run, state);
}

/* ---- 1 and infinity: magnitudes -------------------------------------------------------------- */

typedef struct magnitudes {
    bool largest; /* rather than their sum */
    tsri_record *record;
} magnitudes;

static void take_magnitudes(const magnitudes *m, int64_t n, const double *values)
{
    double *most = &m->record->as.number[0];

    if (!m->largest) {
        tsri_exact_add_f64(&m->record->as.exact[0], n, values, 1);
        return;
    }
    for (int64_t i = 0; i < n; ++i)
        *most = *most >= values[i] || isnan(*most) ? *most : values[i];
}

static void measure_F64(int64_t n, const void *run, void *state)
{
    const double *values = run;
    double sizes[TSRI_CHUNK];

    for (int64_t batch; n > 0; n -= batch, values += batch) {
        batch = n < TSRI_CHUNK ? n : TSRI_CHUNK;
        for (int64_t i = 0; i < batch; ++i)
            sizes[i] = fabs(values[i]);
        take_magnitudes(state, batch, sizes);
    }
}

static void measure_C128(int64_t n, const void *run, void *state)
{
    const double *values = run;
    double sizes[TSRI_CHUNK];

    for (int64_t batch; n > 0; n -= batch, values += 2 * batch) {
        batch = n < TSRI_CHUNK ? n : TSRI_CHUNK;
        for (int64_t i = 0; i < batch; ++i)
            sizes[i] = hypot(values[2 * i], values[2 * i + 1]);
        take_magnitudes(state, batch, sizes);
    }
}

#define DEFINE_MEASURE(suffix, ctype)                                                              \
    static void measure_##suffix(int64_t n, const void *run, void *state)                          \
    {                                                                                              \
        const magnitudes *m = state;                                                               \
        const ctype *values = run;                                                                 \
        for (int64_t i = 0; i < n; ++i) {                                                          \
            const uint64_t value = (uint64_t)values[i], size = values[i] <= 0 ? -value : value;    \
            const double rounded = (double)size;                                                   \
            if (m->largest) {                                                                      \
                take_magnitudes(m, 1, &rounded);                                                   \
                continue;                                                                          \
            }                                                                                      \
            tsri_exact_add_integer(&m->record->as.exact[0], (int64_t)(size & UINT32_MAX), 0);      \
            tsri_exact_add_integer(&m->record->as.exact[0], (int64_t)(size >> 32), 32);            \
        }                                                                                          \
    }
DEFINE_MEASURE(I64, int64_t)
DEFINE_MEASURE(U64, uint64_t)

/* ---- the reduction --------------------------------------------------------------------------- */

static tsr_dtype operand_dtype(tsr_dtype dtype)
{
    if (dtype == TSR_I64 || dtype == TSR_U64) return dtype;
    return tsri_is_complex(dtype) ? TSR_C128 : TSR_F64;
}

static void fold_block(tsri_source *source, const tsri_ask *ask, tsri_record *record)
{
    static const struct {
        tsri_values_visitor *square, *measure;
    } visitors[TSR_DTYPE_END] = {[TSR_I64] = {square_I64, measure_I64},
                                 [TSR_U64] = {square_U64, measure_U64},
                                 [TSR_F64] = {square_F64, measure_F64},
                                 [TSR_C128] = {square_C128, measure_C128}};
    const tsr_dtype dtype = operand_dtype(source->dtype);
    magnitudes m = {isinf(ask->order), record};

    record->kind = m.largest ? TSRI_RECORD_LARGEST : TSRI_RECORD_EXACT;
    if (!m.largest) {
        tsri_exact_init(&record->as.exact[0]);
        tsri_exact_init(&record->as.exact[1]);
    }
    if (ask->order == 2)
        tsri_each_values(source, dtype, visitors[dtype].square, &record->as.exact[0]);
    else
        tsri_each_values(source, dtype, visitors[dtype].measure, &m);
}

static tsr_scalar result(const tsri_source *source, const tsri_ask *ask, const tsri_record *record)
{
    (void)source;
    if (isinf(ask->order)) return tsr_f64(record->as.number[0]);
    return tsr_f64(ask->order == 2 ? tsri_exact_sqrt(&record->as.exact[0])
                                   : tsri_exact_round_f64(&record->as.exact[0]));
}

const tsri_whole tsri_whole_norm = {.norm = true, .fold = fold_block, .result = result};
