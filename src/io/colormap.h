/* The colours of pictures. */
#ifndef TSRI_IO_COLORMAP_H
#define TSRI_IO_COLORMAP_H

/* Places in the palette: the map from low to high, then two of their own. */
enum {
    TSRI_COLORS = 254,
    TSRI_COLOR_NAN = TSRI_COLORS, /* grey */
    TSRI_COLOR_LINE,              /* white */
    TSRI_PALETTE
};

/* Red, green and blue (sRGB) of every place. */
void tsri_colormap(unsigned char palette[TSRI_PALETTE][3]);
/* The place of a value: beyond the ends that of the ends. */
unsigned char tsri_color_of(double value, double low, double high);

#endif
