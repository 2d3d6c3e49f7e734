/* ranks: 1 2 3 4 6 8 */
/* timeout: 300 */
/* Axes in another order, rolls, pads, arrays joined along any axis: cell by cell against plain
 * loops over indices, in any layouts. */
#include "support/data_in.h"
#include "support/layout_cases.h"

enum { NDIM = 4, CASES = 60 };
static const uint64_t value_seed = 7;

static uint64_t seed;

static int below(int n)
{
    return tsrt_random(&seed, n);
}

static bool next_index(int ndim, const int64_t *extent, int64_t *index)
{
    for (int a = ndim - 1; a >= 0; --a) {
        if (++index[a] < extent[a]) return true;
        index[a] = 0;
    }
    return false;
}

/* ---- what every cell should be --------------------------------------------------------------- */

/* The index of the array that a cell of the result has its value from; false: the fill value. */
typedef struct expectation expectation;
struct expectation {
    bool (*source)(const expectation *e, const int64_t *index, int64_t *from);
    int ndim;
    int64_t shape[NDIM]; /* of the array */
    int axes[NDIM];
    int64_t before[NDIM], shift[NDIM];
    tsr_pad_mode mode;
    tsr_scalar fill;
};

static void expected_element(const expectation *e, const int64_t *index, tsr_dtype dtype,
                             unsigned char *element)
{
    int64_t from[NDIM] = {0}, cell = 0;

    if (!e->source(e, index, from)) {
        const int8_t number = (int8_t)e->fill.as.i;
        memset(element, 0, 16);
        CHECK(dtype == TSR_I8);
        memcpy(element, &number, 1);
        return;
    }
    for (int a = 0; a < e->ndim; ++a)
        cell = cell * e->shape[a] + from[a];
    model_element(dtype, model_hash((uint64_t)cell + value_seed), element);
}

/* Owned cells as expected, halo cells 0. */
static void check_result(const tsr_array *result, const expectation *e)
{
    static const unsigned char zero[16];
    const tsr_view v = tsr_local(result);
    const size_t size = tsr_dtype_size(v.dtype);
    int64_t storage[NDIM] = {0}, at[NDIM] = {0}, index[NDIM];
    unsigned char expected[16];

    if (v.data == NULL) return;
    for (int a = 0; a < v.ndim; ++a)
        storage[a] = v.halo_lo[a] + v.extent[a] + v.halo_hi[a];
    do {
        const unsigned char *cell = v.data;
        bool owned = true;
        for (int a = 0; a < v.ndim; ++a) {
            const int64_t local = at[a] - v.halo_lo[a];
            cell += local * v.stride[a] * (int64_t)size;
            owned = owned && local >= 0 && local < v.extent[a];
            index[a] = v.start[a] + local;
        }
        if (owned) expected_element(e, index, v.dtype, expected);
        CHECK(memcmp(cell, owned ? expected : zero, size) == 0);
    } while (next_index(v.ndim, storage, at));
}

/* ---- any array ------------------------------------------------------------------------------- */

static tsr_layout_options draw_options(int ndim)
{
    tsr_layout_options options = {.allow_empty = true, .reorder = below(5) == 0};

    options.split = ndim == 0 || below(5) == 0 ? TSR_WHOLE : (tsr_axes)(1 + below((1 << ndim) - 1));
    for (int a = 0; a < ndim; ++a) {
        options.halo_lo[a] = below(3);
        options.halo_hi[a] = below(3);
        if (below(2) == 0) options.periodic |= TSR_AXIS(a);
    }
    return options;
}

static tsr_array *draw_array(expectation *e, tsr_dtype dtype)
{
    tsr_layout *layout = NULL;

    *e = (expectation){.ndim = below(NDIM + 1)};
    for (int a = 0; a < e->ndim; ++a)
        e->shape[a] = below(9);
    const tsr_layout_options options = draw_options(e->ndim);
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, e->ndim, e->shape, &options, &layout));
    tsr_array *array = indexed_array(layout, dtype, value_seed);
    CHECK_OK(tsr_layout_destroy(&layout));
    return array;
}

static tsr_dtype any_dtype(void)
{
    return (tsr_dtype)(TSR_BOOL + below(TSR_C128 - TSR_BOOL + 1));
}

