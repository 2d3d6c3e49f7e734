#include "kern/walk.h"

bool tsri_walk_init(tsri_walk *walk, int ndim, const int64_t *extent, int parts, tsri_operand dst,
                    tsri_operand src)
{
    int64_t dst_stride[TSR_MAX_NDIM + 1], src_stride[TSR_MAX_NDIM + 1];

    for (int a = 0; a < ndim; ++a) {
        if (extent[a] <= 0) return false;
        walk->extent[a] = extent[a];
        dst_stride[a] = dst.stride == NULL ? 0 : dst.stride[a] * parts;
        src_stride[a] = src.stride == NULL ? 0 : src.stride[a] * parts;
    }
    if (parts > 1) {
        walk->extent[ndim] = parts;
        dst_stride[ndim] = src_stride[ndim] = 1;
        ++ndim;
    }
    walk->ndim = tsri_coalesce(ndim, walk->extent, 2, (int64_t *[]){dst_stride, src_stride});
    for (int a = 0; a < walk->ndim; ++a) {
        walk->dst[a] = (ptrdiff_t)dst_stride[a] * (ptrdiff_t)dst.size / parts;
        walk->src[a] = (ptrdiff_t)src_stride[a] * (ptrdiff_t)src.size / parts;
    }
    return true;
}

size_t tsri_walk_take_run(tsri_walk *walk, size_t size)
{
    const int last = walk->ndim - 1;
    const ptrdiff_t step = (ptrdiff_t)size;

    if (last < 0 || walk->dst[last] != step || walk->src[last] != step) return size;
    walk->ndim = last;
    return size * (size_t)walk->extent[last];
}

static tsri_plane inner_plane(const tsri_walk *walk)
{
    tsri_plane plane = {.rows = 1, .cols = 1};

    if (walk->ndim > 0) {
        const int col = walk->ndim - 1;
        plane.cols = walk->extent[col];
        plane.dst_col = walk->dst[col];
        plane.src_col = walk->src[col];
    }
    if (walk->ndim > 1) {
        const int row = walk->ndim - 2;
        plane.rows = walk->extent[row];
        plane.dst_row = walk->dst[row];
        plane.src_row = walk->src[row];
    }
    return plane;
}

void tsri_walk_planes(const tsri_walk *walk, void *dst, const void *src,
                      tsri_plane_function *function, const void *ctx)
{
    const tsri_plane plane = inner_plane(walk);
    unsigned char *d = dst;
    const unsigned char *s = src;
    int64_t i[TSR_MAX_NDIM + 1] = {0};

    for (;;) {
        function(&plane, d, s, ctx);
        int a = walk->ndim - 3;
        while (a >= 0 && i[a] + 1 == walk->extent[a]) {
            d -= i[a] * walk->dst[a];
            s -= i[a] * walk->src[a];
            i[a] = 0;
            --a;
        }
        if (a < 0) return;
        ++i[a];
        d += walk->dst[a];
        s += walk->src[a];
    }
}
