/* What a saving call was asked for. */
#ifndef TSRI_IO_HDF5_REQUEST_H
#define TSRI_IO_HDF5_REQUEST_H

#include "array/array.h"

#include <tessera/hdf5.h>

typedef struct tsri_hdf5_request {
    const char *call, *path;
    int n;
    const tsr_named_array *arrays;
    const tsr_attributes *attributes;
    const tsr_hdf5_options *options; /* never NULL once entered */
    bool append;                     /* a record of this time; else arrays as they are */
    double time;
    /* All arrays are of its ranks, perhaps in other orders; its rank 0, the root, makes the file's
     * structure. */
    tsri_context *context;
} tsri_hdf5_request;

/* For a call without records. */
enum { TSRI_HDF5_NO_RECORD = -1 };

/* Where the cells go. */
typedef struct tsri_hdf5_target {
    const char *path;      /* of the file, which is closed; perhaps not the request's */
    int64_t record;        /* their index along axis 0 of every dataset; negative: there is none */
    const int64_t *offset; /* of each array, what tsri_hdf5_dataset_offset() gave */
} tsri_hdf5_target;

/* Enter the call: without a first array there is nothing to agree over.  Collective. */
tsr_status tsri_hdf5_enter(tsri_hdf5_request *request);
/* Everything that can be checked without the file; and the fingerprint of what must be the same on
 * all ranks, of a request that passed.  Local. */
tsr_status tsri_hdf5_check(const tsri_hdf5_request *request);
uint64_t tsri_hdf5_fingerprint(const tsri_hdf5_request *request);
/* Whether a path in a file is one; `what` it is of. */
tsr_status tsri_hdf5_check_name(const char *what, int i, const char *name);
/* A path in a file without the slash that may begin it. */
const char *tsri_hdf5_plain_name(const char *name);

#endif
