/* Global arrays coded by index, and memory of many shapes that holds parts of them: for the calls
 * that take a caller's data. */
#ifndef TSRT_SUPPORT_DATA_IN_H
#define TSRT_SUPPORT_DATA_IN_H

#include "support/cells.h"
#include "support/halo_model.h"

/* How a part of an array lies in memory. */
typedef enum input_order {
    INPUT_C,
    INPUT_FORTRAN,
    INPUT_REVERSED, /* negative strides along every axis */
    INPUT_SLICED,   /* every third element of rows with a gap between them */
    INPUT_ORDERS
} input_order;

/* Cells [start, start + extent) of the global array of this shape, cell i of which (in C order) is
 * the element of hash i + seed.  `stride` is in elements; NULL memory without cells. */
typedef struct input {
    unsigned char *memory;
    const void *data; /* cell 0 */
    int64_t stride[TSR_MAX_NDIM];
} input;
input input_make(input_order order, int ndim, const int64_t *shape, const int64_t *start,
                 const int64_t *extent, tsr_dtype dtype, uint64_t seed);
void input_free(input *in);

/* An array whose cells are what check_indexed() wants; halo cells 0. */
tsr_array *indexed_array(tsr_layout *layout, tsr_dtype dtype, uint64_t seed);
/* Every owned cell of this rank's block has the global array's element, every halo cell is 0. */
void check_indexed(const tsr_array *array, uint64_t seed);

/* The first n ranks of the world, the others get TSR_COMM_NULL; collective over all. */
tsr_comm first_ranks(int n);
/* All ranks in the opposite order; freed likewise. */
tsr_comm reversed_ranks(void);
void free_ranks(tsr_comm *comm);

/* Call `run` with the n-th allocation or message failing on each rank in turn, for n = 0, 1, ...
 * until there are fewer: the same status and sentence on all ranks and no array, nothing left
 * alive; `check`, when not NULL, looks at what came of it.  At least `least` places must have
 * failed. */
typedef tsr_status (*faulty_call)(tsr_array **array);
void fail_everywhere(faulty_call run, void (*check)(tsr_status st), int64_t least);

#endif
