/* The memory behind arrays: private, shared or adopted, and held by whoever still needs it. */
#include "array/array.h"
#include "base/gate.h"
#include "base/memory.h"
#include "shm/team.h"

static void free_memory(tsri_memory kind, void *memory)
{
    if (kind == TSRI_MEMORY_PRIVATE) tsri_private_free(memory);
    if (kind == TSRI_MEMORY_SHARED) tsri_arena_free(memory);
}

/* Channels first: they may still use the memory. */
static void give_back(tsri_storage *storage)
{
    if (storage->channels != NULL) storage->channels_free(storage->channels);
    storage->channels = NULL;
    if (storage->kind == TSRI_MEMORY_NODE)
        tsri_node_piece_release(&storage->piece);
    else
        free_memory(storage->kind, storage->memory);
    storage->memory = NULL;
    storage->bytes = 0;
}

static void live_release(tsri_live *live)
{
    give_back((tsri_storage *)((char *)live - offsetof(tsri_storage, live)));
}

/* Whole copies may be made by one rank alone, between any two collective calls. */
static tsr_status make(const tsr_layout *layout, tsri_memory kind, void *memory, size_t bytes,
                       tsri_storage **storage)
{
    static atomic_uint_fast64_t last_id;
    tsr_status st = TSR_OK;
    tsri_storage *made = NULL;

    *storage = NULL;
    TSRI_ALLOC(done, made, 1);
    atomic_init(&made->refs, 1);
    made->id = 1 + atomic_fetch_add(&last_id, 1);
    made->born = layout->geometry.whole ? 0 : tsri_gate_calls(layout->context);
    made->memory = memory;
    made->bytes = bytes;
    made->kind = kind;
    tsri_live_add(&made->live, live_release);
    *storage = made;
done:
    return st;
}

tsr_status tsri_storage_adopt(const tsr_layout *layout, void *memory, size_t bytes,
                              tsri_storage **storage)
{
    return make(layout, TSRI_MEMORY_ADOPTED, memory, bytes, storage);
}

/* Memory for a block, NULL when there is none: private where shared memory is short, or slow. */
static tsri_memory allocate(const tsri_context *context, size_t bytes, void **memory)
{
    const tsri_team *team = tsri_context_team(context);
    tsri_memory kind = TSRI_MEMORY_PRIVATE;

    *memory = NULL;
    if (tsri_fault()) return kind;
    tsri_fault_suspend(); /* one place for faults, wherever the memory comes from */
    if (team != NULL && team->sharing && tsri_arena_suits(bytes) &&
        tsri_arena_alloc(bytes, memory) == TSR_OK)
        kind = TSRI_MEMORY_SHARED;
    else
        *memory = tsri_private_alloc(bytes);
    tsri_fault_resume();
    return kind;
}

tsr_status tsri_storage_create(const tsr_layout *layout, size_t bytes, tsri_storage **storage)
{
    tsr_status st = TSR_OK;
    void *memory = NULL;
    tsri_memory kind = TSRI_MEMORY_PRIVATE;

    *storage = NULL;
    if (bytes > 0) {
        kind = allocate(layout->context, bytes, &memory);
        TSRI_CHECK(fail, memory != NULL, TSR_ERR_NOMEM, "no memory for a block of %zu bytes",
                   bytes);
    }
    TSRI_TRY(fail, make(layout, kind, memory, bytes, storage));
    return TSR_OK;

fail:
    free_memory(kind, memory);
    return st;
}

tsr_status tsri_storage_create_bare(const tsr_layout *layout, size_t bytes, tsri_storage **storage)
{
    return make(layout, TSRI_MEMORY_PRIVATE, NULL, bytes, storage);
}

/* Each rank its own memory, after all.  Collective; agrees. */
static tsr_status share_nothing(tsri_context *context, tsri_storage *storage)
{
    tsr_status st = TSR_OK;

    storage->memory = tsri_private_alloc(storage->bytes);
    TSRI_CHECK(agree, storage->memory != NULL, TSR_ERR_NOMEM, "no memory for a block of %zu bytes",
               storage->bytes);
agree:
    return tsri_agree(context, st, 0);
}

/* A node of one rank has its copy to itself. */
static tsr_status share(tsri_context *context, tsri_storage *storage)
{
    const tsri_team *team = tsri_context_team(context);
    const bool together = team != NULL && team->sharing;
    tsri_node_piece piece = {0};
    tsr_status st = TSR_OK;

    if (team == NULL || !team->anyone_shares) return share_nothing(context, storage);
    if (together)
        st = tsri_node_piece_make(context, team, storage->bytes, &piece);
    else if ((storage->memory = tsri_private_alloc(storage->bytes)) == NULL)
        st = TSRI_FAIL(TSR_ERR_NOMEM, "no memory for a block of %zu bytes", storage->bytes);
    if (tsri_agree(context, st, 0) != TSR_OK) {
        tsri_node_piece_drop(&piece);
        tsri_private_free(storage->memory);
        return share_nothing(context, storage);
    }
    if (!together) return TSR_OK;
    storage->kind = TSRI_MEMORY_NODE;
    storage->piece = piece;
    storage->memory = tsri_node_piece_data(&piece);
    return TSR_OK;
}

tsr_status tsri_storage_share(tsri_context *context, tsri_storage *storage)
{
    if (storage->bytes == 0) return TSR_OK;
    tsri_fault_suspend(); /* what may fail here has something to fall back to */
    const tsr_status st = share(context, storage);
    tsri_fault_resume();
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

bool tsri_storage_overlaps(const tsri_storage *a, const tsri_storage *b)
{
    const uintptr_t first = (uintptr_t)a->memory, second = (uintptr_t)b->memory;
    if (a == b) return true;
    if (a->memory == NULL || b->memory == NULL) return false;
    return first < second + b->bytes && second < first + a->bytes;
}
