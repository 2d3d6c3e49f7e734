/* Roots, powers, exponentials, logarithms, angles: functions of real blocks. */
#include "kern/hyperbolic.h"
#include "kern/math_level.h"
#include "kern/single.h"
#include "kern/vector_level.h"

#include <string.h>

/* ---- functions of packs ---------------------------------------------------------------------- */

/* The function f of n elements; the last pack is filled up with one of them. */
#define MAP_1(name, type, pack_type, function)                                                     \
    static inline void name(int64_t n, type *to, const type *a, function *f)                       \
    {                                                                                              \
        enum { LANES = sizeof(pack_type) / sizeof(type) };                                         \
        pack_type p;                                                                               \
        type rest[LANES];                                                                          \
        int64_t i = 0;                                                                             \
                                                                                                   \
        for (; i + LANES <= n; i += LANES) {                                                       \
            memcpy(&p, a + i, sizeof p);                                                           \
            p = f(p);                                                                              \
            memcpy(to + i, &p, sizeof p);                                                          \
        }                                                                                          \
        if (i == n) return;                                                                        \
        for (int64_t k = 0; k < LANES; ++k)                                                        \
            rest[k] = a[i + k < n ? i + k : i];                                                    \
        memcpy(&p, rest, sizeof p);                                                                \
        p = f(p);                                                                                  \
        memcpy(to + i, &p, (size_t)(n - i) * sizeof(type));                                        \
    }

#define MAP_2(name, type, pack_type, function)                                                     \
    static inline void name(int64_t n, type *to, const type *a, const type *b, function *f)        \
    {                                                                                              \
        enum { LANES = sizeof(pack_type) / sizeof(type) };                                         \
        pack_type p, q;                                                                            \
        type rest[2][LANES];                                                                       \
        int64_t i = 0;                                                                             \
                                                                                                   \
        for (; i + LANES <= n; i += LANES) {                                                       \
            memcpy(&p, a + i, sizeof p);                                                           \
            memcpy(&q, b + i, sizeof q);                                                           \
            p = f(p, q);                                                                           \
            memcpy(to + i, &p, sizeof p);                                                          \
        }                                                                                          \
        if (i == n) return;                                                                        \
        for (int64_t k = 0; k < LANES; ++k) {                                                      \
            rest[0][k] = a[i + k < n ? i + k : i];                                                 \
            rest[1][k] = b[i + k < n ? i + k : i];                                                 \
        }                                                                                          \
        memcpy(&p, rest[0], sizeof p);                                                             \
        memcpy(&q, rest[1], sizeof q);                                                             \
        p = f(p, q);                                                                               \
        memcpy(to + i, &p, (size_t)(n - i) * sizeof(type));                                        \
    }

