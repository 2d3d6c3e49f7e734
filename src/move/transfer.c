#include "move/transfer.h"

#include "kern/kern.h"
#include "shm/team.h"

#include <string.h>

tsri_blocks tsri_blocks_of(const tsr_array *array)
{
    return (tsri_blocks){&array->layout->geometry, array->stride};
}

void tsri_whole_geometry(const tsri_geometry *of, tsri_geometry *whole)
{
    *whole = *of;
    whole->whole = true;
    for (int a = 0; a < of->ndim; ++a) {
        whole->grid[a] = 1;
        whole->cuts[a] = NULL;
        whole->halo_lo[a] = whole->halo_hi[a] = 0;
    }
}

tsr_status tsri_plan_blocks(tsri_blocks from, tsri_blocks to, int rank, int root, tsri_plan **plan)
{
    tsri_plan_request request = {
        .from = from.geometry, .to = to.geometry, .rank = rank, .root = root};

    for (int a = 0; a < to.geometry->ndim; ++a) {
        request.from_stride[a] = from.stride[a];
        request.to_stride[a] = to.stride[a];
        tsri_plan_request_add_same(&request, a, a);
    }
    return tsri_plan_create(&request, plan);
}

tsr_status tsri_request_between(const tsr_array *from, const tsr_array *to,
                                tsri_plan_request *request)
{
    const tsr_layout *f = from->layout, *t = to->layout;

    *request = (tsri_plan_request){
        .from = &f->geometry, .to = &t->geometry, .rank = f->rank, .root = TSR_ALL_RANKS};
    memcpy(request->from_stride, from->stride, sizeof from->stride);
    memcpy(request->to_stride, to->stride, sizeof to->stride);
    return tsri_numbering_of(f->context, t->context, &request->number);
}

tsr_status tsri_transfer_many(tsri_context *context, tsr_status earlier, uint64_t fingerprint,
                              int count, tsri_plan *const *plans, const tsr_dtype *dtypes,
                              void *const *from, void *const *to)
{
    const tsri_exchange_parts parts = {.context = context,
                                       .count = count,
                                       .plans = plans,
                                       .dtypes = dtypes,
                                       .from = from,
                                       .to = to,
                                       .combine = TSRI_REPLACE};
    tsr_status st = TSR_OK;
    tsri_exchange *exchange = NULL;

    TSRI_TRY(done, tsri_exchange_create(&parts, earlier, fingerprint, &exchange));
    tsri_exchange_hold(exchange, true);
    (void)tsri_exchange_start(exchange); /* awaiting says how it went */
    st = tsri_agree(context, tsri_exchange_await(exchange), 0);
    if (st != TSR_OK) {
        tsri_exchange_abandon(exchange);
        goto done;
    }
    tsri_exchange_hold(exchange, false);
    st = tsri_exchange_finish(exchange); /* all is there: nothing fails any more */
done:
    tsri_exchange_free(exchange);
    return st;
}

tsr_status tsri_transfer(tsri_context *context, tsr_status earlier, uint64_t fingerprint,
                         tsri_plan *plan, tsr_dtype dtype, const void *from, void *to)
{
    void *const source = (void *)from;
    return tsri_transfer_many(context, earlier, fingerprint, 1, &plan, &dtype, &source, &to);
}

tsr_status tsri_move_new(const char *call, const tsr_array *from, tsr_layout *layout,
                         tsri_factors factors, const void *ctx, const tsr_scalar *rest,
                         tsr_array **moved)
{
    tsri_plan_request request;
    tsri_plan *plan = NULL;
    tsr_array *made = NULL;
    const tsri_team *team = NULL; /* found here, as by every creation: of another communicator */
    bool agreed = false;
    tsr_status st = TSR_OK;

    st = tsri_array_make_together(layout, from->dtype, call, &made, &agreed);
    if (agreed) TSRI_TRY(fail, st);
    TSRI_TRY(transfer, st);
    if (rest != NULL) tsri_array_fill(made, *rest);
    tsri_array_clear_halo(made);
    TSRI_TRY(transfer, tsri_request_between(from, made, &request));
    factors(ctx, &request);
    TSRI_TRY(transfer, tsri_plan_create(&request, &plan));
transfer:
    st = tsri_transfer(from->layout->context, st, 0, plan, from->dtype, tsri_array_origin(from),
                       made == NULL ? NULL : tsri_array_target(made));
    if (st == TSR_OK) tsri_array_meet(made);
fail:
    tsri_plan_unref(plan);
    if (st == TSR_OK) st = tsri_team_that_shares(layout->context, &team);
    if (st == TSR_OK) *moved = made;
    if (st != TSR_OK) tsri_array_free(made);
    return st;
}

void tsri_plan_copy(const tsri_plan *plan, tsr_dtype dtype, const void *from, void *to)
{
    const size_t size = tsr_dtype_size(dtype);

    for (int i = 0; i < plan->copy.count; ++i) {
        const tsri_piece *p = &plan->copy.item[i];
        tsri_kern_get()->copy(size, p->ndim, p->extent,
                              (unsigned char *)to + p->to.offset * (int64_t)size, p->to.stride,
                              (const unsigned char *)from + p->from.offset * (int64_t)size,
                              p->from.stride);
    }
}

void tsri_block_copy_in(tsr_array *array, const void *data, const int64_t *stride)
{
    const int ndim = array->layout->geometry.ndim;
    int64_t c_order[TSR_MAX_NDIM];

    const tsr_array share = tsri_array_share(array);
    int64_t first = 0; /* of the share, in the memory */

    if (share.cells == 0) return;
    if (stride == NULL) {
        tsri_c_strides(ndim, array->extent, c_order);
        stride = c_order;
    }
    for (int a = 0; a < ndim; ++a)
        first += (share.start[a] - array->start[a]) * stride[a];
    const int64_t size = (int64_t)tsr_dtype_size(array->dtype);
    tsri_kern_get()->copy((size_t)size, ndim, share.extent, tsri_array_origin(&share),
                          array->stride, (const unsigned char *)data + first * size, stride);
}
