/* ranks: 1 2 3 4 */
/* A program that ends with arrays, their plans and an exchange still alive: tsr_finalize() releases
 * what they hold, and the handles can be given up afterwards. */
#include "support/harness.h"

int main(int argc, char **argv)
{
    tsr_layout *layout = NULL;
    tsr_array *used = NULL, *busy = NULL;
    tsr_pending *pending = NULL;

    CHECK_OK(tsr_init(&argc, &argv));
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(16, 3),
                               &(tsr_layout_options){.halo = {1, 1}, .periodic = TSR_AXES(0, 1)},
                               &layout));
    CHECK_OK(tsr_zeros(layout, TSR_F64, &used));
    CHECK_OK(tsr_ones(layout, TSR_F32, &busy));
    CHECK_OK(tsr_halo_update(used, NULL));
    CHECK_OK(tsr_halo_accumulate(used, NULL));
    CHECK_OK(tsr_halo_start(1, &busy, NULL, &pending));
    CHECK_OK(tsr_finalize());

    CHECK_INT(tsri_counters_read().live_requests, 0);
    CHECK_INT(tsri_counters_read().live_comms, 0);
    CHECK(tsr_local(used).data == NULL);
    CHECK_STATUS(tsr_halo_update(used, NULL), TSR_ERR_STATE);
    CHECK_STATUS(tsr_halo_accumulate(used, NULL), TSR_ERR_STATE);

    const tsr_status st = tsr_halo_finish(&pending);
    CHECK(st == TSR_OK || st == TSR_ERR_STATE);
    CHECK(pending == NULL);
    CHECK_OK(tsr_array_destroy(&used));
    CHECK_OK(tsr_array_destroy(&busy));
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK_INT(tsri_counters_read().live_blocks, 0);
    return 0;
}
