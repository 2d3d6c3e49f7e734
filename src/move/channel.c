#include "move/channel.h"

#include "base/checked.h"
#include "base/memory.h"

#include <string.h>

/* The caches are small: programs use few kinds of exchange.  Least recently used entries go first.
 */
enum { MAX_PLANS = 32, MAX_CHANNELS = 16 };

/* ---- plans, kept with the layout ------------------------------------------------------------- */

typedef struct plan_entry {
    tsri_halo_key key;
    tsri_plan *plan;
    struct plan_entry *next; /* most recently used first */
} plan_entry;

static void free_plans(void *plans)
{
    for (plan_entry *entry = plans, *next; entry != NULL; entry = next) {
        next = entry->next;
        tsri_plan_unref(entry->plan);
        tsri_free(entry);
    }
}

static tsri_plan *find_plan(tsr_layout *layout, const tsri_halo_key *key)
{
    plan_entry *first = layout->plans;
    for (plan_entry *entry = first, *before = NULL; entry != NULL;
         before = entry, entry = entry->next) {
        if (memcmp(&entry->key, key, sizeof *key) != 0) continue;
        if (before != NULL) {
            before->next = entry->next;
            entry->next = first;
            layout->plans = entry;
        }
        return entry->plan;
    }
    return NULL;
}

static void keep_plan(tsr_layout *layout, plan_entry *entry)
{
    entry->next = layout->plans;
    layout->plans = entry;
    layout->plans_free = free_plans;
    int kept = 1;
    while (entry->next != NULL && kept < MAX_PLANS) {
        entry = entry->next;
        ++kept;
    }
    free_plans(entry->next);
    entry->next = NULL;
}

/* ---- channels, kept with the storage --------------------------------------------------------- */

void tsri_channel_free(tsr_pending *channel)
{
    if (channel == NULL) return;
    tsri_exchange_free(channel->exchange);
    tsri_free(channel->slot);
    tsri_free(channel->id);
    tsri_free(channel);
}

void tsri_channel_drop(tsr_pending *channel, tsri_storage *storage)
{
    tsr_pending *c = storage->channels;
    if (c == channel) storage->channels = channel->next;
    for (; c != NULL; c = c->next)
        if (c->next == channel) c->next = channel->next;
    tsri_channel_free(channel);
}

/* Release what a storage keeps.  A channel whose exchange is under way (only when the library ends
 * meanwhile) completes it, and is left for its handle to free. */
static void free_channels(void *channels)
{
    for (tsr_pending *channel = channels, *next; channel != NULL; channel = next) {
        next = channel->next;
        if (!channel->active) {
            tsri_channel_free(channel);
            continue;
        }
        channel->orphaned = true;
        tsri_exchange_abandon(channel->exchange);
        tsri_exchange_free(channel->exchange);
        channel->exchange = NULL;
    }
}

/* Whether a channel is for these arrays and options.  False, too, when the options are wrong:
 * making a channel says so. */
static bool serves(const tsr_pending *channel, int count, tsr_array *const *arrays,
                   const tsri_halo_request *request)
{
    tsri_halo_key key;

    if (channel->count != count || channel->direction != request->direction) return false;
    for (int i = 0; i < count; ++i) {
        if (tsri_halo_key_make(__func__, arrays[i], request, i, &key) != TSR_OK) return false;
        const tsri_plan *plan = find_plan(arrays[i]->layout, &key);
        if (!tsri_exchange_is(channel->exchange, i, plan, arrays[i]->dtype)) return false;
        if (channel->id[i] != arrays[i]->storage->id) return false;
    }
    return true;
}

static tsr_pending *find_channel(int count, tsr_array *const *arrays,
                                 const tsri_halo_request *request)
{
    tsri_storage *storage = arrays[0]->storage;
    for (tsr_pending *c = storage->channels, *before = NULL; c != NULL; before = c, c = c->next) {
        if (!serves(c, count, arrays, request)) continue;
        if (before != NULL) {
            before->next = c->next;
            c->next = storage->channels;
            storage->channels = c;
        }
        return c;
    }
    return NULL;
}

bool tsri_channel_exists(int count, tsr_array *const *arrays, const tsri_halo_request *request)
{
    return find_channel(count, arrays, request) != NULL;
}

static void keep_channel(tsri_storage *storage, tsr_pending *channel)
{
    channel->next = storage->channels;
    storage->channels = channel;
    storage->channels_free = free_channels;
    int kept = 1;
    while (channel->next != NULL && kept < MAX_CHANNELS) {
        channel = channel->next;
        ++kept;
    }
    free_channels(channel->next);
    channel->next = NULL;
}

bool tsri_exchange_is_local(int count, tsr_array *const *arrays)
{
    for (int i = 0; i < count; ++i)
        if (arrays[i] != NULL && !tsri_layout_is_local(arrays[i]->layout)) return false;
    return true;
}

tsr_status tsri_channel_agree(const tsr_pending *channel, tsr_status status)
{
    return channel->local ? status : tsri_agree(channel->context, status, 0);
}

/* ---- the first use --------------------------------------------------------------------------- */

