#include "move/halo.h"
#include "base/checked.h"
#include "base/gate.h"
#include "kern/kern.h"
#include "move/channel.h"

/* ---- checks ---------------------------------------------------------------------------------- */

/* Without a first array there is no communicator to agree over. */
static tsr_status check_first(const char *call, int count, tsr_array *const *arrays)
{
    tsr_status st = TSR_OK;
    TSRI_CHECK_IN(call, done, count >= 1, TSR_ERR_VALUE, "count is %d, must be >= 1", count);
    TSRI_CHECK_IN(call, done, arrays != NULL, TSR_ERR_VALUE, "arrays is NULL, must have %d array%s",
                  count, TSRI_S(count));
    TSRI_CHECK_IN(call, done, arrays[0] != NULL, TSR_ERR_VALUE, "arrays[0] is NULL");
done:
    return st;
}

/* One communicator, no array twice, none under way. */
static tsr_status check_arrays(const char *call, int count, tsr_array *const *arrays)
{
    tsr_status st = TSR_OK;

    for (int i = 0; i < count; ++i) {
        TSRI_CHECK_IN(call, done, arrays[i] != NULL, TSR_ERR_VALUE, "arrays[%d] is NULL", i);
        TSRI_CHECK_IN(call, done, arrays[i]->layout->context == arrays[0]->layout->context,
                      TSR_ERR_VALUE, "arrays[%d] is on another communicator than arrays[0]", i);
        TSRI_CHECK_IN(call, done, count > 1 || arrays[i]->storage->pending == 0, TSR_ERR_STATE,
                      "an exchange of the array is pending; finish it first");
        TSRI_CHECK_IN(call, done, arrays[i]->storage->pending == 0, TSR_ERR_STATE,
                      "an exchange of arrays[%d] is pending; finish it first", i);
        for (int k = 0; k < i; ++k)
            TSRI_CHECK_IN(call, done, arrays[k]->storage != arrays[i]->storage, TSR_ERR_VALUE,
                          "arrays[%d] and arrays[%d] are the same", k, i);
    }
done:
    return st;
}

/* For the gate: a number that tells arrays and options apart, and a first use from later ones. */
static uint64_t digest(int count, tsr_array *const *arrays, const tsri_halo_request *request)
{
    uint64_t hash = TSRI_HASH_START;
    for (int i = 0; i < count; ++i) {
        tsri_halo_key key = {0};
        if (arrays[i] == NULL) return 0;
        (void)tsri_halo_key_make(__func__, arrays[i], request, i, &key);
        hash = tsri_hash(tsri_hash_array(hash, arrays[i]), &key, sizeof key);
    }
    const bool made = tsri_channel_exists(count, arrays, request);
    return tsri_hash(hash, &made, sizeof made);
}

/* The gate, which ranks with copies of their own need not pass. */
static tsr_status enter(const char *call, int count, tsr_array *const *arrays,
                        const tsri_halo_request *request)
{
    const tsr_halo_options *options = request->options;
    tsri_context *context = arrays[0]->layout->context;
    const bool local = tsri_exchange_is_local(count, arrays);
    const tsr_axes axes = options == NULL || options->axes == 0 ? TSR_ALL_AXES : options->axes;
    char words[TSRI_AXES_WORDS];

    if (local || !tsri_gate_is_on(context)) return tsri_enter(context, local, "%s", call);
    return tsri_enter_with(context, digest(count, arrays, request), "%s (%s)", call,
                           tsri_axes_list(axes, words));
}

/* ---- start ----------------------------------------------------------------------------------- */

/* Whether an update calls a function of the user, on some rank. */
static bool takes_callback(const tsr_array *array, const tsri_slot *slot,
                           const tsri_halo_request *request, int which)
{
    tsri_halo_key key;
    bool known = false;

    for (int a = 0; a < slot->view.ndim; ++a)
        for (int side = 0; side < 2; ++side) {
            if (slot->boundary[a][side].kind != TSR_CALLBACK) continue;
            if (!known && tsri_halo_key_make(__func__, array, request, which, &key) != TSR_OK)
                return false;
            known = true;
            if (key.wall[a][side] == TSRI_WALL_FILL) return true;
        }
    return false;
}

