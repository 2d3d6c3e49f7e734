/* ranks: 1 2 3 4 6 8 */
/* timeout: 300 */
/* Layouts whose ranks are placed by node.  Nodes are pretended: a communicator keeps the number of
 * ranks a node that TESSERA_RANKS_PER_NODE names when it is first used. */
#define _POSIX_C_SOURCE 200809L

#include "base/nodes.h"
#include "layout/placement.h"
#include "support/layout_cases.h"

#include <stdio.h>

/* Long enough along the last axis that planes across the first are dear. */
static const int64_t shape[] = {24, 480};

/* Ignored where there is nothing to place. */
static void alone_or_replicated(void **state)
{
    (void)state;
    const tsr_layout_options options[] = {{.reorder = true, .split = TSR_WHOLE}, {.reorder = true}};
    const tsr_comm comm[] = {TSR_COMM_WORLD, TSR_COMM_SELF};
    for (int i = 0; i < 2; ++i) {
        tsr_layout *layout = NULL;
        CHECK_OK(tsr_layout_create(comm[i], 2, shape, &options[i], &layout));
        CHECK(tsr_layout_comm(layout) == comm[i]);
        CHECK_OK(tsr_layout_destroy(&layout));
    }
}

#ifndef TSR_SERIAL
/* In row-major order nodes of a few ranks hold rows of this grid; columns cut far fewer cells. */
static tsr_layout_options tall_grid(void)
{
    const int n = tsrt_size(), rows = n % 2 == 0 ? n / 2 : n;
    return (tsr_layout_options){
        .process_grid = {rows, n / rows}, .halo = {2, 1}, .periodic = TSR_AXES(1), .reorder = true};
}

static MPI_Comm comm_with_nodes(int ranks)
{
    MPI_Comm comm;
    char value[16], before[64] = "";
    const char *set = getenv("TESSERA_RANKS_PER_NODE");
    tsri_context *context = NULL;
    if (set != NULL) snprintf(before, sizeof before, "%s", set);
    snprintf(value, sizeof value, "%d", ranks);
    CHECK(setenv("TESSERA_RANKS_PER_NODE", value, 1) == 0);
    CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &comm) == MPI_SUCCESS);
    CHECK_OK(tsri_context_of(comm, &context));
    CHECK((set != NULL ? setenv("TESSERA_RANKS_PER_NODE", before, 1)
                       : unsetenv("TESSERA_RANKS_PER_NODE")) == 0);
    return comm;
}

static tsr_layout *make(MPI_Comm comm, const tsr_layout_options *options)
{
    tsr_layout *layout = NULL;
    CHECK_OK(tsr_layout_create(comm, 2, shape, options, &layout));
    return layout;
}

static void nodes_of_a_context(void **state)
{
    (void)state;
    for (int k = 1; k <= 4; ++k) {
        MPI_Comm comm = comm_with_nodes(k);
        tsri_context *context = NULL;
        const tsri_nodes *nodes = NULL, *again = NULL;
        CHECK_OK(tsri_context_of(comm, &context));
        CHECK_OK(tsri_nodes_of(context, &nodes));
        CHECK_OK(tsri_nodes_of(context, &again));
        CHECK(nodes == again);
        CHECK_INT(nodes->count, (tsrt_size() + k - 1) / k);
        for (int r = 0; r < tsrt_size(); ++r)
            CHECK_INT(nodes->of[r], r / k);
        MPI_Comm_free(&comm);
    }
}

/* ---- the communicator ------------------------------------------------------------------------ */

/* Rank, size, neighbours and owners are numbered in the layout's communicator. */
static void check_numbering(tsr_layout *layout)
{
    MPI_Comm comm = tsr_layout_comm(layout), grid;
    int rank, size, compared, coords[2], expected[2];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    CHECK_INT(tsr_layout_rank(layout), rank);
    CHECK_INT(tsr_layout_size(layout), size);
    MPI_Comm_compare(comm, MPI_COMM_WORLD, &compared);
    CHECK(compared == MPI_SIMILAR || compared == MPI_CONGRUENT);

    const int periods[] = {0, 1};
    MPI_Cart_create(comm, 2, tsr_layout_process_grid(layout), periods, 0, &grid);
    MPI_Cart_coords(grid, rank, 2, expected);
    CHECK_OK(tsr_layout_coords(layout, rank, coords));
    for (int a = 0; a < 2; ++a) {
        int left, right, before, after;
        CHECK_INT(coords[a], expected[a]);
        MPI_Cart_shift(grid, a, 1, &left, &right);
        CHECK_OK(tsr_layout_neighbours(layout, rank, a, &before, &after));
        CHECK_INT(before, left == MPI_PROC_NULL ? TSR_NO_RANK : left);
        CHECK_INT(after, right == MPI_PROC_NULL ? TSR_NO_RANK : right);
    }
    int64_t start[2];
    int owner = -1;
    CHECK_OK(tsr_layout_block(layout, rank, start, NULL));
    CHECK_OK(tsr_layout_owner(layout, start, &owner));
    CHECK_INT(owner, rank);
    MPI_Comm_free(&grid);
}

