/**
 * @file arg.h
 * Arguments: what stands for a value in a call, be it an array, a number or plain memory.
 */
#ifndef TESSERA_ARG_H
#define TESSERA_ARG_H

#include <tessera/array.h>

#ifdef __cplusplus
#include <complex>
#endif

TSR_BEGIN_DECLS

/* ---- what names stand for -------------------------------------------------------------------- */

/** Kinds of argument.  TSR_NO_ARG ends a list. */
typedef enum tsr_arg_kind {
    TSR_ARG_END = 0,
    TSR_ARG_ARRAY,        /**< a distributed array */
    TSR_ARG_WEAK,         /**< a C number: it adapts to the arrays it meets, as in Python */
    TSR_ARG_TYPED,        /**< a tsr_scalar: its type counts as an array's does */
    TSR_ARG_GLOBAL_DATA,  /**< plain memory that broadcasts to the global shape */
    TSR_ARG_STORAGE_DATA, /**< plain memory of the shape of this rank's storage */
    TSR_ARG_TEXT          /**< an expression, as the mask of tsr_eval_where() */
} tsr_arg_kind;

/** A name, as of an expression, and what it stands for.  Borrowed during the call. */
typedef struct tsr_arg {
    const char *name;
    tsr_arg_kind kind;
    const tsr_array *array; /**< of TSR_ARG_ARRAY */
    tsr_scalar scalar;      /**< of TSR_ARG_WEAK (bool, i64, u64, f64 or c128) and TSR_ARG_TYPED */
    /** Of plain memory: its elements; and of global data its axes, lengths, and elements from a
     * cell to the next along each axis (NULL: C order). */
    const void *data;
    tsr_dtype dtype;
    int ndim;
    const int64_t *shape, *stride;
    const char *text; /**< of TSR_ARG_TEXT */
} tsr_arg;

/** Arguments of each kind.  Local. */
TSR_API tsr_arg tsr_arg_array(const char *name, const tsr_array *array);
TSR_API tsr_arg tsr_arg_bool(const char *name, bool value);
TSR_API tsr_arg tsr_arg_int(const char *name, int64_t value);
TSR_API tsr_arg tsr_arg_uint(const char *name, uint64_t value);
TSR_API tsr_arg tsr_arg_real(const char *name, double value);
TSR_API tsr_arg tsr_arg_complex_parts(const char *name, double real, double imag);
TSR_API tsr_arg tsr_arg_scalar(const char *name, tsr_scalar value);
/**
 * A plain array that every rank holds whole.  It broadcasts to the global shape: trailing axes are
 * aligned, a length of 1 repeats.  Local.
 * @param data    its cell 0
 * @param ndim    number of its axes, at most the array's
 * @param stride  elements from a cell to the next along each axis (ndim entries), NULL: C order
 */
TSR_API tsr_arg tsr_arg_global(const char *name, tsr_dtype dtype, const void *data, int ndim,
                               const int64_t *shape, const int64_t *stride);
/** Plain memory of this rank's own: block and halo cells as the array's storage.  C order.  Local.
 */
TSR_API tsr_arg tsr_arg_storage(const char *name, tsr_dtype dtype, const void *data);
/** An expression as an argument: the mask of tsr_eval_where().  Local. */
TSR_API tsr_arg tsr_arg_text(const char *text);

TSR_END_DECLS

/** @def TSR_ARG
 * Bind a variable under its own name: an array, a C number (weak) or a tsr_scalar (typed). */
#define TSR_ARG(variable) TSR_ARG_AS(#variable, variable)
/** @def TSR_ARG_AS
 * The same under another name; the value may be an argument made before. */
/** @def TSR_GLOBAL
 * Bind a plain global array, given by a pointer or a C array of its element type:
 * TSR_GLOBAL(column, 2, TSR_SHAPE(5, 1)).  The elements are in C order. */
#define TSR_GLOBAL(data, ndim, shape) TSR_GLOBAL_AS(#data, data, ndim, shape)
#define TSR_GLOBAL_AS(name, data, ndim, shape)                                                     \
    tsr_arg_global((name), TSR_DTYPE_OF(data), (data), (ndim), (shape), NULL)
/** @def TSR_STORAGE
 * Bind memory of the shape of this rank's storage, given by a pointer of its element type. */
#define TSR_STORAGE(data) TSR_STORAGE_AS(#data, data)
#define TSR_STORAGE_AS(name, data) tsr_arg_storage((name), TSR_DTYPE_OF(data), (data))
/** Ends a list of arguments. */
#define TSR_NO_ARG tsr_arg_none()

#ifndef __cplusplus

static inline tsr_arg tsr_arg_none(void)
{
    return (tsr_arg){.kind = TSR_ARG_END};
}
static inline tsr_arg tsr_arg_renamed(const char *name, tsr_arg arg)
{
    arg.name = name;
    return arg;
}
static inline tsr_arg tsr_arg_complex(const char *name, double _Complex value)
{
    const double *part = (const double *)&value;
    return tsr_arg_complex_parts(name, part[0], part[1]);
}

