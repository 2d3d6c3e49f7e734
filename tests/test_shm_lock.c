/* ranks: 1 2 3 4 8 */
/* timeout: 300 */
/* Ranks that share memory at the same time: locks, synchronisation, windows; what a manager
 * holds and frees, and handles of what is gone. */
#define _POSIX_C_SOURCE 200809L

#include "shm/manager.h"
#include "support/nodes.h"

#include <sched.h>

static bool is_long(void)
{
    return getenv("TSRT_LONG") != NULL;
}

/* ---- locks ------------------------------------------------------------------------------------
 */

/* Additions of several steps, which only a lock keeps whole; with a base of several nodes each node
 * counts for itself. */
static void keep_out(tsr_shm_scope scope, int rounds)
{
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 0, 0);
    tsr_shm_array *counts = NULL;
    CHECK_OK(tsr_shm_zeros_node(shm, TSR_I64, 1, TSR_SHAPE(100), &counts));
    volatile int64_t *data = tsr_shm_data(counts);

    for (int round = 0; round < rounds; ++round) {
        CHECK_OK(tsr_shm_lock(shm, scope));
        const int64_t before = data[0];
        for (int i = 1; i < 100; ++i)
            CHECK_INT(data[i], before);
        if (round % 16 == 0) sched_yield();
        for (int i = 0; i < 100; ++i)
            data[i] = before + 1;
        CHECK_OK(tsr_shm_unlock(shm, scope));
    }
    CHECK_OK(tsr_shm_sync(counts));
    CHECK_INT(data[99], rounds * tsr_shm_node_size(shm));
    tsrt_barrier(); /* where rank 0 is in MPI while others wait for the base's lock */
    CHECK_OK(tsr_shm_destroy(&shm));
}

static void the_lock_of_a_node(void **state)
{
    (void)state;
    keep_out(TSR_SHM_NODE, 1 + 300 / tsrt_size());
}

static void the_lock_of_the_base(void **state)
{
    (void)state;
    keep_out(TSR_SHM_BASE, nodes_among(tsrt_size()) > 1 ? 20 : 1 + 300 / tsrt_size());
}

/* How many have ever asked for the lock of this rank's node. */
static int64_t asked(const tsr_shm *shm)
{
    const tsri_board *board = tsri_manager_board(tsri_manager_of(shm));
    return (int64_t)atomic_load(&board->lock[TSR_SHM_NODE].next);
}

/* First come, first served: one rank has the lock until all others have asked, one after the other
 * in an order of each round's own; they get it in that order. */
static void in_the_order_of_asking(void **state)
{
    (void)state;
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 0, 0);
    tsr_shm_array *shared = NULL;
    const int place = tsr_shm_node_rank(shm), size = tsr_shm_node_size(shm);
    CHECK_OK(tsr_shm_zeros_node(shm, TSR_I64, 1, TSR_SHAPE(1), &shared));
    volatile int64_t *served = tsr_shm_data(shared);

    for (int round = 0; round < 6; ++round) {
        const int turn = round % 2 == 0 ? (place + round) % size : (size - place + round) % size;
        while (asked(shm) != (int64_t)round * size + turn)
            sched_yield();
        CHECK_OK(tsr_shm_lock(shm, TSR_SHM_NODE));
        while (asked(shm) != (int64_t)(round + 1) * size)
            sched_yield();
        CHECK_INT(*served, (int64_t)round * size + turn);
        ++*served;
        CHECK_OK(tsr_shm_unlock(shm, TSR_SHM_NODE));
        CHECK_OK(tsr_shm_sync(shared));
    }
    CHECK_OK(tsr_shm_destroy(&shm));
}

static void locks_refused(void **state)
{
    (void)state;
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 0, 0), *gone;
    CHECK_STATUS(tsr_shm_unlock(shm, TSR_SHM_NODE), TSR_ERR_STATE);
    CHECK_TEXT("does not have the lock");
    CHECK_OK(tsr_shm_lock(shm, TSR_SHM_NODE));
    CHECK_STATUS(tsr_shm_lock(shm, TSR_SHM_NODE), TSR_ERR_STATE);
    CHECK_TEXT("has the lock already");
    CHECK_OK(tsr_shm_unlock(shm, TSR_SHM_NODE));
    CHECK_STATUS(tsr_shm_lock(shm, (tsr_shm_scope)7), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_shm_lock(NULL, TSR_SHM_BASE), TSR_ERR_VALUE);
    gone = shm;
    CHECK_OK(tsr_shm_destroy(&shm));
    CHECK_STATUS(tsr_shm_lock(gone, TSR_SHM_NODE), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_shm_unlock(gone, TSR_SHM_NODE), TSR_ERR_VALUE);
}

