/* What a manager holds, by communicator: counting, meeting, freeing. */
#include "base/checked.h"
#include "base/gate.h"
#include "base/text.h"
#include "shm/manager.h"

/* Contexts are attributes of communicators, so a number that MPI uses anew for another communicator
 * finds nothing of the old one. */

static tsri_shared *newest_on(const tsri_manager *manager, const tsri_context *context)
{
    tsri_shared *a = context == NULL ? NULL : manager->newest;
    while (a != NULL && a->segment.context != context)
        a = a->older;
    return a;
}

static tsri_shared *older_on(const tsri_shared *array)
{
    tsri_shared *a = array->older;
    while (a != NULL && a->segment.context != array->segment.context)
        a = a->older;
    return a;
}

static tsri_shared *newest_of(const tsr_shm *shm, tsr_comm comm)
{
    const tsri_manager *manager = tsri_manager_of(shm);
    return manager == NULL ? NULL : newest_on(manager, tsri_context_find(comm));
}

int tsr_shm_count(const tsr_shm *shm, tsr_comm comm)
{
    int count = 0;
    for (const tsri_shared *a = newest_of(shm, comm); a != NULL; a = older_on(a))
        ++count;
    return count;
}

size_t tsr_shm_total_bytes(const tsr_shm *shm, tsr_comm comm)
{
    size_t bytes = 0;
    for (const tsri_shared *a = newest_of(shm, comm); a != NULL; a = older_on(a))
        bytes += a->bytes;
    return bytes;
}

tsr_shm_array *tsr_shm_array_at(const tsr_shm *shm, tsr_comm comm, int i)
{
    int later = tsr_shm_count(shm, comm) - 1 - i; /* how many were made after it */
    const tsri_shared *a = newest_of(shm, comm);

    if (i < 0 || later < 0) return NULL;
    while (a != NULL && later-- > 0)
        a = older_on(a);
    return a == NULL ? NULL : tsri_shared_handle(a);
}

/* ---- meeting --------------------------------------------------------------------------------- */

static tsr_status meet(const char *call, tsri_shared *array)
{
    tsr_status st = TSR_OK;
    TSRI_TRY(done, tsri_enter(array->segment.context, false, "%s", call));
    tsri_segment_barrier(&array->segment);
done:
    return st;
}

tsr_status tsr_shm_sync(const tsr_shm_array *array)
{
    tsri_shared *shared = NULL;
    const tsr_status st = tsri_shared_check(__func__, array, &shared);
    return st == TSR_OK ? meet(__func__, shared) : st;
}

/* One meeting is a meeting about all of them. */
tsr_status tsr_shm_sync_all(const tsr_shm *shm, tsr_comm comm)
{
    tsri_manager *manager = NULL;
    const tsr_status st = tsri_manager_check(__func__, shm, &manager);
    if (st != TSR_OK) return st;
    tsri_shared *const array = newest_on(manager, tsri_context_find(comm));
    return array == NULL ? TSR_OK : meet(__func__, array);
}

/* ---- freeing --------------------------------------------------------------------------------- */

tsr_status tsr_shm_free_comm(tsr_shm *shm, tsr_comm comm)
{
    tsr_status st = TSR_OK;
    tsri_manager *manager = NULL;
    tsri_context *context = NULL;

    TSRI_TRY(fail, tsri_manager_check(__func__, shm, &manager));
    TSRI_TRY(fail, tsri_context_enter(comm, __func__, &context));
    const int64_t mine[] = {tsr_shm_count(shm, comm),
                            context == manager->node ? manager->number : 0};
    TSRI_TRY(fail, tsri_agree(context, TSR_OK, tsri_hash(TSRI_HASH_START, mine, sizeof mine)));
    for (tsri_shared *a = newest_on(manager, context); a != NULL; a = newest_on(manager, context))
        tsri_shared_free(a);
fail:
    return st;
}

tsr_status tsr_shm_free_all(tsr_shm *shm)
{
    tsr_status st = TSR_OK;
    tsri_manager *manager = NULL;

    TSRI_TRY(fail, tsri_manager_check(__func__, shm, &manager));
    TSRI_TRY(fail, tsri_enter(manager->base, false, "%s", __func__));
    TSRI_TRY(fail, tsri_agree(manager->base, TSR_OK, (uint64_t)manager->number));
    while (manager->newest != NULL)
        tsri_shared_free(manager->newest);
fail:
    return st;
}

/* ---- the report ------------------------------------------------------------------------------ */

static void describe_array(tsri_text *text, const tsri_shared *a)
{
    tsri_text_append(text, "\n%s array of %s, shape (", a->is_node ? "node" : "shared",
                     tsr_dtype_name(a->dtype));
    for (int axis = 0; axis < a->ndim; ++axis)
        tsri_text_append(text, "%s%lld", axis == 0 ? "" : ", ", (long long)a->shape[axis]);
    tsri_text_append(text, "%s), %zu bytes, of rank %d of %d", a->ndim == 1 ? "," : "", a->bytes,
                     a->segment.root, tsri_context_size(a->segment.context));
}

size_t tsr_shm_describe(const tsr_shm *shm, size_t size, char *buffer)
{
    const tsri_manager *m = tsri_manager_of(shm);
    tsri_text text = tsri_text_begin(size, buffer);

    if (m == NULL) {
        tsri_text_append(&text, "no shared-memory manager");
        return text.length;
    }
    const int group = m->nproc_reduce;
    tsri_text_append(&text, "rank %d of %d on its node, 1 of %d; %d tree group%s of up to %d",
                     m->team->index, m->team->count, m->lane.nodes,
                     (m->team->count + group - 1) / group, m->team->count > group ? "s" : "",
                     group);
    const tsri_shared *a = m->newest;
    while (a != NULL && a->older != NULL)
        a = a->older;
    for (; a != NULL; a = a->newer)
        describe_array(&text, a);
    return text.length;
}
