/* ranks: 1 */
/* Block numbering: the examples, and random cuts against putting the elements in order. */
#include "support/layout_cases.h"

#define CUTS(...) TSR_SHAPE(__VA_ARGS__)
#define ALL_CUTS(...) ((const int64_t *const[]){__VA_ARGS__})
#define COUNTS(...) ((const int[]){__VA_ARGS__})

static void check_numbering(int ndim, const int64_t *shape, const int64_t *const *cuts,
                            const int *ncuts, int count, const int64_t *expected)
{
    int64_t numbers[32];
    CHECK_OK(tsr_block_numbering(ndim, shape, cuts, ncuts, numbers));
    for (int i = 0; i < count; ++i)
        CHECK_INT(numbers[i], expected[i]);
}

static void L_120_to_L_126(void **state)
{
    (void)state;
    check_numbering(2, TSR_SHAPE(4, 4), ALL_CUTS(CUTS(0, 2, 4), CUTS(0, 2, 4)), COUNTS(3, 3), 16,
                    TSR_SHAPE(0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15));
    check_numbering(2, TSR_SHAPE(3, 5), ALL_CUTS(CUTS(0, 2, 3), CUTS(0, 3, 5)), COUNTS(3, 3), 15,
                    TSR_SHAPE(0, 1, 2, 6, 7, 3, 4, 5, 8, 9, 10, 11, 12, 13, 14));
    check_numbering(2, TSR_SHAPE(4, 3), ALL_CUTS(CUTS(0, 1, 4), CUTS(0, 2, 3)), COUNTS(3, 3), 12,
                    TSR_SHAPE(0, 1, 2, 3, 4, 9, 5, 6, 10, 7, 8, 11));
    check_numbering(2, TSR_SHAPE(3, 4), ALL_CUTS(CUTS(0, 2, 2, 3), CUTS(0, 0, 1, 4)), COUNTS(4, 4),
                    12, TSR_SHAPE(0, 2, 3, 4, 1, 5, 6, 7, 8, 9, 10, 11));
    check_numbering(2, TSR_SHAPE(3, 4), ALL_CUTS(CUTS(0, 3), CUTS(0, 2, 3, 4)), COUNTS(2, 4), 12,
                    TSR_SHAPE(0, 1, 6, 9, 2, 3, 7, 10, 4, 5, 8, 11));
    check_numbering(1, TSR_SHAPE(5), ALL_CUTS(CUTS(0, 3, 3, 5)), COUNTS(4), 5,
                    TSR_SHAPE(0, 1, 2, 3, 4));
    check_numbering(3, TSR_SHAPE(2, 2, 3), ALL_CUTS(CUTS(0, 1, 2), CUTS(0, 2), CUTS(0, 1, 3)),
                    COUNTS(3, 2, 3), 12, TSR_SHAPE(0, 2, 3, 1, 4, 5, 6, 8, 9, 7, 10, 11));
}

