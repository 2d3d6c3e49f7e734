/* ranks: 1 2 */
/* timeout: 300 */
/* variants: none */
/* Communicators made, used and freed many times, each before or after what was made with it: the
 * number of private ones stays small.  First five of all ranks at a time; then nested ones, of
 * which the ranks of each half free theirs in an order of their own. */
#include "support/harness.h"

#include "base/context.h"

#include <stdio.h>

#ifdef TSR_SERIAL
int main(void)
{
    puts("skipped: a build without MPI");
    return 0;
}
#else

enum { CYCLES = 4000, LONG_CYCLES = 100000, WINDOW = 5 };

static int cycles(void)
{
    return getenv("TSRT_LONG") != NULL ? LONG_CYCLES : CYCLES;
}

static tsri_context *use(MPI_Comm user)
{
    tsri_context *context = NULL;
    CHECK_OK(tsri_context_of(user, &context));
    return tsri_context_ref(context);
}

/* Free a communicator and give up what was made with it, in one order or the other. */
static void drop(MPI_Comm *user, tsri_context **context, bool context_first)
{
    if (context_first) tsri_context_unref(*context);
    MPI_Comm_free(user);
    if (!context_first) tsri_context_unref(*context);
    *context = NULL;
}

static void a_window_of_five(int rank)
{
    MPI_Comm users[WINDOW];
    tsri_context *contexts[WINDOW] = {NULL};
    const tsri_counters before = tsri_counters_read();

    for (int cycle = 0; cycle < cycles(); ++cycle) {
        const int slot = cycle % WINDOW;
        if (contexts[slot] != NULL)
            drop(&users[slot], &contexts[slot], (cycle / WINDOW + rank) % 2 == 0);
        MPI_Comm_dup(MPI_COMM_WORLD, &users[slot]);
        contexts[slot] = use(users[slot]);
        const tsri_counters now = tsri_counters_read();
        CHECK(now.live_comms <= before.live_comms + WINDOW && now.idle_comms <= 2);
        CHECK(now.live_blocks <= before.live_blocks + WINDOW);
    }
    for (int i = 0; i < WINDOW; ++i)
        drop(&users[i], &contexts[i], i % 2 == 0);
}

/* A communicator of all ranks, its halves, and a duplicate of a half: three contexts on each rank,
 * of which one half frees the duplicate first and the other the half. */
static void nested(int rank)
{
    enum { KINDS = 3 };
    const int half = rank % 2;
    MPI_Comm users[KINDS];
    tsri_context *contexts[KINDS];
    const tsri_counters before = tsri_counters_read();

    for (int cycle = 0; cycle < cycles() / KINDS; ++cycle) {
        MPI_Comm_dup(MPI_COMM_WORLD, &users[0]);
        contexts[0] = use(users[0]);
        MPI_Comm_split(users[0], half, rank, &users[1]);
        if (half == 0) contexts[1] = use(users[1]);
        MPI_Comm_dup(users[1], &users[2]);
        contexts[2] = use(users[2]);
        if (half == 1) contexts[1] = use(users[1]);
        for (int i = 0; i < 2; ++i) {
            const int kind = half == cycle % 2 ? 2 - i : 1 + i;
            drop(&users[kind], &contexts[kind], (cycle + rank + i) % 3 == 0);
        }
        drop(&users[0], &contexts[0], (cycle + rank) % 2 == 0);
        const tsri_counters now = tsri_counters_read();
        CHECK(now.live_comms == before.live_comms && now.live_blocks == before.live_blocks);
        CHECK(now.idle_comms <= 2 * KINDS);
    }
}

int main(int argc, char **argv)
{
    int rank = 0;

    CHECK_OK(tsr_init(&argc, &argv));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    a_window_of_five(rank);
    nested(rank);
    CHECK_OK(tsr_finalize());
    CHECK_INT(tsri_counters_read().live_blocks, 0);
    CHECK_INT(tsri_counters_read().live_comms, 0);
    CHECK_INT(tsri_counters_read().idle_comms, 0);
    return 0;
}
#endif
