/* Cells written by all ranks together, through a parallel HDF5. */
#ifndef TSRI_IO_HDF5_TOGETHER_H
#define TSRI_IO_HDF5_TOGETHER_H

#include "io/hdf5_request.h"

/* Write the scattered arrays of tsri_hdf5_fill().  Collective; the outcome is this rank's. */
tsr_status tsri_hdf5_write_together(const tsri_hdf5_request *request, const char *path,
                                    const int64_t *offset);

#endif
