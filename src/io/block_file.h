/* This rank's block, written to or read from its place in a file. */
#ifndef TSRI_IO_BLOCK_FILE_H
#define TSRI_IO_BLOCK_FILE_H

#include "io/file.h"
#include "io/file_pieces.h"

/* How the cells of a file are kept. */
typedef struct tsri_file_data {
    tsri_file_frame frame;
    int64_t offset; /* bytes before the first cell */
    tsr_dtype dtype;
    bool swapped; /* in the byte order that this machine does not use */
} tsri_file_data;

/* Local.  Reading converts to the array's element type; the file's must be the array's for writing.
 */
tsr_status tsri_block_write(const tsr_array *array, const tsri_file *file,
                            const tsri_file_data *data);
tsr_status tsri_block_read(tsr_array *array, const tsri_file *file, const tsri_file_data *data);

#endif
