/* Replacing a file in one step: the new one is written beside it under a name of its own and
 * renamed when complete.  Readers see the old file or the new one, whole; a failure leaves the old
 * one as it was.  All local. */
#ifndef TSRI_IO_REPLACE_H
#define TSRI_IO_REPLACE_H

#include "io/file.h"

enum { TSRI_PATH_BYTES = 4096 };

typedef struct tsri_replacement {
    char target[TSRI_PATH_BYTES];    /* the path, symbolic links followed */
    char temporary[TSRI_PATH_BYTES]; /* the new file */
    bool made;                       /* whether the new file exists */
} tsri_replacement;

/* Create the new file, empty, with the permissions of the old one. */
tsr_status tsri_replace_begin(tsri_replacement *replacement, const tsri_context *context,
                              const char *path, tsri_file *file);
/* Put the new file, closed and complete, in the place of the old one.  Takes a zeroed replacement,
 * as of a stream, which has no old one. */
tsr_status tsri_replace_commit(tsri_replacement *replacement);
/* Remove the new file if there is one; takes a zeroed replacement. */
void tsri_replace_abandon(tsri_replacement *replacement);

#endif
