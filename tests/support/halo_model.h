/* A serial model of the halo update and of the halo accumulation, written from the specification
 * alone: the storage of every rank in one process, every cell looked up by itself.  Slow and plain
 * on purpose; it shares no code with the library.
 *
 * Positions are local indices: 0 is a rank's first owned cell, halo cells come before and after. */
#ifndef TESTS_HALO_MODEL_H
#define TESTS_HALO_MODEL_H

#include <tessera.h>

enum { MODEL_NDIM = 4, MODEL_RANKS = 64 };

typedef struct model_layout {
    int ndim, ranks;
    bool whole; /* replicated: every rank holds the whole array and knows nobody else */
    tsr_axes periodic;
    int64_t shape[MODEL_NDIM], lo[MODEL_NDIM], hi[MODEL_NDIM];
    int grid[MODEL_NDIM];
    int64_t cuts[MODEL_NDIM][MODEL_RANKS + 1];
} model_layout;

/* What an exchange is asked for, with every default resolved. */
typedef struct model_request {
    tsr_axes axes;
    int64_t width_lo[MODEL_NDIM], width_hi[MODEL_NDIM];
    bool faces_only;
    tsr_boundary boundary[2 * MODEL_NDIM]; /* low and high side of each axis */
} model_request;

typedef struct model {
    const model_layout *layout;
    tsr_dtype dtype;
    size_t elem;
    int64_t offset[MODEL_RANKS + 1]; /* of each rank's storage, in cells */
    unsigned char *data;
} model;

/* ---- elements
 * ------------------------------------------------------------------------------------ */

size_t model_elem(tsr_dtype dtype);
uint64_t model_hash(uint64_t x);
/* The element that a hash stands for: any bits for integers, a finite number for the others. */
void model_element(tsr_dtype dtype, uint64_t hash, void *out);
/* A small number, converted to the element type. */
void model_number(tsr_dtype dtype, double value, void *out);
/* left += right: integers wrap, bool is a logical or. */
void model_add(tsr_dtype dtype, void *left, const void *right);

/* ---- geometry
 * ------------------------------------------------------------------------------------ */

void model_near_even(int64_t length, int blocks, int64_t *cuts);
void model_coords(const model_layout *layout, int rank, int *coords);
/* The rank at a position; `self` in a replicated layout. */
int model_rank_at(const model_layout *layout, const int *coords, int self);
int64_t model_extent(const model_layout *layout, int a, int coord);
/* The only block with index g, 0 <= g < length. */
int model_owner(const model_layout *layout, int a, int64_t g);
/* Cells of a rank's storage; none for a rank without cells. */
int64_t model_storage_cells(const model_layout *layout, int rank);
int64_t model_floor_div(int64_t a, int64_t b);

/* ---- the storage of all ranks
 * -------------------------------------------------------------------- */

void model_create(model *m, const model_layout *layout, tsr_dtype dtype);
void model_free(model *m);
/* Number of a cell among those of all ranks. */
int64_t model_cell(const model *m, int rank, const int64_t *local);
/* The local index of the i-th cell of a rank's storage. */
void model_local(const model_layout *layout, const int *coords, int64_t i, int64_t *local);
int model_outside(const model_layout *layout, const int *coords, const int64_t *local);
/* Give every cell of every rank, halo cells too, its own value. */
void model_fill(model *m, uint64_t seed);
unsigned char *model_snapshot(const model *m);

/* ---- the two operations
 * -------------------------------------------------------------------------- */

/* The request that options stand for, for an array with these boundaries. */
model_request model_request_of(const model_layout *layout, const tsr_halo_options *options,
                               const tsr_boundary *own);
void model_update(model *m, const model_request *q);
/* What the tests' boundary callback writes at a cell: a hash of the axis, the side and the global
 * index as it is, not wrapped. */
uint64_t model_callback_hash(int ndim, int axis, bool high, const int64_t *index);
void model_accumulate(model *m, const model_request *q);

#endif
