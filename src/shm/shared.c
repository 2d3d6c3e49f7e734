/* Shared arrays: making, looking at, freeing. */
#include "base/checked.h"
#include "base/gate.h"
#include "base/net.h"
#include "kern/kern.h"
#include "layout/geometry.h"
#include "shm/manager.h"

#include <string.h>

/* What a public call asks for. */
typedef struct request {
    const char *call;
    const tsr_shm *shm;
    bool is_node;
    tsr_comm comm; /* these two unless is_node */
    int root;
    tsr_dtype dtype;
    const tsr_scalar *value; /* NULL: undefined */
    int ndim;
    const int64_t *shape;
    tsr_shm_array **array;
} request;

/* ---- checks ---------------------------------------------------------------------------------- */

static tsr_status check_shape(const request *q)
{
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(q->call, done, q->ndim >= 0 && q->ndim <= TSR_MAX_NDIM, TSR_ERR_VALUE,
                  "ndim is %d, must be 0 to %d", q->ndim, TSR_MAX_NDIM);
    TSRI_CHECK_IN(q->call, done, q->shape != NULL || q->ndim == 0, TSR_ERR_VALUE,
                  "shape is NULL, must have %d length%s", q->ndim, TSRI_S(q->ndim));
    for (int a = 0; a < q->ndim; ++a)
        TSRI_CHECK_IN(q->call, done, q->shape[a] >= 0, TSR_ERR_VALUE,
                      "shape[%d] is %lld, must be >= 0", a, (long long)q->shape[a]);
done:
    return st;
}

static tsr_status check_arguments(const request *q, int size)
{
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(q->call, done, q->array != NULL, TSR_ERR_VALUE,
                  "array is NULL, must point to where the handle goes");
    TSRI_CHECK_IN(q->call, done, q->is_node || (q->root >= 0 && q->root < size), TSR_ERR_VALUE,
                  "root is %d, must be 0 to %d", q->root, size - 1);
    TSRI_CHECK_IN(q->call, done, q->value == NULL || tsri_dtype_valid(q->value->dtype),
                  TSR_ERR_VALUE, "value has type %d, must be TSR_BOOL to TSR_C128",
                  (int)q->value->dtype);
    TSRI_CHECK_IN(q->call, done, tsri_dtype_valid(q->dtype), TSR_ERR_TYPE,
                  "dtype is %d, must be TSR_BOOL to TSR_C128", (int)q->dtype);
    st = check_shape(q);
done:
    return st;
}

static tsr_status describe(const request *q, tsri_shared *made)
{
    tsr_status st = TSR_OK;
    const size_t size = tsr_dtype_size(q->dtype);

    made->is_node = q->is_node;
    made->dtype = q->dtype;
    made->ndim = q->ndim;
    made->window = TSR_WIN_NULL;
    if (q->ndim > 0) memcpy(made->shape, q->shape, (size_t)q->ndim * sizeof *q->shape);
    TSRI_CHECK_IN(
        q->call, done,
        tsri_product_i64(q->ndim, made->shape, &made->cells) &&
            tsri_mul_size((size_t)made->cells, size, &made->bytes) && made->bytes <= PTRDIFF_MAX,
        TSR_ERR_OVERFLOW, "the elements, of %zu bytes each, do not fit the address space", size);
done:
    return st;
}

static uint64_t fingerprint(const request *q, const tsri_manager *manager)
{
    const int number[] = {q->is_node ? 0 : q->root, (int)q->dtype, q->ndim};
    unsigned char element[16];
    uint64_t hash = tsri_hash(TSRI_HASH_START, q->call, strlen(q->call));

    if (q->is_node) hash = tsri_hash(hash, &manager->number, sizeof manager->number);
    hash = tsri_hash(hash, number, sizeof number);
    if (q->ndim > 0 && q->ndim <= TSR_MAX_NDIM && q->shape != NULL)
        hash = tsri_hash(hash, q->shape, (size_t)q->ndim * sizeof *q->shape);
    if (q->value == NULL || !tsri_dtype_valid(q->value->dtype)) return hash;
    tsri_scalar_store(*q->value, q->value->dtype, element);
    return tsri_hash(hash, element, tsr_dtype_size(q->value->dtype));
}

/* ---- making ---------------------------------------------------------------------------------- */

