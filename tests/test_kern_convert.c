/* ranks: 1 */
#include "kern/kern.h"
#include "support/strided.h"

#include <float.h>
#include <math.h>

/* ---- a model: every value as two long doubles ------------------------------------------------ */

/* Holds every 64-bit integer and every double on the machines where this runs; checked below. */
typedef long double number;

static void read_parts(tsr_dtype dtype, const void *element, number *parts)
{
    parts[1] = 0;
    switch (dtype) {
#define READ(suffix, ctype, name, components)                                                      \
    case TSR_##suffix: {                                                                           \
        ctype v[2] = {0};                                                                          \
        memcpy(v, element, sizeof v[0] * (components));                                            \
        parts[0] = (number)v[0];                                                                   \
        parts[1] = (number)v[1];                                                                   \
        break;                                                                                     \
    }
        TSR_DTYPE_LIST(READ)
    default:
        parts[0] = 0;
    }
}

/* A whole number modulo 2^64. */
static uint64_t wrapped(number v)
{
    return v < 0 ? (uint64_t)(int64_t)v : (uint64_t)v;
}

/* Truncated, limited to low .. high. */
static number limited(number v, number low, number high)
{
    if (isnan(v)) return 0;
    return v <= low ? low : v >= high ? high : truncl(v);
}

static number lowest(tsr_dtype dtype)
{
    if (dtype >= TSR_U8) return 0;
    return -ldexpl(1, (int)tsr_dtype_size(dtype) * 8 - 1);
}

static number highest(tsr_dtype dtype)
{
    return ldexpl(1, (int)tsr_dtype_size(dtype) * 8 - (dtype < TSR_U8)) - 1;
}

static void write_parts(tsr_dtype from, const number *parts, tsr_dtype dtype, unsigned char *out)
{
    const float f[] = {(float)parts[0], (float)parts[1]};
    const double d[] = {(double)parts[0], (double)parts[1]};

    if (dtype == TSR_BOOL) {
        *out = parts[0] != 0 || parts[1] != 0;
    } else if (dtype == TSR_F32 || dtype == TSR_C64) {
        memcpy(out, f, tsr_dtype_size(dtype));
    } else if (dtype == TSR_F64 || dtype == TSR_C128) {
        memcpy(out, d, tsr_dtype_size(dtype));
    } else {
        const bool whole = from < TSR_F32;
        const uint64_t bits =
            wrapped(whole ? parts[0] : limited(parts[0], lowest(dtype), highest(dtype)));
        for (size_t i = 0; i < tsr_dtype_size(dtype); ++i)
            out[i] = (unsigned char)(bits >> 8 * i);
    }
}

/* ---- every pair of types --------------------------------------------------------------------- */

static double random_double(uint64_t *seed)
{
    static const double edges[] = {0.0,
                                   -0.0,
                                   0.5,
                                   -0.5,
                                   0.999,
                                   -0.999,
                                   127.0,
                                   127.5,
                                   128.0,
                                   -128.0,
                                   -128.9,
                                   -129.0,
                                   255.0,
                                   255.9,
                                   256.0,
                                   32767.5,
                                   32768.0,
                                   -32768.5,
                                   -32769.0,
                                   65535.5,
                                   65536.0,
                                   2147483647.5,
                                   2147483648.0,
                                   -2147483648.5,
                                   -2147483649.0,
                                   4294967295.5,
                                   4294967296.0,
                                   0x1p63,
                                   -0x1p63,
                                   0x1p63 - 1024,
                                   -0x1p63 - 2048,
                                   0x1p64,
                                   0x1p64 - 2048,
                                   1e300,
                                   -1e300,
                                   1e-300,
                                   INFINITY,
                                   -INFINITY,
                                   NAN,
                                   FLT_MAX,
                                   DBL_MIN / 2,
                                   16777217.0,
                                   0.1};
    enum { EDGES = sizeof edges / sizeof edges[0] };

    const int64_t kind = random_between(seed, 0, 2);
    if (kind == 0) return edges[random_between(seed, 0, EDGES - 1)];
    const double v = (double)next_random(seed) / 4096 - 524288;
    return kind == 1 ? v : ldexp(v, (int)random_between(seed, -40, 60));
}

/* Valid elements: booleans may be any byte but 0 for true. */
static void random_elements(uint64_t *seed, tsr_dtype dtype, unsigned char *data, int64_t n)
{
    const size_t size = tsr_dtype_size(dtype);

    random_bytes(seed, data, (size_t)n * size);
    if (dtype == TSR_BOOL)
        for (int64_t i = 0; i < n; ++i)
            data[i] &= 1;
    for (int64_t i = 0; i < n && dtype < TSR_F32; ++i)
        if (random_between(seed, 0, 3) == 0)
            memset(data + (size_t)i * size, dtype == TSR_BOOL || i % 2 == 0 ? 0 : 0xff, size);
    const size_t part = dtype == TSR_F32 || dtype == TSR_C64 ? 4 : 8;
    for (size_t i = 0; i < (size_t)n * size / part && dtype >= TSR_F32; ++i) {
        const double v = random_double(seed);
        const float f = (float)v;
        memcpy(data + i * part, part == 4 ? (const void *)&f : (const void *)&v, part);
    }
}

