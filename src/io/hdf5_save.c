/* Arrays into HDF5 files: new ones, checkpoints, and records that are appended. */
#include "base/net.h"
#include "io/hdf5_attributes.h"
#include "io/hdf5_dataset.h"
#include "io/hdf5_fill.h"
#include "io/hdf5_record.h"
#include "io/hdf5_scales.h"
#include "io/replace.h"

#include <unistd.h>

/* ---- the structure, on the root alone -------------------------------------------------------- */

static tsr_status make_dataset(const tsri_hdf5_request *request, const tsri_hdf5 *file, int i,
                               hid_t *dataset, int64_t *offset)
{
    const tsr_named_array *named = &request->arrays[i];
    const tsri_hdf5_kind kind = tsri_hdf5_kind_of(named->array);
    const tsr_status st =
        tsri_hdf5_dataset_make(file, named->name, &kind, request->options, dataset);

    if (st == TSR_OK) *offset = tsri_hdf5_dataset_offset(*dataset, kind.dtype);
    return st;
}

/* Every dataset, and what labels say of it, which may be another dataset of this call. */
static tsr_status make_datasets(const tsri_hdf5_request *request, const tsri_hdf5 *file, hid_t time,
                                int64_t record, int64_t *offset)
{
    hid_t dataset = H5I_INVALID_HID;
    tsr_status st = TSR_OK;

    for (int i = 0; i < request->n; ++i) {
        TSRI_TRY(done, request->append
                           ? tsri_hdf5_record_make(request, file, i, record, &dataset, &offset[i])
                           : make_dataset(request, file, i, &dataset, &offset[i]));
        tsri_hdf5_drop(dataset);
        dataset = H5I_INVALID_HID;
    }
    for (int i = 0; i < request->n; ++i) {
        TSRI_TRY(done, tsri_hdf5_dataset_open(file, request->arrays[i].name, &dataset));
        TSRI_TRY(done, tsri_hdf5_put_labels(request, file, i, dataset, time));
        tsri_hdf5_drop(dataset);
        dataset = H5I_INVALID_HID;
    }
done:
    tsri_hdf5_drop(dataset);
    return st;
}

/* Everything but the cells. */
static tsr_status make_structure(const tsri_hdf5_request *request, const char *path,
                                 tsri_hdf5_mode mode, int64_t *record, int64_t *offset)
{
    hid_t time = H5I_INVALID_HID;
    tsri_hdf5 file;
    tsr_status st;

    TSRI_TRY(close, tsri_hdf5_open(&file, request->context, path, request->path, mode));
    if (request->append) TSRI_TRY(close, tsri_hdf5_time_open(request, &file, &time, record));
    TSRI_TRY(close, make_datasets(request, &file, time, *record, offset));
    TSRI_TRY(close, tsri_hdf5_put_attributes(request->path, file.id, request->attributes));
close:
    tsri_hdf5_drop(time);
    return tsri_hdf5_close(&file, st);
}

/* ---- the call -------------------------------------------------------------------------------- */

/* What the root finds out for all. */
typedef struct start {
    tsri_replacement replacement; /* not made: in place */
    int64_t record;
} start;

static bool is_in_place(const tsri_hdf5_request *request)
{
    return request->append ? access(request->path, F_OK) == 0 : request->options->update;
}

static tsr_status prepare(const tsri_hdf5_request *request, start *s, int64_t *offset)
{
    tsri_file file;
    tsr_status st;

    if (is_in_place(request))
        return make_structure(request, request->path, TSRI_HDF5_WRITE, &s->record, offset);
    st = tsri_replace_begin(&s->replacement, request->context, request->path, &file);
    st = tsri_file_close(&file, st);
    if (st != TSR_OK) return st;
    return make_structure(request, s->replacement.temporary, TSRI_HDF5_CREATE, &s->record, offset);
}

/* On every rank; only the root's replacement is its own to end. */
static tsr_status share(const tsri_hdf5_request *request, start *s, int64_t *offset)
{
    const bool made = s->replacement.made;
    const tsr_status started = tsri_net_bcast(request->context, s, sizeof *s, 0);
    const tsr_status placed =
        tsri_net_bcast(request->context, offset, (size_t)request->n * sizeof *offset, 0);

    s->replacement.made = made;
    return started != TSR_OK ? started : placed;
}

static tsr_status finish(const tsri_hdf5_request *request, const tsri_hdf5_target *target,
                         tsri_replacement *replacement)
{
    tsr_status st = TSR_OK;

    if (tsri_context_rank(request->context) != 0) return TSR_OK;
    if (request->append) TSRI_TRY(done, tsri_hdf5_time_put(request, target));
    if (replacement->made) TSRI_TRY(done, tsri_replace_commit(replacement));
done:
    return st;
}

static tsr_status save(tsri_hdf5_request *request)
{
    start s = {.record = TSRI_HDF5_NO_RECORD};
    int64_t *offset = NULL;
    uint64_t arguments = 0;
    tsr_status st;

    TSRI_TRY(fail, tsri_hdf5_enter(request));
    TSRI_TRY(agree, tsri_hdf5_check(request));
    arguments = tsri_hdf5_fingerprint(request);
    TSRI_ALLOC(agree, offset, request->n);
agree:
    TSRI_TRY(fail, tsri_agree(request->context, st, arguments));

    if (tsri_context_rank(request->context) == 0) st = prepare(request, &s, offset);
    const tsr_status sent = share(request, &s, offset);
    TSRI_TRY(fail, tsri_agree(request->context, st != TSR_OK ? st : sent, 0));

    const bool in_place = s.replacement.temporary[0] == '\0';
    const tsri_hdf5_target target = {in_place ? request->path : s.replacement.temporary, s.record,
                                     offset};
    TSRI_TRY(fail, tsri_hdf5_fill(request, &target));
    TSRI_TRY(fail, tsri_agree(request->context, finish(request, &target, &s.replacement), 0));
    tsri_free(offset);
    return TSR_OK;

fail:
    tsri_replace_abandon(&s.replacement);
    tsri_free(offset);
    return st;
}

tsr_status tsr_save_hdf5(const char *path, int n, const tsr_named_array *arrays,
                         const tsr_attributes *attributes)
{
    return save(&(tsri_hdf5_request){
        .call = __func__, .path = path, .n = n, .arrays = arrays, .attributes = attributes});
}

tsr_status tsr_save_hdf5_as(const char *path, int n, const tsr_named_array *arrays,
                            const tsr_attributes *attributes, const tsr_hdf5_options *options)
{
    return save(&(tsri_hdf5_request){.call = __func__,
                                     .path = path,
                                     .n = n,
                                     .arrays = arrays,
                                     .attributes = attributes,
                                     .options = options});
}

tsr_status tsr_checkpoint_save(const char *path, int n, const tsr_named_array *arrays,
                               const tsr_attributes *attributes)
{
    return save(&(tsri_hdf5_request){
        .call = __func__, .path = path, .n = n, .arrays = arrays, .attributes = attributes});
}

tsr_status tsr_append_hdf5(const char *path, int n, const tsr_named_array *arrays, double time,
                           const tsr_hdf5_options *options)
{
    return save(&(tsri_hdf5_request){.call = __func__,
                                     .path = path,
                                     .n = n,
                                     .arrays = arrays,
                                     .options = options,
                                     .append = true,
                                     .time = time});
}
