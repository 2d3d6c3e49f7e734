/* Cuts of one axis, and of a layout, by weight. */
#include "base/memory.h"
#include "layout/weighted.h"

#include <inttypes.h>
#include <math.h>

static int64_t limited(int64_t value, int64_t low, int64_t high)
{
    if (value < low) value = low;
    return value > high ? high : value;
}

static double total_of(int64_t length, const double *weights)
{
    double total = 0;
    for (int64_t i = 0; i < length; ++i)
        total += weights[i];
    return total;
}

static void near_even_cuts(int64_t length, int blocks, int64_t *cuts)
{
    const tsri_axis axis = tsri_axis_make(length, blocks, NULL);
    for (int k = 0; k <= blocks; ++k)
        cuts[k] = tsri_axis_cut(&axis, k);
}

tsr_status tsri_balanced_cuts(const char *call, int axis, int64_t length, const double *weights,
                              int blocks, int64_t minimum, int64_t *cuts)
{
    const double total = total_of(length, weights);
    double before = 0, at = 0; /* the weight before cells j - 1 and j */
    int64_t j = 0;
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, length / blocks >= minimum, TSR_ERR_VALUE,
                  "axis %d has %" PRId64 " cell%s for %d block%s of at least %" PRId64, axis,
                  length, TSRI_S(length), blocks, TSRI_S(blocks), minimum);
    TSRI_CHECK_IN(call, done, isfinite(total), TSR_ERR_VALUE,
                  "the sum of the weights along axis %d is infinite", axis);
    near_even_cuts(length, blocks, cuts);
    for (int k = 1; k < blocks && total > 0; ++k) {
        const bool fits = isfinite(total * blocks);
        const double target = fits ? total * k / blocks : total / blocks * k;
        while (j < length && at < target) {
            before = at;
            at += weights[j++];
        }
        const bool lower = j > 0 && fabs(before - target) <= fabs(at - target);
        cuts[k] =
            limited(lower ? j - 1 : j, cuts[k - 1] + minimum, length - (blocks - k) * minimum);
    }
done:
    return st;
}

/* Blocks hold their halo where there is room for that. */
static int64_t minimum_of(const tsri_geometry *g, int axis)
{
    const int64_t lo = g->halo_lo[axis], hi = g->halo_hi[axis];
    return limited(lo > hi ? lo : hi, 1, g->shape[axis] / g->grid[axis]);
}

/* The options that give the layout cut by weight, the memory of their cuts in one block. */
static tsr_status cut(const char *call, const tsri_geometry *even, const double *const *weight,
                      tsr_layout_options *options, int64_t **memory)
{
    tsr_status st = TSR_OK;
    size_t points = 0;
    for (int a = 0; a < even->ndim; ++a)
        points += (size_t)even->grid[a] + 1;
    TSRI_ALLOC(done, *memory, points);
    int64_t *next = *memory;
    for (int a = 0; a < even->ndim; ++a) {
        options->process_grid[a] = even->grid[a];
        if (even->grid[a] == 1 || weight[a] == NULL) continue;
        TSRI_TRY(done, tsri_balanced_cuts(call, a, even->shape[a], weight[a], even->grid[a],
                                          minimum_of(even, a), next));
        options->cuts[a] = next;
        options->ncuts[a] = even->grid[a] + 1;
        next += even->grid[a] + 1;
    }
done:
    return st;
}

tsr_status tsri_layout_weigh(const char *call, tsri_context *context, const double *const *weight,
                             const tsr_layout_options *options, tsr_layout **layout)
{
    const tsri_geometry *even = &(*layout)->geometry;
    tsr_layout_options full = *options;
    tsr_layout *made = NULL;
    int64_t *memory = NULL;
    tsr_status st = TSR_OK;

    if (even->whole) return TSR_OK;
    TSRI_TRY(done, cut(call, even, weight, &full, &memory));
    TSRI_TRY(done, tsri_layout_make(call, context, even->ndim, even->shape, &full, &made));
    tsri_layout_free(*layout);
    *layout = made;
done:
    tsri_free(memory);
    return st;
}

tsr_status tsri_layout_make_even(const char *call, tsri_context *context, int ndim,
                                 const int64_t *shape, const tsr_layout_options *options,
                                 tsr_layout **layout)
{
    tsr_status st = TSR_OK;
    *layout = NULL;
    for (int a = 0; a < TSR_MAX_NDIM; ++a)
        TSRI_CHECK_IN(call, done, options->cuts[a] == NULL && options->ncuts[a] == 0, TSR_ERR_VALUE,
                      "cuts[%d] or ncuts[%d] is given, but the weights decide where to cut", a, a);
    st = tsri_layout_make(call, context, ndim, shape, options, layout);
done:
    return st;
}
