#include "array/array.h"
#include "base/checked.h"
#include "base/gate.h"
#include "base/memory.h"
#include "kern/kern.h"
#include "shm/team.h"

#include <string.h>

/* ---- values ---------------------------------------------------------------------------------- */

static void fill_with(tsr_array *array, const void *element)
{
    const size_t size = tsr_dtype_size(array->dtype);
    int64_t first;
    const int64_t count = tsri_array_run(array, &first);

    if (count == 0) return;
    tsri_kern_get()->fill(size, 1, &count,
                          (unsigned char *)array->storage->memory + (size_t)first * size,
                          &(int64_t){1}, element);
}

static void poison(tsr_array *array)
{
    unsigned char element[16];

    if (!tsri_context_settings(array->layout->context)->poison) return;
    tsri_poison_store(array->dtype, element);
    fill_with(array, element);
}

void *tsri_array_origin(const tsr_array *array)
{
    unsigned char *memory = array->storage->memory;

    if (memory == NULL) return NULL;
    return memory + (size_t)array->origin * tsr_dtype_size(array->dtype);
}

void tsri_array_fill(tsr_array *array, tsr_scalar value)
{
    unsigned char element[16];

    tsri_scalar_store(value, array->dtype, element);
    fill_with(array, element);
}

void tsri_array_convert(tsr_array *array, const tsr_array *from)
{
    int64_t first;
    const int64_t count = tsri_array_run(array, &first), one = 1;

    if (count == 0) return;
    tsri_kern_get()->convert(
        1, &count, array->dtype,
        (unsigned char *)array->storage->memory + (size_t)first * tsr_dtype_size(array->dtype),
        &one, from->dtype,
        (const unsigned char *)from->storage->memory + (size_t)first * tsr_dtype_size(from->dtype),
        &one);
}

/* A box of the storage, of which this rank writes what lies in its run of planes. */
static void clear_box(tsr_array *array, const int64_t *lo, const int64_t *hi)
{
    static const unsigned char zero[16];
    const size_t size = tsr_dtype_size(array->dtype);
    const int ndim = array->layout->geometry.ndim;
    int64_t extent[TSR_MAX_NDIM], offset = 0;

    for (int a = 0; a < ndim; ++a) {
        extent[a] = hi[a] - lo[a];
        offset += lo[a] * array->stride[a];
    }
    tsri_kern_get()->fill(size, ndim, extent,
                          (unsigned char *)array->storage->memory + (size_t)offset * size,
                          array->stride, zero);
}

/* One slab for each side of each axis: over the block along earlier axes, over the whole storage
 * along later ones, so that every halo cell is in one slab. */
void tsri_array_clear_halo(tsr_array *array)
{
    const tsri_geometry *g = &array->layout->geometry;
    int64_t lo[TSR_MAX_NDIM], hi[TSR_MAX_NDIM];

    if (!tsri_array_box(array, lo, hi)) return;
    for (int a = 0; a < g->ndim; ++a) {
        const int64_t from = lo[a], to = hi[a], begin = g->halo_lo[a],
                      end = begin + array->extent[a];
        hi[a] = begin < to ? begin : to;
        if (from < hi[a]) clear_box(array, lo, hi);
        lo[a] = end > from ? end : from;
        hi[a] = to;
        if (lo[a] < hi[a]) clear_box(array, lo, hi);
        lo[a] = begin > from ? begin : from;
        hi[a] = end < to ? end : to;
        if (lo[a] >= hi[a]) return;
    }
}

/* ---- making ---------------------------------------------------------------------------------- */

