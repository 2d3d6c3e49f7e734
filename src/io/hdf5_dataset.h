/* Datasets: where the cells of an array are in an HDF5 file.  Local. */
#ifndef TSRI_IO_HDF5_DATASET_H
#define TSRI_IO_HDF5_DATASET_H

#include "array/array.h"
#include "io/hdf5_file.h"

#include <tessera/hdf5.h>

/* Axes of a dataset: those of an array, and one of records. */
enum { TSRI_HDF5_MOST_AXES = TSR_MAX_NDIM + 1 };

/* What a dataset holds. */
typedef struct tsri_hdf5_kind {
    tsr_dtype dtype;
    int ndim;
    int64_t shape[TSRI_HDF5_MOST_AXES];
    bool grows; /* along axis 0, without limit */
} tsri_hdf5_kind;

tsri_hdf5_kind tsri_hdf5_kind_of(const tsr_array *array);

/* A dataset for these cells, with groups along its path: a new one, or with options->update one
 * that is there and fits.  The caller drops it. */
tsr_status tsri_hdf5_dataset_make(const tsri_hdf5 *file, const char *name,
                                  const tsri_hdf5_kind *kind, const tsr_hdf5_options *options,
                                  hid_t *dataset);
/* Whether something has the name; a failure when the way to it leads through no groups. */
tsr_status tsri_hdf5_has(const tsri_hdf5 *file, const char *name, bool *there);
/* One that is there; a failure when the name is missing or is of something else.  The caller drops
 * it. */
tsr_status tsri_hdf5_dataset_open(const tsri_hdf5 *file, const char *name, hid_t *dataset);
/* What it holds; a failure when that fits no array. */
tsr_status tsri_hdf5_dataset_kind(const tsri_hdf5 *file, const char *name, hid_t dataset,
                                  tsri_hdf5_kind *kind);

/* Whether its cells can be read and written: not when they are in other files, or filtered by what
 * this HDF5 does not have. */
tsr_status tsri_hdf5_dataset_check(const tsri_hdf5 *file, const char *name, hid_t dataset);

/* The bytes in the file before the cells, when these lie there as an array has them, in C order and
 * one run; else TSRI_HDF5_SCATTERED.  Nothing is plain without cells.  The second is of one record
 * of a dataset of this kind. */
enum { TSRI_HDF5_SCATTERED = -1 };
int64_t tsri_hdf5_dataset_offset(hid_t dataset, tsr_dtype dtype);
int64_t tsri_hdf5_record_offset(hid_t dataset, const tsri_hdf5_kind *kind, int64_t record);

#endif
