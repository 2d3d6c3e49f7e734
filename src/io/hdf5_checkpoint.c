/* Checkpoints: whether there is one, and its values into arrays that exist, all or none. */
#define _POSIX_C_SOURCE 200809L

#include "base/checked.h"
#include "base/gate.h"
#include "base/net.h"
#include "io/hdf5_contents.h"
#include "io/hdf5_request.h"
#include "kern/kern.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

/* ---- checks (Local) -------------------------------------------------------------------------- */

static tsr_status check_kind(const char *path, const tsr_named_array *named,
                             const tsri_hdf5_kind *there)
{
    const tsri_hdf5_kind here = tsri_hdf5_kind_of(named->array);
    tsr_status st = TSR_OK;

    TSRI_CHECK(done, there->dtype == here.dtype, TSR_ERR_TYPE,
               "'%.100s' is %s in " TSRI_PATH ", and the array %s", named->name,
               tsr_dtype_name(there->dtype), path, tsr_dtype_name(here.dtype));
    TSRI_CHECK(done, there->ndim == here.ndim, TSR_ERR_VALUE,
               "'%.100s' has %d ax%cs in " TSRI_PATH ", and the array %d", named->name, there->ndim,
               TSRI_ES(there->ndim), path, here.ndim);
    for (int a = 0; a < here.ndim; ++a)
        TSRI_CHECK(done, there->shape[a] == here.shape[a], TSR_ERR_VALUE,
                   "axis %d of '%.100s' has %" PRId64 " cell%s in " TSRI_PATH
                   ", of the array %" PRId64,
                   a, named->name, there->shape[a], TSRI_S(there->shape[a]), path, here.shape[a]);
done:
    return st;
}

static tsr_status check_kinds(const tsri_hdf5_request *request, const tsri_hdf5_contents *c)
{
    tsr_status st = TSR_OK;

    for (int i = 0; i < request->n && st == TSR_OK; ++i)
        st = check_kind(request->path, &request->arrays[i], &c->kinds[i]);
    return st;
}

/* ---- a second copy --------------------------------------------------------------------------- */

/* Arrays of the same layouts, which the file is read into. */
static tsr_status make_copies(const tsri_hdf5_request *request, tsri_hdf5_contents *c)
{
    tsr_status st = TSR_OK;

    for (int i = 0; i < request->n && st == TSR_OK; ++i) {
        const tsr_array *array = request->arrays[i].array;
        st = tsri_array_make(array->layout, array->dtype, request->call, &c->arrays[i].array);
    }
    return st;
}

static void copy_values(const tsr_array *from, tsr_array *to)
{
    const tsr_array share = tsri_array_share(to);
    const size_t size = tsr_dtype_size(to->dtype);
    const size_t offset = (size_t)(share.origin - to->origin) * size;

    if (share.cells > 0)
        tsri_kern_get()->copy(
            size, to->layout->geometry.ndim, share.extent, tsri_array_origin(&share), share.stride,
            (const unsigned char *)tsri_array_origin(from) + offset, from->stride);
    tsri_array_meet(to);
}

/* Collective; agrees. */
static tsr_status read_copies(const tsri_hdf5_request *request, tsri_hdf5_contents *c)
{
    tsr_status st;

    TSRI_TRY(agree, check_kinds(request, c));
    TSRI_TRY(agree, make_copies(request, c));
agree:
    st = tsri_agree(request->context, st, 0);
    return st == TSR_OK ? tsri_hdf5_read_cells(request->context, request->path, c) : st;
}

/* ---- the calls ------------------------------------------------------------------------------- */

static tsr_status look_for(const char *path, bool *exists)
{
    struct stat info;

    *exists = TSRI_FILE_CALL(stat(path, &info)) == 0;
    return *exists || errno == ENOENT ? TSR_OK : TSRI_FILE_FAIL("look at", path);
}

tsr_status tsr_checkpoint_exists(const char *path, tsr_comm comm, bool *exists)
{
    tsri_context *context;
    bool found = false;
    tsr_status st;

    if (exists != NULL) *exists = false;
    TSRI_TRY(done, tsri_context_enter(comm, __func__, &context));
    const uint64_t arguments = tsri_path_hash(tsri_path_hash(TSRI_HASH_START, __func__), path);
    TSRI_TRY(agree, tsri_path_check(path));
    TSRI_CHECK(agree, exists != NULL, TSR_ERR_VALUE, "exists is NULL");
    if (tsri_context_rank(context) == 0) st = look_for(path, &found);
agree:;
    const tsr_status sent = tsri_net_bcast(context, &found, sizeof found, 0);
    TSRI_TRY(done, tsri_agree(context, st != TSR_OK ? st : sent, arguments));
    *exists = found;
done:
    return st;
}

tsr_status tsr_checkpoint_load(const char *path, int n, const tsr_named_array *arrays,
                               tsr_attributes *attributes)
{
    tsri_hdf5_request request = {.call = __func__, .path = path, .n = n, .arrays = arrays};
    tsri_hdf5_contents c = {0};
    uint64_t arguments = 0;
    tsr_status st;

    TSRI_TRY(done, tsri_hdf5_enter(&request));
    TSRI_TRY(agree, tsri_hdf5_check(&request));
    arguments = tsri_hdf5_fingerprint(&request);
    for (int i = 0; i < n; ++i)
        TSRI_CHECK(agree, arrays[i].array->storage->pending == 0, TSR_ERR_STATE,
                   "an exchange of array %d is pending; finish it first", i);
agree:
    TSRI_TRY(done, tsri_agree(request.context, st, arguments));
    TSRI_TRY(done, tsri_hdf5_look(request.context, path, n, arrays, &c));
    TSRI_TRY(done, read_copies(&request, &c));
    for (int i = 0; i < n; ++i)
        copy_values(c.arrays[i].array, arrays[i].array);
    tsri_hdf5_give_attributes(&c, attributes);
done:
    tsri_hdf5_contents_drop(&c);
    return st;
}
