/* ranks: 2 */
/* timeout: 900 */
/* variants: none */
/* An array of more than 2^31 cells, most of them on one rank, moved by messages and files of more
 * than 2^31 bytes.  Takes 9 GB of memory and 2 GB of disk; only in long runs (TSRT_LONG=1). */
#define _DEFAULT_SOURCE
#include "support/harness.h"

#include <stdio.h>
#include <unistd.h>

static const int64_t cells = (INT64_C(1) << 31) + (INT64_C(1) << 22) + 7;
static const int64_t first_cut = 1001;
enum { HALO = 5 };
static const double need_gigabytes = 10;

/* What a cell holds: no period is a power of two. */
static int8_t value_of(int64_t cell)
{
    return (int8_t)(cell % 251 - 125);
}

static tsr_status fill(const int64_t *index, int64_t count, void *values, void *ctx)
{
    (void)ctx;
    int8_t *v = values;
    for (int64_t k = 0; k < count; ++k)
        v[k] = value_of(index[0] + k);
    return TSR_OK;
}

static void check_cells(const int8_t *values, int64_t first, int64_t count)
{
    for (int64_t k = 0; k < count; ++k)
        if (values[k] != value_of(first + k))
            tsrt_fail(__FILE__, __LINE__, "cell %lld is %d", (long long)(first + k), values[k]);
}

static void need_a_long_run(void)
{
    if (getenv("TSRT_LONG") == NULL) tsrt_skip("only in long runs (TSRT_LONG=1)");
    bool enough =
        (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) > need_gigabytes * 1e9;
    tsrt_bcast(&enough, sizeof enough, 0);
    if (!enough) tsrt_skip("less than 10 GB of free memory");
}

/* The first rank has few cells, the second all others. */
static tsr_array *make(void)
{
    const int64_t cuts[] = {0, first_cut, cells};
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    CHECK_OK(tsr_layout_create(
        TSR_COMM_WORLD, 1, TSR_SHAPE(cells),
        &(tsr_layout_options){
            .cuts = {cuts}, .ncuts = {3}, .halo = {HALO}, .periodic = TSR_AXIS(0)},
        &layout));
    CHECK_OK(tsr_fromfunction(layout, TSR_I8, fill, NULL, &array));
    CHECK_OK(tsr_layout_destroy(&layout));
    return array;
}

static void halo_of_a_block_of_2_31_cells(void **state)
{
    (void)state;
    need_a_long_run();
    tsr_array *array = make();

    CHECK_OK(tsr_halo_update(array, NULL));
    const tsr_view v = tsr_local(array);
    for (int64_t k = 1; k <= HALO; ++k) {
        const int64_t beyond = v.start[0] + v.extent[0] + k - 1;
        CHECK_INT(TSR_AT(int8_t, v, -k), value_of((v.start[0] - k + cells) % cells));
        CHECK_INT(TSR_AT(int8_t, v, v.extent[0] + k - 1), value_of(beyond % cells));
    }
    check_cells(v.data, v.start[0], v.extent[0]);
    CHECK_OK(tsr_array_destroy(&array));
}

static void gather_of_a_block_of_2_31_cells(void **state)
{
    (void)state;
    need_a_long_run();
    tsr_array *array = make();
    int8_t *all = tsrt_rank() == 0 ? malloc((size_t)cells) : NULL;
    CHECK(tsrt_rank() != 0 || all != NULL);

    CHECK_OK(tsr_gather(array, 0, all));
    if (tsrt_rank() == 0) check_cells(all, 0, cells);
    free(all);
    CHECK_OK(tsr_array_destroy(&array));
}

/* Nearly all cells go from the second rank to even blocks and back. */
static void redistribution_of_2_31_cells(void **state)
{
    (void)state;
    need_a_long_run();
    tsr_array *array = make(), *even = NULL;
    tsr_layout *layout = NULL;

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(cells), NULL, &layout));
    CHECK_OK(tsr_redistribute(array, layout, &even));
    tsr_view v = tsr_local(even);
    CHECK(v.extent[0] >= cells / tsrt_size());
    check_cells(v.data, v.start[0], v.extent[0]);
    v = tsr_local(array);
    memset(v.data, 0x55, (size_t)v.extent[0]);
    CHECK_OK(tsr_redistribute_into(even, array));
    check_cells(v.data, v.start[0], v.extent[0]);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_array_destroy(&even));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* Written by those blocks, read into even ones. */
static void file_of_2_31_cells(void **state)
{
    (void)state;
    need_a_long_run();
    char path[4096];
    tsr_array *array = make();

    snprintf(path, sizeof path, "%s/large.npy", tsrt_folder());
    CHECK_OK(tsr_save(path, array));
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_load(path, TSR_COMM_WORLD, NULL, &array));
    tsrt_barrier();
    if (tsrt_rank() == 0) CHECK(remove(path) == 0);
    const tsr_view v = tsr_local(array);
    check_cells(v.data, v.start[0], v.extent[0]);
    CHECK(v.extent[0] >= cells / tsrt_size());
    CHECK_OK(tsr_array_destroy(&array));
}

static void hdf5_of_2_31_cells(void **state)
{
    (void)state;
    need_a_long_run();
    char path[4096];
    tsr_array *array = make();
    tsr_named_array loaded = {.name = "large"};

    snprintf(path, sizeof path, "%s/large.h5", tsrt_folder());
    const tsr_status st = tsr_save_hdf5(path, 1, (tsr_named_array[]){{"large", array}}, NULL);
    CHECK_OK(tsr_array_destroy(&array));
    if (st == TSR_ERR_UNSUPPORTED) tsrt_skip("this build has no HDF5");
    CHECK_OK(st);
    CHECK_OK(tsr_load_hdf5(path, TSR_COMM_WORLD, NULL, 1, &loaded, NULL));
    array = loaded.array;
    tsrt_barrier();
    if (tsrt_rank() == 0) CHECK(remove(path) == 0);
    const tsr_view v = tsr_local(array);
    check_cells(v.data, v.start[0], v.extent[0]);
    CHECK_OK(tsr_array_destroy(&array));
}

/* Small values, so that the exact sum of 2^31 of them is known: whole periods sum to zero. */
static void sum_of_2_31_cells(void **state)
{
    (void)state;
    need_a_long_run();
    tsr_array *array = make();
    tsr_scalar sum, low, high;
    int64_t expected = 0;

    for (int64_t k = cells - cells % 251; k < cells; ++k)
        expected += value_of(k);
    CHECK_OK(tsr_sum(array, &sum));
    CHECK_OK(tsr_min(array, &low));
    CHECK_OK(tsr_max(array, &high));
    CHECK_INT(sum.as.i, expected);
    CHECK_INT(low.as.i, -125);
    CHECK_INT(high.as.i, 125);
    CHECK_OK(tsr_array_destroy(&array));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halo_of_a_block_of_2_31_cells),
        cmocka_unit_test(gather_of_a_block_of_2_31_cells),
        cmocka_unit_test(redistribution_of_2_31_cells),
        cmocka_unit_test(file_of_2_31_cells),
        cmocka_unit_test(hdf5_of_2_31_cells),
        cmocka_unit_test(sum_of_2_31_cells),
    };
    return TSRT_RUN(argc, argv, tests);
}
