#include "reduce/reduction.h"

#include "base/checked.h"
#include "base/net.h"
#include "kern/kern.h"

#include <string.h>

void tsri_each_row(const tsr_array *array, tsri_row_visitor visit, void *state)
{
    int64_t extent[TSR_MAX_NDIM], stride[TSR_MAX_NDIM], index[TSR_MAX_NDIM] = {0};
    int64_t *const strides[] = {stride};
    const int64_t elem = (int64_t)tsr_dtype_size(array->dtype);
    const char *row = tsri_array_origin(array);
    int ndim = array->layout->geometry.ndim;

    if (row == NULL) return;
    memcpy(extent, array->extent, sizeof extent);
    memcpy(stride, array->stride, sizeof stride);
    for (int a = 0; a < ndim; ++a)
        if (extent[a] == 0) return;
    ndim = tsri_coalesce(ndim, extent, 1, strides);
    const int last = ndim - 1;
    for (;;) {
        visit(row, ndim == 0 ? 1 : extent[last], ndim == 0 ? 1 : stride[last], state);
        int a = last - 1;
        while (a >= 0 && ++index[a] == extent[a]) {
            row -= (extent[a] - 1) * stride[a] * elem;
            index[a--] = 0;
        }
        if (a < 0) return;
        row += stride[a] * elem;
    }
}

static void combine(void *left, const void *right)
{
    tsri_record *l = left;
    const tsri_record *r = right;

    if (l->kind != r->kind) return; /* the agreement that follows says so */
    switch (l->kind) {
    case TSRI_RECORD_NONE:
        break;
    case TSRI_RECORD_WRAPPED:
        l->as.wrapped += r->as.wrapped;
        break;
    case TSRI_RECORD_EXACT:
        for (int part = 0; part < 2; ++part)
            tsri_exact_merge(&l->as.exact[part], &r->as.exact[part]);
        break;
    case TSRI_RECORD_KEYS:
        tsri_extremes_combine_keys(&l->as.extremes, &r->as.extremes);
        break;
    case TSRI_RECORD_COMPLEX:
        tsri_extremes_combine_complex(&l->as.extremes, &r->as.extremes);
        break;
    }
}

tsr_status tsri_reduce(const tsr_array *array, const char *call, tsr_status status,
                       tsri_record *record)
{
    const tsr_layout *layout = array->layout;
    const uint64_t layout_hash = tsr_layout_hash(layout);
    uint64_t fingerprint = TSRI_HASH_START;

    if (!tsr_layout_is_distributed(layout)) return status;
    fingerprint = tsri_hash(fingerprint, call, strlen(call));
    fingerprint = tsri_hash(fingerprint, &array->dtype, sizeof array->dtype);
    fingerprint = tsri_hash(fingerprint, &layout_hash, sizeof layout_hash);

    /* A rank that failed before still takes part, with what it has. */
    const tsr_status sent = tsri_net_combine(layout->context, record, sizeof *record, combine);
    return tsri_agree(layout->context, status != TSR_OK ? status : sent, fingerprint);
}
