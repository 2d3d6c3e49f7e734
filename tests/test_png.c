/* ranks: 1 2 3 4 6 8 */
#include "io/png_write.h"
#include "support/picture.h"

#include <math.h>
#include <stdio.h>

/* The last place of the map, and the grey of NaN. */
enum { TOP = TSRI_COLORS - 1, GREY = 128 };

/* ---- what is drawn --------------------------------------------------------------------------- */

static void count_up(double *values, int count)
{
    for (int i = 0; i < count; ++i)
        values[i] = i;
}

static void rows_go_down_and_cells_have_their_size(void **state)
{
    (void)state;
    need_png();
    double values[24];
    count_up(values, 24);
    const tsr_layout_options options = {.split = TSR_AXES(0, 1), .halo = {1, 2}};
    const tsr_picture_options cell_3 = {.cell = 3}, range = {.low = -10, .high = 100};
    tsr_array *a = picture_array(TSR_F64, 2, TSR_SHAPE(4, 6), options, values);
    const struct {
        const tsr_picture_options *options;
        int cell;
        double low, high;
    } cases[] = {{NULL, 43, 0, 23}, {&cell_3, 3, 0, 23}, {&range, 43, -10, 100}};

    for (int i = 0; i < 3; ++i) {
        CHECK_OK(tsr_save_png(file_path("a.png"), a, cases[i].options));
        picture p = picture_read("a.png");
        if (tsrt_rank() != 0) continue;
        CHECK_INT(p.width, 6 * cases[i].cell);
        CHECK_INT(p.height, 4 * cases[i].cell);
        for (int y = 0; y < p.height; ++y)
            for (int x = 0; x < p.width; ++x) {
                const double value = values[y / cases[i].cell * 6 + x / cases[i].cell];
                const double t = (value - cases[i].low) / (cases[i].high - cases[i].low);
                CHECK_INT(picture_place(&p, TSR_MAP_SEA, x, y), lround(t * TOP));
            }
        free(p.rgb);
    }
    CHECK_INT(temporaries(), 0);
    CHECK_OK(tsr_array_destroy(&a));
}

static void nan_is_grey_and_infinities_are_cut(void **state)
{
    (void)state;
    need_png();
    const double inf = HUGE_VAL, nan = (double)NAN;
    const double values[] = {nan, -inf, 2, inf, 6, 4}, none[] = {nan, nan, inf, -inf};
    const tsr_picture_options one = {.cell = 1};
    tsr_array *a =
        picture_array(TSR_F32, 2, TSR_SHAPE(2, 3), (tsr_layout_options){.halo = {1}}, values);
    tsr_array *b =
        picture_array(TSR_F64, 2, TSR_SHAPE(2, 2), (tsr_layout_options){.halo = {0}}, none);

    CHECK_OK(tsr_save_png(file_path("a.png"), a, &one));
    picture p = picture_read("a.png");
    if (tsrt_rank() == 0) {
        CHECK(picture_is(&p, 0, 0, GREY, GREY, GREY));
        CHECK_INT(picture_place(&p, TSR_MAP_SEA, 1, 0), 0);
        CHECK_INT(picture_place(&p, TSR_MAP_SEA, 2, 0), 0);
        CHECK_INT(picture_place(&p, TSR_MAP_SEA, 0, 1), TOP);
        CHECK_INT(picture_place(&p, TSR_MAP_SEA, 1, 1), TOP);
        CHECK_INT(picture_place(&p, TSR_MAP_SEA, 2, 1), TOP / 2);
        free(p.rgb);
    }
    CHECK_OK(tsr_save_png(file_path("a.png"), b, &one));
    p = picture_read("a.png");
    if (tsrt_rank() == 0) {
        CHECK(picture_is(&p, 1, 0, GREY, GREY, GREY));
        CHECK_INT(picture_place(&p, TSR_MAP_SEA, 0, 1), TOP);
        CHECK_INT(picture_place(&p, TSR_MAP_SEA, 1, 1), 0);
        free(p.rgb);
    }
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
}

static bool same_files(const char *a, const char *b)
{
    bool same = false;
    tsrt_barrier();
    if (tsrt_rank() == 0) {
        FILE *left = fopen(file_path(a), "rb"), *right = fopen(file_path(b), "rb");
        CHECK(left != NULL && right != NULL);
        int c;
        do
            c = fgetc(left), same = c == fgetc(right);
        while (same && c != EOF);
        fclose(left);
        fclose(right);
    }
    tsrt_bcast(&same, sizeof same, 0);
    return same;
}

