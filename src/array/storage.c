#include "array/array.h"
#include "base/memory.h"

/* Channels first: they may still use the memory. */
static void give_back(tsri_storage *storage)
{
    if (storage->channels != NULL) storage->channels_free(storage->channels);
    storage->channels = NULL;
    if (!storage->adopted) tsri_free_aligned(storage->memory);
    storage->memory = NULL;
    storage->bytes = 0;
}

static void live_release(tsri_live *live)
{
    give_back((tsri_storage *)((char *)live - offsetof(tsri_storage, live)));
}

tsr_status tsri_storage_adopt(void *memory, size_t bytes, tsri_storage **storage)
{
    tsr_status st = TSR_OK;
    tsri_storage *made = NULL;

    *storage = NULL;
    TSRI_ALLOC(done, made, 1);
    atomic_init(&made->refs, 1);
    made->memory = memory;
    made->bytes = bytes;
    made->adopted = true;
    tsri_live_add(&made->live, live_release);
    *storage = made;
done:
    return st;
}

tsr_status tsri_storage_create(size_t bytes, tsri_storage **storage)
{
    tsr_status st = TSR_OK;
    void *memory = NULL;

    *storage = NULL;
    if (bytes > 0) {
        memory = tsri_alloc_aligned(bytes);
        TSRI_CHECK(fail, memory != NULL, TSR_ERR_NOMEM, "no memory for a block of %zu bytes",
                   bytes);
    }
    TSRI_TRY(fail, tsri_storage_adopt(memory, bytes, storage));
    (*storage)->adopted = false;
    return TSR_OK;

fail:
    tsri_free_aligned(memory);
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
