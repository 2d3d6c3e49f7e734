/* ranks: 1 2 3 4 6 8 */
/* timeout: 300 */
/* Values of one layout in another: every pair of layouts, and exactly the overlaps as messages.
 * Arguments: --seed S, --cases N, --case K (only that one). */
#include "support/data_in.h"
#include "support/random_layouts.h"

#include <stdio.h>

/* ---- messages ------------------------------------------------------------------------------- */

/* What this rank sends to move an array into another, beyond agreement: what a move costs from
 * which nothing moves, since `same` differs in its halo only. */
static tsri_counters sent_beyond_agreement(const tsr_array *array, tsr_array *same,
                                           tsr_array *target)
{
    const tsri_counters first = tsri_counters_read();
    CHECK_OK(tsr_redistribute_into(array, same));
    const tsri_counters second = tsri_counters_read();
    CHECK_OK(tsr_redistribute_into(array, target));
    const tsri_counters third = tsri_counters_read();
    return (tsri_counters){.messages = third.messages - 2 * second.messages + first.messages,
                           .message_bytes = third.message_bytes - 2 * second.message_bytes +
                                            first.message_bytes};
}

static tsr_array *zeros(tsr_comm comm, int ndim, const int64_t *shape,
                        const tsr_layout_options *options, int64_t halo, tsr_dtype dtype)
{
    tsr_layout_options wider = options != NULL ? *options : (tsr_layout_options){0};
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;

    if (ndim > 0) wider.halo_hi[0] += halo;
    CHECK_OK(tsr_layout_create(comm, ndim, shape, &wider, &layout));
    CHECK_OK(tsr_zeros(layout, dtype, &array));
    CHECK_OK(tsr_layout_destroy(&layout));
    return array;
}

/* This rank sends the elements of its line of `matrix`. */
static void check_matrix(tsr_comm comm, int ranks, int ndim, const int64_t *shape,
                         const tsr_layout_options *from, const tsr_layout_options *to,
                         const int64_t *matrix)
{
    tsr_layout *layout = NULL;
    tsr_array *same = zeros(comm, ndim, shape, from, 1, TSR_F64);
    tsr_array *moved = zeros(comm, ndim, shape, to, 0, TSR_F64);
    int64_t messages = 0, elements = 0;

    CHECK_OK(tsr_layout_create(comm, ndim, shape, from, &layout));
    tsr_array *array = indexed_array(layout, TSR_F64, 7);
    const tsri_counters sent = sent_beyond_agreement(array, same, moved);
    for (int r = 0; r < ranks; ++r) {
        const int64_t n = r == tsrt_rank() ? 0 : matrix[tsrt_rank() * ranks + r];
        messages += n > 0;
        elements += n;
    }
    if (tsrt_counts_messages()) {
        CHECK_INT(sent.messages, messages);
        CHECK_INT(sent.message_bytes, elements * 8);
    }
    check_indexed(same, 7);
    check_indexed(moved, 7);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_array_destroy(&same));
    CHECK_OK(tsr_array_destroy(&moved));
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void M_1_M_2_three_ranks(void **state)
{
    (void)state;
    static const int64_t m1[] = {2, 2, 0, 0, 1, 2, 0, 0, 3};
    static const int64_t m2[] = {4, 4, 4, 4, 4, 4, 4, 4, 4};
    static const int64_t cuts[] = {0, 2, 5, 10};
    if (tsrt_size() < 3) tsrt_skip("needs 3 ranks");
    tsr_comm comm = first_ranks(3);
    if (tsrt_rank() < 3) {
        check_matrix(comm, 3, 1, TSR_SHAPE(10), NULL,
                     &(tsr_layout_options){.cuts = {cuts}, .ncuts = {4}}, m1);
        check_matrix(comm, 3, 2, TSR_SHAPE(6, 6), NULL, &(tsr_layout_options){.split = TSR_AXES(1)},
                     m2);
    }
    free_ranks(&comm);
}

static void M_3_four_ranks(void **state)
{
    (void)state;
    static const int64_t matrix[] = {6, 3, 0, 0, 4, 2, 0, 0, 0, 3, 3, 3, 0, 2, 2, 2};
    if (tsrt_size() < 4) tsrt_skip("needs 4 ranks");
    tsr_comm comm = first_ranks(4);
    if (tsrt_rank() < 4)
        check_matrix(comm, 4, 2, TSR_SHAPE(6, 5), &(tsr_layout_options){.process_grid = {2, 2}},
                     NULL, matrix);
    free_ranks(&comm);
}

/* ---- any two layouts ------------------------------------------------------------------------- */

static uint64_t seed;
static tsr_comm reversed;

static int below(int n)
{
    return tsrt_random(&seed, n);
}

