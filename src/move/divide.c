#include "move/divide.h"

int tsri_divide_axes(int target_ndim, const int64_t *target_extent, const int64_t *target_stride,
                     int source_ndim, const int64_t *source_extent, const int64_t *source_stride,
                     tsri_axes *axes)
{
    int64_t extent[TSR_MAX_NDIM], target[TSR_MAX_NDIM], source[TSR_MAX_NDIM];
    int t = target_ndim - 1, s = source_ndim - 1, n = 0;
    int64_t written = 1, read = 1; /* cells of the present axes that are dealt with */

    while (t >= 0 && s >= 0) {
        const int64_t left = target_extent[t] / written, other = source_extent[s] / read;
        extent[n] = left < other ? left : other;
        target[n] = target_stride[t] * written;
        source[n] = source_stride[s] * read;
        written *= extent[n];
        read *= extent[n++];
        if (written == target_extent[t]) --t, written = 1;
        if (read == source_extent[s]) --s, read = 1;
    }
    for (int a = 0; a < n; ++a) {
        axes->extent[a] = extent[n - 1 - a];
        axes->target_stride[a] = target[n - 1 - a];
        axes->source_stride[a] = source[n - 1 - a];
    }
    return n;
}
