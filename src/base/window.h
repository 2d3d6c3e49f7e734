/* Windows for one-sided MPI over memory of the library. */
#ifndef TSRI_BASE_WINDOW_H
#define TSRI_BASE_WINDOW_H

#include "base/context.h"

/* A window in which this rank shows `bytes` bytes, counted in units of `unit` bytes, with errors
 * set to return.  TSR_ERR_UNSUPPORTED without MPI.  Collective; a rank on which a call fails has a
 * window all the same, unless MPI itself gave none. */
tsr_status tsri_window_make(const tsri_context *context, void *memory, size_t bytes, size_t unit,
                            tsr_win *window);
/* TSR_WIN_NULL is fine.  Collective. */
void tsri_window_free(tsr_win *window);

/* A window that ranks may use at any time from now on, until it is freed; and one that is not to be
 * used so any more.  Collective. */
tsr_status tsri_window_open(tsr_win window);
void tsri_window_close(tsr_win window);
/* Add to number i of those that a rank shows, a window of 64-bit integers that is open; *before is
 * what it was.  No fault is injected: nobody else would know.  Local. */
tsr_status tsri_window_add(tsr_win window, int rank, int i, int64_t amount, int64_t *before);

#endif
