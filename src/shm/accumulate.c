/* Accumulation by trees, and combining the copies of the nodes. */
#include "base/checked.h"
#include "base/gate.h"
#include "kern/kern.h"
#include "shm/copies.h"
#include "shm/manager.h"

#include <string.h>

/* Bytes of the array that are combined with all scratch maps before the next: they stay in cache.
 */
enum { BLOCK_BYTES = 16 * 1024 };

/* One call.  The array itself is the scratch map of the first tree group of its node. */
typedef struct accumulation {
    const char *call;
    tsri_manager *manager;
    tsri_shared *array;
    tsr_op op;
    int groups;     /* of the node */
    void **scratch; /* [groups] their maps; NULL where this rank has none */
    tsri_copies copies;
} accumulation;

static int groups_of(const tsri_manager *m)
{
    return (m->team->count + m->nproc_reduce - 1) / m->nproc_reduce;
}

static int group_of(const tsri_manager *m)
{
    return m->team->index / m->nproc_reduce;
}

static bool is_own(const accumulation *a, int group)
{
    return group == group_of(a->manager) && tsri_tree_first(a->manager) == a->manager->team->index;
}

/* ---- between nodes --------------------------------------------------------------------------- */

/* The node's copy is cut in lanes, one for each place that all nodes have; the ranks of a place
 * combine theirs. */
static bool has_lane(const tsri_manager *m)
{
    return m->lane.nodes > 1 && m->team->index < m->lane.shortest;
}

static tsr_status prepare_lane(accumulation *a)
{
    tsri_manager *const m = a->manager;
    if (!has_lane(m)) return TSR_OK;
    const tsri_axis lanes = tsri_axis_make(a->array->cells, m->lane.shortest, NULL);
    const int64_t first = tsri_axis_cut(&lanes, m->team->index);
    unsigned char *const data = tsri_segment_data(&a->array->segment);

    a->copies = (tsri_copies){.context = m->base,
                              .ranks = m->lane.rank,
                              .count = m->lane.nodes,
                              .index = m->lane.node,
                              .op = a->op,
                              .dtype = a->array->dtype,
                              .cells = data + (size_t)first * tsr_dtype_size(a->array->dtype),
                              .ncells = tsri_axis_cut(&lanes, m->team->index + 1) - first};
    return tsri_copies_prepare(&a->copies);
}

/* What the ranks of the node have written is in, and all see the result after. */
static tsr_status combine_nodes(accumulation *a)
{
    tsr_status st = TSR_OK;
    if (a->manager->lane.nodes == 1) return TSR_OK;
    tsri_segment_barrier(&a->array->segment);
    if (has_lane(a->manager)) st = tsri_copies_combine(&a->copies);
    tsri_segment_barrier(&a->array->segment);
    return st;
}

/* ---- scratch maps ---------------------------------------------------------------------------- */

/* The root of each group but the first makes one, and puts up where it is. */
static tsr_status prepare_scratch(accumulation *a)
{
    tsri_manager *const m = a->manager;
    const int group = group_of(m);
    tsr_status st = TSR_OK;

    a->groups = groups_of(m);
    TSRI_ALLOC(done, a->scratch, a->groups);
    a->scratch[0] = tsri_segment_data(&a->array->segment);
    if (group > 0 && is_own(a, group)) {
        TSRI_TRY(done, tsri_arena_alloc(a->array->bytes, &a->scratch[group]));
        tsri_manager_board(m)->notice[m->team->index].scratch =
            tsri_arena_address_of(a->scratch[group]);
    }
done:
    return st;
}

static tsr_status attach_scratch(accumulation *a)
{
    tsri_board *const board = tsri_manager_board(a->manager);
    tsr_status st = TSR_OK;

    for (int g = 1; g < a->groups && st == TSR_OK; ++g)
        if (!is_own(a, g))
            st = tsri_arena_attach(&board->notice[g * a->manager->nproc_reduce].scratch,
                                   &a->scratch[g]);
    return st;
}

/* After the ranks have met: nobody uses the maps any more. */
static void free_all(accumulation *a)
{
    for (int g = 1; g < a->groups && a->scratch != NULL; ++g) {
        if (a->scratch[g] == NULL) continue;
        if (is_own(a, g))
            tsri_arena_free(a->scratch[g]);
        else
            tsri_arena_detach(a->scratch[g]);
    }
    tsri_free(a->scratch);
    tsri_copies_free(&a->copies);
}

/* The members of a group fill its map together. */
static void fill_scratch(accumulation *a, const void *element)
{
    const tsri_manager *m = a->manager;
    const size_t size = tsr_dtype_size(a->array->dtype);
    const tsri_axis cells = tsri_axis_make(a->array->cells, tsri_tree_size(m), NULL);
    const int place = m->team->index - tsri_tree_first(m);
    const int64_t first = tsri_axis_cut(&cells, place),
                  n = tsri_axis_cut(&cells, place + 1) - first;
    unsigned char *const map = a->scratch[group_of(m)];

    if (map != NULL)
        tsri_kern_get()->fill(size, 1, &n, map + (size_t)first * size, &(int64_t){1}, element);
}

/* ---- turns ----------------------------------------------------------------------------------- */

/* A negative number is no status, and agreement would take it for success. */
static tsr_status call_add(accumulation *a, tsr_shm_add add, void *ctx)
{
    const tsr_status st = add(tsri_shared_view(a->array, a->scratch[group_of(a->manager)]), ctx);
    if (st == TSR_OK) return TSR_OK;
    return TSRI_FAIL_IN(a->call, st > TSR_OK ? st : TSR_ERR_VALUE,
                        "the function that adds returned status %d", st);
}

