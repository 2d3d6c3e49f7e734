/* ranks: 1 */
#include "kern/kern.h"
#include "support/strided.h"

#include <float.h>

/* The sums of one cell, written out: what the kernel must give for every type. */
static void add_one(tsr_dtype dtype, unsigned char *dst, const unsigned char *src)
{
    const size_t size = tsr_dtype_size(dtype);
    float f[4];
    double d[4];

    switch (dtype) {
    case TSR_BOOL:
        dst[0] = dst[0] != 0 || src[0] != 0;
        break;
    case TSR_F32:
    case TSR_C64:
        memcpy(f, dst, size);
        memcpy(f + 2, src, size);
        f[0] += f[2];
        if (dtype == TSR_C64) f[1] += f[3];
        memcpy(dst, f, size);
        break;
    case TSR_F64:
    case TSR_C128:
        memcpy(d, dst, size);
        memcpy(d + 2, src, size);
        d[0] += d[2];
        if (dtype == TSR_C128) d[1] += d[3];
        memcpy(dst, d, size);
        break;
    default:
        /* Byte by byte with a carry, lowest first: any width, signed or not. */
        for (unsigned carry = 0, i = 0; i < size; ++i) {
            carry += (unsigned)dst[i] + src[i];
            dst[i] = (unsigned char)carry;
            carry >>= 8;
        }
    }
}

/* Finite numbers of all sizes for real types; any bytes for others. */
static void random_cells(uint64_t *seed, tsr_dtype dtype, unsigned char *data, int64_t cells)
{
    random_bytes(seed, data, (size_t)cells * tsr_dtype_size(dtype));
    const size_t parts = dtype >= TSR_C64 ? 2 : 1;
    for (size_t i = 0; i < (size_t)cells * parts && dtype >= TSR_F32; ++i) {
        const double v = (double)random_between(seed, -1000000, 1000000) / 997;
        const float single = (float)v;
        if (dtype == TSR_F32 || dtype == TSR_C64)
            memcpy(data + i * sizeof single, &single, sizeof single);
        else
            memcpy(data + i * sizeof v, &v, sizeof v);
    }
}

static void add_once(uint64_t seed, tsr_dtype dtype)
{
    const size_t size = tsr_dtype_size(dtype);
    int64_t extent[STRIDED_AXES];
    const int ndim = random_extent(&seed, 3000, extent);
    const strided to = random_strides(&seed, ndim, extent, false);
    const strided from = random_strides(&seed, ndim, extent, true);
    const size_t bytes = (size_t)to.span * size;
    unsigned char *dst = malloc(bytes), *src = malloc((size_t)from.span * size);
    unsigned char *expected = malloc(bytes);

    random_cells(&seed, dtype, dst, to.span);
    random_cells(&seed, dtype, src, from.span);
    memcpy(expected, dst, bytes);
    for (int64_t k = 0; k < shape_cells(ndim, extent); ++k)
        add_one(dtype, expected + (size_t)cell_place(&to, ndim, extent, k) * size,
                src + (size_t)cell_place(&from, ndim, extent, k) * size);
    tsri_kern_get()->add(dtype, ndim, extent, dst + (size_t)to.first * size, to.stride,
                         src + (size_t)from.first * size, from.stride);
    if (memcmp(dst, expected, bytes) != 0)
        tsrt_fail(__FILE__, __LINE__, "wrong sums of %s", tsr_dtype_name(dtype));
    free(dst);
    free(src);
    free(expected);
}

static void add_every_type(void **state)
{
    (void)state;
    for (int t = TSR_AUTO + 1; t < TSR_DTYPE_END; ++t)
        for (uint64_t seed = 1; seed <= 1000; ++seed)
            add_once(seed, (tsr_dtype)t);
}

/* Integers wrap, at every width. */
static void add_wraps(void **state)
{
    int8_t a = INT8_MAX;
    int64_t b = INT64_MIN;
    uint16_t c = UINT16_MAX;

    (void)state;
    tsri_kern_get()->add(TSR_I8, 0, NULL, &a, NULL, &(int8_t){1}, NULL);
    CHECK_INT(a, INT8_MIN);
    tsri_kern_get()->add(TSR_I64, 0, NULL, &b, NULL, &(int64_t){-1}, NULL);
    CHECK_INT(b, INT64_MAX);
    tsri_kern_get()->add(TSR_U16, 0, NULL, &c, NULL, &(uint16_t){2}, NULL);
    CHECK_INT(c, 1);
}

/* Real and imaginary parts stay apart, also with 16 axes and a source repeated by stride 0. */
static void add_complex_with_all_axes(void **state)
{
    int64_t extent[TSR_MAX_NDIM], to[TSR_MAX_NDIM] = {0}, from[TSR_MAX_NDIM] = {0};
    double dst[3 * 4][2];
    const double src[2] = {0.5, DBL_EPSILON};

    (void)state;
    for (int a = 0; a < TSR_MAX_NDIM; ++a)
        extent[a] = 1;
    extent[0] = 2;
    extent[15] = 3;
    to[0] = 6;
    to[15] = 2;
    for (int i = 0; i < 12; ++i) {
        dst[i][0] = i;
        dst[i][1] = -i;
    }
    tsri_kern_get()->add(TSR_C128, TSR_MAX_NDIM, extent, dst, to, src, from);
    for (int i = 0; i < 12; ++i) {
        CHECK_DOUBLE(dst[i][0], i % 2 == 0 ? i + 0.5 : i, 0);
        CHECK_DOUBLE(dst[i][1], i % 2 == 0 ? -i + DBL_EPSILON : -i, 0);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(add_every_type),
        cmocka_unit_test(add_wraps),
        cmocka_unit_test(add_complex_with_all_axes),
    };
    return TSRT_RUN(argc, argv, tests);
}
