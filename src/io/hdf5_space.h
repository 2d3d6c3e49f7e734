/* Which cells of a dataset and of a rank's memory a transfer is of. */
#ifndef TSRI_IO_HDF5_SPACE_H
#define TSRI_IO_HDF5_SPACE_H

#include "array/array.h"
#include "io/boxes.h"
#include "io/hdf5_file.h"

/* Spaces that the caller drops; negative on failure.
 *
 * The cells of a box of a dataset, in one record of it unless that is negative. */
hid_t tsri_hdf5_select(hid_t dataset, const tsri_box *box, int64_t record);
/* This rank's block, which has cells, in the storage of an array. */
hid_t tsri_hdf5_block_memory(const tsr_array *array);

#endif
