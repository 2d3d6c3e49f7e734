#include "io/from_root.h"
#include "io/hdf5_contents.h"
#include "io/hdf5_record.h"
#include "io/hdf5_space.h"
#include "io/hdf5_type.h"

#include <inttypes.h>
#include <string.h>

typedef struct reading {
    tsri_hdf5 file;
    const tsri_hdf5_contents *contents;
    int i; /* of the array at hand */
} reading;

static bool is_plain(const tsri_hdf5_contents *c, int i)
{
    return c->data[i].offset != TSRI_HDF5_SCATTERED;
}

/* HDF5 is needed for cells that are chunked, compressed or of another type. */
static tsri_hdf5_mode mode_for(const tsri_hdf5_contents *c)
{
    for (int i = 0; i < c->n; ++i)
        if (!is_plain(c, i)) return TSRI_HDF5_READ;
    return TSRI_HDF5_BYTES;
}

/* Ranks that see another file must not read it where rank 0's says. */
static tsr_status open_file(reading *r, const tsri_context *context, const char *path)
{
    int64_t bytes;
    tsr_status st;

    TSRI_TRY(done, tsri_hdf5_open(&r->file, context, path, path, mode_for(r->contents)));
    TSRI_TRY(done, tsri_file_size(&r->file.file, &bytes));
    TSRI_CHECK(done, bytes == r->contents->bytes, TSR_ERR_IO,
               TSRI_PATH " has %" PRId64 " bytes here and %" PRId64
                         " on rank 0: it is not the same file on all ranks",
               path, bytes, r->contents->bytes);
done:
    return st;
}

/* ---- through HDF5 ---------------------------------------------------------------------------- */

static tsri_box box_of(const tsr_array *array)
{
    tsri_box box = {.ndim = array->layout->geometry.ndim};

    for (int a = 0; a < box.ndim; ++a) {
        box.start[a] = array->start[a];
        box.extent[a] = array->extent[a];
    }
    return box;
}

/* Read the cells of a box of the array into those that `memory` selects of `bytes` bytes; drops it.
 * HDF5 leaves alone what a file has no chunks for, and no value to fill it: these are zeros. */
static tsr_status read_selected(const reading *r, tsri_box box, hid_t memory, void *cells,
                                size_t bytes)
{
    static const char action[] = "read a dataset";
    const tsri_hdf5_part *part = &r->contents->part;
    hid_t dataset = H5I_INVALID_HID, type = dataset, place = dataset;
    tsr_status st = TSR_OK;

    memset(cells, 0, bytes);
    for (int a = 0; a < box.ndim && part->start != NULL; ++a)
        box.start[a] += part->start[a];
    TSRI_HDF5(done, r->file.name, action, memory);
    TSRI_TRY(done, tsri_hdf5_dataset_open(&r->file, r->contents->arrays[r->i].name, &dataset));
    TSRI_HDF5(done, r->file.name, action, type = tsri_hdf5_type(r->contents->kinds[r->i].dtype));
    TSRI_HDF5(done, r->file.name, action,
              place = tsri_hdf5_select(dataset, &box,
                                       part->one_record ? part->record : TSRI_HDF5_NO_RECORD));
    TSRI_HDF5(done, r->file.name, action,
              H5Dread(dataset, type, memory, place, H5P_DEFAULT, cells));
done:
    tsri_hdf5_drop(place);
    tsri_hdf5_drop(type);
    tsri_hdf5_drop(dataset);
    tsri_hdf5_drop(memory);
    return st;
}

/* One rank of those that share an array reads all of it. */
static tsr_status read_block_scattered(const reading *r, const tsr_array *array)
{
    const size_t bytes = (size_t)array->cells * tsr_dtype_size(array->dtype);
    void *cells = array->storage->memory;

    if (tsri_array_target(array) == NULL) return TSR_OK;
    const tsr_status st =
        read_selected(r, box_of(array), tsri_hdf5_block_memory(array), cells, bytes);
    if (st == TSR_OK) tsri_hdf5_settle(array->dtype, array->cells, cells);
    return st;
}

