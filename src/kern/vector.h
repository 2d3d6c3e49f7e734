/* Elementwise operations on blocks: what expressions are run with.
 *
 * A block is n > 0 elements side by side, aligned to the element at least; n is rarely more than
 * TSRI_VECTOR_BLOCK, which is also what kernels are tuned for.
 * There are no scalar operands: a constant is a block that was filled once.  Complex elements are
 * two parts, real then imaginary.  Elements of type bool are bytes: any but 0 is true in an
 * operand, results are 0 or 1.
 *
 * A result has the same bits wherever its element lies in a block and however long the block is. */
#ifndef TSRI_KERN_VECTOR_H
#define TSRI_KERN_VECTOR_H

#include "base/error.h"
#include "base/machine.h"

enum { TSRI_VECTOR_BLOCK = 512, TSRI_VECTOR_OPERANDS = 9 };

/* Element types by class. */
enum {
    TSRI_B = 1,  /* bool */
    TSRI_I = 2,  /* signed integers */
    TSRI_U = 4,  /* unsigned integers */
    TSRI_F = 8,  /* real */
    TSRI_C = 16, /* complex */
    TSRI_IU = TSRI_I | TSRI_U,
    TSRI_BIU = TSRI_B | TSRI_IU,
    TSRI_FC = TSRI_F | TSRI_C,
    TSRI_IUF = TSRI_IU | TSRI_F,
    TSRI_BIUF = TSRI_B | TSRI_IUF,
    TSRI_IUFC = TSRI_IU | TSRI_FC,
    TSRI_BIUFC = TSRI_B | TSRI_IUFC
};

/* The type in which an operation works, from the promoted type of its operands. */
typedef enum tsri_works {
    TSRI_WORKS_AS_IS,
    TSRI_WORKS_NO_BOOL,  /* bool becomes i8 */
    TSRI_WORKS_FLOATING, /* bool, 8 and 16 bits become f32, wider integers f64 */
    TSRI_WORKS_DIVIDING, /* bool and integers become f64 */
    TSRI_WORKS_DOUBLE,   /* f64 or c128 */
    TSRI_WORKS_TRUTH     /* each operand becomes bool */
} tsri_works;

/* The type of its result, from the one in which it works. */
typedef enum tsri_gives {
    TSRI_GIVES_SAME,
    TSRI_GIVES_BOOL,
    TSRI_GIVES_PART /* of a complex type that of its parts, else the same */
} tsri_gives;

/* Every elementwise operation of the language: X(suffix, name, operands, kernels, copies, works,
 * gives), the last two without their prefix.
 *
 * `kernels`: the classes of (working) types for which there is a function here.  `copies`: those
 * for which the result is the operand, so that there is none.  For others it is undefined.  All
 * operands are of the working type, but the first of WHERE, which is bool.  Values are NumPy 2's:
 *
 *   ADD, SUBTRACT, MULTIPLY
 *             integers wrap; of bool the sum is "or", the product "and".  Complex products are
 *             (ac - bd, ad + bc), with a rounding after each step
 *   DIVIDE    complex quotients by Smith's method, as NumPy
 *   FLOOR_DIVIDE, REMAINDER
 *             toward minus infinity, the remainder with the divisor's sign; integers by 0 give 0,
 *             the smallest by -1 itself and 0 (for reals as NumPy's npy_divmod)
 *   FMOD      the dividend's sign; integers by 0 give 0
 *   POWER     integers wrap; exponents are >= 0, which the caller has checked
 *   RECIPROCAL
 *             integers truncate; of 0 the smallest value of a signed type, 0 of an unsigned one
 *   ABSOLUTE  the most negative integer stays; of complex hypot
 *   SIGN      NaN stays; of complex z / abs(z), 0 of 0
 *   MAXIMUM, MINIMUM
 *             NaN wins, the first of two; of equals (also 0 and -0) the first
 *   FMAX, FMIN
 *             NaN loses
 *   LESS and so on
 *             complex by real, then imaginary part; a NaN is unequal and ordered with nothing
 *   LEFT_SHIFT, RIGHT_SHIFT
 *             by the width or more, or by a negative number: 0, but -1 for a negative number to the
 *             right
 *   GCD, LCM  not negative, but for what wraps
 *   HEAVISIDE 0, the second operand, or 1; NaN of NaN
 *   SPACING   the distance to the next value away from 0, negative for negative operands
 *   WHERE     out = a ? b : c
 */