static void pictures_do_not_depend_on_the_layout_or_real_type(void **state)
{
    (void)state;
    need_png();
    double values[9 * 11];
    for (int i = 0; i < 99; ++i)
        values[i] = (i * 37) % 101 % 2; /* 0 or 1: every type holds it */
    tsr_array *a = picture_array(TSR_F64, 2, TSR_SHAPE(9, 11),
                                 (tsr_layout_options){.split = TSR_WHOLE}, values);

    CHECK_OK(tsr_save_png(file_path("whole.png"), a, NULL));
    CHECK_OK(tsr_array_destroy(&a));
    for (tsr_dtype dtype = TSR_BOOL; dtype <= TSR_F64; ++dtype)
        for (int which = 0; which < FILE_LAYOUTS; ++which) {
            a = picture_array(dtype, 2, TSR_SHAPE(9, 11), file_options(2, which), values);
            CHECK_OK(tsr_save_png(file_path("a.png"), a, NULL));
            CHECK(same_files("a.png", "whole.png"));
            CHECK_OK(tsr_array_destroy(&a));
        }
}

static void lines_where_blocks_meet(void **state)
{
    (void)state;
    need_png();
    double values[9 * 8];
    count_up(values, 72);
    const tsr_layout_options split = {.split = TSR_AXES(0, 1)};
    const tsr_picture_options options = {.cell = 2, .block_lines = true};
    tsr_array *a = picture_array(TSR_F64, 2, TSR_SHAPE(9, 8), split, values);
    const int *grid = tsr_layout_process_grid(tsr_array_layout(a));
    int64_t row_cuts[64], column_cuts[64];

    CHECK_OK(tsr_layout_cuts(tsr_array_layout(a), 0, row_cuts));
    CHECK_OK(tsr_layout_cuts(tsr_array_layout(a), 1, column_cuts));
    CHECK_OK(tsr_save_png(file_path("a.png"), a, &options));
    picture p = picture_read("a.png");
    if (tsrt_rank() == 0) {
        CHECK_INT(p.height, 2 * 9 + grid[0] - 1);
        CHECK_INT(p.width, 2 * 8 + grid[1] - 1);
        for (int64_t r = 0, y = 0, i = 1; r < 9; ++r) {
            if (r == row_cuts[i] && i < grid[0]) {
                for (int x = 0; x < p.width; ++x)
                    CHECK(picture_is(&p, x, (int)y, 255, 255, 255));
                ++y, ++i;
            }
            for (int64_t c = 0, x = 0, j = 1; c < 8; ++c, x += 2) {
                if (c == column_cuts[j] && j < grid[1]) {
                    CHECK(picture_is(&p, (int)x, (int)y, 255, 255, 255));
                    ++x, ++j;
                }
                CHECK_INT(picture_place(&p, TSR_MAP_SEA, (int)x + 1, (int)y + 1),
                          lround((double)(8 * r + c) / 71 * TOP));
            }
            y += 2;
        }
        free(p.rgb);
    }
    CHECK_OK(tsr_array_destroy(&a));
}

