/* Running sums and products. */
#include "base/checked.h"
#include "base/gate.h"
#include "base/net.h"
#include "kern/kern.h"
#include "reduce/reduction.h"

#include <string.h>

typedef struct running {
    tsr_op op;
    tsr_array *result;
    int axis;
    int64_t extent[TSR_MAX_NDIM]; /* of this rank's block, also where it has no cell */
    int64_t cells;                /* of a plane across the axis */
    size_t size;                  /* of an element */
    /* Planes, where the axis has more than one block: the total of the blocks up to this one as far
     * as known, that of the blocks before it, and one that arrives. */
    unsigned char *total, *before, *incoming;
} running;

/* ---- this rank's block ----------------------------------------------------------------------- */

/* Elements side by side, along the axis. */
#define DEFINE_SCAN(op, suffix, type, value)                                                       \
    static void scan_##op##_##suffix(int64_t n, void *row)                                         \
    {                                                                                              \
        type *v = row;                                                                             \
        for (int64_t i = 1; i < n; ++i) {                                                          \
            const type a = v[i - 1], b = v[i];                                                     \
            v[i] = (value);                                                                        \
        }                                                                                          \
    }
#define SCAN_INTEGER(suffix, type)                                                                 \
    DEFINE_SCAN(SUM, suffix, type, (type)((uint64_t)a + (uint64_t)b))                              \
    DEFINE_SCAN(PROD, suffix, type, (type)((uint64_t)a * (uint64_t)b))
#define SCAN_REAL(suffix, type)                                                                    \
    DEFINE_SCAN(SUM, suffix, type, a + b)                                                          \
    DEFINE_SCAN(PROD, suffix, type, (a) * (b))
typedef struct complex64 {
    float re, im;
} complex64;
typedef struct complex128 {
    double re, im;
} complex128;
#define SCAN_COMPLEX(suffix, type)                                                                 \
    DEFINE_SCAN(SUM, suffix, type, ((type){a.re + b.re, a.im + b.im}))                             \
    DEFINE_SCAN(PROD, suffix, type, ((type){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}))
DEFINE_SCAN(SUM, BOOL, uint8_t, (a | b) != 0)
DEFINE_SCAN(PROD, BOOL, uint8_t, a != 0 && b != 0)
SCAN_INTEGER(I8, int8_t)
SCAN_INTEGER(I16, int16_t)
SCAN_INTEGER(I32, int32_t)
SCAN_INTEGER(I64, int64_t)
SCAN_INTEGER(U8, uint8_t)
SCAN_INTEGER(U16, uint16_t)
SCAN_INTEGER(U32, uint32_t)
SCAN_INTEGER(U64, uint64_t)
SCAN_REAL(F32, float)
SCAN_REAL(F64, double)
SCAN_COMPLEX(C64, complex64)
SCAN_COMPLEX(C128, complex128)

typedef void scan_function(int64_t n, void *row);
static scan_function *const scans[2][TSR_DTYPE_END] = {
#define SUM_ENTRY(suffix, ctype, name, components) [TSR_##suffix] = scan_SUM_##suffix,
#define PROD_ENTRY(suffix, ctype, name, components) [TSR_##suffix] = scan_PROD_##suffix,
    {TSR_DTYPE_LIST(SUM_ENTRY)}, {TSR_DTYPE_LIST(PROD_ENTRY)}};

/* Where lines along the axis begin: `n` of them, whose first cells lie side by side, and the cells
 * that stand for them in a plane.  Along the last axis lines come one at a time. */
typedef struct bundle {
    unsigned char *cell;
    int64_t n, plane_cell;
} bundle;

static void each_bundle(running *r, void (*visit)(running *r, const bundle *b))
{
    const tsr_array *array = r->result;
    const int ndim = array->layout->geometry.ndim, last = ndim - 1;
    const bool across = r->axis != last;
    int64_t index[TSR_MAX_NDIM] = {0};
    bundle b = {.cell = tsri_array_origin(array), .n = across ? array->extent[last] : 1};

    if (array->cells == 0) return;
    for (;;) {
        int a = across ? last - 1 : last;
        visit(r, &b);
        b.plane_cell += b.n;
        for (; a >= 0; --a) { /* odometer: wrap this axis, carry on */
            if (a == r->axis) continue;
            b.cell += array->stride[a] * (int64_t)r->size;
            if (++index[a] < array->extent[a]) break;
            b.cell -= array->extent[a] * array->stride[a] * (int64_t)r->size;
            index[a] = 0;
        }
        if (a < 0) return;
    }
}

