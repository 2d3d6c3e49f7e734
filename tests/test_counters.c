/* ranks: 1 2 3 4 6 8 */
/* What an exchange costs once its plan is made, counted exactly: one message to each rank that
 * needs a cell, the bytes of those cells, no allocation. */
#define _POSIX_C_SOURCE 200809L
#include "support/halo_fixture.h"

enum { UPDATES = 5 };

typedef struct cost {
    int64_t messages, bytes;
} cost;

/* Run an exchange in every way; each must cost exactly this on this rank, and no allocation after
 * the first use. */
static void check_cost(int count, tsr_array *const *arrays, const tsr_halo_options *options,
                       cost expected)
{
    for (int kind = UPDATE; kind <= ACCUMULATE; ++kind)
        for (int way = MANY; way < WAYS; ++way) {
            fixture_run((fixture_way)way, (fixture_kind)kind, count, arrays, options);
            const tsri_counters before = tsri_counters_read();
            for (int k = 0; k < UPDATES; ++k)
                fixture_run((fixture_way)way, (fixture_kind)kind, count, arrays, options);
            const tsri_counters after = tsri_counters_read();
            CHECK_INT(after.allocations - before.allocations, 0);
            CHECK_INT(after.live_blocks - before.live_blocks, 0);
            CHECK_INT(after.live_requests - before.live_requests, 0);
            CHECK_INT(after.messages - before.messages, UPDATES * expected.messages);
            CHECK_INT(after.message_bytes - before.message_bytes, UPDATES * expected.bytes);
        }
}

static tsr_array *array_of(int ndim, const int64_t *shape, const tsr_layout_options *options,
                           tsr_dtype dtype)
{
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, ndim, shape, options, &layout));
    CHECK_OK(tsr_zeros(layout, dtype, &array));
    CHECK_OK(tsr_layout_destroy(&layout));
    return array;
}

static int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Ring of blocks: two messages of the halo's width; both go to the one peer, in one message, on two
 * ranks; none on one. */
static void ring(void **state)
{
    (void)state;
    const int64_t size = tsrt_size();
    tsr_array *array = array_of(
        1, TSR_SHAPE(5 * size),
        &(tsr_layout_options){.halo_lo = {2}, .halo_hi = {3}, .periodic = TSR_AXES(0)}, TSR_F64);
    check_cost(1, &array, NULL, (cost){min_i64(2, size - 1), size > 1 ? 5 * 8 : 0});
    check_cost(1, &array, &(tsr_halo_options){.width_lo = {1}, .width_hi = {TSR_NO_HALO}},
               (cost){min_i64(1, size - 1), size > 1 ? 8 : 0});
    check_cost(1, &array, &(tsr_halo_options){.width_lo = {TSR_NO_HALO}, .width_hi = {TSR_NO_HALO}},
               (cost){0, 0});
    CHECK_OK(tsr_array_destroy(&array));
}

/* A line between walls: nothing goes beyond them. */
static void walls(void **state)
{
    (void)state;
    const int64_t size = tsrt_size();
    const int64_t peers = (tsrt_rank() > 0) + (tsrt_rank() < size - 1);
    tsr_array *array =
        array_of(1, TSR_SHAPE(4 * size), &(tsr_layout_options){.halo = {2}}, TSR_I32);
    for (int kind = TSR_LEAVE; kind <= TSR_REFLECT; ++kind) {
        CHECK_OK(tsr_array_set_boundary(array, TSR_ALL_AXES, TSR_BOTH_SIDES,
                                        (tsr_boundary_kind)kind, tsr_i64(1)));
        check_cost(1, &array, NULL, (cost){peers, peers * 2 * 4});
    }
    CHECK_OK(tsr_array_destroy(&array));
}

/* Blocks of one cell in a ring, halo w: a message to each distinct owner, of every image of the
 * cell. */
static void wide_halos(void **state)
{
    (void)state;
    const int64_t size = tsrt_size();
    for (int64_t w = 1; w <= 9; w += 2) {
        tsr_array *array =
            array_of(1, TSR_SHAPE(size),
                     &(tsr_layout_options){.halo = {w}, .periodic = TSR_AXES(0)}, TSR_F64);
        const int64_t own_images = 2 * (w / size);
        check_cost(1, &array, NULL, (cost){min_i64(2 * w, size - 1), (2 * w - own_images) * 8});
        CHECK_OK(tsr_array_destroy(&array));
    }
}

