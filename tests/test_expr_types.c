/* ranks: 1 2 3 */
/* The types of results: the 13 x 13 table of section 7.4, weak numbers, what each kind of
 * operation makes of each type, and what may be written into what: E-21 to E-24, E-46. */
#include "support/expr_cases.h"

#include <complex.h>
#include <stdio.h>

enum { TYPES = 13 };

/* Of a sum (of bool and bool: "or"); rows and columns in the order of tsr_dtype. */
static const char *const table[TYPES] = {
    /* b   i8   i16  i32  i64  u8   u16  u32  u64  f32  f64  c64  c128 */
    "b    i8   i16  i32  i64  u8   u16  u32  u64  f32  f64  c64  c128",
    "i8   i8   i16  i32  i64  i16  i32  i64  f64  f32  f64  c64  c128",
    "i16  i16  i16  i32  i64  i16  i32  i64  f64  f32  f64  c64  c128",
    "i32  i32  i32  i32  i64  i32  i32  i64  f64  f64  f64  c128 c128",
    "i64  i64  i64  i64  i64  i64  i64  i64  f64  f64  f64  c128 c128",
    "u8   i16  i16  i32  i64  u8   u16  u32  u64  f32  f64  c64  c128",
    "u16  i32  i32  i32  i64  u16  u16  u32  u64  f32  f64  c64  c128",
    "u32  i64  i64  i64  i64  u32  u32  u32  u64  f64  f64  c128 c128",
    "u64  f64  f64  f64  f64  u64  u64  u64  u64  f64  f64  c128 c128",
    "f32  f32  f32  f64  f64  f32  f32  f64  f64  f32  f64  c64  c128",
    "f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  c128 c128",
    "c64  c64  c64  c128 c128 c64  c64  c128 c128 c64  c128 c64  c128",
    "c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128"};

static const char *const names[TYPES] = {"b",   "i8",  "i16", "i32", "i64", "u8",  "u16",
                                         "u32", "u64", "f32", "f64", "c64", "c128"};

static tsr_dtype type_named(const char *name)
{
    for (int t = 0; t < TYPES; ++t)
        if (strcmp(name, names[t]) == 0) return (tsr_dtype)(TSR_BOOL + t);
    return TSR_AUTO; /* not defined */
}

/* Arrays of one cell, of each type, and what an expression of x and y is. */
static tsr_layout *layout;
static tsr_array *ones[TYPES];

static void begin(void)
{
    layout = expr_line(1);
    for (int t = 0; t < TYPES; ++t)
        CHECK_OK(tsr_ones(layout, (tsr_dtype)(TSR_BOOL + t), &ones[t]));
}

static void end(void)
{
    for (int t = 0; t < TYPES; ++t)
        CHECK_OK(tsr_array_destroy(&ones[t]));
    CHECK_OK(tsr_layout_destroy(&layout));
}

static tsr_dtype type_of(const char *text, int x, int y)
{
    tsr_array *c = NULL;
    const tsr_status st =
        tsr_eval_new(&c, text, TSR_ARG_AS("x", ones[x]), TSR_ARG_AS("y", ones[y]));
    const tsr_dtype dtype = tsr_array_dtype(c);

    if (st != TSR_OK) CHECK_INT(st, TSR_ERR_TYPE);
    CHECK_OK(tsr_array_destroy(&c));
    return dtype;
}

static void check_type(const char *text, int x, int y, tsr_dtype right)
{
    const tsr_dtype got = type_of(text, x, y);
    if (got != right)
        tsrt_fail(__FILE__, __LINE__, "%s of %s and %s is %s, not %s", text, names[x], names[y],
                  tsr_dtype_name(got), tsr_dtype_name(right));
}

static void two_arrays(void **state)
{
    (void)state;
    begin();
    for (int x = 0; x < TYPES; ++x) {
        char row[128];
        snprintf(row, sizeof row, "%s", table[x]);
        char *name = strtok(row, " ");
        for (int y = 0; y < TYPES; ++y, name = strtok(NULL, " ")) {
            check_type("x + y", x, y, type_named(name));
            check_type("y * x", x, y, type_named(name));
            check_type("where(True, x, y)", x, y, type_named(name));
            check_type("x == y", x, y, TSR_BOOL);
        }
    }
    end();
}