/* ---- axes in another order ------------------------------------------------------------------- */

static bool transposed(const expectation *e, const int64_t *index, int64_t *from)
{
    for (int k = 0; k < e->ndim; ++k)
        from[e->axes[k]] = index[k];
    return true;
}

static void transpose_any(void)
{
    expectation e;
    tsr_array *array = draw_array(&e, any_dtype()), *result = NULL;
    int given[NDIM];
    const bool reverse = below(4) == 0;
    int64_t shape[NDIM];
    tsr_layout *layout = NULL;

    e.source = transposed;
    for (int k = 0; k < e.ndim; ++k)
        e.axes[k] = reverse ? e.ndim - 1 - k : k;
    for (int k = e.ndim - 1; k > 0 && !reverse; --k) {
        const int other = below(k + 1), axis = e.axes[k];
        e.axes[k] = e.axes[other];
        e.axes[other] = axis;
    }
    for (int k = 0; k < e.ndim; ++k) {
        given[k] = e.axes[k] - (below(3) == 0 ? e.ndim : 0);
        shape[k] = e.shape[e.axes[k]];
    }
    if (below(2) == 0) {
        const tsr_layout_options options = draw_options(e.ndim);
        CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, e.ndim, shape, &options, &layout));
    }
    CHECK_OK(tsr_transpose(array, reverse ? NULL : given, layout, &result));
    CHECK(layout == NULL || tsr_array_layout(result) == layout);
    for (int k = 0; k < e.ndim; ++k)
        CHECK_INT(tsr_array_shape(result)[k], shape[k]);
    check_result(result, &e);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_array_destroy(&result));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* ---- rolls ----------------------------------------------------------------------------------- */

static bool rolled(const expectation *e, const int64_t *index, int64_t *from)
{
    for (int a = 0; a < e->ndim; ++a) {
        from[a] = index[a] - e->shift[a];
        while (from[a] < 0)
            from[a] += e->shape[a];
        while (from[a] >= e->shape[a])
            from[a] -= e->shape[a];
    }
    return true;
}

static void roll_any(void)
{
    expectation e;
    tsr_array *array = draw_array(&e, any_dtype()), *result = NULL;

    e.source = rolled;
    for (int a = 0; a < e.ndim; ++a)
        e.shift[a] = below(41) - 20;
    CHECK_OK(tsr_roll(array, e.ndim == 0 ? NULL : e.shift, &result));
    CHECK(tsr_array_layout(result) == tsr_array_layout(array));
    check_result(result, &e);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_array_destroy(&result));
}

/* ---- pads ------------------------------------------------------------------------------------ */

/* One step back toward the array, from one side or the other. */
static int64_t step_back(tsr_pad_mode mode, int64_t i, int64_t n)
{
    const bool low = i < 0;
    switch (mode) {
    case TSR_PAD_SYMMETRIC:
        return low ? -1 - i : 2 * n - 1 - i;
    case TSR_PAD_REFLECT:
        return n == 1 ? 0 : low ? -i : 2 * (n - 1) - i;
    case TSR_PAD_WRAP:
        return low ? i + n : i - n;
    default:
        return low ? 0 : n - 1;
    }
}

static bool padded(const expectation *e, const int64_t *index, int64_t *from)
{
    for (int a = 0; a < e->ndim; ++a) {
        from[a] = index[a] - e->before[a];
        while (from[a] < 0 || from[a] >= e->shape[a]) {
            if (e->mode == TSR_PAD_CONSTANT) return false;
            from[a] = step_back(e->mode, from[a], e->shape[a]);
        }
    }
    return true;
}

static void pad_any(void)
{
    expectation e;
    const tsr_pad_mode mode = (tsr_pad_mode)below(TSR_PAD_WRAP + 1);
    const tsr_dtype dtype = mode == TSR_PAD_CONSTANT ? TSR_I8 : any_dtype();
    tsr_array *array = draw_array(&e, dtype), *result = NULL;
    int64_t after[NDIM] = {0};

    e.source = padded;
    e.mode = mode;
    e.fill = tsr_i64(below(100));
    for (int a = 0; a < e.ndim; ++a) {
        const bool may = mode == TSR_PAD_CONSTANT || e.shape[a] > 0;
        const int most = below(6) == 0 && e.ndim < 3 ? 60 : 5;
        e.before[a] = may ? below(most) : 0;
        after[a] = may ? below(most) : 0;
    }
    CHECK_OK(tsr_pad(array, e.before, after, mode, e.fill, &result));
    for (int a = 0; a < e.ndim; ++a)
        CHECK_INT(tsr_array_shape(result)[a], e.before[a] + e.shape[a] + after[a]);
    check_result(result, &e);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_array_destroy(&result));
}

