#include "io/file_pieces.h"

#include "kern/kern.h"

#include <string.h>

tsri_file_frame tsri_file_frame_of(const tsr_array *array)
{
    const tsri_geometry *geometry = &array->layout->geometry;
    tsri_file_frame frame = {.fortran = false};

    memcpy(frame.shape, geometry->shape, (size_t)geometry->ndim * sizeof *frame.shape);
    return frame;
}

tsri_file_block tsri_file_block_of(const tsr_array *array)
{
    tsri_file_block block = {.dtype = array->dtype,
                             .ndim = array->layout->geometry.ndim,
                             .memory = tsri_array_origin(array)};

    for (int a = 0; a < block.ndim; ++a) {
        block.start[a] = array->start[a];
        block.extent[a] = array->extent[a];
        block.stride[a] = array->stride[a];
    }
    return block;
}

tsri_file_block tsri_file_block_of_box(tsr_dtype dtype, const tsri_box *box, void *cells)
{
    tsri_file_block block = {.dtype = dtype, .ndim = box->ndim, .memory = cells};

    for (int a = 0; a < block.ndim; ++a) {
        block.start[a] = box->start[a];
        block.extent[a] = box->extent[a];
    }
    tsri_c_strides(box->ndim, box->extent, block.stride);
    return block;
}

/* The block with its axes from the slowest in the file to the fastest. */
static void order_axes(tsri_file_pieces *pieces, const tsri_file_block *block,
                       const tsri_file_frame *frame)
{
    const int ndim = block->ndim;
    tsri_file_piece *whole = &pieces->whole;

    for (int a = 0; a < ndim; ++a)
        pieces->file_shape[a] = frame->shape[frame->fortran ? ndim - 1 - a : a];
    tsri_c_strides(ndim, pieces->file_shape, pieces->file_stride);
    for (int a = 0; a < ndim; ++a) {
        const int axis = frame->fortran ? ndim - 1 - a : a;
        whole->extent[a] = block->extent[axis];
        whole->stride[a] = block->stride[axis];
        whole->position += (frame->start[axis] + block->start[axis]) * pieces->file_stride[a];
        pieces->done = pieces->done || block->extent[axis] == 0;
    }
}

void tsri_file_pieces_start(tsri_file_pieces *pieces, const tsri_file_block *block,
                            const tsri_file_frame *frame, int64_t limit)
{
    const int last = block->ndim - 1;
    tsri_file_piece *whole = &pieces->whole;

    memset(pieces, 0, sizeof *pieces);
    whole->ndim = last + 1;
    whole->memory = block->memory;
    pieces->elem = (int64_t)tsr_dtype_size(block->dtype);
    order_axes(pieces, block, frame);
    pieces->done = pieces->done || whole->memory == NULL;
    if (pieces->done || last < 0) return;

    /* Beyond the last axis that is cut, cells follow each other; more of them than the limit go
     * into pieces along a later axis. */
    int64_t inner = 1;
    pieces->axis = last;
    while (pieces->axis > 0 && whole->extent[pieces->axis] == pieces->file_shape[pieces->axis]) {
        const int64_t wider = inner * whole->extent[pieces->axis];
        if (wider > limit) break;
        inner = wider;
        --pieces->axis;
    }
    pieces->step = limit / inner;
    if (pieces->step < 1) pieces->step = 1;
}

static bool is_contiguous(const tsri_file_piece *piece)
{
    int64_t stride[TSR_MAX_NDIM];

    tsri_c_strides(piece->ndim, piece->extent, stride);
    for (int a = 0; a < piece->ndim; ++a)
        if (piece->extent[a] > 1 && piece->stride[a] != stride[a]) return false;
    return true;
}

static void advance(tsri_file_pieces *pieces, int64_t taken)
{
    int a = pieces->axis;

    pieces->index[a] += taken;
    while (a > 0 && pieces->index[a] == pieces->whole.extent[a]) {
        pieces->index[a] = 0;
        ++pieces->index[--a];
    }
    pieces->done = pieces->index[0] == pieces->whole.extent[0];
}

bool tsri_file_pieces_next(tsri_file_pieces *pieces, tsri_file_piece *piece)
{
    const tsri_file_piece *whole = &pieces->whole;
    const int axis = pieces->axis;
    int64_t offset = 0;

    if (pieces->done) return false;
    *piece = *whole;
    piece->cells = 1;
    if (whole->ndim == 0) {
        piece->contiguous = true;
        pieces->done = true;
        return true;
    }
    for (int a = 0; a <= axis; ++a) {
        piece->position += pieces->index[a] * pieces->file_stride[a];
        offset += pieces->index[a] * whole->stride[a];
        piece->extent[a] = 1;
    }
    const int64_t left = whole->extent[axis] - pieces->index[axis];
    piece->extent[axis] = left < pieces->step ? left : pieces->step;
    for (int a = axis; a < whole->ndim; ++a)
        piece->cells *= piece->extent[a];
    piece->memory = (char *)whole->memory + offset * pieces->elem;
    piece->contiguous = is_contiguous(piece);
    advance(pieces, piece->extent[axis]);
    return true;
}