#define MAPS(suffix, type, ...)                                                                    \
    typedef __typeof__(MATH_##suffix(exp, u10)) function_1_##suffix;                               \
    typedef __typeof__(MATH_##suffix(pow, u10)) function_2_##suffix;                               \
    MAP_1(map_1_##suffix, type, pack_##suffix, function_1_##suffix)                                \
    MAP_2(map_2_##suffix, type, pack_##suffix, function_2_##suffix)                                \
    typedef void map_##suffix(int64_t n, type *to, const type *a);
REAL_LIST(MAPS)

/* ---- the ends of the range ------------------------------------------------------------------- */

enum { PIECE = 64 };

/* Near the largest results, or for the largest elements, some functions of packs give up too early:
 * there, between two magnitudes, and for powers that come out infinite, libm takes over. */
#define WITHIN(suffix, type, word, m)                                                              \
    static inline bool is_between_##suffix(type v, type low, type high)                            \
    {                                                                                              \
        return (fabs##m(v) > low) & (fabs##m(v) < high);                                           \
    }                                                                                              \
    static inline bool is_any_between_##suffix(int64_t n, const type *a, type low, type high)      \
    {                                                                                              \
        word any = 0;                                                                              \
        for (int64_t i = 0; i < n; ++i)                                                            \
            any |= is_between_##suffix(a[i], low, high);                                           \
        return any != 0;                                                                           \
    }                                                                                              \
    static inline void map_within_##suffix(int64_t n, type *to, const type *a, map_##suffix *map,  \
                                           type low, type high, long double (*libm)(long double))  \
    {                                                                                              \
        if (!is_any_between_##suffix(n, a, low, high)) {                                           \
            map(n, to, a);                                                                         \
            return;                                                                                \
        }                                                                                          \
        for (int64_t done = 0; done < n; done += PIECE, to += PIECE, a += PIECE) {                 \
            const int64_t count = n - done < PIECE ? n - done : PIECE;                             \
            type kept[PIECE];                                                                      \
            memcpy(kept, a, (size_t)count * sizeof(type));                                         \
            map(count, to, a);                                                                     \
            for (int64_t i = 0; i < count; ++i)                                                    \
                if (is_between_##suffix(kept[i], low, high)) to[i] = (type)libm(kept[i]);          \
        }                                                                                          \
    }
REAL_LIST(WITHIN)

#define POWER(suffix, type, word, m)                                                               \
    static void power_##suffix(int64_t n, void *out, const void *const *in)                        \
    {                                                                                              \
        type *to = out;                                                                            \
        const type *a = in[0], *b = in[1];                                                         \
        for (int64_t done = 0; done < n; done += PIECE, to += PIECE, a += PIECE, b += PIECE) {     \
            const int64_t count = n - done < PIECE ? n - done : PIECE;                             \
            type base[PIECE], exponent[PIECE];                                                     \
            word beyond = 0;                                                                       \
            memcpy(base, a, (size_t)count * sizeof(type));                                         \
            memcpy(exponent, b, (size_t)count * sizeof(type));                                     \
            map_2_##suffix(count, to, base, exponent, MATH_##suffix(pow, u10));                    \
            for (int64_t i = 0; i < count; ++i)                                                    \
                beyond |= fabs##m(to[i]) == (type)INFINITY;                                        \
            for (int64_t i = 0; beyond && i < count; ++i)                                          \
                if (fabs##m(to[i]) == (type)INFINITY) to[i] = pow##m(base[i], exponent[i]);        \
        }                                                                                          \
    }
#ifdef TSRI_PACKS
POWER(F64, double, uint64_t, )
#else
REAL_LIST(POWER)
#endif

/* ---- kernels --------------------------------------------------------------------------------- */

#define FUNCTION_1(op, suffix, type, name, ulp)                                                    \
    static void op##_##suffix(int64_t n, void *out, const void *const *in)                         \
    {                                                                                              \
        map_1_##suffix(n, (type *)out, (const type *)in[0], MATH_##suffix(name, ulp));             \
    }
#define FUNCTION_2(op, suffix, type, name, ulp)                                                    \
    static void op##_##suffix(int64_t n, void *out, const void *const *in)                         \
    {                                                                                              \
        map_2_##suffix(n, (type *)out, (const type *)in[0], (const type *)in[1],                   \
                       MATH_##suffix(name, ulp));                                                  \
    }
#define FUNCTION_WITHIN(op, suffix, type, name, low, high)                                         \
    static inline void op##_all_##suffix(int64_t n, type *to, const type *a)                       \
    {                                                                                              \
        map_1_##suffix(n, to, a, MATH_##suffix(name, u10));                                        \
    }                                                                                              \
    static void op##_##suffix(int64_t n, void *out, const void *const *in)                         \
    {                                                                                              \
        map_within_##suffix(n, (type *)out, (const type *)in[0], op##_all_##suffix, (type)(low),   \
                            (type)(high), name##l);                                                \
    }

#define FUNCTIONS(suffix, type, ...)                                                               \
    FUNCTION_1(tan, suffix, type, tan, u10)                                                        \
    FUNCTION_1(arcsin, suffix, type, asin, u10)                                                    \
    FUNCTION_1(arccos, suffix, type, acos, u10)                                                    \
    FUNCTION_1(arctan, suffix, type, atan, u10)                                                    \
    FUNCTION_1(arctanh, suffix, type, atanh, u10)                                                  \
    FUNCTION_2(arctan2, suffix, type, atan2, u10)                                                  \
    FUNCTION_2(hypot, suffix, type, hypot, u05)
REAL_LIST(FUNCTIONS)

FUNCTION_1(sin, F64, double, sin, u10)
FUNCTION_1(cos, F64, double, cos, u10)

static void cbrt_F64(int64_t n, void *out, const void *const *in)
{
    map_1_F64(n, out, in[0], MATH_CBRT_F64);
}

FUNCTION_1(log, F32, float, log, u10)
FUNCTION_WITHIN(exp, F32, float, exp, 88, 89)
FUNCTION_1(exp2, F32, float, exp2, u10)
FUNCTION_1(log2, F32, float, log2, u10)
FUNCTION_1(log10, F32, float, log10, u10)
FUNCTION_WITHIN(log1p, F32, float, log1p, 1e37, INFINITY)
#ifdef TSRI_PACKS

typedef pack pack_function(pack x);
MAP_1(map_pack, double, pack, pack_function)

#define FUNCTION_PACK(name)                                                                        \
    static void name##_F64(int64_t n, void *out, const void *const *in)                            \
    {                                                                                              \
        map_pack(n, out, in[0], pack_##name);                                                      \
    }
FUNCTION_PACK(exp)
FUNCTION_PACK(exp2)
FUNCTION_PACK(log)
FUNCTION_PACK(log2)
FUNCTION_PACK(log10)
FUNCTION_PACK(log1p)
FUNCTION_PACK(expm1)
FUNCTION_PACK(sinh)
FUNCTION_PACK(cosh)
FUNCTION_PACK(tanh)

typedef pack_singles singles_function(pack_singles x);
typedef pack_singles singles_function_2(pack_singles x, pack_singles y);
MAP_1(map_singles, float, pack_singles, singles_function)
MAP_2(map_singles_2, float, pack_singles, singles_function_2)

#define MAP_SINGLES(name)                                                                          \
    static inline pack_singles singles_##name(pack_singles x)                                      \
    {                                                                                              \
        return pack_narrowed(single_##name(pack_widened(x)));                                      \
    }                                                                                              \
    static inline void name##_all_F32(int64_t n, float *to, const float *a)                        \
    {                                                                                              \
        map_singles(n, to, a, singles_##name);                                                     \
    }
#define FUNCTION_SINGLES(name)                                                                     \
    MAP_SINGLES(name)                                                                              \
    static void name##_F32(int64_t n, void *out, const void *const *in)                            \
    {                                                                                              \
        name##_all_F32(n, out, in[0]);                                                             \
    }
FUNCTION_SINGLES(expm1)
FUNCTION_SINGLES(sinh)
FUNCTION_SINGLES(cosh)
FUNCTION_SINGLES(tanh)
FUNCTION_SINGLES(cbrt)

/* Many turns away libm takes over. */
#define FUNCTION_WAVE(name)                                                                        \
    MAP_SINGLES(name)                                                                              \
    static void name##_F32(int64_t n, void *out, const void *const *in)                            \
    {                                                                                              \
        map_within_F32(n, out, in[0], name##_all_F32, SINGLE_TURNS, (float)INFINITY, name##l);     \
    }
FUNCTION_WAVE(sin)
FUNCTION_WAVE(cos)

static inline pack_singles singles_pow(pack_singles x, pack_singles y)
{
    return pack_narrowed(single_pow(pack_widened(x), pack_widened(y)));
}
static void power_F32(int64_t n, void *out, const void *const *in)
{
    map_singles_2(n, out, in[0], in[1], singles_pow);
}

#else

FUNCTION_WITHIN(exp, F64, double, exp, 709, 710)
FUNCTION_1(exp2, F64, double, exp2, u10)
FUNCTION_1(log, F64, double, log, u10)
FUNCTION_1(log2, F64, double, log2, u10)
FUNCTION_1(log10, F64, double, log10, u10)
FUNCTION_WITHIN(log1p, F64, double, log1p, 1e306, INFINITY)
FUNCTION_WITHIN(expm1, F64, double, expm1, 709, 710)
FUNCTION_WITHIN(sinh, F64, double, sinh, 709, 711)
FUNCTION_WITHIN(cosh, F64, double, cosh, 709, 711)
FUNCTION_1(tanh, F64, double, tanh, u10)
FUNCTION_1(sin, F32, float, sin, u10)
FUNCTION_1(cos, F32, float, cos, u10)
FUNCTION_1(cbrt, F32, float, cbrt, u10)
FUNCTION_1(tanh, F32, float, tanh, u10)
FUNCTION_WITHIN(expm1, F32, float, expm1, 88, 89)
FUNCTION_WITHIN(sinh, F32, float, sinh, 88, 90)
FUNCTION_WITHIN(cosh, F32, float, cosh, 88, 90)

#endif
FUNCTION_WITHIN(arcsinh, F32, float, asinh, 1e18, INFINITY)
FUNCTION_WITHIN(arcsinh, F64, double, asinh, 1e153, INFINITY)
FUNCTION_WITHIN(arccosh, F32, float, acosh, 1e18, INFINITY)
FUNCTION_WITHIN(arccosh, F64, double, acosh, 1e153, INFINITY)

/* ---- made of others -------------------------------------------------------------------------- */

static const double pi = 3.14159265358979323846, ln_2 = 0.69314718055994530942,
                    log2_e = 1.44269504088896340736;

/* log(e^a + e^b), or with base 2, as the larger one plus log(1 + e^-(their distance)).  Equal ones
 * may be infinite; a distance that is NaN is the result. */
#define LOGADDEXP(op, suffix, type, exp_name, unit, equal)                                         \
    static void op##_##suffix(int64_t n, void *out, const void *const *in)                         \
    {                                                                                              \
        type *to = out, more[PIECE];                                                               \
        const type *a = in[0], *b = in[1];                                                         \
                                                                                                   \
        for (int64_t done = 0; done < n; done += PIECE, to += PIECE, a += PIECE, b += PIECE) {     \
            const int64_t m = n - done < PIECE ? n - done : PIECE;                                 \
            for (int64_t i = 0; i < m; ++i)                                                        \
                more[i] = a[i] > b[i] ? b[i] - a[i] : a[i] - b[i];                                 \
            map_1_##suffix(m, more, more, MATH_##suffix(exp_name, u10));                           \
            map_1_##suffix(m, more, more, MATH_##suffix(log1p, u10));                              \
            INDEPENDENT                                                                            \
            for (int64_t i = 0; i < m; ++i) {                                                      \
                const type larger = a[i] > b[i] ? a[i] : b[i];                                     \
                to[i] = a[i] == b[i]                 ? a[i] + (type)(equal)                        \
                        : a[i] > b[i] || a[i] < b[i] ? larger + more[i] * (type)(unit)             \
                                                     : a[i] - b[i];                                \
            }                                                                                      \
        }                                                                                          \
    }

#define COMPOSED(suffix, type, word, m)                                                            \
    KERNEL_1(sqrt_##suffix, type, type, sqrt##m(a))                                                \
    KERNEL_1(deg2rad_##suffix, type, type, a *(pi / 180))                                          \
    KERNEL_1(rad2deg_##suffix, type, type, a *(180 / pi))                                          \
    LOGADDEXP(logaddexp, suffix, type, exp, 1, ln_2)                                               \
    LOGADDEXP(logaddexp2, suffix, type, exp2, log2_e, 1)
REAL_LIST(COMPOSED)

const tsri_vector_row TSRI_AT_LEVEL(function)[] = {
    {TSRI_VECTOR_POWER, {REAL_ROW(power)}},
    {TSRI_VECTOR_FLOAT_POWER, {[TSR_F64] = power_F64}},
    {TSRI_VECTOR_SQRT, {REAL_ROW(sqrt)}},
    {TSRI_VECTOR_CBRT, {REAL_ROW(cbrt)}},
    {TSRI_VECTOR_EXP, {REAL_ROW(exp)}},
    {TSRI_VECTOR_EXP2, {REAL_ROW(exp2)}},
    {TSRI_VECTOR_EXPM1, {REAL_ROW(expm1)}},
    {TSRI_VECTOR_LOG, {REAL_ROW(log)}},
    {TSRI_VECTOR_LOG2, {REAL_ROW(log2)}},
    {TSRI_VECTOR_LOG10, {REAL_ROW(log10)}},
    {TSRI_VECTOR_LOG1P, {REAL_ROW(log1p)}},
    {TSRI_VECTOR_SIN, {REAL_ROW(sin)}},
    {TSRI_VECTOR_COS, {REAL_ROW(cos)}},
    {TSRI_VECTOR_TAN, {REAL_ROW(tan)}},
    {TSRI_VECTOR_ARCSIN, {REAL_ROW(arcsin)}},
    {TSRI_VECTOR_ARCCOS, {REAL_ROW(arccos)}},
    {TSRI_VECTOR_ARCTAN, {REAL_ROW(arctan)}},
    {TSRI_VECTOR_SINH, {REAL_ROW(sinh)}},
    {TSRI_VECTOR_COSH, {REAL_ROW(cosh)}},
    {TSRI_VECTOR_TANH, {REAL_ROW(tanh)}},
    {TSRI_VECTOR_ARCSINH, {REAL_ROW(arcsinh)}},
    {TSRI_VECTOR_ARCCOSH, {REAL_ROW(arccosh)}},
    {TSRI_VECTOR_ARCTANH, {REAL_ROW(arctanh)}},
    {TSRI_VECTOR_ARCTAN2, {REAL_ROW(arctan2)}},
    {TSRI_VECTOR_HYPOT, {REAL_ROW(hypot)}},
    {TSRI_VECTOR_LOGADDEXP, {REAL_ROW(logaddexp)}},
    {TSRI_VECTOR_LOGADDEXP2, {REAL_ROW(logaddexp2)}},
    {TSRI_VECTOR_DEG2RAD, {REAL_ROW(deg2rad)}},
    {TSRI_VECTOR_RAD2DEG, {REAL_ROW(rad2deg)}},
    {.op = TSRI_VECTOR_END}};
