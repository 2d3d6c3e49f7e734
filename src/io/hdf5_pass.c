#include "io/hdf5_pass.h"

#include "base/net.h"
#include "io/hdf5_dataset.h"
#include "io/hdf5_fill.h"
#include "io/hdf5_space.h"
#include "io/hdf5_type.h"
#include "kern/kern.h"

enum {
    BUFFER_BYTES = 4 << 20,
    LARGEST_ELEMENT = 16,
    /* Chunks that are not yet whole wait in memory, so that none is compressed twice. */
    CACHE_BYTES = 64 << 20,
    CACHE_SLOTS = 12421,
};

/* The passing of one array: the root has its dataset open, the others have nothing. */
typedef struct passing {
    const tsr_array *array;
    tsri_context *context; /* the array's own, in whose order its blocks are numbered */
    int root;
    int64_t record;      /* as in the target */
    const char *name;    /* of the file */
    hid_t dataset, type; /* negative elsewhere, and after a failure */
    unsigned char *buffer;
    size_t bytes; /* of the buffer */
    tsr_status st;
} passing;

static void keep(passing *p, tsr_status st)
{
    if (p->st == TSR_OK) p->st = st;
}

/* ---- one box --------------------------------------------------------------------------------- */

static void pack(const passing *p, const tsri_box *box)
{
    const tsr_array *array = p->array;
    const size_t size = tsr_dtype_size(array->dtype);
    const char *first = tsri_array_origin(array);
    int64_t packed[TSR_MAX_NDIM];

    for (int a = 0; a < box->ndim; ++a)
        first += (box->start[a] - array->start[a]) * array->stride[a] * (int64_t)size;
    tsri_c_strides(box->ndim, box->extent, packed);
    tsri_kern_get()->copy(size, box->ndim, box->extent, p->buffer, packed, first, array->stride);
}

/* A message is sent and received whatever failed before: the other end waits for it. */
static void send_box(passing *p, const tsri_box *box)
{
    const size_t bytes = (size_t)box->cells * tsr_dtype_size(p->array->dtype);
    tsri_request request;

    pack(p, box);
    keep(p, tsri_net_isend(p->context, p->buffer, bytes, p->root, TSRI_TAG_FILE, &request));
    keep(p, tsri_net_wait(p->context, 1, &request));
}

static void receive_box(passing *p, const tsri_box *box, int from)
{
    const size_t bytes = (size_t)box->cells * tsr_dtype_size(p->array->dtype);
    tsri_request request;

    keep(p, tsri_net_irecv(p->context, p->buffer, bytes, from, TSRI_TAG_FILE, &request));
    keep(p, tsri_net_wait(p->context, 1, &request));
}

static tsr_status write_box(const passing *p, const tsri_box *box)
{
    const hsize_t cells = (hsize_t)box->cells;
    hid_t memory = H5I_INVALID_HID, place = memory;
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, p->name, "write a dataset", memory = H5Screate_simple(1, &cells, NULL));
    TSRI_HDF5(done, p->name, "write a dataset",
              place = tsri_hdf5_select(p->dataset, box, p->record));
    TSRI_HDF5(done, p->name, "write a dataset",
              H5Dwrite(p->dataset, p->type, memory, place, H5P_DEFAULT, p->buffer));
done:
    tsri_hdf5_drop(place);
    tsri_hdf5_drop(memory);
    return st;
}

/* ---- one array ------------------------------------------------------------------------------- */

/* The block of a rank, as that rank and the root go through it. */
static void pass_block(passing *p, int rank)
{
    const tsr_layout *layout = p->array->layout;
    const bool mine = layout->rank == rank, root = layout->rank == p->root;
    int64_t start[TSR_MAX_NDIM], extent[TSR_MAX_NDIM];
    tsri_boxes boxes;
    tsri_box box;

    if (!mine && !root) return;
    if (!tsri_geometry_block(&layout->geometry, rank, start, extent)) return;
    tsri_boxes_start(&boxes, layout->geometry.ndim, start, extent,
                     (int64_t)(p->bytes / tsr_dtype_size(p->array->dtype)));
    while (tsri_boxes_next(&boxes, &box)) {
        if (!root)
            send_box(p, &box);
        else if (mine)
            pack(p, &box);
        else
            receive_box(p, &box, rank);
        if (root && p->st == TSR_OK) keep(p, write_box(p, &box));
    }
}

static tsr_status open_dataset(passing *p, const tsri_hdf5 *file, const char *name)
{
    hid_t access = H5I_INVALID_HID;
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, p->name, "open a dataset", access = H5Pcreate(H5P_DATASET_ACCESS));
    TSRI_HDF5(done, p->name, "open a dataset",
              H5Pset_chunk_cache(access, CACHE_SLOTS, CACHE_BYTES, 1));
    TSRI_HDF5(done, p->name, "open a dataset", p->dataset = H5Dopen2(file->id, name, access));
    TSRI_HDF5(done, p->name, "open a dataset", p->type = tsri_hdf5_type(p->array->dtype));
done:
    tsri_hdf5_drop(access);
    return st;
}

static void pass_array(passing *p, const tsri_hdf5 *file, const tsr_named_array *named)
{
    const tsr_layout *layout = named->array->layout;
    const int *place = tsri_context_places(layout->context);

    p->array = named->array;
    p->context = layout->context;
    p->root = place == NULL ? 0 : place[0];
    p->dataset = p->type = H5I_INVALID_HID;
    const bool root = layout->rank == p->root;

    if (root && p->st == TSR_OK) keep(p, open_dataset(p, file, named->name));
    if (layout->geometry.whole)
        pass_block(p, root ? layout->rank : TSR_NO_RANK);
    else if (root)
        for (int rank = 0; rank < layout->size; ++rank)
            pass_block(p, rank);
    else
        pass_block(p, layout->rank);
    tsri_hdf5_drop(p->type);
    /* What is still in the cache of chunks is written now. */
    if (p->dataset >= 0 && (H5Dclose(p->dataset) < 0 || tsri_fault()))
        keep(p, tsri_hdf5_fail(p->name, "write a dataset"));
}

/* ---- all ------------------------------------------------------------------------------------- */

static size_t buffer_bytes(const tsri_context *context)
{
    const int64_t limit = tsri_context_settings(context)->message_limit;

    if (limit > BUFFER_BYTES) return BUFFER_BYTES;
    return limit < LARGEST_ELEMENT ? LARGEST_ELEMENT : (size_t)limit;
}

tsr_status tsri_hdf5_pass_to_root(const tsri_hdf5_request *request, const tsri_hdf5_target *target)
{
    passing p = {
        .name = request->path, .record = target->record, .bytes = buffer_bytes(request->context)};
    tsri_hdf5 file = {.id = H5I_INVALID_HID, .file = {.descriptor = -1}, .driver = H5I_INVALID_HID};
    tsr_status st = TSR_OK;

    TSRI_ALLOC(ready, p.buffer, p.bytes);
    if (tsri_context_rank(request->context) == 0)
        TSRI_TRY(ready, tsri_hdf5_open(&file, request->context, target->path, request->path,
                                       TSRI_HDF5_WRITE));
ready:
    TSRI_TRY(done, tsri_agree(request->context, st, 0));
    for (int i = 0; i < request->n; ++i)
        if (tsri_hdf5_way_of(request, target, i) == TSRI_HDF5_PASSED)
            pass_array(&p, &file, &request->arrays[i]);
    st = p.st;
done:
    tsri_free(p.buffer);
    return tsri_hdf5_close(&file, st);
}
