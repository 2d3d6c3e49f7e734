/* ranks: 1 2 3 4 6 8 */
#define _POSIX_C_SOURCE 200809L

#include "io/file_pieces.h"
#include "support/data_in.h"
#include "support/file_cases.h"
#include "support/harness.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- round trips ----------------------------------------------------------------------------- */

static void F_7_saved_with_one_split_loaded_with_another(void **state)
{
    (void)state;
    for (int saved = 0; saved < FILE_LAYOUTS; ++saved)
        for (int loaded = 0; loaded < FILE_LAYOUTS; ++loaded) {
            const tsr_layout_options options = file_options(3, loaded);
            tsr_array *a = file_array(TSR_F64, 3, TSR_SHAPE(9, 8, 10), saved), *b = NULL;
            CHECK_OK(tsr_save(file_path("a.npy"), a));
            CHECK_OK(tsr_load(file_path("a.npy"), TSR_COMM_WORLD, &options, &b));
            CHECK_INT(tsr_array_dtype(b), TSR_F64);
            file_check(b);
            CHECK_OK(tsr_array_destroy(&a));
            CHECK_OK(tsr_array_destroy(&b));
        }
    tsr_array *b = NULL;
    CHECK_OK(tsr_load(file_path("a.npy"), TSR_COMM_WORLD, NULL, &b));
    CHECK_INT(tsr_layout_split(tsr_array_layout(b)), TSR_AXIS(0));
    file_check(b);
    CHECK_OK(tsr_array_destroy(&b));
}

static void empty_arrays_and_empty_ranks(void **state)
{
    (void)state;
    static const struct {
        int ndim;
        int64_t shape[3];
    } cases[] = {{0, {0}}, {1, {0}}, {2, {0, 4}}, {3, {4, 0, 3}}, {1, {1}}, {2, {2, 2}}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        for (int which = 0; which < FILE_LAYOUTS; ++which) {
            const tsr_layout_options options = file_options(cases[i].ndim, which);
            tsr_array *a = file_array(TSR_C64, cases[i].ndim, cases[i].shape, which), *b = NULL;
            CHECK_OK(tsr_save(file_path("a.npy"), a));
            CHECK_OK(tsr_load(file_path("a.npy"), TSR_COMM_WORLD, &options, &b));
            CHECK_INT(tsr_array_cells(b), tsr_array_cells(a));
            CHECK_INT(tsr_array_ndim(b), cases[i].ndim);
            file_check(b);
            CHECK_OK(tsr_array_destroy(&a));
            CHECK_OK(tsr_array_destroy(&b));
        }
}

/* All rows on one rank, in turn first, middle and last. */
static void blocks_of_one_rank_only(void **state)
{
    (void)state;
    int64_t cuts[64];

    for (int owner = 0; owner < tsrt_size(); ++owner) {
        tsr_layout_options options = {.allow_empty = true, .halo = {1}};
        tsr_layout *layout = NULL;
        tsr_array *a = NULL, *b = NULL;
        for (int k = 0; k <= tsrt_size(); ++k)
            cuts[k] = k <= owner ? 0 : 5;
        options.cuts[0] = cuts;
        options.ncuts[0] = tsrt_size() + 1;
        CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(5, 3), &options, &layout));
        CHECK_OK(tsr_zeros(layout, TSR_I16, &a));
        file_fill(a);
        CHECK_OK(tsr_save(file_path("a.npy"), a));
        CHECK_OK(tsr_load(file_path("a.npy"), TSR_COMM_WORLD, &options, &b));
        file_check(b);
        CHECK_OK(tsr_array_destroy(&a));
        CHECK_OK(tsr_array_destroy(&b));
        CHECK_OK(tsr_layout_destroy(&layout));
    }
}

