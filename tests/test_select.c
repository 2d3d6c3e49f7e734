/* ranks: 1 2 3 4 6 */
/* Parts of arrays by integers and slices: the specification's examples, texts and entries, what is
 * refused. */
#include "support/data_in.h"

#include <stdio.h>

/* An array whose cell is its place in C order. */
static tsr_array *counted(tsr_comm comm, int ndim, const int64_t *shape,
                          const tsr_layout_options *options)
{
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    int64_t cells = 1;

    for (int a = 0; a < ndim; ++a)
        cells *= shape[a];
    double *global = malloc((size_t)(cells + 1) * sizeof *global);
    for (int64_t i = 0; i < cells; ++i)
        global[i] = (double)i;
    CHECK_OK(tsr_layout_create(comm, ndim, shape, options, &layout));
    CHECK_OK(tsr_from_global(layout, TSR_F64, global, NULL, &array));
    CHECK_OK(tsr_layout_destroy(&layout));
    free(global);
    return array;
}

/* ---- slices of one axis ---------------------------------------------------------------------- */

static void check_slice(const tsr_array *a, const char *text, tsr_index index, int count,
                        const double *expected)
{
    double values[10], direct[10];
    int64_t shape[TSR_MAX_NDIM];
    int ndim = -1;
    tsr_array *part = NULL;

    for (int form = 0; form < 2; ++form) {
        CHECK_OK(form == 0 ? tsr_select(a, text, &part) : tsr_select_index(a, 1, &index, &part));
        CHECK_INT(tsr_array_ndim(part), 1);
        CHECK_INT(tsr_array_shape(part)[0], count);
        CHECK_OK(tsr_gather(part, TSR_ALL_RANKS, values));
        CHECK_OK(tsr_array_destroy(&part));
        CHECK_OK(form == 0 ? tsr_gather_part(a, text, TSR_ALL_RANKS, direct)
                           : tsr_gather_part_index(a, 1, &index, TSR_ALL_RANKS, direct));
        for (int i = 0; i < count; ++i) {
            CHECK_DOUBLE(values[i], expected[i], 0);
            CHECK_DOUBLE(direct[i], expected[i], 0);
        }
    }
    CHECK_OK(tsr_selection_shape(a, text, &ndim, shape));
    CHECK_INT(ndim, 1);
    CHECK_INT(shape[0], count);
}

static void G_3_to_G_10_slices(void **state)
{
    (void)state;
    static const double reversed[] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    static const double g4[] = {7, 8, 9}, g6[] = {9, 5, 1}, g7[] = {0, 1, 2}, g8[] = {5, 3, 1},
                        g9[] = {1, 5}, g10[] = {8, 5, 2}, last[] = {9};
    const int64_t none = TSR_NONE;
    tsr_array *a = counted(TSR_COMM_WORLD, 1, TSR_SHAPE(10),
                           &(tsr_layout_options){.halo = {1}, .periodic = TSR_AXES(0)});

    check_slice(a, "::-1", TSR_SLICE(none, none, -1), 10, reversed);
    check_slice(a, "-3:", TSR_SLICE(-3, none), 3, g4);
    check_slice(a, "2:2", TSR_SLICE(2, 2), 0, NULL);
    check_slice(a, "7:2", TSR_SLICE(7, 2), 0, NULL);
    check_slice(a, "20:0:-4", TSR_SLICE(20, 0, -4), 3, g6);
    check_slice(a, "-100:3", TSR_SLICE(-100, 3), 3, g7);
    check_slice(a, "5:0:-2", TSR_SLICE(5, 0, -2), 3, g8);
    check_slice(a, "1:9:4", TSR_SLICE(1, 9, 4), 2, g9);
    check_slice(a, "8:1:-3", TSR_SLICE(8, 1, -3), 3, g10);
    check_slice(a, " -1 : : +99999999999999999999 ", TSR_SLICE(-1, none, INT64_MAX), 1, last);
    check_slice(a, "::-99999999999999999999,", TSR_SLICE(none, none, -INT64_MAX), 1, last);
    CHECK_OK(tsr_array_destroy(&a));
}

