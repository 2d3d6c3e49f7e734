/* Where the elements that are reduced come from: an array, or an expression that is evaluated block
 * by block. */
#ifndef TSRI_REDUCE_SOURCE_H
#define TSRI_REDUCE_SOURCE_H

#include "expr/run.h"
#include "reduce/reduction.h"

typedef struct tsri_source {
    const tsr_layout *layout;
    tsr_dtype dtype;        /* of the elements */
    const tsr_array *array; /* NULL: an expression */
    tsri_run *run;
    tsr_status status; /* how the evaluation of the expression ended */
} tsri_source;

tsri_source tsri_source_of(const tsr_array *array);

/* Call `visit` for bands of this rank's block, as tsri_each_band() does, with places in an order
 * given by its strides (or NULL).  Expressions with shifted operands: collective. */
void tsri_source_bands(tsri_source *source, const int64_t *other, tsri_band_visitor *visit,
                       void *state);
/* Call `visit` for all elements of this rank's block, converted to a type, side by side, in C
 * order.  Expressions with shifted operands: collective. */
typedef void tsri_values_visitor(int64_t n, const void *values, void *state);
void tsri_each_values(tsri_source *source, tsr_dtype dtype, tsri_values_visitor *visit,
                      void *state);
/* The same, at most TSRI_CELLS at a time (so that they are still in cache when they are looked at
 * again), with their band, whose places are the numbers of the cells in the whole array. */
enum { TSRI_CELLS = 4096 };
typedef void tsri_cells_visitor(const tsri_band *band, const void *values, void *state);
void tsri_each_cells(tsri_source *source, tsri_cells_visitor *visit, void *state);

#endif
