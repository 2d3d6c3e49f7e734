/* HDF5 files as one rank sees them.  All local.  Failures are TSR_ERR_IO with the file's name and
 * HDF5's reason; every call of HDF5 is a place where a fault can be injected. */
#ifndef TSRI_IO_HDF5_FILE_H
#define TSRI_IO_HDF5_FILE_H

#include "io/file.h"

#include <hdf5.h>

typedef struct tsri_hdf5 {
    hid_t id;         /* negative: not open */
    const char *name; /* as sentences name it */
    tsri_file file;
    hid_t driver;       /* by which HDF5 reaches it */
    bool silent;        /* HDF5 prints no errors of this thread while a file is open ... */
    H5E_auto2_t report; /* ... and does again what it did before */
    void *report_data;
} tsri_hdf5;

/* One that is not open. */
extern const tsri_hdf5 tsri_hdf5_closed;

typedef enum tsri_hdf5_mode {
    TSRI_HDF5_BYTES, /* nothing of HDF5's: to be read by the calls of file.h */
    TSRI_HDF5_READ,  /* without a lock */
    TSRI_HDF5_WRITE, /* an existing one */
    TSRI_HDF5_CREATE /* in the place of an empty file */
} tsri_hdf5_mode;

/* Open a file.  Sentences call it `name`, the path that the user gave, which is borrowed until it
 * is closed. */
tsr_status tsri_hdf5_open(tsri_hdf5 *file, const tsri_context *context, const char *path,
                          const char *name, tsri_hdf5_mode mode);
/* Close; takes a file that is not open.  Returns `st`, what failed before, or else the outcome. */
tsr_status tsri_hdf5_close(tsri_hdf5 *file, tsr_status st);

/* Keep "'<name>': HDF5 cannot <action>: <its reason>" as the last failure; returns TSR_ERR_IO. */
tsr_status tsri_hdf5_fail(const char *name, const char *action);
/* A call of HDF5, or an assignment of its result, that is negative on failure. */
#define TSRI_HDF5(label, name, action, call)                                                       \
    do {                                                                                           \
        if ((call) < 0 || tsri_fault()) {                                                          \
            st = tsri_hdf5_fail((name), (action));                                                 \
            goto label;                                                                            \
        }                                                                                          \
    } while (0)
/* Close an identifier of any kind, or one that was never opened. */
void tsri_hdf5_drop(hid_t id);

#endif
