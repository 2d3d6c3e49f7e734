/* ranks: 1 2 3 4 6 */
/* What expressions are made of and where they go: E-1 to E-8, E-10, outputs that are operands,
 * masks, halo cells. */
#include "support/expr_cases.h"

/* ---- shapes ---------------------------------------------------------------------------------- */

static tsr_layout *make_layout(int ndim, const int64_t *shape, tsr_layout_options options)
{
    tsr_layout *layout = NULL;
    options.allow_empty = true;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, ndim, shape, &options, &layout));
    return layout;
}

static void E_1_E_2_broadcast_of_rows_and_columns(void **state)
{
    (void)state;
    tsr_layout *layout = make_layout(2, TSR_SHAPE(5, 3), (tsr_layout_options){0});
    tsr_array *a = NULL, *c = NULL;
    const double row[] = {10, 20, 30}, column[] = {1, 2, 3, 4, 5};

    CHECK_OK(tsr_zeros(layout, TSR_F64, &a));
    CHECK_OK(tsr_eval(a, "i0*3 + i1"));
    CHECK_OK(tsr_eval_new(&c, "a + row", TSR_ARG(a), TSR_GLOBAL(row, 1, TSR_SHAPE(3))));
    expr_check(c, TSR_F64,
               (const double[]){10, 21, 32, 13, 24, 35, 16, 27, 38, 19, 30, 41, 22, 33, 44}, 0,
               "E-1");
    CHECK_OK(tsr_array_destroy(&c));
    CHECK_OK(tsr_eval_new(&c, "a + column", TSR_ARG(a), TSR_GLOBAL(column, 2, TSR_SHAPE(5, 1))));
    expr_check(c, TSR_F64, (const double[]){1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18, 19}, 0,
               "E-2");
    expr_destroy(layout, a, c);
}

/* Shapes that broadcast to 8 x 6 x 3, and the element of a cell. */
static const struct {
    int ndim;
    int64_t shape[4];
} broadcasts[] = {{1, {3}},       {3, {1, 1, 3}}, {2, {6, 1}}, {3, {8, 1, 1}},
                  {3, {8, 6, 1}}, {3, {8, 6, 3}}, {1, {1}},    {0, {0}}};

static double broadcast_element(int which, const double *data, const int64_t *cell)
{
    int64_t at = 0;
    for (int a = 0; a < broadcasts[which].ndim; ++a) {
        const int64_t n = broadcasts[which].shape[a];
        at = at * n + (n == 1 ? 0 : cell[3 - broadcasts[which].ndim + a]);
    }
    return data[at];
}

static void E_3_every_shape_that_broadcasts(void **state)
{
    (void)state;
    const int64_t shape[] = {8, 6, 3};
    tsr_layout *layout =
        make_layout(3, shape, (tsr_layout_options){.split = TSR_AXES(0, 1), .halo = {1, 1, 0}});
    tsr_array *a = NULL, *c = NULL;
    double data[144], expected[144];

    for (int k = 0; k < 144; ++k)
        data[k] = 1000.0 + 3 * k;
    CHECK_OK(tsr_zeros(layout, TSR_F64, &a));
    CHECK_OK(tsr_eval(a, "(i0*6 + i1)*3 + i2"));
    for (int which = 0; which < (int)(sizeof broadcasts / sizeof *broadcasts); ++which) {
        for (int k = 0; k < 144; ++k)
            expected[k] =
                k * 2 + broadcast_element(which, data, (const int64_t[]){k / 18, k / 3 % 6, k % 3});
        CHECK_OK(tsr_eval_new(
            &c, "2*a + g", TSR_ARG(a),
            TSR_GLOBAL_AS("g", data, broadcasts[which].ndim, broadcasts[which].shape)));
        expr_check(c, TSR_F64, expected, 0, "E-3");
        expr_check_halo(c, 0);
        CHECK_OK(tsr_array_destroy(&c));
    }
    expr_destroy(layout, a, NULL);
}

