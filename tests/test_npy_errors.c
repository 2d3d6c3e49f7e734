/* ranks: 1 2 3 4 6 8 */
/* timeout: 300 */
#define _POSIX_C_SOURCE 200809L

#include "support/data_in.h"
#include "support/file_cases.h"
#include "support/harness.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void check_load_fails(const char *path, tsr_status expected, const char *text)
{
    const tsr_layout_options options = {.allow_empty = true};
    tsr_array *a = (tsr_array *)&options; /* to be set to NULL */
    const int64_t bytes = tsri_counters_read().live_blocks;

    const tsr_status st = tsr_load(path, TSR_COMM_WORLD, &options, &a);
    CHECK_SAME_ON_ALL(st);
    CHECK_STATUS(st, expected);
    CHECK_TEXT(text);
    CHECK(a == NULL);
    CHECK_INT(tsri_counters_read().live_blocks, bytes);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void wrong_arguments(void **state)
{
    (void)state;
    tsr_array *a = file_array(TSR_F64, 1, TSR_SHAPE(10), 0), *b = NULL;
    const bool last = tsrt_rank() == tsrt_size() - 1;

    CHECK_STATUS(tsr_save(file_path("a.npy"), NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_save(NULL, a), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_save("", a), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_load(NULL, TSR_COMM_WORLD, NULL, &b), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_load("", TSR_COMM_WORLD, NULL, &b), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_save(last ? NULL : file_path("a.npy"), a), TSR_ERR_VALUE);
    CHECK_INT(file_bytes(file_path("a.npy")), -1);
    CHECK_OK(tsr_save(file_path("a.npy"), a));
    CHECK_STATUS(tsr_load(file_path("a.npy"), TSR_COMM_WORLD, NULL, last ? NULL : &b),
                 TSR_ERR_VALUE);
    CHECK(b == NULL);
    if (tsrt_size() > 1) {
        CHECK_STATUS(tsr_save(file_path(last ? "b.npy" : "c.npy"), a), TSR_ERR_MISMATCH);
        CHECK_STATUS(tsr_load(file_path(last ? "a.npy" : "./a.npy"), TSR_COMM_WORLD, NULL, &b),
                     TSR_ERR_MISMATCH);
        CHECK(b == NULL);
    }
    CHECK_INT(file_bytes(file_path("b.npy")), -1);
    CHECK_INT(file_bytes(file_path("c.npy")), -1);
    CHECK_INT(temporaries(), 0);
    CHECK_OK(tsr_array_destroy(&a));
}

static void layout_options_are_checked(void **state)
{
    (void)state;
    const tsr_layout_options bad = {.halo = {-1}}, beyond = {.split = TSR_AXES(3)};
    tsr_array *a = file_array(TSR_F64, 1, TSR_SHAPE(10), 0), *b = NULL;

    CHECK_OK(tsr_save(file_path("a.npy"), a));
    CHECK_STATUS(tsr_load(file_path("a.npy"), TSR_COMM_WORLD, &bad, &b), TSR_ERR_VALUE);
    CHECK_TEXT("halo");
    CHECK(tsr_load(file_path("a.npy"), TSR_COMM_WORLD, &beyond, &b) != TSR_OK);
    CHECK(b == NULL);
    CHECK_OK(tsr_array_destroy(&a));
}

/* ---- places ---------------------------------------------------------------------------------- */

static void places_that_cannot_be_written(void **state)
{
    (void)state;
    tsr_array *a = file_array(TSR_F64, 1, TSR_SHAPE(10), 0);
    char longest[PATH_BYTES];

    CHECK_STATUS(tsr_save(file_path("no/such/folder/a.npy"), a), TSR_ERR_IO);
    CHECK_TEXT("no/such/folder/a.npy");
    CHECK_TEXT("No such file or directory");
    CHECK_STATUS(tsr_save(tsrt_folder(), a), TSR_ERR_IO);
    CHECK_TEXT("directory");
    make_file(file_path("plain"), "x", 1);
    CHECK_STATUS(tsr_save(file_path("plain/a.npy"), a), TSR_ERR_IO);
    CHECK_TEXT("Not a directory");
    CHECK_STATUS(tsr_save("/dev/full", a), TSR_ERR_IO);
    CHECK_TEXT("No space left on device");
    CHECK_TEXT("tsr_save");
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    CHECK_STATUS(tsr_save(longest, a), TSR_ERR_IO);
    CHECK_TEXT("too long");
    CHECK_INT(temporaries(), 0);
    CHECK_OK(tsr_array_destroy(&a));
}

/* The old file could be written, but a whole one is put in its place. */
static void folders_that_cannot_be_written(void **state)
{
    (void)state;
    if (geteuid() == 0) tsrt_skip("root may write in every folder");
    tsr_array *a = file_array(TSR_F64, 1, TSR_SHAPE(10), 0);

    if (tsrt_rank() == 0) CHECK(mkdir(file_path("closed"), 0700) == 0);
    tsrt_barrier();
    CHECK_OK(tsr_save(file_path("closed/a.npy"), a));
    if (tsrt_rank() == 0) CHECK(chmod(file_path("closed"), 0500) == 0);
    tsrt_barrier();
    CHECK_STATUS(tsr_save(file_path("closed/a.npy"), a), TSR_ERR_IO);
    CHECK_TEXT("cannot create a file in the folder of");
    CHECK_OK(tsr_save_slice(file_path("closed/a.npy"), a, TSR_SHAPE(0)));
    tsrt_barrier();
    if (tsrt_rank() == 0) CHECK(chmod(file_path("closed"), 0700) == 0);
    CHECK_OK(tsr_array_destroy(&a));
}

static void spaces_and_other_characters_in_names(void **state)
{
    (void)state;
    static const char *const names[] = {" ", "two words.npy", "\xce\xb1 \xf0\x9f\x9a\x80.npy", "-n",
                                        "a'b\"c\\d\n"};
    tsr_array *a = file_array(TSR_I32, 1, TSR_SHAPE(11), 0), *b = NULL;
    const tsr_layout_options options = {.allow_empty = true};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        CHECK_OK(tsr_save(file_path(names[i]), a));
        CHECK_OK(tsr_load(file_path(names[i]), TSR_COMM_WORLD, &options, &b));
        file_check(b);
        CHECK_OK(tsr_array_destroy(&b));
    }
    CHECK_INT(temporaries(), 0);
    CHECK_OK(tsr_array_destroy(&a));
}

/* Every rank saves an array of its own under one name, at once: the file is one of them, whole. */
static void saves_under_one_name_at_once(void **state)
{
    (void)state;
    tsr_layout *layout = NULL;
    tsr_array *a = NULL, *b = NULL;
    tsr_scalar low, high;

    CHECK_OK(tsr_layout_create(TSR_COMM_SELF, 1, TSR_SHAPE(100 + tsrt_rank()), NULL, &layout));
    CHECK_OK(tsr_full(layout, TSR_I32, tsr_i32(tsrt_rank()), &a));
    tsrt_barrier();
    for (int i = 0; i < 5; ++i)
        CHECK_OK(tsr_save(file_path("one.npy"), a));
    CHECK_INT(temporaries(), 0);
    CHECK_OK(tsr_load(file_path("one.npy"), TSR_COMM_SELF, NULL, &b));
    CHECK_OK(tsr_min(b, &low));
    CHECK_OK(tsr_max(b, &high));
    CHECK_INT(low.as.i, high.as.i);
    CHECK_INT(tsr_array_cells(b), 100 + low.as.i);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* The files are of different lengths, and each has its length in every cell. */
static void replace_often(int files)
{
    for (int k = 1; k <= files; ++k) {
        tsr_layout *layout = NULL;
        tsr_array *a = NULL;
        CHECK_OK(tsr_layout_create(TSR_COMM_SELF, 1, TSR_SHAPE(100 + k), NULL, &layout));
        CHECK_OK(tsr_full(layout, TSR_I32, tsr_i32(100 + k), &a));
        CHECK_OK(tsr_save(file_path("often.npy"), a));
        CHECK_OK(tsr_array_destroy(&a));
        CHECK_OK(tsr_layout_destroy(&layout));
    }
}

/* One rank puts file after file under a name from which the others load: always one of the files,
 * on all ranks the same. */
static void a_file_that_is_replaced_while_it_is_loaded(void **state)
{
    (void)state;
    enum { FILES = 100 };
    const bool last = tsrt_rank() == tsrt_size() - 1;
    if (tsrt_size() == 1) tsrt_skip("somebody else must replace the file");
    tsr_comm others = first_ranks(tsrt_size() - 1);

    make_file(file_path("often.npy"), "", 0);
    if (last) {
        replace_often(FILES);
    } else {
        for (int64_t n = 0; n < 100 + FILES;) {
            tsr_array *a = NULL;
            tsr_scalar low, high;
            if (tsr_load(file_path("often.npy"), others, NULL, &a) != TSR_OK) {
                CHECK_TEXT("not a .npy file"); /* the empty one */
                continue;
            }
            n = tsr_array_cells(a);
            CHECK_OK(tsr_min(a, &low));
            CHECK_OK(tsr_max(a, &high));
            CHECK_INT(low.as.i, n);
            CHECK_INT(high.as.i, n);
            CHECK_OK(tsr_array_destroy(&a));
        }
        free_ranks(&others);
    }
    tsrt_barrier();
}

static void places_that_cannot_be_read(void **state)
{
    (void)state;
    check_load_fails(file_path("missing.npy"), TSR_ERR_IO, "No such file or directory");
    check_load_fails(tsrt_folder(), TSR_ERR_IO, "is a directory");
    check_load_fails("/dev/zero", TSR_ERR_IO, "not a regular file");
    if (tsrt_rank() == 0) {
        unlink(file_path("pipe"));
        CHECK(mkfifo(file_path("pipe"), 0600) == 0);
    }
    tsrt_barrier();
    check_load_fails(file_path("pipe"), TSR_ERR_IO, "not a regular file");
}

/* A limit on file sizes: the header can be written, the blocks cannot.  The signal that goes with
 * it is ignored, as the message says more. */
static void a_full_device(void **state)
{
    (void)state;
    tsr_array *old = file_array(TSR_F64, 1, TSR_SHAPE(10), 0);
    tsr_array *a = file_array(TSR_F64, 1, TSR_SHAPE(1000), 0);
    struct rlimit before, low;

    CHECK_OK(tsr_save(file_path("a.npy"), old));
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    low = before;
    low.rlim_cur = 4096;
    signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &low) == 0);
    const tsr_status st = tsr_save(file_path("a.npy"), a);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    signal(SIGXFSZ, SIG_DFL);
    CHECK_STATUS(st, TSR_ERR_IO);
    CHECK_TEXT("File too large");
    CHECK_INT(file_bytes(file_path("a.npy")), 128 + 80);
    CHECK_INT(temporaries(), 0);
    CHECK_OK(tsr_array_destroy(&old));
    CHECK_OK(tsr_array_destroy(&a));
}