#define TSRI_VECTOR_LIST(X)                                                                        \
    /* arithmetic */                                                                               \
    X(ADD, "add", 2, TSRI_BIUFC, 0, AS_IS, SAME)                                                   \
    X(SUBTRACT, "subtract", 2, TSRI_IUFC, 0, AS_IS, SAME)                                          \
    X(MULTIPLY, "multiply", 2, TSRI_BIUFC, 0, AS_IS, SAME)                                         \
    X(DIVIDE, "divide", 2, TSRI_FC, 0, DIVIDING, SAME)                                             \
    X(FLOOR_DIVIDE, "floor_divide", 2, TSRI_IUF, 0, NO_BOOL, SAME)                                 \
    X(REMAINDER, "remainder", 2, TSRI_IUF, 0, NO_BOOL, SAME)                                       \
    X(FMOD, "fmod", 2, TSRI_IUF, 0, NO_BOOL, SAME)                                                 \
    X(POWER, "power", 2, TSRI_IUFC, 0, NO_BOOL, SAME)                                              \
    X(FLOAT_POWER, "float_power", 2, TSRI_FC, 0, DOUBLE, SAME) /* f64 and c128 alone */            \
    X(NEGATIVE, "negative", 1, TSRI_IUFC, 0, AS_IS, SAME)                                          \
    X(POSITIVE, "positive", 1, 0, TSRI_IUFC, AS_IS, SAME)                                          \
    X(ABSOLUTE, "absolute", 1, TSRI_I | TSRI_FC, TSRI_B | TSRI_U, AS_IS, PART)                     \
    X(SQUARE, "square", 1, TSRI_IUFC, 0, NO_BOOL, SAME)                                            \
    X(RECIPROCAL, "reciprocal", 1, TSRI_IUFC, 0, NO_BOOL, SAME)                                    \
    X(SIGN, "sign", 1, TSRI_IUFC, 0, AS_IS, SAME)                                                  \
    X(CONJUGATE, "conjugate", 1, TSRI_C, TSRI_IUF, NO_BOOL, SAME)                                  \
    X(REAL, "real", 1, TSRI_C, TSRI_BIUF, AS_IS, PART)                                             \
    X(IMAG, "imag", 1, TSRI_BIUFC, 0, AS_IS, PART) /* 0 of other than complex */                   \
    /* extremes and order */                                                                       \
    X(MAXIMUM, "maximum", 2, TSRI_BIUFC, 0, AS_IS, SAME)                                           \
    X(MINIMUM, "minimum", 2, TSRI_BIUFC, 0, AS_IS, SAME)                                           \
    X(FMAX, "fmax", 2, TSRI_BIUFC, 0, AS_IS, SAME)                                                 \
    X(FMIN, "fmin", 2, TSRI_BIUFC, 0, AS_IS, SAME)                                                 \
    X(LESS, "less", 2, TSRI_BIUFC, 0, AS_IS, BOOL)                                                 \
    X(LESS_EQUAL, "less_equal", 2, TSRI_BIUFC, 0, AS_IS, BOOL)                                     \
    X(EQUAL, "equal", 2, TSRI_BIUFC, 0, AS_IS, BOOL)                                               \
    X(NOT_EQUAL, "not_equal", 2, TSRI_BIUFC, 0, AS_IS, BOOL)                                       \
    X(GREATER, "greater", 2, TSRI_BIUFC, 0, AS_IS, BOOL)                                           \
    X(GREATER_EQUAL, "greater_equal", 2, TSRI_BIUFC, 0, AS_IS, BOOL)                               \
    X(WHERE, "where", 3, TSRI_BIUFC, 0, AS_IS, SAME)                                               \
    /* bits and truth */                                                                           \
    X(BITWISE_AND, "bitwise_and", 2, TSRI_BIU, 0, AS_IS, SAME)                                     \
    X(BITWISE_OR, "bitwise_or", 2, TSRI_BIU, 0, AS_IS, SAME)                                       \
    X(BITWISE_XOR, "bitwise_xor", 2, TSRI_BIU, 0, AS_IS, SAME)                                     \
    X(INVERT, "invert", 1, TSRI_BIU, 0, AS_IS, SAME) /* of bool: not */                            \
    X(LEFT_SHIFT, "left_shift", 2, TSRI_IU, 0, NO_BOOL, SAME)                                      \
    X(RIGHT_SHIFT, "right_shift", 2, TSRI_IU, 0, NO_BOOL, SAME)                                    \
    X(LOGICAL_AND, "logical_and", 2, TSRI_B, 0, TRUTH, BOOL)                                       \
    X(LOGICAL_OR, "logical_or", 2, TSRI_B, 0, TRUTH, BOOL)                                         \
    X(LOGICAL_XOR, "logical_xor", 2, TSRI_B, 0, TRUTH, BOOL)                                       \
    X(LOGICAL_NOT, "logical_not", 1, TSRI_B, 0, TRUTH, BOOL)                                       \
    X(GCD, "gcd", 2, TSRI_IU, 0, AS_IS, SAME)                                                      \
    X(LCM, "lcm", 2, TSRI_IU, 0, AS_IS, SAME)                                                      \
    X(ISNAN, "isnan", 1, TSRI_FC, 0, FLOATING, BOOL)                                               \
    X(ISINF, "isinf", 1, TSRI_FC, 0, FLOATING, BOOL)                                               \
    X(ISFINITE, "isfinite", 1, TSRI_FC, 0, FLOATING, BOOL)                                         \
    X(SIGNBIT, "signbit", 1, TSRI_F, 0, FLOATING, BOOL)                                            \
    /* rounding and neighbours */                                                                  \
    X(FLOOR, "floor", 1, TSRI_F, TSRI_BIU, AS_IS, SAME)                                            \
    X(CEIL, "ceil", 1, TSRI_F, TSRI_BIU, AS_IS, SAME)                                              \
    X(TRUNC, "trunc", 1, TSRI_F, TSRI_BIU, AS_IS, SAME)                                            \
    X(RINT, "rint", 1, TSRI_FC, 0, FLOATING, SAME)                                                 \
    X(COPYSIGN, "copysign", 2, TSRI_F, 0, FLOATING, SAME)                                          \
    X(NEXTAFTER, "nextafter", 2, TSRI_F, 0, FLOATING, SAME)                                        \
    X(SPACING, "spacing", 1, TSRI_F, 0, FLOATING, SAME)                                            \
    X(HEAVISIDE, "heaviside", 2, TSRI_F, 0, FLOATING, SAME)                                        \
    /* functions */                                                                                \
    X(SQRT, "sqrt", 1, TSRI_FC, 0, FLOATING, SAME)                                                 \
    X(CBRT, "cbrt", 1, TSRI_F, 0, FLOATING, SAME)                                                  \
    X(EXP, "exp", 1, TSRI_FC, 0, FLOATING, SAME)                                                   \
    X(EXP2, "exp2", 1, TSRI_FC, 0, FLOATING, SAME)                                                 \
    X(EXPM1, "expm1", 1, TSRI_FC, 0, FLOATING, SAME)                                               \
    X(LOG, "log", 1, TSRI_FC, 0, FLOATING, SAME)                                                   \
    X(LOG2, "log2", 1, TSRI_FC, 0, FLOATING, SAME)                                                 \
    X(LOG10, "log10", 1, TSRI_FC, 0, FLOATING, SAME)                                               \
    X(LOG1P, "log1p", 1, TSRI_FC, 0, FLOATING, SAME)                                               \
    X(SIN, "sin", 1, TSRI_FC, 0, FLOATING, SAME)                                                   \
    X(COS, "cos", 1, TSRI_FC, 0, FLOATING, SAME)                                                   \
    X(TAN, "tan", 1, TSRI_FC, 0, FLOATING, SAME)                                                   \
    X(ARCSIN, "arcsin", 1, TSRI_FC, 0, FLOATING, SAME)                                             \
    X(ARCCOS, "arccos", 1, TSRI_FC, 0, FLOATING, SAME)                                             \
    X(ARCTAN, "arctan", 1, TSRI_FC, 0, FLOATING, SAME)                                             \
    X(SINH, "sinh", 1, TSRI_FC, 0, FLOATING, SAME)                                                 \
    X(COSH, "cosh", 1, TSRI_FC, 0, FLOATING, SAME)                                                 \
    X(TANH, "tanh", 1, TSRI_FC, 0, FLOATING, SAME)                                                 \
    X(ARCSINH, "arcsinh", 1, TSRI_FC, 0, FLOATING, SAME)                                           \
    X(ARCCOSH, "arccosh", 1, TSRI_FC, 0, FLOATING, SAME)                                           \
    X(ARCTANH, "arctanh", 1, TSRI_FC, 0, FLOATING, SAME)                                           \
    X(ARCTAN2, "arctan2", 2, TSRI_F, 0, FLOATING, SAME)                                            \
    X(HYPOT, "hypot", 2, TSRI_F, 0, FLOATING, SAME)                                                \
    X(LOGADDEXP, "logaddexp", 2, TSRI_F, 0, FLOATING, SAME)                                        \
    X(LOGADDEXP2, "logaddexp2", 2, TSRI_F, 0, FLOATING, SAME)                                      \
    X(DEG2RAD, "deg2rad", 1, TSRI_F, 0, FLOATING, SAME)                                            \
    X(RAD2DEG, "rad2deg", 1, TSRI_F, 0, FLOATING, SAME)