static void planes_of_arrays_of_more_axes(void **state)
{
    (void)state;
    need_png();
    double values[3 * 4 * 5 * 6];
    count_up(values, 360);
    const tsr_layout_options layouts[] = {{.split = TSR_AXES(0, 1), .halo = {1, 1, 1, 1}},
                                          {.split = TSR_AXES(1, 2, 3)},
                                          {.split = TSR_AXES(3)},
                                          {.split = TSR_WHOLE}};
    for (int which = 0; which < 4; ++which)
        for (int64_t i = -3; i < 3; i += 2) {
            const tsr_picture_options options = {.cell = 1, .plane = {i, 2}, .low = 0, .high = 359};
            tsr_array *a = picture_array(TSR_I32, 4, TSR_SHAPE(3, 4, 5, 6), layouts[which], values);
            CHECK_OK(tsr_save_png(file_path("a.png"), a, &options));
            picture p = picture_read("a.png");
            if (tsrt_rank() == 0) {
                CHECK_INT(p.width, 6);
                CHECK_INT(p.height, 5);
                for (int y = 0; y < 5; ++y)
                    for (int x = 0; x < 6; ++x) {
                        const int64_t cell = ((i < 0 ? i + 3 : i) * 4 + 2) * 30 + y * 6 + x;
                        CHECK_INT(picture_place(&p, TSR_MAP_SEA, x, y),
                                  lround((double)cell / 359 * TOP));
                    }
                free(p.rgb);
            }
            CHECK_OK(tsr_array_destroy(&a));
        }
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void wrong_arguments(void **state)
{
    (void)state;
    need_png();
    double values[24];
    count_up(values, 24);
    const tsr_layout_options options = {.split = 0};
    tsr_array *a = picture_array(TSR_F64, 2, TSR_SHAPE(4, 6), options, values);
    tsr_array *line = picture_array(TSR_F64, 1, TSR_SHAPE(24), options, values);
    tsr_array *cube = picture_array(TSR_F64, 3, TSR_SHAPE(2, 3, 4), options, values);
    tsr_array *complex = picture_array(TSR_C64, 2, TSR_SHAPE(4, 6), options, values);
    tsr_array *empty = picture_array(TSR_F64, 2, TSR_SHAPE(4, 0), options, values);
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s", file_path("never.png"));
    const bool last = tsrt_rank() == tsrt_size() - 1;

    CHECK_STATUS(tsr_save_png(path, NULL, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_save_png(last ? NULL : path, a, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_save_png("", a, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_save_png(path, line, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_save_png(path, empty, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_save_png(path, complex, NULL), TSR_ERR_TYPE);
    const struct {
        tsr_picture_options options;
        tsr_status expected;
        const char *text;
    } cases[] = {
        {{.plane = {2}}, TSR_ERR_INDEX, "plane[0] is 2"},
        {{.plane = {-3}}, TSR_ERR_INDEX, "plane[0] is -3"},
        {{.low = 2, .high = 1}, TSR_ERR_VALUE, "low is 2"},
        {{.low = 2, .high = 2}, TSR_ERR_VALUE, "low is 2"},
        {{.low = (double)NAN, .high = 1}, TSR_ERR_VALUE, "finite"},
        {{.low = 0, .high = HUGE_VAL}, TSR_ERR_VALUE, "finite"},
        {{.cell = -1}, TSR_ERR_VALUE, "cell is -1"},
        {{.cell = 300000}, TSR_ERR_VALUE, "width of a picture"},
        {{.cell = INT64_MAX}, TSR_ERR_VALUE, "width of a picture"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        CHECK_STATUS(tsr_save_png(path, cube, &cases[i].options), cases[i].expected);
        CHECK_TEXT(cases[i].text);
    }
    if (tsrt_size() > 1) {
        const tsr_picture_options mine = {.cell = last ? 1 : 2};
        CHECK_STATUS(tsr_save_png(path, a, &mine), TSR_ERR_MISMATCH);
    }
    CHECK_STATUS(tsr_save_png(file_path("no/folder/a.png"), a, NULL), TSR_ERR_IO);
    CHECK_INT(file_bytes(path), -1);
    CHECK_INT(temporaries(), 0);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&line));
    CHECK_OK(tsr_array_destroy(&cube));
    CHECK_OK(tsr_array_destroy(&complex));
    CHECK_OK(tsr_array_destroy(&empty));
}

static void without_libpng(void **state)
{
    (void)state;
    if (tsri_png_available()) tsrt_skip("this build has libpng");
    const double values[4] = {0};
    tsr_array *a =
        picture_array(TSR_F64, 2, TSR_SHAPE(2, 2), (tsr_layout_options){.split = 0}, values);
    CHECK_STATUS(tsr_save_png(file_path("a.png"), a, NULL), TSR_ERR_UNSUPPORTED);
    CHECK_OK(tsr_array_destroy(&a));
}

static void faults_on_each_rank_in_turn(void **state)
{
    (void)state;
    need_png();
    double values[72];
    count_up(values, 72);
    const tsr_picture_options one = {.cell = 1};
    tsr_array *a = picture_array(TSR_F64, 2, TSR_SHAPE(9, 8),
                                 (tsr_layout_options){.split = TSR_AXES(0, 1)}, values);
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s", file_path("a.png"));

    for (int victim = 0; victim < tsrt_size(); ++victim) {
        make_file(path, "old", 3);
        for (int n = 0;; ++n) {
            tsri_fault_arm(tsrt_rank() == victim ? n : -1);
            const tsr_status st = tsr_save_png(path, a, &one);
            bool fired = tsri_fault_fired();
            tsri_fault_arm(-1);
            tsrt_bcast(&fired, sizeof fired, victim);
            CHECK_SAME_ON_ALL(st);
            CHECK((st != TSR_OK) == fired);
            CHECK_INT(temporaries(), 0);
            CHECK((file_bytes(path) == 3) == fired);
            if (!fired) break;
        }
    }
    CHECK_OK(tsr_array_destroy(&a));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_go_down_and_cells_have_their_size),
        cmocka_unit_test(nan_is_grey_and_infinities_are_cut),
        cmocka_unit_test(pictures_do_not_depend_on_the_layout_or_real_type),
        cmocka_unit_test(lines_where_blocks_meet),
        cmocka_unit_test(planes_of_arrays_of_more_axes),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(without_libpng),
        cmocka_unit_test(faults_on_each_rank_in_turn),
    };
    return TSRT_RUN(argc, argv, tests);
}
