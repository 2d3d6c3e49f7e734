/* A rank's block, cut into pieces that lie in one run in a file. */
#ifndef TSRI_IO_FILE_PIECES_H
#define TSRI_IO_FILE_PIECES_H

#include "array/array.h"
#include "io/boxes.h"

/* What a file holds: an array of these lengths, in which a global array of ours has its first cell
 * at `start`. */
typedef struct tsri_file_frame {
    int64_t shape[TSR_MAX_NDIM], start[TSR_MAX_NDIM];
    bool fortran; /* the first axis is the fastest, not the last */
} tsri_file_frame;

/* Cells of a box of a global array, as they lie in memory. */
typedef struct tsri_file_block {
    tsr_dtype dtype;
    int ndim;
    int64_t start[TSR_MAX_NDIM], extent[TSR_MAX_NDIM];
    int64_t stride[TSR_MAX_NDIM]; /* in elements */
    void *memory;                 /* the first cell; NULL: there is none */
} tsri_file_block;

/* This rank's block of an array; and a box whose cells lie in C order. */
tsri_file_block tsri_file_block_of(const tsr_array *array);
tsri_file_block tsri_file_block_of_box(tsr_dtype dtype, const tsri_box *box, void *cells);

typedef struct tsri_file_piece {
    int64_t position; /* of its first cell among those of the file */
    int64_t cells;
    void *memory;    /* its first cell */
    bool contiguous; /* in memory too */
    int ndim;
    int64_t extent[TSR_MAX_NDIM];
    int64_t stride[TSR_MAX_NDIM]; /* in memory, in elements; axes from the slowest in the file */
} tsri_file_piece;

/* The pieces still to come. */
typedef struct tsri_file_pieces {
    bool done;
    int64_t elem;
    int axis;     /* pieces are cut along this axis and whole beyond it */
    int64_t step; /* indices of that axis a piece */
    int64_t index[TSR_MAX_NDIM];
    int64_t file_shape[TSR_MAX_NDIM], file_stride[TSR_MAX_NDIM];
    tsri_file_piece whole; /* the block */
} tsri_file_pieces;

/* The frame of a file that holds an array and nothing else, in C order. */
tsri_file_frame tsri_file_frame_of(const tsr_array *array);
/* Pieces have at most `limit` cells, or one when the limit is less.  Local, allocates nothing. */
void tsri_file_pieces_start(tsri_file_pieces *pieces, const tsri_file_block *block,
                            const tsri_file_frame *frame, int64_t limit);
/* The next piece, in the file's order; false after the last. */
bool tsri_file_pieces_next(tsri_file_pieces *pieces, tsri_file_piece *piece);

#endif
