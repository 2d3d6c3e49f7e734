/* Running a program over a box of cells. */
#ifndef TSRI_EXPR_SWEEP_H
#define TSRI_EXPR_SWEEP_H

#include "array/band.h"
#include "expr/program.h"

/* Cells of this rank's block: half-open ranges of local indices. */
typedef struct tsri_cells {
    int ndim;
    int64_t lo[TSR_MAX_NDIM], hi[TSR_MAX_NDIM];
} tsri_cells;

/* Compute the cells of a box, from the program's home cursors, into the output; or hand them out,
 * as bands of cells side by side in C order, with their places in an order given by its strides (or
 * NULL).  Local. */
void tsri_sweep(tsri_program *program, const tsri_code *code, const tsri_cells *cells);
void tsri_sweep_bands(tsri_program *program, const tsri_code *code, const tsri_cells *cells,
                      const int64_t *other, tsri_band_visitor *visit, void *state);

#endif
