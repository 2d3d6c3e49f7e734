/* ranks: 1 */
/* Every operation on every type, against a rule written out for one element of any type. */
#include "kern/kern.h"
#include "support/strided.h"

#include <math.h>

enum { CELLS = 300 };

/* An element as the widest number of its kind. */
typedef struct wide {
    int64_t i;
    uint64_t u;
    double re, im;
} wide;

typedef enum { KIND_BOOL, KIND_SIGNED, KIND_UNSIGNED, KIND_REAL, KIND_COMPLEX } kind;

static kind kind_of(tsr_dtype dtype)
{
    if (dtype == TSR_BOOL) return KIND_BOOL;
    if (dtype <= TSR_I64) return KIND_SIGNED;
    if (dtype <= TSR_U64) return KIND_UNSIGNED;
    return dtype <= TSR_F64 ? KIND_REAL : KIND_COMPLEX;
}

static wide read(tsr_dtype dtype, const unsigned char *at)
{
    wide w = {0};
    switch (dtype) {
#define READ(suffix, ctype, name, components)                                                      \
    case TSR_##suffix: {                                                                           \
        ctype v[2] = {0};                                                                          \
        memcpy(v, at, sizeof v[0] * (components));                                                 \
        if (kind_of(dtype) == KIND_UNSIGNED)                                                       \
            w.u = (uint64_t)v[0];                                                                  \
        else if (kind_of(dtype) <= KIND_SIGNED)                                                    \
            w.i = (int64_t)v[0];                                                                   \
        w.re = (double)v[0];                                                                       \
        w.im = (double)v[1];                                                                       \
        break;                                                                                     \
    }
        TSR_DTYPE_LIST(READ)
    default:
        tsrt_fail(__FILE__, __LINE__, "no such type");
    }
    return w;
}

static bool truth(kind k, wide w)
{
    if (k == KIND_COMPLEX) return w.re != 0 || w.im != 0;
    return k == KIND_REAL ? w.re != 0 : k == KIND_UNSIGNED ? w.u != 0 : w.i != 0;
}

/* Whether b is chosen over a by min (sign 1) or max (sign -1). */
static bool chooses_right(kind k, wide a, wide b, int sign)
{
    if (k == KIND_UNSIGNED) return sign > 0 ? b.u < a.u : b.u > a.u;
    if (k <= KIND_SIGNED) return sign > 0 ? b.i < a.i : b.i > a.i;
    if (isnan(a.re) || isnan(a.im)) return false;
    if (isnan(b.re) || isnan(b.im)) return true;
    if (a.re != b.re) return sign * b.re < sign * a.re;
    return sign * b.im < sign * a.im;
}

/* The sum or product as bytes of the type: real ones in the type's own precision. */
static void arithmetic(tsr_op op, tsr_dtype dtype, wide a, wide b, unsigned char *out)
{
    const kind k = kind_of(dtype);
    const size_t size = tsr_dtype_size(dtype);
    const bool sum = op == TSR_SUM;

    if (k <= KIND_UNSIGNED) {
        const uint64_t x = k == KIND_UNSIGNED ? a.u : (uint64_t)a.i;
        const uint64_t y = k == KIND_UNSIGNED ? b.u : (uint64_t)b.i;
        const uint64_t r = sum ? x + y : x * y;
        memcpy(out, &r, size); /* little-endian: the low bytes are the wrapped value */
        if (k == KIND_BOOL) out[0] = r != 0;
    } else if (dtype == TSR_F32 || dtype == TSR_C64) {
        const float p = (float)a.re, q = (float)a.im, s = (float)b.re, t = (float)b.im;
        const float u = p * s, v = q * t, x = p * t, y = q * s;
        const float r[2] = {sum ? p + s : k == KIND_REAL ? u : u - v, sum ? q + t : x + y};
        memcpy(out, r, size);
    } else {
        const double u = a.re * b.re, v = a.im * b.im, x = a.re * b.im, y = a.im * b.re;
        const double r[2] = {sum              ? a.re + b.re
                             : k == KIND_REAL ? u
                                              : u - v,
                             sum ? a.im + b.im : x + y};
        memcpy(out, r, size);
    }
}

static void store_truth(tsr_dtype dtype, bool value, unsigned char *out)
{
    memset(out, 0, 16);
    tsri_scalar_store(tsr_i64(value), dtype, out);
}

