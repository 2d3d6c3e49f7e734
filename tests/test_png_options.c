/* ranks: 1 2 3 4 */
/* Pictures by their options: maps, ranges, axes, the colour bar. */
#include "io/png_write.h"
#include "support/picture.h"

#include <math.h>
#include <stdio.h>

enum { TOP = TSRI_COLORS - 1 };

static const tsr_layout_options both_split = {.split = TSR_AXES(0, 1), .halo = {1, 2}};

/* The picture of a 2-D array: the place in the map of each cell, one pixel a cell. */
static void check_places(const tsr_array *a, tsr_picture_options options, const int *places)
{
    const int64_t *shape = tsr_layout_shape(tsr_array_layout(a));

    options.cell = 1;
    CHECK_OK(tsr_save_png(file_path("a.png"), a, &options));
    picture p = picture_read("a.png");
    if (tsrt_rank() != 0) return;
    CHECK_INT(p.height, shape[0]);
    CHECK_INT(p.width, shape[1]);
    for (int y = 0; y < p.height; ++y)
        for (int x = 0; x < p.width; ++x)
            CHECK_INT(picture_place(&p, options.map, x, y), places[y * p.width + x]);
    free(p.rgb);
}

/* ---- maps and ranges ------------------------------------------------------------------------- */

/* The place in a colour map that lies at a fraction of its range. */
static int place(double fraction)
{
    return (int)lround(TOP * fraction);
}

static void ranges_of_signed_numbers(void **state)
{
    (void)state;
    need_png();
    static const double values[] = {-1, -0.5, 0, 0.5, 2, 4};
    const int middle = TOP / 2;
    const int symmetric[] = {place(3 / 8.0), place(3.5 / 8), middle,
                             place(4.5 / 8), place(6 / 8.0), TOP};
    const int plain[] = {0, place(0.1), place(0.2), place(0.3), place(0.6), TOP};
    const int given[] = {0, 0, place(1 / 3.0), place(1 / 1.5), TOP, TOP};
    const tsr_picture_options range = {.map = TSR_MAP_SIGNED, .low = -0.5, .high = 1};
    tsr_array *a = picture_array(TSR_F64, 2, TSR_SHAPE(2, 3), both_split, values);

    check_places(a, (tsr_picture_options){.map = TSR_MAP_SIGNED}, symmetric);
    check_places(a, (tsr_picture_options){.map = TSR_MAP_SIGNED, .symmetric = true}, symmetric);
    check_places(a, (tsr_picture_options){.map = TSR_MAP_EMBER, .symmetric = true}, symmetric);
    check_places(a, (tsr_picture_options){.map = TSR_MAP_EMBER}, plain);
    check_places(a, range, given);
    CHECK_OK(tsr_array_destroy(&a));
}

static void angles_go_round(void **state)
{
    (void)state;
    need_png();
    const double pi = acos(-1.0);
    const double values[] = {-pi, pi, 0, 4 * pi, pi / 2, -7.5 * pi};
    const int half = (TSRI_COLORS + 1) / 2, places[] = {0, 0, half, half, 184, 184};
    const double degrees[] = {0, 360, 180, -180, 270, 630};
    const tsr_picture_options range = {.map = TSR_MAP_ANGLE, .high = 360};
    tsr_array *a = picture_array(TSR_F64, 2, TSR_SHAPE(3, 2), both_split, values);
    tsr_array *b = picture_array(TSR_I32, 2, TSR_SHAPE(3, 2), both_split, degrees);

    check_places(a, (tsr_picture_options){.map = TSR_MAP_ANGLE}, places);
    check_places(b, range, places);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
}

static void one_value_has_the_middle_colour(void **state)
{
    (void)state;
    need_png();
    const double limits[] = {0, 1, -3e-9, 1.7e308, -1.7e308, 5e-324};

    for (int i = 0; i < 6; ++i) {
        const double values[] = {limits[i], limits[i], limits[i], limits[i]};
        tsr_array *a = picture_array(TSR_F64, 2, TSR_SHAPE(2, 2), both_split, values);
        for (int map = TSR_MAP_SEA; map <= TSR_MAP_EMBER; ++map) {
            const tsr_picture_options options = {.map = (tsr_color_map)map, .cell = 1};
            CHECK_OK(tsr_save_png(file_path("a.png"), a, &options));
            picture p = picture_read("a.png");
            if (tsrt_rank() != 0) continue;
            /* Where the range would pass the largest number, it is cut there. */
            const int place = picture_place(&p, (tsr_color_map)map, 1, 1);
            CHECK(fabs(limits[i]) > 1e300 ? place > 0 && place < TOP : place == TOP / 2);
            free(p.rgb);
        }
        CHECK_OK(tsr_array_destroy(&a));
    }
}

