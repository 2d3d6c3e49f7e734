/* Files that rank 0 finds and other ranks do not, as happens where a folder is not the same on all
 * nodes: rank 0 reads for them. */
#ifndef TSRI_IO_FROM_ROOT_H
#define TSRI_IO_FROM_ROOT_H

#include "array/array.h"
#include "io/boxes.h"

/* Whether every rank that failed did so because it finds no file.  Collective; agrees. */
tsr_status tsri_only_missing(tsri_context *context, tsr_status st, bool missing, bool *only);
/* Agree on what reading came to, `missing` where this rank found no file; `only` says that it
 * failed on such ranks and no others, so that rank 0 may read for them.  Collective. */
tsr_status tsri_agree_on_reading(tsri_context *context, tsr_status st, uint64_t arguments,
                                 bool missing, bool *only);

/* On rank 0: the cells of a box of an array of the file, in C order. */
typedef tsr_status tsri_box_reader(void *ctx, const tsri_box *box, void *cells);
/* Read the blocks of those ranks that are `missing` the file, and send them to them, a few
 * megabytes at a time.  `earlier` is what failed before on this rank.  Collective; agrees. */
tsr_status tsri_read_from_root(tsri_context *context, tsr_status earlier, bool missing,
                               const tsr_array *array, tsri_box_reader *read, void *ctx);

#endif
