/* The worked examples of the specification for halo update and accumulate, as data: the storage of
 * every rank, one after another.  The library and the model are both held against them. */
#ifndef TESTS_HALO_EXAMPLES_H
#define TESTS_HALO_EXAMPLES_H

#include <tessera.h>

enum { EXAMPLE_CELLS = 160 };

typedef struct halo_example {
    const char *id;
    int ranks, ndim;
    int64_t shape[2];
    int grid[2]; /* all 0: replicated */
    int64_t halo[2];
    tsr_axes periodic, axes; /* axes 0: all */
    tsr_boundary_kind kind;
    double value;
    int64_t cuts[5];         /* of axis 0; all 0: near-even */
    double first, step;      /* global cell i is first + i*step; step 0: see `block` */
    bool block;              /* global cell i is its owner's rank + 1 */
    double halo0, halo_step; /* halo cells of rank r before the call: halo0 + r*halo_step */
    double expected[EXAMPLE_CELLS];
} halo_example;
extern const halo_example halo_examples[];
extern const int halo_example_count;

typedef struct accumulate_example {
    const char *id;
    int ranks, ndim;
    int64_t shape[2];
    int grid[2];
    int64_t halo[2];
    tsr_axes periodic;
    int64_t cuts[5]; /* of axis 0; all 0: near-even */
    double before[64], expected[64];
} accumulate_example;
extern const accumulate_example accumulate_examples[];
extern const int accumulate_example_count;

#endif
