/* ranks: 1 2 3 4 6 8 */
/* Reductions of expressions give, to the bit, what those of an array of their values give. */
#include "support/harness.h"
#include "support/reduce_cases.h"

#include <math.h>

static void write_a(int64_t cell, void *element, void *ctx)
{
    (void)ctx;
    *(double *)element = sin((double)cell * 1.7) * ldexp(1, (int)(cell % 60) - 30);
}

static void write_b(int64_t cell, void *element, void *ctx)
{
    (void)ctx;
    double *parts = element;
    parts[0] = cos((double)cell);
    parts[1] = (double)(cell % 7) - 3;
}

static void write_n(int64_t cell, void *element, void *ctx)
{
    (void)ctx;
    *(int32_t *)element = (int32_t)(cell * 37 % 101 - 50);
}

/* Arrays over layouts of all kinds. */
typedef struct arrays {
    tsr_array *a, *b, *n;
} arrays;

static bool make(int which, arrays *s)
{
    tsr_layout *layout = case_layout(which);
    if (layout == NULL) return false;
    CHECK_OK(tsr_empty(layout, TSR_F64, &s->a));
    CHECK_OK(tsr_empty(layout, TSR_C128, &s->b));
    CHECK_OK(tsr_empty(layout, TSR_I32, &s->n));
    CHECK_OK(tsr_layout_destroy(&layout));
    case_fill(s->a, write_a, NULL);
    case_fill(s->b, write_b, NULL);
    case_fill(s->n, write_n, NULL);
    return true;
}

static void destroy(arrays *s)
{
    CHECK_OK(tsr_array_destroy(&s->a));
    CHECK_OK(tsr_array_destroy(&s->b));
    CHECK_OK(tsr_array_destroy(&s->n));
}

/* The bytes of the member that holds the value: the others of a union are not defined. */
static size_t member_size(tsr_dtype dtype)
{
    if (dtype == TSR_BOOL) return sizeof(bool);
    return dtype == TSR_C64 || dtype == TSR_C128 ? 2 * sizeof(double) : sizeof(double);
}

static void check_same(const char *text, const char *what, tsr_scalar left, tsr_scalar right)
{
    if (left.dtype != right.dtype || memcmp(&left.as, &right.as, member_size(left.dtype)) != 0)
        tsrt_fail(__FILE__, __LINE__, "%s of %s: %s %a instead of %s %a", what, text,
                  tsr_dtype_name(left.dtype), tsr_to_double(left), tsr_dtype_name(right.dtype),
                  tsr_to_double(right));
}

typedef tsr_status of_text(tsr_scalar *result, const char *text, int count, const tsr_arg *args);
typedef tsr_status of_array(const tsr_array *array, tsr_scalar *result);

static const struct {
    const char *name;
    of_text *text;
    of_array *array;
    bool elements;
} calls[] = {{"sum", tsr_sum_exprv, tsr_sum, false},    {"prod", tsr_prod_exprv, tsr_prod, false},
             {"min", tsr_min_exprv, tsr_min, true},     {"max", tsr_max_exprv, tsr_max, true},
             {"mean", tsr_mean_exprv, tsr_mean, false}, {"var", tsr_var_exprv, tsr_var, false},
             {"std", tsr_std_exprv, tsr_std, false}};
enum { CALLS = sizeof calls / sizeof calls[0] };

