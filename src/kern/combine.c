/* Two blocks into one, element by element, by the operations of reductions. */
#include "kern/portable.h"

#include <string.h>

/* Types whose elements combine alike: X(suffix, C type).  Elements of type bool are bytes: one that
 * was never written may hold any value. */
#define BOOL_TYPES(X) X(BOOL, uint8_t)
#define INTEGER_TYPES(X)                                                                           \
    X(I8, int8_t)                                                                                  \
    X(I16, int16_t)                                                                                \
    X(I32, int32_t)                                                                                \
    X(I64, int64_t)                                                                                \
    X(U8, uint8_t)                                                                                 \
    X(U16, uint16_t)                                                                               \
    X(U32, uint32_t)                                                                               \
    X(U64, uint64_t)
#define REAL_TYPES(X) X(F32, float) X(F64, double)
#define COMPLEX_TYPES(X) X(C64, complex64) X(C128, complex128)

typedef struct {
    float re, im;
} complex64;
typedef struct {
    double re, im;
} complex128;

/* ---- how one element combines ---------------------------------------------------------------- */

/* For operands a and b of a type whose elements are numbers.  Bits are combined without shortcuts,
 * so that loops vectorise. */
#define BOTH(type) (type)((a != 0) & (b != 0))
#define EITHER(type) (type)((a != 0) | (b != 0))
#define ONE_OF(type) (type)((a != 0) ^ (b != 0))

#define LOGICAL_OPS(X, suffix, type)                                                               \
    X(AND, suffix, type, BOTH(type))                                                               \
    X(OR, suffix, type, EITHER(type))                                                              \
    X(XOR, suffix, type, ONE_OF(type))

#define BOOL_OPS(X, suffix, type)                                                                  \
    LOGICAL_OPS(X, suffix, type)                                                                   \
    X(SUM, suffix, type, EITHER(type))                                                             \
    X(PROD, suffix, type, BOTH(type))                                                              \
    X(MIN, suffix, type, BOTH(type))                                                               \
    X(MAX, suffix, type, EITHER(type))                                                             \
    X(BAND, suffix, type, BOTH(type))                                                              \
    X(BOR, suffix, type, EITHER(type))                                                             \
    X(BXOR, suffix, type, ONE_OF(type))

/* Sums and products are taken in 64 bits without sign, where they wrap. */
#define INTEGER_OPS(X, suffix, type)                                                               \
    LOGICAL_OPS(X, suffix, type)                                                                   \
    X(SUM, suffix, type, (type)((uint64_t)a + (uint64_t)b))                                        \
    X(PROD, suffix, type, (type)((uint64_t)a * (uint64_t)b))                                       \
    X(MIN, suffix, type, a <= b ? a : b)                                                           \
    X(MAX, suffix, type, a >= b ? a : b)                                                           \
    X(BAND, suffix, type, (type)(a & b))                                                           \
    X(BOR, suffix, type, (type)(a | b))                                                            \
    X(BXOR, suffix, type, (type)(a ^ b))

/* A NaN on the left stays; one on the right fails the comparison. */
#define REAL_OPS(X, suffix, type)                                                                  \
    LOGICAL_OPS(X, suffix, type)                                                                   \
    X(SUM, suffix, type, a + b)                                                                    \
    X(PROD, suffix, type, (a) * (b))                                                               \
    X(MIN, suffix, type, a <= b || a != a ? a : b)                                                 \
    X(MAX, suffix, type, a >= b || a != a ? a : b)

#define IS_NAN(z) ((z).re != (z).re || (z).im != (z).im)
#define IS_TRUE(z) ((z).re != 0 || (z).im != 0)
/* Whether the left one is the result: it is NaN, or goes first by `before`, or both are equal. */
#define KEEPS(before)                                                                              \
    (IS_NAN(a) || (!IS_NAN(b) && (a.re before b.re || (a.re == b.re && !(b.im before a.im)))))
