#include "base/checked.h"
#include "base/gate.h"
#include "base/net.h"
#include "io/block_file.h"
#include "io/npy_header.h"

#include <inttypes.h>
#include <tessera/io.h>

/* What the header promises must be there, before anything is allocated for it. */
static tsr_status check_header(const char *path, const tsri_npy_header *header, int64_t file_bytes)
{
    const int64_t data_bytes = header->cells * (int64_t)tsr_dtype_size(header->dtype);

    if (file_bytes - header->data_offset < data_bytes)
        return TSRI_FAIL(TSR_ERR_IO,
                         TSRI_PATH " is too short: %" PRId64
                                   " bytes of data, its header says %" PRId64,
                         path, file_bytes - header->data_offset, data_bytes);
    if (header->fortran)
        return TSRI_FAIL(TSR_ERR_UNSUPPORTED, TSRI_PATH " is in Fortran order, must be in C order",
                         path);
    return TSR_OK;
}

static tsr_status read_header(const char *path, const tsri_context *context,
                              tsri_npy_header *header)
{
    unsigned char preamble[TSRI_NPY_PREAMBLE_BYTES], *bytes = NULL;
    char reason[TSRI_NPY_REASON_BYTES];
    int64_t file_bytes, offset;
    tsri_file file;
    tsr_status st;

    TSRI_TRY(close, tsri_file_open(&file, context, path, TSRI_FILE_READ));
    TSRI_TRY(close, tsri_file_size(&file, &file_bytes));
    const size_t first =
        file_bytes < TSRI_NPY_PREAMBLE_BYTES ? (size_t)file_bytes : TSRI_NPY_PREAMBLE_BYTES;
    TSRI_TRY(close, tsri_file_read(&file, preamble, first, 0));
    TSRI_CHECK(close, tsri_npy_data_offset(preamble, first, &offset, reason), TSR_ERR_IO,
               TSRI_PATH ": %s", path, reason);
    TSRI_CHECK(close, offset <= file_bytes, TSR_ERR_IO,
               TSRI_PATH ": the file ends inside its header", path);
    TSRI_ALLOC(close, bytes, offset);
    TSRI_TRY(close, tsri_file_read(&file, bytes, (size_t)offset, 0));
    TSRI_CHECK(close, tsri_npy_parse(bytes, (size_t)offset, header, reason), TSR_ERR_IO,
               TSRI_PATH ": %s", path, reason);
    TSRI_TRY(close, check_header(path, header, file_bytes));

close:
    tsri_free(bytes);
    return tsri_file_close(&file, st);
}

static tsr_status read_block(const char *path, const tsri_npy_header *header, tsr_array *array)
{
    tsri_file file;
    tsr_status st;

    TSRI_TRY(close, tsri_file_open(&file, array->layout->context, path, TSRI_FILE_READ));
    TSRI_TRY(close, tsri_block_read(array, &file, header->data_offset, header->swapped));

close:
    return tsri_file_close(&file, st);
}

tsr_status tsr_load(const char *path, tsr_comm comm, const tsr_layout_options *options,
                    tsr_array **array)
{
    tsri_npy_header header = {.dtype = TSR_AUTO};
    tsri_context *context;
    tsr_layout *layout = NULL;
    tsr_array *a = NULL;
    tsr_status st;

    if (array != NULL) *array = NULL;
    TSRI_TRY(fail, tsri_context_enter(comm, __func__, &context));
    const uint64_t arguments = tsri_path_hash(tsri_path_hash(TSRI_HASH_START, __func__), path);

    TSRI_TRY(agree, tsri_path_check(path));
    TSRI_CHECK(agree, array != NULL, TSR_ERR_VALUE,
               "array is NULL, must point to where the handle goes");
    if (tsri_context_rank(context) == 0) st = read_header(path, context, &header);
agree:;
    const tsr_status sent = tsri_net_bcast(context, &header, sizeof header, 0);
    TSRI_TRY(fail, tsri_agree(context, st != TSR_OK ? st : sent, arguments));

    TSRI_TRY(fail, tsri_layout_create(__func__, comm, header.ndim, header.shape, options, &layout));
    TSRI_TRY(fail, tsr_zeros(layout, header.dtype, &a));
    st = tsri_array_origin(a) == NULL ? TSR_OK : read_block(path, &header, a);
    TSRI_TRY(fail, tsri_agree(context, st, arguments));
    tsr_layout_destroy(&layout);
    *array = a;
    return TSR_OK;

fail:
    tsr_array_destroy(&a);
    tsr_layout_destroy(&layout);
    return st;
}
