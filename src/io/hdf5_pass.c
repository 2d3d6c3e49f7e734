#include "io/hdf5_pass.h"

#include "io/hdf5_dataset.h"
#include "io/hdf5_fill.h"
#include "io/hdf5_space.h"
#include "io/hdf5_type.h"
#include "io/pass.h"

enum {
    /* Chunks that are not yet whole wait in memory, so that none is compressed twice. */
    CACHE_BYTES = 64 << 20,
    CACHE_SLOTS = 12421,
};

/* The passing of one array: the root has its dataset open, the others have nothing. */
typedef struct passing {
    tsri_pass pass;
    int64_t record;      /* as in the target */
    const char *name;    /* of the file */
    hid_t dataset, type; /* negative elsewhere, and after a failure */
} passing;

/* ---- one box --------------------------------------------------------------------------------- */

static tsr_status write_box(void *ctx, const tsri_box *box, void *cells)
{
    const passing *p = ctx;
    const hsize_t count = (hsize_t)box->cells;
    hid_t memory = H5I_INVALID_HID, place = memory;
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, p->name, "write a dataset", memory = H5Screate_simple(1, &count, NULL));
    TSRI_HDF5(done, p->name, "write a dataset",
              place = tsri_hdf5_select(p->dataset, box, p->record));
    TSRI_HDF5(done, p->name, "write a dataset",
              H5Dwrite(p->dataset, p->type, memory, place, H5P_DEFAULT, cells));
done:
    tsri_hdf5_drop(place);
    tsri_hdf5_drop(memory);
    return st;
}

/* ---- one array ------------------------------------------------------------------------------- */

static tsr_status open_dataset(passing *p, const tsri_hdf5 *file, const char *name)
{
    hid_t access = H5I_INVALID_HID;
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, p->name, "open a dataset", access = H5Pcreate(H5P_DATASET_ACCESS));
    TSRI_HDF5(done, p->name, "open a dataset",
              H5Pset_chunk_cache(access, CACHE_SLOTS, CACHE_BYTES, 1));
    TSRI_HDF5(done, p->name, "open a dataset", p->dataset = H5Dopen2(file->id, name, access));
    TSRI_HDF5(done, p->name, "open a dataset", p->type = tsri_hdf5_type(p->pass.array->dtype));
done:
    tsri_hdf5_drop(access);
    return st;
}

static void pass_array(passing *p, const tsri_hdf5 *file, const tsr_named_array *named)
{
    const tsr_layout *layout = named->array->layout;
    const int *place = tsri_context_places(layout->context);
    tsri_pass *pass = &p->pass;

    pass->array = named->array;
    pass->to = place == NULL ? 0 : place[0];
    p->dataset = p->type = H5I_INVALID_HID;
    const bool root = layout->rank == pass->to;

    if (root && pass->st == TSR_OK) pass->st = open_dataset(p, file, named->name);
    if (layout->geometry.whole)
        tsri_pass_block(pass, root ? layout->rank : TSR_NO_RANK);
    else if (root)
        for (int rank = 0; rank < layout->size; ++rank)
            tsri_pass_block(pass, rank);
    else
        tsri_pass_block(pass, layout->rank);
    tsri_hdf5_drop(p->type);
    /* What is still in the cache of chunks is written now. */
    if (p->dataset >= 0 && (H5Dclose(p->dataset) < 0 || tsri_fault()))
        tsri_keep(&pass->st, tsri_hdf5_fail(p->name, "write a dataset"));
}

/* ---- all ------------------------------------------------------------------------------------- */

tsr_status tsri_hdf5_pass_to_root(const tsri_hdf5_request *request, const tsri_hdf5_target *target)
{
    passing p = {.pass = {.bytes = tsri_pass_bytes(request->context), .take = write_box, .ctx = &p},
                 .record = target->record,
                 .name = request->path};
    tsri_hdf5 file = tsri_hdf5_closed;
    tsr_status st = TSR_OK;

    TSRI_ALLOC(ready, p.pass.buffer, p.pass.bytes);
    if (tsri_context_rank(request->context) == 0)
        TSRI_TRY(ready, tsri_hdf5_open(&file, request->context, target->path, request->path,
                                       TSRI_HDF5_WRITE));
ready:
    TSRI_TRY(done, tsri_agree(request->context, st, 0));
    for (int i = 0; i < request->n; ++i)
        if (tsri_hdf5_way_of(request, target, i) == TSRI_HDF5_PASSED)
            pass_array(&p, &file, &request->arrays[i]);
    st = p.pass.st;
done:
    tsri_free(p.pass.buffer);
    return tsri_hdf5_close(&file, st);
}
