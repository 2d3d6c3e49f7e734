/* One rank's box in the copy of every node. */
#include "base/checked.h"
#include "base/gate.h"
#include "base/net.h"
#include "kern/kern.h"
#include "shm/manager.h"

#include <string.h>

typedef struct box {
    int64_t lo[TSR_MAX_NDIM], extent[TSR_MAX_NDIM];
    int64_t cells;
} box;

/* ---- checks ---------------------------------------------------------------------------------- */

/* On the root. */
static tsr_status read_box(const char *call, const tsri_shared *array, const int64_t *lo,
                           const int64_t *hi, const void *values, box *b)
{
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, (lo != NULL && hi != NULL) || array->ndim == 0, TSR_ERR_VALUE,
                  "%s is NULL, must have %d value%s", lo == NULL ? "lo" : "hi", array->ndim,
                  TSRI_S(array->ndim));
    for (int a = 0; a < array->ndim; ++a) {
        TSRI_CHECK_IN(call, done, lo[a] <= hi[a], TSR_ERR_VALUE,
                      "lo[%d] is %lld and hi[%d] is %lld, must not be below", a, (long long)lo[a],
                      a, (long long)hi[a]);
        TSRI_CHECK_IN(call, done, lo[a] >= 0 && hi[a] <= array->shape[a], TSR_ERR_INDEX,
                      "the box is [%lld, %lld) along axis %d, must be inside [0, %lld)",
                      (long long)lo[a], (long long)hi[a], a, (long long)array->shape[a]);
        b->lo[a] = lo[a];
        b->extent[a] = hi[a] - lo[a];
    }
    (void)tsri_product_i64(array->ndim, b->extent, &b->cells); /* inside an array that fits */
    TSRI_CHECK_IN(call, done, values != NULL || b->cells == 0, TSR_ERR_VALUE,
                  "values is NULL, must have %lld elements", (long long)b->cells);
done:
    return st;
}

static tsr_status check(const char *call, const tsri_shared *array, int root)
{
    const int size = tsri_context_size(array->manager->base);
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, array->is_node, TSR_ERR_VALUE,
                  "the array is shared by one communicator alone, must be a node array "
                  "(tsr_shm_zeros_node)");
    TSRI_CHECK_IN(call, done, root >= 0 && root < size, TSR_ERR_VALUE,
                  "root is %d, must be 0 to %d", root, size - 1);
done:
    return st;
}

/* ---- moving ---------------------------------------------------------------------------------- */

/* The first element of the box in the array. */
static unsigned char *corner(const tsri_shared *array, const box *b, const tsr_view *view)
{
    int64_t first = 0;
    for (int a = 0; a < array->ndim; ++a)
        first += b->lo[a] * view->stride[a];
    return (unsigned char *)view->data + (size_t)first * tsr_dtype_size(array->dtype);
}

static void write_box(const tsri_shared *array, const box *b, const void *values)
{
    const tsr_view view = tsri_shared_view(array, tsri_segment_data(&array->segment));
    int64_t packed[TSR_MAX_NDIM];

    if (tsri_c_strides(array->ndim, b->extent, packed) == 0) return;
    tsri_kern_get()->copy(tsr_dtype_size(array->dtype), array->ndim, b->extent,
                          corner(array, b, &view), view.stride, values, packed);
}

static void read_back(const tsri_shared *array, const box *b, void *values)
{
    const tsr_view view = tsri_shared_view(array, tsri_segment_data(&array->segment));
    int64_t packed[TSR_MAX_NDIM];

    if (tsri_c_strides(array->ndim, b->extent, packed) == 0) return;
    tsri_kern_get()->copy(tsr_dtype_size(array->dtype), array->ndim, b->extent, values, packed,
                          corner(array, b, &view), view.stride);
}

static bool is_on_this_node(const tsri_manager *m, int rank)
{
    for (int i = 0; i < m->team->count; ++i)
        if (m->team->rank[i] == rank) return true;
    return false;
}

static void larger(void *left, const void *right)
{
    int a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    if (b > a) memcpy(left, &b, sizeof b);
}

/* Among the node roots: the box, from the one whose node has it to the others. */
static tsr_status spread(const tsri_shared *array, const box *b, bool is_source, void *buffer)
{
    tsr_status st = TSR_OK;
    tsri_context *roots = NULL;

    TSRI_TRY(done, tsri_context_of(array->manager->node_root_comm, &roots));
    int source = is_source ? tsri_context_rank(roots) : 0;
    st = tsri_net_combine(roots, &source, sizeof source, larger);
    if (is_source) read_back(array, b, buffer);
    tsri_keep(&st, tsri_net_bcast(roots, buffer, (size_t)b->cells * tsr_dtype_size(array->dtype),
                                  source));
    if (st == TSR_OK && !is_source) write_box(array, b, buffer);
done:
    return st;
}

/* The box is known to all.  `values` is NULL but on the root. */
static tsr_status set(tsri_shared *array, const box *b, int root, const void *values)
{
    tsri_manager *const m = array->manager;
    const bool speaks = m->lane.nodes > 1 && m->team->index == m->node_root;
    const size_t bytes = (size_t)b->cells * tsr_dtype_size(array->dtype);
    tsr_status st = TSR_OK;
    void *buffer = NULL;

    if (speaks) {
        buffer = tsri_alloc_aligned(bytes);
        TSRI_CHECK(agree, buffer != NULL, TSR_ERR_NOMEM, "no memory for a box of %zu bytes", bytes);
    }
agree:
    TSRI_TRY(done, tsri_manager_agree(m, st, 0));
    tsri_segment_barrier(&array->segment); /* nobody still reads what was there */
    if (values != NULL) write_box(array, b, values);
    tsri_segment_barrier(&array->segment);
    if (speaks) st = spread(array, b, is_on_this_node(m, root), buffer);
    tsri_segment_barrier(&array->segment);
    st = tsri_manager_agree(m, st, 0);
done:
    tsri_free_aligned(buffer);
    return st;
}

tsr_status tsr_shm_set(tsr_shm_array *array, int root, const int64_t *lo, const int64_t *hi,
                       const void *values)
{
    tsr_status st = TSR_OK;
    tsri_shared *shared = NULL;
    box b;

    TSRI_TRY(fail, tsri_shared_check(__func__, array, &shared));
    tsri_context *const base = shared->manager->base;
    const bool speaks = tsri_context_rank(base) == root;
    TSRI_TRY(fail, tsri_enter(base, false, "%s (root %d)", __func__, root));

    memset(&b, 0, sizeof b);
    TSRI_TRY(agree, check(__func__, shared, root));
    if (speaks) TSRI_TRY(agree, read_box(__func__, shared, lo, hi, values, &b));
agree:;
    const int64_t mine[] = {shared->manager->number, shared->number, shared->is_node, root};
    TSRI_TRY(fail, tsri_agree(base, st, tsri_hash(TSRI_HASH_START, mine, sizeof mine)));
    TSRI_TRY(fail, tsri_agree(base, tsri_net_bcast(base, &b, sizeof b, root), 0));

    st = set(shared, &b, root, speaks ? values : NULL);
fail:
    return st;
}
