/* ranks: 1 2 3 4 6 */
/* HDF5 files that h5py reads, and those it writes; the same file for every rank count. */
#include "support/file_cases.h"
#include "support/harness.h"

#include <stdio.h>

/* The attributes that tests/oracle/hdf5.py expects. */
static tsr_attributes some_attributes(void)
{
    tsr_attributes a = {0};

    CHECK_OK(tsr_attributes_set(&a, "step", tsr_i64(6)));
    CHECK_OK(tsr_attributes_set(&a, "step", tsr_i64(7)));
    CHECK_OK(tsr_attributes_set(&a, "dt", tsr_f64(0.5)));
    CHECK_OK(tsr_attributes_set(&a, "on", tsr_bool(true)));
    CHECK_OK(tsr_attributes_set(&a, "z", tsr_c128(1, -2)));
    CHECK_OK(tsr_attributes_set(&a, "tiny", tsr_u8(255)));
    CHECK_OK(tsr_attributes_set_text(&a, "name", "run \xce\xb1"));
    CHECK_OK(tsr_attributes_set_text(&a, "empty", ""));
    CHECK_OK(tsr_attributes_set_values(&a, "list", TSR_F64, 3, (double[]){1.5, 2.5, 4}));
    CHECK_OK(tsr_attributes_set_values(&a, "none", TSR_I32, 0, NULL));
    return a;
}

/* ---- lists of what is in files --------------------------------------------------------------- */

typedef struct entry {
    char file[64], name[128];
    tsr_dtype dtype;
    int ndim;
    int64_t shape[TSR_MAX_NDIM];
} entry;

static bool next_entry(FILE *list, entry *e)
{
    char line[512];
    if (fgets(line, sizeof line, list) == NULL) return false;
    const char *file = strtok(line, " \n"), *name = strtok(NULL, " \n");
    const char *dtype = strtok(NULL, " \n");
    CHECK(file != NULL && name != NULL && dtype != NULL);
    snprintf(e->file, sizeof e->file, "%s", file);
    snprintf(e->name, sizeof e->name, "%s", name);
    e->dtype = dtype_named(dtype);
    e->ndim = 0;
    for (const char *length; (length = strtok(NULL, " \n")) != NULL;)
        e->shape[e->ndim++] = strtoll(length, NULL, 10);
    return true;
}

static void put_entry(FILE *list, const char *file, const char *name, const tsr_array *array)
{
    if (list == NULL) return;
    fprintf(list, "%s %s %s", file, name, tsr_dtype_name(tsr_array_dtype(array)));
    for (int axis = 0; axis < tsr_array_ndim(array); ++axis)
        fprintf(list, " %lld", (long long)tsr_array_shape(array)[axis]);
    fputc('\n', list);
}

/* ---- saving ---------------------------------------------------------------------------------- */

static const struct shape {
    int ndim;
    int64_t lengths[4];
} shapes[] = {{0, {0}}, {1, {0}}, {2, {0, 4}}, {1, {1}}, {1, {5}}, {2, {3, 4}}, {4, {2, 3, 4, 5}}};
enum { SHAPES = sizeof shapes / sizeof shapes[0], MOST = SHAPES * TSR_DTYPE_END };

/* Arrays of every type and shape, in different layouts; with `few` some of those with most cells.
 */
static int many_arrays(tsr_named_array *arrays, char names[][64], int which, bool few)
{
    int n = 0;

    for (tsr_dtype dtype = TSR_BOOL; dtype < TSR_DTYPE_END; dtype += few ? 4 : 1)
        for (int s = few ? SHAPES - 2 : 0; s < SHAPES; ++s, ++n) {
            snprintf(names[n], 64, "%s/of/shape%d", tsr_dtype_name(dtype), s);
            arrays[n].name = names[n];
            arrays[n].array =
                file_array(dtype, shapes[s].ndim, shapes[s].lengths, (which + n) % FILE_LAYOUTS);
        }
    return n;
}

static void destroy_arrays(int n, tsr_named_array *arrays)
{
    for (int i = 0; i < n; ++i)
        CHECK_OK(tsr_array_destroy(&arrays[i].array));
}

static void check_array(const tsr_array *a, const entry *e)
{
    CHECK_INT(tsr_array_dtype(a), e->dtype);
    CHECK_INT(tsr_array_ndim(a), e->ndim);
    for (int axis = 0; axis < e->ndim; ++axis)
        CHECK_INT(tsr_array_shape(a)[axis], e->shape[axis]);
    file_check(a);
}

static void check_loaded(const entry *e, int which)
{
    const tsr_layout_options options = file_options(e->ndim, which);
    tsr_named_array loaded = {e->name, NULL};

    CHECK_OK(tsr_load_hdf5(file_path(e->file), TSR_COMM_WORLD, &options, 1, &loaded, NULL));
    check_array(loaded.array, e);
    CHECK_OK(tsr_array_destroy(&loaded.array));
}

