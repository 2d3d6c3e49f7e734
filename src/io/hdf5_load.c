#include "base/checked.h"
#include "base/gate.h"
#include "io/hdf5_attributes.h"
#include "io/hdf5_dataset.h"
#include "io/hdf5_request.h"
#include "io/hdf5_space.h"
#include "io/hdf5_type.h"
#include "io/named_arrays.h"

#include <string.h>

/* What is loaded: names, and what the file says of each. */
typedef struct contents {
    int n;
    tsr_named_array *arrays; /* names and arrays are ours: see named_arrays.h */
    tsri_hdf5_kind *kinds;
    tsr_attributes attributes;
} contents;

static void drop(contents *c)
{
    tsr_named_arrays_destroy(&c->n, &c->arrays);
    tsri_free(c->kinds);
    tsr_attributes_clear(&c->attributes);
    *c = (contents){0};
}

/* ---- what is in the file (Local) ------------------------------------------------------------- */

static tsr_status read_kind(const tsri_hdf5 *file, const char *name, tsri_hdf5_kind *kind)
{
    hid_t dataset = H5I_INVALID_HID;
    tsr_status st;

    TSRI_TRY(done, tsri_hdf5_dataset_open(file, name, &dataset));
    TSRI_TRY(done, tsri_hdf5_dataset_kind(file, name, dataset, kind));
done:
    tsri_hdf5_drop(dataset);
    return st;
}

typedef struct listing {
    const tsri_hdf5 *file;
    contents *contents; /* NULL: datasets are counted only */
    int n;
    tsr_status st;
} listing;

static herr_t visit(hid_t group, const char *name, const H5L_info_t *link, void *data)
{
    listing *l = data;
    H5O_info_t info;
    (void)link;

    /* A link that leads nowhere is no dataset. */
    if (H5Oget_info_by_name(group, name, &info, H5P_DEFAULT) < 0 || info.type != H5O_TYPE_DATASET)
        return 0;
    if (l->contents != NULL && l->n < l->contents->n) {
        const tsr_named_array given = {.name = name};
        l->st = tsri_named_array_set(&l->contents->arrays[l->n], &given);
    }
    ++l->n;
    return l->st == TSR_OK ? 0 : -1;
}

/* All datasets at the top level, by name. */
static tsr_status list_datasets(const tsri_hdf5 *file, contents *c)
{
    listing l = {.file = file};
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, file->name, "list what is in it",
              H5Literate(file->id, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, &l));
    TSRI_ALLOC(done, c->arrays, l.n);
    c->n = l.n;
    l = (listing){.file = file, .contents = c};
    TSRI_HDF5(listed, file->name, "list what is in it",
              H5Literate(file->id, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, &l));
listed:
    if (l.st != TSR_OK) st = l.st;
done:
    return st;
}

/* The given names, or with a negative n all of them; their kinds; the attributes. */
static tsr_status look(const tsri_context *context, const char *path, int n,
                       const tsr_named_array *given, contents *c)
{
    tsri_hdf5 file;
    tsr_status st;

    TSRI_TRY(close, tsri_hdf5_open(&file, context, path, path, TSRI_HDF5_READ));
    if (n < 0) {
        TSRI_TRY(close, list_datasets(&file, c));
    } else {
        TSRI_ALLOC(close, c->arrays, n);
        c->n = n;
        for (int i = 0; i < n; ++i)
            TSRI_TRY(close, tsri_named_array_set(&c->arrays[i], &given[i]));
    }
    TSRI_ALLOC(close, c->kinds, c->n);
    for (int i = 0; i < c->n; ++i)
        TSRI_TRY(close, read_kind(&file, c->arrays[i].name, &c->kinds[i]));
    TSRI_TRY(close, tsri_hdf5_get_attributes(path, file.id, &c->attributes));
close:
    return tsri_hdf5_close(&file, st);
}

/* Ranks that see different files must not go on. */
static uint64_t hash_contents(const contents *c)
{
    uint64_t hash = tsri_attributes_hash(TSRI_HASH_START, &c->attributes);

    hash = tsri_hash(hash, &c->n, sizeof c->n);
    for (int i = 0; i < c->n; ++i) {
        const tsri_hdf5_kind *kind = &c->kinds[i];
        hash = tsri_hash(hash, c->arrays[i].name, strlen(c->arrays[i].name) + 1);
        hash = tsri_hash(hash, &kind->dtype, sizeof kind->dtype);
        hash = tsri_hash(hash, &kind->ndim, sizeof kind->ndim);
        hash = tsri_hash(hash, kind->shape, (size_t)kind->ndim * sizeof kind->shape[0]);
    }
    return hash;
}