static void check_text(const char *text, int count, const tsr_arg *args)
{
    tsr_array *values = NULL;
    double norm = 0, other = 0;
    int64_t cell = 0, same = 0;
    bool truth = false, also = false;

    CHECK_OK(tsr_eval_newv(&values, text, count, args));
    const bool empty = tsr_array_cells(values) == 0;
    for (int k = 0; k < CALLS; ++k) {
        tsr_scalar left, right;
        memset(&left, 0, sizeof left);
        memset(&right, 0, sizeof right);
        if (calls[k].elements && empty) continue;
        CHECK_OK(calls[k].text(&left, text, count, args));
        CHECK_OK(calls[k].array(values, &right));
        if (calls[k].text == tsr_prod_exprv && left.dtype >= TSR_F32) continue; /* other lanes */
        check_same(text, calls[k].name, left, right);
    }
    for (int order = 1; order <= 3; ++order) {
        CHECK_OK(tsr_norm_exprv(order < 3 ? order : HUGE_VAL, &norm, text, count, args));
        CHECK_OK(tsr_norm(values, order < 3 ? order : HUGE_VAL, &other));
        CHECK_DOUBLE(norm, other, 0);
    }
    CHECK_OK(tsr_all_exprv(&truth, text, count, args));
    CHECK_OK(tsr_all(values, &also));
    CHECK_INT(truth, also);
    CHECK_OK(tsr_any_exprv(&truth, text, count, args));
    CHECK_OK(tsr_any(values, &also));
    CHECK_INT(truth, also);
    if (tsr_array_dtype(values) < TSR_C64 && !empty) {
        CHECK_OK(tsr_argmin_exprv(&cell, text, count, args));
        CHECK_OK(tsr_argmin(values, &same));
        CHECK_INT(cell, same);
        CHECK_OK(tsr_argmax_exprv(&cell, text, count, args));
        CHECK_OK(tsr_argmax(values, &same));
        CHECK_INT(cell, same);
    }
    CHECK_OK(tsr_array_destroy(&values));
}

static void the_same_as_of_an_array(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "2*a + 1", "a*conj(b)",    "n % 5", "n > 0",   "f32(a)", "where(n > 0, a, b)",
        "a",       "a*n - abs(b)", "u8(n)", "isnan(a)"};
    arrays s;
    for (int which = 0; make(which, &s); ++which) {
        const tsr_arg args[] = {TSR_ARG_AS("a", s.a), TSR_ARG_AS("b", s.b), TSR_ARG_AS("n", s.n)};
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
            check_text(texts[i], 3, args);
        destroy(&s);
    }
}

/* ---- along axes ------------------------------------------------------------------------------ */

typedef tsr_status axes_of_text(tsr_axes axes, const tsr_reduce_options *options,
                                tsr_array **result, const char *text, int count,
                                const tsr_arg *args);
typedef tsr_status axes_of_array(const tsr_array *array, tsr_axes axes,
                                 const tsr_reduce_options *options, tsr_array **result);

static const struct {
    axes_of_text *text;
    axes_of_array *array;
} axes_calls[] = {{tsr_sum_axes_exprv, tsr_sum_axes},  {tsr_prod_axes_exprv, tsr_prod_axes},
                  {tsr_min_axes_exprv, tsr_min_axes},  {tsr_max_axes_exprv, tsr_max_axes},
                  {tsr_all_axes_exprv, tsr_all_axes},  {tsr_any_axes_exprv, tsr_any_axes},
                  {tsr_var_axes_exprv, tsr_var_axes},  {tsr_std_axes_exprv, tsr_std_axes},
                  {tsr_mean_axes_exprv, tsr_mean_axes}};
enum { AXES_CALLS = sizeof axes_calls / sizeof axes_calls[0] };

/* Equal layouts and, but for the order of roundings, elements; destroys both. */
static void check_equal(tsr_array **left, tsr_array **right)
{
    bool same = false;

    CHECK(tsr_layout_equal(tsr_array_layout(*left), tsr_array_layout(*right)));
    CHECK_INT(tsr_array_dtype(*left), tsr_array_dtype(*right));
    CHECK_OK(tsr_allclose(*left, *right, 1e-13, 1e-13, true, &same));
    CHECK(same);
    CHECK_OK(tsr_array_destroy(left));
    CHECK_OK(tsr_array_destroy(right));
}

