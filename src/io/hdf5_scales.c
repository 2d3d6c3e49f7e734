#include "io/hdf5_scales.h"

#include "io/hdf5_attributes.h"
#include "io/hdf5_dataset.h"
#include "io/hdf5_labels.h"

#include <hdf5_hl.h>
#include <stdio.h>
#include <string.h>

static const char action[] = "label an axis";

/* What netCDF calls a dimension that has no coordinates; the length follows. */
#define BARE_DIMENSION "This is a netCDF dimension but not a netCDF variable.%10lld"

tsr_status tsri_hdf5_be_scale(const tsri_hdf5 *file, hid_t dataset, const char *name)
{
    htri_t is = 0;
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, file->name, action, is = H5DSis_scale(dataset));
    if (is == 0) TSRI_HDF5(done, file->name, action, H5DSset_scale(dataset, name));
done:
    return st;
}

/* The path of a label's scale, beside the array. */
static tsr_status scale_path(const char *array, const tsr_axis_label *label, char **path)
{
    const size_t group = tsri_hdf5_group_bytes(array), bytes = strlen(label->name) + 1;
    tsr_status st = TSR_OK;

    TSRI_ALLOC(done, *path, group + bytes);
    memcpy(*path, array, group);
    memcpy(*path + group, label->name, bytes);
done:
    return st;
}

static tsr_status make_scale(const tsri_hdf5 *file, const char *path, const tsr_axis_label *label,
                             int64_t length, hid_t *scale)
{
    const tsri_hdf5_kind kind = {
        .dtype = label->values == NULL ? TSR_F32 : TSR_F64, .ndim = 1, .shape = {length}};
    const tsr_hdf5_options options = {0};
    char bare[100];
    tsr_status st = TSR_OK;

    snprintf(bare, sizeof bare, BARE_DIMENSION, (long long)length);
    TSRI_TRY(done, tsri_hdf5_dataset_make(file, path, &kind, &options, scale));
    TSRI_TRY(done, tsri_hdf5_be_scale(file, *scale, label->values == NULL ? bare : label->name));
done:
    return st;
}

/* The dataset of a label: one that is there, perhaps an array of this very call, or a new one. */
static tsr_status find_scale(const tsri_hdf5 *file, const char *path, const tsr_axis_label *label,
                             int64_t length, hid_t *scale)
{
    tsri_hdf5_kind there;
    bool exists;
    tsr_status st;

    TSRI_TRY(done, tsri_hdf5_has(file, path, &exists));
    if (!exists) {
        TSRI_TRY(done, make_scale(file, path, label, length, scale));
    } else {
        TSRI_TRY(done, tsri_hdf5_dataset_open(file, path, scale));
        TSRI_TRY(done, tsri_hdf5_dataset_kind(file, path, *scale, &there));
        TSRI_CHECK(done, there.ndim == 1 && there.shape[0] == length, TSR_ERR_VALUE,
                   "an axis is named '%.100s', but what " TSRI_PATH " has of this name is of other "
                   "cells",
                   label->name, file->name);
        TSRI_TRY(done, tsri_hdf5_be_scale(file, *scale, label->name));
    }
    if (label->values != NULL && length > 0)
        TSRI_HDF5(
            done, file->name, action,
            H5Dwrite(*scale, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, label->values));
    if (label->units != NULL)
        TSRI_TRY(done, tsri_hdf5_put_text(file->name, *scale, "units", label->units));
done:
    return st;
}

static tsr_status attach(const tsri_hdf5 *file, hid_t dataset, hid_t scale, unsigned axis)
{
    htri_t attached = 0;
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, file->name, action, attached = H5DSis_attached(dataset, scale, axis));
    if (attached == 0) TSRI_HDF5(done, file->name, action, H5DSattach_scale(dataset, scale, axis));
done:
    return st;
}

/* An array that is the coordinates of its own axis is a scale, and has none. */
static tsr_status label_axis(const tsri_hdf5 *file, const char *array, const tsr_axis_label *label,
                             int64_t length, hid_t dataset, unsigned axis)
{
    const bool itself = strcmp(array + tsri_hdf5_group_bytes(array), label->name) == 0;
    hid_t scale = H5I_INVALID_HID;
    char *path = NULL;
    tsr_status st;

    TSRI_TRY(done, scale_path(array, label, &path));
    TSRI_TRY(done, find_scale(file, path, label, length, &scale));
    if (!itself) TSRI_TRY(done, attach(file, dataset, scale, axis));
done:
    tsri_hdf5_drop(scale);
    tsri_free(path);
    return st;
}

tsr_status tsri_hdf5_put_labels(const tsri_hdf5_request *request, const tsri_hdf5 *file, int i,
                                hid_t dataset, hid_t time)
{
    const char *name = tsri_hdf5_plain_name(request->arrays[i].name);
    const int64_t *shape = request->arrays[i].array->layout->geometry.shape;
    const tsr_labels *labels = request->options->labels;
    const unsigned first = request->append;
    tsr_status st = TSR_OK;

    if (request->append) TSRI_TRY(done, attach(file, dataset, time, 0));
    if (labels == NULL) return TSR_OK;
    for (int a = 0; a < labels[i].naxes; ++a) {
        const tsr_axis_label *label = tsri_hdf5_label(request, i, a);
        if (label != NULL)
            TSRI_TRY(done, label_axis(file, name, label, shape[a], dataset, first + (unsigned)a));
    }
    if (labels[i].units != NULL)
        TSRI_TRY(done, tsri_hdf5_put_text(file->name, dataset, "units", labels[i].units));
    TSRI_TRY(done, tsri_hdf5_put_attributes(file->name, dataset, labels[i].attributes));
done:
    return st;
}
