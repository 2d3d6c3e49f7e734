#include "io/hdf5_request.h"

#include "base/checked.h"
#include "base/gate.h"
#include "io/attributes.h"
#include "io/file.h"
#include "io/hdf5_labels.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_GZIP = 9 };

const char *tsri_hdf5_plain_name(const char *name)
{
    return name[0] == '/' ? name + 1 : name;
}

tsr_status tsri_hdf5_enter(tsri_hdf5_request *request)
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

/* ---- names ----------------------------------------------------------------------------------- */

tsr_status tsri_hdf5_check_name(const char *what, int i, const char *name)
{
    tsr_status st = TSR_OK;

    TSRI_CHECK(done, name != NULL && name[0] != '\0', TSR_ERR_VALUE, "the name of %s %d is %s",
               what, i, name == NULL ? "NULL" : "empty");
    for (const char *part = tsri_hdf5_plain_name(name); part != NULL;) {
        const size_t length = strcspn(part, "/");
        TSRI_CHECK(done, length > 0 && !(length == 1 && part[0] == '.'), TSR_ERR_VALUE,
                   "the name '%.100s' of %s %d has a part that is %s", name, what, i,
                   length == 0 ? "empty" : "'.'");
        part = part[length] == '\0' ? NULL : part + length + 1;
    }
done:
    return st;
}

/* Two names that cannot both be of arrays: one name, or a group of the other. */
static tsr_status check_names_differ(const char *a, const char *b)
{
    const size_t length = strlen(a);

    if (strncmp(a, b, length) != 0) return TSR_OK;
    if (b[length] == '\0') return TSRI_FAIL(TSR_ERR_VALUE, "the name '%.100s' is given twice", a);
    if (b[length] != '/') return TSR_OK;
    return TSRI_FAIL(TSR_ERR_VALUE, "'%.100s' is an array, and in '%.100s' a group", a, b);
}

static tsr_status check_names(const tsri_hdf5_request *request)
{
    tsr_status st = TSR_OK;

    for (int i = 0; i < request->n; ++i)
        TSRI_TRY(done, tsri_hdf5_check_name("array", i, request->arrays[i].name));
    for (int i = 0; i < request->n; ++i)
        for (int j = 0; j < request->n; ++j)
            if (i != j)
                TSRI_TRY(done, check_names_differ(tsri_hdf5_plain_name(request->arrays[i].name),
                                                  tsri_hdf5_plain_name(request->arrays[j].name)));
done:
    return st;
}

/* ---- arrays and options ---------------------------------------------------------------------- */

static tsr_status check_arrays(const tsri_hdf5_request *request)
{
    tsr_status st = TSR_OK;

    for (int i = 0; i < request->n; ++i) {
        const tsr_array *array = request->arrays[i].array;
        TSRI_CHECK(done, array != NULL, TSR_ERR_VALUE, "array %d is NULL", i);
        TSRI_CHECK(done, tsri_context_base(array->layout->context) == request->context,
                   TSR_ERR_VALUE, "array %d is on another communicator than array 0", i);
    }
done:
    return st;
}

static tsr_status check_options(const tsri_hdf5_request *request)
{
    const tsr_hdf5_options *options = request->options;
    int64_t bytes = 16;
    tsr_status st = TSR_OK;

    TSRI_CHECK(done, options->gzip >= 0 && options->gzip <= MOST_GZIP, TSR_ERR_VALUE,
               "gzip is %d, must be 0 to %d", options->gzip, MOST_GZIP);
    for (int a = 0; a < TSR_MAX_NDIM; ++a) {
        TSRI_CHECK(done, options->chunk[a] >= 0, TSR_ERR_VALUE,
                   "chunk[%d] is %" PRId64 ", must be >= 0", a, options->chunk[a]);
        const bool fits = options->chunk[a] == 0 || tsri_mul_i64(bytes, options->chunk[a], &bytes);
        TSRI_CHECK(done, fits && bytes <= UINT32_MAX, TSR_ERR_VALUE,
                   "a chunk of 16-byte elements takes more than 4 GiB, which HDF5 does not store");
    }
done:
    return st;
}

tsr_status tsri_hdf5_check(const tsri_hdf5_request *request)
{
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_path_check(request->path));
    TSRI_TRY(done, check_arrays(request));
    TSRI_TRY(done, check_names(request));
    TSRI_TRY(done, check_options(request));
    TSRI_TRY(done, tsri_hdf5_check_labels(request));
    TSRI_TRY(done, tsri_attributes_check(request->attributes));
done:
    return st;
}

/* ---- fingerprint ----------------------------------------------------------------------------- */

uint64_t tsri_hdf5_fingerprint(const tsri_hdf5_request *request)
{
    const tsr_hdf5_options *options = request->options;
    uint64_t hash = tsri_path_hash(tsri_path_hash(TSRI_HASH_START, request->call), request->path);

    hash = tsri_hash(hash, &request->n, sizeof request->n);
    for (int i = 0; i < request->n; ++i) {
        hash = tsri_hash_text(hash, request->arrays[i].name);
        hash = tsri_hash_array(hash, request->arrays[i].array);
    }
    hash = tsri_hash(hash, &options->update, sizeof options->update);
    hash = tsri_hash(hash, &options->gzip, sizeof options->gzip);
    hash = tsri_hash(hash, options->chunk, sizeof options->chunk);
    hash = tsri_hash(hash, &request->time, sizeof request->time);
    hash = tsri_hash_text(hash, options->time_name);
    hash = tsri_hash_text(hash, options->time_units);
    hash = tsri_hdf5_labels_hash(hash, request);
    return tsri_attributes_hash(hash, request->attributes);
}
