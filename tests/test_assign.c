/* ranks: 1 2 3 4 6 */
/* Parts of arrays by masks and lists, and values into parts: the specification's examples, what
 * moves, what is refused. */
#include "support/data_in.h"

#include <math.h>

/* An array of given cells over all ranks, some of which may own nothing; halo cells are -7. */
static tsr_array *array_of(int ndim, const int64_t *shape, tsr_axes split, const double *cells)
{
    tsr_layout_options options = {.split = split, .allow_empty = true};
    tsr_array *array = NULL;

    for (int a = 0; a < ndim; ++a)
        options.halo[a] = 1;
    tsr_layout *layout = make_layout(ndim, shape, &options);
    CHECK_OK(tsr_full(layout, TSR_F64, tsr_f64(-7), &array));
    const tsr_view v = tsr_local(array);
    int64_t local[TSR_MAX_NDIM];
    for (int64_t i = 0; i < stored_cells(&v); ++i) {
        int64_t place = 0;
        if (!stored_cell(&v, i, local)) continue;
        for (int a = 0; a < ndim; ++a)
            place = place * shape[a] + v.start[a] + local[a];
        *(double *)cell_at(&v, local) = cells == NULL ? (double)place : cells[place];
    }
    CHECK_OK(tsr_layout_destroy(&layout));
    return array;
}

static void check_cells(const tsr_array *array, const double *expected, double halo)
{
    const tsr_view v = tsr_local(array);
    const int64_t n = tsr_array_cells(array);
    double *cells = malloc((size_t)(n + 1) * sizeof *cells);
    int64_t local[TSR_MAX_NDIM];

    CHECK_OK(tsr_gather(array, TSR_ALL_RANKS, cells));
    for (int64_t i = 0; i < n; ++i)
        CHECK_DOUBLE(cells[i], expected[i], 0);
    for (int64_t i = 0; i < stored_cells(&v); ++i)
        if (!stored_cell(&v, i, local)) CHECK_DOUBLE(cell_value(&v, local), halo, 0);
    free(cells);
}

/* ---- select by mask ---------------------------------------------------------------------------
 */

static void G_22_a_mask(void **state)
{
    (void)state;
    static const double expected[] = {7, 8, 5, 9, 6};
    static const int64_t cuts[] = {0, 2, 4, 5};
    int64_t found[8];
    tsr_layout *layout = NULL;
    tsr_array *a = NULL, *mask = NULL, *part = NULL;

    if (tsrt_size() < 3) tsrt_skip("needs 3 ranks");
    tsr_comm comm = first_ranks(3);
    if (tsrt_rank() < 3) {
        CHECK_OK(tsr_layout_create(comm, 1, TSR_SHAPE(10), NULL, &layout));
        CHECK_OK(tsr_zeros(layout, TSR_F64, &a));
        CHECK_OK(tsr_eval(a, "7*i0 % 10"));
        CHECK_OK(tsr_eval_new(&mask, "a > 4", TSR_ARG(a)));
        CHECK_OK(tsr_select_mask(a, mask, &part));
        check_cells(part, expected, 0);
        CHECK_INT(tsr_array_shape(part)[0], 5);
        CHECK_OK(tsr_layout_cuts(tsr_array_layout(part), 0, found));
        for (int k = 0; k < 4; ++k)
            CHECK_INT(found[k], cuts[k]);
        CHECK_OK(tsr_array_destroy(&part));
        CHECK_OK(tsr_array_destroy(&mask));
        CHECK_OK(tsr_array_destroy(&a));
        CHECK_OK(tsr_layout_destroy(&layout));
    }
    free_ranks(&comm);
}

static void G_23_fewer_cells_than_ranks(void **state)
{
    (void)state;
    const double place = 11;
    tsr_array *a = array_of(2, TSR_SHAPE(4, 5), TSR_AXES(0, 1), NULL), *mask = NULL, *part = NULL;

    CHECK_OK(tsr_eval_new(&mask, "a == 11", TSR_ARG(a)));
    CHECK_OK(tsr_select_mask(a, mask, &part));
    CHECK_INT(tsr_array_ndim(part), 1);
    CHECK_INT(tsr_layout_is_replicated(tsr_array_layout(part)), tsrt_size() > 1);
    check_cells(part, &place, 0);
    CHECK_OK(tsr_array_destroy(&part));
    CHECK_OK(tsr_eval(mask, "a < 0", TSR_ARG(a)));
    CHECK_OK(tsr_select_mask(a, mask, &part));
    CHECK_INT(tsr_array_cells(part), 0);
    CHECK_OK(tsr_array_destroy(&part));
    CHECK_OK(tsr_array_destroy(&mask));
    CHECK_OK(tsr_array_destroy(&a));
}

