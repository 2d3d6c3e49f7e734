/* ranks: 1 2 3 4 6 8 */
/* Values of one layout in another: every pair of layouts, and exactly the overlaps as messages. */
#include "move/redistribute.h"
#include "support/data_in.h"

static const char call[] = "tsr_redistribute";

/* An array of the global values of seed 7. */
static tsr_array *indexed(tsr_layout *layout, tsr_dtype dtype)
{
    const int64_t *shape = tsr_layout_shape(layout);
    const int64_t start[TSR_MAX_NDIM] = {0};
    tsr_array *array = NULL;
    input in = input_make(INPUT_C, tsr_layout_ndim(layout), shape, start, shape, dtype, 7);
    CHECK_OK(tsr_from_global(layout, dtype, in.data, NULL, &array));
    input_free(&in);
    return array;
}

/* ---- messages ---------------------------------------------------------------------------------
 */

/* Move an array from one layout to another and back to itself: beyond agreement, which is what a
 * move that moves nothing costs, this rank sends the elements of its line of `matrix`. */
static void check_matrix(tsr_comm comm, int ranks, int ndim, const int64_t *shape,
                         const tsr_layout_options *from, const tsr_layout_options *to,
                         const int64_t *matrix)
{
    tsr_layout *old_layout = NULL, *new_layout = NULL;
    tsr_array *same = NULL, *moved = NULL;
    int64_t messages = 0, elements = 0;

    CHECK_OK(tsr_layout_create(comm, ndim, shape, from, &old_layout));
    CHECK_OK(tsr_layout_create(comm, ndim, shape, to, &new_layout));
    tsr_array *array = indexed(old_layout, TSR_F64);
    CHECK_OK(tsr_zeros(old_layout, TSR_F64, &same));
    CHECK_OK(tsr_zeros(new_layout, TSR_F64, &moved));
    const tsri_counters first = tsri_counters_read();
    CHECK_OK(tsri_redistribute(call, array, same));
    const tsri_counters second = tsri_counters_read();
    CHECK_OK(tsri_redistribute(call, array, moved));
    const tsri_counters third = tsri_counters_read();
    for (int r = 0; r < ranks; ++r) {
        const int64_t n = r == tsrt_rank() ? 0 : matrix[tsrt_rank() * ranks + r];
        messages += n > 0;
        elements += n;
    }
    CHECK_INT(third.messages - 2 * second.messages + first.messages, messages);
    CHECK_INT(third.message_bytes - 2 * second.message_bytes + first.message_bytes, elements * 8);
    check_indexed(same, 7);
    check_indexed(moved, 7);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_array_destroy(&same));
    CHECK_OK(tsr_array_destroy(&moved));
    CHECK_OK(tsr_layout_destroy(&old_layout));
    CHECK_OK(tsr_layout_destroy(&new_layout));
}

static void M_1_M_2_three_ranks(void **state)
{
    (void)state;
    static const int64_t m1[] = {2, 2, 0, 0, 1, 2, 0, 0, 3};
    static const int64_t m2[] = {4, 4, 4, 4, 4, 4, 4, 4, 4};
    static const int64_t cuts[] = {0, 2, 5, 10};
    if (tsrt_size() < 3) tsrt_skip("needs 3 ranks");
    tsr_comm comm = first_ranks(3);
    if (tsrt_rank() < 3) {
        check_matrix(comm, 3, 1, TSR_SHAPE(10), NULL,
                     &(tsr_layout_options){.cuts = {cuts}, .ncuts = {4}}, m1);
        check_matrix(comm, 3, 2, TSR_SHAPE(6, 6), NULL, &(tsr_layout_options){.split = TSR_AXES(1)},
                     m2);
    }
    free_ranks(&comm);
}

static void M_3_four_ranks(void **state)
{
    (void)state;
    static const int64_t matrix[] = {6, 3, 0, 0, 4, 2, 0, 0, 0, 3, 3, 3, 0, 2, 2, 2};
    if (tsrt_size() < 4) tsrt_skip("needs 4 ranks");
    tsr_comm comm = first_ranks(4);
    if (tsrt_rank() < 4)
        check_matrix(comm, 4, 2, TSR_SHAPE(6, 5), &(tsr_layout_options){.process_grid = {2, 2}},
                     NULL, matrix);
    free_ranks(&comm);
}

