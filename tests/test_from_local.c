/* ranks: 1 2 3 4 6 8 */
/* Blocks that their owners give: every kind of layout and memory, every type, and what is refused.
 */
#include "support/data_in.h"

enum { LAYOUTS = 8 };

/* Near-even along one and two axes, uneven cuts, ranks without cells, no cells, replicated, no
 * axes; all with halos. */
static tsr_layout *layout_number(int number)
{
    const int size = tsrt_size();
    int64_t cuts[16] = {0};

    for (int k = 1; k <= size; ++k)
        cuts[k] = k == size ? 5 * size : k * (k + 1) / 2;
    switch (number) {
    case 0:
        return make_layout(1, TSR_SHAPE(5 * size + 1), NULL);
    case 1:
        return make_layout(3, TSR_SHAPE(9, 3 * size + 2, 4),
                           &(tsr_layout_options){.split = TSR_AXES(1), .halo = {1, 2, 3}});
    case 2:
        return make_layout(2, TSR_SHAPE(11, 17),
                           &(tsr_layout_options){.split = TSR_AXES(0, 1),
                                                 .halo_lo = {0, 2},
                                                 .halo_hi = {3, 1},
                                                 .periodic = TSR_AXES(1)});
    case 3:
        return make_layout(2, TSR_SHAPE(5 * size, 3),
                           &(tsr_layout_options){.cuts = {cuts}, .ncuts = {size + 1}});
    case 4:
        return make_layout(2, TSR_SHAPE(2, 5),
                           &(tsr_layout_options){.split = TSR_AXES(0),
                                                 .process_grid = {size, 1},
                                                 .halo = {1, 1},
                                                 .allow_empty = true});
    case 5:
        return make_layout(2, TSR_SHAPE(0, 4), &(tsr_layout_options){.split = TSR_WHOLE});
    case 6:
        return make_layout(2, TSR_SHAPE(5, 4),
                           &(tsr_layout_options){.split = TSR_WHOLE, .halo = {1, 1}});
    default:
        return make_layout(0, NULL, NULL);
    }
}

static void from_local_once(tsr_layout *layout, input_order order, tsr_dtype dtype)
{
    int64_t start[TSR_MAX_NDIM], extent[TSR_MAX_NDIM];
    tsr_array *array = NULL;
    const int ndim = tsr_layout_ndim(layout);

    CHECK_OK(tsr_layout_block(layout, tsr_layout_rank(layout), start, extent));
    input in = input_make(order, ndim, tsr_layout_shape(layout), start, extent, dtype, 3);
    CHECK_OK(tsr_from_local(layout, dtype, in.data, extent, order == INPUT_C ? NULL : in.stride,
                            &array));
    CHECK_INT(tsr_array_dtype(array), dtype);
    input_free(&in);
    check_indexed(array, 3);
    CHECK_OK(tsr_array_destroy(&array));
}

static void every_layout_order_and_type(void **state)
{
    (void)state;
    for (int number = 0; number < LAYOUTS; ++number) {
        tsr_layout *layout = layout_number(number);
        for (int order = 0; order < INPUT_ORDERS; ++order)
            for (int dtype = TSR_BOOL; dtype < TSR_DTYPE_END; ++dtype)
                from_local_once(layout, (input_order)order, (tsr_dtype)dtype);
        CHECK_OK(tsr_layout_destroy(&layout));
    }
}

/* One value for a whole row, and for the whole block. */
static void zero_strides(void **state)
{
    (void)state;
    tsr_layout *layout =
        make_layout(2, TSR_SHAPE(3 * tsrt_size(), 4), &(tsr_layout_options){.halo = {1, 1}});
    tsr_array *array = NULL;
    const double rows[] = {1, 2, 3};

    CHECK_OK(tsr_from_local(layout, TSR_F64, rows, TSR_SHAPE(3, 4), TSR_SHAPE(1, 0), &array));
    const tsr_view view = tsr_local(array);
    for (int64_t i = 0; i < 3; ++i)
        for (int64_t j = 0; j < 4; ++j)
            CHECK_DOUBLE(TSR_AT(double, view, i, j), (double)(i + 1), 0);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_from_local(layout, TSR_F64, rows + 1, TSR_SHAPE(3, 4), TSR_SHAPE(0, 0), &array));
    check_all_cells(array, 2, 0);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* The real parts of complex numbers are every second real number. */
