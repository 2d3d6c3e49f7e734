/* One axis cut into blocks, and the near-even rule that all of the library uses. */
#include "layout/layout.h"

#include <stdio.h>
#include <string.h>

tsr_status tsr_near_even(int64_t length, int64_t count, int64_t i, int64_t *start, int64_t *end)
{
    if (length < 0) {
        return TSRI_FAIL(TSR_ERR_VALUE, "length is %lld, must be >= 0", (long long)length);
    }
    if (count < 1) {
        return TSRI_FAIL(TSR_ERR_VALUE, "count is %lld, must be >= 1", (long long)count);
    }
    if (i < 0 || i >= count) {
        return TSRI_FAIL(TSR_ERR_INDEX, "chunk %lld is not one of 0 to %lld", (long long)i,
                         (long long)count - 1);
    }
    const int64_t quotient = length / count, longer = length % count;
    const int64_t first = i * quotient + (i < longer ? i : longer);
    if (start != NULL) *start = first;
    if (end != NULL) *end = first + quotient + (i < longer);
    return TSR_OK;
}

tsri_axis tsri_axis_make(int64_t length, int blocks, const int64_t *cuts)
{
    return (tsri_axis){
        .length = length,
        .cuts = cuts,
        .quotient = length / blocks,
        .longer = (int)(length % blocks),
        .blocks = blocks,
    };
}

int64_t tsri_axis_cut(const tsri_axis *axis, int k)
{
    if (axis->cuts != NULL) return axis->cuts[k];
    return k * axis->quotient + (k < axis->longer ? k : axis->longer);
}

/* The last of the blocks whose first cut is <= i. */
static int cuts_search(const int64_t *cuts, int blocks, int64_t i)
{
    int lo = 0, hi = blocks;
    while (hi - lo > 1) {
        const int middle = lo + (hi - lo) / 2;
        if (cuts[middle] <= i) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return lo;
}

int tsri_axis_owner(const tsri_axis *axis, int64_t i)
{
    if (axis->cuts != NULL) return cuts_search(axis->cuts, axis->blocks, i);
    const int64_t in_longer = axis->longer * (axis->quotient + 1);
    if (i < in_longer) return (int)(i / (axis->quotient + 1));
    return axis->longer + (int)((i - in_longer) / axis->quotient);
}

int64_t tsri_axis_largest(const tsri_axis *axis)
{
    if (axis->cuts == NULL) return tsri_axis_cut(axis, 1);
    int64_t largest = 0;
    for (int k = 0; k < axis->blocks; ++k) {
        const int64_t extent = axis->cuts[k + 1] - axis->cuts[k];
        if (extent > largest) largest = extent;
    }
    return largest;
}

bool tsri_axis_normalise(int ndim, int *axis)
{
    if (*axis < -ndim || *axis >= ndim) return false;
    if (*axis < 0) *axis += ndim;
    return true;
}

bool tsri_axes_normalise(int ndim, tsr_axes *axes)
{
    const tsr_axes all = ((tsr_axes)1 << ndim) - 1;
    if (*axes == TSR_ALL_AXES) *axes = all;
    return (*axes & ~all) == 0;
}

/* ---- in words -------------------------------------------------------------------------------- */

const char *tsri_axes_words(int ndim, char words[TSRI_AXES_WORDS])
{
    if (ndim == 0) return "no axes";
    if (ndim == 1) return "1 axis: 0";
    snprintf(words, TSRI_AXES_WORDS, "%d axes: 0 %s %d", ndim, ndim == 2 ? "and" : "to", ndim - 1);
    return words;
}

const char *tsri_axes_list(tsr_axes axes, char words[TSRI_AXES_WORDS])
{
    if (axes == TSR_ALL_AXES) return "all axes";
    snprintf(words, TSRI_AXES_WORDS, "%s", (axes & (axes - 1)) != 0 ? "axes" : "axis");
    for (int a = 0, count = 0; a < TSR_MAX_NDIM; ++a) {
        const size_t used = strlen(words);
        if ((axes >> a & 1u) == 0) continue;
        snprintf(words + used, TSRI_AXES_WORDS - used, "%s %d", count++ > 0 ? "," : "", a);
    }
    return words;
}

tsr_status tsri_axis_check(const char *call, tsr_status code, const char *owner, int ndim,
                           int *axis)
{
    char words[TSRI_AXES_WORDS];
    if (tsri_axis_normalise(ndim, axis)) return TSR_OK;
    return TSRI_FAIL_IN(call, code, "axis is %d, but the %s has %s", *axis, owner,
                        tsri_axes_words(ndim, words));
}

tsr_status tsri_axes_check(const char *call, tsr_status code, const char *name, const char *owner,
                           int ndim, tsr_axes *axes)
{
    const tsr_axes asked = *axes;
    char words[TSRI_AXES_WORDS];
    int first = ndim;

    if (tsri_axes_normalise(ndim, axes)) return TSR_OK;
    if ((asked & TSR_WHOLE) != 0)
        return TSRI_FAIL_IN(call, code, "%s has TSR_WHOLE%s, which is a split of its own", name,
                            asked == TSR_WHOLE ? "" : " beside other axes");
    if (asked >> TSR_MAX_NDIM != 0)
        return TSRI_FAIL_IN(call, code, "%s has an axis outside 0 to %d", name, TSR_MAX_NDIM - 1);
    while ((asked >> first & 1u) == 0)
        ++first;
    return TSRI_FAIL_IN(call, code, "%s has axis %d, but the %s has %s", name, first, owner,
                        tsri_axes_words(ndim, words));
}
