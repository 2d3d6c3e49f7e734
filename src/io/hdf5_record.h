/* Time series: datasets that grow along axis 0, and the dataset of their times, whose length is the
 * number of records that count.  Local, on the root. */
#ifndef TSRI_IO_HDF5_RECORD_H
#define TSRI_IO_HDF5_RECORD_H

#include "io/hdf5_file.h"
#include "io/hdf5_request.h"

/* The dataset of the times, made if there is none, and how many there are.  The caller drops it. */
tsr_status tsri_hdf5_time_open(const tsri_hdf5_request *request, const tsri_hdf5 *file, hid_t *time,
                               int64_t *records);
/* The dataset of array i, made if there is none, with room for this record as its last one; and
 * where its cells go.  The caller drops it. */
tsr_status tsri_hdf5_record_make(const tsri_hdf5_request *request, const tsri_hdf5 *file, int i,
                                 int64_t record, hid_t *dataset, int64_t *offset);
/* Let the record count, whose cells are there. */
tsr_status tsri_hdf5_time_put(const tsri_hdf5_request *request, const tsri_hdf5_target *target);

#endif
