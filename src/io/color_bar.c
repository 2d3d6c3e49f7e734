#include "io/color_bar.h"

#include "io/strokes.h"

#include <math.h>
#include <string.h>

/* Room above and below a number, in its own height. */
enum { ROOM = 3 };

static int64_t tick_length(const tsri_color_bar *bar)
{
    return (bar->text + 1) / 2;
}

static int64_t text_left(const tsri_color_bar *bar)
{
    return bar->bar + bar->line + tick_length(bar) + (bar->text + 1) / 2;
}

void tsri_color_bar_make(tsri_color_bar *bar, const tsri_scale *scale, int64_t height, int64_t text)
{
    const int64_t fit = height / (ROOM * text);
    const int most = fit < 2 ? 2 : fit > TSRI_MAX_TICKS ? TSRI_MAX_TICKS : (int)fit;
    double widest = 0;

    *bar = (tsri_color_bar){.scale = *scale, .height = height, .text = text};
    bar->line = text < 18 ? 1 : text / 9;
    bar->bar = 2 * text;
    bar->ticks = tsri_ticks(scale->low, scale->high, most, bar->tick);
    for (int i = 0; i < bar->ticks; ++i)
        widest = fmax(widest, tsri_text_width(bar->tick[i].text, (double)text));
    bar->width = text_left(bar) + (int64_t)ceil(widest);
}

static unsigned char shade(double ink)
{
    return (unsigned char)(TSRI_COLOR_PAPER + lround(ink * (TSRI_COLOR_INK - TSRI_COLOR_PAPER)));
}

static void draw_tick(const tsri_color_bar *bar, const tsri_tick *tick, int64_t y,
                      unsigned char *pixels)
{
    const int64_t left = text_left(bar);
    const int64_t middle = llround((1 - tick->at) * (double)(bar->height - 1));
    const int64_t top = middle - bar->line / 2;
    const double text = (double)bar->text;
    const double below = (double)(y - middle) + text / 2; /* the upper edge of the number */

    if (y >= top && y < top + bar->line)
        memset(pixels + bar->bar, TSRI_COLOR_INK, (size_t)(bar->line + tick_length(bar)));
    if (below < -1 || below > text + 1) return;
    for (int64_t x = left; x < bar->width; ++x) {
        const unsigned char place =
            shade(tsri_text_ink(tick->text, text, (double)(x - left) + 0.5, below));
        if (place > pixels[x]) pixels[x] = place;
    }
}

static unsigned char color_of_row(const tsri_color_bar *bar, int64_t y)
{
    const double t = 1 - ((double)y + 0.5) / (double)bar->height;
    const int last = bar->scale.cyclic ? TSRI_COLORS : TSRI_COLORS - 1;
    return (unsigned char)(lround(t * last) % TSRI_COLORS);
}

void tsri_color_bar_row(const tsri_color_bar *bar, int64_t y, unsigned char *pixels)
{
    if (y >= 0 && y < bar->height) memset(pixels, color_of_row(bar, y), (size_t)bar->bar);
    for (int i = 0; i < bar->ticks; ++i)
        draw_tick(bar, &bar->tick[i], y, pixels);
}