/* The cells of this rank's old block, one by one: those that others own now; all but its own copy
 * when every rank gets all. */
static int64_t cells_to_send(const tsr_array *array, const tsr_layout *to)
{
    const tsr_view view = tsr_local(array);
    int64_t cells = 1, sent = 0, index[TSR_MAX_NDIM];

    if (!tsr_layout_is_distributed(tsr_array_layout(array))) return 0;
    for (int a = 0; a < view.ndim; ++a)
        cells *= view.extent[a];
    if (!tsr_layout_is_distributed(to)) return cells * (tsrt_size() - 1);
    for (int64_t k = 0; k < cells; ++k) {
        int64_t rest = k;
        int owner = -1;
        for (int a = view.ndim - 1; a >= 0; --a) {
            index[a] = view.start[a] + rest % view.extent[a];
            rest /= view.extent[a];
        }
        CHECK_OK(tsr_layout_owner(to, index, &owner));
        sent += owner != tsr_layout_rank(to);
    }
    return sent;
}

static void move_any(void)
{
    const tsr_dtype dtype = (tsr_dtype)(TSR_BOOL + below(TSR_C128 - TSR_BOOL + 1));
    int64_t shape[RANDOM_AXES] = {0};
    const int ndim = random_shape(&seed, shape);
    tsr_comm comm[2];
    random_options drawn[2];
    tsr_layout *layout[2] = {NULL, NULL};
    tsr_array *moved = NULL;

    for (int i = 0; i < 2; ++i) {
        comm[i] = below(4) == 0 ? reversed : TSR_COMM_WORLD;
        draw_options(&seed, ndim, shape, &drawn[i]);
        drawn[i].options.reorder = below(4) == 0;
        CHECK_OK(tsr_layout_create(comm[i], ndim, shape, &drawn[i].options, &layout[i]));
    }
    tsr_array *array = indexed_array(layout[0], dtype, 7);
    tsr_array *same = zeros(comm[0], ndim, shape, &drawn[0].options, 1, dtype);
    tsr_array *target = NULL;
    CHECK_OK(tsr_ones(layout[1], dtype, &target));
    const int64_t cells = cells_to_send(array, layout[1]);
    const tsri_counters sent = sent_beyond_agreement(array, same, target);
    if (tsrt_counts_messages() && ndim > 0 && !tsr_layout_equal(layout[0], layout[1]))
        CHECK_INT(sent.message_bytes, cells * (int64_t)tsr_dtype_size(dtype));
    CHECK_OK(tsr_redistribute(array, layout[1], &moved));
    CHECK(tsr_array_layout(moved) == layout[1]);
    check_indexed(same, 7);
    check_indexed(target, 7);
    check_indexed(moved, 7);
    check_indexed(array, 7);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_array_destroy(&same));
    CHECK_OK(tsr_array_destroy(&target));
    CHECK_OK(tsr_array_destroy(&moved));
    CHECK_OK(tsr_layout_destroy(&layout[0]));
    CHECK_OK(tsr_layout_destroy(&layout[1]));
}

static long first_seed = 1, cases = 150, only = -1;

static void any_two_layouts(void **state)
{
    (void)state;
    reversed = reversed_ranks();
    for (long k = 0; k < cases; ++k) {
        if (only >= 0 && k != only) continue;
        seed = (uint64_t)(first_seed * 1000003 + k);
        if (only >= 0 && tsrt_rank() == 0) printf("seed %ld, case %ld\n", first_seed, k);
        move_any();
    }
    free_ranks(&reversed);
}

/* ---- what is kept ---------------------------------------------------------------------------- */

/* Halo cells are copied between equal layouts; memory is not shared. */
static void M_7_an_equal_layout_gives_a_full_copy(void **state)
{
    (void)state;
    const tsr_layout_options options = {.halo = {2}, .allow_empty = true};
    tsr_layout *layout = make_layout(2, TSR_SHAPE(7, 3), &options);
    tsr_layout *equal = make_layout(2, TSR_SHAPE(7, 3), &options);
    tsr_array *array = NULL, *copy = NULL, *again = NULL;
    tsr_boundary boundary;

    CHECK_OK(tsr_full(layout, TSR_I32, tsr_i64(5), &array));
    CHECK_OK(tsr_array_set_boundary(array, TSR_ALL_AXES, TSR_LOW_SIDE, TSR_CONSTANT, tsr_i64(8)));
    CHECK_OK(tsr_redistribute(array, equal, &copy));
    check_all_cells(copy, 5, 5);
    CHECK(tsr_local(copy).data == NULL || tsr_local(copy).data != tsr_local(array).data);
    CHECK_OK(tsr_array_boundary(copy, 1, TSR_LOW_SIDE, &boundary));
    CHECK_INT(boundary.kind, TSR_CONSTANT);
    CHECK_INT(boundary.value.as.i, 8);
    CHECK_OK(tsr_zeros(equal, TSR_I32, &again));
    CHECK_OK(tsr_redistribute_into(array, again));
    check_all_cells(again, 5, 5);
    CHECK_OK(tsr_redistribute_into(array, array));
    check_all_cells(array, 5, 5);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_array_destroy(&copy));
    CHECK_OK(tsr_array_destroy(&again));
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK_OK(tsr_layout_destroy(&equal));
}

