/* A part of an existing .npy file, written in place. */
#include "base/checked.h"
#include "base/gate.h"
#include "io/npy_file.h"
#include "io/write_parts.h"

#include <tessera/io.h>

static tsr_status check(const char *call, const char *path, const tsri_npy_header *header,
                        const tsr_array *array, const int64_t *start)
{
    const tsri_geometry *g = &array->layout->geometry;
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, header->ndim == g->ndim, TSR_ERR_VALUE,
                  TSRI_PATH " has %d ax%cs, the array %d", path, header->ndim,
                  TSRI_ES(header->ndim), g->ndim);
    TSRI_CHECK_IN(call, done, header->dtype == array->dtype, TSR_ERR_TYPE,
                  TSRI_PATH " holds %s, the array %s", path, tsr_dtype_name(header->dtype),
                  tsr_dtype_name(array->dtype));
    TSRI_TRY(done, tsri_file_check_box(call, path, header->ndim, header->shape, start, g->shape));
done:
    return st;
}

tsr_status tsr_save_slice(const char *path, const tsr_array *array, const int64_t *start)
{
    tsri_npy_header header;
    tsr_status st;

    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    tsr_layout *const layout = array->layout;
    TSRI_TRY(done, tsri_enter(layout->context, false, "%s", __func__));
    uint64_t arguments = tsri_path_hash(tsri_hash_call(__func__, array), path);

    TSRI_TRY(done,
             tsri_npy_header_of(layout->context, path, tsri_path_check(path), arguments, &header));
    st = check(__func__, path, &header, array, start);
    if (st == TSR_OK) /* then it has an entry for each axis */
        arguments = tsri_hash(arguments, start, (size_t)header.ndim * sizeof *start);
    const tsri_file_part part = {array, tsri_npy_data(&header, st == TSR_OK ? start : NULL)};
    st = tsri_write_parts(layout->context, st, arguments, path, path, 1, &part);
done:
    return st;
}
