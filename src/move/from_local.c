/* Arrays from pieces that the ranks hold: into the blocks of a layout, or making one. */
#include "base/checked.h"
#include "base/gate.h"
#include "kern/kern.h"
#include "move/stack.h"
#include "move/transfer.h"

#include <tessera/move.h>

#include <string.h>

/* ---- into the blocks of a layout ------------------------------------------------------------- */

/* A block without cells takes any piece without cells. */
static tsr_status check_block(const char *call, const tsr_layout *layout, const void *data,
                              const int64_t *extent)
{
    const int ndim = layout->geometry.ndim;
    int64_t start[TSR_MAX_NDIM], block[TSR_MAX_NDIM];
    bool empty = false;
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, extent != NULL || ndim == 0, TSR_ERR_VALUE,
                  "extent is NULL, must point to %d length%s", ndim, TSRI_S(ndim));
    const bool has_cells = tsri_geometry_block(&layout->geometry, layout->rank, start, block);
    for (int a = 0; a < ndim; ++a) {
        TSRI_CHECK_IN(call, done, extent[a] >= 0, TSR_ERR_VALUE, "extent[%d] is %lld, must be >= 0",
                      a, (long long)extent[a]);
        empty = empty || extent[a] == 0;
    }
    if (!has_cells && empty) return TSR_OK;
    for (int a = 0; a < ndim; ++a)
        TSRI_CHECK_IN(call, done, extent[a] == block[a], TSR_ERR_VALUE,
                      "extent[%d] is %lld, must be %lld as in the rank's block", a,
                      (long long)extent[a], (long long)block[a]);
    TSRI_CHECK_IN(call, done, data != NULL, TSR_ERR_VALUE,
                  "data is NULL, must point to the cells of the rank's block");
done:
    return st;
}

tsr_status tsr_from_local(tsr_layout *layout, tsr_dtype dtype, const void *data,
                          const int64_t *extent, const int64_t *stride, tsr_array **array)
{
    tsr_status st = TSR_OK;

    if (array != NULL) *array = NULL;
    if (layout != NULL) st = check_block(__func__, layout, data, extent);
    st = tsri_array_create_after(st, layout, dtype, __func__, TSRI_HASH_START, array);
    if (st != TSR_OK) return st;
    tsri_array_clear_halo(*array);
    tsri_block_copy_in(*array, data, stride);
    tsri_array_meet(*array);
    return TSR_OK;
}

/* ---- pieces: what all ranks have to know ----------------------------------------------------- */

/* What pieces can differ in, and must not. */
typedef enum { SAME, OTHER_NDIM, OTHER_DTYPE, OTHER_SPLIT, OTHER_AXIS, OTHER_EXTENT } difference;

/* The pieces of a run of neighbouring ranks. */
typedef struct pieces {
    int64_t faulty; /* some rank's arguments are wrong: nothing is compared */
    /* Of the lowest rank: */
    int64_t rank, ndim, dtype, whole, axis;
    int64_t extent[TSR_MAX_NDIM]; /* 0 along the axis */
    /* Of all: */
    int64_t rows; /* along the axis; -1: more than 64 bits count */
    /* The first rank that differs from the lowest, in what, and both values: */
    int64_t what, where, other, value, other_value;
} pieces;

static bool differs(pieces *p, difference what, int where, int64_t value, int64_t other_value)
{
    if (value == other_value) return false;
    p->what = what;
    p->where = where;
    p->value = value;
    p->other_value = other_value;
    return true;
}

static void compare(pieces *left, const pieces *right)
{
    bool found = differs(left, OTHER_NDIM, 0, left->ndim, right->ndim) ||
                 differs(left, OTHER_DTYPE, 0, left->dtype, right->dtype) ||
                 differs(left, OTHER_SPLIT, 0, left->whole, right->whole) ||
                 differs(left, OTHER_AXIS, 0, left->axis, right->axis);
    for (int a = 0; a < left->ndim && !found; ++a)
        found = differs(left, OTHER_EXTENT, a, left->extent[a], right->extent[a]);
    if (found) {
        left->other = right->rank;
    } else if (right->what != SAME) {
        left->what = right->what;
        left->where = right->where;
        left->other = right->other;
        left->value = right->value;
        left->other_value = right->other_value;
    }
}

static void combine(void *l, const void *r)
{
    pieces *left = l;
    const pieces *right = r;

    left->faulty = left->faulty || right->faulty;
    if (left->faulty) return;
    if (left->what == SAME) compare(left, right);
    if (left->rows < 0 || right->rows < 0 || !tsri_add_i64(left->rows, right->rows, &left->rows))
        left->rows = -1;
}

