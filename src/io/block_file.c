#include "io/block_file.h"

#include "io/file_pieces.h"
#include "kern/kern.h"

/* Most bytes packed before they are written, or read before they are unpacked. */
enum { BUFFER_BYTES = 4 << 20 };

typedef struct transfer {
    size_t elem;
    int64_t limit; /* cells that the buffer holds */
    unsigned char *buffer;
    tsri_file_pieces pieces;
} transfer;

static tsr_status start(transfer *t, const tsr_array *array)
{
    tsr_status st = TSR_OK;
    int64_t cells = 1;

    t->elem = tsr_dtype_size(array->dtype);
    t->limit = BUFFER_BYTES / (int64_t)t->elem;
    for (int a = 0; a < array->layout->geometry.ndim; ++a)
        cells *= array->extent[a];
    if (cells < t->limit) t->limit = cells;
    tsri_file_pieces_start(&t->pieces, array, t->limit);
    TSRI_ALLOC(fail, t->buffer, (size_t)t->limit * t->elem);

fail:
    return st;
}

static void copy_piece(const transfer *t, const tsri_file_piece *piece, bool into_buffer)
{
    int64_t packed[TSR_MAX_NDIM];

    tsri_c_strides(piece->ndim, piece->extent, packed);
    if (into_buffer)
        tsri_kern_get()->copy(t->elem, piece->ndim, piece->extent, t->buffer, packed, piece->memory,
                              piece->stride);
    else
        tsri_kern_get()->copy(t->elem, piece->ndim, piece->extent, piece->memory, piece->stride,
                              t->buffer, packed);
}

tsr_status tsri_block_write(const tsr_array *array, const tsri_file *file, int64_t offset)
{
    transfer t = {.buffer = NULL};
    tsri_file_piece piece;

    tsr_status st = start(&t, array);
    while (st == TSR_OK && tsri_file_pieces_next(&t.pieces, &piece)) {
        if (!piece.contiguous) copy_piece(&t, &piece, true);
        st = tsri_file_write(file, piece.contiguous ? piece.memory : t.buffer,
                             (size_t)piece.cells * t.elem,
                             offset + piece.position * (int64_t)t.elem);
    }
    tsri_free(t.buffer);
    return st;
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

/* Turn bytes of a file into elements, in place. */
static void decode(tsr_dtype dtype, bool swapped, unsigned char *bytes, int64_t cells)
{
    static const int components[TSR_DTYPE_END] = {
#define COMPONENTS(suffix, ctype, name, number) [TSR_##suffix] = (number),
        TSR_DTYPE_LIST(COMPONENTS)};
    const int n = components[dtype];

    if (swapped) swap_bytes(bytes, cells * n, tsr_dtype_size(dtype) / (size_t)n);
    if (dtype == TSR_BOOL)
        for (int64_t i = 0; i < cells; ++i)
            bytes[i] = bytes[i] != 0;
}

tsr_status tsri_block_read(tsr_array *array, const tsri_file *file, int64_t offset, bool swapped)
{
    transfer t = {.buffer = NULL};
    tsri_file_piece piece;

    tsr_status st = start(&t, array);
    while (st == TSR_OK && tsri_file_pieces_next(&t.pieces, &piece)) {
        void *bytes = piece.contiguous ? piece.memory : t.buffer;
        st = tsri_file_read(file, bytes, (size_t)piece.cells * t.elem,
                            offset + piece.position * (int64_t)t.elem);
        if (st != TSR_OK) break;
        decode(array->dtype, swapped, bytes, piece.cells);
        if (!piece.contiguous) copy_piece(&t, &piece, false);
    }
    tsri_free(t.buffer);
    return st;
}
