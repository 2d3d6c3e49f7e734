/* Sums over all ranks into one copy a node, and of replicated arrays, against MPI_Allreduce of
 * private copies.
 *
 *     accumulate [--cells N,N,...] [--rounds N] [--only NAMES] [--json FILE]
 *
 * In the case "accumulate" every rank adds N numbers into a map: the floor is its own pass over
 * them and this rank's slice of all maps, in private memory and without waiting.  In "allreduce"
 * copies that are there already combine: the floor is this rank's slice of all of them. */
#include "common.h"

#include <tessera.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct problem {
    int rank, ranks;
    int64_t cells;
    double *input; /* what this rank adds */
    double *map;   /* a private one */
    double *other; /* stands for that of another rank */
} problem;

typedef struct way {
    const problem *problem;
    tsr_shm *shm;
    tsr_shm_array *shared;
    tsr_array *replicated;
} way;

/* ---- accumulate ------------------------------------------------------------------------------ */

static void add_all(int64_t cells, double *restrict to, const double *restrict from)
{
    for (int64_t i = 0; i < cells; ++i)
        to[i] += from[i];
}

static tsr_status add(tsr_view scratch, void *ctx)
{
    const problem *p = ctx;
    add_all(p->cells, scratch.data, p->input);
    return TSR_OK;
}

static void combine_slice(const problem *p)
{
    const int64_t first = p->cells * p->rank / p->ranks;
    const int64_t last = p->cells * (p->rank + 1) / p->ranks;
    for (int other = 1; other < p->ranks; ++other)
        add_all(last - first, p->map + first, p->other + first);
}

static void accumulate_floor(void *ctx)
{
    const problem *p = ((way *)ctx)->problem;
    memset(p->map, 0, (size_t)p->cells * sizeof *p->map);
    add_all(p->cells, p->map, p->input);
    combine_slice(p);
}

