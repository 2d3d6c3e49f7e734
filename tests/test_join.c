/* ranks: 1 2 3 4 6 8 */
#include "support/data_in.h"
#include "support/harness.h"
#include "support/reduce_cases.h"

/* Two 4 x 2 arrays, split along axis 0: 0 to 7 and 100 to 107. */
static tsr_array *made(tsr_comm comm, int64_t first, tsr_dtype dtype, int64_t halo)
{
    int64_t values[8];
    for (int i = 0; i < 8; ++i)
        values[i] = first + i;
    tsr_array *a =
        case_array(comm, TSR_I64, 2, TSR_SHAPE(4, 2),
                   &(tsr_layout_options){.allow_empty = true, .halo = {halo, halo}}, values);
    tsr_array *converted = NULL;
    CHECK_OK(tsr_astype(a, dtype, &converted));
    CHECK_OK(tsr_array_destroy(&a));
    return converted;
}

static void check_cuts(const tsr_array *a, int axis, int blocks, const int64_t *expected)
{
    int64_t cuts[16];
    CHECK_INT(tsr_layout_process_grid(tsr_array_layout(a))[axis], blocks);
    CHECK_OK(tsr_layout_cuts(tsr_array_layout(a), axis, cuts));
    for (int k = 0; k <= blocks; ++k)
        CHECK_INT(cuts[k], expected[k]);
}

static void join_on_two_ranks(tsr_comm comm, int ranks)
{
    tsr_array *both[] = {made(comm, 0, TSR_I64, 0), made(comm, 100, TSR_I64, 0)}, *r = NULL;

    CHECK_OK(tsr_concatenate(2, both, 1, &r));
    if (ranks == 2) check_cuts(r, 0, 2, TSR_SHAPE(0, 2, 4));
    CASE_EXPECT(r, TSR_I64, 2, TSR_SHAPE(4, 4), 0, 1, 100, 101, 2, 3, 102, 103, 4, 5, 104, 105, 6,
                7, 106, 107);
    /* Refused in the specification, E-65: here the rows move. */
    CHECK_OK(tsr_concatenate(2, both, 0, &r));
    if (ranks == 2) check_cuts(r, 0, 2, TSR_SHAPE(0, 4, 8));
    CASE_EXPECT(r, TSR_I64, 2, TSR_SHAPE(8, 2), 0, 1, 2, 3, 4, 5, 6, 7, 100, 101, 102, 103, 104,
                105, 106, 107);
    CHECK_OK(tsr_stack(2, both, 0, &r));
    if (ranks == 2) {
        check_cuts(r, 0, 1, TSR_SHAPE(0, 2));
        check_cuts(r, 1, 2, TSR_SHAPE(0, 2, 4));
        check_cuts(r, 2, 1, TSR_SHAPE(0, 2));
    }
    CASE_EXPECT(r, TSR_I64, 3, TSR_SHAPE(2, 4, 2), 0, 1, 2, 3, 4, 5, 6, 7, 100, 101, 102, 103, 104,
                105, 106, 107);
    CHECK_OK(tsr_stack(2, both, -1, &r));
    CASE_EXPECT(r, TSR_I64, 3, TSR_SHAPE(4, 2, 2), 0, 100, 1, 101, 2, 102, 3, 103, 4, 104, 5, 105,
                6, 106, 7, 107);
    CHECK_OK(tsr_array_destroy(&both[0]));
    CHECK_OK(tsr_array_destroy(&both[1]));
}

static void E_64_E_65_E_67_two_arrays(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= tsrt_size() && ranks <= 3; ++ranks) {
        tsr_comm comm = first_ranks(ranks);
        if (comm != TSR_COMM_NULL) join_on_two_ranks(comm, ranks);
        free_ranks(&comm);
    }
}

