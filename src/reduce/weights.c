/* Layouts cut by the elements of an array. */
#include "reduce/weights.h"
#include "base/checked.h"
#include "base/gate.h"
#include "base/net.h"
#include "kern/kern.h"
#include "layout/weighted.h"
#include "reduce/reduction.h"

#include <tessera/reduce.h>

#include <string.h>

enum { ROW = 512, LARGEST_PIECE = 1 << 20 }; /* weights converted at once; bytes of a message */

static tsr_status check_array(const char *call, const tsr_array *array)
{
    const tsr_dtype dtype = array->dtype;
    if (dtype != TSR_C64 && dtype != TSR_C128) return TSR_OK;
    return TSRI_FAIL_IN(call, TSR_ERR_TYPE, "the weights are %s, must be real",
                        tsr_dtype_name(dtype));
}

/* ---- this rank's block ----------------------------------------------------------------------- */

/* Add a row of the block, `count` elements from `cell` on. */
static tsr_status add_row(const char *call, const tsr_array *array, const char *row, int64_t *cell,
                          int64_t count, int64_t stride, tsri_profiles *profiles)
{
    const int last = profiles->ndim - 1;
    const int64_t one = 1, size = (int64_t)tsr_dtype_size(array->dtype);
    double weights[ROW];
    tsr_status st = TSR_OK;

    for (int64_t done = 0; done < count && st == TSR_OK; done += ROW) {
        const int64_t n = count - done < ROW ? count - done : ROW;
        tsri_kern_get()->convert(1, &n, TSR_F64, weights, &one, array->dtype,
                                 row + done * stride * size, &stride);
        st = tsri_profiles_add(call, profiles, cell, n, weights);
        if (last >= 0) cell[last] += n;
    }
    if (last >= 0) cell[last] -= count;
    return st;
}

static tsr_status add_block(const char *call, const tsr_array *array, tsri_profiles *profiles)
{
    const int ndim = profiles->ndim, last = ndim - 1;
    const int64_t size = (int64_t)tsr_dtype_size(array->dtype);
    const char *row = tsri_array_origin(array);
    int64_t cell[TSR_MAX_NDIM];
    tsr_status st = TSR_OK;

    if (row == NULL) return TSR_OK;
    memcpy(cell, array->start, sizeof cell);
    for (int a = last; st == TSR_OK;) {
        st = last < 0 ? add_row(call, array, row, cell, 1, 1, profiles)
                      : add_row(call, array, row, cell, array->extent[last], array->stride[last],
                                profiles);
        for (a = last - 1; a >= 0; --a) { /* odometer: wrap this axis, carry on */
            row += array->stride[a] * size;
            if (++cell[a] < array->start[a] + array->extent[a]) break;
            row -= array->extent[a] * array->stride[a] * size;
            cell[a] = array->start[a];
        }
        if (a < 0) break;
    }
    return st;
}

/* ---- all blocks ------------------------------------------------------------------------------ */

/* A run of weights in a message that knows its length. */
typedef struct piece {
    int64_t count;
    double weight[];
} piece;

static void add_piece(void *left, const void *right)
{
    piece *l = left;
    const piece *r = right;
    for (int64_t i = 0; i < l->count; ++i)
        l->weight[i] += r->weight[i];
}

/* Weights in each message but the last. */
static int64_t piece_length(const tsri_context *context, const tsri_profiles *profiles)
{
    int64_t bytes = tsri_context_settings(context)->message_limit;
    if (bytes > LARGEST_PIECE) bytes = LARGEST_PIECE;
    const int64_t length = (bytes - (int64_t)sizeof(piece)) / (int64_t)sizeof(double);
    return length > profiles->total ? profiles->total : length < 1 ? 1 : length;
}

/* Add the profiles of all ranks, always in the same order. */
static tsr_status combine(tsri_context *context, tsri_profiles *profiles, piece *message)
{
    const int64_t length = piece_length(context, profiles);
    double *weight = profiles->weight[0];
    tsr_status st = TSR_OK;

    for (int64_t done = 0; done < profiles->total; done += length) {
        const int64_t left = profiles->total - done, n = left < length ? left : length;
        const size_t bytes = (size_t)n * sizeof *weight;
        message->count = n;
        memcpy(message->weight, weight + done, bytes);
        const tsr_status sent =
            tsri_net_combine(context, message, sizeof *message + bytes, add_piece);
        memcpy(weight + done, message->weight, bytes);
        if (st == TSR_OK) st = sent;
    }
    return st;
}

tsr_status tsri_layout_balance(const char *call, tsr_status earlier, const tsr_array *weights,
                               const tsr_layout_options *options, tsr_layout **layout)
{
    const tsri_geometry *g = &weights->layout->geometry;
    tsri_context *const context = weights->layout->context;
    tsr_status st = TSR_OK;
    tsr_layout *made = NULL;
    tsri_profiles profiles = {0};
    piece *message = NULL;
    uint64_t arguments = 0;

    TSRI_TRY(agree, earlier);
    TSRI_TRY(agree, check_array(call, weights));
    TSRI_TRY(agree, tsri_layout_make_even(call, context, g->ndim, g->shape, options, &made));
    TSRI_TRY(agree, tsri_profiles_make(made, &profiles));
    TSRI_TRY(agree, add_block(call, weights, &profiles));
    message = tsri_alloc(1, sizeof *message +
                                (size_t)piece_length(context, &profiles) * sizeof *message->weight);
    TSRI_CHECK_IN(call, agree, message != NULL, TSR_ERR_NOMEM,
                  "no memory for a message of weights");
    arguments = tsri_layout_fingerprint(call, made, options) ^ tsr_layout_hash(weights->layout);
agree:
    TSRI_TRY(fail, tsri_agree(context, st, arguments));
    if (!g->whole) TSRI_TRY(finish, combine(context, &profiles, message));
    TSRI_TRY(finish, tsri_layout_weigh(call, context, (const double *const *)profiles.weight,
                                       options, &made));
    arguments = tsri_profiles_hash(tsri_layout_fingerprint(call, made, options), &profiles);
finish:
    st = tsri_layout_finish(context, st, arguments, options, made, layout);
    made = NULL;
fail:
    tsri_layout_free(made);
    tsri_profiles_free(&profiles);
    tsri_free(message);
    return st;
}

tsr_status tsr_layout_create_balanced(const tsr_array *weights, const tsr_layout_options *options,
                                      tsr_layout **layout)
{
    tsr_status st = TSR_OK;

    if (layout != NULL) *layout = NULL;
    if (options == NULL) options = &tsri_layout_defaults;
    TSRI_CHECK(fail, weights != NULL, TSR_ERR_VALUE, "weights is NULL");
    TSRI_TRY(fail, tsri_enter(weights->layout->context, false, "%s", __func__));

    TSRI_CHECK(balance, layout != NULL, TSR_ERR_VALUE,
               "layout is NULL, must point to where the handle goes");
balance:
    st = tsri_layout_balance(__func__, st, weights, options, layout);
fail:
    return st;
}
