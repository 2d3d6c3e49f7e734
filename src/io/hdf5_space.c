#include "io/hdf5_space.h"

/* Select a box in a space, which is dropped when that fails. */
static hid_t select_box(hid_t space, int ndim, const int64_t *start, const int64_t *extent)
{
    hsize_t from[TSR_MAX_NDIM], count[TSR_MAX_NDIM];

    for (int a = 0; a < ndim; ++a) {
        from[a] = (hsize_t)start[a];
        count[a] = (hsize_t)extent[a];
    }
    if (space < 0 || ndim == 0 ||
        H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, count, NULL) >= 0)
        return space;
    tsri_hdf5_drop(space);
    return H5I_INVALID_HID;
}

static hid_t select_none(hid_t space)
{
    if (space < 0 || H5Sselect_none(space) >= 0) return space;
    tsri_hdf5_drop(space);
    return H5I_INVALID_HID;
}

hid_t tsri_hdf5_select(hid_t dataset, const tsri_box *box)
{
    const hid_t space = H5Dget_space(dataset);
    return box == NULL ? select_none(space) : select_box(space, box->ndim, box->start, box->extent);
}

static bool has_block(const tsr_array *array)
{
    return tsri_array_origin(array) != NULL;
}

hid_t tsri_hdf5_block_memory(const tsr_array *array, bool take)
{
    const tsri_geometry *geometry = &array->layout->geometry;
    int64_t extent[TSR_MAX_NDIM];
    hsize_t lengths[TSR_MAX_NDIM];

    tsri_geometry_storage(geometry, array->layout->rank, extent);
    for (int a = 0; a < geometry->ndim; ++a)
        lengths[a] = (hsize_t)extent[a];
    const hid_t space = geometry->ndim == 0 ? H5Screate(H5S_SCALAR)
                                            : H5Screate_simple(geometry->ndim, lengths, NULL);
    return take && has_block(array)
               ? select_box(space, geometry->ndim, geometry->halo_lo, array->extent)
               : select_none(space);
}

hid_t tsri_hdf5_block_file(const tsr_array *array, bool take, hid_t dataset)
{
    tsri_box box = {.ndim = array->layout->geometry.ndim};

    for (int a = 0; a < box.ndim; ++a) {
        box.start[a] = array->start[a];
        box.extent[a] = array->extent[a];
    }
    return tsri_hdf5_select(dataset, take && has_block(array) ? &box : NULL);
}
