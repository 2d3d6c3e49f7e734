/* ranks: 1 2 3 4 6 */
/* The debug gate: ranks that meet in different calls, or with different data, get an error that
 * says so, and can go on. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "support/harness.h"

static tsr_array *line_of(int64_t length, tsr_axes split)
{
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, &length,
                               &(tsr_layout_options){.split = split, .halo = {1}}, &layout));
    CHECK_OK(tsr_ones(layout, TSR_F64, &array));
    tsr_layout_destroy(&layout);
    return array;
}

static void X_1_different_calls(void **state)
{
    (void)state;
    if (tsrt_size() == 1) tsrt_skip("needs two ranks");
    tsr_array *array = line_of(12, 0);
    double buffer[12];
    tsr_scalar sum;

    if (tsrt_rank() == 0)
        CHECK_STATUS(tsr_sum(array, &sum), TSR_ERR_GATE);
    else
        CHECK_STATUS(tsr_gather(array, 0, buffer), TSR_ERR_GATE);
    CHECK_TEXT("the ranks are in different collective calls: rank 0: tsr_sum (call ");
    CHECK_TEXT("rank 1: tsr_gather (root 0) (call ");

    /* nothing was moved, and the ranks are in step again */
    CHECK_OK(tsr_sum(array, &sum));
    CHECK_DOUBLE(sum.as.f, 12, 0);
    CHECK_OK(tsr_array_destroy(&array));
}

/* What must agree is part of the name. */
static void different_roots(void **state)
{
    (void)state;
    if (tsrt_size() == 1) tsrt_skip("needs two ranks");
    tsr_array *array = line_of(12, 0);
    double buffer[12];

    CHECK_STATUS(tsr_gather(array, tsrt_rank() == 0 ? 0 : 1, buffer), TSR_ERR_GATE);
    CHECK_TEXT("tsr_gather (root 1)");
    CHECK_OK(tsr_gather(array, TSR_ALL_RANKS, buffer));
    CHECK_OK(tsr_array_destroy(&array));
}

static void different_halo_axes(void **state)
{
    (void)state;
    if (tsrt_size() == 1) tsrt_skip("needs two ranks");
    tsr_array *array = line_of(12, 0);
    const tsr_halo_options one = {.axes = TSR_AXIS(0)};

    CHECK_OK(tsr_halo_update(array, NULL));
    CHECK_STATUS(tsr_halo_update(array, tsrt_rank() == 0 ? NULL : &one), TSR_ERR_GATE);
    CHECK_TEXT("rank 0: tsr_halo_update (all axes) (call ");
    CHECK_OK(tsr_halo_update(array, NULL));
    CHECK_OK(tsr_array_destroy(&array));
}

/* Options, boundaries and arrays that differ are found out on every call, not on the first use
 * only. */
static void different_halo_boundaries(void **state)
{
    (void)state;
    if (tsrt_size() == 1) tsrt_skip("needs two ranks");
    tsr_array *array = line_of(12, 0);

    CHECK_OK(tsr_halo_update(array, NULL));
    if (tsrt_rank() == 1)
        CHECK_OK(tsr_array_set_boundary(array, TSR_ALL_AXES, TSR_BOTH_SIDES, TSR_EDGE, tsr_f64(0)));
    CHECK_STATUS(tsr_halo_update(array, NULL), TSR_ERR_GATE);
    CHECK_TEXT("different arrays or options on ranks [1]");
    CHECK_OK(tsr_array_destroy(&array));
}

/* Arrays of one layout and type: to the calls that agree on nothing, and to those that do. */
static void different_arrays(void **state)
{
    (void)state;
    if (tsrt_size() == 1) tsrt_skip("needs two ranks");
    tsr_array *a = line_of(12, 0), *b = line_of(12, 0), *made = NULL;
    tsr_array *const one = tsrt_rank() == 0 ? a : b;
    tsr_scalar sum;

    CHECK_STATUS(tsr_halo_update(one, NULL), TSR_ERR_GATE); /* on the first use, too */
    CHECK_OK(tsr_halo_update(a, NULL));
    CHECK_OK(tsr_halo_update(b, NULL));
    CHECK_STATUS(tsr_halo_update(one, NULL), TSR_ERR_GATE);
    CHECK_OK(tsr_eval(a, "2*x", TSR_ARG_AS("x", a)));
    CHECK_STATUS(tsr_eval(a, "2*x", TSR_ARG_AS("x", one)), TSR_ERR_GATE);
    CHECK_STATUS(tsr_sum(one, &sum), TSR_ERR_MISMATCH);
    CHECK_STATUS(tsr_redistribute(one, tsr_array_layout(a), &made), TSR_ERR_MISMATCH);

    /* a swap that a rank forgets; and one that all make */
    if (tsrt_rank() == 0) CHECK_OK(tsr_array_swap(a, b));
    CHECK_STATUS(tsr_halo_update(a, NULL), TSR_ERR_GATE);
    if (tsrt_rank() != 0) CHECK_OK(tsr_array_swap(a, b));
    CHECK_OK(tsr_halo_update(a, NULL));
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
}