static void E_66_E_68_refused(void **state)
{
    (void)state;
    tsr_array *a = made(TSR_COMM_WORLD, 0, TSR_I64, 0), *halo = made(TSR_COMM_WORLD, 0, TSR_I64, 1);
    tsr_array *other = case_small(TSR_I64, 2, TSR_SHAPE(5, 2), (const int64_t[10]){0}), *r = a;

    CHECK_STATUS(tsr_concatenate(2, (tsr_array *[]){a, halo}, 1, &r), TSR_ERR_VALUE);
    CHECK(r == NULL);
    CHECK_STATUS(tsr_stack(2, (tsr_array *[]){a, halo}, 0, &r), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_stack(2, (tsr_array *[]){halo, other}, 0, &r), TSR_ERR_VALUE);
    CHECK_TEXT("same shape");
    CHECK_STATUS(tsr_stack(1, (tsr_array *[]){a}, 3, &r), TSR_ERR_AXIS);
    CHECK_STATUS(tsr_stack(1, (tsr_array *[]){a}, -4, &r), TSR_ERR_AXIS);
    CHECK_STATUS(tsr_concatenate(1, (tsr_array *[]){a}, 2, &r), TSR_ERR_AXIS);
    CHECK_STATUS(tsr_concatenate(0, (tsr_array *[]){a}, 0, &r), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_concatenate(2, (tsr_array *[]){a, NULL}, 1, &r), TSR_ERR_VALUE);
    /* an array that is missing on one rank alone is an error on all */
    tsr_layout *const layout = tsr_array_layout(a);
    const bool last = tsr_layout_rank(layout) == tsr_layout_size(layout) - 1;
    CHECK_STATUS(tsr_concatenate(2, (tsr_array *[]){a, last ? NULL : a}, 1, &r), TSR_ERR_VALUE);
    CHECK_TEXT("array 1 is NULL");
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&halo));
    CHECK_OK(tsr_array_destroy(&other));
}

/* Types promote, halo cells are 0, arrays of length 0 take no room, layouts of any kind. */
static void what_is_joined_may_differ_in_length_and_type(void **state)
{
    (void)state;
    for (int halo = 0; halo < 3; ++halo)
        for (int whole = 0; whole < 2; ++whole) {
            tsr_layout_options options = {
                .halo_lo = {1, halo}, .halo_hi = {halo, 2}, .periodic = TSR_AXES(1)};
            options.split = whole == 1 ? TSR_WHOLE : TSR_AXIS(0);
            options.allow_empty = whole == 0;
            tsr_array *parts[] = {
                case_array(TSR_COMM_WORLD, TSR_U8, 2, TSR_SHAPE(5, 1), &options,
                           (const uint8_t[]){1, 2, 3, 4, 5}),
                case_array(TSR_COMM_WORLD, TSR_I64, 2, TSR_SHAPE(5, 0), &options, ""),
                case_array(TSR_COMM_WORLD, TSR_I8, 2, TSR_SHAPE(5, 2), &options,
                           (const int8_t[]){-1, -2, -3, -4, -5, -6, -7, -8, -9, -10})};
            tsr_array *r = NULL;
            CHECK_OK(tsr_concatenate(3, parts, -1, &r));
            CHECK_INT(tsr_layout_halo_hi(tsr_array_layout(r))[1], 2);
            CHECK_INT(tsr_layout_periodic(tsr_array_layout(r)), TSR_AXES(1));
            CASE_EXPECT(r, TSR_I64, 2, TSR_SHAPE(5, 3), 1, -1, -2, 2, -3, -4, 3, -5, -6, 4, -7, -8,
                        5, -9, -10);
            tsr_array *const two[] = {parts[0], parts[2]};
            CHECK_OK(tsr_concatenate(2, two, 1, &r));
            CHECK_INT(tsr_array_dtype(r), TSR_I16);
            CHECK_OK(tsr_array_destroy(&r));
            for (int i = 0; i < 3; ++i)
                CHECK_OK(tsr_array_destroy(&parts[i]));
        }
}

/* ---- joined along a split axis --------------------------------------------------------------- */

static tsr_status number_cells(const int64_t *index, int64_t count, void *values, void *ctx)
{
    int64_t *v = values;
    for (int64_t k = 0; k < count; ++k)
        v[k] = 1000 * *(const int *)ctx + 100 * index[0] + index[1] + k;
    return TSR_OK;
}

