/* ranks: 1 2 3 */
/* Texts that are no expressions: the sentence says in which column and, of names, what is near. */
#include "support/expr_cases.h"

#include <stdio.h>

typedef struct wrong {
    const char *text, *says;
} wrong;

static const wrong texts[] = {
    {"", "at the end of the text (column 1): expected a number, a name, a function or '('"},
    {"   ", "at the end of the text (column 4)"},
    {"a +", "at the end of the text (column 4)"},
    {"a + * 2", "column 5, at \"* 2\": expected a number"},
    {"(a + 1", "expected ')' to close a parenthesis"},
    {"a + 1)", "column 6, at \")\": the expression ends here"},
    {"a b", "column 3, at \"b\": the expression ends here"},
    {"2a", "column 2, at \"a\": a number ends here"},
    {"1.5.2", "column 4, at \".2\": the expression ends here"},
    {"007", "column 1, at \"007\": an integer must not start with 0"},
    {"0x", "column 1, at \"0x\": there are no digits"},
    {"18446744073709551616", "the number is too long: integers have at most 64 bits"},
    {"a + 18446744073709551615*2 + i0",
     "column 25, at \"*2 + i0\": the integer result does not fit"},
    {"a $ 2", "column 3, at \"$ 2\": '$' has no meaning in an expression"},
    {"a\x01", "column 2: byte 0x01 has no meaning"},
    {"\xc3\xa9", "column 1: byte 0xc3 has no meaning"},
    {"a = 2", "'=' assigns, which an expression does not: use =="},
    {"a @ b", "'@' has no meaning"},
    {"a < b < 2", "column 7, at \"< 2\": comparisons cannot be chained: write (a < b) & (b < c)"},
    {"a < 1 and b < 2", "\"and\" is not in the language: use & between comparisons"},
    {"not a", "column 1, at \"not a\": \"not\" is not in the language: use logical_not(x)"},
    {"a if b else 1", "use where(condition, x, y)"},
    {"None", "only for a bound of clip()"},

    {"sni(a)", "column 1, at \"sni(a)\": there is no function \"sni\"; the nearest is \"sin\""},
    {"2*arcsine(a)", "the nearest is \"arcsin\""},
    {"logical_nand(a, b)", "the nearest is \"logical_and\""},
    {"frobnicate(a)", "there is no function \"frobnicate\" ["},
    {"sum(a)", "sum is a reduction, which has a call of its own"},
    {"cumprod(a)", "cumprod is a reduction"},
    {"aa + bbb", "there is no \"aa\"; the nearest name is \"a\""},
    {"a + velocity_x", "the nearest name is \"velocity\""},
    {"a + qqqqqq", "\"qqqqqq\" is neither bound, with TSR_ARG, nor a constant"},
    {"sin", "sin is a function: '(' must follow"},
    {"a(2)", "there is no function \"a\""},
    {"sin()", "sin needs 1 parameter ["},
    {"where(a, b)", "where needs 3 parameters"},
    {"sin(a, b)", "column 8, at \"b)\": sin takes at most 1 parameter"},
    {"clip(a, low=2)", "clip has no parameter \"low\""},
    {"clip(a, min=2, 3)", "a parameter without a name follows one with a name"},
    {"clip(a, 2, min=3)", "parameter 2 of clip is given twice"},
    {"round(a, b)", "the decimals of round must be a whole number in the text"},
    {"isclose(a, a, equal_nan=b)", "equal_nan must be True or False"},

    {"i2", "i2 is an index along axis 2, the array has 1"},
    {"i0[1]", "only arrays can be shifted"},
    {"pi[1]", "only arrays can be shifted"},
    {"k[1]", "only distributed arrays can be shifted"},
    {"a[1.5]", "column 3, at \"1.5]\": an offset must be a whole number, as in u[-1, 0]"},
    {"a[k]", "an offset must be a whole number"},
    {"a[1", "expected ']' or ',' after an offset"},
    {"a[-1, 0]", "2 offsets for an array of 1 axis"},
    {"a + a[-2]",
     "column 5, at \"a[-2]\": the offset -2 along axis 0 needs a halo as wide on the low "
     "side, which has 1"},
    {"a[99999999999999999999]", "integers have at most 64 bits"},

    {"1 << -1", "an integer cannot be shifted by a negative number"},
    {"b * 300", "column 3, at \"* 300\": 300 does not fit int8"},
    {"b * k", "1000 does not fit int8"},
    {"b ** (k - 1001)", "column 3, at \"** (k - 1001)\": integers to a negative integer power"},
};

