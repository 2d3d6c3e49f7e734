/* ranks: 1 2 3 */
/* Labelled arrays and time series, as xarray, ncdump and h5dump see them, and parts of them. */
#include "support/file_cases.h"
#include "support/harness.h"

#include <math.h>
#include <stdio.h>

static const double x_values[5] = {0, 0.5, 1, 1.5, 2}, z_values[4] = {0, 1, 2, 3};

/* ---- labels ---------------------------------------------------------------------------------- */

static void save_labelled(void)
{
    tsr_named_array arrays[3] = {{"rho", file_array(TSR_F64, 2, TSR_SHAPE(3, 5), 3)},
                                 {"t", file_array(TSR_I32, 1, TSR_SHAPE(5), 1)},
                                 {"fields/phi", file_array(TSR_F64, 2, TSR_SHAPE(2, 4), 0)}};
    tsr_attributes level = {0}, title = {0};

    CHECK_OK(tsr_attributes_set(&level, "level", tsr_i64(3)));
    CHECK_OK(tsr_attributes_set_text(&title, "title", "labels"));
    const tsr_labels labels[3] = {
        {2, (tsr_axis_label[]){{.name = "y"}, {"x", 5, x_values, "m"}}, "kg m-3", &level},
        {1, (tsr_axis_label[]){{.name = "x"}}, NULL, NULL},
        {2, (tsr_axis_label[]){{.name = "z"}, {"x", 4, z_values, NULL}}, NULL, NULL}};
    CHECK_OK(tsr_save_hdf5_as(file_path("labelled.h5"), 3, arrays, &title,
                              &(tsr_hdf5_options){.labels = labels}));
    for (int i = 0; i < 3; ++i)
        CHECK_OK(tsr_array_destroy(&arrays[i].array));
    tsr_attributes_clear(&level);
    tsr_attributes_clear(&title);
}

/* ---- time series ----------------------------------------------------------------------------- */

static void append(const char *file, int record, int which, const tsr_hdf5_options *options)
{
    tsr_layout *point = NULL;
    tsr_array *u = file_array(TSR_I16, 2, TSR_SHAPE(4, 6), which), *number = NULL;
    const tsr_scalar value = tsr_i64(record);

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 0, NULL, NULL, &point));
    CHECK_OK(tsr_full(point, TSR_I64, value, &number));
    CHECK_OK(tsr_eval(u, "u + n", TSR_ARG(u), TSR_ARG_AS("n", record)));
    const tsr_named_array arrays[] = {{"u", u}, {"number", number}};
    CHECK_OK(tsr_append_hdf5(file_path(file), 2, arrays, 0.25 * record, options));
    CHECK_OK(tsr_array_destroy(&u));
    CHECK_OK(tsr_array_destroy(&number));
    CHECK_OK(tsr_layout_destroy(&point));
}

