#include "move/redistribute.h"

#include "base/checked.h"
#include "base/gate.h"
#include "move/transfer.h"
#include "shm/team.h"

#include <tessera/rearrange.h>

#include <string.h>

/* ---- checks ---------------------------------------------------------------------------------- */

tsr_status tsri_move_check(const char *call, const tsr_array *array)
{
    if (array->storage->pending == 0) return TSR_OK;
    return TSRI_FAIL_IN(call, TSR_ERR_STATE,
                        "an exchange of the array is pending; finish it first");
}

static tsr_status check_shape(const char *call, const tsri_geometry *f, const tsri_geometry *t)
{
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, f->ndim == t->ndim, TSR_ERR_VALUE,
                  "the array has %d ax%cs and the layout %d, must have the same shape", f->ndim,
                  TSRI_ES(f->ndim), t->ndim);
    for (int a = 0; a < f->ndim; ++a)
        TSRI_CHECK_IN(call, done, f->shape[a] == t->shape[a], TSR_ERR_VALUE,
                      "axis %d has %lld cell%s in the array and %lld in the layout, must have the "
                      "same shape",
                      a, (long long)f->shape[a], TSRI_S(f->shape[a]), (long long)t->shape[a]);
done:
    return st;
}

static tsr_status check(const char *call, const tsr_array *from, const tsr_array *to)
{
    tsr_status st = TSR_OK;

    TSRI_TRY(done, check_shape(call, &from->layout->geometry, &to->layout->geometry));
    TSRI_CHECK_IN(call, done, from->dtype == to->dtype, TSR_ERR_TYPE,
                  "the arrays hold %s and %s, must hold the same type", tsr_dtype_name(from->dtype),
                  tsr_dtype_name(to->dtype));
    TSRI_TRY(done, tsri_move_check(call, from));
    TSRI_TRY(done, tsri_move_check(call, to));
    TSRI_CHECK_IN(call, done,
                  from->storage == to->storage ||
                      !tsri_storage_overlaps(from->storage, to->storage),
                  TSR_ERR_VALUE,
                  "the arrays share a part of their memory, must share none or be "
                  "one array");
    TSRI_TRY(done, tsri_context_check(to->layout->context));
done:
    return st;
}

/* ---- the same shape -------------------------------------------------------------------------- */

static void copy_storage(const tsr_array *from, tsr_array *to)
{
    const size_t size = tsr_dtype_size(to->dtype);
    int64_t first;
    const size_t bytes = (size_t)tsri_array_run(to, &first) * size;
    const size_t offset = (size_t)first * size;

    if (bytes > 0)
        memcpy((unsigned char *)to->storage->memory + offset,
               (const unsigned char *)from->storage->memory + offset, bytes);
    tsri_count(TSRI_COUNT_COPIED_BYTES, (int64_t)bytes);
    tsri_array_meet(to);
}

/* The plan of cells that keep their index. */
static tsr_status plan_same(const tsr_array *from, const tsr_array *to, tsri_plan **plan)
{
    tsri_plan_request request;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_request_between(from, to, &request));
    for (int a = 0; a < request.to->ndim; ++a)
        tsri_plan_request_add_same(&request, a, a);
    st = tsri_plan_create(&request, plan);
done:
    return st;
}

/* tsri_redistribute() after other work, whose outcome is agreed on with its own; `to` may be NULL
 * when that failed. */
static tsr_status fill(const char *call, tsr_status earlier, const tsr_array *from, tsr_array *to)
{
    tsri_context *const context = from->layout->context;
    uint64_t hash = tsri_hash_call(call, from);
    bool alike = false;
    tsri_plan *plan = NULL;
    tsr_status st = TSR_OK;

    TSRI_TRY(transfer, earlier);
    TSRI_TRY(transfer, check(call, from, to));
    alike = tsr_layout_equal(from->layout, to->layout);
    const bool same[] = {alike, from->storage == to->storage};
    hash = tsri_hash_array(tsri_hash(hash, same, sizeof same), to);
    if (!alike) TSRI_TRY(transfer, plan_same(from, to, &plan));
transfer:
    if (alike) {
        st = tsri_agree(context, st, hash);
        if (st == TSR_OK && from->storage != to->storage) copy_storage(from, to);
    } else {
        st = tsri_transfer(context, st, hash, plan, from->dtype, tsri_array_origin(from),
                           to == NULL ? NULL : tsri_array_target(to));
        if (st == TSR_OK) tsri_array_meet(to);
    }
    tsri_plan_unref(plan);
    return st;
}

tsr_status tsri_redistribute(const char *call, const tsr_array *from, tsr_array *to)
{
    return fill(call, TSR_OK, from, to);
}

tsr_status tsri_redistribute_new(const char *call, tsr_status earlier, const tsr_array *array,
                                 tsr_layout *layout, tsr_array **moved)
{
    tsr_array *made = NULL;
    const tsri_team *team = NULL; /* found here, as by every creation: of another communicator */
    bool agreed = false;
    tsr_status st = TSR_OK;

    TSRI_TRY(fill, earlier);
    TSRI_TRY(fill, check_shape(call, &array->layout->geometry, &layout->geometry));
    st = tsri_array_make_together(layout, array->dtype, call, &made, &agreed);
    if (agreed && st != TSR_OK) return st;
    TSRI_TRY(fill, st);
    memcpy(made->boundary, array->boundary, sizeof made->boundary);
    tsri_array_clear_halo(made);
fill:
    st = fill(call, st, array, made);
    if (st == TSR_OK) st = tsri_team_that_shares(layout->context, &team);
    if (st == TSR_OK) *moved = made;
    if (st != TSR_OK) tsri_array_free(made);
    return st;
}

tsr_status tsr_redistribute(const tsr_array *array, tsr_layout *layout, tsr_array **moved)
{
    tsr_status st = TSR_OK;

    if (moved != NULL) *moved = NULL;
    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    TSRI_TRY(done, tsri_enter(array->layout->context, false, "%s", __func__));

    TSRI_CHECK(move, layout != NULL, TSR_ERR_VALUE, "layout is NULL");
    TSRI_CHECK(move, moved != NULL, TSR_ERR_VALUE,
               "moved is NULL, must point to where the handle goes");
move:
    st = tsri_redistribute_new(__func__, st, array, layout, moved);
done:
    return st;
}

tsr_status tsr_redistribute_into(const tsr_array *array, tsr_array *target)
{
    tsr_status st = TSR_OK;

    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    TSRI_TRY(done, tsri_enter(array->layout->context, false, "%s", __func__));

    TSRI_CHECK(fill, target != NULL, TSR_ERR_VALUE, "target is NULL");
fill:
    TSRI_TRY(done, fill(__func__, st, array, target));
    if (!tsr_layout_equal(array->layout, target->layout)) {
        tsri_array_clear_halo(target);
        tsri_array_meet(target);
    }
done:
    return st;
}
