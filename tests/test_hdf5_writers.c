/* ranks: 2 3 4 */
/* variants: none */
/* Files that other ranks write than those whose cells they are: the same bytes. */
#define _POSIX_C_SOURCE 200809L

#include "support/data_in.h"
#include "support/file_cases.h"

#include <stdio.h>
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
    tsr_array *a = array_on(TSR_COMM_WORLD, TSR_F64, 3, false), *b = NULL;
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

    /* Reading needs the file on all ranks. */
    CHECK_STATUS(tsr_load("mine.npy", TSR_COMM_WORLD, NULL, &b), TSR_ERR_IO);
    CHECK_TEXT("No such file");
    CHECK(b == NULL);
    if (tsrt_rank() != 0) CHECK(chdir(tsrt_folder()) == 0);
    CHECK_OK(tsr_array_destroy(&a));
}

/* ---- faults ---------------------------------------------------------------------------------- */

/* With each call failing on each rank in turn: one status, the old file or the new one. */
static void check_faults(const char *writers)
{
    tsr_comm comm = ranks_with(writers);
    tsr_array *a = array_on(comm, TSR_U8, 3, false), *old = array_on(comm, TSR_U8, 0, false);
    char path[PATH_BYTES];

    snprintf(path, sizeof path, "%s", file_path("fault.npy"));
    CHECK_OK(tsr_save(path, old));
    const int64_t bytes = file_bytes(path);
    for (int victim = 0; victim < tsrt_size(); ++victim)
        for (int n = 0;; ++n) {
            tsri_fault_arm(tsrt_rank() == victim ? n : -1);
            const tsr_status st = tsr_save(path, a);
            bool fired = tsri_fault_fired();
            tsri_fault_arm(-1);
            tsrt_bcast(&fired, sizeof fired, victim);
            CHECK_SAME_ON_ALL(st);
            CHECK((st != TSR_OK) == fired);
            CHECK_INT(file_bytes(path), bytes);
            if (!fired) break;
        }
    check_file(path, false);
    CHECK_INT(temporaries(), 0);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&old));
    end_ranks(&comm);
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
        cmocka_unit_test(faults_with_any_writers),
    };
    return TSRT_RUN(argc, argv, tests);
}
