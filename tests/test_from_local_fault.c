/* ranks: 1 2 3 4 */
/* timeout: 300 */
/* The calls that take a caller's data, and the combination of copies, with the n-th allocation or
 * message failing on each rank in turn. */
#include "support/data_in.h"

enum { COLUMNS = 3, ROWS = 4, LARGE = 700 };

static tsr_layout *blocks, *copies;
static double cells[64 * COLUMNS];
static double storage[6 * 5];
static tsr_array *small, *large;

static void begin(void)
{
    blocks = make_layout(2, TSR_SHAPE(ROWS * tsrt_size(), COLUMNS),
                         &(tsr_layout_options){.halo = {1, 1}});
    copies = make_layout(1, TSR_SHAPE(LARGE), &(tsr_layout_options){.split = TSR_WHOLE});
    tsr_layout *few =
        make_layout(1, TSR_SHAPE(3), &(tsr_layout_options){.split = TSR_WHOLE, .halo = {1}});
    CHECK_OK(tsr_ones(few, TSR_F64, &small));
    CHECK_OK(tsr_ones(copies, TSR_F64, &large));
    CHECK_OK(tsr_layout_destroy(&few));
}

static void end(void)
{
    CHECK_OK(tsr_array_destroy(&small));
    CHECK_OK(tsr_array_destroy(&large));
    CHECK_OK(tsr_layout_destroy(&blocks));
    CHECK_OK(tsr_layout_destroy(&copies));
}

static tsr_status from_local(tsr_array **array)
{
    return tsr_from_local(blocks, TSR_F64, cells, TSR_SHAPE(ROWS, COLUMNS), NULL, array);
}

/* The last rank has most rows. */
static tsr_status from_pieces(tsr_array **array)
{
    const int64_t rows = tsrt_rank() == tsrt_size() - 1 ? 3 * tsrt_size() + 1 : 1;
    return tsr_from_pieces(TSR_COMM_WORLD, 2, TSR_SHAPE(rows, COLUMNS), 0, TSR_F64, cells, NULL,
                           &(tsr_layout_options){.halo = {1, 1}}, array);
}

static tsr_status from_whole_pieces(tsr_array **array)
{
    return tsr_from_pieces(TSR_COMM_WORLD, 2, TSR_SHAPE(2, COLUMNS), 0, TSR_F64, cells, NULL,
                           &(tsr_layout_options){.split = TSR_WHOLE}, array);
}

static tsr_status scatter(tsr_array **array)
{
    return tsr_scatter(blocks, TSR_F64, tsrt_size() - 1, cells, NULL, array);
}

static tsr_status scatter_copies(tsr_array **array)
{
    return tsr_scatter(copies, TSR_I8, 0, cells, NULL, array);
}

static tsr_status adopt(tsr_array **array)
{
    return tsr_adopt(blocks, TSR_F64, storage, sizeof storage, array);
}

static void data_in(void **state)
{
    (void)state;
    const int64_t moves = tsrt_size() > 1 ? 8 : 3;
    begin();
    fail_everywhere(from_local, NULL, 3);
    fail_everywhere(from_pieces, NULL, moves);
    fail_everywhere(from_whole_pieces, NULL, 4);
    fail_everywhere(scatter, NULL, moves);
    fail_everywhere(scatter_copies, NULL, 3);
    fail_everywhere(adopt, NULL, 2);
    end();
}

/* The copies are set anew each time: all ones. */
static tsr_status reduce(tsr_array *array)
{
    const tsr_view view = tsr_local(array);
    for (int64_t i = -view.halo_lo[0]; i < view.extent[0] + view.halo_hi[0]; ++i)
        TSR_AT(double, view, i) = 1;
    return tsr_allreduce_replicated(array, TSR_SUM);
}

static tsr_status reduce_small(tsr_array **array)
{
    *array = NULL;
    return reduce(small);
}

static tsr_status reduce_large(tsr_array **array)
{
    *array = NULL;
    return reduce(large);
}

static void small_is_sum_or_as_before(tsr_status st)
{
    const double expected = st == TSR_OK ? tsrt_size() : 1;
    check_all_cells(small, expected, expected);
}

/* After a failed message the values are undefined. */
static void large_is_sum_or_as_before(tsr_status st)
{
    if (st != TSR_ERR_MPI) check_all_cells(large, st == TSR_OK ? tsrt_size() : 1, 0);
}

static void copies_combine(void **state)
{
    (void)state;
    begin();
    fail_everywhere(reduce_small, small_is_sum_or_as_before, tsrt_size() > 1 ? 2 : 0);
    fail_everywhere(reduce_large, large_is_sum_or_as_before, tsrt_size() > 1 ? 4 : 0);
    end();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_in),
        cmocka_unit_test(copies_combine),
    };
    return TSRT_RUN(argc, argv, tests);
}
