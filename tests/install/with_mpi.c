/* The serial library inside a program that uses MPI itself: each rank has arrays of its own. */
#include <mpi.h>

#include <tessera.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    TSR_CHECK(tsr_init(NULL, NULL));

    tsr_array *ones = NULL;
    tsr_layout *grid = NULL;
    tsr_scalar sum;
    TSR_CHECK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(24), NULL, &grid));
    TSR_CHECK(tsr_ones(grid, TSR_F64, &ones));
    TSR_CHECK(tsr_sum(ones, &sum));
    tsr_array_destroy(&ones);
    tsr_layout_destroy(&grid);
    TSR_CHECK(tsr_finalize());

    double mine = tsr_to_double(sum), total = 0;
    int rank = 0;
    MPI_Allreduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) printf("%s %g\n", tsr_flavour(), total);
    return MPI_Finalize();
}
