/* ranks: 1 2 3 4 6 8 */
/* Gather (G-1), the local index (G-2), and get, on every kind of layout and in every type. */
#include "support/halo_fixture.h"

#include <stdio.h>

static int64_t cells_of(const model_layout *shape)
{
    int64_t cells = 1;
    for (int a = 0; a < shape->ndim; ++a)
        cells *= shape->shape[a];
    return cells;
}

/* The global array that the tests use: cell i is the element of hash i. */
static unsigned char *global_of(const model_layout *shape, tsr_dtype dtype)
{
    const int64_t cells = cells_of(shape);
    unsigned char *global = malloc((size_t)(cells + 1) * model_elem(dtype));
    for (int64_t i = 0; i < cells; ++i)
        model_element(dtype, model_hash((uint64_t)i), global + (size_t)i * model_elem(dtype));
    return global;
}

/* An array with these values and poisoned halo cells. */
static tsr_array *array_of(const model_layout *shape, tsr_axes cut, tsr_dtype dtype,
                           const unsigned char *global)
{
    tsr_array *array = NULL;
    model m;
    tsr_layout *layout = fixture_layout(TSR_COMM_WORLD, shape, cut);

    model_create(&m, shape, dtype);
    model_fill(&m, 99);
    for (int rank = 0; rank < shape->ranks; ++rank) {
        int coords[MODEL_NDIM];
        int64_t local[MODEL_NDIM];
        model_coords(shape, rank, coords);
        for (int64_t i = 0; i < m.offset[rank + 1] - m.offset[rank]; ++i) {
            int64_t index = 0;
            model_local(shape, coords, i, local);
            for (int a = 0; a < shape->ndim; ++a)
                index = index * shape->shape[a] + shape->cuts[a][coords[a]] + local[a];
            if (model_outside(shape, coords, local) == 0)
                memcpy(m.data + (size_t)(m.offset[rank] + i) * m.elem,
                       global + (size_t)index * m.elem, m.elem);
        }
    }
    CHECK_OK(tsr_empty(layout, dtype, &array));
    fixture_write(&m, tsrt_rank(), array);
    CHECK_OK(tsr_layout_destroy(&layout));
    model_free(&m);
    return array;
}

/* ---- layouts --------------------------------------------------------------------------------- */

enum { LAYOUTS = 7 };

static void cut_axis(model_layout *shape, int a, int64_t weight)
{
    for (int k = 1; k < shape->grid[a]; ++k)
        shape->cuts[a][k] = shape->shape[a] * (weight + k) / (weight + shape->grid[a]);
}

/* Near-even in one and in two axes, uneven cuts, empty blocks, no cells, replicated, no axes. */
static model_layout layout_number(int number, tsr_axes *cut)
{
    static const int64_t shapes[LAYOUTS][3] = {{37},   {24, 5}, {19, 8, 3}, {2, 3},
                                               {4, 0}, {5, 4},  {0}};
    static const int ndims[LAYOUTS] = {1, 2, 3, 2, 2, 2, 0};
    const int size = tsrt_size(), half = size % 2 == 0 ? 2 : 1;
    model_layout shape = {.ndim = ndims[number], .ranks = size, .whole = number >= 5};

    *cut = 0;
    for (int a = 0; a < shape.ndim; ++a) {
        shape.shape[a] = shapes[number][a];
        shape.lo[a] = a + 1;
        shape.hi[a] = 2 - a % 2;
        shape.grid[a] = a == 0 && !shape.whole ? size : 1;
    }
    if (number == 1 || number == 2) {
        shape.grid[0] = size / half;
        shape.grid[1] = half;
    }
    for (int a = 0; a < shape.ndim; ++a)
        model_near_even(shape.shape[a], shape.grid[a], shape.cuts[a]);
    if (number == 2) {
        *cut = TSR_AXES(0, 1);
        cut_axis(&shape, 0, 3);
        cut_axis(&shape, 1, 2);
    }
    return shape;
}

