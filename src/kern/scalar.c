/* Elements to and from scalars. */
#include "kern/kern.h"
#include "kern/portable.h"

#include <math.h>
#include <string.h>

/* The type in which a scalar keeps a value of an element type, and where. */
static tsr_dtype kept(tsr_dtype dtype)
{
    if (dtype == TSR_BOOL) return TSR_BOOL;
    if (dtype <= TSR_I64) return TSR_I64;
    if (dtype <= TSR_U64) return TSR_U64;
    return dtype <= TSR_F64 ? TSR_F64 : TSR_C128;
}

bool tsri_dtype_valid(tsr_dtype dtype)
{
    return tsr_dtype_size(dtype) != 0;
}

void tsri_scalar_store(tsr_scalar scalar, tsr_dtype dtype, void *element)
{
    if (!tsri_dtype_valid(scalar.dtype)) scalar = tsr_i64(0);
    tsri_portable_convert(0, NULL, dtype, element, NULL, kept(scalar.dtype), &scalar.as, NULL);
}

tsr_scalar tsri_scalar_load(tsr_dtype dtype, const void *element)
{
    tsr_scalar scalar = {.dtype = dtype};

    tsri_portable_convert(0, NULL, kept(dtype), &scalar.as, NULL, dtype, element, NULL);
    return scalar;
}

void tsri_poison_store(tsr_dtype dtype, void *element)
{
    if (dtype >= TSR_F32)
        tsri_scalar_store(tsr_c128(NAN, NAN), dtype, element);
    else
        memset(element, 0xa5, tsr_dtype_size(dtype));
}
