/* Time series: datasets that grow along axis 0, and the dataset of their times, whose length is the
 * number of records that count.  Local; what writes, on the root. */
#ifndef TSRI_IO_HDF5_RECORD_H
#define TSRI_IO_HDF5_RECORD_H

#include "io/hdf5_dataset.h"
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
/* The index of a record of a dataset that counts, which may be given from the end; its time, unless
 * that is NULL: NaN where nothing says it; and what the dataset holds, without the axis of records.
 */
tsr_status tsri_hdf5_record_find(const tsri_hdf5 *file, const char *name, hid_t dataset,
                                 tsri_hdf5_kind *kind, int64_t *record, double *time);

#endif
