#include "expr/types.h"

#include "kern/kern.h"

static bool is(tsr_dtype dtype, unsigned classes)
{
    return (tsri_dtype_class(dtype) & classes) != 0;
}

/* The smallest real type that holds a type of bool, integers or reals. */
static tsr_dtype real_of(tsr_dtype dtype)
{
    if (is(dtype, TSRI_F)) return dtype;
    return tsr_dtype_size(dtype) <= 2 ? TSR_F32 : TSR_F64;
}

tsr_dtype tsri_part_type(tsr_dtype dtype)
{
    return dtype == TSR_C64 ? TSR_F32 : dtype == TSR_C128 ? TSR_F64 : dtype;
}

tsr_dtype tsri_promote_weak(tsr_dtype dtype, tsr_dtype weak)
{
    switch (tsri_dtype_class(weak)) {
    case TSRI_B:
        return dtype;
    case TSRI_I:
    case TSRI_U:
        return dtype == TSR_BOOL ? TSR_I64 : dtype;
    case TSRI_F:
        return is(dtype, TSRI_FC) ? dtype : TSR_F64;
    default:
        return is(dtype, TSRI_C) ? dtype : dtype == TSR_F32 ? TSR_C64 : TSR_C128;
    }
}

tsr_dtype tsri_working_type(tsri_works works, tsr_dtype dtype)
{
    switch (works) {
    case TSRI_WORKS_NO_BOOL:
        return dtype == TSR_BOOL ? TSR_I8 : dtype;
    case TSRI_WORKS_FLOATING:
        return is(dtype, TSRI_C) ? dtype : real_of(dtype);
    case TSRI_WORKS_DIVIDING:
        return is(dtype, TSRI_BIU) ? TSR_F64 : dtype;
    case TSRI_WORKS_DOUBLE:
        return is(dtype, TSRI_C) ? TSR_C128 : TSR_F64;
    case TSRI_WORKS_TRUTH:
        return TSR_BOOL;
    default:
        return dtype;
    }
}

tsr_dtype tsri_given_type(tsri_gives gives, tsr_dtype working)
{
    if (gives == TSRI_GIVES_BOOL) return TSR_BOOL;
    return gives == TSRI_GIVES_PART ? tsri_part_type(working) : working;
}

static int kind_of(tsr_dtype dtype)
{
    switch (tsri_dtype_class(dtype)) {
    case TSRI_B:
        return 0;
    case TSRI_U:
        return 1;
    case TSRI_I:
        return 2;
    case TSRI_F:
        return 3;
    default:
        return 4;
    }
}

bool tsri_same_kind(tsr_dtype from, tsr_dtype to)
{
    return kind_of(from) <= kind_of(to);
}

bool tsri_integer_fits(tsr_scalar integer, tsr_dtype dtype)
{
    if (!is(dtype, TSRI_IU)) return true;
    const unsigned bits = 8 * (unsigned)tsr_dtype_size(dtype);
    const bool large = integer.dtype == TSR_U64 && integer.as.u > INT64_MAX;
    if (dtype == TSR_U64) return integer.dtype == TSR_U64 || integer.as.i >= 0;
    if (large) return false;
    if (is(dtype, TSRI_U)) return integer.as.i >= 0 && integer.as.i >> bits == 0;
    return integer.as.i >> (bits - 1) == 0 || integer.as.i >> (bits - 1) == -1;
}