/* A channel while it is made, one entry for each array. */
typedef struct {
    const char *call;
    int count;
    tsr_array *const *arrays;
    tsri_plan **plan;
    tsr_dtype *dtype;
    void **from, **to; /* first owned cells, to read and to write */
    plan_entry **made; /* plans that were not in the layout's cache, to be kept there */
    uint64_t hash;     /* of everything that must be the same on all ranks */
    tsr_pending *channel;
} making;

/* A plan that this very call made for an earlier array of the same layout. */
static tsri_plan *find_made(const making *m, int i, const tsri_halo_key *key)
{
    for (int k = 0; k < i; ++k)
        if (m->made[k] != NULL && m->arrays[k]->layout == m->arrays[i]->layout &&
            memcmp(&m->made[k]->key, key, sizeof *key) == 0)
            return m->plan[k];
    return NULL;
}

static tsr_status make_plan(making *m, int i, const tsri_halo_key *key)
{
    tsr_layout *layout = m->arrays[i]->layout;
    tsr_status st = TSR_OK;

    m->plan[i] = find_plan(layout, key);
    if (m->plan[i] == NULL) m->plan[i] = find_made(m, i, key);
    if (m->plan[i] != NULL) return TSR_OK;
    TSRI_ALLOC(done, m->made[i], 1);
    m->made[i]->key = *key;
    TSRI_TRY(done, tsri_halo_plan_create(&layout->geometry, layout->rank, key, &m->made[i]->plan));
    m->plan[i] = m->made[i]->plan;
done:
    return st;
}

static tsr_status make_plans(making *m, const tsri_halo_request *request)
{
    tsri_halo_key key;
    tsr_status st = TSR_OK;

    m->hash = tsri_hash(TSRI_HASH_START, &m->count, sizeof m->count);
    for (int i = 0; i < m->count; ++i) {
        m->dtype[i] = m->arrays[i]->dtype;
        TSRI_TRY(done, tsri_halo_key_make(m->call, m->arrays[i], request, i, &key));
        TSRI_TRY(done, make_plan(m, i, &key));
        m->hash = tsri_hash(tsri_hash_array(m->hash, m->arrays[i]), &key, sizeof key);
    }
done:
    return st;
}

/* All of a channel but its exchange. */
static tsr_status make_channel(making *m, tsri_direction direction)
{
    tsr_status st = TSR_OK;
    tsr_pending *c = NULL;

    TSRI_ALLOC(done, c, 1);
    m->channel = c;
    c->context = m->arrays[0]->layout->context;
    c->direction = direction;
    c->count = m->count;
    c->local = tsri_exchange_is_local(m->count, m->arrays);
    c->fresh = c->whole = true;
    TSRI_ALLOC(done, c->slot, m->count);
    TSRI_ALLOC(done, c->id, m->count);
    for (int i = 0; i < m->count; ++i) {
        c->id[i] = m->arrays[i]->storage->id;
        c->whole = c->whole && m->arrays[i]->layout->geometry.whole;
        m->from[i] = tsri_array_origin(m->arrays[i]);
        m->to[i] = tsri_array_target(m->arrays[i]);
    }
done:
    return st;
}

static void drop(making *m)
{
    tsri_channel_free(m->channel);
    for (int i = 0; m->made != NULL && i < m->count; ++i) {
        if (m->made[i] != NULL) tsri_plan_unref(m->made[i]->plan);
        tsri_free(m->made[i]);
    }
    tsri_free(m->plan);
    tsri_free(m->dtype);
    tsri_free(m->from);
    tsri_free(m->to);
    tsri_free(m->made);
}

/* Move what was made into the caches. */
static void keep(making *m)
{
    for (int i = 0; i < m->count; ++i) {
        if (m->made[i] != NULL) keep_plan(m->arrays[i]->layout, m->made[i]);
        m->made[i] = NULL;
    }
    keep_channel(m->arrays[0]->storage, m->channel);
    m->channel = NULL;
}

tsr_status tsri_channel_of(const char *call, int count, tsr_array *const *arrays,
                           const tsri_halo_request *request, tsr_pending **out)
{
    making m = {.call = call, .count = count, .arrays = arrays};
    tsri_exchange_parts parts = {
        .context = arrays[0]->layout->context,
        .count = count,
        .combine = request->direction == TSRI_UPDATE ? TSRI_REPLACE : TSRI_ADD,
        .local = tsri_exchange_is_local(count, arrays),
        .repeats = true,
    };
    tsri_exchange *exchange = NULL;
    tsr_status st = TSR_OK;

    *out = find_channel(count, arrays, request);
    if (*out != NULL) return TSR_OK;

    TSRI_ALLOC(agree, m.plan, count);
    TSRI_ALLOC(agree, m.dtype, count);
    TSRI_ALLOC(agree, m.from, count);
    TSRI_ALLOC(agree, m.to, count);
    TSRI_ALLOC(agree, m.made, count);
    TSRI_TRY(agree, make_plans(&m, request));
    TSRI_TRY(agree, make_channel(&m, request->direction));
agree:
    parts.plans = m.plan;
    parts.dtypes = m.dtype;
    parts.from = m.from;
    parts.to = m.to;
    st = tsri_exchange_create(&parts, st, m.hash, &exchange);
    if (st == TSR_OK) {
        m.channel->exchange = exchange;
        *out = m.channel;
        keep(&m);
    }
    drop(&m);
    return st;
}
