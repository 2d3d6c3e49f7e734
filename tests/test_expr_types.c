/* ranks: 1 2 3 */
/* The types of results: the 13 x 13 table of section 7.4, weak numbers, and what each kind of
 * operation makes of each type. */
#include "support/expr_cases.h"

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

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_arrays),
                                       cmocka_unit_test(each_operation),
                                       cmocka_unit_test(same_kind)};
    return TSRT_RUN(argc, argv, tests);
}
