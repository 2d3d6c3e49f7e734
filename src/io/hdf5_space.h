/* Which cells of a dataset and of a rank's memory a transfer is of. */
#ifndef TSRI_IO_HDF5_SPACE_H
#define TSRI_IO_HDF5_SPACE_H

#include "array/array.h"
#include "io/boxes.h"
#include "io/hdf5_file.h"

/* Spaces that the caller drops; negative on failure.
 *
 * The cells of a box of a dataset; of none with NULL. */
hid_t tsri_hdf5_select(hid_t dataset, const tsri_box *box);
/* This rank's block in the storage of an array, and in its dataset; no cells where there are none,
 * or with `take` false. */
hid_t tsri_hdf5_block_memory(const tsr_array *array, bool take);
hid_t tsri_hdf5_block_file(const tsr_array *array, bool take, hid_t dataset);

#endif
