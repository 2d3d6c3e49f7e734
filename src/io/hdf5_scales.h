/* HDF5 dimension scales: the names, coordinates and units of axes, as netCDF has them.  Local, on
 * the root. */
#ifndef TSRI_IO_HDF5_SCALES_H
#define TSRI_IO_HDF5_SCALES_H

#include "io/hdf5_file.h"
#include "io/hdf5_request.h"

/* Write what the labels of array i say: its units and attributes, and a scale on each named axis.
 * With a record the dataset has the time axis in front, whose scale is `time`. */
tsr_status tsri_hdf5_put_labels(const tsri_hdf5_request *request, const tsri_hdf5 *file, int i,
                                hid_t dataset, hid_t time);
/* Make a dataset a scale of this name, unless it is one. */
tsr_status tsri_hdf5_be_scale(const tsri_hdf5 *file, hid_t dataset, const char *name);

#endif