static void save_many(FILE *list, const char *file, const tsr_hdf5_options *options, int which)
{
    const bool few = options->gzip > 0 || options->chunk[0] > 0;
    static char names[MOST][64];
    tsr_named_array arrays[MOST];
    tsr_attributes attributes = some_attributes();
    const int n = many_arrays(arrays, names, which, few);

    CHECK_OK(tsr_save_hdf5_as(file_path(file), n, arrays, &attributes, options));
    for (int i = 0; i < n; ++i)
        put_entry(list, file, arrays[i].name, arrays[i].array);
    destroy_arrays(n, arrays);
    tsr_attributes_clear(&attributes);
}

/* Cells that are in no place where this library could read them are not taken for others. */
static void what_cannot_be_read_is_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"elsewhere", "is a link to nothing, or to another"},
                                           {"nowhere", "is a link to nothing"},
                                           {"round", "round in links"},
                                           {"a/b", "'a/b' goes through what is no group"},
                                           {"virtual", "is a virtual dataset"},
                                           {"lzf", "needs the filter 32000 ('lzf')"}};

    for (int i = 0; i < 6; ++i) {
        tsr_named_array a = {cases[i][0], NULL};
        CHECK_STATUS(tsr_load_hdf5(file_path("odd.h5"), TSR_COMM_WORLD, NULL, 1, &a, NULL),
                     i < 4 ? TSR_ERR_IO : TSR_ERR_UNSUPPORTED);
        CHECK_TEXT(cases[i][1]);
    }
}

static void every_type_and_shape_goes_to_h5py_and_back(void **state)
{
    (void)state;
    const tsr_hdf5_options plain = {.gzip = 0}, small = {.chunk = {2, 3, 1, 2}}, gzip = {.gzip = 4},
                           both = {.gzip = 1, .chunk = {1, 4, 2, 2}}, rows = {.chunk = {2}};
    FILE *list = tsrt_rank() == 0 ? fopen(file_path("saved"), "w") : NULL;
    entry e;
    int loaded = 0;

    save_many(list, "plain.h5", &plain, 0);
    save_many(list, "chunked.h5", &small, 1);
    save_many(list, "gzip.h5", &gzip, 2);
    save_many(list, "both.h5", &both, 3);
    save_many(list, "rows.h5", &rows, 4);
    if (list != NULL) CHECK(fclose(list) == 0);
    CHECK_INT(temporaries(), 0);
    run_python("hdf5.py .");

    FILE *theirs = fopen(file_path("theirs"), "r");
    CHECK(theirs != NULL);
    for (; next_entry(theirs, &e); ++loaded)
        check_loaded(&e, loaded % FILE_LAYOUTS);
    fclose(theirs);
    CHECK(loaded > 100);
    list = fopen(file_path("saved"), "r");
    CHECK(list != NULL);
    for (loaded = 0; next_entry(list, &e); ++loaded)
        if (loaded % 3 == 0) check_loaded(&e, (loaded / 3 + 1) % FILE_LAYOUTS);
    fclose(list);
}

/* ---- the same file for every rank count ------------------------------------------------------ */

static bool same_bytes(const char *one, const char *other)
{
    FILE *a = fopen(one, "rb"), *b = fopen(other, "rb");
    bool same = a != NULL && b != NULL;

    for (int c = 0; same && c != EOF;) {
        c = getc(a);
        same = c == getc(b);
    }
    CHECK(a != NULL && fclose(a) == 0 && b != NULL && fclose(b) == 0);
    return same;
}

/* What all ranks save together is what one saves alone: cell for cell by h5diff, and byte for byte
 * unless chunks are compressed. */
static void files_do_not_depend_on_ranks(void **state)
{
    (void)state;
    const tsr_hdf5_options ways[] = {
        {.gzip = 0}, {.chunk = {5, 2}}, {.gzip = 3, .chunk = {4, 7}}, {.gzip = 1}};
    tsr_named_array arrays[2] = {{"rho", file_array(TSR_F64, 2, TSR_SHAPE(13, 7), 3)},
                                 {"deep/er/ids", file_array(TSR_I16, 1, TSR_SHAPE(31), 1)}};
    tsr_attributes attributes = some_attributes();

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        CHECK_OK(tsr_save_hdf5_as(file_path("all.h5"), 2, arrays, &attributes, &ways[i]));
        if (tsrt_rank() == 0) {
            tsr_named_array own[2] = {{"rho", NULL}, {"deep/er/ids", NULL}};
            CHECK_OK(tsr_load_hdf5(file_path("all.h5"), TSR_COMM_SELF, NULL, 2, own, NULL));
            CHECK_OK(tsr_save_hdf5_as(file_path("one.h5"), 2, own, &attributes, &ways[i]));
            CHECK(ways[i].gzip > 0 || same_bytes(file_path("all.h5"), file_path("one.h5")));
            destroy_arrays(2, own);
        }
        run_in_folder("h5diff all.h5 one.h5");
    }
    destroy_arrays(2, arrays);
    tsr_attributes_clear(&attributes);
    tsrt_barrier();
}