/* Blocks of 3 x 4 cells on a grid of r x 2 ranks, halo 1, walls everywhere: a message to each of
 * the up to 5 blocks around, unless only faces are asked for. */
static void corners_and_faces(void **state)
{
    (void)state;
    if (tsrt_size() % 2 != 0) tsrt_skip("needs an even number of ranks");
    const int rows = tsrt_size() / 2, row = tsrt_rank() / 2;
    const int64_t above = row > 0, below = row < rows - 1;
    tsr_array *array =
        array_of(2, TSR_SHAPE(3 * rows, 8),
                 &(tsr_layout_options){.process_grid = {rows, 2}, .halo = {1, 1}}, TSR_F64);

    check_cost(1, &array, &(tsr_halo_options){.faces_only = true},
               (cost){1 + above + below, (3 + 4 * (above + below)) * 8});
    CHECK_OK(tsr_array_set_boundary(array, TSR_ALL_AXES, TSR_BOTH_SIDES, TSR_CONSTANT, tsr_f64(0)));
    for (int k = 0; k < UPDATES; ++k)
        CHECK_OK(tsr_halo_update(array, NULL));
    const tsri_counters before = tsri_counters_read();
    CHECK_OK(tsr_halo_update(array, NULL));
    const tsri_counters after = tsri_counters_read();
    CHECK_INT(after.messages - before.messages, 1 + 2 * (above + below));
    CHECK_INT(after.message_bytes - before.message_bytes, (3 + (4 + 1) * (above + below)) * 8);
    CHECK_OK(tsr_array_destroy(&array));
}

/* Arrays of different types in one exchange: one message to each peer for all of them. */
static void many_arrays(void **state)
{
    (void)state;
    const int64_t size = tsrt_size();
    const tsr_layout_options options = {.halo = {1}, .periodic = TSR_AXES(0)};
    tsr_array *const arrays[] = {array_of(1, TSR_SHAPE(3 * size), &options, TSR_F64),
                                 array_of(1, TSR_SHAPE(3 * size), &options, TSR_U8),
                                 array_of(2, TSR_SHAPE(2 * size, 3), &options, TSR_C128)};
    check_cost(3, arrays, NULL, (cost){min_i64(2, size - 1), size > 1 ? 2 * (8 + 1 + 3 * 16) : 0});
    for (int k = 0; k < 3; ++k) {
        tsr_array *array = arrays[k];
        CHECK_OK(tsr_array_destroy(&array));
    }
}

/* Every rank alone: no messages, and each halo cell is copied once. */
static void replicated(void **state)
{
    (void)state;
    tsr_array *array = array_of(
        1, TSR_SHAPE(6),
        &(tsr_layout_options){.split = TSR_WHOLE, .halo = {2}, .periodic = TSR_AXES(0)}, TSR_F64);
    check_cost(1, &array, NULL, (cost){0, 0});
    const tsri_counters before = tsri_counters_read();
    CHECK_OK(tsr_halo_update(array, NULL));
    const tsri_counters after = tsri_counters_read();
    CHECK_INT(after.copied_bytes - before.copied_bytes, 4 * 8);
    CHECK_OK(tsr_array_destroy(&array));
}

/* Only the ranks with cells take part: one cell, every other rank is empty. */
static void ranks_without_cells(void **state)
{
    (void)state;
    tsr_array *array = array_of(2, TSR_SHAPE(1, 3),
                                &(tsr_layout_options){.split = TSR_AXES(0),
                                                      .halo = {2, 1},
                                                      .periodic = TSR_AXES(0, 1),
                                                      .process_grid = {tsrt_size(), 1},
                                                      .allow_empty = true},
                                TSR_F32);
    check_cost(1, &array, NULL, (cost){0, 0});
    CHECK_OK(tsr_array_destroy(&array));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ring),
        cmocka_unit_test(walls),
        cmocka_unit_test(wide_halos),
        cmocka_unit_test(corners_and_faces),
        cmocka_unit_test(many_arrays),
        cmocka_unit_test(replicated),
        cmocka_unit_test(ranks_without_cells),
    };
    unsetenv("TESSERA_MESSAGE_LIMIT"); /* what is counted is not cut */
    tsrt_count_messages();
    return TSRT_RUN(argc, argv, tests);
}