/* One array and a weak number, or a function: a type for each of the array's.  "-": not defined. */
static const struct {
    const char *text, *types;
} rows[] = {
    {"x + True", "b i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 c64 c128"},
    {"x + 1", "i64 i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 c64 c128"},
    {"x * 1.5", "f64 f64 f64 f64 f64 f64 f64 f64 f64 f32 f64 c64 c128"},
    {"2j - x", "c128 c128 c128 c128 c128 c128 c128 c128 c128 c64 c128 c64 c128"},
    {"x - x", "- i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 c64 c128"},
    {"-x", "- i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 c64 c128"},
    {"+x", "- i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 c64 c128"},
    {"x / x", "f64 f64 f64 f64 f64 f64 f64 f64 f64 f32 f64 c64 c128"},
    {"x // x", "i8 i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 - -"},
    {"x % x", "i8 i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 - -"},
    {"fmod(x, x)", "i8 i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 - -"},
    {"x ** x", "i8 i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 c64 c128"},
    {"float_power(x, 2)", "f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 c128 c128"},
    {"square(x)", "i8 i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 c64 c128"},
    {"reciprocal(x)", "i8 i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 c64 c128"},
    {"conj(x)", "i8 i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 c64 c128"},
    {"abs(x)", "b i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 f32 f64"},
    {"real(x)", "b i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 f32 f64"},
    {"imag(x)", "b i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 f32 f64"},
    {"angle(x)", "f64 f32 f32 f64 f64 f32 f32 f64 f64 f32 f64 f32 f64"},
    {"sign(x)", "- i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 c64 c128"},
    {"sin(x)", "f32 f32 f32 f64 f64 f32 f32 f64 f64 f32 f64 c64 c128"},
    {"cbrt(x)", "f32 f32 f32 f64 f64 f32 f32 f64 f64 f32 f64 - -"},
    {"arctan2(x, x)", "f32 f32 f32 f64 f64 f32 f32 f64 f64 f32 f64 - -"},
    {"hypot(x, 2.5)", "f64 f64 f64 f64 f64 f64 f64 f64 f64 f32 f64 - -"},
    {"rint(x)", "f32 f32 f32 f64 f64 f32 f32 f64 f64 f32 f64 c64 c128"},
    {"floor(x)", "b i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 - -"},
    {"round(x)", "f32 i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 c64 c128"},
    {"signbit(x)", "b b b b b b b b b b b - -"},
    {"isnan(x)", "b b b b b b b b b b b b b"},
    {"logical_not(x)", "b b b b b b b b b b b b b"},
    {"x & x", "b i8 i16 i32 i64 u8 u16 u32 u64 - - - -"},
    {"~x", "b i8 i16 i32 i64 u8 u16 u32 u64 - - - -"},
    {"x << x", "i8 i8 i16 i32 i64 u8 u16 u32 u64 - - - -"},
    {"gcd(x, x)", "- i8 i16 i32 i64 u8 u16 u32 u64 - - - -"},
    {"maximum(x, x)", "b i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 c64 c128"},
    {"clip(x, 0, 1)", "i64 i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 c64 c128"},
    {"isclose(x, x)", "b b b b b b b b b b b b b"},
    {"c64(x)", "c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64"},
};

static void each_operation(void **state)
{
    (void)state;
    begin();
    for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r) {
        char row[128];
        snprintf(row, sizeof row, "%s", rows[r].types);
        char *name = strtok(row, " ");
        for (int x = 0; x < TYPES; ++x, name = strtok(NULL, " "))
            check_type(rows[r].text, x, x, type_named(name));
    }
    end();
}

/* What may be written into what: up, or within, the order bool, unsigned, signed, real, complex. */
static void same_kind(void **state)
{
    (void)state;
    static const int kind[TYPES] = {0, 2, 2, 2, 2, 1, 1, 1, 1, 3, 3, 4, 4};

    begin();
    for (int x = 0; x < TYPES; ++x)
        for (int y = 0; y < TYPES; ++y)
            CHECK_STATUS(tsr_eval(ones[y], "x", TSR_ARG_AS("x", ones[x])),
                         kind[x] <= kind[y] ? TSR_OK : TSR_ERR_TYPE);
    end();
}

static void E_21_to_E_24_same_kind(void **state)
{
    (void)state;
    tsr_layout *line = expr_line(3);
    const double v[] = {1, 2, 3};
    tsr_array *i64 = expr_array(line, TSR_I64, v), *f32 = expr_array(line, TSR_F32, v);
    tsr_array *f64 = expr_array(line, TSR_F64, v), *u8 = expr_array(line, TSR_U8, v);
    tsr_array *i8 = expr_array(line, TSR_I8, v), *b = expr_array(line, TSR_BOOL, v);

    CHECK_STATUS(tsr_eval(i64, "x + 1.5", TSR_ARG_AS("x", i64)), TSR_ERR_TYPE);
    CHECK_TEXT("the result is float64, which must not be written into an array of int64");
    CHECK_OK(tsr_eval(f32, "x + y", TSR_ARG_AS("x", f32), TSR_ARG_AS("y", f64)));
    expr_check(f32, TSR_F32, (const double[]){2, 4, 6}, 0, "E-22");
    CHECK_STATUS(tsr_eval(i64, "x / 2", TSR_ARG_AS("x", i64)), TSR_ERR_TYPE); /* E-23 */
    CHECK_STATUS(tsr_eval(u8, "x + y", TSR_ARG_AS("x", u8), TSR_ARG_AS("y", i8)), TSR_ERR_TYPE);
    CHECK_TEXT("the result is int16");
    expr_check(i64, TSR_I64, v, 0, "untouched");
    expr_check(u8, TSR_U8, v, 0, "untouched");

    CHECK_OK(tsr_eval(i8, "x", TSR_ARG_AS("x", i64))); /* any width */
    CHECK_OK(tsr_eval(i8, "300 + x*0", TSR_ARG_AS("x", i64)));
    expr_check(i8, TSR_I8, (const double[]){44, 44, 44}, 0, "wraps");
    CHECK_OK(tsr_eval(u8, "200"));
    CHECK_STATUS(tsr_eval(u8, "-1"), TSR_ERR_VALUE);
    CHECK_TEXT("-1 does not fit uint8");
    CHECK_STATUS(tsr_eval(u8, "1.0"), TSR_ERR_TYPE);
    CHECK_STATUS(tsr_eval(b, "1"), TSR_ERR_TYPE);
    CHECK_STATUS(tsr_eval(u8, "x", TSR_ARG_AS("x", i64)), TSR_ERR_TYPE);
    CHECK_STATUS(tsr_eval(f64, "x*1j", TSR_ARG_AS("x", f64)), TSR_ERR_TYPE);
    CHECK_OK(tsr_array_destroy(&i64));
    CHECK_OK(tsr_array_destroy(&f32));
    CHECK_OK(tsr_array_destroy(&f64));
    CHECK_OK(tsr_array_destroy(&u8));
    expr_destroy(line, i8, b);
}