static void any_array(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; ++k) {
        seed = (uint64_t)(1000003 + k);
        transpose_any();
        roll_any();
        pad_any();
    }
}

/* ---- other options --------------------------------------------------------------------------- */

static tsr_status seven(const int64_t *index, int64_t count, void *values, void *ctx)
{
    (void)ctx;
    for (int64_t k = 0; k < count; ++k)
        ((int64_t *)values)[k] = index[0] + k;
    return TSR_OK;
}

static void check_values(const tsr_array *array)
{
    const tsr_view v = tsr_local(array);
    for (int64_t k = 0; k < v.extent[0]; ++k)
        CHECK_INT(TSR_AT(int64_t, v, k), v.start[0] + k);
}

static void C_3_C_4_options_of_an_array(void **state)
{
    (void)state;
    tsr_layout *layout = make_layout(
        1, TSR_SHAPE(7),
        &(tsr_layout_options){.halo = {1}, .periodic = TSR_AXIS(0), .allow_empty = true});
    tsr_array *a = NULL, *b = NULL;

    CHECK_OK(tsr_fromfunction(layout, TSR_I64, seven, NULL, &a));
    CHECK_OK(tsr_array_with(a, &(tsr_layout_options){.halo = {2}}, &b));
    CHECK_INT(tsr_layout_halo_lo(tsr_array_layout(b))[0], 2);
    CHECK_INT(tsr_layout_halo_hi(tsr_array_layout(b))[0], 2);
    CHECK_INT(tsr_layout_periodic(tsr_array_layout(b)), TSR_AXIS(0));
    CHECK_INT(tsr_layout_split(tsr_array_layout(b)), TSR_AXIS(0));
    check_values(b);
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_array_with(a, &(tsr_layout_options){.split = TSR_WHOLE}, &b));
    CHECK_INT(tsr_layout_halo_lo(tsr_array_layout(b))[0], 1);
    CHECK(!tsr_layout_is_distributed(tsr_array_layout(b)));
    CHECK_INT(tsr_local(b).extent[0], 7);
    check_values(b);
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_array_with(
        a, &(tsr_layout_options){.halo_lo = {TSR_NO_HALO}, .halo_hi = {3}, .periodic = TSR_NO_AXES},
        &b));
    CHECK_INT(tsr_layout_halo_lo(tsr_array_layout(b))[0], 0);
    CHECK_INT(tsr_layout_halo_hi(tsr_array_layout(b))[0], 3);
    CHECK_INT(tsr_layout_periodic(tsr_array_layout(b)), 0);
    check_values(b);
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_STATUS(tsr_array_with(a, &(tsr_layout_options){.halo = {-2}}, &b), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_array_with(a, &(tsr_layout_options){.split = TSR_AXIS(1)}, &b), TSR_ERR_VALUE);
    CHECK(b == NULL);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* Explicit cuts are kept while nothing else is asked for, and an array as it is is copied. */
static void cuts_are_kept(void **state)
{
    (void)state;
    int64_t cuts[16] = {0};
    const int size = tsrt_size();
    for (int k = 1; k <= size; ++k)
        cuts[k] = k == size ? 30 : k;
    tsr_layout *layout =
        make_layout(1, TSR_SHAPE(30), &(tsr_layout_options){.cuts = {cuts}, .ncuts = {size + 1}});
    tsr_array *a = NULL, *b = NULL;

    CHECK_OK(tsr_fromfunction(layout, TSR_I64, seven, NULL, &a));
    CHECK_OK(tsr_array_with(a, NULL, &b));
    CHECK(tsr_layout_equal(tsr_array_layout(a), tsr_array_layout(b)));
    check_values(b);
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_array_with(a, &(tsr_layout_options){.halo = {2}}, &b));
    tsrt_check_cuts(tsr_array_layout(b), 0, size + 1, cuts);
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_array_with(a, &(tsr_layout_options){.split = TSR_AXIS(0)}, &b));
    int64_t even[16];
    for (int k = 0; k < size; ++k) {
        int64_t end;
        CHECK_OK(tsr_near_even(30, size, k, &even[k], &end));
    }
    even[size] = 30;
    tsrt_check_cuts(tsr_array_layout(b), 0, size + 1, even);
    check_values(b);
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* ---- rebalanced ------------------------------------------------------------------------------ */

