/* What the files vector_*.c share.  Each is compiled once for every instruction set, with
 * TSRI_LEVEL_NAME as the ending of what it exports, so it holds nothing that depends on one: loops
 * that the compiler vectorises, and the same results in bits from all of them. */
#ifndef TSRI_KERN_VECTOR_LEVEL_H
#define TSRI_KERN_VECTOR_LEVEL_H

#include "kern/vector_rows.h"

#define TSRI_AT_LEVEL(name) TSRI_AT_LEVEL_1(name, TSRI_LEVEL_NAME)
#define TSRI_AT_LEVEL_1(name, level) TSRI_AT_LEVEL_2(name, level)
#define TSRI_AT_LEVEL_2(name, level) tsri_##name##_##level

/* Placed before a loop: its steps are independent though results may replace operands. */
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT
#endif

/* The value after its own rounding: GCC 12 makes one instruction of the products and alternating
 * sums of complex numbers even without contraction. */
#if defined(__has_builtin)
#if __has_builtin(__builtin_assoc_barrier)
#define ROUNDED(value) __builtin_assoc_barrier(value)
#endif
#endif
#ifndef ROUNDED
#define ROUNDED(value) (value)
#endif

/* ---- element types --------------------------------------------------------------------------- */

/* A bool in storage is a byte that may hold anything. */
typedef uint8_t truth;
typedef struct complex_f32 {
    float re, im;
} complex_f32;
typedef struct complex_f64 {
    double re, im;
} complex_f64;

/* X(suffix, type, type whose arithmetic wraps, smallest, largest value, bits) */
#define SMALL_SIGNED_LIST(X)                                                                       \
    X(I8, int8_t, uint32_t, INT8_MIN, INT8_MAX, 8)                                                 \
    X(I16, int16_t, uint32_t, INT16_MIN, INT16_MAX, 16)                                            \
    X(I32, int32_t, uint32_t, INT32_MIN, INT32_MAX, 32)
#define SMALL_UNSIGNED_LIST(X)                                                                     \
    X(U8, uint8_t, uint32_t, 0, UINT8_MAX, 8)                                                      \
    X(U16, uint16_t, uint32_t, 0, UINT16_MAX, 16)                                                  \
    X(U32, uint32_t, uint32_t, 0, UINT32_MAX, 32)
#define SIGNED_LIST(X)                                                                             \
    SMALL_SIGNED_LIST(X)                                                                           \
    X(I64, int64_t, uint64_t, INT64_MIN, INT64_MAX, 64)
#define UNSIGNED_LIST(X)                                                                           \
    SMALL_UNSIGNED_LIST(X)                                                                         \
    X(U64, uint64_t, uint64_t, 0, UINT64_MAX, 64)
#define INTEGER_LIST(X) SIGNED_LIST(X) UNSIGNED_LIST(X)
/* X(suffix, type, unsigned type of the same size, ending of functions of math.h) */
#define REAL_LIST(X)                                                                               \
    X(F32, float, uint32_t, f)                                                                     \
    X(F64, double, uint64_t, )
#define NUMBER_LIST(X) INTEGER_LIST(X) REAL_LIST(X)
/* X(suffix, type, type of the parts, suffix of the parts' type, ending of functions of math.h) */
#define COMPLEX_LIST(X)                                                                            \
    X(C64, complex_f32, float, F32, f)                                                             \
    X(C128, complex_f64, double, F64, )

/* Entries of rows: the function `name` of each type of a class. */
#define SIGNED_ROW(name)                                                                           \
    [TSR_I8] = name##_I8, [TSR_I16] = name##_I16, [TSR_I32] = name##_I32, [TSR_I64] = name##_I64
#define UNSIGNED_ROW(name)                                                                         \
    [TSR_U8] = name##_U8, [TSR_U16] = name##_U16, [TSR_U32] = name##_U32, [TSR_U64] = name##_U64
#define INTEGER_ROW(name) SIGNED_ROW(name), UNSIGNED_ROW(name)
#define REAL_ROW(name) [TSR_F32] = name##_F32, [TSR_F64] = name##_F64
#define COMPLEX_ROW(name) [TSR_C64] = name##_C64, [TSR_C128] = name##_C128

/* ---- loops ----------------------------------------------------------------------------------- */

/* The function `name`: out[i] = value, an expression in the elements a, b, ... of the operands. */
#define KERNEL_1(name, result, type, value) LOOP_1(name, result, type, (result)(value))
#define KERNEL_2(name, result, type, value) LOOP_2(name, result, type, (result)(value))
#define KERNEL_3(name, result, type, value) LOOP_3(name, result, type, (result)(value))
#define KERNEL_4(name, result, type, value) LOOP_4(name, result, type, (result)(value))

/* The same for values of the type of the result, which may be a struct. */
#define LOOP_1(name, result, type, value)                                                          \
    static void name(int64_t n, void *out, const void *const *in)                                  \
    {                                                                                              \
        result *to = out;                                                                          \
        const type *p = in[0];                                                                     \
        INDEPENDENT                                                                                \
        for (int64_t i = 0; i < n; ++i) {                                                          \
            const type a = p[i];                                                                   \
            to[i] = (value);                                                                       \
        }                                                                                          \
    }
#define LOOP_2(name, result, type, value)                                                          \
    static void name(int64_t n, void *out, const void *const *in)                                  \
    {                                                                                              \
        result *to = out;                                                                          \
        const type *p = in[0], *q = in[1];                                                         \
        INDEPENDENT                                                                                \
        for (int64_t i = 0; i < n; ++i) {                                                          \
            const type a = p[i], b = q[i];                                                         \
            to[i] = (value);                                                                       \
        }                                                                                          \
    }
#define LOOP_3(name, result, type, value)                                                          \
    static void name(int64_t n, void *out, const void *const *in)                                  \
    {                                                                                              \
        result *to = out;                                                                          \
        const type *p = in[0], *q = in[1], *r = in[2];                                             \
        INDEPENDENT                                                                                \
        for (int64_t i = 0; i < n; ++i) {                                                          \
            const type a = p[i], b = q[i], c = r[i];                                               \
            to[i] = (value);                                                                       \
        }                                                                                          \
    }
#define LOOP_4(name, result, type, value)                                                          \
    static void name(int64_t n, void *out, const void *const *in)                                  \
    {                                                                                              \
        result *to = out;                                                                          \
        const type *p = in[0], *q = in[1], *r = in[2], *s = in[3];                                 \
        INDEPENDENT                                                                                \
        for (int64_t i = 0; i < n; ++i) {                                                          \
            const type a = p[i], b = q[i], c = r[i], d = s[i];                                     \
            to[i] = (value);                                                                       \
        }                                                                                          \
    }

#endif