/* Array i has 3*i + 2 rows or columns; types differ. */
static void join_any_axis(int axis, const tsr_layout_options *options)
{
    enum { COUNT = 3 };
    static const tsr_dtype dtypes[COUNT] = {TSR_I64, TSR_I16, TSR_U8};
    tsr_array *arrays[COUNT] = {NULL}, *result = NULL;
    int64_t start[COUNT + 1] = {0};

    for (int i = 0; i < COUNT; ++i) {
        const int64_t length = 3 * i + 2;
        int64_t shape[2] = {5, 7};
        tsr_layout *layout = NULL;
        tsr_array *numbers = NULL;
        shape[axis] = length;
        start[i + 1] = start[i] + length;
        CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, shape, options, &layout));
        CHECK_OK(tsr_fromfunction(layout, TSR_I64, number_cells, &i, &numbers));
        CHECK_OK(tsr_astype(numbers, dtypes[i], &arrays[i]));
        CHECK_OK(tsr_array_destroy(&numbers));
        CHECK_OK(tsr_layout_destroy(&layout));
    }
    CHECK_OK(tsr_concatenate(COUNT, arrays, axis - 2, &result));
    CHECK_INT(tsr_array_shape(result)[axis], start[COUNT]);
    CHECK_INT(tsr_array_dtype(result), TSR_I64);
    const tsr_view v = tsr_local(result);
    for (int64_t r = -v.halo_lo[0]; r < v.extent[0] + v.halo_hi[0]; ++r)
        for (int64_t c = -v.halo_lo[1]; c < v.extent[1] + v.halo_hi[1]; ++c) {
            int64_t index[2] = {v.start[0] + r, v.start[1] + c};
            int i = 0;
            const bool owned = r >= 0 && r < v.extent[0] && c >= 0 && c < v.extent[1];
            while (owned && index[axis] >= start[i + 1])
                ++i;
            index[axis] -= start[i];
            const int64_t number = 1000 * i + 100 * index[0] + index[1];
            CHECK_INT(TSR_AT(int64_t, v, r, c), !owned ? 0 : i == 2 ? (uint8_t)number : number);
        }
    for (int i = 0; i < COUNT; ++i)
        CHECK_OK(tsr_array_destroy(&arrays[i]));
    CHECK_OK(tsr_array_destroy(&result));
}

static void arrays_are_joined_along_any_axis(void **state)
{
    (void)state;
    const int size = tsrt_size(), two = size % 2 == 0 ? 2 : 1;
    tsr_layout_options options = {.allow_empty = true, .halo = {1, 2}};
    const int grids[][2] = {{size, 1}, {1, size}, {two, size / two}};

    for (int axis = 0; axis < 2; ++axis)
        for (int k = 0; k < 3; ++k) {
            memcpy(options.process_grid, grids[k], sizeof grids[k]);
            join_any_axis(axis, &options);
        }
    join_any_axis(0, &(tsr_layout_options){.split = TSR_WHOLE, .halo_hi = {2}});
}

static void arrays_without_axes_stack(void **state)
{
    (void)state;
    tsr_array *const parts[] = {case_small(TSR_BOOL, 0, NULL, (const bool[]){true}),
                                case_small(TSR_F32, 0, NULL, (const float[]){2.5f})};
    tsr_array *r = NULL, *a = parts[0], *b = parts[1];
    CHECK_OK(tsr_stack(2, parts, 0, &r));
    CASE_EXPECT(r, TSR_F32, 1, TSR_SHAPE(2), 1, 2.5);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(E_64_E_65_E_67_two_arrays),
        cmocka_unit_test(E_66_E_68_refused),
        cmocka_unit_test(what_is_joined_may_differ_in_length_and_type),
        cmocka_unit_test(arrays_are_joined_along_any_axis),
        cmocka_unit_test(arrays_without_axes_stack),
    };
    return TSRT_RUN(argc, argv, tests);
}
