/* ranks: 1 2 3 4 6 8 */
#include "support/file_cases.h"
#include "support/harness.h"

#include <stdio.h>

static void check_loaded(const char *path, const file_entry *e, int which)
{
    const tsr_layout_options options = file_options(e->ndim, which);
    tsr_array *a = NULL;

    CHECK_OK(tsr_load(path, TSR_COMM_WORLD, &options, &a));
    CHECK_INT(tsr_array_dtype(a), e->dtype);
    CHECK_INT(tsr_array_ndim(a), e->ndim);
    for (int axis = 0; axis < e->ndim; ++axis)
        CHECK_INT(tsr_array_shape(a)[axis], e->shape[axis]);
    file_check(a);
    CHECK_OK(tsr_array_destroy(&a));
}

/* All types in both orders of bytes and of axes, versions 1 to 3, shapes with and without axes and
 * cells. */
static void F_8_what_numpy_writes_is_read(void **state)
{
    (void)state;
    file_entry e;
    int files = 0;

    run_python("npy.py write .");
    FILE *list = fopen(file_path("list"), "r");
    CHECK(list != NULL);
    for (; file_next_entry(list, &e); ++files)
        for (int which = 0; which < FILE_LAYOUTS; ++which)
            check_loaded(file_path(e.name), &e, which);
    fclose(list);
    CHECK(files > 80);
}

static void save(FILE *list, tsr_dtype dtype, int ndim, const int64_t *shape, int which)
{
    static int number = 0;
    tsr_array *a = file_array(dtype, ndim, shape, which);
    char name[64];

    snprintf(name, sizeof name, "saved%d.npy", number++);
    CHECK_OK(tsr_save(file_path(name), a));
    CHECK_OK(tsr_array_destroy(&a));
    if (list == NULL) return;
    fprintf(list, "%s %s", name, tsr_dtype_name(dtype));
    for (int axis = 0; axis < ndim; ++axis)
        fprintf(list, " %lld", (long long)shape[axis]);
    fputc('\n', list);
}

/* The expected bytes do not depend on ranks and layout, so those of the files do not. */
static void F_1_F_2_F_3_F_4_F_6_F_9_files_are_numpys_byte_for_byte(void **state)
{
    (void)state;
    static const struct {
        tsr_dtype dtype;
        int ndim;
        int64_t shape[5];
    } cases[] = {
        {TSR_F64, 2, {4, 3}},      {TSR_I32, 1, {10}},        {TSR_BOOL, 2, {5, 0}},
        {TSR_U8, 1, {7}},          {TSR_F64, 0, {0}},         {TSR_F32, 1, {0}},
        {TSR_C128, 3, {4, 0, 3}},  {TSR_I16, 3, {3, 5, 4}},   {TSR_C64, 4, {2, 3, 1, 9}},
        {TSR_U64, 2, {1, 1}},      {TSR_I64, 2, {123456, 1}}, {TSR_F64, 5, {2, 2, 3, 2, 5}},
        {TSR_F64, 2, {3, 300000}},
    };
    FILE *list = tsrt_rank() == 0 ? fopen(file_path("saved"), "w") : NULL;
    CHECK(tsrt_rank() != 0 || list != NULL);

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        for (int which = 0; which < FILE_LAYOUTS; ++which)
            save(list, cases[i].dtype, cases[i].ndim, cases[i].shape, which);
    for (tsr_dtype dtype = TSR_BOOL; dtype < TSR_DTYPE_END; ++dtype)
        for (int which = 0; which < FILE_LAYOUTS; ++which)
            save(list, dtype, 2, TSR_SHAPE(9, 8), which);
    if (list != NULL) fclose(list);
    CHECK_INT(temporaries(), 0);
    run_python("npy.py check .");
}

static void T_6_a_field_loaded_with_another_split_and_halo(void **state)
{
    (void)state;
    const tsr_layout_options saved = {.split = TSR_AXES(0), .allow_empty = true},
                             loaded = {.split = TSR_AXES(1), .halo = {1, 1}, .allow_empty = true};
    tsr_layout *layout = NULL;
    tsr_array *w = NULL, *v = NULL;
    bool equal = false;

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(96, 96), &saved, &layout));
    CHECK_OK(tsr_zeros(layout, TSR_F64, &w));
    CHECK_OK(tsr_eval(w, "sin(2*pi*i0/96) * cos(4*pi*i1/96) + i0/96"));
    CHECK_OK(tsr_save(file_path("w.npy"), w));
    CHECK_OK(tsr_load(file_path("w.npy"), TSR_COMM_WORLD, &loaded, &v));
    CHECK_INT(tsr_layout_split(tsr_array_layout(v)), TSR_AXES(1));
    CHECK_INT(tsr_local(v).halo_lo[0] + tsr_local(v).halo_hi[1], 2);
    CHECK_OK(tsr_array_equal(v, w, false, &equal));
    CHECK(equal);
    run_python("npy.py field w.npy");
    CHECK_OK(tsr_array_destroy(&w));
    CHECK_OK(tsr_array_destroy(&v));
    CHECK_OK(tsr_layout_destroy(&layout));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(F_8_what_numpy_writes_is_read),
        cmocka_unit_test(F_1_F_2_F_3_F_4_F_6_F_9_files_are_numpys_byte_for_byte),
        cmocka_unit_test(T_6_a_field_loaded_with_another_split_and_halo),
    };
    return TSRT_RUN(argc, argv, tests);
}
