/* What HDF5 must know of MPI, in builds with a parallel HDF5. */
#ifndef TSRI_BASE_HDF5_H
#define TSRI_BASE_HDF5_H

#include "base/context.h"

/* Let files opened with this access property list be shared by the ranks of a context.  Negative on
 * failure, as HDF5 has it.  Collective. */
int tsri_hdf5_share(const tsri_context *context, int64_t access);

#endif
