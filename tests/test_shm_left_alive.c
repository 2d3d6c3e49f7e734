/* ranks: 1 2 4 */
/* Managers, arrays and a lock left to tsr_finalize(), in communicators of several kinds: all is
 * released, once every rank has come, and the handles that are left stand for nothing. */
#define _POSIX_C_SOURCE 200809L

#include "support/nodes.h"

#include <time.h>

/* What others own is there until this rank, too, comes to the end, however late. */
static void read_late(const tsr_shm_array *array, int64_t count)
{
    const double *cell = tsr_shm_data(array);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    for (int64_t i = 0; i < count; ++i)
        CHECK(cell[i] == 7);
}

int main(int argc, char **argv)
{
    tsr_shm *first = NULL, *second = NULL, *copy;
    tsr_shm_array *node = NULL, *late = NULL, *tree = NULL, *own = NULL;

    CHECK_OK(tsr_init(&argc, &argv));
    CHECK_OK(tsr_shm_create(TSR_COMM_WORLD, &(tsr_shm_options){.nproc_reduce = 2}, &first));
    CHECK_OK(tsr_shm_create(TSR_COMM_SELF, NULL, &second));
    CHECK_OK(tsr_shm_zeros_node(first, TSR_F64, 1, TSR_SHAPE(100000), &node));
    CHECK_OK(tsr_shm_ones(first, tsr_shm_tree_comm(first), 0, TSR_I8, 1, TSR_SHAPE(3), &tree));
    CHECK_OK(tsr_shm_ones_node(second, TSR_I8, 1, TSR_SHAPE(3), &own));
    CHECK_OK(tsr_shm_lock(second, TSR_SHM_BASE));
    CHECK_OK(tsr_shm_full_node(first, TSR_F64, tsr_f64(7), 1, TSR_SHAPE(1000), &late));
    if (tsr_shm_node_rank(first) > 0) read_late(late, 1000);
    CHECK_OK(tsr_finalize());

    CHECK_INT(tsri_counters_read().live_comms, 0);
    CHECK_INT(tsri_counters_read().live_blocks, 0);
    CHECK(tsr_shm_data(node) == NULL && tsr_shm_node_size(first) == 0);
    CHECK_STATUS(tsr_shm_free(&tree), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_shm_sync(own), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_shm_unlock(second, TSR_SHM_BASE), TSR_ERR_VALUE);
    copy = first;
    CHECK_OK(tsr_shm_destroy(&first));
    CHECK_OK(tsr_shm_destroy(&second));
    CHECK(first == NULL && second == NULL);

    CHECK_STATUS(tsr_shm_create(TSR_COMM_WORLD, NULL, &first), TSR_ERR_STATE);
    CHECK_OK(tsr_shm_destroy(&copy));
    return 0;
}
