/* ranks: 1 2 3 4 6 8 */
/* Pieces stacked in the order of the ranks: values, layouts, and what moves. */
#include "support/data_in.h"

/* This rank's piece, `rows` after `before`, of a global array that is stacked along an axis. */
static tsr_status stack(tsr_comm comm, int ndim, const int64_t *shape, int axis, int64_t before,
                        int64_t rows, tsr_dtype dtype, input_order order,
                        const tsr_layout_options *options, tsr_array **array)
{
    int64_t start[TSR_MAX_NDIM] = {0}, extent[TSR_MAX_NDIM];
    const int along = axis < 0 ? axis + ndim : axis;

    memcpy(extent, shape, (size_t)ndim * sizeof *shape);
    start[along] = before;
    extent[along] = rows;
    input in = input_make(order, ndim, shape, start, extent, dtype, 11);
    const tsr_status st = tsr_from_pieces(comm, ndim, extent, axis, dtype, in.data,
                                          order == INPUT_C ? NULL : in.stride, options, array);
    input_free(&in);
    return st;
}

/* ---- what moves ------------------------------------------------------------------------------ */

typedef struct cost {
    int64_t messages, bytes;
} cost;

/* The messages of this rank while rows of 3 float32 are stacked. */
static cost stack_rows(tsr_comm comm, int ranks, const int64_t *lengths)
{
    int64_t total = 0, before = 0;
    tsr_array *array = NULL;

    for (int r = 0; r < ranks; ++r) {
        if (r == tsrt_rank()) before = total;
        total += lengths[r];
    }
    const tsri_counters old = tsri_counters_read();
    CHECK_OK(stack(comm, 2, TSR_SHAPE(total, 3), 0, before, lengths[tsrt_rank()], TSR_F32, INPUT_C,
                   NULL, &array));
    const tsri_counters new = tsri_counters_read();
    check_indexed(array, 11);
    CHECK_OK(tsr_array_destroy(&array));
    return (cost){new.messages - old.messages, new.message_bytes - old.message_bytes};
}

/* Beyond what agreement costs, which is what stacking costs when nothing moves, each rank sends the
 * rows of its line of `matrix` (ranks x ranks), and tells each receiver where its piece lies. */
static void check_matrix(int ranks, const int64_t *lengths, const int64_t *matrix)
{
    enum { NOTE_BYTES = 24, ROW_BYTES = 3 * 4 };
    int64_t even[8] = {0}, total = 0;
    tsr_comm comm = first_ranks(ranks);

    if (tsrt_rank() < ranks) {
        for (int r = 0; r < ranks; ++r)
            total += lengths[r];
        for (int r = 0; r < ranks; ++r)
            even[r] = total / ranks + (r < total % ranks);
        (void)stack_rows(comm, ranks, even); /* makes the communicator's context */
        const cost agreement = stack_rows(comm, ranks, even);
        const cost all = stack_rows(comm, ranks, lengths);
        int64_t receivers = 0, rows = 0;
        for (int r = 0; r < ranks; ++r) {
            const int64_t n = r == tsrt_rank() ? 0 : matrix[tsrt_rank() * ranks + r];
            receivers += n > 0;
            rows += n;
        }
        if (tsrt_counts_messages()) {
            CHECK_INT(all.messages - agreement.messages, 2 * receivers);
            CHECK_INT(all.bytes - agreement.bytes, NOTE_BYTES * receivers + ROW_BYTES * rows);
        }
    }
    free_ranks(&comm);
}

static void C_24_four_pieces(void **state)
{
    (void)state;
    static const int64_t matrix[] = {1, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3, 3};
    if (tsrt_size() < 4) tsrt_skip("needs 4 ranks");
    check_matrix(4, TSR_SHAPE(1, 2, 3, 6), matrix);
}

static void C_25_an_empty_piece(void **state)
{
    (void)state;
    static const int64_t matrix[] = {0, 0, 0, 2, 2, 1, 0, 0, 1};
    if (tsrt_size() < 3) tsrt_skip("needs 3 ranks");
    check_matrix(3, TSR_SHAPE(0, 5, 1), matrix);
}

/* Cuts 0 10 25 45 70 become 0 18 36 53 70. */
static void C_26_four_larger_pieces(void **state)
{
    (void)state;
    static const int64_t matrix[] = {10, 0, 0, 0, 8, 7, 0, 0, 0, 11, 9, 0, 0, 0, 8, 17};
    if (tsrt_size() < 4) tsrt_skip("needs 4 ranks");
    check_matrix(4, TSR_SHAPE(10, 15, 20, 25), matrix);
}

/* One rank has all rows, another one none, ... */
static void one_rank_has_all(void **state)
{
    (void)state;
    const int size = tsrt_size();
    for (int owner = 0; owner < size; ++owner) {
        int64_t lengths[8] = {0}, matrix[64] = {0};
        lengths[owner] = 5 * size;
        for (int r = 0; r < size; ++r)
            matrix[owner * size + r] = 5;
        check_matrix(size, lengths, matrix);
    }
}

