/* Stacking: rows that the ranks hold, in rank order one piece after another, move to the blocks of
 * a near-even axis.
 *
 * A piece's receivers follow from where it begins; its rows' sources tell the receivers, so that no
 * rank ever sees the lengths of all. */
#ifndef TSRI_MOVE_STACK_H
#define TSRI_MOVE_STACK_H

#include "array/array.h"
#include "move/plan.h"

/* The rows that all lower ranks hold together.  Collective; a rank on which a call fails still
 * takes part, so agree before it is used. */
tsr_status tsri_rows_before(tsri_context *context, int64_t rows, int64_t *before);

/* This rank's piece of an array that is split along one axis, a block for each rank. */
typedef struct tsri_stacked {
    const tsr_array *array;
    int axis;
    int64_t start, end;    /* its rows along the axis, in the array */
    const int64_t *stride; /* of its cells */
} tsri_stacked;

/* The plan that moves the pieces to the blocks.  Collective; agrees. */
tsr_status tsri_stack_plan_create(const tsri_stacked *piece, tsri_plan **plan);

#endif
