/* Pictures with a palette, written by libpng. */
#ifndef TSRI_IO_PNG_WRITE_H
#define TSRI_IO_PNG_WRITE_H

#include "io/file.h"

typedef struct tsri_png {
    int64_t width, height; /* in pixels */
    const unsigned char (*palette)[3];
    int colors;
    /* Write the palette places of one row; rows are asked for from the top down. */
    void (*row)(int64_t y, unsigned char *pixels, void *ctx);
    void *ctx;
} tsri_png;

/* Largest width and height; readers refuse more. */
enum { TSRI_PNG_LIMIT = 1000000 };

/* Whether this build has libpng. */
bool tsri_png_available(void);
/* Write a picture to an empty file.  Local. */
tsr_status tsri_png_write(const tsri_png *picture, const tsri_file *file);

#endif
