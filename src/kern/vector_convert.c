/* Blocks from any type to any other. */
#include "kern/vector_level.h"

/* X(suffix, type, Y, further arguments): the same lists again, since a macro cannot expand within
 * itself. */
#define FROM_INTEGERS(X, ...)                                                                      \
    X(I8, int8_t, __VA_ARGS__)                                                                     \
    X(I16, int16_t, __VA_ARGS__)                                                                   \
    X(I32, int32_t, __VA_ARGS__)                                                                   \
    X(I64, int64_t, __VA_ARGS__)                                                                   \
    X(U8, uint8_t, __VA_ARGS__)                                                                    \
    X(U16, uint16_t, __VA_ARGS__)                                                                  \
    X(U32, uint32_t, __VA_ARGS__)                                                                  \
    X(U64, uint64_t, __VA_ARGS__)
#define FROM_REALS(X, ...)                                                                         \
    X(F32, float, __VA_ARGS__)                                                                     \
    X(F64, double, __VA_ARGS__)
#define FROM_COMPLEX(X, ...)                                                                       \
    X(C64, complex_f32, __VA_ARGS__)                                                               \
    X(C128, complex_f64, __VA_ARGS__)

#define CONVERSION(from, from_type, to, to_type, value)                                            \
    static void to_##to##_from_##from(int64_t n, void *out, const void *in)                        \
    {                                                                                              \
        to_type *results = out;                                                                    \
        const from_type *elements = in;                                                            \
        INDEPENDENT                                                                                \
        for (int64_t i = 0; i < n; ++i) {                                                          \
            const from_type a = elements[i];                                                       \
            results[i] = (value);                                                                  \
        }                                                                                          \
    }

/* ---- to bool: truth -------------------------------------------------------------------------- */

#define TRUTH(from, from_type, ...) CONVERSION(from, from_type, BOOL, truth, a != 0)
NUMBER_LIST(TRUTH)
#define TRUTH_OF_COMPLEX(from, from_type, ...)                                                     \
    CONVERSION(from, from_type, BOOL, truth, a.re != 0 || a.im != 0)
COMPLEX_LIST(TRUTH_OF_COMPLEX)

/* ---- to integers ----------------------------------------------------------------------------- */

/* Reals are truncated; beyond the range the nearest end, 0 for NaN.  The largest 64-bit integers
 * round up to a power of two, which is beyond the range already. */
#define TRUNCATED(v, type, smallest, largest)                                                      \
    (v >= (double)(largest)    ? (type)(largest)                                                   \
     : v <= (double)(smallest) ? (type)(smallest)                                                  \
                               : (type)(v == v ? v : 0))

#define WRAP(from, from_type, to, to_type) CONVERSION(from, from_type, to, to_type, (to_type)a)
#define TRUNCATE(from, from_type, to, to_type, smallest, largest)                                  \
    CONVERSION(from, from_type, to, to_type, TRUNCATED(a, to_type, smallest, largest))
#define TRUNCATE_REAL_PART(from, from_type, to, to_type, smallest, largest)                        \
    CONVERSION(from, from_type, to, to_type, TRUNCATED(a.re, to_type, smallest, largest))

#define TO_INTEGER(to, to_type, wide, smallest, largest, bits)                                     \
    CONVERSION(BOOL, truth, to, to_type, a != 0)                                                   \
    FROM_INTEGERS(WRAP, to, to_type)                                                               \
    FROM_REALS(TRUNCATE, to, to_type, smallest, largest)                                           \
    FROM_COMPLEX(TRUNCATE_REAL_PART, to, to_type, smallest, largest)
INTEGER_LIST(TO_INTEGER)

/* ---- to reals and complex -------------------------------------------------------------------- */

#define REAL_PART(from, from_type, to, to_type)                                                    \
    CONVERSION(from, from_type, to, to_type, (to_type)a.re)
#define TO_REAL(to, to_type, ...)                                                                  \
    CONVERSION(BOOL, truth, to, to_type, a != 0)                                                   \
    FROM_INTEGERS(WRAP, to, to_type)                                                               \
    FROM_REALS(WRAP, to, to_type)                                                                  \
    FROM_COMPLEX(REAL_PART, to, to_type)
REAL_LIST(TO_REAL)

#define WITH_ZERO(from, from_type, to, to_type, part)                                              \
    CONVERSION(from, from_type, to, to_type, ((to_type){(part)a, 0}))
#define BOTH_PARTS(from, from_type, to, to_type, part)                                             \
    CONVERSION(from, from_type, to, to_type, ((to_type){(part)a.re, (part)a.im}))
#define TO_COMPLEX(to, to_type, part, ...)                                                         \
    CONVERSION(BOOL, truth, to, to_type, ((to_type){a != 0, 0}))                                   \
    FROM_INTEGERS(WITH_ZERO, to, to_type, part)                                                    \
    FROM_REALS(WITH_ZERO, to, to_type, part)                                                       \
    FROM_COMPLEX(BOTH_PARTS, to, to_type, part)
COMPLEX_LIST(TO_COMPLEX)

/* ---- the table ------------------------------------------------------------------------------- */

#define FROM_NUMBERS(to)                                                                           \
    [TSR_I8] = to_##to##_from_I8, [TSR_I16] = to_##to##_from_I16, [TSR_I32] = to_##to##_from_I32,  \
    [TSR_I64] = to_##to##_from_I64, [TSR_U8] = to_##to##_from_U8, [TSR_U16] = to_##to##_from_U16,  \
    [TSR_U32] = to_##to##_from_U32, [TSR_U64] = to_##to##_from_U64,                                \
    [TSR_F32] = to_##to##_from_F32, [TSR_F64] = to_##to##_from_F64,                                \
    [TSR_C64] = to_##to##_from_C64, [TSR_C128] = to_##to##_from_C128
#define ROW(to, ...) [TSR_##to] = {[TSR_BOOL] = to_##to##_from_BOOL, FROM_NUMBERS(to)},

/* Those of a type to itself are never asked for. */
tsri_vector_conversion *const TSRI_AT_LEVEL(conversions)[TSR_DTYPE_END][TSR_DTYPE_END] = {
    [TSR_BOOL] = {FROM_NUMBERS(BOOL)}, NUMBER_LIST(ROW) COMPLEX_LIST(ROW)};
