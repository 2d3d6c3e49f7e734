/* Arrays joined along an axis, or along a new one. */
#include "array/array.h"
#include "base/checked.h"
#include "base/gate.h"
#include "kern/kern.h"
#include "kern/promote.h"
#include "move/redistribute.h"
#include "move/transfer.h"

#include <tessera/rearrange.h>

#include <string.h>

typedef struct join {
    const char *name; /* the public call */
    int count;
    tsr_array *const *arrays;
    int axis;   /* of the result */
    bool stack; /* along a new axis */
} join;

/* ---- checks ---------------------------------------------------------------------------------- */

static bool same_cuts(const tsri_geometry *f, const tsri_geometry *g, int axis)
{
    if (f->cuts[axis] == NULL || g->cuts[axis] == NULL) return f->cuts[axis] == g->cuts[axis];
    return memcmp(f->cuts[axis], g->cuts[axis],
                  ((size_t)f->grid[axis] + 1) * sizeof *f->cuts[axis]) == 0;
}

/* That array i goes with the first one, but for the length of the joined axis. */
static tsr_status check_array(const join *j, int i)
{
    const tsr_layout *first = j->arrays[0]->layout, *layout = j->arrays[i]->layout;
    const tsri_geometry *f = &first->geometry, *g = &layout->geometry;
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(j->name, done, f->ndim == g->ndim, TSR_ERR_VALUE,
                  "array 0 has %d ax%cs and array %d %d, must have as many", f->ndim,
                  TSRI_ES(f->ndim), i, g->ndim);
    for (int a = 0; a < f->ndim; ++a) {
        const bool joined = a == j->axis && !j->stack;
        TSRI_CHECK_IN(j->name, done, joined || f->shape[a] == g->shape[a], TSR_ERR_VALUE,
                      "axis %d has %lld cell%s in array 0 and %lld in array %d, must have the same "
                      "shape%s",
                      a, (long long)f->shape[a], TSRI_S(f->shape[a]), (long long)g->shape[a], i,
                      j->stack ? "" : " but for the joined axis");
        TSRI_CHECK_IN(j->name, done,
                      f->halo_lo[a] == g->halo_lo[a] && f->halo_hi[a] == g->halo_hi[a] &&
                          f->grid[a] == g->grid[a] && (joined || same_cuts(f, g, a)),
                      TSR_ERR_VALUE,
                      "arrays 0 and %d have different layouts: halo, grid or cuts of axis %d", i,
                      a);
    }
    TSRI_CHECK_IN(j->name, done, first->context == layout->context && f->periodic == g->periodic,
                  TSR_ERR_VALUE,
                  "arrays 0 and %d have different layouts: communicator or periodicity", i);
done:
    return st;
}

static tsr_status check(join *j)
{
    const tsri_geometry *g = &j->arrays[0]->layout->geometry;
    const int ndim = g->ndim + j->stack;
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(j->name, done, ndim <= TSR_MAX_NDIM, TSR_ERR_VALUE,
                  "the result would have %d ax%cs, at most %d", ndim, TSRI_ES(ndim), TSR_MAX_NDIM);
    TSRI_TRY(done, tsri_axis_check(j->name, TSR_ERR_AXIS, "result", ndim, &j->axis));
    for (int i = 0; i < j->count; ++i) {
        TSRI_CHECK_IN(j->name, done, j->arrays[i] != NULL, TSR_ERR_VALUE, "array %d is NULL", i);
        TSRI_TRY(done, tsri_move_check(j->name, j->arrays[i]));
        TSRI_TRY(done, check_array(j, i));
    }
done:
    return st;
}

/* ---- the result ------------------------------------------------------------------------------ */

