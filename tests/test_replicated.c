/* ranks: 1 2 3 4 6 8 */
/* The copies of a replicated array combine: values, order, messages, errors. */
#define _POSIX_C_SOURCE 200809L

#include "array/array.h"
#include "kern/kern.h"
#include "shm/neighbours.h"
#include "support/data_in.h"

static tsr_array *copies(tsr_comm comm, int ndim, const int64_t *shape, int64_t halo,
                         tsr_dtype dtype)
{
    tsr_layout_options options = {.split = TSR_WHOLE};
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;

    for (int a = 0; a < ndim; ++a)
        options.halo[a] = halo;
    CHECK_OK(tsr_layout_create(comm, ndim, shape, &options, &layout));
    CHECK_OK(tsr_empty(layout, dtype, &array));
    CHECK_OK(tsr_layout_destroy(&layout));
    return array;
}

/* All cells of this rank's storage, halo included. */
static void set_all(tsr_array *array, double value)
{
    const tsr_view view = tsr_local(array);
    int64_t local[TSR_MAX_NDIM];
    for (int64_t k = 0; k < stored_cells(&view); ++k) {
        (void)stored_cell(&view, k, local);
        *(double *)cell_at(&view, local) = value;
    }
}

static void P_1_three_ranks(void **state)
{
    (void)state;
    if (tsrt_size() < 3) tsrt_skip("needs 3 ranks");
    tsr_comm comm = first_ranks(3);
    if (tsrt_rank() < 3) {
        tsr_array *array = copies(comm, 2, TSR_SHAPE(5, 3), 1, TSR_F64);
        set_all(array, tsrt_rank() + 1);
        CHECK_OK(tsr_allreduce_replicated(array, TSR_SUM));
        check_all_cells(array, 6, 6);
        CHECK_OK(tsr_allreduce_replicated(array, TSR_MAX));
        check_all_cells(array, 6, 6);
        CHECK_OK(tsr_array_destroy(&array));
    }
    free_ranks(&comm);
}

static void P_2_sum_of_ranks(void **state)
{
    (void)state;
    const int n = tsrt_size();
    for (int64_t cells = 1; cells < 100000; cells *= 17) {
        tsr_array *array = copies(TSR_COMM_WORLD, 1, TSR_SHAPE(cells), 0, TSR_F64);
        set_all(array, tsrt_rank() + 1);
        CHECK_OK(tsr_allreduce_replicated(array, TSR_SUM));
        check_all_cells(array, n * (n + 1) / 2, 0);
        CHECK_OK(tsr_array_destroy(&array));
    }
}

