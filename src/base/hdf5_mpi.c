#include "base/hdf5.h"

#include "base/comm.h"

#include <hdf5.h>

int tsri_hdf5_share(const tsri_context *context, int64_t access)
{
    return H5Pset_fapl_mpio((hid_t)access, context->comm, MPI_INFO_NULL);
}
