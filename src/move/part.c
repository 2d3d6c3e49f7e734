#include "move/part.h"

tsr_status tsri_part_layout(const char *call, tsri_context *context, int ndim, const int64_t *shape,
                            tsr_axes split, tsr_layout **layout)
{
    const tsr_layout_options cut = {.split = split}, whole = {.split = TSR_WHOLE};
    tsr_status st = TSR_ERR_VALUE;

    if (split != 0) st = tsri_layout_make(call, context, ndim, shape, &cut, layout);
    if (st == TSR_ERR_VALUE) st = tsri_layout_make(call, context, ndim, shape, &whole, layout);
    return st;
}

tsr_status tsri_part_create(const char *call, tsri_context *context, tsr_status earlier,
                            uint64_t fingerprint, tsr_layout *made, tsr_dtype dtype,
                            tsr_array **part)
{
    tsr_layout *layout = NULL;
    tsr_status st = TSR_OK;

    *part = NULL;
    TSRI_TRY(done, tsri_layout_finish(context, earlier, fingerprint, &tsri_layout_defaults, made,
                                      &layout));
    st = tsri_agree(context, tsri_array_make(layout, dtype, call, part), 0);
    if (st != TSR_OK) {
        tsri_array_free(*part);
        *part = NULL;
    }
done:
    tsri_layout_unref(layout);
    return st;
}
