/* ranks: 1 2 3 4 6 8 */
/* The worked examples H-28 to H-37 of the halo accumulation, the order in which contributions are
 * added, parts of the halo, and conservation. */
#include "support/halo_fixture.h"
#include "support/halo_setup.h"

static void check_example(const accumulate_example *example, tsr_dtype dtype)
{
    const model_layout shape = setup_accumulate_layout(example);
    const tsr_axes cut = example->cuts[1] != 0 ? TSR_AXIS(0) : 0;
    model before, after;
    tsr_array *array = NULL;

    tsr_comm comm = fixture_comm(example->ranks);
    if (tsrt_rank() < example->ranks) {
        model_create(&before, &shape, dtype);
        model_create(&after, &shape, dtype);
        for (int64_t i = 0; i < before.offset[shape.ranks]; ++i) {
            model_number(dtype, example->before[i], before.data + (size_t)i * before.elem);
            model_number(dtype, example->expected[i], after.data + (size_t)i * after.elem);
        }
        tsr_layout *layout = fixture_layout(comm, &shape, cut);
        CHECK_OK(tsr_zeros(layout, dtype, &array));
        for (int way = 0; way < WAYS; ++way) {
            fixture_write(&before, tsr_layout_rank(layout), array);
            fixture_run((fixture_way)way, ACCUMULATE, 1, &array, NULL);
            CHECK_MODEL(&after, tsr_layout_rank(layout), array);
        }
        CHECK_OK(tsr_array_destroy(&array));
        CHECK_OK(tsr_layout_destroy(&layout));
        model_free(&before);
        model_free(&after);
    }
    fixture_comm_end(comm);
}

static void every_way(void **state)
{
    check_example(*state, TSR_F64);
}

/* The examples whose numbers fit 8 bits. */
static void every_type(void **state)
{
    (void)state;
    const char *const ids[] = {"H-28", "H-32", "H-34", "H-36"};
    for (int k = 0; k < accumulate_example_count; ++k)
        for (size_t i = 0; i < sizeof ids / sizeof ids[0]; ++i)
            if (strncmp(accumulate_examples[k].id, ids[i], 4) == 0 &&
                accumulate_examples[k].ranks <= tsrt_size())
                for (int dtype = TSR_BOOL; dtype < TSR_DTYPE_END; ++dtype)
                    check_example(&accumulate_examples[k], (tsr_dtype)dtype);
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Numbers whose float sum tells the order in which they were added. */
static float telling(int rank, int64_t place)
{
    const float sizes[] = {1.6777216e7f, 1, -1.6777216e7f, 0.75f, 3, -1e8f, 1e8f};
    return sizes[(7 * rank + 3 * (int)(place + 2)) % 7];
}

/* One cell a rank and two halo cells on each side of a ring: cell r gets, after its own value, what
 * the blocks two and one before it have for it, then those one and two after it.  On one or two
 * ranks some of these are images of the rank itself. */
static void contributions_in_the_order_of_their_blocks(void **state)
{
    (void)state;
    const int size = tsrt_size(), rank = tsrt_rank();
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(size),
                               &(tsr_layout_options){.halo = {2}, .periodic = TSR_AXES(0)},
                               &layout));
    CHECK_OK(tsr_zeros(layout, TSR_F32, &array));

    for (int way = 0; way < WAYS; ++way) {
        const tsr_view v = tsr_local(array);
        float expected = telling(rank, 0);
        for (int delta = -2; delta <= 2; ++delta) {
            const int sender = ((rank + delta) % size + size) % size;
            if (delta != 0) expected += telling(sender, -delta);
            TSR_AT(float, v, delta) = telling(rank, delta);
        }
        fixture_run((fixture_way)way, ACCUMULATE, 1, &array, NULL);
        CHECK_DOUBLE(TSR_AT(float, v, 0), expected, 0);
    }
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* In two axes the first is the slowest: the 8 neighbours of a block in reading order. */
static void order_in_two_axes(void **state)
{
    (void)state;
    model_layout shape = {.ndim = 2,
                          .ranks = tsrt_size(),
                          .periodic = TSR_AXES(0, 1),
                          .shape = {4, 6},
                          .lo = {3, 2},
                          .hi = {1, 4},
                          .grid = {tsrt_size() % 2 == 0 ? 2 : 1, 1}};
    shape.grid[1] = shape.ranks / shape.grid[0];
    for (int a = 0; a < 2; ++a)
        model_near_even(shape.shape[a], shape.grid[a], shape.cuts[a]);
    const tsr_dtype types[] = {TSR_F32, TSR_F64, TSR_C64, TSR_C128, TSR_I8, TSR_BOOL};
    for (size_t k = 0; k < sizeof types / sizeof types[0]; ++k)
        fixture_compare(ACCUMULATE, &shape, 0, types[k], NULL, NULL);
}

