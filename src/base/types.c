/* The names and sizes of element types; complex scalars. */
#include <tessera/types.h>

typedef struct dtype_row {
    const char *name;
    size_t size;
} dtype_row;

static const dtype_row table[TSR_DTYPE_END] = {[TSR_AUTO] = {"?", 0},
#define ROW(suffix, ctype, name, components) [TSR_##suffix] = {name, sizeof(ctype) * (components)},
                                               TSR_DTYPE_LIST(ROW)
#undef ROW
};

static const dtype_row *find(tsr_dtype dtype)
{
    const int row = (int)dtype;
    return &table[row >= 0 && row < TSR_DTYPE_END ? row : TSR_AUTO];
}

size_t tsr_dtype_size(tsr_dtype dtype)
{
    return find(dtype)->size;
}

const char *tsr_dtype_name(tsr_dtype dtype)
{
    return find(dtype)->name;
}

#define REAL_SCALAR(function, ctype, suffix, field)                                                \
    tsr_scalar function(ctype value)                                                               \
    {                                                                                              \
        return (tsr_scalar){.dtype = TSR_##suffix, .as.field = value};                             \
    }
REAL_SCALAR(tsr_bool, bool, BOOL, b)
REAL_SCALAR(tsr_i8, int8_t, I8, i)
REAL_SCALAR(tsr_i16, int16_t, I16, i)
REAL_SCALAR(tsr_i32, int32_t, I32, i)
REAL_SCALAR(tsr_i64, int64_t, I64, i)
REAL_SCALAR(tsr_u8, uint8_t, U8, u)
REAL_SCALAR(tsr_u16, uint16_t, U16, u)
REAL_SCALAR(tsr_u32, uint32_t, U32, u)
REAL_SCALAR(tsr_u64, uint64_t, U64, u)
REAL_SCALAR(tsr_f32, float, F32, f)
REAL_SCALAR(tsr_f64, double, F64, f)
#undef REAL_SCALAR

tsr_scalar tsr_c64(float real, float imag)
{
    return (tsr_scalar){.dtype = TSR_C64, .as.c = {real, imag}};
}

tsr_scalar tsr_c128(double real, double imag)
{
    return (tsr_scalar){.dtype = TSR_C128, .as.c = {real, imag}};
}

double tsr_to_double(tsr_scalar scalar)
{
    switch (scalar.dtype) {
    case TSR_BOOL:
        return scalar.as.b ? 1 : 0;
    case TSR_I8:
    case TSR_I16:
    case TSR_I32:
    case TSR_I64:
        return (double)scalar.as.i;
    case TSR_U8:
    case TSR_U16:
    case TSR_U32:
    case TSR_U64:
        return (double)scalar.as.u;
    case TSR_F32:
    case TSR_F64:
        return scalar.as.f;
    case TSR_C64:
    case TSR_C128:
        return scalar.as.c[0];
    default:
        return 0;
    }
}

int64_t tsr_to_int64(tsr_scalar scalar)
{
    switch (scalar.dtype) {
    case TSR_I8:
    case TSR_I16:
    case TSR_I32:
    case TSR_I64:
        return scalar.as.i;
    case TSR_U8:
    case TSR_U16:
    case TSR_U32:
    case TSR_U64:
        return scalar.as.u < INT64_MAX ? (int64_t)scalar.as.u : INT64_MAX;
    default:
        break;
    }
    const double value = tsr_to_double(scalar);
    if (value >= 0x1p63) return INT64_MAX;
    if (value >= -0x1p63) return (int64_t)value;
    return value < 0 ? INT64_MIN : 0; /* what is left is NaN */
}