/* Where the block lies in the storage, and the cells of the storage. */
static tsr_status lay_out(tsr_array *array, const char *call)
{
    tsr_status st = TSR_OK;
    const tsri_geometry *g = &array->layout->geometry;
    int64_t storage[TSR_MAX_NDIM] = {0};

    if (!tsri_geometry_block(g, array->layout->rank, array->start, array->extent)) {
        for (int a = 0; a < g->ndim; ++a)
            array->extent[a] = 0;
        tsri_c_strides(g->ndim, array->extent, array->stride);
        return TSR_OK;
    }
    for (int a = 0; a < g->ndim; ++a) {
        TSRI_CHECK_IN(call, fail,
                      tsri_add_i64(array->extent[a], g->halo_lo[a], &storage[a]) &&
                          tsri_add_i64(storage[a], g->halo_hi[a], &storage[a]),
                      TSR_ERR_OVERFLOW,
                      "axis %d has %lld cells and %lld + %lld halo cells: more than 64 bits count",
                      a, (long long)array->extent[a], (long long)g->halo_lo[a],
                      (long long)g->halo_hi[a]);
    }
    TSRI_CHECK_IN(call, fail, tsri_product_i64(g->ndim, storage, &array->cells), TSR_ERR_OVERFLOW,
                  "the block with its halo has more cells than 64 bits count");
    tsri_c_strides(g->ndim, storage, array->stride);
    for (int a = 0; a < g->ndim; ++a)
        array->origin += g->halo_lo[a] * array->stride[a];
fail:
    return st;
}

tsr_status tsri_array_make_bare(tsr_layout *layout, tsr_dtype dtype, const char *call,
                                tsr_array **array, size_t *bytes)
{
    tsr_status st = TSR_OK;
    tsr_array *made = NULL;

    *array = NULL;
    TSRI_CHECK_IN(call, fail, tsri_dtype_valid(dtype), TSR_ERR_TYPE,
                  "dtype is %d, must be TSR_BOOL to "
                  "TSR_C128",
                  (int)dtype);
    TSRI_ALLOC(fail, made, 1);
    made->layout = tsri_layout_ref(layout);
    made->dtype = dtype;
    TSRI_TRY(fail, lay_out(made, call));
    TSRI_CHECK_IN(call, fail,
                  tsri_mul_size((size_t)made->cells, tsr_dtype_size(dtype), bytes) &&
                      *bytes <= PTRDIFF_MAX,
                  TSR_ERR_OVERFLOW, "%lld elements of %zu bytes do not fit the address space",
                  (long long)made->cells, tsr_dtype_size(dtype));
    *array = made;
    return TSR_OK;

fail:
    tsri_array_free(made);
    return st;
}

tsr_status tsri_array_make(tsr_layout *layout, tsr_dtype dtype, const char *call, tsr_array **array)
{
    tsr_status st = TSR_OK;
    tsr_array *made = NULL;
    size_t bytes = 0;

    *array = NULL;
    TSRI_TRY(fail, tsri_array_make_bare(layout, dtype, call, &made, &bytes));
    TSRI_TRY(fail, tsri_storage_create(layout, bytes, &made->storage));
    poison(made);
    *array = made;
    return TSR_OK;

fail:
    tsri_array_free(made);
    return st;
}

tsr_status tsri_array_begin(tsr_layout *layout, tsr_dtype dtype, const char *call,
                            tsr_array **array)
{
    tsr_status st = TSR_OK;
    tsr_array *made = NULL;
    size_t bytes = 0;

    if (!layout->geometry.node_shared) return tsri_array_make(layout, dtype, call, array);
    *array = NULL;
    TSRI_TRY(fail, tsri_array_make_bare(layout, dtype, call, &made, &bytes));
    TSRI_TRY(fail, tsri_storage_create_bare(layout, bytes, &made->storage));
    *array = made;
    return TSR_OK;

fail:
    tsri_array_free(made);
    return st;
}

tsr_status tsri_array_complete(tsr_array *array)
{
    tsri_context *const context = array->layout->context;
    const tsri_team *team = NULL; /* found here, for the storage */
    tsr_status st = TSR_OK;

    if (!array->layout->geometry.node_shared) return TSR_OK;
    TSRI_TRY(done, tsri_team_that_shares(context, &team));
    TSRI_TRY(done, tsri_storage_share(context, array->storage));
    poison(array);
    tsri_array_meet(array);
done:
    return st;
}