static void check_gather(const tsr_array *array, const unsigned char *global, int root)
{
    const size_t bytes = tsr_array_bytes(array);
    const bool gets = root == TSR_ALL_RANKS || root == tsrt_rank();
    unsigned char *buffer = malloc(bytes + 16);

    memset(buffer, 0x5a, bytes + 16);
    CHECK_OK(tsr_gather(array, root, buffer));
    CHECK(!gets || memcmp(buffer, global, bytes) == 0);
    for (size_t i = gets ? bytes : 0; i < bytes + 16; ++i)
        CHECK_INT(buffer[i], 0x5a);
    if (gets) memset(buffer, 0, bytes);
    CHECK_OK(tsr_gather(array, root, gets ? buffer : NULL));
    CHECK(!gets || memcmp(buffer, global, bytes) == 0);
    free(buffer);
}

static void gather_every_layout(void **state)
{
    (void)state;
    for (int number = 0; number < LAYOUTS; ++number) {
        tsr_axes cut;
        const model_layout shape = layout_number(number, &cut);
        unsigned char *global = global_of(&shape, TSR_F64);
        tsr_array *array = array_of(&shape, cut, TSR_F64, global);
        CHECK_INT(tsr_array_bytes(array), cells_of(&shape) * 8);
        check_gather(array, global, TSR_ALL_RANKS);
        for (int root = 0; root < tsrt_size(); ++root)
            check_gather(array, global, root);
        CHECK_OK(tsr_array_destroy(&array));
        free(global);
    }
}

static void gather_every_type(void **state)
{
    (void)state;
    for (int dtype = TSR_BOOL; dtype < TSR_DTYPE_END; ++dtype)
        for (int number = 0; number < 3; ++number) {
            tsr_axes cut;
            const model_layout shape = layout_number(number, &cut);
            unsigned char *global = global_of(&shape, (tsr_dtype)dtype);
            tsr_array *array = array_of(&shape, cut, (tsr_dtype)dtype, global);
            check_gather(array, global, TSR_ALL_RANKS);
            check_gather(array, global, tsrt_size() - 1);
            CHECK_OK(tsr_array_destroy(&array));
            free(global);
        }
}

/* ---- G-1, G-2 -------------------------------------------------------------------------------- */

static void G_1_G_2_gather_and_local_index(void **state)
{
    (void)state;
    const double blocks[4][6] = {{0, 1, 3, 4, 6, 7}, {2, 5, 8}, {9, 10, 12, 13}, {11, 14}};
    double buffer[15];
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;

    tsr_comm comm = fixture_comm(4);
    if (tsrt_rank() < 4) {
        CHECK_OK(tsr_layout_create(comm, 2, TSR_SHAPE(5, 3),
                                   &(tsr_layout_options){.process_grid = {2, 2}, .halo = {1, 1}},
                                   &layout));
        CHECK_OK(tsr_full(layout, TSR_F64, tsr_f64(-1), &array));
        const tsr_view v = tsr_local(array);
        for (int64_t i = 0; i < v.extent[0]; ++i)
            for (int64_t j = 0; j < v.extent[1]; ++j)
                TSR_AT(double, v, i, j) = blocks[tsrt_rank()][i * v.extent[1] + j];
        CHECK_OK(tsr_gather(array, TSR_ALL_RANKS, buffer));
        for (int i = 0; i < 15; ++i)
            CHECK_DOUBLE(buffer[i], i, 0);

        int64_t position[2] = {-9, -9};
        bool mine = false;
        CHECK_OK(tsr_layout_local_index(layout, TSR_SHAPE(4, -1), position, &mine));
        CHECK_INT(mine, tsrt_rank() == 3);
        CHECK_INT(position[0], mine ? 2 : -9);
        CHECK_INT(position[1], mine ? 1 : -9);
        CHECK_OK(tsr_array_destroy(&array));
        CHECK_OK(tsr_layout_destroy(&layout));
    }
    fixture_comm_end(comm);
}

/* ---- get ------------------------------------------------------------------------------------- */