/* What the ranks of a communicator must have in common. */
typedef struct company {
    int64_t node;   /* the lowest rank there, in the base */
    int64_t number; /* for the array; rank 0 chooses it */
} company;

/* Whether the ranks share a node; agreed. */
static tsr_status meet(const request *q, tsri_context *context, const tsri_manager *manager,
                       int64_t *number)
{
    tsr_status st = TSR_OK;
    const tsri_team *team = NULL;
    const company mine = {manager->team->rank[0], tsri_shared_number()};
    company first = mine;

    TSRI_TRY(done, tsri_team_of(context, &team));
    TSRI_TRY(agree, tsri_net_bcast(context, &first, sizeof first, 0));
    TSRI_CHECK_IN(q->call, agree, team->count == tsri_context_size(context), TSR_ERR_VALUE,
                  "comm spans nodes: this rank shares its node with %d of the %d ranks, must be "
                  "with all",
                  team->count, tsri_context_size(context));
    TSRI_CHECK_IN(q->call, agree, first.node == mine.node, TSR_ERR_VALUE,
                  "comm spans nodes: this rank and rank 0 are on different nodes of the manager");
    *number = first.number;
agree:
    st = tsri_agree(context, st, 0);
done:
    return st;
}

int64_t tsri_shared_slice(const tsri_shared *array, int64_t *first)
{
    const tsri_context *context = array->segment.context;
    const tsri_axis cells = tsri_axis_make(array->cells, tsri_context_size(context), NULL);
    const int rank = tsri_context_rank(context);

    *first = tsri_axis_cut(&cells, rank);
    return tsri_axis_cut(&cells, rank + 1) - *first;
}

void tsri_shared_fill_slice(const tsri_shared *array, const void *element)
{
    const size_t size = tsr_dtype_size(array->dtype);
    int64_t first;
    const int64_t n = tsri_shared_slice(array, &first);
    unsigned char *const data = tsri_segment_data(&array->segment);

    tsri_kern_get()->fill(size, 1, &n, data + (size_t)first * size, &(int64_t){1}, element);
}

/* The first values, there for all on return. */
static void fill(tsri_shared *array, const tsr_scalar *value)
{
    unsigned char element[16];
    const bool poison = tsri_context_settings(array->manager->base)->poison;

    if (value != NULL)
        tsri_scalar_store(*value, array->dtype, element);
    else if (poison)
        tsri_poison_store(array->dtype, element);
    if (value != NULL || poison) tsri_shared_fill_slice(array, element);
    tsri_segment_barrier(&array->segment);
}

/* The part that agrees on nothing rank-local before it communicates. */
static tsr_status share(const request *q, tsri_manager *manager, tsri_context *context,
                        tsri_shared *made)
{
    tsr_status st = TSR_OK;

    if (q->is_node)
        made->number = ++manager->node_arrays;
    else
        TSRI_TRY(done, meet(q, context, manager, &made->number));
    st = tsri_segment_make(q->is_node ? manager->node : context,
                           q->is_node ? manager->node_root : q->root, made->bytes, &made->segment);
    TSRI_TRY(done, tsri_agree(context, st, 0));
    fill(made, q->value);
done:
    return st;
}

static tsr_status make(const request *q)
{
    tsr_status st = TSR_OK;
    tsri_manager *manager = NULL;
    tsri_context *context = NULL;
    tsri_shared *made = NULL;

    if (q->array != NULL) *q->array = NULL;
    TSRI_TRY(fail, tsri_manager_check(q->call, q->shm, &manager));
    if (q->is_node)
        TSRI_TRY(fail, tsri_enter(context = manager->base, false, "%s", q->call));
    else
        TSRI_TRY(fail, tsri_context_enter(q->comm, q->call, &context));

    TSRI_TRY(agree, check_arguments(q, tsri_context_size(context)));
    TSRI_ALLOC(agree, made, 1);
    made->manager = manager;
    TSRI_TRY(agree, describe(q, made));
agree:
    TSRI_TRY(fail, tsri_agree(context, st, fingerprint(q, manager)));
    TSRI_TRY(fail, share(q, manager, context, made));
    *q->array = tsri_shared_enlist(made);
    return TSR_OK;

fail:
    if (made != NULL) tsri_segment_free(&made->segment);
    tsri_free(made);
    return st;
}

