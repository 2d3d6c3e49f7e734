/* The macro through which MPI is called.  For the *_mpi.c files of src/base. */
#ifndef TSRI_BASE_MPI_CALL_H
#define TSRI_BASE_MPI_CALL_H

#include "base/error.h"
#include "base/memory.h"

/* Keep MPI's own words for an error code as the last failure; returns TSR_ERR_MPI. */
tsr_status tsri_fail_mpi(int rc, const char *func, const char *file, int line, const char *call);

/* Needs a variable `st` and a label, like the macros in base/error.h.  A fault is injected after
 * the call, so that peers do not wait for ever. */
#define TSRI_MPI(label, call)                                                                      \
    do {                                                                                           \
        int rc_ = (call);                                                                          \
        if (tsri_fault()) rc_ = MPI_ERR_OTHER;                                                     \
        if (rc_ != MPI_SUCCESS) {                                                                  \
            st = tsri_fail_mpi(rc_, __func__, __FILE__, __LINE__, #call);                          \
            goto label;                                                                            \
        }                                                                                          \
    } while (0)

#endif
