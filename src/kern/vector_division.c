/* Division of blocks with a remainder, and powers, gcd and lcm of integers. */
#include "kern/vector_level.h"

#include <math.h>

/* ---- integers -------------------------------------------------------------------------------- */

/* What to divide by: 1 where the quotient has no value or does not fit. */
#define SIGNED_DIVISOR(suffix, type, wide, smallest, largest, bits)                                \
    static inline type divisor_##suffix(type a, type b)                                            \
    {                                                                                              \
        return b == 0 || (a == (smallest) && b == -1) ? 1 : b;                                     \
    }
SIGNED_LIST(SIGNED_DIVISOR)
#define UNSIGNED_DIVISOR(suffix, type, wide, smallest, largest, bits)                              \
    static inline type divisor_##suffix(type a, type b)                                            \
    {                                                                                              \
        (void)a;                                                                                   \
        return b == 0 ? 1 : b;                                                                     \
    }
UNSIGNED_LIST(UNSIGNED_DIVISOR)

/* The quotient of integers of up to 32 bits is that of doubles, which there are instructions for:
 * its distance from the next integer is more than its rounding error. */
#define SMALL_QUOTIENT(suffix, type, ...)                                                          \
    static inline type quotient_##suffix(type a, type b)                                           \
    {                                                                                              \
        return (type)((double)a / (double)b);                                                      \
    }
SMALL_SIGNED_LIST(SMALL_QUOTIENT)
SMALL_UNSIGNED_LIST(SMALL_QUOTIENT)

static inline int64_t quotient_I64(int64_t a, int64_t b)
{
    return a / b;
}

static inline uint64_t quotient_U64(uint64_t a, uint64_t b)
{
    return a / b;
}

/* The remainder with the sign of a, and how far it and the quotient are from those toward minus
 * infinity. */
#define PARTS(suffix, type, wide)                                                                  \
    const type d = divisor_##suffix(a, b), q = quotient_##suffix(a, d);                            \
    const type r = (type)((wide)a - (wide)q * (wide)d);                                            \
    const bool down = r != 0 && (r < 0) != (d < 0);

