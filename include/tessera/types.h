/**
 * @file types.h
 * Status codes, element types, scalars, axis sets and the communicator type.
 */
#ifndef TESSERA_TYPES_H
#define TESSERA_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef TSR_SERIAL
#include <mpi.h>
#endif

#ifdef __cplusplus
#define TSR_BEGIN_DECLS extern "C" {
#define TSR_END_DECLS }
#else
#define TSR_BEGIN_DECLS
#define TSR_END_DECLS
#endif

#if defined(__GNUC__)
#define TSR_API __attribute__((visibility("default")))
#define TSR_MUST_CHECK __attribute__((warn_unused_result))
#else
#define TSR_API
#define TSR_MUST_CHECK
#endif

TSR_BEGIN_DECLS

/** The largest number of axes of an array. */
#define TSR_MAX_NDIM 16

/* ---- communicators -------------------------------------------------------------------------- */

#ifndef TSR_SERIAL
/** A communicator: MPI's own in builds with MPI. */
typedef MPI_Comm tsr_comm;
#define TSR_COMM_WORLD MPI_COMM_WORLD
#define TSR_COMM_SELF MPI_COMM_SELF
#define TSR_COMM_NULL MPI_COMM_NULL
/** A window for one-sided communication, likewise. */
typedef MPI_Win tsr_win;
#define TSR_WIN_NULL MPI_WIN_NULL
#else
/** A communicator of one rank, in builds without MPI. */
typedef const struct tsr_serial_comm *tsr_comm;
TSR_API extern const struct tsr_serial_comm tsr_serial_world, tsr_serial_self;
#define TSR_COMM_WORLD (&tsr_serial_world)
#define TSR_COMM_SELF (&tsr_serial_self)
#define TSR_COMM_NULL ((tsr_comm)0)
/** A window, of which there are none without MPI. */
typedef struct tsr_serial_win *tsr_win;
#define TSR_WIN_NULL ((tsr_win)0)
#endif

/** Rank numbers that stand for "no rank" and "every rank". */
#define TSR_NO_RANK (-1)
#define TSR_ALL_RANKS (-2)

/* ---- status --------------------------------------------------------------------------------- */

/**
 * Every status code with its short meaning, in the order in which they win when ranks disagree:
 * a later one beats an earlier one.
 */
#define TSR_STATUS_LIST(X)                                                                         \
    X(TSR_OK, "success")                                                                           \
    X(TSR_ERR_MISMATCH, "ranks passed different arguments")                                        \
    X(TSR_ERR_STATE, "call not allowed in this state")                                             \
    X(TSR_ERR_VALUE, "impossible value")                                                           \
    X(TSR_ERR_INDEX, "index out of bounds")                                                        \
    X(TSR_ERR_AXIS, "axis out of range")                                                           \
    X(TSR_ERR_TYPE, "not defined for this element type")                                           \
    X(TSR_ERR_UNSUPPORTED, "not supported by this build")                                          \
    X(TSR_ERR_OVERFLOW, "size does not fit the needed integer type")                               \
    X(TSR_ERR_IO, "file operation failed")                                                         \
    X(TSR_ERR_GATE, "ranks are in different collective calls")                                     \
    X(TSR_ERR_NOMEM, "out of memory")                                                              \
    X(TSR_ERR_MPI, "MPI call failed")                                                              \
    X(TSR_ERR_INTERNAL, "internal error, please report")

enum {
#define TSR_STATUS_ENUM(name, text) name,
    TSR_STATUS_LIST(TSR_STATUS_ENUM)
#undef TSR_STATUS_ENUM
        TSR_STATUS_COUNT
};

/** TSR_OK (0) or one of the TSR_ERR_* codes. */
typedef int tsr_status;

/* ---- element types -------------------------------------------------------------------------- */

/**
 * Every element type: X(enum suffix, C type of one component, name, components).
 * A complex element is two components, real then imaginary, as in C's own complex types.
 */
#define TSR_DTYPE_LIST(X)                                                                          \
    X(BOOL, bool, "bool", 1)                                                                       \
    X(I8, int8_t, "int8", 1)                                                                       \
    X(I16, int16_t, "int16", 1)                                                                    \
    X(I32, int32_t, "int32", 1)                                                                    \
    X(I64, int64_t, "int64", 1)                                                                    \
    X(U8, uint8_t, "uint8", 1)                                                                     \
    X(U16, uint16_t, "uint16", 1)                                                                  \
    X(U32, uint32_t, "uint32", 1)                                                                  \
    X(U64, uint64_t, "uint64", 1)                                                                  \
    X(F32, float, "float32", 1)                                                                    \
    X(F64, double, "float64", 1)                                                                   \
    X(C64, float, "complex64", 2)                                                                  \
    X(C128, double, "complex128", 2)

