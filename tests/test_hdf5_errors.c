/* ranks: 1 2 3 4 */
/* timeout: 200 */
/* Whatever is wrong with an HDF5 file, or the arguments of one rank: the same status and sentence
 * on every rank, nothing handed out, nothing left behind, and the old file as it was. */
#define _POSIX_C_SOURCE 200809L

#include "support/data_in.h"
#include "support/file_cases.h"
#include "support/harness.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static tsr_array *a; /* what the good file has under "a": 6 x 4, f64 */

static void begin(void)
{
    a = file_array(TSR_F64, 2, TSR_SHAPE(6, 4), 3);
    CHECK_OK(tsr_save_hdf5(file_path("good.h5"), 1, (tsr_named_array[]){{"a", a}}, NULL));
}

static void end(void)
{
    CHECK_INT(temporaries(), 0);
    CHECK_OK(tsr_array_destroy(&a));
}

static void check_load(const char *path, const char *name, tsr_status expected, const char *text)
{
    tsr_named_array named = {name, a};
    tsr_attributes attributes = {0};

    const tsr_status st = tsr_load_hdf5(path, TSR_COMM_WORLD, NULL, 1, &named, &attributes);
    CHECK_SAME_ON_ALL(st);
    CHECK_STATUS(st, expected);
    CHECK_TEXT(text);
    CHECK_TEXT("tsr_load_hdf5: ");
    CHECK(named.array == NULL && attributes.count == 0);
}

static void check_slice(const char *name, const int64_t *start, const int64_t *shape,
                        tsr_status expected, const char *text)
{
    tsr_array *part = a;
    const tsr_status st =
        tsr_load_hdf5_slice(file_path("good.h5"), TSR_COMM_WORLD, name, start, shape, NULL, &part);
    CHECK_SAME_ON_ALL(st);
    CHECK_STATUS(st, expected);
    CHECK_TEXT(text);
    CHECK(part == NULL);
}

