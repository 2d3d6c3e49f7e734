#include "io/from_root.h"

#include "base/net.h"
#include "io/pass.h"
#include "kern/kern.h"

/* ---- who finds no file ----------------------------------------------------------------------- */

static void either(void *left, const void *right)
{
    *(bool *)left = *(bool *)left || *(const bool *)right;
}

tsr_status tsri_only_missing(tsri_context *context, tsr_status st, bool missing, bool *only)
{
    bool otherwise = st != TSR_OK && !missing;
    const tsr_status combined = tsri_net_combine(context, &otherwise, sizeof otherwise, either);
    const tsr_status agreed = tsri_agree(context, combined, 0);

    *only = agreed == TSR_OK && !otherwise;
    return agreed;
}

tsr_status tsri_agree_on_reading(tsri_context *context, tsr_status st, uint64_t arguments,
                                 bool missing, bool *only)
{
    const tsr_status agreed = tsri_agree(context, st, arguments);

    *only = false;
    if (agreed != TSR_ERR_IO) return agreed;
    const tsr_status found = tsri_only_missing(context, st, missing, only);
    return found != TSR_OK ? found : agreed;
}

/* ---- cells from rank 0 ----------------------------------------------------------------------- */

/* What one rank asks of another, or gives to it; ranks are those of the context. */
typedef struct sharing {
    tsri_context *context;
    const tsr_array *array;
    size_t elem;
    unsigned char *buffer;
    size_t bytes;
    tsr_status st; /* the first failure; messages go on: the other end waits for them */
} sharing;

static void send(sharing *s, const void *data, size_t bytes, int to)
{
    tsri_keep(&s->st, tsri_net_trade(s->context, to, data, TSR_NO_RANK, NULL, bytes));
}

static void receive(sharing *s, void *data, size_t bytes, int from)
{
    tsri_keep(&s->st, tsri_net_trade(s->context, TSR_NO_RANK, NULL, from, data, bytes));
}

static void start_boxes(const sharing *s, const tsri_box *whole, tsri_boxes *boxes)
{
    tsri_boxes_start(boxes, whole->ndim, whole->start, whole->extent,
                     (int64_t)(s->bytes / s->elem));
    boxes->done = boxes->done || whole->cells == 0;
}

static void unpack(const sharing *s, const tsri_box *box)
{
    const tsr_array *array = s->array;
    unsigned char *first = tsri_array_origin(array);
    int64_t packed[TSR_MAX_NDIM];

    for (int a = 0; a < box->ndim; ++a)
        first += (box->start[a] - array->start[a]) * array->stride[a] * (int64_t)s->elem;
    tsri_c_strides(box->ndim, box->extent, packed);
    tsri_kern_get()->copy(s->elem, box->ndim, box->extent, first, array->stride, s->buffer, packed);
}

static void ask(sharing *s, bool missing)
{
    tsri_box whole = {.ndim = s->array->layout->geometry.ndim}, box;
    tsri_boxes boxes;

    for (int a = 0; a < whole.ndim; ++a) {
        whole.start[a] = s->array->start[a];
        whole.extent[a] = s->array->extent[a];
    }
    if (missing) whole.cells = s->array->cells;
    send(s, &whole, sizeof whole, 0);
    start_boxes(s, &whole, &boxes);
    while (tsri_boxes_next(&boxes, &box)) {
        receive(s, s->buffer, (size_t)box.cells * s->elem, 0);
        if (s->st == TSR_OK) unpack(s, &box);
    }
}

static void answer(sharing *s, int rank, tsri_box_reader *read, void *ctx)
{
    tsri_box whole = {.ndim = 0}, box;
    tsri_boxes boxes;

    receive(s, &whole, sizeof whole, rank);
    start_boxes(s, &whole, &boxes);
    while (tsri_boxes_next(&boxes, &box)) {
        if (s->st == TSR_OK) s->st = read(ctx, &box, s->buffer);
        send(s, s->buffer, (size_t)box.cells * s->elem, rank);
    }
}

tsr_status tsri_read_from_root(tsri_context *context, tsr_status earlier, bool missing,
                               const tsr_array *array, tsri_box_reader *read, void *ctx)
{
    const tsr_array share = tsri_array_share(array);
    sharing s = {.context = context,
                 .array = &share,
                 .elem = tsr_dtype_size(array->dtype),
                 .bytes = tsri_pass_bytes(context)};
    tsr_status st = earlier;

    TSRI_TRY(ready, earlier);
    TSRI_ALLOC(ready, s.buffer, s.bytes);
ready:
    TSRI_TRY(done, tsri_agree(context, st, 0));
    if (tsri_context_rank(context) != 0)
        ask(&s, missing);
    else
        for (int rank = 1; rank < tsri_context_size(context); ++rank)
            answer(&s, rank, read, ctx);
    st = tsri_agree(context, s.st, 0);
done:
    tsri_free(s.buffer);
    return st;
}