static void a_replicated_array_is_rank_0s_copy(void **state)
{
    (void)state;
    const tsr_layout_options whole = {.split = TSR_WHOLE};
    tsr_layout *layout = NULL;
    tsr_array *a = NULL, *b = NULL;

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(4), &whole, &layout));
    CHECK_OK(tsr_full(layout, TSR_I32, tsr_i32(0), &a));
    TSR_AT(int32_t, tsr_local(a), 1) = 100 + tsrt_rank();
    CHECK_OK(tsr_save(file_path("a.npy"), a));
    CHECK_OK(tsr_load(file_path("a.npy"), TSR_COMM_WORLD, &whole, &b));
    CHECK_INT(TSR_AT(int32_t, tsr_local(b), 1), 100);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void F_5_sizes_beyond_the_buffer(void **state)
{
    (void)state;
    if (tsrt_size() != 2) tsrt_skip("one rank count is enough for a file of 96 MB");
    const tsr_layout_options options = {.split = TSR_AXES(0, 1), .halo = {1, 1}};
    tsr_layout *layout = NULL;
    tsr_array *a = NULL, *b = NULL;

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 3, TSR_SHAPE(1000, 2000, 3), &options, &layout));
    CHECK_OK(tsr_zeros(layout, TSR_C128, &a));
    file_fill(a);
    CHECK_OK(tsr_save(file_path("large.npy"), a));
    CHECK_INT(file_bytes(file_path("large.npy")), 128 + 96000000);
    CHECK_OK(tsr_load(file_path("large.npy"), TSR_COMM_WORLD, NULL, &b));
    file_check(b);
    if (tsrt_rank() == 0) unlink(file_path("large.npy"));
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* A low limit cuts reads and writes in many pieces. */
static void any_message_limit_gives_the_same_file(void **state)
{
    (void)state;
    static const char *const limits[] = {"1", "7", "64", "1000"};

    for (int i = 0; i < 4; ++i) {
        const tsr_layout_options options = file_options(2, 3);
        tsr_layout *layout = NULL;
        tsr_array *a = NULL, *b = NULL;
        setenv("TESSERA_MESSAGE_LIMIT", limits[i], 1);
        tsr_comm comm = first_ranks(tsrt_size());
        CHECK_OK(tsr_layout_create(comm, 2, TSR_SHAPE(9, 11), &options, &layout));
        unsetenv("TESSERA_MESSAGE_LIMIT");
        CHECK_OK(tsr_zeros(layout, TSR_F32, &a));
        file_fill(a);
        CHECK_OK(tsr_save(file_path("a.npy"), a));
        CHECK_OK(tsr_load(file_path("a.npy"), comm, &options, &b));
        file_check(b);
        CHECK_INT(file_bytes(file_path("a.npy")), 128 + 9 * 11 * 4);
        CHECK_OK(tsr_array_destroy(&a));
        CHECK_OK(tsr_array_destroy(&b));
        CHECK_OK(tsr_layout_destroy(&layout));
        free_ranks(&comm);
    }
}

static void bool_bytes_other_than_0_and_1_are_true(void **state)
{
    (void)state;
    char file[128 + 6];
    const tsr_layout_options options = {.allow_empty = true};
    tsr_array *a = NULL, *b = NULL;
    tsr_scalar sum;

    a = file_array(TSR_BOOL, 1, TSR_SHAPE(6), 0);
    CHECK_OK(tsr_save(file_path("a.npy"), a));
    if (tsrt_rank() == 0) {
        FILE *f = fopen(file_path("a.npy"), "rb");
        CHECK(f != NULL && fread(file, 1, sizeof file, f) == sizeof file);
        fclose(f);
    }
    memcpy(file + 128, "\x00\x01\x02\x80\xff\x00", 6);
    make_file(file_path("odd.npy"), file, sizeof file);
    CHECK_OK(tsr_load(file_path("odd.npy"), TSR_COMM_WORLD, &options, &b));
    CHECK_OK(tsr_sum(b, &sum));
    CHECK_INT(sum.as.i, 4);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* With any limit, the pieces of a block are its cells in the file's order, each once. */
static void pieces_cover_the_block_in_order(void **state)
{
    (void)state;
    static const int64_t limits[] = {0, 1, 2, 3, 5, 7, 12, 40, 1000};

    for (int which = 0; which < FILE_LAYOUTS; ++which)
        for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
            tsr_array *a = file_array(TSR_I64, 3, TSR_SHAPE(5, 4, 6), which);
            tsri_file_pieces pieces;
            tsri_file_piece piece;
            int64_t cells = 0, last = -1;

            const tsri_file_frame frame = tsri_file_frame_of(a);
            const tsri_file_block block = tsri_file_block_of(a);
            tsri_file_pieces_start(&pieces, &block, &frame, limits[i]);
            while (tsri_file_pieces_next(&pieces, &piece)) {
                CHECK(piece.cells >= 1 && (piece.cells <= limits[i] || piece.cells == 1));
                CHECK(piece.position > last);
                last = piece.position + piece.cells - 1;
                for (int64_t k = 0; k < piece.cells; ++k) {
                    int64_t rest = k, offset = 0, expected;
                    for (int axis = piece.ndim - 1; axis >= 0; --axis) {
                        offset += rest % piece.extent[axis] * piece.stride[axis];
                        rest /= piece.extent[axis];
                    }
                    CHECK(!piece.contiguous || offset == k);
                    file_element(TSR_I64, piece.position + k, &expected);
                    CHECK_INT(((const int64_t *)piece.memory)[offset], expected);
                }
                cells += piece.cells;
            }
            const tsr_view v = tsr_local(a);
            CHECK_INT(cells, v.extent[0] * v.extent[1] * v.extent[2]);
            CHECK_OK(tsr_array_destroy(&a));
        }
}

