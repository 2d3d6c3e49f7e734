/* ranks: 1 2 3 4 6 8 */
/* What halo calls refuse: the same status and sentence on every rank, and arrays as before. */
#include "support/halo_fixture.h"

#include <math.h>
#include <stdio.h>

/* A 2-D array of sevens, halo (2,1), that no failing call may change. */
static tsr_array *sevens(tsr_comm comm, tsr_dtype dtype)
{
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    CHECK_OK(tsr_layout_create(comm, 2, TSR_SHAPE(24, 3),
                               &(tsr_layout_options){.halo = {2, 1}, .periodic = TSR_AXES(1)},
                               &layout));
    CHECK_OK(tsr_full(layout, dtype, tsr_i64(7), &array));
    CHECK_OK(tsr_layout_destroy(&layout));
    return array;
}

static void check_sevens(const tsr_array *array)
{
    const tsr_view v = tsr_local(array);
    for (int64_t i = -2; i < v.extent[0] + 2; ++i)
        for (int64_t j = -1; j < v.extent[1] + 1; ++j)
            CHECK_DOUBLE(TSR_AT(double, v, i, j), 7, 0);
}

static void check_same_text(void)
{
    char text[1024] = "", mine[1024];
    snprintf(mine, sizeof mine, "%s", tsr_error_text());
    CHECK(mine[0] != '\0');
    snprintf(text, sizeof text, "%s", mine);
    tsrt_bcast(text, sizeof text, 0);
    CHECK_STR(mine, text);
}

/* Every call that takes these options gives this status, and text that says this. */
static void refuse(tsr_array *array, const tsr_halo_options *options, tsr_status status,
                   const char *part)
{
    tsr_pending *pending = (tsr_pending *)&pending;

#define REFUSED(...)                                                                               \
    do {                                                                                           \
        CHECK_STATUS((__VA_ARGS__), status);                                                       \
        CHECK_TEXT(part);                                                                          \
        check_same_text();                                                                         \
    } while (0)
    REFUSED(tsr_halo_update(array, options));
    REFUSED(tsr_halo_accumulate(array, options));
    REFUSED(tsr_halo_update_many(1, &array, options));
    REFUSED(tsr_halo_accumulate_many(1, &array, options));
    REFUSED(tsr_halo_start(1, &array, options, &pending));
    CHECK(pending == NULL);
    pending = (tsr_pending *)&pending;
    REFUSED(tsr_halo_accumulate_start(1, &array, options, &pending));
    CHECK(pending == NULL);
#undef REFUSED
    check_sevens(array);
}

/* ---- options --------------------------------------------------------------------------------- */

static void widths(void **state)
{
    (void)state;
    tsr_array *array = sevens(TSR_COMM_WORLD, TSR_F64);
    refuse(array, &(tsr_halo_options){.width_lo = {-2}}, TSR_ERR_VALUE, "-2");
    refuse(array, &(tsr_halo_options){.width_hi = {0, -7}}, TSR_ERR_VALUE, "-7");
    refuse(array, &(tsr_halo_options){.width_lo = {3}}, TSR_ERR_VALUE, "3");
    refuse(array, &(tsr_halo_options){.width_hi = {0, 2}}, TSR_ERR_VALUE, "2");
    refuse(array, &(tsr_halo_options){.width_hi = {INT64_MAX}}, TSR_ERR_VALUE, "");
    refuse(array, &(tsr_halo_options){.width_lo = {INT64_MIN}}, TSR_ERR_VALUE, "");
    CHECK_OK(tsr_array_destroy(&array));
}

static void axes(void **state)
{
    (void)state;
    tsr_array *array = sevens(TSR_COMM_WORLD, TSR_F64);
    refuse(array, &(tsr_halo_options){.axes = TSR_AXIS(2)}, TSR_ERR_AXIS,
           "axes has axis 2, but the array has 2 axes: 0 and 1");
    refuse(array, &(tsr_halo_options){.axes = TSR_AXES(0, 15)}, TSR_ERR_AXIS,
           "axes has axis 15, but the array has 2 axes");
    refuse(array, &(tsr_halo_options){.axes = TSR_AXIS(-1)}, TSR_ERR_AXIS,
           "axes has an axis outside 0 to 15");
    refuse(array, &(tsr_halo_options){.axes = TSR_AXIS(99)}, TSR_ERR_AXIS, "");
    CHECK_OK(tsr_array_destroy(&array));
}

