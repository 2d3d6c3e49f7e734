/* ranks: 1 2 3 4 6 8 */
/* Faults that users of similar libraries met in halo exchanges, and where each is provoked here:
 *
 *   (64,1,1), halo 2 on every periodic axis                     lengths_of_one
 *   periodic, halo wider than the axis, accumulate              test_halo_accumulate:
 * nothing_is_lost every width 1..5 x periodic or not x 1..5 ranks             widths_are_data axis
 * 0 periodic, axis 1 not, 2 x 2, halo 4                  periodic_and_closed the same with a
 * callback that copies the nearest cell       callbacks_run_last 10 cells, 8 ranks, halo 4
 * neighbours_of_neighbours (3,3) on 2 x 2, halo 1 and 2 small_squares 4 axes, only 1 to 3 cut, halo
 * on axis 0                     halo_on_an_uncut_axis blocks of one cell, halo 2 small_squares,
 * widths_are_data (5,5) on 5 ranks and on 2 x 3, corners                      small_squares P x 1
 * grid, periodic on the uncut axis                      periodic_uncut_axis periodic axis of 1, 2,
 * 3 ranks, low and high differ         low_is_not_high 6 rows on 7 ranks, rows (3,0,3) empty_blocks
 *   begin and end 1000 times, two fields, destroyed between     test_halo_async
 *   fixed boundary in 3 axes, poison left                       no_poison_is_left
 *   zeros_like, copy, cast, then update                         layout_and_boundaries_are_inherited
 *   (16,16), pointer and strides on corner ranks                pointer_and_strides
 *   poisoned halo cells and reductions                          reductions_ignore_halos
 *   time of strided and contiguous faces                        bench/
 *
 * All are also in the space of test_random_halo. */
#include "support/halo_fixture.h"

#include <math.h>

static model_layout make(int ndim, const int64_t *shape, const int *grid, const int64_t *halo,
                         tsr_axes periodic)
{
    model_layout m = {.ndim = ndim, .ranks = 1, .periodic = periodic};
    for (int a = 0; a < ndim; ++a) {
        m.shape[a] = shape[a];
        m.grid[a] = grid[a];
        m.lo[a] = m.hi[a] = halo[a];
        m.ranks *= grid[a];
        model_near_even(shape[a], grid[a], m.cuts[a]);
    }
    return m;
}

#define GRID(...) ((const int[]){__VA_ARGS__})

/* Update and accumulate against the model, with every boundary that axes without cells allow. */
static void compare_all(const model_layout *m)
{
    if (m->ranks > tsrt_size()) return;
    for (int kind = TSR_LEAVE; kind <= TSR_CALLBACK; ++kind) {
        tsr_boundary own[2 * MODEL_NDIM] = {{0}};
        for (int k = 0; k < 2 * m->ndim; ++k)
            own[k] = (tsr_boundary){(tsr_boundary_kind)kind, tsr_i64(3), fixture_callback, NULL};
        fixture_compare(UPDATE, m, 0, TSR_F64, own, NULL);
    }
    fixture_compare(ACCUMULATE, m, 0, TSR_F64, NULL, NULL);
}

static void lengths_of_one(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= tsrt_size(); ++ranks) {
        const model_layout m =
            make(3, TSR_SHAPE(64, 1, 1), GRID(ranks, 1, 1), TSR_SHAPE(2, 2, 2), TSR_AXES(0, 1, 2));
        compare_all(&m);
    }
}

static void widths_are_data(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= 5 && ranks <= tsrt_size(); ++ranks)
        for (int64_t width = 1; width <= 5; ++width)
            for (tsr_axes periodic = 0; periodic <= 1; ++periodic) {
                const model_layout m =
                    make(1, TSR_SHAPE(7), GRID(ranks), TSR_SHAPE(width), periodic);
                compare_all(&m);
            }
}

static void periodic_and_closed(void **state)
{
    (void)state;
    if (tsrt_size() < 4) tsrt_skip("needs 4 ranks");
    const model_layout m = make(2, TSR_SHAPE(9, 10), GRID(2, 2), TSR_SHAPE(4, 4), TSR_AXES(0));
    compare_all(&m);
}

static void neighbours_of_neighbours(void **state)
{
    (void)state;
    for (tsr_axes periodic = 0; periodic <= 1; ++periodic) {
        const model_layout m = make(1, TSR_SHAPE(10), GRID(tsrt_size()), TSR_SHAPE(4), periodic);
        compare_all(&m);
    }
}

