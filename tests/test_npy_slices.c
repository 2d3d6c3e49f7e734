/* ranks: 1 2 3 4 6 */
#include "support/file_cases.h"
#include "support/harness.h"

#include <stdio.h>

static const int64_t shape[] = {6, 5, 7}; /* of the files */

/* Boxes that tile the files, some of them empty. */
static const struct box {
    int64_t start[3], shape[3];
} boxes[] = {{{0, 0, 0}, {2, 5, 7}}, {{2, 0, 0}, {4, 2, 7}}, {{2, 2, 0}, {4, 3, 1}},
             {{2, 2, 1}, {3, 3, 6}}, {{5, 2, 1}, {1, 3, 6}}, {{6, 5, 7}, {0, 0, 0}},
             {{1, 1, 1}, {3, 0, 2}}};
enum { BOXES = sizeof boxes / sizeof boxes[0] };

/* The cells of this rank's block, one after another; whether there is one more. */
static bool next_cell(const tsr_view *v, int64_t *index)
{
    int a = v->ndim - 1;
    while (a >= 0 && ++index[a] == v->extent[a])
        index[a--] = 0;
    return a >= 0;
}

static void *element_at(const tsr_view *v, const int64_t *index)
{
    int64_t offset = 0;
    for (int a = 0; a < v->ndim; ++a)
        offset += index[a] * v->stride[a];
    return (char *)v->data + offset * (int64_t)tsr_dtype_size(v->dtype);
}

/* The number, in the file, of a cell of an array that starts at `start` there. */
static int64_t cell_in_file(const tsr_view *v, const int64_t *index, const int64_t *start)
{
    int64_t cell = 0;
    for (int a = 0; a < v->ndim; ++a)
        cell = cell * shape[a] + start[a] + v->start[a] + index[a];
    return cell;
}

static bool has_cells(const tsr_view *v)
{
    for (int a = 0; a < v->ndim; ++a)
        if (v->extent[a] == 0) return false;
    return v->data != NULL;
}

static void check_box(const tsr_array *array, const struct box *box)
{
    const tsr_view v = tsr_local(array);
    int64_t index[TSR_MAX_NDIM] = {0};
    unsigned char expected[16];

    for (int a = 0; a < 3; ++a)
        CHECK_INT(tsr_array_shape(array)[a], box->shape[a]);
    if (!has_cells(&v)) return;
    do {
        file_element(v.dtype, cell_in_file(&v, index, box->start), expected);
        CHECK(memcmp(element_at(&v, index), expected, tsr_dtype_size(v.dtype)) == 0);
    } while (next_cell(&v, index));
}

static tsr_array *box_array(tsr_dtype dtype, const struct box *box, int which)
{
    const tsr_layout_options options = file_options(3, which);
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    int64_t index[TSR_MAX_NDIM] = {0};

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 3, box->shape, &options, &layout));
    CHECK_OK(tsr_ones(layout, dtype, &array));
    CHECK_OK(tsr_layout_destroy(&layout));
    const tsr_view v = tsr_local(array);
    if (!has_cells(&v)) return array;
    do
        file_element(dtype, cell_in_file(&v, index, box->start), element_at(&v, index));
    while (next_cell(&v, index));
    return array;
}

/* NumPy makes files of zeros in every order of axes and bytes; boxes fill them, and NumPy finds its
 * own orders and our values.  Then each box is read. */
static void boxes_of_a_file(void **state)
{
    (void)state;
    file_entry e;

    run_python("npy.py blank .");
    FILE *list = fopen(file_path("list"), "r");
    CHECK(list != NULL);
    for (int which = 0; file_next_entry(list, &e); which = (which + 1) % FILE_LAYOUTS)
        for (int i = 0; i < BOXES; ++i) {
            tsr_array *a = box_array(e.dtype, &boxes[i], which);
            CHECK_OK(tsr_save_slice(file_path(e.name), a, boxes[i].start));
            CHECK_OK(tsr_array_destroy(&a));
        }
    run_python("npy.py same .");
    rewind(list);
    for (int which = 1; file_next_entry(list, &e); which = (which + 1) % FILE_LAYOUTS)
        for (int i = 0; i < BOXES; ++i) {
            const tsr_layout_options options = file_options(3, which);
            tsr_array *a = NULL;
            CHECK_OK(tsr_load_slice(file_path(e.name), TSR_COMM_WORLD, boxes[i].start,
                                    boxes[i].shape, &options, &a));
            check_box(a, &boxes[i]);
            CHECK_OK(tsr_array_destroy(&a));
        }
    fclose(list);
}

static void zero_axes(void **state)
{
    (void)state;
    tsr_array *a = file_array(TSR_I64, 0, NULL, 4), *b = NULL;
    CHECK_OK(tsr_save(file_path("point.npy"), a));
    CHECK_OK(tsr_save_slice(file_path("point.npy"), a, NULL));
    CHECK_OK(tsr_load_slice(file_path("point.npy"), TSR_COMM_WORLD, NULL, NULL, NULL, &b));
    file_check(b);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
}