static void names_stand_for_numbers_of_every_type(void **state)
{
    (void)state;
    tsr_layout *line = expr_line(1);
    tsr_array *a = expr_array(line, TSR_F32, (const double[]){2}), *c = NULL;
    const bool b = true;
    const short s = -2;
    const unsigned char uc = 3;
    const long long ll = 5;
    const size_t z = 7;
    const float f = 0.5f;
    const double d = 0.25;
    const double complex w = I;
    const float complex wf = 1.0f;

    CHECK_OK(tsr_eval_new(&c, "a*b + s + uc + ll + z + f + d", TSR_ARG(a), TSR_ARG(b), TSR_ARG(s),
                          TSR_ARG(uc), TSR_ARG(ll), TSR_ARG(z), TSR_ARG(f), TSR_ARG(d)));
    expr_check(c, TSR_F32, (const double[]){15.75}, 0, "weak numbers");
    CHECK_OK(tsr_array_destroy(&c));
    CHECK_OK(tsr_eval_new(&c, "a*w + wf", TSR_ARG(a), TSR_ARG(w), TSR_ARG(wf)));
    expr_check(c, TSR_C64, (const double[]){1, 2}, 0, "weak complex numbers");
    CHECK_OK(tsr_array_destroy(&c));
    CHECK_OK(tsr_eval_new(&c, "a*t", TSR_ARG(a), TSR_ARG_AS("t", tsr_f64(3))));
    expr_check(c, TSR_F64, (const double[]){6}, 0, "a typed number");
    CHECK_OK(tsr_array_destroy(&c));
    CHECK_OK(tsr_eval_new(&c, "e*a", TSR_ARG(a), TSR_ARG_AS("e", 10)));
    expr_check(c, TSR_F32, (const double[]){20}, 0, "a bound name wins over a constant");
    expr_destroy(line, a, c);
}

static void E_46_divmod(void **state)
{
    (void)state;
    tsr_layout *line = expr_line(2);
    tsr_array *a = expr_array(line, TSR_I64, (const double[]){7, -7}), *q = NULL, *r = NULL;
    tsr_array *f = expr_array(line, TSR_F64, (const double[]){7.5, -1});

    CHECK_OK(tsr_divmod(&q, &r, "a", "3", TSR_ARG(a)));
    expr_check(q, TSR_I64, (const double[]){2, -3}, 0, "E-46");
    expr_check(r, TSR_I64, (const double[]){1, 2}, 0, "E-46");
    CHECK_OK(tsr_array_destroy(&q));
    CHECK_OK(tsr_array_destroy(&r));
    CHECK_OK(tsr_divmod(&q, &r, "f", "2", TSR_ARG(f)));
    expr_check(q, TSR_F64, (const double[]){3, -1}, 0, "E-46");
    expr_check(r, TSR_F64, (const double[]){1.5, 1}, 0, "E-46");
    CHECK_OK(tsr_array_destroy(&q));
    CHECK_OK(tsr_array_destroy(&r));
    CHECK_STATUS(tsr_divmod(&q, &r, "f", "2j", TSR_ARG(f)), TSR_ERR_TYPE);
    CHECK(q == NULL && r == NULL);
    CHECK_OK(tsr_array_destroy(&f));
    expr_destroy(line, a, NULL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_arrays),
                                       cmocka_unit_test(each_operation),
                                       cmocka_unit_test(same_kind),
                                       cmocka_unit_test(E_21_to_E_24_same_kind),
                                       cmocka_unit_test(names_stand_for_numbers_of_every_type),
                                       cmocka_unit_test(E_46_divmod)};
    return TSRT_RUN(argc, argv, tests);
}
