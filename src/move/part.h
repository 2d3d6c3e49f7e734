/* Selected parts of arrays: their layouts and arrays. */
#ifndef TSRI_MOVE_PART_H
#define TSRI_MOVE_PART_H

#include "array/array.h"

/* A layout that is cut near-evenly along some axes (TSR_WHOLE or 0: none) or, when they are too
 * short for the ranks, whole: to be handed to tsri_part_create().  Local. */
tsr_status tsri_part_layout(const char *call, tsri_context *context, int ndim, const int64_t *shape,
                            tsr_axes split, tsr_layout **layout);
/* Make the array of a part, without values.  `earlier` says how this rank's work before it ended;
 * `made` is its layout, which is given up.  Collective; agrees. */
tsr_status tsri_part_create(const char *call, tsri_context *context, tsr_status earlier,
                            uint64_t fingerprint, tsr_layout *made, tsr_dtype dtype,
                            tsr_array **part);

#endif