static void small_squares(void **state)
{
    (void)state;
    if (tsrt_size() < 4) tsrt_skip("needs 4 ranks");
    for (int64_t width = 1; width <= 2; ++width)
        for (tsr_axes periodic = 0; periodic <= 3; ++periodic) {
            const int64_t halo[2] = {width, width};
            const model_layout squares[] = {
                make(2, TSR_SHAPE(3, 3), GRID(2, 2), halo, periodic),
                make(2, TSR_SHAPE(5, 5), GRID(5, 1), halo, periodic),
                make(2, TSR_SHAPE(5, 5), GRID(2, 3), halo, periodic),
                make(2, TSR_SHAPE(2, 4), GRID(2, 4), halo, periodic),
            };
            for (int k = 0; k < 4; ++k)
                compare_all(&squares[k]);
        }
}

static void halo_on_an_uncut_axis(void **state)
{
    (void)state;
    const int size = tsrt_size(), half = size % 2 == 0 ? 2 : 1, quarter = size % 4 == 0 ? 2 : 1;
    for (tsr_axes periodic = 0; periodic <= 1; ++periodic) {
        const model_layout m =
            make(4, TSR_SHAPE(3, 8, 4, 5), GRID(1, size / half / quarter, half, quarter),
                 TSR_SHAPE(2, 0, 0, 0), periodic);
        compare_all(&m);
    }
}

static void periodic_uncut_axis(void **state)
{
    (void)state;
    for (int64_t width = 1; width <= 3; ++width) {
        const model_layout m = make(2, TSR_SHAPE(2 * tsrt_size(), 3), GRID(tsrt_size(), 1),
                                    TSR_SHAPE(1, width), TSR_AXES(1));
        compare_all(&m);
    }
}

/* Each halo cell has the global index it stands for, so that sides cannot be exchanged unseen. */
static void low_is_not_high(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= 3 && ranks <= tsrt_size(); ++ranks)
        for (int way = 0; way < WAYS; ++way) {
            const model_layout m = make(1, TSR_SHAPE(6), GRID(ranks), TSR_SHAPE(1), TSR_AXES(0));
            tsr_comm comm = fixture_comm(ranks);
            if (tsrt_rank() < ranks) {
                tsr_layout *layout = fixture_layout(comm, &m, 0);
                tsr_array *array = NULL;
                CHECK_OK(tsr_full(layout, TSR_I64, tsr_i64(-1), &array));
                const tsr_view v = tsr_local(array);
                for (int64_t i = 0; i < v.extent[0]; ++i)
                    TSR_AT(int64_t, v, i) = v.start[0] + i;
                fixture_run((fixture_way)way, UPDATE, 1, &array, NULL);
                for (int64_t i = -1; i <= v.extent[0]; ++i)
                    CHECK_INT(TSR_AT(int64_t, v, i), (v.start[0] + i + 6) % 6);
                CHECK_OK(tsr_array_destroy(&array));
                CHECK_OK(tsr_layout_destroy(&layout));
            }
            fixture_comm_end(comm);
        }
}

static void empty_blocks(void **state)
{
    (void)state;
    for (tsr_axes periodic = 0; periodic <= 1; ++periodic) {
        const model_layout fewer = make(2, TSR_SHAPE(tsrt_size() > 1 ? tsrt_size() - 1 : 1, 4),
                                        GRID(tsrt_size(), 1), TSR_SHAPE(2, 1), periodic);
        compare_all(&fewer);
        if (tsrt_size() < 3) continue;
        model_layout hole = make(2, TSR_SHAPE(6, 4), GRID(3, 1), TSR_SHAPE(2, 1), periodic);
        memcpy(hole.cuts[0], TSR_SHAPE(0, 3, 3, 6), 4 * sizeof(int64_t));
        fixture_compare(UPDATE, &hole, TSR_AXES(0), TSR_F64, NULL, NULL);
        fixture_compare(ACCUMULATE, &hole, TSR_AXES(0), TSR_F64, NULL, NULL);
    }
}

/* ---- callbacks ------------------------------------------------------------------------------- */

/* Copy the nearest cell of the array along the wall's axis: for a halo that reaches over several
 * blocks that cell may itself be a halo cell, which the exchange has filled. */
static tsr_status copy_nearest(tsr_view v, int axis, tsr_side side, const int64_t *lo,
                               const int64_t *hi, void *ctx)
{
    const int64_t *length = ctx;
    const int64_t wall = side == TSR_LOW_SIDE ? -v.start[axis] : length[axis] - 1 - v.start[axis];
    for (int64_t i = lo[0]; i < hi[0]; ++i)
        for (int64_t j = lo[1]; j < hi[1]; ++j)
            TSR_AT(double, v, i, j) =
                axis == 0 ? TSR_AT(double, v, wall, j) : TSR_AT(double, v, i, wall);
    return TSR_OK;
}