static int64_t step_bytes(const running *r)
{
    return r->result->stride[r->axis] * (int64_t)r->size;
}

static void scan_bundle(running *r, const bundle *b)
{
    const tsr_dtype dtype = r->result->dtype;
    const int64_t length = r->result->extent[r->axis], step = step_bytes(r);

    if (r->axis == r->result->layout->geometry.ndim - 1) {
        scans[r->op == TSR_PROD][dtype](length, b->cell);
    } else {
        for (int64_t i = 1; i < length; ++i)
            tsri_kern_get()->combine(r->op, dtype, b->n, b->cell + i * step,
                                     b->cell + (i - 1) * step);
    }
    if (r->total != NULL)
        memcpy(r->total + b->plane_cell * (int64_t)r->size, b->cell + (length - 1) * step,
               (size_t)b->n * r->size);
}

/* Combine what lies before this block into its lines. */
static void shift_bundle(running *r, const bundle *b)
{
    const tsr_dtype dtype = r->result->dtype;
    const int64_t length = r->result->extent[r->axis], step = step_bytes(r);
    const unsigned char *before = r->before + b->plane_cell * (int64_t)r->size;
    const int64_t most = TSRI_CHUNK, one = 1;
    tsri_chunk same;

    if (r->axis != r->result->layout->geometry.ndim - 1) {
        for (int64_t i = 0; i < length; ++i)
            tsri_kern_get()->combine(r->op, dtype, b->n, b->cell + i * step, before);
        return;
    }
    tsri_kern_get()->fill(r->size, 1, length < most ? &length : &most, same.bytes, &one, before);
    for (int64_t i = 0; i < length; i += most)
        tsri_kern_get()->combine(r->op, dtype, length - i < most ? length - i : most,
                                 b->cell + i * step, same.bytes);
}

/* ---- along a line of the process grid -------------------------------------------------------- */

/* Each rank hears from the one 1, 2, 4, ... blocks before it what all that one knows is: after k
 * rounds the total of 2^k blocks. */
static tsr_status scan_line(running *r)
{
    const tsri_geometry *g = &r->result->layout->geometry;
    const tsr_dtype dtype = r->result->dtype;
    int coords[TSR_MAX_NDIM];
    tsr_status st = TSR_OK;

    tsri_geometry_coords(g, r->result->layout->rank, coords);
    const int64_t mine = coords[r->axis], blocks = g->grid[r->axis];
    for (int64_t apart = 1; apart < blocks; apart *= 2) {
        int to = TSR_NO_RANK, from = TSR_NO_RANK;
        if (mine + apart < blocks) {
            coords[r->axis] = (int)(mine + apart);
            to = tsri_geometry_rank(g, coords);
        }
        if (mine >= apart) {
            coords[r->axis] = (int)(mine - apart);
            from = tsri_geometry_rank(g, coords);
        }
        tsri_keep(&st, tsri_net_trade(r->result->layout->context, to, r->total, from, r->incoming,
                                      (size_t)r->cells * r->size));
        if (from == TSR_NO_RANK) continue;
        tsri_kern_get()->combine(r->op, dtype, r->cells, r->total, r->incoming);
        tsri_kern_get()->combine(r->op, dtype, r->cells, r->before, r->incoming);
    }
    return st;
}

/* ---- the calls ------------------------------------------------------------------------------- */

/* The planes, of nothing yet. */
static tsr_status make_planes(running *r)
{
    unsigned char **const planes[] = {&r->total, &r->before, &r->incoming};
    const tsr_scalar nothing = tsr_i64(r->op == TSR_PROD);
    _Alignas(16) unsigned char element[16];
    tsr_status st = TSR_OK;

    tsri_scalar_store(nothing, r->result->dtype, element);
    for (int p = 0; p < 3; ++p) {
        *planes[p] = tsri_alloc_aligned((size_t)r->cells * r->size);
        TSRI_CHECK(done, *planes[p] != NULL, TSR_ERR_NOMEM,
                   "no memory for %lld elements across the axis", (long long)r->cells);
        tsri_kern_get()->fill(r->size, 1, &r->cells, *planes[p], &(int64_t){1}, element);
    }
done:
    return st;
}

