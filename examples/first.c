/* First steps: an array cut over all ranks, filled from its global indices, combined in an
 * expression, summed, and saved as a NumPy file.
 *
 *     first [FILE.npy]
 *
 * Run it as it is, or with any number of ranks: the sum and the file have the same bits. */
/* ranks: 1 2 3 4 6 */
#include <tessera.h>

#include <math.h>
#include <stdio.h>

enum { ROWS = 64, COLUMNS = 48 };

/* What the sum should be: the same cells, added plainly by one rank. */
static double expected_sum(void)
{
    double sum = 0;
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < COLUMNS; ++j) {
            const double a = sin(0.1 * i) * j;
            sum += 2 * a + sin(a);
        }
    return sum;
}

int main(int argc, char **argv)
{
    TSR_CHECK(tsr_init(&argc, &argv)); /* starts MPI unless the program already has */
    const char *path = argc > 1 ? argv[1] : "first.npy";

    tsr_layout *grid = NULL; /* both axes cut, one halo cell around each block, axis 0 periodic */
    TSR_CHECK(tsr_layout_create(
        TSR_COMM_WORLD, 2, TSR_SHAPE(ROWS, COLUMNS),
        &(tsr_layout_options){.split = TSR_AXES(0, 1), .halo = {1, 1}, .periodic = TSR_AXES(0)},
        &grid));

    tsr_array *a = NULL, *c = NULL, *read = NULL;
    TSR_CHECK(tsr_zeros(grid, TSR_F64, &a));
    TSR_CHECK(tsr_eval(a, "sin(0.1*i0) * i1"));              /* i0, i1: global indices */
    TSR_CHECK(tsr_eval_new(&c, "2*a + sin(a)", TSR_ARG(a))); /* no communication */

    tsr_scalar sum, sum_read;
    TSR_CHECK(tsr_sum(c, &sum));  /* the same bits on every rank, at any rank count */
    TSR_CHECK(tsr_save(path, c)); /* numpy.load reads it */
    TSR_CHECK(tsr_load(path, TSR_COMM_WORLD, NULL, &read));
    TSR_CHECK(tsr_sum(read, &sum_read));

    const bool good = fabs(tsr_to_double(sum) - expected_sum()) < 1e-9 &&
                      tsr_to_double(sum) == tsr_to_double(sum_read);
    if (tsr_layout_rank(grid) == 0)
        printf("sum %.17g on %d rank%s, saved as %s%s\n", tsr_to_double(sum), tsr_layout_size(grid),
               tsr_layout_size(grid) == 1 ? "" : "s", path, good ? "" : ", and that is WRONG");

    tsr_array_destroy(&read);
    tsr_array_destroy(&c);
    tsr_array_destroy(&a);
    tsr_layout_destroy(&grid);
    const tsr_status ended = tsr_finalize();
    return good && ended == TSR_OK ? 0 : 1;
}
