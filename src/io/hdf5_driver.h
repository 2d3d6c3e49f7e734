/* How HDF5 reads and writes a file: by the system calls of file.h.
 *
 * HDF5 does not survive a write that fails while it closes a file, nor a read while it opens one:
 * what is left over crashes, or goes round for ever, at the end of the program.  So a failure is
 * kept here, with the system's sentence; HDF5 is told that all went well, and reads zeros.  The
 * caller asks for the failure after closing. */
#ifndef TSRI_IO_HDF5_DRIVER_H
#define TSRI_IO_HDF5_DRIVER_H

#include "io/file.h"

#include <hdf5.h>

/* Let files opened with this access property list be `file`, open until HDF5 has closed it; its
 * name given to HDF5 does not matter.  `driver` is dropped then.  Negative on failure. */
herr_t tsri_hdf5_driver_use(hid_t access, const tsri_file *file, hid_t *driver);
/* The first failure of this thread's reads and writes since a file was last opened so. */
tsr_status tsri_hdf5_driver_failure(void);

#endif