/* Rank 0 looks first: when there is nothing to see, the others need not try. */
static tsr_status look_on_all(tsri_context *context, const char *path, int n,
                              const tsr_named_array *given, contents *c)
{
    const bool root = tsri_context_rank(context) == 0;
    tsr_status st = root ? look(context, path, n, given, c) : TSR_OK;

    TSRI_TRY(done, tsri_agree(context, st, 0));
    if (!root) st = look(context, path, n, given, c);
    st = tsri_agree(context, st, st == TSR_OK ? hash_contents(c) : 0);
done:
    return st;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static tsr_status read_cells(const tsri_hdf5 *file, const tsr_named_array *named)
{
    const tsr_array *array = named->array;
    hid_t dataset = H5I_INVALID_HID, type = dataset, memory = dataset, place = dataset;
    tsr_status st = TSR_OK;

    if (tsri_array_origin(array) == NULL) return TSR_OK;
    TSRI_TRY(done, tsri_hdf5_dataset_open(file, named->name, &dataset));
    TSRI_HDF5(done, file->name, "read a dataset", type = tsri_hdf5_type(array->dtype));
    TSRI_HDF5(done, file->name, "read a dataset", memory = tsri_hdf5_block_memory(array, true));
    TSRI_HDF5(done, file->name, "read a dataset",
              place = tsri_hdf5_block_file(array, true, dataset));
    TSRI_HDF5(done, file->name, "read a dataset",
              H5Dread(dataset, type, memory, place, H5P_DEFAULT, array->storage->memory));
    tsri_hdf5_settle(array->dtype, array->cells, array->storage->memory);
done:
    tsri_hdf5_drop(place);
    tsri_hdf5_drop(memory);
    tsri_hdf5_drop(type);
    tsri_hdf5_drop(dataset);
    return st;
}

/* Local. */
static tsr_status read_all_cells(const tsri_context *context, const char *path, const contents *c)
{
    tsri_hdf5 file;
    tsr_status st;

    TSRI_TRY(close, tsri_hdf5_open(&file, context, path, path, TSRI_HDF5_READ));
    for (int i = 0; i < c->n; ++i)
        TSRI_TRY(close, read_cells(&file, &c->arrays[i]));
close:
    return tsri_hdf5_close(&file, st);
}

static tsr_status make_arrays(const char *call, tsr_comm comm, const tsr_layout_options *options,
                              contents *c)
{
    tsr_layout *layout = NULL;
    tsr_status st = TSR_OK;

    for (int i = 0; i < c->n && st == TSR_OK; ++i) {
        const tsri_hdf5_kind *kind = &c->kinds[i];
        st = tsri_layout_create(call, comm, kind->ndim, kind->shape, options, &layout);
        if (st == TSR_OK) st = tsr_zeros(layout, kind->dtype, &c->arrays[i].array);
        tsr_layout_destroy(&layout);
    }
    return st;
}

/* ---- the calls ------------------------------------------------------------------------------- */

/* What both calls do when they have entered; n < 0: all. */
static tsr_status load(const char *call, tsri_context *context, const char *path, tsr_comm comm,
                       const tsr_layout_options *options, int n, const tsr_named_array *given,
                       contents *c)
{
    tsr_status st;

    TSRI_TRY(done, look_on_all(context, path, n, given, c));
    TSRI_TRY(done, make_arrays(call, comm, options, c));
    TSRI_TRY(done, tsri_agree(context, read_all_cells(context, path, c), 0));
done:
    return st;
}

/* Hand out what was asked for; the rest is dropped. */
static void give_attributes(tsr_attributes *attributes, contents *c)
{
    if (attributes == NULL) return;
    tsr_attributes_clear(attributes);
    *attributes = c->attributes;
    c->attributes = (tsr_attributes){0};
}

static tsr_status check_given(const char *path, int n, const tsr_named_array *arrays,
                              uint64_t *arguments)
{
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_path_check(path));
    TSRI_CHECK(done, n >= 0, TSR_ERR_VALUE, "n is %d, must be >= 0", n);
    TSRI_CHECK(done, n == 0 || arrays != NULL, TSR_ERR_VALUE, "arrays is NULL");
    for (int i = 0; i < n; ++i) {
        TSRI_TRY(done, tsri_hdf5_check_name("array", i, arrays[i].name));
        *arguments = tsri_hash(*arguments, arrays[i].name, strlen(arrays[i].name) + 1);
    }
done:
    return st;
}

tsr_status tsr_load_hdf5(const char *path, tsr_comm comm, const tsr_layout_options *options, int n,
                         tsr_named_array *arrays, tsr_attributes *attributes)
{
    contents c = {0};
    tsri_context *context;
    tsr_status st;

    for (int i = 0; i < n && arrays != NULL; ++i)
        arrays[i].array = NULL;
    TSRI_TRY(done, tsri_context_enter(comm, __func__, &context));
    uint64_t arguments = tsri_path_hash(tsri_path_hash(TSRI_HASH_START, __func__), path);
    st = check_given(path, n, arrays, &arguments);
    TSRI_TRY(done, tsri_agree(context, st, arguments));
    TSRI_TRY(done, load(__func__, context, path, comm, options, n, arrays, &c));
    for (int i = 0; i < n; ++i) {
        arrays[i].array = c.arrays[i].array;
        c.arrays[i].array = NULL;
    }
    give_attributes(attributes, &c);
done:
    drop(&c);
    return st;
}

tsr_status tsr_load_hdf5_all(const char *path, tsr_comm comm, const tsr_layout_options *options,
                             int *n, tsr_named_array **arrays, tsr_attributes *attributes)
{
    contents c = {0};
    tsri_context *context;
    tsr_status st;

    if (n != NULL) *n = 0;
    if (arrays != NULL) *arrays = NULL;
    TSRI_TRY(done, tsri_context_enter(comm, __func__, &context));
    const uint64_t arguments = tsri_path_hash(tsri_path_hash(TSRI_HASH_START, __func__), path);
    st = tsri_path_check(path);
    if (st == TSR_OK && (n == NULL || arrays == NULL))
        st = TSRI_FAIL(TSR_ERR_VALUE, "n or arrays is NULL, must point to where the result goes");
    TSRI_TRY(done, tsri_agree(context, st, arguments));
    TSRI_TRY(done, load(__func__, context, path, comm, options, -1, NULL, &c));
    *n = c.n;
    *arrays = c.arrays;
    c.n = 0;
    c.arrays = NULL;
    give_attributes(attributes, &c);
done:
    drop(&c);
    return st;
}