/* ---- synchronisation ---------------------------------------------------------------------------
 */

/* The last rank of a node writes, the first reads and answers: no stale value, ever. */
static void ping_pong(void **state)
{
    (void)state;
    const int rounds = is_long() ? 1000000 : 3000 / tsrt_size();
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 0, 0);
    tsr_shm_array *ball = NULL;
    CHECK_OK(tsr_shm_zeros_node(shm, TSR_I64, 1, TSR_SHAPE(1024), &ball));
    int64_t *data = tsr_shm_data(ball);
    const bool serves = tsr_shm_node_rank(shm) == tsr_shm_node_size(shm) - 1;
    const bool answers = tsr_shm_node_rank(shm) == 0;

    for (int round = 1; round <= rounds; ++round) {
        const int place = round * 37 % 512;
        if (serves) data[place] = round;
        CHECK_OK(tsr_shm_sync(ball));
        if (answers) data[1023 - place] = -data[place];
        CHECK_OK(tsr_shm_sync(ball));
        CHECK_INT(data[1023 - place], -round);
    }
    CHECK_OK(tsr_shm_destroy(&shm));
}

#ifndef TSR_SERIAL
/* A rank that waits in shared memory lets its messages go on: a large one needs its sender. */
static void waiting_lets_messages_go_on(void **state)
{
    (void)state;
    enum { CELLS = 1 << 20 };
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 0, 0);
    tsr_shm_array *shared = NULL;
    CHECK_OK(tsr_shm_zeros_node(shm, TSR_I64, 1, TSR_SHAPE(1), &shared));
    MPI_Comm node = tsr_shm_node_comm(shm);
    const int place = tsr_shm_node_rank(shm);
    char *message = calloc(CELLS, 1);
    MPI_Request request = MPI_REQUEST_NULL;

    CHECK(message != NULL);
    if (tsr_shm_node_size(shm) > 1 && place == 0)
        MPI_Isend(message, CELLS, MPI_BYTE, 1, 5, node, &request);
    if (place == 1) MPI_Recv(message, CELLS, MPI_BYTE, 0, 5, node, MPI_STATUS_IGNORE);
    CHECK_OK(tsr_shm_sync(shared));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(message);
    CHECK_OK(tsr_shm_destroy(&shm));
}

/* ---- windows -----------------------------------------------------------------------------------
 */

static void a_window_over_an_array(void **state)
{
    (void)state;
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 0, 0);
    tsr_shm_array *shared = NULL;
    tsr_win window = TSR_WIN_NULL, again = TSR_WIN_NULL;
    const int64_t one = 1;

    CHECK_OK(tsr_shm_zeros_node(shm, TSR_I64, 1, TSR_SHAPE(4), &shared));
    CHECK_STATUS(tsr_shm_window(shared, tsr_shm_node_rank(shm) == 0 ? NULL : &window),
                 TSR_ERR_VALUE);
    CHECK_OK(tsr_shm_window(shared, &window));
    CHECK_OK(tsr_shm_window(shared, &again));
    CHECK(window != TSR_WIN_NULL && window == again);
    MPI_Win_fence(0, window);
    MPI_Accumulate(&one, 1, MPI_INT64_T, 0, 3, 1, MPI_INT64_T, MPI_SUM, window);
    MPI_Win_fence(0, window);
    CHECK_OK(tsr_shm_sync(shared));
    CHECK_INT(((int64_t *)tsr_shm_data(shared))[3], tsr_shm_node_size(shm));
    CHECK_OK(tsr_shm_sync(shared));
    CHECK_OK(tsr_shm_free(&shared));
    CHECK_STATUS(tsr_shm_window(shared, &window), TSR_ERR_VALUE);
    CHECK_OK(tsr_shm_destroy(&shm));
}
#else
static void waiting_lets_messages_go_on(void **state)
{
    (void)state;
    tsrt_skip("one rank has no messages");
}

