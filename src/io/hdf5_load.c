/* Arrays from HDF5 files: named ones, all, a record, a slice. */
#include "base/checked.h"
#include "base/gate.h"
#include "io/block_file.h"
#include "io/hdf5_contents.h"
#include "io/hdf5_request.h"

#include <string.h>

static tsr_status make_arrays(const char *call, tsr_comm comm, const tsr_layout_options *options,
                              tsri_hdf5_contents *c)
{
    tsr_layout *layout = NULL;
    tsr_status st = TSR_OK;

    for (int i = 0; i < c->n && st == TSR_OK; ++i) {
        const tsri_hdf5_kind *kind = &c->kinds[i];
        st = tsri_layout_create(call, comm, kind->ndim, kind->shape, options, &layout);
        if (st == TSR_OK)
            st = tsri_array_create(layout, kind->dtype, call, TSRI_HASH_START, &c->arrays[i].array);
        if (st == TSR_OK) tsri_array_clear_halo(c->arrays[i].array);
        tsr_layout_destroy(&layout);
    }
    return st;
}

/* What a call was given. */
typedef struct loading {
    const char *call, *path;
    tsr_comm comm;
    const tsr_layout_options *options;
    tsri_context *context;
    uint64_t arguments; /* what must be the same on all ranks */
} loading;

/* Collective; unagreed. */
static tsr_status enter(loading *l)
{
    tsr_status st;

    TSRI_TRY(done, tsri_context_enter(l->comm, l->call, &l->context));
    l->arguments = tsri_path_hash(tsri_path_hash(TSRI_HASH_START, l->call), l->path);
done:
    return st;
}

/* Arrays for what was found, with its cells.  Collective; agrees. */
static tsr_status fill(const loading *l, tsri_hdf5_contents *c)
{
    tsr_status st;

    TSRI_TRY(done, make_arrays(l->call, l->comm, l->options, c));
    TSRI_TRY(done, tsri_hdf5_read_cells(l->context, l->path, c));
done:
    return st;
}

/* ---- whole datasets -------------------------------------------------------------------------- */

/* What the calls do with arguments that passed a check, of outcome `st`; n < 0: all. */
static tsr_status load(const loading *l, tsr_status st, int n, const tsr_named_array *given,
                       tsri_hdf5_contents *c)
{
    TSRI_TRY(done, tsri_agree(l->context, st, l->arguments));
    TSRI_TRY(done, tsri_hdf5_look(l->context, l->path, n, given, c));
    TSRI_TRY(done, fill(l, c));
done:
    return st;
}

/* The arrays of a call that fails. */
static void clear_arrays(int n, tsr_named_array *arrays)
{
    for (int i = 0; i < n && arrays != NULL; ++i)
        arrays[i].array = NULL;
}

static void take_arrays(tsri_hdf5_contents *c, tsr_named_array *arrays)
{
    for (int i = 0; i < c->n; ++i) {
        arrays[i].array = c->arrays[i].array;
        c->arrays[i].array = NULL;
    }
}

static tsr_status check_given(loading *l, int n, const tsr_named_array *arrays)
{
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_path_check(l->path));
    TSRI_CHECK(done, n >= 0, TSR_ERR_VALUE, "n is %d, must be >= 0", n);
    TSRI_CHECK(done, n == 0 || arrays != NULL, TSR_ERR_VALUE, "arrays is NULL");
    for (int i = 0; i < n; ++i) {
        TSRI_TRY(done, tsri_hdf5_check_name("array", i, arrays[i].name));
        l->arguments = tsri_hash(l->arguments, arrays[i].name, strlen(arrays[i].name) + 1);
    }
done:
    return st;
}

tsr_status tsr_load_hdf5(const char *path, tsr_comm comm, const tsr_layout_options *options, int n,
                         tsr_named_array *arrays, tsr_attributes *attributes)
{
    loading l = {.call = __func__, .path = path, .comm = comm, .options = options};
    tsri_hdf5_contents c = {0};
    tsr_status st;

    clear_arrays(n, arrays);
    TSRI_TRY(done, enter(&l));
    TSRI_TRY(done, load(&l, check_given(&l, n, arrays), n, arrays, &c));
    take_arrays(&c, arrays);
    tsri_hdf5_give_attributes(&c, attributes);
done:
    tsri_hdf5_contents_drop(&c);
    return st;
}