static void accumulate_hand(void *ctx)
{
    const problem *p = ((way *)ctx)->problem;
    memset(p->map, 0, (size_t)p->cells * sizeof *p->map);
    add_all(p->cells, p->map, p->input);
    MPI_Allreduce(MPI_IN_PLACE, p->map, (int)p->cells, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void accumulate_ours(void *ctx)
{
    const way *w = ctx;
    TSR_CHECK(tsr_shm_accumulate(w->shared, TSR_SUM, add, (void *)w->problem));
}

static bool is_sum(const problem *p, const double *values)
{
    bool good = true;
    for (int64_t i = 0; i < p->cells; ++i)
        good = good && values[i] == (double)(p->ranks * i) + p->ranks * (p->ranks - 1) / 2.0;
    return good;
}

static bool verify_hand(void *ctx)
{
    accumulate_hand(ctx);
    return is_sum(((way *)ctx)->problem, ((way *)ctx)->problem->map);
}

static bool verify_ours(void *ctx)
{
    accumulate_ours(ctx);
    return is_sum(((way *)ctx)->problem, tsr_shm_data(((way *)ctx)->shared));
}

static way make_accumulation(const problem *p, int nproc_reduce)
{
    way w = {.problem = p};
    TSR_CHECK(
        tsr_shm_create(TSR_COMM_WORLD, &(tsr_shm_options){.nproc_reduce = nproc_reduce}, &w.shm));
    TSR_CHECK(tsr_shm_zeros_node(w.shm, TSR_F64, 1, &p->cells, &w.shared));
    return w;
}

static void measure_accumulate(const bench_options *options, const char *parameters,
                               const problem *p)
{
    way plain = {.problem = p};
    way at_once = make_accumulation(p, 1), by_two = make_accumulation(p, 2);
    way in_turn = make_accumulation(p, p->ranks);
    const bench_entry entries[] = {
        {"floor", BENCH_FLOOR, &plain, accumulate_floor, bench_no_result, NULL},
        {"tessera", BENCH_OURS, &at_once, accumulate_ours, verify_ours, NULL},
        {"nproc_reduce_2", BENCH_PART, &by_two, accumulate_ours, verify_ours, NULL},
        {"nproc_reduce_all", BENCH_PART, &in_turn, accumulate_ours, verify_ours, NULL},
        {"hand_allreduce", BENCH_HAND, &plain, accumulate_hand, verify_hand, NULL},
    };
    bench_case(options, "accumulate", parameters, sizeof entries / sizeof *entries, entries);
    tsr_shm_destroy(&in_turn.shm);
    tsr_shm_destroy(&by_two.shm);
    tsr_shm_destroy(&at_once.shm);
}

/* ---- allreduce ------------------------------------------------------------------------------- */

static void slice_floor(void *ctx)
{
    combine_slice(((way *)ctx)->problem);
}

static void allreduce_hand(void *ctx)
{
    const problem *p = ((way *)ctx)->problem;
    MPI_Allreduce(MPI_IN_PLACE, p->map, (int)p->cells, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

/* The largest, so that values stay what they are however often. */
static void allreduce_ours(void *ctx)
{
    TSR_CHECK(tsr_allreduce_replicated(((way *)ctx)->replicated, TSR_MAX));
}

static bool is_largest(const problem *p, const double *values)
{
    bool good = true;
    for (int64_t i = 0; i < p->cells; ++i)
        good = good && values[i] == (double)(i + p->ranks - 1);
    return good;
}

static bool verify_allreduce_hand(void *ctx)
{
    const problem *p = ((way *)ctx)->problem;
    memcpy(p->map, p->input, (size_t)p->cells * sizeof *p->map);
    allreduce_hand(ctx);
    return is_largest(p, p->map);
}

static bool verify_allreduce_ours(void *ctx)
{
    const way *w = ctx;
    double *values = tsr_local(w->replicated).data;
    memcpy(values, w->problem->input, (size_t)w->problem->cells * sizeof *values);
    allreduce_ours(ctx);
    return is_largest(w->problem, values);
}

static void measure_allreduce(const bench_options *options, const char *parameters,
                              const problem *p)
{
    way w = {.problem = p};
    tsr_layout *whole = NULL;
    TSR_CHECK(tsr_layout_create(TSR_COMM_WORLD, 1, &p->cells,
                                &(tsr_layout_options){.split = TSR_WHOLE}, &whole));
    TSR_CHECK(tsr_zeros(whole, TSR_F64, &w.replicated));
    const bench_entry entries[] = {
        {"floor", BENCH_FLOOR, &w, slice_floor, bench_no_result, NULL},
        {"tessera", BENCH_OURS, &w, allreduce_ours, verify_allreduce_ours, NULL},
        {"hand_allreduce", BENCH_HAND, &w, allreduce_hand, verify_allreduce_hand, NULL},
    };
    bench_case(options, "allreduce", parameters, sizeof entries / sizeof *entries, entries);
    tsr_array_destroy(&w.replicated);
    tsr_layout_destroy(&whole);
}

/* ---- the cases ------------------------------------------------------------------------------- */

static void measure(const bench_options *options, int64_t cells)
{
    const size_t bytes = (size_t)cells * sizeof(double);
    problem p = {.cells = cells};
    char parameters[64];

    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p.ranks);
    p.input = bench_alloc(bytes);
    p.map = bench_alloc(bytes);
    p.other = bench_alloc(bytes);
    for (int64_t i = 0; i < cells; ++i)
        p.input[i] = (double)(i + p.rank);
    snprintf(parameters, sizeof parameters, "%d ranks, %lld doubles", p.ranks, (long long)cells);
    measure_accumulate(options, parameters, &p);
    measure_allreduce(options, parameters, &p);
    free(p.input);
    free(p.map);
    free(p.other);
}

int main(int argc, char **argv)
{
    bench_pin();
    TSR_CHECK(tsr_init(&argc, &argv));
    const bench_options options = bench_read_options(argc, argv);
    const bench_list cells =
        bench_numbers(argc, argv, "--cells", "10000,1000000,10000000", 1, INT32_MAX);

    bench_check_options(argc, argv);
    for (int k = 0; k < cells.count; ++k)
        measure(&options, cells.number[k]);
    return tsr_finalize();
}
