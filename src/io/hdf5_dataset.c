#include "io/hdf5_dataset.h"

#include "io/hdf5_type.h"

/* About the bytes of a chunk when the user does not say. */
enum {
    CHUNK_BYTES = 1 << 20,
    RECORD_BYTES = 1 << 30, /* and at most of one that is a record */
    NUMBERS = 1024          /* that are records make a chunk */
};

tsri_hdf5_kind tsri_hdf5_kind_of(const tsr_array *array)
{
    const tsri_geometry *geometry = &array->layout->geometry;
    tsri_hdf5_kind kind = {.dtype = array->dtype, .ndim = geometry->ndim};

    for (int a = 0; a < kind.ndim; ++a)
        kind.shape[a] = geometry->shape[a];
    return kind;
}

/* ---- making ---------------------------------------------------------------------------------- */

static bool is_chunked(const tsri_hdf5_kind *kind, const tsr_hdf5_options *options)
{
    bool asked = options->gzip > 0, cells = kind->ndim > 0;

    for (int a = 0; a < kind->ndim; ++a) {
        asked = asked || options->chunk[a] > 0;
        cells = cells && kind->shape[a] > 0;
    }
    return kind->grows || (asked && cells);
}

static int64_t at_least_one(int64_t length)
{
    return length < 1 ? 1 : length;
}

/* Lengths of a chunk: those asked for, and beside them as many of the last axes as fit.  A chunk
 * that grows is one record, unless a record is one number. */
static void choose_chunk(const tsri_hdf5_kind *kind, const tsr_hdf5_options *options,
                         hsize_t chunk[TSRI_HDF5_MOST_AXES])
{
    const int first = kind->grows;
    const int64_t bytes = kind->grows && options->gzip == 0 ? RECORD_BYTES : CHUNK_BYTES;
    int64_t room = bytes / (int64_t)tsr_dtype_size(kind->dtype);

    for (int a = first; a < kind->ndim; ++a) {
        const int64_t asked = options->chunk[a - first], length = kind->shape[a];
        chunk[a] = asked > 0 ? (hsize_t)at_least_one(asked < length ? asked : length) : 0;
        if (chunk[a] > 0) room /= (int64_t)chunk[a];
    }
    for (int a = kind->ndim - 1; a >= first; --a) {
        if (chunk[a] > 0) continue;
        chunk[a] = (hsize_t)at_least_one(room < kind->shape[a] ? room : kind->shape[a]);
        room /= (int64_t)chunk[a];
    }
    if (kind->grows) chunk[0] = kind->ndim == 1 ? NUMBERS : 1;
}

/* Storage is there from the beginning, and nobody fills it, where every cell will be written by its
 * owner; compressed chunks get theirs when they are, and read as zeros before.  Without times the
 * bytes of a file depend on nothing but what is in it. */
static tsr_status make_properties(const char *owner, const tsri_hdf5_kind *kind,
                                  const tsr_hdf5_options *options, hid_t *properties)
{
    static const char action[] = "describe a dataset";
    hsize_t chunk[TSRI_HDF5_MOST_AXES];
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, owner, action, *properties = H5Pcreate(H5P_DATASET_CREATE));
    TSRI_HDF5(done, owner, action, H5Pset_obj_track_times(*properties, false));
    if (is_chunked(kind, options)) {
        choose_chunk(kind, options, chunk);
        TSRI_HDF5(done, owner, action, H5Pset_chunk(*properties, kind->ndim, chunk));
    }
    if (is_chunked(kind, options) && options->gzip > 0) {
        TSRI_CHECK(done, H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0, TSR_ERR_UNSUPPORTED,
                   "gzip is %d, but HDF5 was built without compression", options->gzip);
        TSRI_HDF5(done, owner, action, H5Pset_shuffle(*properties));
        TSRI_HDF5(done, owner, action, H5Pset_deflate(*properties, (unsigned)options->gzip));
    } else {
        TSRI_HDF5(done, owner, action, H5Pset_alloc_time(*properties, H5D_ALLOC_TIME_EARLY));
        TSRI_HDF5(done, owner, action, H5Pset_fill_time(*properties, H5D_FILL_TIME_NEVER));
    }
done:
    return st;
}