/* ---- replacing files ------------------------------------------------------------------------- */

static void an_old_file_is_replaced_and_cut_to_length(void **state)
{
    (void)state;
    tsr_array *large = file_array(TSR_F64, 1, TSR_SHAPE(1000), 0);
    tsr_array *small = file_array(TSR_F64, 1, TSR_SHAPE(10), 0), *b = NULL;
    const tsr_layout_options options = {.allow_empty = true};

    CHECK_OK(tsr_save(file_path("a.npy"), large));
    CHECK_INT(file_bytes(file_path("a.npy")), 128 + 8000);
    CHECK_OK(tsr_save(file_path("a.npy"), small));
    CHECK_INT(file_bytes(file_path("a.npy")), 128 + 80);
    CHECK_OK(tsr_load(file_path("a.npy"), TSR_COMM_WORLD, &options, &b));
    CHECK_INT(tsr_array_cells(b), 10);
    file_check(b);
    CHECK_INT(temporaries(), 0);
    CHECK_OK(tsr_array_destroy(&large));
    CHECK_OK(tsr_array_destroy(&small));
    CHECK_OK(tsr_array_destroy(&b));
}

static void make_pipe(const char *path)
{
    if (tsrt_rank() == 0) CHECK(mkfifo(path, 0600) == 0);
    tsrt_barrier();
}

/* What goes through a pipe is what a file would hold. */
static void pipes_and_devices_are_written_directly(void **state)
{
    (void)state;
    static unsigned char through[8192], kept[8192];

    for (int which = 0; which < FILE_LAYOUTS; ++which) {
        tsr_array *a = file_array(TSR_I32, 3, TSR_SHAPE(9, 8, 10), which);
        char pipe[PATH_BYTES];
        snprintf(pipe, sizeof pipe, "%s", file_path("pipe"));
        make_pipe(pipe);
        CHECK_STATUS(tsr_save(pipe, a), TSR_ERR_IO); /* nobody reads it */
        const int end = tsrt_rank() == 0 ? open(pipe, O_RDONLY | O_NONBLOCK) : -1;
        tsrt_barrier();
        CHECK_OK(tsr_save(pipe, a));
        CHECK_OK(tsr_save("/dev/null", a));
        CHECK_OK(tsr_save(file_path("a.npy"), a));
        if (tsrt_rank() == 0) {
            FILE *file = fopen(file_path("a.npy"), "rb");
            const size_t bytes = fread(kept, 1, sizeof kept, file);
            CHECK_INT(bytes, 128 + 720 * 4);
            CHECK_INT(read(end, through, sizeof through), bytes);
            CHECK(memcmp(through, kept, bytes) == 0);
            CHECK_INT(read(end, through, 1), 0);
            fclose(file);
            close(end);
            unlink(pipe);
        }
        CHECK_OK(tsr_array_destroy(&a));
    }
}

/* More bytes than a pipe holds, and a reader that leaves while the writer waits for it: an error,
 * and no signal. */
static void a_pipe_whose_reader_leaves(void **state)
{
    (void)state;
    tsr_array *a = file_array(TSR_F64, 2, TSR_SHAPE(1000, 1000), 1);
    char pipe[PATH_BYTES], command[2 * PATH_BYTES];
    FILE *reader = NULL;
    tsr_status st;

    snprintf(pipe, sizeof pipe, "%s", file_path("pipe"));
    make_pipe(pipe);
    snprintf(command, sizeof command, "(head -c 100 >/dev/null; sleep 0.05) <'%s'", pipe);
    if (tsrt_rank() == 0) CHECK((reader = popen(command, "r")) != NULL);
    do /* until the reader is there */
        st = tsr_save(pipe, a);
    while (st == TSR_ERR_IO && strstr(tsr_error_text(), "No such device") != NULL);
    CHECK_SAME_ON_ALL(st);
    CHECK_STATUS(st, TSR_ERR_IO);
    CHECK_TEXT("Broken pipe");
    if (reader != NULL) pclose(reader);
    CHECK_OK(tsr_array_destroy(&a));
}

