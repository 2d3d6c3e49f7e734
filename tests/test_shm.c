/* ranks: 1 2 3 4 8 */
/* Managers of shared memory and their arrays: who shares what, contents, and everything that is
 * refused. */
#define _POSIX_C_SOURCE 200809L

#include "support/nodes.h"

#include <math.h>
#include <stdio.h>

/* ---- communicators and numbers --------------------------------------------------------------- */

static int clamped(int asked, int most)
{
    return asked < 1 ? 1 : asked > most ? most : asked;
}

static void check_numbers(tsr_comm comm, int asked, int root)
{
    const int size = size_of(comm), rank = rank_in(comm), k = ranks_per_node(size);
    const int on_node = node_size_of(rank, size), place = rank % k;
    const int group = clamped(asked, on_node), first = place / group * group;
    const int members = on_node - first < group ? on_node - first : group;
    tsr_shm *shm = make_manager(comm, asked, root);

    CHECK(tsr_shm_comm(shm) == comm);
    CHECK_INT(tsr_shm_node_rank(shm), place);
    CHECK_INT(tsr_shm_node_size(shm), on_node);
    CHECK_INT(tsr_shm_node_root(shm), root);
    CHECK_INT(tsr_shm_nodes(shm), nodes_among(size));
    CHECK_INT(tsr_shm_nproc_reduce(shm), group);
    CHECK_INT(tsr_shm_tree_rank(shm), place - first);
    CHECK_INT(tsr_shm_tree_size(shm), members);
    CHECK_INT(tsr_shm_tree_root(shm), 0);
    CHECK_INT(rank_in(tsr_shm_node_comm(shm)), place);
    CHECK_INT(size_of(tsr_shm_node_comm(shm)), on_node);
    CHECK_INT(rank_in(tsr_shm_tree_comm(shm)), place - first);
    CHECK_INT(size_of(tsr_shm_tree_comm(shm)), members);
    CHECK_INT(rank_in(tsr_shm_node_root_comm(shm)), place == root ? rank / k : -1);
    CHECK_INT(size_of(tsr_shm_node_root_comm(shm)), place == root ? nodes_among(size) : 0);
    CHECK_INT(rank_in(tsr_shm_tree_root_comm(shm)), place == first ? place / group : -1);
    CHECK_INT(size_of(tsr_shm_tree_root_comm(shm)),
              place == first ? (on_node + group - 1) / group : 0);
    CHECK_OK(tsr_shm_destroy(&shm));
    CHECK(shm == NULL);
}

/* Seven ranks, nproc_reduce = 3: groups of 3, 3 and 1; 100 is 7; 0 and less are 1. */
static void S_1_seven_ranks(void **state)
{
    (void)state;
    if (tsrt_size() < 7) tsrt_skip("needs 7 ranks");
    if (ranks_per_node(7) < 7) tsrt_skip("needs one node");
    tsr_comm comm = first_ranks(7);
    if (comm != TSR_COMM_NULL) {
        tsr_shm *shm = make_manager(comm, 3, 0);
        static const int members[] = {3, 3, 3, 3, 3, 3, 1}, place[] = {0, 1, 2, 0, 1, 2, 0};
        CHECK_INT(tsr_shm_tree_size(shm), members[rank_in(comm)]);
        CHECK_INT(tsr_shm_tree_rank(shm), place[rank_in(comm)]);
        CHECK_INT(size_of(tsr_shm_tree_root_comm(shm)), rank_in(comm) % 3 == 0 ? 3 : 0);
        CHECK_OK(tsr_shm_destroy(&shm));
        check_numbers(comm, 100, 0);
        check_numbers(comm, -4, 6);
    }
    free_ranks(&comm);
}

static void S_1_every_size(void **state)
{
    (void)state;
    for (int n = next_size(0); n <= tsrt_size(); n = next_size(n)) {
        tsr_comm comm = first_ranks(n);
        for (int asked = 0; asked <= 9 && comm != TSR_COMM_NULL; ++asked)
            check_numbers(comm, asked, asked % smallest_node(n));
        free_ranks(&comm);
    }
    for (int root = 0; root < smallest_node(tsrt_size()); ++root)
        check_numbers(TSR_COMM_WORLD, 2, root);
}

/* ---- contents -------------------------------------------------------------------------------- */

/* One rank writes, and all of the communicator read it. */
static void check_shared(tsr_shm_array *array, tsr_comm comm)
{
    int64_t *data = tsr_shm_data(array);
    for (int writer = 0; writer < size_of(comm); ++writer) {
        if (rank_in(comm) == writer) data[tsr_shm_cells(array) - 1] = 1000 + writer;
        CHECK_OK(tsr_shm_sync(array));
        CHECK_INT(data[tsr_shm_cells(array) - 1], 1000 + writer);
        CHECK_OK(tsr_shm_sync(array));
    }
}

