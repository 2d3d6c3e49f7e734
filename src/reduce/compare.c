/* Whether arrays are close, or equal. */
#include "base/checked.h"
#include "base/numbering.h"
#include "kern/promote.h"
#include "move/redistribute.h"
#include "reduce/pairs.h"

#include <math.h>
#include <string.h>

/* ---- closeness: b is the reference ----------------------------------------------------------- */

typedef struct closeness {
    double rtol, atol;
    bool equal_nan, close;
} closeness;

/* In the arithmetic of the type itself, as NumPy. */
#define DEFINE_CLOSE(suffix, ctype, magnitude)                                                     \
    static void close_##suffix(int64_t n, const void *left, const void *right, void *state)        \
    {                                                                                              \
        const ctype *a = left, *b = right;                                                         \
        closeness *c = state;                                                                      \
        const ctype rtol = (ctype)c->rtol, atol = (ctype)c->atol;                                  \
        for (int64_t i = 0; i < n && c->close; ++i) {                                              \
            const bool near =                                                                      \
                isfinite(b[i]) && magnitude(a[i] - b[i]) <= atol + rtol * magnitude(b[i]);         \
            const bool nans = c->equal_nan && isnan(a[i]) && isnan(b[i]);                          \
            c->close = near || a[i] == b[i] || nans;                                               \
        }                                                                                          \
    }
DEFINE_CLOSE(F32, float, fabsf)
DEFINE_CLOSE(F64, double, fabs)

#define DEFINE_CLOSE_COMPLEX(suffix, ctype, magnitude)                                             \
    static void close_##suffix(int64_t n, const void *left, const void *right, void *state)        \
    {                                                                                              \
        closeness *c = state;                                                                      \
        const ctype *a = left, *b = right, rtol = (ctype)c->rtol, atol = (ctype)c->atol;           \
        for (const ctype *end = a + 2 * n; a < end && c->close; a += 2, b += 2) {                  \
            const ctype distance = magnitude(a[0] - b[0], a[1] - b[1]);                            \
            const bool finite = isfinite(b[0]) && isfinite(b[1]);                                  \
            const bool near = finite && distance <= atol + rtol * magnitude(b[0], b[1]);           \
            const bool nans = (isnan(a[0]) || isnan(a[1])) && (isnan(b[0]) || isnan(b[1]));        \
            c->close = near || (a[0] == b[0] && a[1] == b[1]) || (c->equal_nan && nans);           \
        }                                                                                          \
    }
DEFINE_CLOSE_COMPLEX(C64, float, hypotf)
DEFINE_CLOSE_COMPLEX(C128, double, hypot)

static void compare_closely(const tsr_array *a, const tsr_array *b, closeness *c)
{
    static tsri_pair_visitor *const visitors[TSR_DTYPE_END] = {[TSR_F32] = close_F32,
                                                               [TSR_F64] = close_F64,
                                                               [TSR_C64] = close_C64,
                                                               [TSR_C128] = close_C128};
    const tsr_dtype dtype = tsri_dtype_promote(a->dtype, tsri_mean_dtype(b->dtype));
    tsri_each_pair((tsri_side){a, dtype}, (tsri_side){b, dtype}, visitors[dtype], c);
}

tsr_status tsr_allclose(const tsr_array *a, const tsr_array *b, double rtol, double atol,
                        bool equal_nan, bool *close)
{
    tsr_status st = TSR_OK;
    closeness c = {rtol, atol, equal_nan, true};
    tsri_record record = {.kind = TSRI_RECORD_ALL};
    tsri_call call;

    if (close != NULL) *close = false;
    TSRI_TRY(fail, tsri_pair_begin(__func__, a, b, &call));
    TSRI_CHECK(reduce, close != NULL, TSR_ERR_VALUE, "no place for the result (NULL)");
    TSRI_TRY(reduce, tsri_pair_check(__func__, a, b));
    call.arguments = tsri_hash(call.arguments, (double[]){rtol, atol}, 2 * sizeof(double));
    call.arguments = tsri_hash(call.arguments, &equal_nan, sizeof equal_nan);
    compare_closely(a, b, &c);
    record.as.truth = c.close;

reduce:
    TSRI_TRY(fail, tsri_reduce(&call, st, &record));
    *close = record.as.truth;
    return TSR_OK;

fail:
    return st;
}

/* ---- equality -------------------------------------------------------------------------------- */

typedef struct equality {
    size_t size; /* of an element */
    bool equal_nan, equal;
} equality;

static void equal_integers(int64_t n, const void *left, const void *right, void *state)
{
    equality *e = state;
    e->equal = e->equal && memcmp(left, right, (size_t)n * e->size) == 0;
}

static void equal_bool(int64_t n, const void *left, const void *right, void *state)
{
    const unsigned char *a = left, *b = right;
    equality *e = state;
    for (int64_t i = 0; i < n && e->equal; ++i)
        e->equal = (a[i] != 0) == (b[i] != 0);
}

