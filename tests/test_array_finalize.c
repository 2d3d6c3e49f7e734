/* ranks: 1 2 3 */
#include "support/cells.h"

/* Arrays that outlive the library: their memory is gone, their handles can still be given up. */
int main(int argc, char **argv)
{
    tsr_array *array = NULL, *more = (tsr_array *)&more;
    tsr_layout *layout = NULL;
    char text[200];

    CHECK_OK(tsr_init(&argc, &argv));
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(9), NULL, &layout));
    CHECK_OK(tsr_ones(layout, TSR_F64, &array));
    CHECK(tsr_local(array).data != NULL);
    CHECK_OK(tsr_finalize());

    const tsr_view view = tsr_local(array);
    CHECK(view.data == NULL && view.extent[0] == 0);
    CHECK(tsr_array_describe(array, sizeof text, text) > 0);
    CHECK_STATUS(tsr_zeros(layout, TSR_F64, &more), TSR_ERR_STATE);
    CHECK(more == NULL);
    CHECK_STATUS(tsr_copy(array, &more), TSR_ERR_STATE);
    CHECK_STATUS(
        tsr_arange(TSR_COMM_WORLD, tsr_i64(0), tsr_i64(9), tsr_i64(1), TSR_AUTO, NULL, &more),
        TSR_ERR_STATE);
    tsr_array_destroy(&array);
    tsr_layout_destroy(&layout);
    CHECK_INT(tsri_counters_read().live_blocks, 0);
    CHECK_INT(tsri_counters_read().live_comms, 0);
    return 0;
}
