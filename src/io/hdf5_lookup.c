/* Names in a file, and datasets that are there. */
#include "io/hdf5_dataset.h"
#include "io/hdf5_driver.h"

#include <hdf5_hl.h>

tsr_status tsri_hdf5_has(const tsri_hdf5 *file, const char *name, bool *there)
{
    const htri_t valid = H5LTpath_valid(file->id, name, true);

    *there = valid > 0;
    if (valid >= 0 && !tsri_fault()) return TSR_OK;
    if (tsri_hdf5_driver_failure() != TSR_OK) return tsri_hdf5_driver_failure();
    return TSRI_FAIL(TSR_ERR_IO,
                     TSRI_PATH ": '%.100s' goes through what is no group, or round in links",
                     file->name, name);
}

static bool is_link(const tsri_hdf5 *file, const char *name)
{
    H5L_info_t link;

    return H5LTpath_valid(file->id, name, false) > 0 &&
           H5Lget_info(file->id, name, &link, H5P_DEFAULT) >= 0 && link.type != H5L_TYPE_HARD;
}

tsr_status tsri_hdf5_dataset_open(const tsri_hdf5 *file, const char *name, hid_t *dataset)
{
    bool there;
    tsr_status st;

    TSRI_TRY(done, tsri_hdf5_has(file, name, &there));
    TSRI_CHECK(done, there || !is_link(file, name), TSR_ERR_IO,
               TSRI_PATH ": '%.100s' is a link to nothing, or to another file, which is not read",
               file->name, name);
    TSRI_CHECK(done, there, TSR_ERR_IO, TSRI_PATH ": there is nothing named '%.100s'", file->name,
               name);
    TSRI_HDF5(done, file->name, "open what has the name",
              *dataset = H5Oopen(file->id, name, H5P_DEFAULT));
    TSRI_CHECK(done, H5Iget_type(*dataset) == H5I_DATASET, TSR_ERR_IO,
               TSRI_PATH ": '%.100s' is not a dataset", file->name, name);
done:
    return st;
}

/* A filter that must be applied and cannot be; 0: none. */
static H5Z_filter_t missing_filter(hid_t properties, char *name, size_t bytes)
{
    for (int i = 0; i < H5Pget_nfilters(properties); ++i) {
        unsigned flags, config;
        size_t values = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(properties, (unsigned)i, &flags, &values, NULL, bytes, name, &config);
        if (filter > 0 && H5Zfilter_avail(filter) <= 0) return filter;
    }
    return 0;
}

tsr_status tsri_hdf5_dataset_check(const tsri_hdf5 *file, const char *name, hid_t dataset)
{
    char filter_name[100] = "";
    hid_t properties = H5I_INVALID_HID;
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, file->name, "read how a dataset is stored",
              properties = H5Dget_create_plist(dataset));
    TSRI_CHECK(done, H5Pget_layout(properties) != H5D_VIRTUAL, TSR_ERR_UNSUPPORTED,
               TSRI_PATH ": '%.100s' is a virtual dataset, whose cells are in other files",
               file->name, name);
    const H5Z_filter_t filter = missing_filter(properties, filter_name, sizeof filter_name);
    TSRI_CHECK(done, filter == 0, TSR_ERR_UNSUPPORTED,
               TSRI_PATH ": '%.100s' needs the filter %d ('%s'), which this HDF5 does not have",
               file->name, name, (int)filter, filter_name);
done:
    tsri_hdf5_drop(properties);
    return st;
}