/* ---- axes ------------------------------------------------------------------------------------ */

/* Any two axes, in any order, of an array whose cells are known. */
static void slices_along_any_two_axes(void **state)
{
    (void)state;
    need_png();
    static const int64_t shape[] = {3, 2, 4, 5};
    enum { CELLS = 3 * 2 * 4 * 5 };
    const tsr_layout_options layouts[] = {{.split = TSR_AXES(0, 2), .halo = {1, 1, 1, 1}},
                                          {.split = TSR_AXES(1, 3)},
                                          {.split = TSR_WHOLE}};
    double values[CELLS];
    for (int i = 0; i < CELLS; ++i)
        values[i] = i;

    for (int which = 0; which < 3; ++which) {
        tsr_array *a = picture_array(TSR_I32, 4, shape, layouts[which], values);
        for (int pair = 0; pair < 16; ++pair) {
            const int down = pair / 4, right = pair % 4;
            if (down == right) continue;
            tsr_picture_options options = {
                .cell = 1, .high = CELLS - 1, .axes = {down, pair % 3 == 0 ? right - 4 : right}};
            int64_t at[4];
            for (int k = 0; k < 4; ++k) {
                const bool drawn = k == down || k == right;
                options.plane[k] = drawn ? 0 : k == 1 ? -1 : 2;
                at[k] = options.plane[k] < 0 ? options.plane[k] + shape[k] : options.plane[k];
            }
            CHECK_OK(tsr_save_png(file_path("a.png"), a, &options));
            picture p = picture_read("a.png");
            if (tsrt_rank() != 0) continue;
            CHECK_INT(p.height, shape[down]);
            CHECK_INT(p.width, shape[right]);
            for (int y = 0; y < p.height; ++y)
                for (int x = 0; x < p.width; ++x) {
                    at[down] = y;
                    at[right] = x;
                    const int64_t cell = ((at[0] * 2 + at[1]) * 4 + at[2]) * 5 + at[3];
                    CHECK_INT(picture_place(&p, TSR_MAP_SEA, x, y),
                              lround((double)cell / (CELLS - 1) * TOP));
                }
            free(p.rgb);
        }
        CHECK_OK(tsr_array_destroy(&a));
    }
}

/* ---- the colour bar -------------------------------------------------------------------------- */

/* Left of the bar the picture is what it is without one; around it there is paper. */
static void the_bar_leaves_the_picture_as_it_is(void **state)
{
    (void)state;
    need_png();
    double values[20 * 30];
    for (int i = 0; i < 600; ++i)
        values[i] = i == 77 ? (double)NAN : sin(i);
    tsr_array *a = picture_array(TSR_F64, 2, TSR_SHAPE(20, 30), both_split, values);
    const tsr_picture_options plain = {.cell = 7, .block_lines = true};
    const tsr_picture_options barred = {.cell = 7, .block_lines = true, .color_bar = true};

    CHECK_OK(tsr_save_png(file_path("plain.png"), a, &plain));
    CHECK_OK(tsr_save_png(file_path("barred.png"), a, &barred));
    picture p = picture_read("plain.png"), q = picture_read("barred.png");
    if (tsrt_rank() == 0) {
        const int margin = (q.height - p.height) / 2;
        CHECK(margin > 4 && q.width > p.width + 4 * margin && q.width < 2 * p.width);
        for (int y = 0; y < p.height; ++y)
            CHECK(memcmp(picture_pixel(&q, margin, y + margin), picture_pixel(&p, 0, y),
                         3 * (size_t)p.width) == 0);
        for (int x = 0; x < q.width; ++x) {
            CHECK(picture_is(&q, x, 0, 255, 255, 255));
            CHECK(picture_is(&q, x, q.height - 1, 255, 255, 255));
        }
        for (int y = 0; y < q.height; ++y) {
            CHECK(picture_is(&q, 0, y, 255, 255, 255));
            CHECK(picture_is(&q, q.width - 1, y, 255, 255, 255));
        }
        free(p.rgb);
        free(q.rgb);
    }
    CHECK_OK(tsr_array_destroy(&a));
}