static void E_3_any_strides(void **state)
{
    (void)state;
    tsr_layout *layout =
        make_layout(2, TSR_SHAPE(4, 3), (tsr_layout_options){.split = TSR_AXIS(1)});
    tsr_array *a = NULL;
    const int32_t fortran[] = {0, 10, 20, 30, 1, 11, 21, 31, 2, 12, 22, 32};

    CHECK_OK(tsr_zeros(layout, TSR_I64, &a));
    const tsr_arg g = tsr_arg_global("g", TSR_I32, fortran, 2, TSR_SHAPE(4, 3), TSR_SHAPE(1, 4));
    CHECK_OK(tsr_eval(a, "g + g", g));
    expr_check(a, TSR_I64, (const double[]){0, 2, 4, 20, 22, 24, 40, 42, 44, 60, 62, 64}, 0, "g");
    const tsr_arg back =
        tsr_arg_global("g", TSR_I32, fortran + 11, 2, TSR_SHAPE(4, 3), TSR_SHAPE(-1, -4));
    CHECK_OK(tsr_eval(a, "g", back));
    expr_check(a, TSR_I64, (const double[]){32, 31, 30, 22, 21, 20, 12, 11, 10, 2, 1, 0}, 0,
               "backwards");
    expr_destroy(layout, a, NULL);
}

static void E_4_shapes_that_do_not_broadcast(void **state)
{
    (void)state;
    tsr_layout *layout = make_layout(3, TSR_SHAPE(8, 6, 3), (tsr_layout_options){0});
    tsr_array *a = NULL;
    static double data[288];

    CHECK_OK(tsr_zeros(layout, TSR_F64, &a));
    CHECK_STATUS(tsr_eval(a, "g", TSR_GLOBAL_AS("g", data, 1, TSR_SHAPE(5))), TSR_ERR_VALUE);
    CHECK_TEXT("axis 0 of \"g\" has length 5, must be 1 or the array's 3");
    CHECK_STATUS(tsr_eval(a, "g", TSR_GLOBAL_AS("g", data, 3, TSR_SHAPE(7, 1, 1))), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_eval(a, "g", TSR_GLOBAL_AS("g", data, 4, TSR_SHAPE(2, 8, 6, 3))),
                 TSR_ERR_VALUE);
    CHECK_TEXT("\"g\" has 4 axes, more than the array's 3");
    expr_destroy(layout, a, NULL);
}

static void E_5_E_6_shapes_and_layouts_that_differ(void **state)
{
    (void)state;
    const int64_t n = 7;
    tsr_layout *layout = make_layout(2, TSR_SHAPE(n, 3), (tsr_layout_options){.halo = {1, 1}});
    tsr_layout *wider = make_layout(2, TSR_SHAPE(n, 4), (tsr_layout_options){.halo = {1, 1}});
    tsr_layout *thicker = make_layout(2, TSR_SHAPE(n, 3), (tsr_layout_options){.halo = {2, 1}});
    tsr_layout *round = make_layout(2, TSR_SHAPE(n, 3),
                                    (tsr_layout_options){.halo = {1, 1}, .periodic = TSR_AXIS(0)});
    tsr_array *a = NULL, *b = NULL, *c = NULL;

    CHECK_OK(tsr_ones(layout, TSR_F64, &a));
    CHECK_OK(tsr_ones(wider, TSR_F64, &b));
    CHECK_STATUS(tsr_eval_new(&c, "a + b", TSR_ARG(a), TSR_ARG(b)), TSR_ERR_VALUE);
    CHECK_TEXT("shapes differ: axis 1 of \"b\" has length 4");
    CHECK(c == NULL);
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_ones(thicker, TSR_F64, &b));
    CHECK_STATUS(tsr_eval(a, "b", TSR_ARG(b)), TSR_ERR_VALUE);
    CHECK_TEXT("layouts differ: axis 0 of \"b\" has 2 and 2 halo cells");
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_ones(round, TSR_F64, &b));
    CHECK_STATUS(tsr_eval(a, "b", TSR_ARG(b)), TSR_ERR_VALUE);
    CHECK_TEXT("another set of periodic axes");
    CHECK_OK(tsr_layout_destroy(&wider));
    CHECK_OK(tsr_layout_destroy(&thicker));
    CHECK_OK(tsr_layout_destroy(&round));
    expr_destroy(layout, a, b);
}

static void E_6_another_communicator(void **state)
{
    (void)state;
    tsr_layout *layout = make_layout(1, TSR_SHAPE(4), (tsr_layout_options){.split = TSR_WHOLE});
    tsr_layout *own = NULL;
    tsr_array *a = NULL, *b = NULL;

    CHECK_OK(tsr_layout_create(TSR_COMM_SELF, 1, TSR_SHAPE(4), NULL, &own));
    CHECK_OK(tsr_ones(layout, TSR_F64, &a));
    CHECK_OK(tsr_ones(own, TSR_F64, &b));
    CHECK_STATUS(tsr_eval(a, "a + b", TSR_ARG(a), TSR_ARG(b)), TSR_ERR_VALUE);
    CHECK_TEXT("layouts differ: \"b\" has another communicator");
    CHECK_OK(tsr_layout_destroy(&own));
    expr_destroy(layout, a, b);
}

