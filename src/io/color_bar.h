/* The colour bar beside a picture: the colours from the low end at the bottom to the high end at
 * the top, with ticks and numbers. */
#ifndef TSRI_IO_COLOR_BAR_H
#define TSRI_IO_COLOR_BAR_H

#include "io/colormap.h"
#include "io/ticks.h"

#include <stdint.h>

typedef struct tsri_color_bar {
    tsri_scale scale;
    int64_t height; /* in pixels; numbers at the ends reach beyond by half their size */
    int64_t text;   /* height of the numbers */
    int64_t line;   /* thickness of lines */
    int64_t bar;    /* width of the colours alone */
    int64_t width;  /* of everything */
    tsri_tick tick[TSRI_MAX_TICKS];
    int ticks;
} tsri_color_bar;

void tsri_color_bar_make(tsri_color_bar *bar, const tsri_scale *scale, int64_t height,
                         int64_t text);
/* Write the palette places of row y, 0 at the top of the colours, over `width` pixels of paper. */
void tsri_color_bar_row(const tsri_color_bar *bar, int64_t y, unsigned char *pixels);

#endif
