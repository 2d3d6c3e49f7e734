/* files FOLDER: save the same arrays in every kind of file, whatever the ranks and the MPI. */
#include <tessera.h>

#include <stdio.h>

enum { RECORDS = 3 };

/* FOLDER/name */
static const char *in_folder(const char *folder, const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static tsr_array *make(int ndim, const int64_t *shape, tsr_axes split, tsr_dtype dtype,
                       const char *text)
{
    const tsr_layout_options options = {.split = split, .halo = {1}, .allow_empty = true};
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;

    TSR_CHECK(tsr_layout_create(TSR_COMM_WORLD, ndim, shape, &options, &layout));
    TSR_CHECK(tsr_zeros(layout, dtype, &array));
    TSR_CHECK(tsr_eval(array, text));
    TSR_CHECK(tsr_layout_destroy(&layout));
    return array;
}

int main(int argc, char **argv)
{
    TSR_CHECK(tsr_init(&argc, &argv));
    if (argc != 2) return 2;
    tsr_array *rho = make(2, TSR_SHAPE(37, 11), TSR_AXES(0, 1), TSR_F64, "0.5*i0 - i1*i1");
    tsr_array *ids = make(1, TSR_SHAPE(23), TSR_AXES(0), TSR_I32, "7*i0 % 13");
    const tsr_named_array arrays[] = {{"rho", rho}, {"deep/er/ids", ids}};
    const tsr_labels labels[] = {
        {2, (tsr_axis_label[]){{.name = "y"}, {.name = "x"}}, "kg m-3", NULL},
        {0, NULL, NULL, NULL}};
    const struct {
        const char *name;
        tsr_hdf5_options options;
    } ways[] = {{"plain.h5", {.gzip = 0}},
                {"labelled.h5", {.labels = labels}},
                {"chunked.h5", {.chunk = {5, 4}}},
                {"gzip.h5", {.gzip = 4, .chunk = {8, 11}}}};

    TSR_CHECK(tsr_save(in_folder(argv[1], "rho.npy"), rho));
    TSR_CHECK(tsr_save(in_folder(argv[1], "ids.npy"), ids));
    TSR_CHECK(tsr_checkpoint_save(in_folder(argv[1], "checkpoint.h5"), 2, arrays, NULL));
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i)
        TSR_CHECK(
            tsr_save_hdf5_as(in_folder(argv[1], ways[i].name), 2, arrays, NULL, &ways[i].options));
    for (int record = 0; record < RECORDS; ++record)
        TSR_CHECK(tsr_append_hdf5(in_folder(argv[1], "series.h5"), 2, arrays, record, NULL));
    TSR_CHECK(tsr_array_destroy(&rho));
    TSR_CHECK(tsr_array_destroy(&ids));
    return tsr_finalize();
}
