/* Pictures of planes: cells as squares, lines between blocks, a colour bar.  All local; rank 0. */
#ifndef TSRI_IO_DRAWING_H
#define TSRI_IO_DRAWING_H

#include "io/color_bar.h"
#include "io/plane.h"

/* A rectangle of pixels. */
typedef struct tsri_frame {
    int64_t left, top, width, height;
} tsri_frame;

typedef struct tsri_drawing {
    const tsri_plane *plane;
    tsri_frame picture;          /* where the cells are */
    int32_t *column_at, *row_at; /* the index at each pixel along an axis, or a line */
    unsigned char *cells;        /* the row of cells last drawn */
    bool barred;
    tsri_color_bar bar;
    tsri_frame colors;     /* where the bar's are */
    int64_t width, height; /* of everything */
} tsri_drawing;

/* Lay out the cells.  tsri_drawing_end() takes a zeroed drawing. */
tsr_status tsri_drawing_start(tsri_drawing *drawing, const tsri_plane *plane,
                              const tsr_picture_options *options);
void tsri_drawing_end(tsri_drawing *drawing);
/* Put a bar at the right side, before anything is drawn. */
tsr_status tsri_drawing_add_bar(tsri_drawing *drawing, const tsri_scale *scale);
/* Write the palette places of a row; the rows from the top down.  For tsri_png. */
void tsri_drawing_row(int64_t y, unsigned char *pixels, void *drawing);

#endif
