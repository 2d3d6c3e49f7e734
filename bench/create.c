/* Making things in a loop: an array, a layout, and all that a first halo update needs.
 *
 *     create [--n 16,64,128] [--rounds N] [--only NAME,...] [--json FILE]
 *
 * n^3 doubles a rank.  By hand: a window of memory that the ranks of a node share, and a Cartesian
 * communicator.  The floor of an array is malloc, which no other rank can read. */
#include "common.h"

#include <tessera.h>

#include <stdlib.h>

typedef struct {
    int64_t n;
    int ranks;
    tsr_layout *layout;
    void *memory;
} problem;

static tsr_layout *make_layout(const problem *p)
{
    tsr_layout *layout = NULL;
    TSR_CHECK(tsr_layout_create(TSR_COMM_WORLD, 3, TSR_SHAPE(p->n * p->ranks, p->n, p->n),
                                &(tsr_layout_options){.halo = {1, 1, 1}}, &layout));
    return layout;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static void by_malloc(void *ctx)
{
    problem *p = ctx;
    const int64_t side = p->n + 2;
    p->memory = malloc((size_t)(side * side * side) * sizeof(double));
    if (p->memory == NULL) BENCH_STOP("no memory");
    free(p->memory);
}

static void array(void *ctx)
{
    tsr_array *a = NULL;
    TSR_CHECK(tsr_empty(((problem *)ctx)->layout, TSR_F64, &a));
    TSR_CHECK(tsr_array_destroy(&a));
}

static void window(void *ctx)
{
    problem *p = ctx;
    const int64_t side = p->n + 2;
    MPI_Win win;
    MPI_Win_allocate_shared((MPI_Aint)(side * side * side) * 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD,
                            &p->memory, &win);
    MPI_Win_free(&win);
}

static bool verify_array(void *ctx)
{
    tsr_array *a = NULL;
    TSR_CHECK(tsr_empty(((problem *)ctx)->layout, TSR_F64, &a));
    const bool good = tsr_local(a).extent[2] == ((problem *)ctx)->n;
    TSR_CHECK(tsr_array_destroy(&a));
    return good;
}

/* ---- layouts --------------------------------------------------------------------------------- */

static void layout(void *ctx)
{
    tsr_layout *l = make_layout(ctx);
    TSR_CHECK(tsr_layout_destroy(&l));
}

static void cartesian(void *ctx)
{
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, 3, (int[]){((problem *)ctx)->ranks, 1, 1}, (int[]){0, 0, 0}, 0,
                    &comm);
    MPI_Comm_free(&comm);
}

static bool verify_layout(void *ctx)
{
    tsr_layout *l = make_layout(ctx);
    const bool good = tsr_layout_equal(l, ((problem *)ctx)->layout);
    TSR_CHECK(tsr_layout_destroy(&l));
    return good;
}

/* ---- from nothing to an update --------------------------------------------------------------- */

static void first_update(void *ctx)
{
    tsr_layout *l = make_layout(ctx);
    tsr_array *a = NULL;
    TSR_CHECK(tsr_empty(l, TSR_F64, &a));
    TSR_CHECK(tsr_halo_update(a, NULL));
    TSR_CHECK(tsr_array_destroy(&a));
    TSR_CHECK(tsr_layout_destroy(&l));
}

static void measure(const bench_options *options, int64_t n)
{
    problem p = {.n = n};
    char parameters[32];
    MPI_Comm_size(MPI_COMM_WORLD, &p.ranks);
    p.layout = make_layout(&p);
    const bench_entry arrays[] = {
        {"malloc", BENCH_FLOOR, &p, by_malloc, bench_no_result, NULL},
        {"tessera", BENCH_OURS, &p, array, verify_array, NULL},
        {"hand_shared_window", BENCH_HAND, &p, window, bench_no_result, NULL},
    };
    const bench_entry layouts[] = {
        {"tessera", BENCH_OURS, &p, layout, verify_layout, NULL},
        {"first update", BENCH_PART, &p, first_update, bench_no_result, NULL},
        {"hand_cartesian", BENCH_HAND, &p, cartesian, bench_no_result, NULL},
    };
    snprintf(parameters, sizeof parameters, "n=%lld", (long long)n);
    bench_case(options, "create", parameters, sizeof arrays / sizeof *arrays, arrays);
    bench_case(options, "layout", parameters, sizeof layouts / sizeof *layouts, layouts);
    TSR_CHECK(tsr_layout_destroy(&p.layout));
}

int main(int argc, char **argv)
{
    bench_pin();
    TSR_CHECK(tsr_init(&argc, &argv));
    const bench_options options = bench_read_options(argc, argv);
    const bench_list sizes = bench_numbers(argc, argv, "--n", "16,64,128", 1, 512);
    bench_check_options(argc, argv);
    for (int k = 0; k < sizes.count; ++k)
        measure(&options, sizes.number[k]);
    return tsr_finalize();
}
