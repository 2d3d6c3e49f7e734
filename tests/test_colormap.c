/* ranks: 1 */
/* The maps of pictures, seen by the lightness of CIE 1976 and by Oklab, both computed from sRGB. */
#include "io/colormap.h"
#include "support/harness.h"

#include <math.h>

enum { TOP = TSRI_COLORS - 1 };

typedef unsigned char palette[TSRI_PALETTE][3];

static double linear(unsigned char part)
{
    const double c = part / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* L* */
static double lightness(const unsigned char *rgb)
{
    static const double weight[] = {0.2126729, 0.7151522, 0.0721750};
    double y = 0;
    for (int k = 0; k < 3; ++k)
        y += weight[k] * linear(rgb[k]);
    return y > 0.008856 ? 116 * cbrt(y) - 16 : 903.3 * y;
}

typedef struct oklab {
    double lightness, a, b;
} oklab;

static oklab to_oklab(const unsigned char *rgb)
{
    const double r = linear(rgb[0]), g = linear(rgb[1]), b = linear(rgb[2]);
    const double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return (oklab){0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                   1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                   0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

static double distance(const unsigned char *left, const unsigned char *right)
{
    const oklab p = to_oklab(left), q = to_oklab(right);
    return sqrt((p.lightness - q.lightness) * (p.lightness - q.lightness) +
                (p.a - q.a) * (p.a - q.a) + (p.b - q.b) * (p.b - q.b));
}

/* ---- the maps -------------------------------------------------------------------------------- */

/* Rounding to whole numbers may take a little back. */
static void lightness_grows_evenly(void **state)
{
    (void)state;
    static const tsr_color_map maps[] = {TSR_MAP_SEA, TSR_MAP_EMBER, TSR_MAP_GREY};
    palette c;

    for (int i = 0; i < 3; ++i) {
        tsri_colormap(maps[i], c);
        const double low = lightness(c[0]), high = lightness(c[TOP]);
        CHECK(low < 15 && high > 85);
        for (int k = 1; k < TSRI_COLORS; ++k) {
            const double step = lightness(c[k]) - lightness(c[k - 1]);
            if (step < -0.1 || step > 1)
                tsrt_fail(__FILE__, __LINE__, "map %d: lightness changes by %g at %d", i, step, k);
            /* In the large too: no part of the map takes more than its share. */
            CHECK(fabs(lightness(c[k]) - (low + k * (high - low) / TOP)) < 4);
        }
    }
}

static void neighbours_differ_a_little_everywhere(void **state)
{
    (void)state;
    palette c;

    for (int map = TSR_MAP_SEA; map <= TSR_MAP_GREY; ++map) {
        tsri_colormap((tsr_color_map)map, c);
        for (int k = 1; k < TSRI_COLORS; ++k) {
            /* Greys are fewer than places. */
            CHECK(map == TSR_MAP_GREY || memcmp(c[k], c[k - 1], 3) != 0);
            CHECK(distance(c[k], c[k - 1]) < 0.015);
        }
    }
}

static void sea_goes_from_dark_blue_over_green_to_yellow(void **state)
{
    (void)state;
    palette c;

    tsri_colormap(TSR_MAP_SEA, c);
    CHECK(c[0][2] > 2 * c[0][0] && c[0][2] > 2 * c[0][1]);
    CHECK(c[155][1] > c[155][0] && c[155][1] > c[155][2]);
    CHECK(c[TOP][0] > 200 && c[TOP][1] > 200 && c[TOP][2] < 150);
}

static void ember_goes_from_violet_over_red_to_yellow(void **state)
{
    (void)state;
    palette c;

    tsri_colormap(TSR_MAP_EMBER, c);
    CHECK(c[0][2] > c[0][0] && c[0][0] > 2 * c[0][1]);
    CHECK(c[120][0] > 2 * c[120][1] && c[120][0] > 2 * c[120][2]);
    CHECK(c[TOP][0] > 230 && c[TOP][1] > 200 && c[TOP][2] < 200);
}

/* Places at equal distances from the middle are equally light and equally strong in colour, one
 * blue, one red; towards the middle they get lighter. */
static void signed_is_symmetric_about_a_neutral_middle(void **state)
{
    (void)state;
    const int middle = TOP / 2;
    palette c;

    tsri_colormap(TSR_MAP_SIGNED, c);
    const oklab neutral = to_oklab(c[middle]);
    CHECK(hypot(neutral.a, neutral.b) < 0.003 && lightness(c[middle]) > 92);
    for (int k = 1; k <= middle; ++k) {
        const oklab blue = to_oklab(c[middle - k]), red = to_oklab(c[middle + k]);
        CHECK_DOUBLE(blue.lightness, red.lightness, 0.004);
        CHECK_DOUBLE(hypot(blue.a, blue.b), hypot(red.a, red.b), 0.006);
        CHECK(blue.lightness < to_oklab(c[middle - k + 1]).lightness + 0.001);
        CHECK(fabs(lightness(c[middle - k]) - lightness(c[middle + k])) < 6);
        CHECK(k < 9 ||
              (c[middle - k][2] > c[middle - k][0] && c[middle + k][0] > c[middle + k][2]));
    }
    CHECK(lightness(c[0]) < 45 && lightness(c[TOP]) < 45);
}

/* Every step is equally long, the one from the last place to the first too, and none changes the
 * lightness; opposite places are far apart. */
static void angle_is_a_closed_circle(void **state)
{
    (void)state;
    palette c;
    double around = 0;

    tsri_colormap(TSR_MAP_ANGLE, c);
    for (int k = 0; k < TSRI_COLORS; ++k)
        around += distance(c[k], c[(k + 1) % TSRI_COLORS]);
    for (int k = 0; k < TSRI_COLORS; ++k) {
        CHECK_DOUBLE(distance(c[k], c[(k + 1) % TSRI_COLORS]), around / TSRI_COLORS, 0.003);
        CHECK_DOUBLE(to_oklab(c[k]).lightness, to_oklab(c[0]).lightness, 0.004);
        CHECK(distance(c[k], c[(k + TSRI_COLORS / 2) % TSRI_COLORS]) > 0.2);
    }
}

static void grey_paper_and_ink_are_neutral(void **state)
{
    (void)state;
    static const unsigned char white[] = {255, 255, 255};
    palette c;

    for (int map = TSR_MAP_SEA; map <= TSR_MAP_GREY; ++map) {
        tsri_colormap((tsr_color_map)map, c);
        for (int k = map == TSR_MAP_GREY ? 0 : TSRI_COLORS; k < TSRI_PALETTE; ++k)
            CHECK(c[k][0] == c[k][1] && c[k][1] == c[k][2]);
        CHECK(memcmp(c[TSRI_COLOR_PAPER], white, 3) == 0);
        for (int k = TSRI_COLOR_PAPER; k < TSRI_COLOR_INK; ++k)
            CHECK(c[k][0] > c[k + 1][0]);
        CHECK(lightness(c[TSRI_COLOR_INK]) < 25);
    }
    CHECK(memcmp(c[TOP], white, 3) == 0 && lightness(c[0]) < 6);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void values_find_their_places(void **state)
{
    (void)state;
    const double inf = HUGE_VAL;
    const tsri_scale unit = {0, 1, false}, huge = {-0x1.8p1023, 0x1.8p1023, false};

    CHECK_INT(tsri_color_of(&unit, 0), 0);
    CHECK_INT(tsri_color_of(&unit, 1), TOP);
    CHECK_INT(tsri_color_of(&unit, 0.25), TOP / 4);
    CHECK_INT(tsri_color_of(&unit, -5), 0);
    CHECK_INT(tsri_color_of(&unit, inf), TOP);
    CHECK_INT(tsri_color_of(&unit, -inf), 0);
    CHECK_INT(tsri_color_of(&unit, (double)NAN), TSRI_COLOR_NONE);
    CHECK_INT(tsri_color_of(&huge, 0), TOP / 2);
}

static void values_go_round(void **state)
{
    (void)state;
    const tsri_scale turn = {-1, 1, true}, huge = {-0x1.8p1023, 0x1.8p1023, true};

    for (int i = -4; i <= 4; i += 2) {
        CHECK_INT(tsri_color_of(&turn, i - 1), 0);
        CHECK_INT(tsri_color_of(&turn, i - 0.5), lround(TSRI_COLORS / 4.0));
        CHECK_INT(tsri_color_of(&turn, i), lround(TSRI_COLORS / 2.0));
        CHECK_INT(tsri_color_of(&turn, i + 0.999), 0);
    }
    CHECK_INT(tsri_color_of(&turn, HUGE_VAL), TSRI_COLOR_NONE);
    CHECK_INT(tsri_color_of(&turn, (double)NAN), TSRI_COLOR_NONE);
    CHECK_INT(tsri_color_of(&huge, 0), lround(TSRI_COLORS / 2.0));
    CHECK_INT(tsri_color_of(&huge, 0x1.8p1023), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lightness_grows_evenly),
        cmocka_unit_test(neighbours_differ_a_little_everywhere),
        cmocka_unit_test(sea_goes_from_dark_blue_over_green_to_yellow),
        cmocka_unit_test(ember_goes_from_violet_over_red_to_yellow),
        cmocka_unit_test(signed_is_symmetric_about_a_neutral_middle),
        cmocka_unit_test(angle_is_a_closed_circle),
        cmocka_unit_test(grey_paper_and_ink_are_neutral),
        cmocka_unit_test(values_find_their_places),
        cmocka_unit_test(values_go_round),
    };
    return TSRT_RUN(argc, argv, tests);
}