#define TSR_ARG_AS(name, value)                                                                    \
    _Generic((value),                                                                              \
        tsr_array *: tsr_arg_array,                                                                \
        const tsr_array *: tsr_arg_array,                                                          \
        tsr_scalar: tsr_arg_scalar,                                                                \
        tsr_arg: tsr_arg_renamed,                                                                  \
        bool: tsr_arg_bool,                                                                        \
        char: tsr_arg_int,                                                                         \
        signed char: tsr_arg_int,                                                                  \
        short: tsr_arg_int,                                                                        \
        int: tsr_arg_int,                                                                          \
        long: tsr_arg_int,                                                                         \
        long long: tsr_arg_int,                                                                    \
        unsigned char: tsr_arg_uint,                                                               \
        unsigned short: tsr_arg_uint,                                                              \
        unsigned: tsr_arg_uint,                                                                    \
        unsigned long: tsr_arg_uint,                                                               \
        unsigned long long: tsr_arg_uint,                                                          \
        float: tsr_arg_real,                                                                       \
        double: tsr_arg_real,                                                                      \
        float _Complex: tsr_arg_complex,                                                           \
        double _Complex: tsr_arg_complex)((name), (value))
/** The element type of what a pointer points to. */
#define TSR_DTYPE_OF(data)                                                                         \
    _Generic((data)[0], bool                                                                       \
             : TSR_BOOL, signed char                                                               \
             : TSR_I8, short                                                                       \
             : TSR_I16, int                                                                        \
             : TSR_I32, long                                                                       \
             : sizeof(long) == 8 ? TSR_I64 : TSR_I32, long long                                    \
             : TSR_I64, unsigned char                                                              \
             : TSR_U8, unsigned short                                                              \
             : TSR_U16, unsigned                                                                   \
             : TSR_U32, unsigned long                                                              \
             : sizeof(long) == 8 ? TSR_U64 : TSR_U32, unsigned long long                           \
             : TSR_U64, float                                                                      \
             : TSR_F32, double                                                                     \
             : TSR_F64, float _Complex                                                             \
             : TSR_C64, double _Complex                                                            \
             : TSR_C128)

#else

inline tsr_arg tsr_arg_none()
{
    return tsr_arg{};
}
inline tsr_arg tsr_arg_of(const char *name, const tsr_array *value)
{
    return tsr_arg_array(name, value);
}
inline tsr_arg tsr_arg_of(const char *name, tsr_scalar value)
{
    return tsr_arg_scalar(name, value);
}
inline tsr_arg tsr_arg_of(const char *name, tsr_arg value)
{
    value.name = name;
    return value;
}
inline tsr_arg tsr_arg_of(const char *name, bool value)
{
    return tsr_arg_bool(name, value);
}
#define TSR_ARG_OVERLOAD(type, function)                                                           \
    inline tsr_arg tsr_arg_of(const char *name, type value)                                        \
    {                                                                                              \
        return function(name, value);                                                              \
    }
TSR_ARG_OVERLOAD(char, tsr_arg_int)
TSR_ARG_OVERLOAD(signed char, tsr_arg_int)
TSR_ARG_OVERLOAD(short, tsr_arg_int)
TSR_ARG_OVERLOAD(int, tsr_arg_int)
TSR_ARG_OVERLOAD(long, tsr_arg_int)
TSR_ARG_OVERLOAD(long long, tsr_arg_int)
TSR_ARG_OVERLOAD(unsigned char, tsr_arg_uint)
TSR_ARG_OVERLOAD(unsigned short, tsr_arg_uint)
TSR_ARG_OVERLOAD(unsigned, tsr_arg_uint)
TSR_ARG_OVERLOAD(unsigned long, tsr_arg_uint)
TSR_ARG_OVERLOAD(unsigned long long, tsr_arg_uint)
TSR_ARG_OVERLOAD(float, tsr_arg_real)
TSR_ARG_OVERLOAD(double, tsr_arg_real)
#undef TSR_ARG_OVERLOAD
template <typename T> tsr_arg tsr_arg_of(const char *name, std::complex<T> value)
{
    return tsr_arg_complex_parts(name, static_cast<double>(value.real()),
                                 static_cast<double>(value.imag()));
}
#define TSR_ARG_AS(name, value) tsr_arg_of((name), (value))

#define TSR_DTYPE_OVERLOAD(type, dtype)                                                            \
    inline tsr_dtype tsr_dtype_of(const type *)                                                    \
    {                                                                                              \
        return dtype;                                                                              \
    }
TSR_DTYPE_OVERLOAD(bool, TSR_BOOL)
TSR_DTYPE_OVERLOAD(signed char, TSR_I8)
TSR_DTYPE_OVERLOAD(short, TSR_I16)
TSR_DTYPE_OVERLOAD(int, TSR_I32)
TSR_DTYPE_OVERLOAD(long, sizeof(long) == 8 ? TSR_I64 : TSR_I32)
TSR_DTYPE_OVERLOAD(long long, TSR_I64)
TSR_DTYPE_OVERLOAD(unsigned char, TSR_U8)
TSR_DTYPE_OVERLOAD(unsigned short, TSR_U16)
TSR_DTYPE_OVERLOAD(unsigned, TSR_U32)
TSR_DTYPE_OVERLOAD(unsigned long, sizeof(long) == 8 ? TSR_U64 : TSR_U32)
TSR_DTYPE_OVERLOAD(unsigned long long, TSR_U64)
TSR_DTYPE_OVERLOAD(float, TSR_F32)
TSR_DTYPE_OVERLOAD(double, TSR_F64)
TSR_DTYPE_OVERLOAD(std::complex<float>, TSR_C64)
TSR_DTYPE_OVERLOAD(std::complex<double>, TSR_C128)
#undef TSR_DTYPE_OVERLOAD
#define TSR_DTYPE_OF(data) tsr_dtype_of(data)

#endif
#endif
