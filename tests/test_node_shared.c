/* ranks: 1 2 3 4 6 8 */
/* Arrays of which each node has one copy: random programs give the bits of the same programs on
 * replicated arrays; memory, release, and what is refused. */
#define _POSIX_C_SOURCE 200809L

#include "array/array.h"
#include "support/node_programs.h"
#include "support/nodes.h"

/* ---- one copy a node ------------------------------------------------------------------------- */

static tsr_layout *node_layout(int ndim, const int64_t *shape)
{
    return make_layout(ndim, shape, &(tsr_layout_options){.split = TSR_WHOLE, .node_shared = true});
}

/* Whether this rank's node, of several ranks, shares memory here. */
static bool shares(const tsr_array *array)
{
    return array->storage->kind == TSRI_MEMORY_NODE;
}

static int node_of(int rank)
{
    return rank / ranks_per_node(tsrt_size());
}

static bool is_first(void)
{
    return tsrt_rank() % ranks_per_node(tsrt_size()) == 0;
}

/* Each rank its share. */
static void write_share(const tsr_array *array, int64_t value)
{
    const tsr_view mine = tsr_local_share(array);
    CHECK_OK(tsr_array_sync(array));
    for (int64_t i = 0; i < mine.extent[0]; ++i)
        TSR_AT(int64_t, mine, i) = value;
    CHECK_OK(tsr_array_sync(array));
}

static void check_cells(const tsr_array *array, int64_t value)
{
    const tsr_view all = tsr_local(array);
    for (int64_t i = 0; i < all.extent[0]; ++i)
        CHECK_INT(TSR_AT(int64_t, all, i), value);
}

/* One piece of the first rank's arena, which the others of the node map. */
static void memory(void **state)
{
    const int ranks = node_size_of(tsrt_rank(), tsrt_size());
    tsr_array *array = NULL;

    (void)state;
    tsr_layout *layout = node_layout(1, TSR_SHAPE(100000));
    const tsri_counters before = tsri_counters_read();
    CHECK_OK(tsr_zeros(layout, TSR_I64, &array));
    const tsri_counters after = tsri_counters_read();
    const bool owns = !shares(array) || is_first();
    CHECK_INT(after.live_pieces - before.live_pieces, owns);
    CHECK_INT(after.live_attachments - before.live_attachments, !owns);
    CHECK(shares(array) || ranks == 1 || tsrt_counts_messages());
    CHECK(tsr_layout_is_node_shared(layout) && !tsr_layout_is_distributed(layout));

    write_share(array, 5);
    check_cells(array, 5);
    tsr_scalar sum;
    CHECK_OK(tsr_sum(array, &sum)); /* each cell once */
    CHECK_INT(sum.as.i, 500000);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* The shares of a node are the whole copy, also when there are fewer planes than ranks. */
static void shares_are_the_copy(void **state)
{
    static const int64_t lengths[] = {0, 1, 2, 5, 1000};

    (void)state;
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; ++k) {
        tsr_layout *layout = node_layout(1, &lengths[k]);
        tsr_array *array = NULL;
        CHECK_OK(tsr_zeros(layout, TSR_I64, &array));
        write_share(array, 7);
        check_cells(array, 7);
        CHECK_OK(tsr_array_destroy(&array));
        CHECK_OK(tsr_layout_destroy(&layout));
    }
}

/* Halo cells are in one share each, and so is the cell of an array without axes. */
static void shares_do_not_overlap(void **state)
{
    (void)state;
    for (int ndim = 0; ndim < 2; ++ndim) {
        tsr_array *array = NULL;
        tsr_layout *layout =
            make_layout(ndim, TSR_SHAPE(1),
                        &(tsr_layout_options){
                            .split = TSR_WHOLE, .node_shared = true, .halo = {ndim == 0 ? 0 : 2}});
        CHECK_OK(tsr_zeros(layout, TSR_I64, &array));
        const tsr_view all = tsr_local(array), mine = tsr_local_share(array);
        CHECK_OK(tsr_array_sync(array));
        if (mine.data != NULL)
            for (int64_t i = -mine.halo_lo[0]; i < 1 + mine.halo_hi[0]; ++i)
                ++((int64_t *)mine.data)[i];
        CHECK(mine.data != NULL || (mine.extent[0] + mine.halo_lo[0] + mine.halo_hi[0] == 0));
        CHECK_OK(tsr_array_sync(array));
        for (int64_t i = -all.halo_lo[0]; i < 1 + all.halo_hi[0]; ++i)
            CHECK_INT(((const int64_t *)all.data)[i], 1);
        CHECK_OK(tsr_array_destroy(&array));
        CHECK_OK(tsr_layout_destroy(&layout));
    }
}

/* One contribution a node, whatever its ranks. */
static void copies_of_nodes_combine(void **state)
{
    static const int64_t lengths[] = {1, 3, 700, 30000};
    const int nodes = nodes_among(tsrt_size());

    (void)state;
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; ++k) {
        tsr_layout *layout = node_layout(1, &lengths[k]);
        tsr_array *array = NULL;
        CHECK_OK(tsr_zeros(layout, TSR_I64, &array));
        write_share(array, node_of(tsrt_rank()) + 1);
        CHECK_OK(tsr_allreduce_replicated(array, TSR_SUM));
        check_cells(array, (int64_t)nodes * (nodes + 1) / 2);
        CHECK_OK(tsr_allreduce_replicated(array, TSR_SUM));
        check_cells(array, (int64_t)nodes * nodes * (nodes + 1) / 2);
        CHECK_OK(tsr_array_destroy(&array));
        CHECK_OK(tsr_layout_destroy(&layout));
    }
}