static void M_4_rebalanced_on_three_ranks(void **state)
{
    (void)state;
    static const double weight[12] = {20, 20, 20, 20, 1, 1, 1, 1, 1, 1, 1, 1};
    static const int64_t before[] = {0, 4, 8, 12}, after[] = {0, 1, 3, 12};
    if (tsrt_size() < 3) tsrt_skip("needs 3 ranks");
    tsr_comm comm = first_ranks(3);
    if (tsrt_rank() < 3) {
        tsr_layout *layout = NULL;
        tsr_array *a = NULL, *w = NULL, *b = NULL;
        CHECK_OK(
            tsr_layout_create(comm, 1, TSR_SHAPE(12), &(tsr_layout_options){.halo = {1}}, &layout));
        CHECK_OK(tsr_fromfunction(layout, TSR_I64, seven, NULL, &a));
        CHECK_OK(tsr_from_global(layout, TSR_F64, weight, NULL, &w));
        tsrt_check_cuts(layout, 0, 4, before);
        CHECK_OK(tsr_rebalance(a, w, &b));
        tsrt_check_cuts(tsr_array_layout(b), 0, 4, after);
        CHECK_INT(tsr_layout_halo_hi(tsr_array_layout(b))[0], 1);
        check_values(b);
        CHECK_OK(tsr_array_destroy(&b));
        CHECK_STATUS(tsr_rebalance(a, tsrt_rank() == 1 ? NULL : w, &b), TSR_ERR_VALUE);
        CHECK(b == NULL);
        CHECK_OK(tsr_array_destroy(&a));
        CHECK_OK(tsr_array_destroy(&w));
        CHECK_OK(tsr_layout_destroy(&layout));
    }
    free_ranks(&comm);
}

/* ---- several arrays on several communicators ------------------------------------------------- */

/* Cells 0, 1, ... of one axis, on a communicator of its own. */
static tsr_array *counted_on(tsr_comm comm, const tsr_layout_options *options)
{
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    CHECK_OK(tsr_layout_create(comm, 1, TSR_SHAPE(30), options, &layout));
    CHECK_OK(tsr_fromfunction(layout, TSR_I64, seven, NULL, &array));
    CHECK_OK(tsr_layout_destroy(&layout));
    return array;
}

static void ranks_may_have_other_numbers(void **state)
{
    (void)state;
    tsr_comm comm = reversed_ranks();
    tsr_array *a = counted_on(TSR_COMM_WORLD, NULL), *b = counted_on(comm, NULL);
    tsr_array *all = counted_on(comm, &(tsr_layout_options){.split = TSR_WHOLE});
    tsr_array *one = NULL, *other = NULL;
    bool equal = false;

    CHECK_OK(tsr_array_equal(a, b, false, &equal));
    CHECK(equal);
    CHECK_OK(tsr_array_equal(all, a, false, &equal));
    CHECK(equal);
    CHECK_OK(tsr_assign(b, "-1", 0));
    CHECK_OK(tsr_array_equal(a, b, false, &equal));
    CHECK(!equal);
    CHECK_OK(tsr_assign(b, ":", a)); /* and back */
    CHECK_OK(tsr_array_equal(b, a, false, &equal));
    CHECK(equal);
    CHECK_OK(tsr_rebalance(a, a, &one));
    CHECK_OK(tsr_rebalance(a, b, &other));
    CHECK(tsr_layout_equal(tsr_array_layout(one), tsr_array_layout(other)));
    check_values(other);
    CHECK_OK(tsr_array_destroy(&other));
    CHECK_OK(tsr_array_destroy(&one));
    CHECK_OK(tsr_array_destroy(&all));
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_array_destroy(&a));
    free_ranks(&comm);
}

