/* Layouts cut by the elements of an array. */
#ifndef TSRI_REDUCE_WEIGHTS_H
#define TSRI_REDUCE_WEIGHTS_H

#include "array/array.h"

/* tsr_layout_create_balanced() after other work of a public call that has been entered.  Collective
 * over the weights; agrees. */
tsr_status tsri_layout_balance(const char *call, tsr_status earlier, const tsr_array *weights,
                               const tsr_layout_options *options, tsr_layout **layout);

#endif
