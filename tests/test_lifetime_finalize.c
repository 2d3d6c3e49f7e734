/* ranks: 1 2 3 4 */
/* After tsr_finalize() handles still held are good for giving up, and nothing else. */
#include "support/harness.h"

#include "base/net.h"

static int released;

static void release(tsri_live *self)
{
    (void)self;
    ++released;
}

int main(int argc, char **argv)
{
    tsri_context *world = NULL, *self = NULL, *none = NULL;
    tsri_live object;

    CHECK_OK(tsr_init(&argc, &argv));
    CHECK_OK(tsr_init(&argc, &argv));
    CHECK_OK(tsr_init(NULL, NULL));
    CHECK_OK(tsri_context_of(TSR_COMM_WORLD, &world));
    CHECK_OK(tsri_context_of(TSR_COMM_SELF, &self));
    tsri_context_ref(world);
    tsri_live_add(&object, release);
    CHECK_OK(tsr_finalize());

    CHECK_INT(released, 1);
    CHECK_INT(tsri_counters_read().live_comms, 0);
    CHECK_INT(tsri_counters_read().live_blocks, 1); /* the one referenced */
    CHECK_STATUS(tsri_context_check(world), TSR_ERR_STATE);
    CHECK_STATUS(tsri_context_of(TSR_COMM_WORLD, &none), TSR_ERR_STATE);
    CHECK(none == NULL);
    CHECK(tsri_context_size(world) >= 1 && tsri_context_rank(world) >= 0);
    int record = 0;
    if (tsri_context_size(world) > 1) {
        CHECK_STATUS(tsri_agree(world, TSR_OK, 0), TSR_ERR_STATE);
        CHECK_STATUS(tsri_agree(world, TSR_ERR_VALUE, 0), TSR_ERR_VALUE);
        CHECK_STATUS(tsri_net_bcast(world, &record, sizeof record, 0), TSR_ERR_STATE);
    }
    tsri_live_remove(&object);
    CHECK_INT(released, 1);
    CHECK_OK(tsr_finalize());
    tsri_context_unref(world);
    CHECK_INT(tsri_counters_read().live_blocks, 0);
    CHECK_OK(tsr_finalize());
    return 0;
}