/* The layout of the first array, its axes moved up to make room for a new one. */
static tsr_status make_layout(const join *j, tsr_layout **layout)
{
    const tsr_layout *first = j->arrays[0]->layout;
    const tsri_geometry *g = &first->geometry;
    tsr_layout_options options = {.allow_empty = g->allow_empty};
    int64_t shape[TSR_MAX_NDIM] = {0};
    tsr_status st = TSR_OK;

    if (g->whole) options.split = TSR_WHOLE;
    options.node_shared = g->node_shared;
    for (int a = 0; a < g->ndim; ++a) {
        const int to = a + (j->stack && a >= j->axis);
        shape[to] = g->shape[a];
        options.halo_lo[to] = g->halo_lo[a];
        options.halo_hi[to] = g->halo_hi[a];
        if ((g->periodic >> a & 1u) != 0) options.periodic |= TSR_AXIS(to);
        if (g->whole) continue;
        options.process_grid[to] = g->grid[a];
        if (g->cuts[a] == NULL || (a == j->axis && !j->stack)) continue;
        options.cuts[to] = g->cuts[a];
        options.ncuts[to] = g->grid[a] + 1;
    }
    if (j->stack && !g->whole) options.process_grid[j->axis] = 1;
    if (j->stack) shape[j->axis] = j->count;
    for (int i = 1; i < j->count && !j->stack; ++i)
        TSRI_CHECK_IN(j->name, done,
                      tsri_add_i64(shape[j->axis], j->arrays[i]->layout->geometry.shape[j->axis],
                                   &shape[j->axis]),
                      TSR_ERR_OVERFLOW, "the joined axis has too many cells to count");
    st = tsri_layout_make(j->name, first->context, g->ndim + j->stack, shape, &options, layout);
done:
    return st;
}

/* Copy the blocks side by side, converted: along an axis with one block. */
static void copy_blocks(const join *j, tsr_array *result)
{
    const int ndim = j->arrays[0]->layout->geometry.ndim;
    const int64_t size = (int64_t)tsr_dtype_size(result->dtype);
    unsigned char *to = tsri_array_origin(result);
    int64_t stride[TSR_MAX_NDIM];

    tsri_array_clear_halo(result);
    if (!tsri_array_is_writer(result) || result->cells == 0) return;
    for (int a = 0; a < ndim; ++a)
        stride[a] = result->stride[a + (j->stack && a >= j->axis)];
    for (int i = 0; i < j->count; ++i) {
        const tsr_array *from = j->arrays[i];
        const int64_t length = j->stack ? 1 : from->extent[j->axis];
        if (from->cells > 0)
            tsri_kern_get()->convert(ndim, from->extent, result->dtype, to, stride, from->dtype,
                                     tsri_array_origin(from), from->stride);
        to += length * result->stride[j->axis] * size;
    }
}

/* ---- along a split axis ---------------------------------------------------------------------- */

/* The parts of the result, all of its type. */
typedef struct parts {
    tsr_array **converted; /* [count], NULL where an array has the result's type */
    tsri_plan **plan;
    tsr_dtype *dtype;
    void **from, **to;
} parts;

static tsr_status parts_make(int count, parts *p)
{
    tsr_status st = TSR_OK;
    TSRI_ALLOC(done, p->converted, count);
    TSRI_ALLOC(done, p->plan, count);
    TSRI_ALLOC(done, p->dtype, count);
    TSRI_ALLOC(done, p->from, count);
    TSRI_ALLOC(done, p->to, count);
done:
    return st;
}

static void parts_free(int count, parts *p)
{
    for (int i = 0; i < count; ++i) {
        if (p->converted != NULL) tsri_array_free(p->converted[i]);
        if (p->plan != NULL) tsri_plan_unref(p->plan[i]);
    }
    tsri_free(p->converted);
    tsri_free(p->plan);
    tsri_free(p->dtype);
    tsri_free(p->from);
    tsri_free(p->to);
}

static tsr_status convert(const join *j, const tsr_array *array, tsr_dtype dtype,
                          tsr_array **converted)
{
    const int64_t one = 1;
    tsr_status st = TSR_OK;
    TSRI_TRY(done, tsri_array_make(array->layout, dtype, j->name, converted));
    tsri_kern_get()->convert(1, &array->cells, dtype, (*converted)->storage->memory, &one,
                             array->dtype, array->storage->memory, &one);
done:
    return st;
}