/* ---- values -----------------------------------------------------------------------------------
 */

enum { LAYOUTS = 6 };

static tsr_layout *layout_number(int number, const int64_t *shape)
{
    int64_t cuts[16] = {0};
    const int size = tsrt_size();

    for (int k = 0; k <= size; ++k)
        cuts[k] = shape[0] * k * k / (size * size);
    const tsr_layout_options options[LAYOUTS] = {
        {.split = TSR_AXES(0), .halo = {1, 1, 1}, .allow_empty = true},
        {.split = TSR_AXES(2), .allow_empty = true},
        {.split = TSR_AXES(0, 1), .halo = {2}, .allow_empty = true},
        {.split = TSR_AXES(1, 2), .periodic = TSR_AXES(0), .allow_empty = true},
        {.split = TSR_WHOLE, .halo = {0, 1}},
        {.cuts = {cuts}, .ncuts = {size + 1}, .allow_empty = true}};
    return make_layout(3, shape, &options[number]);
}

static void every_pair_of_layouts(void **state)
{
    (void)state;
    static const int64_t shapes[][3] = {{7, 5, 6}, {2, 2, 3}, {1, 9, 1}, {3, 0, 4}};
    int dtype = TSR_BOOL;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i)
        for (int from = 0; from < LAYOUTS; ++from)
            for (int to = 0; to < LAYOUTS; ++to) {
                tsr_layout *old_layout = layout_number(from, shapes[i]);
                tsr_layout *new_layout = layout_number(to, shapes[i]);
                tsr_array *array = indexed(old_layout, (tsr_dtype)dtype), *moved = NULL;
                CHECK_OK(tsr_zeros(new_layout, (tsr_dtype)dtype, &moved));
                CHECK_OK(tsri_redistribute(call, array, moved));
                check_indexed(moved, 7);
                check_indexed(array, 7);
                CHECK_OK(tsr_array_destroy(&array));
                CHECK_OK(tsr_array_destroy(&moved));
                CHECK_OK(tsr_layout_destroy(&old_layout));
                CHECK_OK(tsr_layout_destroy(&new_layout));
                dtype = dtype == TSR_C128 ? TSR_BOOL : dtype + 1;
            }
}

/* ---- refused ----------------------------------------------------------------------------------
 */

static void check_refused(tsr_layout *from, tsr_layout *to, tsr_dtype dtype, tsr_status expected)
{
    tsr_array *array = NULL, *moved = NULL;
    CHECK_OK(tsr_ones(from, TSR_F32, &array));
    CHECK_OK(tsr_zeros(to, dtype, &moved));
    CHECK_STATUS(tsri_redistribute(call, array, moved), expected);
    CHECK_TEXT(call);
    check_all_cells(array, 1, 1);
    check_all_cells(moved, 0, 0);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_array_destroy(&moved));
}

static void M_5_M_6_refused(void **state)
{
    (void)state;
    tsr_layout *ten = make_layout(1, TSR_SHAPE(10), NULL);
    tsr_layout *eleven = make_layout(1, TSR_SHAPE(11), NULL);
    tsr_layout *square = make_layout(2, TSR_SHAPE(10, 1), NULL);
    tsr_layout *alone = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_SELF, 1, TSR_SHAPE(10), NULL, &alone));
    check_refused(ten, eleven, TSR_F32, TSR_ERR_VALUE);
    check_refused(ten, square, TSR_F32, TSR_ERR_VALUE);
    check_refused(ten, alone, TSR_F32, TSR_ERR_VALUE);
    check_refused(ten, ten, TSR_F64, TSR_ERR_TYPE);
    CHECK_OK(tsr_layout_destroy(&ten));
    CHECK_OK(tsr_layout_destroy(&eleven));
    CHECK_OK(tsr_layout_destroy(&square));
    CHECK_OK(tsr_layout_destroy(&alone));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(M_1_M_2_three_ranks),
        cmocka_unit_test(M_3_four_ranks),
        cmocka_unit_test(every_pair_of_layouts),
        cmocka_unit_test(M_5_M_6_refused),
    };
    return TSRT_RUN(argc, argv, tests);
}
