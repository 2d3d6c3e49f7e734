/* ranks: 1 2 3 4 */
#include "support/cells.h"

#include <stdint.h>

/* What the calls below work on. */
static tsr_layout *layout, *huge;
static tsr_array *source;
static double data[12 * 4];

static tsr_status write_zeros(const int64_t *index, int64_t count, void *values, void *ctx)
{
    (void)index, (void)ctx;
    memset(values, 0, (size_t)count * sizeof(double));
    return TSR_OK;
}

static void begin(void)
{
    layout = make_layout(2, TSR_SHAPE(12, 4), &(tsr_layout_options){.halo = {1, 1}});
    CHECK_OK(tsr_ones(layout, TSR_F64, &source));
}

static void end(void)
{
    check_all_cells(source, 1, 1);
    tsr_array_destroy(&source);
    tsr_layout_destroy(&layout);
}

/* ---- one allocation fails -------------------------------------------------------------------- */

static tsr_status make_empty(tsr_array **out)
{
    return tsr_empty(layout, TSR_I8, out);
}

static tsr_status make_full(tsr_array **out)
{
    return tsr_full(layout, TSR_AUTO, tsr_f64(3), out);
}

static tsr_status make_like(tsr_array **out)
{
    return tsr_ones_like(source, out);
}

static tsr_status make_arange(tsr_array **out)
{
    return tsr_arange(TSR_COMM_WORLD, tsr_i64(0), tsr_i64(9), tsr_i64(1), TSR_AUTO,
                      &(tsr_layout_options){.halo = {1}}, out);
}

static tsr_status make_linspace(tsr_array **out)
{
    return tsr_linspace(TSR_COMM_WORLD, tsr_i64(0), tsr_i64(9), 12, true, TSR_F32, NULL, out);
}

static tsr_status make_fromfunction(tsr_array **out)
{
    return tsr_fromfunction(layout, TSR_F64, write_zeros, NULL, out);
}

static tsr_status make_from_global(tsr_array **out)
{
    return tsr_from_global(layout, TSR_F64, data, NULL, out);
}

static tsr_status make_copy(tsr_array **out)
{
    return tsr_copy(source, out);
}

static tsr_status make_astype(tsr_array **out)
{
    return tsr_astype(source, TSR_C64, out);
}

typedef tsr_status make(tsr_array **out);
static make *const calls[] = {make_empty,       make_full,     make_like,
                              make_arange,      make_linspace, make_fromfunction,
                              make_from_global, make_copy,     make_astype};
enum { CALLS = sizeof calls / sizeof calls[0] };

/* The n-th allocation on one rank fails: false when there are fewer. */
static bool fail_once(make *call, int victim, int64_t n)
{
    const int64_t live = tsri_counters_read().live_blocks;
    tsr_array *array = (tsr_array *)&array;

    if (tsrt_rank() == victim) tsri_fault_arm(n);
    const tsr_status st = call(&array);
    bool fired = tsri_fault_fired();
    tsri_fault_arm(-1);
    tsrt_bcast(&fired, sizeof fired, victim);
    CHECK_SAME_ON_ALL(st);
    if (!fired) {
        CHECK_OK(st);
        tsr_array_destroy(&array);
    } else {
        CHECK_STATUS(st, TSR_ERR_NOMEM);
        CHECK(array == NULL);
        check_same_text();
    }
    CHECK_INT(tsri_counters_read().live_blocks, live);
    return fired;
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    begin();
    for (int c = 0; c < CALLS; ++c)
        for (int victim = 0; victim < tsrt_size(); ++victim) {
            int64_t n = 0;
            while (fail_once(calls[c], victim, n))
                ++n;
            /* The array, its storage, the memory at least. */
            CHECK(n >= 3);
        }
    end();
}

/* ---- one rank passes something else ---------------------------------------------------------- */

static tsr_status odd_dtype(bool odd, tsr_array **out)
{
    return tsr_empty(layout, odd ? (tsr_dtype)77 : TSR_F64, out);
}

static tsr_status odd_out(bool odd, tsr_array **out)
{
    return tsr_zeros(layout, TSR_F64, odd ? NULL : out);
}

static tsr_status odd_value(bool odd, tsr_array **out)
{
    return tsr_full(layout, TSR_F64, odd ? (tsr_scalar){.dtype = TSR_AUTO} : tsr_i64(1), out);
}

static tsr_status odd_function(bool odd, tsr_array **out)
{
    return tsr_fromfunction(layout, TSR_F64, odd ? NULL : write_zeros, NULL, out);
}

static tsr_status odd_data(bool odd, tsr_array **out)
{
    return tsr_from_global(layout, TSR_F64, odd ? NULL : data, NULL, out);
}

static tsr_status odd_step(bool odd, tsr_array **out)
{
    return tsr_arange(TSR_COMM_WORLD, tsr_i64(0), tsr_i64(9), tsr_i64(odd ? 0 : 1), TSR_AUTO, NULL,
                      out);
}

static tsr_status odd_options(bool odd, tsr_array **out)
{
    return tsr_arange(TSR_COMM_WORLD, tsr_i64(0), tsr_i64(9), tsr_i64(1), TSR_AUTO,
                      &(tsr_layout_options){.halo = {odd ? -1 : 0}}, out);
}

static tsr_status odd_num(bool odd, tsr_array **out)
{
    return tsr_linspace(TSR_COMM_WORLD, tsr_i64(0), tsr_i64(9), odd ? -5 : 9, true, TSR_AUTO, NULL,
                        out);
}

static tsr_status odd_range_type(bool odd, tsr_array **out)
{
    return tsr_linspace(TSR_COMM_WORLD, tsr_i64(0), tsr_i64(9), 9, true,
                        odd ? (tsr_dtype)-3 : TSR_F64, NULL, out);
}