/* Hold what the exchange needs of an array, so that the array may be destroyed meanwhile. */
static void fill_slot(tsri_slot *slot, tsr_array *array, const tsr_halo_options *options)
{
    slot->layout = tsri_layout_ref(array->layout);
    slot->storage = tsri_storage_ref(array->storage);
    slot->storage->pending = 1;
    slot->view = tsr_local(array);
    slot->writes = tsri_array_is_writer(array);
    for (int a = 0; a < slot->view.ndim; ++a)
        for (int side = 0; side < 2; ++side)
            slot->boundary[a][side] = *tsri_halo_boundary(array, options, a, side);
}

/* Let go of the arrays.  A channel whose first run failed is not kept.  The first slot's storage
 * owns the channel, so it goes last. */
static void release(tsr_pending *channel)
{
    tsri_storage *owner = channel->slot[0].storage;

    channel->active = false;
    for (int i = channel->count - 1; i >= 0; --i) {
        tsri_slot *slot = &channel->slot[i];
        slot->storage->pending = 0;
        if (i > 0) tsri_storage_unref(slot->storage);
        tsri_layout_unref(slot->layout);
    }
    if (channel->orphaned)
        tsri_channel_free(channel);
    else if (channel->fresh)
        tsri_channel_drop(channel, owner);
    tsri_storage_unref(owner);
}

tsr_status tsri_halo_start(const char *call, int count, tsr_array *const *arrays,
                           const tsri_halo_request *request, tsr_pending **pending)
{
    tsr_status st = TSR_OK;

    if (pending != NULL) *pending = NULL;
    tsr_pending *channel = NULL;

    TSRI_TRY(done, check_first(call, count, arrays));
    TSRI_TRY(done, enter(call, count, arrays, request));
    st = pending == NULL ? TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                                        "pending is NULL, must point to where the handle goes")
                         : check_arrays(call, count, arrays);
    if (st != TSR_OK) {
        const bool local = tsri_exchange_is_local(count, arrays);
        return local ? st : tsri_agree(arrays[0]->layout->context, st, 0);
    }
    TSRI_TRY(done, tsri_channel_of(call, count, arrays, request, &channel));
    channel->calls_back = false;
    for (int i = 0; i < count; ++i) {
        tsri_slot *slot = &channel->slot[i];
        fill_slot(slot, arrays[i], request->options);
        if (request->direction == TSRI_UPDATE && takes_callback(arrays[i], slot, request, i))
            channel->calls_back = true;
    }
    for (int i = 0; i < count; ++i)
        tsri_array_meet(arrays[i]); /* what is written from here on may still have been read */
    channel->active = true;
    if (channel->fresh) tsri_exchange_hold(channel->exchange, true);
    st = tsri_exchange_start(channel->exchange);
    if (channel->fresh) st = tsri_channel_agree(channel, st);
    if (st != TSR_OK) {
        tsri_exchange_abandon(channel->exchange);
        release(channel);
        return st;
    }
    if (channel->fresh) tsri_exchange_hold(channel->exchange, false);
    if (channel->whole) channel->fresh = false; /* nothing will arrive that could fail */
    *pending = channel;
done:
    return st;
}

/* ---- finish ---------------------------------------------------------------------------------- */

static void fill_constant(const tsri_slot *slot, const tsri_fill *fill, tsr_scalar value)
{
    const tsr_view *v = &slot->view;
    const size_t size = tsr_dtype_size(v->dtype);
    int64_t extent[TSR_MAX_NDIM], offset = 0;
    _Alignas(16) unsigned char element[16];

    for (int a = 0; a < v->ndim; ++a) {
        extent[a] = fill->hi[a] - fill->lo[a];
        offset += fill->lo[a] * v->stride[a];
    }
    tsri_scalar_store(value, v->dtype, element);
    tsri_kern_get()->fill(size, v->ndim, extent, (unsigned char *)v->data + offset * (int64_t)size,
                          v->stride, element);
}

