/* ranks: 1 */
/* Near-even cuts: the examples, and every small length in every small number of blocks. */
#include "layout/geometry.h"
#include "support/harness.h"

/* Both the stand-alone function and the axis of a layout give these count + 1 cuts. */
static void check_cuts(int64_t length, int count, const int64_t *cuts)
{
    const tsri_axis axis = tsri_axis_make(length, count, NULL);
    for (int k = 0; k < count; ++k) {
        int64_t start = -1, end = -1;
        CHECK_OK(tsr_near_even(length, count, k, &start, &end));
        CHECK_INT(start, cuts[k]);
        CHECK_INT(end, cuts[k + 1]);
        CHECK_INT(tsri_axis_cut(&axis, k), cuts[k]);
    }
    CHECK_INT(tsri_axis_cut(&axis, count), length);
}

#define EXAMPLE(name, length, count, ...)                                                          \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        check_cuts(length, count, TSR_SHAPE(__VA_ARGS__));                                         \
    }
EXAMPLE(L_1, 10, 3, 0, 4, 7, 10)
EXAMPLE(L_2, 10, 4, 0, 3, 6, 8, 10)
EXAMPLE(L_3, 7, 2, 0, 4, 7)
EXAMPLE(L_4, 13, 5, 0, 3, 6, 9, 11, 13)
EXAMPLE(L_5, 17, 6, 0, 3, 6, 9, 12, 15, 17)
EXAMPLE(L_6, 100, 7, 0, 15, 30, 44, 58, 72, 86, 100)
EXAMPLE(L_7, 64, 6, 0, 11, 22, 33, 44, 54, 64)
EXAMPLE(L_8, 5, 5, 0, 1, 2, 3, 4, 5)
EXAMPLE(L_9, 1000003, 4, 0, 250001, 500002, 750003, 1000003)
EXAMPLE(L_10, 2, 4, 0, 1, 2, 2, 2)
EXAMPLE(L_11, 0, 3, 0, 0, 0, 0)

static void L_10_L_11_a_layout_refuses(void **state)
{
    (void)state;
    tsri_geometry geometry = {0};
    CHECK_STATUS(tsri_geometry_init("tsr_layout_create", &geometry, 4, 1, TSR_SHAPE(2), NULL),
                 TSR_ERR_VALUE);
    CHECK_TEXT("axis 0 has 2 cells for 4 ranks");
    CHECK_STATUS(tsri_geometry_init("tsr_layout_create", &geometry, 3, 1, TSR_SHAPE(0), NULL),
                 TSR_ERR_VALUE);
    CHECK_TEXT("axis 0 has 0 cells for 3 ranks");
}

/* Dealing the cells out one by one, the first blocks first, gives the same extents. */
static void every_small_length(void **state)
{
    (void)state;
    for (int length = 0; length <= 40; ++length) {
        for (int count = 1; count <= 13; ++count) {
            int64_t extent[13] = {0}, end = 0;
            for (int i = 0; i < length; ++i)
                ++extent[i % count];
            const tsri_axis axis = tsri_axis_make(length, count, NULL);
            for (int k = 0; k < count; ++k) {
                CHECK_INT(tsri_axis_cut(&axis, k), end);
                for (int64_t i = end; i < end + extent[k]; ++i)
                    CHECK_INT(tsri_axis_owner(&axis, i), k);
                end += extent[k];
            }
            CHECK_INT(end, length);
            CHECK_INT(tsri_axis_cut(&axis, count), length);
            CHECK_INT(tsri_axis_largest(&axis), extent[0]);
        }
    }
}

static void the_largest_lengths(void **state)
{
    (void)state;
    int64_t start, end;
    CHECK_OK(tsr_near_even(INT64_MAX, INT64_MAX, INT64_MAX - 1, &start, &end));
    CHECK_INT(start, INT64_MAX - 1);
    CHECK_INT(end, INT64_MAX);
    CHECK_OK(tsr_near_even(INT64_MAX, 2, 1, &start, &end));
    CHECK_INT(start, (INT64_C(1) << 62));
    CHECK_INT(end, INT64_MAX);
    const tsri_axis axis = tsri_axis_make(INT64_MAX, INT32_MAX, NULL);
    CHECK_INT(tsri_axis_cut(&axis, INT32_MAX), INT64_MAX);
    CHECK_INT(tsri_axis_owner(&axis, INT64_MAX - 1), INT32_MAX - 1);
    CHECK_INT(tsri_axis_owner(&axis, 0), 0);
}

static void what_is_refused(void **state)
{
    (void)state;
    int64_t start = 7, end = 7;
    CHECK_STATUS(tsr_near_even(-1, 3, 0, &start, &end), TSR_ERR_VALUE);
    CHECK_TEXT("length is -1");
    CHECK_STATUS(tsr_near_even(10, 0, 0, &start, &end), TSR_ERR_VALUE);
    CHECK_TEXT("count is 0");
    CHECK_STATUS(tsr_near_even(10, 3, 3, &start, &end), TSR_ERR_INDEX);
    CHECK_TEXT("chunk 3");
    CHECK_STATUS(tsr_near_even(10, 3, -1, &start, &end), TSR_ERR_INDEX);
    CHECK_INT(start, 7);
    CHECK_INT(end, 7);
    CHECK_OK(tsr_near_even(10, 3, 0, NULL, NULL));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(L_1),
        cmocka_unit_test(L_2),
        cmocka_unit_test(L_3),
        cmocka_unit_test(L_4),
        cmocka_unit_test(L_5),
        cmocka_unit_test(L_6),
        cmocka_unit_test(L_7),
        cmocka_unit_test(L_8),
        cmocka_unit_test(L_9),
        cmocka_unit_test(L_10),
        cmocka_unit_test(L_11),
        cmocka_unit_test(L_10_L_11_a_layout_refuses),
        cmocka_unit_test(every_small_length),
        cmocka_unit_test(the_largest_lengths),
        cmocka_unit_test(what_is_refused),
    };
    return TSRT_RUN(argc, argv, tests);
}
