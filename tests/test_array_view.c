/* ranks: 1 2 3 4 6 8 */
#include "array/array.h"
#include "support/cells.h"

#include <math.h>
#include <stdio.h>

/* ---- views ----------------------------------------------------------------------------------- */

/* One axis with halo 2: two cells, the block, two cells. */
static void view_of_one_axis(void **state)
{
    const int64_t n = 6 * tsrt_size();
    tsr_layout *layout = make_layout(1, &n, &(tsr_layout_options){.halo = {2}});
    tsr_array *array = NULL;

    (void)state;
    CHECK_OK(tsr_zeros(layout, TSR_I32, &array));
    const tsr_view view = tsr_local(array);
    CHECK_INT(view.dtype, TSR_I32);
    CHECK_INT(view.ndim, 1);
    CHECK_INT(view.extent[0], 6);
    CHECK_INT(view.stride[0], 1);
    CHECK_INT(view.start[0], 6 * tsrt_rank());
    CHECK_INT(view.halo_lo[0], 2);
    CHECK_INT(view.halo_hi[0], 2);
    for (int i = -2; i < 8; ++i)
        TSR_AT(int32_t, view, i) = i;
    const int32_t *storage = (const int32_t *)view.data - 2;
    for (int i = 0; i < 10; ++i)
        CHECK_INT(storage[i], i - 2);
    tsr_array_destroy(&array);
    tsr_layout_destroy(&layout);
}

/* TSR_AT with 1 to 6 indices reaches the cell that the strides name. */
static void at_with_up_to_six_indices(void **state)
{
    const int64_t shape[] = {8, 2, 3, 2, 3, 2};
    tsr_array *array = NULL;

    (void)state;
    for (int ndim = 1; ndim <= 6; ++ndim) {
        const int64_t lo[] = {1, 0, 2, 1, 0, 1};
        tsr_layout_options options = {.halo_hi = {1}};
        memcpy(options.halo_lo, lo, (size_t)ndim * sizeof lo[0]);
        tsr_layout *layout = make_layout(ndim, shape, &options);
        CHECK_OK(tsr_zeros(layout, TSR_I64, &array));
        const tsr_view v = tsr_local(array);
        int64_t step = 1;
        for (int a = ndim - 1; a >= 0; --a) {
            CHECK_INT(v.stride[a], step);
            step *= v.halo_lo[a] + v.extent[a] + v.halo_hi[a];
        }
        int64_t local[6] = {-1, 1, -2, -1, 2, -1};
        *(int64_t *)cell_at(&v, local) = 42;
        if (ndim == 1) CHECK_INT(TSR_AT(int64_t, v, -1), 42);
        if (ndim == 2) CHECK_INT(TSR_AT(int64_t, v, -1, 1), 42);
        if (ndim == 3) CHECK_INT(TSR_AT(int64_t, v, -1, 1, -2), 42);
        if (ndim == 4) CHECK_INT(TSR_AT(int64_t, v, -1, 1, -2, -1), 42);
        if (ndim == 5) CHECK_INT(TSR_AT(int64_t, v, -1, 1, -2, -1, 2), 42);
        if (ndim == 6) CHECK_INT(TSR_AT(int64_t, v, -1, 1, -2, -1, 2, -1), 42);
        tsr_array_destroy(&array);
        tsr_layout_destroy(&layout);
    }
}

/* ---- swap ------------------------------------------------------------------------------------ */

static void swap_exchanges_values_only(void **state)
{
    const tsr_layout_options options = {.halo = {1}};
    tsr_layout *layout = make_layout(1, TSR_SHAPE(9), &options);
    tsr_layout *equal = make_layout(1, TSR_SHAPE(9), &options);
    tsr_array *a = NULL, *b = NULL;
    tsr_boundary boundary;

    (void)state;
    CHECK_OK(tsr_full(layout, TSR_F32, tsr_i64(1), &a));
    CHECK_OK(tsr_full(equal, TSR_F32, tsr_i64(2), &b));
    CHECK_OK(tsr_array_set_boundary(a, TSR_ALL_AXES, TSR_BOTH_SIDES, TSR_EDGE, tsr_i64(0)));
    const void *of_a = tsr_local(a).data, *of_b = tsr_local(b).data;
    CHECK_OK(tsr_array_swap(a, b));
    CHECK(tsr_local(a).data == of_b && tsr_local(b).data == of_a);
    check_all_cells(a, 2, 2);
    check_all_cells(b, 1, 1);
    CHECK(tsr_array_layout(a) == layout && tsr_array_layout(b) == equal);
    CHECK_OK(tsr_array_boundary(a, 0, TSR_LOW_SIDE, &boundary));
    CHECK_INT(boundary.kind, TSR_EDGE);
    CHECK_OK(tsr_array_boundary(b, 0, TSR_LOW_SIDE, &boundary));
    CHECK_INT(boundary.kind, TSR_LEAVE);
    tsr_array_destroy(&a);
    check_all_cells(b, 1, 1);
    tsr_array_destroy(&b);
    tsr_layout_destroy(&layout);
    tsr_layout_destroy(&equal);
}

