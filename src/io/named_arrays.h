/* Lists of named arrays that belong to the library until they are handed out. */
#ifndef TSRI_IO_NAMED_ARRAYS_H
#define TSRI_IO_NAMED_ARRAYS_H

#include "base/error.h"
#include "base/memory.h"

#include <tessera/hdf5.h>

/* Give an entry a copy of another's name, and no array.  tsr_named_arrays_destroy() takes entries
 * that were never given one. */
tsr_status tsri_named_array_set(tsr_named_array *entry, const tsr_named_array *given);

#endif