static tsr_status read_box_scattered(const reading *r, const tsri_box *box, void *cells)
{
    const tsr_dtype dtype = r->contents->kinds[r->i].dtype;
    const size_t bytes = (size_t)box->cells * tsr_dtype_size(dtype);
    const hsize_t count = (hsize_t)box->cells;
    const tsr_status st = read_selected(r, *box, H5Screate_simple(1, &count, NULL), cells, bytes);

    if (st == TSR_OK) tsri_hdf5_settle(dtype, box->cells, cells);
    return st;
}

/* ---- in any way ------------------------------------------------------------------------------ */

static tsr_status read_block(const reading *r)
{
    const tsr_array *array = r->contents->arrays[r->i].array;
    const tsr_array share = tsri_array_share(array);
    const tsri_file_block block = tsri_file_block_of(&share);

    if (!is_plain(r->contents, r->i)) return read_block_scattered(r, array);
    if (share.cells == 0) return TSR_OK;
    return tsri_block_read(&block, &r->file.file, &r->contents->data[r->i]);
}

static tsr_status read_box(void *ctx, const tsri_box *box, void *cells)
{
    const reading *r = ctx;
    const tsri_hdf5_contents *c = r->contents;
    const tsri_file_block block = tsri_file_block_of_box(c->kinds[r->i].dtype, box, cells);

    return is_plain(c, r->i) ? tsri_block_read(&block, &r->file.file, &c->data[r->i])
                             : read_box_scattered(r, box, cells);
}

/* This rank's blocks. */
static tsr_status read_own(reading *r, const tsri_context *context, const char *path)
{
    tsr_status st = open_file(r, context, path);

    for (r->i = 0; r->i < r->contents->n && st == TSR_OK; ++r->i)
        st = read_block(r);
    return st;
}

/* The blocks of ranks that are missing the file, which rank 0 is not unless it has failed before.
 * Collective; agrees. */
static tsr_status read_for_others(reading *r, tsri_context *context, tsr_status own)
{
    const tsri_hdf5_contents *c = r->contents;
    tsr_status st = tsri_context_rank(context) == 0 ? own : TSR_OK;

    for (r->i = 0; r->i < c->n && (r->i == 0 || st == TSR_OK); ++r->i)
        st = tsri_read_from_root(context, st, r->file.file.missing, c->arrays[r->i].array, read_box,
                                 r);
    return st;
}

/* All ranks have the file open that they have read: when the path leads to it still on each of
 * them, it is one file; and on rank 0 it is as it was looked at. */
static tsr_status check_same(const reading *r, const tsri_context *context, const char *path)
{
    const tsri_file *file = &r->file.file;
    const tsri_file_mark *seen = &r->contents->mark;
    tsri_file_mark now = *seen;
    tsr_status st = TSR_OK;

    if (file->missing) return TSR_OK;
    if (tsri_context_rank(context) == 0) TSRI_TRY(done, tsri_file_mark_of(file, &now));
    TSRI_CHECK(done,
               tsri_file_is_at(file, path) && now.device == seen->device &&
                   now.number == seen->number && now.seconds == seen->seconds &&
                   now.nanoseconds == seen->nanoseconds,
               TSR_ERR_IO, TSRI_PATH " was replaced or written to while it was read", path);
done:
    return st;
}

tsr_status tsri_hdf5_read_cells(tsri_context *context, const char *path,
                                const tsri_hdf5_contents *c)
{
    reading r = {.contents = c, .file = tsri_hdf5_closed};
    bool only;

    if (c->n == 0) return tsri_agree(context, TSR_OK, 0);
    const tsr_status own = read_own(&r, context, path);
    tsr_status st = tsri_agree_on_reading(context, own, 0, r.file.file.missing, &only);
    if (only) st = read_for_others(&r, context, own);
    if (st != TSR_OK) return tsri_hdf5_close(&r.file, st);
    st = check_same(&r, context, path);
    return tsri_agree(context, tsri_hdf5_close(&r.file, st), 0);
}
