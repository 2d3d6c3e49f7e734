/* ranks: 1 2 3 4 */
/* timeout: 300 */
/* The n-th allocation or message fails on each rank in turn: the same status and sentence on every
 * rank, no result, nothing left alive. */
#include "support/data_in.h"
#include "support/harness.h"
#include "support/reduce_cases.h"

/* Shared by the calls: made before the faults are armed. */
static tsr_array *rows, *columns;

static tsr_array *make(tsr_axes split)
{
    tsr_layout *layout = NULL;
    tsr_array *a = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(8, 9),
                               &(tsr_layout_options){.split = split, .halo = {1, 1}}, &layout));
    CHECK_OK(tsr_ones(layout, TSR_F64, &a));
    CHECK_OK(tsr_layout_destroy(&layout));
    return a;
}

static tsr_status to_owners(tsr_array **array)
{
    return tsr_sum_axes(columns, TSR_AXIS(1), NULL, array);
}

static tsr_status up_a_tree(tsr_array **array)
{
    return tsr_var_axes(rows, TSR_AXIS(0), NULL, array);
}

static tsr_status places(tsr_array **array)
{
    return tsr_argmax_axis(rows, 1, NULL, array);
}

static tsr_status whole(tsr_array **array)
{
    return tsr_mean_axes(rows, TSR_ALL_AXES, NULL, array);
}

static tsr_status running(tsr_array **array)
{
    return tsr_cumsum(rows, 0, NULL, array);
}

static tsr_status joined(tsr_array **array)
{
    return tsr_concatenate(2, (tsr_array *[]){rows, rows}, 1, array);
}

static tsr_status stacked(tsr_array **array)
{
    return tsr_stack(2, (tsr_array *[]){rows, rows}, 1, array);
}

static tsr_status equal(tsr_array **array)
{
    bool answer = false;
    *array = NULL;
    return tsr_array_equal(rows, columns, false, &answer);
}

static tsr_status total(tsr_array **array)
{
    tsr_scalar value;
    *array = NULL;
    return tsr_std(rows, &value);
}

static tsr_status of_a_text(tsr_array **array)
{
    return tsr_max_axes_expr(TSR_AXIS(0), NULL, array, "rows[0,1] - rows", TSR_ARG(rows));
}

static tsr_status whole_of_a_text(tsr_array **array)
{
    return tsr_sum_axes_expr(TSR_ALL_AXES, NULL, array, "2*rows", TSR_ARG(rows));
}

static tsr_status places_in_a_text(tsr_array **array)
{
    return tsr_argmin_axis_expr(0, NULL, array, "columns*columns", TSR_ARG(columns));
}

static void one_failure_is_the_same_everywhere(void **state)
{
    (void)state;
    const struct {
        faulty_call run;
        int64_t least;
    } calls[] = {{to_owners, 3}, {up_a_tree, 3}, {places, 3},          {whole, 3},
                 {running, 2},   {joined, 3},    {stacked, 3},         {equal, 0},
                 {total, 0},     {of_a_text, 3}, {whole_of_a_text, 3}, {places_in_a_text, 3}};

    rows = make(TSR_AXIS(0));
    columns = make(TSR_AXES(0, 1));
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; ++i) {
        tsr_array *first = NULL; /* programs and channels stay with their layout */
        CHECK_OK(calls[i].run(&first));
        CHECK_OK(tsr_array_destroy(&first));
        fail_everywhere(calls[i].run, NULL, calls[i].least);
    }
    CHECK_OK(tsr_array_destroy(&rows));
    CHECK_OK(tsr_array_destroy(&columns));
}

static void other_arguments_are_a_mismatch(void **state)
{
    (void)state;
    if (tsrt_size() == 1) tsrt_skip("needs two ranks");
    const int mine = tsrt_rank() == 0 ? 0 : 1;
    tsr_array *a = make(TSR_AXIS(0)), *result = NULL;
    tsr_scalar value;

    CHECK_STATUS(tsr_sum_axes(a, TSR_AXIS(mine), NULL, &result), TSR_ERR_MISMATCH);
    CHECK_STATUS(tsr_sum_axes(a, mine == 0 ? TSR_ALL_AXES : TSR_AXIS(0), NULL, &result),
                 TSR_ERR_MISMATCH);
    CHECK_STATUS(tsr_cumsum(a, mine, NULL, &result), TSR_ERR_MISMATCH);
    CHECK_STATUS(mine == 0 ? tsr_prod(a, &value) : tsr_sum(a, &value), TSR_ERR_MISMATCH);
    CHECK_STATUS(tsr_var_with(a, &(tsr_reduce_options){.ddof = mine}, &value), TSR_ERR_MISMATCH);
    CHECK_OK(tsr_sum(a, &value));
    CHECK_OK(tsr_array_destroy(&a));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_failure_is_the_same_everywhere),
        cmocka_unit_test(other_arguments_are_a_mismatch),
    };
    return TSRT_RUN(argc, argv, tests);
}