/* ---- examples -------------------------------------------------------------------------------- */

static void save_example(const char *path)
{
    const int64_t w = 2 * tsrt_size() + 1;
    tsr_named_array arrays[2] = {{"rho", file_array(TSR_F64, 2, TSR_SHAPE(w, w + 1), 0)},
                                 {"ids", file_array(TSR_I32, 1, TSR_SHAPE(w), 0)}};
    tsr_attributes attributes = {0};

    CHECK_OK(tsr_attributes_set(&attributes, "step", tsr_i64(7)));
    CHECK_OK(tsr_attributes_set_text(&attributes, "name", "run"));
    CHECK_OK(tsr_attributes_set(&attributes, "dt", tsr_f64(0.5)));
    CHECK_OK(tsr_save_hdf5(path, 2, arrays, &attributes));
    destroy_arrays(2, arrays);
    tsr_attributes_clear(&attributes);
}

static void check_example_attributes(const tsr_attributes *attributes)
{
    tsr_scalar value;

    CHECK_INT(attributes->count, 3);
    CHECK_OK(tsr_attributes_get(attributes, "step", &value));
    CHECK_INT(value.dtype, TSR_I64);
    CHECK_INT(value.as.i, 7);
    CHECK_OK(tsr_attributes_get(attributes, "dt", &value));
    CHECK_INT(value.dtype, TSR_F64);
    CHECK_DOUBLE(value.as.f, 0.5, 0);
    CHECK_STR(tsr_attributes_text(attributes, "name"), "run");
    CHECK_STATUS(tsr_attributes_get(attributes, "name", &value), TSR_ERR_TYPE);
    CHECK_STATUS(tsr_attributes_get(attributes, "nome", &value), TSR_ERR_VALUE);
    CHECK(tsr_attributes_find(attributes, "dt")->dtype == TSR_F64);
    CHECK(tsr_attributes_find(attributes, "nome") == NULL);
    CHECK(tsr_attributes_find(NULL, "dt") == NULL && tsr_attributes_find(attributes, NULL) == NULL);
}

static void F_10_two_arrays_and_attributes(void **state)
{
    (void)state;
    const tsr_layout_options halo = {.halo = {1}};
    tsr_named_array *arrays = NULL;
    tsr_attributes attributes = {0};
    int n = 0;

    save_example(file_path("state.h5"));
    CHECK_OK(
        tsr_load_hdf5_all(file_path("state.h5"), TSR_COMM_WORLD, &halo, &n, &arrays, &attributes));
    CHECK_INT(n, 2);
    CHECK_STR(arrays[0].name, "ids");
    CHECK_STR(arrays[1].name, "rho");
    CHECK_INT(tsr_array_dtype(arrays[0].array), TSR_I32);
    CHECK_INT(tsr_local(arrays[0].array).halo_lo[0], 1);
    CHECK_INT(tsr_local(arrays[0].array).halo_hi[0], 1);
    CHECK_INT(tsr_array_dtype(arrays[1].array), TSR_F64);
    file_check(arrays[0].array);
    file_check(arrays[1].array);
    check_example_attributes(&attributes);
    tsr_named_arrays_destroy(&n, &arrays);
    CHECK(n == 0 && arrays == NULL);
    tsr_attributes_clear(&attributes);
}

static void F_11_one_array_replicated(void **state)
{
    (void)state;
    const tsr_layout_options whole = {.split = TSR_WHOLE};
    tsr_named_array ids = {"ids", NULL};

    save_example(file_path("state.h5"));
    CHECK_OK(tsr_load_hdf5(file_path("state.h5"), TSR_COMM_WORLD, &whole, 1, &ids, NULL));
    CHECK_INT(tsr_local(ids.array).extent[0], 2 * tsrt_size() + 1);
    CHECK(!tsr_layout_is_distributed(tsr_array_layout(ids.array)));
    file_check(ids.array);
    CHECK_OK(tsr_array_destroy(&ids.array));
}

static void F_12_no_arrays(void **state)
{
    (void)state;
    CHECK_STATUS(tsr_save_hdf5(file_path("none.h5"), 0, NULL, NULL), TSR_ERR_VALUE);
    CHECK_INT(file_bytes(file_path("none.h5")), -1);
}

/* ---- updates in place, checkpoints ----------------------------------------------------------- */

