/* ranks: 1 2 3 4 6 8 */
/* Pieces that do not fit together, and arguments that are wrong on some rank: the same status and
 * sentence on all ranks, and no array. */
#include "support/data_in.h"

static const double zeros[64];

static void check_refused(tsr_status st, tsr_status expected, tsr_array **array, const char *text)
{
    CHECK_STATUS(st, expected);
    CHECK_TEXT(text);
    CHECK(*array == NULL);
    CHECK_SAME_ON_ALL(st);
    check_same_text();
}

static void C_27_other_lengths(void **state)
{
    (void)state;
    if (tsrt_size() < 2) tsrt_skip("one piece fits itself");
    for (int odd = 0; odd < tsrt_size(); ++odd) {
        tsr_array *array = (tsr_array *)&array;
        const int64_t extent[] = {2, tsrt_rank() == odd ? 4 : 3};
        check_refused(
            tsr_from_pieces(TSR_COMM_WORLD, 2, extent, 0, TSR_F64, zeros, NULL, NULL, &array),
            TSR_ERR_VALUE, &array, "along axis 1");
        CHECK_TEXT("tsr_from_pieces");
    }
}

static void C_28_other_types(void **state)
{
    (void)state;
    if (tsrt_size() < 2) tsrt_skip("one piece fits itself");
    for (int odd = 0; odd < tsrt_size(); ++odd) {
        tsr_array *array = (tsr_array *)&array;
        check_refused(tsr_from_pieces(TSR_COMM_WORLD, 1, TSR_SHAPE(2), 0,
                                      tsrt_rank() == odd ? TSR_F32 : TSR_F64, zeros, NULL, NULL,
                                      &array),
                      TSR_ERR_VALUE, &array, "float32");
    }
}

static void C_29_no_such_axis(void **state)
{
    (void)state;
    tsr_array *array = (tsr_array *)&array;
    check_refused(
        tsr_from_pieces(TSR_COMM_WORLD, 2, TSR_SHAPE(2, 3), 2, TSR_F64, zeros, NULL, NULL, &array),
        TSR_ERR_VALUE, &array, "axis is 2, but the array has 2 axes");
    check_refused(
        tsr_from_pieces(TSR_COMM_WORLD, 2, TSR_SHAPE(2, 3), -3, TSR_F64, zeros, NULL, NULL, &array),
        TSR_ERR_VALUE, &array, "axis is -3");
    check_refused(tsr_from_pieces(TSR_COMM_WORLD, 0, NULL, 0, TSR_F64, zeros, NULL, NULL, &array),
                  TSR_ERR_VALUE, &array, "no axes");
}

static void ranks_disagree(void **state)
{
    (void)state;
    if (tsrt_size() < 2) tsrt_skip("one rank agrees with itself");
    const tsr_layout_options whole = {.split = TSR_WHOLE}, halo = {.halo = {1}}, none = {0};
    for (int odd = 0; odd < tsrt_size(); ++odd) {
        const bool is = tsrt_rank() == odd;
        tsr_array *array = (tsr_array *)&array;
        const int64_t extent[] = {2, 2, 2};

        check_refused(tsr_from_pieces(TSR_COMM_WORLD, is ? 3 : 2, extent, 0, TSR_F64, zeros, NULL,
                                      NULL, &array),
                      TSR_ERR_VALUE, &array, "axes");
        check_refused(tsr_from_pieces(TSR_COMM_WORLD, 2, extent, is ? 1 : -2, TSR_F64, zeros, NULL,
                                      NULL, &array),
                      TSR_ERR_VALUE, &array, "axis is");
        check_refused(tsr_from_pieces(TSR_COMM_WORLD, 2, extent, 0, TSR_F64, zeros, NULL,
                                      is ? &whole : &none, &array),
                      TSR_ERR_VALUE, &array, "TSR_WHOLE on rank");
        check_refused(tsr_from_pieces(TSR_COMM_WORLD, 1, TSR_SHAPE(is ? 3 : 2), 0, TSR_F64, zeros,
                                      NULL, &whole, &array),
                      TSR_ERR_VALUE, &array, "along axis 0");
        check_refused(tsr_from_pieces(TSR_COMM_WORLD, 2, extent, 0, TSR_F64, zeros, NULL,
                                      is ? &halo : &none, &array),
                      TSR_ERR_MISMATCH, &array, "other arguments");
    }
}

