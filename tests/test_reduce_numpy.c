/* ranks: 1 2 3 4 6 8 */
/* timeout: 300 */
/* Random arrays of every type and layout, reduced in every way, against NumPy. */
#include "support/file_cases.h"
#include "support/random_layouts.h"
#include "support/reduce_cases.h"

#include <math.h>
#include <stdio.h>

enum { CASES = 117, LONG_CASES = 2600, WAYS = 3 };

/* ---- elements -------------------------------------------------------------------------------- */

/* What the elements of an array are like. */
typedef struct contents {
    tsr_dtype dtype;
    uint64_t seed;
    int kind; /* 0: moderate; 1: the type's extremes too; 2: with NaN and infinities */
} contents;

static double real_number(uint64_t r, int kind, bool single)
{
    const double fraction = (double)(int64_t)r * 0x1p-61;
    const double specials[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, -0.0, 0.0};

    if (kind == 2 && r % 7 < 5) return specials[r % 7];
    if (kind == 1 && r % 5 == 0) return ldexp(fraction, (int)(r / 5 % 60) - 30);
    if (r % 3 == 0) return (double)((int64_t)(r % 9) - 4);
    return single ? (double)(float)fraction : fraction;
}

static int64_t integer(uint64_t r, int kind)
{
    const int64_t small = (int64_t)(r / 16 % 11) - 5;
    if (kind == 0) return small;
    return r % 4 == 0 ? INT64_MIN : r % 4 == 1 ? INT64_MAX : (int64_t)r;
}

static void write_element(int64_t cell, void *element, void *ctx)
{
    const contents *c = ctx;
    uint64_t seed = c->seed + (uint64_t)cell * 2;
    const uint64_t r = (uint64_t)tsrt_random(&seed, 1 << 30) << 34 ^
                       (uint64_t)tsrt_random(&seed, 1 << 30) << 17 ^
                       (uint64_t)tsrt_random(&seed, 1 << 30);
    const double re = real_number(r, c->kind, false);
    const double im = real_number(r * 7 + 3, c->kind, false);
    const int64_t value = integer(r, c->kind);

    switch (c->dtype) {
    case TSR_BOOL:
        *(bool *)element = r % 3 != 0;
        break;
    case TSR_F32:
        *(float *)element = (float)re;
        break;
    case TSR_F64:
        *(double *)element = re;
        break;
    case TSR_C64:
        memcpy(element, (float[]){(float)re, (float)im}, 2 * sizeof(float));
        break;
    case TSR_C128:
        memcpy(element, (double[]){re, im}, 2 * sizeof(double));
        break;
    default:
        memcpy(element, &value, tsr_dtype_size(c->dtype));
    }
}

/* ---- what NumPy is to check -------------------------------------------------------------------
 */

static FILE *list;

static void note_scalar(const char *call, int number, const tsr_reduce_options *options,
                        tsr_scalar s)
{
    if (list == NULL) return;
    fprintf(list, "whole %s %d ddof %lld asked %s is %s ", call, number, (long long)options->ddof,
            tsr_dtype_name(options->dtype), tsr_dtype_name(s.dtype));
    if (s.dtype == TSR_BOOL)
        fprintf(list, "%d\n", s.as.b);
    else if (s.dtype <= TSR_I64)
        fprintf(list, "%lld\n", (long long)s.as.i);
    else if (s.dtype <= TSR_U64)
        fprintf(list, "%llu\n", (unsigned long long)s.as.u);
    else if (s.dtype <= TSR_F64)
        fprintf(list, "%a\n", s.as.f);
    else
        fprintf(list, "%a %a\n", s.as.c[0], s.as.c[1]);
}