/* ---- the calls that make one ----------------------------------------------------------------- */

tsr_status tsr_shm_full(tsr_shm *shm, tsr_comm comm, int root, tsr_dtype dtype, tsr_scalar value,
                        int ndim, const int64_t *shape, tsr_shm_array **array)
{
    if (dtype == TSR_AUTO) dtype = value.dtype;
    return make(&(request){__func__, shm, false, comm, root, dtype, &value, ndim, shape, array});
}

tsr_status tsr_shm_full_node(tsr_shm *shm, tsr_dtype dtype, tsr_scalar value, int ndim,
                             const int64_t *shape, tsr_shm_array **array)
{
    if (dtype == TSR_AUTO) dtype = value.dtype;
    return make(
        &(request){__func__, shm, true, TSR_COMM_NULL, 0, dtype, &value, ndim, shape, array});
}

/* The two calls for values given by a name alone. */
#define MAKERS(name, value)                                                                        \
    tsr_status tsr_shm_##name(tsr_shm *shm, tsr_comm comm, int root, tsr_dtype dtype, int ndim,    \
                              const int64_t *shape, tsr_shm_array **array)                         \
    {                                                                                              \
        return make(                                                                               \
            &(request){__func__, shm, false, comm, root, dtype, value, ndim, shape, array});       \
    }                                                                                              \
    tsr_status tsr_shm_##name##_node(tsr_shm *shm, tsr_dtype dtype, int ndim,                      \
                                     const int64_t *shape, tsr_shm_array **array)                  \
    {                                                                                              \
        return make(                                                                               \
            &(request){__func__, shm, true, TSR_COMM_NULL, 0, dtype, value, ndim, shape, array});  \
    }
static const tsr_scalar zero = {.dtype = TSR_I64}, one = {.dtype = TSR_I64, .as.i = 1};
MAKERS(alloc, NULL)
MAKERS(zeros, &zero)
MAKERS(ones, &one)
#undef MAKERS

/* ---- freeing --------------------------------------------------------------------------------- */

void tsri_shared_free(tsri_shared *array)
{
    tsri_shared_delist(array);
    tsri_window_free(&array->window);
    tsri_segment_free(&array->segment);
    tsri_free(array);
}

tsr_status tsr_shm_free(tsr_shm_array **array)
{
    tsr_status st = TSR_OK;
    tsri_shared *shared = NULL;

    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    TSRI_TRY(fail, tsri_shared_check(__func__, *array, &shared));
    tsri_context *const context = shared->segment.context;
    TSRI_TRY(fail, tsri_enter(context, false, "%s", __func__));
    TSRI_TRY(fail, tsri_agree(context, TSR_OK, (uint64_t)shared->number << 1 | shared->is_node));
    tsri_shared_free(shared);
    *array = NULL;
fail:
    return st;
}

/* ---- questions ------------------------------------------------------------------------------- */

/* What an array answers, and what a handle that is none gives. */
#define QUESTION(type, name, none, answer)                                                         \
    type tsr_shm_##name(const tsr_shm_array *array)                                                \
    {                                                                                              \
        tsri_shared *a = tsri_shared_of(array);                                                    \
        return a == NULL ? (none) : (answer);                                                      \
    }
QUESTION(void *, data, NULL, tsri_segment_data(&a->segment))
QUESTION(tsr_dtype, dtype, TSR_AUTO, a->dtype)
QUESTION(int, ndim, 0, a->ndim)
QUESTION(const int64_t *, shape, NULL, a->shape)
QUESTION(int64_t, cells, 0, a->cells)
QUESTION(size_t, bytes, 0, a->bytes)
QUESTION(bool, is_node, false, a->is_node)
#undef QUESTION

tsr_view tsri_shared_view(const tsri_shared *array, void *data)
{
    tsr_view view = {.data = data, .dtype = array->dtype, .ndim = array->ndim};

    memcpy(view.extent, array->shape, sizeof array->shape);
    tsri_c_strides(array->ndim, view.extent, view.stride);
    return view;
}

tsr_view tsr_shm_view(const tsr_shm_array *array)
{
    const tsri_shared *a = tsri_shared_of(array);
    return a == NULL ? (tsr_view){0} : tsri_shared_view(a, tsri_segment_data(&a->segment));
}