static void P_3_distributed(void **state)
{
    (void)state;
    if (tsrt_size() < 2) tsrt_skip("one rank is never distributed");
    tsr_layout *layout = make_layout(1, TSR_SHAPE(2 * tsrt_size()), NULL);
    tsr_array *array = NULL;
    CHECK_OK(tsr_ones(layout, TSR_F64, &array));
    CHECK_STATUS(tsr_allreduce_replicated(array, TSR_SUM), TSR_ERR_VALUE);
    CHECK_TEXT("distributed");
    check_same_text();
    check_all_cells(array, 1, 0);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* ---- every operation and type, by the order that is promised ----------------------------------
 */

static void fill_random(uint64_t seed, tsr_dtype dtype, int64_t cells, unsigned char *out)
{
    for (int64_t i = 0; i < cells; ++i)
        model_element(dtype, model_hash(seed * 100000 + (uint64_t)i),
                      out + (size_t)i * model_elem(dtype));
}

/* What all ranks must end with: every copy is known here. */
static unsigned char *expected_of(tsr_op op, tsr_dtype dtype, int64_t cells)
{
    const size_t bytes = (size_t)cells * model_elem(dtype);
    const int size = tsrt_size();
    unsigned char *all = malloc(bytes * (size_t)size);

    CHECK(all != NULL);
    for (int r = 0; r < size; ++r)
        fill_random((uint64_t)r, dtype, cells, all + (size_t)r * bytes);
    for (int bit = 1; bit < size; bit *= 2)
        for (int r = 0; r + bit < size; r += 2 * bit)
            tsri_kern_get()->combine(op, dtype, cells, all + (size_t)r * bytes,
                                     all + (size_t)(r + bit) * bytes);
    return all;
}

static void combine_once(tsr_comm comm, tsr_op op, tsr_dtype dtype, int64_t cells)
{
    const size_t bytes = (size_t)cells * model_elem(dtype);
    tsr_array *array = copies(comm, 1, TSR_SHAPE(cells - 2), 1, dtype);
    unsigned char *storage = (unsigned char *)tsr_local(array).data - model_elem(dtype);
    unsigned char *expected = expected_of(op, dtype, cells);

    fill_random((uint64_t)tsrt_rank(), dtype, cells, storage);
    CHECK_OK(tsr_allreduce_replicated(array, op));
    if (memcmp(storage, expected, bytes) != 0)
        tsrt_fail(__FILE__, __LINE__, "operation %d of %lld %s", (int)op, (long long)cells,
                  tsr_dtype_name(dtype));
    free(expected);
    CHECK_OK(tsr_array_destroy(&array));
}

/* Small and large arrays, more and fewer cells than ranks. */
static void every_operation_and_type(void **state)
{
    (void)state;
    static const int64_t cells[] = {3, 5, 64, 1025, 1300};
    for (int op = 0; op < TSR_OP_END; ++op)
        for (int dtype = TSR_BOOL; dtype < TSR_DTYPE_END; ++dtype)
            for (size_t i = 0; i < sizeof cells / sizeof cells[0]; ++i) {
                if (op >= TSR_BAND && dtype >= TSR_F32) continue;
                combine_once(TSR_COMM_WORLD, (tsr_op)op, (tsr_dtype)dtype, cells[i]);
            }
}

/* Sums of real numbers of very different sizes, where the order shows: the same bits each time. */
static void same_bits_on_all_ranks(void **state)
{
    (void)state;
    for (int run = 0; run < 5; ++run) {
        tsr_array *array = copies(TSR_COMM_WORLD, 1, TSR_SHAPE(1000), 0, TSR_F32);
        const tsr_view view = tsr_local(array);
        uint32_t hash = 1;
        static uint32_t first;
        for (int64_t i = 0; i < 1000; ++i)
            TSR_AT(float, view, i) = 1e8f / (float)(1 + i * i) - (float)(i * tsrt_rank());
        CHECK_OK(tsr_allreduce_replicated(array, TSR_SUM));
        for (size_t i = 0; i < 1000 * sizeof(float); ++i)
            hash = hash * 31 + ((unsigned char *)view.data)[i];
        CHECK_SAME_ON_ALL((int)(hash & 0x7fffffff));
        if (run == 0) first = hash;
        CHECK(hash == first);
        CHECK_OK(tsr_array_destroy(&array));
    }
}

/* One rank's copy is in memory of its own, which others cannot map: the same values. */
static void one_rank_adopts(void **state)
{
    (void)state;
    enum { CELLS = 700 };
    static double own[CELLS];
    for (int owner = 0; owner < tsrt_size(); ++owner) {
        tsr_array *array = copies(TSR_COMM_WORLD, 1, TSR_SHAPE(CELLS), 0, TSR_F64), *other = NULL;
        CHECK_OK(tsr_adopt(tsr_array_layout(array), TSR_F64, own, sizeof own, &other));
        if (tsrt_rank() != owner) CHECK_OK(tsr_array_swap(array, other));
        set_all(other, tsrt_rank() + 1);
        CHECK_OK(tsr_allreduce_replicated(other, TSR_SUM));
        check_all_cells(other, tsrt_size() * (tsrt_size() + 1) / 2, 0);
        CHECK_OK(tsr_array_destroy(&other));
        CHECK_OK(tsr_array_destroy(&array));
    }
}

/* ---- messages ---------------------------------------------------------------------------------
 */

#ifndef TSR_SERIAL
/* With a limit of 100 bytes a message, on a communicator that is new. */
static void messages_in_pieces(void **state)
{
    (void)state;
    MPI_Comm comm = MPI_COMM_NULL;
    CHECK(setenv("TESSERA_MESSAGE_LIMIT", "100", 1) == 0);
    CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &comm) == MPI_SUCCESS);
    combine_once(comm, TSR_SUM, TSR_F64, 1000);
    CHECK(unsetenv("TESSERA_MESSAGE_LIMIT") == 0);
    combine_once(comm, TSR_PROD, TSR_C128, 333);
    combine_once(comm, TSR_MIN, TSR_U8, 5000);
    CHECK(MPI_Comm_free(&comm) == MPI_SUCCESS);
}
#else
static void messages_in_pieces(void **state)
{
    (void)state;
    tsrt_skip("one rank has no messages");
}
#endif