/* Equal bytes, but any NaN for a NaN. */
static bool same_element(tsr_dtype dtype, const unsigned char *a, const unsigned char *b)
{
    number left[2], right[2];

    if (memcmp(a, b, tsr_dtype_size(dtype)) == 0) return true;
    if (dtype < TSR_F32) return false;
    read_parts(dtype, a, left);
    read_parts(dtype, b, right);
    for (int p = 0; p < 2; ++p)
        if (!(isnan(left[p]) && isnan(right[p])) &&
            (left[p] != right[p] || signbit(left[p]) != signbit(right[p])))
            return false;
    return true;
}

static void check_cells(tsr_dtype to, tsr_dtype from, const unsigned char *dst,
                        const unsigned char *expected, int64_t n)
{
    const size_t size = tsr_dtype_size(to);

    for (int64_t k = 0; k < n; ++k)
        if (!same_element(to, dst + (size_t)k * size, expected + (size_t)k * size))
            tsrt_fail(__FILE__, __LINE__, "wrong conversion from %s to %s at %lld",
                      tsr_dtype_name(from), tsr_dtype_name(to), (long long)k);
}

static void convert_once(uint64_t seed, tsr_dtype to, tsr_dtype from)
{
    int64_t extent[STRIDED_AXES];
    const int ndim = random_extent(&seed, 1000, extent);
    const strided d = random_strides(&seed, ndim, extent, false);
    const strided s = random_strides(&seed, ndim, extent, true);
    const size_t to_size = tsr_dtype_size(to), from_size = tsr_dtype_size(from);
    unsigned char *dst = malloc((size_t)d.span * to_size);
    unsigned char *expected = malloc((size_t)d.span * to_size);
    unsigned char *src = malloc((size_t)s.span * from_size);

    random_elements(&seed, to, dst, d.span);
    random_elements(&seed, from, src, s.span);
    memcpy(expected, dst, (size_t)d.span * to_size);
    for (int64_t k = 0; k < shape_cells(ndim, extent); ++k) {
        number parts[2];
        read_parts(from, src + (size_t)cell_place(&s, ndim, extent, k) * from_size, parts);
        write_parts(from, parts, to, expected + (size_t)cell_place(&d, ndim, extent, k) * to_size);
    }
    tsri_kern_get()->convert(ndim, extent, to, dst + (size_t)d.first * to_size, d.stride, from,
                             src + (size_t)s.first * from_size, s.stride);
    check_cells(to, from, dst, expected, d.span);
    free(dst);
    free(expected);
    free(src);
}

static void convert_every_pair(void **state)
{
    (void)state;
    if (LDBL_MANT_DIG < 64) tsrt_skip("long double cannot hold every 64-bit integer");
    for (int to = TSR_AUTO + 1; to < TSR_DTYPE_END; ++to)
        for (int from = TSR_AUTO + 1; from < TSR_DTYPE_END; ++from)
            for (uint64_t seed = 1; seed <= 200; ++seed)
                convert_once(seed, (tsr_dtype)to, (tsr_dtype)from);
}

/* ---- written out ----------------------------------------------------------------------------- */

static int64_t to_i64(tsr_dtype from, const void *element)
{
    int64_t v = -1;

    tsri_kern_get()->convert(0, NULL, TSR_I64, &v, NULL, from, element, NULL);
    return v;
}

