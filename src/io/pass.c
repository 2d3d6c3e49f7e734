#include "io/pass.h"

#include "base/net.h"
#include "kern/kern.h"

enum { BUFFER_BYTES = 4 << 20, LARGEST_ELEMENT = 16 };

size_t tsri_pass_bytes(const tsri_context *context)
{
    const int64_t limit = tsri_context_settings(context)->message_limit;

    if (limit > BUFFER_BYTES) return BUFFER_BYTES;
    return limit < LARGEST_ELEMENT ? LARGEST_ELEMENT : (size_t)limit;
}

static void pack(const tsri_pass *pass, const tsri_box *box)
{
    const tsr_array *array = pass->array;
    const size_t size = tsr_dtype_size(array->dtype);
    const char *first = tsri_array_origin(array);
    int64_t packed[TSR_MAX_NDIM];

    for (int a = 0; a < box->ndim; ++a)
        first += (box->start[a] - array->start[a]) * array->stride[a] * (int64_t)size;
    tsri_c_strides(box->ndim, box->extent, packed);
    tsri_kern_get()->copy(size, box->ndim, box->extent, pass->buffer, packed, first, array->stride);
}

/* A message is sent and received whatever failed before: the other end waits for it. */
static void send_box(tsri_pass *pass, const tsri_box *box)
{
    const size_t bytes = (size_t)box->cells * tsr_dtype_size(pass->array->dtype);
    tsri_context *context = pass->array->layout->context;
    tsri_request request;

    pack(pass, box);
    tsri_keep(&pass->st,
              tsri_net_isend(context, pass->buffer, bytes, pass->to, TSRI_TAG_FILE, &request));
    tsri_keep(&pass->st, tsri_net_wait(context, 1, &request));
}

static void receive_box(tsri_pass *pass, const tsri_box *box, int from)
{
    const size_t bytes = (size_t)box->cells * tsr_dtype_size(pass->array->dtype);
    tsri_context *context = pass->array->layout->context;
    tsri_request request;

    tsri_keep(&pass->st,
              tsri_net_irecv(context, pass->buffer, bytes, from, TSRI_TAG_FILE, &request));
    tsri_keep(&pass->st, tsri_net_wait(context, 1, &request));
}

void tsri_pass_block(tsri_pass *pass, int rank)
{
    const tsr_layout *layout = pass->array->layout;
    const bool mine = layout->rank == rank, takes = layout->rank == pass->to;
    int64_t start[TSR_MAX_NDIM], extent[TSR_MAX_NDIM];
    tsri_boxes boxes;
    tsri_box box;

    if (!mine && !takes) return;
    if (!tsri_geometry_block(&layout->geometry, rank, start, extent)) return;
    tsri_boxes_start(&boxes, layout->geometry.ndim, start, extent,
                     (int64_t)(pass->bytes / tsr_dtype_size(pass->array->dtype)));
    while (tsri_boxes_next(&boxes, &box)) {
        if (!takes)
            send_box(pass, &box);
        else if (mine)
            pack(pass, &box);
        else
            receive_box(pass, &box, rank);
        if (takes && pass->st == TSR_OK)
            tsri_keep(&pass->st, pass->take(pass->ctx, &box, pass->buffer));
    }
}
