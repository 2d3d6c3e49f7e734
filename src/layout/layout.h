/* The layout object: a geometry, this rank's place in it, and a context to communicate over. */
#ifndef TSRI_LAYOUT_LAYOUT_H
#define TSRI_LAYOUT_LAYOUT_H

#include "base/context.h"
#include "layout/geometry.h"

#include <stdatomic.h>

struct tsr_layout {
    atomic_int refs;
    tsri_context *context;
    int rank, size;
    tsri_geometry geometry;
    tsri_live live;
    /* Plans made for this layout, kept here by src/move, and how to free them. */
    void *plans;
    void (*plans_free)(void *plans);
};

tsr_layout *tsri_layout_ref(tsr_layout *layout);
void tsri_layout_unref(tsr_layout *layout);

/* Normalise an axis number that may be negative; false when out of range. */
bool tsri_axis_normalise(int ndim, int *axis);
/* The bits of a set of axes for ndim axes (TSR_ALL_AXES becomes all of them); false for a bit
 * beyond. */
bool tsri_axes_normalise(int ndim, tsr_axes *axes);

#endif
