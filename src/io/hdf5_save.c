#include "base/gate.h"
#include "base/net.h"
#include "io/hdf5_attributes.h"
#include "io/hdf5_dataset.h"
#include "io/hdf5_fill.h"
#include "io/replace.h"

/* ---- on the root alone ----------------------------------------------------------------------- */

static tsr_status make_dataset(const tsri_hdf5_request *request, const tsri_hdf5 *file, int i,
                               int64_t *offset)
{
    const tsr_named_array *named = &request->arrays[i];
    const tsri_hdf5_kind kind = tsri_hdf5_kind_of(named->array);
    hid_t dataset = H5I_INVALID_HID;
    tsr_status st;

    TSRI_TRY(done, tsri_hdf5_dataset_make(file, named->name, &kind, request->options, &dataset));
    *offset = tsri_hdf5_dataset_offset(dataset, kind.dtype);
done:
    tsri_hdf5_drop(dataset);
    return st;
}

/* Everything but the cells. */
static tsr_status make_structure(const tsri_hdf5_request *request, const char *path,
                                 int64_t *offset)
{
    tsri_hdf5 file;
    tsr_status st;

    TSRI_TRY(close, tsri_hdf5_open(&file, request->context, path, request->path,
                                   request->options->update ? TSRI_HDF5_WRITE : TSRI_HDF5_CREATE));
    for (int i = 0; i < request->n; ++i)
        TSRI_TRY(close, make_dataset(request, &file, i, &offset[i]));
    TSRI_TRY(close, tsri_hdf5_put_attributes(request->path, file.id, request->attributes));
close:
    return tsri_hdf5_close(&file, st);
}

static tsr_status prepare(const tsri_hdf5_request *request, tsri_replacement *replacement,
                          int64_t *offset)
{
    tsri_file file;
    tsr_status st;

    if (request->options->update) return make_structure(request, request->path, offset);
    st = tsri_replace_begin(replacement, request->context, request->path, &file);
    st = tsri_file_close(&file, st);
    return st == TSR_OK ? make_structure(request, replacement->temporary, offset) : st;
}

/* ---- the call -------------------------------------------------------------------------------- */

/* The root's offsets and file name, on every rank. */
static tsr_status share(const tsri_hdf5_request *request, tsri_replacement *replacement,
                        int64_t *offset)
{
    const tsr_status named =
        tsri_net_bcast(request->context, replacement->temporary, sizeof replacement->temporary, 0);
    const tsr_status sent =
        tsri_net_bcast(request->context, offset, (size_t)request->n * sizeof *offset, 0);
    return named != TSR_OK ? named : sent;
}

static tsr_status save(const tsri_hdf5_request *request)
{
    const bool root = tsri_context_rank(request->context) == 0;
    tsri_replacement replacement = {.made = false};
    int64_t *offset = NULL;
    uint64_t arguments = 0;
    tsr_status st;

    TSRI_TRY(agree, tsri_hdf5_check(request));
    arguments = tsri_hdf5_fingerprint(request);
    TSRI_ALLOC(agree, offset, request->n);
agree:
    TSRI_TRY(fail, tsri_agree(request->context, st, arguments));

    if (root) st = prepare(request, &replacement, offset);
    const tsr_status sent = share(request, &replacement, offset);
    TSRI_TRY(fail, tsri_agree(request->context, st != TSR_OK ? st : sent, 0));

    const char *path = request->options->update ? request->path : replacement.temporary;
    TSRI_TRY(fail, tsri_hdf5_fill(request, path, offset));

    if (root && replacement.made) st = tsri_replace_commit(&replacement);
    TSRI_TRY(fail, tsri_agree(request->context, st, 0));
    tsri_free(offset);
    return TSR_OK;

fail:
    tsri_replace_abandon(&replacement);
    tsri_free(offset);
    return st;
}

static tsr_status enter(tsri_hdf5_request *request)
{
    static const tsr_hdf5_options defaults = {0};
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(request->call, done, request->n > 0, TSR_ERR_VALUE,
                  "%d arrays, there must be at least one", request->n);
    TSRI_CHECK_IN(request->call, done, request->arrays != NULL && request->arrays[0].array != NULL,
                  TSR_ERR_VALUE, "arrays or the first of them is NULL");
    if (request->options == NULL) request->options = &defaults;
    request->context = tsri_context_base(request->arrays[0].array->layout->context);
    st = tsri_enter(request->context, false, "%s", request->call);
done:
    return st;
}

tsr_status tsr_save_hdf5_as(const char *path, int n, const tsr_named_array *arrays,
                            const tsr_attributes *attributes, const tsr_hdf5_options *options)
{
    tsri_hdf5_request request = {__func__, path, n, arrays, attributes, options, NULL};
    const tsr_status st = enter(&request);
    return st == TSR_OK ? save(&request) : st;
}

tsr_status tsr_save_hdf5(const char *path, int n, const tsr_named_array *arrays,
                         const tsr_attributes *attributes)
{
    tsri_hdf5_request request = {__func__, path, n, arrays, attributes, NULL, NULL};
    const tsr_status st = enter(&request);
    return st == TSR_OK ? save(&request) : st;
}
