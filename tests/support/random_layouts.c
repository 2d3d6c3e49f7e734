#include "support/random_layouts.h"

static void random_cuts(uint64_t *seed, int64_t length, int blocks, int64_t *cuts)
{
    cuts[0] = 0;
    cuts[blocks] = length;
    for (int k = 1; k < blocks; ++k) {
        int i = k;
        const int64_t cut = tsrt_random(seed, (int)length + 1);
        for (; i > 1 && cuts[i - 1] > cut; --i)
            cuts[i] = cuts[i - 1];
        cuts[i] = cut;
    }
}

int random_shape(uint64_t *seed, int64_t *shape)
{
    const int ndim = tsrt_random(seed, RANDOM_AXES + 1);

    for (int a = 0; a < ndim; ++a)
        shape[a] = tsrt_random(seed, 6) == 0 ? tsrt_random(seed, 2) : 1 + tsrt_random(seed, 12);
    return ndim;
}

/* Every prime factor of the ranks on some axis. */
static void draw_grid(uint64_t *seed, int ndim, const int64_t *shape, random_options *drawn)
{
    tsr_layout_options *options = &drawn->options;

    for (int a = 0; a < ndim; ++a)
        options->process_grid[a] = 1;
    for (int left = tsrt_size(), prime = 2; left > 1; left /= prime) {
        while (left % prime != 0)
            ++prime;
        options->process_grid[tsrt_random(seed, ndim)] *= prime;
    }
    for (int a = 0; a < ndim; ++a) {
        if (tsrt_random(seed, 2) == 0) continue;
        random_cuts(seed, shape[a], options->process_grid[a], drawn->cuts[a]);
        options->cuts[a] = drawn->cuts[a];
        options->ncuts[a] = options->process_grid[a] + 1;
    }
}

void draw_options(uint64_t *seed, int ndim, const int64_t *shape, random_options *drawn)
{
    tsr_layout_options *options = &drawn->options;

    *options = (tsr_layout_options){.allow_empty = true};
    for (int a = 0; a < ndim; ++a) {
        options->halo_lo[a] = tsrt_random(seed, 3);
        options->halo_hi[a] = tsrt_random(seed, 3);
        if (tsrt_random(seed, 2) == 0) options->periodic |= TSR_AXIS(a);
    }
    if (ndim == 0 || tsrt_random(seed, 8) == 0)
        options->split = TSR_WHOLE;
    else if (tsrt_random(seed, 4) == 0)
        options->split = (tsr_axes)(1 + tsrt_random(seed, (1 << ndim) - 1));
    else
        draw_grid(seed, ndim, shape, drawn);
}

tsr_layout *random_layout(uint64_t *seed, int ndim, const int64_t *shape)
{
    return random_layout_on(TSR_COMM_WORLD, seed, ndim, shape);
}

tsr_layout *random_layout_on(tsr_comm comm, uint64_t *seed, int ndim, const int64_t *shape)
{
    random_options drawn;
    tsr_layout *layout = NULL;

    draw_options(seed, ndim, shape, &drawn);
    CHECK_OK(tsr_layout_create(comm, ndim, shape, &drawn.options, &layout));
    return layout;
}
