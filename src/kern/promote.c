#include "kern/promote.h"

static bool is_complex(tsr_dtype dtype)
{
    return dtype == TSR_C64 || dtype == TSR_C128;
}

static bool is_integer(tsr_dtype dtype)
{
    return dtype >= TSR_I8 && dtype <= TSR_U64;
}

static bool is_unsigned(tsr_dtype dtype)
{
    return dtype >= TSR_U8 && dtype <= TSR_U64;
}

/* Whether real numbers of double width are needed. */
static bool needs_double(tsr_dtype dtype)
{
    if (is_integer(dtype)) return tsr_dtype_size(dtype) > 2;
    return dtype == TSR_F64 || dtype == TSR_C128;
}

static tsr_dtype promote_integers(tsr_dtype a, tsr_dtype b)
{
    if (is_unsigned(a) == is_unsigned(b)) return a > b ? a : b;
    const tsr_dtype with_sign = is_unsigned(a) ? b : a, without = is_unsigned(a) ? a : b;
    if (tsr_dtype_size(with_sign) > tsr_dtype_size(without)) return with_sign;
    if (without == TSR_U64) return TSR_F64;
    return without == TSR_U8 ? TSR_I16 : without == TSR_U16 ? TSR_I32 : TSR_I64;
}

tsr_dtype tsri_dtype_promote(tsr_dtype a, tsr_dtype b)
{
    if (a == b || b == TSR_BOOL) return a;
    if (a == TSR_BOOL) return b;
    if (is_integer(a) && is_integer(b)) return promote_integers(a, b);
    if (needs_double(a) || needs_double(b))
        return is_complex(a) || is_complex(b) ? TSR_C128 : TSR_F64;
    return is_complex(a) || is_complex(b) ? TSR_C64 : TSR_F32;
}