#define DIVISION(suffix, type, wide, smallest, largest, bits)                                      \
    static inline type floored_##suffix(type a, type b)                                            \
    {                                                                                              \
        PARTS(suffix, type, wide)                                                                  \
        return b == 0 ? 0 : (type)(q - down);                                                      \
    }                                                                                              \
    static inline type modulo_##suffix(type a, type b)                                             \
    {                                                                                              \
        PARTS(suffix, type, wide)                                                                  \
        return down ? (type)(r + d) : r;                                                           \
    }                                                                                              \
    static inline type truncated_##suffix(type a, type b)                                          \
    {                                                                                              \
        const type d = divisor_##suffix(a, b);                                                     \
        return (type)((wide)a - (wide)quotient_##suffix(a, d) * (wide)d);                          \
    }
SIGNED_LIST(DIVISION)

#define UNSIGNED_DIVISION(suffix, type, wide, smallest, largest, bits)                             \
    static inline type floored_##suffix(type a, type b)                                            \
    {                                                                                              \
        return b == 0 ? 0 : quotient_##suffix(a, divisor_##suffix(a, b));                          \
    }                                                                                              \
    static inline type modulo_##suffix(type a, type b)                                             \
    {                                                                                              \
        const type d = divisor_##suffix(a, b);                                                     \
        return (type)((wide)a - (wide)quotient_##suffix(a, d) * (wide)d);                          \
    }                                                                                              \
    static inline type truncated_##suffix(type a, type b)                                          \
    {                                                                                              \
        return modulo_##suffix(a, b);                                                              \
    }
UNSIGNED_LIST(UNSIGNED_DIVISION)

/* ---- powers and divisors of integers --------------------------------------------------------- */

#define POWER(suffix, type, wide, smallest, largest, bits)                                         \
    static inline type power_of_##suffix(type base, type exponent)                                 \
    {                                                                                              \
        wide result = 1, square = (wide)base;                                                      \
        for (wide left = (wide)exponent; left != 0; left >>= 1) {                                  \
            if (left & 1) result *= square;                                                        \
            square *= square;                                                                      \
        }                                                                                          \
        return (type)result;                                                                       \
    }
INTEGER_LIST(POWER)

static inline uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (a != 0) {
        const uint64_t rest = b % a;
        b = a;
        a = rest;
    }
    return b;
}

static inline uint64_t common_multiple(uint64_t a, uint64_t b)
{
    const uint64_t divisor = common_divisor(a, b);
    return divisor == 0 ? 0 : a / divisor * b;
}

#define SIGNED_MAGNITUDE(v) ((v) < 0 ? 0 - (uint64_t)(v) : (uint64_t)(v))

#define SIGNED_DIVISORS(suffix, type, ...)                                                         \
    KERNEL_2(gcd_##suffix, type, type, common_divisor(SIGNED_MAGNITUDE(a), SIGNED_MAGNITUDE(b)))   \
    KERNEL_2(lcm_##suffix, type, type, common_multiple(SIGNED_MAGNITUDE(a), SIGNED_MAGNITUDE(b)))
SIGNED_LIST(SIGNED_DIVISORS)
#define UNSIGNED_DIVISORS(suffix, type, ...)                                                       \
    KERNEL_2(gcd_##suffix, type, type, common_divisor(a, b))                                       \
    KERNEL_2(lcm_##suffix, type, type, common_multiple(a, b))
UNSIGNED_LIST(UNSIGNED_DIVISORS)

/* ---- reals ----------------------------------------------------------------------------------- */

#define REAL(suffix, type, word, m)                                                                \
    static inline type truncated_##suffix(type a, type b)                                          \
    {                                                                                              \
        return fmod##m(a, b);                                                                      \
    }                                                                                              \
    static inline type modulo_##suffix(type a, type b)                                             \
    {                                                                                              \
        const type r = fmod##m(a, b);                                                              \
        if (r == 0 && b != 0) return copysign##m(0, b);                                            \
        return (b < 0) != (r < 0) && b != 0 ? r + b : r;                                           \
    }                                                                                              \
    static inline type floored_##suffix(type a, type b)                                            \
    {                                                                                              \
        if (b == 0) return a / b;                                                                  \
        const type r = fmod##m(a, b);                                                              \
        type q = (a - r) / b;                                                                      \
        if (r != 0 && (b < 0) != (r < 0)) q -= 1;                                                  \
        if (q == 0) return copysign##m(0, a / b);                                                  \
        /* The difference may have been rounded. */                                                \
        const type whole = floor##m(q);                                                            \
        return q - whole > (type)0.5 ? whole + 1 : whole;                                          \
    }
REAL_LIST(REAL)

#define KERNELS(suffix, type, ...)                                                                 \
    KERNEL_2(floor_divide_##suffix, type, type, floored_##suffix(a, b))                            \
    KERNEL_2(remainder_##suffix, type, type, modulo_##suffix(a, b))                                \
    KERNEL_2(fmod_##suffix, type, type, truncated_##suffix(a, b))
NUMBER_LIST(KERNELS)

#define POWERS(suffix, type, ...) KERNEL_2(power_##suffix, type, type, power_of_##suffix(a, b))
INTEGER_LIST(POWERS)

const tsri_vector_row TSRI_AT_LEVEL(division)[] = {
    {TSRI_VECTOR_FLOOR_DIVIDE, {INTEGER_ROW(floor_divide), REAL_ROW(floor_divide)}},
    {TSRI_VECTOR_REMAINDER, {INTEGER_ROW(remainder), REAL_ROW(remainder)}},
    {TSRI_VECTOR_FMOD, {INTEGER_ROW(fmod), REAL_ROW(fmod)}},
    {TSRI_VECTOR_POWER, {INTEGER_ROW(power)}},
    {TSRI_VECTOR_GCD, {INTEGER_ROW(gcd)}},
    {TSRI_VECTOR_LCM, {INTEGER_ROW(lcm)}},
    {.op = TSRI_VECTOR_END}};
