/* ranks: 1 2 3 4 6 8 */
/* Exchanges under way: many in a row, several at once, what is refused meanwhile, and arrays that
 * are destroyed before the end. */
#include "support/harness.h"

enum { CELLS = 3, ROUNDS = 1000 };

/* Global cell g in a round: a number that no other cell and no other round has. */
static double value(int64_t round, int64_t g)
{
    return (double)(1000 * round + g);
}

static tsr_array *ring(int64_t halo, tsr_dtype dtype)
{
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(CELLS * tsrt_size()),
                               &(tsr_layout_options){.halo = {halo}, .periodic = TSR_AXES(0)},
                               &layout));
    CHECK_OK(tsr_zeros(layout, dtype, &array));
    CHECK_OK(tsr_layout_destroy(&layout));
    return array;
}

static void write_owned(const tsr_array *array, int64_t round)
{
    const tsr_view v = tsr_local(array);
    for (int64_t i = 0; i < v.extent[0]; ++i) {
        if (v.dtype == TSR_F64)
            TSR_AT(double, v, i) = value(round, v.start[0] + i);
        else
            TSR_AT(int64_t, v, i) = (int64_t)value(round, v.start[0] + i);
    }
}

static void check_cells(const tsr_array *array, int64_t round, int64_t from, int64_t to)
{
    const tsr_view v = tsr_local(array);
    const int64_t n = CELLS * tsrt_size();
    for (int64_t i = from; i < to; ++i) {
        const double expected = value(round, ((v.start[0] + i) % n + n) % n);
        const double actual =
            v.dtype == TSR_F64 ? TSR_AT(double, v, i) : (double)TSR_AT(int64_t, v, i);
        CHECK_DOUBLE(actual, expected, 0);
    }
}

static void check_halo(const tsr_array *array, int64_t round)
{
    const tsr_view v = tsr_local(array);
    check_cells(array, round, -v.halo_lo[0], 0);
    check_cells(array, round, v.extent[0], v.extent[0] + v.halo_hi[0]);
}

/* The halo cells that the last rank has no part in come before it has started. */
static void taken_as_they_come(void **state)
{
    (void)state;
    const int last = tsrt_size() - 1, rank = tsrt_rank();
    if (last == 0) return;
    tsr_array *array = ring(1, TSR_F64);
    const tsr_view v = tsr_local(array);
    tsr_pending *pending = NULL;
    bool done = false;

    CHECK_OK(tsr_halo_update(array, NULL)); /* the first one writes when all is there */
    write_owned(array, 1);
    if (rank == last) tsrt_barrier();
    CHECK_OK(tsr_halo_start(1, &array, NULL, &pending));
    for (int side = 0; side < 2 && rank < last; ++side) {
        const int64_t beyond = side == 0 ? -1 : CELLS;
        const int neighbour = (rank + (side == 0 ? last : 1)) % (last + 1);
        const double right = value(1, neighbour * CELLS + (side == 0 ? CELLS - 1 : 0));
        for (int64_t tests = 0; neighbour != last && TSR_AT(double, v, beyond) != right; ++tests) {
            CHECK(tests < 100000000);
            CHECK_OK(tsr_halo_test(pending, &done));
        }
    }
    if (rank < last) tsrt_barrier();
    CHECK_OK(tsr_halo_finish(&pending));
    check_halo(array, 1);
    CHECK_OK(tsr_array_destroy(&array));
}

/* Each owner writes its next values as soon as its own finish returns, while readers may still be
 * in theirs: nobody may see them.  Ranks leave step at different places. */
static void rewritten_right_after_finish(void **state)
{
    (void)state;
    tsr_array *array = ring(2, TSR_F64);
    tsr_pending *pending = NULL;

    for (int64_t round = 0; round < ROUNDS; ++round) {
        write_owned(array, round);
        CHECK_OK(tsr_halo_start(1, &array, NULL, &pending));
        for (int k = 0; k < (tsrt_rank() * 7 + (int)round) % 3; ++k) {
            bool done;
            CHECK_OK(tsr_halo_test(pending, &done));
        }
        CHECK_OK(tsr_halo_finish(&pending));
        write_owned(array, round + 500000);
        check_halo(array, round);
    }
    CHECK_OK(tsr_array_destroy(&array));
}