/* ---- result layouts -------------------------------------------------------------------------- */

typedef struct example {
    int ranks, ndim;
    int64_t shape[3];
    tsr_axes split;
    const char *text;
    int part_ndim;
    int64_t part[2];
    int64_t first, step[2]; /* places, in the array, of the part's cells */
    bool replicated;
    int grid[2];
    int64_t cuts[2][8];
} example;

static const example examples[] = {
    /* G-11 */
    {4,
     2,
     {12, 10},
     TSR_AXES(0, 1),
     "::2, 3:9",
     2,
     {6, 6},
     3,
     {20, 1},
     false,
     {2, 2},
     {{0, 3, 6}, {0, 3, 6}}},
    /* G-12 */
    {4, 2, {12, 10}, TSR_AXES(0, 1), "5, :", 1, {10}, 50, {1}, false, {4}, {{0, 3, 6, 8, 10}}},
    /* G-13 */
    {4, 2, {12, 10}, TSR_AXES(0, 1), "2:4, 0", 1, {2}, 20, {10}, true, {1}, {{0, 2}}},
    /* G-14 */
    {4,
     2,
     {12, 10},
     TSR_AXES(0, 1),
     ":, 0:1",
     2,
     {12, 1},
     0,
     {10, 1},
     false,
     {4, 1},
     {{0, 3, 6, 9, 12}, {0, 1}}},
    /* G-15 */
    {4,
     2,
     {12, 10},
     TSR_AXES(0, 1),
     "3:3, :",
     2,
     {0, 10},
     0,
     {0, 0},
     true,
     {1, 1},
     {{0, 0}, {0, 10}}},
    /* G-16 */
    {3, 2, {9, 5}, TSR_AXES(0), "2, :", 1, {5}, 10, {1}, true, {1}, {{0, 5}}},
    /* G-17 */
    {3, 2, {9, 5}, TSR_AXES(0), ":, 1", 1, {9}, 1, {5}, false, {3}, {{0, 3, 6, 9}}},
    /* G-18 */
    {6,
     3,
     {12, 9, 4},
     TSR_AXES(0, 1),
     ":, :, 0",
     2,
     {12, 9},
     0,
     {36, 4},
     false,
     {2, 3},
     {{0, 6, 12}, {0, 3, 6, 9}}},
    /* G-19 */
    {6,
     3,
     {12, 9, 4},
     TSR_AXES(0, 1),
     "0, :, 1:3",
     2,
     {9, 2},
     1,
     {4, 1},
     false,
     {6, 1},
     {{0, 2, 4, 6, 7, 8, 9}, {0, 2}}},
    /* G-20 */
    {3, 1, {10}, TSR_AXES(0), "8:1:-3", 1, {3}, 8, {-3}, false, {3}, {{0, 1, 2, 3}}},
    /* G-21 */
    {3, 1, {10}, TSR_AXES(0), "1:9:2", 1, {4}, 1, {2}, false, {3}, {{0, 2, 3, 4}}},
};

static void check_part(const example *e, const tsr_array *part)
{
    const tsr_layout *layout = tsr_array_layout(part);
    const tsr_view v = tsr_local(part);
    int64_t cuts[16], local[TSR_MAX_NDIM];

    CHECK_INT(tsr_array_ndim(part), e->part_ndim);
    CHECK_INT(tsr_layout_is_replicated(layout), e->replicated);
    for (int k = 0; k < e->part_ndim; ++k) {
        CHECK_INT(tsr_array_shape(part)[k], e->part[k]);
        CHECK_INT(tsr_layout_process_grid(layout)[k], e->grid[k]);
        CHECK_OK(tsr_layout_cuts(layout, k, cuts));
        for (int c = 0; c <= e->grid[k]; ++c)
            CHECK_INT(cuts[c], e->cuts[k][c]);
        CHECK_INT(v.halo_lo[k] + v.halo_hi[k], 0);
    }
    CHECK(tsr_layout_periodic(layout) == 0);
    for (int64_t i = 0; i < stored_cells(&v); ++i) {
        double expected = (double)e->first;
        stored_cell(&v, i, local);
        for (int k = 0; k < e->part_ndim; ++k)
            expected += (double)((v.start[k] + local[k]) * e->step[k]);
        CHECK_DOUBLE(cell_value(&v, local), expected, 0);
    }
}