/* Beyond the agreements, which an array without cells needs one of, a rank sends its copies of the
 * others' slices, and its own slice to each of them; on one node, where its copy lies. */
static void sends_the_array_twice_at_most(void **state)
{
    (void)state;
    enum { CELLS = 840 }; /* a multiple of all numbers of ranks */
    const int64_t others = tsrt_size() - 1;
    tsr_array *array = copies(TSR_COMM_WORLD, 1, TSR_SHAPE(CELLS), 0, TSR_F64);
    tsr_array *none = copies(TSR_COMM_WORLD, 1, TSR_SHAPE(0), 0, TSR_F64);

    set_all(array, 1);
    const tsri_counters first = tsri_counters_read();
    CHECK_OK(tsr_allreduce_replicated(none, TSR_SUM));
    const tsri_counters second = tsri_counters_read();
    CHECK_OK(tsr_allreduce_replicated(array, TSR_SUM));
    const tsri_counters third = tsri_counters_read();
    const int64_t agreement = second.messages - first.messages;
    const int64_t agreement_bytes = second.message_bytes - first.message_bytes;
    const int64_t messages = third.messages - second.messages - 2 * agreement;
    const int64_t bytes = third.message_bytes - second.message_bytes - 2 * agreement_bytes;
    const tsri_team *team = tsri_context_team(array->layout->context);
    if (team != NULL && team->sharing && team->count == tsrt_size()) {
        CHECK_INT(messages, others);
        CHECK_INT(bytes, others * (int64_t)sizeof(tsri_arena_address));
    } else if (team == NULL || !team->anyone_shares) {
        CHECK_INT(messages, 2 * others);
        CHECK_INT(bytes, 2 * others * (CELLS / tsrt_size()) * 8);
    }
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_array_destroy(&none));
}

/* ---- refused ----------------------------------------------------------------------------------
 */

static void errors(void **state)
{
    (void)state;
    tsr_array *array = copies(TSR_COMM_WORLD, 1, TSR_SHAPE(4), 1, TSR_F64);
    tsr_pending *pending = NULL;

    set_all(array, 3);
    CHECK_STATUS(tsr_allreduce_replicated(NULL, TSR_SUM), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_allreduce_replicated(array, TSR_OP_END), TSR_ERR_VALUE);
    CHECK_TEXT("tsr_allreduce_replicated: op is 10");
    for (int op = TSR_BAND; op <= TSR_BXOR; ++op) {
        CHECK_STATUS(tsr_allreduce_replicated(array, (tsr_op)op), TSR_ERR_TYPE);
        CHECK_TEXT("is not defined for float64");
        check_same_text();
    }
    if (tsrt_size() > 1) {
        CHECK_STATUS(tsr_allreduce_replicated(array, tsrt_rank() == 1 ? TSR_MIN : TSR_MAX),
                     TSR_ERR_MISMATCH);
        check_same_text();
    }
    CHECK_OK(tsr_halo_start(1, &array, NULL, &pending));
    CHECK_STATUS(tsr_allreduce_replicated(array, TSR_SUM), TSR_ERR_STATE);
    CHECK_OK(tsr_halo_finish(&pending));
    check_all_cells(array, 3, 3);
    CHECK_OK(tsr_array_destroy(&array));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P_1_three_ranks),
        cmocka_unit_test(P_2_sum_of_ranks),
        cmocka_unit_test(P_3_distributed),
        cmocka_unit_test(every_operation_and_type),
        cmocka_unit_test(same_bits_on_all_ranks),
        cmocka_unit_test(one_rank_adopts),
        cmocka_unit_test(messages_in_pieces),
        cmocka_unit_test(sends_the_array_twice_at_most),
        cmocka_unit_test(errors),
    };
    unsetenv("TESSERA_MESSAGE_LIMIT"); /* what is counted is not cut */
    return TSRT_RUN(argc, argv, tests);
}
