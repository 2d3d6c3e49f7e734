/* The calls that need a file, in a build without HDF5. */
#include "base/error.h"

#include <tessera/hdf5.h>

static tsr_status missing(const char *call)
{
    return TSRI_FAIL_IN(call, TSR_ERR_UNSUPPORTED, "this build has no HDF5");
}

static void forget(int n, tsr_named_array *arrays)
{
    for (int i = 0; i < n && arrays != NULL; ++i)
        arrays[i].array = NULL;
}

tsr_status tsr_save_hdf5(const char *path, int n, const tsr_named_array *arrays,
                         const tsr_attributes *attributes)
{
    (void)path, (void)n, (void)arrays, (void)attributes;
    return missing(__func__);
}

tsr_status tsr_save_hdf5_as(const char *path, int n, const tsr_named_array *arrays,
                            const tsr_attributes *attributes, const tsr_hdf5_options *options)
{
    (void)path, (void)n, (void)arrays, (void)attributes, (void)options;
    return missing(__func__);
}

tsr_status tsr_load_hdf5(const char *path, tsr_comm comm, const tsr_layout_options *options, int n,
                         tsr_named_array *arrays, tsr_attributes *attributes)
{
    (void)path, (void)comm, (void)options, (void)attributes;
    forget(n, arrays);
    return missing(__func__);
}

tsr_status tsr_load_hdf5_all(const char *path, tsr_comm comm, const tsr_layout_options *options,
                             int *n, tsr_named_array **arrays, tsr_attributes *attributes)
{
    (void)path, (void)comm, (void)options, (void)attributes;
    if (n != NULL) *n = 0;
    if (arrays != NULL) *arrays = NULL;
    return missing(__func__);
}

tsr_status tsr_load_hdf5_record(const char *path, tsr_comm comm, int64_t record,
                                const tsr_layout_options *options, int n, tsr_named_array *arrays,
                                double *time)
{
    (void)path, (void)comm, (void)record, (void)options, (void)time;
    forget(n, arrays);
    return missing(__func__);
}

tsr_status tsr_load_hdf5_slice(const char *path, tsr_comm comm, const char *name,
                               const int64_t *start, const int64_t *shape,
                               const tsr_layout_options *options, tsr_array **array)
{
    (void)path, (void)comm, (void)name, (void)start, (void)shape, (void)options;
    if (array != NULL) *array = NULL;
    return missing(__func__);
}

tsr_status tsr_append_hdf5(const char *path, int n, const tsr_named_array *arrays, double time,
                           const tsr_hdf5_options *options)
{
    (void)path, (void)n, (void)arrays, (void)time, (void)options;
    return missing(__func__);
}

tsr_status tsr_checkpoint_save(const char *path, int n, const tsr_named_array *arrays,
                               const tsr_attributes *attributes)
{
    (void)path, (void)n, (void)arrays, (void)attributes;
    return missing(__func__);
}

tsr_status tsr_checkpoint_load(const char *path, int n, const tsr_named_array *arrays,
                               tsr_attributes *attributes)
{
    (void)path, (void)n, (void)arrays, (void)attributes;
    return missing(__func__);
}

tsr_status tsr_checkpoint_exists(const char *path, tsr_comm comm, bool *exists)
{
    (void)path, (void)comm;
    if (exists != NULL) *exists = false;
    return missing(__func__);
}
