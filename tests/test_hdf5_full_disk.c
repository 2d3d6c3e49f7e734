/* ranks: 1 3 */
/* disk: 512 */
/* spinning: 2 */
/* variants: none */
/* Every call that writes, on a file system with room for 512 KiB: the same status and sentence on
 * every rank, the old file as it was, and nothing left beside it. */
#include "support/file_cases.h"
#include "support/harness.h"

#include <stdio.h>

/* More cells than fit, and some that do; their bits are random, so compressing does not help. */
enum { LARGE_ROWS = 500, SMALL_ROWS = 50, COLUMNS = 200 };

static tsr_array *array_of(int64_t rows)
{
    return file_array(TSR_F64, 2, TSR_SHAPE(rows, COLUMNS), 3);
}

static void need_small_disk(void)
{
    if (getenv("TSRT_SMALL_DISK") == NULL)
        tsrt_skip("this user may not mount a small file system, whose end would be tested");
}

static void check_full(tsr_status st, const char *path)
{
    CHECK_SAME_ON_ALL(st);
    CHECK_STATUS(st, TSR_ERR_IO);
    CHECK_TEXT("No space left on device");
    CHECK_TEXT(path);
    CHECK_INT(temporaries(), 0);
}

/* ---- files that are replaced ----------------------------------------------------------------- */

static tsr_status save_npy(const char *path, tsr_array *a)
{
    return tsr_save(path, a);
}

static tsr_status save_with(const char *path, tsr_array *a, const tsr_hdf5_options *options)
{
    return tsr_save_hdf5_as(path, 1, (tsr_named_array[]){{"a", a}}, NULL, options);
}

static tsr_status save_hdf5(const char *path, tsr_array *a)
{
    return save_with(path, a, NULL);
}

static tsr_status save_chunked(const char *path, tsr_array *a)
{
    return save_with(path, a, &(tsr_hdf5_options){.chunk = {64, 64}});
}

static tsr_status save_packed(const char *path, tsr_array *a)
{
    return save_with(path, a, &(tsr_hdf5_options){.gzip = 1});
}

static tsr_status save_checkpoint(const char *path, tsr_array *a)
{
    return tsr_checkpoint_save(path, 1, (tsr_named_array[]){{"a", a}}, NULL);
}

static void load_npy(const char *path)
{
    tsr_array *a = NULL;
    CHECK_OK(tsr_load(path, TSR_COMM_WORLD, NULL, &a));
    file_check(a);
    CHECK_OK(tsr_array_destroy(&a));
}

static void load_hdf5(const char *path)
{
    tsr_named_array named = {"a", NULL};
    CHECK_OK(tsr_load_hdf5(path, TSR_COMM_WORLD, NULL, 1, &named, NULL));
    file_check(named.array);
    CHECK_OK(tsr_array_destroy(&named.array));
}

static void load_checkpoint(const char *path)
{
    tsr_named_array named = {"a", array_of(SMALL_ROWS)};
    CHECK_OK(tsr_eval(named.array, "0"));
    CHECK_OK(tsr_checkpoint_load(path, 1, &named, NULL));
    file_check(named.array);
    CHECK_OK(tsr_array_destroy(&named.array));
}

static void old_files_stay_when_the_disk_is_full(void **state)
{
    (void)state;
    need_small_disk();
    static const struct {
        tsr_status (*save)(const char *path, tsr_array *a);
        void (*load)(const char *path);
    } cases[] = {{save_npy, load_npy},
                 {save_hdf5, load_hdf5},
                 {save_chunked, load_hdf5},
                 {save_packed, load_hdf5},
                 {save_checkpoint, load_checkpoint}};
    tsr_array *large = array_of(LARGE_ROWS), *small = array_of(SMALL_ROWS);

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const char *path = "old";
        CHECK_OK(cases[i].save(path, small));
        const int64_t bytes = file_bytes(path);
        CHECK(bytes > 0);
        check_full(cases[i].save(path, large), "'old'");
        CHECK_INT(file_bytes(path), bytes);
        cases[i].load(path);
        check_full(cases[i].save("new", large), "'new'");
        CHECK_INT(file_bytes("new"), -1);
    }
    if (tsrt_rank() == 0) CHECK(remove("old") == 0);
    CHECK_OK(tsr_array_destroy(&large));
    CHECK_OK(tsr_array_destroy(&small));
}

