/* ranks: 2 3 4 */
/* variants: none */
/* Files that other ranks write than those whose cells they are: the same bytes. */
#define _POSIX_C_SOURCE 200809L

#include "support/data_in.h"
#include "support/file_cases.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- TESSERA_FILE_WRITERS -------------------------------------------------------------------- */

/* A communicator whose files are written this way, by nodes of two ranks and in small pieces. */
static tsr_comm ranks_with(const char *writers)
{
    setenv("TESSERA_FILE_WRITERS", writers, 1);
    setenv("TESSERA_RANKS_PER_NODE", "2", 1);
    setenv("TESSERA_MESSAGE_LIMIT", "100", 1);
    return first_ranks(tsrt_size());
}

static void end_ranks(tsr_comm *comm)
{
    unsetenv("TESSERA_FILE_WRITERS");
    unsetenv("TESSERA_RANKS_PER_NODE");
    unsetenv("TESSERA_MESSAGE_LIMIT");
    free_ranks(comm);
}

static tsr_array *array_on(tsr_comm comm, tsr_dtype dtype, int which, bool reorder)
{
    tsr_layout_options options = file_options(3, which);
    tsr_layout *layout = NULL;
    tsr_array *a = NULL;

    options.reorder = reorder && options.split != TSR_WHOLE;
    CHECK_OK(tsr_layout_create(comm, 3, TSR_SHAPE(7, 6, 9), &options, &layout));
    CHECK_OK(tsr_zeros(layout, dtype, &a));
    file_fill(a);
    CHECK_OK(tsr_layout_destroy(&layout));
    return a;
}

static void check_file(const char *path, bool hdf5)
{
    const tsr_layout_options options = {.allow_empty = true};
    tsr_named_array named = {"deep/a", NULL};

    if (hdf5)
        CHECK_OK(tsr_load_hdf5(path, TSR_COMM_WORLD, &options, 1, &named, NULL));
    else
        CHECK_OK(tsr_load(path, TSR_COMM_WORLD, &options, &named.array));
    file_check(named.array);
    CHECK_OK(tsr_array_destroy(&named.array));
}

static void save_all_kinds(tsr_comm comm, tsr_dtype dtype, int which, bool reorder)
{
    tsr_array *a = array_on(comm, dtype, which, reorder), *b = array_on(comm, TSR_F32, 1, !reorder);
    const tsr_named_array named[] = {{"deep/a", a}, {"b", b}};

    CHECK_OK(tsr_save(file_path("a.npy"), a));
    check_file(file_path("a.npy"), false);
    CHECK_OK(tsr_eval(b, "0"));
    CHECK_OK(tsr_save(file_path("b.npy"), b));
    file_fill(b);
    CHECK_OK(tsr_save_slice(file_path("b.npy"), b, TSR_SHAPE(0, 0, 0)));
    check_file(file_path("b.npy"), false);
    CHECK_OK(tsr_save_hdf5(file_path("a.h5"), 2, named, NULL));
    check_file(file_path("a.h5"), true);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
}

static void any_writers_write_the_same(void **state)
{
    (void)state;
    static const char *const writers[] = {"all", "node", "one"};

    for (int i = 0; i < 3; ++i) {
        tsr_comm comm = ranks_with(writers[i]);
        for (int which = 0; which < FILE_LAYOUTS; ++which)
            save_all_kinds(comm, which % 2 == 0 ? TSR_C128 : TSR_I16, which, which % 2 == 1);
        end_ranks(&comm);
    }
    CHECK_INT(temporaries(), 0);
}

/* ---- files that not every rank finds --------------------------------------------------------- */

/* Relative names, and ranks in different folders, as when a folder is not the same on all nodes. */
static void rank_0_writes_what_others_do_not_find(void **state)
{
    (void)state;
    tsr_array *a = array_on(TSR_COMM_WORLD, TSR_F64, 3, false);
    const tsr_named_array named[] = {{"deep/a", a}};

    if (tsrt_rank() != 0) CHECK(chdir("/") == 0);
    CHECK_OK(tsr_save("mine.npy", a));
    check_file(file_path("mine.npy"), false);
    CHECK_OK(tsr_save_hdf5("mine.h5", 1, named, NULL));
    check_file(file_path("mine.h5"), true);
    CHECK_OK(tsr_eval(a, "0"));
    CHECK_OK(tsr_save("slice.npy", a));
    file_fill(a);
    CHECK_OK(tsr_save_slice("slice.npy", a, TSR_SHAPE(0, 0, 0)));
    check_file(file_path("slice.npy"), false);
    CHECK_INT(temporaries(), 0);
    if (tsrt_rank() != 0) CHECK(chdir(tsrt_folder()) == 0);
    CHECK_OK(tsr_array_destroy(&a));
}

