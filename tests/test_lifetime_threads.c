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

enum { THREADS = 3, ROUNDS = 30, ROUNDS_ALONE = 1000 };

/* Contexts come and go, so that threads meet in the lists that all share.  One rank alone is fast
 * enough to meet often. */
static void *worker(void *argument)
{
    const MPI_Comm mine = *(MPI_Comm *)argument;
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

int main(int argc, char **argv)
{
    int level = MPI_THREAD_SINGLE;
    MPI_Comm comms[THREADS];
    pthread_t threads[THREADS];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (level < MPI_THREAD_MULTIPLE) {
        puts("skipped: this MPI does not give MPI_THREAD_MULTIPLE");
    } else {
        for (int i = 0; i < THREADS; ++i)
            MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        for (int i = 0; i < THREADS; ++i)
            CHECK(pthread_create(&threads[i], NULL, worker, &comms[i]) == 0);
        for (int i = 0; i < THREADS; ++i)
            CHECK(pthread_join(threads[i], NULL) == 0);
        for (int i = 0; i < THREADS; ++i)
            MPI_Comm_free(&comms[i]);
    }
    CHECK_OK(tsr_finalize());
    CHECK_INT(tsri_counters_read().live_blocks, 0);
    CHECK_INT(tsri_counters_read().live_comms, 0);
    MPI_Finalize();
    return 0;
}
#endif