/* Copies that differ: every rank's block is from its own. */
static void a_replicated_array_gives_each_rank_its_own(void **state)
{
    (void)state;
    tsr_layout *whole = make_layout(2, TSR_SHAPE(9, 8), &(tsr_layout_options){.split = TSR_WHOLE});
    tsr_layout *columns =
        make_layout(2, TSR_SHAPE(9, 8), &(tsr_layout_options){.split = TSR_AXIS(1), .halo = {1}});
    tsr_array *array = NULL, *moved = NULL, *same = NULL;

    CHECK_OK(tsr_zeros(whole, TSR_I16, &array));
    tsr_view v = tsr_local(array);
    for (int64_t i = 0; i < 72; ++i)
        ((int16_t *)v.data)[i] = (int16_t)(tsrt_rank() + 1);
    const tsri_counters first = tsri_counters_read();
    CHECK_OK(tsr_zeros(whole, TSR_I16, &same));
    const tsri_counters second = tsri_counters_read();
    CHECK_OK(tsr_redistribute_into(array, same));
    const tsri_counters third = tsri_counters_read();
    /* Between equal layouts nothing is sent but one agreement, as in a creation. */
    CHECK_INT(third.messages - second.messages, second.messages - first.messages);
    CHECK_OK(tsr_redistribute(array, columns, &moved));
    check_all_cells(same, tsrt_rank() + 1, 0);
    check_all_cells(moved, tsrt_rank() + 1, 0);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_array_destroy(&moved));
    CHECK_OK(tsr_array_destroy(&same));
    CHECK_OK(tsr_layout_destroy(&whole));
    CHECK_OK(tsr_layout_destroy(&columns));
}

/* ---- refused --------------------------------------------------------------------------------- */

static void check_refused(tsr_layout *from, tsr_layout *to, tsr_dtype dtype, tsr_status expected)
{
    tsr_array *array = NULL, *moved = NULL, *none = NULL;
    CHECK_OK(tsr_ones(from, TSR_F32, &array));
    CHECK_OK(tsr_zeros(to, dtype, &moved));
    CHECK_STATUS(tsr_redistribute_into(array, moved), expected);
    CHECK_TEXT("tsr_redistribute_into");
    none = array;
    if (dtype == TSR_F32) {
        CHECK_STATUS(tsr_redistribute(array, to, &none), expected);
        CHECK_TEXT("tsr_redistribute");
        CHECK(none == NULL);
    }
    check_all_cells(array, 1, 1);
    check_all_cells(moved, 0, 0);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_array_destroy(&moved));
}

static void M_5_M_6_refused(void **state)
{
    (void)state;
    tsr_layout *ten = make_layout(1, TSR_SHAPE(10), NULL);
    tsr_layout *eleven = make_layout(1, TSR_SHAPE(11), NULL);
    tsr_layout *square = make_layout(2, TSR_SHAPE(10, 1), NULL);
    tsr_layout *alone = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_SELF, 1, TSR_SHAPE(10), NULL, &alone));
    check_refused(ten, eleven, TSR_F32, TSR_ERR_VALUE);
    check_refused(ten, square, TSR_F32, TSR_ERR_VALUE);
    if (tsrt_size() > 1) check_refused(ten, alone, TSR_F32, TSR_ERR_VALUE);
    check_refused(ten, ten, TSR_F64, TSR_ERR_TYPE);
    CHECK_OK(tsr_layout_destroy(&ten));
    CHECK_OK(tsr_layout_destroy(&eleven));
    CHECK_OK(tsr_layout_destroy(&square));
    CHECK_OK(tsr_layout_destroy(&alone));
}

/* With a fresh communicator each time, whose numbers have to be found. */
static tsr_layout *other_way;

static tsr_status to_a_fresh_communicator(tsr_array **moved)
{
    tsr_comm comm = reversed_ranks();
    tsr_layout *layout = NULL;
    const tsr_layout_options options = {.split = TSR_AXIS(1), .allow_empty = true};
    tsr_array *array = NULL;
    tsr_status st = tsr_layout_create(comm, 2, TSR_SHAPE(5, 9), &options, &layout);

    *moved = NULL;
    if (st == TSR_OK) st = tsr_ones(other_way, TSR_F64, &array);
    if (st == TSR_OK) st = tsr_redistribute(array, layout, moved);
    tsr_array_destroy(&array);
    tsr_layout_destroy(&layout);
    free_ranks(&comm);
    return st;
}