/** Element types.  TSR_AUTO, where a call allows it, means "the type of the values given". */
typedef enum tsr_dtype {
    TSR_AUTO = 0,
#define TSR_DTYPE_ENUM(suffix, ctype, name, components) TSR_##suffix,
    TSR_DTYPE_LIST(TSR_DTYPE_ENUM)
#undef TSR_DTYPE_ENUM
        TSR_DTYPE_END
} tsr_dtype;

/** Bytes of one element, 0 for a value that is no element type.  Local. */
TSR_API size_t tsr_dtype_size(tsr_dtype dtype);
/** NumPy's name of an element type ("float64"), "?" for a value that is none.  Local. */
TSR_API const char *tsr_dtype_name(tsr_dtype dtype);

/* ---- scalars -------------------------------------------------------------------------------- */

/** A value with its type: reductions, fill values, boundaries. */
typedef struct tsr_scalar {
    tsr_dtype dtype;
    union {
        bool b;      /**< TSR_BOOL */
        int64_t i;   /**< TSR_I8 to TSR_I64 */
        uint64_t u;  /**< TSR_U8 to TSR_U64 */
        double f;    /**< TSR_F32, TSR_F64 */
        double c[2]; /**< TSR_C64, TSR_C128: real, imaginary */
    } as;
} tsr_scalar;

/** Scalars of each type.  The value is converted to the type as C does.  Local. */
TSR_API tsr_scalar tsr_bool(bool value);
TSR_API tsr_scalar tsr_i8(int8_t value);
TSR_API tsr_scalar tsr_i16(int16_t value);
TSR_API tsr_scalar tsr_i32(int32_t value);
TSR_API tsr_scalar tsr_i64(int64_t value);
TSR_API tsr_scalar tsr_u8(uint8_t value);
TSR_API tsr_scalar tsr_u16(uint16_t value);
TSR_API tsr_scalar tsr_u32(uint32_t value);
TSR_API tsr_scalar tsr_u64(uint64_t value);
TSR_API tsr_scalar tsr_f32(float value);
TSR_API tsr_scalar tsr_f64(double value);
TSR_API tsr_scalar tsr_c64(float real, float imag);
TSR_API tsr_scalar tsr_c128(double real, double imag);
/**
 * A scalar's value as a C number: the real part of a complex one, 0 or 1 for a bool, 0 for a scalar
 * without an element type.  tsr_to_int64 truncates toward zero; outside the range it gives the
 * nearest end, for NaN 0.  Local.
 */
TSR_API double tsr_to_double(tsr_scalar scalar);
TSR_API int64_t tsr_to_int64(tsr_scalar scalar);

/* ---- operations ----------------------------------------------------------------------------- */

/**
 * Every operation that combines values, with its name.
 *
 * Sum and product: integers wrap; of bool they are "or" and "and".  Min and max: NaN wins (for
 * complex: a NaN in either part), complex values are ordered by real, then imaginary part, and of
 * equal ones the first is kept.  And, or, exclusive or: "not zero" is true, also for real and
 * complex values (NaN is true); the result is 1 or 0 of the type.  The last three combine bits: for
 * bool and integers alone.
 */
#define TSR_OP_LIST(X)                                                                             \
    X(SUM, "sum")                                                                                  \
    X(PROD, "prod")                                                                                \
    X(MIN, "min")                                                                                  \
    X(MAX, "max")                                                                                  \
    X(AND, "and")                                                                                  \
    X(OR, "or")                                                                                    \
    X(XOR, "xor")                                                                                  \
    X(BAND, "band")                                                                                \
    X(BOR, "bor")                                                                                  \
    X(BXOR, "bxor")

/** Operations that combine values; 0 is the sum. */
typedef enum tsr_op {
#define TSR_OP_ENUM(suffix, name) TSR_##suffix,
    TSR_OP_LIST(TSR_OP_ENUM)
#undef TSR_OP_ENUM
        TSR_OP_END
} tsr_op;

/* ---- axis sets and shapes ------------------------------------------------------------------- */

/** A set of axes: bit a stands for axis a.  A bit beyond the array's axes is an error. */
typedef uint32_t tsr_axes;

/** The set of one axis.  An axis outside 0 .. TSR_MAX_NDIM-1 gives a set that every call refuses.
 */
#define TSR_AXIS(a)                                                                                \
    ((a) >= 0 && (a) < TSR_MAX_NDIM ? (tsr_axes)1 << ((unsigned)(a)&15u) : (tsr_axes)1 << 30)