static void S_2_every_type(void **state)
{
    (void)state;
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 2, 0);
    tsr_comm tree = tsr_shm_tree_comm(shm);

    for (int dtype = TSR_BOOL; dtype < TSR_DTYPE_END; ++dtype) {
        tsr_shm_array *a[6] = {NULL};
        const int last = size_of(tree) - 1;
        CHECK_OK(tsr_shm_zeros_node(shm, (tsr_dtype)dtype, 1, TSR_SHAPE(37), &a[0]));
        CHECK_OK(tsr_shm_ones_node(shm, (tsr_dtype)dtype, 3, TSR_SHAPE(2, 3, 5), &a[1]));
        CHECK_OK(tsr_shm_full_node(shm, (tsr_dtype)dtype, tsr_i8(3), 0, NULL, &a[2]));
        CHECK_OK(tsr_shm_zeros(shm, tree, last, (tsr_dtype)dtype, 2, TSR_SHAPE(4, 4), &a[3]));
        CHECK_OK(tsr_shm_ones(shm, tree, last, (tsr_dtype)dtype, 1, TSR_SHAPE(1), &a[4]));
        CHECK_OK(
            tsr_shm_full(shm, tree, 0, (tsr_dtype)dtype, tsr_f64(7.5), 1, TSR_SHAPE(2), &a[5]));
        check_shared_all(a[0], 0);
        check_shared_all(a[1], 1);
        check_shared_all(a[2], dtype == TSR_BOOL ? 1 : 3);
        check_shared_all(a[3], 0);
        check_shared_all(a[4], 1);
        check_shared_all(a[5], dtype == TSR_BOOL ? 1 : dtype >= TSR_F32 ? 7.5 : 7);
        CHECK_OK(tsr_shm_sync_all(shm, tree)); /* all have read */
        CHECK_OK(tsr_shm_free_all(shm));
    }
    CHECK_OK(tsr_shm_destroy(&shm));
}

static void S_2_shared_by_their_ranks(void **state)
{
    (void)state;
    const int root = smallest_node(tsrt_size()) - 1;
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 3, root);
    tsr_shm_array *node = NULL, *tree = NULL, *own = NULL;

    CHECK_OK(tsr_shm_alloc_node(shm, TSR_I64, 2, TSR_SHAPE(7, 11), &node));
    CHECK_OK(tsr_shm_alloc(shm, tsr_shm_tree_comm(shm), 0, TSR_I64, 1, TSR_SHAPE(3), &tree));
    CHECK_OK(tsr_shm_alloc(shm, TSR_COMM_SELF, 0, TSR_I64, 1, TSR_SHAPE(1), &own));
    CHECK(tsr_shm_is_node(node) && !tsr_shm_is_node(tree));
    check_shared(node, tsr_shm_node_comm(shm));
    check_shared(tree, tsr_shm_tree_comm(shm));
    check_shared(own, TSR_COMM_SELF);

    const tsr_view view = tsr_shm_view(node);
    CHECK(view.data == tsr_shm_data(node));
    CHECK_INT(view.ndim, 2);
    CHECK(view.extent[0] == 7 && view.extent[1] == 11 && view.stride[0] == 11);
    CHECK(view.stride[1] == 1 && view.start[0] == 0 && view.halo_lo[0] == 0);
    CHECK_INT(tsr_shm_ndim(node), 2);
    CHECK_INT(tsr_shm_shape(node)[1], 11);
    CHECK_INT(tsr_shm_bytes(node), 7 * 11 * 8);
    CHECK_OK(tsr_shm_destroy(&shm));
}

static void S_2_nothing_in_it(void **state)
{
    (void)state;
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 0, 0);
    tsr_shm_array *array = NULL;

    CHECK_OK(tsr_shm_ones_node(shm, TSR_C128, 3, TSR_SHAPE(4, 0, INT64_MAX), &array));
    CHECK(array != NULL && tsr_shm_data(array) != NULL);
    CHECK_INT(tsr_shm_cells(array), 0);
    CHECK_OK(tsr_shm_sync(array));
    CHECK_OK(tsr_shm_free(&array));
    CHECK_OK(tsr_shm_destroy(&shm));
}