static void check_save(const char *path, const tsr_named_array *named, int n,
                       const tsr_hdf5_options *options, tsr_status expected, const char *text)
{
    const tsr_status st = tsr_save_hdf5_as(path, n, named, NULL, options);
    CHECK_SAME_ON_ALL(st);
    CHECK_STATUS(st, expected);
    CHECK_TEXT(text);
    CHECK_INT(temporaries(), 0);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void files_that_cannot_be_read(void **state)
{
    (void)state;
    begin();
    check_load(file_path("missing.h5"), "a", TSR_ERR_IO, "No such file or directory");
    check_load(tsrt_folder(), "a", TSR_ERR_IO, "is a directory");
    check_load("/dev/zero", "a", TSR_ERR_IO, "not a regular file");
    check_load("", "a", TSR_ERR_VALUE, "path is empty");
    make_file(file_path("text.h5"), "no HDF5 at all", 14);
    check_load(file_path("text.h5"), "a", TSR_ERR_IO, "open it as an HDF5 file");
    make_file(file_path("nothing.h5"), "", 0);
    check_load(file_path("nothing.h5"), "a", TSR_ERR_IO, "open it as an HDF5 file");
    check_load(file_path("good.h5"), "b", TSR_ERR_IO, "there is nothing named 'b'");
    check_load(file_path("good.h5"), "a/b", TSR_ERR_IO, "good.h5");
    check_load(file_path("good.h5"), "a//b", TSR_ERR_VALUE, "part that is empty");
    check_load(file_path("good.h5"), "", TSR_ERR_VALUE, "empty");
    if (geteuid() != 0) {
        if (tsrt_rank() == 0) CHECK(chmod(file_path("good.h5"), 0) == 0);
        tsrt_barrier();
        check_load(file_path("good.h5"), "a", TSR_ERR_IO, "Permission denied");
    }
    end();
}

/* Wherever it is cut, a file is refused, or read with the right cells where these were not cut. */
static void truncated_files(void **state)
{
    (void)state;
    unsigned char bytes[8192];
    size_t length = 0;

    begin();
    if (tsrt_rank() == 0) {
        FILE *file = fopen(file_path("good.h5"), "rb");
        CHECK(file != NULL);
        length = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
    }
    tsrt_bcast(&length, sizeof length, 0);
    CHECK(length > 1000 && length < sizeof bytes);
    for (size_t cut = 1; cut < length; cut += length / 7) {
        make_file(file_path("cut.h5"), bytes, cut);
        check_load(file_path("cut.h5"), "a", TSR_ERR_IO, "cut.h5");
    }
    end();
}

static void places_that_cannot_be_written(void **state)
{
    (void)state;
    begin();
    const tsr_named_array named = {"a", a};
    check_save(file_path("no/such/folder/a.h5"), &named, 1, NULL, TSR_ERR_IO,
               "No such file or directory");
    check_save(tsrt_folder(), &named, 1, NULL, TSR_ERR_IO, "directory");
    check_save("/dev/null", &named, 1, NULL, TSR_ERR_IO, "not a regular file");
    check_save(file_path("new.h5"), &named, 1, &(tsr_hdf5_options){.update = true}, TSR_ERR_IO,
               "No such file or directory");
    make_file(file_path("text.h5"), "no HDF5 at all", 14);
    check_save(file_path("text.h5"), &named, 1, &(tsr_hdf5_options){.update = true}, TSR_ERR_IO,
               "open it as an HDF5 file");
    CHECK_STATUS(tsr_append_hdf5(file_path("text.h5"), 1, &named, 0, NULL), TSR_ERR_IO);
    CHECK_INT(file_bytes(file_path("text.h5")), 14);
    CHECK_STATUS(tsr_append_hdf5("/dev/null", 1, &named, 0, NULL), TSR_ERR_IO);
    CHECK_TEXT("not a regular file");
    end();
}

/* A limit on file sizes stands for a full device: the structure can be written, the cells cannot.
 */
static void a_full_device(void **state)
{
    (void)state;
    const tsr_hdf5_options ways[] = {
        {.gzip = 0}, {.chunk = {7, 11}}, {.gzip = 1, .chunk = {7, 11}}};
    tsr_array *large = file_array(TSR_F64, 2, TSR_SHAPE(60, 44), 0);
    const tsr_named_array named = {"large", large};
    struct rlimit before, low;

    begin();
    const int64_t bytes = file_bytes(file_path("good.h5"));
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    low = before;
    low.rlim_cur = 8192;
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < 3; ++i) {
        CHECK(setrlimit(RLIMIT_FSIZE, &low) == 0);
        const tsr_status st = tsr_save_hdf5_as(file_path("good.h5"), 1, &named, NULL, &ways[i]);
        CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
        CHECK_SAME_ON_ALL(st);
        CHECK_STATUS(st, TSR_ERR_IO);
        CHECK_INT(file_bytes(file_path("good.h5")), bytes);
        CHECK_INT(temporaries(), 0);
    }
    signal(SIGXFSZ, SIG_DFL);
    check_load(file_path("good.h5"), "large", TSR_ERR_IO, "nothing named");
    CHECK_OK(tsr_array_destroy(&large));
    end();
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void wrong_arguments_of_saves(void **state)
{
    (void)state;
    const bool last = tsrt_rank() == tsrt_size() - 1;
    const char *path = file_path("a.h5");

    begin();
    const tsr_named_array good[] = {{"a", a}, {"b", a}}, twice[] = {{"a", a}, {"/a", a}},
                          group[] = {{"a", a}, {"a/b", a}}, null[] = {{"a", a}, {"b", NULL}},
                          dot[] = {{"a", a}, {"x/./y", a}}, tail[] = {{"a/", a}};
    check_save(NULL, good, 2, NULL, TSR_ERR_VALUE, "path is NULL");
    check_save(last ? "" : path, good, 2, NULL, TSR_ERR_VALUE, "path is empty");
    check_save(path, twice, 2, NULL, TSR_ERR_VALUE, "given twice");
    check_save(path, group, 2, NULL, TSR_ERR_VALUE, "in 'a/b' a group");
    check_save(path, null, 2, NULL, TSR_ERR_VALUE, "array 1 is NULL");
    check_save(path, dot, 2, NULL, TSR_ERR_VALUE, "part that is '.'");
    check_save(path, tail, 1, NULL, TSR_ERR_VALUE, "part that is empty");
    check_save(path, good, -1, NULL, TSR_ERR_VALUE, "at least one");
    check_save(path, good, 2, &(tsr_hdf5_options){.gzip = last ? 10 : 9}, TSR_ERR_VALUE,
               "gzip is 10");
    check_save(path, good, 2, &(tsr_hdf5_options){.chunk = {0, -1}}, TSR_ERR_VALUE,
               "chunk[1] is -1");
    check_save(path, good, 2, &(tsr_hdf5_options){.chunk = {1 << 30, 1 << 30}}, TSR_ERR_VALUE,
               "4 GiB");
    if (tsrt_size() > 1) {
        const tsr_named_array other[] = {{last ? "c" : "a", a}, {"b", a}};
        check_save(path, other, 2, NULL, TSR_ERR_MISMATCH, "other arguments");
        check_save(last ? file_path("b.h5") : path, good, 2, NULL, TSR_ERR_MISMATCH,
                   "other arguments");
        check_save(path, good, last ? 1 : 2, NULL, TSR_ERR_MISMATCH, "other arguments");
        check_save(path, good, 2, &(tsr_hdf5_options){.gzip = last}, TSR_ERR_MISMATCH,
                   "other arguments");
        CHECK_STATUS(tsr_append_hdf5(path, 2, good, last, NULL), TSR_ERR_MISMATCH);
    }
    CHECK_INT(file_bytes(path), -1);
    end();
}

static void attributes_are_the_same_on_all_ranks(void **state)
{
    (void)state;
    tsr_attributes attributes = {0};

    begin();
    CHECK_OK(tsr_attributes_set(&attributes, "rank", tsr_i64(tsrt_rank())));
    CHECK_STATUS(tsr_save_hdf5(file_path("a.h5"), 1, (tsr_named_array[]){{"a", a}}, &attributes),
                 tsrt_size() > 1 ? TSR_ERR_MISMATCH : TSR_OK);
    tsr_attributes_clear(&attributes);

    CHECK_STATUS(tsr_attributes_set(NULL, "x", tsr_i64(0)), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_attributes_set(&attributes, "", tsr_i64(0)), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_attributes_set(&attributes, NULL, tsr_i64(0)), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_attributes_set(&attributes, "x", (tsr_scalar){.dtype = TSR_AUTO}),
                 TSR_ERR_TYPE);
    CHECK_STATUS(tsr_attributes_set_text(&attributes, "x", NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_attributes_set_values(&attributes, "x", TSR_F64, -1, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_attributes_set_values(&attributes, "x", TSR_F64, 1, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_attributes_set_values(&attributes, "x", TSR_F64, INT64_MAX, &attributes),
                 TSR_ERR_VALUE);
    CHECK_STATUS(tsr_attributes_set_values(&attributes, "x", TSR_AUTO, 1, &attributes),
                 TSR_ERR_TYPE);
    CHECK_INT(attributes.count, 0);
    tsr_attributes_clear(NULL);
    end();
}

static void labels_that_do_not_fit(void **state)
{
    (void)state;
    const double values[6] = {0, 1, 2, 3, 4, 5}, others[6] = {0, 1, 2, 3, 4, 6};
    const struct {
        tsr_axis_label first[2], second[2];
        int naxes;
        const char *text;
    } cases[] = {
        {{{.name = "y"}}, {{.name = NULL}}, 1, "name 1 axis, it has 2"},
        {{{"y", 5, values, NULL}, {.name = "x"}}, {{.name = NULL}}, 2, "has 5 coordinates"},
        {{{.name = "y"}, {.name = "y"}}, {{.name = NULL}}, 2, "both named 'y'"},
        {{{.name = "y/x"}, {.name = "x"}}, {{.name = NULL}}, 2, "no slash"},
        {{{.name = ""}, {.name = "x"}}, {{.name = NULL}}, 2, "named ''"},
        {{{.units = "m"}, {.name = "x"}}, {{.name = NULL}}, 2, "but no name"},
        {{{.name = "y"}, {.name = "x"}}, {{.name = "x"}, {.name = "y"}}, 2, "different lengths"},
        {{{"y", 6, values, "m"}, {.name = "x"}},
         {{"y", 6, others, "m"}, {.name = "x"}},
         2,
         "different coordinates"},
        {{{"y", 6, values, "m"}, {.name = "x"}},
         {{"y", 6, values, "s"}, {.name = "x"}},
         2,
         "different units"},
    };

    begin();
    const tsr_named_array named[] = {{"a", a}, {"b", a}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const tsr_labels labels[] = {{cases[i].naxes, cases[i].first, NULL, NULL},
                                     {2, cases[i].second, NULL, NULL}};
        check_save(file_path("l.h5"), named, 2, &(tsr_hdf5_options){.labels = labels},
                   TSR_ERR_VALUE, cases[i].text);
    }
    CHECK_INT(file_bytes(file_path("l.h5")), -1);
    end();
}

static void other_communicators(void **state)
{
    (void)state;
    if (tsrt_size() == 1) return; /* one rank has one communicator here */
    tsr_layout *own = NULL;
    tsr_array *b = NULL;

    begin();
    CHECK_OK(tsr_layout_create(TSR_COMM_SELF, 1, TSR_SHAPE(3), NULL, &own));
    CHECK_OK(tsr_zeros(own, TSR_F64, &b));
    const tsr_named_array named[] = {{"a", a}, {"b", b}};
    check_save(file_path("c.h5"), named, 2, NULL, TSR_ERR_VALUE, "another communicator");
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_layout_destroy(&own));
    end();
}

/* ---- time series and checkpoints ------------------------------------------------------------- */

static void records_that_do_not_fit(void **state)
{
    (void)state;
    const char *path = file_path("series.h5");
    tsr_array *b = file_array(TSR_F32, 2, TSR_SHAPE(6, 4), 0);

    begin();
    CHECK_OK(tsr_append_hdf5(path, 1, (tsr_named_array[]){{"a", a}}, 0, NULL));
    CHECK_STATUS(tsr_append_hdf5(path, 1, (tsr_named_array[]){{"a", b}}, 1, NULL), TSR_ERR_VALUE);
    CHECK_TEXT("no time series of arrays of this shape and type");
    CHECK_STATUS(tsr_append_hdf5(path, 1, (tsr_named_array[]){{"time", a}}, 1, NULL),
                 TSR_ERR_VALUE);
    CHECK_STATUS(tsr_append_hdf5(file_path("good.h5"), 1, (tsr_named_array[]){{"a", a}}, 1, NULL),
                 TSR_ERR_VALUE);
    CHECK_STATUS(tsr_append_hdf5(path, 1, (tsr_named_array[]){{"a", a}}, 1,
                                 &(tsr_hdf5_options){.time_name = "a"}),
                 TSR_ERR_VALUE);
    CHECK_OK(tsr_array_destroy(&b));
    end();
}

static void parts_that_are_not_there(void **state)
{
    (void)state;
    const char *path = file_path("parts.h5");
    const bool last = tsrt_rank() == tsrt_size() - 1;
    const int64_t records[] = {1, -2, INT64_MAX, INT64_MIN};
    tsr_named_array named = {"a", NULL};
    double time = 7;

    begin();
    CHECK_OK(tsr_append_hdf5(path, 1, (tsr_named_array[]){{"a", a}}, 0, NULL));
    for (int i = 0; i < 4; ++i) {
        named.array = a;
        CHECK_STATUS(tsr_load_hdf5_record(path, TSR_COMM_WORLD, records[i], NULL, 1, &named, &time),
                     TSR_ERR_INDEX);
        CHECK_TEXT("parts.h5' has 1");
        CHECK(named.array == NULL && time == 7);
    }
    CHECK_STATUS(tsr_load_hdf5_record(path, TSR_COMM_WORLD, last, NULL, 1, &named, NULL),
                 tsrt_size() > 1 ? TSR_ERR_MISMATCH : TSR_ERR_INDEX);
    CHECK_STATUS(tsr_load_hdf5_record(path, TSR_COMM_WORLD, 0, NULL, 0, NULL, NULL), TSR_ERR_VALUE);
    check_slice("a", TSR_SHAPE(0, 0), TSR_SHAPE(6, 5), TSR_ERR_INDEX, "axis 1: 5 cells from 0");
    check_slice("a", TSR_SHAPE(7, 0), TSR_SHAPE(0, 4), TSR_ERR_INDEX, "axis 0: 0 cells from 7");
    check_slice("a", TSR_SHAPE(0, -1), TSR_SHAPE(6, 4), TSR_ERR_INDEX, "from -1");
    check_slice("a", TSR_SHAPE(0, last ? -1 : 0), TSR_SHAPE(6, 4), TSR_ERR_INDEX, "from -1");
    check_slice("a", TSR_SHAPE(0, 0), TSR_SHAPE(-1, 4), TSR_ERR_VALUE, "shape[0] is -1");
    check_slice("a", NULL, TSR_SHAPE(1, 1), TSR_ERR_VALUE, "start is NULL");
    check_slice("a", TSR_SHAPE(0, 0), NULL, TSR_ERR_VALUE, "shape is NULL");
    check_slice("b", TSR_SHAPE(0, 0), TSR_SHAPE(1, 1), TSR_ERR_IO, "nothing named 'b'");
    if (tsrt_size() > 1)
        check_slice("a", TSR_SHAPE(last, 0), TSR_SHAPE(1, 1), TSR_ERR_MISMATCH, "other arguments");
    end();
}

static void checkpoints_that_do_not_fit(void **state)
{
    (void)state;
    const char *path = file_path("good.h5");
    tsr_attributes attributes = {0};
    tsr_array *other[] = {file_array(TSR_F32, 2, TSR_SHAPE(6, 4), 0),
                          file_array(TSR_F64, 2, TSR_SHAPE(4, 6), 0),
                          file_array(TSR_F64, 1, TSR_SHAPE(24), 0)};
    const tsr_status expected[] = {TSR_ERR_TYPE, TSR_ERR_VALUE, TSR_ERR_VALUE};
    bool exists = true;

    begin();
    for (int i = 0; i < 3; ++i) {
        const tsr_named_array named = {"a", other[i]};
        const tsr_status st = tsr_checkpoint_load(path, 1, &named, &attributes);
        CHECK_SAME_ON_ALL(st);
        CHECK_STATUS(st, expected[i]);
        file_check(other[i]); /* as it was */
        CHECK_OK(tsr_array_destroy(&other[i]));
    }
    CHECK_STATUS(tsr_checkpoint_load(path, 0, NULL, NULL), TSR_ERR_VALUE);
    CHECK_OK(tsr_checkpoint_exists(path, TSR_COMM_WORLD, &exists));
    CHECK(exists);
    CHECK_OK(tsr_checkpoint_exists(file_path("none"), TSR_COMM_WORLD, &exists));
    CHECK(!exists);
    CHECK_STATUS(tsr_checkpoint_exists(file_path("good.h5/x"), TSR_COMM_WORLD, &exists),
                 TSR_ERR_IO);
    CHECK_STATUS(tsr_checkpoint_exists(path, TSR_COMM_WORLD, NULL), TSR_ERR_VALUE);
    end();
}

/* One rank puts file after file of one length under a name, each with its number in every cell and
 * as an attribute; the others load one of them, whole, or are told that it was replaced. */
static void a_file_that_is_replaced_while_it_is_loaded(void **state)
{
    (void)state;
    enum { FILES = 60 };
    if (tsrt_size() == 1) tsrt_skip("somebody else must replace the file");
    const bool writes = tsrt_rank() == tsrt_size() - 1;
    tsr_comm others = first_ranks(tsrt_size() - 1);
    tsr_layout *layout = NULL;
    tsr_named_array named = {"n", NULL};
    tsr_attributes number = {0};
    tsr_scalar low, high;

    CHECK_OK(tsr_layout_create(TSR_COMM_SELF, 1, TSR_SHAPE(1000), NULL, &layout));
    for (int k = 0; k <= FILES; ++k) {
        if (k == 1) tsrt_barrier();
        if (!writes) continue;
        CHECK_OK(tsr_full(layout, TSR_I32, tsr_i32(k), &named.array));
        CHECK_OK(tsr_attributes_set(&number, "number", tsr_i32(k)));
        CHECK_OK(tsr_save_hdf5(file_path("often.h5"), 1, &named, &number));
        CHECK_OK(tsr_array_destroy(&named.array));
    }
    for (int64_t n = 0; !writes && n < FILES;) {
        if (tsr_load_hdf5(file_path("often.h5"), others, NULL, 1, &named, &number) != TSR_OK) {
            CHECK_TEXT("was replaced or written to while it was read");
            continue;
        }
        n = *(const int32_t *)tsr_attributes_find(&number, "number")->data;
        CHECK_OK(tsr_min(named.array, &low));
        CHECK_OK(tsr_max(named.array, &high));
        CHECK_INT(low.as.i, n);
        CHECK_INT(high.as.i, n);
        CHECK_OK(tsr_array_destroy(&named.array));
    }
    tsr_attributes_clear(&number);
    CHECK_OK(tsr_layout_destroy(&layout));
    if (!writes) free_ranks(&others);
    tsrt_barrier();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(truncated_files),
        cmocka_unit_test(places_that_cannot_be_written),
        cmocka_unit_test(a_full_device),
        cmocka_unit_test(wrong_arguments_of_saves),
        cmocka_unit_test(attributes_are_the_same_on_all_ranks),
        cmocka_unit_test(labels_that_do_not_fit),
        cmocka_unit_test(other_communicators),
        cmocka_unit_test(records_that_do_not_fit),
        cmocka_unit_test(parts_that_are_not_there),
        cmocka_unit_test(checkpoints_that_do_not_fit),
        cmocka_unit_test(a_file_that_is_replaced_while_it_is_loaded),
    };
    return TSRT_RUN(argc, argv, tests);
}
