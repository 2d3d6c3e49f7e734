/* This rank's block, written to or read from its place in a file of the global array. */
#ifndef TSRI_IO_BLOCK_FILE_H
#define TSRI_IO_BLOCK_FILE_H

#include "array/array.h"
#include "io/file.h"

/* Local.  The data start `offset` bytes into the file; with `swapped` they are in the byte order
 * that this machine does not use. */
tsr_status tsri_block_write(const tsr_array *array, const tsri_file *file, int64_t offset);
tsr_status tsri_block_read(tsr_array *array, const tsri_file *file, int64_t offset, bool swapped);

#endif
