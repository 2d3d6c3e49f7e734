/* ranks: 1 2 3 4 6 8 */
#include "support/cells.h"

#include <math.h>

/* ---- one value ------------------------------------------------------------------------------- */

static tsr_layout *haloed_layout(void)
{
    return make_layout(3, TSR_SHAPE(9, 4, 3),
                       &(tsr_layout_options){.halo = {1, 0, 2}, .halo_lo = {0, 3}});
}

static void zeros_ones_full_of_every_type(void **state)
{
    tsr_layout *layout = haloed_layout();
    tsr_array *array = NULL;

    (void)state;
    for (int t = TSR_AUTO + 1; t < TSR_DTYPE_END; ++t) {
        const tsr_dtype dtype = (tsr_dtype)t;
        CHECK_OK(tsr_zeros(layout, dtype, &array));
        CHECK_INT(tsr_array_dtype(array), dtype);
        CHECK_INT(tsr_array_cells(array), 108);
        CHECK_INT(tsr_array_bytes(array), 108 * (int64_t)tsr_dtype_size(dtype));
        check_all_cells(array, 0, 0);
        tsr_array_destroy(&array);
        CHECK(array == NULL);

        CHECK_OK(tsr_ones(layout, dtype, &array));
        check_all_cells(array, 1, 1);
        tsr_array_destroy(&array);

        const double expected = dtype == TSR_BOOL ? 1 : dtype < TSR_F32 ? 2 : 2.5;
        CHECK_OK(tsr_full(layout, dtype, tsr_f64(2.5), &array));
        check_all_cells(array, expected, expected);
        tsr_array_destroy(&array);
    }
    tsr_layout_destroy(&layout);
}

/* The type of the value, when none is given. */
static void full_takes_the_type_of_the_value(void **state)
{
    const tsr_scalar values[] = {tsr_i64(-3), tsr_f64(2.5), tsr_bool(true), tsr_c64(1, -2),
                                 tsr_u64(UINT64_MAX)};
    tsr_layout *layout = haloed_layout();

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
        tsr_array *array = NULL;
        CHECK_OK(tsr_full(layout, TSR_AUTO, values[i], &array));
        CHECK_INT(tsr_array_dtype(array), values[i].dtype);
        check_all_cells(array, tsr_to_double(values[i]), tsr_to_double(values[i]));
        const tsr_view view = tsr_local(array);
        if (values[i].dtype == TSR_U64) CHECK(*(uint64_t *)view.data == UINT64_MAX);
        if (values[i].dtype == TSR_C64) CHECK_DOUBLE(((float *)view.data)[1], -2, 0);
        tsr_array_destroy(&array);
    }
    tsr_layout_destroy(&layout);
}