static void note_array(const char *call, int number, tsr_axes axes,
                       const tsr_reduce_options *options, tsr_array **array)
{
    static int files = 0;
    char name[64];
    snprintf(name, sizeof name, "result%d.npy", files++);
    CHECK_OK(tsr_save(file_path(name), *array));
    CHECK_OK(tsr_array_destroy(array));
    if (list != NULL)
        fprintf(list, "axes %s %d %s axes %u keep %d ddof %lld asked %s\n", call, number, name,
                (unsigned)axes, options->keep, (long long)options->ddof,
                tsr_dtype_name(options->dtype));
}

/* ---- the calls --------------------------------------------------------------------------------
 */

typedef tsr_status whole_call(const tsr_array *array, const tsr_reduce_options *options,
                              tsr_scalar *value);
typedef tsr_status axes_call(const tsr_array *array, tsr_axes axes,
                             const tsr_reduce_options *options, tsr_array **result);

static const struct {
    const char *name;
    whole_call *whole;
    axes_call *axes;
    bool typed, fails_empty;
} calls[] = {{"sum", tsr_sum_with, tsr_sum_axes, true, false},
             {"prod", tsr_prod_with, tsr_prod_axes, true, false},
             {"mean", tsr_mean_with, tsr_mean_axes, false, false},
             {"var", tsr_var_with, tsr_var_axes, false, false},
             {"std", tsr_std_with, tsr_std_axes, false, false},
             {"min", NULL, tsr_min_axes, false, true},
             {"max", NULL, tsr_max_axes, false, true},
             {"all", NULL, tsr_all_axes, false, false},
             {"any", NULL, tsr_any_axes, false, false}};
enum { CALLS = sizeof calls / sizeof calls[0] };

static const tsr_reduce_options none;

static void reduce_whole(const tsr_array *a, int number, const tsr_reduce_options *options)
{
    tsr_scalar value;
    int64_t cell = 0;
    bool truth = false;
    double norm = 0;

    for (int k = 0; k < CALLS; ++k) {
        tsr_reduce_options own = *options;
        if (calls[k].whole == NULL) continue;
        if (!calls[k].typed) own.dtype = TSR_AUTO;
        CHECK_OK(calls[k].whole(a, &own, &value));
        note_scalar(calls[k].name, number, &own, value);
    }
    CHECK_OK(tsr_all(a, &truth));
    note_scalar("all", number, &none, tsr_bool(truth));
    CHECK_OK(tsr_any(a, &truth));
    note_scalar("any", number, &none, tsr_bool(truth));
    for (int order = 1; order <= 3; ++order) {
        const char *names[] = {"norm1", "norm2", "norminf"};
        CHECK_OK(tsr_norm(a, order < 3 ? order : HUGE_VAL, &norm));
        note_scalar(names[order - 1], number, &none, tsr_f64(norm));
    }
    CHECK_OK(tsr_vdot(a, a, &value));
    note_scalar("vdot", number, &none, value);
    if (tsr_array_cells(a) == 0) {
        CHECK_STATUS(tsr_min(a, &value), TSR_ERR_VALUE);
        CHECK_STATUS(tsr_max(a, &value), TSR_ERR_VALUE);
        return;
    }
    CHECK_OK(tsr_min(a, &value));
    note_scalar("min", number, &none, value);
    CHECK_OK(tsr_max(a, &value));
    note_scalar("max", number, &none, value);
    if (tsr_array_dtype(a) >= TSR_C64) {
        CHECK_STATUS(tsr_argmin(a, &cell), TSR_ERR_TYPE);
        return;
    }
    CHECK_OK(tsr_argmin(a, &cell));
    note_scalar("argmin", number, &none, tsr_i64(cell));
    CHECK_OK(tsr_argmax(a, &cell));
    note_scalar("argmax", number, &none, tsr_i64(cell));
}

