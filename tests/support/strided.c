#include "support/strided.h"

uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 32);
}

int64_t random_between(uint64_t *seed, int64_t low, int64_t high)
{
    return low + (int64_t)(next_random(seed) % (uint64_t)(high - low + 1));
}

int random_extent(uint64_t *seed, int64_t cells, int64_t *extent)
{
    const int ndim = (int)random_between(seed, 0, STRIDED_AXES);
    int64_t left = cells;

    for (int a = 0; a < ndim; ++a) {
        const int64_t kind = random_between(seed, 0, 19);
        int64_t n = random_between(seed, 1, 4);
        if (kind == 0) n = 0;
        if (kind == 1 || kind == 2) n = random_between(seed, 1, 40);
        if (kind == 3) n = random_between(seed, 1, 700);
        extent[a] = n <= left ? n : 1;
        if (n > 0 && n <= left) left /= n;
    }
    return ndim;
}

strided random_strides(uint64_t *seed, int ndim, const int64_t *extent, bool zeros)
{
    const bool c_order = random_between(seed, 0, 1) == 0, gaps = random_between(seed, 0, 1) == 0;
    strided s = {.span = 1};
    int order[STRIDED_AXES];
    int64_t step = 1;

    for (int a = 0; a < ndim; ++a)
        order[a] = a;
    for (int a = 0; a < ndim && !c_order; ++a) {
        const int b = (int)random_between(seed, a, ndim - 1), kept = order[a];
        order[a] = order[b];
        order[b] = kept;
    }
    for (int k = ndim - 1; k >= 0; --k) {
        const int a = order[k];
        if (extent[a] == 0) continue;
        if (gaps) step += random_between(seed, 0, 2);
        s.stride[a] = step;
        if (zeros && random_between(seed, 0, 4) == 0) {
            s.stride[a] = 0;
            continue;
        }
        s.span += (extent[a] - 1) * step;
        if (!c_order && random_between(seed, 0, 2) == 0) {
            s.first += (extent[a] - 1) * step;
            s.stride[a] = -step;
        }
        step = step * extent[a];
    }
    return s;
}

int64_t shape_cells(int ndim, const int64_t *extent)
{
    int64_t cells = 1;

    for (int a = 0; a < ndim; ++a)
        cells *= extent[a];
    return cells;
}

int64_t cell_place(const strided *s, int ndim, const int64_t *extent, int64_t k)
{
    int64_t place = s->first;

    for (int a = ndim - 1; a >= 0; --a) {
        place += k % extent[a] * s->stride[a];
        k /= extent[a];
    }
    return place;
}

void random_bytes(uint64_t *seed, void *data, size_t bytes)
{
    unsigned char *byte = data;

    for (size_t i = 0; i < bytes; ++i)
        byte[i] = (unsigned char)next_random(seed);
}
