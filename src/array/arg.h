/* Arguments: what a call is given for a value. */
#ifndef TSRI_ARRAY_ARG_H
#define TSRI_ARRAY_ARG_H

#include "base/error.h"

#include <tessera/arg.h>

/* Whether an argument, with a name, is complete: an array, a number with a type, plain memory with
 * its shape.  `call` is the public function.  Local. */
tsr_status tsri_arg_check(const char *call, const tsr_arg *arg);
/* Strides of global data as an array of `ndim` axes, which it broadcasts to: 0 along axes that it
 * lacks, or has with length 1.  It may have more axes, of length 1, in front. */
void tsri_arg_strides(const tsr_arg *arg, int ndim, int64_t *stride);

#endif
