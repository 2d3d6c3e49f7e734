/* ranks: 1 2 3 4 6 8 */
#include "support/harness.h"
#include "support/reduce_cases.h"

#include <math.h>

/* ---- arrays from lists ----------------------------------------------------------------------- */

typedef struct list {
    const void *elements;
    size_t elem;
} list;

static void write_list(int64_t cell, void *element, void *ctx)
{
    const list *l = ctx;
    memcpy(element, (const char *)l->elements + (size_t)cell * l->elem, l->elem);
}

/* A small array over all ranks, poisoned halo cells around its blocks. */
static tsr_array *make(tsr_dtype dtype, int ndim, const int64_t *shape, const void *elements)
{
    const tsr_layout_options options = {.allow_empty = true, .halo = {1, 1}};
    tsr_layout_options fitting = options;
    list l = {elements, tsr_dtype_size(dtype)};
    tsr_layout *layout = NULL;
    tsr_array *a = NULL;

    if (ndim == 1) fitting.halo[1] = 0;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, ndim, shape, &fitting, &layout));
    CHECK_OK(tsr_empty(layout, dtype, &a));
    CHECK_OK(tsr_layout_destroy(&layout));
    case_fill(a, write_list, &l);
    return a;
}

typedef tsr_status (*reduction)(const tsr_array *array, tsr_scalar *value);

static tsr_scalar reduce(reduction call, tsr_array *a)
{
    tsr_scalar value;
    CHECK_OK(call(a, &value));
    return value;
}

static void check_i64(tsr_scalar value, int64_t expected)
{
    CHECK_INT(value.dtype, TSR_I64);
    CHECK_INT(value.as.i, expected);
}

static void check_u64(tsr_scalar value, uint64_t expected)
{
    CHECK_INT(value.dtype, TSR_U64);
    CHECK_INT(value.as.u, expected);
}

static void check_c128(tsr_scalar value, double real, double imaginary)
{
    CHECK_INT(value.dtype, TSR_C128);
    CHECK_DOUBLE(value.as.c[0], real, 0);
    CHECK_DOUBLE(value.as.c[1], imaginary, 0);
}

/* ---- the specification's examples ------------------------------------------------------------ */

