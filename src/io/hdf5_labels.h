/* Labels of axes: which can be, and in HDF5 the dimension scales that they become. */
#ifndef TSRI_IO_HDF5_LABELS_H
#define TSRI_IO_HDF5_LABELS_H

#include "io/hdf5_request.h"

/* Whether the labels of a request go with its arrays and with each other; and their part of its
 * fingerprint.  Local. */
tsr_status tsri_hdf5_check_labels(const tsri_hdf5_request *request);
uint64_t tsri_hdf5_labels_hash(uint64_t hash, const tsri_hdf5_request *request);

/* The label of an axis of array i; NULL when it has none. */
const tsr_axis_label *tsri_hdf5_label(const tsri_hdf5_request *request, int i, int axis);
/* Bytes of an array's path that name its group, with the slash after it; 0 at the top level. */
size_t tsri_hdf5_group_bytes(const char *name);

#endif
