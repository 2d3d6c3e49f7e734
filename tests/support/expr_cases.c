#include "support/expr_cases.h"

#include "kern/kern.h"

#include <math.h>
#include <stdio.h>

tsr_layout *expr_line(int64_t cells)
{
    tsr_layout *layout = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, &cells,
                               &(tsr_layout_options){.halo = {1}, .allow_empty = true}, &layout));
    return layout;
}

static bool is_complex(tsr_dtype dtype)
{
    return dtype == TSR_C64 || dtype == TSR_C128;
}

/* The bytes of global values. */
static void *elements(tsr_dtype dtype, int64_t cells, const double *values)
{
    const size_t size = tsr_dtype_size(dtype);
    unsigned char *data = calloc((size_t)cells + 1, size);

    CHECK(data != NULL);
    for (int64_t k = 0; k < cells; ++k) {
        const tsr_scalar value =
            is_complex(dtype) ? tsr_c128(values[2 * k], values[2 * k + 1]) : tsr_f64(values[k]);
        tsri_scalar_store(value, dtype, data + (size_t)k * size);
    }
    return data;
}

tsr_array *expr_array(tsr_layout *layout, tsr_dtype dtype, const double *values)
{
    tsr_array *array = NULL;
    void *data = elements(dtype, tsr_layout_cells(layout), values);

    CHECK_OK(tsr_from_global(layout, dtype, data, NULL, &array));
    free(data);
    return array;
}

void expr_destroy(tsr_layout *layout, tsr_array *a, tsr_array *b)
{
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_layout_destroy(&layout));
}

static bool differs(double actual, double expected, double tolerance)
{
    if (isnan(expected)) return !isnan(actual);
    if (expected == 0 && tolerance == 0) return actual != 0 || signbit(actual) != signbit(expected);
    if (isinf(expected)) return actual != expected;
    return !(fabs(actual - expected) <= tolerance * fabs(expected));
}

static void check_element(tsr_scalar got, const double *expected, double tolerance, int64_t cell,
                          const char *what)
{
    const bool complex = is_complex(got.dtype);

    for (int part = 0; part < (complex ? 2 : 1); ++part) {
        const double actual = complex ? got.as.c[part] : tsr_to_double(got);
        if (differs(actual, expected[part], tolerance))
            tsrt_fail(__FILE__, __LINE__, "%s: cell %lld, part %d: %.17g, not %.17g", what,
                      (long long)cell, part, actual, expected[part]);
    }
}

void expr_check(const tsr_array *array, tsr_dtype dtype, const double *expected, double tolerance,
                const char *what)
{
    const size_t size = tsr_dtype_size(dtype);
    const int64_t cells = tsr_array_cells(array);

    if (tsr_array_dtype(array) != dtype)
        tsrt_fail(__FILE__, __LINE__, "%s: the type is %s, not %s", what,
                  tsr_dtype_name(tsr_array_dtype(array)), tsr_dtype_name(dtype));
    unsigned char *data = calloc((size_t)cells + 1, size);
    CHECK(data != NULL);
    CHECK_OK(tsr_gather(array, TSR_ALL_RANKS, data));
    for (int64_t k = 0; k < cells; ++k)
        check_element(tsri_scalar_load(dtype, data + (size_t)k * size),
                      expected + (is_complex(dtype) ? 2 * k : k), tolerance, k, what);
    free(data);
}

void expr_check_halo(const tsr_array *array, double value)
{
    const tsr_view v = tsr_local(array);
    const size_t size = tsr_dtype_size(v.dtype);
    int64_t index[TSR_MAX_NDIM];

    for (int a = 0; a < v.ndim; ++a)
        index[a] = -v.halo_lo[a];
    for (int a = 0; v.data != NULL && a >= 0;) {
        bool owned = true;
        int64_t offset = 0;
        for (int k = 0; k < v.ndim; ++k) {
            owned = owned && index[k] >= 0 && index[k] < v.extent[k];
            offset += index[k] * v.stride[k];
        }
        if (!owned)
            CHECK_DOUBLE(tsr_to_double(tsri_scalar_load(v.dtype, (const unsigned char *)v.data +
                                                                     offset * (int64_t)size)),
                         value, 0);
        for (a = v.ndim - 1; a >= 0; --a) {
            if (++index[a] < v.extent[a] + v.halo_hi[a]) break;
            index[a] = -v.halo_lo[a];
        }
    }
}

void expr_run_case(const expr_case *c)
{
    tsr_layout *layout = expr_line(c->cells);
    tsr_array *a = NULL, *b = NULL, *result = NULL;
    tsr_arg args[2];
    int count = 0;
    char what[200];

    snprintf(what, sizeof what, "%s: %s", c->id, c->text);
    if (c->a != TSR_AUTO) {
        a = expr_array(layout, c->a, c->av);
        args[count++] = tsr_arg_array("a", a);
    }
    if (c->b != TSR_AUTO) {
        b = expr_array(layout, c->b, c->bv);
        args[count++] = tsr_arg_array("b", b);
    }
    const tsr_status st = tsr_eval_newv(&result, c->text, count, args);
    if (st != c->status)
        tsrt_fail(__FILE__, __LINE__, "%s: %s (%s), not %s", what, tsr_status_name(st),
                  st == TSR_OK ? "" : tsr_error_text(), tsr_status_name(c->status));
    CHECK_SAME_ON_ALL(st);
    if (st == TSR_OK) {
        expr_check(result, c->type, c->expected, c->tolerance, what);
        expr_check_halo(result, 0);
    } else {
        CHECK(result == NULL);
        if (c->says != NULL) CHECK_TEXT(c->says);
    }
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_array_destroy(&result));
    CHECK_OK(tsr_layout_destroy(&layout));
}

void expr_case_test(void **state)
{
    expr_run_case(*state);
}
