/* ranks: 1 2 3 */
/* The text form, equality and the hash. */
#include "support/layout_cases.h"

#define OPTIONS(...)                                                                               \
    &(tsr_layout_options)                                                                          \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define CUTS(...) TSR_SHAPE(__VA_ARGS__)

static void check_text(int rank, int size, int ndim, const int64_t *shape,
                       const tsr_layout_options *options, const char *expected)
{
    char text[512];
    tsr_layout *layout = tsrt_layout(rank, size, ndim, shape, options);
    CHECK_INT(tsr_layout_describe(layout, sizeof text, text), strlen(expected));
    CHECK_STR(text, expected);
    tsrt_layout_free(layout);
}

static void L_119(void **state)
{
    (void)state;
    const tsr_layout_options options = {.halo = {1, 1}};
    check_text(0, 2, 2, TSR_SHAPE(8, 4), &options,
               "Layout(shape=(8, 4), split=(0,), halo=(1, 1), periodic=(False, False), "
               "process_grid=(2, 1), rank=0 of 2)");
    check_text(1, 2, 2, TSR_SHAPE(8, 4),
               OPTIONS(.halo = {1, 1}, .cuts = {CUTS(0, 2, 8)}, .ncuts = {3}),
               "Layout(shape=(8, 4), split=(0,), halo=(1, 1), periodic=(False, False), "
               "process_grid=(2, 1), bounds=((0, 2, 8), (0, 4)), rank=1 of 2)");
    if (tsrt_size() == 2) {
        tsr_layout *layout = NULL;
        char text[256];
        CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(8, 4), &options, &layout));
        tsr_layout_describe(layout, sizeof text, text);
        CHECK(strstr(text, tsrt_rank() == 0 ? ", rank=0 of 2)" : ", rank=1 of 2)") != NULL);
        CHECK_OK(tsr_layout_destroy(&layout));
    }
}

static void other_texts(void **state)
{
    (void)state;
    check_text(0, 1, 0, NULL, NULL,
               "Layout(shape=(), split=(), halo=(), periodic=(), process_grid=(), rank=0 of 1)");
    check_text(2, 3, 1, TSR_SHAPE(9), OPTIONS(.halo_lo = {2}, .periodic = TSR_AXES(0)),
               "Layout(shape=(9,), split=(0,), halo=((2, 0),), periodic=(True,), "
               "process_grid=(3,), rank=2 of 3)");
    check_text(0, 1, 1, TSR_SHAPE(9), OPTIONS(.halo_hi = {2}),
               "Layout(shape=(9,), split=(0,), halo=((0, 2),), periodic=(False,), "
               "process_grid=(1,), rank=0 of 1)");
    check_text(1, 4, 2, TSR_SHAPE(9, 9), OPTIONS(.split = TSR_WHOLE, .halo = {3}),
               "Layout(shape=(9, 9), split=(), halo=(3, 0), periodic=(False, False), "
               "process_grid=(1, 1), rank=1 of 4)");
    check_text(1, 2, 1, TSR_SHAPE(1),
               OPTIONS(.cuts = {CUTS(0, 0, 1)}, .ncuts = {3}, .allow_empty = true),
               "Layout(shape=(1,), split=(0,), halo=(0,), periodic=(False,), "
               "process_grid=(2,), bounds=((0, 0, 1),), rank=1 of 2)");
}

static void a_buffer_too_small(void **state)
{
    (void)state;
    tsr_layout *layout = tsrt_layout(0, 1, 1, TSR_SHAPE(5), NULL);
    char whole[256], part[256];
    const size_t length = tsr_layout_describe(layout, sizeof whole, whole);
    CHECK_INT(length, strlen(whole));
    CHECK_INT(tsr_layout_describe(layout, 0, NULL), length);
    for (size_t size = 0; size <= length + 1; ++size) {
        memset(part, '#', sizeof part);
        CHECK_INT(tsr_layout_describe(layout, size, part), length);
        for (size_t i = 0; i + 1 < size; ++i)
            CHECK(part[i] == whole[i]);
        if (size > 0) CHECK(part[size - 1] == '\0');
        CHECK(part[size] == '#');
    }
    tsrt_layout_free(layout);
}

