/* One box of cells that is described along two sets of axes. */
#ifndef TSRI_MOVE_DIVIDE_H
#define TSRI_MOVE_DIVIDE_H

#include "base/error.h"

typedef struct tsri_axes {
    int64_t extent[TSR_MAX_NDIM], target_stride[TSR_MAX_NDIM], source_stride[TSR_MAX_NDIM];
} tsri_axes;

/* Axes that divide those of both descriptions, whose cells have the same order; returns their
 * number.  Either has merged axes of the box as its memory allows. */
int tsri_divide_axes(int target_ndim, const int64_t *target_extent, const int64_t *target_stride,
                     int source_ndim, const int64_t *source_extent, const int64_t *source_stride,
                     tsri_axes *axes);

#endif
