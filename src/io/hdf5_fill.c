#include "io/hdf5_fill.h"

#include "io/hdf5_dataset.h"
#include "io/hdf5_pass.h"
#include "io/write_parts.h"

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

/* The plain cells; then all that was written in any way is waited for.  HDF5 has handed its bytes
 * to the system, and does not.  Collective; agrees. */
static tsr_status write_plain(const tsri_hdf5_request *request, const tsri_hdf5_target *target)
{
    tsri_file_part *parts = NULL;
    tsr_status st = TSR_OK;
    int n = 0;

    TSRI_ALLOC(write, parts, request->n);
    for (int i = 0; i < request->n; ++i) {
        const tsr_array *array = request->arrays[i].array;
        if (tsri_hdf5_way_of(request, target, i) != TSRI_HDF5_PLAINLY) continue;
        parts[n].array = array;
        parts[n++].data = (tsri_file_data){
            .frame = tsri_file_frame_of(array), .offset = target->offset[i], .dtype = array->dtype};
    }
write:
    st = tsri_write_parts(request->context, st, 0, target->path, request->path, n, parts);
    tsri_free(parts);
    return st;
}

tsr_status tsri_hdf5_fill(const tsri_hdf5_request *request, const tsri_hdf5_target *target)
{
    tsr_status st = TSR_OK;

    if (has(request, target, TSRI_HDF5_PASSED))
        TSRI_TRY(done, tsri_agree(request->context, tsri_hdf5_pass_to_root(request, target), 0));
    st = write_plain(request, target);
done:
    return st;
}