static void refuse_update(tsr_array *array, tsr_boundary boundary)
{
    const tsr_boundary all[4] = {{0}, boundary};
    const tsr_halo_options options = {.boundary = all};
    tsr_pending *pending = (tsr_pending *)&pending;

    CHECK_STATUS(tsr_halo_update(array, &options), TSR_ERR_VALUE);
    check_same_text();
    CHECK_STATUS(tsr_halo_update_many(1, &array, &options), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_halo_start(1, &array, &options, &pending), TSR_ERR_VALUE);
    CHECK(pending == NULL);
}

static void boundaries(void **state)
{
    (void)state;
    tsr_array *array = sevens(TSR_COMM_WORLD, TSR_F64);
    const tsr_boundary_kind unknown[] = {(tsr_boundary_kind)(TSR_CALLBACK + 1),
                                         (tsr_boundary_kind)(-1), (tsr_boundary_kind)1000};
    for (int k = 0; k < 3; ++k) {
        refuse_update(array, (tsr_boundary){.kind = unknown[k]});
        CHECK_STATUS(
            tsr_array_set_boundary(array, TSR_AXIS(0), TSR_LOW_SIDE, unknown[k], tsr_f64(0)),
            TSR_ERR_VALUE);
    }
    refuse_update(array, (tsr_boundary){.kind = TSR_CONSTANT});
    refuse_update(array, (tsr_boundary){.kind = TSR_CONSTANT, .value = tsr_bool(true)});
    refuse_update(array, (tsr_boundary){.kind = TSR_CALLBACK});
    check_sevens(array);

    const tsr_scalar none = {.dtype = TSR_AUTO};
    CHECK_STATUS(tsr_array_set_boundary(array, TSR_AXIS(0), TSR_BOTH_SIDES, TSR_CONSTANT, none),
                 TSR_ERR_VALUE);
    CHECK_STATUS(
        tsr_array_set_boundary(array, TSR_AXIS(0), TSR_BOTH_SIDES, TSR_CALLBACK, tsr_f64(0)),
        TSR_ERR_VALUE);
    CHECK_STATUS(tsr_array_set_boundary(array, TSR_AXIS(0), (tsr_side)4, TSR_EDGE, tsr_f64(0)),
                 TSR_ERR_VALUE);
    CHECK_STATUS(tsr_array_set_boundary(array, TSR_AXIS(0), (tsr_side)0, TSR_EDGE, tsr_f64(0)),
                 TSR_ERR_VALUE);
    CHECK_STATUS(tsr_array_set_boundary(array, TSR_AXIS(2), TSR_BOTH_SIDES, TSR_EDGE, tsr_f64(0)),
                 TSR_ERR_AXIS);
    CHECK_STATUS(tsr_array_set_boundary_function(array, TSR_AXIS(0), TSR_BOTH_SIDES, NULL, NULL),
                 TSR_ERR_VALUE);
    CHECK_STATUS(tsr_array_set_boundary(NULL, TSR_AXIS(0), TSR_BOTH_SIDES, TSR_EDGE, tsr_f64(0)),
                 TSR_ERR_VALUE);

    /* Nothing of what was refused has been kept. */
    for (int k = 0; k < 4; ++k) {
        tsr_boundary kept;
        CHECK_OK(
            tsr_array_boundary(array, k / 2, k % 2 == 0 ? TSR_LOW_SIDE : TSR_HIGH_SIDE, &kept));
        CHECK_INT(kept.kind, TSR_LEAVE);
    }
    CHECK_OK(tsr_array_destroy(&array));
}

