#include "io/npy_file.h"

#include "base/net.h"
#include "io/from_root.h"

#include <inttypes.h>
#include <string.h>

/* How often a file is opened anew because another has come in its place meanwhile. */
enum { OPEN_TRIES = 100 };

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

static tsr_status read_header(const tsri_file *file, tsri_npy_header *header)
{
    const char *const path = file->name;
    unsigned char preamble[TSRI_NPY_PREAMBLE_BYTES], *bytes = NULL;
    char reason[TSRI_NPY_REASON_BYTES];
    int64_t file_bytes, offset;
    tsr_status st;

    TSRI_TRY(done, tsri_file_size(file, &file_bytes));
    const size_t first =
        file_bytes < TSRI_NPY_PREAMBLE_BYTES ? (size_t)file_bytes : TSRI_NPY_PREAMBLE_BYTES;
    TSRI_TRY(done, tsri_file_read(file, preamble, first, 0));
    TSRI_CHECK(done, tsri_npy_data_offset(preamble, first, &offset, reason), TSR_ERR_IO,
               TSRI_PATH ": %s", path, reason);
    TSRI_CHECK(done, offset <= file_bytes, TSR_ERR_IO,
               TSRI_PATH ": the file ends inside its header", path);
    TSRI_ALLOC(done, bytes, offset);
    TSRI_TRY(done, tsri_file_read(file, bytes, (size_t)offset, 0));
    TSRI_CHECK(done, tsri_npy_parse(bytes, (size_t)offset, header, reason), TSR_ERR_IO,
               TSRI_PATH ": %s", path, reason);
    TSRI_TRY(done, check_length(path, header, file_bytes));

done:
    tsri_free(bytes);
    return st;
}

/* Whatever rank 0 has found out; all ranks get the header.  Collective; agrees. */
static tsr_status share_header(tsri_context *context, tsr_status st, uint64_t arguments,
                               tsri_npy_header *header)
{
    const tsr_status sent = tsri_net_bcast(context, header, sizeof *header, 0);
    return tsri_agree(context, st != TSR_OK ? st : sent, arguments);
}

tsr_status tsri_npy_header_of(tsri_context *context, const char *path, tsr_status earlier,
                              uint64_t arguments, tsri_npy_header *header)
{
    tsri_file file = {.descriptor = -1};
    tsr_status st = earlier;

    *header = (tsri_npy_header){.dtype = TSR_AUTO};
    if (st == TSR_OK && tsri_context_rank(context) == 0) {
        st = tsri_file_open(&file, context, path, path, TSRI_FILE_READ);
        if (st == TSR_OK) st = read_header(&file, header);
        st = tsri_file_close(&file, st);
    }
    return share_header(context, st, arguments, header);
}

/* Once all ranks have opened what the path led to, they see whether it leads there still: then it
 * did so all the time, on all ranks at that moment.  *replaced on all ranks otherwise. */
static tsr_status try_to_open(tsri_context *context, tsr_status earlier, uint64_t arguments,
                              tsri_npy_source *source, bool *replaced)
{
    const bool root = tsri_context_rank(context) == 0;
    const char *const path = source->path;
    tsr_status st = earlier;

    *replaced = false;
    source->header = (tsri_npy_header){.dtype = TSR_AUTO};
    source->file = (tsri_file){.descriptor = -1};
    if (st == TSR_OK && root) {
        st = tsri_file_open(&source->file, context, path, path, TSRI_FILE_READ);
        if (st == TSR_OK) st = read_header(&source->file, &source->header);
    }
    TSRI_TRY(done, share_header(context, st, arguments, &source->header));
    if (!root) st = tsri_file_open(&source->file, context, path, path, TSRI_FILE_READ);
    st = tsri_agree_on_reading(context, st, arguments, source->file.missing, &source->some_miss_it);
    if (source->some_miss_it) st = TSR_OK;
    if (st != TSR_OK) goto done;
    if (!source->file.missing && !tsri_file_is_at(&source->file, path))
        st = TSRI_FAIL(TSR_ERR_IO, TSRI_PATH " was replaced while it was opened", path);
    st = tsri_agree(context, st, arguments);
    *replaced = st == TSR_ERR_IO;
done:
    return st;
}

tsr_status tsri_npy_open(tsri_context *context, const char *path, tsr_status earlier,
                         uint64_t arguments, tsri_npy_source *source)
{
    bool replaced;
    tsr_status st;

    source->path = path;
    for (int tries = 0;; ++tries) {
        st = try_to_open(context, earlier, arguments, source, &replaced);
        if (st == TSR_OK) return TSR_OK;
        st = tsri_file_close(&source->file, st);
        if (!replaced || tries == OPEN_TRIES) return st;
    }
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

/* Cells of others, on rank 0. */
typedef struct reading {
    const tsri_file *file;
    tsri_file_data data;
    tsr_dtype dtype; /* of the array */
} reading;

static tsr_status read_box(void *ctx, const tsri_box *box, void *cells)
{
    const reading *r = ctx;
    const tsri_file_block block = tsri_file_block_of_box(r->dtype, box, cells);

    return tsri_block_read(&block, r->file, &r->data);
}

tsr_status tsri_npy_read(tsri_npy_source *source, const int64_t *start, uint64_t arguments,
                         tsr_array *array)
{
    tsri_context *context = array->layout->context;
    reading r = {&source->file, tsri_npy_data(&source->header, start), array->dtype};
    const tsr_array share = tsri_array_share(array);
    const tsri_file_block block = tsri_file_block_of(&share);
    const bool missing = source->file.missing;
    tsr_status st = TSR_OK;

    if (share.cells > 0 && !missing) st = tsri_block_read(&block, r.file, &r.data);
    if (source->some_miss_it) st = tsri_read_from_root(context, st, missing, array, read_box, &r);
    st = tsri_file_close(&source->file, st);
    return tsri_agree(context, st, arguments);
}