static void G_11_to_G_21_result_layouts(void **state)
{
    (void)state;
    int tried = 0;

    for (size_t i = 0; i < sizeof examples / sizeof *examples; ++i) {
        const example *e = &examples[i];
        tsr_array *part = NULL;
        if (tsrt_size() < e->ranks) continue;
        tsr_comm comm = first_ranks(e->ranks);
        if (tsrt_rank() < e->ranks) {
            tsr_array *a = counted(comm, e->ndim, e->shape,
                                   &(tsr_layout_options){.split = e->split, .halo = {1}});
            CHECK_OK(tsr_select(a, e->text, &part));
            check_part(e, part);
            CHECK_OK(tsr_array_destroy(&part));
            CHECK_OK(tsr_array_destroy(&a));
        }
        free_ranks(&comm);
        ++tried;
    }
    if (tried == 0) tsrt_skip("needs 3 ranks");
}

/* ---- forms ----------------------------------------------------------------------------------- */

/* Texts and entries for one part of a 5 x 4 x 3 array, whose first cell is given. */
static void check_first(const tsr_array *a, const char *text, int ndim, double first)
{
    int64_t shape[TSR_MAX_NDIM], cells = 1;
    int found = -1;

    CHECK_OK(tsr_selection_shape(a, text, &found, shape));
    CHECK_INT(found, ndim);
    for (int k = 0; k < ndim; ++k)
        cells *= shape[k];
    double *values = malloc((size_t)(cells + 1) * sizeof *values);
    CHECK_OK(tsr_gather_part(a, text, TSR_ALL_RANKS, values));
    CHECK_DOUBLE(values[0], first, 0);
    free(values);
}

static void ellipsis_and_missing_entries(void **state)
{
    (void)state;
    tsr_array *a = counted(TSR_COMM_WORLD, 3, TSR_SHAPE(5, 4, 3),
                           &(tsr_layout_options){.split = TSR_AXES(1), .allow_empty = true});
    tsr_array *part = NULL;

    check_first(a, "", 3, 0);
    check_first(a, "...", 3, 0);
    check_first(a, "-1", 2, 48);
    check_first(a, "..., -1", 2, 2);
    check_first(a, "1, ..., -1", 1, 14);
    check_first(a, "1, 2, ..., 1", 0, 19);
    check_first(a, "1,2,1", 0, 19);
    check_first(a, ":: , 3 , ::-1", 2, 11);
    CHECK_OK(tsr_select_index(a, TSR_INDEX(TSR_INT(1), TSR_ELLIPSIS, TSR_SLICE(2, TSR_NONE, -2)),
                              &part));
    CHECK_INT(tsr_array_ndim(part), 2);
    CHECK_INT(tsr_array_shape(part)[1], 2);
    CHECK_OK(tsr_array_destroy(&part));
    CHECK_OK(tsr_select_index(a, TSR_INDEX(TSR_ALL, TSR_INT(-1)), &part));
    CHECK_INT(tsr_array_shape(part)[0], 5);
    CHECK_INT(tsr_array_shape(part)[1], 3);
    CHECK_OK(tsr_array_destroy(&part));
    CHECK_OK(tsr_select_index(a, 0, NULL, &part));
    CHECK_INT(tsr_array_ndim(part), 3);
    CHECK_OK(tsr_array_destroy(&part));
    CHECK_OK(tsr_array_destroy(&a));
}