tsr_status tsr_load_hdf5_all(const char *path, tsr_comm comm, const tsr_layout_options *options,
                             int *n, tsr_named_array **arrays, tsr_attributes *attributes)
{
    loading l = {.call = __func__, .path = path, .comm = comm, .options = options};
    tsri_hdf5_contents c = {0};
    tsr_status st;

    if (n != NULL) *n = 0;
    if (arrays != NULL) *arrays = NULL;
    TSRI_TRY(done, enter(&l));
    st = tsri_path_check(path);
    if (st == TSR_OK && (n == NULL || arrays == NULL))
        st = TSRI_FAIL(TSR_ERR_VALUE, "n or arrays is NULL, must point to where the result goes");
    TSRI_TRY(done, load(&l, st, -1, NULL, &c));
    *n = c.n;
    *arrays = c.arrays;
    c.n = 0;
    c.arrays = NULL;
    tsri_hdf5_give_attributes(&c, attributes);
done:
    tsri_hdf5_contents_drop(&c);
    return st;
}

/* ---- parts ----------------------------------------------------------------------------------- */

tsr_status tsr_load_hdf5_record(const char *path, tsr_comm comm, int64_t record,
                                const tsr_layout_options *options, int n, tsr_named_array *arrays,
                                double *time)
{
    loading l = {.call = __func__, .path = path, .comm = comm, .options = options};
    tsri_hdf5_contents c = {.part = {.one_record = true, .record = record}};
    tsr_status st;

    clear_arrays(n, arrays);
    TSRI_TRY(done, enter(&l));
    l.arguments = tsri_hash(l.arguments, &record, sizeof record);
    st = check_given(&l, n, arrays);
    if (st == TSR_OK && n == 0) st = TSRI_FAIL(TSR_ERR_VALUE, "n is 0, must be >= 1");
    TSRI_TRY(done, load(&l, st, n, arrays, &c));
    take_arrays(&c, arrays);
    if (time != NULL) *time = c.time;
done:
    tsri_hdf5_contents_drop(&c);
    return st;
}

/* The part of the only dataset becomes what there is of it. */
static tsr_status cut(const char *call, const char *path, const int64_t *start,
                      const int64_t *shape, tsri_hdf5_contents *c)
{
    tsri_hdf5_kind *kind = &c->kinds[0];
    const tsr_status st = tsri_file_check_box(call, path, kind->ndim, kind->shape, start, shape);

    if (st != TSR_OK) return st;
    c->part.start = start;
    for (int a = 0; a < kind->ndim; ++a) {
        c->data[0].frame.start[a] = start[a];
        kind->shape[a] = shape[a];
    }
    return TSR_OK;
}

tsr_status tsr_load_hdf5_slice(const char *path, tsr_comm comm, const char *name,
                               const int64_t *start, const int64_t *shape,
                               const tsr_layout_options *options, tsr_array **array)
{
    const tsr_named_array named = {name, NULL};
    loading l = {.call = __func__, .path = path, .comm = comm, .options = options};
    tsri_hdf5_contents c = {0};
    tsr_status st;

    if (array != NULL) *array = NULL;
    TSRI_TRY(done, enter(&l));
    st = check_given(&l, 1, &named);
    if (st == TSR_OK && array == NULL)
        st = TSRI_FAIL(TSR_ERR_VALUE, "array is NULL, must point to where the handle goes");
    TSRI_TRY(done, tsri_agree(l.context, st, l.arguments));
    TSRI_TRY(done, tsri_hdf5_look(l.context, path, 1, &named, &c));
    const uint64_t arguments = tsri_file_hash_box(l.arguments, c.kinds[0].ndim, start, shape);
    TSRI_TRY(done, tsri_agree(l.context, cut(__func__, path, start, shape, &c), arguments));
    TSRI_TRY(done, fill(&l, &c));
    *array = c.arrays[0].array;
    c.arrays[0].array = NULL;
done:
    tsri_hdf5_contents_drop(&c);
    return st;
}
