/* ranks: 1 2 3 */
/* With a thread level too low, a call from another thread is an error.
 * test_lifetime_thread_single.c is this program at another level. */
#define _POSIX_C_SOURCE 200809L

#include "support/harness.h"

#include "base/context.h"

#include <pthread.h>
#include <stdio.h>

#ifdef TSR_SERIAL
int main(void)
{
    puts("skipped: a build without MPI");
    return 0;
}
#else

#ifndef LEVEL
#define LEVEL MPI_THREAD_FUNNELED
#endif

static tsri_context *world;

static void *refused(void *unused)
{
    (void)unused;
    tsri_context *context = NULL;
    CHECK_STATUS(tsri_context_of(MPI_COMM_WORLD, &context), TSR_ERR_STATE);
    CHECK_TEXT("thread");
    CHECK_STATUS(tsri_context_check(world), TSR_ERR_STATE);
    return NULL;
}

int main(int argc, char **argv)
{
    int level = MPI_THREAD_SINGLE;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, LEVEL, &level);
    if (level < MPI_THREAD_SERIALIZED) {
        CHECK_OK(tsri_context_of(MPI_COMM_WORLD, &world));
        CHECK(pthread_create(&thread, NULL, refused, NULL) == 0);
        CHECK(pthread_join(thread, NULL) == 0);
        CHECK_OK(tsri_context_check(world));
    } else {
        puts("skipped: MPI gives a higher thread level than asked for");
    }
    MPI_Finalize();
    return 0;
}
#endif
