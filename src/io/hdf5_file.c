#include "io/hdf5_file.h"

#include "io/hdf5_driver.h"

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

    if (tsri_hdf5_driver_failure() != TSR_OK) return tsri_hdf5_driver_failure();
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

const tsri_hdf5 tsri_hdf5_closed = {
    .id = H5I_INVALID_HID, .file = {.descriptor = -1}, .driver = H5I_INVALID_HID};

/* Closing a file closes all that is still open in it. */
static tsr_status make_access(const tsri_hdf5 *file, hid_t *access)
{
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, file->name, "set how to open it", *access = H5Pcreate(H5P_FILE_ACCESS));
    TSRI_HDF5(done, file->name, "set how to open it",
              H5Pset_fclose_degree(*access, H5F_CLOSE_STRONG));
done:
    return st;
}

/* What is wrong with a file is said by the system, before HDF5 says it in other words. */
tsr_status tsri_hdf5_open(tsri_hdf5 *file, const tsri_context *context, const char *path,
                          const char *name, tsri_hdf5_mode mode)
{
    const bool reads = mode == TSRI_HDF5_READ || mode == TSRI_HDF5_BYTES;
    hid_t access = H5I_INVALID_HID;
    tsr_status st;

    *file = tsri_hdf5_closed;
    file->name = name;
    TSRI_TRY(done, tsri_file_open(&file->file, context, path, name,
                                  reads ? TSRI_FILE_READ : TSRI_FILE_CHANGE));
    if (mode == TSRI_HDF5_BYTES) return TSR_OK;
    be_silent(file);
    TSRI_TRY(done, make_access(file, &access));
    TSRI_HDF5(done, name, "set how to open it",
              tsri_hdf5_driver_use(access, &file->file, &file->driver));
    if (mode == TSRI_HDF5_CREATE)
        TSRI_HDF5(done, name, "create a file",
                  file->id = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access));
    else
        TSRI_HDF5(done, name, "open it as an HDF5 file",
                  file->id = H5Fopen(name, reads ? H5F_ACC_RDONLY : H5F_ACC_RDWR, access));
done:
    tsri_hdf5_drop(access);
    return st;
}

tsr_status tsri_hdf5_close(tsri_hdf5 *file, tsr_status st)
{
    if (file->id >= 0 && (H5Fclose(file->id) < 0 || tsri_fault()) && st == TSR_OK)
        st = tsri_hdf5_fail(file->name, "close it");
    if (file->id >= 0 && st == TSR_OK) st = tsri_hdf5_driver_failure();
    tsri_hdf5_drop(file->driver);
    if (file->silent) H5Eset_auto2(H5E_DEFAULT, file->report, file->report_data);
    file->id = file->driver = H5I_INVALID_HID;
    file->silent = false;
    return tsri_file_close(&file->file, st);
}
