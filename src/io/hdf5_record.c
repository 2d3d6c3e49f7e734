#include "io/hdf5_record.h"

#include "io/hdf5_attributes.h"
#include "io/hdf5_dataset.h"
#include "io/hdf5_scales.h"
#include "io/hdf5_space.h"

#include <hdf5_hl.h>

static const char *time_name(const tsri_hdf5_request *request)
{
    return request->options->time_name == NULL ? "time" : request->options->time_name;
}

/* ---- times ----------------------------------------------------------------------------------- */

static tsr_status make_time(const tsri_hdf5_request *request, const tsri_hdf5 *file, hid_t *time)
{
    static const tsr_hdf5_options plain = {0};
    const tsri_hdf5_kind kind = {.dtype = TSR_F64, .ndim = 1, .grows = true};
    const char *name = time_name(request), *units = request->options->time_units;
    tsr_status st;

    TSRI_TRY(done, tsri_hdf5_dataset_make(file, name, &kind, &plain, time));
    TSRI_TRY(done, tsri_hdf5_be_scale(file, *time, name));
    if (units != NULL) TSRI_TRY(done, tsri_hdf5_put_text(file->name, *time, "units", units));
done:
    return st;
}

tsr_status tsri_hdf5_time_open(const tsri_hdf5_request *request, const tsri_hdf5 *file, hid_t *time,
                               int64_t *records)
{
    const char *name = time_name(request);
    tsri_hdf5_kind kind = {.shape = {0}};
    htri_t there = 0;
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, file->name, "look for the times", there = H5LTpath_valid(file->id, name, true));
    if (there == 0) {
        TSRI_TRY(done, make_time(request, file, time));
    } else {
        TSRI_TRY(done, tsri_hdf5_dataset_open(file, name, time));
        TSRI_TRY(done, tsri_hdf5_dataset_kind(file, name, *time, &kind));
        TSRI_CHECK(done, kind.ndim == 1 && kind.grows, TSR_ERR_VALUE,
                   "'%.100s' in " TSRI_PATH " is no time axis, which has one axis that grows", name,
                   file->name);
    }
    *records = kind.shape[0];
done:
    return st;
}

tsr_status tsri_hdf5_time_put(const tsri_hdf5_request *request, const tsri_hdf5_target *target)
{
    static const char action[] = "write a time";
    const hsize_t records = (hsize_t)target->record + 1;
    const tsri_box number = {.ndim = 0};
    hid_t time = H5I_INVALID_HID, memory = time, place = time;
    tsri_hdf5 file;
    tsr_status st;

    TSRI_TRY(close,
             tsri_hdf5_open(&file, request->context, target->path, request->path, TSRI_HDF5_WRITE));
    TSRI_TRY(close, tsri_hdf5_dataset_open(&file, time_name(request), &time));
    TSRI_HDF5(close, file.name, action, H5Dset_extent(time, &records));
    TSRI_HDF5(close, file.name, action, memory = H5Screate(H5S_SCALAR));
    TSRI_HDF5(close, file.name, action, place = tsri_hdf5_select(time, &number, target->record));
    TSRI_HDF5(close, file.name, action,
              H5Dwrite(time, H5T_NATIVE_DOUBLE, memory, place, H5P_DEFAULT, &request->time));
close:
    tsri_hdf5_drop(place);
    tsri_hdf5_drop(memory);
    tsri_hdf5_drop(time);
    return tsri_hdf5_close(&file, st);
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* A dataset of records of an array: how it is when it has this one. */
static tsri_hdf5_kind kind_of_records(const tsr_array *array, int64_t record)
{
    const tsri_hdf5_kind one = tsri_hdf5_kind_of(array);
    tsri_hdf5_kind kind = {.dtype = one.dtype, .ndim = one.ndim + 1, .grows = true};

    kind.shape[0] = record + 1;
    for (int a = 0; a < one.ndim; ++a)
        kind.shape[a + 1] = one.shape[a];
    return kind;
}

static tsr_status check_records(const tsri_hdf5 *file, const char *name, hid_t dataset,
                                const tsri_hdf5_kind *kind)
{
    tsri_hdf5_kind there;
    tsr_status st;

    TSRI_TRY(done, tsri_hdf5_dataset_kind(file, name, dataset, &there));
    bool same = there.dtype == kind->dtype && there.ndim == kind->ndim && there.grows;
    for (int a = 1; a < kind->ndim && same; ++a)
        same = there.shape[a] == kind->shape[a];
    TSRI_CHECK(done, same, TSR_ERR_VALUE,
               "'%.100s' in " TSRI_PATH " is no time series of arrays of this shape and type", name,
               file->name);
done:
    return st;
}

tsr_status tsri_hdf5_record_make(const tsri_hdf5_request *request, const tsri_hdf5 *file, int i,
                                 int64_t record, hid_t *dataset, int64_t *offset)
{
    const char *name = request->arrays[i].name;
    const tsri_hdf5_kind kind = kind_of_records(request->arrays[i].array, record);
    hsize_t lengths[TSRI_HDF5_MOST_AXES];
    htri_t there = 0;
    tsr_status st = TSR_OK;

    for (int a = 0; a < kind.ndim; ++a)
        lengths[a] = (hsize_t)kind.shape[a];
    TSRI_HDF5(done, file->name, "look for a name", there = H5LTpath_valid(file->id, name, true));
    if (there == 0) {
        TSRI_TRY(done, tsri_hdf5_dataset_make(file, name, &kind, request->options, dataset));
    } else {
        TSRI_TRY(done, tsri_hdf5_dataset_open(file, name, dataset));
        TSRI_TRY(done, check_records(file, name, *dataset, &kind));
        TSRI_HDF5(done, file->name, "let a dataset grow", H5Dset_extent(*dataset, lengths));
    }
    *offset = tsri_hdf5_record_offset(*dataset, &kind, record);
done:
    return st;
}
