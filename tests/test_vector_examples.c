/* ranks: 1 */
#include "kern/vector.h"
#include "support/harness.h"

#include <float.h>
#include <math.h>

/* The examples of the elementwise functions, each at every level of this machine. */

enum { MOST = 8 };

#define REALS(...) ((const double[MOST]){__VA_ARGS__})
#define WHOLES(...) ((const int64_t[MOST]){__VA_ARGS__})

static tsri_level level; /* in use */

static void at_every_level(void (*test)(void))
{
    for (level = TSRI_BASELINE; level <= tsri_vector_level(); ++level)
        test();
}

static void apply(tsri_vector_op op, tsr_dtype dtype, int n, void *out, const void *a,
                  const void *b)
{
    tsri_vector *f = tsri_vector_find(level, op, dtype);

    CHECK(f != NULL);
    f(n, out, (const void *[]){a, b});
}

/* The same value, 0 and -0 apart; at most so many times the distance between values away. */
static void check_real(double actual, double expected, int away, int line)
{
    const double tolerance = away * fabs(expected) * DBL_EPSILON;

    if (isnan(actual) && isnan(expected)) return;
    if (actual == expected && signbit(actual) == signbit(expected)) return;
    if (away == 0 || !(fabs(actual - expected) <= tolerance))
        tsrt_fail(__FILE__, line, "%.17g, not %.17g", actual, expected);
}

static void check_reals(tsri_vector_op op, int n, const double *a, const double *b,
                        const double *expected, int away, int line)
{
    double out[MOST];

    apply(op, TSR_F64, n, out, a, b);
    for (int i = 0; i < n; ++i)
        check_real(out[i], expected[i], away, line);
}

static void check_wholes(tsri_vector_op op, int n, const int64_t *a, const int64_t *b,
                         const int64_t *expected, int line)
{
    int64_t out[MOST];

    apply(op, TSR_I64, n, out, a, b);
    for (int i = 0; i < n; ++i)
        if (out[i] != expected[i])
            tsrt_fail(__FILE__, line, "element %d is %lld, not %lld", i, (long long)out[i],
                      (long long)expected[i]);
}

static void check_truths(tsri_vector_op op, tsr_dtype dtype, int n, const void *a, const void *b,
                         const bool *expected, int line)
{
    unsigned char out[MOST];

    apply(op, dtype, n, out, a, b);
    for (int i = 0; i < n; ++i)
        if (out[i] != expected[i]) tsrt_fail(__FILE__, line, "element %d is %d", i, out[i]);
}