/* The left one with a sign, the right one of 64 bits without. */
static void equal_mixed(int64_t n, const void *left, const void *right, void *state)
{
    const int64_t *a = left;
    const uint64_t *b = right;
    equality *e = state;
    for (int64_t i = 0; i < n && e->equal; ++i)
        e->equal = a[i] >= 0 && (uint64_t)a[i] == b[i];
}

static void equal_F64(int64_t n, const void *left, const void *right, void *state)
{
    const double *a = left, *b = right;
    equality *e = state;
    for (int64_t i = 0; i < n && e->equal; ++i)
        e->equal = a[i] == b[i] || (e->equal_nan && isnan(a[i]) && isnan(b[i]));
}

static void equal_C128(int64_t n, const void *left, const void *right, void *state)
{
    equality *e = state;
    for (const double *a = left, *b = right, *end = a + 2 * n; a < end && e->equal;
         a += 2, b += 2) {
        const bool nans = (isnan(a[0]) || isnan(a[1])) && (isnan(b[0]) || isnan(b[1]));
        e->equal = (a[0] == b[0] && a[1] == b[1]) || (e->equal_nan && nans);
    }
}

/* Compare blocks that cover the same cells. */
static bool compare_blocks(const tsr_array *a, const tsr_array *b, bool equal_nan)
{
    const tsr_dtype dtype = tsri_dtype_promote(a->dtype, b->dtype);
    equality e = {tsr_dtype_size(dtype), equal_nan, true};

    if (tsri_is_integer(a->dtype) && tsri_is_integer(b->dtype) && dtype == TSR_F64) {
        const bool swap = a->dtype == TSR_U64;
        tsri_each_pair((tsri_side){swap ? b : a, TSR_I64}, (tsri_side){swap ? a : b, TSR_U64},
                       equal_mixed, &e);
    } else if (tsri_is_integer(dtype)) {
        tsri_each_pair((tsri_side){a, dtype}, (tsri_side){b, dtype},
                       dtype == TSR_BOOL ? equal_bool : equal_integers, &e);
    } else {
        const tsr_dtype wide = tsri_wide_dtype(dtype);
        tsri_each_pair((tsri_side){a, wide}, (tsri_side){b, wide},
                       tsri_is_complex(wide) ? equal_C128 : equal_F64, &e);
    }
    return e.equal;
}

/* Whether two layouts of one shape have the same blocks, whatever their halos. */
static bool same_blocks(const tsr_layout *a, const tsr_layout *b)
{
    tsri_geometry f = a->geometry, g = b->geometry;

    for (int axis = 0; axis < f.ndim; ++axis)
        f.halo_lo[axis] = f.halo_hi[axis] = g.halo_lo[axis] = g.halo_hi[axis] = 0;
    f.periodic = g.periodic = 0;
    return tsri_geometry_equal(&f, &g);
}

tsr_status tsr_array_equal(const tsr_array *a, const tsr_array *b, bool equal_nan, bool *equal)
{
    tsr_status st = TSR_OK;
    tsr_array *moved = NULL;
    bool moves = false;
    tsri_record record = {.kind = TSRI_RECORD_ALL};
    tsri_call call;

    if (equal != NULL) *equal = false;
    if (a != NULL && b != NULL && equal != NULL && !tsri_same_shape(a, b)) return TSR_OK;
    /* A copy on every rank goes to the blocks of the other array rather than the other way round.
     */
    if (a != NULL && b != NULL && a->layout->geometry.whole) {
        const tsr_array *const whole = a;
        a = b;
        b = whole;
    }
    TSRI_TRY(fail, tsri_pair_begin(__func__, a, b, &call));
    TSRI_CHECK(reduce, b != NULL, TSR_ERR_VALUE, "the second array is NULL");
    TSRI_CHECK(reduce, equal != NULL, TSR_ERR_VALUE, "no place for the result (NULL)");
    TSRI_TRY(reduce, tsri_numbering_check(__func__, b->layout->context, a->layout->context));
    call.arguments = tsri_hash(call.arguments, &equal_nan, sizeof equal_nan);
    moves = !a->layout->geometry.whole &&
            (a->layout->context != b->layout->context || !same_blocks(a->layout, b->layout));
    if (!moves) record.as.truth = compare_blocks(a, b, equal_nan);

reduce: /* before anything moves, too: a rank that failed does not know whether it would */
    TSRI_TRY(fail, tsri_reduce(&call, st, &record));
    if (moves) {
        TSRI_TRY(fail, tsri_redistribute_new(__func__, TSR_OK, b, a->layout, &moved));
        record =
            (tsri_record){.kind = TSRI_RECORD_ALL, .as.truth = compare_blocks(a, moved, equal_nan)};
        TSRI_TRY(fail, tsri_reduce(&call, TSR_OK, &record));
    }
    *equal = record.as.truth;
fail:
    tsri_array_free(moved);
    return st;
}
