/* ranks: 1 2 3 */
/* Threads work on communicators of their own at the same time. */
#define _POSIX_C_SOURCE 200809L

#include "support/harness.h"

#include "base/net.h"

#include <pthread.h>
#include <stdio.h>

#ifdef TSR_SERIAL
int main(void)
{
    puts("skipped: a build without MPI");
    return 0;
}
#else

enum { THREADS = 3, ROUNDS = 30, ROUNDS_ALONE = 1000, WORKS = 4 };

/* A thread's communicator, and a number that no other has. */
typedef struct seat {
    MPI_Comm comm;
    int number;
} seat;

/* Contexts come and go, so that threads meet in the lists that all share.  One rank alone is fast
 * enough to meet often. */
static void *come_and_go(void *argument)
{
    const MPI_Comm mine = ((const seat *)argument)->comm;
    int size = 0;
    MPI_Comm_size(mine, &size);
    const int rounds = size == 1 ? ROUNDS_ALONE : ROUNDS;
    for (int round = 0; round < rounds; ++round) {
        MPI_Comm user;
        tsri_context *context = NULL;
        MPI_Comm_dup(mine, &user);
        CHECK_OK(tsri_context_of(user, &context));
        tsri_context_ref(context);
        int value = tsri_context_rank(context) == 0 ? round : -1;
        CHECK_OK(tsri_net_bcast(context, &value, sizeof value, 0));
        CHECK_INT(value, round);
        const bool last = tsri_context_rank(context) == tsri_context_size(context) - 1;
        tsr_status st = last ? TSRI_FAIL(TSR_ERR_IO, "round %d", round) : TSR_OK;
        CHECK_STATUS(tsri_agree(context, st, 0), TSR_ERR_IO);
        MPI_Comm_free(&user);
        tsri_context_unref(context);
    }
    return NULL;
}

static double sum_of(const tsr_array *array)
{
    tsr_scalar sum;
    CHECK_OK(tsr_sum(array, &sum));
    return tsr_to_double(sum);
}

/* Exchanges, expressions, reductions and movements: u is `number` everywhere, on a torus. */
static void compute(const seat *mine, tsr_array *u)
{
    const double cells = 12 * 10, number = mine->number;
    const tsr_layout_options columns = {.split = TSR_AXIS(1)};
    tsr_array *v = NULL, *moved = NULL;
    int64_t place = -1;

    CHECK_OK(tsr_halo_update(u, NULL));
    CHECK_OK(tsr_eval_new(&v, "u[-1,0] + u[0,1] + i0", TSR_ARG(u)));
    CHECK_DOUBLE(sum_of(v), cells * (2 * number + 5.5), 0);
    CHECK_OK(tsr_argmax(v, &place));
    CHECK_INT(place, 11 * 10);
    CHECK_OK(tsr_array_with(v, &columns, &moved));
    CHECK_DOUBLE(sum_of(moved), sum_of(v), 0);
    CHECK_OK(tsr_assign(moved, "2", number));
    CHECK_STATUS(tsr_eval(u, "u +", TSR_ARG(u)), TSR_ERR_VALUE);
    CHECK_TEXT("column 4");
    CHECK_OK(tsr_halo_accumulate(u, NULL));
    CHECK_OK(tsr_eval(u, "number", TSR_ARG(number)));
    CHECK_OK(tsr_array_destroy(&v));
    CHECK_OK(tsr_array_destroy(&moved));
}

static void store(const seat *mine, const tsr_array *u)
{
    char path[300];
    tsr_array *loaded = NULL;
    bool equal = false;

    snprintf(path, sizeof path, "%s/u%d.npy", tsrt_folder(), mine->number);
    CHECK_OK(tsr_save(path, u));
    CHECK_OK(tsr_load(path, mine->comm, NULL, &loaded));
    CHECK_OK(tsr_array_equal(u, loaded, false, &equal));
    CHECK(equal);
    CHECK_OK(tsr_array_destroy(&loaded));
}

static tsr_status add_number(tsr_view scratch, void *number)
{
    TSR_AT(int64_t, scratch, 3) += *(const int *)number;
    return TSR_OK;
}

static void share(seat *mine, int size)
{
    tsr_shm *shm = NULL;
    tsr_shm_array *map = NULL;

    CHECK_OK(tsr_shm_create(mine->comm, NULL, &shm));
    CHECK_OK(tsr_shm_zeros_node(shm, TSR_I64, 1, TSR_SHAPE(50), &map));
    CHECK_OK(tsr_shm_accumulate(map, TSR_SUM, add_number, &mine->number));
    CHECK_INT(((const int64_t *)tsr_shm_data(map))[3], size * mine->number);
    CHECK_OK(tsr_shm_free(&map));
    CHECK_OK(tsr_shm_destroy(&shm));
}

static void migrate(const seat *mine, int rank, int size)
{
    const int owner[] = {(rank + 1) % size};
    int64_t n = 1, *id = malloc(sizeof *id);

    CHECK(id != NULL);
    *id = 100 * mine->number + rank;
    CHECK_OK(tsr_migrate(mine->comm, &n, owner, TSR_ROWS(id, sizeof *id)));
    CHECK_INT(n, 1);
    CHECK_INT(*id, 100 * mine->number + (rank + size - 1) % size);
    free(id);
}

/* Everything at once: what threads share beneath must not mix what is theirs. */
static void *work(void *argument)
{
    seat *const mine = argument;
    int rank = 0, size = 0;

    MPI_Comm_rank(mine->comm, &rank);
    MPI_Comm_size(mine->comm, &size);
    for (int round = 0; round < WORKS; ++round) {
        tsr_layout *torus = NULL;
        tsr_array *u = NULL;
        CHECK_OK(tsr_layout_create(
            mine->comm, 2, TSR_SHAPE(12, 10),
            &(tsr_layout_options){.halo = {1, 1}, .periodic = TSR_AXES(0, 1)}, &torus));
        CHECK_OK(tsr_full(torus, TSR_F64, tsr_i64(mine->number), &u));
        compute(mine, u);
        compute(mine, u);
        store(mine, u);
        share(mine, size);
        migrate(mine, rank, size);
        CHECK_OK(tsr_array_destroy(&u));
        CHECK_OK(tsr_layout_destroy(&torus));
    }
    return NULL;
}

static void run(seat *seats, void *(*body)(void *argument))
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; ++i)
        CHECK(pthread_create(&threads[i], NULL, body, &seats[i]) == 0);
    for (int i = 0; i < THREADS; ++i)
        CHECK(pthread_join(threads[i], NULL) == 0);
}

int main(int argc, char **argv)
{
    int level = MPI_THREAD_SINGLE;
    seat seats[THREADS];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (level < MPI_THREAD_MULTIPLE) {
        puts("skipped: this MPI does not give MPI_THREAD_MULTIPLE");
    } else {
        for (int i = 0; i < THREADS; ++i) {
            MPI_Comm_dup(MPI_COMM_WORLD, &seats[i].comm);
            seats[i].number = i + 1;
        }
        run(seats, come_and_go);
        run(seats, work);
        for (int i = 0; i < THREADS; ++i)
            MPI_Comm_free(&seats[i].comm);
    }
    CHECK_OK(tsr_finalize());
    CHECK_INT(tsri_counters_read().live_blocks, 0);
    CHECK_INT(tsri_counters_read().live_comms, 0);
    MPI_Finalize();
    return 0;
}
#endif
