/* ranks: 1 */
/* Ticks, numbers and the bar that they stand beside. */
#include "io/color_bar.h"
#include "io/strokes.h"
#include "support/harness.h"

#include <float.h>
#include <math.h>

/* ---- ticks ----------------------------------------------------------------------------------- */

static void ticks_are_round_numbers(void **state)
{
    (void)state;
    const struct {
        double low, high;
        int most, count;
        const char *text[TSRI_MAX_TICKS];
    } cases[] = {
        {0, 1, 6, 6, {"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}},
        {0, 1, 5, 3, {"0.0", "0.5", "1.0"}},
        {0, 1, 2, 2, {"0", "1"}},
        {-2.5, 2.5, 6, 5, {"-2", "-1", "0", "1", "2"}},
        {0.3, 0.8, 12, 11, {"0.30", "0.35", "0.40", "0.45", "0.50", "0.55"}},
        {-0.0321, 0.0321, 8, 7, {"-0.03", "-0.02", "-0.01", "0.00", "0.01", "0.02", "0.03"}},
        {0, 2799, 10, 6, {"0", "500", "1000", "1500", "2000", "2500"}},
        {990000, 999999, 3, 2, {"990000", "995000"}},
        {0, 1e6, 3, 3, {"0", "5e5", "1e6"}},
        {-2e-9, 2e-9, 5, 5, {"-2e-9", "-1e-9", "0", "1e-9", "2e-9"}},
        {1, 1.00002, 4, 3, {"1.00000", "1.00001", "1.00002"}},
        {1234567.5, 1234568.5, 4, 3, {"1.2345675e6", "1.234568e6", "1.2345685e6"}},
        {-DBL_MAX, DBL_MAX, 5, 3, {"-1e308", "0", "1e308"}},
        {0, 2.5e-300, 4, 3, {"0", "1e-300", "2e-300"}},
        {0, 5e-324, 4, 0, {NULL}},
    };
    tsri_tick ticks[TSRI_MAX_TICKS];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        CHECK_INT(tsri_ticks(cases[i].low, cases[i].high, cases[i].most, ticks), cases[i].count);
        for (int k = 0; k < cases[i].count && cases[i].text[k] != NULL; ++k)
            CHECK_STR(ticks[k].text, cases[i].text[k]);
    }
}

/* Whatever the range: as many ticks as promised, in order, each where its number says. */
static void ticks_stand_where_their_numbers_say(void **state)
{
    (void)state;
    tsri_tick ticks[TSRI_MAX_TICKS];
    uint64_t seed = 1;

    for (int i = 0; i < 20000; ++i) {
        double ends[2];
        for (int k = 0; k < 2; ++k) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const double mantissa = (double)(int64_t)(seed >> 20) / 0x1p43 - 1;
            ends[k] = ldexp(mantissa, i % 3 == 0 ? (int)(seed % 2000) - 1000 : 0);
        }
        const double low = fmin(ends[0], ends[1]), high = fmax(ends[0], ends[1]);
        const int most = 4 + i % (TSRI_MAX_TICKS - 3), count = tsri_ticks(low, high, most, ticks);
        if (!(low < high)) continue;
        CHECK(count >= 1 && count <= most);
        for (int k = 0; k < count; ++k) {
            const double value = strtod(ticks[k].text, NULL);
            CHECK_DOUBLE(ticks[k].at, (value / 2 - low / 2) / (high / 2 - low / 2), 1e-6);
            CHECK(k == 0 || ticks[k].at > ticks[k - 1].at);
        }
    }
}

/* A range of neighbouring numbers: steps far below the numbers' size. */
static void ticks_of_the_narrowest_ranges(void **state)
{
    (void)state;
    static const double lows[] = {1, -3.5, 1e300, -1e15, 0.1};
    tsri_tick ticks[TSRI_MAX_TICKS];

    for (int i = 0; i < 5; ++i)
        for (int steps = 1; steps < 5; ++steps) {
            double high = lows[i];
            for (int k = 0; k < steps; ++k)
                high = nextafter(high, HUGE_VAL);
            const int count = tsri_ticks(lows[i], high, TSRI_MAX_TICKS, ticks);
            CHECK(count >= 0 && count <= TSRI_MAX_TICKS);
            for (int k = 0; k < count; ++k)
                CHECK(ticks[k].at >= 0 && ticks[k].at <= 1 && strlen(ticks[k].text) > 0);
        }
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Total ink of a rectangle of a text. */
static double ink(const char *text, double height, double left, double right, double top,
                  double bottom)
{
    double sum = 0;
    for (double y = top + 0.5; y < bottom; ++y)
        for (double x = left + 0.5; x < right; ++x) {
            const double here = tsri_text_ink(text, height, x, y);
            CHECK(here >= 0 && here <= 1);
            sum += here;
        }
    return sum;
}

static void glyphs_fill_their_box_and_no_more(void **state)
{
    (void)state;
    static const char *const digits = "0123456789";

    for (double height = 10; height < 100; height *= 2)
        for (const char *d = digits; *d != '\0'; ++d) {
            const char text[] = {*d, '\0'};
            const double width = tsri_text_width(text, height);
            const double all = ink(text, height, -9, width + 9, -9, height + 9);
            CHECK(width < height && all > 0.1 * width * height && all < 0.6 * width * height);
            CHECK_DOUBLE(ink(text, height, 0, ceil(width), 0, height), all, 0.05 * all);
            CHECK(ink(text, height, 0, ceil(width), 0, height / 5) > 0);
            CHECK(ink(text, height, 0, ceil(width), height - height / 5, height) > 0);
        }
}

static void every_glyph_differs(void **state)
{
    (void)state;
    static const char glyphs[] = "0123456789-.e";

    for (const char *a = glyphs; *a != '\0'; ++a)
        for (const char *b = a + 1; *b != '\0'; ++b) {
            const char left[] = {*a, '\0'}, right[] = {*b, '\0'};
            double apart = 0;
            for (int y = 0; y < 24; ++y)
                for (int x = 0; x < 20; ++x)
                    apart += fabs(tsri_text_ink(left, 24, x, y) - tsri_text_ink(right, 24, x, y));
            CHECK(apart > 10);
        }
}

/* Nine is six turned round; nought and eight are their own mirror images. */
static void symmetries(void **state)
{
    (void)state;
    const double height = 40, width = tsri_text_width("0", height);

    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 30; ++x) {
            CHECK_DOUBLE(tsri_text_ink("6", height, x, y),
                         tsri_text_ink("9", height, width - x, height - y), 1e-9);
            CHECK_DOUBLE(tsri_text_ink("0", height, x, y), tsri_text_ink("0", height, width - x, y),
                         1e-9);
            CHECK_DOUBLE(tsri_text_ink("8", height, x, y), tsri_text_ink("8", height, width - x, y),
                         1e-9);
        }
}

