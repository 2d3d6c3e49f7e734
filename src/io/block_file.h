/* Blocks written to or read from their places in a file. */
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

/* Local.  Reading converts to the block's element type; the file's must be the block's for writing.
 */
tsr_status tsri_block_write(const tsri_file_block *block, const tsri_file *file,
                            const tsri_file_data *data);
tsr_status tsri_block_read(const tsri_file_block *block, const tsri_file *file,
                           const tsri_file_data *data);

/* Whether a box of these lengths at `start` lies in what a file holds, an array of `lengths`:
 * TSR_OK, TSR_ERR_VALUE (NULL, negative lengths) or TSR_ERR_INDEX, for a public call.  Local. */
tsr_status tsri_file_check_box(const char *call, const char *path, int ndim, const int64_t *lengths,
                               const int64_t *start, const int64_t *shape);
/* What must be the same on all ranks of a box; takes NULL. */
uint64_t tsri_file_hash_box(uint64_t hash, int ndim, const int64_t *start, const int64_t *shape);

#endif