/* An axis without cells has nothing to mirror. */
static void mirrors_of_nothing(void **state)
{
    (void)state;
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(24, 0),
                               &(tsr_layout_options){.halo = {1, 1}}, &layout));
    CHECK_OK(tsr_zeros(layout, TSR_F64, &array));
    for (int kind = TSR_SYMMETRIC; kind <= TSR_REFLECT; ++kind) {
        CHECK_STATUS(tsr_array_set_boundary(array, TSR_AXIS(1), TSR_BOTH_SIDES,
                                            (tsr_boundary_kind)kind, tsr_f64(0)),
                     TSR_ERR_VALUE);
        const tsr_boundary all[4] = {[3] = {.kind = (tsr_boundary_kind)kind}};
        CHECK_STATUS(tsr_halo_update(array, &(tsr_halo_options){.boundary = all}), TSR_ERR_VALUE);
        CHECK_OK(tsr_array_set_boundary(array, TSR_AXIS(0), TSR_BOTH_SIDES, (tsr_boundary_kind)kind,
                                        tsr_f64(0)));
    }
    CHECK_OK(tsr_halo_update(array, NULL));
    CHECK_OK(tsr_halo_accumulate(array, NULL));
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* ---- ranks that differ ----------------------------------------------------------------------- */

static void wrong_on_one_rank_only(void **state)
{
    (void)state;
    tsr_array *array = sevens(TSR_COMM_WORLD, TSR_F64);
    for (int victim = 0; victim < tsrt_size(); ++victim) {
        tsr_halo_options options = {.width_lo = {1}};
        if (tsrt_rank() == victim) options.width_lo[0] = -5;
        refuse(array, &options, TSR_ERR_VALUE, "-5");
        if (tsrt_rank() == victim) options = (tsr_halo_options){.axes = TSR_AXIS(9)};
        refuse(array, &options, TSR_ERR_AXIS, "axes has axis 9");
    }
    CHECK_OK(tsr_halo_update(array, &(tsr_halo_options){.width_lo = {1}}));
    check_sevens(array);
    CHECK_OK(tsr_array_destroy(&array));
}

static void different_on_one_rank(void **state)
{
    (void)state;
    const tsr_boundary edges[4] = {{.kind = TSR_EDGE}, {.kind = TSR_EDGE}};
    const tsr_halo_options pairs[][2] = {
        {{.width_lo = {1}}, {.width_lo = {2}}},
        {{.width_hi = {TSR_NO_HALO}}, {.width_hi = {1}}},
        {{.axes = TSR_AXIS(0)}, {.axes = TSR_AXIS(1)}},
        {{.faces_only = true}, {.faces_only = false}},
    };
    if (tsrt_size() == 1) tsrt_skip("needs 2 ranks");
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; ++k) {
        tsr_array *array = sevens(TSR_COMM_WORLD, TSR_F64);
        for (int victim = 0; victim < tsrt_size(); ++victim)
            refuse(array, &pairs[k][tsrt_rank() == victim], TSR_ERR_MISMATCH, "");
        CHECK_OK(tsr_halo_update(array, &pairs[k][0]));
        check_sevens(array);
        CHECK_OK(tsr_array_destroy(&array));
    }
    tsr_array *array = sevens(TSR_COMM_WORLD, TSR_F64);
    const tsr_halo_options mixed = {.boundary = tsrt_rank() == 0 ? edges : NULL};
    CHECK_STATUS(tsr_halo_update(array, &mixed), TSR_ERR_MISMATCH);
    check_same_text();
    check_sevens(array);
    CHECK_OK(tsr_array_destroy(&array));
}

/* ---- lists of arrays ------------------------------------------------------------------------- */