/* One file of each kind, in the folder of rank 0. */
static void save_for_reading(tsr_comm comm)
{
    tsr_array *a = array_on(comm, TSR_I16, 3, false);
    const tsr_hdf5_options chunked = {.gzip = 1, .chunk = {3, 4, 5}};
    const tsr_named_array named[] = {{"plain", a}}, more[] = {{"chunked", a}};
    tsr_attributes attributes = {0};

    CHECK_OK(tsr_attributes_set_text(&attributes, "text", "said by rank 0"));
    CHECK_OK(tsr_save("r.npy", a));
    CHECK_OK(tsr_save_hdf5("r.h5", 1, named, &attributes));
    CHECK_OK(tsr_save_hdf5_as(
        "r.h5", 1, more, NULL,
        &(tsr_hdf5_options){.update = true, .gzip = chunked.gzip, .chunk = {3, 4, 5}}));
    for (int record = 0; record < 2; ++record) {
        CHECK_OK(tsr_append_hdf5("s.h5", 1, named, record, NULL));
        CHECK_OK(tsr_append_hdf5("t.h5", 1, more, record, &chunked));
    }
    tsr_attributes_clear(&attributes);
    CHECK_OK(tsr_array_destroy(&a));
}

static void check_and_destroy(tsr_array **array)
{
    file_check(*array);
    CHECK_OK(tsr_array_destroy(array));
}

static void load_everything(tsr_comm comm, const tsr_layout_options *options)
{
    tsr_named_array two[] = {{"plain", NULL}, {"chunked", NULL}};
    tsr_attributes attributes = {0};
    tsr_array *array = NULL;
    double time;

    CHECK_OK(tsr_load("r.npy", comm, options, &array));
    check_and_destroy(&array);
    CHECK_OK(tsr_load_hdf5("r.h5", comm, options, 2, two, &attributes));
    CHECK_STR(tsr_attributes_text(&attributes, "text"), "said by rank 0");
    CHECK_OK(tsr_eval(two[0].array, "0"));
    CHECK_OK(tsr_checkpoint_load("r.h5", 2, two, NULL));
    check_and_destroy(&two[0].array);
    check_and_destroy(&two[1].array);
    tsr_attributes_clear(&attributes);
    for (int i = 0; i < 2; ++i) {
        const char *path = i == 0 ? "s.h5" : "t.h5";
        CHECK_OK(tsr_load_hdf5_record(path, comm, -1, options, 1, &two[i], &time));
        CHECK_DOUBLE(time, 1, 0);
        check_and_destroy(&two[i].array);
    }
}

/* Parts, which have other cells than a file that is read whole: as those who find it read them. */
static void parts_from_rank_0(tsr_comm comm)
{
    static const char *const names[] = {"plain", "chunked"};
    const int64_t start[] = {1, 2, 3}, shape[] = {5, 4, 6};
    tsr_array *whole = NULL, *expected = NULL, *part = NULL;
    bool same;

    CHECK_OK(tsr_load("r.npy", comm, NULL, &whole));
    CHECK_OK(tsr_select(whole, "1:6, 2:6, 3:9", &expected));
    for (int i = 0; i < 2; ++i) {
        CHECK_OK(tsr_load_hdf5_slice("r.h5", comm, names[i], start, shape, NULL, &part));
        CHECK_OK(tsr_array_equal(part, expected, false, &same));
        CHECK(same);
        CHECK_OK(tsr_array_destroy(&part));
    }
    CHECK_OK(tsr_array_destroy(&expected));
    CHECK_OK(tsr_array_destroy(&whole));
}

/* Ranks in another folder than rank 0, all or some of them. */
static void rank_0_reads_what_others_do_not_find(void **state)
{
    (void)state;
    tsr_comm comm = ranks_with("all");

    for (int finds = 1; finds < 3; ++finds) { /* rank 1 finds the files the second time */
        if (tsrt_rank() >= finds) CHECK(chdir("/") == 0);
        if (finds == 1) save_for_reading(comm);
        for (int which = 0; which <= FILE_LAYOUTS; ++which) {
            tsr_layout_options options = file_options(3, which % FILE_LAYOUTS);
            options.node_shared = which == FILE_LAYOUTS;
            if (options.node_shared) options.split = TSR_WHOLE, options.allow_empty = false;
            load_everything(comm, &options);
        }
        parts_from_rank_0(comm);
        CHECK(chdir(tsrt_folder()) == 0);
    }
    end_ranks(&comm);
}

