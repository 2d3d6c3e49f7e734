/* What leaves every value as it is when it is combined with it. */
#include "kern/kern.h"

#include <math.h>

/* The last value in the order of min or max. */
static tsr_scalar last_value(tsr_dtype dtype, bool max)
{
    const double end = max ? -HUGE_VAL : HUGE_VAL;
    const unsigned bits = 8 * (unsigned)tsr_dtype_size(dtype);

    switch (dtype) {
    case TSR_BOOL:
        return tsr_bool(!max);
    case TSR_I8:
    case TSR_I16:
    case TSR_I32:
    case TSR_I64:
        return tsr_i64(max ? INT64_MIN >> (64 - bits) : INT64_MAX >> (64 - bits));
    case TSR_U8:
    case TSR_U16:
    case TSR_U32:
    case TSR_U64:
        return tsr_u64(max ? 0 : UINT64_MAX >> (64 - bits));
    default:
        return tsr_c128(end, end);
    }
}

tsr_scalar tsri_op_identity(tsr_op op, tsr_dtype dtype)
{
    switch (op) {
    case TSR_MIN:
    case TSR_MAX:
        return last_value(dtype, op == TSR_MAX);
    case TSR_PROD:
    case TSR_AND:
        return tsr_i64(1);
    case TSR_BAND:
        return tsr_i64(-1); /* every bit, in any width */
    default:
        return tsr_i64(0);
    }
}
