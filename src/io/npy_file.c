#include "io/npy_file.h"

#include "base/net.h"
#include "io/from_root.h"

#include <inttypes.h>
#include <string.h>

/* What the header promises must be there, before anything is allocated for it. */
static tsr_status check_length(const char *path, const tsri_npy_header *header, int64_t file_bytes)
{
    const int64_t data_bytes = header->cells * (int64_t)tsr_dtype_size(header->dtype);
    tsr_status st = TSR_OK;

    TSRI_CHECK(done, file_bytes - header->data_offset >= data_bytes, TSR_ERR_IO,
               TSRI_PATH " is too short: %" PRId64 " bytes of data, its header says %" PRId64, path,
               file_bytes - header->data_offset, data_bytes);
done:
    return st;
}

static tsr_status read_header(const char *path, const tsri_context *context,
                              tsri_npy_header *header)
{
    unsigned char preamble[TSRI_NPY_PREAMBLE_BYTES], *bytes = NULL;
    char reason[TSRI_NPY_REASON_BYTES];
    int64_t file_bytes, offset;
    tsri_file file;
    tsr_status st;

    TSRI_TRY(close, tsri_file_open(&file, context, path, path, TSRI_FILE_READ));
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
    TSRI_TRY(close, check_length(path, header, file_bytes));

close:
    tsri_free(bytes);
    return tsri_file_close(&file, st);
}

tsr_status tsri_npy_open(tsri_context *context, const char *path, tsr_status earlier,
                         uint64_t arguments, tsri_npy_header *header)
{
    tsr_status st = earlier;

    *header = (tsri_npy_header){.dtype = TSR_AUTO};
    if (st == TSR_OK && tsri_context_rank(context) == 0) st = read_header(path, context, header);
    const tsr_status sent = tsri_net_bcast(context, header, sizeof *header, 0);
    return tsri_agree(context, st != TSR_OK ? st : sent, arguments);
}

tsri_file_data tsri_npy_data(const tsri_npy_header *header, const int64_t *start)
{
    tsri_file_data data = {.frame.fortran = header->fortran,
                           .offset = header->data_offset,
                           .dtype = header->dtype,
                           .swapped = header->swapped};

    memcpy(data.frame.shape, header->shape, sizeof data.frame.shape);
    if (start != NULL)
        memcpy(data.frame.start, start, (size_t)header->ndim * sizeof *data.frame.start);
    return data;
}

/* Where the cells of an array are. */
typedef struct reading {
    const char *path;
    const tsri_context *context;
    tsri_file_data data;
    tsr_dtype dtype; /* of the array */
} reading;

static tsr_status read_cells(const reading *r, const tsri_file_block *block, bool *missing)
{
    tsri_file file;
    tsr_status st = tsri_file_open(&file, r->context, r->path, r->path, TSRI_FILE_READ);

    *missing = file.missing;
    if (st == TSR_OK) st = tsri_block_read(block, &file, &r->data);
    return tsri_file_close(&file, st);
}

static tsr_status read_box(void *ctx, const tsri_box *box, void *cells)
{
    const reading *r = ctx;
    const tsri_file_block block = tsri_file_block_of_box(r->dtype, box, cells);
    bool missing;

    return read_cells(r, &block, &missing);
}

tsr_status tsri_npy_read(const char *path, const tsri_npy_header *header, const int64_t *start,
                         uint64_t arguments, tsr_array *array)
{
    tsri_context *context = array->layout->context;
    reading r = {path, context, tsri_npy_data(header, start), array->dtype};
    const tsr_array share = tsri_array_share(array);
    const tsri_file_block block = tsri_file_block_of(&share);
    bool missing = false, only;
    tsr_status st = share.cells > 0 ? read_cells(&r, &block, &missing) : TSR_OK;

    st = tsri_agree_on_reading(context, st, arguments, missing, &only);
    return only ? tsri_read_from_root(context, TSR_OK, missing, array, read_box, &r) : st;
}