/* ---- halo cells ------------------------------------------------------------------------------ */

static void E_7_halo_cells_are_never_computed(void **state)
{
    (void)state;
    tsr_layout *layout = expr_line(9);
    tsr_array *a = NULL, *c = NULL;

    CHECK_OK(tsr_ones(layout, TSR_F64, &a));
    CHECK_OK(tsr_halo_clear(a, TSR_ALL_AXES));
    CHECK_OK(tsr_eval_new(&c, "a / a", TSR_ARG(a)));
    expr_check(c, TSR_F64, (const double[]){1, 1, 1, 1, 1, 1, 1, 1, 1}, 0, "E-7");
    expr_check_halo(c, 0);
    expr_destroy(layout, a, c);
}

static void E_8_halo_cells_of_the_output_stay(void **state)
{
    (void)state;
    tsr_layout *layout = expr_line(9);
    tsr_array *a = NULL;

    CHECK_OK(tsr_full(layout, TSR_F64, tsr_f64(7), &a));
    CHECK_OK(tsr_eval(a, "1"));
    CHECK_OK(tsr_eval(a, "a + 1", TSR_ARG(a)));
    expr_check(a, TSR_F64, (const double[]){2, 2, 2, 2, 2, 2, 2, 2, 2}, 0, "E-8");
    expr_check_halo(a, 7);
    expr_destroy(layout, a, NULL);
}

/* ---- masks ----------------------------------------------------------------------------------- */

static void E_10_where_the_mask_is_true(void **state)
{
    (void)state;
    tsr_layout *layout = expr_line(8);
    const double d[] = {10, 25, 20, 21, 19, 40, 0, 33};
    const double expected[] = {0, -25, 0, -21, 0, -40, 0, -33};
    tsr_array *a = expr_array(layout, TSR_F64, d), *b = NULL, *mask = NULL;

    CHECK_OK(tsr_zeros(layout, TSR_F64, &b));
    CHECK_OK(tsr_eval_where(b, "a > 20", "negative(a)", TSR_ARG(a)));
    expr_check(b, TSR_F64, expected, 0, "E-10");
    expr_check_halo(b, 0);

    CHECK_OK(tsr_eval_new(&mask, "a > 20", TSR_ARG(a)));
    CHECK_OK(tsr_eval(b, "0"));
    CHECK_OK(tsr_eval_where(b, mask, "-a", TSR_ARG(a)));
    expr_check(b, TSR_F64, expected, 0, "E-10 with an array");
    CHECK_OK(tsr_eval_where(b, mask, "b + i0 + mask", TSR_ARG(b), TSR_ARG_AS("mask", a)));
    expr_check(b, TSR_F64, (const double[]){0, 1, 0, 3, 0, 5, 0, 7}, 0, "an argument named mask");

    CHECK_STATUS(tsr_eval_where(b, a, "1"), TSR_ERR_TYPE);
    CHECK_TEXT("the mask is of type float64, must be bool");
    CHECK_STATUS(tsr_eval_where(b, "a", "1", TSR_ARG(a)), TSR_ERR_TYPE);
    CHECK_STATUS(tsr_eval_where(b, "a >", "1", TSR_ARG(a)), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_eval_where(b, (tsr_array *)NULL, "1"), TSR_ERR_VALUE);
    CHECK_OK(tsr_array_destroy(&mask));
    expr_destroy(layout, a, b);
}

/* ---- bound names ----------------------------------------------------------------------------- */

