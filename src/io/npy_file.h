/* .npy files as all ranks see them: rank 0 reads the header, every rank its own cells. */
#ifndef TSRI_IO_NPY_FILE_H
#define TSRI_IO_NPY_FILE_H

#include "io/block_file.h"
#include "io/npy_header.h"

/* A file that is being loaded. */
typedef struct tsri_npy_source {
    const char *path;
    tsri_npy_header header;
    tsri_file file;    /* missing: rank 0 reads for this one */
    bool some_miss_it; /* the same on all ranks */
} tsri_npy_source;

/* Rank 0 reads the header, and checks that the file is as long as it says; all ranks get it.
 * `earlier` is the outcome of the caller's own checks.  Collective; agrees. */
tsr_status tsri_npy_header_of(tsri_context *context, const char *path, tsr_status earlier,
                              uint64_t arguments, tsri_npy_header *header);
/* The same, and all ranks that find the file have it open: the same one, also while others are put
 * in its place under the path, which is borrowed.  Collective; agrees. */
tsr_status tsri_npy_open(tsri_context *context, const char *path, tsr_status earlier,
                         uint64_t arguments, tsri_npy_source *source);
/* Read this rank's block and close; the array's first cell is at `start` of the file (NULL: its
 * first).  Collective; agrees. */
tsr_status tsri_npy_read(tsri_npy_source *source, const int64_t *start, uint64_t arguments,
                         tsr_array *array);
/* Write all cells into a stream that rank 0 has open, for a public call.  Collective; agrees. */
tsr_status tsri_npy_stream(const char *call, const tsri_file *stream, const tsr_array *array);
/* What a header says, for reading and writing blocks. */
tsri_file_data tsri_npy_data(const tsri_npy_header *header, const int64_t *start);

#endif