/* Give a slot's fills their values: constants, or the zeros that an accumulation leaves. */
static void apply_fills(const tsr_pending *channel, int i)
{
    const tsri_slot *slot = &channel->slot[i];
    const tsri_plan *plan = tsri_exchange_plan(channel->exchange, i);

    for (int k = 0; k < plan->nfills && slot->writes; ++k) {
        const tsri_fill *fill = &plan->fill[k];
        const tsr_boundary *b = &slot->boundary[fill->axis][fill->side];
        if (channel->direction == TSRI_ACCUMULATE)
            fill_constant(slot, fill, tsr_bool(false));
        else if (b->kind == TSR_CONSTANT)
            fill_constant(slot, fill, b->value);
    }
}

static tsr_status call_back(const tsr_pending *channel, int i)
{
    const tsri_slot *slot = &channel->slot[i];
    const tsri_plan *plan = tsri_exchange_plan(channel->exchange, i);
    tsr_status st = TSR_OK;

    for (int k = 0; k < plan->nfills && st == TSR_OK && slot->writes; ++k) {
        const tsri_fill *fill = &plan->fill[k];
        const tsr_boundary *b = &slot->boundary[fill->axis][fill->side];
        if (b->kind != TSR_CALLBACK) continue;
        st = b->callback(slot->view, fill->axis, fill->side == 0 ? TSR_LOW_SIDE : TSR_HIGH_SIDE,
                         fill->lo, fill->hi, b->ctx);
        if (st == TSR_OK) continue;
        /* a negative number is no status, and agreement would take it for success */
        st = TSRI_FAIL(st > TSR_OK ? st : TSR_ERR_VALUE,
                       "the boundary function of axis %d returned status %d", fill->axis, st);
    }
    return st;
}

/* The first run agrees before anything more is written: the exchange then is abandoned, or to be
 * finished as later ones are. */
static tsr_status await_first(tsr_pending *channel)
{
    tsri_exchange_hold(channel->exchange, true);
    const tsr_status st = tsri_channel_agree(channel, tsri_exchange_await(channel->exchange));
    if (st != TSR_OK) {
        tsri_exchange_abandon(channel->exchange);
        return st;
    }
    tsri_exchange_hold(channel->exchange, false);
    channel->fresh = false;
    return TSR_OK;
}

/* With callbacks all ranks agree at the end, whatever happened to them before. */
static tsr_status complete(tsr_pending *channel)
{
    tsr_status st = TSR_OK;

    if (channel->fresh) TSRI_TRY(done, await_first(channel));
    st = tsri_exchange_finish(channel->exchange);
    for (int i = 0; i < channel->count && st == TSR_OK; ++i)
        apply_fills(channel, i);
    if (channel->calls_back) {
        for (int i = 0; i < channel->count && st == TSR_OK; ++i)
            st = call_back(channel, i);
        st = tsri_channel_agree(channel, st);
    }
done:
    return st;
}

/* Copies that ranks of a node share are complete when their writer says so.  It waits for nobody,
 * since ranks may finish several exchanges in any order. */
static void show(const tsr_pending *channel)
{
    for (int i = 0; i < channel->count; ++i) {
        tsri_storage *storage = channel->slot[i].storage;
        if (storage->kind == TSRI_MEMORY_NODE)
            tsri_node_piece_show(channel->context, &storage->piece);
    }
}

static tsr_status finish(tsr_pending *channel)
{
    tsr_status st = TSR_OK;
    if (channel->orphaned)
        st = TSRI_FAIL(TSR_ERR_STATE, "the library ended before the exchange was finished");
    else
        st = complete(channel);
    if (!channel->orphaned) show(channel);
    release(channel);
    return st;
}