static void check_value(const char *path, const char *name, tsr_dtype dtype, double value)
{
    const tsr_layout_options options = {.allow_empty = true};
    tsr_named_array named = {name, NULL};
    tsr_scalar low, high;

    CHECK_OK(tsr_load_hdf5(path, TSR_COMM_WORLD, &options, 1, &named, NULL));
    CHECK_INT(tsr_array_dtype(named.array), dtype);
    CHECK_OK(tsr_min(named.array, &low));
    CHECK_OK(tsr_max(named.array, &high));
    CHECK_DOUBLE(tsr_to_double(low), value, 0);
    CHECK_DOUBLE(tsr_to_double(high), value, 0);
    CHECK_OK(tsr_array_destroy(&named.array));
}

static void put_value(const char *path, const char *name, tsr_dtype dtype, int64_t length,
                      double value, const tsr_hdf5_options *options)
{
    const tsr_layout_options layout_options = {.allow_empty = true, .halo = {1}};
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(length), &layout_options, &layout));
    CHECK_OK(tsr_full(layout, dtype, tsr_f64(value), &array));
    CHECK_OK(tsr_save_hdf5_as(path, 1, (tsr_named_array[]){{name, array}}, NULL, options));
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* What fits is overwritten where it is, what does not is replaced, all else stays. */
static void files_are_updated_in_place(void **state)
{
    (void)state;
    const tsr_hdf5_options update = {.update = true},
                           packed = {.update = true, .gzip = 2, .chunk = {3}};
    const char *path = file_path("update.h5");

    put_value(path, "a", TSR_F64, 500, 1, NULL);
    const int64_t bytes = file_bytes(path);
    put_value(path, "a", TSR_F64, 500, 2, &update);
    CHECK_INT(file_bytes(path), bytes);
    check_value(path, "a", TSR_F64, 2);
    put_value(path, "deep/b", TSR_I32, 11, 3, &packed);
    put_value(path, "deep/b", TSR_I32, 11, 4, &update); /* in the storage it has */
    check_value(path, "deep/b", TSR_I32, 4);
    put_value(path, "a", TSR_I16, 17, 5, &update);
    check_value(path, "a", TSR_I16, 5);
    check_value(path, "deep/b", TSR_I32, 4);
    CHECK_INT(temporaries(), 0);
}

/* Saved with ranks in one order, or in another; loaded into arrays with their own layouts. */
static void checkpoints_fill_arrays_of_any_layout(void **state)
{
    (void)state;
    const char *path = file_path("checkpoint.h5");
    const tsr_layout_options reordered = {
        .split = TSR_AXES(0, 1), .halo = {1, 2}, .reorder = true, .allow_empty = true};
    tsr_attributes attributes = some_attributes(), loaded = {0};
    tsr_layout *layout = NULL;
    tsr_array *a = NULL;

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(9, 14), &reordered, &layout));
    CHECK_OK(tsr_zeros(layout, TSR_C64, &a));
    file_fill(a);
    tsr_named_array saved[] = {{"a", a}, {"b", file_array(TSR_BOOL, 1, TSR_SHAPE(23), 2)}};
    CHECK_OK(tsr_checkpoint_save(path, 2, saved, &attributes));
    for (int which = 0; which < FILE_LAYOUTS; ++which) {
        tsr_named_array into[] = {{"a", file_array(TSR_C64, 2, TSR_SHAPE(9, 14), which)},
                                  {"b", file_array(TSR_BOOL, 1, TSR_SHAPE(23), which)}};
        CHECK_OK(tsr_eval(into[0].array, "0"));
        CHECK_OK(tsr_checkpoint_load(path, 2, into, &loaded));
        file_check(into[0].array);
        file_check(into[1].array);
        CHECK_INT(loaded.count, attributes.count);
        destroy_arrays(2, into);
    }
    CHECK_OK(tsr_eval(a, "0"));
    CHECK_OK(tsr_checkpoint_load(path, 1, saved, NULL));
    file_check(a);
    tsr_attributes_clear(&attributes);
    tsr_attributes_clear(&loaded);
    destroy_arrays(2, saved);
    CHECK_OK(tsr_layout_destroy(&layout));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_and_shape_goes_to_h5py_and_back),
        cmocka_unit_test(what_cannot_be_read_is_refused),
        cmocka_unit_test(files_do_not_depend_on_ranks),
        cmocka_unit_test(F_10_two_arrays_and_attributes),
        cmocka_unit_test(F_11_one_array_replicated),
        cmocka_unit_test(F_12_no_arrays),
        cmocka_unit_test(files_are_updated_in_place),
        cmocka_unit_test(checkpoints_fill_arrays_of_any_layout),
    };
    return TSRT_RUN(argc, argv, tests);
}
