#include "io/hdf5_record.h"

#include "io/hdf5_attributes.h"
#include "io/hdf5_dataset.h"
#include "io/hdf5_scales.h"
#include "io/hdf5_space.h"

#include <hdf5_hl.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

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
    bool there;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_hdf5_has(file, name, &there));
    if (!there) {
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

static const char time_action[] = "access a time";

/* Write or read the time of a record. */
static tsr_status access_time(const tsri_hdf5 *file, hid_t times, int64_t record,
                              const double *written, double *read)
{
    const tsri_box number = {.ndim = 0};
    hid_t memory = H5I_INVALID_HID, place = memory;
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, file->name, time_action, memory = H5Screate(H5S_SCALAR));
    TSRI_HDF5(done, file->name, time_action, place = tsri_hdf5_select(times, &number, record));
    if (written != NULL)
        TSRI_HDF5(done, file->name, time_action,
                  H5Dwrite(times, H5T_NATIVE_DOUBLE, memory, place, H5P_DEFAULT, written));
    else
        TSRI_HDF5(done, file->name, time_action,
                  H5Dread(times, H5T_NATIVE_DOUBLE, memory, place, H5P_DEFAULT, read));
done:
    tsri_hdf5_drop(place);
    tsri_hdf5_drop(memory);
    return st;
}

tsr_status tsri_hdf5_time_put(const tsri_hdf5_request *request, const tsri_hdf5_target *target)
{
    const hsize_t records = (hsize_t)target->record + 1;
    hid_t times = H5I_INVALID_HID;
    tsri_hdf5 file;
    tsr_status st;

    TSRI_TRY(close,
             tsri_hdf5_open(&file, request->context, target->path, request->path, TSRI_HDF5_WRITE));
    TSRI_TRY(close, tsri_hdf5_dataset_open(&file, time_name(request), &times));
    TSRI_HDF5(close, file.name, time_action, H5Dset_extent(times, &records));
    TSRI_TRY(close, access_time(&file, times, target->record, &request->time, NULL));
close:
    tsri_hdf5_drop(times);
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
    TSRI_TRY(done, tsri_hdf5_dataset_check(file, name, dataset));
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
    bool there;
    tsr_status st = TSR_OK;

    for (int a = 0; a < kind.ndim; ++a)
        lengths[a] = (hsize_t)kind.shape[a];
    TSRI_TRY(done, tsri_hdf5_has(file, name, &there));
    if (!there) {
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

/* ---- one record ------------------------------------------------------------------------------ */

/* Keep the scale of an axis, the first that there is. */
static herr_t keep_scale(hid_t dataset, unsigned axis, hid_t scale, void *kept)
{
    (void)dataset, (void)axis;
    if (H5Iinc_ref(scale) < 0) return -1;
    *(hid_t *)kept = scale;
    return 1;
}

/* How many of the indices of axis 0 are records that count, and their times: negative when nothing
 * says them.  The caller drops these. */
static tsr_status count_records(const tsri_hdf5 *file, const char *name, hid_t dataset,
                                int64_t *count, hid_t *times)
{
    tsri_hdf5_kind kind;
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, file->name, "look for the times",
              H5DSiterate_scales(dataset, 0, NULL, keep_scale, times));
    if (*times < 0) return TSR_OK;
    TSRI_TRY(done, tsri_hdf5_dataset_kind(file, name, *times, &kind));
    TSRI_CHECK(done, kind.ndim == 1, TSR_ERR_IO,
               TSRI_PATH ": the coordinates of axis 0 of '%.100s' have %d ax%cs", file->name, name,
               kind.ndim, TSRI_ES(kind.ndim));
    if (kind.shape[0] < *count) *count = kind.shape[0];
done:
    return st;
}

tsr_status tsri_hdf5_record_find(const tsri_hdf5 *file, const char *name, hid_t dataset,
                                 tsri_hdf5_kind *kind, int64_t *record, double *time)
{
    int64_t count = kind->shape[0], given = *record;
    hid_t times = H5I_INVALID_HID;
    tsr_status st = TSR_OK;

    TSRI_CHECK(done, kind->ndim > 0, TSR_ERR_VALUE,
               "'%.100s' in " TSRI_PATH " has no axes, so it has no records", name, file->name);
    TSRI_TRY(done, count_records(file, name, dataset, &count, &times));
    if (given < 0) *record += count;
    TSRI_CHECK(done, *record >= 0 && *record < count, TSR_ERR_INDEX,
               "record %" PRId64 " is asked, '%.100s' in " TSRI_PATH " has %" PRId64, given, name,
               file->name, count);
    if (time != NULL) *time = NAN;
    if (time != NULL && times >= 0) TSRI_TRY(done, access_time(file, times, *record, NULL, time));
    --kind->ndim;
    memmove(kind->shape, kind->shape + 1, (size_t)kind->ndim * sizeof kind->shape[0]);
done:
    tsri_hdf5_drop(times);
    return st;
}
