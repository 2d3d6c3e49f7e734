/* ranks: 1 2 */
/* timeout: 300 */
/* Communicators made, used and freed many times, each before or after what was made with it: the
 * number of private ones stays small. */
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
int main(int argc, char **argv)
{
    enum { CYCLES = 20000, WINDOW = 5 };
    MPI_Comm users[WINDOW];
    tsri_context *contexts[WINDOW] = {NULL};

    CHECK_OK(tsr_init(&argc, &argv));
    for (int cycle = 0; cycle < CYCLES; ++cycle) {
        const int slot = cycle % WINDOW;
        if (contexts[slot] != NULL) {
            const bool first = cycle / WINDOW % 2 == 0;
            if (first) tsri_context_unref(contexts[slot]);
            MPI_Comm_free(&users[slot]);
            if (!first) tsri_context_unref(contexts[slot]);
        }
        MPI_Comm_dup(MPI_COMM_WORLD, &users[slot]);
        CHECK_OK(tsri_context_of(users[slot], &contexts[slot]));
        tsri_context_ref(contexts[slot]);
        const tsri_counters now = tsri_counters_read();
        CHECK(now.live_comms <= WINDOW && now.idle_comms <= 2);
        CHECK(now.live_blocks <= WINDOW);
    }
    for (int i = 0; i < WINDOW; ++i) {
        MPI_Comm_free(&users[i]);
        tsri_context_unref(contexts[i]);
    }
    CHECK_OK(tsr_finalize());
    CHECK_INT(tsri_counters_read().live_blocks, 0);
    CHECK_INT(tsri_counters_read().live_comms, 0);
    return 0;
}
#endif