static void glyphs_of_a_text_stand_side_by_side(void **state)
{
    (void)state;
    const double height = 20, all = ink("-1.5e7", height, -9, 200, -9, 29);
    double sum = 0, width = 0;

    for (const char *c = "-1.5e7"; *c != '\0'; ++c) {
        const char text[] = {*c, '\0'};
        sum += ink(text, height, -9, 30, -9, 29);
        CHECK(tsri_text_width(text, height) + width < tsri_text_width("-1.5e7", height) + 1);
        width += tsri_text_width(text, height);
    }
    CHECK_DOUBLE(all, sum, 0.02 * sum);
    CHECK(tsri_text_width("-1.5e7", height) > width);
}

/* ---- the bar --------------------------------------------------------------------------------- */

enum { WIDE = 200 };

static void draw(const tsri_color_bar *bar, int64_t y, unsigned char *pixels)
{
    memset(pixels, TSRI_COLOR_PAPER, WIDE);
    tsri_color_bar_row(bar, y, pixels);
}

static void colors_go_up_the_bar(void **state)
{
    (void)state;
    unsigned char row[WIDE], above[WIDE];
    tsri_color_bar bar;

    tsri_color_bar_make(&bar, &(tsri_scale){-1, 3, false}, 300, 12);
    CHECK(bar.width <= WIDE);
    for (int64_t y = 0; y < 300; ++y) {
        draw(&bar, y, row);
        const double value = 3 - 4 * ((double)y + 0.5) / 300;
        for (int64_t x = 0; x < bar.bar; ++x)
            CHECK_INT(row[x], tsri_color_of(&bar.scale, value));
        for (int64_t x = bar.bar; x < WIDE; ++x)
            CHECK(row[x] >= TSRI_COLOR_PAPER);
        for (int64_t x = bar.width; x < WIDE; ++x)
            CHECK_INT(row[x], TSRI_COLOR_PAPER);
        if (y > 0) CHECK(row[0] <= above[0]);
        memcpy(above, row, sizeof row);
    }
}

/* Beside the bar there is a tick for each number in the row of its value, and nowhere else. */
static void ticks_point_at_their_values(void **state)
{
    (void)state;
    static const tsri_scale scales[] = {{0, 1, false}, {-3.2, 3.2, true}, {1e7, 3e7, false}};
    unsigned char row[WIDE];
    tsri_color_bar bar;

    for (int i = 0; i < 3; ++i) {
        tsri_color_bar_make(&bar, &scales[i], 256, 10);
        int found = 0;
        for (int64_t y = -10; y < 266; ++y) {
            draw(&bar, y, row);
            if (row[bar.bar + 1] != TSRI_COLOR_INK) continue;
            const tsri_tick *tick = &bar.tick[bar.ticks - 1 - found++];
            const double value = strtod(tick->text, NULL);
            const double t = (value - scales[i].low) / (scales[i].high - scales[i].low);
            CHECK_DOUBLE((double)y, (1 - t) * 255, 0.5 + 1e-6);
        }
        CHECK(bar.ticks >= 3);
        CHECK_INT(found, bar.ticks);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_are_round_numbers),
        cmocka_unit_test(ticks_stand_where_their_numbers_say),
        cmocka_unit_test(ticks_of_the_narrowest_ranges),
        cmocka_unit_test(glyphs_fill_their_box_and_no_more),
        cmocka_unit_test(every_glyph_differs),
        cmocka_unit_test(symmetries),
        cmocka_unit_test(glyphs_of_a_text_stand_side_by_side),
        cmocka_unit_test(colors_go_up_the_bar),
        cmocka_unit_test(ticks_point_at_their_values),
    };
    return TSRT_RUN(argc, argv, tests);
}