/* In memory of the caller every byte but 0 is true, as in NumPy. */
static void masks_of_any_bytes(void **state)
{
    (void)state;
    unsigned char bytes[4] = {2, 165, 0, 1};
    tsr_layout *layout = NULL;
    tsr_array *a = NULL, *mask = NULL, *part = NULL;

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(4 * tsrt_size()), NULL, &layout));
    CHECK_OK(tsr_zeros(layout, TSR_F64, &a));
    CHECK_OK(tsr_adopt(layout, TSR_BOOL, bytes, sizeof bytes, &mask));
    CHECK_OK(tsr_select_mask(a, mask, &part));
    CHECK_INT(tsr_array_cells(part), 3 * tsrt_size());
    CHECK_OK(tsr_assign_mask(a, mask, 1));
    const tsr_view view = tsr_local(a);
    for (int i = 0; i < 4; ++i)
        CHECK_DOUBLE(TSR_AT(double, view, i), bytes[i] != 0, 0);
    CHECK_OK(tsr_array_destroy(&part));
    CHECK_OK(tsr_array_destroy(&mask));
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* ---- assign -----------------------------------------------------------------------------------
 */

enum { CELLS = 9 * 7 * 3 };

static tsr_array *example(double *wanted)
{
    for (int i = 0; i < CELLS; ++i)
        wanted[i] = i;
    return array_of(3, TSR_SHAPE(9, 7, 3), TSR_AXES(0, 1), wanted);
}

static void G_24_a_table(void **state)
{
    (void)state;
    double wanted[CELLS], table[27];
    tsr_array *a = example(wanted);

    for (int i = 0; i < 27; ++i) {
        table[i] = 1000 + i;
        wanted[i / 3 * 21 + 3 + i % 3] = table[i];
    }
    CHECK_OK(tsr_assign(a, ":, 1", TSR_GLOBAL(table, 2, TSR_SHAPE(9, 3))));
    check_cells(a, wanted, -7);
    CHECK_OK(tsr_array_destroy(&a));
}

static void G_25_numbers_that_broadcast(void **state)
{
    (void)state;
    static const float row[] = {10, 20, 30};
    double wanted[CELLS];
    tsr_array *a = example(wanted);

    for (int i = 0; i < CELLS; ++i) {
        const int x = i / 21, y = i / 3 % 7, z = i % 3;
        if (x >= 2 && x < 7 && z == 1) wanted[i] = 5;
        if (y == 3) wanted[i] = row[z];
    }
    CHECK_OK(tsr_assign_index(a, TSR_INDEX(TSR_SLICE(2, 7), TSR_ALL, TSR_INT(1)), 5));
    CHECK_OK(tsr_assign(a, ":, 3", TSR_GLOBAL(row, 1, TSR_SHAPE(3))));
    check_cells(a, wanted, -7);
    CHECK_OK(tsr_array_destroy(&a));
}