/* The bits of a scalar as an element of its type. */
static void scalar_element(tsr_scalar s, void *out)
{
    switch (s.dtype) {
#define FROM_SCALAR(suffix, ctype, name, components)                                               \
    case TSR_##suffix:                                                                             \
        for (int k = 0; k < (components); ++k)                                                     \
            ((ctype *)out)[k] = s.dtype == TSR_BOOL  ? (ctype)s.as.b                               \
                                : s.dtype <= TSR_I64 ? (ctype)s.as.i                               \
                                : s.dtype <= TSR_U64 ? (ctype)s.as.u                               \
                                : s.dtype <= TSR_F64 ? (ctype)s.as.f                               \
                                                     : (ctype)s.as.c[k];                           \
        break;
        TSR_DTYPE_LIST(FROM_SCALAR)
    default:
        break;
    }
}

static void check_get(const tsr_array *array, const int64_t *index, const unsigned char *expected)
{
    unsigned char actual[16] = {0};
    tsr_scalar value = {.dtype = TSR_AUTO};
    CHECK_OK(tsr_get(array, index, &value));
    CHECK_INT(value.dtype, tsr_array_dtype(array));
    scalar_element(value, actual);
    CHECK(memcmp(actual, expected, model_elem(value.dtype)) == 0);
}

static void get_every_cell(void **state)
{
    (void)state;
    for (int number = 0; number < LAYOUTS; ++number) {
        tsr_axes cut;
        const model_layout shape = layout_number(number, &cut);
        const tsr_dtype dtype = number % 2 == 0 ? TSR_F64 : TSR_I16;
        unsigned char *global = global_of(&shape, dtype);
        tsr_array *array = array_of(&shape, cut, dtype, global);
        for (int64_t i = 0; i < cells_of(&shape); i += number == 2 ? 7 : 1) {
            int64_t index[MODEL_NDIM] = {0}, negative[MODEL_NDIM] = {0}, rest = i;
            for (int a = shape.ndim - 1; a >= 0; --a) {
                index[a] = rest % shape.shape[a];
                negative[a] = index[a] - ((i >> a & 1) == 0 ? shape.shape[a] : 0);
                rest /= shape.shape[a];
            }
            check_get(array, index, global + (size_t)i * model_elem(dtype));
            check_get(array, negative, global + (size_t)i * model_elem(dtype));
        }
        CHECK_OK(tsr_array_destroy(&array));
        free(global);
    }
}