static void R_1_sum_min_max_of_1_to_12(void **state)
{
    (void)state;
    const int64_t d[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    tsr_array *a = make(TSR_I64, 2, TSR_SHAPE(4, 3), d);
    check_i64(reduce(tsr_sum, a), 78);
    check_i64(reduce(tsr_min, a), 1);
    check_i64(reduce(tsr_max, a), 12);
    CHECK_OK(tsr_array_destroy(&a));
}

static void R_6_sums_of_small_types(void **state)
{
    (void)state;
    tsr_array *a = make(TSR_I8, 1, TSR_SHAPE(2), (const int8_t[]){100, 100});
    check_i64(reduce(tsr_sum, a), 200);
    CHECK_OK(tsr_array_destroy(&a));

    a = make(TSR_U8, 1, TSR_SHAPE(2), (const uint8_t[]){250, 10});
    check_u64(reduce(tsr_sum, a), 260);
    CHECK_OK(tsr_array_destroy(&a));

    a = make(TSR_BOOL, 1, TSR_SHAPE(3), (const bool[]){true, true, false});
    check_i64(reduce(tsr_sum, a), 2);
    CHECK_OK(tsr_array_destroy(&a));
}

static void R_8_R_10_complex(void **state)
{
    (void)state;
    const double values[] = {1, 2, 3, -1, -2, 0, 0, 4};
    tsr_array *a = make(TSR_C128, 1, TSR_SHAPE(4), values);
    check_c128(reduce(tsr_sum, a), 2, 5);
    check_c128(reduce(tsr_min, a), -2, 0);
    check_c128(reduce(tsr_max, a), 3, -1);
    CHECK_OK(tsr_array_destroy(&a));
}

static void R_11_complex_ties_in_the_real_part(void **state)
{
    (void)state;
    const double values[] = {1, 5, 3, -1, 3, 2, -2, 9};
    tsr_array *a = make(TSR_C128, 1, TSR_SHAPE(4), values);
    check_c128(reduce(tsr_min, a), -2, 9);
    check_c128(reduce(tsr_max, a), 3, 2);
    CHECK_OK(tsr_array_destroy(&a));
}

static void R_12_R_13_empty(void **state)
{
    (void)state;
    static const int64_t shapes[][2] = {{0, 0}, {0, 3}, {3, 0}};

    for (int i = 0; i < 3; ++i)
        for (tsr_dtype dtype = TSR_BOOL; dtype < TSR_DTYPE_END; ++dtype) {
            tsr_array *a = make(dtype, i == 0 ? 1 : 2, shapes[i], "");
            tsr_scalar value = reduce(tsr_sum, a);
            CHECK_DOUBLE(tsr_to_double(value), 0, 0);
            CHECK_STATUS(tsr_min(a, &value), TSR_ERR_VALUE);
            CHECK_TEXT("tsr_min: the array has no elements");
            CHECK_STATUS(tsr_max(a, &value), TSR_ERR_VALUE);
            CHECK_OK(tsr_array_destroy(&a));
        }
}

static void R_18_nan_wins(void **state)
{
    (void)state;
    const double nan = (double)NAN, values[] = {3, nan, 1, nan, 2, 0, 5, 7, 9};
    tsr_array *a = make(TSR_F64, 2, TSR_SHAPE(3, 3), values);
    CHECK(isnan(reduce(tsr_max, a).as.f));
    CHECK(isnan(reduce(tsr_min, a).as.f));
    CHECK(isnan(reduce(tsr_sum, a).as.f));
    CHECK_OK(tsr_array_destroy(&a));
}

/* ---- corners --------------------------------------------------------------------------------- */

/* x everywhere but in one cell. */
typedef struct spot {
    int64_t cell;
    double usual, value;
} spot;

static void write_spot(int64_t cell, void *element, void *ctx)
{
    const spot *s = ctx;
    *(double *)element = cell == s->cell ? s->value : s->usual;
}

static void write_spot_f32(int64_t cell, void *element, void *ctx)
{
    const spot *s = ctx;
    *(float *)element = (float)(cell == s->cell ? s->value : s->usual);
}

static void write_spot_real(int64_t cell, void *element, void *ctx)
{
    write_spot(cell, element, ctx);
    ((double *)element)[1] = 1;
}

static void write_spot_imaginary(int64_t cell, void *element, void *ctx)
{
    write_spot(cell, (double *)element + 1, ctx);
    ((double *)element)[0] = 1;
}

static void nan_in_each_cell_in_turn_wins(void **state)
{
    (void)state;
    const int64_t n = tsrt_size() + 3;
    tsr_layout *layout = NULL;

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, &n, NULL, &layout));
    for (int64_t cell = 0; cell < n; ++cell)
        for (int sign = -1; sign <= 1; sign += 2) {
            static const struct {
                tsr_dtype dtype;
                case_value write;
            } types[] = {{TSR_F64, write_spot},
                         {TSR_F32, write_spot_f32},
                         {TSR_C128, write_spot_real},
                         {TSR_C128, write_spot_imaginary}};
            spot s = {cell, -HUGE_VAL, copysign((double)NAN, sign)};
            for (int t = 0; t < 4; ++t)
                for (int infinite = -1; infinite <= 1; ++infinite) {
                    tsr_array *a = NULL;
                    s.usual = infinite == 0 ? 7 : infinite * HUGE_VAL;
                    CHECK_OK(tsr_empty(layout, types[t].dtype, &a));
                    case_fill(a, types[t].write, &s);
                    for (int max = 0; max < 2; ++max) {
                        const tsr_scalar value = reduce(max ? tsr_max : tsr_min, a);
                        if (t < 2) {
                            CHECK(isnan(value.as.f));
                            continue;
                        }
                        CHECK(isnan(value.as.c[t - 2]));
                        CHECK_DOUBLE(value.as.c[3 - t], 1, 0);
                    }
                    CHECK_OK(tsr_array_destroy(&a));
                }
        }
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void write_zeros(int64_t cell, void *element, void *ctx)
{
    *(double *)element = cell == *(const int64_t *)ctx ? -0.0 : 0.0;
}

/* Whichever rank holds it, so the bits do not depend on the layout. */
static void minus_zero_is_less_than_zero(void **state)
{
    (void)state;
    const int64_t n = 2 * tsrt_size();
    tsr_layout *layout = NULL;
    tsr_array *a = NULL;

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, &n, NULL, &layout));
    CHECK_OK(tsr_empty(layout, TSR_F64, &a));
    for (int64_t cell = 0; cell < n; ++cell) {
        case_fill(a, write_zeros, &cell);
        CHECK(signbit(reduce(tsr_min, a).as.f));
        CHECK(!signbit(reduce(tsr_max, a).as.f));
    }
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void ends_of_the_integer_ranges(void **state)
{
    (void)state;
    const int64_t i[] = {INT64_MAX, INT64_MIN, 0, INT64_MAX, INT64_MAX};
    const uint64_t u[] = {UINT64_MAX, 1, UINT64_MAX - 1, 0, 5};
    tsr_array *a = make(TSR_I64, 1, TSR_SHAPE(5), i);
    check_i64(reduce(tsr_min, a), INT64_MIN);
    check_i64(reduce(tsr_max, a), INT64_MAX);
    check_i64(reduce(tsr_sum, a), -3);
    CHECK_OK(tsr_array_destroy(&a));

    a = make(TSR_U64, 1, TSR_SHAPE(5), u);
    check_u64(reduce(tsr_max, a), UINT64_MAX);
    check_u64(reduce(tsr_min, a), 0);
    check_u64(reduce(tsr_sum, a), 3);
    CHECK_OK(tsr_array_destroy(&a));
}