/* HDF5 has no chunks along an axis that can never have a cell, so an empty one may grow too. */
static hid_t make_space(const tsri_hdf5_kind *kind)
{
    hsize_t lengths[TSRI_HDF5_MOST_AXES], most[TSRI_HDF5_MOST_AXES];

    if (kind->ndim == 0) return H5Screate(H5S_SCALAR);
    for (int a = 0; a < kind->ndim; ++a) {
        lengths[a] = most[a] = (hsize_t)kind->shape[a];
        if (a == 0 || kind->shape[a] == 0) most[a] = H5S_UNLIMITED;
    }
    return H5Screate_simple(kind->ndim, lengths, kind->grows ? most : NULL);
}

static hid_t make_links(void)
{
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);

    if (links >= 0 && H5Pset_create_intermediate_group(links, 1) >= 0 &&
        H5Pset_char_encoding(links, H5T_CSET_UTF8) >= 0)
        return links;
    tsri_hdf5_drop(links);
    return H5I_INVALID_HID;
}

static tsr_status create(const tsri_hdf5 *file, const char *name, const tsri_hdf5_kind *kind,
                         const tsr_hdf5_options *options, hid_t *dataset)
{
    hid_t type = H5I_INVALID_HID, space = type, links = type, properties = type;
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, file->name, "describe a dataset", type = tsri_hdf5_type(kind->dtype));
    TSRI_HDF5(done, file->name, "describe a dataset", space = make_space(kind));
    TSRI_HDF5(done, file->name, "describe a dataset", links = make_links());
    TSRI_TRY(done, make_properties(file->name, kind, options, &properties));
    TSRI_HDF5(done, file->name, "create a dataset",
              *dataset = H5Dcreate2(file->id, name, type, space, links, properties, H5P_DEFAULT));
done:
    tsri_hdf5_drop(properties);
    tsri_hdf5_drop(links);
    tsri_hdf5_drop(space);
    tsri_hdf5_drop(type);
    return st;
}

/* ---- one that is there ----------------------------------------------------------------------- */

static tsr_status shape_of(const tsri_hdf5 *file, const char *name, hid_t space,
                           tsri_hdf5_kind *kind)
{
    const H5S_class_t form = H5Sget_simple_extent_type(space);
    hsize_t lengths[H5S_MAX_RANK], most[H5S_MAX_RANK];
    tsr_status st = TSR_OK;

    TSRI_CHECK(done, form == H5S_SCALAR || form == H5S_SIMPLE, TSR_ERR_IO,
               TSRI_PATH ": '%.100s' has no shape", file->name, name);
    TSRI_HDF5(done, file->name, "read a shape",
              kind->ndim = H5Sget_simple_extent_dims(space, lengths, most));
    TSRI_CHECK(done, kind->ndim <= TSRI_HDF5_MOST_AXES, TSR_ERR_IO,
               TSRI_PATH ": '%.100s' has %d ax%cs, must have at most %d", file->name, name,
               kind->ndim, TSRI_ES(kind->ndim), TSRI_HDF5_MOST_AXES);
    for (int a = 0; a < kind->ndim; ++a)
        kind->shape[a] = (int64_t)lengths[a];
    kind->grows = kind->ndim > 0 && most[0] == H5S_UNLIMITED;
done:
    return st;
}

tsr_status tsri_hdf5_dataset_kind(const tsri_hdf5 *file, const char *name, hid_t dataset,
                                  tsri_hdf5_kind *kind)
{
    hid_t type = H5I_INVALID_HID, space = type;
    tsr_status st = TSR_OK;

    *kind = (tsri_hdf5_kind){.dtype = TSR_AUTO};
    TSRI_HDF5(done, file->name, "read a type", type = H5Dget_type(dataset));
    TSRI_HDF5(done, file->name, "read a shape", space = H5Dget_space(dataset));
    kind->dtype = tsri_hdf5_dtype(type);
    TSRI_CHECK(done, kind->dtype != TSR_AUTO, TSR_ERR_IO,
               TSRI_PATH ": the elements of '%.100s' are of no type that an array has", file->name,
               name);
    TSRI_TRY(done, shape_of(file, name, space, kind));
done:
    tsri_hdf5_drop(space);
    tsri_hdf5_drop(type);
    return st;
}

