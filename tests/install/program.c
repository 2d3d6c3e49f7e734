/* What a user's program needs of an installed library: print its flavour and a sum. */
#include <tessera.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    TSR_CHECK(tsr_init(&argc, &argv));

    tsr_layout *grid = NULL;
    tsr_array *ones = NULL;
    tsr_scalar sum;
    TSR_CHECK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(8, 6), NULL, &grid));
    TSR_CHECK(tsr_ones(grid, TSR_F64, &ones));
    TSR_CHECK(tsr_sum(ones, &sum));
    if (tsr_layout_rank(grid) == 0) printf("%s %g\n", tsr_flavour(), tsr_to_double(sum));

    tsr_array_destroy(&ones);
    tsr_layout_destroy(&grid);
    return tsr_finalize();
}