static void large_int32_values_do_not_wrap(void **state)
{
    (void)state;
    const int32_t values[] = {INT32_MAX, INT32_MAX, INT32_MAX};
    tsr_array *a = make(TSR_I32, 1, TSR_SHAPE(3), values);
    check_i64(reduce(tsr_sum, a), 3 * (int64_t)INT32_MAX);
    CHECK_OK(tsr_array_destroy(&a));
}

static void replicated_arrays_reduce_their_own_copy_without_messages(void **state)
{
    (void)state;
    const tsr_layout_options whole = {.split = TSR_WHOLE};
    tsr_layout *layout = NULL;
    tsr_array *a = NULL;

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(4), &whole, &layout));
    CHECK_OK(tsr_full(layout, TSR_F64, tsr_f64(0), &a));
    TSR_AT(double, tsr_local(a), 2) = tsrt_rank();
    const int64_t messages = tsri_counters_read().messages;
    CHECK_DOUBLE(reduce(tsr_sum, a).as.f, tsrt_rank(), 0);
    CHECK_DOUBLE(reduce(tsr_max, a).as.f, tsrt_rank(), 0);
    CHECK_INT(tsri_counters_read().messages, messages);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void wrong_arguments(void **state)
{
    (void)state;
    tsr_array *a = make(TSR_F64, 1, TSR_SHAPE(9), (const double[9]){0});
    tsr_scalar value;

    CHECK_STATUS(tsr_sum(NULL, &value), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_min(NULL, &value), TSR_ERR_VALUE);
    const int last = tsrt_size() - 1;
    CHECK_STATUS(tsr_sum(a, tsrt_rank() == last ? NULL : &value), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_max(a, tsrt_rank() == last ? NULL : &value), TSR_ERR_VALUE);
    CHECK_TEXT("NULL");
    CHECK_OK(tsr_array_destroy(&a));
}

static void different_arguments_are_a_mismatch(void **state)
{
    (void)state;
    if (tsrt_size() == 1) tsrt_skip("needs two ranks");
    const double values[18] = {0};
    const bool odd = tsrt_rank() % 2 == 1;
    tsr_array *a = make(TSR_F64, 1, TSR_SHAPE(18), values);
    tsr_array *b = make(TSR_I64, 1, TSR_SHAPE(18), values);
    tsr_scalar value;

    CHECK_STATUS(tsr_sum(odd ? a : b, &value), TSR_ERR_MISMATCH);
    CHECK_STATUS((odd ? tsr_sum : tsr_min)(a, &value), TSR_ERR_MISMATCH);
    CHECK_STATUS((odd ? tsr_max : tsr_min)(a, &value), TSR_ERR_MISMATCH);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
}

static void faults_on_each_rank_in_turn(void **state)
{
    (void)state;
    static const reduction calls[] = {tsr_sum, tsr_min, tsr_max};
    const double values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const double expected[] = {45, 1, 9};
    tsr_array *a = make(TSR_F64, 1, TSR_SHAPE(9), values);

    for (int c = 0; c < 3; ++c)
        for (int victim = 0; victim < tsrt_size(); ++victim)
            for (int n = 0;; ++n) {
                tsr_scalar value;
                tsri_fault_arm(tsrt_rank() == victim ? n : -1);
                const tsr_status st = calls[c](a, &value);
                int fired = tsri_fault_fired();
                tsri_fault_arm(-1);
                tsrt_bcast(&fired, sizeof fired, victim);
                CHECK_SAME_ON_ALL(st);
                CHECK((st != TSR_OK) == fired);
                CHECK_INT(value.dtype, fired ? TSR_AUTO : TSR_F64);
                if (!fired) {
                    CHECK_DOUBLE(value.as.f, expected[c], 0);
                    break;
                }
            }
    CHECK_OK(tsr_array_destroy(&a));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(R_1_sum_min_max_of_1_to_12),
        cmocka_unit_test(R_6_sums_of_small_types),
        cmocka_unit_test(R_8_R_10_complex),
        cmocka_unit_test(R_11_complex_ties_in_the_real_part),
        cmocka_unit_test(R_12_R_13_empty),
        cmocka_unit_test(R_18_nan_wins),
        cmocka_unit_test(nan_in_each_cell_in_turn_wins),
        cmocka_unit_test(minus_zero_is_less_than_zero),
        cmocka_unit_test(ends_of_the_integer_ranges),
        cmocka_unit_test(large_int32_values_do_not_wrap),
        cmocka_unit_test(replicated_arrays_reduce_their_own_copy_without_messages),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(different_arguments_are_a_mismatch),
        cmocka_unit_test(faults_on_each_rank_in_turn),
    };
    return TSRT_RUN(argc, argv, tests);
}
