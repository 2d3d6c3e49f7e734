/* The cells of arrays, written into datasets that are there. */
#ifndef TSRI_IO_HDF5_FILL_H
#define TSRI_IO_HDF5_FILL_H

#include "io/hdf5_request.h"

/* Write every rank's blocks into the closed file at `path`, which may be another one than the
 * request's, and wait until they are on the storage device.  offset[i] is what
 * tsri_hdf5_dataset_offset() gave for array i, the same on all ranks: plain cells are written by
 * their owners with system calls; others by all ranks together through a parallel HDF5, or else
 * through the root.  Collective; agrees. */
tsr_status tsri_hdf5_fill(const tsri_hdf5_request *request, const char *path,
                          const int64_t *offset);

#endif