/* Halo cells between nodes, with the numbering of a communicator of all ranks. */
static double cut_by(const tsr_layout *layout, MPI_Comm numbering, int ranks_per_node)
{
    int node_at[8], mine = tsrt_rank() / ranks_per_node;
    MPI_Allgather(&mine, 1, MPI_INT, node_at, 1, MPI_INT, numbering);
    return tsri_placement_cut(&layout->geometry, node_at);
}

/* Never worse than the given numbering, or than the one MPI_Cart_create() thinks best. */
static void numbered_by_node(void **state)
{
    (void)state;
    const tsr_layout_options options = tall_grid();
    for (int k = 1; k <= 4; ++k) {
        MPI_Comm comm = comm_with_nodes(k), cartesian;
        tsr_layout *layout = make(comm, &options);
        check_numbering(layout);
        MPI_Cart_create(comm, 2, tsr_layout_process_grid(layout), (const int[]){0, 1}, 1,
                        &cartesian);
        const double ours = cut_by(layout, tsr_layout_comm(layout), k);
        const double given = cut_by(layout, comm, k), mpis = cut_by(layout, cartesian, k);
        if (tsrt_rank() == 0)
            printf("%d ranks, nodes of %d: row-major %.0f, MPI_Cart_create %.0f, ours %.0f\n",
                   tsrt_size(), k, given, mpis, ours);
        CHECK(ours <= given && ours <= mpis);
        CHECK_INT(tsr_layout_comm(layout) == comm, ours == given);
        MPI_Comm_free(&cartesian);
        CHECK_OK(tsr_layout_destroy(&layout));
        MPI_Comm_free(&comm);
    }
}

/* 4 ranks, 2 a node, on 2 x 2: the long axis is cut between nodes, so they hold columns. */
static void columns_of_two(void **state)
{
    (void)state;
    if (tsrt_size() != 4) {
        tsrt_skip("for 4 ranks");
        return;
    }
    MPI_Comm comm = comm_with_nodes(2);
    tsr_layout_options options = tall_grid();
    options.periodic = 0;
    tsr_layout *layout = make(comm, &options);
    static const int expected[] = {0, 2, 1, 3};
    CHECK_INT(tsr_layout_rank(layout), expected[tsrt_rank()]);
    CHECK_DOUBLE(cut_by(layout, comm, 2), 4 * 480, 0);
    CHECK_DOUBLE(cut_by(layout, tsr_layout_comm(layout), 2), 2 * 24, 0);
    CHECK_OK(tsr_layout_destroy(&layout));
    MPI_Comm_free(&comm);
}

/* Layouts with the same order share a communicator, whatever else they have; layouts over it are
 * over the same ranks in the same order. */
