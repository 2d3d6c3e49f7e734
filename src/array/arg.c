#include "base/error.h"

#include <tessera/arg.h>

tsr_arg tsr_arg_array(const char *name, const tsr_array *array)
{
    return (tsr_arg){.name = name, .kind = TSR_ARG_ARRAY, .array = array};
}

static tsr_arg weak(const char *name, tsr_scalar value)
{
    return (tsr_arg){.name = name, .kind = TSR_ARG_WEAK, .scalar = value};
}

tsr_arg tsr_arg_bool(const char *name, bool value)
{
    return weak(name, tsr_bool(value));
}

tsr_arg tsr_arg_int(const char *name, int64_t value)
{
    return weak(name, tsr_i64(value));
}

tsr_arg tsr_arg_uint(const char *name, uint64_t value)
{
    return weak(name, value <= INT64_MAX ? tsr_i64((int64_t)value) : tsr_u64(value));
}

tsr_arg tsr_arg_real(const char *name, double value)
{
    return weak(name, tsr_f64(value));
}

tsr_arg tsr_arg_complex_parts(const char *name, double real, double imag)
{
    return weak(name, tsr_c128(real, imag));
}

tsr_arg tsr_arg_scalar(const char *name, tsr_scalar value)
{
    return (tsr_arg){.name = name, .kind = TSR_ARG_TYPED, .scalar = value};
}

tsr_arg tsr_arg_global(const char *name, tsr_dtype dtype, const void *data, int ndim,
                       const int64_t *shape, const int64_t *stride)
{
    return (tsr_arg){.name = name,
                     .kind = TSR_ARG_GLOBAL_DATA,
                     .data = data,
                     .dtype = dtype,
                     .ndim = ndim,
                     .shape = shape,
                     .stride = stride};
}

tsr_arg tsr_arg_storage(const char *name, tsr_dtype dtype, const void *data)
{
    return (tsr_arg){.name = name, .kind = TSR_ARG_STORAGE_DATA, .data = data, .dtype = dtype};
}

tsr_arg tsr_arg_text(const char *text)
{
    return (tsr_arg){.kind = TSR_ARG_TEXT, .text = text};
}
