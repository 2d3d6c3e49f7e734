#include "reduce/shares.h"

#include "kern/kern.h"

#include <string.h>

tsri_share_type tsri_share_total(tsr_op op, tsr_dtype dtype)
{
    return (tsri_share_type){TSRI_SHARE_TOTAL, op, 1, {dtype}};
}

tsri_share_type tsri_share_moments(tsr_dtype mean_dtype)
{
    return (tsri_share_type){TSRI_SHARE_MOMENTS, TSR_SUM, 3, {TSR_I64, mean_dtype, TSR_F64}};
}

tsri_share_type tsri_share_position(void)
{
    return (tsri_share_type){TSRI_SHARE_POSITION, TSR_MIN, 2, {TSR_I64, TSR_I64}};
}

/* ---- no element ------------------------------------------------------------------------------ */

static tsr_scalar identity(const tsri_share_type *type, int plane)
{
    if (type->kind == TSRI_SHARE_POSITION) return tsr_i64(INT64_MAX);
    if (type->kind == TSRI_SHARE_MOMENTS) return tsr_i64(0);
    return tsri_op_identity(type->op, type->dtype[plane]);
}

tsr_status tsri_shares_make(const tsri_share_type *type, int64_t cells, void *first,
                            tsri_shares *shares)
{
    tsr_status st = TSR_OK;

    *shares =
        (tsri_shares){.type = *type, .cells = cells, .plane[0] = first, .borrowed = first != NULL};
    for (int p = 0; p < type->planes; ++p) {
        _Alignas(16) unsigned char element[16];
        const size_t size = tsr_dtype_size(type->dtype[p]);
        if (p > 0 || first == NULL) shares->plane[p] = tsri_alloc_aligned((size_t)cells * size);
        TSRI_CHECK(fail, shares->plane[p] != NULL, TSR_ERR_NOMEM,
                   "no memory for %lld numbers of %zu bytes", (long long)cells, size);
        tsri_scalar_store(identity(type, p), type->dtype[p], element);
        tsri_kern_get()->fill(size, 1, &cells, shares->plane[p], &(int64_t){1}, element);
    }
    return TSR_OK;

fail:
    tsri_shares_free(shares);
    return st;
}

void tsri_shares_free(tsri_shares *shares)
{
    for (int p = shares->borrowed ? 1 : 0; p < shares->type.planes; ++p)
        tsri_free_aligned(shares->plane[p]);
    *shares = (tsri_shares){0};
}

void *tsri_shares_at(const tsri_shares *shares, int plane, int64_t cell)
{
    const size_t size = tsr_dtype_size(shares->type.dtype[plane]);
    return (unsigned char *)shares->plane[plane] + (size_t)cell * size;
}

size_t tsri_share_bytes(const tsri_share_type *type)
{
    size_t bytes = 0;
    for (int p = 0; p < type->planes; ++p)
        bytes += tsr_dtype_size(type->dtype[p]);
    return bytes;
}

/* ---- combining ------------------------------------------------------------------------------- */

/* The pairwise update of T. F. Chan, G. H. Golub and R. J. LeVeque, "Updating formulae and a
 * pairwise algorithm for computing sample variances", 1979; `parts` numbers make a mean. */
static void combine_moments(int64_t n, int parts, void *const *left, void *const *right)
{
    int64_t *const count = left[0];
    const int64_t *const more = right[0];
    double *mean = left[1], *const squares = left[2];
    const double *other = right[1], *const other_squares = right[2];

    for (int64_t i = 0; i < n; ++i, mean += parts, other += parts) {
        if (more[i] == 0) continue;
        if (count[i] == 0) {
            memcpy(mean, other, (size_t)parts * sizeof *mean);
            squares[i] = other_squares[i];
            count[i] = more[i];
            continue;
        }
        const double a = (double)count[i], b = (double)more[i], all = a + b;
        double distance = 0;
        for (int part = 0; part < parts; ++part) {
            const double step = other[part] - mean[part];
            mean[part] += step * b / all;
            distance += step * step;
        }
        squares[i] += other_squares[i] + distance * a * b / all;
        count[i] += more[i];
    }
}

static void combine_positions(int64_t n, void *const *left, void *const *right)
{
    int64_t *const key = left[0], *const index = left[1];
    const int64_t *const other_key = right[0], *const other_index = right[1];

    for (int64_t i = 0; i < n; ++i) {
        if (other_key[i] > key[i] || (other_key[i] == key[i] && other_index[i] >= index[i]))
            continue;
        key[i] = other_key[i];
        index[i] = other_index[i];
    }
}

void tsri_shares_combine(const tsri_share_type *type, int64_t n, void *const *left,
                         void *const *right)
{
    switch (type->kind) {
    case TSRI_SHARE_TOTAL:
        tsri_kern_get()->combine(type->op, type->dtype[0], n, left[0], right[0]);
        break;
    case TSRI_SHARE_MOMENTS:
        combine_moments(n, type->dtype[1] == TSR_C128 ? 2 : 1, left, right);
        break;
    case TSRI_SHARE_POSITION:
        combine_positions(n, left, right);
        break;
    }
}
