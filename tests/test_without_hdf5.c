/* ranks: 1 2 */
/* A build without HDF5 says so, on every rank, and hands nothing out. */
#include "support/harness.h"

static void every_call_says_so(void **state)
{
    (void)state;
    tsr_layout *layout = NULL;
    tsr_array *a = NULL;
    tsr_attributes attributes = {0};
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(8), NULL, &layout));
    CHECK_OK(tsr_zeros(layout, TSR_F64, &a));
    tsr_named_array named = {"a", a}, *all = &named;
    bool exists = true;
    int n = 1;

    CHECK_STATUS(tsr_save_hdf5("a.h5", 1, &named, NULL), TSR_ERR_UNSUPPORTED);
    CHECK_TEXT("tsr_save_hdf5: this build has no HDF5");
    CHECK_STATUS(tsr_save_hdf5_as("a.h5", 1, &named, NULL, NULL), TSR_ERR_UNSUPPORTED);
    CHECK_STATUS(tsr_append_hdf5("a.h5", 1, &named, 0, NULL), TSR_ERR_UNSUPPORTED);
    CHECK_STATUS(tsr_checkpoint_save("a.h5", 1, &named, NULL), TSR_ERR_UNSUPPORTED);
    CHECK_STATUS(tsr_checkpoint_load("a.h5", 1, &named, NULL), TSR_ERR_UNSUPPORTED);
    CHECK_STATUS(tsr_checkpoint_exists("a.h5", TSR_COMM_WORLD, &exists), TSR_ERR_UNSUPPORTED);
    CHECK(!exists);
    CHECK_STATUS(tsr_load_hdf5("a.h5", TSR_COMM_WORLD, NULL, 1, &named, &attributes),
                 TSR_ERR_UNSUPPORTED);
    CHECK(named.array == NULL);
    CHECK_STATUS(tsr_load_hdf5_all("a.h5", TSR_COMM_WORLD, NULL, &n, &all, &attributes),
                 TSR_ERR_UNSUPPORTED);
    CHECK(n == 0 && all == NULL);
    named.array = a;
    CHECK_STATUS(tsr_load_hdf5_record("a.h5", TSR_COMM_WORLD, 0, NULL, 1, &named, NULL),
                 TSR_ERR_UNSUPPORTED);
    CHECK(named.array == NULL);
    CHECK_STATUS(tsr_load_hdf5_slice("a.h5", TSR_COMM_WORLD, "a", NULL, NULL, NULL, &named.array),
                 TSR_ERR_UNSUPPORTED);

    CHECK_OK(tsr_attributes_set(&attributes, "step", tsr_i64(7)));
    tsr_attributes_clear(&attributes);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_layout_destroy(&layout));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_call_says_so)};
    return TSRT_RUN(argc, argv, tests);
}
