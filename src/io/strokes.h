/* Numbers drawn with a pen of even width, in any size. */
#ifndef TSRI_IO_STROKES_H
#define TSRI_IO_STROKES_H

/* Text is made of digits, "-", "." and "e", with digits of the given height in pixels. */
double tsri_text_width(const char *text, double height);
/* How much ink is on the pixel around (x, y), from 0 to 1.  The origin is the upper left corner of
 * the text. */
double tsri_text_ink(const char *text, double height, double x, double y);

#endif