static void refuse_list(int count, tsr_array *const *arrays)
{
    tsr_pending *pending = (tsr_pending *)&pending;
    CHECK_STATUS(tsr_halo_update_many(count, arrays, NULL), TSR_ERR_VALUE);
    check_same_text();
    CHECK_STATUS(tsr_halo_accumulate_many(count, arrays, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_halo_start(count, arrays, NULL, &pending), TSR_ERR_VALUE);
    CHECK(pending == NULL);
    pending = (tsr_pending *)&pending;
    CHECK_STATUS(tsr_halo_accumulate_start(count, arrays, NULL, &pending), TSR_ERR_VALUE);
    CHECK(pending == NULL);
}

static void lists(void **state)
{
    (void)state;
    tsr_array *a = sevens(TSR_COMM_WORLD, TSR_F64), *b = sevens(TSR_COMM_WORLD, TSR_F64);
    tsr_pending *pending = NULL;

    refuse_list(0, &a);
    refuse_list(-3, &a);
    refuse_list(1, NULL);
    refuse_list(2, (tsr_array *const[]){a, NULL});
    refuse_list(2, (tsr_array *const[]){NULL, a});
    refuse_list(2, (tsr_array *const[]){a, a});
    refuse_list(3, (tsr_array *const[]){a, b, a});
    CHECK_STATUS(tsr_halo_update(NULL, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_halo_accumulate(NULL, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_halo_start(1, &a, NULL, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_halo_accumulate_start(1, &a, NULL, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_halo_test(pending, NULL), TSR_ERR_VALUE);
    check_sevens(a);
    check_sevens(b);
    CHECK_OK(tsr_halo_update_many(2, (tsr_array *const[]){a, b}, NULL));
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
}

static void lists_of_one_communicator(void **state)
{
    (void)state;
#ifdef TSR_SERIAL
    tsr_comm comm = TSR_COMM_SELF;
#else
    tsr_comm comm;
    CHECK(MPI_Comm_dup(TSR_COMM_WORLD, &comm) == MPI_SUCCESS);
#endif
    tsr_array *a = sevens(TSR_COMM_WORLD, TSR_F64), *b = sevens(comm, TSR_F64);
    refuse_list(2, (tsr_array *const[]){a, b});
    refuse_list(2, (tsr_array *const[]){b, a});
    check_sevens(a);
    check_sevens(b);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
    fixture_comm_end(comm);
}

/* ---- callbacks that fail --------------------------------------------------------------------- */

typedef struct failing {
    int rank; /* where it fails */
    tsr_status status;
} failing;

static tsr_status fail_on_a_rank(tsr_view view, int axis, tsr_side side, const int64_t *lo,
                                 const int64_t *hi, void *ctx)
{
    const failing *f = ctx;
    if (tsrt_rank() == f->rank) return f->status;
    return fixture_callback(view, axis, side, lo, hi, NULL);
}

static void a_callback_fails(void **state)
{
    (void)state;
    tsr_array *array = sevens(TSR_COMM_WORLD, TSR_F64);
    tsr_pending *pending = NULL;
    const int last = tsrt_size() - 1;
    failing f = {last, TSR_ERR_IO};

    CHECK_OK(
        tsr_array_set_boundary_function(array, TSR_AXIS(0), TSR_BOTH_SIDES, fail_on_a_rank, &f));
    CHECK_STATUS(tsr_halo_update(array, NULL), TSR_ERR_IO);
    check_same_text();
    f = (failing){0, TSR_ERR_INDEX};
    CHECK_STATUS(tsr_halo_update_many(1, &array, NULL), TSR_ERR_INDEX);
    CHECK_OK(tsr_halo_start(1, &array, NULL, &pending));
    CHECK_STATUS(tsr_halo_finish(&pending), TSR_ERR_INDEX);
    CHECK(pending == NULL);
    check_same_text();

    CHECK_OK(tsr_halo_accumulate(array, NULL)); /* boundaries play no part */
    f.rank = -1;
    CHECK_OK(tsr_halo_update(array, NULL));
    CHECK_OK(tsr_array_destroy(&array));
}

/* ---- clear ----------------------------------------------------------------------------------- */

static void H_25_clear(void **state)
{
    (void)state;
    tsr_array *array = sevens(TSR_COMM_WORLD, TSR_F64);
    CHECK_STATUS(tsr_halo_clear(array, TSR_AXIS(2)), TSR_ERR_AXIS);
    CHECK_STATUS(tsr_halo_clear(array, TSR_AXES(0, 7)), TSR_ERR_AXIS);
    CHECK_STATUS(tsr_halo_clear(NULL, TSR_ALL_AXES), TSR_ERR_VALUE);
    CHECK_OK(tsr_halo_clear(array, 0));
    check_sevens(array);

    const tsr_view v = tsr_local(array);
    for (int round = 0; round < 2; ++round) {
        CHECK_OK(tsr_halo_clear(array, round == 0 ? TSR_AXIS(1) : TSR_ALL_AXES));
        for (int64_t i = -2; i < v.extent[0] + 2; ++i)
            for (int64_t j = -1; j < v.extent[1] + 1; ++j) {
                const bool out0 = i < 0 || i >= v.extent[0], out1 = j < 0 || j >= v.extent[1];
                const double actual = TSR_AT(double, v, i, j);
                CHECK_DOUBLE(actual, out1 || (round == 1 && out0) ? 0 : 7, 0);
                CHECK(!signbit(actual));
            }
    }
    CHECK_OK(tsr_array_destroy(&array));
}

/* A list that is wrong on one rank only is everyone's error while nothing has been exchanged yet.
 */
static void list_wrong_on_one_rank_only(void **state)
{
    (void)state;
    tsr_array *a = sevens(TSR_COMM_WORLD, TSR_F64), *b = sevens(TSR_COMM_WORLD, TSR_F64);
    tsr_pending *pending = NULL;
    for (int victim = 0; victim < tsrt_size(); ++victim) {
        const bool wrong = tsrt_rank() == victim;
        tsr_array *const twice[] = {a, wrong ? a : b}, *const missing[] = {a, wrong ? NULL : b};
        CHECK_STATUS(tsr_halo_update_many(2, twice, NULL), TSR_ERR_VALUE);
        CHECK_TEXT("arrays[0] and arrays[1] are the same");
        CHECK_STATUS(tsr_halo_update_many(2, missing, NULL), TSR_ERR_VALUE);
        CHECK_TEXT("arrays[1] is NULL");
        CHECK_STATUS(tsr_halo_start(1, &a, NULL, wrong ? NULL : &pending), TSR_ERR_VALUE);
        CHECK_TEXT("pending is NULL");
        CHECK(pending == NULL);
        check_same_text();
    }
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
}

/* Whole copies depend on nobody: one rank may update its own. */
static void whole_copies_are_local(void **state)
{
    (void)state;
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    CHECK_OK(tsr_layout_create(
        TSR_COMM_WORLD, 1, TSR_SHAPE(3),
        &(tsr_layout_options){.split = TSR_WHOLE, .halo = {1}, .periodic = TSR_AXIS(0)}, &layout));
    CHECK_OK(tsr_zeros(layout, TSR_I32, &array));
    if (tsrt_rank() == tsrt_size() - 1) {
        tsr_view v = tsr_local(array);
        TSR_AT(int32_t, v, 2) = 5;
        CHECK_OK(tsr_halo_update(array, NULL));
        CHECK_INT(TSR_AT(int32_t, v, -1), 5);
        CHECK_STATUS(tsr_halo_update(array, &(tsr_halo_options){.width_lo = {2}}), TSR_ERR_VALUE);
        CHECK_OK(tsr_halo_accumulate(array, NULL));
        CHECK_INT(TSR_AT(int32_t, v, 2), 10);
    }
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&layout));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths),
        cmocka_unit_test(axes),
        cmocka_unit_test(boundaries),
        cmocka_unit_test(mirrors_of_nothing),
        cmocka_unit_test(wrong_on_one_rank_only),
        cmocka_unit_test(different_on_one_rank),
        cmocka_unit_test(lists),
        cmocka_unit_test(lists_of_one_communicator),
        cmocka_unit_test(list_wrong_on_one_rank_only),
        cmocka_unit_test(whole_copies_are_local),
        cmocka_unit_test(a_callback_fails),
        cmocka_unit_test(H_25_clear),
    };
    return TSRT_RUN(argc, argv, tests);
}
