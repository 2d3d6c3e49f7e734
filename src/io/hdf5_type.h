/* Element types as HDF5 has them. */
#ifndef TSRI_IO_HDF5_TYPE_H
#define TSRI_IO_HDF5_TYPE_H

#include "io/hdf5_file.h"

/* The type of elements in memory and in the files we write: bool and complex as h5py has them.
 * Negative on failure; the caller drops it. */
hid_t tsri_hdf5_type(tsr_dtype dtype);
/* The element type that holds what is stored as `type`; TSR_AUTO when there is none. */
tsr_dtype tsri_hdf5_dtype(hid_t type);
/* Make elements that came from a file valid: a bool is 0 or 1. */
void tsri_hdf5_settle(tsr_dtype dtype, int64_t count, void *elements);

#endif
