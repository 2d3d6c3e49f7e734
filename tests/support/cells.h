/* Every cell of a view, halo cells too, read without the library. */
#ifndef TSRT_SUPPORT_CELLS_H
#define TSRT_SUPPORT_CELLS_H

#include "support/harness.h"

/* Cells of the storage, and the local indices of cell k in C order (negative, or beyond the extent,
 * in a halo).  True when this rank owns it. */
int64_t stored_cells(const tsr_view *view);
bool stored_cell(const tsr_view *view, int64_t k, int64_t *local);

/* The real part, and both parts, of the cell at local indices. */
double cell_value(const tsr_view *view, const int64_t *local);
void cell_parts(const tsr_view *view, const int64_t *local, double *parts);
/* Address of the cell at local indices. */
void *cell_at(const tsr_view *view, const int64_t *local);

/* A layout over all ranks, checked. */
tsr_layout *make_layout(int ndim, const int64_t *shape, const tsr_layout_options *options);
/* Whether all ranks have the same text of their last failure, not an empty one; collective. */
void check_same_text(void);
/* All cells, owned ones and halo cells, have one value. */
void check_all_cells(const tsr_array *array, double owned, double halo);

#endif