/* Without a value there is none to take the type from. */
static void others_need_a_type(void **state)
{
    (void)state;
    tsr_layout *layout = haloed_layout();
    tsr_array *array = NULL;
    CHECK_STATUS(tsr_empty(layout, TSR_AUTO, &array), TSR_ERR_TYPE);
    CHECK_STATUS(tsr_zeros(layout, TSR_AUTO, &array), TSR_ERR_TYPE);
    CHECK_STATUS(tsr_ones(layout, TSR_AUTO, &array), TSR_ERR_TYPE);
    CHECK(array == NULL);
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void storage_is_aligned(void **state)
{
    tsr_layout *layout = make_layout(0, NULL, NULL);
    tsr_layout *split = make_layout(1, TSR_SHAPE(17), NULL);
    tsr_array *arrays[12] = {NULL};

    (void)state;
    for (int i = 0; i < 12; ++i) {
        CHECK_OK(tsr_empty(i % 2 == 0 ? layout : split, TSR_I8, &arrays[i]));
        CHECK_INT((uintptr_t)tsr_local(arrays[i]).data % 64, 0);
    }
    for (int i = 0; i < 12; ++i)
        tsr_array_destroy(&arrays[i]);
    tsr_layout_destroy(&layout);
    tsr_layout_destroy(&split);
}

/* The layout may go before its arrays. */
static void the_array_keeps_its_layout(void **state)
{
    tsr_layout *layout = haloed_layout(), *kept = layout;
    tsr_array *array = NULL;

    (void)state;
    CHECK_OK(tsr_ones(layout, TSR_F32, &array));
    tsr_layout_destroy(&layout);
    CHECK(tsr_array_layout(array) == kept);
    CHECK_INT(tsr_layout_ndim(tsr_array_layout(array)), 3);
    CHECK_INT(tsr_array_shape(array)[2], 3);
    check_all_cells(array, 1, 1);
    tsr_array_destroy(&array);
    tsr_array_destroy(&array);
    tsr_array_destroy(NULL);
}

static void like_keeps_layout_type_and_boundaries(void **state)
{
    tsr_layout *layout = haloed_layout();
    tsr_array *a = NULL, *b = NULL;
    tsr_boundary boundary;

    (void)state;
    CHECK_OK(tsr_full(layout, TSR_I16, tsr_i64(5), &a));
    CHECK_OK(tsr_array_set_boundary(a, TSR_AXIS(1), TSR_HIGH_SIDE, TSR_CONSTANT, tsr_i32(9)));
    for (int i = 0; i < 4; ++i) {
        if (i == 0) CHECK_OK(tsr_empty_like(a, &b));
        if (i == 1) CHECK_OK(tsr_zeros_like(a, &b));
        if (i == 2) CHECK_OK(tsr_ones_like(a, &b));
        if (i == 3) CHECK_OK(tsr_full_like(a, tsr_f64(-7.9), &b));
        CHECK(tsr_array_layout(b) == layout);
        CHECK_INT(tsr_array_dtype(b), TSR_I16);
        CHECK_OK(tsr_array_boundary(b, 1, TSR_HIGH_SIDE, &boundary));
        CHECK_INT(boundary.kind, TSR_CONSTANT);
        CHECK_INT(boundary.value.as.i, 9);
        const double value[] = {0, 0, 1, -7};
        if (i > 0) check_all_cells(b, value[i], value[i]);
        if (tsr_local(a).data != NULL) CHECK(tsr_local(b).data != tsr_local(a).data);
        tsr_array_destroy(&b);
    }
    check_all_cells(a, 5, 5);
    tsr_array_destroy(&a);
    tsr_layout_destroy(&layout);
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* A number for every cell of the storage, negative ones and fractions too. */
static double coded(int64_t k)
{
    return (double)(k % 200) - 100.25;
}

static tsr_array *coded_array(tsr_layout *layout)
{
    tsr_array *array = NULL;

    CHECK_OK(tsr_empty(layout, TSR_F64, &array));
    const tsr_view view = tsr_local(array);
    int64_t local[TSR_MAX_NDIM];
    for (int64_t k = 0; k < stored_cells(&view); ++k) {
        stored_cell(&view, k, local);
        *(double *)cell_at(&view, local) = coded(k);
    }
    return array;
}

static double cast(tsr_dtype dtype, double v)
{
    if (dtype == TSR_BOOL) return v != 0;
    if (dtype >= TSR_F32) return v;
    if (dtype >= TSR_U8 && v < 0) return 0;
    return trunc(v);
}

static void astype_and_copy_take_halo_cells_along(void **state)
{
    tsr_layout *layout = haloed_layout();
    tsr_array *a = coded_array(layout), *b = NULL;
    tsr_boundary boundary;
    int64_t local[TSR_MAX_NDIM];

    (void)state;
    CHECK_OK(tsr_array_set_boundary(a, TSR_ALL_AXES, TSR_BOTH_SIDES, TSR_CONSTANT, tsr_f64(0.5)));
    for (int t = TSR_AUTO; t < TSR_DTYPE_END; ++t) {
        const tsr_dtype dtype = t == TSR_AUTO ? TSR_F64 : (tsr_dtype)t;
        if (t == TSR_AUTO)
            CHECK_OK(tsr_copy(a, &b));
        else
            CHECK_OK(tsr_astype(a, dtype, &b));
        CHECK_INT(tsr_array_dtype(b), dtype);
        CHECK(tsr_array_layout(b) == layout);
        CHECK_OK(tsr_array_boundary(b, 2, TSR_LOW_SIDE, &boundary));
        CHECK_DOUBLE(boundary.value.as.f, 0.5, 0);
        const tsr_view view = tsr_local(b);
        for (int64_t k = 0; k < stored_cells(&view); ++k) {
            stored_cell(&view, k, local);
            CHECK_DOUBLE(cell_value(&view, local), cast(dtype, coded(k)), 0);
        }
        if (view.data != NULL) CHECK(view.data != tsr_local(a).data);
        tsr_array_destroy(&b);
    }
    tsr_array_destroy(&a);
    tsr_layout_destroy(&layout);
}

/* ---- ranks without cells, empty arrays, no axes ---------------------------------------------- */

static void ranks_without_cells(void **state)
{
    tsr_layout *layout =
        make_layout(2, TSR_SHAPE(2, 5), &(tsr_layout_options){.halo = {1, 1}, .allow_empty = true});
    tsr_array *array = NULL, *copy = NULL;

    (void)state;
    CHECK_OK(tsr_ones(layout, TSR_F64, &array));
    const tsr_view view = tsr_local(array);
    CHECK_INT(view.ndim, 2);
    CHECK_INT(view.dtype, TSR_F64);
    if (tsrt_size() > 2 && tsrt_rank() >= 2) {
        CHECK(view.data == NULL);
        for (int a = 0; a < 2; ++a)
            CHECK(view.extent[a] == 0 && view.halo_lo[a] == 0 && view.halo_hi[a] == 0);
    } else {
        CHECK(view.data != NULL && view.extent[1] == 5 && view.halo_hi[0] == 1);
    }
    check_all_cells(array, 1, 1);
    CHECK_OK(tsr_astype(array, TSR_C64, &copy));
    check_all_cells(copy, 1, 1);
    CHECK_OK(tsr_array_swap(array, array));
    tsr_array_destroy(&copy);
    tsr_array_destroy(&array);
    tsr_layout_destroy(&layout);
}

static void arrays_without_cells(void **state)
{
    tsr_layout *layout =
        make_layout(2, TSR_SHAPE(0, 5), &(tsr_layout_options){.split = TSR_WHOLE, .halo = {2, 2}});
    tsr_array *array = NULL;
    int64_t length = -1;

    (void)state;
    CHECK_OK(tsr_full(layout, TSR_AUTO, tsr_c128(1, 2), &array));
    CHECK_INT(tsr_array_cells(array), 0);
    CHECK_INT(tsr_array_bytes(array), 0);
    CHECK_OK(tsr_array_length(array, &length));
    CHECK_INT(length, 0);
    CHECK(tsr_local(array).data == NULL);
    tsr_array_destroy(&array);
    tsr_layout_destroy(&layout);
}

static void no_axes(void **state)
{
    tsr_layout *layout = make_layout(0, NULL, NULL);
    tsr_array *array = NULL;
    int64_t length = 5;

    (void)state;
    CHECK_OK(tsr_full(layout, TSR_I32, tsr_i64(-4), &array));
    const tsr_view view = tsr_local(array);
    CHECK_INT(view.ndim, 0);
    CHECK_INT(*(int32_t *)view.data, -4);
    CHECK_INT(tsr_array_ndim(array), 0);
    CHECK_INT(tsr_array_cells(array), 1);
    CHECK_STATUS(tsr_array_length(array, &length), TSR_ERR_TYPE);
    tsr_array_destroy(&array);
    tsr_layout_destroy(&layout);
}

static void null_arrays(void **state)
{
    int64_t length;

    (void)state;
    CHECK(tsr_array_layout(NULL) == NULL && tsr_array_shape(NULL) == NULL);
    CHECK_INT(tsr_array_dtype(NULL), TSR_AUTO);
    CHECK_INT(tsr_array_ndim(NULL), 0);
    CHECK_INT(tsr_array_cells(NULL), 0);
    CHECK_INT(tsr_array_bytes(NULL), 0);
    CHECK_STATUS(tsr_array_length(NULL, &length), TSR_ERR_VALUE);
    const tsr_view view = tsr_local(NULL);
    CHECK(view.data == NULL && view.ndim == 0 && view.dtype == TSR_AUTO);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_ones_full_of_every_type),
        cmocka_unit_test(full_takes_the_type_of_the_value),
        cmocka_unit_test(others_need_a_type),
        cmocka_unit_test(storage_is_aligned),
        cmocka_unit_test(the_array_keeps_its_layout),
        cmocka_unit_test(like_keeps_layout_type_and_boundaries),
        cmocka_unit_test(astype_and_copy_take_halo_cells_along),
        cmocka_unit_test(ranks_without_cells),
        cmocka_unit_test(arrays_without_cells),
        cmocka_unit_test(no_axes),
        cmocka_unit_test(null_arrays),
    };
    return TSRT_RUN(argc, argv, tests);
}