/* A file of the same name that is another one. */
static void other_files_on_other_ranks(void **state)
{
    (void)state;
    tsr_array *a = array_on(TSR_COMM_WORLD, TSR_I16, 0, false);
    tsr_named_array named[] = {{"a", a}, {"b", a}}, loaded = {"a", NULL};
    char folder[PATH_BYTES];

    CHECK_OK(tsr_save_hdf5("other.h5", 1, named, NULL));
    snprintf(folder, sizeof folder, "%s/other", tsrt_folder());
    if (tsrt_rank() == 0) CHECK(mkdir(folder, 0777) == 0);
    tsrt_barrier();
    CHECK_OK(tsr_save_hdf5(file_path("other/other.h5"), 2, named, NULL));
    if (tsrt_rank() != 0) CHECK(chdir(folder) == 0);
    CHECK_STATUS(tsr_load_hdf5("other.h5", TSR_COMM_WORLD, NULL, 1, &loaded, NULL), TSR_ERR_IO);
    CHECK_TEXT("is not the same file on all ranks");
    CHECK(chdir(tsrt_folder()) == 0);
    CHECK_OK(tsr_array_destroy(&a));
}

/* ---- faults ---------------------------------------------------------------------------------- */

/* A call with each call below it, or some of them, failing on each rank in turn: one status, an
 * error or done. */
static void with_each_fault(int step, void (*call)(tsr_status *st, void *ctx), void *ctx)
{
    for (int victim = 0; victim < tsrt_size(); ++victim)
        for (int n = 0;; n += step) {
            tsr_status st;
            tsri_fault_arm(tsrt_rank() == victim ? n : -1);
            call(&st, ctx);
            bool fired = tsri_fault_fired();
            tsri_fault_arm(-1);
            tsrt_bcast(&fired, sizeof fired, victim);
            CHECK_SAME_ON_ALL(st);
            CHECK((st != TSR_OK) == fired);
            if (!fired) break;
        }
}

typedef struct saved {
    tsr_array *array;
    char path[PATH_BYTES];
    int64_t bytes;
} saved;

/* There is the old file or the new one. */
static void save_it(tsr_status *st, void *ctx)
{
    const saved *s = ctx;

    *st = tsr_save(s->path, s->array);
    tsri_fault_suspend();
    CHECK_INT(file_bytes(s->path), s->bytes);
    tsri_fault_resume();
}

/* Of more than two ranks some wait without a core of their own: not every place is tried there. */
static void check_faults(const char *writers)
{
    tsr_comm comm = ranks_with(writers);
    tsr_array *old = array_on(comm, TSR_U8, 0, false);
    saved s = {.array = array_on(comm, TSR_U8, 3, false)};

    snprintf(s.path, sizeof s.path, "%s", file_path("fault.npy"));
    CHECK_OK(tsr_save(s.path, old));
    s.bytes = file_bytes(s.path);
    with_each_fault(tsrt_size() == 2 ? 1 : 3, save_it, &s);
    check_file(s.path, false);
    CHECK_INT(temporaries(), 0);
    CHECK_OK(tsr_array_destroy(&s.array));
    CHECK_OK(tsr_array_destroy(&old));
    end_ranks(&comm);
}

static void load_it(tsr_status *st, void *ctx)
{
    const tsr_comm *comm = ctx;
    tsr_named_array two[] = {{"plain", NULL}, {"chunked", NULL}};

    *st = tsr_load_hdf5("r.h5", *comm, NULL, 2, two, NULL);
    for (int i = 0; i < 2; ++i) {
        CHECK((two[i].array != NULL) == (*st == TSR_OK));
        if (*st == TSR_OK) check_and_destroy(&two[i].array);
    }
}

/* Two ranks have all that there is; and what fails while HDF5 looks at a file is tested elsewhere,
 * so that a few of these calls are enough. */
static void faults_while_rank_0_reads(void **state)
{
    (void)state;
    if (tsrt_size() != 2) return;
    tsr_comm comm = first_ranks(tsrt_size());

    if (tsrt_rank() == tsrt_size() - 1) CHECK(chdir("/") == 0);
    with_each_fault(3, load_it, &comm);
    CHECK(chdir(tsrt_folder()) == 0);
    free_ranks(&comm);
}

static void faults_with_any_writers(void **state)
{
    (void)state;
    check_faults("node");
    check_faults("one");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_writers_write_the_same),
        cmocka_unit_test(rank_0_writes_what_others_do_not_find),
        cmocka_unit_test(rank_0_reads_what_others_do_not_find),
        cmocka_unit_test(other_files_on_other_ranks),
        cmocka_unit_test(faults_with_any_writers),
        cmocka_unit_test(faults_while_rank_0_reads),
    };
    return TSRT_RUN(argc, argv, tests);
}