static const wrong types[] = {
    {"a & 1", "column 3, at \"& 1\": bitwise_and is not defined for float64"},
    {"2 << 1.5", "left_shift is not defined for float64"},
    {"a + 2j // 1", "floor_divide is not defined for complex128"},
};

/* Both ways to evaluate say the same, and leave everything as it was. */
static void check_wrong(const wrong *list, size_t count, tsr_status right)
{
    tsr_layout *layout = expr_line(4);
    tsr_array *a = expr_array(layout, TSR_F64, (const double[]){1, 2, 3, 4}), *c = NULL;
    tsr_array *b = expr_array(layout, TSR_I8, (const double[]){1, 2, 3, 4});
    const int k = 1000;

    for (size_t t = 0; t < count; ++t) {
        const wrong *w = &list[t];
        const tsr_status st = tsr_eval_new(&c, w->text, TSR_ARG(a), TSR_ARG(b), TSR_ARG(k),
                                           TSR_ARG_AS("velocity", a));
        if (st != right || strstr(tsr_error_text(), w->says) == NULL)
            tsrt_fail(__FILE__, __LINE__, "\"%s\": %s, \"%s\", not \"%s\"", w->text,
                      tsr_status_name(st), tsr_error_text(), w->says);
        CHECK(c == NULL);
        CHECK_STATUS(
            tsr_eval(a, w->text, TSR_ARG(a), TSR_ARG(b), TSR_ARG(k), TSR_ARG_AS("velocity", a)),
            right);
        CHECK_TEXT(w->says);
    }
    expr_check(a, TSR_F64, (const double[]){1, 2, 3, 4}, 0, "untouched");
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void wrong_texts(void **state)
{
    (void)state;
    check_wrong(texts, sizeof texts / sizeof *texts, TSR_ERR_VALUE);
}

static void wrong_types(void **state)
{
    (void)state;
    check_wrong(types, sizeof types / sizeof *types, TSR_ERR_TYPE);
}

static void wrong_arguments(void **state)
{
    (void)state;
    tsr_layout *layout = expr_line(2);
    tsr_array *a = expr_array(layout, TSR_F64, (const double[]){1, 2}), *c = NULL;
    static const char *const names[] = {"sin", "i0", "f32", "and", "2x", "", "a-b", "None"};

    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        CHECK_STATUS(tsr_eval_new(&c, "a", TSR_ARG(a), TSR_ARG_AS(names[k], 1)), TSR_ERR_VALUE);
        CHECK_TEXT("cannot be bound");
    }
    CHECK_STATUS(tsr_eval_new(&c, "a", TSR_ARG(a), TSR_ARG_AS("a", 2)), TSR_ERR_VALUE);
    CHECK_TEXT("\"a\" is bound twice");
    CHECK_STATUS(tsr_eval_new(&c, "a", TSR_ARG_AS("a", (tsr_array *)NULL)), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_eval(a, "b", TSR_ARG_AS("b", (tsr_array *)NULL)), TSR_ERR_VALUE);
    CHECK_TEXT("the array \"b\" is NULL");
    CHECK_STATUS(tsr_eval(a, "b", TSR_ARG_AS(NULL, 2)), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_eval_new(&c, "1"), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_eval_new(&c, "i0 + 1", TSR_ARG(a)), TSR_ERR_VALUE);
    CHECK_TEXT("there is no array in the expression");
    CHECK_STATUS(tsr_eval_newv(NULL, "a", 0, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_eval_newv(&c, NULL, 1, (const tsr_arg[]){TSR_ARG(a)}), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_evalv(a, NULL, 0, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_evalv(a, "1", 2, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_evalv(NULL, "1", 0, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_eval(a, "x", TSR_ARG_AS("x", (tsr_scalar){0})), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_evalv(a, "x", 1, (const tsr_arg[]){{.name = "x", .kind = (tsr_arg_kind)77}}),
                 TSR_ERR_VALUE);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* `before` and `after` a middle, each that often. */
static char *repeated(const char *before, const char *middle, const char *after, int times)
{
    const size_t room = (strlen(before) + strlen(after)) * (size_t)times + strlen(middle) + 1;
    char *text = calloc(room, 1);
    CHECK(text != NULL);
    for (int k = 0; k < times; ++k)
        strcat(text, before);
    strcat(text, middle);
    for (int k = 0; k < times; ++k)
        strcat(text, after);
    return text;
}

static void check_limit(tsr_array *a, char *text, const char *says)
{
    tsr_array *c = NULL;
    const tsr_status st = tsr_eval_new(&c, text, TSR_ARG(a));

    CHECK_STATUS(st, says == NULL ? TSR_OK : TSR_ERR_VALUE);
    if (says != NULL) CHECK_TEXT(says);
    CHECK_OK(tsr_array_destroy(&c));
    free(text);
}

static void limits_are_errors(void **state)
{
    (void)state;
    tsr_layout *layout = expr_line(3);
    tsr_array *a = expr_array(layout, TSR_F64, (const double[]){1, 2, 3});

    check_limit(a, repeated("(", "a", ")", 150), NULL);
    check_limit(a, repeated("(", "a", ")", 500), "more than 200 parts are nested");
    check_limit(a, repeated("sin(", "a", ")", 500), "more than 200 parts are nested");
    check_limit(a, repeated("-", "a", "", 5000), "more than 200 parts are nested");
    check_limit(a, repeated("", "a", "**a", 5000), "more than 200 parts are nested");
    check_limit(a, repeated("", "a", "+a", 1000), NULL);
    check_limit(a, repeated("", "a", "+a", 3000), "the expression has more than 4096 parts");
    check_limit(a, repeated("", "a", "     ", 4000), "the text has 20001 bytes");
    check_limit(a, repeated("", "a[", "1,", 40), "more than 16 offsets");
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* Numbers are read the same in every locale. */
static void numbers_have_a_point(void **state)
{
    (void)state;
    tsr_layout *layout = expr_line(1);
    tsr_array *a = expr_array(layout, TSR_F64, (const double[]){0});

    CHECK_OK(tsr_eval(a, "1.5e1 + .25 + 2. + 1E-1"));
    expr_check(a, TSR_F64, (const double[]){15 + .25 + 2 + .1}, 0, "numbers");
    CHECK_OK(tsr_eval(a, "imag(3.5j) + real(1e0J)"));
    expr_check(a, TSR_F64, (const double[]){3.5}, 0, "imaginary numbers");
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void other_texts_on_other_ranks(void **state)
{
    (void)state;
    tsr_layout *layout = expr_line(6);
    tsr_array *a = expr_array(layout, TSR_F64, (const double[]){1, 2, 3, 4, 5, 6}), *c = NULL;
    const char *text = tsrt_rank() == 0 ? "a + 1" : "a + 2";
    const tsr_status right = tsrt_size() > 1 ? TSR_ERR_MISMATCH : TSR_OK;

    CHECK_STATUS(tsr_eval(a, text, TSR_ARG(a)), right);
    CHECK_STATUS(tsr_eval_new(&c, text, TSR_ARG(a)), right);
    CHECK_OK(tsr_array_destroy(&c));
    CHECK_STATUS(tsr_eval(a, tsrt_rank() == 0 ? "sni(a)" : "a", TSR_ARG(a)), TSR_ERR_VALUE);
    CHECK_TEXT("the nearest is \"sin\"");

    tsr_scalar sum;
    text = tsrt_rank() == 0 ? NULL : "a + 3";
    CHECK_STATUS(tsr_eval(a, text, TSR_ARG(a)), TSR_ERR_VALUE);
    CHECK_TEXT("tsr_eval: the expression is NULL");
    CHECK_STATUS(tsr_eval_new(&c, text, TSR_ARG(a)), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_sum_expr(&sum, text, TSR_ARG(a)), TSR_ERR_VALUE);
    CHECK_TEXT("tsr_sum_expr: the expression is NULL");
    expr_destroy(layout, a, c);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_texts),          cmocka_unit_test(wrong_types),
        cmocka_unit_test(wrong_arguments),      cmocka_unit_test(limits_are_errors),
        cmocka_unit_test(numbers_have_a_point), cmocka_unit_test(other_texts_on_other_ranks)};
    return TSRT_RUN(argc, argv, tests);
}
