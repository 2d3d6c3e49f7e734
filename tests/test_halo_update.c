/* ranks: 1 2 3 4 6 8 */
/* The worked examples H-1 to H-27 of the halo update: the whole storage of every rank. */
#include "support/halo_fixture.h"
#include "support/halo_setup.h"

#include <math.h>

/* An example in one element type: its numbers, converted. */
static void check_example(const halo_example *example, tsr_dtype dtype, const fixture_way *ways,
                          int count)
{
    const model_layout shape = setup_update_layout(example);
    const tsr_halo_options options = {.axes = example->axes};
    model before, numbers, after;
    tsr_array *array = NULL;

    tsr_comm comm = fixture_comm(example->ranks);
    if (tsrt_rank() < example->ranks) {
        model_create(&numbers, &shape, TSR_F64);
        model_create(&before, &shape, dtype);
        model_create(&after, &shape, dtype);
        setup_update_values(&numbers, example);
        for (int64_t i = 0; i < numbers.offset[shape.ranks]; ++i) {
            model_number(dtype, ((double *)numbers.data)[i], before.data + (size_t)i * before.elem);
            model_number(dtype, example->expected[i], after.data + (size_t)i * after.elem);
        }

        tsr_layout *layout = fixture_layout(comm, &shape, example->cuts[1] != 0 ? TSR_AXIS(0) : 0);
        CHECK_OK(tsr_zeros(layout, dtype, &array));
        CHECK_OK(tsr_array_set_boundary(array, TSR_ALL_AXES, TSR_BOTH_SIDES, example->kind,
                                        tsr_f64(example->value)));
        for (int k = 0; k < count; ++k)
            for (int round = 0; round < 2; ++round) {
                fixture_write(&before, tsr_layout_rank(layout), array);
                fixture_run(ways[k], UPDATE, 1, &array, example->axes != 0 ? &options : NULL);
                CHECK_MODEL(&after, tsr_layout_rank(layout), array);
            }
        CHECK_OK(tsr_array_destroy(&array));
        CHECK_OK(tsr_layout_destroy(&layout));
        model_free(&numbers);
        model_free(&before);
        model_free(&after);
    }
    fixture_comm_end(comm);
}

static void every_way(void **state)
{
    check_example(*state, TSR_F64, (const fixture_way[]){BLOCKING, MANY, STARTED, POLLED}, WAYS);
}

static const halo_example *example_named(const char *prefix)
{
    for (int k = 0; k < halo_example_count; ++k)
        if (strncmp(halo_examples[k].id, prefix, strlen(prefix)) == 0) return &halo_examples[k];
    tsrt_fail(__FILE__, __LINE__, "no example %s", prefix);
}

static void every_type(void **state)
{
    (void)state;
    const char *const ids[] = {"H-6", "H-11", "H-12", "H-20"};
    for (size_t k = 0; k < sizeof ids / sizeof ids[0]; ++k) {
        const halo_example *example = example_named(ids[k]);
        if (example->ranks > tsrt_size()) continue;
        for (int dtype = TSR_BOOL; dtype < TSR_DTYPE_END; ++dtype)
            check_example(example, (tsr_dtype)dtype, (const fixture_way[]){BLOCKING, STARTED}, 2);
    }
    const halo_example *alone = example_named("H-8");
    for (int dtype = TSR_BOOL; dtype < TSR_DTYPE_END; ++dtype)
        check_example(alone, (tsr_dtype)dtype, (const fixture_way[]){BLOCKING, STARTED}, 2);
}

/* ---- H-22, H-23 ------------------------------------------------------------------------------ */

