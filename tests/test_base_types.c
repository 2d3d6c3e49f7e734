/* ranks: 1 */
#include "support/harness.h"

#include <complex.h>
#include <math.h>

static void sizes_and_names_are_numpys(void **state)
{
    (void)state;
    static const struct {
        tsr_dtype dtype;
        size_t size;
        const char *name;
    } expected[] = {
        {TSR_BOOL, 1, "bool"},        {TSR_I8, 1, "int8"},     {TSR_I16, 2, "int16"},
        {TSR_I32, 4, "int32"},        {TSR_I64, 8, "int64"},   {TSR_U8, 1, "uint8"},
        {TSR_U16, 2, "uint16"},       {TSR_U32, 4, "uint32"},  {TSR_U64, 8, "uint64"},
        {TSR_F32, 4, "float32"},      {TSR_F64, 8, "float64"}, {TSR_C64, 8, "complex64"},
        {TSR_C128, 16, "complex128"},
    };
    const int count = (int)(sizeof expected / sizeof expected[0]);
    CHECK_INT(count, TSR_DTYPE_END - 1);
    for (int i = 0; i < count; ++i) {
        CHECK_INT(expected[i].dtype, i + 1);
        CHECK_INT(tsr_dtype_size(expected[i].dtype), expected[i].size);
        CHECK_STR(tsr_dtype_name(expected[i].dtype), expected[i].name);
    }
    const int none[] = {TSR_AUTO, TSR_DTYPE_END, -1, 1000};
    for (int i = 0; i < 4; ++i) {
        CHECK_INT(tsr_dtype_size((tsr_dtype)none[i]), 0);
        CHECK_STR(tsr_dtype_name((tsr_dtype)none[i]), "?");
    }
    CHECK_INT(sizeof(float complex), tsr_dtype_size(TSR_C64));
    CHECK_INT(sizeof(double complex), tsr_dtype_size(TSR_C128));
}

static void scalars_carry_their_type(void **state)
{
    (void)state;
    CHECK(tsr_bool(true).dtype == TSR_BOOL && tsr_bool(true).as.b);
    CHECK(tsr_i8(-128).dtype == TSR_I8 && tsr_i8(-128).as.i == -128);
    CHECK(tsr_i16(-7).dtype == TSR_I16 && tsr_i16(-7).as.i == -7);
    CHECK(tsr_i32(INT32_MIN).dtype == TSR_I32 && tsr_i32(INT32_MIN).as.i == INT32_MIN);
    CHECK(tsr_i64(INT64_MIN).dtype == TSR_I64 && tsr_i64(INT64_MIN).as.i == INT64_MIN);
    CHECK(tsr_u8(255).dtype == TSR_U8 && tsr_u8(255).as.u == 255);
    CHECK(tsr_u16(65535).dtype == TSR_U16 && tsr_u16(65535).as.u == 65535);
    CHECK(tsr_u32(UINT32_MAX).dtype == TSR_U32 && tsr_u32(UINT32_MAX).as.u == UINT32_MAX);
    CHECK(tsr_u64(UINT64_MAX).dtype == TSR_U64 && tsr_u64(UINT64_MAX).as.u == UINT64_MAX);
    CHECK(tsr_f32(0.1f).dtype == TSR_F32 && (float)tsr_f32(0.1f).as.f == 0.1f);
    CHECK(tsr_f64(0.1).dtype == TSR_F64 && tsr_f64(0.1).as.f == 0.1);
    const tsr_scalar c = tsr_c64(1.5f, -2), z = tsr_c128(0.1, 0.2);
    CHECK(c.dtype == TSR_C64 && c.as.c[0] == 1.5 && c.as.c[1] == -2);
    CHECK(z.dtype == TSR_C128 && z.as.c[0] == 0.1 && z.as.c[1] == 0.2);
}

static void scalars_as_double(void **state)
{
    (void)state;
    CHECK_DOUBLE(tsr_to_double(tsr_bool(true)), 1, 0);
    CHECK_DOUBLE(tsr_to_double(tsr_bool(false)), 0, 0);
    CHECK_DOUBLE(tsr_to_double(tsr_i8(-3)), -3, 0);
    CHECK_DOUBLE(tsr_to_double(tsr_i64(INT64_MIN)), -0x1p63, 0);
    CHECK_DOUBLE(tsr_to_double(tsr_u64(UINT64_MAX)), 0x1p64, 0);
    CHECK_DOUBLE(tsr_to_double(tsr_f32(0.5f)), 0.5, 0);
    CHECK_DOUBLE(tsr_to_double(tsr_f64(-INFINITY)), -INFINITY, 0);
    CHECK_DOUBLE(tsr_to_double(tsr_c64(2, 9)), 2, 0);
    CHECK_DOUBLE(tsr_to_double(tsr_c128(0.1, 9)), 0.1, 0);
    CHECK_DOUBLE(tsr_to_double((tsr_scalar){.as.i = 5}), 0, 0);
}

static void scalars_as_integer(void **state)
{
    (void)state;
    CHECK_INT(tsr_to_int64(tsr_bool(true)), 1);
    CHECK_INT(tsr_to_int64(tsr_i16(-9)), -9);
    CHECK_INT(tsr_to_int64(tsr_i64(INT64_MAX)), INT64_MAX);
    CHECK_INT(tsr_to_int64(tsr_i64((INT64_C(1) << 53) + 1)), (INT64_C(1) << 53) + 1);
    CHECK_INT(tsr_to_int64(tsr_u64(INT64_MAX)), INT64_MAX);
    CHECK_INT(tsr_to_int64(tsr_u64(UINT64_MAX)), INT64_MAX);
    CHECK_INT(tsr_to_int64(tsr_u32(UINT32_MAX)), UINT32_MAX);
    CHECK_INT(tsr_to_int64(tsr_f64(2.9)), 2);
    CHECK_INT(tsr_to_int64(tsr_f64(-2.9)), -2);
    CHECK_INT(tsr_to_int64(tsr_f32(-0.5f)), 0);
    CHECK_INT(tsr_to_int64(tsr_f64(0x1p63)), INT64_MAX);
    CHECK_INT(tsr_to_int64(tsr_f64(0x1.fffffffffffffp62)), INT64_C(0x7ffffffffffffc00));
    CHECK_INT(tsr_to_int64(tsr_f64(-0x1p63)), INT64_MIN);
    CHECK_INT(tsr_to_int64(tsr_f64(-1e300)), INT64_MIN);
    CHECK_INT(tsr_to_int64(tsr_f64(INFINITY)), INT64_MAX);
    CHECK_INT(tsr_to_int64(tsr_f64(-INFINITY)), INT64_MIN);
    CHECK_INT(tsr_to_int64(tsr_f64(NAN)), 0);
    CHECK_INT(tsr_to_int64(tsr_c128(7.5, NAN)), 7);
    CHECK_INT(tsr_to_int64((tsr_scalar){.as.i = 5}), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_and_names_are_numpys),
        cmocka_unit_test(scalars_carry_their_type),
        cmocka_unit_test(scalars_as_double),
        cmocka_unit_test(scalars_as_integer),
    };
    return TSRT_RUN(argc, argv, tests);
}
