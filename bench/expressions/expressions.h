/* The expressions that are measured, and the ways to compute them. */
#ifndef BENCH_EXPRESSIONS_H
#define BENCH_EXPRESSIONS_H

#include <tessera.h>

#include <stdbool.h>
#include <stdint.h>

typedef enum expr_which {
    EXPR_ARITHMETIC,
    EXPR_SINE,
    EXPR_EXP,
    EXPR_LOG,
    EXPR_WHERE,
    EXPR_STENCIL_7,
    EXPR_STENCIL_27,
    EXPR_END
} expr_which;

/* Arrays of one size and type.  Those of stencils are cubes with a halo; `stride` and `extent` are
 * of their three axes. */
typedef struct expr_data {
    expr_which which;
    tsr_dtype dtype;
    int64_t cells;
    tsr_array *a, *b, *d, *out;
    void *pa, *pb, *pd, *pout; /* their first cells */
    int64_t extent[3], stride[3];
} expr_data;

/* Of a 27-point stencil, by how many axes a neighbour is away along; of a 7-point one the first
 * two. */
extern const double expr_weight_27[4], expr_weight_7[2];

/* A fused loop as a C programmer writes it, compiled with -O3 -march=native -ffast-math. */
void expr_loop(const expr_data *data);
/* What it reads and writes and nothing else: the floor. */
void expr_floor(const expr_data *data);

#endif