/* ---- malformed files ------------------------------------------------------------------------- */

static void check_file_refused(const char *text, size_t data, const char *why)
{
    unsigned char file[2048] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    const size_t length = strlen(text);

    file[8] = (unsigned char)(length & 0xff);
    file[9] = (unsigned char)(length >> 8);
    memcpy(file + 10, text, length);
    make_file(file_path("bad.npy"), file, 10 + length + data);
    check_load_fails(file_path("bad.npy"), TSR_ERR_IO, why);
    CHECK_TEXT("bad.npy");
}

static void malformed_files(void **state)
{
    (void)state;
#define START "{'descr': '<f8', 'fortran_order': False, 'shape': "
    make_file(file_path("bad.npy"), "", 0);
    check_load_fails(file_path("bad.npy"), TSR_ERR_IO, "not a .npy file");
    make_file(file_path("bad.npy"), "\x93NUMPY\x02\x00\xff\xff\xff\xff", 12);
    check_load_fails(file_path("bad.npy"), TSR_ERR_IO, "a header of 4294967295 bytes");
    make_file(file_path("bad.npy"), "\x93NUMPY\x02\x00\x00\x00\x10\x00", 12);
    check_load_fails(file_path("bad.npy"), TSR_ERR_IO, "ends inside its header");
    check_file_refused("", 0, "no dictionary");
    check_file_refused(START "(-3,)}", 64, "length 0");
    check_file_refused(START "(4294967296, 4294967296)}", 64, "more bytes than any file");
    check_file_refused(START "(1000000000000,)}", 64, "too short: 64 bytes of data");
    check_file_refused(START "(9,)}", 71, "too short: 71 bytes of data, its header says 72");
    check_file_refused(START "(9,)}", 0, "too short");
    check_file_refused(START "()}", 7, "too short");
    check_file_refused("{'descr': '|O', 'fortran_order': False, 'shape': (2,)}", 16, "object");
    check_file_refused("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,)}", 16,
                       "structured");
    check_file_refused("{'descr': '<f2', 'fortran_order': False, 'shape': (2,)}", 16, "'<f2'");
}

