/* Norms. */
#include "reduce/whole.h"

#include <math.h>

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

/* The state of sums is an adder. */
static void add_products(tsri_exact_adder *adder, int64_t n, const double *x, const double *y)
{
    tsri_exact_add(adder, TSRI_TERMS_PRODUCTS_F64, n, &(tsri_terms){.x = x, .y = y});
}

static void add_halves(tsri_exact_adder *adder, int64_t n, halves *h)
{
    add_products(adder, n, h->low, h->low);
    add_products(adder, n, h->high, h->high);
    for (int64_t i = 0; i < n; ++i)
        h->high[i] *= 2;
    add_products(adder, n, h->high, h->low);
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
    add_products(state, n, run, run);
}

/* Squares are not negative, so the relative error of each, rounded, is that of their sum at most:
 * half of it is left in the norm. */
static void square_rounded_F64(int64_t n, const void *run, void *state)
{
    tsri_exact_add(state, TSRI_TERMS_SQUARES_F64, n, &(tsri_terms){.x = run});
}

static void square_rounded_C128(int64_t n, const void *run, void *state)
{
    square_rounded_F64(2 * n, run, state);
}

static void square_F32(int64_t n, const void *run, void *state)
{
    tsri_exact_add(state, TSRI_TERMS_PRODUCTS_F32, n, &(tsri_terms){.x = run, .y = run});
}

static void square_C128(int64_t n, const void *run, void *state)
{
    square_F64(2 * n, run, state);
}

/* ---- 1 and infinity: magnitudes -------------------------------------------------------------- */

typedef struct magnitudes {
    tsri_exact_adder *adder; /* of their sum; NULL: the largest */
    const tsri_bin_kernels *kernels;
    double largest;
} magnitudes;

static void take_magnitudes(magnitudes *m, int64_t n, const double *values)
{
    const tsri_terms terms = {.x = values};

    if (m->adder != NULL)
        tsri_exact_add(m->adder, TSRI_TERMS_F64, n, &terms);
    else
        m->largest = tsri_larger(m->largest, m->kernels->largest[TSRI_TERMS_F64](n, &terms));
}

static void measure_F64(int64_t n, const void *run, void *state)
{
    const double *values = run;
    magnitudes *m = state;
    double sizes[TSRI_CHUNK];

    if (m->adder == NULL) take_magnitudes(m, n, values);
    for (int64_t batch; m->adder != NULL && n > 0; n -= batch, values += batch) {
        batch = n < TSRI_CHUNK ? n : TSRI_CHUNK;
        for (int64_t i = 0; i < batch; ++i)
            sizes[i] = fabs(values[i]);
        take_magnitudes(m, batch, sizes);
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
        magnitudes *m = state;                                                                     \
        const ctype *values = run;                                                                 \
        for (int64_t i = 0; i < n; ++i) {                                                          \
            const uint64_t value = (uint64_t)values[i], size = values[i] <= 0 ? -value : value;    \
            const double rounded = (double)size;                                                   \
            if (m->adder == NULL) {                                                                \
                take_magnitudes(m, 1, &rounded);                                                   \
                continue;                                                                          \
            }                                                                                      \
            tsri_exact_add_integer(m->adder->sum, (int64_t)(size & UINT32_MAX), 0);                \
            tsri_exact_add_integer(m->adder->sum, (int64_t)(size >> 32), 32);                      \
        }                                                                                          \
    }
DEFINE_MEASURE(I64, int64_t)
DEFINE_MEASURE(U64, uint64_t)

/* ---- the reduction --------------------------------------------------------------------------- */

static tsr_dtype operand_dtype(tsr_dtype dtype, double order)
{
    if (dtype == TSR_I64 || dtype == TSR_U64) return dtype;
    if (dtype == TSR_F32 && order == 2) return dtype;
    return tsri_is_complex(dtype) ? TSR_C128 : TSR_F64;
}

static void fold_block(tsri_source *source, const tsri_ask *ask, tsri_record *record)
{
    static const struct {
        tsri_values_visitor *square, *measure, *rounded;
    } visitors[TSR_DTYPE_END] = {[TSR_I64] = {square_I64, measure_I64, square_I64},
                                 [TSR_U64] = {square_U64, measure_U64, square_U64},
                                 [TSR_F32] = {square_F32, NULL, square_F32},
                                 [TSR_F64] = {square_F64, measure_F64, square_rounded_F64},
                                 [TSR_C128] = {square_C128, measure_C128, square_rounded_C128}};
    const tsr_dtype dtype = operand_dtype(source->dtype, ask->order);
    tsri_exact_adder adder;
    magnitudes m = {.adder = isinf(ask->order) ? NULL : &adder,
                    .kernels = tsri_bin_kernels_at(tsri_vector_level())};

    if (m.adder != NULL) tsri_exact_begin(record, 1, &adder);
    if (ask->order == 2)
        tsri_each_values(source, dtype,
                         ask->exactly ? visitors[dtype].square : visitors[dtype].rounded, &adder);
    else
        tsri_each_values(source, dtype, visitors[dtype].measure, &m);
    if (m.adder != NULL) {
        tsri_exact_end(1, &adder);
    } else {
        record->kind = TSRI_RECORD_LARGEST;
        record->as.number[0] = m.largest;
    }
}

/* Squares that are rounded may over- or underflow; far above the smallest number the latter does
 * not matter. */
static bool is_out_of_range(const tsri_source *source, tsri_ask *ask, const tsri_record *record)
{
    const tsr_dtype dtype = operand_dtype(source->dtype, ask->order);

    if (ask->exactly || ask->order != 2 || (dtype != TSR_F64 && dtype != TSR_C128)) return false;
    const double squares = tsri_exact_round_f64(&record->as.exact[0]);
    ask->exactly = squares < 0x1p-900 || isinf(squares);
    return ask->exactly && source->layout->geometry.cells > 0;
}

static tsr_scalar result(const tsri_source *source, const tsri_ask *ask, const tsri_record *record)
{
    (void)source;
    if (isinf(ask->order)) return tsr_f64(record->as.number[0]);
    return tsr_f64(ask->order == 2 ? tsri_exact_sqrt(&record->as.exact[0])
                                   : tsri_exact_round_f64(&record->as.exact[0]));
}

const tsri_whole tsri_whole_norm = {
    .norm = true, .fold = fold_block, .again = is_out_of_range, .result = result};
