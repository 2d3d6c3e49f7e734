#include "array/array.h"
#include "base/memory.h"

/* Channels first: they may still use the memory. */
static void give_back(tsri_storage *storage)
{
    if (storage->channels != NULL) storage->channels_free(storage->channels);
    storage->channels = NULL;
    tsri_free_aligned(storage->memory);
    storage->memory = NULL;
    storage->bytes = 0;
}

static void live_release(tsri_live *live)
{
    give_back((tsri_storage *)((char *)live - offsetof(tsri_storage, live)));
}

tsr_status tsri_storage_create(size_t bytes, tsri_storage **storage)
{
    tsr_status st = TSR_OK;
    tsri_storage *made = NULL;

    *storage = NULL;
    TSRI_ALLOC(fail, made, 1);
    if (bytes > 0) {
        made->memory = tsri_alloc_aligned(bytes);
        TSRI_CHECK(fail, made->memory != NULL, TSR_ERR_NOMEM, "no memory for a block of %zu bytes",
                   bytes);
    }
    atomic_init(&made->refs, 1);
    made->bytes = bytes;
    tsri_live_add(&made->live, live_release);
    *storage = made;
    return TSR_OK;

fail:
    tsri_free(made);
    return st;
}

tsri_storage *tsri_storage_ref(tsri_storage *storage)
{
    atomic_fetch_add_explicit(&storage->refs, 1, memory_order_relaxed);
    return storage;
}

void tsri_storage_unref(tsri_storage *storage)
{
    if (storage == NULL) return;
    if (atomic_fetch_sub_explicit(&storage->refs, 1, memory_order_acq_rel) > 1) return;
    tsri_live_remove(&storage->live);
    give_back(storage);
    tsri_free(storage);
}
