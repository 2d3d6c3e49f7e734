/* ranks: 1 */
#include "io/colormap.h"
#include "support/harness.h"

#include <math.h>

/* Lightness L* of CIE 1976, from sRGB's own definition. */
static double lightness(const unsigned char *rgb)
{
    static const double weight[] = {0.2126729, 0.7151522, 0.0721750};
    double y = 0;
    for (int k = 0; k < 3; ++k) {
        const double c = rgb[k] / 255.0;
        y += weight[k] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
    }
    return y > 0.008856 ? 116 * cbrt(y) - 16 : 903.3 * y;
}

static void colors_go_from_dark_blue_over_green_to_yellow(void **state)
{
    (void)state;
    unsigned char c[TSRI_PALETTE][3];

    tsri_colormap(c);
    CHECK(lightness(c[0]) < 15 && lightness(c[TSRI_COLORS - 1]) > 85);
    CHECK(c[0][2] > 2 * c[0][0] && c[0][2] > 2 * c[0][1]);
    CHECK(c[160][1] > c[160][0] && c[160][1] > c[160][2]);
    CHECK(c[TSRI_COLORS - 1][0] > 200 && c[TSRI_COLORS - 1][1] > 200 &&
          c[TSRI_COLORS - 1][2] < 150);
    for (int k = 1; k < TSRI_COLORS; ++k) {
        const double step = lightness(c[k]) - lightness(c[k - 1]);
        if (step < -0.1 || step > 1)
            tsrt_fail(__FILE__, __LINE__, "lightness changes by %g at %d", step, k);
        CHECK(memcmp(c[k], c[k - 1], 3) != 0);
        for (int part = 0; part < 3; ++part)
            CHECK(abs(c[k][part] - c[k - 1][part]) <= 4);
        /* Even in the large: no part of the map takes more than its share of lightness. */
        const double even =
            lightness(c[0]) +
            k * (lightness(c[TSRI_COLORS - 1]) - lightness(c[0])) / (TSRI_COLORS - 1);
        CHECK(fabs(lightness(c[k]) - even) < 6);
    }
    CHECK(memcmp(c[TSRI_COLOR_NAN], (unsigned char[]){128, 128, 128}, 3) == 0);
    CHECK(memcmp(c[TSRI_COLOR_LINE], (unsigned char[]){255, 255, 255}, 3) == 0);
}

static void values_find_their_places(void **state)
{
    (void)state;
    const double inf = HUGE_VAL;
    const int top = TSRI_COLORS - 1;

    CHECK_INT(tsri_color_of(0, 0, 1), 0);
    CHECK_INT(tsri_color_of(1, 0, 1), top);
    CHECK_INT(tsri_color_of(0.25, 0, 1), 63);
    CHECK_INT(tsri_color_of(-5, 0, 1), 0);
    CHECK_INT(tsri_color_of(inf, 0, 1), top);
    CHECK_INT(tsri_color_of(-inf, 0, 1), 0);
    CHECK_INT(tsri_color_of((double)NAN, 0, 1), TSRI_COLOR_NAN);
    CHECK_INT(tsri_color_of(0, -0x1.8p1023, 0x1.8p1023), (top + 1) / 2);
    CHECK_INT(tsri_color_of(3, 3, 3), 0);
    CHECK_INT(tsri_color_of(inf, 3, 3), top);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colors_go_from_dark_blue_over_green_to_yellow),
        cmocka_unit_test(values_find_their_places),
    };
    return TSRT_RUN(argc, argv, tests);
}
