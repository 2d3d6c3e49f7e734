/* What a loading call finds in a file. */
#ifndef TSRI_IO_HDF5_CONTENTS_H
#define TSRI_IO_HDF5_CONTENTS_H

#include "io/block_file.h"
#include "io/hdf5_dataset.h"

/* Which cells of datasets are wanted: all, of one record, or from an index on. */
typedef struct tsri_hdf5_part {
    bool one_record;
    int64_t record;       /* then, in which case datasets have an axis of records in front; negative
                             ones count from the end */
    const int64_t *start; /* NULL: from the first */
} tsri_hdf5_part;

typedef struct tsri_hdf5_contents {
    int n;
    tsr_named_array *arrays; /* names, and arrays once they are made: see named_arrays.h */
    tsri_hdf5_kind *kinds;
    tsri_file_data *data;      /* where the cells are that lie plainly in the file; offset
                                  TSRI_HDF5_SCATTERED: not so */
    int64_t bytes;             /* of the file */
    tsri_file_mark mark;       /* on rank 0, of the file */
    tsr_attributes attributes; /* of the root group */
    tsri_hdf5_part part;       /* set before looking; then with the record's index */
    double time;               /* of the record, NaN when the file does not say */
} tsri_hdf5_contents;

/* Find the given names, or with a negative n all datasets at the top level.  Of one record, kinds
 * are without the axis of records.  Rank 0 looks, and tells the others.  Collective; agrees. */
tsr_status tsri_hdf5_look(tsri_context *context, const char *path, int n,
                          const tsr_named_array *given, tsri_hdf5_contents *contents);
/* Give every rank what rank 0 has found; the others' are as zeroed ones, but for the part.
 * Collective; unagreed. */
tsr_status tsri_hdf5_share(tsri_context *context, tsri_hdf5_contents *contents);
/* Read the wanted cells, into arrays that have been made: every rank its blocks, those that lie
 * plainly in the file with system calls and others through HDF5; or rank 0 for ranks that do not
 * find the file.  Fails when it is no longer the file that was looked at.  Collective; agrees. */
tsr_status tsri_hdf5_read_cells(tsri_context *context, const char *path,
                                const tsri_hdf5_contents *contents);
/* Hand the attributes out in the place of what `attributes` held; NULL: nobody asked for them. */
void tsri_hdf5_give_attributes(tsri_hdf5_contents *contents, tsr_attributes *attributes);
/* Destroy the arrays and free the rest; takes zeroed contents. */
void tsri_hdf5_contents_drop(tsri_hdf5_contents *contents);

#endif
