/* Arrays into new .npy files. */
#include "base/checked.h"
#include "base/gate.h"
#include "base/net.h"
#include "io/npy_file.h"
#include "io/replace.h"
#include "io/write_parts.h"

#include <tessera/io.h>

/* The new file with its header and its final size; the data are zero.  A stream has only the header
 * yet, and stays open. */
static tsr_status make_file(tsri_replacement *replacement, const char *path, const tsr_array *array,
                            tsri_file *stream)
{
    const tsri_geometry *geometry = &array->layout->geometry;
    const tsri_context *context = array->layout->context;
    char header[TSRI_NPY_WRITTEN_LIMIT];
    const size_t offset = tsri_npy_format(array->dtype, geometry->ndim, geometry->shape, header);
    int64_t bytes;
    tsri_file file = {.descriptor = -1};
    tsr_status st;

    TSRI_CHECK(close,
               tsri_mul_i64(geometry->cells, (int64_t)tsr_dtype_size(array->dtype), &bytes) &&
                   tsri_add_i64(bytes, (int64_t)offset, &bytes),
               TSR_ERR_OVERFLOW,
               "the array has more bytes than 64 bits count, no file is that long");
    if (tsri_file_is_stream(path))
        st = tsri_file_open(&file, context, path, path, TSRI_FILE_STREAM);
    else
        st = tsri_replace_begin(replacement, context, path, &file);
    if (st != TSR_OK) goto close;
    TSRI_TRY(close, tsri_file_write(&file, header, offset, 0));
    TSRI_TRY(close, tsri_file_resize(&file, bytes));
    if (file.stream) {
        *stream = file;
        return TSR_OK;
    }

close:
    return tsri_file_close(&file, st);
}

static uint64_t fingerprint(const char *call, const char *path, const tsr_array *array)
{
    return tsri_path_hash(tsri_hash_call(call, array), path);
}

/* The blocks into the new file, and the file to its place. */
static tsr_status save_file(tsri_replacement *replacement, const char *path, const tsr_array *array,
                            uint64_t arguments)
{
    const tsri_geometry *geometry = &array->layout->geometry;
    tsri_context *context = array->layout->context;
    char header[TSRI_NPY_WRITTEN_LIMIT];
    const size_t offset = tsri_npy_format(array->dtype, geometry->ndim, geometry->shape, header);
    const tsri_file_part part = {
        array,
        {.frame = tsri_file_frame_of(array), .offset = (int64_t)offset, .dtype = array->dtype}};
    tsr_status st;

    TSRI_TRY(done,
             tsri_write_parts(context, TSR_OK, arguments, replacement->temporary, path, 1, &part));
    if (array->layout->rank == 0) st = tsri_replace_commit(replacement);
    st = tsri_agree(context, st, arguments);
done:
    return st;
}

tsr_status tsr_save(const char *path, const tsr_array *array)
{
    tsri_replacement replacement = {.made = false};
    tsri_file stream = {.descriptor = -1};

    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    tsri_context *context = array->layout->context;
    tsr_status st = tsri_enter(context, false, "%s", __func__);
    if (st != TSR_OK) return st;
    const uint64_t arguments = fingerprint(__func__, path, array);

    st = tsri_path_check(path);
    if (st == TSR_OK && array->layout->rank == 0)
        st = make_file(&replacement, path, array, &stream);
    const tsr_status sent =
        tsri_net_bcast(context, replacement.temporary, sizeof replacement.temporary, 0);
    st = tsri_agree(context, st != TSR_OK ? st : sent, arguments);
    if (st == TSR_OK && replacement.temporary[0] != '\0')
        st = save_file(&replacement, path, array, arguments);
    else if (st == TSR_OK)
        st = tsri_npy_stream(__func__, &stream, array);
    tsri_replace_abandon(&replacement);
    return tsri_file_close(&stream, st);
}