static void combine_one(tsr_op op, tsr_dtype dtype, const unsigned char *left,
                        const unsigned char *right, unsigned char *out)
{
    const size_t size = tsr_dtype_size(dtype);
    const kind k = kind_of(dtype);
    const wide a = read(dtype, left), b = read(dtype, right);

    switch (op) {
    case TSR_SUM:
    case TSR_PROD:
        arithmetic(op, dtype, a, b, out);
        return;
    case TSR_MIN:
    case TSR_MAX:
        memcpy(out, chooses_right(k, a, b, op == TSR_MIN ? 1 : -1) ? right : left, size);
        return;
    case TSR_AND:
        store_truth(dtype, truth(k, a) && truth(k, b), out);
        return;
    case TSR_OR:
        store_truth(dtype, truth(k, a) || truth(k, b), out);
        return;
    case TSR_XOR:
        store_truth(dtype, truth(k, a) != truth(k, b), out);
        return;
    default:
        for (size_t i = 0; i < size; ++i)
            out[i] = (unsigned char)(op == TSR_BAND  ? left[i] & right[i]
                                     : op == TSR_BOR ? left[i] | right[i]
                                                     : left[i] ^ right[i]);
    }
}

/* Few different values, so that equal ones, zeros, extremes and NaN meet. */
static void special_cells(uint64_t *seed, tsr_dtype dtype, unsigned char *data)
{
    static const double reals[] = {0, -0.0, 1, -1, 2.5, 1e30, -1e-30, INFINITY, -INFINITY, NAN};
    static const int64_t integers[] = {0, 1, -1, 2, 127, -128, 30000, INT64_MAX, INT64_MIN, 77};
    const size_t size = tsr_dtype_size(dtype);

    for (int i = 0; i < CELLS; ++i) {
        const int64_t p = random_between(seed, 0, 9), q = random_between(seed, 0, 9);
        unsigned char *at = data + (size_t)i * size;
        if (dtype == TSR_BOOL)
            at[0] = (unsigned char)(p % 2);
        else if (dtype <= TSR_U64)
            memcpy(at, &integers[p], size); /* little-endian */
        else
            tsri_scalar_store(tsr_c128(reals[p], reals[q]), dtype, at);
    }
}

/* Any two NaNs are one. */
static bool same(tsr_dtype dtype, const unsigned char *a, const unsigned char *b)
{
    if (memcmp(a, b, tsr_dtype_size(dtype)) == 0) return true;
    if (kind_of(dtype) < KIND_REAL) return false;
    const wide x = read(dtype, a), y = read(dtype, b);
    const bool re =
        (isnan(x.re) && isnan(y.re)) || (x.re == y.re && !signbit(x.re) == !signbit(y.re));
    const bool im =
        (isnan(x.im) && isnan(y.im)) || (x.im == y.im && !signbit(x.im) == !signbit(y.im));
    return re && im;
}

static void check_one(tsr_op op, tsr_dtype dtype, uint64_t seed, int64_t shift)
{
    const size_t size = tsr_dtype_size(dtype);
    unsigned char left[CELLS * 16 + 16], right[CELLS * 16], before[CELLS * 16], expected[16];
    unsigned char *inout = left + shift; /* needs no alignment */

    special_cells(&seed, dtype, before);
    special_cells(&seed, dtype, right);
    memset(left, 0x77, sizeof left);
    memcpy(inout, before, CELLS * size);
    tsri_kern_get()->combine(op, dtype, CELLS, inout, right);
    for (size_t i = 0; i < CELLS; ++i) {
        combine_one(op, dtype, before + i * size, right + i * size, expected);
        if (!same(dtype, inout + i * size, expected))
            tsrt_fail(__FILE__, __LINE__, "wrong %s of %s, element %zu", tsri_op_name(op),
                      tsr_dtype_name(dtype), i);
    }
    CHECK(inout[CELLS * size] == 0x77);
}

static void every_operation_and_type(void **state)
{
    (void)state;
    for (int op = 0; op < TSR_OP_END; ++op)
        for (int dtype = TSR_BOOL; dtype < TSR_DTYPE_END; ++dtype) {
            const bool bits = op >= TSR_BAND;
            CHECK_INT(tsri_op_defined((tsr_op)op, (tsr_dtype)dtype), !bits || dtype <= TSR_U64);
            if (!tsri_op_defined((tsr_op)op, (tsr_dtype)dtype)) continue;
            for (int64_t shift = 0; shift < 3; ++shift)
                check_one((tsr_op)op, (tsr_dtype)dtype, (uint64_t)(op * 100 + dtype), shift);
        }
}

static void no_such_operation(void **state)
{
    (void)state;
    CHECK(!tsri_op_valid((tsr_op)-1) && !tsri_op_valid(TSR_OP_END));
    CHECK(!tsri_op_defined(TSR_OP_END, TSR_F64) && !tsri_op_defined(TSR_SUM, TSR_AUTO));
    CHECK_STR(tsri_op_name(TSR_BXOR), "bxor");
    CHECK_STR(tsri_op_name(TSR_OP_END), "?");
    double one = 1, two = 2;
    tsri_kern_get()->combine(TSR_SUM, TSR_F64, 0, &one, &two);
    CHECK_DOUBLE(one, 1, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_and_type),
        cmocka_unit_test(no_such_operation),
    };
    return TSRT_RUN(argc, argv, tests);
}
