/* Inner products. */
#include "base/checked.h"
#include "kern/arithmetic_mode.h"
#include "kern/promote.h"
#include "reduce/pairs.h"

/* ---- this rank's blocks ---------------------------------------------------------------------- */

typedef unsigned char stored_bool;

static void multiply_BOOL(int64_t n, const void *left, const void *right, void *state)
{
    const stored_bool *a = left, *b = right;
    uint64_t *sum = state;
    for (int64_t i = 0; i < n; ++i)
        *sum += a[i] != 0 && b[i] != 0;
}

/* Modulo 2^64, which every narrower type divides, so that the sum wraps in the type itself. */
static void multiply_U64(int64_t n, const void *left, const void *right, void *state)
{
    const uint64_t *a = left, *b = right;
    uint64_t *sum = state;
    for (int64_t i = 0; i < n; ++i)
        *sum += a[i] * b[i];
}

/* The state of exact sums: an adder for each part. */
static void multiply_F32(int64_t n, const void *left, const void *right, void *state)
{
    tsri_exact_add(state, TSRI_TERMS_PRODUCTS_F32, n, &(tsri_terms){.x = left, .y = right});
}

static void multiply_F64(int64_t n, const void *left, const void *right, void *state)
{
    tsri_exact_add(state, TSRI_TERMS_PRODUCTS_F64, n, &(tsri_terms){.x = left, .y = right});
}

/* The sums of (ar + i ai)(br + i bi), where ai may be negated. */
static void multiply_complex(int64_t n, const double *a, const double *b, double sign,
                             tsri_exact_adder *adders)
{
    double ar[TSRI_CHUNK], ai[TSRI_CHUNK], opposite[TSRI_CHUNK], br[TSRI_CHUNK], bi[TSRI_CHUNK];

    for (int64_t done = 0, batch; done < n; done += batch, a += 2 * batch, b += 2 * batch) {
        batch = n - done < TSRI_CHUNK ? n - done : TSRI_CHUNK;
        for (int64_t i = 0; i < batch; ++i) {
            ar[i] = a[2 * i];
            br[i] = b[2 * i];
            bi[i] = b[2 * i + 1];
            ai[i] = sign * a[2 * i + 1];
            opposite[i] = -ai[i];
        }
        multiply_F64(batch, ar, br, &adders[0]);
        multiply_F64(batch, opposite, bi, &adders[0]);
        multiply_F64(batch, ar, bi, &adders[1]);
        multiply_F64(batch, ai, br, &adders[1]);
    }
}

static void multiply_C128(int64_t n, const void *left, const void *right, void *state)
{
    multiply_complex(n, left, right, 1, state);
}

static void multiply_conjugate(int64_t n, const void *left, const void *right, void *state)
{
    multiply_complex(n, left, right, -1, state);
}

/* The blocks' share of an exact sum, in F32, F64 or C128. */
static void multiply_exactly(tsri_side a, tsri_side b, bool conjugate, tsri_record *record)
{
    const int parts = a.dtype == TSR_C128 ? 2 : 1;
    tsri_exact_adder adders[2];
    tsri_pair_visitor *const visit = a.dtype == TSR_F32   ? multiply_F32
                                     : a.dtype == TSR_F64 ? multiply_F64
                                     : conjugate          ? multiply_conjugate
                                                          : multiply_C128;
    tsri_exact_begin(record, parts, adders);
    tsri_each_pair(a, b, visit, adders);
    tsri_exact_end(parts, adders);
}

/* The blocks' share of the sum, whose result is of type `dtype`. */
static void multiply_blocks(const tsr_array *a, const tsr_array *b, tsr_dtype dtype, bool conjugate,
                            tsri_record *record)
{
    const bool truth = dtype == TSR_BOOL, whole = tsri_is_integer(dtype);
    const tsr_dtype as = truth              ? TSR_BOOL
                         : whole            ? TSR_U64
                         : dtype == TSR_F32 ? TSR_F32
                                            : tsri_wide_dtype(dtype);

    if (!whole) {
        multiply_exactly((tsri_side){a, as}, (tsri_side){b, as}, conjugate, record);
        return;
    }
    record->kind = TSRI_RECORD_SUM;
    tsri_each_pair((tsri_side){a, as}, (tsri_side){b, as}, truth ? multiply_BOOL : multiply_U64,
                   &record->as.wrapped);
}

/* ---- the calls ------------------------------------------------------------------------------- */

static tsr_status multiply(const char *name, const tsr_array *a, const tsr_array *b, bool conjugate,
                           bool vectors, tsr_scalar *product)
{
    tsr_status st = TSR_OK;
    tsri_record record = {.kind = TSRI_RECORD_NONE};
    tsr_dtype dtype = TSR_AUTO;
    unsigned mode;
    tsri_call call;

    if (product != NULL) *product = (tsr_scalar){.dtype = TSR_AUTO};
    TSRI_TRY(fail, tsri_pair_begin(name, a, b, &call));
    TSRI_CHECK_IN(name, reduce, product != NULL, TSR_ERR_VALUE, "no place for the result (NULL)");
    TSRI_CHECK_IN(
        name, reduce, !vectors || b == NULL || (tsr_array_ndim(a) == 1 && tsr_array_ndim(b) == 1),
        TSR_ERR_TYPE, "the arrays have %d and %d axes, must have one each; tsr_vdot() takes any",
        tsr_array_ndim(a), tsr_array_ndim(b));
    TSRI_TRY(reduce, tsri_pair_check(name, a, b));
    dtype = tsri_dtype_promote(a->dtype, b->dtype);
    mode = tsri_mode_begin();
    multiply_blocks(a, b, dtype, conjugate, &record);
    tsri_mode_end(mode);

reduce:
    TSRI_TRY(fail, tsri_reduce(&call, st, &record));
    mode = tsri_mode_begin();
    *product = record.kind == TSRI_RECORD_EXACT ? tsri_exact_scalar(record.as.exact, 1, dtype)
                                                : tsri_scalar_as(tsr_u64(record.as.wrapped), dtype);
    tsri_mode_end(mode);
    return TSR_OK;

fail:
    return st;
}

tsr_status tsr_vdot(const tsr_array *a, const tsr_array *b, tsr_scalar *product)
{
    return multiply(__func__, a, b, true, false, product);
}

tsr_status tsr_dot(const tsr_array *a, const tsr_array *b, tsr_scalar *product)
{
    return multiply(__func__, a, b, false, true, product);
}