static void no_axes_and_no_cells(void **state)
{
    (void)state;
    double value = -1;
    tsr_array *part = NULL;
    tsr_array *scalar = counted(TSR_COMM_WORLD, 0, TSR_SHAPE(0), NULL);
    tsr_array *empty =
        counted(TSR_COMM_WORLD, 2, TSR_SHAPE(0, 3), &(tsr_layout_options){.allow_empty = true});

    CHECK_OK(tsr_gather_part(scalar, " ", TSR_ALL_RANKS, &value));
    CHECK_DOUBLE(value, 0, 0);
    CHECK_OK(tsr_select(scalar, "...", &part));
    CHECK_INT(tsr_array_ndim(part), 0);
    CHECK_OK(tsr_array_destroy(&part));
    CHECK_OK(tsr_select(empty, ":, 1", &part));
    CHECK_INT(tsr_array_cells(part), 0);
    CHECK_OK(tsr_array_destroy(&part));
    CHECK_OK(tsr_gather_part(empty, "::-1", TSR_ALL_RANKS, NULL));
    CHECK_STATUS(tsr_select(empty, "0", &part), TSR_ERR_INDEX);
    CHECK_TEXT("index 0 is out of bounds for axis 0 of length 0");
    CHECK_OK(tsr_array_destroy(&scalar));
    CHECK_OK(tsr_array_destroy(&empty));
}

static void gather_part_to_one_rank(void **state)
{
    (void)state;
    tsr_array *a = counted(TSR_COMM_WORLD, 2, TSR_SHAPE(7, 5),
                           &(tsr_layout_options){.split = TSR_AXES(0, 1), .allow_empty = true});

    for (int root = 0; root < tsrt_size(); ++root) {
        double values[9] = {-1, -1, -1, -1, -1, -1, -1, -1, -1};
        const bool mine = root == tsrt_rank();
        CHECK_OK(tsr_gather_part(a, "::-2, 1:4:2", root, mine ? values : NULL));
        for (int i = 0; i < 9; ++i)
            CHECK_DOUBLE(values[i], mine && i < 8 ? (6 - i / 2 * 2) * 5 + 1 + i % 2 * 2 : -1, 0);
    }
    CHECK_OK(tsr_array_destroy(&a));
}

/* ---- refused --------------------------------------------------------------------------------- */

static void check_refused(const tsr_array *a, const char *text, tsr_status status,
                          const char *sentence)
{
    tsr_array *part = (tsr_array *)&part;
    int ndim = 0;

    CHECK_STATUS(tsr_select(a, text, &part), status);
    CHECK(part == NULL);
    CHECK_TEXT("tsr_select: ");
    CHECK_TEXT(sentence);
    check_same_text();
    CHECK_STATUS(tsr_gather_part(a, text, TSR_ALL_RANKS, NULL), status);
    CHECK_TEXT(sentence);
    CHECK_STATUS(tsr_selection_shape(a, text, &ndim, NULL), status);
    CHECK_TEXT(sentence);
}

static void refused_texts(void **state)
{
    (void)state;
    tsr_array *a = counted(TSR_COMM_WORLD, 2, TSR_SHAPE(6, 4), &(tsr_layout_options){.halo = {1}});

    check_refused(a, "6", TSR_ERR_INDEX,
                  "column 1, at \"6\": index 6 is out of bounds for axis 0 of length 6");
    check_refused(a, ":, -5", TSR_ERR_INDEX,
                  "column 4, at \"-5\": index -5 is out of bounds for axis 1 of length 4");
    check_refused(a, "1, 99999999999999999999", TSR_ERR_INDEX,
                  "index 99999999999999999999 is out of bounds for axis 1");
    check_refused(a, "-99999999999999999999", TSR_ERR_INDEX, "index -99999999999999999999 is");
    check_refused(a, ":, 1:2:0", TSR_ERR_VALUE,
                  "column 4, at \"1:2:0\": the step along axis 1 is 0");
    check_refused(a, "1, 2, 3", TSR_ERR_INDEX,
                  "column 7, at \"3\": there are more entries than the array has axes: 2");
    check_refused(a, "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0", TSR_ERR_INDEX, "column 5");
    check_refused(a, "..., ...", TSR_ERR_INDEX, "column 6, at \"...\": there can be one ellipsis");
    check_refused(a, "1 2", TSR_ERR_VALUE, "column 3, at \"2\": expected ',' or the end");
    check_refused(a, "1,,2", TSR_ERR_VALUE, "column 3, at \",2\": expected an integer");
    check_refused(a, "a", TSR_ERR_VALUE, "column 1, at \"a\": expected an integer");
    check_refused(a, "1.5", TSR_ERR_VALUE, "column 2, at \".5\"");
    check_refused(a, "1:2:3:4", TSR_ERR_VALUE, "column 6, at \":4\": a slice has at most two");
    check_refused(a, "-", TSR_ERR_VALUE, "at the end of the text (column 2): expected digits");
    check_refused(a, ":, [1]", TSR_ERR_VALUE, "column 4");
    check_refused(a, NULL, TSR_ERR_VALUE, "text is NULL");
    CHECK_OK(tsr_array_destroy(&a));
}