static void other_processes_are_refused(void **state)
{
    (void)state;
    tsr_array *a = counted_on(TSR_COMM_WORLD, NULL), *alone = counted_on(TSR_COMM_SELF, NULL);
    tsr_array *mask = NULL, *r = NULL;
    bool equal = true;

    CHECK_OK(tsr_eval_new(&mask, "alone > 3", TSR_ARG(alone)));
    for (int call = 0; call < 7 && tsrt_size() > 1; ++call) {
        const tsr_status st = call == 0   ? tsr_select_mask(a, mask, &r)
                              : call == 1 ? tsr_assign_mask(a, mask, 1)
                              : call == 2 ? tsr_assign(a, ":", alone)
                              : call == 3 ? tsr_assign_list(a, 0, 1, TSR_SHAPE(2), alone)
                              : call == 4 ? tsr_rebalance(a, alone, &r)
                              : call == 5
                                  ? tsr_array_equal(a, alone, false, &equal)
                                  : tsr_redistribute(a, (tsr_layout *)tsr_array_layout(alone), &r);
        CHECK_STATUS(st, TSR_ERR_VALUE);
        CHECK(r == NULL);
        CHECK_TEXT("the communicators have different processes");
    }
    check_values(a);
    CHECK_OK(tsr_array_destroy(&mask));
    CHECK_OK(tsr_array_destroy(&alone));
    CHECK_OK(tsr_array_destroy(&a));
}

/* ---- refused --------------------------------------------------------------------------------- */

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    const bool last = tsrt_rank() == tsrt_size() - 1;
    tsr_layout *layout = make_layout(2, TSR_SHAPE(8, 9), NULL);
    tsr_layout *empty = make_layout(2, TSR_SHAPE(8, 0), NULL);
    tsr_array *a = NULL, *none = NULL, *r = NULL;
    const tsr_scalar zero = tsr_i64(0);

    CHECK_OK(tsr_ones(layout, TSR_F32, &a));
    CHECK_OK(tsr_ones(empty, TSR_F32, &none));
    CHECK_STATUS(tsr_transpose(a, (const int[]){0, last ? 2 : 1}, NULL, &r), TSR_ERR_AXIS);
    CHECK_STATUS(tsr_transpose(a, (const int[]){1, -1}, NULL, &r), TSR_ERR_VALUE);
    CHECK_TEXT("twice");
    CHECK_STATUS(tsr_transpose(a, NULL, layout, &r), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_transpose(a, NULL, NULL, last ? NULL : &r), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_roll(a, NULL, &r), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_pad(a, TSR_SHAPE(0, last ? -1 : 1), NULL, TSR_PAD_EDGE, zero, &r),
                 TSR_ERR_VALUE);
    CHECK_STATUS(tsr_pad(a, NULL, NULL, (tsr_pad_mode)5, zero, &r), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_pad(a, NULL, TSR_SHAPE(INT64_MAX, 1), TSR_PAD_EDGE, zero, &r),
                 TSR_ERR_OVERFLOW);
    CHECK_STATUS(tsr_pad(none, TSR_SHAPE(0, 1), NULL, TSR_PAD_WRAP, zero, &r), TSR_ERR_VALUE);
    CHECK(r == NULL);
    if (tsrt_size() > 1)
        CHECK_STATUS(tsr_roll(a, TSR_SHAPE(last ? 1 : 2, 0), &r), TSR_ERR_MISMATCH);
    CHECK_OK(tsr_pad(none, TSR_SHAPE(1, 0), NULL, TSR_PAD_WRAP, zero, &r));
    CHECK_OK(tsr_array_destroy(&r));
    CHECK_OK(tsr_pad(none, TSR_SHAPE(INT64_C(1) << 50, 0), NULL, TSR_PAD_REFLECT, zero, &r));
    CHECK_INT(tsr_array_shape(r)[0], (INT64_C(1) << 50) + 8);
    CHECK_OK(tsr_array_destroy(&r));
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&none));
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK_OK(tsr_layout_destroy(&empty));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_array),
        cmocka_unit_test(C_3_C_4_options_of_an_array),
        cmocka_unit_test(cuts_are_kept),
        cmocka_unit_test(M_4_rebalanced_on_three_ranks),
        cmocka_unit_test(ranks_may_have_other_numbers),
        cmocka_unit_test(other_processes_are_refused),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return TSRT_RUN(argc, argv, tests);
}
