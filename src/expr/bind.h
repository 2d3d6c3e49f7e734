/* From the arguments of a call to what a program reads. */
#ifndef TSRI_EXPR_BIND_H
#define TSRI_EXPR_BIND_H

#include "expr/program.h"

/* Check what all ranks see alike: that arguments can be used with arrays of a layout.  Names are
 * checked when a program is made.  Local. */
tsr_status tsri_args_check(const char *call, const tsr_layout *layout, int count,
                           const tsr_arg *args);
tsr_status tsri_names_check(const char *call, int count, const tsr_arg *args);

/* Give a program the arguments of a call: its leaves at the first cell of this rank's block of
 * arrays like `like`, and its constants.  `output` is where that cell goes (NULL without an
 * output), with strides `stride`.  Local; failures are those that all ranks have. */
tsr_status tsri_bind(tsri_program *program, const tsri_setting *setting, const tsr_array *like);
void tsri_bind_output(tsri_program *program, void *output, const int64_t *stride, int ndim);

#endif
