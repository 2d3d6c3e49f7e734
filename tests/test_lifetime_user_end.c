/* ranks: 1 2 3 */
/* tsr_init() started MPI, but the program ends it itself. */
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
    tsri_context *context = NULL;
    int running = 0;

    CHECK_OK(tsr_init(&argc, &argv));
    MPI_Initialized(&running);
    CHECK(running);
    CHECK_OK(tsri_context_of(TSR_COMM_WORLD, &context));
    MPI_Finalize();
    CHECK_INT(tsri_counters_read().live_comms, 0);
    CHECK_OK(tsr_finalize());
    CHECK_OK(tsr_finalize());
    CHECK_INT(tsri_counters_read().live_blocks, 0);
    return 0;
}
#endif