static void H_22_H_23_boundary_errors(void **state)
{
    (void)state;
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(24), &(tsr_layout_options){.halo = {1}},
                               &layout));
    CHECK_OK(tsr_full(layout, TSR_F64, tsr_f64(3), &array));

    CHECK_STATUS(tsr_array_set_boundary(array, TSR_ALL_AXES, TSR_BOTH_SIDES, (tsr_boundary_kind)17,
                                        tsr_f64(0)),
                 TSR_ERR_VALUE);
    CHECK_STATUS(
        tsr_array_set_boundary(array, TSR_ALL_AXES, TSR_BOTH_SIDES, TSR_CONSTANT, tsr_bool(true)),
        TSR_ERR_VALUE);

    tsr_boundary odd[2] = {{.kind = (tsr_boundary_kind)17}, {.kind = TSR_EDGE}};
    const tsr_halo_options options = {.boundary = odd};
    CHECK_STATUS(tsr_halo_update(array, &options), TSR_ERR_VALUE);
    CHECK_SAME_ON_ALL(tsr_error_text()[0] != '\0');
    odd[0] = (tsr_boundary){.kind = TSR_CONSTANT, .value = tsr_bool(true)};
    CHECK_STATUS(tsr_halo_update(array, &options), TSR_ERR_VALUE);

    const tsr_view view = tsr_local(array);
    for (int64_t i = -1; i <= view.extent[0]; ++i)
        CHECK_DOUBLE(TSR_AT(double, view, i), 3, 0);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* ---- H-26, H-27 ------------------------------------------------------------------------------ */

static tsr_array *periodic_line(int64_t length)
{
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(length),
                               &(tsr_layout_options){.halo = {1}, .periodic = TSR_AXES(0)},
                               &layout));
    CHECK_OK(tsr_zeros(layout, TSR_F64, &array));
    CHECK_OK(tsr_layout_destroy(&layout));
    return array;
}

static void H_26_second_derivative_of_a_sine(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846, step = 2 * pi / 64;
    tsr_array *array = periodic_line(64);
    const tsr_view u = tsr_local(array);
    double worst = 0, everywhere = 0;

    for (int64_t i = 0; i < u.extent[0]; ++i)
        TSR_AT(double, u, i) = sin(step * (double)(u.start[0] + i));
    CHECK_OK(tsr_halo_update(array, NULL));
    for (int64_t i = 0; i < u.extent[0]; ++i) {
        const double mid = TSR_AT(double, u, i);
        const double second = TSR_AT(double, u, i + 1) - 2 * mid + TSR_AT(double, u, i - 1);
        worst = fmax(worst, fabs(second / (step * step) + mid));
    }
    for (int r = 0; r < tsrt_size(); ++r) {
        double theirs = worst;
        tsrt_bcast(&theirs, sizeof theirs, r);
        everywhere = fmax(everywhere, theirs);
    }
    CHECK_DOUBLE(everywhere, 8.0293e-4, 0.00005e-4);
    CHECK_OK(tsr_array_destroy(&array));
}

static void H_27_second_differences(void **state)
{
    (void)state;
    tsr_array *array = periodic_line(8);
    const tsr_view u = tsr_local(array);

    for (int64_t i = 0; i < u.extent[0]; ++i)
        TSR_AT(double, u, i) = (double)(u.start[0] + i);
    CHECK_OK(tsr_halo_update(array, NULL));
    for (int64_t i = 0; i < u.extent[0]; ++i) {
        const int64_t g = u.start[0] + i;
        CHECK_DOUBLE(TSR_AT(double, u, i + 1) - 2 * TSR_AT(double, u, i) + TSR_AT(double, u, i - 1),
                     g == 0   ? 8
                     : g == 7 ? -8
                              : 0,
                     0);
    }
    CHECK_OK(tsr_array_destroy(&array));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest more[] = {cmocka_unit_test(every_type),
                                      cmocka_unit_test(H_22_H_23_boundary_errors),
                                      cmocka_unit_test(H_26_second_derivative_of_a_sine),
                                      cmocka_unit_test(H_27_second_differences)};
    return setup_run(argc, argv, every_way, NULL, more, sizeof more / sizeof more[0]);
}