static void G_26_a_value_that_does_not_fit(void **state)
{
    (void)state;
    static const double values[4] = {1, 2, 3, 4};
    double wanted[CELLS];
    tsr_array *a = example(wanted), *four = NULL;
    tsr_layout *layout = make_layout(1, TSR_SHAPE(4), &(tsr_layout_options){.allow_empty = true});

    CHECK_STATUS(tsr_assign(a, ":, 0", TSR_GLOBAL(values, 1, TSR_SHAPE(4))), TSR_ERR_VALUE);
    CHECK_TEXT("tsr_assign: axis 0 of the value has length 4, must be 1 or 3");
    CHECK_OK(tsr_from_global(layout, TSR_F64, values, NULL, &four));
    CHECK_STATUS(tsr_assign(a, ":, 0", four), TSR_ERR_VALUE);
    CHECK_TEXT("axis 0 of the value has length 4");
    check_same_text();
    CHECK_STATUS(tsr_assign(a, "0, 0, 0", four), TSR_ERR_VALUE);
    CHECK_TEXT("the value has 1 axis, but what is selected has 0");
    check_cells(a, wanted, -7);
    CHECK_OK(tsr_array_destroy(&four));
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void G_27_a_mask_clears_the_halo(void **state)
{
    (void)state;
    double wanted[CELLS];
    tsr_array *a = example(wanted), *mask = NULL;

    for (int i = 0; i < CELLS; ++i)
        if (i > 100) wanted[i] = 0;
    CHECK_OK(tsr_eval_new(&mask, "a > 100", TSR_ARG(a)));
    const int64_t messages = tsri_counters_read().messages;
    CHECK_OK(tsr_assign_mask(a, mask, 0));
    CHECK_INT(tsri_counters_read().messages, messages);
    check_cells(a, wanted, 0);
    CHECK_OK(tsr_array_destroy(&mask));
    CHECK_OK(tsr_array_destroy(&a));
}

static void plain_values_need_no_message(void **state)
{
    (void)state;
    static const int64_t list[] = {-1, 0, 4}, cells[] = {0, 0, 0, 8, 6, -1};
    static const double values[3] = {1, 2, 3};
    double wanted[CELLS];
    tsr_array *a = example(wanted);
    const int64_t messages = tsri_counters_read().messages;

    CHECK_OK(tsr_assign(a, "::-2, 1:5:3", 2.5));
    CHECK_OK(tsr_assign_list(a, 0, 3, list, TSR_GLOBAL(values, 1, TSR_SHAPE(3))));
    CHECK_OK(tsr_assign_points(a, 2, cells, tsr_i64(9)));
    CHECK_INT(tsri_counters_read().messages, messages);
    CHECK_OK(tsr_array_destroy(&a));
}

/* The last of equal indices stays; the same when the values come from other ranks. */
static void repeated_indices(void **state)
{
    (void)state;
    enum { N = 12 };
    int64_t list[N];
    double values[N], wanted[5] = {0, 1, 2, 3, 4};
    tsr_array *value = NULL;
    tsr_layout *layout = make_layout(1, TSR_SHAPE(N), NULL);

    for (int k = 0; k < N; ++k) {
        list[k] = k * 7 % 3 - (k % 2 == 0 ? 5 : 0);
        values[k] = 100 + k;
        wanted[(list[k] + 5) % 5] = values[k];
    }
    CHECK_OK(tsr_from_global(layout, TSR_F64, values, NULL, &value));
    for (int form = 0; form < 4; ++form) {
        tsr_array *a = array_of(1, TSR_SHAPE(5), TSR_AXES(0), NULL);
        const tsr_arg v = form % 2 == 0 ? TSR_ARG(value) : TSR_GLOBAL(values, 1, TSR_SHAPE(N));
        CHECK_OK(form < 2 ? tsr_assign_list(a, -1, N, list, v) : tsr_assign_points(a, N, list, v));
        check_cells(a, wanted, 0);
        CHECK_OK(tsr_array_destroy(&a));
    }
    CHECK_OK(tsr_array_destroy(&value));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* As if a temporary had been made. */
static void an_array_into_itself(void **state)
{
    (void)state;
    static const double reversed[] = {7, 6, 5, 4, 3, 2, 1, 0};
    const int64_t backwards[] = {7, 6, 5, 4, 3, 2, 1, 0};
    tsr_array *part = NULL, *mask = NULL;

    for (int form = 0; form < 8; ++form) {
        tsr_array *a = array_of(1, TSR_SHAPE(8), form < 4 ? TSR_AXES(0) : TSR_WHOLE, NULL);
        double expected[8];
        for (int i = 0; i < 8; ++i)
            expected[i] = form % 4 == 2 ? (i < 2 ? i : i - 2) : form % 4 == 3 ? i : reversed[i];
        switch (form % 4) {
        case 0:
            CHECK_OK(tsr_assign(a, "::-1", a));
            break;
        case 1:
            CHECK_OK(tsr_assign_list(a, 0, 8, backwards, a));
            break;
        case 2: /* one part to another that overlaps it */
            CHECK_OK(tsr_select(a, ":-2", &part));
            CHECK_OK(tsr_assign(a, "2:", part));
            CHECK_OK(tsr_array_destroy(&part));
            break;
        default:
            CHECK_OK(tsr_eval_new(&mask, "a > -1", TSR_ARG(a)));
            CHECK_OK(tsr_assign_mask(a, mask, a));
            CHECK_OK(tsr_array_destroy(&mask));
        }
        check_cells(a, expected, form % 2 == 0 ? -7 : 0);
        CHECK_OK(tsr_array_destroy(&a));
    }
}

/* Two arrays over one memory that the program gave. */
static void an_array_into_its_own_memory(void **state)
{
    (void)state;
    static const double reversed[] = {7, 6, 5, 4, 3, 2, 1, 0};
    const int64_t backwards[] = {7, 6, 5, 4, 3, 2, 1, 0};

    for (int form = 0; form < 6; ++form) {
        double memory[8];
        tsr_array *a = NULL, *b = NULL, *mask = NULL;
        tsr_layout *layout =
            make_layout(1, TSR_SHAPE(8),
                        &(tsr_layout_options){.split = form < 3 ? TSR_AXIS(0) : TSR_WHOLE,
                                              .allow_empty = form < 3});
        CHECK_OK(tsr_adopt(layout, TSR_F64, memory, sizeof memory, &a));
        CHECK_OK(tsr_adopt(layout, TSR_F64, memory, sizeof memory, &b));
        CHECK_OK(tsr_eval(a, "1.0*i0"));
        if (form % 3 == 0) CHECK_OK(tsr_assign(a, "::-1", b));
        if (form % 3 == 1) CHECK_OK(tsr_assign_list(a, 0, 8, backwards, b));
        if (form % 3 == 2) {
            CHECK_OK(tsr_eval_new(&mask, "a >= 0", TSR_ARG(a)));
            CHECK_OK(tsr_assign_mask(a, mask, b));
            CHECK_OK(tsr_assign(a, "::-1", a));
        }
        check_cells(a, reversed, 0);
        CHECK_OK(tsr_array_destroy(&mask));
        CHECK_OK(tsr_array_destroy(&b));
        CHECK_OK(tsr_array_destroy(&a));
        CHECK_OK(tsr_layout_destroy(&layout));
    }
}

/* ---- T-5 --------------------------------------------------------------------------------------
 */

static void T_5_a_corner(void **state)
{
    (void)state;
    static const double expected[] = {0, 0, 0, 0.076, 0.075, 0.074, 0.151, 0.15, 0.147};
    double cells[9];
    tsr_array *w = NULL;
    tsr_layout *layout =
        make_layout(2, TSR_SHAPE(96, 96), &(tsr_layout_options){.split = TSR_AXES(0, 1)});

    CHECK_OK(tsr_zeros(layout, TSR_F64, &w));
    CHECK_OK(tsr_eval(w, "sin(2*pi*i0/96)*cos(4*pi*i1/96) + i0/96"));
    CHECK_OK(tsr_gather_part(w, ":3,:3", TSR_ALL_RANKS, cells));
    for (int i = 0; i < 9; ++i)
        CHECK_DOUBLE(round(cells[i] * 1000) / 1000, expected[i], 1e-12);
    CHECK_OK(tsr_array_destroy(&w));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* ---- refused ----------------------------------------------------------------------------------
 */

static void refused(void **state)
{
    (void)state;
    static const int64_t list[] = {0, -10, 3}, cells[] = {0, 0, 0, 1, 7, 0};
    double wanted[CELLS];
    tsr_array *a = example(wanted), *part = (tsr_array *)&part, *mask = NULL, *small = NULL;
    tsr_layout *layout = make_layout(1, TSR_SHAPE(9), &(tsr_layout_options){.allow_empty = true});

    CHECK_STATUS(tsr_select_list(a, 0, 3, list, &part), TSR_ERR_INDEX);
    CHECK_TEXT("entry 1 of the list: index -10 is out of bounds for axis 0 of length 9");
    check_same_text();
    CHECK(part == NULL);
    CHECK_STATUS(tsr_select_points(a, 2, cells, &part), TSR_ERR_INDEX);
    CHECK_TEXT("cell 1 of the list: index 7 is out of bounds for axis 1 of length 7");
    CHECK_STATUS(tsr_select_list(a, 3, 1, list, &part), TSR_ERR_AXIS);
    CHECK_STATUS(tsr_select_list(a, 0, -1, list, &part), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_select_list(a, 0, 1, NULL, &part), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_select_list(NULL, 0, 1, list, &part), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_select_list(a, 0, 1, list, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_select_points(a, INT64_MAX / 2, cells, &part), TSR_ERR_OVERFLOW);
    CHECK_STATUS(tsr_assign_list(a, 0, 3, list, 1), TSR_ERR_INDEX);
    CHECK_TEXT("tsr_assign_list: entry 1");

    CHECK_STATUS(tsr_select_mask(a, NULL, &part), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_select_mask(a, a, &part), TSR_ERR_TYPE);
    CHECK_TEXT("the mask holds float64, must hold bool");
    CHECK_OK(tsr_zeros(layout, TSR_BOOL, &small));
    CHECK_STATUS(tsr_select_mask(a, small, &part), TSR_ERR_VALUE);
    CHECK_TEXT("the mask has 1 axis and the array 3");
    CHECK_OK(tsr_eval_new(&mask, "a > 183", TSR_ARG(a)));
    CHECK_STATUS(tsr_select_mask(a, mask, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_assign_mask(a, mask, small), TSR_ERR_VALUE);
    CHECK_TEXT("axis 0 of the value has length 9, must be 1 or 5");
    check_same_text();
    CHECK_STATUS(tsr_assign_mask(a, NULL, 1), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_assign_mask(NULL, mask, 1), TSR_ERR_VALUE);

    CHECK_STATUS(tsr_assign(a, ":", (const tsr_array *)NULL), TSR_ERR_VALUE);
    CHECK_TEXT("the array \"value\" is NULL");
    CHECK_STATUS(tsr_assign(NULL, ":", 1), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_assign(a, ":", tsr_arg_text("a")), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_assign(a, ":", tsr_arg_storage("s", TSR_F64, wanted)), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_assign(a, ":", (tsr_scalar){.dtype = TSR_AUTO}), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_assign(a, "1:2:0", 1), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_assign(a, "9", 1), TSR_ERR_INDEX);
    check_cells(a, wanted, -7);
    CHECK_OK(tsr_array_destroy(&mask));
    CHECK_OK(tsr_array_destroy(&small));
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void not_while_an_exchange_is_pending(void **state)
{
    (void)state;
    double wanted[CELLS];
    tsr_array *a = example(wanted), *part = NULL;
    tsr_pending *pending = NULL;

    CHECK_OK(tsr_halo_start(1, &a, NULL, &pending));
    CHECK_STATUS(tsr_assign(a, "0", 1), TSR_ERR_STATE);
    CHECK_OK(tsr_select(a, "0", &part)); /* blocks may be read */
    CHECK_OK(tsr_halo_finish(&pending));
    CHECK_OK(tsr_array_destroy(&part));
    CHECK_OK(tsr_array_destroy(&a));
}

static void other_arguments_on_one_rank(void **state)
{
    (void)state;
    static const int64_t list[] = {0, 3, 9};
    double wanted[CELLS];
    tsr_array *part = NULL, *mask = NULL, *row = NULL;

    if (tsrt_size() == 1) tsrt_skip("needs 2 ranks");
    tsr_array *a = example(wanted);
    CHECK_OK(tsr_eval_new(&mask, "a > 100", TSR_ARG(a)));
    CHECK_OK(tsr_select(a, "0", &row)); /* distributed, or the value would be plain */
    for (int wrong = 0; wrong < tsrt_size(); ++wrong) {
        const bool mine = wrong == tsrt_rank();
        CHECK_STATUS(tsr_select_list(a, 0, mine ? 3 : 2, list, &part), TSR_ERR_INDEX);
        check_same_text();
        CHECK(part == NULL);
        CHECK_STATUS(tsr_select_list(a, 0, 1, mine ? list : list + 1, &part), TSR_ERR_MISMATCH);
        CHECK_STATUS(tsr_select_points(a, mine ? 1 : 0, list, &part), TSR_ERR_INDEX);
        CHECK_STATUS(tsr_select_mask(a, mine ? a : mask, &part), TSR_ERR_TYPE);
        check_same_text();
        if (tsr_layout_is_replicated(tsr_array_layout(row))) continue;
        CHECK_STATUS(tsr_assign(a, mine ? "9" : "1", row), TSR_ERR_INDEX);
        check_same_text();
        CHECK_STATUS(tsr_assign(a, mine ? "2" : "1", row), TSR_ERR_MISMATCH);
        CHECK_STATUS(tsr_assign_list(a, 0, 1, mine ? list : list + 1, row), TSR_ERR_MISMATCH);
    }
    check_cells(a, wanted, -7);
    CHECK_OK(tsr_array_destroy(&row));
    CHECK_OK(tsr_array_destroy(&mask));
    CHECK_OK(tsr_array_destroy(&a));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(G_22_a_mask),
        cmocka_unit_test(G_23_fewer_cells_than_ranks),
        cmocka_unit_test(masks_of_any_bytes),
        cmocka_unit_test(G_24_a_table),
        cmocka_unit_test(G_25_numbers_that_broadcast),
        cmocka_unit_test(G_26_a_value_that_does_not_fit),
        cmocka_unit_test(G_27_a_mask_clears_the_halo),
        cmocka_unit_test(plain_values_need_no_message),
        cmocka_unit_test(repeated_indices),
        cmocka_unit_test(an_array_into_itself),
        cmocka_unit_test(an_array_into_its_own_memory),
        cmocka_unit_test(T_5_a_corner),
        cmocka_unit_test(refused),
        cmocka_unit_test(not_while_an_exchange_is_pending),
        cmocka_unit_test(other_arguments_on_one_rank),
    };
    return TSRT_RUN(argc, argv, tests);
}
