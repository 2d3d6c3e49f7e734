/* Inner products. */
#include "base/checked.h"
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

static void multiply_F64(int64_t n, const void *left, const void *right, void *state)
{
    tsri_exact_add_products(state, n, left, 1, right, 1);
}

/* The sums of (ar + i ai)(br + i bi), where ai may be negated. */
static void multiply_complex(int64_t n, const double *a, const double *b, double sign,
                             tsri_exact_sum *sums)
{
    double imaginary[TSRI_CHUNK], opposite[TSRI_CHUNK];

    for (int64_t done = 0, batch; done < n; done += batch, a += 2 * batch, b += 2 * batch) {
        batch = n - done < TSRI_CHUNK ? n - done : TSRI_CHUNK;
        for (int64_t i = 0; i < batch; ++i) {
            imaginary[i] = sign * a[2 * i + 1];
            opposite[i] = -imaginary[i];
        }
        tsri_exact_add_products(&sums[0], batch, a, 2, b, 2);
        tsri_exact_add_products(&sums[0], batch, opposite, 1, b + 1, 2);
        tsri_exact_add_products(&sums[1], batch, a, 2, b + 1, 2);
        tsri_exact_add_products(&sums[1], batch, imaginary, 1, b, 2);
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

/* The blocks' share of the sum, whose result is of type `dtype`. */
static void multiply_blocks(const tsr_array *a, const tsr_array *b, tsr_dtype dtype, bool conjugate,
                            tsri_record *record)
{
    tsr_dtype as = TSR_U64;
    tsri_pair_visitor *visit = multiply_U64;
    void *state = &record->as.wrapped;

    record->kind = TSRI_RECORD_SUM;
    if (dtype == TSR_BOOL) {
        as = TSR_BOOL;
        visit = multiply_BOOL;
    } else if (!tsri_is_integer(dtype)) {
        record->kind = TSRI_RECORD_EXACT;
        tsri_exact_init(&record->as.exact[0]);
        tsri_exact_init(&record->as.exact[1]);
        state = record->as.exact;
        as = tsri_wide_dtype(dtype);
        visit = !tsri_is_complex(dtype) ? multiply_F64
                : conjugate             ? multiply_conjugate
                                        : multiply_C128;
    }
    tsri_each_pair((tsri_side){a, as}, (tsri_side){b, as}, visit, state);
}

/* ---- the calls ------------------------------------------------------------------------------- */

static tsr_status multiply(const char *name, const tsr_array *a, const tsr_array *b, bool conjugate,
                           bool vectors, tsr_scalar *product)
{
    tsr_status st = TSR_OK;
    tsri_record record = {.kind = TSRI_RECORD_NONE};
    tsr_dtype dtype = TSR_AUTO;
    tsri_call call;

    if (product != NULL) *product = (tsr_scalar){.dtype = TSR_AUTO};
    TSRI_TRY(fail, tsri_pair_begin(name, a, b, &call));
    TSRI_CHECK_IN(name, reduce, product != NULL, TSR_ERR_VALUE, "no place for the result (NULL)");
    TSRI_CHECK_IN(name, reduce, !vectors || (tsr_array_ndim(a) == 1 && tsr_array_ndim(b) == 1),
                  TSR_ERR_TYPE,
                  "the arrays have %d and %d axes, must have one each; tsr_vdot() takes any",
                  tsr_array_ndim(a), tsr_array_ndim(b));
    TSRI_TRY(reduce, tsri_pair_check(name, a, b));
    dtype = tsri_dtype_promote(a->dtype, b->dtype);
    multiply_blocks(a, b, dtype, conjugate, &record);

reduce:
    TSRI_TRY(fail, tsri_reduce(&call, st, &record));
    *product = record.kind == TSRI_RECORD_EXACT ? tsri_exact_scalar(record.as.exact, 1, dtype)
                                                : tsri_scalar_as(tsr_u64(record.as.wrapped), dtype);
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
