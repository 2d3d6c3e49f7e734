#include "base/gate.h"
#include "reduce/reduction.h"

#include <tessera/reduce.h>

/* ---- this rank's block ----------------------------------------------------------------------- */

/* Bool is read as bytes: storage that was never written may hold any. */
typedef unsigned char stored_bool;

#define DEFINE_ADD_WRAPPED(suffix, ctype)                                                          \
    static void add_##suffix(const void *row, int64_t count, int64_t stride, void *state)          \
    {                                                                                              \
        const ctype *values = row;                                                                 \
        uint64_t *sum = state;                                                                     \
        for (int64_t i = 0; i < count; ++i)                                                        \
            *sum += (uint64_t)values[i * stride];                                                  \
    }
DEFINE_ADD_WRAPPED(I8, int8_t)
DEFINE_ADD_WRAPPED(I16, int16_t)
DEFINE_ADD_WRAPPED(I32, int32_t)
DEFINE_ADD_WRAPPED(I64, int64_t)
DEFINE_ADD_WRAPPED(U8, uint8_t)
DEFINE_ADD_WRAPPED(U16, uint16_t)
DEFINE_ADD_WRAPPED(U32, uint32_t)
DEFINE_ADD_WRAPPED(U64, uint64_t)

static void add_BOOL(const void *row, int64_t count, int64_t stride, void *state)
{
    const stored_bool *values = row;
    uint64_t *sum = state;
    for (int64_t i = 0; i < count; ++i)
        *sum += values[i * stride] != 0;
}

#define DEFINE_ADD_REAL(suffix, ctype, add)                                                        \
    static void add_##suffix(const void *row, int64_t count, int64_t stride, void *state)          \
    {                                                                                              \
        add((tsri_exact_sum *)state, count, (const ctype *)row, stride);                           \
    }
DEFINE_ADD_REAL(F32, float, tsri_exact_add_f32)
DEFINE_ADD_REAL(F64, double, tsri_exact_add_f64)

#define DEFINE_ADD_COMPLEX(suffix, ctype, add)                                                     \
    static void add_##suffix(const void *row, int64_t count, int64_t stride, void *state)          \
    {                                                                                              \
        tsri_exact_sum *sums = state;                                                              \
        add(&sums[0], count, (const ctype *)row, 2 * stride);                                      \
        add(&sums[1], count, (const ctype *)row + 1, 2 * stride);                                  \
    }
DEFINE_ADD_COMPLEX(C64, float, tsri_exact_add_f32)
DEFINE_ADD_COMPLEX(C128, double, tsri_exact_add_f64)

static const tsri_row_visitor adders[TSR_DTYPE_END] = {
#define ADDER(suffix, ctype, name, components) [TSR_##suffix] = add_##suffix,
    TSR_DTYPE_LIST(ADDER)};

static bool is_integer(tsr_dtype dtype)
{
    return dtype < TSR_F32;
}

static void sum_block(const tsr_array *array, tsri_record *record)
{
    const tsri_row_visitor add = adders[array->dtype];

    if (is_integer(array->dtype)) {
        record->kind = TSRI_RECORD_WRAPPED;
        tsri_each_row(array, add, &record->as.wrapped);
    } else {
        record->kind = TSRI_RECORD_EXACT;
        tsri_exact_init(&record->as.exact[0]);
        tsri_exact_init(&record->as.exact[1]);
        tsri_each_row(array, add, record->as.exact);
    }
}

/* ---- the result ------------------------------------------------------------------------------ */

static int64_t as_signed(uint64_t wrapped)
{
    return wrapped <= INT64_MAX ? (int64_t)wrapped : -(int64_t)(UINT64_MAX - wrapped) - 1;
}

static tsr_scalar result(tsr_dtype dtype, const tsri_record *record)
{
    const tsri_exact_sum *sums = record->as.exact;

    switch (dtype) {
    case TSR_F32:
        return tsr_f32(tsri_exact_round_f32(sums));
    case TSR_F64:
        return tsr_f64(tsri_exact_round_f64(sums));
    case TSR_C64:
        return tsr_c64(tsri_exact_round_f32(sums), tsri_exact_round_f32(sums + 1));
    case TSR_C128:
        return tsr_c128(tsri_exact_round_f64(sums), tsri_exact_round_f64(sums + 1));
    case TSR_U8:
    case TSR_U16:
    case TSR_U32:
    case TSR_U64:
        return tsr_u64(record->as.wrapped);
    default:
        return tsr_i64(as_signed(record->as.wrapped));
    }
}

tsr_status tsr_sum(const tsr_array *array, tsr_scalar *sum)
{
    tsr_status st = TSR_OK;
    tsri_record record = {.kind = TSRI_RECORD_NONE};

    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    if (sum != NULL) *sum = (tsr_scalar){.dtype = TSR_AUTO};
    TSRI_TRY(fail,
             tsri_enter(array->layout->context, array->layout->geometry.whole, "%s", __func__));
    TSRI_CHECK(reduce, sum != NULL, TSR_ERR_VALUE, "sum is NULL");
    sum_block(array, &record);

reduce:
    TSRI_TRY(fail, tsri_reduce(array, __func__, st, &record));
    *sum = result(array->dtype, &record);
    return TSR_OK;

fail:
    return st;
}