static void get_every_type(void **state)
{
    (void)state;
    tsr_axes cut;
    const model_layout shape = layout_number(1, &cut);
    for (int dtype = TSR_BOOL; dtype < TSR_DTYPE_END; ++dtype) {
        unsigned char *global = global_of(&shape, (tsr_dtype)dtype);
        tsr_array *array = array_of(&shape, cut, (tsr_dtype)dtype, global);
        for (int64_t i = 0; i < shape.shape[0]; ++i)
            check_get(array, TSR_SHAPE(i, 2 - (i & 3)),
                      global +
                          (size_t)(5 * i + (2 - (i & 3) + 5) % 5) * model_elem((tsr_dtype)dtype));
        CHECK_OK(tsr_array_destroy(&array));
        free(global);
    }
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void check_same_text(void)
{
    char text[1024] = "", mine[1024];
    snprintf(mine, sizeof mine, "%s", tsr_error_text());
    snprintf(text, sizeof text, "%s", mine);
    tsrt_bcast(text, sizeof text, 0);
    CHECK_STR(mine, text);
}

#define REFUSED(call, status)                                                                      \
    do {                                                                                           \
        CHECK_STATUS(call, status);                                                                \
        check_same_text();                                                                         \
    } while (0)

static void gather_errors(void **state)
{
    (void)state;
    tsr_axes cut;
    const int size = tsrt_size(), last = size - 1;
    const model_layout shape = layout_number(1, &cut);
    unsigned char *global = global_of(&shape, TSR_F64), *buffer = calloc(24 * 5, 8);
    tsr_array *array = array_of(&shape, cut, TSR_F64, global);

    REFUSED(tsr_gather(array, size, buffer), TSR_ERR_VALUE);
    REFUSED(tsr_gather(array, TSR_NO_RANK, buffer), TSR_ERR_VALUE);
    REFUSED(tsr_gather(array, -3, buffer), TSR_ERR_VALUE);
    REFUSED(tsr_gather(array, TSR_ALL_RANKS, NULL), TSR_ERR_VALUE);
    REFUSED(tsr_gather(array, last, NULL), TSR_ERR_VALUE);
    REFUSED(tsr_gather(array, TSR_ALL_RANKS, tsrt_rank() == last ? NULL : buffer), TSR_ERR_VALUE);
    REFUSED(tsr_gather(array, tsrt_rank() == last ? size + 7 : 0, buffer), TSR_ERR_VALUE);
    if (size > 1) REFUSED(tsr_gather(array, tsrt_rank() == last ? 1 : 0, buffer), TSR_ERR_MISMATCH);
    CHECK_STATUS(tsr_gather(NULL, 0, buffer), TSR_ERR_VALUE);
    for (int i = 0; i < 24 * 5 * 8; ++i)
        CHECK_INT(buffer[i], 0);
    check_gather(array, global, TSR_ALL_RANKS);
    CHECK_OK(tsr_array_destroy(&array));
    free(buffer);
    free(global);
}

/* Ranks that pass different arrays. */
static void other_arrays(void **state)
{
    (void)state;
    if (tsrt_size() == 1) tsrt_skip("needs two ranks");
    tsr_layout *layout = NULL;
    tsr_array *a = NULL, *b = NULL;
    double buffer[24] = {0};
    tsr_scalar value;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(24), NULL, &layout));
    CHECK_OK(tsr_zeros(layout, TSR_F64, &a));
    CHECK_OK(tsr_zeros(layout, TSR_F32, &b));
    tsr_array *mine = tsrt_rank() == 1 ? b : a;
    CHECK_STATUS(tsr_gather(mine, TSR_ALL_RANKS, buffer), TSR_ERR_MISMATCH);
    CHECK_TEXT("tsr_gather");
    CHECK_STATUS(tsr_get(mine, TSR_SHAPE(3), &value), TSR_ERR_MISMATCH);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void get_errors(void **state)
{
    (void)state;
    tsr_axes cut;
    const int size = tsrt_size(), last = size - 1;
    const model_layout shape = layout_number(1, &cut), none = layout_number(4, &cut);
    unsigned char *global = global_of(&shape, TSR_F64);
    tsr_array *array = array_of(&shape, 0, TSR_F64, global),
              *empty = array_of(&none, cut, TSR_F64, global);
    tsr_scalar value;

    REFUSED(tsr_get(array, TSR_SHAPE(24, 0), &value), TSR_ERR_INDEX);
    REFUSED(tsr_get(array, TSR_SHAPE(0, 5), &value), TSR_ERR_INDEX);
    REFUSED(tsr_get(array, TSR_SHAPE(-25, 0), &value), TSR_ERR_INDEX);
    REFUSED(tsr_get(array, TSR_SHAPE(0, -6), &value), TSR_ERR_INDEX);
    REFUSED(tsr_get(array, TSR_SHAPE(INT64_MIN, 0), &value), TSR_ERR_INDEX);
    REFUSED(tsr_get(array, TSR_SHAPE(INT64_MAX, 0), &value), TSR_ERR_INDEX);
    REFUSED(tsr_get(empty, TSR_SHAPE(0, 0), &value), TSR_ERR_INDEX);
    REFUSED(tsr_get(array, TSR_SHAPE(tsrt_rank() == last ? 24 : 3, 0), &value), TSR_ERR_INDEX);
    if (size > 1)
        REFUSED(tsr_get(array, TSR_SHAPE(tsrt_rank() == last ? 2 : 3, 0), &value),
                TSR_ERR_MISMATCH);
    REFUSED(tsr_get(array, NULL, &value), TSR_ERR_VALUE);
    REFUSED(tsr_get(array, TSR_SHAPE(0, 0), NULL), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_get(NULL, TSR_SHAPE(0, 0), &value), TSR_ERR_VALUE);
    check_get(array, TSR_SHAPE(0, 0), global);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_array_destroy(&empty));
    free(global);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gather_every_layout),
        cmocka_unit_test(gather_every_type),
        cmocka_unit_test(G_1_G_2_gather_and_local_index),
        cmocka_unit_test(get_every_cell),
        cmocka_unit_test(get_every_type),
        cmocka_unit_test(gather_errors),
        cmocka_unit_test(other_arrays),
        cmocka_unit_test(get_errors),
    };
    return TSRT_RUN(argc, argv, tests);
}
