/* A plane of an array, spanned by two of its axes, as one byte a cell on rank 0. */
#ifndef TSRI_IO_PLANE_H
#define TSRI_IO_PLANE_H

#include "array/array.h"
#include "io/colormap.h"

/* Cells of a plane that one rank owns, or all of them: rows along the first of its axes. */
typedef struct tsri_plane_part {
    int64_t rows, columns;
    int64_t offset; /* of its bytes among those of the plane, where parts follow each other */
} tsri_plane_part;

typedef struct tsri_plane {
    const tsr_array *array;
    int down, right;          /* the axes: rows follow each other along `down` */
    int64_t at[TSR_MAX_NDIM]; /* the plane's index on every other axis */
    tsri_axis row_axis, column_axis;
    tsri_plane_part mine; /* what this rank gives; empty when it gives nothing */
    unsigned char *bytes; /* on rank 0 those of the plane, elsewhere those of this rank's part */
} tsri_plane;

/* Choose a plane of an array of two axes or more by the options' axes and indices.  Local. */
tsr_status tsri_plane_choose(tsri_plane *plane, const tsr_array *array,
                             const tsr_picture_options *options);
/* Make room for its bytes.  Local.  tsri_plane_end() takes a zeroed plane. */
tsr_status tsri_plane_start(tsri_plane *plane);
void tsri_plane_end(tsri_plane *plane);

/* The smallest and the largest finite number in the plane, on all ranks; 0 and 0 when there is
 * none.  Collective; when it fails on one rank the numbers are undefined on all. */
tsr_status tsri_plane_range(const tsri_plane *plane, double *low, double *high);
/* Turn each cell into its colour's place, and collect these on rank 0.  Collective. */
tsr_status tsri_plane_collect(tsri_plane *plane, const tsri_scale *scale);
/* The bytes of one row, on rank 0 after they were collected. */
void tsri_plane_row(const tsri_plane *plane, int64_t row, unsigned char *bytes);

#endif