/* Texts that all ranks have used before, too: without the gate each would run its own. */
static void different_expressions(void **state)
{
    (void)state;
    if (tsrt_size() == 1) tsrt_skip("needs two ranks");
    tsr_array *array = line_of(12, 0), *made = NULL;
    const char *text = tsrt_rank() == 0 ? "array + 1" : "array[-1] + 2";
    tsr_scalar sum;

    CHECK_OK(tsr_eval(array, "array + 1", TSR_ARG(array)));
    CHECK_OK(tsr_eval(array, "array[-1] + 2", TSR_ARG(array)));
    CHECK_OK(tsr_eval(array, "1"));
    CHECK_STATUS(tsr_eval(array, text, TSR_ARG(array)), TSR_ERR_GATE);
    CHECK_TEXT("rank 0: tsr_eval (array + 1) (call ");
    CHECK_TEXT("rank 1: tsr_eval (array[-1] + 2) (call ");
    /* creations agree on their arguments in any case */
    CHECK_STATUS(tsr_eval_new(&made, text, TSR_ARG(array)), TSR_ERR_MISMATCH);
    CHECK(made == NULL);
    CHECK_STATUS(tsr_eval_where(array, text, "1", TSR_ARG(array)), TSR_ERR_TYPE);
    CHECK_OK(tsr_sum(array, &sum));
    CHECK_DOUBLE(sum.as.f, 12, 0);
    CHECK_OK(tsr_array_destroy(&array));
}

/* A rank that errs in an expression that all have used before, which agrees on nothing. */
static void error_in_a_kept_expression(void **state)
{
    (void)state;
    if (tsrt_size() == 1) tsrt_skip("needs two ranks");
    tsr_array *array = line_of(12, 0);
    const tsr_arg args[] = {TSR_ARG(array)};

    CHECK_OK(tsr_evalv(array, "array + 1", 1, args));
    CHECK_STATUS(tsr_evalv(array, "array + 1", 1, tsrt_rank() == 1 ? NULL : args), TSR_ERR_GATE);
    CHECK_TEXT("different arrays or options on ranks [1]");
    CHECK_OK(tsr_evalv(array, "array + 1", 1, args));
    CHECK_OK(tsr_array_destroy(&array));
}

/* One rank assigns a number, which it would do alone, while the others wait for cells (D-30). */
static void number_or_array(void **state)
{
    (void)state;
    if (tsrt_size() == 1) tsrt_skip("needs two ranks");
    tsr_array *array = line_of(12, 0), *value = line_of(12, 0);
    const tsr_arg one = tsr_arg_int("value", 1), cells = tsr_arg_array("value", value);

    CHECK_STATUS(tsr_assignv(array, ":", tsrt_rank() == 0 ? one : cells), TSR_ERR_GATE);
    CHECK_OK(tsr_assignv(array, ":", cells));
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_array_destroy(&value));
}

/* Calls that turn out local are not counted: one rank alone may make them. */
static void local_calls_pass(void **state)
{
    (void)state;
    tsr_array *array = line_of(12, TSR_WHOLE);
    double buffer[12];
    tsr_scalar sum;

    if (tsrt_rank() == 0) {
        CHECK_OK(tsr_sum(array, &sum));
        CHECK_OK(tsr_gather(array, 0, buffer));
        CHECK_OK(tsr_get(array, TSR_SHAPE(3), &sum));
    }
    tsrt_barrier();
    CHECK_OK(tsr_array_destroy(&array));
}

static void X_4_different_data(void **state)
{
    (void)state;
    if (tsrt_size() == 1) tsrt_skip("needs two ranks");
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    double data[8] = {0};

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(8), NULL, &layout));
    CHECK_OK(tsr_from_global(layout, TSR_F64, data, NULL, &array));
    CHECK_OK(tsr_array_destroy(&array));

    data[7] = tsrt_rank() == 1;
    CHECK_STATUS(tsr_from_global(layout, TSR_F64, data, NULL, &array), TSR_ERR_VALUE);
    CHECK(array == NULL);
    CHECK_TEXT("different data on ranks [1]");

    /* the content counts, not how it lies in memory */
    const double reversed[8] = {7, 6, 5, 4, 3, 2, 1, 0}, straight[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const bool even = tsrt_rank() % 2 == 0;
    CHECK_OK(tsr_from_global(layout, TSR_F64, even ? straight : reversed + 7,
                             TSR_SHAPE(even ? 1 : -1), &array));
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&layout));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(X_1_different_calls),        cmocka_unit_test(different_roots),
        cmocka_unit_test(different_halo_axes),        cmocka_unit_test(different_halo_boundaries),
        cmocka_unit_test(different_expressions),      cmocka_unit_test(local_calls_pass),
        cmocka_unit_test(X_4_different_data),         cmocka_unit_test(number_or_array),
        cmocka_unit_test(error_in_a_kept_expression), cmocka_unit_test(different_arrays),
    };
    setenv("TESSERA_DEBUG", " Yes ", 1);
    setenv("TESSERA_DEBUG_TIMEOUT", "20", 1);
    return TSRT_RUN(argc, argv, tests);
}
