/* The cells of arrays, written into datasets that are there. */
#ifndef TSRI_IO_HDF5_FILL_H
#define TSRI_IO_HDF5_FILL_H

#include "io/hdf5_request.h"

/* Write every rank's blocks to where they go, and wait until they are on the storage device.
 * Collective; agrees. */
tsr_status tsri_hdf5_fill(const tsri_hdf5_request *request, const tsri_hdf5_target *target);

/* How the cells of array i get there, the same on all ranks: by system calls of their owners;
 * through HDF5 on the root, to whom the others pass theirs; or there are none. */
typedef enum tsri_hdf5_way {
    TSRI_HDF5_PLAINLY,
    TSRI_HDF5_PASSED,
    TSRI_HDF5_NO_CELLS
} tsri_hdf5_way;
tsri_hdf5_way tsri_hdf5_way_of(const tsri_hdf5_request *request, const tsri_hdf5_target *target,
                               int i);

#endif
