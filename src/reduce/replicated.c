#include "array/array.h"
#include "base/checked.h"
#include "base/gate.h"
#include "base/net.h"
#include "kern/kern.h"

#include <tessera/reduce.h>

#include <string.h>

/* Every cell combines by the tree of tsri_net_combine(): copies 0 and 1, 2 and 3, ..., then the
 * results of both pairs, and so on.  So a cell's bits do not depend on the size of its array, which
 * decides how the copies travel. */

/* Arrays up to this size go up and down the tree themselves.  Others are cut in slices, one a rank;
 * pieces of all slices at a time are combined, with so many bytes of copies on a rank. */
enum { SMALL_BYTES = 1024, COPIES_BYTES = 4 * 1024 * 1024 };

/* ---- small arrays ---------------------------------------------------------------------------- */

typedef struct record {
    tsr_op op;
    tsr_dtype dtype;
    int64_t cells;
    _Alignas(16) unsigned char element[SMALL_BYTES];
} record;

static void combine_records(void *left, const void *right)
{
    record *l = left;
    const record *r = right;
    tsri_kern_get()->combine(l->op, l->dtype, l->cells, l->element, r->element);
}

static tsr_status combine_small(tsr_array *array, tsr_op op)
{
    tsri_context *const context = array->layout->context;
    const size_t bytes = array->storage->bytes;
    record all = {.op = op, .dtype = array->dtype, .cells = array->cells};

    memcpy(all.element, array->storage->memory, bytes);
    const tsr_status sent =
        tsri_net_combine(context, &all, offsetof(record, element) + bytes, combine_records);
    const tsr_status st = tsri_agree(context, sent, 0);
    if (st == TSR_OK) memcpy(array->storage->memory, all.element, bytes);
    return st;
}

/* ---- large arrays ---------------------------------------------------------------------------- */

typedef struct slices {
    tsri_context *context;
    tsr_array *array;
    size_t size;     /* of an element */
    tsri_axis cells; /* cut in a slice for each rank */
    int rank, ranks;
    int64_t piece;         /* elements of a slice at a time */
    unsigned char *copies; /* a piece of this rank's slice from each rank */
    tsri_request *requests;
    int nrequests;
} slices;

static unsigned char *element(const slices *s, int64_t i)
{
    return (unsigned char *)s->array->storage->memory + (size_t)i * s->size;
}

static unsigned char *copy_of(const slices *s, int rank)
{
    return s->copies + (size_t)rank * (size_t)s->piece * s->size;
}

/* The elements of a rank's slice that are combined in a round: how many, from `first` on. */
static int64_t piece_of(const slices *s, int rank, int64_t round, int64_t *first)
{
    const int64_t end = tsri_axis_cut(&s->cells, rank + 1);
    const int64_t left = end - tsri_axis_cut(&s->cells, rank) - round * s->piece;

    *first = left > 0 ? end - left : end;
    return left < 0 ? 0 : left < s->piece ? left : s->piece;
}

static tsr_status send(slices *s, const void *data, int64_t n, int peer)
{
    if (n == 0) return TSR_OK;
    return tsri_net_isend(s->context, data, (size_t)n * s->size, peer, TSRI_TAG_EXCHANGE,
                          &s->requests[s->nrequests++]);
}

static tsr_status receive(slices *s, void *data, int64_t n, int peer)
{
    if (n == 0) return TSR_OK;
    return tsri_net_irecv(s->context, data, (size_t)n * s->size, peer, TSRI_TAG_EXCHANGE,
                          &s->requests[s->nrequests++]);
}

static void keep(tsr_status *first, tsr_status st)
{
    if (*first == TSR_OK) *first = st;
}

/* Exchange with every other rank: its slice's piece for ours from `there`, or, to share results,
 * the other way round. */
static tsr_status exchange(slices *s, int64_t round, bool share)
{
    int64_t mine, theirs;
    const int64_t n = piece_of(s, s->rank, round, &mine);
    tsr_status st = TSR_OK;

    s->nrequests = 0;
    for (int step = 1; step < s->ranks; ++step) {
        const int peer = (s->rank + s->ranks - step) % s->ranks;
        const int64_t m = piece_of(s, peer, round, &theirs);
        keep(&st, share ? receive(s, element(s, theirs), m, peer)
                        : receive(s, copy_of(s, peer), n, peer));
    }
    for (int step = 1; step < s->ranks; ++step) {
        const int peer = (s->rank + step) % s->ranks;
        const int64_t m = piece_of(s, peer, round, &theirs);
        keep(&st,
             share ? send(s, element(s, mine), n, peer) : send(s, element(s, theirs), m, peer));
    }
    keep(&st, tsri_net_wait(s->context, s->nrequests, s->requests));
    return st;
}