static void two_fields_in_flight(void **state)
{
    (void)state;
    tsr_array *wide = ring(4, TSR_F64), *narrow = ring(1, TSR_I64);

    for (int64_t round = 0; round < ROUNDS; ++round) {
        tsr_pending *first = NULL, *second = NULL;
        write_owned(wide, round);
        write_owned(narrow, round + 7);
        CHECK_OK(tsr_halo_start(1, &wide, NULL, &first));
        CHECK_OK(tsr_halo_start(1, &narrow, NULL, &second));
        CHECK_OK(tsr_halo_finish(round % 2 == 0 ? &second : &first));
        CHECK_OK(tsr_halo_finish(round % 2 == 0 ? &first : &second));
        check_halo(wide, round);
        check_halo(narrow, round + 7);
    }
    CHECK_OK(tsr_array_destroy(&wide));
    CHECK_OK(tsr_array_destroy(&narrow));
}

/* More exchanges at once than any rank has neighbours, finished from the inside out. */
static void eight_exchanges_in_flight(void **state)
{
    (void)state;
    enum { MANY = 8 };
    static const int order[MANY] = {3, 4, 2, 5, 1, 6, 0, 7};
    tsr_array *array[MANY];
    tsr_pending *pending[MANY];

    for (int k = 0; k < MANY; ++k)
        array[k] = ring(1 + k % 4, k % 2 == 0 ? TSR_F64 : TSR_I64);
    for (int64_t round = 0; round < 50; ++round) {
        for (int k = 0; k < MANY; ++k) {
            write_owned(array[k], round + k);
            CHECK_OK(tsr_halo_start(1, &array[k], NULL, &pending[k]));
        }
        for (int k = 0; k < MANY; ++k)
            CHECK_OK(tsr_halo_finish(&pending[order[k]]));
        for (int k = 0; k < MANY; ++k)
            check_halo(array[k], round + k);
    }
    for (int k = 0; k < MANY; ++k)
        CHECK_OK(tsr_array_destroy(&array[k]));
}

/* The block can be read while an exchange is under way, also an accumulation. */
static void blocks_keep_their_values_until_finish(void **state)
{
    (void)state;
    tsr_array *array = ring(2, TSR_F64);
    tsr_pending *pending = NULL;
    bool done = false;

    write_owned(array, 3);
    CHECK_OK(tsr_halo_update(array, NULL));
    CHECK_OK(tsr_halo_accumulate_start(1, &array, NULL, &pending));
    check_cells(array, 3, 0, CELLS);
    while (!done)
        CHECK_OK(tsr_halo_test(pending, &done));
    check_cells(array, 3, 0, CELLS);
    CHECK_OK(tsr_halo_finish(&pending));

    const tsr_view v = tsr_local(array);
    CHECK_DOUBLE(TSR_AT(double, v, 0), 2 * value(3, v.start[0]), 0);
    CHECK_DOUBLE(TSR_AT(double, v, 1), 3 * value(3, v.start[0] + 1), 0);
    CHECK_DOUBLE(TSR_AT(double, v, 2), 2 * value(3, v.start[0] + 2), 0);
    for (int64_t i = 1; i <= 2; ++i) {
        CHECK_DOUBLE(TSR_AT(double, v, -i), 0, 0);
        CHECK_DOUBLE(TSR_AT(double, v, CELLS - 1 + i), 0, 0);
    }
    CHECK_OK(tsr_array_destroy(&array));
}

/* ---- refused meanwhile ----------------------------------------------------------------------- */

static tsr_status any_function(tsr_view view, int axis, tsr_side side, const int64_t *lo,
                               const int64_t *hi, void *ctx)
{
    (void)view, (void)axis, (void)side, (void)lo, (void)hi, (void)ctx;
    return TSR_OK;
}

static void one_exchange_an_array_at_a_time(void **state)
{
    (void)state;
    tsr_array *busy = ring(1, TSR_F64), *idle = ring(1, TSR_F64);
    tsr_array *const both[] = {idle, busy};
    tsr_pending *pending = NULL, *second = (tsr_pending *)&pending;

    for (int round = 0; round < 2; ++round) {
        write_owned(busy, 11);
        CHECK_OK(round == 0 ? tsr_halo_start(1, &busy, NULL, &pending)
                            : tsr_halo_accumulate_start(1, &busy, NULL, &pending));
        CHECK_STATUS(tsr_halo_start(1, &busy, NULL, &second), TSR_ERR_STATE);
        CHECK_TEXT("pending");
        CHECK(second == NULL);
        CHECK_STATUS(tsr_halo_accumulate_start(1, &busy, NULL, &second), TSR_ERR_STATE);
        CHECK_STATUS(tsr_halo_start(2, both, NULL, &second), TSR_ERR_STATE);
        CHECK_STATUS(tsr_halo_update(busy, NULL), TSR_ERR_STATE);
        CHECK_STATUS(tsr_halo_accumulate(busy, NULL), TSR_ERR_STATE);
        CHECK_STATUS(tsr_halo_update_many(2, both, NULL), TSR_ERR_STATE);
        CHECK_STATUS(tsr_halo_accumulate_many(2, both, NULL), TSR_ERR_STATE);
        CHECK_OK(tsr_halo_finish(&pending));

        write_owned(busy, 12);
        write_owned(idle, 13);
        CHECK_OK(tsr_halo_update_many(2, both, NULL));
        check_halo(busy, 12);
        check_halo(idle, 13);
    }
    CHECK_OK(tsr_array_destroy(&busy));
    CHECK_OK(tsr_array_destroy(&idle));
}

