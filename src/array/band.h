/* Bands: what passes over this rank's block are made of. */
#ifndef TSRI_ARRAY_BAND_H
#define TSRI_ARRAY_BAND_H

#include "array/array.h"

/* Cells of a block in equal rows, and where they lie in another order, such as that of the cells of
 * the whole array: the first one at `offset`, then by steps. */
typedef struct tsri_band {
    const unsigned char *data;
    size_t size; /* bytes of an element */
    int64_t rows, cols;
    int64_t row_stride, col_stride; /* elements */
    int64_t offset, row_step, col_step;
} tsri_band;
typedef void tsri_band_visitor(const tsri_band *band, void *state);

/* Call `visit` for all cells of this rank's block, in C order, halo cells left out.  Axes that
 * follow each other in memory, and in the other order (given by its strides, or NULL), are one. */
void tsri_each_band(const tsr_array *array, const int64_t *other, tsri_band_visitor *visit,
                    void *state);

/* A band in pieces of at most `most` cells: several rows, or parts of one. */
typedef struct tsri_band_pieces {
    const tsri_band *band;
    int64_t most, row, col;
} tsri_band_pieces;
bool tsri_band_next(tsri_band_pieces *pieces, tsri_band *piece);

/* The same cells, columns as rows. */
tsri_band tsri_band_transposed(const tsri_band *band);

#endif