static void combine_copies(slices *s, tsr_op op, int64_t round)
{
    int64_t first;
    const int64_t n = piece_of(s, s->rank, round, &first);

    if (n == 0) return;
    memcpy(copy_of(s, s->rank), element(s, first), (size_t)n * s->size);
    for (int64_t bit = 1; bit < s->ranks; bit *= 2)
        for (int64_t r = 0; r + bit < s->ranks; r += 2 * bit)
            tsri_kern_get()->combine(op, s->array->dtype, n, copy_of(s, (int)r),
                                     copy_of(s, (int)(r + bit)));
    memcpy(element(s, first), copy_of(s, 0), (size_t)n * s->size);
}

/* The first slice is the longest. */
static int64_t longest(const slices *s)
{
    return tsri_axis_cut(&s->cells, 1);
}

static tsr_status prepare(slices *s, tsr_array *array)
{
    const tsr_layout *layout = array->layout;
    const size_t limit = (size_t)tsri_context_settings(layout->context)->message_limit;
    tsr_status st = TSR_OK;

    s->context = layout->context;
    s->array = array;
    s->size = tsr_dtype_size(array->dtype);
    s->rank = layout->rank;
    s->ranks = layout->size;
    s->cells = tsri_axis_make(array->cells, s->ranks, NULL);
    size_t bytes = COPIES_BYTES / (size_t)s->ranks;
    if (bytes > limit) bytes = limit;
    s->piece = bytes < s->size ? 1 : (int64_t)(bytes / s->size);
    if (s->piece > longest(s)) s->piece = longest(s);
    const size_t copies = (size_t)s->ranks * (size_t)s->piece * s->size;
    TSRI_ALLOC(done, s->requests, 2 * ((size_t)s->ranks - 1));
    s->copies = tsri_alloc_aligned(copies);
    TSRI_CHECK(done, s->copies != NULL, TSR_ERR_NOMEM,
               "no memory for %zu bytes of the copies of other ranks", copies);
done:
    return st;
}

/* After a failure this rank still takes part: others wait for it. */
static tsr_status combine_slices(slices *s, tsr_op op)
{
    const int64_t rounds = (longest(s) + s->piece - 1) / s->piece;
    tsr_status st = TSR_OK;

    for (int64_t round = 0; round < rounds; ++round) {
        keep(&st, exchange(s, round, false));
        combine_copies(s, op, round);
        keep(&st, exchange(s, round, true));
    }
    return st;
}

/* ---- the call -------------------------------------------------------------------------------- */

static tsr_status check(const char *call, const tsr_array *array, tsr_op op)
{
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, !tsr_layout_is_distributed(array->layout), TSR_ERR_VALUE,
                  "the array is distributed, must be replicated (split TSR_WHOLE)");
    TSRI_CHECK_IN(call, done, tsri_op_valid(op), TSR_ERR_VALUE,
                  "op is %d, must be TSR_SUM to TSR_BXOR", (int)op);
    TSRI_CHECK_IN(call, done, tsri_op_defined(op, array->dtype), TSR_ERR_TYPE,
                  "%s is not defined for %s", tsri_op_name(op), tsr_dtype_name(array->dtype));
    TSRI_CHECK_IN(call, done, array->storage->pending == 0, TSR_ERR_STATE,
                  "an exchange of the array is pending; finish it first");
done:
    return st;
}

static uint64_t fingerprint(const char *call, const tsr_array *array, tsr_op op)
{
    const uint64_t layout = tsr_layout_hash(array->layout);
    uint64_t hash = tsri_hash(TSRI_HASH_START, call, strlen(call));
    hash = tsri_hash(hash, &layout, sizeof layout);
    hash = tsri_hash(hash, &array->dtype, sizeof array->dtype);
    return tsri_hash(hash, &op, sizeof op);
}

tsr_status tsr_allreduce_replicated(tsr_array *array, tsr_op op)
{
    tsr_status st = TSR_OK;
    slices s = {0};

    if (array == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "array is NULL");
    tsri_context *const context = array->layout->context;
    TSRI_TRY(done,
             tsri_enter(context, array->layout->size == 1, "%s (%s)", __func__, tsri_op_name(op)));

    TSRI_TRY(agree, check(__func__, array, op));
    if (array->storage->bytes > SMALL_BYTES) TSRI_TRY(agree, prepare(&s, array));
agree:
    TSRI_TRY(done, tsri_agree(context, st, fingerprint(__func__, array, op)));
    if (array->layout->size == 1 || array->cells == 0) goto done;
    if (array->storage->bytes > SMALL_BYTES)
        st = tsri_agree(context, combine_slices(&s, op), 0);
    else
        st = combine_small(array, op);
done:
    tsri_free(s.requests);
    tsri_free_aligned(s.copies);
    return st;
}