static void storage_has_the_shape_of_the_arrays(void **state)
{
    (void)state;
    tsr_layout *layout = make_layout(2, TSR_SHAPE(6, 5), (tsr_layout_options){.halo = {1, 2}});
    tsr_array *a = NULL, *c = NULL;
    int64_t storage[2] = {0};
    double expected[30];

    CHECK_OK(tsr_layout_storage(layout, tsrt_rank(), storage));
    const int64_t count = storage[0] * storage[1];
    float *s = calloc((size_t)count + 1, sizeof *s);
    CHECK(s != NULL);
    for (int64_t k = 0; k < count; ++k)
        s[k] = (float)(1000 * tsrt_rank());
    CHECK_OK(tsr_zeros(layout, TSR_F64, &a));
    CHECK_OK(tsr_eval(a, "i0*5 + i1"));
    CHECK_OK(tsr_eval_new(&c, "a + s", TSR_ARG(a), TSR_STORAGE(s)));
    for (int k = 0; k < 30; ++k) {
        int owner;
        CHECK_OK(tsr_layout_owner(layout, TSR_SHAPE(k / 5, k % 5), &owner));
        expected[k] = k + 1000 * owner;
    }
    expr_check(c, TSR_F64, expected, 0, "storage");
    CHECK_OK(tsr_array_destroy(&c));
    const float *nothing = NULL;
    CHECK_STATUS(
        tsr_eval_new(&c, "a + s", TSR_ARG(a), TSR_STORAGE_AS("s", tsrt_rank() == 0 ? nothing : s)),
        TSR_ERR_VALUE);
    CHECK(c == NULL);
    CHECK_STATUS(tsr_eval(a, "s[1,0]", TSR_STORAGE(s)), TSR_ERR_VALUE);
    free(s);
    expr_destroy(layout, a, c);
}

static void arrays_without_axes_or_cells(void **state)
{
    (void)state;
    tsr_layout *point = make_layout(0, NULL, (tsr_layout_options){0});
    tsr_layout *empty = make_layout(2, TSR_SHAPE(4, 0), (tsr_layout_options){.halo = {1, 1}});
    tsr_array *a = NULL, *c = NULL;

    CHECK_OK(tsr_ones(point, TSR_F64, &a));
    CHECK_OK(tsr_eval_new(&c, "a + 1", TSR_ARG(a)));
    expr_check(c, TSR_F64, (const double[]){2}, 0, "a point");
    CHECK_STATUS(tsr_eval(c, "i0"), TSR_ERR_VALUE);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&c));
    CHECK_OK(tsr_zeros(empty, TSR_F64, &a));
    CHECK_OK(tsr_eval_new(&c, "a[-1,0] + i0/a", TSR_ARG(a)));
    CHECK_OK(tsr_eval(a, "a[1,1] + 1", TSR_ARG(a)));
    CHECK_OK(tsr_layout_destroy(&point));
    expr_destroy(empty, a, c);
}

static void outputs_that_are_operands(void **state)
{
    (void)state;
    tsr_layout *layout = expr_line(5);
    tsr_array *a = expr_array(layout, TSR_F64, (const double[]){1, 2, 3, 4, 5}), *b = NULL;

    CHECK_OK(tsr_eval(a, "where(a > 2, a*a - a, sqrt(a*a))", TSR_ARG(a)));
    expr_check(a, TSR_F64, (const double[]){1, 2, 6, 12, 20}, 0, "itself");
    CHECK_OK(tsr_eval(a, "a", TSR_ARG(a)));
    expr_check(a, TSR_F64, (const double[]){1, 2, 6, 12, 20}, 0, "a copy of itself");
    CHECK_OK(tsr_eval_where(a, "a > 5", "a/2", TSR_ARG(a)));
    expr_check(a, TSR_F64, (const double[]){1, 2, 3, 6, 10}, 0, "with a mask");
    CHECK_OK(tsr_eval_new(&b, "a > 2", TSR_ARG(a)));
    CHECK_OK(tsr_eval(b, "~b", TSR_ARG(b)));
    expr_check(b, TSR_BOOL, (const double[]){1, 1, 0, 0, 0}, 0, "bool");
    expr_destroy(layout, a, b);
}

/* Every rank has all cells; where ranks hold other values they stay apart. */
static void replicated_arrays(void **state)
{
    (void)state;
    tsr_layout *layout =
        make_layout(1, TSR_SHAPE(4),
                    (tsr_layout_options){.split = TSR_WHOLE, .halo = {1}, .periodic = TSR_AXIS(0)});
    tsr_array *a = NULL;
    const int rank = tsrt_rank();

    CHECK_OK(tsr_zeros(layout, TSR_I64, &a));
    CHECK_OK(tsr_eval(a, "10*i0 + rank", TSR_ARG(rank)));
    CHECK_OK(tsr_eval(a, "a[-1] + a[1]", TSR_ARG(a)));
    for (int i = 0; i < 4; ++i) {
        const int64_t right = 10 * ((i + 3) % 4 + (i + 1) % 4) + 2 * rank;
        CHECK_INT(((int64_t *)tsr_local(a).data)[i], right);
    }
    if (rank == 0) CHECK_OK(tsr_eval(a, "a*2 + 1", TSR_ARG(a))); /* alone: nothing is agreed on */
    expr_destroy(layout, a, NULL);
}