tsr_status tsri_array_make_together(tsr_layout *layout, tsr_dtype dtype, const char *call,
                                    tsr_array **array, bool *agreed)
{
    const tsri_team *team = NULL;
    const tsr_status begun = tsri_array_begin(layout, dtype, call, array);
    tsr_status st = begun;

    *agreed = layout->geometry.node_shared;
    if (!*agreed) return st;
    /* first, as by a rank that failed earlier and goes on to an exchange */
    TSRI_TRY(fail, tsri_team_that_shares(layout->context, &team));
    TSRI_TRY(fail, tsri_agree(layout->context, begun, 0));
    TSRI_TRY(fail, tsri_array_complete(*array));
    return TSR_OK;

fail:
    tsri_array_free(*array);
    *array = NULL;
    return st;
}

void tsri_array_free(tsr_array *array)
{
    if (array == NULL) return;
    tsri_storage_unref(array->storage);
    tsri_layout_unref(array->layout);
    tsri_free(array);
}

tsr_status tsri_array_create_after(tsr_status earlier, tsr_layout *layout, tsr_dtype dtype,
                                   const char *call, uint64_t fingerprint, tsr_array **array)
{
    tsr_status st = TSR_OK;
    tsr_array *made = NULL;
    const tsri_team *team = NULL; /* found here, for the storage */

    if (array != NULL) *array = NULL;
    if (layout == NULL) return TSRI_FAIL_IN(call, TSR_ERR_VALUE, "layout is NULL");
    TSRI_TRY(fail, tsri_enter(layout->context, false, "%s", call));
    TSRI_TRY(fail, tsri_team_that_shares(layout->context, &team));

    TSRI_TRY(agree, earlier);
    TSRI_CHECK_IN(call, agree, array != NULL, TSR_ERR_VALUE,
                  "array is NULL, must point to where the handle goes");
    TSRI_TRY(agree, tsri_array_begin(layout, dtype, call, &made));
    fingerprint = tsri_hash(fingerprint, call, strlen(call));
    fingerprint = tsri_hash(fingerprint, &layout->geometry.node_shared, sizeof(bool));
    fingerprint = tsri_hash(fingerprint, &dtype, sizeof dtype);
    fingerprint ^= tsri_geometry_hash(&layout->geometry);
agree:
    TSRI_TRY(fail, tsri_agree(layout->context, st, fingerprint));
    TSRI_TRY(fail, tsri_array_complete(made));
    *array = made;
    return TSR_OK;

fail:
    tsri_array_free(made);
    return st;
}

tsr_status tsri_array_create(tsr_layout *layout, tsr_dtype dtype, const char *call,
                             uint64_t fingerprint, tsr_array **array)
{
    return tsri_array_create_after(TSR_OK, layout, dtype, call, fingerprint, array);
}

tsr_status tsr_array_destroy(tsr_array **array)
{
    if (array == NULL) return TSR_OK;
    tsri_array_free(*array);
    *array = NULL;
    return TSR_OK;
}

/* ---- fingerprints ---------------------------------------------------------------------------- */

uint64_t tsri_hash_call(const char *call, const tsr_array *array)
{
    return tsri_hash_array(tsri_hash(TSRI_HASH_START, call, strlen(call)), array);
}

uint64_t tsri_hash_array(uint64_t hash, const tsr_array *array)
{
    hash = tsri_hash_layout(hash, array->layout);
    hash = tsri_hash(hash, &array->dtype, sizeof array->dtype);
    hash = tsri_hash(hash, &array->layout->geometry.node_shared, sizeof(bool));
    return tsri_hash(hash, &array->storage->born, sizeof array->storage->born);
}

uint64_t tsri_hash_scalar(uint64_t hash, tsr_scalar scalar)
{
    unsigned char element[16];

    hash = tsri_hash(hash, &scalar.dtype, sizeof scalar.dtype);
    if (!tsri_dtype_valid(scalar.dtype)) return hash;
    tsri_scalar_store(scalar, scalar.dtype, element);
    return tsri_hash(hash, element, tsr_dtype_size(scalar.dtype));
}
