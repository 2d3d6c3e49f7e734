#include "io/hdf5_together.h"

#include "io/hdf5_dataset.h"
#include "io/hdf5_space.h"
#include "io/hdf5_type.h"

/* What one write needs; negative where not open. */
typedef struct writing {
    hid_t dataset, type, memory, place, transfer;
} writing;

static void end_writing(writing *w)
{
    tsri_hdf5_drop(w->transfer);
    tsri_hdf5_drop(w->place);
    tsri_hdf5_drop(w->memory);
    tsri_hdf5_drop(w->type);
    tsri_hdf5_drop(w->dataset);
}

/* A rank without cells takes part with none. */
static tsr_status begin_writing(writing *w, const tsri_hdf5 *file, const tsr_named_array *named,
                                bool take)
{
    static const char action[] = "prepare to write a dataset";
    const char *owner = file->name;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_hdf5_dataset_open(file, named->name, &w->dataset));
    TSRI_HDF5(done, owner, action, w->type = tsri_hdf5_type(named->array->dtype));
    TSRI_HDF5(done, owner, action, w->memory = tsri_hdf5_block_memory(named->array, take));
    TSRI_HDF5(done, owner, action, w->place = tsri_hdf5_block_file(named->array, take, w->dataset));
    TSRI_HDF5(done, owner, action, w->transfer = H5Pcreate(H5P_DATASET_XFER));
#ifdef H5_HAVE_PARALLEL
    TSRI_HDF5(done, owner, action, H5Pset_dxpl_mpio(w->transfer, H5FD_MPIO_COLLECTIVE));
#endif
done:
    return st;
}

/* No rank writes unless all are ready to. */
static tsr_status write_array(const tsri_hdf5_request *request, const tsri_hdf5 *file,
                              const tsr_named_array *named)
{
    writing w = {H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID,
                 H5I_INVALID_HID};
    const tsr_array *array = named->array;
    const bool take =
        tsr_layout_is_distributed(array->layout) || tsri_context_rank(request->context) == 0;
    const char nothing = 0; /* HDF5 wants an address even for no cells */
    const void *cells = array->storage->memory == NULL ? &nothing : array->storage->memory;
    tsr_status st = begin_writing(&w, file, named, take);

    TSRI_TRY(done, tsri_agree(request->context, st, 0));
    TSRI_HDF5(done, file->name, "write a dataset",
              H5Dwrite(w.dataset, w.type, w.memory, w.place, w.transfer, cells));
done:
    end_writing(&w);
    return st;
}

tsr_status tsri_hdf5_write_together(const tsri_hdf5_request *request, const char *path,
                                    const int64_t *offset)
{
    tsri_hdf5 file;
    tsr_status st = tsri_hdf5_open_together(&file, request->context, path, request->path);

    st = tsri_agree(request->context, st, 0);
    for (int i = 0; i < request->n && st == TSR_OK; ++i)
        if (offset[i] == TSRI_HDF5_SCATTERED &&
            request->arrays[i].array->layout->geometry.cells > 0)
            st = tsri_agree(request->context, write_array(request, &file, &request->arrays[i]), 0);
    return tsri_hdf5_close(&file, st);
}
