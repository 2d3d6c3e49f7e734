#include "io/block_file.h"

#include "base/checked.h"
#include "kern/kern.h"

#include <inttypes.h>

/* Most bytes packed before they are written, or read before they are unpacked. */
enum { BUFFER_BYTES = 4 << 20 };

typedef struct transfer {
    const tsri_file_data *data;
    tsr_dtype dtype;       /* of the array */
    size_t elem;           /* bytes of a cell in the file */
    bool direct;           /* contiguous pieces need no buffer */
    unsigned char *buffer; /* cells as they are in the file */
    tsri_file_pieces pieces;
} transfer;

static tsr_status start(transfer *t, const tsri_file_block *block, const tsri_file_data *data,
                        bool direct)
{
    tsr_status st = TSR_OK;
    int64_t cells = 1;

    *t = (transfer){.data = data, .dtype = block->dtype, .direct = direct};
    t->elem = tsr_dtype_size(data->dtype);
    for (int a = 0; a < block->ndim; ++a)
        cells *= block->extent[a];
    const int64_t limit = BUFFER_BYTES / (int64_t)t->elem;
    if (cells > limit) cells = limit;
    tsri_file_pieces_start(&t->pieces, block, &data->frame, cells);
    TSRI_ALLOC(fail, t->buffer, (size_t)cells * t->elem);

fail:
    return st;
}

static int64_t position(const transfer *t, const tsri_file_piece *piece)
{
    return t->data->offset + piece->position * (int64_t)t->elem;
}

static void swap_bytes(unsigned char *numbers, int64_t count, size_t size)
{
    for (int64_t i = 0; i < count; ++i, numbers += size)
        for (size_t low = 0, high = size - 1; low < high; ++low, --high) {
            const unsigned char byte = numbers[low];
            numbers[low] = numbers[high];
            numbers[high] = byte;
        }
}

/* The other byte order, in place. */
static void swap(tsr_dtype dtype, unsigned char *bytes, int64_t cells)
{
    static const int components[TSR_DTYPE_END] = {
#define COMPONENTS(suffix, ctype, name, number) [TSR_##suffix] = (number),
        TSR_DTYPE_LIST(COMPONENTS)};
    const int n = components[dtype];

    swap_bytes(bytes, cells * n, tsr_dtype_size(dtype) / (size_t)n);
}

tsr_status tsri_block_write(const tsri_file_block *block, const tsri_file *file,
                            const tsri_file_data *data)
{
    transfer t;
    tsri_file_piece piece;
    int64_t packed[TSR_MAX_NDIM];

    tsr_status st = start(&t, block, data, !data->swapped);
    while (st == TSR_OK && tsri_file_pieces_next(&t.pieces, &piece)) {
        const bool direct = t.direct && piece.contiguous;
        if (!direct) {
            tsri_c_strides(piece.ndim, piece.extent, packed);
            tsri_kern_get()->copy(t.elem, piece.ndim, piece.extent, t.buffer, packed, piece.memory,
                                  piece.stride);
        }
        if (data->swapped) swap(t.dtype, t.buffer, piece.cells);
        st = tsri_file_write(file, direct ? piece.memory : t.buffer, (size_t)piece.cells * t.elem,
                             position(&t, &piece));
    }
    tsri_free(t.buffer);
    return st;
}

/* Bytes of a file to elements of their type, in place. */
static void decode(const transfer *t, unsigned char *bytes, int64_t cells)
{
    if (t->data->swapped) swap(t->data->dtype, bytes, cells);
    if (t->data->dtype == TSR_BOOL)
        for (int64_t i = 0; i < cells; ++i)
            bytes[i] = bytes[i] != 0;
}

static void unpack(const transfer *t, const tsri_file_piece *piece)
{
    int64_t packed[TSR_MAX_NDIM];

    tsri_c_strides(piece->ndim, piece->extent, packed);
    if (t->dtype == t->data->dtype)
        tsri_kern_get()->copy(t->elem, piece->ndim, piece->extent, piece->memory, piece->stride,
                              t->buffer, packed);
    else
        tsri_kern_get()->convert(piece->ndim, piece->extent, t->dtype, piece->memory, piece->stride,
                                 t->data->dtype, t->buffer, packed);
}

tsr_status tsri_block_read(const tsri_file_block *block, const tsri_file *file,
                           const tsri_file_data *data)
{
    transfer t;
    tsri_file_piece piece;

    tsr_status st = start(&t, block, data, data->dtype == block->dtype);
    while (st == TSR_OK && tsri_file_pieces_next(&t.pieces, &piece)) {
        const bool direct = t.direct && piece.contiguous;
        void *bytes = direct ? piece.memory : t.buffer;
        st = tsri_file_read(file, bytes, (size_t)piece.cells * t.elem, position(&t, &piece));
        if (st != TSR_OK) break;
        decode(&t, bytes, piece.cells);
        if (!direct) unpack(&t, &piece);
    }
    tsri_free(t.buffer);
    return st;
}

/* ---- parts of what a file holds -------------------------------------------------------------- */

tsr_status tsri_file_check_box(const char *call, const char *path, int ndim, const int64_t *lengths,
                               const int64_t *start, const int64_t *shape)
{
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, ndim == 0 || start != NULL, TSR_ERR_VALUE,
                  "start is NULL, must have %d value%s", ndim, TSRI_S(ndim));
    TSRI_CHECK_IN(call, done, ndim == 0 || shape != NULL, TSR_ERR_VALUE,
                  "shape is NULL, must have %d value%s", ndim, TSRI_S(ndim));
    for (int a = 0; a < ndim; ++a) {
        TSRI_CHECK_IN(call, done, shape[a] >= 0, TSR_ERR_VALUE,
                      "shape[%d] is %" PRId64 ", must be >= 0", a, shape[a]);
        TSRI_CHECK_IN(call, done,
                      start[a] >= 0 && start[a] <= lengths[a] && shape[a] <= lengths[a] - start[a],
                      TSR_ERR_INDEX,
                      "axis %d: %" PRId64 " cell%s from %" PRId64 " on are asked, " TSRI_PATH
                      " has %" PRId64,
                      a, shape[a], TSRI_S(shape[a]), start[a], path, lengths[a]);
    }
done:
    return st;
}

uint64_t tsri_file_hash_box(uint64_t hash, int ndim, const int64_t *start, const int64_t *shape)
{
    const size_t bytes = (size_t)ndim * sizeof *start;

    if (start != NULL) hash = tsri_hash(hash, start, bytes);
    if (shape != NULL) hash = tsri_hash(hash, shape, bytes);
    return hash;
}