static void every_failure_is_shared(void **state)
{
    (void)state;
    if (tsrt_size() > 3) tsrt_skip("each fault on each rank: at up to 3 ranks");
    other_way = make_layout(2, TSR_SHAPE(5, 9), &(tsr_layout_options){.allow_empty = true});
    fail_everywhere(to_a_fresh_communicator, NULL, 4);
    CHECK_OK(tsr_layout_destroy(&other_way));
}

/* One rank alone is wrong: all get the error. */
static void wrong_on_the_last_rank(void **state)
{
    (void)state;
    tsr_layout *rows = make_layout(2, TSR_SHAPE(9, 8), NULL);
    tsr_layout *columns = make_layout(2, TSR_SHAPE(9, 8), &(tsr_layout_options){.split = 2});
    tsr_layout *other = make_layout(2, TSR_SHAPE(9, 9), NULL);
    const bool last = tsrt_rank() == tsrt_size() - 1;
    tsr_array *array = NULL, *target = NULL, *moved = NULL;

    CHECK_OK(tsr_ones(rows, TSR_I8, &array));
    CHECK_OK(tsr_zeros(columns, TSR_I8, &target));
    CHECK_STATUS(tsr_redistribute(array, last ? NULL : columns, &moved), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_redistribute(array, last ? other : columns, &moved), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_redistribute(array, columns, last ? NULL : &moved), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_redistribute_into(array, last ? NULL : target), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_redistribute(NULL, columns, &moved), TSR_ERR_VALUE);
    CHECK(moved == NULL);
    if (tsrt_size() > 1) {
        CHECK_STATUS(tsr_redistribute(array, last ? rows : columns, &moved), TSR_ERR_MISMATCH);
        CHECK_STATUS(tsr_redistribute_into(array, last ? array : target), TSR_ERR_MISMATCH);
    }
    check_all_cells(target, 0, 0);
    CHECK_OK(tsr_redistribute_into(array, target));
    check_all_cells(target, 1, 0);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_array_destroy(&target));
    CHECK_OK(tsr_layout_destroy(&rows));
    CHECK_OK(tsr_layout_destroy(&columns));
    CHECK_OK(tsr_layout_destroy(&other));
}

/* Two arrays that adopted parts of one memory. */
static void overlapping_memory_is_refused(void **state)
{
    (void)state;
    double memory[40];
    tsr_layout *whole =
        make_layout(1, TSR_SHAPE(20), &(tsr_layout_options){.split = TSR_WHOLE, .halo = {0}});
    tsr_array *first = NULL, *second = NULL;

    for (int i = 0; i < 40; ++i)
        memory[i] = i;
    CHECK_OK(tsr_adopt(whole, TSR_F64, memory, 20 * sizeof *memory, &first));
    CHECK_OK(tsr_adopt(whole, TSR_F64, memory + 19, 20 * sizeof *memory, &second));
    CHECK_STATUS(tsr_redistribute_into(first, second), TSR_ERR_VALUE);
    CHECK_TEXT("share a part of their memory");
    CHECK_OK(tsr_array_destroy(&second));
    CHECK_OK(tsr_adopt(whole, TSR_F64, memory + 20, 20 * sizeof *memory, &second));
    CHECK_OK(tsr_redistribute_into(first, second));
    for (int i = 0; i < 20; ++i)
        CHECK_DOUBLE(memory[20 + i], i, 0);
    CHECK_OK(tsr_array_destroy(&first));
    CHECK_OK(tsr_array_destroy(&second));
    CHECK_OK(tsr_layout_destroy(&whole));
}

static void read_arguments(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0) first_seed = atol(argv[i + 1]);
        if (strcmp(argv[i], "--cases") == 0) cases = atol(argv[i + 1]);
        if (strcmp(argv[i], "--case") == 0) only = atol(argv[i + 1]);
    }
    if (only >= cases) cases = only + 1;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(M_1_M_2_three_ranks),
        cmocka_unit_test(M_3_four_ranks),
        cmocka_unit_test(any_two_layouts),
        cmocka_unit_test(M_7_an_equal_layout_gives_a_full_copy),
        cmocka_unit_test(a_replicated_array_gives_each_rank_its_own),
        cmocka_unit_test(M_5_M_6_refused),
        cmocka_unit_test(every_failure_is_shared),
        cmocka_unit_test(wrong_on_the_last_rank),
        cmocka_unit_test(overlapping_memory_is_refused),
    };
    read_arguments(argc, argv);
    return TSRT_RUN(argc > 2 ? 1 : argc, argv, tests);
}