static tsr_status check_same(const char *call, const pieces *all)
{
    const long long first = (long long)all->value, other = (long long)all->other_value;
    const int rank = (int)all->other;

    switch ((difference)all->what) {
    case SAME:
        return TSR_OK;
    case OTHER_NDIM:
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                            "the piece of rank 0 has %lld ax%cs and that of rank %d has %lld, must "
                            "have as many",
                            first, TSRI_ES(first), rank, other);
    case OTHER_DTYPE:
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                            "the piece of rank 0 is of %s and that of rank %d of %s, must be of "
                            "one type",
                            tsr_dtype_name((tsr_dtype)first), rank,
                            tsr_dtype_name((tsr_dtype)other));
    case OTHER_SPLIT:
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                            "options.split is TSR_WHOLE on rank %d and not on rank %d, must be the "
                            "same",
                            first != 0 ? 0 : rank, first != 0 ? rank : 0);
    case OTHER_AXIS:
        return TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                            "axis is %lld on rank 0 and %lld on rank %d, must be the same", first,
                            other, rank);
    case OTHER_EXTENT:
        break;
    }
    return TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                        "the piece of rank 0 has length %lld along axis %d and that of rank %d has "
                        "%lld, must be the same",
                        first, (int)all->where, rank, other);
}

/* ---- pieces: one rank's arguments ------------------------------------------------------------ */

static tsr_status check_options(const char *call, int ndim, int axis,
                                const tsr_layout_options *options)
{
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, !options->reorder, TSR_ERR_VALUE,
                  "options.reorder is true, but pieces are stacked in the order of the ranks");
    for (int a = 0; a < TSR_MAX_NDIM; ++a) {
        TSRI_CHECK_IN(call, done, options->process_grid[a] == 0, TSR_ERR_VALUE,
                      "options.process_grid[%d] is %d, must not be given: pieces are stacked along "
                      "one axis",
                      a, options->process_grid[a]);
        TSRI_CHECK_IN(call, done, options->cuts[a] == NULL, TSR_ERR_VALUE,
                      "options.cuts[%d] must not be given: the array is cut near-evenly", a);
    }
    if (options->split == TSR_WHOLE) return TSR_OK;
    TSRI_TRY(done, tsri_axis_check(call, TSR_ERR_VALUE, "array", ndim, &axis));
    TSRI_CHECK_IN(
        call, done, options->split == 0 || options->split == TSR_AXIS(axis), TSR_ERR_VALUE,
        "options.split must be 0, axis %d along which pieces are stacked, or TSR_WHOLE", axis);
done:
    return st;
}

static tsr_status check_piece(const char *call, int ndim, const int64_t *extent, tsr_dtype dtype,
                              const void *data)
{
    int64_t cells = 0;
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, ndim >= 0 && ndim <= TSR_MAX_NDIM, TSR_ERR_VALUE,
                  "ndim is %d, must be 0 to %d", ndim, TSR_MAX_NDIM);
    TSRI_CHECK_IN(call, done, extent != NULL || ndim == 0, TSR_ERR_VALUE,
                  "extent is NULL, must point to %d length%s", ndim, TSRI_S(ndim));
    for (int a = 0; a < ndim; ++a)
        TSRI_CHECK_IN(call, done, extent[a] >= 0, TSR_ERR_VALUE, "extent[%d] is %lld, must be >= 0",
                      a, (long long)extent[a]);
    TSRI_CHECK_IN(call, done, tsri_dtype_valid(dtype), TSR_ERR_TYPE,
                  "dtype is %d, must be TSR_BOOL to TSR_C128", (int)dtype);
    TSRI_CHECK_IN(call, done, tsri_product_i64(ndim, extent, &cells), TSR_ERR_OVERFLOW,
                  "the piece has more cells than 64 bits count");
    TSRI_CHECK_IN(call, done, data != NULL || cells == 0, TSR_ERR_VALUE,
                  "data is NULL, must point to %lld cell%s", (long long)cells, TSRI_S(cells));
done:
    return st;
}

static void describe(pieces *p, int ndim, const int64_t *extent, int axis, tsr_dtype dtype,
                     const tsr_layout_options *options)
{
    p->ndim = ndim;
    p->dtype = dtype;
    p->whole = options->split == TSR_WHOLE;
    if (ndim > 0) memcpy(p->extent, extent, (size_t)ndim * sizeof *extent);
    if (p->whole) return;
    tsri_axis_normalise(ndim, &axis);
    p->axis = axis;
    p->rows = extent[axis];
    p->extent[axis] = 0;
}