/* ---- equality -------------------------------------------------------------------------------- */

static bool equal(int size, int ndim, const int64_t *shape, const tsr_layout_options *a,
                  const int64_t *other_shape, const tsr_layout_options *b)
{
    tsr_layout *left = tsrt_layout(0, size, ndim, shape, a);
    tsr_layout *right = tsrt_layout(0, size, ndim, other_shape, b);
    const bool same = tsr_layout_equal(left, right);
    CHECK_INT(tsr_layout_equal(right, left), same);
    CHECK(tsr_layout_equal(left, left));
    if (same) CHECK(tsr_layout_hash(left) == tsr_layout_hash(right));
    if (!same) CHECK(tsr_layout_hash(left) != tsr_layout_hash(right));
    tsrt_layout_free(left);
    tsrt_layout_free(right);
    return same;
}

static void what_equality_looks_at(void **state)
{
    (void)state;
    const int64_t shape[] = {12, 6};
    const tsr_layout_options plain = {0};
    CHECK(equal(1, 2, shape, OPTIONS(.split = TSR_AXES(0)), shape, OPTIONS(.split = TSR_WHOLE)));
    CHECK(equal(2, 2, shape, NULL, shape, OPTIONS(.allow_empty = true)));
    CHECK(equal(2, 2, shape, NULL, shape, OPTIONS(.process_grid = {2, 1})));
    CHECK(equal(2, 2, shape, OPTIONS(.halo = {2}), shape, OPTIONS(.halo_lo = {2}, .halo_hi = {2})));
    /* Cuts that the near-even rule gives as well are no other cuts. */
    CHECK(equal(2, 2, shape, NULL, shape, OPTIONS(.cuts = {CUTS(0, 6, 12)}, .ncuts = {3})));
    CHECK(equal(2, 2, shape, OPTIONS(.cuts = {CUTS(0, 5, 12)}, .ncuts = {3}), shape,
                OPTIONS(.cuts = {CUTS(0, 5, 12), CUTS(0, 6)}, .ncuts = {3, 2})));

    CHECK(!equal(2, 2, shape, &plain, TSR_SHAPE(12, 7), &plain));
    CHECK(!equal(2, 2, shape, &plain, shape, OPTIONS(.halo = {0, 1})));
    CHECK(!equal(2, 2, shape, OPTIONS(.halo_lo = {1}), shape, OPTIONS(.halo = {1})));
    CHECK(!equal(2, 2, shape, OPTIONS(.halo_lo = {1}), shape, OPTIONS(.halo_hi = {1})));
    CHECK(!equal(2, 2, shape, &plain, shape, OPTIONS(.periodic = TSR_AXES(1))));
    CHECK(!equal(2, 2, shape, &plain, shape, OPTIONS(.split = TSR_AXES(1))));
    CHECK(!equal(2, 2, shape, &plain, shape, OPTIONS(.split = TSR_WHOLE)));
    CHECK(!equal(2, 2, shape, &plain, shape, OPTIONS(.cuts = {CUTS(0, 5, 12)}, .ncuts = {3})));
    CHECK(!equal(2, 2, shape, OPTIONS(.cuts = {CUTS(0, 4, 12)}, .ncuts = {3}), shape,
                 OPTIONS(.cuts = {CUTS(0, 5, 12)}, .ncuts = {3})));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(L_119),
        cmocka_unit_test(other_texts),
        cmocka_unit_test(a_buffer_too_small),
        cmocka_unit_test(what_equality_looks_at),
    };
    return TSRT_RUN(argc, argv, tests);
}
