/* The specification's examples of places, inner products and norms of whole arrays. */
#include "support/reduce_examples.h"

#include "support/reduce_cases.h"

#include <math.h>

static const int64_t d[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
static const double four_complex[] = {1, 2, 3, -1, -2, 0, 0, 4};

tsr_array *example_d(void)
{
    return case_small(TSR_I64, 2, TSR_SHAPE(4, 3), d);
}

void expect_real(tsr_scalar value, tsr_dtype dtype, double expected, double tolerance)
{
    CHECK_INT(value.dtype, dtype);
    CHECK_DOUBLE(tsr_to_double(value), expected, tolerance);
}

void expect_complex(tsr_scalar value, double real, double imaginary)
{
    CHECK_INT(value.dtype, TSR_C128);
    CHECK_DOUBLE(value.as.c[0], real, 0);
    CHECK_DOUBLE(value.as.c[1], imaginary, 0);
}

tsr_array *example_complex(void)
{
    return case_small(TSR_C128, 1, TSR_SHAPE(4), four_complex);
}

tsr_array *example_empty(void)
{
    return case_small(TSR_F64, 2, TSR_SHAPE(3, 0), "");
}

/* ---- places ---------------------------------------------------------------------------------- */

static void check_places(tsr_array *a, int64_t min, int64_t max)
{
    int64_t cell = -1;
    CHECK_OK(tsr_argmin(a, &cell));
    CHECK_INT(cell, min);
    CHECK_OK(tsr_argmax(a, &cell));
    CHECK_INT(cell, max);
    CHECK_OK(tsr_array_destroy(&a));
}

void R_45_R_46_R_49_first_of_equals(void **state)
{
    (void)state;
    const double nan = (double)NAN, with_nan[] = {3, nan, 1, nan, 2, 0, 5, 7, 9};
    check_places(case_small(TSR_I64, 1, TSR_SHAPE(6), (const int64_t[]){5, 1, 7, 1, 7, 3}), 1, 2);
    check_places(
        case_small(TSR_I32, 2, TSR_SHAPE(3, 3), (const int32_t[]){2, 9, 2, 9, 2, 9, 2, 2, 9}), 0,
        1);
    check_places(case_small(TSR_F64, 2, TSR_SHAPE(3, 3), with_nan), 1, 1);
    /* the zeros are equal */
    check_places(case_small(TSR_F64, 1, TSR_SHAPE(4), (const double[]){0.0, -0.0, 0.0, -0.0}), 0,
                 0);
}

void places_are_compared_in_the_type_itself(void **state)
{
    (void)state;
    const uint64_t top = UINT64_MAX;
    check_places(case_small(TSR_U64, 1, TSR_SHAPE(4), (const uint64_t[]){top - 1, top, 1, 0}), 3,
                 1);
    check_places(case_small(TSR_I64, 1, TSR_SHAPE(4),
                            (const int64_t[]){INT64_MAX - 1, INT64_MAX, INT64_MIN, INT64_MIN + 1}),
                 2, 1);
    check_places(
        case_small(TSR_I64, 1, TSR_SHAPE(3), (const int64_t[]){INT64_MAX, INT64_MAX, INT64_MAX}), 0,
        0);
    check_places(case_small(TSR_U64, 1, TSR_SHAPE(2), (const uint64_t[]){0, 0}), 0, 0);
    check_places(case_small(TSR_BOOL, 1, TSR_SHAPE(3), (const bool[]){true, false, true}), 1, 0);
}

void R_52_R_53_refused_places(void **state)
{
    (void)state;
    tsr_array *a = case_small(TSR_C64, 1, TSR_SHAPE(3), (const float[6]){0});
    int64_t cell = 7;
    CHECK_STATUS(tsr_argmin(a, &cell), TSR_ERR_TYPE);
    CHECK_INT(cell, -1);
    CHECK_OK(tsr_array_destroy(&a));
    a = case_small(TSR_F64, 1, TSR_SHAPE(0), "");
    CHECK_STATUS(tsr_argmax(a, &cell), TSR_ERR_VALUE);
    CHECK_OK(tsr_array_destroy(&a));
}

/* ---- inner products and norms ---------------------------------------------------------------- */

static void check_norms(tsr_array *a, double two, double one, double largest)
{
    double norm = -1;
    CHECK_OK(tsr_norm(a, 2, &norm));
    CHECK_DOUBLE(norm, two, 0);
    CHECK_OK(tsr_norm(a, 1, &norm));
    CHECK_DOUBLE(norm, one, 4e-15);
    CHECK_OK(tsr_norm(a, HUGE_VAL, &norm));
    CHECK_DOUBLE(norm, largest, 0);
    CHECK_OK(tsr_array_destroy(&a));
}

void R_58_R_59_R_62_products_and_norms(void **state)
{
    (void)state;
    tsr_array *a = example_d();
    tsr_scalar value;
    CHECK_OK(tsr_vdot(a, a, &value));
    expect_real(value, TSR_I64, 650, 0);
    check_norms(a, 25.495097567963924, 78, 12);

    a = example_complex();
    CHECK_OK(tsr_vdot(a, a, &value));
    expect_complex(value, 35, 0);
    CHECK_OK(tsr_dot(a, a, &value));
    expect_complex(value, -7, -2);
    check_norms(a, 5.916079783099616, 11.39834563766817, 4);
    check_norms(case_small(TSR_I8, 1, TSR_SHAPE(2), (const int8_t[]){100, 100}), sqrt(20000), 200,
                100);
    check_norms(case_small(TSR_I8, 1, TSR_SHAPE(2), (const int8_t[]){-128, 0}), 128, 128, 128);
    check_norms(case_small(TSR_BOOL, 1, TSR_SHAPE(5), (const bool[]){1, 1, 1, 1, 0}), 2, 4, 1);
    check_norms(case_small(TSR_I64, 1, TSR_SHAPE(1), (const int64_t[]){INT64_MIN}), 0x1p63, 0x1p63,
                0x1p63);
    check_norms(case_small(TSR_U64, 1, TSR_SHAPE(1), (const uint64_t[]){UINT64_MAX}), 0x1p64,
                0x1p64, 0x1p64);
    check_norms(example_empty(), 0, 0, 0);
}

void R_60_dot(void **state)
{
    (void)state;
    tsr_array *a = case_small(TSR_I64, 1, TSR_SHAPE(4), (const int64_t[]){1, 2, 3, 4});
    tsr_array *b = case_small(TSR_I64, 1, TSR_SHAPE(4), (const int64_t[]){2, 3, 4, 5});
    tsr_array *c = case_small(TSR_F32, 1, TSR_SHAPE(4), (const float[]){2, 3, 4, 5});
    tsr_array *other = case_array(TSR_COMM_WORLD, TSR_I64, 1, TSR_SHAPE(4),
                                  &(tsr_layout_options){.allow_empty = true}, (int64_t[4]){0});
    tsr_array *matrix = example_d();
    tsr_scalar value;

    CHECK_OK(tsr_dot(a, b, &value));
    expect_real(value, TSR_I64, 40, 0);
    CHECK_OK(tsr_dot(a, c, &value));
    expect_real(value, TSR_F64, 40, 0);
    CHECK_STATUS(tsr_dot(matrix, matrix, &value), TSR_ERR_TYPE);
    CHECK_STATUS(tsr_vdot(a, matrix, &value), TSR_ERR_VALUE);
    CHECK_TEXT("different shapes");
    CHECK_STATUS(tsr_vdot(a, other, &value), TSR_ERR_VALUE);
    CHECK_TEXT("different layouts");
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_array_destroy(&c));
    CHECK_OK(tsr_array_destroy(&other));
    CHECK_OK(tsr_array_destroy(&matrix));
}

void R_61_refused_norms(void **state)
{
    (void)state;
    const double orders[] = {3, 0, -1, 0.5, -HUGE_VAL, (double)NAN};
    tsr_array *a = example_d();
    double norm = 0;
    for (int i = 0; i < 6; ++i) {
        CHECK_STATUS(tsr_norm(a, orders[i], &norm), TSR_ERR_VALUE);
        CHECK_TEXT("must be 1, 2 or INFINITY");
    }
    CHECK_OK(tsr_array_destroy(&a));
}
