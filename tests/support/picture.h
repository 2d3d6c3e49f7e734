/* Pictures read back through a decoder of its own (tests/oracle/png.py). */
#ifndef TSRT_SUPPORT_PICTURE_H
#define TSRT_SUPPORT_PICTURE_H

#include "io/colormap.h"
#include "support/file_cases.h"
#include "support/harness.h"

typedef struct picture {
    int width, height;
    unsigned char *rgb; /* on rank 0; freed by the caller */
} picture;

/* End this test as skipped when the build has no libpng. */
void need_png(void);
/* Read a picture of this test's folder, on rank 0. */
picture picture_read(const char *name);
const unsigned char *picture_pixel(const picture *p, int x, int y);
/* The place in a map whose colour the pixel has, or -1. */
int picture_place(const picture *p, tsr_color_map map, int x, int y);
bool picture_is(const picture *p, int x, int y, int red, int green, int blue);

/* An array of the values, each converted to the type. */
tsr_array *picture_array(tsr_dtype dtype, int ndim, const int64_t *shape,
                         tsr_layout_options options, const double *values);

#endif