/* ---- parts of the halo ----------------------------------------------------------------------- */

static model_layout cube(void)
{
    const int size = tsrt_size();
    model_layout shape = {.ndim = 3,
                          .ranks = size,
                          .periodic = TSR_AXES(1),
                          .shape = {5, 7, 3},
                          .lo = {2, 1, 3},
                          .hi = {1, 2, 2},
                          .grid = {1, size % 2 == 0 ? size / 2 : size, size % 2 == 0 ? 2 : 1}};
    for (int a = 0; a < 3; ++a)
        model_near_even(shape.shape[a], shape.grid[a], shape.cuts[a]);
    return shape;
}

static void parts_of_the_halo(void **state)
{
    (void)state;
    const model_layout shape = cube();
    const tsr_halo_options parts[] = {
        {.axes = TSR_AXES(0)},
        {.axes = TSR_AXES(1)},
        {.axes = TSR_AXES(0, 2)},
        {.axes = TSR_ALL_AXES},
        {.faces_only = true},
        {.axes = TSR_AXES(1, 2), .faces_only = true},
        {.width_lo = {1, 1, 2}, .width_hi = {1, 1, 1}},
        {.width_lo = {TSR_NO_HALO, 0, 1}, .width_hi = {0, TSR_NO_HALO, TSR_NO_HALO}},
        {.axes = TSR_AXES(1), .width_lo = {0, TSR_NO_HALO}, .width_hi = {0, 1}},
        {.width_lo = {TSR_NO_HALO, TSR_NO_HALO, TSR_NO_HALO},
         .width_hi = {TSR_NO_HALO, TSR_NO_HALO, TSR_NO_HALO}},
    };
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k) {
        fixture_compare(ACCUMULATE, &shape, 0, TSR_F64, NULL, &parts[k]);
        fixture_compare(UPDATE, &shape, 0, TSR_F64, NULL, &parts[k]);
    }
}

/* ---- conservation ---------------------------------------------------------------------------- */

/* On periodic axes nothing is lost: of ones, the sum afterwards is the number of padded cells. */
static void check_conserved(int ndim, const int64_t *length, const tsr_layout_options *options)
{
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    tsr_scalar sum;
    int64_t padded = 0;

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, ndim, length, options, &layout));
    for (int r = 0; r < tsrt_size(); ++r) {
        int64_t extent[TSR_MAX_NDIM], cells = 1;
        CHECK_OK(tsr_layout_storage(layout, r, extent));
        for (int a = 0; a < ndim; ++a)
            cells *= extent[a];
        padded += cells;
    }
    CHECK_OK(tsr_ones(layout, TSR_I64, &array));
    CHECK_OK(tsr_halo_accumulate(array, NULL));
    CHECK_OK(tsr_sum(array, &sum));
    CHECK_INT(sum.as.i, padded);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void nothing_is_lost(void **state)
{
    (void)state;
    check_conserved(
        1, TSR_SHAPE(4),
        &(tsr_layout_options){.halo = {3}, .periodic = TSR_AXES(0), .allow_empty = true});
    check_conserved(2, TSR_SHAPE(5, 9),
                    &(tsr_layout_options){.split = TSR_AXES(0, 1),
                                          .halo_lo = {2, 7},
                                          .halo_hi = {6, 1},
                                          .periodic = TSR_AXES(0, 1),
                                          .allow_empty = true});
}

int main(int argc, char **argv)
{
    const struct CMUnitTest more[] = {
        cmocka_unit_test(every_type),
        cmocka_unit_test(contributions_in_the_order_of_their_blocks),
        cmocka_unit_test(order_in_two_axes),
        cmocka_unit_test(parts_of_the_halo),
        cmocka_unit_test(nothing_is_lost),
    };
    return setup_run(argc, argv, NULL, every_way, more, sizeof more / sizeof more[0]);
}