/* A column of the bar has every colour, from the last at the top to the first at the bottom. */
static void the_bar_shows_the_whole_map(void **state)
{
    (void)state;
    need_png();
    static const double values[] = {-3, 1};
    const int64_t shapes[][2] = {{1, 2}, {2, 1}};

    for (int i = 0; i < 2; ++i)
        for (int map = TSR_MAP_SEA; map < TSR_MAP_GREY; ++map) {
            tsr_array *a = picture_array(TSR_F64, 2, shapes[i], both_split, values);
            const tsr_picture_options options = {.map = (tsr_color_map)map, .color_bar = true};
            CHECK_OK(tsr_save_png(file_path("a.png"), a, &options));
            picture p = picture_read("a.png");
            CHECK_OK(tsr_array_destroy(&a));
            if (tsrt_rank() != 0) continue;
            /* Right of the picture, right of a gap of paper. */
            int x = (i == 0 ? 256 : 128) + 16, last = TSRI_COLORS, seen = 0;
            while (picture_place(&p, options.map, x, p.height / 2) < 0)
                ++x;
            x += 3;
            for (int y = 0; y < p.height; ++y) {
                const int place = picture_place(&p, options.map, x, y);
                if (place < 0) continue;
                CHECK(place <= last || (options.map == TSR_MAP_ANGLE && last == 0));
                seen += place != last;
                last = place;
            }
            CHECK(seen > 100 && last < 2);
            free(p.rgb);
        }
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void wrong_options(void **state)
{
    (void)state;
    need_png();
    static const double values[24] = {0};
    tsr_array *a = picture_array(TSR_F64, 3, TSR_SHAPE(2, 3, 4), both_split, values);
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s", file_path("never.png"));
    const struct {
        tsr_picture_options options;
        tsr_status expected;
        const char *text;
    } cases[] = {
        {{.axes = {0, 3}}, TSR_ERR_AXIS, "axes are 0 and 3, but the array has 3 axes"},
        {{.axes = {-4, 1}}, TSR_ERR_AXIS, "axes are -4 and 1"},
        {{.axes = {1, 1}}, TSR_ERR_VALUE, "must be two axes"},
        {{.axes = {2, -1}}, TSR_ERR_VALUE, "must be two axes"},
        {{.axes = {0, 1}, .plane = {0, 1, 2}}, TSR_ERR_VALUE, "plane[1] is 1"},
        {{.axes = {0, 1}, .plane = {0, 0, 4}}, TSR_ERR_INDEX, "plane[2] is 4"},
        {{.plane = {0, 0, 1}}, TSR_ERR_VALUE, "plane[2] is 1, must be 0: axis 2 is drawn"},
        {{.map = (tsr_color_map)5}, TSR_ERR_VALUE, "map is 5"},
        {{.map = (tsr_color_map)-1}, TSR_ERR_VALUE, "map is -1"},
        {{.symmetric = true, .high = 1}, TSR_ERR_VALUE, "symmetric is true"},
        {{.color_bar = true, .cell = 249995}, TSR_ERR_VALUE, "with its colour bar"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        CHECK_STATUS(tsr_save_png(path, a, &cases[i].options), cases[i].expected);
        CHECK_TEXT(cases[i].text);
    }
    if (tsrt_size() > 1) {
        const bool last = tsrt_rank() == tsrt_size() - 1;
        const tsr_picture_options differ[] = {{.map = last ? TSR_MAP_GREY : TSR_MAP_SEA},
                                              {.color_bar = last},
                                              {.symmetric = last},
                                              {.axes = {last, !last}}};
        for (int i = 0; i < 4; ++i)
            CHECK_STATUS(tsr_save_png(path, a, &differ[i]), TSR_ERR_MISMATCH);
    }
    CHECK_INT(file_bytes(path), -1);
    CHECK_OK(tsr_array_destroy(&a));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_of_signed_numbers),
        cmocka_unit_test(angles_go_round),
        cmocka_unit_test(one_value_has_the_middle_colour),
        cmocka_unit_test(slices_along_any_two_axes),
        cmocka_unit_test(the_bar_leaves_the_picture_as_it_is),
        cmocka_unit_test(the_bar_shows_the_whole_map),
        cmocka_unit_test(wrong_options),
    };
    return TSRT_RUN(argc, argv, tests);
}
