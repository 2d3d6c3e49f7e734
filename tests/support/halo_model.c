#include "support/halo_model.h"

#include <stdlib.h>
#include <string.h>

/* ---- elements -------------------------------------------------------------------------------- */

size_t model_elem(tsr_dtype dtype)
{
    switch (dtype) {
#define MODEL_ELEM(suffix, ctype, name, components)                                                \
    case TSR_##suffix:                                                                             \
        return (components) * sizeof(ctype);
        TSR_DTYPE_LIST(MODEL_ELEM)
    default:
        return 0;
    }
}

uint64_t model_hash(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* A real number of 24 bits whose size varies over 40 binades, so that sums depend on their order.
 */
static double model_real(uint64_t hash)
{
    double value = (double)(int64_t)((hash >> 40) | 1);
    for (uint64_t k = (hash >> 8) % 40; k > 0; --k)
        value *= 0.5;
    return hash & 1 ? -value : value;
}

void model_element(tsr_dtype dtype, uint64_t hash, void *out)
{
    switch (dtype) {
#define MODEL_ELEMENT(suffix, ctype, name, components)                                             \
    case TSR_##suffix:                                                                             \
        for (int k = 0; k < (components); ++k, hash = model_hash(hash))                            \
            ((ctype *)out)[k] = dtype >= TSR_F32    ? (ctype)model_real(hash)                      \
                                : dtype == TSR_BOOL ? (ctype)(hash >> 9 & 1)                       \
                                                    : (ctype)hash;                                 \
        break;
        TSR_DTYPE_LIST(MODEL_ELEMENT)
    default:
        break;
    }
}

void model_number(tsr_dtype dtype, double value, void *out)
{
    switch (dtype) {
#define MODEL_NUMBER(suffix, ctype, name, components)                                              \
    case TSR_##suffix:                                                                             \
        for (int k = 0; k < (components); ++k)                                                     \
            ((ctype *)out)[k] = (ctype)(k == 0 ? value : 0);                                       \
        break;
        TSR_DTYPE_LIST(MODEL_NUMBER)
    default:
        break;
    }
}

void model_add(tsr_dtype dtype, void *left, const void *right)
{
    switch (dtype) {
#define MODEL_ADD(suffix, ctype, name, components)                                                 \
    case TSR_##suffix:                                                                             \
        for (int k = 0; k < (components); ++k) {                                                   \
            const ctype a = ((const ctype *)left)[k], b = ((const ctype *)right)[k];               \
            ((ctype *)left)[k] =                                                                   \
                dtype >= TSR_F32 ? (ctype)(a + b) : (ctype)((uint64_t)a + (uint64_t)b);            \
        }                                                                                          \
        break;
        TSR_DTYPE_LIST(MODEL_ADD)
    default:
        break;
    }
}

/* ---- geometry -------------------------------------------------------------------------------- */

void model_near_even(int64_t length, int blocks, int64_t *cuts)
{
    for (int k = 0; k <= blocks; ++k) {
        const int64_t more = length % blocks;
        cuts[k] = k * (length / blocks) + (k < more ? k : more);
    }
}

void model_coords(const model_layout *layout, int rank, int *coords)
{
    for (int a = layout->ndim - 1; a >= 0; --a) {
        coords[a] = layout->whole ? 0 : rank % layout->grid[a];
        rank /= layout->whole ? 1 : layout->grid[a];
    }
}

int model_rank_at(const model_layout *layout, const int *coords, int self)
{
    int rank = 0;
    if (layout->whole) return self;
    for (int a = 0; a < layout->ndim; ++a)
        rank = rank * layout->grid[a] + coords[a];
    return rank;
}

int64_t model_extent(const model_layout *layout, int a, int coord)
{
    return layout->cuts[a][coord + 1] - layout->cuts[a][coord];
}

int model_owner(const model_layout *layout, int a, int64_t g)
{
    int k = 0;
    while (g < layout->cuts[a][k] || g >= layout->cuts[a][k + 1])
        ++k;
    return k;
}

int64_t model_storage_cells(const model_layout *layout, int rank)
{
    int coords[MODEL_NDIM];
    int64_t cells = 1;
    bool empty = false;

    model_coords(layout, rank, coords);
    for (int a = 0; a < layout->ndim; ++a) {
        const int64_t extent = model_extent(layout, a, coords[a]);
        empty = empty || extent == 0;
        cells *= extent + layout->lo[a] + layout->hi[a];
    }
    return empty ? 0 : cells;
}

int64_t model_floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* ---- the storage of all ranks ---------------------------------------------------------------- */

void model_create(model *m, const model_layout *layout, tsr_dtype dtype)
{
    m->layout = layout;
    m->dtype = dtype;
    m->elem = model_elem(dtype);
    m->offset[0] = 0;
    for (int r = 0; r < layout->ranks; ++r)
        m->offset[r + 1] = m->offset[r] + model_storage_cells(layout, r);
    m->data = calloc((size_t)m->offset[layout->ranks] + 1, m->elem);
}

void model_free(model *m)
{
    free(m->data);
    m->data = NULL;
}

int64_t model_cell(const model *m, int rank, const int64_t *local)
{
    const model_layout *layout = m->layout;
    int coords[MODEL_NDIM];
    int64_t cell = 0;

    model_coords(layout, rank, coords);
    for (int a = 0; a < layout->ndim; ++a)
        cell = cell * (model_extent(layout, a, coords[a]) + layout->lo[a] + layout->hi[a]) +
               local[a] + layout->lo[a];
    return m->offset[rank] + cell;
}

void model_local(const model_layout *layout, const int *coords, int64_t i, int64_t *local)
{
    for (int a = layout->ndim - 1; a >= 0; --a) {
        const int64_t n = model_extent(layout, a, coords[a]) + layout->lo[a] + layout->hi[a];
        local[a] = i % n - layout->lo[a];
        i /= n;
    }
}

void model_fill(model *m, uint64_t seed)
{
    for (int64_t i = 0; i < m->offset[m->layout->ranks]; ++i)
        model_element(m->dtype, model_hash(seed ^ model_hash((uint64_t)i)),
                      m->data + (size_t)i * m->elem);
}

int model_outside(const model_layout *layout, const int *coords, const int64_t *local)
{
    int outside = 0;
    for (int a = 0; a < layout->ndim; ++a)
        outside += local[a] < 0 || local[a] >= model_extent(layout, a, coords[a]);
    return outside;
}

unsigned char *model_snapshot(const model *m)
{
    const size_t bytes = ((size_t)m->offset[m->layout->ranks] + 1) * m->elem;
    unsigned char *copy = malloc(bytes);
    memcpy(copy, m->data, bytes);
    return copy;
}
