/* ranks: 1 2 3 4 6 */
/* The worked examples of elementwise functions, types and comparison helpers: E-9, E-11 to E-63. */
#include "support/expr_cases.h"

#include <math.h>

/* Expressions of one array, and of two: V() holds values. */
#define ONE(name, expression, n, ta, va, tr, ...)                                                  \
    {                                                                                              \
        .id = (name), .text = (expression), .cells = (n), .a = TSR_##ta, .av = va,                 \
        .type = TSR_##tr, __VA_ARGS__                                                              \
    }
#define TWO(name, expression, n, ta, va, tb, vb, tr, ...)                                          \
    {                                                                                              \
        .id = (name), .text = (expression), .cells = (n), .a = TSR_##ta, .av = va, .b = TSR_##tb,  \
        .bv = vb, .type = TSR_##tr, __VA_ARGS__                                                    \
    }
#define V(...)                                                                                     \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define GIVES(...) .expected = {__VA_ARGS__}
#define ABOUT(tol, ...) .expected = {__VA_ARGS__}, .tolerance = (tol)
#define FAILS(code, part) .status = TSR_ERR_##code, .says = (part)

#define ULP 3e-16
#define PI 3.14159265358979323846

static const expr_case cases[] = {
    ONE("E-9", "2*a + sin(a)", 4, F64, V(1, 2, 3, 4), F64,
        ABOUT(ULP, 2.8414709848078967, 4.909297426825682, 6.141120008059867, 7.243197504692072)),

    ONE("E-11", "a + 3", 2, I8, V(1, -7), I8, GIVES(4, -4)),
    ONE("E-12", "a + 300", 2, I8, V(1, 2), I8, FAILS(VALUE, "300 does not fit int8")),
    ONE("E-13", "a * 1.5", 2, U8, V(1, 255), F64, GIVES(1.5, 382.5)),
    ONE("E-14", "a * 1.5", 2, F32, V(1, 2), F32, GIVES(1.5, 3)),
    ONE("E-15", "a + 1", 2, BOOL, V(0, 1), I64, GIVES(1, 2)),
    ONE("E-16", "a * 1j", 2, I64, V(1, -2), C128, GIVES(0, 1, 0, -2), .tolerance = 1),
    ONE("E-17", "a * 1j", 2, F32, V(1, -2), C64, GIVES(0, 1, 0, -2), .tolerance = 1),
    TWO("E-18", "a + b", 2, I32, V(1, 2), F32, V(0.5, 0.25), F64, GIVES(1.5, 2.25)),
    TWO("E-19", "a + b", 2, U64, V(1, 2), I64, V(-3, 4), F64, GIVES(-2, 6)),
    TWO("E-20", "a + b", 2, U8, V(255, 2), I8, V(-3, 4), I16, GIVES(252, 6)),

    TWO("E-25", "a // b", 4, I64, V(-7, 7, -7, 7), I64, V(2, 2, -2, -2), I64, GIVES(-4, 3, 3, -4)),
    TWO("E-26", "a % b", 4, I64, V(-7, 7, -7, 7), I64, V(2, 2, -2, -2), I64, GIVES(1, 1, -1, -1)),
    TWO("E-26 remainder", "remainder(a, b)", 4, I64, V(-7, 7, -7, 7), I64, V(2, 2, -2, -2), I64,
        GIVES(1, 1, -1, -1)),
    TWO("E-27", "fmod(a, b)", 4, I64, V(-7, 7, -7, 7), I64, V(2, 2, -2, -2), I64,
        GIVES(-1, 1, -1, 1)),
    ONE("E-28 //", "a // 2", 2, F64, V(-7.5, 7.5), F64, GIVES(-4, 3)),
    ONE("E-28 mod", "mod(a, 2)", 2, F64, V(-7.5, 7.5), F64, GIVES(0.5, 1.5)),
    ONE("E-28 fmod", "fmod(a, 2)", 2, F64, V(-7.5, 7.5), F64, GIVES(-1.5, 1.5)),
    ONE("E-29", "a % inf", 2, F64, V(-1, 1), F64, GIVES(INFINITY, 1)),
    ONE("E-30 //", "a // 0", 3, I64, V(5, -5, 0), I64, GIVES(0, 0, 0)),
    ONE("E-30 mod", "a % 0", 3, I64, V(5, -5, 0), I64, GIVES(0, 0, 0)),
    ONE("E-31", "a / 0", 3, I64, V(5, -5, 0), F64, GIVES(INFINITY, -INFINITY, NAN)),
    ONE("E-32 //", "a // 0.0", 3, F64, V(1, -1, 0), F64, GIVES(INFINITY, -INFINITY, NAN)),
    ONE("E-32 mod", "a % 0.0", 1, F64, V(1), F64, GIVES(NAN)),
    ONE("E-33", "rint(a)", 5, F64, V(0.5, 1.5, 2.5, -0.5, -1.5), F64, GIVES(0, 2, 2, -0.0, -2)),
    ONE("E-34", "sign(a)", 5, F64, V(-2, 0, -0.0, NAN, 3), F64, GIVES(-1, 0, 0, NAN, 1),
        .tolerance = 1e-300),
    ONE("E-35", "heaviside(a, 0.5)", 4, F64, V(-1, 0, 2, NAN), F64, GIVES(0, 0.5, 1, NAN)),
    TWO("E-36", "maximum(a, b)", 3, F64, V(1, NAN, 2), F64, V(3, 1, NAN), F64, GIVES(3, NAN, NAN)),
    TWO("E-36 minimum", "minimum(a, b)", 3, F64, V(1, NAN, 2), F64, V(3, 1, NAN), F64,
        GIVES(1, NAN, NAN)),
    TWO("E-37", "fmax(a, b)", 3, F64, V(1, NAN, NAN), F64, V(3, 1, NAN), F64, GIVES(3, 1, NAN)),
    ONE("E-38 integers", "2**a", 3, I64, V(0, 1, 10), I64, GIVES(1, 2, 1024)),
    ONE("E-38 negative", "a**-1", 2, I64, V(2, 3), I64, FAILS(VALUE, "negative integer power")),
    TWO("E-38 negative array", "a**b", 3, I64, V(2, 3, 4), I64, V(1, 1, -1), I64,
        FAILS(VALUE, "negative integer power")),
    ONE("E-38 root", "a**(1/3)", 1, F64, V(-8), F64, GIVES(NAN)),
    ONE("E-38 zero", "a**0.0", 1, F64, V(0), F64, GIVES(1)),
    ONE("E-39", "float_power(a, -1)", 1, I64, V(2), F64, GIVES(0.5)),
    TWO("E-40 >>", "a >> b", 3, I32, V(-8, 8, -1), I32, V(1, 1, 40), I32, GIVES(-4, 4, -1)),
    ONE("E-40 <<", "a << 32", 1, I32, V(1), I32, GIVES(0)),
    TWO("E-41 gcd", "gcd(a, b)", 4, I64, V(12, 0, -8, 7), I64, V(18, 0, 12, 0), I64,
        GIVES(6, 0, 4, 7)),
    TWO("E-41 lcm", "lcm(a, b)", 4, I64, V(4, 0, -6, 7), I64, V(6, 5, 4, 0), I64,
        GIVES(12, 0, 12, 0)),
    TWO("E-42", "logaddexp(a, b)", 3, F64, V(0, 1000, -INFINITY), F64, V(0, 1000, -INFINITY), F64,
        ABOUT(ULP, 0.6931471805599453, 1000.6931471805599, -INFINITY)),
    ONE("E-42 base 2", "logaddexp2(a, a)", 1, F64, V(3), F64, GIVES(4)),
    TWO("E-43 copysign", "copysign(a, b)", 2, F64, V(1, -2), F64, V(-0.0, 3), F64, GIVES(-1, 2)),
    ONE("E-43 signbit", "signbit(a)", 3, F64, V(-0.0, 0, -1), BOOL, GIVES(1, 0, 1)),
    ONE("E-44 spacing", "spacing(a)", 3, F64, V(1, 1e10, -1), F64,
        GIVES(2.220446049250313e-16, 1.9073486328125e-06, -2.220446049250313e-16)),
    ONE("E-44 nextafter", "nextafter(a, 2)", 1, F64, V(1), F64, GIVES(1.0000000000000002)),
    ONE("E-45 integers", "reciprocal(a)", 4, I64, V(2, 1, -1, 3), I64, GIVES(0, 1, -1, 0)),
    ONE("E-45", "reciprocal(a)", 2, F64, V(4, 0), F64, GIVES(0.25, INFINITY)),
    ONE("E-47 int8", "abs(a)", 1, I8, V(-128), I8, GIVES(-128)),
    ONE("E-47 complex", "abs(a)", 1, C128, V(3, -4), F64, GIVES(5)),
    TWO("E-48 and", "logical_and(a, b)", 3, I64, V(1, 0, 2), I64, V(1, 1, 0), BOOL, GIVES(1, 0, 0)),
    ONE("E-48 ~", "~a", 2, I64, V(0, 5), I64, GIVES(-1, -6)),
    ONE("E-48 ~ u8", "invert(a)", 2, U8, V(0, 5), U8, GIVES(255, 250)),
    ONE("E-48 ~ bool", "~a", 2, BOOL, V(1, 0), BOOL, GIVES(0, 1)),
    TWO("E-49 +", "a + b", 2, BOOL, V(1, 0), BOOL, V(1, 1), BOOL, GIVES(1, 1)),
    TWO("E-49 *", "a * b", 2, BOOL, V(1, 0), BOOL, V(1, 1), BOOL, GIVES(1, 0)),
    TWO("E-49 /", "a / b", 1, BOOL, V(1), BOOL, V(1), F64, GIVES(1)),
    ONE("E-50 sqrt", "sqrt(a)", 1, F64, V(-1), F64, GIVES(NAN)),
    ONE("E-50 log", "log(a)", 2, F64, V(0, -1), F64, GIVES(-INFINITY, NAN)),
    ONE("E-51 hypot", "hypot(a, 4)", 1, F64, V(3), F64, GIVES(5)),
    TWO("E-51 arctan2", "arctan2(a, b)", 3, F64, V(0, 0, -1), F64, V(1, -1, 0), F64,
        ABOUT(ULP, 0, PI, -PI / 2)),
    ONE("E-51 cbrt", "cbrt(a)", 1, F64, V(-27), F64, ABOUT(ULP, -3)),
    ONE("E-51 expm1", "expm1(a)", 1, F64, V(1e-10), F64, ABOUT(ULP, 1.00000000005e-10)),

    TWO("E-52", "isclose(a, b)", 6, F64, V(1, 1, INFINITY, NAN, 0, 1e10), F64,
        V(1.00001, 1.0001, INFINITY, NAN, 1e-9, 1.00001e10), BOOL, GIVES(1, 0, 1, 0, 1, 1)),
    TWO("E-53", "isclose(a, b)", 2, F64, V(INFINITY, 1e300), F64, V(-INFINITY, INFINITY), BOOL,
        GIVES(0, 0)),
    TWO("E-53 nan", "isclose(a, b, equal_nan=True)", 1, F64, V(NAN), F64, V(NAN), BOOL, GIVES(1)),
    ONE("E-54", "isclose(a, 1.1, rtol=0.1, atol=0)", 1, F64, V(1), BOOL, GIVES(1)),
    TWO("E-58", "where(a, b, -1)", 4, F64, V(1, 0, NAN, 0), F64, V(1, 2, 3, 4), F64,
        GIVES(1, -1, 3, -1)),
    TWO("E-59", "where(True, a, b)", 1, I64, V(3), F64, V(1.5), F64, GIVES(3)),
    ONE("E-60", "clip(a, 0, 5)", 4, I64, V(-2, 0, 5, 9), I64, GIVES(0, 0, 5, 5)),
    ONE("E-60 nan", "clip(a, 2, 5)", 3, F64, V(1, NAN, 9), F64, GIVES(2, NAN, 5)),
    ONE("E-60 crossed", "clip(a, 6, 2)", 3, I64, V(1, 5, 9), I64, GIVES(2, 2, 2)),
    ONE("E-60 high", "clip(a, None, 2)", 2, F64, V(1.5, 2.5), F64, GIVES(1.5, 2)),
    ONE("E-60 by name", "clip(a, max=2)", 2, F64, V(1.5, 2.5), F64, GIVES(1.5, 2)),
    ONE("E-61", "round(a, 1)", 3, F64, V(0.15, 0.25, 0.35), F64, GIVES(0.2, 0.2, 0.4)),
    ONE("E-61 two", "round(a, decimals=2)", 1, F64, V(2.675), F64, GIVES(2.68)),
    ONE("E-61 large", "round(a, 1)", 2, F64, V(1234.5678, -0.05), F64, GIVES(1234.6, -0.0)),
    ONE("E-62", "round(a, -2)", 3, F64, V(1250, 1350, -1250), F64, GIVES(1200, 1400, -1200)),
    ONE("E-62 integers", "round(a, -1)", 4, I64, V(15, 25, 35, 149), I64, GIVES(20, 20, 40, 150)),
    ONE("E-63", "angle(a)", 2, C128, V(1, 1, -1, 0), F64, ABOUT(ULP, PI / 4, PI)),
    ONE("E-63 real", "angle(a)", 2, F64, V(0, -2), F64, ABOUT(ULP, 0, PI)),
    ONE("E-63 degrees", "angle(a, deg=True)", 1, C128, V(0, 1), F64, ABOUT(ULP, 90)),
    ONE("real", "real(a)", 1, C128, V(3, -4), F64, GIVES(3)),
    ONE("imag", "imag(a)", 1, C64, V(3, -4), F32, GIVES(-4)),
    ONE("imag of a real", "imag(a)", 2, F64, V(3, NAN), F64, GIVES(0, 0)),
    ONE("conj", "conj(a)", 1, C128, V(3, -4), C128, GIVES(3, 4)),

    /* integers of 64 bits are compared exactly, and with numbers beyond their type */
    TWO("u64 < i64", "a < b", 3, U64, V(1, 9223372036854775808.0, 0), I64, V(2, 5, -1), BOOL,
        GIVES(1, 0, 0)),
    TWO("i64 == u64", "b == a", 3, U64, V(1, 9223372036854775808.0, 0), I64, V(1, -1, 0), BOOL,
        GIVES(1, 0, 1)),
    ONE("beyond above", "a < 300", 2, I8, V(1, 127), BOOL, GIVES(1, 1)),
    ONE("beyond below", "a >= -1", 2, U8, V(0, 255), BOOL, GIVES(1, 1)),
    ONE("beyond, mirrored", "-300 > a", 2, I8, V(0, -128), BOOL, GIVES(0, 0)),
    ONE("beyond, unequal", "a != 256", 2, U8, V(0, 255), BOOL, GIVES(1, 1)),

    /* numbers among themselves are Python's */
    ONE("folded", "a + 10**-3", 1, F64, V(0), F64, GIVES(0.001)),
    ONE("folded, integers", "a + (7 // 2 * 2 + -7 % 3 - ~5 + (1 << 4) + True)", 1, I8, V(0), I8,
        GIVES(31)),
    ONE("folded, real", "a * (1/4)", 1, F32, V(2), F32, GIVES(0.5)),
    ONE("precedence", "-a**2 + 2*a**-1 - 3 % 2 * a", 1, F64, V(2), F64, GIVES(-5)),
    ONE("precedence of bits", "a | 1 ^ 3 & 6 << 1", 1, I64, V(8), I64, GIVES(9)),
    ONE("power to the right", "a**3**2", 1, I64, V(2), I64, GIVES(512)),
    ONE("functions are typed", "a * sqrt(4)", 1, F32, V(2), F64, GIVES(4)),
    ONE("cast", "f32(a) * i8(3)", 1, F64, V(0.5), F32, GIVES(1.5)),
    ONE("cast by NumPy's name", "int16(a)", 2, F64, V(2.9, -2.9), I16, GIVES(2, -2)),
    ONE("octal and others", "a + 0x1f + 0b11 + 0o17", 1, I64, V(0), I64, GIVES(49)),
    ONE("constants", "a*pi/e + inf*0", 1, F64, V(1), F64, GIVES(NAN)),
    ONE("indices", "i0*10 + a", 3, I64, V(1, 2, 3), I64, GIVES(1, 12, 23)),

    ONE("bool - bool", "a - a", 1, BOOL, V(1), BOOL,
        FAILS(TYPE, "subtract is not defined for bool")),
    ONE("-bool", "-a", 1, BOOL, V(1), BOOL, FAILS(TYPE, "negative is not defined for bool")),
    ONE("complex //", "a // 2", 1, C128, V(1, 1), C128, FAILS(TYPE, "floor_divide is not defined")),
    ONE("f64 & 1", "a & 1", 1, F64, V(1), F64,
        FAILS(TYPE, "bitwise_and is not defined for float64")),
    ONE("cbrt of complex", "cbrt(a)", 1, C64, V(1, 1), C64, FAILS(TYPE, "cbrt is not defined")),
    ONE("sign of bool", "sign(a)", 1, BOOL, V(1), BOOL,
        FAILS(TYPE, "sign is not defined for bool")),
};

int main(int argc, char **argv)
{
    enum { CASES = sizeof cases / sizeof *cases };
    struct CMUnitTest tests[CASES];

    for (size_t k = 0; k < CASES; ++k)
        tests[k] = (struct CMUnitTest){
            .name = cases[k].id, .test_func = expr_case_test, .initial_state = (void *)&cases[k]};
    return TSRT_RUN(argc, argv, tests);
}