static void a_busy_array_is_not_changed(void **state)
{
    (void)state;
    tsr_array *busy = ring(1, TSR_F64), *idle = ring(1, TSR_F64);
    tsr_pending *pending = NULL;

    write_owned(busy, 21);
    write_owned(idle, 22);
    CHECK_OK(tsr_halo_start(1, &busy, NULL, &pending));
    CHECK_STATUS(tsr_array_swap(busy, idle), TSR_ERR_STATE);
    CHECK_STATUS(tsr_array_swap(idle, busy), TSR_ERR_STATE);
    CHECK_STATUS(tsr_halo_clear(busy, TSR_ALL_AXES), TSR_ERR_STATE);
    CHECK_STATUS(tsr_array_set_boundary(busy, TSR_ALL_AXES, TSR_BOTH_SIDES, TSR_EDGE, tsr_f64(0)),
                 TSR_ERR_STATE);
    CHECK_STATUS(
        tsr_array_set_boundary_function(busy, TSR_ALL_AXES, TSR_BOTH_SIDES, any_function, NULL),
        TSR_ERR_STATE);
    CHECK_OK(tsr_halo_finish(&pending));
    check_cells(busy, 21, -1, CELLS + 1);
    check_cells(idle, 22, 0, CELLS);

    CHECK_OK(tsr_array_swap(busy, idle));
    check_cells(idle, 21, -1, CELLS + 1);
    CHECK_OK(tsr_array_destroy(&busy));
    CHECK_OK(tsr_array_destroy(&idle));
}

/* ---- lifetime -------------------------------------------------------------------------------- */

/* The harness checks that nothing stays alive. */
static void destroyed_before_the_end(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; ++kind)
        for (int round = 0; round < 3; ++round) {
            tsr_array *pair[] = {ring(2, TSR_F64), ring(1, TSR_I64)};
            tsr_pending *pending = NULL;
            if (round == 2) CHECK_OK(tsr_halo_update_many(2, pair, NULL));
            CHECK_OK(kind == 0 ? tsr_halo_start(2, pair, NULL, &pending)
                               : tsr_halo_accumulate_start(2, pair, NULL, &pending));
            CHECK_OK(tsr_array_destroy(&pair[0]));
            CHECK(pair[0] == NULL);
            if (tsrt_rank() % 2 == 0) CHECK_OK(tsr_array_destroy(&pair[1]));
            CHECK_OK(tsr_halo_finish(&pending));
            CHECK(pending == NULL);
            CHECK_OK(tsr_array_destroy(&pair[1]));
        }
}

static void no_exchange_is_finished(void **state)
{
    (void)state;
    tsr_array *array = ring(1, TSR_F64);
    tsr_pending *pending = NULL;
    bool done = false;

    CHECK_OK(tsr_halo_finish(&pending));
    CHECK_OK(tsr_halo_test(pending, &done));
    CHECK(done);
    CHECK_OK(tsr_halo_start(1, &array, NULL, &pending));
    CHECK_OK(tsr_halo_finish(&pending));
    CHECK_OK(tsr_halo_finish(&pending));
    CHECK(pending == NULL);
    done = false;
    CHECK_OK(tsr_halo_test(pending, &done));
    CHECK(done);
    CHECK_OK(tsr_array_destroy(&array));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rewritten_right_after_finish),
        cmocka_unit_test(taken_as_they_come),
        cmocka_unit_test(two_fields_in_flight),
        cmocka_unit_test(eight_exchanges_in_flight),
        cmocka_unit_test(blocks_keep_their_values_until_finish),
        cmocka_unit_test(one_exchange_an_array_at_a_time),
        cmocka_unit_test(a_busy_array_is_not_changed),
        cmocka_unit_test(destroyed_before_the_end),
        cmocka_unit_test(no_exchange_is_finished),
    };
    return TSRT_RUN(argc, argv, tests);
}