/* The members of a group add one after the other.  One that has failed lets the next go on. */
static tsr_status take_turn(accumulation *a, tsr_status st, tsr_shm_add add, void *ctx)
{
    tsri_manager *const m = a->manager;
    tsri_flag *const turns = &tsri_manager_board(m)->notice[tsri_tree_first(m)].turns;
    const uint64_t mine = m->turns_over + (uint64_t)(m->team->index - tsri_tree_first(m));

    tsri_flag_wait(m->node, turns, mine);
    if (st == TSR_OK) st = call_add(a, add, ctx);
    tsri_flag_raise(turns, mine + 1);
    m->turns_over += (uint64_t)tsri_tree_size(m);
    return st;
}

/* ---- the node's sum -------------------------------------------------------------------------- */

/* This rank's slice of all maps, into that of the first: the groups in their order. */
static void combine_groups(accumulation *a)
{
    const tsr_dtype dtype = a->array->dtype;
    const size_t size = tsr_dtype_size(dtype);
    const int64_t block = BLOCK_BYTES / (int64_t)size;
    int64_t first;
    const int64_t n = tsri_shared_slice(a->array, &first);

    for (int64_t done = 0; done < n; done += block) {
        const size_t offset = (size_t)(first + done) * size;
        const int64_t cells = n - done < block ? n - done : block;
        for (int g = 1; g < a->groups; ++g)
            tsri_kern_get()->combine(a->op, dtype, cells, (unsigned char *)a->scratch[0] + offset,
                                     (unsigned char *)a->scratch[g] + offset);
    }
}

/* ---- the calls ------------------------------------------------------------------------------- */

static tsr_status enter(accumulation *a, const tsr_shm_array *array)
{
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_shared_check(a->call, array, &a->array));
    a->manager = a->array->manager;
    st = tsri_enter(a->manager->base, false, "%s (%s)", a->call, tsri_op_name(a->op));
done:
    return st;
}

static tsr_status check(const char *call, const tsri_shared *array, tsr_op op)
{
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, array->is_node, TSR_ERR_VALUE,
                  "the array is shared by one communicator alone, must be a node array "
                  "(tsr_shm_zeros_node)");
    TSRI_CHECK_IN(call, done, tsri_op_valid(op), TSR_ERR_VALUE,
                  "op is %d, must be TSR_SUM to TSR_BXOR", (int)op);
    TSRI_CHECK_IN(call, done, tsri_op_defined(op, array->dtype), TSR_ERR_TYPE,
                  "%s is not defined for %s", tsri_op_name(op), tsr_dtype_name(array->dtype));
done:
    return st;
}

static uint64_t fingerprint(const accumulation *a)
{
    const int64_t mine[] = {a->manager->number, a->array->number, a->array->is_node, a->op};
    const uint64_t hash = tsri_hash(TSRI_HASH_START, a->call, strlen(a->call));
    return tsri_hash(hash, mine, sizeof mine);
}

/* Every rank takes every step, whatever has failed. */
static tsr_status run(accumulation *a, tsr_shm_add add, void *ctx)
{
    unsigned char element[16];

    tsri_segment_barrier(&a->array->segment);
    const tsr_status attached = attach_scratch(a);
    tsri_scalar_store(tsri_op_identity(a->op, a->array->dtype), a->array->dtype, element);
    fill_scratch(a, element);
    tsri_segment_barrier(&a->array->segment);
    tsr_status st = take_turn(a, attached, add, ctx);
    tsri_segment_barrier(&a->array->segment);
    if (attached == TSR_OK) combine_groups(a);
    tsri_keep(&st, combine_nodes(a));

    st = tsri_manager_agree(a->manager, st, 0);
    if (st == TSR_OK) return TSR_OK;
    tsri_shared_fill_slice(a->array, element); /* as if nobody had added anything */
    tsri_segment_barrier(&a->array->segment);
    return st;
}

tsr_status tsr_shm_accumulate(tsr_shm_array *array, tsr_op op, tsr_shm_add add, void *ctx)
{
    tsr_status st = TSR_OK;
    accumulation a = {.call = __func__, .op = op};

    TSRI_TRY(fail, enter(&a, array));
    TSRI_TRY(agree, check(__func__, a.array, op));
    TSRI_CHECK(agree, add != NULL, TSR_ERR_VALUE, "add is NULL, must be a function");
    TSRI_TRY(agree, prepare_scratch(&a));
    TSRI_TRY(agree, prepare_lane(&a));
agree:
    TSRI_TRY(done, tsri_manager_agree(a.manager, st, fingerprint(&a)));
    st = run(&a, add, ctx);
done:
    free_all(&a);
fail:
    return st;
}

tsr_status tsr_shm_allreduce(tsr_shm_array *array, tsr_op op)
{
    tsr_status st = TSR_OK;
    accumulation a = {.call = __func__, .op = op};

    TSRI_TRY(fail, enter(&a, array));
    TSRI_TRY(agree, check(__func__, a.array, op));
    TSRI_TRY(agree, prepare_lane(&a));
agree:
    TSRI_TRY(done, tsri_manager_agree(a.manager, st, fingerprint(&a)));
    st = tsri_manager_agree(a.manager, combine_nodes(&a), 0);
done:
    free_all(&a);
fail:
    return st;
}

size_t tsr_shm_accumulate_bytes(const tsr_shm_array *array)
{
    const tsri_shared *shared = tsri_shared_of(array);
    if (shared == NULL) return 0;
    const tsri_manager *m = shared->manager;
    const size_t maps = (size_t)groups_of(m) - 1;
    const size_t lanes = m->lane.nodes > 1 ? (size_t)m->lane.shortest : 0;
    return maps * shared->bytes + lanes * TSRI_COPIES_BYTES;
}
