/* ranks: 1 2 3 4 6 8 */
/* A global array of one rank, given to all: values from every kind of memory, messages, errors. */
#include "support/data_in.h"

enum { LAYOUTS = 6 };

static tsr_layout *layout_number(int number)
{
    const int size = tsrt_size();
    int64_t cuts[16] = {0};

    for (int k = 1; k <= size; ++k)
        cuts[k] = k == size ? 5 * size : k * (k + 1) / 2;
    switch (number) {
    case 0:
        return make_layout(
            2, TSR_SHAPE(11, 17),
            &(tsr_layout_options){.split = TSR_AXES(0, 1), .halo_lo = {0, 2}, .halo_hi = {3, 1}});
    case 1:
        return make_layout(3, TSR_SHAPE(3, 5 * size, 2),
                           &(tsr_layout_options){.split = TSR_AXES(1),
                                                 .halo = {1, 1, 1},
                                                 .cuts = {NULL, cuts},
                                                 .ncuts = {0, size + 1}});
    case 2:
        return make_layout(1, TSR_SHAPE(2),
                           &(tsr_layout_options){.halo = {2}, .allow_empty = true});
    case 3:
        return make_layout(2, TSR_SHAPE(6, 5),
                           &(tsr_layout_options){.split = TSR_WHOLE, .halo = {1, 2}});
    case 4:
        return make_layout(2, TSR_SHAPE(4, 0), &(tsr_layout_options){.split = TSR_WHOLE});
    default:
        return make_layout(0, NULL, NULL);
    }
}

static void scatter_once(tsr_layout *layout, int root, input_order order, tsr_dtype dtype)
{
    const int64_t start[TSR_MAX_NDIM] = {0};
    const int64_t *shape = tsr_layout_shape(layout);
    tsr_array *array = NULL;
    input in = {0};

    if (tsrt_rank() == root)
        in = input_make(order, tsr_layout_ndim(layout), shape, start, shape, dtype, 5);
    CHECK_OK(
        tsr_scatter(layout, dtype, root, in.data, order == INPUT_C ? NULL : in.stride, &array));
    input_free(&in);
    check_indexed(array, 5);
    CHECK_OK(tsr_array_destroy(&array));
}

static void every_layout_root_and_type(void **state)
{
    (void)state;
    for (int number = 0; number < LAYOUTS; ++number) {
        tsr_layout *layout = layout_number(number);
        for (int root = 0; root < tsrt_size(); ++root)
            for (int dtype = TSR_BOOL; dtype < TSR_DTYPE_END; ++dtype)
                scatter_once(layout, root, (input_order)((dtype + root) % INPUT_ORDERS),
                             (tsr_dtype)dtype);
        CHECK_OK(tsr_layout_destroy(&layout));
    }
}

/* The root's strides may be 0; those of others are not looked at. */
static void one_value_for_all(void **state)
{
    (void)state;
    const double value = 4.5;
    const int64_t stride[] = {0, 0};
    for (int number = 0; number < 4; number += 3) {
        tsr_layout *layout = layout_number(number);
        tsr_array *array = NULL;
        CHECK_OK(tsr_scatter(layout, TSR_F64, 0, tsrt_rank() == 0 ? &value : NULL,
                             tsrt_rank() == 0 ? stride : NULL, &array));
        check_all_cells(array, 4.5, 0);
        CHECK_OK(tsr_array_destroy(&array));
        CHECK_OK(tsr_layout_destroy(&layout));
    }
}

/* Beyond the agreement, which an array without cells costs as well: one message to each other rank
 * with cells, of those cells. */
static void one_message_to_each_rank_with_cells(void **state)
{
    (void)state;
    static const double cells[64];
    const int64_t rows =
        tsrt_size() > 2 ? tsrt_size() - 1 : tsrt_size(); /* the last rank has none */
    const tsr_layout_options options = {.halo = {1, 1}, .allow_empty = true};
    tsr_layout *none = make_layout(2, TSR_SHAPE(0, 3), &options);
    tsr_layout *some = make_layout(2, TSR_SHAPE(rows, 3), &options);

    for (int root = 0; root < tsrt_size(); ++root) {
        tsr_array *array = NULL;
        const tsri_counters first = tsri_counters_read();
        CHECK_OK(tsr_scatter(none, TSR_F64, root, cells, NULL, &array));
        CHECK_OK(tsr_array_destroy(&array));
        const tsri_counters second = tsri_counters_read();
        CHECK_OK(tsr_scatter(some, TSR_F64, root, cells, NULL, &array));
        CHECK_OK(tsr_array_destroy(&array));
        const tsri_counters third = tsri_counters_read();
        if (!tsrt_counts_messages()) continue;
        const int64_t peers = tsrt_rank() == root ? rows - (root < rows) : 0;
        CHECK_INT(third.messages - second.messages - (second.messages - first.messages), peers);
        CHECK_INT(third.message_bytes - second.message_bytes -
                      (second.message_bytes - first.message_bytes),
                  peers * 3 * 8);
    }
    CHECK_OK(tsr_layout_destroy(&none));
    CHECK_OK(tsr_layout_destroy(&some));
}

/* ---- refused ----------------------------------------------------------------------------------
 */

static void check_refused(tsr_status st, tsr_status expected, tsr_array **array, const char *text)
{
    CHECK_STATUS(st, expected);
    CHECK_TEXT(text);
    CHECK(*array == NULL);
    check_same_text();
}

static void errors(void **state)
{
    (void)state;
    const double cells[256] = {0};
    const int size = tsrt_size(), last = size - 1;
    for (int number = 0; number < 4; number += 3) {
        tsr_layout *layout = layout_number(number);
        tsr_array *array = (tsr_array *)&array;
        check_refused(tsr_scatter(layout, TSR_F64, size, cells, NULL, &array), TSR_ERR_VALUE,
                      &array, "tsr_scatter: root is");
        check_refused(tsr_scatter(layout, TSR_F64, -1, cells, NULL, &array), TSR_ERR_VALUE, &array,
                      "root is -1");
        check_refused(tsr_scatter(layout, TSR_F64, TSR_ALL_RANKS, cells, NULL, &array),
                      TSR_ERR_VALUE, &array, "root is -2");
        check_refused(
            tsr_scatter(layout, TSR_F64, last, tsrt_rank() == last ? NULL : cells, NULL, &array),
            TSR_ERR_VALUE, &array, "data is NULL");
        check_refused(tsr_scatter(layout, tsrt_rank() == last ? (tsr_dtype)77 : TSR_F64, 0, cells,
                                  NULL, &array),
                      TSR_ERR_TYPE, &array, "dtype is 77");
        CHECK_STATUS(
            tsr_scatter(layout, TSR_F64, 0, cells, NULL, tsrt_rank() == last ? NULL : &array),
            TSR_ERR_VALUE);
        CHECK_TEXT("array is NULL");
        if (size > 1)
            check_refused(
                tsr_scatter(layout, TSR_F64, tsrt_rank() == last ? 0 : 1, cells, NULL, &array),
                TSR_ERR_MISMATCH, &array, "other arguments");
        CHECK_OK(tsr_layout_destroy(&layout));
    }
    tsr_array *array = (tsr_array *)&array;
    check_refused(tsr_scatter(NULL, TSR_F64, 0, cells, NULL, &array), TSR_ERR_VALUE, &array,
                  "layout is NULL");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layout_root_and_type),
        cmocka_unit_test(one_value_for_all),
        cmocka_unit_test(one_message_to_each_rank_with_cells),
        cmocka_unit_test(errors),
    };
    return TSRT_RUN(argc, argv, tests);
}