static void a_window_over_an_array(void **state)
{
    (void)state;
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 0, 0);
    tsr_shm_array *shared = NULL;
    tsr_win window = TSR_WIN_NULL;
    CHECK_OK(tsr_shm_zeros_node(shm, TSR_I64, 1, TSR_SHAPE(4), &shared));
    CHECK_STATUS(tsr_shm_window(shared, &window), TSR_ERR_UNSUPPORTED);
    CHECK_OK(tsr_shm_destroy(&shm));
}
#endif

/* ---- many --------------------------------------------------------------------------------------
 */

static void made_and_freed_many_times(void **state)
{
    (void)state;
    const int cycles = is_long() ? 100000 : 120;
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 2, 0);
    tsr_shm_array *kept[4] = {NULL};
    int64_t blocks = 0;

    for (int i = 0; i < cycles; ++i) {
        tsr_shm_array **place = &kept[i * 7 % 4];
        if (*place != NULL) CHECK_OK(tsr_shm_free(place));
        CHECK_OK(tsr_shm_zeros_node(shm, TSR_F64, 1, TSR_SHAPE(10 + i % 50), place));
        if (i == 100) blocks = tsri_counters_read().live_blocks;
    }
    CHECK_INT(tsri_counters_read().live_blocks, blocks);
    CHECK_OK(tsr_shm_destroy(&shm));
    for (int i = 0; i < (is_long() ? 1000 : 10); ++i) {
        shm = make_manager(TSR_COMM_WORLD, i % 3, 0);
        CHECK_OK(tsr_shm_destroy(&shm));
    }
}

/* ---- tracking and release -------------------------------------------------------------------- */

static void S_3_what_is_held(void **state)
{
    (void)state;
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 0, 0);
    tsr_comm node = tsr_shm_node_comm(shm);
    tsr_shm_array *a = NULL, *b = NULL, *c = NULL;
    char text[600];

    CHECK_INT(tsr_shm_count(shm, node), 0);
    CHECK_OK(tsr_shm_sync_all(shm, node)); /* of none: nothing */
    CHECK_OK(tsr_shm_zeros_node(shm, TSR_F32, 1, TSR_SHAPE(10), &a));
    CHECK_OK(tsr_shm_zeros(shm, node, 0, TSR_F64, 2, TSR_SHAPE(5, 2), &b));
    CHECK_OK(tsr_shm_zeros_node(shm, TSR_I8, 1, TSR_SHAPE(3), &c));
    CHECK_INT(tsr_shm_count(shm, node), 3);
    CHECK_INT(tsr_shm_total_bytes(shm, node), 40 + 80 + 3);
    CHECK(tsr_shm_array_at(shm, node, 0) == a && tsr_shm_array_at(shm, node, 1) == b);
    CHECK(tsr_shm_array_at(shm, node, 2) == c);
    CHECK(tsr_shm_array_at(shm, node, 3) == NULL && tsr_shm_array_at(shm, node, -1) == NULL);
    CHECK_INT(tsr_shm_count(shm, TSR_COMM_NULL), 0);
    CHECK_OK(tsr_shm_sync_all(shm, node));

    const size_t length = tsr_shm_describe(shm, sizeof text, text);
    CHECK_INT(strlen(text), length);
    CHECK(strstr(text, "node array of float32, shape (10,), 40 bytes") != NULL);
    CHECK(strstr(text, "shared array of float64, shape (5, 2), 80 bytes") != NULL);
    CHECK_INT(tsr_shm_describe(shm, 0, NULL), length);
    CHECK_INT(tsr_shm_describe(shm, 9, NULL), length);

    CHECK_OK(tsr_shm_free(&b)); /* in another order */
    CHECK(b == NULL);
    CHECK_INT(tsr_shm_count(shm, node), 2);
    CHECK(tsr_shm_array_at(shm, node, 1) == c);
    CHECK_OK(tsr_shm_free_comm(shm, node));
    CHECK_INT(tsr_shm_count(shm, node), 0);
    CHECK_OK(tsr_shm_ones_node(shm, TSR_F32, 1, TSR_SHAPE(10), &a)); /* still usable */
    CHECK_OK(tsr_shm_free_all(shm));
    CHECK_OK(tsr_shm_free_all(shm));
    CHECK_OK(tsr_shm_destroy(&shm));
    CHECK_OK(tsr_shm_destroy(&shm));
    CHECK_OK(tsr_shm_destroy(NULL));
}

