/* Shapes and strides: axes that are run through as one, C order. */
#include "base/checked.h"
#include "kern/kern.h"

/* Whether a step along `outer` is the same as running through all of `inner`, in every operand. */
static bool contiguous(const int64_t *extent, int outer, int inner, int n, int64_t *const *strides)
{
    for (int k = 0; k < n; ++k) {
        int64_t span;
        if (!tsri_mul_i64(strides[k][inner], extent[inner], &span)) return false;
        if (strides[k][outer] != span) return false;
    }
    return true;
}

int tsri_coalesce(int ndim, int64_t *extent, int n, int64_t *const *strides)
{
    int kept = 0;

    for (int a = 0; a < ndim; ++a) {
        if (extent[a] == 0) {
            extent[0] = 0;
            for (int k = 0; k < n; ++k)
                strides[k][0] = 1;
            return 1;
        }
    }
    for (int a = 0; a < ndim; ++a) {
        if (extent[a] == 1) continue;
        if (kept > 0 && contiguous(extent, kept - 1, a, n, strides)) {
            extent[kept - 1] *= extent[a];
        } else {
            extent[kept++] = extent[a];
        }
        for (int k = 0; k < n; ++k)
            strides[k][kept - 1] = strides[k][a];
    }
    return kept;
}

int64_t tsri_c_strides(int ndim, const int64_t *extent, int64_t *stride)
{
    int64_t step = 1, cells = 1;

    for (int a = ndim - 1; a >= 0; --a) {
        stride[a] = step;
        cells *= extent[a];
        if (extent[a] > 0) step *= extent[a];
    }
    return cells;
}