/* Several operations in one, made by the lowering where there is a kernel; every step rounds as the
 * separate operations do, so the result has the same bits.  X(suffix, operands, kernels), for f32
 * and f64 (TSRI_F).
 *
 *   MUL_ADD       a*b + c        MUL_SUB       a*b - c        SUB_MUL    c - a*b
 *   MUL_ADD_MUL   a*b + c*d      MUL_SUB_MUL   a*b - c*d
 *   SELECT_LESS   a < b ? c : d, and the same with <= and ==; the four are of one type
 *   LINEAR_n      c[0]*x[0] + c[1]*x[1] + ..., from the left, n terms; c is a further operand,
 *                 in[n]: n factors, one each, not blocks
 *   TAIL_n        x[0] + x[1] + ... + c[n-1]*x[n-1], the same with a factor for the last term alone
 *   STAR_n        c[0]*x[0] + c[1]*(x[1] + x[2] + ... + c[n-1]*x[n-1]), what stencils often are
 */
#define TSRI_FUSED_LIST(X)                                                                         \
    X(MUL_ADD, 3, TSRI_F)                                                                          \
    X(MUL_SUB, 3, TSRI_F)                                                                          \
    X(SUB_MUL, 3, TSRI_F)                                                                          \
    X(MUL_ADD_MUL, 4, TSRI_F)                                                                      \
    X(MUL_SUB_MUL, 4, TSRI_F)                                                                      \
    X(SELECT_LESS, 4, TSRI_F)                                                                      \
    X(SELECT_LESS_EQUAL, 4, TSRI_F)                                                                \
    X(SELECT_EQUAL, 4, TSRI_F)                                                                     \
    X(LINEAR_2, 2, TSRI_F)                                                                         \
    X(LINEAR_3, 3, TSRI_F)                                                                         \
    X(LINEAR_4, 4, TSRI_F)                                                                         \
    X(LINEAR_5, 5, TSRI_F)                                                                         \
    X(LINEAR_6, 6, TSRI_F)                                                                         \
    X(LINEAR_7, 7, TSRI_F)                                                                         \
    X(TAIL_2, 2, TSRI_F)                                                                           \
    X(TAIL_3, 3, TSRI_F)                                                                           \
    X(TAIL_4, 4, TSRI_F)                                                                           \
    X(TAIL_5, 5, TSRI_F)                                                                           \
    X(TAIL_6, 6, TSRI_F)                                                                           \
    X(TAIL_7, 7, TSRI_F)                                                                           \
    X(STAR_3, 3, TSRI_F)                                                                           \
    X(STAR_4, 4, TSRI_F)                                                                           \
    X(STAR_5, 5, TSRI_F)                                                                           \
    X(STAR_6, 6, TSRI_F)                                                                           \
    X(STAR_7, 7, TSRI_F)                                                                           \
    X(STAR_8, 8, TSRI_F)

