/* The colours of pictures. */
#ifndef TSRI_IO_COLORMAP_H
#define TSRI_IO_COLORMAP_H

#include <tessera/io.h>

/* Places in the palette: the map from low to high, an odd number so that one is the middle; then
 * grey for what has no colour; then shades from paper, which is white, to ink. */
enum {
    TSRI_COLORS = 245,
    TSRI_COLOR_NONE = TSRI_COLORS,
    TSRI_COLOR_PAPER,
    TSRI_COLOR_INK = 255,
    TSRI_PALETTE
};

/* Red, green and blue (sRGB) of every place. */
void tsri_colormap(tsr_color_map map, unsigned char palette[TSRI_PALETTE][3]);

/* Which values the colours stand for. */
typedef struct tsri_scale {
    double low, high;
    bool cyclic; /* values go round, and `high` is `low` again; else those beyond take the ends */
} tsri_scale;
/* The place of a value. */
unsigned char tsri_color_of(const tsri_scale *scale, double value);

#endif