/* A rank that is through with an array, its owner too, takes nothing from the others. */
static void destroyed_in_any_order(void **state)
{
    tsr_array *array[4] = {0};

    (void)state;
    for (int round = 0; round < 20; ++round) {
        tsr_layout *layout = node_layout(1, TSR_SHAPE(2000 + 3000 * (round % 3)));
        for (int k = 0; k < 4; ++k)
            CHECK_OK(tsr_full(layout, TSR_I64, tsr_i64(round + k), &array[k]));
        for (int i = 0; i < 4; ++i) {
            const int k = (i + tsrt_rank()) % 4;
            check_cells(array[k], round + k);
            CHECK_OK(tsr_array_destroy(&array[k]));
        }
        CHECK_OK(tsr_layout_destroy(&layout));
    }
    tsr_layout *layout = node_layout(1, TSR_SHAPE(5000));
    CHECK_OK(tsr_full(layout, TSR_I64, tsr_i64(3), &array[0]));
    if (is_first()) CHECK_OK(tsr_array_destroy(&array[0]));
    tsrt_barrier();
    CHECK_OK(tsr_full(layout, TSR_I64, tsr_i64(4), &array[1]));
    if (!is_first()) check_cells(array[0], 3);
    check_cells(array[1], 4);
    CHECK_OK(tsr_array_destroy(&array[0]));
    CHECK_OK(tsr_array_destroy(&array[1]));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* Too little shared memory: a copy for each rank, and the same values. */
static void without_room(void **state)
{
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    tsr_comm comm = first_ranks(tsrt_size());

    (void)state;
    CHECK(setenv("TESSERA_SHM_LIMIT", "3000000", 1) == 0);
    CHECK_OK(tsr_layout_create(comm, 1, TSR_SHAPE(1000000),
                               &(tsr_layout_options){.split = TSR_WHOLE, .node_shared = true},
                               &layout));
    CHECK_OK(tsr_zeros(layout, TSR_I64, &array));
    CHECK(unsetenv("TESSERA_SHM_LIMIT") == 0);
    CHECK(!shares(array));
    CHECK_INT(tsr_local_share(array).extent[0], 1000000);
    write_share(array, node_of(tsrt_rank()) + 1);
    CHECK_OK(tsr_allreduce_replicated(array, TSR_SUM));
    const int64_t nodes = nodes_among(tsrt_size());
    check_cells(array, nodes * (nodes + 1) / 2);
    CHECK_OK(tsr_eval(array, "array + i0", TSR_ARG(array)));
    CHECK_INT(TSR_AT(int64_t, tsr_local(array), 999999), 999999 + nodes * (nodes + 1) / 2);
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&layout));
    free_ranks(&comm);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refused(void **state)
{
    const bool last = tsrt_rank() == tsrt_size() - 1;
    static double cells[64];
    tsr_array *array = NULL, *plain = NULL, *adopted = NULL;

    (void)state;
    tsr_layout *layout = node_layout(1, TSR_SHAPE(64));
    tsr_layout *own = make_layout(1, TSR_SHAPE(64), &(tsr_layout_options){.split = TSR_WHOLE});
    CHECK_OK(tsr_zeros(layout, TSR_F64, &array));
    CHECK_OK(tsr_zeros(own, TSR_F64, &plain));
    CHECK(tsr_layout_equal(layout, own));
    CHECK_STATUS(tsr_adopt(layout, TSR_F64, cells, sizeof cells, &adopted), TSR_ERR_VALUE);
    CHECK_TEXT("node_shared");
    CHECK(adopted == NULL);
    CHECK_STATUS(tsr_array_swap(array, plain), TSR_ERR_VALUE);
    CHECK_STATUS(tsr_array_sync(NULL), TSR_ERR_VALUE);

    /* wrong on one rank, also when the program is not the first of its kind */
    for (int round = 0; round < 2; ++round) {
        CHECK_OK(tsr_eval(array, "2*x + 1", TSR_ARG_AS("x", plain)));
        CHECK_STATUS(tsr_eval(array, "2*x + 1", TSR_ARG_AS(last ? "y" : "x", plain)),
                     TSR_ERR_VALUE);
        check_same_text();
        CHECK_STATUS(tsr_assign(array, last ? "70" : "3", 1), TSR_ERR_INDEX);
        check_same_text();
        CHECK_STATUS(tsr_assign(array, last ? "::0" : "::1", array), TSR_ERR_VALUE);
        const tsr_status masked = tsr_assign_mask(array, last ? NULL : array, 1);
        CHECK(masked == TSR_ERR_TYPE || masked == TSR_ERR_VALUE);
        check_same_text();
    }
    const tsr_view view = tsr_local(array);
    for (int64_t i = 0; i < 64; ++i)
        CHECK_DOUBLE(TSR_AT(double, view, i), 1, 0);
    if (tsrt_size() > 1) { /* ranks with different layouts */
        CHECK_STATUS(tsr_zeros(last ? own : layout, TSR_F64, &adopted), TSR_ERR_MISMATCH);
        CHECK(adopted == NULL);
    }
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_array_destroy(&plain));
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK_OK(tsr_layout_destroy(&own));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(node_programs),
                                       cmocka_unit_test(memory),
                                       cmocka_unit_test(shares_are_the_copy),
                                       cmocka_unit_test(shares_do_not_overlap),
                                       cmocka_unit_test(copies_of_nodes_combine),
                                       cmocka_unit_test(destroyed_in_any_order),
                                       cmocka_unit_test(without_room),
                                       cmocka_unit_test(refused)};
    return TSRT_RUN(argc, argv, tests);
}
