/* Copies of cells that the two operands have in different orders: neighbours in one lie far apart
 * in the other.
 *
 * They go by tiles, a line of the source wide, through a buffer: every line is touched once, so
 * none is lost before all of it is used, however the distances between lines make them compete for
 * places in the caches. */
#include "kern/tiles.h"

#include "kern/line.h"

enum { WIDTH = 4 * TSRI_LINE }; /* of a tile in the destination, in bytes */

/* The axis along which cells are neighbours; -1 without. */
static int neighbours(int ndim, const ptrdiff_t *step, size_t size)
{
    for (int a = ndim - 1; a >= 0; --a)
        if (step[a] == (ptrdiff_t)size) return a;
    return -1;
}

/* Axis `from` becomes the last, those behind it move up. */
static void make_last(tsri_walk *walk, int from)
{
    const tsri_walk w = *walk;
    const int last = w.ndim - 1;
    for (int a = from; a <= last; ++a) {
        const int b = a < last ? a + 1 : from;
        walk->extent[a] = w.extent[b];
        walk->dst[a] = w.dst[b];
        walk->src[a] = w.src[b];
    }
}

static void write_row(unsigned char *dst, const unsigned char *row, size_t bytes, bool past)
{
    if (!past || (uintptr_t)dst % TSRI_LINE != 0 || bytes % TSRI_LINE != 0) {
        memcpy(dst, row, bytes);
        return;
    }
    for (size_t at = 0; at < bytes; at += TSRI_LINE)
        tsri_line_stream(dst + at, row + at);
}

/* Copy `rows` x `cols` cells: neighbours in the source are in one column, in the destination in one
 * row. */
TSRI_EXPAND void copy_tile(const tsri_plane *p, int64_t rows, int64_t cols, unsigned char *dst,
                           const unsigned char *src, size_t size, bool past)
{
    unsigned char tile[TSRI_LINE][WIDTH];
    for (int64_t j = 0; j < cols; ++j)
        for (int64_t i = 0; i < rows; ++i)
            memcpy(&tile[i][(size_t)j * size], src + j * p->src_col + i * (ptrdiff_t)size, size);
    for (int64_t i = 0; i < rows; ++i)
        write_row(dst + i * p->dst_row, tile[i], (size_t)cols * size, past);
}

TSRI_EXPAND void copy_tiles(const tsri_plane *p, unsigned char *dst, const unsigned char *src,
                            size_t size, bool past)
{
    const int64_t height = TSRI_LINE / (int64_t)size, width = WIDTH / (int64_t)size;
    for (int64_t j = 0; j < p->cols; j += width)
        for (int64_t i = 0; i < p->rows; i += height) {
            const int64_t rows = p->rows - i, cols = p->cols - j;
            unsigned char *d = dst + i * p->dst_row + j * (ptrdiff_t)size;
            const unsigned char *s = src + i * (ptrdiff_t)size + j * p->src_col;
            if (rows >= height)
                copy_tile(p, height, cols < width ? cols : width, d, s, size, past);
            else
                copy_tile(p, rows, cols < width ? cols : width, d, s, size, past);
        }
}

#define SIZES(X) X(1) X(2) X(4) X(8) X(16)
#define TILES_FUNCTION(size)                                                                       \
    static void copy_tiles_##size(const tsri_plane *p, unsigned char *restrict dst,                \
                                  const unsigned char *restrict src, const void *past)             \
    {                                                                                              \
        copy_tiles(p, dst, src, size, *(const bool *)past);                                        \
    }
SIZES(TILES_FUNCTION)

bool tsri_copy_tiles(tsri_walk *walk, size_t size, void *dst, const void *src, bool past)
{
    const int d = neighbours(walk->ndim, walk->dst, size);
    const int s = neighbours(walk->ndim, walk->src, size);

    if (d < 0 || s < 0 || d == s) return false;
    make_last(walk, s);
    make_last(walk, d > s ? d - 1 : d);
    switch (size) {
#define TILES_CALL(bytes)                                                                          \
    case bytes:                                                                                    \
        tsri_walk_planes(walk, dst, src, copy_tiles_##bytes, &past);                               \
        break;
        SIZES(TILES_CALL)
    }
    return true;
}
