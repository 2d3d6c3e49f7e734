#include "io/hdf5_file.h"

#ifdef TSRI_HAVE_PARALLEL_HDF5
#include "base/hdf5.h"
#endif

#include <stdio.h>

/* ---- failures -------------------------------------------------------------------------------- */

/* The first call of the stack is the innermost one, which knows the reason. */
static herr_t keep_reason(unsigned n, const H5E_error2_t *error, void *reason)
{
    if (n == 0) snprintf(reason, 200, "%s", error->desc);
    return 0;
}

tsr_status tsri_hdf5_fail(const char *name, const char *action)
{
    char reason[200] = "no reason given";

    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_reason, reason);
    return TSRI_FAIL(TSR_ERR_IO, TSRI_PATH ": HDF5 cannot %s: %s", name, action, reason);
}

void tsri_hdf5_drop(hid_t id)
{
    if (id >= 0 && H5Iis_valid(id) > 0) H5Idec_ref(id);
}

static void be_silent(tsri_hdf5 *file)
{
    H5Eget_auto2(H5E_DEFAULT, &file->report, &file->report_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    file->silent = true;
}

/* ---- open and close -------------------------------------------------------------------------- */

/* Closing a file closes all that is still open in it.  Readers take no lock: some file systems have
 * none. */
static tsr_status make_access(const tsri_hdf5 *file, bool lock, hid_t *access)
{
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, file->name, "set how to open it", *access = H5Pcreate(H5P_FILE_ACCESS));
    TSRI_HDF5(done, file->name, "set how to open it",
              H5Pset_fclose_degree(*access, H5F_CLOSE_STRONG));
#if H5_VERSION_GE(1, 10, 7)
    TSRI_HDF5(done, file->name, "set how to open it", H5Pset_file_locking(*access, lock, true));
#else
    (void)lock;
#endif
done:
    return st;
}

/* What is wrong with a file in the system's own words, before HDF5 says it in others. */
static tsr_status check_file(const tsri_context *context, const char *path, const char *name,
                             bool write)
{
    tsri_file file;
    const tsr_status st =
        tsri_file_open(&file, context, path, name, write ? TSRI_FILE_WRITE : TSRI_FILE_READ);
    return tsri_file_close(&file, st);
}

tsr_status tsri_hdf5_open(tsri_hdf5 *file, const tsri_context *context, const char *path,
                          const char *name, tsri_hdf5_mode mode)
{
    hid_t access = H5I_INVALID_HID;
    tsr_status st = TSR_OK;

    *file = (tsri_hdf5){.id = H5I_INVALID_HID, .name = name};
    TSRI_TRY(done, check_file(context, path, name, mode != TSRI_HDF5_READ));
    be_silent(file);
    TSRI_TRY(done, make_access(file, mode == TSRI_HDF5_WRITE, &access));
    if (mode == TSRI_HDF5_CREATE)
        TSRI_HDF5(done, name, "create a file",
                  file->id = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access));
    else
        TSRI_HDF5(done, name, "open it as an HDF5 file",
                  file->id = H5Fopen(path, mode == TSRI_HDF5_READ ? H5F_ACC_RDONLY : H5F_ACC_RDWR,
                                     access));
done:
    tsri_hdf5_drop(access);
    return st;
}

#ifdef TSRI_HAVE_PARALLEL_HDF5

bool tsri_hdf5_is_parallel(void)
{
    return true;
}

/* A rank on which the preparation fails opens the file all the same: the others wait for it. */
tsr_status tsri_hdf5_open_together(tsri_hdf5 *file, tsri_context *context, const char *path,
                                   const char *name)
{
    hid_t access = H5I_INVALID_HID;

    *file = (tsri_hdf5){.id = H5I_INVALID_HID, .name = name};
    be_silent(file);
    tsr_status st = make_access(file, false, &access);
    if (st == TSR_OK && tsri_hdf5_share(context, access) < 0)
        st = tsri_hdf5_fail(name, "set how to open it on all ranks");
    st = tsri_agree(context, st, 0);
    if (st == TSR_OK)
        TSRI_HDF5(done, name, "open it on all ranks",
                  file->id = H5Fopen(path, H5F_ACC_RDWR, access));
done:
    tsri_hdf5_drop(access);
    return st;
}

#else

bool tsri_hdf5_is_parallel(void)
{
    return false;
}

tsr_status tsri_hdf5_open_together(tsri_hdf5 *file, tsri_context *context, const char *path,
                                   const char *name)
{
    (void)context, (void)path;
    *file = (tsri_hdf5){.id = H5I_INVALID_HID, .name = name};
    return TSRI_FAIL(TSR_ERR_INTERNAL, TSRI_PATH " on all ranks, but HDF5 is serial", name);
}

#endif

tsr_status tsri_hdf5_close(tsri_hdf5 *file, tsr_status st)
{
    if (file->id >= 0 && (H5Fclose(file->id) < 0 || tsri_fault()) && st == TSR_OK)
        st = tsri_hdf5_fail(file->name, "close it");
    if (file->silent) H5Eset_auto2(H5E_DEFAULT, file->report, file->report_data);
    file->id = H5I_INVALID_HID;
    file->silent = false;
    return st;
}
