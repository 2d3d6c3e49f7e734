/* ranks: 1 2 3 */
/* Fill values of every type in arrays of every type, halo cells included. */
#include "support/cells.h"

#include <math.h>

/* A value, an element type, and the element's bytes as a C value of that type. */
typedef struct fill_case {
    tsr_scalar value;
    tsr_dtype dtype;
    union {
        bool b;
        int8_t i8;
        int32_t i32;
        int64_t i64;
        uint8_t u8;
        uint64_t u64;
        float f[2];
        double d[2];
    } element;
} fill_case;

static void check_fill(tsr_layout *layout, const fill_case *c, int number)
{
    tsr_array *array = NULL;
    int64_t local[TSR_MAX_NDIM];

    CHECK_OK(tsr_full(layout, c->dtype, c->value, &array));
    const tsr_view view = tsr_local(array);
    CHECK(stored_cells(&view) > 0);
    for (int64_t k = 0; k < stored_cells(&view); ++k) {
        (void)stored_cell(&view, k, local);
        if (memcmp(cell_at(&view, local), &c->element, tsr_dtype_size(c->dtype)) != 0)
            tsrt_fail(__FILE__, __LINE__, "wrong fill value in case %d", number);
    }
    CHECK_OK(tsr_array_destroy(&array));
}

static void converted_values(void **state)
{
    (void)state;
    const fill_case cases[] = {
        {tsr_u64(UINT64_MAX), TSR_U64, {.u64 = UINT64_MAX}},
        {tsr_u64(UINT64_MAX), TSR_I64, {.i64 = -1}},
        {tsr_u64(UINT64_MAX), TSR_F64, {.d = {0x1p64}}},
        {tsr_u64(UINT64_MAX), TSR_BOOL, {.b = true}},
        {tsr_u64((uint64_t)1 << 63), TSR_F32, {.f = {0x1p63f}}},
        {tsr_i64(INT64_MIN), TSR_I64, {.i64 = INT64_MIN}},
        {tsr_i64(INT64_MIN), TSR_U64, {.u64 = (uint64_t)1 << 63}},
        {tsr_i64(300), TSR_U8, {.u8 = 44}},
        {tsr_i64(-1), TSR_C64, {.f = {-1, 0}}},
        {tsr_f64(2.5), TSR_I32, {.i32 = 2}},
        {tsr_f64(-2.5), TSR_I8, {.i8 = -2}},
        {tsr_f64(NAN), TSR_BOOL, {.b = true}},
        {tsr_f64(NAN), TSR_I64, {.i64 = 0}},
        {tsr_f64(1e300), TSR_I64, {.i64 = INT64_MAX}},
        {tsr_f64(0.1), TSR_F32, {.f = {0.1f}}},
        {tsr_f64(-0.0), TSR_F64, {.d = {-0.0}}},
        {tsr_bool(true), TSR_F64, {.d = {1}}},
        {tsr_bool(false), TSR_U8, {.u8 = 0}},
        {tsr_bool(true), TSR_BOOL, {.b = true}},
        {tsr_c128(1.5, -2.5), TSR_C128, {.d = {1.5, -2.5}}},
        {tsr_c128(1.5, -2.5), TSR_C64, {.f = {1.5f, -2.5f}}},
        {tsr_c128(1.5, -2.5), TSR_F64, {.d = {1.5}}},
        {tsr_c128(0, -2.5), TSR_BOOL, {.b = true}},
        {tsr_c64(0, 0), TSR_BOOL, {.b = false}},
    };
    tsr_layout *layout =
        make_layout(2, TSR_SHAPE(2 * tsrt_size(), 3), &(tsr_layout_options){.halo = {1, 2}});
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        check_fill(layout, &cases[i], (int)i);
    CHECK_OK(tsr_layout_destroy(&layout));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(converted_values)};
    return TSRT_RUN(argc, argv, tests);
}
