/* ranks: 1 2 */
/* timeout: 300 */
/* variants: none */
/* The calls of HDF5 files, with the n-th allocation, file call, MPI call or call of HDF5 failing on
 * each rank in turn. */
#include "support/fault_matrix.h"

#include <stdio.h>

static const tsr_hdf5_options chunked = {.gzip = 1, .chunk = {2, 2}};

static void save_ones(stage *s, const char *name)
{
    tsr_array *ones = NULL;

    CHECK_OK(tsr_ones_like(s->array, &ones));
    CHECK_OK(tsr_save_hdf5(s->path, 1, (tsr_named_array[]){{name, ones}}, NULL));
    CHECK_OK(tsr_array_destroy(&ones));
}

static void old_file(stage *s)
{
    snprintf(s->path, sizeof s->path, "%s/fault.h5", tsrt_folder());
    save_ones(s, "a");
}

static double value_in_file(const stage *s)
{
    tsr_named_array a = {"a", NULL};
    tsr_scalar value;

    CHECK_OK(tsr_load_hdf5(s->path, TSR_COMM_WORLD, NULL, 1, &a, NULL));
    CHECK_OK(tsr_max(a.array, &value));
    CHECK_OK(tsr_array_destroy(&a.array));
    return tsr_to_double(value);
}

/* The old file has ones, the new one twos. */
static void file_is_old_or_new(stage *s, tsr_status st)
{
    CHECK_DOUBLE(value_in_file(s), st == TSR_OK ? 2 : 1, 0);
}

static tsr_status save_with(const stage *s, const tsr_hdf5_options *options)
{
    tsr_attributes attributes = {0};
    const tsr_named_array arrays[] = {
        {"a", s->array}, {"group/second", s->second}, {"whole", s->replicated}};

    tsri_fault_suspend();
    CHECK_OK(tsr_attributes_set(&attributes, "step", tsr_i64(1)));
    tsri_fault_resume();
    const tsr_status st = tsr_save_hdf5_as(s->path, 3, arrays, &attributes, options);
    tsr_attributes_clear(&attributes);
    return st;
}

static tsr_status save_plainly(stage *s)
{
    return save_with(s, NULL);
}

static tsr_status save_chunked(stage *s)
{
    return save_with(s, &chunked);
}

static tsr_status checkpoint_save(stage *s)
{
    return tsr_checkpoint_save(s->path, 1, (tsr_named_array[]){{"a", s->array}}, NULL);
}

static tsr_status checkpoint_load(stage *s)
{
    tsr_attributes attributes = {0};
    const tsr_status st =
        tsr_checkpoint_load(s->path, 1, (tsr_named_array[]){{"a", s->array}}, &attributes);
    tsr_attributes_clear(&attributes);
    return st;
}

static tsr_status checkpoint_exists(stage *s)
{
    bool exists;
    return tsr_checkpoint_exists(s->path, TSR_COMM_WORLD, &exists);
}

static tsr_status load(stage *s)
{
    tsr_named_array a = {"a", NULL};
    const tsr_status st = tsr_load_hdf5(s->path, TSR_COMM_WORLD, NULL, 1, &a, NULL);
    CHECK((a.array == NULL) == (st != TSR_OK));
    CHECK_OK(tsr_array_destroy(&a.array));
    return st;
}

static tsr_status load_slice(stage *s)
{
    tsr_array *part = NULL;
    const tsr_status st = tsr_load_hdf5_slice(s->path, TSR_COMM_WORLD, "a", TSR_SHAPE(1, 0),
                                              TSR_SHAPE(2, 2), NULL, &part);
    CHECK((part == NULL) == (st != TSR_OK));
    CHECK_OK(tsr_array_destroy(&part));
    return st;
}

static tsr_status load_record(stage *s)
{
    tsr_named_array a = {"a", NULL};
    double time;
    const tsr_status st = tsr_load_hdf5_record(s->path, TSR_COMM_WORLD, -1, NULL, 1, &a, &time);
    CHECK((a.array == NULL) == (st != TSR_OK));
    CHECK_OK(tsr_array_destroy(&a.array));
    return st;
}

static tsr_status load_all(stage *s)
{
    tsr_named_array *arrays = NULL;
    tsr_attributes attributes = {0};
    int n = 7;
    const tsr_status st =
        tsr_load_hdf5_all(s->path, TSR_COMM_WORLD, NULL, &n, &arrays, &attributes);
    CHECK((arrays == NULL) == (st != TSR_OK) && (n == 0) == (st != TSR_OK));
    tsr_named_arrays_destroy(&n, &arrays);
    tsr_attributes_clear(&attributes);
    return st;
}

/* The first record, which makes the file. */
static tsr_status append(stage *s)
{
    return tsr_append_hdf5(s->path, 1, (tsr_named_array[]){{"a", s->array}}, 0.5, NULL);
}

static void no_file(stage *s)
{
    snprintf(s->path, sizeof s->path, "%s/series.h5", tsrt_folder());
    if (tsrt_rank() == 0) remove(s->path);
    tsrt_barrier();
}

static void old_record(stage *s)
{
    no_file(s);
    CHECK_OK(append(s));
}

/* The records that count are those before, or one more: also after a failure, when that came after
 * the time had been written. */
static void records_count(stage *s, tsr_status st)
{
    tsr_named_array time = {"time", NULL};
    int64_t records = 0;

    CHECK_OK(tsr_load_hdf5(s->path, TSR_COMM_WORLD, &(tsr_layout_options){.allow_empty = true}, 1,
                           &time, NULL));
    CHECK_OK(tsr_array_length(time.array, &records));
    CHECK(records == 2 || (records == 1 && st != TSR_OK));
    CHECK_OK(tsr_array_destroy(&time.array));
}

static const fault_case cases[] = {
    {.name = "save_hdf5", .call = save_plainly, .before = old_file, .after = file_is_old_or_new},
    {.name = "save_chunked", .call = save_chunked, .before = old_file, .after = file_is_old_or_new},
    {.name = "checkpoint_save",
     .call = checkpoint_save,
     .before = old_file,
     .after = file_is_old_or_new},
    {.name = "checkpoint_load", .call = checkpoint_load, .before = old_file},
    {.name = "checkpoint_exists", .call = checkpoint_exists, .before = old_file},
    {.name = "load_hdf5", .call = load, .before = old_file},
    {.name = "load_hdf5_all", .call = load_all, .before = old_file},
    {.name = "load_slice", .call = load_slice, .before = old_file},
    {.name = "load_record", .call = load_record, .before = old_record},
    {.name = "append_first", .call = append, .before = no_file},
    {.name = "append", .call = append, .before = old_record, .after = records_count}};

int main(int argc, char **argv)
{
    return fault_matrix_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
