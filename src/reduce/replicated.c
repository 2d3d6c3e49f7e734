/* Copies of an array, one a rank or a node, combined into one that all hold. */
#include "array/array.h"
#include "base/checked.h"
#include "base/gate.h"
#include "base/net.h"
#include "kern/kern.h"
#include "shm/copies.h"
#include "shm/lane.h"
#include "shm/neighbours.h"

#include <tessera/reduce.h>

#include <string.h>

/* Arrays up to this size go up and down the tree themselves.  Others are cut in slices.  Where
 * nodes have equally many ranks, each rank of a node combines a slice of its copies where they lie,
 * and then with those of the same place on other nodes; else a slice of all copies, by messages.
 * Copies of nodes combine over the nodes alone. */
enum { SMALL_BYTES = 1024 };

/* ---- small arrays ---------------------------------------------------------------------------- */

typedef struct record {
    tsr_op op;
    tsr_dtype dtype;
    int64_t cells;
    _Alignas(16) unsigned char element[SMALL_BYTES];
} record;

static void combine_records(void *left, const void *right)
{
    record *l = left;
    const record *r = right;
    tsri_kern_get()->combine(l->op, l->dtype, l->cells, l->element, r->element);
}

static tsr_status combine_small(tsr_array *array, tsr_op op)
{
    tsri_context *const context = array->layout->context;
    const size_t bytes = array->storage->bytes;
    record all = {.op = op, .dtype = array->dtype, .cells = array->cells};

    memcpy(all.element, array->storage->memory, bytes);
    const tsr_status sent =
        tsri_net_combine(context, &all, offsetof(record, element) + bytes, combine_records);
    const tsr_status st = tsri_agree(context, sent, 0);
    if (st == TSR_OK) memcpy(array->storage->memory, all.element, bytes);
    return st;
}

/* ---- large arrays ---------------------------------------------------------------------------- */

/* Everything that a large array may need. */
typedef struct work {
    tsr_array *array;
    tsr_op op;
    bool direct;
    tsri_neighbours neighbours;
    tsri_lane lane;
    tsri_copies copies; /* of a slice, on the ranks of the lane; or of all ranks */
} work;

static tsri_copies copies_of(const work *w)
{
    const tsr_layout *layout = w->array->layout;
    return (tsri_copies){.context = layout->context,
                         .count = layout->size,
                         .index = layout->rank,
                         .op = w->op,
                         .dtype = w->array->dtype,
                         .cells = w->array->storage->memory,
                         .ncells = w->array->cells};
}

/* The same of the slice, one of `count`, that this rank's place on its node has, over the nodes. */
static tsri_copies slice_of(const work *w, const tsri_team *team, int count)
{
    const tsri_axis slices = tsri_axis_make(w->array->cells, count, NULL);
    const int64_t first = tsri_axis_cut(&slices, team->index);
    tsri_copies copies = copies_of(w);

    copies.ranks = w->lane.rank;
    copies.count = w->lane.nodes;
    copies.index = w->lane.node;
    copies.cells = (unsigned char *)copies.cells + (size_t)first * tsr_dtype_size(copies.dtype);
    copies.ncells = tsri_axis_cut(&slices, team->index + 1) - first;
    return copies;
}

/* Whether the ranks work directly is the same on all of them: with equal nodes of several ranks
 * `sharing` is one for all. */
static tsr_status prepare(work *w)
{
    tsri_context *const context = w->array->layout->context;
    const tsri_team *team = tsri_context_team(context);
    tsr_status st = TSR_OK;

    if (team != NULL && team->anyone_shares)
        TSRI_TRY(done, tsri_lane_find(context, team, &w->lane));
    w->direct = team != NULL && team->sharing && w->lane.shortest == w->lane.longest;
    if (w->direct) TSRI_TRY(done, tsri_neighbours_prepare(context, &w->neighbours));
    w->copies = w->direct ? slice_of(w, team, team->count) : copies_of(w);
    if (w->copies.count > 1) st = tsri_copies_prepare(&w->copies);
done:
    return st;
}

static void work_free(work *w)
{
    tsri_neighbours_free(&w->neighbours);
    tsri_copies_free(&w->copies);
    tsri_lane_free(&w->lane);
}

/* Some rank's copy is in memory of the caller's, or shared memory was short. */
static tsr_status combine_after_all(work *w)
{
    tsri_context *const context = w->array->layout->context;

    tsri_copies_free(&w->copies);
    w->copies = copies_of(w);
    const tsr_status st = tsri_agree(context, tsri_copies_prepare(&w->copies), 0);
    return st == TSR_OK ? tsri_agree(context, tsri_copies_combine(&w->copies), 0) : st;
}