typedef tsr_status odd_call(bool odd, tsr_array **out);

static void check_odd(odd_call *call, tsr_status expected)
{
    for (int odd = 0; odd < tsrt_size(); ++odd) {
        const int64_t live = tsri_counters_read().live_blocks;
        tsr_array *array = (tsr_array *)&array;
        CHECK_STATUS(call(odd == tsrt_rank(), &array), expected);
        CHECK(array == NULL || (call == odd_out && odd == tsrt_rank()));
        check_same_text();
        CHECK_INT(tsri_counters_read().live_blocks, live);
    }
}

static void one_rank_passes_something_impossible(void **state)
{
    (void)state;
    begin();
    check_odd(odd_dtype, TSR_ERR_TYPE);
    check_odd(odd_out, TSR_ERR_VALUE);
    check_odd(odd_value, TSR_ERR_VALUE);
    check_odd(odd_function, TSR_ERR_VALUE);
    check_odd(odd_data, TSR_ERR_VALUE);
    check_odd(odd_step, TSR_ERR_VALUE);
    check_odd(odd_options, TSR_ERR_VALUE);
    check_odd(odd_num, TSR_ERR_VALUE);
    /* With one rank there is nobody to differ from. */
    check_odd(odd_range_type, tsrt_size() == 1 ? TSR_ERR_TYPE : TSR_ERR_MISMATCH);
    end();
}

static tsr_status other_value(bool odd, tsr_array **out)
{
    return tsr_full(layout, TSR_F64, tsr_i64(odd ? 2 : 1), out);
}

static tsr_status other_type(bool odd, tsr_array **out)
{
    return tsr_zeros(layout, odd ? TSR_F32 : TSR_I32, out);
}

static tsr_status other_call(bool odd, tsr_array **out)
{
    return odd ? tsr_zeros(layout, TSR_F64, out) : tsr_empty(layout, TSR_F64, out);
}

static tsr_status other_layout(bool odd, tsr_array **out)
{
    return tsr_empty(odd ? huge : layout, TSR_F64, out);
}

static tsr_status other_stop(bool odd, tsr_array **out)
{
    return tsr_arange(TSR_COMM_WORLD, tsr_i64(0), odd ? tsr_i64(9) : tsr_f64(9), tsr_i64(1),
                      TSR_AUTO, NULL, out);
}

static tsr_status other_endpoint(bool odd, tsr_array **out)
{
    return tsr_linspace(TSR_COMM_WORLD, tsr_i64(0), tsr_i64(9), 9, odd, TSR_AUTO, NULL, out);
}

static tsr_status other_halo(bool odd, tsr_array **out)
{
    return tsr_linspace(TSR_COMM_WORLD, tsr_i64(0), tsr_i64(9), 9, true, TSR_AUTO,
                        &(tsr_layout_options){.halo = {odd}}, out);
}

static tsr_status other_astype(bool odd, tsr_array **out)
{
    return tsr_astype(source, odd ? TSR_I8 : TSR_U8, out);
}

static void one_rank_passes_something_else(void **state)
{
    odd_call *const others[] = {other_value, other_type,     other_call, other_layout,
                                other_stop,  other_endpoint, other_halo, other_astype};

    (void)state;
    if (tsrt_size() == 1) tsrt_skip("needs two ranks to differ");
    begin();
    huge = make_layout(2, TSR_SHAPE(12, 5), NULL);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
        check_odd(others[i], TSR_ERR_MISMATCH);
    tsr_layout_destroy(&huge);
    end();
}

/* ---- too large ------------------------------------------------------------------------------- */

static void storage_that_cannot_be(void **state)
{
    tsr_array *array = (tsr_array *)&array;

    (void)state;
    /* 2^62 cells on one rank fit 64 bits, their bytes do not. */
    huge = make_layout(2, TSR_SHAPE(INT64_C(1) << 31, INT64_C(1) << 31),
                       &(tsr_layout_options){.split = TSR_WHOLE});
    CHECK_STATUS(tsr_zeros(huge, TSR_F64, &array), TSR_ERR_OVERFLOW);
    CHECK(array == NULL);
    check_same_text();
    CHECK_TEXT("tsr_zeros: ");
    tsr_layout_destroy(&huge);
}

static void no_layout_or_array(void **state)
{
    tsr_array *array = (tsr_array *)&array;

    (void)state;
    CHECK_STATUS(tsr_zeros(NULL, TSR_F64, &array), TSR_ERR_VALUE);
    CHECK(array == NULL);
    CHECK_TEXT("tsr_zeros: layout is NULL");
    CHECK_STATUS(tsr_fromfunction(NULL, TSR_F64, write_zeros, NULL, &array), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_from_global(NULL, TSR_F64, data, NULL, &array), TSR_ERR_VALUE);
    array = (tsr_array *)&array;
    CHECK_STATUS(tsr_zeros_like(NULL, &array), TSR_ERR_VALUE);
    CHECK(array == NULL);
    array = (tsr_array *)&array;
    CHECK_STATUS(tsr_copy(NULL, &array), TSR_ERR_VALUE);
    CHECK(array == NULL);
    CHECK_TEXT("tsr_copy: array is NULL");
    CHECK_STATUS(tsr_astype(NULL, TSR_F64, &array), TSR_ERR_VALUE);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(one_rank_passes_something_impossible),
        cmocka_unit_test(one_rank_passes_something_else),
        cmocka_unit_test(storage_that_cannot_be),
        cmocka_unit_test(no_layout_or_array),
    };
    return TSRT_RUN(argc, argv, tests);
}
