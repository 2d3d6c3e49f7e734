#include "io/hdf5_fill.h"

#include "io/block_file.h"
#include "io/hdf5_dataset.h"
#include "io/hdf5_pass.h"

tsri_hdf5_way tsri_hdf5_way_of(const tsri_hdf5_request *request, const tsri_hdf5_target *target,
                               int i)
{
    if (request->arrays[i].array->layout->geometry.cells == 0) return TSRI_HDF5_NO_CELLS;
    return target->offset[i] != TSRI_HDF5_SCATTERED ? TSRI_HDF5_PLAINLY : TSRI_HDF5_PASSED;
}

static bool has(const tsri_hdf5_request *request, const tsri_hdf5_target *target, tsri_hdf5_way way)
{
    for (int i = 0; i < request->n; ++i)
        if (tsri_hdf5_way_of(request, target, i) == way) return true;
    return false;
}

static tsr_status write_block(const tsr_array *array, const tsri_file *file, int64_t offset)
{
    const tsri_file_data data = {
        .frame = tsri_file_frame_of(array), .offset = offset, .dtype = array->dtype};
    return tsri_block_write(array, file, &data);
}

/* The plain cells, of replicated arrays from the root's copy; then all that this rank wrote in any
 * way is waited for.  HDF5 has handed its bytes to the system, and does not.  Local. */
static tsr_status write_plain(const tsri_hdf5_request *request, const tsri_hdf5_target *target)
{
    const bool root = tsri_context_rank(request->context) == 0;
    tsri_file file;
    tsr_status st;

    TSRI_TRY(close,
             tsri_file_open(&file, request->context, target->path, request->path, TSRI_FILE_WRITE));
    for (int i = 0; i < request->n; ++i) {
        const tsr_array *array = request->arrays[i].array;
        if (tsri_hdf5_way_of(request, target, i) == TSRI_HDF5_PLAINLY &&
            (root || tsr_layout_is_distributed(array->layout)))
            TSRI_TRY(close, write_block(array, &file, target->offset[i]));
    }
    TSRI_TRY(close, tsri_file_sync(&file));

close:
    return tsri_file_close(&file, st);
}

tsr_status tsri_hdf5_fill(const tsri_hdf5_request *request, const tsri_hdf5_target *target)
{
    tsr_status st = TSR_OK;

    if (has(request, target, TSRI_HDF5_PASSED))
        TSRI_TRY(done, tsri_agree(request->context, tsri_hdf5_pass_to_root(request, target), 0));
    st = tsri_agree(request->context, write_plain(request, target), 0);
done:
    return st;
}
