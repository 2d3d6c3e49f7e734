/* ranks: 1 2 3 4 6 8 */
#include "support/cells.h"

#include <stdio.h>

/* The value of a cell made from its global index, told apart in every place. */
static double code_of(int ndim, const int64_t *index)
{
    double code = 0;

    for (int a = 0; a < ndim; ++a)
        code = 100 * code + (double)index[a];
    return code;
}

static void check_codes(const tsr_array *array)
{
    const tsr_view view = tsr_local(array);
    int64_t local[TSR_MAX_NDIM], index[TSR_MAX_NDIM];

    for (int64_t k = 0; k < stored_cells(&view); ++k) {
        const bool owned = stored_cell(&view, k, local);
        for (int a = 0; a < view.ndim; ++a)
            index[a] = view.start[a] + local[a];
        CHECK_DOUBLE(cell_value(&view, local), owned ? code_of(view.ndim, index) : 0, 0);
    }
}

/* ---- from a function ------------------------------------------------------------------------- */

typedef struct calls {
    int ndim;
    int64_t rows, cells;
} calls;

static tsr_status write_codes(const int64_t *index, int64_t count, void *values, void *ctx)
{
    calls *c = ctx;
    double *out = values;
    int64_t at[TSR_MAX_NDIM];

    if (c->ndim > 0) memcpy(at, index, (size_t)c->ndim * sizeof at[0]);
    for (int64_t k = 0; k < count; ++k) {
        out[k] = code_of(c->ndim, at);
        if (c->ndim > 0) ++at[c->ndim - 1];
    }
    c->rows += 1;
    c->cells += count;
    return TSR_OK;
}

static tsr_status write_10i_plus_j(const int64_t *index, int64_t count, void *values, void *ctx)
{
    (void)ctx;
    for (int64_t k = 0; k < count; ++k)
        ((int64_t *)values)[k] = 10 * index[0] + index[1] + k;
    return TSR_OK;
}

static void C_22_fromfunction(void **state)
{
    const bool fits = tsrt_size() <= 4;
    tsr_layout *layout =
        make_layout(2, TSR_SHAPE(4, 3), &(tsr_layout_options){.allow_empty = !fits});
    tsr_array *array = NULL;

    (void)state;
    CHECK_OK(tsr_fromfunction(layout, TSR_I64, write_10i_plus_j, NULL, &array));
    const tsr_view view = tsr_local(array);
    for (int64_t i = 0; i < view.extent[0]; ++i)
        for (int64_t j = 0; j < view.extent[1]; ++j)
            CHECK_INT(TSR_AT(int64_t, view, i, j), 10 * (view.start[0] + i) + j);
    if (tsrt_size() == 2 && tsrt_rank() == 1) {
        CHECK_INT(TSR_AT(int64_t, view, 0, 0), 20);
        CHECK_INT(TSR_AT(int64_t, view, 1, 2), 32);
    }
    tsr_array_destroy(&array);
    tsr_layout_destroy(&layout);
}

static tsr_status write_seven(const int64_t *index, int64_t count, void *values, void *ctx)
{
    (void)index;
    CHECK_INT(count, 1);
    *(float *)values = 7;
    ++*(int *)ctx;
    return TSR_OK;
}

static void C_23_fromfunction_without_axes(void **state)
{
    tsr_layout *layout = make_layout(0, NULL, NULL);
    tsr_array *array = NULL;
    int called = 0;

    (void)state;
    CHECK_OK(tsr_fromfunction(layout, TSR_F32, write_seven, &called, &array));
    CHECK_INT(called, 1);
    CHECK_DOUBLE(*(float *)tsr_local(array).data, 7, 0);
    tsr_array_destroy(&array);
    tsr_layout_destroy(&layout);
}