static void reduce_axes(const tsr_array *a, int number, tsr_axes axes,
                        const tsr_reduce_options *options)
{
    tsr_array *result = NULL;
    bool empty = false;

    for (int axis = 0; axis < tsr_array_ndim(a); ++axis)
        if ((axes >> axis & 1u) != 0 && tsr_array_shape(a)[axis] == 0) empty = true;
    for (int k = 0; k < CALLS; ++k) {
        tsr_reduce_options own = *options;
        if (!calls[k].typed) own.dtype = TSR_AUTO;
        if (calls[k].fails_empty && empty) {
            CHECK_STATUS(calls[k].axes(a, axes, &own, &result), TSR_ERR_VALUE);
            CHECK(result == NULL);
            continue;
        }
        CHECK_OK(calls[k].axes(a, axes, &own, &result));
        note_array(calls[k].name, number, axes, &own, &result);
    }
}

static void reduce_along(const tsr_array *a, int number, int axis,
                         const tsr_reduce_options *options)
{
    tsr_reduce_options plain = {.keep = options->keep};
    tsr_array *result = NULL;

    CHECK_OK(tsr_cumsum(a, axis, options, &result));
    note_array("cumsum", number, TSR_AXIS(axis), options, &result);
    CHECK_OK(tsr_cumprod(a, axis - tsr_array_ndim(a), options, &result));
    note_array("cumprod", number, TSR_AXIS(axis), options, &result);
    const tsr_status expected = tsr_array_dtype(a) >= TSR_C64 ? TSR_ERR_TYPE
                                : tsr_array_cells(a) == 0     ? TSR_ERR_VALUE
                                                              : TSR_OK;
    CHECK_STATUS(tsr_argmin_axis(a, axis, &plain, &result), expected);
    if (expected == TSR_OK) note_array("argmin", number, TSR_AXIS(axis), &plain, &result);
    CHECK_STATUS(tsr_argmax_axis(a, axis, &plain, &result), expected);
    if (expected == TSR_OK) note_array("argmax", number, TSR_AXIS(axis), &plain, &result);
}

static void one_case(int number)
{
    uint64_t seed = (uint64_t)number * 977 + 5;
    contents c = {.dtype = (tsr_dtype)(TSR_BOOL + number % (TSR_DTYPE_END - TSR_BOOL)),
                  .seed = seed * 1000003,
                  .kind = number / 13 % 3};
    int64_t shape[RANDOM_AXES];
    char name[64];
    tsr_array *a = NULL;

    const int ndim = random_shape(&seed, shape);
    tsr_layout *layout = random_layout(&seed, ndim, shape);
    CHECK_OK(tsr_empty(layout, c.dtype, &a));
    CHECK_OK(tsr_layout_destroy(&layout));
    case_fill(a, write_element, &c);
    snprintf(name, sizeof name, "input%d.npy", number);
    CHECK_OK(tsr_save(file_path(name), a));
    for (int way = 0; way < WAYS; ++way) {
        const bool asks = tsrt_random(&seed, 4) == 0;
        const tsr_reduce_options options = {
            .dtype = asks ? (tsr_dtype)(TSR_BOOL + tsrt_random(&seed, 13)) : TSR_AUTO,
            .ddof = tsrt_random(&seed, 3),
            .keep = tsrt_random(&seed, 2) == 0};
        reduce_whole(a, number, &options);
        reduce_axes(a, number, (tsr_axes)tsrt_random(&seed, 1 << ndim), &options);
        if (ndim > 0) reduce_along(a, number, tsrt_random(&seed, ndim), &options);
    }
    CHECK_OK(tsr_array_destroy(&a));
}

static void reductions_are_numpys(void **state)
{
    (void)state;
    const int cases = getenv("TSRT_LONG") != NULL ? LONG_CASES : CASES;

    if (tsrt_rank() == 0) {
        list = fopen(file_path("list"), "w");
        CHECK(list != NULL);
    }
    for (int number = 0; number < cases; ++number)
        one_case(number);
    if (list != NULL) fclose(list);
    list = NULL;
    run_python("reductions.py .");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reductions_are_numpys)};
    return TSRT_RUN(argc, argv, tests);
}