static H5D_layout_t storage_of(hid_t dataset, bool *plain)
{
    const hid_t properties = H5Dget_create_plist(dataset);
    const H5D_layout_t storage = H5Pget_layout(properties);

    *plain = storage == H5D_CONTIGUOUS && H5Pget_external_count(properties) == 0;
    tsri_hdf5_drop(properties);
    return storage;
}

static bool is_of(hid_t dataset, tsr_dtype dtype)
{
    const hid_t ours = tsri_hdf5_type(dtype), theirs = H5Dget_type(dataset);
    const bool same = H5Tequal(ours, theirs) > 0;

    tsri_hdf5_drop(ours);
    tsri_hdf5_drop(theirs);
    return same;
}

int64_t tsri_hdf5_dataset_offset(hid_t dataset, tsr_dtype dtype)
{
    bool plain;

    storage_of(dataset, &plain);
    if (!plain || !is_of(dataset, dtype)) return TSRI_HDF5_SCATTERED;
    const haddr_t offset = H5Dget_offset(dataset);
    return offset == HADDR_UNDEF ? TSRI_HDF5_SCATTERED : (int64_t)offset;
}

/* Whether the storage is chunks of one record each, as they are in memory. */
static bool is_of_records(hid_t dataset, const tsri_hdf5_kind *kind)
{
    const hid_t properties = H5Dget_create_plist(dataset);
    hsize_t chunk[H5S_MAX_RANK];
    bool are = H5Pget_layout(properties) == H5D_CHUNKED && H5Pget_nfilters(properties) == 0 &&
               H5Pget_chunk(properties, kind->ndim, chunk) == kind->ndim && chunk[0] == 1;

    for (int a = 1; a < kind->ndim && are; ++a)
        are = chunk[a] == (hsize_t)kind->shape[a];
    tsri_hdf5_drop(properties);
    return are && is_of(dataset, kind->dtype);
}

int64_t tsri_hdf5_record_offset(hid_t dataset, const tsri_hdf5_kind *kind, int64_t record)
{
#if H5_VERSION_GE(1, 10, 5)
    const hsize_t first[H5S_MAX_RANK] = {(hsize_t)record};
    haddr_t offset = HADDR_UNDEF;
    hsize_t bytes;
    unsigned skipped;

    if (is_of_records(dataset, kind) &&
        H5Dget_chunk_info_by_coord(dataset, first, &skipped, &offset, &bytes) >= 0 &&
        offset != HADDR_UNDEF)
        return (int64_t)offset;
#else
    (void)dataset, (void)kind, (void)record;
#endif
    return TSRI_HDF5_SCATTERED;
}

/* Whether values can go where the old ones are. */
static bool fits(hid_t dataset, const tsri_hdf5_kind *there, const tsri_hdf5_kind *kind)
{
    bool same = there->ndim == kind->ndim, plain;

    for (int a = 0; a < kind->ndim && same; ++a)
        same = there->shape[a] == kind->shape[a];
    return same && (storage_of(dataset, &plain) == H5D_CHUNKED || plain);
}

/* Find the dataset with a name that is taken, or give the name free. */
static tsr_status find(const tsri_hdf5 *file, const char *name, const tsri_hdf5_kind *kind,
                       hid_t *dataset)
{
    tsri_hdf5_kind there;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_hdf5_dataset_open(file, name, dataset));
    if (is_of(*dataset, kind->dtype)) {
        TSRI_TRY(done, tsri_hdf5_dataset_kind(file, name, *dataset, &there));
        if (fits(*dataset, &there, kind)) return tsri_hdf5_dataset_check(file, name, *dataset);
    }
    tsri_hdf5_drop(*dataset);
    *dataset = H5I_INVALID_HID;
    TSRI_HDF5(done, file->name, "remove a dataset", H5Ldelete(file->id, name, H5P_DEFAULT));
done:
    return st;
}

tsr_status tsri_hdf5_dataset_make(const tsri_hdf5 *file, const char *name,
                                  const tsri_hdf5_kind *kind, const tsr_hdf5_options *options,
                                  hid_t *dataset)
{
    bool there = false;
    tsr_status st = TSR_OK;

    *dataset = H5I_INVALID_HID;
    if (options->update) TSRI_TRY(done, tsri_hdf5_has(file, name, &there));
    if (there) TSRI_TRY(done, find(file, name, kind, dataset));
    if (*dataset < 0) TSRI_TRY(done, create(file, name, kind, options, dataset));
done:
    return st;
}
