#include "io/hdf5_space.h"

/* Select a box in a space, which is dropped when that fails. */
static hid_t select_box(hid_t space, int ndim, const hsize_t *start, const hsize_t *extent)
{
    if (space < 0 || ndim == 0 ||
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, extent, NULL) >= 0)
        return space;
    tsri_hdf5_drop(space);
    return H5I_INVALID_HID;
}

hid_t tsri_hdf5_select(hid_t dataset, const tsri_box *box, int64_t record)
{
    const hid_t space = H5Dget_space(dataset);
    const int first = record >= 0;
    hsize_t start[TSR_MAX_NDIM + 1] = {(hsize_t)record}, extent[TSR_MAX_NDIM + 1] = {1};

    for (int a = 0; a < box->ndim; ++a) {
        start[first + a] = (hsize_t)box->start[a];
        extent[first + a] = (hsize_t)box->extent[a];
    }
    return select_box(space, first + box->ndim, start, extent);
}

hid_t tsri_hdf5_block_memory(const tsr_array *array)
{
    const tsri_geometry *geometry = &array->layout->geometry;
    int64_t extent[TSR_MAX_NDIM];
    hsize_t lengths[TSR_MAX_NDIM], start[TSR_MAX_NDIM], count[TSR_MAX_NDIM];

    tsri_geometry_storage(geometry, array->layout->rank, extent);
    for (int a = 0; a < geometry->ndim; ++a) {
        lengths[a] = (hsize_t)extent[a];
        start[a] = (hsize_t)geometry->halo_lo[a];
        count[a] = (hsize_t)array->extent[a];
    }
    const hid_t space = geometry->ndim == 0 ? H5Screate(H5S_SCALAR)
                                            : H5Screate_simple(geometry->ndim, lengths, NULL);
    return select_box(space, geometry->ndim, start, count);
}