static void save_series(void)
{
    const tsr_labels labels[2] = {{2, (tsr_axis_label[]){{.name = "y"}, {.name = "x"}}, NULL, NULL},
                                  {0, NULL, NULL, NULL}};
    const tsr_hdf5_options options = {.labels = labels, .time_units = "s"};

    for (int record = 0; record < 3; ++record)
        append("series.h5", record, record, &options);
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* The record's cells are those of append(). */
static void check_record(const char *path, int64_t asked, int64_t record, double expected,
                         int which)
{
    const tsr_layout_options options = file_options(2, which);
    tsr_named_array u = {"u", NULL};
    tsr_array *expected_u = file_array(TSR_I16, 2, TSR_SHAPE(4, 6), (which + 1) % FILE_LAYOUTS);
    double time = -1;
    bool equal = false;

    CHECK_OK(tsr_eval(expected_u, "u + n", TSR_ARG_AS("u", expected_u), TSR_ARG_AS("n", record)));
    CHECK_OK(tsr_load_hdf5_record(path, TSR_COMM_WORLD, asked, &options, 1, &u, &time));
    CHECK_INT(tsr_array_dtype(u.array), TSR_I16);
    CHECK_DOUBLE(time, expected, 0);
    CHECK_OK(tsr_array_equal(u.array, expected_u, false, &equal));
    CHECK(equal);
    CHECK_OK(tsr_array_destroy(&u.array));
    CHECK_OK(tsr_array_destroy(&expected_u));
}

static void check_point(const char *path, int64_t record)
{
    tsr_named_array number = {"number", NULL};
    tsr_scalar value;

    CHECK_OK(tsr_load_hdf5_record(path, TSR_COMM_WORLD, record, NULL, 1, &number, NULL));
    CHECK_INT(tsr_array_ndim(number.array), 0);
    CHECK_OK(tsr_max(number.array, &value));
    CHECK_INT(value.as.i, record);
    CHECK_OK(tsr_array_destroy(&number.array));
}

/* Save a part of a dataset as h5py shall see it. */
static void save_slice(const char *file, const char *name, const int64_t *start,
                       const int64_t *shape, const char *npy)
{
    const tsr_layout_options options = {.halo = {1}, .allow_empty = true};
    tsr_array *part = NULL;

    CHECK_OK(
        tsr_load_hdf5_slice(file_path(file), TSR_COMM_WORLD, name, start, shape, &options, &part));
    CHECK_OK(tsr_save(file_path(npy), part));
    CHECK_OK(tsr_array_destroy(&part));
}

static void labels_series_and_parts_as_others_see_them(void **state)
{
    (void)state;
    save_labelled();
    save_series();
    CHECK_INT(temporaries(), 0);
    save_slice("labelled.h5", "rho", TSR_SHAPE(1, 2), TSR_SHAPE(2, 3), "rho.npy");
    save_slice("labelled.h5", "rho", TSR_SHAPE(3, 0), TSR_SHAPE(0, 5), "none.npy");
    save_slice("series.h5", "u", TSR_SHAPE(1, 0, 2), TSR_SHAPE(2, 4, 3), "u.npy");
    run_python("hdf5_labels.py .");
    for (int which = 0; which < FILE_LAYOUTS; ++which)
        for (int record = 0; record < 3; ++record) {
            check_record(file_path("series.h5"), record, record, 0.25 * record, which);
            check_record(file_path("series.h5"), record - 3, record, 0.25 * record, which);
            check_record(file_path("theirs.nc"), record, record, 10 + record, which);
        }
    check_record(file_path("bare.h5"), -1, 1, NAN, 2);
    check_point(file_path("series.h5"), 2);
}

/* An array that comes later has no chunks for the records before it, which are zeros. */
static void compressed_records_that_nobody_wrote(void **state)
{
    (void)state;
    const tsr_hdf5_options gzip = {.gzip = 1};
    tsr_array *u = file_array(TSR_U8, 2, TSR_SHAPE(4, 6), 0);
    tsr_named_array early = {"early", u}, late = {"late", u}, none = {"late", NULL};
    bool any = true;

    CHECK_OK(tsr_append_hdf5(file_path("gaps.h5"), 1, &early, 0, &gzip));
    CHECK_OK(tsr_append_hdf5(file_path("gaps.h5"), 1, &late, 1, &gzip));
    for (int which = 0; which < FILE_LAYOUTS; ++which) {
        const tsr_layout_options options = file_options(2, which);
        CHECK_OK(tsr_load_hdf5_record(file_path("gaps.h5"), TSR_COMM_WORLD, 0, &options, 1, &none,
                                      NULL));
        CHECK_OK(tsr_any(none.array, &any));
        CHECK(!any);
        CHECK_OK(tsr_array_destroy(&none.array));
    }
    CHECK_OK(tsr_array_destroy(&u));
}

static void attributes_that_hdf5_has_for_axes_are_refused(void **state)
{
    (void)state;
    tsr_named_array a = {"a", file_array(TSR_F32, 1, TSR_SHAPE(5), 0)};
    tsr_attributes attributes = {0};
    const tsr_labels labels = {.attributes = &attributes};

    CHECK_OK(tsr_attributes_set_text(&attributes, "CLASS", "first"));
    CHECK_STATUS(tsr_save_hdf5_as(file_path("class.h5"), 1, &a, NULL,
                                  &(tsr_hdf5_options){.labels = &labels}),
                 TSR_ERR_VALUE);
    CHECK_TEXT("an attribute of array 0 is named 'CLASS'");
    CHECK_INT(file_bytes(file_path("class.h5")), -1);
    tsr_attributes_clear(&attributes);
    CHECK_OK(tsr_array_destroy(&a.array));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_series_and_parts_as_others_see_them),
        cmocka_unit_test(compressed_records_that_nobody_wrote),
        cmocka_unit_test(attributes_that_hdf5_has_for_axes_are_refused),
    };
    return TSRT_RUN(argc, argv, tests);
}
