/* The types and the options of reductions. */
#include "base/checked.h"
#include "kern/kern.h"
#include "reduce/reduction.h"

bool tsri_is_integer(tsr_dtype dtype)
{
    return dtype < TSR_F32;
}

static bool is_unsigned(tsr_dtype dtype)
{
    return dtype >= TSR_U8 && dtype <= TSR_U64;
}

bool tsri_is_complex(tsr_dtype dtype)
{
    return dtype == TSR_C64 || dtype == TSR_C128;
}

tsr_dtype tsri_sum_dtype(tsr_dtype dtype)
{
    return tsri_is_integer(dtype) ? tsri_wide_dtype(dtype) : dtype;
}

tsr_dtype tsri_wide_dtype(tsr_dtype dtype)
{
    if (tsri_is_integer(dtype)) return is_unsigned(dtype) ? TSR_U64 : TSR_I64;
    return tsri_is_complex(dtype) ? TSR_C128 : TSR_F64;
}

tsr_dtype tsri_mean_dtype(tsr_dtype dtype)
{
    return tsri_is_integer(dtype) ? TSR_F64 : dtype;
}

tsr_dtype tsri_real_dtype(tsr_dtype dtype)
{
    return dtype == TSR_C64 ? TSR_F32 : dtype == TSR_C128 ? TSR_F64 : dtype;
}

tsr_scalar tsri_scalar_as(tsr_scalar scalar, tsr_dtype dtype)
{
    _Alignas(16) unsigned char element[16];
    tsri_scalar_store(scalar, dtype, element);
    return tsri_scalar_load(dtype, element);
}

tsr_status tsri_options_check(const char *call, const tsr_reduce_options *options, bool typed,
                              tsr_reduce_options *checked)
{
    tsr_status st = TSR_OK;

    *checked = options != NULL ? *options : (tsr_reduce_options){0};
    TSRI_CHECK_IN(call, done, checked->dtype == TSR_AUTO || typed, TSR_ERR_TYPE,
                  "dtype is %s, but the type of the result cannot be chosen here",
                  tsr_dtype_name(checked->dtype));
    TSRI_CHECK_IN(call, done, checked->dtype == TSR_AUTO || tsri_dtype_valid(checked->dtype),
                  TSR_ERR_TYPE, "dtype is %d, must be TSR_AUTO or TSR_BOOL to TSR_C128",
                  (int)checked->dtype);
    TSRI_CHECK_IN(call, done, (checked->flags & ~TSR_FAST) == 0, TSR_ERR_VALUE,
                  "flags is 0x%x, must be 0 or TSR_FAST", checked->flags);
    TSRI_CHECK_IN(call, done, checked->ddof > INT64_MIN / 2 && checked->ddof < INT64_MAX / 2,
                  TSR_ERR_VALUE, "ddof is %lld, out of range", (long long)checked->ddof);
done:
    return st;
}

uint64_t tsri_options_hash(uint64_t hash, const tsr_reduce_options *options)
{
    hash = tsri_hash(hash, &options->dtype, sizeof options->dtype);
    hash = tsri_hash(hash, &options->ddof, sizeof options->ddof);
    hash = tsri_hash(hash, &options->keep, sizeof options->keep);
    return tsri_hash(hash, &options->flags, sizeof options->flags);
}
