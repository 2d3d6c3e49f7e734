/* The floor, and what a programmer would write with MPI. */
#include "redistribute.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const redist_problem *p;
    redist_box *out, *in; /* for each rank: what this one sends it, and gets from it */
    double *send, *receive;
    int *count[4]; /* sent, its offset, received, its offset; Alltoallv in cells */
    MPI_Datatype *type[2];
} hand;

/* ---- boxes ----------------------------------------------------------------------------------- */

static redist_box overlap(redist_box a, redist_box b)
{
    redist_box box;
    for (int k = 0; k < 3; ++k) {
        const int64_t a_end = a.lo[k] + a.extent[k], b_end = b.lo[k] + b.extent[k];
        const int64_t end = a_end < b_end ? a_end : b_end;
        box.lo[k] = a.lo[k] > b.lo[k] ? a.lo[k] : b.lo[k];
        box.extent[k] = end > box.lo[k] ? end - box.lo[k] : 0;
    }
    return box;
}

/* Copy a box from one block's memory, or a buffer that is the box alone, to another's. */
static void copy(double *to, const redist_box *to_block, const double *from,
                 const redist_box *from_block, const redist_box *box)
{
    if (redist_cells(box) == 0) return;
    for (int64_t i = 0; i < box->extent[0]; ++i)
        for (int64_t j = 0; j < box->extent[1]; ++j) {
            const int64_t cell[] = {box->lo[0] + i, box->lo[1] + j, box->lo[2]};
            memcpy(to + redist_offset(to_block, cell), from + redist_offset(from_block, cell),
                   (size_t)box->extent[2] * sizeof *to);
        }
}

/* ---- the ways -------------------------------------------------------------------------------- */

/* The floor: as many cells, between the memories that ours works on. */
static void plain_copy(void *state)
{
    const redist_problem *p = ((const hand *)state)->p;
    const int64_t from = redist_cells(&p->from.block), to = redist_cells(&p->to.block);
    memcpy(p->to.data, p->from.data, (size_t)(from < to ? from : to) * sizeof *p->to.data);
}

static void alltoallw(void *state)
{
    const hand *h = state;
    MPI_Alltoallw(h->p->from.data, h->count[0], h->count[1], h->type[0], h->p->to.data, h->count[2],
                  h->count[3], h->type[1], MPI_COMM_WORLD);
}

static void alltoallv(void *state)
{
    const hand *h = state;
    const redist_problem *p = h->p;
    for (int r = 0; r < p->size; ++r)
        copy(h->send + h->count[1][r], &h->out[r], p->from.data, &p->from.block, &h->out[r]);
    MPI_Alltoallv(h->send, h->count[0], h->count[1], MPI_DOUBLE, h->receive, h->count[2],
                  h->count[3], MPI_DOUBLE, MPI_COMM_WORLD);
    for (int r = 0; r < p->size; ++r)
        copy(p->to.data, &p->to.block, h->receive + h->count[3][r], &h->in[r], &h->in[r]);
}

/* Packs only what leaves, and copies the rest once. */
static void messages(void *state)
{
    const hand *h = state;
    const redist_problem *p = h->p;
    MPI_Request request[64];
    int n = 0;
    for (int r = 0; r < p->size; ++r)
        if (r != p->rank && h->count[2][r] > 0)
            MPI_Irecv(h->receive + h->count[3][r], h->count[2][r], MPI_DOUBLE, r, 0, MPI_COMM_WORLD,
                      &request[n++]);
    for (int r = 0; r < p->size; ++r) {
        if (r == p->rank || h->count[0][r] == 0) continue;
        copy(h->send + h->count[1][r], &h->out[r], p->from.data, &p->from.block, &h->out[r]);
        MPI_Isend(h->send + h->count[1][r], h->count[0][r], MPI_DOUBLE, r, 0, MPI_COMM_WORLD,
                  &request[n++]);
    }
    copy(p->to.data, &p->to.block, p->from.data, &p->from.block, &h->out[p->rank]);
    MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
    for (int r = 0; r < p->size; ++r)
        if (r != p->rank)
            copy(p->to.data, &p->to.block, h->receive + h->count[3][r], &h->in[r], &h->in[r]);
}

/* ---- making ---------------------------------------------------------------------------------- */

static MPI_Datatype subarray(const redist_box *block, const redist_box *box)
{
    MPI_Datatype type;
    int sizes[3], subsizes[3], starts[3];
    for (int k = 0; k < 3; ++k) {
        sizes[k] = (int)block->extent[k];
        subsizes[k] = (int)box->extent[k];
        starts[k] = (int)(box->lo[k] - block->lo[k]);
    }
    MPI_Type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

static hand *make(const redist_problem *p, bool typed)
{
    hand *h = bench_alloc(sizeof *h);
    const size_t n = (size_t)p->size;
    h->p = p;
    h->out = bench_alloc(n * sizeof *h->out);
    h->in = bench_alloc(n * sizeof *h->in);
    for (int k = 0; k < 4; ++k)
        h->count[k] = bench_alloc(n * sizeof *h->count[k]);
    for (int k = 0; k < 2; ++k)
        h->type[k] = bench_alloc(n * sizeof *h->type[k]);
    int64_t sent = 0, received = 0;
    for (int r = 0; r < p->size; ++r) {
        h->out[r] = overlap(p->from.block, redist_block(p, p->to.grid, r));
        h->in[r] = overlap(redist_block(p, p->from.grid, r), p->to.block);
        const int64_t out = redist_cells(&h->out[r]), in = redist_cells(&h->in[r]);
        const bool any[] = {out > 0, in > 0};
        h->type[0][r] = h->type[1][r] = MPI_BYTE;
        if (typed && any[0]) h->type[0][r] = subarray(&p->from.block, &h->out[r]);
        if (typed && any[1]) h->type[1][r] = subarray(&p->to.block, &h->in[r]);
        h->count[0][r] = typed ? any[0] : (int)out;
        h->count[2][r] = typed ? any[1] : (int)in;
        h->count[1][r] = typed ? 0 : (int)sent;
        h->count[3][r] = typed ? 0 : (int)received;
        sent += out;
        received += in;
    }
    return h;
}

static void release(void *state)
{
    hand *h = state;
    for (int k = 0; k < 2; ++k)
        for (int r = 0; r < h->p->size; ++r)
            if (h->type[k][r] != MPI_BYTE) MPI_Type_free(&h->type[k][r]);
    for (int k = 0; k < 4; ++k)
        free(h->count[k]);
    for (int k = 0; k < 2; ++k)
        free(h->type[k]);
    free(h->out);
    free(h->in);
    free(h->send);
    free(h->receive);
    free(h);
}

int redist_hand(const redist_problem *p, redist_way *ways)
{
    hand *packed = make(p, false), *typed = make(p, true);
    packed->send = bench_alloc((size_t)redist_cells(&p->from.block) * sizeof *packed->send);
    packed->receive = bench_alloc((size_t)redist_cells(&p->to.block) * sizeof *packed->receive);
    ways[0] = (redist_way){"copy", BENCH_FLOOR, p, false, packed, plain_copy, NULL};
    ways[1] = (redist_way){"alltoallw", BENCH_HAND, p, false, typed, alltoallw, release};
    ways[2] = (redist_way){"alltoallv", BENCH_HAND, p, false, packed, alltoallv, NULL};
    ways[3] = (redist_way){"messages", BENCH_HAND, p, false, packed, messages, release};
    return 4;
}