static void check_axes(const char *text, int count, const tsr_arg *args)
{
    tsr_array *values = NULL, *left = NULL, *right = NULL;

    CHECK_OK(tsr_eval_newv(&values, text, count, args));
    const int ndim = tsr_array_ndim(values);
    const tsr_axes last = ndim > 0 ? TSR_AXIS(ndim - 1) : 0, first = ndim > 0 ? TSR_AXIS(0) : 0;
    const tsr_axes sets[] = {first, last, TSR_ALL_AXES};
    for (int k = 0; k < AXES_CALLS; ++k)
        for (int set = 0; set < 3; ++set) {
            const tsr_reduce_options options = {.keep = (k + set) % 2 == 0};
            CHECK_OK(axes_calls[k].text(sets[set], &options, &left, text, count, args));
            CHECK_OK(axes_calls[k].array(values, sets[set], &options, &right));
            check_equal(&left, &right);
        }
    for (int axis = -ndim; axis < 0 && tsr_array_dtype(values) < TSR_C64; axis += 2) {
        CHECK_OK(tsr_argmin_axis_exprv(axis, NULL, &left, text, count, args));
        CHECK_OK(tsr_argmin_axis(values, axis, NULL, &right));
        check_equal(&left, &right);
        CHECK_OK(tsr_argmax_axis_exprv(axis, NULL, &left, text, count, args));
        CHECK_OK(tsr_argmax_axis(values, axis, NULL, &right));
        check_equal(&left, &right);
    }
    CHECK_OK(tsr_array_destroy(&values));
}

static void along_axes_the_same_as_of_an_array(void **state)
{
    (void)state;
    static const char *const texts[] = {"2*f32(n) + 1", "b*n", "n % 5"};
    arrays s;
    for (int which = 0; make(which, &s); ++which) {
        const tsr_arg args[] = {TSR_ARG_AS("a", s.a), TSR_ARG_AS("b", s.b), TSR_ARG_AS("n", s.n)};
        check_axes(texts[which % 3], 3, args);
        destroy(&s);
    }
}

static void failures_along_axes_leave_all_ranks_alike(void **state)
{
    (void)state;
    arrays s;
    tsr_array *r = NULL;
    const bool last = tsrt_rank() == tsrt_size() - 1;
    const double x = 2;

    CHECK(make(1, &s));
    tsr_array *a = s.a, *b = s.b;
    CHECK_STATUS(tsr_sum_axes_expr(1, NULL, &r, "a +", TSR_ARG(a)), TSR_ERR_VALUE);
    CHECK(r == NULL);
    CHECK_STATUS(tsr_sum_axes_expr(1, NULL, &r, "2*x", TSR_ARG(x)), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_sum_axes_expr(TSR_AXIS(2), NULL, &r, "a + 1", TSR_ARG(a)), TSR_ERR_AXIS);
    CHECK_STATUS(tsr_argmax_axis_expr(2, NULL, &r, "a + 1", TSR_ARG(a)), TSR_ERR_AXIS);
    CHECK_TEXT("axis is 2, but the array has 2 axes");
    CHECK_STATUS(tsr_argmin_axis_expr(0, NULL, &r, "b + 1", TSR_ARG(b)), TSR_ERR_TYPE);
    CHECK_STATUS(tsr_max_axes_expr(1, NULL, last ? NULL : &r, "a + 2", TSR_ARG(a)), TSR_ERR_VALUE);
    CHECK_TEXT("no place for the result");
    if (tsrt_size() > 1)
        CHECK_STATUS(tsr_max_axes_expr(last ? 1 : 2, NULL, &r, "a + 2", TSR_ARG(a)),
                     TSR_ERR_MISMATCH);
    CHECK_OK(tsr_max_axes_expr(1, NULL, &r, "a + 2", TSR_ARG(a)));
    CHECK_OK(tsr_array_destroy(&r));
    destroy(&s);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void shifted_operands_are_exchanged(void **state)
{
    (void)state;
    tsr_layout *layout = NULL;
    tsr_array *u = NULL;

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(12, 9),
                               &(tsr_layout_options){.halo = {1, 1}, .periodic = TSR_AXES(0)},
                               &layout));
    CHECK_OK(tsr_empty(layout, TSR_F64, &u));
    case_fill(u, write_a, NULL);
    const tsr_arg args[] = {TSR_ARG(u)};
    check_text("u[1,0] - 2*u + u[-1,0]", 1, args);
    check_axes("u[1,0] - 2*u + u[0,-1]", 1, args);
    CHECK_OK(tsr_array_destroy(&u));
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void macros_bind_names(void **state)
{
    (void)state;
    arrays s;
    tsr_scalar value;
    double norm = 0;
    int64_t cell = 0;
    bool truth = true;
    const double k = 0.5;

    CHECK(make(0, &s));
    tsr_array *a = s.a, *n = s.n;
    CHECK_OK(tsr_sum_expr(&value, "n*0 + 2", TSR_ARG(n)));
    CHECK_INT(value.as.i, 2 * tsr_array_cells(n));
    CHECK_OK(tsr_mean_expr(&value, "k*(a*0 + 3)", TSR_ARG(a), TSR_ARG(k)));
    CHECK_DOUBLE(value.as.f, 1.5, 0);
    CHECK_OK(tsr_norm_expr(2, &norm, "a - a", TSR_ARG(a)));
    CHECK_DOUBLE(norm, 0, 0);
    CHECK_OK(tsr_argmax_expr(&cell, "i0 + 0*a", TSR_ARG(a)));
    CHECK_INT(cell, tsr_array_cells(a) - 1);
    CHECK_OK(tsr_any_expr(&truth, "a > 1e300", TSR_ARG(a)));
    CHECK(!truth);
    destroy(&s);
}

