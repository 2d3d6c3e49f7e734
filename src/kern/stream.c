/* Copies of more cells than caches hold.
 *
 * Whole lines are written past the caches: they need not be read before, and push nothing out.
 * Several runs, or pieces of a long one, are copied side by side, line by line: memory serves a few
 * streams a half faster than one.  Where short runs come next the processor cannot tell by itself,
 * so their lines are asked for two groups of runs early, which makes rows of 256 bytes twice as
 * fast. */
#include "kern/portable.h"

#include "kern/line.h"
#include "kern/tiles.h"

enum { LANES = 4, PAGE = 4096, SHORTEST = 2 * TSRI_LINE };

typedef struct lane {
    unsigned char *dst;
    const unsigned char *src;
} lane;

/* Copy up to a line's beginning; returns the bytes copied. */
static size_t align_lane(const lane *l, size_t bytes)
{
    const size_t head = (size_t)(-(uintptr_t)l->dst % TSRI_LINE);
    const size_t copied = head < bytes ? head : bytes;
    if (copied > 0) memcpy(l->dst, l->src, copied);
    return copied;
}

/* As many bytes in each lane; `ahead` of each line, one that a later call copies is asked for. */
static void stream_lanes(const lane *lanes, size_t bytes, ptrdiff_t ahead)
{
    lane at[LANES];
    size_t head[LANES], lines = bytes / TSRI_LINE;

    for (int k = 0; k < LANES; ++k) {
        head[k] = align_lane(&lanes[k], bytes);
        at[k] = (lane){lanes[k].dst + head[k], lanes[k].src + head[k]};
        if ((bytes - head[k]) / TSRI_LINE < lines) lines = (bytes - head[k]) / TSRI_LINE;
    }
    for (size_t i = 0; i < lines * TSRI_LINE; i += TSRI_LINE)
        for (int k = 0; k < LANES; ++k) {
            tsri_line_ask(at[k].src, (ptrdiff_t)i + ahead);
            tsri_line_stream(at[k].dst + i, at[k].src + i);
        }
    for (int k = 0; k < LANES; ++k) {
        const size_t done = lines * TSRI_LINE, rest = bytes - head[k] - done;
        if (rest > 0) memcpy(at[k].dst + done, at[k].src + done, rest);
    }
}

/* One run, cut in pieces that are lanes. */
static void stream_run(lane run, size_t bytes)
{
    size_t done = align_lane(&run, bytes);
    for (size_t piece; (piece = (bytes - done) / LANES / TSRI_LINE * TSRI_LINE) > 0;
         done += LANES * piece) {
        lane lanes[LANES];
        if (piece > PAGE) piece = PAGE;
        for (size_t k = 0; k < LANES; ++k)
            lanes[k] = (lane){run.dst + done + k * piece, run.src + done + k * piece};
        stream_lanes(lanes, piece, LANES * (ptrdiff_t)piece);
    }
    memcpy(run.dst + done, run.src + done, bytes - done);
}

static void stream_plane(const tsri_plane *p, unsigned char *restrict dst,
                         const unsigned char *restrict src, const void *run)
{
    const size_t bytes = *(const size_t *)run;
    lane lanes[LANES];
    int n = 0;

    for (int64_t i = 0; i < p->rows; ++i)
        for (int64_t j = 0; j < p->cols; ++j) {
            lanes[n++] = (lane){dst + i * p->dst_row + j * p->dst_col,
                                src + i * p->src_row + j * p->src_col};
            if (bytes > PAGE) stream_run(lanes[--n], bytes);
            if (n < LANES) continue;
            stream_lanes(lanes, bytes, 2 * LANES * p->src_col);
            n = 0;
        }
    while (n > 0)
        stream_run(lanes[--n], bytes);
}

void tsri_portable_stream(size_t size, int ndim, const int64_t *extent, void *dst,
                          const int64_t *dst_stride, const void *src, const int64_t *src_stride)
{
    tsri_walk walk;

    if (!tsri_walk_init(&walk, ndim, extent, 1, (tsri_operand){size, dst_stride},
                        (tsri_operand){size, src_stride}))
        return;
    const size_t run = tsri_walk_take_run(&walk, size);
    if (run >= SHORTEST)
        tsri_walk_planes(&walk, dst, src, stream_plane, &run);
    else if (run > size || !tsri_copy_tiles(&walk, size, dst, src, true))
        tsri_portable_copy(size, ndim, extent, dst, dst_stride, src, src_stride);
    tsri_line_fence();
}
