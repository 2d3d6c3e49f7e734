/* Cells written by the root alone, to whom the other ranks pass theirs. */
#ifndef TSRI_IO_HDF5_PASS_H
#define TSRI_IO_HDF5_PASS_H

#include "io/hdf5_request.h"

/* Write the arrays that go this way, rank by rank and a few megabytes at a time.
 * Collective; the outcome is this rank's. */
tsr_status tsri_hdf5_pass_to_root(const tsri_hdf5_request *request, const tsri_hdf5_target *target);

#endif