static void one_communicator_for_each_order(void **state)
{
    (void)state;
    const tsr_layout_options options = tall_grid();
    MPI_Comm comm = comm_with_nodes(2);
    tsr_layout *first = make(comm, &options);
    const tsri_counters before = tsri_counters_read();
    tsr_layout *second = make(comm, &options);
    CHECK(tsr_layout_equal(first, second));
    CHECK(tsr_layout_hash(first) == tsr_layout_hash(second));
    CHECK(tsr_layout_comm(first) == tsr_layout_comm(second));

    tsr_layout_options plain = options;
    plain.reorder = false;
    tsr_layout *third = make(tsr_layout_comm(first), &plain);
    CHECK(tsr_layout_equal(first, third));
    tsr_layout *fourth = make(tsr_layout_comm(first), &options);
    CHECK(tsr_layout_equal(first, fourth));
    tsr_layout *fifth = make(comm, &plain);
    CHECK_INT(tsr_layout_equal(first, fifth), tsr_layout_comm(first) == comm);
    tsr_layout *aligned = NULL;
    CHECK_OK(tsr_layout_create_aligned(first, 2, TSR_SHAPE(25, 481), NULL, &aligned));
    CHECK(tsr_layout_comm(aligned) == tsr_layout_comm(first));
    const tsri_counters after = tsri_counters_read();
    CHECK_INT(after.live_comms + after.idle_comms, before.live_comms + before.idle_comms);

    CHECK_OK(tsr_layout_destroy(&first));
    CHECK_OK(tsr_layout_destroy(&third));
    first = make(comm, &options);
    CHECK(tsr_layout_equal(first, second));
    CHECK_OK(tsr_layout_destroy(&first));
    CHECK_OK(tsr_layout_destroy(&second));
    CHECK_OK(tsr_layout_destroy(&fourth));
    CHECK_OK(tsr_layout_destroy(&fifth));
    CHECK_OK(tsr_layout_destroy(&aligned));
    MPI_Comm_free(&comm);
}

static int64_t all_comms(void)
{
    const tsri_counters c = tsri_counters_read();
    return c.live_comms + c.idle_comms;
}

/* The user may free a communicator before the layouts over it, in any order; what is no longer used
 * goes with the next communicator. */