/* Parts that are checked for failure are computed in a cell's place in the output: it has room for
 * the widest of them, whichever comes last. */
static void checks_wider_than_the_result(void **state)
{
    (void)state;
    enum { N = 2000 };
    tsr_layout *layout = make_layout(1, TSR_SHAPE(N * tsrt_size()), (tsr_layout_options){0});
    tsr_array *a = NULL, *b = NULL, *c = NULL;

    CHECK_OK(tsr_full(layout, TSR_I64, tsr_i64(3), &a));
    CHECK_OK(tsr_full(layout, TSR_I16, tsr_i64(2), &b));
    CHECK_OK(tsr_eval_new(&c, "(a**(a + 1) == 81) & (b**(b + b) == 16)", TSR_ARG(a), TSR_ARG(b)));
    const tsr_view view = tsr_local(c);
    for (int i = 0; i < N; ++i)
        CHECK(TSR_AT(bool, view, i));
    CHECK_OK(tsr_array_destroy(&c));
    expr_destroy(layout, a, b);
}

static void compiled_expressions(void **state)
{
    (void)state;
    tsr_layout *layout = expr_line(3);
    tsr_array *a = expr_array(layout, TSR_F64, (const double[]){1, 2, 3}), *b = NULL;
    tsr_array *i = expr_array(layout, TSR_I32, (const double[]){5, 6, 7});
    tsr_expr *expr = NULL;

    CHECK_STATUS(tsr_expr_create("2*x +", &expr), TSR_ERR_VALUE);
    CHECK_TEXT("at the end of the text (column 6): expected a number, a name");
    CHECK(expr == NULL);
    CHECK_OK(tsr_expr_create("2*x + k", &expr));
    CHECK_OK(tsr_zeros(layout, TSR_F64, &b));
    for (int k = 0; k < 3; ++k) {
        CHECK_OK(tsr_expr_eval(expr, b, TSR_ARG_AS("x", a), TSR_ARG(k)));
        expr_check(b, TSR_F64, (const double[]){2 + k, 4 + k, 6 + k}, 0, "compiled");
        CHECK_OK(tsr_expr_eval(expr, b, TSR_ARG_AS("x", i), TSR_ARG(k)));
        expr_check(b, TSR_F64, (const double[]){10 + k, 12 + k, 14 + k}, 0, "with other types");
    }
    CHECK_STATUS(tsr_expr_eval(expr, b, TSR_ARG_AS("x", a)), TSR_ERR_VALUE);
    CHECK_OK(tsr_expr_destroy(&expr));
    CHECK(expr == NULL);
    CHECK_OK(tsr_expr_destroy(&expr));
    CHECK_STATUS(tsr_expr_eval(expr, b), TSR_ERR_VALUE);
    CHECK_OK(tsr_array_destroy(&i));
    expr_destroy(layout, a, b);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(E_1_E_2_broadcast_of_rows_and_columns),
                                       cmocka_unit_test(E_3_every_shape_that_broadcasts),
                                       cmocka_unit_test(E_3_any_strides),
                                       cmocka_unit_test(E_4_shapes_that_do_not_broadcast),
                                       cmocka_unit_test(E_5_E_6_shapes_and_layouts_that_differ),
                                       cmocka_unit_test(E_6_another_communicator),
                                       cmocka_unit_test(E_7_halo_cells_are_never_computed),
                                       cmocka_unit_test(E_8_halo_cells_of_the_output_stay),
                                       cmocka_unit_test(E_10_where_the_mask_is_true),
                                       cmocka_unit_test(storage_has_the_shape_of_the_arrays),
                                       cmocka_unit_test(arrays_without_axes_or_cells),
                                       cmocka_unit_test(outputs_that_are_operands),
                                       cmocka_unit_test(replicated_arrays),
                                       cmocka_unit_test(checks_wider_than_the_result),
                                       cmocka_unit_test(compiled_expressions)};
    return TSRT_RUN(argc, argv, tests);
}
