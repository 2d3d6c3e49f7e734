/* A box cut into smaller ones of a bounded number of cells. */
#ifndef TSRI_IO_BOXES_H
#define TSRI_IO_BOXES_H

#include <tessera/types.h>

typedef struct tsri_box {
    int ndim;
    int64_t start[TSR_MAX_NDIM], extent[TSR_MAX_NDIM];
    int64_t cells;
} tsri_box;

/* The boxes still to come. */
typedef struct tsri_boxes {
    tsri_box whole;
    bool done;
    int axis;     /* boxes are cut along this axis, one index wide before it and whole beyond it */
    int64_t step; /* indices of that axis a box */
    int64_t index[TSR_MAX_NDIM]; /* of the next box in the whole one */
} tsri_boxes;

/* Boxes of at most `limit` cells, or one when the limit is less. */
void tsri_boxes_start(tsri_boxes *boxes, int ndim, const int64_t *start, const int64_t *extent,
                      int64_t limit);
/* The next box, first axis slowest; false after the last. */
bool tsri_boxes_next(tsri_boxes *boxes, tsri_box *box);

#endif