static void real_parts(void **state)
{
    (void)state;
    tsr_layout *layout = make_layout(1, TSR_SHAPE(3 * tsrt_size()), NULL);
    tsr_array *array = NULL;
    const float numbers[] = {1, -1, 2, -2, 3, -3};

    CHECK_OK(tsr_from_local(layout, TSR_F32, numbers, TSR_SHAPE(3), TSR_SHAPE(2), &array));
    const tsr_view view = tsr_local(array);
    for (int64_t i = 0; i < 3; ++i)
        CHECK_DOUBLE(TSR_AT(float, view, i), (double)(i + 1), 0);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* Each rank of a replicated array gives its own copy. */
static void replicated_copies_may_differ(void **state)
{
    (void)state;
    tsr_layout *layout = make_layout(1, TSR_SHAPE(4), &(tsr_layout_options){.split = TSR_WHOLE});
    tsr_array *array = NULL;
    const int32_t mine = tsrt_rank();

    CHECK_OK(tsr_from_local(layout, TSR_I32, &mine, TSR_SHAPE(4), TSR_SHAPE(0), &array));
    check_all_cells(array, mine, 0);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* ---- refused --------------------------------------------------------------------------------- */

/* The same on all ranks, whichever of them is at fault; the array stays NULL. */
static void check_refused(tsr_status st, tsr_status expected, tsr_array **array, const char *text)
{
    CHECK_STATUS(st, expected);
    CHECK_TEXT("tsr_from_local");
    CHECK_TEXT(text);
    CHECK(*array == NULL);
    check_same_text();
}

static void one_rank_at_fault(void **state)
{
    (void)state;
    const double cells[16] = {0};
    for (int whole = 0; whole < 2; ++whole)
        for (int victim = 0; victim < tsrt_size(); ++victim) {
            const int64_t rows = whole ? 3 : 3 * tsrt_size();
            const bool faulty = tsrt_rank() == victim;
            tsr_layout *layout = make_layout(2, TSR_SHAPE(rows, 4),
                                             &(tsr_layout_options){.split = whole ? TSR_WHOLE : 0});
            tsr_array *array = (tsr_array *)&array;

            check_refused(
                tsr_from_local(layout, TSR_F64, cells, TSR_SHAPE(3, faulty ? 5 : 4), NULL, &array),
                TSR_ERR_VALUE, &array, "extent[1] is 5, must be 4");
            check_refused(
                tsr_from_local(layout, TSR_F64, cells, TSR_SHAPE(faulty ? -3 : 3, 4), NULL, &array),
                TSR_ERR_VALUE, &array, "extent[0] is -3");
            check_refused(
                tsr_from_local(layout, TSR_F64, cells, TSR_SHAPE(faulty ? 0 : 3, 4), NULL, &array),
                TSR_ERR_VALUE, &array, "extent[0] is 0, must be 3");
            check_refused(tsr_from_local(layout, TSR_F64, faulty ? NULL : cells, TSR_SHAPE(3, 4),
                                         NULL, &array),
                          TSR_ERR_VALUE, &array, "data is NULL");
            check_refused(tsr_from_local(layout, TSR_F64, cells, faulty ? NULL : TSR_SHAPE(3, 4),
                                         NULL, &array),
                          TSR_ERR_VALUE, &array, "extent is NULL");
            check_refused(tsr_from_local(layout, faulty ? (tsr_dtype)99 : TSR_F64, cells,
                                         TSR_SHAPE(3, 4), NULL, &array),
                          TSR_ERR_TYPE, &array, "dtype is 99");
            CHECK_STATUS(tsr_from_local(layout, TSR_F64, cells, TSR_SHAPE(3, 4), NULL,
                                        faulty ? NULL : &array),
                         TSR_ERR_VALUE);
            CHECK_TEXT("array is NULL");
            CHECK_OK(tsr_layout_destroy(&layout));
        }
}

static void ranks_disagree(void **state)
{
    (void)state;
    if (tsrt_size() == 1) tsrt_skip("one rank agrees with itself");
    const double cells[4] = {0};
    tsr_layout *layout = make_layout(1, TSR_SHAPE(2 * tsrt_size()), NULL);
    tsr_array *array = NULL;

    CHECK_STATUS(tsr_from_local(layout, tsrt_rank() == 1 ? TSR_I64 : TSR_F64, cells, TSR_SHAPE(2),
                                NULL, &array),
                 TSR_ERR_MISMATCH);
    check_same_text();
    CHECK(array == NULL);
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void no_layout(void **state)
{
    (void)state;
    tsr_array *array = (tsr_array *)&array;
    check_refused(tsr_from_local(NULL, TSR_F64, NULL, NULL, NULL, &array), TSR_ERR_VALUE, &array,
                  "layout is NULL");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layout_order_and_type),
        cmocka_unit_test(zero_strides),
        cmocka_unit_test(real_parts),
        cmocka_unit_test(replicated_copies_may_differ),
        cmocka_unit_test(one_rank_at_fault),
        cmocka_unit_test(ranks_disagree),
        cmocka_unit_test(no_layout),
    };
    return TSRT_RUN(argc, argv, tests);
}