#define COMPLEX_OPS(X, suffix, type)                                                               \
    X(SUM, suffix, type, ((type){a.re + b.re, a.im + b.im}))                                       \
    X(PROD, suffix, type, ((type){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}))          \
    X(MIN, suffix, type, KEEPS(<) ? a : b)                                                         \
    X(MAX, suffix, type, KEEPS(>) ? a : b)                                                         \
    X(AND, suffix, type, ((type){.re = IS_TRUE(a) && IS_TRUE(b)}))                                 \
    X(OR, suffix, type, ((type){.re = IS_TRUE(a) || IS_TRUE(b)}))                                  \
    X(XOR, suffix, type, ((type){.re = IS_TRUE(a) != IS_TRUE(b)}))

/* ---- loops ----------------------------------------------------------------------------------- */

#define COMBINE_FUNCTION(op, suffix, type, value)                                                  \
    static void combine_##op##_##suffix(int64_t n, unsigned char *restrict inout,                  \
                                        const unsigned char *restrict in)                          \
    {                                                                                              \
        for (int64_t i = 0; i < n; ++i) {                                                          \
            type a, b;                                                                             \
            memcpy(&a, inout + (size_t)i * sizeof a, sizeof a);                                    \
            memcpy(&b, in + (size_t)i * sizeof b, sizeof b);                                       \
            a = value;                                                                             \
            memcpy(inout + (size_t)i * sizeof a, &a, sizeof a);                                    \
        }                                                                                          \
    }
#define COMBINE_ENTRY(op, suffix, type, value) [TSR_##op][TSR_##suffix] = combine_##op##_##suffix,

#define BOOL_FUNCTIONS(suffix, type) BOOL_OPS(COMBINE_FUNCTION, suffix, type)
#define INTEGER_FUNCTIONS(suffix, type) INTEGER_OPS(COMBINE_FUNCTION, suffix, type)
#define REAL_FUNCTIONS(suffix, type) REAL_OPS(COMBINE_FUNCTION, suffix, type)
#define COMPLEX_FUNCTIONS(suffix, type) COMPLEX_OPS(COMBINE_FUNCTION, suffix, type)
BOOL_TYPES(BOOL_FUNCTIONS)
INTEGER_TYPES(INTEGER_FUNCTIONS)
REAL_TYPES(REAL_FUNCTIONS)
COMPLEX_TYPES(COMPLEX_FUNCTIONS)

#define BOOL_ENTRIES(suffix, type) BOOL_OPS(COMBINE_ENTRY, suffix, type)
#define INTEGER_ENTRIES(suffix, type) INTEGER_OPS(COMBINE_ENTRY, suffix, type)
#define REAL_ENTRIES(suffix, type) REAL_OPS(COMBINE_ENTRY, suffix, type)
#define COMPLEX_ENTRIES(suffix, type) COMPLEX_OPS(COMBINE_ENTRY, suffix, type)
typedef void combine_function(int64_t n, unsigned char *restrict inout,
                              const unsigned char *restrict in);
/* NULL where the operation is not defined. */
static combine_function *const functions[TSR_OP_END][TSR_DTYPE_END] = {
    BOOL_TYPES(BOOL_ENTRIES)       //
    INTEGER_TYPES(INTEGER_ENTRIES) //
    REAL_TYPES(REAL_ENTRIES)       //
    COMPLEX_TYPES(COMPLEX_ENTRIES)};

void tsri_portable_combine(tsr_op op, tsr_dtype dtype, int64_t n, void *inout, const void *in)
{
    functions[op][dtype](n, inout, in);
}

bool tsri_op_valid(tsr_op op)
{
    return (int)op >= 0 && op < TSR_OP_END;
}

bool tsri_op_defined(tsr_op op, tsr_dtype dtype)
{
    return tsri_op_valid(op) && tsri_dtype_valid(dtype) && functions[op][dtype] != NULL;
}

const char *tsri_op_name(tsr_op op)
{
#define OP_NAME(suffix, name) name,
    static const char *const names[] = {TSR_OP_LIST(OP_NAME)};
#undef OP_NAME
    return tsri_op_valid(op) ? names[op] : "?";
}