/* What little is left does not hold a picture. */
static void an_old_picture_stays(void **state)
{
    (void)state;
    need_small_disk();
    tsr_array *a = array_of(SMALL_ROWS), *filler = file_array(TSR_U8, 1, TSR_SHAPE(500 << 10), 0);

    CHECK_OK(tsr_save_png("a.png", a, NULL));
    const int64_t bytes = file_bytes("a.png");
    CHECK_OK(tsr_save("filler.npy", filler));
    check_full(tsr_save_png("a.png", a, &(tsr_picture_options){.low = -1, .high = 1, .cell = 4}),
               "'a.png'");
    CHECK_INT(file_bytes("a.png"), bytes);
    if (tsrt_rank() == 0) CHECK(remove("a.png") == 0 && remove("filler.npy") == 0);
    tsrt_barrier();
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&filler));
}

/* ---- files that are changed in place --------------------------------------------------------- */

/* The records that were whole stay, and the next one takes the place of the one that did not fit.
 */
static void a_record_that_does_not_fit(void **state)
{
    (void)state;
    need_small_disk();
    tsr_array *u = array_of(2 * SMALL_ROWS), *filler = array_of(SMALL_ROWS);
    tsr_named_array records[] = {{"u", u}}, loaded[] = {{"u", NULL}, {"time", NULL}};
    const tsr_layout_options options = {.allow_empty = true};
    tsr_status st = TSR_OK;
    int count = 0;

    CHECK_OK(tsr_save("filler.npy", filler));
    while (st == TSR_OK && count < 10)
        if ((st = tsr_append_hdf5("series.h5", 1, records, 0.5 * count, NULL)) == TSR_OK) ++count;
    check_full(st, "'series.h5'");
    CHECK_INT(count, 2);
    tsrt_barrier();
    if (tsrt_rank() == 0) CHECK(remove("filler.npy") == 0);
    CHECK_OK(tsr_load_hdf5("series.h5", TSR_COMM_WORLD, &options, 1, &loaded[1], NULL));
    CHECK_INT(tsr_array_cells(loaded[1].array), count);
    CHECK_OK(tsr_array_destroy(&loaded[1].array));
    CHECK_OK(tsr_append_hdf5("series.h5", 1, records, 0.5 * count, NULL));
    CHECK_OK(tsr_load_hdf5("series.h5", TSR_COMM_WORLD, &options, 2, loaded, NULL));
    CHECK_INT(tsr_array_shape(loaded[0].array)[0], 3);
    CHECK_INT(tsr_array_cells(loaded[1].array), 3);
    for (int i = 0; i < 2; ++i)
        CHECK_OK(tsr_array_destroy(&loaded[i].array));
    CHECK_OK(tsr_array_destroy(&u));
    CHECK_OK(tsr_array_destroy(&filler));
    if (tsrt_rank() == 0) CHECK(remove("series.h5") == 0);
}

/* A file with holes, as a program that writes slices makes it, promises more than there is. */
static void a_slice_that_does_not_fit(void **state)
{
    (void)state;
    need_small_disk();
    tsr_array *large = array_of(LARGE_ROWS);

    run_python("npy.py holes a.npy 500 200");
    check_full(tsr_save_slice("a.npy", large, TSR_SHAPE(0, 0)), "'a.npy'");
    CHECK_INT(file_bytes("a.npy"), 128 + 8 * LARGE_ROWS * COLUMNS);
    CHECK_OK(tsr_array_destroy(&large));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(old_files_stay_when_the_disk_is_full),
        cmocka_unit_test(an_old_picture_stays),
        cmocka_unit_test(a_record_that_does_not_fit),
        cmocka_unit_test(a_slice_that_does_not_fit),
    };
    return TSRT_RUN(argc, argv, tests);
}