static tsr_status prepare(const char *name, const tsr_array *array, tsr_dtype dtype, running *r)
{
    const tsri_geometry *g = &array->layout->geometry;
    int64_t start[TSR_MAX_NDIM];
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_array_begin(array->layout, dtype, name, &r->result));
    r->size = tsr_dtype_size(dtype);
    r->cells = 1;
    tsri_geometry_block(g, array->layout->rank, start, r->extent);
    for (int a = 0; a < g->ndim; ++a)
        if (a != r->axis)
            TSRI_CHECK_IN(name, done, tsri_mul_i64(r->cells, r->extent[a], &r->cells),
                          TSR_ERR_OVERFLOW, "a plane across the axis has too many cells");
    if (g->grid[r->axis] > 1) st = make_planes(r);
done:
    return st;
}

static void copy_in(running *r, const tsr_array *array)
{
    if (array->cells == 0) return;
    tsri_kern_get()->convert(array->layout->geometry.ndim, array->extent, r->result->dtype,
                             tsri_array_origin(r->result), r->result->stride, array->dtype,
                             tsri_array_origin(array), array->stride);
}

static tsr_status run(const char *name, const tsr_array *array, tsr_op op, int axis,
                      const tsr_reduce_options *options, tsr_array **result)
{
    running r = {.op = op, .axis = axis};
    tsr_reduce_options checked;
    uint64_t arguments = tsri_hash(TSRI_HASH_START, name, strlen(name));
    tsr_status st = TSR_OK;

    if (result != NULL) *result = NULL;
    if (array == NULL) return TSRI_FAIL_IN(name, TSR_ERR_VALUE, "array is NULL");
    const tsri_geometry *g = &array->layout->geometry;
    tsri_context *const context = array->layout->context;
    TSRI_TRY(done, tsri_enter(context, false, "%s", name));

    TSRI_CHECK_IN(name, agree, result != NULL, TSR_ERR_VALUE, "no place for the result (NULL)");
    TSRI_TRY(agree, tsri_options_check(name, options, true, &checked));
    TSRI_CHECK_IN(name, agree, axis != TSR_ONLY_AXIS || g->ndim == 1, TSR_ERR_TYPE,
                  "axis is TSR_ONLY_AXIS, but the array has %d ax%cs", g->ndim, TSRI_ES(g->ndim));
    if (axis == TSR_ONLY_AXIS) r.axis = 0;
    TSRI_TRY(agree, tsri_axis_check(name, TSR_ERR_AXIS, "array", g->ndim, &r.axis));
    const tsr_dtype dtype =
        checked.dtype != TSR_AUTO ? checked.dtype : tsri_sum_dtype(array->dtype);
    TSRI_TRY(agree, prepare(name, array, dtype, &r));
    arguments = tsri_hash(tsri_options_hash(arguments, &checked), &r.axis, sizeof r.axis);
    arguments = tsri_hash_array(arguments, array);
agree:
    TSRI_TRY(done, tsri_agree(context, st, arguments));
    TSRI_TRY(done, tsri_array_complete(r.result));
    tsri_array_clear_halo(r.result);
    if (tsri_array_is_writer(r.result)) {
        copy_in(&r, array);
        each_bundle(&r, scan_bundle);
    }
    tsri_array_meet(r.result);
    if (g->grid[r.axis] > 1) {
        TSRI_TRY(done, tsri_agree(context, scan_line(&r), 0));
        each_bundle(&r, shift_bundle);
    }
    *result = r.result;
    r.result = NULL;
done:
    tsri_array_free(r.result);
    tsri_free_aligned(r.total);
    tsri_free_aligned(r.before);
    tsri_free_aligned(r.incoming);
    return st;
}

tsr_status tsr_cumsum(const tsr_array *array, int axis, const tsr_reduce_options *options,
                      tsr_array **result)
{
    return run(__func__, array, TSR_SUM, axis, options, result);
}

tsr_status tsr_cumprod(const tsr_array *array, int axis, const tsr_reduce_options *options,
                       tsr_array **result)
{
    return run(__func__, array, TSR_PROD, axis, options, result);
}
