/* Running a program over a box of cells. */
#ifndef TSRI_EXPR_SWEEP_H
#define TSRI_EXPR_SWEEP_H

#include "expr/program.h"

/* Cells of this rank's block: half-open ranges of local indices. */
typedef struct tsri_cells {
    int ndim;
    int64_t lo[TSR_MAX_NDIM], hi[TSR_MAX_NDIM];
} tsri_cells;

/* Takes n cells side by side, in C order; `index` is the local index of the first, or NULL when
 * runs may go on from one row to the next. */
typedef void tsri_taker(void *ctx, const int64_t *index, int64_t n, const void *values);

/* Compute the cells of a box, from the program's home cursors, into the output; or, with `take`,
 * hand them out, row by row if `by_rows`.  Local. */
void tsri_sweep(tsri_program *program, const tsri_code *code, const tsri_cells *cells);
void tsri_sweep_take(tsri_program *program, const tsri_code *code, const tsri_cells *cells,
                     bool by_rows, tsri_taker *take, void *ctx);

#endif