/* Only when asked: another type, and a layout that exists. */
static void load_as_converts(void **state)
{
    (void)state;
    for (int which = 0; which < FILE_LAYOUTS; ++which) {
        tsr_array *a = file_array(TSR_I16, 3, shape, which), *b = NULL, *c = NULL;
        tsr_array *same = file_array(TSR_F32, 3, shape, (which + 1) % FILE_LAYOUTS);
        tsr_layout *layout = tsr_array_layout(same);
        bool equal = false;

        CHECK_OK(tsr_save(file_path("a.npy"), a));
        CHECK_OK(tsr_load_as(file_path("a.npy"), layout, TSR_AUTO, &b));
        CHECK_INT(tsr_array_dtype(b), TSR_I16);
        CHECK(tsr_array_layout(b) == layout);
        file_check(b);
        CHECK_OK(tsr_load_as(file_path("a.npy"), layout, TSR_F64, &c));
        CHECK_INT(tsr_array_dtype(c), TSR_F64);
        CHECK_OK(tsr_array_equal(b, c, false, &equal));
        CHECK(equal);
        CHECK_OK(tsr_array_destroy(&a));
        CHECK_OK(tsr_array_destroy(&b));
        CHECK_OK(tsr_array_destroy(&c));
        CHECK_OK(tsr_array_destroy(&same));
    }
}

static void check_slice_refused(const int64_t *start, const int64_t *lengths, tsr_status expected,
                                const char *text)
{
    tsr_array *a = (tsr_array *)&expected; /* to be set to NULL */
    const tsr_status st =
        tsr_load_slice(file_path("a.npy"), TSR_COMM_WORLD, start, lengths, NULL, &a);
    CHECK_SAME_ON_ALL(st);
    CHECK_STATUS(st, expected);
    CHECK_TEXT(text);
    CHECK(a == NULL);
}

static void wrong_arguments(void **state)
{
    (void)state;
    const bool last = tsrt_rank() == tsrt_size() - 1;
    tsr_array *a = file_array(TSR_F64, 2, TSR_SHAPE(8, 9), 0), *b = NULL;
    tsr_array *flat = file_array(TSR_F64, 1, TSR_SHAPE(72), 0);
    tsr_array *other = file_array(TSR_F32, 2, TSR_SHAPE(8, 9), 0);

    CHECK_OK(tsr_save(file_path("a.npy"), a));
    check_slice_refused(TSR_SHAPE(0, 1), TSR_SHAPE(8, 9), TSR_ERR_INDEX,
                        "axis 1: 9 cells from 1 on are asked");
    check_slice_refused(TSR_SHAPE(9, 0), TSR_SHAPE(0, 9), TSR_ERR_INDEX, "axis 0");
    check_slice_refused(TSR_SHAPE(-1, 0), TSR_SHAPE(8, 9), TSR_ERR_INDEX, "axis 0");
    check_slice_refused(TSR_SHAPE(0, INT64_MAX), TSR_SHAPE(8, 9), TSR_ERR_INDEX, "axis 1");
    check_slice_refused(TSR_SHAPE(0, 0), TSR_SHAPE(8, -1), TSR_ERR_VALUE, "shape[1] is -1");
    check_slice_refused(last ? NULL : TSR_SHAPE(0, 0), TSR_SHAPE(8, 9), TSR_ERR_VALUE, "start");
    check_slice_refused(TSR_SHAPE(0, 0), last ? NULL : TSR_SHAPE(8, 9), TSR_ERR_VALUE, "shape");
    if (tsrt_size() > 1)
        check_slice_refused(last ? TSR_SHAPE(0, 0) : TSR_SHAPE(1, 0), TSR_SHAPE(7, 9),
                            TSR_ERR_MISMATCH, "");

    CHECK_STATUS(tsr_save_slice(file_path("a.npy"), flat, TSR_SHAPE(0)), TSR_ERR_VALUE);
    CHECK_TEXT("2 axes, the array 1");
    CHECK_STATUS(tsr_save_slice(file_path("a.npy"), other, TSR_SHAPE(0, 0)), TSR_ERR_TYPE);
    CHECK_STATUS(tsr_save_slice(file_path("a.npy"), a, TSR_SHAPE(1, 0)), TSR_ERR_INDEX);
    CHECK_STATUS(tsr_save_slice(file_path("none.npy"), a, TSR_SHAPE(0, 0)), TSR_ERR_IO);
    CHECK_STATUS(tsr_save_slice(file_path("a.npy"), NULL, TSR_SHAPE(0, 0)), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_save_slice(last ? NULL : file_path("a.npy"), a, TSR_SHAPE(0, 0)),
                 TSR_ERR_VALUE);
    CHECK_STATUS(tsr_load_as(file_path("a.npy"), tsr_array_layout(flat), TSR_AUTO, &b),
                 TSR_ERR_VALUE);
    CHECK_STATUS(tsr_load_as(file_path("a.npy"), NULL, TSR_AUTO, &b), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_load_as(file_path("a.npy"), tsr_array_layout(a), (tsr_dtype)99, &b),
                 TSR_ERR_TYPE);
    CHECK(b == NULL);
    CHECK_OK(tsr_load(file_path("a.npy"), TSR_COMM_WORLD, NULL, &b));
    file_check(b);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_array_destroy(&flat));
    CHECK_OK(tsr_array_destroy(&other));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_of_a_file),
        cmocka_unit_test(zero_axes),
        cmocka_unit_test(load_as_converts),
        cmocka_unit_test(wrong_arguments),
    };
    return TSRT_RUN(argc, argv, tests);
}