/** Every axis the array has. */
#define TSR_ALL_AXES ((tsr_axes)0xffffffffu)
/** As `split`: no axis is cut, every rank holds the whole array. */
#define TSR_WHOLE ((tsr_axes)1 << 31)

/** The set of 1 to 6 axes: TSR_AXES(0, 2). */
#define TSR_AXES(...)                                                                              \
    TSR_PICK_7(__VA_ARGS__, TSR_AXES_6, TSR_AXES_5, TSR_AXES_4, TSR_AXES_3, TSR_AXES_2, TSR_AXIS,  \
               0)                                                                                  \
    (__VA_ARGS__)
#define TSR_PICK_7(a, b, c, d, e, f, g, ...) g
#define TSR_AXES_2(a, b) (TSR_AXIS(a) | TSR_AXIS(b))
#define TSR_AXES_3(a, ...) (TSR_AXIS(a) | TSR_AXES_2(__VA_ARGS__))
#define TSR_AXES_4(a, ...) (TSR_AXIS(a) | TSR_AXES_3(__VA_ARGS__))
#define TSR_AXES_5(a, ...) (TSR_AXIS(a) | TSR_AXES_4(__VA_ARGS__))
#define TSR_AXES_6(a, ...) (TSR_AXIS(a) | TSR_AXES_5(__VA_ARGS__))

#ifndef __cplusplus
/** A list of lengths (or of any int64_t) written in place: TSR_SHAPE(64, 48). */
#define TSR_SHAPE(...) ((const int64_t[]){__VA_ARGS__})
#else
TSR_END_DECLS
/** C++ has no compound literals: a temporary that lives to the end of the full expression. */
template <typename... T> struct tsr_shape_list {
    int64_t value[sizeof...(T)];
};
template <typename... T> constexpr tsr_shape_list<T...> tsr_shape_of(T... v)
{
    return {{static_cast<int64_t>(v)...}};
}
#define TSR_SHAPE(...) (tsr_shape_of(__VA_ARGS__).value)
TSR_BEGIN_DECLS
#endif

/* ---- views ---------------------------------------------------------------------------------- */

/** This rank's block of an array. */
typedef struct tsr_view {
    void *data;      /**< first owned cell; halo cells lie before and after it */
    tsr_dtype dtype; /**< element type */
    int ndim;
    int64_t extent[TSR_MAX_NDIM]; /**< owned cells along each axis */
    int64_t stride[TSR_MAX_NDIM]; /**< elements from a cell to the next along each axis */
    int64_t start[TSR_MAX_NDIM];  /**< global index of the first owned cell */
    int64_t halo_lo[TSR_MAX_NDIM], halo_hi[TSR_MAX_NDIM]; /**< halo cells before and after */
} tsr_view;

/**
 * The cell of a view at local indices (1 to 6 of them), as an lvalue: TSR_AT(double, v, i, j - 1).
 * Index 0 is the first owned cell; halo cells have negative indices or such beyond the extent.
 */
#define TSR_AT(type, view, ...) (((type *)(view).data)[TSR_OFFSET(view, __VA_ARGS__)])
/** The offset, in elements, of a cell from the first owned one. */
#define TSR_OFFSET(view, ...)                                                                      \
    TSR_PICK_7(__VA_ARGS__, TSR_OFFSET_6, TSR_OFFSET_5, TSR_OFFSET_4, TSR_OFFSET_3, TSR_OFFSET_2,  \
               TSR_OFFSET_1, 0)                                                                    \
    (view, __VA_ARGS__)
#define TSR_OFFSET_1(v, i) ((int64_t)(i) * (v).stride[0])
#define TSR_OFFSET_2(v, i, j) (TSR_OFFSET_1(v, i) + (int64_t)(j) * (v).stride[1])
#define TSR_OFFSET_3(v, i, j, k) (TSR_OFFSET_2(v, i, j) + (int64_t)(k) * (v).stride[2])
#define TSR_OFFSET_4(v, i, j, k, l) (TSR_OFFSET_3(v, i, j, k) + (int64_t)(l) * (v).stride[3])
#define TSR_OFFSET_5(v, i, j, k, l, m) (TSR_OFFSET_4(v, i, j, k, l) + (int64_t)(m) * (v).stride[4])
#define TSR_OFFSET_6(v, i, j, k, l, m, n)                                                          \
    (TSR_OFFSET_5(v, i, j, k, l, m) + (int64_t)(n) * (v).stride[5])

typedef struct tsr_layout tsr_layout;
typedef struct tsr_array tsr_array;

TSR_END_DECLS
#endif