static void poisoned_when_asked(void **state)
{
    (void)state;
    const char *asked = getenv("TESSERA_POISON");
    if (asked == NULL || strcmp(asked, "1") != 0) tsrt_skip("needs TESSERA_POISON=1");
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 0, 0);
    tsr_shm_array *real = NULL, *whole = NULL;

    CHECK_OK(tsr_shm_alloc_node(shm, TSR_F32, 1, TSR_SHAPE(100), &real));
    CHECK_OK(tsr_shm_alloc_node(shm, TSR_U16, 1, TSR_SHAPE(100), &whole));
    for (int64_t i = 0; i < 100; ++i) {
        CHECK(isnan(shared_part(real, i, 0)));
        CHECK_DOUBLE(shared_part(whole, i, 0), 0xa5a5, 0);
    }
    CHECK_OK(tsr_shm_destroy(&shm));
}

/* ---- refused --------------------------------------------------------------------------------- */

static void bad_managers(void **state)
{
    (void)state;
    const int size = tsrt_size(), least = smallest_node(size);
    const bool is_last = tsrt_rank() == size - 1;
    tsr_shm *shm = (tsr_shm *)(void *)&shm;

    for (int root = -1; root <= size; ++root) {
        if (root >= 0 && root < least) continue;
        CHECK_STATUS(tsr_shm_create(TSR_COMM_WORLD, &(tsr_shm_options){1, root}, &shm),
                     TSR_ERR_VALUE);
        CHECK(shm == NULL);
        CHECK_TEXT("node_root is");
        check_same_text();
    }
    CHECK_STATUS(tsr_shm_create(TSR_COMM_NULL, NULL, &shm), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_shm_create(TSR_COMM_WORLD, NULL, is_last ? NULL : &shm), TSR_ERR_VALUE);
    check_same_text();
    CHECK(is_last || shm == NULL);
    if (size > 1) {
        CHECK_STATUS(
            tsr_shm_create(TSR_COMM_WORLD, &(tsr_shm_options){.nproc_reduce = 1 + is_last}, &shm),
            TSR_ERR_MISMATCH);
        CHECK(shm == NULL);
    }
}

/* Wrong on the last rank alone. */
static void bad_arrays(void **state)
{
    (void)state;
    const bool wrong = tsrt_rank() == tsrt_size() - 1;
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 0, 0);
    tsr_comm node = tsr_shm_node_comm(shm);
    tsr_shm_array *a = (tsr_shm_array *)(void *)&shm;
    const int64_t huge[] = {INT64_MAX, INT64_MAX, 2}, many = INT64_MAX / 8 + 1;

#define REFUSED(call, code, words)                                                                 \
    do {                                                                                           \
        CHECK_STATUS(call, code);                                                                  \
        CHECK_TEXT(words);                                                                         \
        check_same_text();                                                                         \
        CHECK(a == NULL);                                                                          \
        a = (tsr_shm_array *)(void *)&shm;                                                         \
    } while (0)
    REFUSED(tsr_shm_zeros_node(shm, TSR_F64, 2, TSR_SHAPE(3, wrong ? -3 : 3), &a), TSR_ERR_VALUE,
            "tsr_shm_zeros_node: shape[1] is -3, must be >= 0");
    REFUSED(tsr_shm_alloc_node(shm, TSR_F64, wrong ? 17 : 1, TSR_SHAPE(3), &a), TSR_ERR_VALUE,
            "ndim is 17");
    REFUSED(tsr_shm_alloc_node(shm, TSR_F64, 1, wrong ? NULL : TSR_SHAPE(3), &a), TSR_ERR_VALUE,
            "shape is NULL");
    REFUSED(tsr_shm_ones_node(shm, wrong ? TSR_AUTO : TSR_F64, 1, TSR_SHAPE(3), &a), TSR_ERR_TYPE,
            "dtype is 0");
    REFUSED(tsr_shm_full_node(shm, TSR_F64, (tsr_scalar){0}, 1, TSR_SHAPE(3), &a), TSR_ERR_VALUE,
            "value has type 0");
    REFUSED(tsr_shm_zeros_node(shm, TSR_I8, 3, huge, &a), TSR_ERR_OVERFLOW, "address space");
    REFUSED(tsr_shm_zeros_node(shm, TSR_F64, 1, &many, &a), TSR_ERR_OVERFLOW, "address space");
    REFUSED(tsr_shm_zeros_node(shm, TSR_I8, 1, TSR_SHAPE(INT64_C(1) << 60), &a), TSR_ERR_NOMEM,
            "11529215046");
    REFUSED(tsr_shm_zeros(shm, TSR_COMM_NULL, 0, TSR_I8, 1, TSR_SHAPE(1), &a), TSR_ERR_VALUE,
            "TSR_COMM_NULL");
    if (tsr_shm_nodes(shm) == 1)
        for (int root = -1; root <= size_of(node); root += size_of(node) + 1)
            REFUSED(tsr_shm_zeros(shm, node, root, TSR_I8, 1, TSR_SHAPE(1), &a), TSR_ERR_VALUE,
                    "root is");
    if (tsr_shm_nodes(shm) > 1)
        REFUSED(tsr_shm_zeros(shm, TSR_COMM_WORLD, 0, TSR_I8, 1, TSR_SHAPE(1), &a), TSR_ERR_VALUE,
                "comm spans nodes");
    if (tsrt_size() > 1)
        REFUSED(tsr_shm_zeros_node(shm, TSR_I8, 1, TSR_SHAPE(wrong ? 1 : 2), &a), TSR_ERR_MISMATCH,
                "tsr_shm_zeros_node: rank");
