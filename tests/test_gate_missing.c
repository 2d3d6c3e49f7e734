/* ranks: 2 3 4 */
/* The debug gate when a rank never comes: the others get an error that names it, in time; so does
 * every later collective call on that communicator, at once; and the end waits for nobody. */
#define _POSIX_C_SOURCE 200809L

#include "support/harness.h"

#include <stdio.h>
#include <time.h>

#ifdef TSR_SERIAL
int main(void)
{
    return 0; /* one rank is always there */
}
#else

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    setenv("TESSERA_DEBUG", "1", 1);
    setenv("TESSERA_DEBUG_TIMEOUT", "0.5", 1);
    CHECK_OK(tsr_init(&argc, &argv));

    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(12), NULL, &layout));
    CHECK_OK(tsr_zeros(layout, TSR_F64, &array));
    const int rank = tsr_layout_rank(layout), absent = tsr_layout_size(layout) - 1;
    double buffer[12];
    tsr_scalar sum;

    if (rank != absent) { /* one rank does not call */
        const double start = now_s();
        char text[64];
        CHECK_STATUS(tsr_gather(array, 0, buffer), TSR_ERR_GATE);
        CHECK(now_s() - start >= 0.5);
        CHECK_TEXT("rank 0 waited 0.5 s in tsr_gather (root 0) (collective call ");
        snprintf(text, sizeof text, "for rank %d", absent);
        CHECK_TEXT(text);

        const double again = now_s();
        CHECK_STATUS(tsr_sum(array, &sum), TSR_ERR_GATE);
        CHECK_TEXT("rank 0 waited 0.5 s in tsr_gather");
        CHECK(now_s() - again < 0.5);
    } else { /* nor does one that has no array, which is all it knows */
        CHECK_STATUS(tsr_gather(NULL, 0, buffer), TSR_ERR_VALUE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&layout));
    return tsr_finalize();
}
#endif