/* After a failure a rank still takes part in what others wait for. */
static tsr_status combine_directly(work *w)
{
    const tsri_storage *storage = w->array->storage;
    void *const piece = storage->kind == TSRI_MEMORY_SHARED ? storage->memory : NULL;
    const tsr_dtype dtype = w->array->dtype;
    const bool alone = w->lane.nodes == 1;
    bool complete = false;
    tsr_status st = tsri_neighbours_meet(&w->neighbours, piece, &complete);
    const bool mapped = complete && st == TSR_OK;

    if (mapped) tsri_neighbours_combine(&w->neighbours, w->op, dtype, w->array->cells, alone);
    if (complete && !alone) tsri_keep(&st, tsri_copies_combine(&w->copies));
    if (mapped && !alone) tsri_neighbours_share(&w->neighbours, dtype, w->array->cells);
    st = tsri_agree(w->neighbours.context, st, 0);
    return st == TSR_OK && !complete ? combine_after_all(w) : st;
}

/* ---- one copy a node ------------------------------------------------------------------------- */

/* Each place that every node has combines a slice; the first place everything, where the ranks of a
 * node have a copy each after all, of which its counts. */
static tsr_status prepare_nodes(work *w)
{
    const tsri_team *team = tsri_context_team(w->array->layout->context);
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_lane_find(w->array->layout->context, team, &w->lane));
    const int places = w->array->storage->kind == TSRI_MEMORY_NODE ? w->lane.shortest : 1;
    if (w->lane.nodes == 1 || team->index >= places) return TSR_OK;
    w->copies = slice_of(w, team, places);
    st = tsri_copies_prepare(&w->copies);
done:
    return st;
}

/* From the first rank of a node to the copies of the others. */
static tsr_status give_to_node(const work *w)
{
    tsri_context *const context = w->array->layout->context;
    const tsri_team *team = tsri_context_team(context);
    const size_t limit = (size_t)tsri_context_settings(context)->message_limit;
    const tsri_storage *storage = w->array->storage;
    tsri_request request;
    tsr_status st = TSR_OK;

    for (size_t done = 0; done < storage->bytes; done += limit) {
        const size_t some = storage->bytes - done < limit ? storage->bytes - done : limit;
        unsigned char *const at = (unsigned char *)storage->memory + done;
        for (int i = 1; i < team->count; ++i) {
            if (team->index > 0 && team->index != i) continue;
            tsri_keep(&st, team->index > 0 ? tsri_net_irecv(context, at, some, team->rank[0],
                                                            TSRI_TAG_EXCHANGE, &request)
                                           : tsri_net_isend(context, at, some, team->rank[i],
                                                            TSRI_TAG_EXCHANGE, &request));
            tsri_keep(&st, tsri_net_wait(context, 1, &request));
        }
    }
    return st;
}

static tsr_status combine_nodes(work *w)
{
    tsr_status st = TSR_OK;

    if (w->lane.nodes == 1) return TSR_OK;
    if (w->copies.count > 1) st = tsri_copies_combine(&w->copies);
    if (w->array->storage->kind != TSRI_MEMORY_NODE) tsri_keep(&st, give_to_node(w));
    return tsri_agree(w->array->layout->context, st, 0);
}

/* ---- the call -------------------------------------------------------------------------------- */

static tsr_status check(const char *call, const tsr_array *array, tsr_op op)
{
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, !tsr_layout_is_distributed(array->layout), TSR_ERR_VALUE,
                  "the array is distributed, must be replicated (split TSR_WHOLE)");
    TSRI_CHECK_IN(call, done, tsri_op_valid(op), TSR_ERR_VALUE,
                  "op is %d, must be TSR_SUM to TSR_BXOR", (int)op);
    TSRI_CHECK_IN(call, done, tsri_op_defined(op, array->dtype), TSR_ERR_TYPE,
                  "%s is not defined for %s", tsri_op_name(op), tsr_dtype_name(array->dtype));
    TSRI_CHECK_IN(call, done, array->storage->pending == 0, TSR_ERR_STATE,
                  "an exchange of the array is pending; finish it first");
done:
    return st;
}

static uint64_t fingerprint(const char *call, const tsr_array *array, tsr_op op)
{
    return tsri_hash(tsri_hash_call(call, array), &op, sizeof op);
}

tsr_status tsr_allreduce_replicated(tsr_array *array, tsr_op op)
{
    tsr_status st = TSR_OK;
    work w = {.array = array, .op = op};

    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    tsri_context *const context = array->layout->context;
    const bool of_nodes = array->layout->geometry.node_shared;
    const bool large = array->storage->bytes > SMALL_BYTES;
    const tsri_team *team = NULL;
    TSRI_TRY(done,
             tsri_enter(context, array->layout->size == 1, "%s (%s)", __func__, tsri_op_name(op)));

    if (of_nodes) TSRI_TRY(done, tsri_team_of(context, &team));

    TSRI_TRY(agree, check(__func__, array, op));
    if (of_nodes)
        TSRI_TRY(agree, prepare_nodes(&w));
    else if (large)
        TSRI_TRY(agree, prepare(&w));
agree:
    TSRI_TRY(done, tsri_agree(context, st, fingerprint(__func__, array, op)));
    if (array->layout->size == 1 || array->cells == 0) goto done;
    if (of_nodes)
        st = combine_nodes(&w);
    else if (w.direct)
        st = combine_directly(&w);
    else if (large)
        st = tsri_agree(context, tsri_copies_combine(&w.copies), 0);
    else
        st = combine_small(array, op);
done:
    work_free(&w);
    return st;
}