/* The callback sees the exchanged cells and the fills of earlier axes, so it does what TSR_EDGE
 * does. */
static void callbacks_run_last(void **state)
{
    (void)state;
    int64_t length[2] = {9, 10};
    if (tsrt_size() < 4) tsrt_skip("needs 4 ranks");
    for (tsr_axes periodic = 0; periodic <= 2; ++periodic) {
        const model_layout m = make(2, length, GRID(2, 2), TSR_SHAPE(7, 4), periodic);
        tsr_comm comm = fixture_comm(4);
        if (tsrt_rank() < 4) {
            tsr_array *edge = NULL, *callback = NULL;
            tsr_layout *layout = fixture_layout(comm, &m, 0);
            model values;
            model_create(&values, &m, TSR_F64);
            model_fill(&values, 5);
            CHECK_OK(tsr_zeros(layout, TSR_F64, &edge));
            CHECK_OK(
                tsr_array_set_boundary(edge, TSR_ALL_AXES, TSR_BOTH_SIDES, TSR_EDGE, tsr_f64(0)));
            fixture_write(&values, tsr_layout_rank(layout), edge);
            CHECK_OK(tsr_copy(edge, &callback));
            CHECK_OK(tsr_array_set_boundary_function(callback, TSR_ALL_AXES, TSR_BOTH_SIDES,
                                                     copy_nearest, length));
            CHECK_OK(tsr_halo_update(edge, NULL));
            CHECK_OK(tsr_halo_update(callback, NULL));
            const tsr_view e = tsr_local(edge), c = tsr_local(callback);
            for (int64_t i = -7; i < e.extent[0] + 7; ++i)
                for (int64_t j = -4; j < e.extent[1] + 4; ++j)
                    CHECK_DOUBLE(TSR_AT(double, c, i, j), TSR_AT(double, e, i, j), 0);
            model_free(&values);
            CHECK_OK(tsr_array_destroy(&edge));
            CHECK_OK(tsr_array_destroy(&callback));
            CHECK_OK(tsr_layout_destroy(&layout));
        }
        fixture_comm_end(comm);
    }
}

/* ---- poison ---------------------------------------------------------------------------------- */

static tsr_array *poisoned(int ndim, const int64_t *shape, const tsr_layout_options *options)
{
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, ndim, shape, options, &layout));
    CHECK_OK(tsr_full(layout, TSR_F64, tsr_f64(NAN), &array));
    const tsr_view v = tsr_local(array);
    int64_t cells = 1;
    for (int a = 0; a < ndim; ++a)
        cells *= v.extent[a];
    for (int64_t i = 0; i < cells; ++i) {
        int64_t rest = i, offset = 0;
        for (int a = ndim - 1; a >= 0; --a, rest /= v.extent[a + 1])
            offset += rest % v.extent[a] * v.stride[a];
        ((double *)v.data)[offset] = 1;
    }
    CHECK_OK(tsr_layout_destroy(&layout));
    return array;
}

static void no_poison_is_left(void **state)
{
    (void)state;
    tsr_array *array =
        poisoned(3, TSR_SHAPE(9, 8, 7),
                 &(tsr_layout_options){.split = TSR_AXES(0, 1, 2), .halo = {1, 2, 3}});
    CHECK_OK(tsr_array_set_boundary(array, TSR_ALL_AXES, TSR_BOTH_SIDES, TSR_CONSTANT, tsr_f64(1)));
    CHECK_OK(tsr_halo_update(array, NULL));
    const tsr_view v = tsr_local(array);
    for (int64_t i = -1; i < v.extent[0] + 1; ++i)
        for (int64_t j = -2; j < v.extent[1] + 2; ++j)
            for (int64_t k = -3; k < v.extent[2] + 3; ++k)
                CHECK_DOUBLE(TSR_AT(double, v, i, j, k), 1, 0);
    CHECK_OK(tsr_array_destroy(&array));
}

static void reductions_ignore_halos(void **state)
{
    (void)state;
    const int64_t widths[] = {0, 1, 3};
    for (int k = 0; k < 3; ++k) {
        tsr_array *array =
            poisoned(2, TSR_SHAPE(24, 5), &(tsr_layout_options){.halo = {widths[k], widths[k]}});
        tsr_scalar sum, min, max;
        CHECK_OK(tsr_sum(array, &sum));
        CHECK_OK(tsr_min(array, &min));
        CHECK_OK(tsr_max(array, &max));
        CHECK_DOUBLE(sum.as.f, 120, 0);
        CHECK_DOUBLE(min.as.f, 1, 0);
        CHECK_DOUBLE(max.as.f, 1, 0);
        CHECK_OK(tsr_array_destroy(&array));
    }
}

