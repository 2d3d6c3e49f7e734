/* The table of kernels in use. */
#include "kern/portable.h"

static const tsri_kern portable = {
    .copy = tsri_portable_copy,
    .stream = tsri_portable_stream,
    .fill = tsri_portable_fill,
    .add = tsri_portable_add,
    .convert = tsri_portable_convert,
    .combine = tsri_portable_combine,
};

const tsri_kern *tsri_kern_get(void)
{
    return &portable;
}
