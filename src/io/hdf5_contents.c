#include "io/hdf5_contents.h"

#include "io/hdf5_attributes.h"
#include "io/hdf5_record.h"
#include "io/named_arrays.h"

#include <string.h>

void tsri_hdf5_contents_drop(tsri_hdf5_contents *c)
{
    tsr_named_arrays_destroy(&c->n, &c->arrays);
    tsri_free(c->kinds);
    tsri_free(c->data);
    tsr_attributes_clear(&c->attributes);
    *c = (tsri_hdf5_contents){0};
}

void tsri_hdf5_give_attributes(tsri_hdf5_contents *c, tsr_attributes *attributes)
{
    if (attributes == NULL) return;
    tsr_attributes_clear(attributes);
    *attributes = c->attributes;
    c->attributes = (tsr_attributes){0};
}

/* ---- what is in the file (Local) ------------------------------------------------------------- */

static tsr_status read_kind(const tsri_hdf5 *file, tsri_hdf5_contents *c, int i)
{
    const char *name = c->arrays[i].name;
    tsri_hdf5_kind *kind = &c->kinds[i], whole;
    hid_t dataset = H5I_INVALID_HID;
    tsr_status st;

    TSRI_TRY(done, tsri_hdf5_dataset_open(file, name, &dataset));
    TSRI_TRY(done, tsri_hdf5_dataset_kind(file, name, dataset, kind));
    TSRI_TRY(done, tsri_hdf5_dataset_check(file, name, dataset));
    whole = *kind;
    if (c->part.one_record)
        TSRI_TRY(done, tsri_hdf5_record_find(file, name, dataset, kind, &c->part.record,
                                             i == 0 ? &c->time : NULL));
    TSRI_CHECK(done, kind->ndim <= TSR_MAX_NDIM, TSR_ERR_IO,
               TSRI_PATH ": '%.100s' has %d ax%cs, must have at most %d", file->name, name,
               kind->ndim, TSRI_ES(kind->ndim), TSR_MAX_NDIM);
    c->data[i].dtype = kind->dtype;
    c->data[i].offset = c->part.one_record
                            ? tsri_hdf5_record_offset(dataset, &whole, c->part.record)
                            : tsri_hdf5_dataset_offset(dataset, kind->dtype);
    memcpy(c->data[i].frame.shape, kind->shape, (size_t)kind->ndim * sizeof kind->shape[0]);
done:
    tsri_hdf5_drop(dataset);
    return st;
}

typedef struct listing {
    const tsri_hdf5 *file;
    tsri_hdf5_contents *contents; /* NULL: datasets are counted only */
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
static tsr_status list_datasets(const tsri_hdf5 *file, tsri_hdf5_contents *c)
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
                       const tsr_named_array *given, tsri_hdf5_contents *c)
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
    TSRI_ALLOC(close, c->data, c->n);
    for (int i = 0; i < c->n; ++i)
        TSRI_TRY(close, read_kind(&file, c, i));
    TSRI_TRY(close, tsri_hdf5_get_attributes(path, file.id, &c->attributes));
    TSRI_TRY(close, tsri_file_size(&file.file, &c->bytes));
    TSRI_TRY(close, tsri_file_mark_of(&file.file, &c->mark));
close:
    return tsri_hdf5_close(&file, st);
}

tsr_status tsri_hdf5_look(tsri_context *context, const char *path, int n,
                          const tsr_named_array *given, tsri_hdf5_contents *c)
{
    tsr_status st = TSR_OK;

    if (tsri_context_rank(context) == 0) st = look(context, path, n, given, c);
    TSRI_TRY(done, tsri_agree(context, st, 0));
    st = tsri_agree(context, tsri_hdf5_share(context, c), 0);
done:
    return st;
}