/* ---- arrays made from arrays, pointers and strides ------------------------------------------- */

/* A field that is linear, so its second differences vanish inside when the halo is right. */
static void check_linear(tsr_array *array)
{
    const tsr_view v = tsr_local(array);
    for (int64_t i = 0; i < v.extent[0]; ++i)
        for (int64_t j = 0; j < v.extent[1]; ++j)
            TSR_AT(double, v, i, j) = (double)(100 * (v.start[0] + i) + v.start[1] + j);
    CHECK_OK(tsr_halo_update(array, NULL));
    for (int64_t i = -1; i <= v.extent[0]; ++i)
        for (int64_t j = -1; j <= v.extent[1]; ++j) {
            const int64_t g = v.start[0] + i, h = (v.start[1] + j + 16) % 16;
            const bool beyond = g < 0 || g >= 16;
            CHECK_DOUBLE(TSR_AT(double, v, i, j), beyond ? -4 : (double)(100 * g + h), 0);
        }
}

static void layout_and_boundaries_are_inherited(void **state)
{
    (void)state;
    tsr_array *first = poisoned(
        2, TSR_SHAPE(16, 16),
        &(tsr_layout_options){.split = TSR_AXES(0, 1), .halo = {1, 1}, .periodic = TSR_AXES(1)});
    tsr_array *others[4] = {NULL};
    CHECK_OK(tsr_array_set_boundary(first, TSR_AXIS(0), TSR_BOTH_SIDES, TSR_CONSTANT, tsr_f64(-4)));
    CHECK_OK(tsr_zeros_like(first, &others[0]));
    CHECK_OK(tsr_copy(first, &others[1]));
    CHECK_OK(tsr_astype(first, TSR_F64, &others[2]));
    CHECK_OK(tsr_full_like(first, tsr_f64(NAN), &others[3]));
    check_linear(first);
    for (int k = 0; k < 4; ++k) {
        check_linear(others[k]);
        CHECK_OK(tsr_array_destroy(&others[k]));
    }
    CHECK_OK(tsr_array_destroy(&first));
}

/* The view of every rank, those in the corners too: storage is one C-ordered buffer. */
static void pointer_and_strides(void **state)
{
    (void)state;
    tsr_array *array = poisoned(2, TSR_SHAPE(16, 16),
                                &(tsr_layout_options){.split = TSR_AXES(0, 1), .halo = {1, 2}});
    const tsr_view v = tsr_local(array);
    int64_t start[2], extent[2];
    CHECK_OK(tsr_layout_block(tsr_array_layout(array), tsrt_rank(), start, extent));
    for (int a = 0; a < 2; ++a) {
        CHECK_INT(v.start[a], start[a]);
        CHECK_INT(v.extent[a], extent[a]);
        CHECK_INT(v.halo_lo[a], a + 1);
        CHECK_INT(v.halo_hi[a], a + 1);
    }
    CHECK_INT(v.stride[1], 1);
    CHECK_INT(v.stride[0], extent[1] + 4);
    const double *storage = (const double *)v.data - v.stride[0] - 2 * v.stride[1];
    CHECK_INT((uintptr_t)storage % 64, 0);
    for (int64_t i = 0; i < (extent[0] + 2) * (extent[1] + 4); ++i) {
        const int64_t row = i / (extent[1] + 4) - 1, column = i % (extent[1] + 4) - 2;
        const bool owned = row >= 0 && row < extent[0] && column >= 0 && column < extent[1];
        CHECK_DOUBLE(storage[i], owned ? 1 : NAN, 0);
    }
    CHECK_OK(tsr_array_destroy(&array));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_of_one),
        cmocka_unit_test(widths_are_data),
        cmocka_unit_test(periodic_and_closed),
        cmocka_unit_test(neighbours_of_neighbours),
        cmocka_unit_test(small_squares),
        cmocka_unit_test(halo_on_an_uncut_axis),
        cmocka_unit_test(periodic_uncut_axis),
        cmocka_unit_test(low_is_not_high),
        cmocka_unit_test(empty_blocks),
        cmocka_unit_test(callbacks_run_last),
        cmocka_unit_test(no_poison_is_left),
        cmocka_unit_test(reductions_ignore_halos),
        cmocka_unit_test(layout_and_boundaries_are_inherited),
        cmocka_unit_test(pointer_and_strides),
    };
    return TSRT_RUN(argc, argv, tests);
}