/* Only the last rank's cells are missing. */
static void truncated_files(void **state)
{
    (void)state;
    const int64_t n = 4 * tsrt_size();
    tsr_array *a = file_array(TSR_F64, 1, &n, 0);

    CHECK_OK(tsr_save(file_path("a.npy"), a));
    if (tsrt_rank() == 0) CHECK(truncate(file_path("a.npy"), 128 + 8 * n - 1) == 0);
    tsrt_barrier();
    check_load_fails(file_path("a.npy"), TSR_ERR_IO, "too short");
    CHECK_OK(tsr_array_destroy(&a));
}

/* ---- faults ---------------------------------------------------------------------------------- */

static bool fired_on(int victim)
{
    bool fired = tsri_fault_fired();
    tsri_fault_arm(-1);
    tsrt_bcast(&fired, sizeof fired, victim);
    return fired;
}

/* Alone, a rank has a block so long that its device is asked to begin before it is complete. */
static void faults_in_save(void **state)
{
    (void)state;
    const int64_t rows = tsrt_size() == 1 ? 30000 : 9;
    tsr_array *old = file_array(TSR_F32, 1, TSR_SHAPE(5), 0);
    tsr_array *a = file_array(TSR_F32, 2, TSR_SHAPE(rows, 10), 3);
    const char *path = file_path("a.npy");
    char kept[PATH_BYTES];
    snprintf(kept, sizeof kept, "%s", path);

    for (int victim = 0; victim < tsrt_size(); ++victim) {
        CHECK_OK(tsr_save(kept, old));
        for (int n = 0;; ++n) {
            tsri_fault_arm(tsrt_rank() == victim ? n : -1);
            const tsr_status st = tsr_save(kept, a);
            const bool fired = fired_on(victim);
            CHECK_SAME_ON_ALL(st);
            CHECK((st != TSR_OK) == fired);
            CHECK_INT(temporaries(), 0);
            CHECK_INT(file_bytes(kept), 128 + (fired ? 20 : rows * 10 * 4));
            if (!fired) break;
        }
    }
    CHECK_OK(tsr_array_destroy(&old));
    CHECK_OK(tsr_array_destroy(&a));
}

