/* Cells of arrays written to their places in a file, each by its owner, or by others for it. */
#ifndef TSRI_IO_WRITE_PARTS_H
#define TSRI_IO_WRITE_PARTS_H

#include "io/block_file.h"

typedef struct tsri_file_part {
    const tsr_array *array;
    tsri_file_data data; /* how the file keeps its cells */
} tsri_file_part;

/* Write the cells of arrays into a file that is there, those of replicated arrays from the root's
 * copy, and wait until the file is on the storage device.  Who writes is what TESSERA_FILE_WRITERS
 * says; but rank 0 writes all when some rank finds no such file, as happens where its folder is not
 * the same on all nodes.
 *
 * `context` has the ranks of the arrays; its rank 0 is the root.  `earlier` is the outcome of this
 * rank's work before, for the public call.  Collective; agrees. */
tsr_status tsri_write_parts(tsri_context *context, tsr_status earlier, uint64_t arguments,
                            const char *path, const char *name, int n, const tsri_file_part *parts);

#endif
