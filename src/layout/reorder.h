/* Contexts whose ranks are placed by node for the process grid of a layout. */
#ifndef TSRI_LAYOUT_REORDER_H
#define TSRI_LAYOUT_REORDER_H

#include "base/context.h"
#include "layout/geometry.h"

/* The context of the same ranks, numbered so that node boundaries cut few halo cells: the given one
 * where that is as good.  Layouts of equal geometry get the same.  O(ranks) work and memory.
 * Borrowed.  Collective; agrees. */
tsr_status tsri_context_placed(tsri_context *context, const tsri_geometry *geometry,
                               tsri_context **placed);

#endif