static void faults_in_load(void **state)
{
    (void)state;
    const tsr_layout_options options = file_options(2, 3);
    tsr_array *a = file_array(TSR_F32, 2, TSR_SHAPE(9, 10), 3);
    char path[PATH_BYTES];

    snprintf(path, sizeof path, "%s", file_path("a.npy"));
    CHECK_OK(tsr_save(path, a));
    for (int victim = 0; victim < tsrt_size(); ++victim)
        for (int n = 0;; ++n) {
            tsr_array *b = a;
            const int64_t blocks = tsri_counters_read().live_blocks;
            tsri_fault_arm(tsrt_rank() == victim ? n : -1);
            const tsr_status st = tsr_load(path, TSR_COMM_WORLD, &options, &b);
            const bool fired = fired_on(victim);
            CHECK_SAME_ON_ALL(st);
            CHECK((st != TSR_OK) == fired);
            if (!fired) {
                file_check(b);
                CHECK_OK(tsr_array_destroy(&b));
                break;
            }
            CHECK(b == NULL);
            CHECK_INT(tsri_counters_read().live_blocks, blocks);
        }
    CHECK_OK(tsr_array_destroy(&a));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(layout_options_are_checked),
        cmocka_unit_test(places_that_cannot_be_written),
        cmocka_unit_test(folders_that_cannot_be_written),
        cmocka_unit_test(spaces_and_other_characters_in_names),
        cmocka_unit_test(saves_under_one_name_at_once),
        cmocka_unit_test(a_file_that_is_replaced_while_it_is_loaded),
        cmocka_unit_test(places_that_cannot_be_read),
        cmocka_unit_test(a_full_device),
        cmocka_unit_test(malformed_files),
        cmocka_unit_test(truncated_files),
        cmocka_unit_test(faults_in_save),
        cmocka_unit_test(faults_in_load),
    };
    return TSRT_RUN(argc, argv, tests);
}