#define SAME(op, n, a, b, expected) check_reals(TSRI_VECTOR_##op, n, a, b, expected, 0, __LINE__)
#define NEAR(op, n, a, b, expected) check_reals(TSRI_VECTOR_##op, n, a, b, expected, 1, __LINE__)
#define WHOLE(op, n, a, b, expected) check_wholes(TSRI_VECTOR_##op, n, a, b, expected, __LINE__)
#define TRUTHS(op, dtype, n, a, b, ...)                                                            \
    check_truths(TSRI_VECTOR_##op, dtype, n, a, b, (const bool[]){__VA_ARGS__}, __LINE__)

/* ---- division -------------------------------------------------------------------------------- */

static void division(void)
{
    const int64_t a[] = {-7, 7, -7, 7}, b[] = {2, 2, -2, -2};
    const int64_t c[] = {5, -5, 0}, zero[] = {0, 0, 0};

    WHOLE(FLOOR_DIVIDE, 4, a, b, WHOLES(-4, 3, 3, -4));
    WHOLE(REMAINDER, 4, a, b, WHOLES(1, 1, -1, -1));
    WHOLE(FMOD, 4, a, b, WHOLES(-1, 1, -1, 1));
    SAME(FLOOR_DIVIDE, 2, REALS(-7.5, 7.5), REALS(2, 2), REALS(-4, 3));
    SAME(REMAINDER, 2, REALS(-7.5, 7.5), REALS(2, 2), REALS(0.5, 1.5));
    SAME(FMOD, 2, REALS(-7.5, 7.5), REALS(2, 2), REALS(-1.5, 1.5));
    SAME(REMAINDER, 2, REALS(-1, 1), REALS(INFINITY, INFINITY), REALS(INFINITY, 1));
    WHOLE(FLOOR_DIVIDE, 3, c, zero, zero);
    WHOLE(REMAINDER, 3, c, zero, zero);
    SAME(DIVIDE, 3, REALS(5, -5, 0), REALS(0, 0, 0), REALS(INFINITY, -INFINITY, NAN));
    SAME(FLOOR_DIVIDE, 3, REALS(1, -1, 0), REALS(0, 0, 0), REALS(INFINITY, -INFINITY, NAN));
    SAME(REMAINDER, 1, REALS(1), REALS(0), REALS(NAN));
}

static void E_25_E_26_E_27_E_28_E_29_E_30_E_31_E_32_division(void **state)
{
    (void)state;
    at_every_level(division);
}

static void quotients_and_remainders(void)
{
    WHOLE(FLOOR_DIVIDE, 2, WHOLES(7, -7), WHOLES(3, 3), WHOLES(2, -3));
    WHOLE(REMAINDER, 2, WHOLES(7, -7), WHOLES(3, 3), WHOLES(1, 2));
    SAME(FLOOR_DIVIDE, 1, REALS(7.5), REALS(2), REALS(3));
    SAME(REMAINDER, 1, REALS(7.5), REALS(2), REALS(1.5));
}

static void E_46_divmod(void **state)
{
    (void)state;
    at_every_level(quotients_and_remainders);
}

/* ---- rounding, signs, extremes --------------------------------------------------------------- */

static void signs(void)
{
    SAME(RINT, 5, REALS(0.5, 1.5, 2.5, -0.5, -1.5), NULL, REALS(0, 2, 2, -0.0, -2));
    SAME(SIGN, 5, REALS(-2, 0, -0.0, NAN, 3), NULL, REALS(-1, 0, 0, NAN, 1));
    SAME(HEAVISIDE, 4, REALS(-1, 0, 2, NAN), REALS(0.5, 0.5, 0.5, 0.5), REALS(0, 0.5, 1, NAN));
    SAME(MAXIMUM, 3, REALS(1, NAN, 2), REALS(3, 1, NAN), REALS(3, NAN, NAN));
    SAME(FMAX, 3, REALS(1, NAN, NAN), REALS(3, 1, NAN), REALS(3, 1, NAN));
    SAME(COPYSIGN, 2, REALS(1, -2), REALS(-0.0, 3), REALS(-1, 2));
    TRUTHS(SIGNBIT, TSR_F64, 3, REALS(-0.0, 0.0, -1), NULL, true, false, true);
    SAME(SPACING, 3, REALS(1, 1e10, -1), NULL,
         REALS(2.220446049250313e-16, 1.9073486328125e-06, -2.220446049250313e-16));
    SAME(NEXTAFTER, 1, REALS(1), REALS(2), REALS(1.0000000000000002));
}

static void E_33_E_34_E_35_E_36_E_37_E_43_E_44_rounding_signs_and_extremes(void **state)
{
    (void)state;
    at_every_level(signs);
}

/* ---- powers and functions -------------------------------------------------------------------- */

static void functions(void)
{
    WHOLE(POWER, 3, WHOLES(2, 2, 2), WHOLES(0, 1, 10), WHOLES(1, 2, 1024));
    SAME(POWER, 2, REALS(-8, 0), REALS(1.0 / 3, 0), REALS(NAN, 1));
    SAME(FLOAT_POWER, 1, REALS(2), REALS(-1), REALS(0.5));
    NEAR(LOGADDEXP, 3, REALS(0, 1000, -INFINITY), REALS(0, 1000, -INFINITY),
         REALS(0.6931471805599453, 1000.6931471805599, -INFINITY));
    SAME(LOGADDEXP2, 1, REALS(3), REALS(3), REALS(4));
    SAME(SQRT, 1, REALS(-1), NULL, REALS(NAN));
    SAME(LOG, 2, REALS(0, -1), NULL, REALS(-INFINITY, NAN));
    SAME(HYPOT, 1, REALS(3), REALS(4), REALS(5));
    NEAR(ARCTAN2, 3, REALS(0, 0, -1), REALS(1, -1, 0),
         REALS(0, 3.141592653589793, -1.5707963267948966));
    SAME(CBRT, 1, REALS(-27), NULL, REALS(-3));
    NEAR(EXPM1, 1, REALS(1e-10), NULL, REALS(1.00000000005e-10));
    WHOLE(RECIPROCAL, 4, WHOLES(2, 1, -1, 3), NULL, WHOLES(0, 1, -1, 0));
    SAME(RECIPROCAL, 2, REALS(4, 0), NULL, REALS(0.25, INFINITY));
}

static void E_38_E_39_E_42_E_45_E_50_E_51_powers_and_functions(void **state)
{
    (void)state;
    at_every_level(functions);
}

/* ---- bits and truth -------------------------------------------------------------------------- */

static void bits(void)
{
    const int32_t a[] = {-8, 8, -1}, by[] = {1, 1, 40}, one = 1, width = 32;
    const uint8_t small[] = {0, 5};
    const bool t[] = {true, false}, tt[] = {true, true};
    int32_t out[3];
    uint8_t inverted[2];

    apply(TSRI_VECTOR_RIGHT_SHIFT, TSR_I32, 3, out, a, by);
    CHECK(out[0] == -4 && out[1] == 4 && out[2] == -1);
    apply(TSRI_VECTOR_LEFT_SHIFT, TSR_I32, 1, out, &one, &width);
    CHECK_INT(out[0], 0);
    WHOLE(GCD, 4, WHOLES(12, 0, -8, 7), WHOLES(18, 0, 12, 0), WHOLES(6, 0, 4, 7));
    WHOLE(LCM, 4, WHOLES(4, 0, -6, 7), WHOLES(6, 5, 4, 0), WHOLES(12, 0, 12, 0));
    TRUTHS(LOGICAL_AND, TSR_BOOL, 3, ((const unsigned char[]){1, 0, 2}),
           ((const unsigned char[]){1, 1, 0}), true, false, false);
    WHOLE(INVERT, 2, WHOLES(0, 5), NULL, WHOLES(-1, -6));
    apply(TSRI_VECTOR_INVERT, TSR_U8, 2, inverted, small, NULL);
    CHECK(inverted[0] == 255 && inverted[1] == 250);
    TRUTHS(INVERT, TSR_BOOL, 2, t, NULL, false, true);
    TRUTHS(ADD, TSR_BOOL, 2, t, tt, true, true);
    TRUTHS(MULTIPLY, TSR_BOOL, 2, t, tt, true, false);
}

static void E_40_E_41_E_48_E_49_bits_and_truth(void **state)
{
    (void)state;
    at_every_level(bits);
}

static void sizes(void)
{
    const int8_t lowest = INT8_MIN;
    const double z[] = {3, -4};
    int8_t small;
    double size;

    apply(TSRI_VECTOR_ABSOLUTE, TSR_I8, 1, &small, &lowest, NULL);
    CHECK_INT(small, INT8_MIN);
    apply(TSRI_VECTOR_ABSOLUTE, TSR_C128, 1, &size, z, NULL);
    CHECK_DOUBLE(size, 5, 0);
}

static void E_47_absolute_values(void **state)
{
    (void)state;
    at_every_level(sizes);
}

/* ---- made of several ------------------------------------------------------------------------- */

/* a == b, or b finite and |a - b| <= atol + rtol |b| */
static void check_close(int n, const double *a, const double *b, double rtol, double atol,
                        const bool *expected)
{
    double distance[MOST], allowed[MOST], factor[MOST], plus[MOST];
    unsigned char equal[MOST], finite[MOST], near[MOST];

    for (int i = 0; i < n; ++i) {
        factor[i] = rtol;
        plus[i] = atol;
    }
    apply(TSRI_VECTOR_EQUAL, TSR_F64, n, equal, a, b);
    apply(TSRI_VECTOR_ISFINITE, TSR_F64, n, finite, b, NULL);
    apply(TSRI_VECTOR_SUBTRACT, TSR_F64, n, distance, a, b);
    apply(TSRI_VECTOR_ABSOLUTE, TSR_F64, n, distance, distance, NULL);
    apply(TSRI_VECTOR_ABSOLUTE, TSR_F64, n, allowed, b, NULL);
    apply(TSRI_VECTOR_MULTIPLY, TSR_F64, n, allowed, allowed, factor);
    apply(TSRI_VECTOR_ADD, TSR_F64, n, allowed, allowed, plus);
    apply(TSRI_VECTOR_LESS_EQUAL, TSR_F64, n, near, distance, allowed);
    apply(TSRI_VECTOR_LOGICAL_AND, TSR_BOOL, n, near, near, finite);
    apply(TSRI_VECTOR_LOGICAL_OR, TSR_BOOL, n, near, near, equal);
    for (int i = 0; i < n; ++i)
        CHECK_INT(near[i], expected[i]);
}

static void closeness(void)
{
    check_close(6, REALS(1, 1, INFINITY, NAN, 0, 1e10),
                REALS(1.00001, 1.0001, INFINITY, NAN, 1e-9, 1.00001e10), 1e-5, 1e-8,
                (const bool[]){true, false, true, false, true, true});
    check_close(2, REALS(INFINITY, 1e300), REALS(-INFINITY, INFINITY), 1e-5, 1e-8,
                (const bool[]){false, false});
    check_close(1, REALS(1.0), REALS(1.1), 0.1, 0, (const bool[]){true});
}

static void E_52_E_53_E_54_closeness(void **state)
{
    (void)state;
    at_every_level(closeness);
}

static void choices(void)
{
    double out[4];

    tsri_vector_find(level, TSRI_VECTOR_WHERE,
                     TSR_F64)(4, out,
                              (const void *[]){((const unsigned char[]){1, 0, 2, 0}),
                                               REALS(1, 2, 3, 4), REALS(-1, -1, -1, -1)});
    CHECK(out[0] == 1 && out[1] == -1 && out[2] == 3 && out[3] == -1);

    apply(TSRI_VECTOR_MAXIMUM, TSR_F64, 4, out, REALS(-2, 0, 5, 9), REALS(0, 0, 0, 0));
    SAME(MINIMUM, 4, out, REALS(5, 5, 5, 5), REALS(0, 0, 5, 5));
    apply(TSRI_VECTOR_MAXIMUM, TSR_F64, 3, out, REALS(1, NAN, 9), REALS(2, 2, 2));
    SAME(MINIMUM, 3, out, REALS(5, 5, 5), REALS(2, NAN, 5));
    apply(TSRI_VECTOR_MAXIMUM, TSR_F64, 3, out, REALS(1, 5, 9), REALS(6, 6, 6));
    SAME(MINIMUM, 3, out, REALS(2, 2, 2), REALS(2, 2, 2));
    SAME(MINIMUM, 2, REALS(1.5, 2.5), REALS(2, 2), REALS(1.5, 2));
}

static void E_58_E_60_where_and_clip(void **state)
{
    (void)state;
    at_every_level(choices);
}

/* rint(x * 10^d) / 10^d, and rint(x / 10^d) * 10^d to the left of the point */
static void check_rounded(int n, const double *x, double power, bool left, const double *expected,
                          int line)
{
    double out[MOST], powers[MOST];

    for (int i = 0; i < n; ++i)
        powers[i] = power;
    apply(left ? TSRI_VECTOR_DIVIDE : TSRI_VECTOR_MULTIPLY, TSR_F64, n, out, x, powers);
    apply(TSRI_VECTOR_RINT, TSR_F64, n, out, out, NULL);
    check_reals(left ? TSRI_VECTOR_MULTIPLY : TSRI_VECTOR_DIVIDE, n, out, powers, expected, 0,
                line);
}

static void decimals(void)
{
    check_rounded(3, REALS(0.15, 0.25, 0.35), 10, false, REALS(0.2, 0.2, 0.4), __LINE__);
    check_rounded(1, REALS(2.675), 100, false, REALS(2.68), __LINE__);
    check_rounded(2, REALS(1234.5678, -0.05), 10, false, REALS(1234.6, -0.0), __LINE__);
    check_rounded(3, REALS(1250, 1350, -1250), 100, true, REALS(1200, 1400, -1200), __LINE__);
    check_rounded(4, REALS(15, 25, 35, 149), 10, true, REALS(20, 20, 40, 150), __LINE__);
}

static void E_61_E_62_round(void **state)
{
    (void)state;
    at_every_level(decimals);
}

static void angles(void)
{
    const double z[] = {1, 1, -1, 0, 0, 0, -2, 0};
    double re[MOST], im[MOST];

    apply(TSRI_VECTOR_REAL, TSR_C128, 4, re, z, NULL);
    apply(TSRI_VECTOR_IMAG, TSR_C128, 4, im, z, NULL);
    NEAR(ARCTAN2, 4, im, re, REALS(0.7853981633974483, 3.141592653589793, 0, 3.141592653589793));
    apply(TSRI_VECTOR_ARCTAN2, TSR_F64, 1, re, REALS(1), REALS(0));
    NEAR(RAD2DEG, 1, re, NULL, REALS(90));
}

static void E_63_angle(void **state)
{
    (void)state;
    at_every_level(angles);
}

/* ---- single numbers -------------------------------------------------------------------------- */

enum { SINGLES = 4099 };

/* Numbers all over the range, and some where results change their kind. */
static void spread(float *x, uint32_t first, uint32_t step)
{
    static const float edges[] = {0,  -0.0f,   INFINITY,   -INFINITY, NAN,     1,
                                  -1, 0x1p30f, -0x1.8p31f, FLT_MAX,   FLT_MIN, 0x1p-149f};
    for (uint32_t i = 0; i < SINGLES; ++i) {
        const uint32_t bits = first + i * step;
        memcpy(&x[i], &bits, sizeof bits);
        if (i < sizeof edges / sizeof edges[0]) x[i] = edges[i];
    }
}

/* Within one unit in the last place of the function in double; where that is exact, the sign too.
 */
static void check_single(const char *name, float x, float y, float actual, double expected)
{
    const float nearest = (float)expected;
    const double unit = (double)nextafterf(fabsf(nearest), INFINITY) - fabs((double)nearest);

    if (isnan(actual) && isnan(nearest)) return;
    if (actual == nearest && signbit(actual) == signbit(nearest)) return;
    if (!(fabs(actual - expected) <= 1.001 * unit) || nearest == 0)
        tsrt_fail(__FILE__, __LINE__, "%s(%a, %a): %a, not %a", name, (double)x, (double)y,
                  (double)actual, expected);
}

static void single_numbers(void)
{
    static const struct {
        const char *name;
        tsri_vector_op op;
        double (*function)(double x);
    } functions_of_one[] = {{"sin", TSRI_VECTOR_SIN, sin},       {"cos", TSRI_VECTOR_COS, cos},
                            {"expm1", TSRI_VECTOR_EXPM1, expm1}, {"sinh", TSRI_VECTOR_SINH, sinh},
                            {"cosh", TSRI_VECTOR_COSH, cosh},    {"tanh", TSRI_VECTOR_TANH, tanh},
                            {"cbrt", TSRI_VECTOR_CBRT, cbrt}};
    static float x[SINGLES], y[SINGLES], out[SINGLES];

    spread(x, 77, UINT32_MAX / SINGLES);
    for (size_t k = 0; k < sizeof functions_of_one / sizeof functions_of_one[0]; ++k) {
        apply(functions_of_one[k].op, TSR_F32, SINGLES, out, x, NULL);
        for (int i = 0; i < SINGLES; ++i)
            check_single(functions_of_one[k].name, x[i], 0, out[i],
                         functions_of_one[k].function(x[i]));
    }
    for (int turn = 0; turn < 24; ++turn) {
        for (int i = 0; i < SINGLES; ++i)
            y[i] = turn < 12 ? x[turn] : (float)(turn - 18) * (i % 2 == 0 ? 1 : 0.37f);
        apply(TSRI_VECTOR_POWER, TSR_F32, SINGLES, out, x, y);
        for (int i = 0; i < SINGLES; ++i)
            check_single("power", x[i], y[i], out[i], pow(x[i], y[i]));
    }
}

static void single_numbers_follow_double_ones(void **state)
{
    (void)state;
    at_every_level(single_numbers);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(E_25_E_26_E_27_E_28_E_29_E_30_E_31_E_32_division),
        cmocka_unit_test(E_46_divmod),
        cmocka_unit_test(E_33_E_34_E_35_E_36_E_37_E_43_E_44_rounding_signs_and_extremes),
        cmocka_unit_test(E_38_E_39_E_42_E_45_E_50_E_51_powers_and_functions),
        cmocka_unit_test(E_40_E_41_E_48_E_49_bits_and_truth),
        cmocka_unit_test(E_47_absolute_values),
        cmocka_unit_test(E_52_E_53_E_54_closeness),
        cmocka_unit_test(E_58_E_60_where_and_clip),
        cmocka_unit_test(E_61_E_62_round),
        cmocka_unit_test(E_63_angle),
        cmocka_unit_test(single_numbers_follow_double_ones),
    };
    return TSRT_RUN(argc, argv, tests);
}