static void L_127_L_128_and_other_refusals(void **state)
{
    (void)state;
    int64_t numbers[8] = {-7};
    CHECK_STATUS(
        tsr_block_numbering(1, TSR_SHAPE(4), ALL_CUTS(CUTS(0, 3, 2, 4)), COUNTS(4), numbers),
        TSR_ERR_VALUE);
    CHECK_TEXT("cuts[0][2] is 2, must be >= 3");
    CHECK_STATUS(
        tsr_block_numbering(2, TSR_SHAPE(4, 2), ALL_CUTS(CUTS(0, 4), NULL), COUNTS(2, 0), numbers),
        TSR_ERR_VALUE);
    CHECK_TEXT("cuts[1] has 0 cut points, must have at least 2");
    CHECK_STATUS(tsr_block_numbering(1, TSR_SHAPE(4), ALL_CUTS(CUTS(0)), COUNTS(1), numbers),
                 TSR_ERR_VALUE);
    CHECK_STATUS(tsr_block_numbering(1, TSR_SHAPE(4), ALL_CUTS(CUTS(0, 5)), COUNTS(2), numbers),
                 TSR_ERR_VALUE);
    CHECK_TEXT("cuts[0] go from 0 to 5, must go from 0 to 4");
    CHECK_STATUS(tsr_block_numbering(1, TSR_SHAPE(4), ALL_CUTS(CUTS(1, 4)), COUNTS(2), numbers),
                 TSR_ERR_VALUE);
    CHECK_STATUS(tsr_block_numbering(1, TSR_SHAPE(-4), ALL_CUTS(CUTS(0, -4)), COUNTS(2), numbers),
                 TSR_ERR_VALUE);
    CHECK_TEXT("shape[0] is -4");
    CHECK_STATUS(tsr_block_numbering(17, TSR_SHAPE(1), NULL, NULL, numbers), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_block_numbering(1, TSR_SHAPE(1), NULL, NULL, numbers), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_block_numbering(1, TSR_SHAPE(4), ALL_CUTS(CUTS(0, 4)), COUNTS(2), NULL),
                 TSR_ERR_VALUE);
    const int64_t big = INT64_C(1) << 32;
    CHECK_STATUS(tsr_block_numbering(2, TSR_SHAPE(big, big), ALL_CUTS(CUTS(0, big), CUTS(0, big)),
                                     COUNTS(2, 2), numbers),
                 TSR_ERR_OVERFLOW);
    CHECK_INT(numbers[0], -7);
}

static void without_axes_and_without_cells(void **state)
{
    (void)state;
    int64_t number = -7;
    CHECK_OK(tsr_block_numbering(2, TSR_SHAPE(3, 0), ALL_CUTS(CUTS(0, 1, 3), CUTS(0, 0, 0)),
                                 COUNTS(3, 3), NULL));
    CHECK_OK(tsr_block_numbering(0, NULL, NULL, NULL, &number));
    CHECK_INT(number, 0);
}

/* An element with what orders it: block coordinates, then indices. */
typedef struct element {
    int64_t key[8];
    int64_t place;
} element;

static int by_key(const void *a, const void *b)
{
    const element *left = a, *right = b;
    for (int i = 0; i < 8; ++i) {
        if (left->key[i] != right->key[i]) return left->key[i] < right->key[i] ? -1 : 1;
    }
    return 0;
}

static int64_t block_of(const tsr_layout_options *options, int axis, int64_t i)
{
    int64_t k = 0;
    while (!(options->cuts[axis][k] <= i && i < options->cuts[axis][k + 1]))
        ++k;
    return k;
}

static void random_cuts_in_order(void **state)
{
    (void)state;
    uint64_t seed = 11;
    static element elements[13 * 13 * 13 * 13];
    static int64_t numbers[13 * 13 * 13 * 13];
    int done = 0;
    while (done < 150) {
        tsrt_random_layout l;
        int64_t cells = 1;
        bool cut = true;
        tsrt_random_layout_make(&seed, &l);
        for (int a = 0; a < l.ndim; ++a)
            cut = cut && l.options.cuts[a] != NULL;
        if (!cut) continue;
        for (int a = 0; a < l.ndim; ++a)
            cells *= l.shape[a];
        for (int64_t n = 0; n < cells; ++n) {
            int64_t rest = n;
            elements[n] = (element){.place = n};
            for (int a = l.ndim - 1; a >= 0; --a) {
                const int64_t i = rest % l.shape[a];
                rest /= l.shape[a];
                elements[n].key[a] = block_of(&l.options, a, i);
                elements[n].key[4 + a] = i;
            }
        }
        qsort(elements, (size_t)cells, sizeof *elements, by_key);
        CHECK_OK(tsr_block_numbering(l.ndim, l.shape, l.options.cuts, l.options.ncuts, numbers));
        for (int64_t n = 0; n < cells; ++n)
            CHECK_INT(numbers[elements[n].place], n);
        ++done;
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(L_120_to_L_126),
        cmocka_unit_test(L_127_L_128_and_other_refusals),
        cmocka_unit_test(without_axes_and_without_cells),
        cmocka_unit_test(random_cuts_in_order),
    };
    return TSRT_RUN(argc, argv, tests);
}
