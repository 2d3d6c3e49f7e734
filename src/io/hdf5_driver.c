#include "io/hdf5_driver.h"

#include <string.h>

typedef struct driven {
    H5FD_t hdf5; /* first, for HDF5 */
    const tsri_file *file;
    haddr_t end;  /* of what HDF5 has given out */
    haddr_t size; /* of the file */
} driven;

static _Thread_local tsr_status failure;

static herr_t keep(tsr_status st)
{
    if (failure == TSR_OK) failure = st;
    return 0;
}

static H5FD_t *open_file(const char *name, unsigned flags, hid_t access, haddr_t most)
{
    const tsri_file *const *file = H5Pget_driver_info(access);
    driven *d = tsri_alloc(1, sizeof *d);
    int64_t bytes = 0;
    (void)name, (void)flags, (void)most;

    if (file == NULL || d == NULL || keep(tsri_file_size(*file, &bytes)) < 0 || failure != TSR_OK) {
        tsri_free(d);
        return NULL;
    }
    d->file = *file;
    d->size = (haddr_t)bytes;
    return &d->hdf5;
}

static herr_t close_file(H5FD_t *file)
{
    tsri_free(file);
    return 0;
}

/* What HDF5 may gather into larger reads and writes, as for a plain file. */
static herr_t query(const H5FD_t *file, unsigned long *features)
{
    (void)file;
    *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA |
                H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA |
                H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t get_end(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const driven *)file)->end;
}

static herr_t set_end(H5FD_t *file, H5FD_mem_t type, haddr_t end)
{
    (void)type;
    ((driven *)file)->end = end;
    return 0;
}

static haddr_t get_size(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const driven *)file)->size;
}

/* Beyond the end, and where reading failed, there are zeros. */
static herr_t read_bytes(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t bytes,
                         void *data)
{
    const driven *d = (driven *)file;
    const size_t there = at >= d->size ? 0 : d->size - at < bytes ? (size_t)(d->size - at) : bytes;
    (void)type, (void)transfer;

    if (failure == TSR_OK) keep(tsri_file_read(d->file, data, there, (int64_t)at));
    const size_t good = failure == TSR_OK ? there : 0;
    memset((char *)data + good, 0, bytes - good);
    return 0;
}

static herr_t write_bytes(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t bytes,
                          const void *data)
{
    driven *d = (driven *)file;
    (void)type, (void)transfer;

    if (failure == TSR_OK) keep(tsri_file_write(d->file, data, bytes, (int64_t)at));
    if (d->size < at + bytes) d->size = at + bytes;
    return 0;
}

static herr_t truncate_file(H5FD_t *file, hid_t transfer, hbool_t closing)
{
    driven *d = (driven *)file;
    (void)transfer, (void)closing;

    if (failure == TSR_OK && d->size != d->end) keep(tsri_file_resize(d->file, (int64_t)d->end));
    d->size = d->end;
    return 0;
}

static const H5FD_class_t class = {
#ifdef H5FD_CLASS_VERSION
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)600, /* of those that HDF5 leaves to others */
#endif
    .name = "tessera",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(const tsri_file *),
    .open = open_file,
    .close = close_file,
    .query = query,
    .get_eoa = get_end,
    .set_eoa = set_end,
    .get_eof = get_size,
    .read = read_bytes,
    .write = write_bytes,
    .truncate = truncate_file,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

herr_t tsri_hdf5_driver_use(hid_t access, const tsri_file *file, hid_t *driver)
{
    failure = TSR_OK;
    *driver = H5FDregister(&class);
    return *driver < 0 ? -1 : H5Pset_driver(access, *driver, &file);
}

tsr_status tsri_hdf5_driver_failure(void)
{
    return failure;
}