/* Each row of the block once, halo cells 0, on every grid of up to four axes. */
static void fromfunction_calls_each_row_once(void **state)
{
    (void)state;
    for (int ndim = 1; ndim <= 4; ++ndim) {
        const int64_t lo[] = {1, 2, 0, 1}, hi[] = {0, 1, 3, 1};
        tsr_layout_options options = {.split = ((tsr_axes)1 << ndim) - 1, .allow_empty = true};
        memcpy(options.halo_lo, lo, (size_t)ndim * sizeof lo[0]);
        memcpy(options.halo_hi, hi, (size_t)ndim * sizeof hi[0]);
        tsr_layout *layout = make_layout(ndim, TSR_SHAPE(9, 8, 8, 8), &options);
        calls c = {.ndim = ndim};
        tsr_array *array = NULL;
        CHECK_OK(tsr_fromfunction(layout, TSR_F64, write_codes, &c, &array));
        check_codes(array);
        const tsr_view view = tsr_local(array);
        int64_t cells = 1;
        for (int a = 0; a < ndim; ++a)
            cells *= view.extent[a];
        CHECK_INT(c.cells, cells);
        if (cells > 0) CHECK_INT(c.rows, cells / view.extent[ndim - 1]);
        tsr_array_destroy(&array);
        tsr_layout_destroy(&layout);
    }
}

typedef struct failure {
    int rank;
    tsr_status status;
    bool text;
} failure;

static tsr_status fail_late(const int64_t *index, int64_t count, void *values, void *ctx)
{
    const failure *f = ctx;
    int64_t length;

    memset(values, 0, (size_t)count);
    if (tsrt_rank() != f->rank || index[1] != 2) return TSR_OK;
    if (f->text) (void)!tsr_array_length(NULL, &length);
    return f->status;
}

static void fromfunction_fails_alike_everywhere(void **state)
{
    tsr_layout *layout = make_layout(3, TSR_SHAPE(8, 4, 3), NULL);

    (void)state;
    for (int rank = 0; rank < tsrt_size(); ++rank)
        for (int text = 0; text < 2; ++text) {
            failure f = {.rank = rank, .status = TSR_ERR_IO, .text = text != 0};
            tsr_array *array = (tsr_array *)&array;
            char where[64];
            int64_t start[3];
            CHECK_OK(tsr_layout_block(layout, rank, start, NULL));
            CHECK_STATUS(tsr_fromfunction(layout, TSR_I8, fail_late, &f, &array), TSR_ERR_IO);
            CHECK(array == NULL);
            check_same_text();
            snprintf(where, sizeof where, "for the row at (%d,2,0)", (int)start[0]);
            CHECK_TEXT(text ? "array is NULL" : where);
            snprintf(where, sizeof where, "rank %d", rank);
            if (tsrt_size() > 1) CHECK_TEXT(where);
        }
    failure f = {.rank = tsrt_size() - 1, .status = -1};
    tsr_array *array = NULL;
    CHECK_STATUS(tsr_fromfunction(layout, TSR_I8, fail_late, &f, &array), TSR_ERR_VALUE);
    CHECK_TEXT("status -1");
    f.status = 1000;
    CHECK_STATUS(tsr_fromfunction(layout, TSR_I8, fail_late, &f, &array), 1000);
    CHECK_TEXT("status 1000");
    CHECK(array == NULL);
    tsr_layout_destroy(&layout);
}

/* ---- from a global array --------------------------------------------------------------------- */

static void C_1_C_2_from_global(void **state)
{
    static const int64_t data[] = {1, 2, 3, 4};
    tsr_layout *layout = make_layout(1, TSR_SHAPE(4), &(tsr_layout_options){.allow_empty = true});
    tsr_array *array = NULL;

    (void)state;
    CHECK_OK(tsr_from_global(layout, TSR_I64, data, NULL, &array));
    const tsr_view view = tsr_local(array);
    if (tsrt_size() == 2) CHECK_INT(view.extent[0], 2);
    if (tsrt_size() == 4) CHECK_INT(view.extent[0], 1);
    if (tsrt_size() == 2) CHECK_INT(view.start[0], 2 * tsrt_rank());
    for (int64_t i = 0; i < view.extent[0]; ++i)
        CHECK_INT(TSR_AT(int64_t, view, i), data[view.start[0] + i]);
    tsr_array_destroy(&array);
    tsr_layout_destroy(&layout);
}

