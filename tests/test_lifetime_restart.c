/* ranks: 1 2 3 4 */
/* In a program that started MPI itself the library can end and begin again; and each call of its
 * very first use may fail. */
#include "support/harness.h"

#include "base/context.h"

#include <stdio.h>

#ifdef TSR_SERIAL
int main(void)
{
    tsri_context *context = NULL;
    for (int i = 0; i < 3; ++i) {
        CHECK_OK(tsr_init(NULL, NULL));
        CHECK_OK(tsri_context_of(TSR_COMM_WORLD, &context));
        CHECK_OK(tsr_finalize());
        CHECK_STATUS(tsri_context_of(TSR_COMM_WORLD, &context), TSR_ERR_STATE);
        CHECK_INT(tsri_counters_read().live_blocks, 0);
    }
    return 0;
}
#else

static void begin_and_end_again(void)
{
    tsri_context *context = NULL;
    int over = 1;
    MPI_Comm user;
    for (int i = 0; i < 3; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &user);
        CHECK_OK(tsr_init(NULL, NULL));
        CHECK_OK(tsri_context_of(MPI_COMM_WORLD, &context));
        CHECK_OK(tsri_context_of(user, &context));
        CHECK_OK(tsr_finalize());
        CHECK_STATUS(tsri_context_of(user, &context), TSR_ERR_STATE);
        CHECK_TEXT("tsr_finalize() has been called");
        CHECK_INT(tsri_counters_read().live_blocks, 0);
        CHECK_INT(tsri_counters_read().live_comms, 0);
        MPI_Comm_free(&user); /* knows nothing of us any more */
    }
    MPI_Finalized(&over);
    CHECK(!over); /* MPI is the program's */
}

static void first_use_fails(void)
{
    int rank, size, failures = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int victim = 0; victim < size; ++victim)
        for (int n = 0, fired = 1; fired; ++n) {
            tsri_context *context = NULL;
            CHECK_OK(tsr_init(NULL, NULL));
            tsri_fault_arm(rank == victim ? n : -1);
            const tsr_status st = tsri_context_of(MPI_COMM_WORLD, &context);
            fired = tsri_fault_fired();
            tsri_fault_arm(-1);
            MPI_Bcast(&fired, 1, MPI_INT, victim, MPI_COMM_WORLD);
            CHECK((st != TSR_OK) == (fired != 0));
            if (fired) CHECK_INT(tsri_counters_read().live_comms, 0);
            if (fired) CHECK_INT(tsri_counters_read().live_blocks, 0);
            failures += fired;
            CHECK_OK(tsr_finalize());
            CHECK_INT(tsri_counters_read().live_blocks, 0);
        }
    CHECK(failures >= 4 * size); /* memory, split, error handler, key, attribute */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    first_use_fails();
    begin_and_end_again();
    CHECK_OK(tsr_finalize());
    MPI_Finalize();
    return 0;
}
#endif