/* Only the last two ranks exchange anything. */
static void a_single_row_moves(void **state)
{
    (void)state;
    const int size = tsrt_size();
    if (size < 2) tsrt_skip("needs 2 ranks");
    int64_t lengths[8], matrix[64] = {0};
    for (int r = 0; r < size; ++r) {
        lengths[r] = 4;
        matrix[r * size + r] = 4;
    }
    lengths[size - 2] = 5;
    lengths[size - 1] = 3;
    matrix[(size - 2) * size + size - 1] = 1;
    check_matrix(size, lengths, matrix);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void check_layout(const tsr_array *array, int axis, const tsr_layout_options *options)
{
    const tsr_layout *layout = tsr_array_layout(array);
    const tsr_view view = tsr_local(array);
    int64_t start, end;

    CHECK_INT(tsr_layout_split(layout), TSR_AXIS(axis));
    CHECK_INT(tsr_layout_periodic(layout), options->periodic);
    for (int a = 0; a < view.ndim; ++a)
        CHECK_INT(tsr_layout_halo_lo(layout)[a], options->halo[a]);
    CHECK_OK(tsr_near_even(tsr_layout_shape(layout)[axis], tsrt_size(), tsrt_rank(), &start, &end));
    if (view.data == NULL) return;
    CHECK_INT(view.start[axis], start);
    CHECK_INT(view.extent[axis], end - start);
}

static void stack_random(uint64_t seed, tsr_dtype dtype)
{
    int64_t shape[3], before = 0, rows = 0;
    tsr_array *array = NULL;
    const int ndim = 1 + (int)(seed % 3), axis = (int)(seed / 3 % (uint64_t)ndim);
    tsr_layout_options options = {.periodic = seed % 4 == 0 ? TSR_AXIS(axis) : 0,
                                  .allow_empty = true};

    for (int a = 0; a < ndim; ++a)
        options.halo[a] = a < 2 ? (int64_t)(seed % 2) : 2;
    for (int a = 0; a < ndim; ++a)
        shape[a] = 1 + (int64_t)(model_hash(seed + (uint64_t)a) % 5);
    if (seed % 11 == 5 && ndim > 1) shape[(axis + 1) % ndim] = 0;
    shape[axis] = 0;
    for (int r = 0; r < tsrt_size(); ++r) {
        const uint64_t dice = model_hash(seed * 64 + (uint64_t)r);
        const int64_t n = dice % 3 == 0 ? 0 : (int64_t)(dice / 3 % 9);
        if (r < tsrt_rank()) before += n;
        if (r == tsrt_rank()) rows = n;
        shape[axis] += n;
    }
    CHECK_OK(stack(TSR_COMM_WORLD, ndim, shape, seed % 2 == 0 ? axis : axis - ndim, before, rows,
                   dtype, (input_order)(seed / 2 % INPUT_ORDERS), &options, &array));
    for (int a = 0; a < ndim; ++a)
        CHECK_INT(tsr_array_shape(array)[a], shape[a]);
    check_layout(array, axis, &options);
    check_indexed(array, 11);
    CHECK_OK(tsr_array_destroy(&array));
}

static void random_pieces_of_every_type(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 130; ++seed)
        stack_random(seed, (tsr_dtype)(TSR_BOOL + (int)(seed % 13)));
}

/* One piece read with strides of 0, one of real parts. */
static void strides_of_each_rank(void **state)
{
    (void)state;
    const int rank = tsrt_rank();
    const double numbers[] = {rank, -1, rank + 100, -1, rank + 200, -1};
    tsr_array *array = NULL;

    CHECK_OK(tsr_from_pieces(TSR_COMM_WORLD, 1, TSR_SHAPE(3), 0, TSR_F64, numbers,
                             TSR_SHAPE(rank % 2 == 0 ? 2 : 0), NULL, &array));
    const tsr_view view = tsr_local(array);
    for (int64_t i = 0; i < 3; ++i)
        CHECK_DOUBLE(TSR_AT(double, view, i), rank + (rank % 2 == 0 ? 100 * (double)i : 0), 0);
    CHECK_OK(tsr_array_destroy(&array));
}

static void whole_pieces(void **state)
{
    (void)state;
    tsr_array *array = NULL;
    const int64_t start[] = {0, 0}, shape[] = {4, 3};
    input in = input_make(INPUT_FORTRAN, 2, shape, start, shape, TSR_C64, 11);
    const tsr_layout_options options = {.split = TSR_WHOLE, .halo = {1, 1}};

    /* No axis is cut, so none has to be right. */
    CHECK_OK(tsr_from_pieces(TSR_COMM_WORLD, 2, shape, 77, TSR_C64, in.data, in.stride, &options,
                             &array));
    check_indexed(array, 11);
    CHECK(!tsr_layout_is_distributed(tsr_array_layout(array)));
    CHECK_OK(tsr_array_destroy(&array));
    input_free(&in);

    const int16_t value = 7;
    CHECK_OK(tsr_from_pieces(TSR_COMM_WORLD, 0, NULL, 0, TSR_I16, &value, NULL,
                             &(tsr_layout_options){.split = TSR_WHOLE}, &array));
    check_all_cells(array, 7, 0);
    CHECK_OK(tsr_array_destroy(&array));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C_24_four_pieces),        cmocka_unit_test(C_25_an_empty_piece),
        cmocka_unit_test(C_26_four_larger_pieces), cmocka_unit_test(one_rank_has_all),
        cmocka_unit_test(a_single_row_moves),      cmocka_unit_test(random_pieces_of_every_type),
        cmocka_unit_test(strides_of_each_rank),    cmocka_unit_test(whole_pieces),
    };
    return TSRT_RUN(argc, argv, tests);
}