/* A handle of what is gone is known for that, though something else lies where it lay. */
static void S_3_stale_handles(void **state)
{
    (void)state;
    tsr_shm *shm = make_manager(TSR_COMM_WORLD, 0, 0), *gone = shm;
    tsr_shm_array *a = NULL, *copy, *b = NULL, *foreign = (tsr_shm_array *)(void *)&shm;

    CHECK_OK(tsr_shm_zeros_node(shm, TSR_F64, 1, TSR_SHAPE(10), &a));
    copy = a;
    CHECK_OK(tsr_shm_free(&a));
    CHECK_STATUS(tsr_shm_free(&a), TSR_ERR_VALUE);
    CHECK_TEXT("array is NULL");
    CHECK_OK(tsr_shm_ones_node(shm, TSR_F64, 1, TSR_SHAPE(10), &b));
    CHECK_STATUS(tsr_shm_free(&copy), TSR_ERR_VALUE);
    CHECK_TEXT("freed");
    CHECK(copy != NULL);
    CHECK_STATUS(tsr_shm_free(&foreign), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_shm_free(NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_shm_sync(copy), TSR_ERR_VALUE);
    CHECK(tsr_shm_data(copy) == NULL && tsr_shm_bytes(foreign) == 0 && tsr_shm_shape(copy) == NULL);
    check_shared_all(b, 1);

    CHECK_OK(tsr_shm_destroy(&shm));
    CHECK_STATUS(tsr_shm_free(&b), TSR_ERR_VALUE); /* of a manager that is gone */
    CHECK(tsr_shm_data(b) == NULL);
    CHECK_STATUS(tsr_shm_destroy(&gone), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_shm_free_all(gone), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_shm_zeros_node(gone, TSR_F64, 0, NULL, &a), TSR_ERR_VALUE);
    CHECK_TEXT("tsr_shm_zeros_node: shm is no manager, or one that is destroyed");
    CHECK_INT(tsr_shm_node_size(gone), 0);
    CHECK(tsr_shm_node_comm(NULL) == TSR_COMM_NULL);
}

#ifndef TSR_SERIAL
/* The base and a communicator of an array are freed before, and their numbers used anew. */
static void S_3_communicators_freed_before(void **state)
{
    (void)state;
    MPI_Comm base, other, next;
    tsr_shm_array *a = NULL, *b = NULL;
    CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &base) == MPI_SUCCESS);
    tsr_shm *shm = make_manager(base, 2, 0);
    CHECK(MPI_Comm_dup(tsr_shm_tree_comm(shm), &other) == MPI_SUCCESS);
    CHECK_OK(tsr_shm_ones(shm, other, 0, TSR_I64, 1, TSR_SHAPE(4), &a));
    CHECK(MPI_Comm_free(&other) == MPI_SUCCESS);
    CHECK(MPI_Comm_free(&base) == MPI_SUCCESS);
    CHECK(MPI_Comm_dup(tsr_shm_tree_comm(shm), &next) == MPI_SUCCESS);
    CHECK_INT(tsr_shm_count(shm, next), 0);
    CHECK_OK(tsr_shm_sync(a));
    check_shared_all(a, 1);
    CHECK(tsr_shm_comm(shm) == MPI_COMM_NULL);
    CHECK_OK(tsr_shm_zeros_node(shm, TSR_I64, 1, TSR_SHAPE(4), &b));
    CHECK(MPI_Comm_free(&next) == MPI_SUCCESS);
    CHECK_OK(tsr_shm_free(&a));
    CHECK_OK(tsr_shm_destroy(&shm));
}
#else
static void S_3_communicators_freed_before(void **state)
{
    (void)state;
    tsrt_skip("communicators are not freed without MPI");
}
#endif

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lock_of_a_node),
        cmocka_unit_test(the_lock_of_the_base),
        cmocka_unit_test(in_the_order_of_asking),
        cmocka_unit_test(locks_refused),
        cmocka_unit_test(ping_pong),
        cmocka_unit_test(waiting_lets_messages_go_on),
        cmocka_unit_test(a_window_over_an_array),
        cmocka_unit_test(made_and_freed_many_times),
        cmocka_unit_test(S_3_what_is_held),
        cmocka_unit_test(S_3_stale_handles),
        cmocka_unit_test(S_3_communicators_freed_before),
    };
    return TSRT_RUN(argc, argv, tests);
}
