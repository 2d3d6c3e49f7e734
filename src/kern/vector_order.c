/* Comparisons, the greater and the lesser of two operands, and choices, of blocks. */
#include "kern/vector_level.h"

/* ---- extremes -------------------------------------------------------------------------------- */

#define EXTREMES(suffix, type)                                                                     \
    KERNEL_2(maximum_##suffix, type, type, a >= b ? a : b)                                         \
    KERNEL_2(minimum_##suffix, type, type, a <= b ? a : b)

#define INTEGER(suffix, type, ...) EXTREMES(suffix, type)
INTEGER_LIST(INTEGER)

#define REAL(suffix, type, ...)                                                                    \
    KERNEL_2(maximum_##suffix, type, type, a >= b || a != a ? a : b)                               \
    KERNEL_2(minimum_##suffix, type, type, a <= b || a != a ? a : b)                               \
    KERNEL_2(fmax_##suffix, type, type, a >= b || b != b ? a : b)                                  \
    KERNEL_2(fmin_##suffix, type, type, a <= b || b != b ? a : b)
REAL_LIST(REAL)

KERNEL_2(maximum_BOOL, truth, truth, (a | b) != 0)
KERNEL_2(minimum_BOOL, truth, truth, (a != 0) & (b != 0))

/* ---- comparisons ----------------------------------------------------------------------------- */

#define COMPARE(suffix, type, ...)                                                                 \
    KERNEL_2(less_##suffix, truth, type, a < b)                                                    \
    KERNEL_2(less_equal_##suffix, truth, type, a <= b)                                             \
    KERNEL_2(equal_##suffix, truth, type, a == b)                                                  \
    KERNEL_2(not_equal_##suffix, truth, type, a != b)                                              \
    KERNEL_2(greater_##suffix, truth, type, a > b)                                                 \
    KERNEL_2(greater_equal_##suffix, truth, type, a >= b)
NUMBER_LIST(COMPARE)

KERNEL_2(less_BOOL, truth, truth, (a == 0) & (b != 0))
KERNEL_2(less_equal_BOOL, truth, truth, (a == 0) | (b != 0))
KERNEL_2(equal_BOOL, truth, truth, (a != 0) == (b != 0))
KERNEL_2(not_equal_BOOL, truth, truth, (a != 0) != (b != 0))
KERNEL_2(greater_BOOL, truth, truth, (a != 0) & (b == 0))
KERNEL_2(greater_equal_BOOL, truth, truth, (a != 0) | (b == 0))

/* ---- where ----------------------------------------------------------------------------------- */

#define WHERE(suffix, type, ...)                                                                   \
    static void where_##suffix(int64_t n, void *out, const void *const *in)                        \
    {                                                                                              \
        type *to = out;                                                                            \
        const truth *condition = in[0];                                                            \
        const type *p = in[1], *q = in[2];                                                         \
        INDEPENDENT                                                                                \
        for (int64_t i = 0; i < n; ++i) {                                                          \
            const type a = p[i], b = q[i];                                                         \
            to[i] = condition[i] != 0 ? a : b;                                                     \
        }                                                                                          \
    }
NUMBER_LIST(WHERE)
COMPLEX_LIST(WHERE)

static void where_BOOL(int64_t n, void *out, const void *const *in)
{
    truth *to = out;
    const truth *condition = in[0], *p = in[1], *q = in[2];

    INDEPENDENT
    for (int64_t i = 0; i < n; ++i) {
        const truth a = p[i], b = q[i];
        to[i] = (condition[i] != 0 ? a : b) != 0;
    }
}

#define ORDER_ROW(name)                                                                            \
    {                                                                                              \
        [TSR_BOOL] = name##_BOOL, INTEGER_ROW(name), REAL_ROW(name)                                \
    }

const tsri_vector_row TSRI_AT_LEVEL(order)[] = {
    {TSRI_VECTOR_MAXIMUM, ORDER_ROW(maximum)},
    {TSRI_VECTOR_MINIMUM, ORDER_ROW(minimum)},
    {TSRI_VECTOR_FMAX, {[TSR_BOOL] = maximum_BOOL, INTEGER_ROW(maximum), REAL_ROW(fmax)}},
    {TSRI_VECTOR_FMIN, {[TSR_BOOL] = minimum_BOOL, INTEGER_ROW(minimum), REAL_ROW(fmin)}},
    {TSRI_VECTOR_LESS, ORDER_ROW(less)},
    {TSRI_VECTOR_LESS_EQUAL, ORDER_ROW(less_equal)},
    {TSRI_VECTOR_EQUAL, ORDER_ROW(equal)},
    {TSRI_VECTOR_NOT_EQUAL, ORDER_ROW(not_equal)},
    {TSRI_VECTOR_GREATER, ORDER_ROW(greater)},
    {TSRI_VECTOR_GREATER_EQUAL, ORDER_ROW(greater_equal)},
    {TSRI_VECTOR_WHERE,
     {[TSR_BOOL] = where_BOOL, INTEGER_ROW(where), REAL_ROW(where), COMPLEX_ROW(where)}},
    {.op = TSRI_VECTOR_END}};