#undef REFUSED
    CHECK_STATUS(tsr_shm_zeros_node(shm, TSR_I8, 1, TSR_SHAPE(1), wrong ? NULL : &a),
                 TSR_ERR_VALUE);
    check_same_text();
    CHECK_INT(tsr_shm_count(shm, node), 0);
    CHECK_OK(tsr_shm_destroy(&shm));
}

#ifndef TSR_SERIAL
/* Memory is short: the text has the bytes asked and those free, and smaller arrays are still to be
 * had.  The limit is read by the first context of a communicator, and the next one lifts it. */
static void memory_is_short(void **state)
{
    (void)state;
    const int64_t huge = INT64_C(64) << 20;
    MPI_Comm small, large;
    tsr_shm_array *array = NULL;

    CHECK(setenv("TESSERA_SHM_LIMIT", "16000000", 1) == 0);
    CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &small) == MPI_SUCCESS);
    tsr_shm *shm = make_manager(small, 1, 0);
    CHECK(unsetenv("TESSERA_SHM_LIMIT") == 0);
    if (smallest_node(tsrt_size()) > 1) {
        CHECK_STATUS(tsr_shm_zeros_node(shm, TSR_I8, 1, &huge, &array), TSR_ERR_NOMEM);
        CHECK_TEXT("tsr_shm_zeros_node: no room for 6");
        CHECK_TEXT("are free");
        check_same_text();
        CHECK(array == NULL);
    }
    CHECK_OK(tsr_shm_ones_node(shm, TSR_I8, 1, TSR_SHAPE(1000), &array));
    check_shared_all(array, 1);
    CHECK_OK(tsr_shm_destroy(&shm));
    CHECK(MPI_Comm_free(&small) == MPI_SUCCESS);

    CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &large) == MPI_SUCCESS);
    shm = make_manager(large, 1, 0);
    CHECK_OK(tsr_shm_zeros_node(shm, TSR_I8, 1, &huge, &array));
    CHECK_OK(tsr_shm_destroy(&shm));
    CHECK(MPI_Comm_free(&large) == MPI_SUCCESS);
}
#else
static void memory_is_short(void **state)
{
    (void)state;
    tsrt_skip("one rank shares no memory");
}
#endif

/* Ranks that free different arrays of one communicator free none. */
static void freeing_different_ones(void **state)
{
    (void)state;
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 0, 0), *other = make_manager(TSR_COMM_WORLD, 0, 0);
    tsr_shm_array *a = NULL, *b = NULL;

    CHECK_OK(tsr_shm_ones_node(shm, TSR_I32, 1, TSR_SHAPE(2), &a));
    CHECK_OK(tsr_shm_ones_node(shm, TSR_I32, 1, TSR_SHAPE(2), &b));
    if (tsr_shm_node_size(shm) > 1) {
        CHECK_STATUS(tsr_shm_free(tsr_shm_node_rank(shm) == 1 ? &a : &b), TSR_ERR_MISMATCH);
        CHECK(a != NULL && b != NULL);
        check_shared_all(a, 1);
    }
    if (tsrt_size() > 1) {
        CHECK_STATUS(tsr_shm_destroy(tsrt_rank() == 1 ? &shm : &other), TSR_ERR_MISMATCH);
        CHECK(shm != NULL && other != NULL);
    }
    CHECK_OK(tsr_shm_destroy(&shm));
    CHECK_OK(tsr_shm_destroy(&other));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(S_1_seven_ranks),   cmocka_unit_test(S_1_every_size),
        cmocka_unit_test(S_2_every_type),    cmocka_unit_test(S_2_shared_by_their_ranks),
        cmocka_unit_test(S_2_nothing_in_it), cmocka_unit_test(poisoned_when_asked),
        cmocka_unit_test(bad_managers),      cmocka_unit_test(bad_arrays),
        cmocka_unit_test(memory_is_short),   cmocka_unit_test(freeing_different_ones),
    };
    return TSRT_RUN(argc, argv, tests);
}