/* C order, Fortran order, from the end backwards, one row for all: what counts is the content. */
static void from_global_with_any_strides(void **state)
{
    enum { ROWS = 9, COLS = 8 };
    const struct {
        int64_t stride[2], first;
    } cases[] = {
        {{COLS, 1}, 0},
        {{1, ROWS}, 0},
        {{-COLS, -1}, ROWS * COLS - 1},
        {{2 * COLS, 2}, 1},
        {{-1, 2 * ROWS}, ROWS - 1},
    };
    tsr_layout *layout =
        make_layout(2, TSR_SHAPE(ROWS, COLS),
                    &(tsr_layout_options){.split = TSR_AXES(0, 1), .halo = {1, 1}, .halo_lo = {0}});
    double data[4 * ROWS * COLS];

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        tsr_array *array = NULL;
        for (int64_t i = 0; i < ROWS; ++i)
            for (int64_t j = 0; j < COLS; ++j)
                data[cases[c].first + i * cases[c].stride[0] + j * cases[c].stride[1]] =
                    code_of(2, TSR_SHAPE(i, j));
        CHECK_OK(tsr_from_global(layout, TSR_F64, data + cases[c].first, cases[c].stride, &array));
        check_codes(array);
        tsr_array_destroy(&array);
        CHECK_OK(tsr_from_global(layout, TSR_F64, data, c == 0 ? NULL : TSR_SHAPE(0, 0), &array));
        const tsr_view view = tsr_local(array);
        if (c == 0) check_codes(array);
        if (c != 0) CHECK_DOUBLE(TSR_AT(double, view, 0, 0), data[0], 0);
        tsr_array_destroy(&array);
    }
    tsr_layout_destroy(&layout);
}

/* The bytes are taken as they are, whatever the type. */
static void from_global_of_every_type(void **state)
{
    enum { N = 11 };
    unsigned char data[N * 16];
    tsr_layout *layout = make_layout(1, TSR_SHAPE(N), &(tsr_layout_options){.halo = {1}});

    (void)state;
    for (int t = TSR_AUTO + 1; t < TSR_DTYPE_END; ++t) {
        const size_t size = tsr_dtype_size((tsr_dtype)t);
        tsr_array *array = NULL;
        for (size_t i = 0; i < sizeof data; ++i)
            data[i] = t == TSR_BOOL ? i % 3 == 0 : (unsigned char)(i * 37 + 11);
        CHECK_OK(tsr_from_global(layout, (tsr_dtype)t, data, NULL, &array));
        const tsr_view view = tsr_local(array);
        CHECK(memcmp(view.data, data + (size_t)view.start[0] * size,
                     (size_t)view.extent[0] * size) == 0);
        tsr_array_destroy(&array);
    }
    tsr_layout_destroy(&layout);
}

static void from_global_without_data(void **state)
{
    tsr_layout *layout = make_layout(1, TSR_SHAPE(8), NULL);
    tsr_layout *empty = make_layout(1, TSR_SHAPE(0), &(tsr_layout_options){.split = TSR_WHOLE});
    tsr_array *array = (tsr_array *)&array;
    const double data[8] = {0};

    (void)state;
    CHECK_STATUS(tsr_from_global(layout, TSR_F64, NULL, NULL, &array), TSR_ERR_VALUE);
    CHECK_TEXT("data is NULL");
    CHECK(array == NULL);
    for (int rank = 0; rank < tsrt_size(); ++rank) {
        CHECK_STATUS(
            tsr_from_global(layout, TSR_F64, tsrt_rank() == rank ? NULL : data, NULL, &array),
            TSR_ERR_VALUE);
        check_same_text();
    }
    CHECK_OK(tsr_from_global(empty, TSR_F64, NULL, NULL, &array));
    CHECK_INT(tsr_array_cells(array), 0);
    tsr_array_destroy(&array);
    tsr_layout_destroy(&layout);
    tsr_layout_destroy(&empty);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C_22_fromfunction),
        cmocka_unit_test(C_23_fromfunction_without_axes),
        cmocka_unit_test(fromfunction_calls_each_row_once),
        cmocka_unit_test(fromfunction_fails_alike_everywhere),
        cmocka_unit_test(C_1_C_2_from_global),
        cmocka_unit_test(from_global_with_any_strides),
        cmocka_unit_test(from_global_of_every_type),
        cmocka_unit_test(from_global_without_data),
    };
    return TSRT_RUN(argc, argv, tests);
}