/* Learn what the pieces have in common and how many rows there are; `st` says whether this rank's
 * arguments are right.  Collective; agrees. */
static tsr_status learn(tsri_context *context, const char *call, tsr_status st, pieces *p)
{
    p->rank = tsri_context_rank(context);
    p->faulty = st != TSR_OK;
    tsri_keep(&st, tsri_net_combine(context, p, sizeof *p, combine));
    if (st == TSR_OK && !p->faulty) st = check_same(call, p);
    if (st == TSR_OK && !p->faulty && p->rows < 0)
        st = TSRI_FAIL_IN(call, TSR_ERR_OVERFLOW,
                          "the pieces have more rows in total than 64 bits count");
    return tsri_agree(context, st, 0);
}

/* ---- pieces: the array ----------------------------------------------------------------------- */

static tsr_status make_layout(const char *call, tsr_comm comm, const pieces *all,
                              const tsr_layout_options *options, tsr_layout **layout)
{
    tsr_layout_options full = *options;
    int64_t shape[TSR_MAX_NDIM];

    memcpy(shape, all->extent, sizeof shape);
    if (!all->whole) {
        shape[all->axis] = all->rows;
        full.split = TSR_AXIS(all->axis);
    }
    return tsri_layout_create(call, comm, (int)all->ndim, shape, &full, layout);
}

/* Move the pieces into the blocks.  Collective; agrees. */
static tsr_status stack(tsr_array *array, int axis, int64_t before, int64_t rows, const void *data,
                        const int64_t *stride)
{
    const tsr_layout *layout = array->layout;
    const int ndim = layout->geometry.ndim;
    int64_t extent[TSR_MAX_NDIM], c_order[TSR_MAX_NDIM];
    tsri_plan *plan = NULL;

    memcpy(extent, layout->geometry.shape, sizeof extent);
    extent[axis] = rows;
    tsri_c_strides(ndim, extent, c_order);
    const tsri_stacked piece = {.array = array,
                                .axis = axis,
                                .start = before,
                                .end = before + rows,
                                .stride = stride != NULL ? stride : c_order};
    tsr_status st = tsri_stack_plan_create(&piece, &plan);
    if (st == TSR_OK)
        st = tsri_transfer(layout->context, TSR_OK, 0, plan, array->dtype, data,
                           tsri_array_origin(array));
    tsri_plan_unref(plan);
    return st;
}

tsr_status tsr_from_pieces(tsr_comm comm, int ndim, const int64_t *extent, int axis,
                           tsr_dtype dtype, const void *data, const int64_t *stride,
                           const tsr_layout_options *options, tsr_array **array)
{
    static const tsr_layout_options defaults = {0};
    tsri_context *context = NULL;
    tsr_layout *layout = NULL;
    tsr_array *made = NULL;
    pieces all;
    int64_t rows = 0, before = 0;
    tsr_status st = TSR_OK;

    if (array != NULL) *array = NULL;
    if (options == NULL) options = &defaults;
    memset(&all, 0, sizeof all);
    TSRI_TRY(done, tsri_context_enter(comm, __func__, &context));

    TSRI_CHECK(share, array != NULL, TSR_ERR_VALUE,
               "array is NULL, must point to where the handle goes");
    TSRI_TRY(share, check_piece(__func__, ndim, extent, dtype, data));
    TSRI_TRY(share, check_options(__func__, ndim, axis, options));
    describe(&all, ndim, extent, axis, dtype, options);
    rows = all.rows;
share:
    TSRI_TRY(done, learn(context, __func__, st, &all));

    TSRI_TRY(done, make_layout(__func__, comm, &all, options, &layout));
    if (!all.whole) st = tsri_rows_before(context, rows, &before);
    TSRI_TRY(done, tsri_array_create_after(st, layout, dtype, __func__, TSRI_HASH_START, &made));
    tsri_array_clear_halo(made);
    if (all.whole)
        tsri_block_copy_in(made, data, stride);
    else
        TSRI_TRY(done, stack(made, (int)all.axis, before, rows, data, stride));
    tsri_array_meet(made);
    *array = made;
    made = NULL;
done:
    tsri_array_free(made);
    (void)tsr_layout_destroy(&layout);
    return st;
}