/* Names as long as the file system allows: the name beside the target is cut, between characters.
 */
static void the_longest_names(void **state)
{
    (void)state;
    tsr_array *a = file_array(TSR_F64, 1, TSR_SHAPE(10), 0), *b = NULL;
    char name[256];

    for (int i = 0; i < 2; ++i) {
        for (size_t k = 0; k < 254; k += 2)
            memcpy(name + k, i == 0 ? "xx" : "\xc3\xa9", 2);
        name[254] = 'x';
        name[255] = '\0';
        CHECK_OK(tsr_save(file_path(name), a));
        CHECK_OK(tsr_load(file_path(name), TSR_COMM_WORLD, NULL, &b));
        file_check(b);
        CHECK_OK(tsr_array_destroy(&b));
        CHECK_INT(temporaries(), 0);
    }
    CHECK_OK(tsr_array_destroy(&a));
}

static void permissions_stay_and_links_are_followed(void **state)
{
    (void)state;
    tsr_array *a = file_array(TSR_U8, 1, TSR_SHAPE(20), 0);
    struct stat info;

    CHECK_OK(tsr_save(file_path("real.npy"), a));
    if (tsrt_rank() == 0) {
        unlink(file_path("link.npy"));
        unlink(file_path("loop.npy"));
        unlink(file_path("new.npy"));
        CHECK(chmod(file_path("real.npy"), 0640) == 0);
        if (geteuid() == 0) CHECK(chown(file_path("real.npy"), 12345, 23456) == 0);
        CHECK(symlink("real.npy", file_path("link.npy")) == 0);
        CHECK(symlink("loop.npy", file_path("loop.npy")) == 0);
        CHECK(symlink(file_path("fresh.npy"), file_path("new.npy")) == 0);
    }
    tsrt_barrier();
    CHECK_OK(tsr_array_destroy(&a));
    a = file_array(TSR_U8, 1, TSR_SHAPE(33), 0);
    CHECK_OK(tsr_save(file_path("link.npy"), a));
    CHECK_INT(file_bytes(file_path("real.npy")), 128 + 33);
    if (tsrt_rank() == 0) {
        CHECK(lstat(file_path("link.npy"), &info) == 0 && S_ISLNK(info.st_mode));
        CHECK(stat(file_path("real.npy"), &info) == 0);
        CHECK_INT(info.st_mode & 0777, 0640);
        CHECK(geteuid() != 0 || (info.st_uid == 12345 && info.st_gid == 23456));
    }
    CHECK_OK(tsr_save(file_path("new.npy"), a));
    CHECK_INT(file_bytes(file_path("fresh.npy")), 128 + 33);
    CHECK_STATUS(tsr_save(file_path("loop.npy"), a), TSR_ERR_IO);
    CHECK_INT(temporaries(), 0);
    CHECK_OK(tsr_array_destroy(&a));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(F_7_saved_with_one_split_loaded_with_another),
        cmocka_unit_test(empty_arrays_and_empty_ranks),
        cmocka_unit_test(blocks_of_one_rank_only),
        cmocka_unit_test(a_replicated_array_is_rank_0s_copy),
        cmocka_unit_test(F_5_sizes_beyond_the_buffer),
        cmocka_unit_test(any_message_limit_gives_the_same_file),
        cmocka_unit_test(bool_bytes_other_than_0_and_1_are_true),
        cmocka_unit_test(pieces_cover_the_block_in_order),
        cmocka_unit_test(an_old_file_is_replaced_and_cut_to_length),
        cmocka_unit_test(pipes_and_devices_are_written_directly),
        cmocka_unit_test(a_pipe_whose_reader_leaves),
        cmocka_unit_test(the_longest_names),
        cmocka_unit_test(permissions_stay_and_links_are_followed),
    };
    return TSRT_RUN(argc, argv, tests);
}