static void swap_refuses(void **state)
{
    tsr_layout *layout = make_layout(1, TSR_SHAPE(9), NULL);
    tsr_layout *haloed = make_layout(1, TSR_SHAPE(9), &(tsr_layout_options){.halo = {1}});
    tsr_array *a = NULL, *b = NULL, *c = NULL;

    (void)state;
    CHECK_OK(tsr_ones(layout, TSR_F32, &a));
    CHECK_OK(tsr_zeros(layout, TSR_F64, &b));
    CHECK_OK(tsr_zeros(haloed, TSR_F32, &c));
    CHECK_STATUS(tsr_array_swap(a, b), TSR_ERR_VALUE);
    CHECK_TEXT("float32 and float64");
    CHECK_STATUS(tsr_array_swap(a, c), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_array_swap(a, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_array_swap(NULL, a), TSR_ERR_VALUE);
    check_all_cells(a, 1, 1);
    tsr_array_destroy(&a);
    tsr_array_destroy(&b);
    tsr_array_destroy(&c);
    tsr_layout_destroy(&layout);
    tsr_layout_destroy(&haloed);
}

/* While an exchange is pending, what it works on stays as it is. */
static void pending_exchange_locks_the_array(void **state)
{
    tsr_layout *layout = make_layout(1, TSR_SHAPE(9), NULL);
    tsr_array *a = NULL, *b = NULL, *c = NULL;

    (void)state;
    CHECK_OK(tsr_ones(layout, TSR_F32, &a));
    CHECK_OK(tsr_ones(layout, TSR_F32, &b));
    a->storage->pending = 1;
    CHECK_STATUS(tsr_array_swap(a, b), TSR_ERR_STATE);
    CHECK_STATUS(tsr_array_swap(b, a), TSR_ERR_STATE);
    CHECK_STATUS(tsr_array_set_boundary(a, 1, TSR_LOW_SIDE, TSR_EDGE, tsr_i64(0)), TSR_ERR_STATE);
    CHECK_STATUS(tsr_copy(a, &c), TSR_ERR_STATE);
    CHECK_STATUS(tsr_astype(a, TSR_I8, &c), TSR_ERR_STATE);
    CHECK(c == NULL);
    a->storage->pending = 0;
    CHECK_OK(tsr_array_swap(a, b));
    tsr_array_destroy(&a);
    tsr_array_destroy(&b);
    tsr_layout_destroy(&layout);
}

/* ---- storage --------------------------------------------------------------------------------- */

static int channels_freed;

static void free_channels(void *channels)
{
    CHECK(channels == (void *)&channels_freed);
    ++channels_freed;
}

/* A second reference keeps the memory when the array goes; the channels go with the last one. */
static void storage_is_counted(void **state)
{
    tsr_layout *layout = make_layout(1, TSR_SHAPE(9), NULL);
    tsr_array *a = NULL;

    (void)state;
    channels_freed = 0;
    CHECK_OK(tsr_ones(layout, TSR_I8, &a));
    tsri_storage *storage = tsri_storage_ref(a->storage);
    storage->channels = &channels_freed;
    storage->channels_free = free_channels;
    tsr_array_destroy(&a);
    CHECK_INT(channels_freed, 0);
    CHECK_INT(*(int8_t *)storage->memory, 1);
    tsri_storage_unref(storage);
    CHECK_INT(channels_freed, 1);
    tsr_layout_destroy(&layout);
}

/* ---- describe -------------------------------------------------------------------------------- */

static const char *text_of(const tsr_array *array)
{
    static char text[1024];
    char part[20];
    const size_t length = tsr_array_describe(array, sizeof text, text);

    CHECK_INT(strlen(text), (int64_t)length);
    CHECK_INT(tsr_array_describe(array, 0, NULL), (int64_t)length);
    CHECK_INT(tsr_array_describe(array, 9, NULL), (int64_t)length);
    memset(part, '#', sizeof part);
    CHECK_INT(tsr_array_describe(array, 10, part), (int64_t)length);
    if (length >= 10) CHECK(strncmp(part, text, 9) == 0 && part[9] == '\0' && part[10] == '#');
    return text;
}

static void A_1_describe(void **state)
{
    tsr_array *array = NULL;
    char expected[200];

    (void)state;
    CHECK_OK(
        tsr_arange(TSR_COMM_WORLD, tsr_i64(0), tsr_i64(200), tsr_i64(1), TSR_AUTO, NULL, &array));
    if (tsrt_size() == 2 && tsrt_rank() == 0)
        CHECK_STR(text_of(array),
                  "DistributedArray(shape=(200,), dtype=int64, split=(0,), rank 0 of 2 holds "
                  "[0:100]: [0, 1, 2, ..., 97, 98, 99] (100 values))");
    const tsr_view v = tsr_local(array);
    const int first = (int)v.start[0], n = (int)v.extent[0], end = first + n;
    snprintf(expected, sizeof expected,
             "DistributedArray(shape=(200,), dtype=int64, split=(0,), rank %d of %d holds "
             "[%d:%d]: [%d, %d, %d, ..., %d, %d, %d] (%d values))",
             tsrt_rank(), tsrt_size(), first, end, first, first + 1, first + 2, end - 3, end - 2,
             end - 1, n);
    /* Safe on one rank alone. */
    if (tsrt_rank() == tsrt_size() - 1) CHECK_STR(text_of(array), expected);
    tsr_array_destroy(&array);
}

/* The text of an array that every rank holds whole, after "holds ". */
static const char *held(int ndim, const int64_t *shape, tsr_dtype dtype, const void *data)
{
    tsr_layout *layout =
        make_layout(ndim, shape, &(tsr_layout_options){.split = TSR_WHOLE, .halo = {ndim > 0}});
    tsr_array *array = NULL;

    CHECK_OK(tsr_from_global(layout, dtype, data, NULL, &array));
    const char *text = strstr(text_of(array), "holds ");
    CHECK(text != NULL);
    tsr_array_destroy(&array);
    tsr_layout_destroy(&layout);
    return text + strlen("holds ");
}

static void describe_small_blocks(void **state)
{
    const double reals[] = {0.1, -2.5, 1e300, copysign(NAN, -1), INFINITY, 1.0 / 3};
    const float singles[] = {0.1f, 16777216, -0.0f};
    const float complexes[] = {1, -2.5f, 0, 0.1f};
    const bool truths[] = {true, false};
    const uint64_t large[] = {UINT64_MAX};
    const int8_t small[] = {-1, 2, 3, 4, 5, 6, -7, 8};

    (void)state;
    CHECK_STR(held(2, TSR_SHAPE(2, 3), TSR_F64, reals),
              "[0:2, 0:3]: [[0.1, -2.5, 1e+300], [nan, inf, 0.3333333333333333]])");
    CHECK_STR(held(3, TSR_SHAPE(3, 1, 2), TSR_F64, reals),
              "[0:3, 0:1, 0:2]: [[[0.1, -2.5]], [[1e+300, nan]], [[inf, 0.3333333333333333]]])");
    CHECK_STR(held(1, TSR_SHAPE(3), TSR_F32, singles), "[0:3]: [0.1, 16777216, -0])");
    CHECK_STR(held(1, TSR_SHAPE(2), TSR_C64, complexes), "[0:2]: [(1-2.5j), (0+0.1j)])");
    CHECK_STR(held(1, TSR_SHAPE(2), TSR_BOOL, truths), "[0:2]: [True, False])");
    CHECK_STR(held(1, TSR_SHAPE(1), TSR_U64, large), "[0:1]: [18446744073709551615])");
    CHECK_STR(held(0, NULL, TSR_I8, small), "[]: -1)");
    CHECK_STR(held(2, TSR_SHAPE(0, 3), TSR_I8, NULL), "[0:0, 0:3]: [])");
    CHECK_STR(held(2, TSR_SHAPE(2, 4), TSR_I8, small),
              "[0:2, 0:4]: [-1, 2, 3, ..., 6, -7, 8] (8 values))");
    CHECK_INT(tsr_array_describe(NULL, 0, NULL), 0);
}

static void describe_head(void **state)
{
    tsr_layout *none = make_layout(0, NULL, NULL);
    tsr_layout *both =
        make_layout(2, TSR_SHAPE(8, 8), &(tsr_layout_options){.split = TSR_AXES(0, 1)});
    tsr_array *a = NULL, *b = NULL;
    char expected[100];

    (void)state;
    CHECK_OK(tsr_full(none, TSR_C128, tsr_c128(-0.5, INFINITY), &a));
    CHECK_OK(tsr_zeros(both, TSR_BOOL, &b));
    snprintf(expected, sizeof expected,
             "DistributedArray(shape=(), dtype=complex128, split=(), rank %d of %d holds []: "
             "(-0.5+infj))",
             tsrt_rank(), tsrt_size());
    CHECK_STR(text_of(a), expected);
    snprintf(expected, sizeof expected,
             "DistributedArray(shape=(8, 8), dtype=bool, split=(0, 1), rank %d of %d holds [",
             tsrt_rank(), tsrt_size());
    CHECK(strncmp(text_of(b), expected, strlen(expected)) == 0);
    tsr_array_destroy(&a);
    tsr_array_destroy(&b);
    tsr_layout_destroy(&none);
    tsr_layout_destroy(&both);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(view_of_one_axis),
        cmocka_unit_test(at_with_up_to_six_indices),
        cmocka_unit_test(swap_exchanges_values_only),
        cmocka_unit_test(swap_refuses),
        cmocka_unit_test(pending_exchange_locks_the_array),
        cmocka_unit_test(storage_is_counted),
        cmocka_unit_test(A_1_describe),
        cmocka_unit_test(describe_small_blocks),
        cmocka_unit_test(describe_head),
    };
    return TSRT_RUN(argc, argv, tests);
}