/* ---- public ---------------------------------------------------------------------------------- */

static tsr_status run(const char *call, int count, tsr_array *const *arrays,
                      const tsr_halo_options *options, tsri_direction direction)
{
    tsr_pending *channel = NULL;
    const tsri_halo_request request = {direction, options, NULL};
    const tsr_status st = tsri_halo_start(call, count, arrays, &request, &channel);
    return st == TSR_OK ? finish(channel) : st;
}

tsr_status tsr_halo_update_many(int count, tsr_array *const *arrays,
                                const tsr_halo_options *options)
{
    return run(__func__, count, arrays, options, TSRI_UPDATE);
}

tsr_status tsr_halo_update(tsr_array *array, const tsr_halo_options *options)
{
    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    return run(__func__, 1, &array, options, TSRI_UPDATE);
}

tsr_status tsr_halo_accumulate_many(int count, tsr_array *const *arrays,
                                    const tsr_halo_options *options)
{
    return run(__func__, count, arrays, options, TSRI_ACCUMULATE);
}

tsr_status tsr_halo_accumulate(tsr_array *array, const tsr_halo_options *options)
{
    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    return run(__func__, 1, &array, options, TSRI_ACCUMULATE);
}

tsr_status tsr_halo_start(int count, tsr_array *const *arrays, const tsr_halo_options *options,
                          tsr_pending **pending)
{
    const tsri_halo_request request = {TSRI_UPDATE, options, NULL};
    return tsri_halo_start(__func__, count, arrays, &request, pending);
}

tsr_status tsr_halo_accumulate_start(int count, tsr_array *const *arrays,
                                     const tsr_halo_options *options, tsr_pending **pending)
{
    const tsri_halo_request request = {TSRI_ACCUMULATE, options, NULL};
    return tsri_halo_start(__func__, count, arrays, &request, pending);
}

tsr_status tsr_halo_test(tsr_pending *pending, bool *done)
{
    if (done == NULL)
        return TSRI_FAIL(TSR_ERR_VALUE, "done is NULL, must point to where the result goes");
    *done = true;
    if (pending == NULL || pending->orphaned) return TSR_OK;
    tsri_error_enter(__func__);
    return tsri_exchange_test(pending->exchange, done);
}

tsr_status tsr_halo_finish(tsr_pending **pending)
{
    if (pending == NULL || *pending == NULL) return TSR_OK;
    tsr_pending *channel = *pending;
    tsri_error_enter(__func__);
    if (!channel->orphaned) { /* a thread that may not finish leaves the exchange to one that may */
        const tsr_status st = tsri_context_check(channel->context);
        if (st != TSR_OK) return st;
    }
    *pending = NULL;
    return finish(channel);
}

tsr_status tsr_halo_clear(tsr_array *array, tsr_axes axes)
{
    tsri_fill fills[TSRI_MAX_FILLS];
    tsri_halo_key key;
    tsri_slot slot = {0};
    tsr_status st = TSR_OK;

    TSRI_CHECK(done, array != NULL, TSR_ERR_VALUE, "array is NULL");
    TSRI_CHECK(done, array->storage->pending == 0, TSR_ERR_STATE,
               "an exchange of the array is pending; finish it first");
    if (axes == 0) goto done;
    const tsri_halo_request request = {TSRI_ACCUMULATE, &(tsr_halo_options){.axes = axes}, NULL};
    TSRI_TRY(done, tsri_halo_key_make(__func__, array, &request, 0, &key));
    slot.view = tsr_local(array);
    if (slot.view.data == NULL) goto done;
    const int count = tsri_halo_fills(&array->layout->geometry, array->layout->rank, &key, fills);
    tsri_array_meet(array);
    for (int i = 0; i < count && tsri_array_is_writer(array); ++i)
        fill_constant(&slot, &fills[i], tsr_bool(false));
    tsri_array_meet(array);
done:
    return st;
}