static void failures_leave_all_ranks_alike(void **state)
{
    (void)state;
    arrays s;
    tsr_scalar value;
    int64_t cell = 0;
    double norm = 0;

    CHECK(make(0, &s));
    tsr_array *a = s.a, *b = s.b;
    const double x = 2;
    CHECK_STATUS(tsr_sum_expr(&value, "a +", TSR_ARG(a)), TSR_ERR_VALUE);
    CHECK_INT(value.dtype, TSR_AUTO);
    CHECK_STATUS(tsr_sum_expr(&value, "a + unknown", TSR_ARG(a)), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_sum_expr(&value, "2*x", TSR_ARG(x)), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_sum_expr(&value, NULL, TSR_ARG(a)), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_argmin_expr(&cell, "b", TSR_ARG(b)), TSR_ERR_TYPE);
    CHECK_STATUS(tsr_norm_expr(3, &norm, "b", TSR_ARG(b)), TSR_ERR_VALUE);
    /* no place for the result on the last rank alone */
    const bool last = tsrt_rank() == tsrt_size() - 1;
    CHECK_STATUS(tsr_sum_expr(last ? NULL : &value, "a + 4", TSR_ARG(a)), TSR_ERR_VALUE);
    CHECK_TEXT("no place for the result");
    CHECK_OK(tsr_sum_expr(&value, "a + 4", TSR_ARG(a)));
    destroy(&s);
}

static void nothing_is_allocated_after_the_first_time(void **state)
{
    (void)state;
    arrays s;
    tsr_scalar value;

    CHECK(make(1, &s));
    tsr_array *a = s.a, *b = s.b;
    CHECK_OK(tsr_sum_expr(&value, "a*conj(b)", TSR_ARG(a), TSR_ARG(b)));
    const tsri_counters before = tsri_counters_read();
    for (int i = 0; i < 5; ++i)
        CHECK_OK(tsr_sum_expr(&value, "a*conj(b)", TSR_ARG(a), TSR_ARG(b)));
    CHECK_INT(tsri_counters_read().allocations, before.allocations);
    destroy(&s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_as_of_an_array),
        cmocka_unit_test(along_axes_the_same_as_of_an_array),
        cmocka_unit_test(failures_along_axes_leave_all_ranks_alike),
        cmocka_unit_test(shifted_operands_are_exchanged),
        cmocka_unit_test(macros_bind_names),
        cmocka_unit_test(failures_leave_all_ranks_alike),
        cmocka_unit_test(nothing_is_allocated_after_the_first_time),
    };
    return TSRT_RUN(argc, argv, tests);
}