static void convert_edges(void **state)
{
    static const struct {
        double from;
        int64_t i8, i64;
        uint64_t u8, u64;
    } cases[] = {
        {2.5, 2, 2, 2, 2},
        {-2.5, -2, -2, 0, 0},
        {-0.9, 0, 0, 0, 0},
        {127.9, 127, 127, 127, 127},
        {128, 127, 128, 128, 128},
        {-129, -128, -129, 0, 0},
        {300, 127, 300, 255, 300},
        {9223372036854774784.0, 127, 9223372036854774784, 255, 9223372036854774784u},
        {9223372036854775808.0, 127, INT64_MAX, 255, 9223372036854775808u},
        {-9223372036854775808.0, -128, INT64_MIN, 0, 0},
        {18446744073709551616.0, 127, INT64_MAX, 255, UINT64_MAX},
        {INFINITY, 127, INT64_MAX, 255, UINT64_MAX},
        {-INFINITY, -128, INT64_MIN, 0, 0},
        {NAN, 0, 0, 0, 0},
    };
    const tsri_kern *kern = tsri_kern_get();

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        int8_t i8;
        uint8_t u8;
        uint64_t u64;
        kern->convert(0, NULL, TSR_I8, &i8, NULL, TSR_F64, &cases[i].from, NULL);
        kern->convert(0, NULL, TSR_U8, &u8, NULL, TSR_F64, &cases[i].from, NULL);
        kern->convert(0, NULL, TSR_U64, &u64, NULL, TSR_F64, &cases[i].from, NULL);
        CHECK_INT(i8, cases[i].i8);
        CHECK_INT(to_i64(TSR_F64, &cases[i].from), cases[i].i64);
        CHECK_INT(u8, (int64_t)cases[i].u8);
        CHECK(u64 == cases[i].u64);
    }
    CHECK_INT(to_i64(TSR_U64, &(uint64_t){UINT64_MAX}), -1);
    CHECK_INT(to_i64(TSR_C64, (float[]){-3.5f, 9}), -3);
}

/* 2^62 + 2^38 + 1 rounds up to a float at once, but down by way of a double. */
static void convert_rounds_once(void **state)
{
    const int64_t i = (INT64_C(1) << 62) + (INT64_C(1) << 38) + 1;
    const uint64_t u = (uint64_t)i * 2 + 1;
    float f = 0;

    (void)state;
    tsri_kern_get()->convert(0, NULL, TSR_F32, &f, NULL, TSR_I64, &i, NULL);
    CHECK_DOUBLE(f, 0x1p62 + 0x1p39, 0);
    tsri_kern_get()->convert(0, NULL, TSR_F32, &f, NULL, TSR_U64, &u, NULL);
    CHECK_DOUBLE(f, 0x1p63 + 0x1p40, 0);
}

static void convert_truth(void **state)
{
    const double values[] = {0, -0.0, 1e-310, NAN, -1};
    const float complexes[][2] = {{0, 0}, {0, 1e-40f}, {NAN, 0}, {0, NAN}, {-0.0f, 0}};
    const int64_t n = 5, one = 1;
    bool is[5];

    (void)state;
    tsri_kern_get()->convert(1, &n, TSR_BOOL, is, &one, TSR_F64, values, &one);
    CHECK(!is[0] && !is[1] && is[2] && is[3] && is[4]);
    tsri_kern_get()->convert(1, &n, TSR_BOOL, is, &one, TSR_C64, complexes, &one);
    CHECK(!is[0] && is[1] && is[2] && is[3] && !is[4]);
}

/* ---- scalars --------------------------------------------------------------------------------- */

static void scalar_store_and_load(void **state)
{
    unsigned char element[16];
    tsr_scalar s;

    (void)state;
    for (int t = TSR_AUTO + 1; t < TSR_DTYPE_END; ++t) {
        const tsr_dtype dtype = (tsr_dtype)t;
        memset(element, 0xee, sizeof element);
        tsri_scalar_store(tsr_f64(1), dtype, element);
        for (size_t i = tsr_dtype_size(dtype); i < sizeof element; ++i)
            CHECK(element[i] == 0xee);
        s = tsri_scalar_load(dtype, element);
        CHECK_INT(s.dtype, dtype);
        CHECK_DOUBLE(tsr_to_double(s), 1, 0);
        CHECK(tsri_dtype_valid(dtype));
    }
    tsri_scalar_store(tsr_u64(UINT64_MAX), TSR_U64, element);
    CHECK(tsri_scalar_load(TSR_U64, element).as.u == UINT64_MAX);
    tsri_scalar_store(tsr_i8(-7), TSR_I16, element);
    CHECK_INT(tsri_scalar_load(TSR_I16, element).as.i, -7);
    tsri_scalar_store(tsr_c64(1.5f, -2), TSR_C128, element);
    s = tsri_scalar_load(TSR_C128, element);
    CHECK_DOUBLE(s.as.c[0], 1.5, 0);
    CHECK_DOUBLE(s.as.c[1], -2, 0);
    tsri_scalar_store((tsr_scalar){.dtype = TSR_AUTO}, TSR_F64, element);
    CHECK_DOUBLE(tsri_scalar_load(TSR_F64, element).as.f, 0, 0);
    CHECK(!tsri_dtype_valid(TSR_AUTO) && !tsri_dtype_valid(TSR_DTYPE_END));
    CHECK(!tsri_dtype_valid((tsr_dtype)1000));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convert_every_pair),    cmocka_unit_test(convert_edges),
        cmocka_unit_test(convert_rounds_once),   cmocka_unit_test(convert_truth),
        cmocka_unit_test(scalar_store_and_load),
    };
    return TSRT_RUN(argc, argv, tests);
}