static void one_rank_at_fault(void **state)
{
    (void)state;
    for (int victim = 0; victim < tsrt_size(); ++victim) {
        const bool is = tsrt_rank() == victim;
        tsr_array *array = (tsr_array *)&array;
        const int64_t extent[] = {2, 2};

        check_refused(tsr_from_pieces(TSR_COMM_WORLD, is ? 17 : 2, extent, 0, TSR_F64, zeros, NULL,
                                      NULL, &array),
                      TSR_ERR_VALUE, &array, "ndim is 17");
        check_refused(tsr_from_pieces(TSR_COMM_WORLD, 2, is ? NULL : extent, 0, TSR_F64, zeros,
                                      NULL, NULL, &array),
                      TSR_ERR_VALUE, &array, "extent is NULL");
        check_refused(tsr_from_pieces(TSR_COMM_WORLD, 2, TSR_SHAPE(is ? -1 : 2, 2), 0, TSR_F64,
                                      zeros, NULL, NULL, &array),
                      TSR_ERR_VALUE, &array, "extent[0] is -1");
        check_refused(tsr_from_pieces(TSR_COMM_WORLD, 2, extent, 0, is ? TSR_AUTO : TSR_F64, zeros,
                                      NULL, NULL, &array),
                      TSR_ERR_TYPE, &array, "dtype is 0");
        check_refused(tsr_from_pieces(TSR_COMM_WORLD, 2, extent, 0, TSR_F64, is ? NULL : zeros,
                                      NULL, NULL, &array),
                      TSR_ERR_VALUE, &array, "data is NULL");
        check_refused(tsr_from_pieces(TSR_COMM_WORLD, 2, extent, is ? 5 : 0, TSR_F64, zeros, NULL,
                                      NULL, &array),
                      TSR_ERR_VALUE, &array, "axis is 5");
        check_refused(tsr_from_pieces(TSR_COMM_WORLD, 2, TSR_SHAPE(is ? INT64_MAX : 2, 2), 0,
                                      TSR_F64, zeros, NULL, NULL, &array),
                      TSR_ERR_OVERFLOW, &array, "64 bits");
        CHECK_STATUS(tsr_from_pieces(TSR_COMM_WORLD, 2, extent, 0, TSR_F64, zeros, NULL, NULL,
                                     is ? NULL : &array),
                     TSR_ERR_VALUE);
        CHECK_TEXT("array is NULL");
    }
}

static void options_that_do_not_fit(void **state)
{
    (void)state;
    const int64_t cuts[] = {0, 4};
    const tsr_layout_options refused[] = {{.split = TSR_AXES(1)},
                                          {.split = TSR_AXES(0, 1)},
                                          {.process_grid = {tsrt_size(), 1}},
                                          {.cuts = {NULL, cuts}, .ncuts = {0, 2}},
                                          {.reorder = true}};
    tsr_array *array = (tsr_array *)&array;

    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i)
        check_refused(tsr_from_pieces(TSR_COMM_WORLD, 2, TSR_SHAPE(2, 4), 0, TSR_F64, zeros, NULL,
                                      &refused[i], &array),
                      TSR_ERR_VALUE, &array, "options.");
    CHECK_OK(tsr_from_pieces(TSR_COMM_WORLD, 2, TSR_SHAPE(2, 4), 0, TSR_F64, zeros, NULL,
                             &(tsr_layout_options){.split = TSR_AXES(0)}, &array));
    CHECK_OK(tsr_array_destroy(&array));
}

/* Fewer rows than ranks; with allow_empty the last ranks own nothing. */
static void too_few_rows(void **state)
{
    (void)state;
    const int size = tsrt_size();
    const bool last = tsrt_rank() == size - 1;
    tsr_array *array = (tsr_array *)&array;
    const float row[2] = {1, 1};

    if (size > 1)
        check_refused(tsr_from_pieces(TSR_COMM_WORLD, 2, TSR_SHAPE(last ? 1 : 0, 2), 0, TSR_F32,
                                      row, NULL, NULL, &array),
                      TSR_ERR_VALUE, &array, "axis 0");
    for (int64_t n = 0; n < 2; ++n) {
        CHECK_OK(tsr_from_pieces(TSR_COMM_WORLD, 2, TSR_SHAPE(last ? n : 0, 2), 0, TSR_F32, row,
                                 NULL, &(tsr_layout_options){.allow_empty = true}, &array));
        CHECK_INT(tsr_array_shape(array)[0], n);
        check_all_cells(array, 1, 0);
        CHECK((tsr_local(array).data != NULL) == (tsrt_rank() == 0 && n > 0));
        CHECK_OK(tsr_array_destroy(&array));
    }
}

/* The rows of all together do not fit, though each rank's do. */
static void too_many_rows(void **state)
{
    (void)state;
    if (tsrt_size() < 2) tsrt_skip("needs 2 ranks");
    tsr_array *array = (tsr_array *)&array;
    check_refused(tsr_from_pieces(TSR_COMM_WORLD, 2, TSR_SHAPE(INT64_MAX - 1, 0), 0, TSR_F64, NULL,
                                  NULL, NULL, &array),
                  TSR_ERR_OVERFLOW, &array, "64 bits");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C_27_other_lengths), cmocka_unit_test(C_28_other_types),
        cmocka_unit_test(C_29_no_such_axis),  cmocka_unit_test(ranks_disagree),
        cmocka_unit_test(one_rank_at_fault),  cmocka_unit_test(options_that_do_not_fit),
        cmocka_unit_test(too_few_rows),       cmocka_unit_test(too_many_rows),
    };
    return TSRT_RUN(argc, argv, tests);
}