static void communicators_come_and_go(void **state)
{
    (void)state;
    const tsr_layout_options options = tall_grid();
    tsr_layout *kept = NULL;
    int64_t most = 0;
    for (int round = 0; round < 12; ++round) {
        MPI_Comm comm = comm_with_nodes(2);
        tsr_layout *layout = make(comm, &options);
        const bool placed = tsr_layout_comm(layout) != comm;
        MPI_Comm_free(&comm);
        if (placed) check_numbering(layout);
        if (round == 3) kept = tsri_layout_ref(layout);
        CHECK_OK(tsr_layout_destroy(&layout));
        if (round == 5) most = all_comms();
    }
    CHECK_INT(all_comms(), most);
    if (tsr_layout_comm(kept) != MPI_COMM_NULL) check_numbering(kept);
    CHECK_OK(tsr_layout_destroy(&kept));
    MPI_Comm last = comm_with_nodes(1);
    CHECK(all_comms() <= most);
    MPI_Comm_free(&last);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static tsr_status number_cells(const int64_t *index, int64_t count, void *values, void *ctx)
{
    (void)ctx;
    for (int64_t j = 0; j < count; ++j)
        ((double *)values)[j] = (double)(shape[1] * index[0] + index[1] + j);
    return TSR_OK;
}

/* Every halo cell holds what its owner has; beyond walls it stays. */
static void check_halo(const tsr_array *array)
{
    const tsr_view v = tsr_local(array);
    for (int64_t i = -2; i < v.extent[0] + 2; ++i)
        for (int64_t j = -1; j < v.extent[1] + 1; ++j) {
            const int64_t row = v.start[0] + i;
            const int64_t column = (v.start[1] + j + shape[1]) % shape[1];
            const bool wall = row < 0 || row >= shape[0];
            CHECK_DOUBLE(TSR_AT(double, v, i, j), wall ? 0 : (double)(shape[1] * row + column), 0);
        }
}

static void arrays_over_placed_ranks(void **state)
{
    (void)state;
    static double all[24 * 480];
    const tsr_layout_options options = tall_grid();
    for (int k = 1; k <= 3; ++k) {
        MPI_Comm comm = comm_with_nodes(k);
        tsr_layout *layout = make(comm, &options);
        tsr_array *array = NULL, *loaded = NULL;
        char path[300];
        CHECK_OK(tsr_fromfunction(layout, TSR_F64, number_cells, NULL, &array));
        CHECK_OK(tsr_halo_update(array, NULL));
        check_halo(array);
        memset(all, 0, sizeof all);
        CHECK_OK(tsr_gather(array, TSR_ALL_RANKS, all));
        for (int i = 0; i < 24 * 480; ++i)
            CHECK_DOUBLE(all[i], i, 0);
        tsr_scalar sum;
        CHECK_OK(tsr_sum(array, &sum));
        CHECK_DOUBLE(tsr_to_double(sum), 24.0 * 480 * (24 * 480 - 1) / 2, 0);

        snprintf(path, sizeof path, "%s/placed-%d.npy", tsrt_folder(), k);
        CHECK_OK(tsr_save(path, array));
        CHECK_OK(tsr_load(path, comm, &options, &loaded));
        CHECK_OK(tsr_halo_update(loaded, NULL));
        check_halo(loaded);
        CHECK_OK(tsr_array_destroy(&loaded));
        CHECK_OK(tsr_array_destroy(&array));
        CHECK_OK(tsr_layout_destroy(&layout));
        MPI_Comm_free(&comm);
    }
}

/* Weighted layouts may be placed, too: their cuts decide how much each boundary is worth. */
static void weighted_and_placed(void **state)
{
    (void)state;
    MPI_Comm comm = comm_with_nodes(2);
    double weight[480];
    for (int i = 0; i < 480; ++i)
        weight[i] = i < 200;
    const tsr_layout_options options = tall_grid();
    const tsr_profile profiles[] = {{0, NULL}, {480, weight}};
    tsr_layout *layout = NULL, *balanced = NULL;
    tsr_array *ones = NULL;
    CHECK_OK(tsr_layout_create_profiled(comm, 2, shape, profiles, &options, &layout));
    check_numbering(layout);
    CHECK(cut_by(layout, tsr_layout_comm(layout), 2) <= cut_by(layout, comm, 2));
    /* Weights that are placed give a layout of the same ranks. */
    CHECK_OK(tsr_ones(layout, TSR_F64, &ones));
    tsr_layout_options plain = options;
    plain.reorder = false;
    CHECK_OK(tsr_layout_create_balanced(ones, &plain, &balanced));
    CHECK(tsr_layout_comm(balanced) == tsr_layout_comm(layout));
    CHECK_OK(tsr_layout_destroy(&balanced));
    CHECK_OK(tsr_layout_create_balanced(ones, &options, &balanced));
    check_numbering(balanced);
    CHECK_OK(tsr_layout_destroy(&balanced));
    CHECK_OK(tsr_array_destroy(&ones));
    CHECK_OK(tsr_layout_destroy(&layout));
    MPI_Comm_free(&comm);
}

/* ---- what goes wrong ------------------------------------------------------------------------- */

static void one_rank_does_not_reorder(void **state)
{
    (void)state;
    MPI_Comm comm = comm_with_nodes(2);
    tsr_layout_options options = tall_grid();
    options.reorder = tsrt_rank() != tsrt_size() - 1;
    tsr_layout *layout = (tsr_layout *)&layout;
    const tsr_status st = tsr_layout_create(comm, 2, shape, &options, &layout);
    CHECK_STATUS(st, tsrt_size() > 1 ? TSR_ERR_MISMATCH : TSR_OK);
    CHECK_OK(tsr_layout_destroy(&layout));
    MPI_Comm_free(&comm);
}

/* A communicator is new in each trial, so that nodes are asked for and an order is made. */
static tsr_status create_on_a_new_communicator(void *ctx, tsr_layout **layout)
{
    const tsr_layout_options options = tall_grid();
    MPI_Comm comm;
    (void)ctx;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const tsr_status st = tsr_layout_create(comm, 2, shape, &options, layout);
    MPI_Comm_free(&comm);
    return st;
}

static void faults_on_each_rank_in_turn(void **state)
{
    (void)state;
    char value[] = "2";
    const char *set = getenv("TESSERA_RANKS_PER_NODE");
    const bool given = set != NULL;
    if (!given) CHECK(setenv("TESSERA_RANKS_PER_NODE", value, 1) == 0);
    const int calls = tsrt_layout_faults(create_on_a_new_communicator, NULL);
    CHECK(calls >= (tsrt_size() > 1 ? 12 : 3));
    if (!given) CHECK(unsetenv("TESSERA_RANKS_PER_NODE") == 0);
}
#endif

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_or_replicated),
#ifndef TSR_SERIAL
        cmocka_unit_test(nodes_of_a_context),
        cmocka_unit_test(numbered_by_node),
        cmocka_unit_test(columns_of_two),
        cmocka_unit_test(one_communicator_for_each_order),
        cmocka_unit_test(communicators_come_and_go),
        cmocka_unit_test(arrays_over_placed_ranks),
        cmocka_unit_test(weighted_and_placed),
        cmocka_unit_test(one_rank_does_not_reorder),
        cmocka_unit_test(faults_on_each_rank_in_turn),
#endif
    };
    return TSRT_RUN(argc, argv, tests);
}
