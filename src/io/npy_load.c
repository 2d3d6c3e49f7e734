/* Arrays from .npy files. */
#include "base/checked.h"
#include "base/gate.h"
#include "io/npy_file.h"

#include <tessera/io.h>

static uint64_t fingerprint(const char *call, const char *path)
{
    return tsri_path_hash(tsri_path_hash(TSRI_HASH_START, call), path);
}

static tsr_status check_arguments(const char *call, const char *path, tsr_array *const *array)
{
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_path_check(path));
    TSRI_CHECK_IN(call, done, array != NULL, TSR_ERR_VALUE,
                  "array is NULL, must point to where the handle goes");
done:
    return st;
}

/* A new array of a layout, read from the file.  Collective. */
static tsr_status load(const char *call, tsri_npy_source *source, const int64_t *start,
                       tsr_layout *layout, tsr_dtype dtype, tsr_array **array)
{
    tsr_array *made = NULL;
    tsr_status st = TSR_OK;

    TSRI_TRY(fail, tsri_array_create(layout, dtype, call, TSRI_HASH_START, &made));
    tsri_array_clear_halo(made);
    TSRI_TRY(fail, tsri_npy_read(source, start, fingerprint(call, source->path), made));
    *array = made;
    return TSR_OK;

fail:
    tsr_array_destroy(&made);
    return st;
}

tsr_status tsr_load(const char *path, tsr_comm comm, const tsr_layout_options *options,
                    tsr_array **array)
{
    tsri_npy_source source = {.file = {.descriptor = -1}};
    tsri_context *context;
    tsr_layout *layout = NULL;
    tsr_status st;

    if (array != NULL) *array = NULL;
    TSRI_TRY(done, tsri_context_enter(comm, __func__, &context));
    TSRI_TRY(done, tsri_npy_open(context, path, check_arguments(__func__, path, array),
                                 fingerprint(__func__, path), &source));
    TSRI_TRY(done, tsri_layout_create(__func__, comm, source.header.ndim, source.header.shape,
                                      options, &layout));
    TSRI_TRY(done, load(__func__, &source, NULL, layout, source.header.dtype, array));

done:
    tsr_layout_destroy(&layout);
    return tsri_file_close(&source.file, st);
}

/* ---- into a given layout --------------------------------------------------------------------- */

static tsr_status check_shape(const char *call, const char *path, const tsri_npy_header *header,
                              const tsr_layout *layout)
{
    const tsri_geometry *g = &layout->geometry;
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, header->ndim == g->ndim, TSR_ERR_VALUE,
                  TSRI_PATH " has %d ax%cs, the layout %d", path, header->ndim,
                  TSRI_ES(header->ndim), g->ndim);
    for (int a = 0; a < g->ndim; ++a)
        TSRI_CHECK_IN(call, done, header->shape[a] == g->shape[a], TSR_ERR_VALUE,
                      "axis %d of " TSRI_PATH " has %lld cell%s, of the layout %lld", a, path,
                      (long long)header->shape[a], TSRI_S(header->shape[a]),
                      (long long)g->shape[a]);
done:
    return st;
}

tsr_status tsr_load_as(const char *path, tsr_layout *layout, tsr_dtype dtype, tsr_array **array)
{
    tsri_npy_source source = {.file = {.descriptor = -1}};
    tsr_status st;

    if (array != NULL) *array = NULL;
    if (layout == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "layout is NULL");
    TSRI_TRY(done, tsri_enter(layout->context, false, "%s", __func__));
    TSRI_TRY(done, tsri_npy_open(layout->context, path, check_arguments(__func__, path, array),
                                 fingerprint(__func__, path), &source));
    TSRI_TRY(done, tsri_agree(layout->context, check_shape(__func__, path, &source.header, layout),
                              tsr_layout_hash(layout)));
    if (dtype == TSR_AUTO) dtype = source.header.dtype;
    TSRI_TRY(done, load(__func__, &source, NULL, layout, dtype, array));

done:
    return tsri_file_close(&source.file, st);
}

/* ---- a part of a file ------------------------------------------------------------------------ */

tsr_status tsr_load_slice(const char *path, tsr_comm comm, const int64_t *start,
                          const int64_t *shape, const tsr_layout_options *options,
                          tsr_array **array)
{
    tsri_npy_source source = {.file = {.descriptor = -1}};
    tsri_context *context;
    tsr_layout *layout = NULL;
    tsr_status st;

    if (array != NULL) *array = NULL;
    TSRI_TRY(done, tsri_context_enter(comm, __func__, &context));
    TSRI_TRY(done, tsri_npy_open(context, path, check_arguments(__func__, path, array),
                                 fingerprint(__func__, path), &source));
    st = tsri_file_check_box(__func__, path, source.header.ndim, source.header.shape, start, shape);
    TSRI_TRY(done,
             tsri_agree(context, st,
                        tsri_file_hash_box(TSRI_HASH_START, source.header.ndim, start, shape)));
    TSRI_TRY(done, tsri_layout_create(__func__, comm, source.header.ndim, shape, options, &layout));
    TSRI_TRY(done, load(__func__, &source, start, layout, source.header.dtype, array));

done:
    tsr_layout_destroy(&layout);
    return tsri_file_close(&source.file, st);
}
