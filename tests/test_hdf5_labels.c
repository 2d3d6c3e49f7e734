/* ranks: 1 3 */
/* Labelled arrays and time series, as xarray, ncdump and h5dump see them. */
#include "support/file_cases.h"
#include "support/harness.h"

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

static void xarray_and_ncdump_read_labels_and_series(void **state)
{
    (void)state;
    save_labelled();
    save_series();
    CHECK_INT(temporaries(), 0);
    run_python("hdf5_labels.py .");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xarray_and_ncdump_read_labels_and_series),
    };
    return TSRT_RUN(argc, argv, tests);
}