static void refused_arguments(void **state)
{
    (void)state;
    tsr_array *a = counted(TSR_COMM_WORLD, 2, TSR_SHAPE(6, 4), NULL);
    tsr_array *part = (tsr_array *)&part;
    const tsr_index odd = {.kind = (tsr_index_kind)9};
    double buffer[24];
    int ndim;

    CHECK_STATUS(tsr_select(NULL, ":", &part), TSR_ERR_VALUE);
    CHECK(part == NULL);
    CHECK_STATUS(tsr_select(a, ":", NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_select_index(a, -1, &odd, &part), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_select_index(a, 1, NULL, &part), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_select_index(a, 1, &odd, &part), TSR_ERR_VALUE);
    CHECK_TEXT("entry 0: 9 is no kind of entry");
    CHECK_STATUS(tsr_select_index(a, TSR_INDEX(TSR_ALL, TSR_INT(4)), &part), TSR_ERR_INDEX);
    CHECK_TEXT("entry 1: index 4 is out of bounds for axis 1 of length 4");
    CHECK_STATUS(tsr_gather_part(a, ":", tsrt_size(), buffer), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_gather_part(a, ":", -1, buffer), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_gather_part(a, ":", 0, tsrt_rank() == 0 ? NULL : buffer), TSR_ERR_VALUE);
    CHECK_TEXT("buffer is NULL on rank 0, which gets 24 cells");
    check_same_text();
    CHECK_STATUS(tsr_selection_shape(NULL, ":", &ndim, NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_selection_shape(a, ":", NULL, NULL), TSR_ERR_VALUE);
    CHECK_OK(tsr_array_destroy(&a));
}

static void wrong_on_one_rank(void **state)
{
    (void)state;
    tsr_array *part = NULL;
    double buffer[24];

    if (tsrt_size() == 1) tsrt_skip("needs 2 ranks");
    tsr_array *a = counted(TSR_COMM_WORLD, 2, TSR_SHAPE(6, 4), NULL);
    for (int wrong = 0; wrong < tsrt_size(); ++wrong) {
        const bool mine = wrong == tsrt_rank();
        CHECK_STATUS(tsr_select(a, mine ? "6" : "5", &part), TSR_ERR_INDEX);
        check_same_text();
        CHECK(part == NULL);
        CHECK_STATUS(tsr_select(a, mine ? "1:, 2" : "2:, 2", &part), TSR_ERR_MISMATCH);
        CHECK(part == NULL);
        CHECK_STATUS(tsr_select(a, mine ? "1:2" : "2:3", &part), TSR_ERR_MISMATCH);
        CHECK_STATUS(tsr_gather_part(a, mine ? "::2" : "1::2", TSR_ALL_RANKS, buffer),
                     TSR_ERR_MISMATCH);
        CHECK_STATUS(tsr_gather_part(a, "1", mine ? 0 : 1, buffer), TSR_ERR_MISMATCH);
    }
    CHECK_OK(tsr_array_destroy(&a));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(G_3_to_G_10_slices),
        cmocka_unit_test(G_11_to_G_21_result_layouts),
        cmocka_unit_test(ellipsis_and_missing_entries),
        cmocka_unit_test(no_axes_and_no_cells),
        cmocka_unit_test(gather_part_to_one_rank),
        cmocka_unit_test(refused_texts),
        cmocka_unit_test(refused_arguments),
        cmocka_unit_test(wrong_on_one_rank),
    };
    return TSRT_RUN(argc, argv, tests);
}
