/* Strided copies: as few and as long moves as the strides allow. */
#include "kern/portable.h"
#include "kern/tiles.h"
#include "kern/walk.h"

#include <string.h>

/* Widths, in bytes, of moves that compile to a few instructions. */
#define MOVE_LIST(X) X(1) X(2) X(4) X(8) X(16) X(32)
enum { WIDEST = 32 };

/* ---- copy ------------------------------------------------------------------------------------ */

/* Rows that each lie on cache lines of their own, at distances that processors do not foresee, are
 * asked for this many rows ahead. */
enum { ROWS_AHEAD = 16, FAR_BYTES = 128 };

#if defined(__GNUC__)
#define FETCH(address, writes) __builtin_prefetch((address), (writes))
#else
#define FETCH(address, writes) ((void)0)
#endif

TSRI_EXPAND bool is_far(ptrdiff_t distance)
{
    return distance >= FAR_BYTES || distance <= -FAR_BYTES;
}

TSRI_EXPAND void copy_run(unsigned char *restrict dst, const unsigned char *restrict src,
                          size_t width, bool two, size_t run)
{
    memcpy(dst, src, width);
    if (two) memcpy(dst + (run - width), src + (run - width), width);
}

/* Planes of two columns, such as both sides of a halo. */
TSRI_EXPAND void copy_pairs(const tsri_plane *p, unsigned char *restrict dst,
                            const unsigned char *restrict src, size_t width, bool two, size_t run)
{
    const ptrdiff_t dst_ahead = ROWS_AHEAD * p->dst_row, src_ahead = ROWS_AHEAD * p->src_row;
    const bool dst_far = is_far(p->dst_row), src_far = is_far(p->src_row);

    for (int64_t i = 0; i < p->rows; ++i) {
        if (src_far) {
            FETCH(src + src_ahead, 0);
            FETCH(src + src_ahead + p->src_col, 0);
        }
        if (dst_far) {
            FETCH(dst + dst_ahead, 1);
            FETCH(dst + dst_ahead + p->dst_col, 1);
        }
        copy_run(dst, src, width, two, run);
        copy_run(dst + p->dst_col, src + p->src_col, width, two, run);
        dst += p->dst_row;
        src += p->src_row;
    }
}

/* Copy runs of `run` bytes, width <= run <= 2*width, by one move or by two that may overlap.  Both
 * `width` and `two` are constants where this is expanded. */
TSRI_EXPAND void copy_runs(const tsri_plane *p, unsigned char *restrict dst,
                           const unsigned char *restrict src, size_t width, bool two, size_t run)
{
    if (p->cols == 2) {
        copy_pairs(p, dst, src, width, two, run);
        return;
    }
    for (int64_t i = 0; i < p->rows; ++i) {
        unsigned char *d = dst + i * p->dst_row;
        const unsigned char *s = src + i * p->src_row;
        for (int64_t j = 0; j < p->cols; ++j)
            copy_run(d + j * p->dst_col, s + j * p->src_col, width, two, run);
    }
}

#define COPY_FUNCTIONS(width)                                                                      \
    static void copy_one_##width(const tsri_plane *p, unsigned char *restrict dst,                 \
                                 const unsigned char *restrict src, const void *run)               \
    {                                                                                              \
        (void)run;                                                                                 \
        copy_runs(p, dst, src, width, false, width);                                               \
    }                                                                                              \
    static void copy_two_##width(const tsri_plane *p, unsigned char *restrict dst,                 \
                                 const unsigned char *restrict src, const void *run)               \
    {                                                                                              \
        copy_runs(p, dst, src, width, true, *(const size_t *)run);                                 \
    }
MOVE_LIST(COPY_FUNCTIONS)

static void copy_long(const tsri_plane *p, unsigned char *restrict dst,
                      const unsigned char *restrict src, const void *run)
{
    const size_t bytes = *(const size_t *)run;

    for (int64_t i = 0; i < p->rows; ++i)
        for (int64_t j = 0; j < p->cols; ++j)
            memcpy(dst + i * p->dst_row + j * p->dst_col, src + i * p->src_row + j * p->src_col,
                   bytes);
}

static tsri_plane_function *copy_function(size_t run)
{
    if (run > 2 * WIDEST) return copy_long;
#define COPY_PICK(width)                                                                           \
    if (run == (width)) return copy_one_##width;                                                   \
    if (run < 2 * (width)) return copy_two_##width;
    MOVE_LIST(COPY_PICK)
    return copy_two_32;
}

void tsri_portable_copy(size_t size, int ndim, const int64_t *extent, void *dst,
                        const int64_t *dst_stride, const void *src, const int64_t *src_stride)
{
    tsri_walk walk;

    if (!tsri_walk_init(&walk, ndim, extent, 1, (tsri_operand){size, dst_stride},
                        (tsri_operand){size, src_stride}))
        return;
    const size_t run = tsri_walk_take_run(&walk, size);
    if (run == size && tsri_copy_tiles(&walk, size, dst, src, false)) return;
    tsri_walk_planes(&walk, dst, src, copy_function(run), &run);
}

/* ---- fill ------------------------------------------------------------------------------------ */

TSRI_EXPAND void fill_cells(const tsri_plane *p, unsigned char *dst, const unsigned char *value,
                            size_t width)
{
    unsigned char v[WIDEST];

    memcpy(v, value, width);
    for (int64_t i = 0; i < p->rows; ++i) {
        unsigned char *d = dst + i * p->dst_row;
        if (p->dst_col == (ptrdiff_t)width)
            for (int64_t j = 0; j < p->cols; ++j)
                memcpy(d + j * (ptrdiff_t)width, v, width);
        else
            for (int64_t j = 0; j < p->cols; ++j)
                memcpy(d + j * p->dst_col, v, width);
    }
}

#define FILL_FUNCTION(width)                                                                       \
    static void fill_##width(const tsri_plane *p, unsigned char *restrict dst,                     \
                             const unsigned char *restrict value, const void *ctx)                 \
    {                                                                                              \
        (void)ctx;                                                                                 \
        fill_cells(p, dst, value, width);                                                          \
    }
MOVE_LIST(FILL_FUNCTION)

static tsri_plane_function *fill_function(size_t size)
{
#define FILL_PICK(width)                                                                           \
    if (size == (width)) return fill_##width;
    MOVE_LIST(FILL_PICK)
    return NULL;
}

static void fill_bytes(const tsri_plane *p, unsigned char *restrict dst,
                       const unsigned char *restrict value, const void *run)
{
    for (int64_t i = 0; i < p->rows; ++i)
        for (int64_t j = 0; j < p->cols; ++j)
            memset(dst + i * p->dst_row + j * p->dst_col, *value, *(const size_t *)run);
}

void tsri_portable_fill(size_t size, int ndim, const int64_t *extent, void *dst,
                        const int64_t *dst_stride, const void *value)
{
    const unsigned char *bytes = value;
    const tsri_operand cells = {size, dst_stride};
    tsri_walk walk;

    if (!tsri_walk_init(&walk, ndim, extent, 1, cells, (tsri_operand){0, NULL})) return;
    if (memcmp(bytes, bytes + 1, size - 1) != 0) {
        tsri_walk_planes(&walk, dst, value, fill_function(size), NULL);
        return;
    }
    const int last = walk.ndim - 1;
    size_t run = size;
    if (last >= 0 && walk.dst[last] == (ptrdiff_t)size) {
        run *= (size_t)walk.extent[last];
        walk.ndim = last;
    }
    tsri_walk_planes(&walk, dst, value, fill_bytes, &run);
}
