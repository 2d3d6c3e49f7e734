/* The exchange that shifted operands need. */
#ifndef TSRI_EXPR_STENCIL_H
#define TSRI_EXPR_STENCIL_H

#include "expr/sweep.h"

/* Start to fetch the halo cells that a bound program reads, and those alone, in one exchange of all
 * arrays.  Collective as tsr_halo_start(). */
tsr_status tsri_stencil_start(tsri_program *program, const tsri_setting *setting);
/* Complete it. */
tsr_status tsri_stencil_finish(tsri_program *program);

/* The cells that read none beyond the block, and the others: at most two boxes for each axis. */
enum { TSRI_MAX_RIMS = 2 * TSR_MAX_NDIM };
void tsri_stencil_inner(const tsri_program *program, const tsr_array *like, tsri_cells *inner);
int tsri_stencil_rims(const tsr_array *like, const tsri_cells *inner, tsri_cells *rims);

#endif