typedef enum tsri_vector_op {
#define TSRI_VECTOR_ENUM(suffix, ...) TSRI_VECTOR_##suffix,
    TSRI_VECTOR_LIST(TSRI_VECTOR_ENUM) TSRI_FUSED_LIST(TSRI_VECTOR_ENUM)
#undef TSRI_VECTOR_ENUM
        TSRI_VECTOR_END
} tsri_vector_op;

/* One operation on a block: in[] are its operands.  `out` is none of them, or exactly one whose
 * elements are of the same size (so loops carry no dependence: say so to the compiler rather than
 * with `restrict`). */
typedef void tsri_vector(int64_t n, void *out, const void *const *in);
/* The same for elements converted by the rules of tsr_astype().  `out` and `in` do not overlap. */
typedef void tsri_vector_conversion(int64_t n, void *out, const void *in);

/* The best instruction set of this machine for which there are tables.  What ranks compute together
 * goes by tsri_context_level(). */
tsri_level tsri_vector_level(void);

/* The function for a working type; tuned tables fall back on lower ones.  NULL: there is none. */
tsri_vector *tsri_vector_find(tsri_level level, tsri_vector_op op, tsr_dtype dtype);
/* Never NULL for two valid types that differ. */
tsri_vector_conversion *tsri_vector_convert(tsri_level level, tsr_dtype to, tsr_dtype from);

/* The class bit of an element type; 0 when it is none. */
unsigned tsri_dtype_class(tsr_dtype dtype);

#endif
