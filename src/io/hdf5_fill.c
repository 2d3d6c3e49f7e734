#include "io/hdf5_fill.h"

#include "io/block_file.h"
#include "io/hdf5_dataset.h"
#include "io/hdf5_pass.h"
#include "io/hdf5_together.h"

/* Replicated copies may differ: the root's is the one that counts. */
static bool writes(const tsri_hdf5_request *request, const tsr_array *array)
{
    return tsri_array_origin(array) != NULL &&
           (tsr_layout_is_distributed(array->layout) || tsri_context_rank(request->context) == 0);
}

static bool has_scattered(const tsri_hdf5_request *request, const int64_t *offset)
{
    for (int i = 0; i < request->n; ++i)
        if (offset[i] == TSRI_HDF5_SCATTERED &&
            request->arrays[i].array->layout->geometry.cells > 0)
            return true;
    return false;
}

static tsr_status write_block(const tsr_array *array, const tsri_file *file, int64_t offset)
{
    const tsri_file_data data = {
        .frame = tsri_file_frame_of(array), .offset = offset, .dtype = array->dtype};
    return tsri_block_write(array, file, &data);
}

/* Local. */
static tsr_status write_plain(const tsri_hdf5_request *request, const char *path,
                              const int64_t *offset)
{
    tsri_file file;
    tsr_status st;

    TSRI_TRY(close, tsri_file_open(&file, request->context, path, request->path, TSRI_FILE_WRITE));
    for (int i = 0; i < request->n; ++i) {
        const tsr_array *array = request->arrays[i].array;
        if (offset[i] != TSRI_HDF5_SCATTERED && writes(request, array))
            TSRI_TRY(close, write_block(array, &file, offset[i]));
    }
    TSRI_TRY(close, tsri_file_sync(&file));

close:
    return tsri_file_close(&file, st);
}

/* HDF5 hands its bytes to the system; this waits until they are on the device.  Local. */
static tsr_status sync_file(const tsri_hdf5_request *request, const char *path)
{
    tsri_file file;
    tsr_status st;

    TSRI_TRY(close, tsri_file_open(&file, request->context, path, request->path, TSRI_FILE_WRITE));
    TSRI_TRY(close, tsri_file_sync(&file));
close:
    return tsri_file_close(&file, st);
}

static bool goes_together(const tsri_context *context)
{
    return tsri_hdf5_is_parallel() && tsri_context_settings(context)->mpi_io &&
           tsri_context_size(context) > 1;
}

tsr_status tsri_hdf5_fill(const tsri_hdf5_request *request, const char *path, const int64_t *offset)
{
    tsr_status st = write_plain(request, path, offset);

    TSRI_TRY(done, tsri_agree(request->context, st, 0));
    if (!has_scattered(request, offset)) goto done;
    if (goes_together(request->context))
        st = tsri_hdf5_write_together(request, path, offset);
    else
        st = tsri_hdf5_pass_to_root(request, path, offset);
    if (st == TSR_OK) st = sync_file(request, path);
    st = tsri_agree(request->context, st, 0);
done:
    return st;
}