/* The plan of array i, which begins at `start` along the joined axis. */
static tsr_status make_part(const join *j, int i, int64_t start, const tsr_array *result, parts *p)
{
    const tsr_array *from = j->arrays[i];
    tsri_plan_request request;
    tsr_status st = TSR_OK;

    if (from->dtype != result->dtype) {
        TSRI_TRY(done, convert(j, from, result->dtype, &p->converted[i]));
        from = p->converted[i];
    }
    TSRI_TRY(done, tsri_request_between(from, result, &request));
    for (int a = 0; a < request.from->ndim; ++a)
        tsri_plan_request_add(&request, a, a,
                              (tsri_affine){.count = request.from->shape[a],
                                            .from_step = 1,
                                            .to = a == j->axis ? start : 0,
                                            .to_step = 1});
    TSRI_TRY(done, tsri_plan_create(&request, &p->plan[i]));
    p->dtype[i] = result->dtype;
    p->from[i] = tsri_array_origin(from);
    p->to[i] = tsri_array_origin(result);
done:
    return st;
}

/* All parts in one exchange, after this rank has made the result, or not. */
static tsr_status move_blocks(const join *j, tsr_status earlier, tsr_array *result)
{
    parts p = {0};
    int64_t start = 0;
    tsr_status st = TSR_OK;

    TSRI_TRY(transfer, earlier);
    TSRI_TRY(transfer, parts_make(j->count, &p));
    tsri_array_clear_halo(result);
    for (int i = 0; i < j->count; ++i) {
        TSRI_TRY(transfer, make_part(j, i, start, result, &p));
        start += j->arrays[i]->layout->geometry.shape[j->axis];
    }
transfer:
    st = tsri_transfer_many(j->arrays[0]->layout->context, st, 0, j->count, p.plan, p.dtype, p.from,
                            p.to);
    parts_free(j->count, &p);
    return st;
}

/* ---- the call -------------------------------------------------------------------------------- */

/* What must be the same on all ranks. */
static uint64_t fingerprint(const join *j)
{
    uint64_t hash = tsri_hash(TSRI_HASH_START, j->name, strlen(j->name));
    hash = tsri_hash(hash, &j->axis, sizeof j->axis);
    for (int i = 0; i < j->count; ++i)
        if (j->arrays[i] != NULL) hash = tsri_hash_array(hash, j->arrays[i]);
    return hash;
}

static tsr_status run(join *j, tsr_array **result)
{
    tsr_status st = TSR_OK;
    tsr_layout *made = NULL, *layout = NULL;
    tsr_array *array = NULL;

    if (result != NULL) *result = NULL;
    TSRI_CHECK_IN(j->name, fail, j->count > 0 && j->arrays != NULL, TSR_ERR_VALUE,
                  "count is %d, must be >= 1 (and arrays not NULL)", j->count);
    TSRI_CHECK_IN(j->name, fail, j->arrays[0] != NULL, TSR_ERR_VALUE, "array 0 is NULL");
    tsri_context *const context = j->arrays[0]->layout->context;
    tsr_dtype dtype = j->arrays[0]->dtype;
    TSRI_TRY(fail, tsri_enter(context, false, "%s", j->name));

    TSRI_CHECK_IN(j->name, agree, result != NULL, TSR_ERR_VALUE, "no place for the result (NULL)");
    TSRI_TRY(agree, check(j));
    TSRI_TRY(agree, make_layout(j, &made));
    for (int i = 1; i < j->count; ++i)
        dtype = tsri_dtype_promote(dtype, j->arrays[i]->dtype);
agree:
    TSRI_TRY(fail,
             tsri_layout_finish(context, st, fingerprint(j), &tsri_layout_defaults, made, &layout));
    st = tsri_array_begin(layout, dtype, j->name, &array);
    if (!j->stack && layout->geometry.grid[j->axis] > 1) {
        TSRI_TRY(fail, move_blocks(j, st, array));
    } else {
        TSRI_TRY(fail, tsri_agree(context, st, 0));
        TSRI_TRY(fail, tsri_array_complete(array));
        copy_blocks(j, array);
        tsri_array_meet(array);
    }
    *result = array;
    array = NULL;
fail:
    tsri_array_free(array);
    tsri_layout_unref(layout);
    return st;
}

tsr_status tsr_concatenate(int count, tsr_array *const *arrays, int axis, tsr_array **result)
{
    return run(&(join){.name = __func__, .count = count, .arrays = arrays, .axis = axis}, result);
}

tsr_status tsr_stack(int count, tsr_array *const *arrays, int axis, tsr_array **result)
{
    return run(
        &(join){.name = __func__, .count = count, .arrays = arrays, .axis = axis, .stack = true},
        result);
}
