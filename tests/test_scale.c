/* ranks: 1 2 3 4 6 8 */
/* What bench/scale predicts of a machine from plans alone, against the counters of real runs: the
 * same messages and bytes, of all ranks together and of the busiest one. */
#define _POSIX_C_SOURCE 200809L

#include "scale/model.h"
#include "support/harness.h"

#include "layout/layout.h"

/* ---- what ranks really send ------------------------------------------------------------------ */

typedef struct sent {
    int64_t messages, bytes, most_messages, most_bytes;
} sent;

/* Of all ranks since `before`; collective. */
static sent sent_since(tsri_counters before)
{
    const tsri_counters now = tsri_counters_read();
    sent all = {0};
    for (int r = 0; r < tsrt_size(); ++r) {
        int64_t theirs[2] = {now.messages - before.messages,
                             now.message_bytes - before.message_bytes};
        tsrt_bcast(theirs, sizeof theirs, r);
        all.messages += theirs[0];
        all.bytes += theirs[1];
        if (theirs[0] > all.most_messages) all.most_messages = theirs[0];
        if (theirs[1] > all.most_bytes) all.most_bytes = theirs[1];
    }
    return all;
}

/* Predictions add up; the most of several operations is that of each only where all have the same
 * busiest rank, so it is compared for one operation. */
static void check_sent(sent real, const scale_cost *cost, bool most)
{
    CHECK_DOUBLE((double)real.messages, cost->all.messages, 0);
    CHECK_DOUBLE((double)real.bytes, cost->all.bytes, 0);
    if (!most) return;
    CHECK_DOUBLE((double)real.most_messages, cost->most.messages, 0);
    CHECK_DOUBLE((double)real.most_bytes, cost->most.bytes, 0);
}

static scale_machine machine(int ranks, int ranks_per_node)
{
    return (scale_machine){.ranks = ranks,
                           .ranks_per_node = ranks_per_node,
                           .latency = 1e-6,
                           .overhead = 1e-7,
                           .bandwidth = 1e9,
                           .memory = 1e9,
                           .looked_at = 1000};
}

/* ---- layouts --------------------------------------------------------------------------------- */

static const struct {
    int ndim;
    int64_t shape[3];
    tsr_layout_options options;
} cases[] = {
    {1, {97}, {.halo = {2}, .periodic = TSR_AXIS(0)}},
    {2, {24, 19}, {.split = TSR_AXIS(0) | TSR_AXIS(1), .halo = {1, 3}}},
    {2, {24, 40}, {.split = TSR_AXIS(1), .halo = {1, 1}, .periodic = TSR_AXIS(0) | TSR_AXIS(1)}},
    {3,
     {16, 12, 18},
     {.split = TSR_AXIS(0) | TSR_AXIS(1) | TSR_AXIS(2),
      .halo_lo = {1, 0, 2},
      .halo_hi = {1, 1, 0},
      .periodic = TSR_AXIS(2)}},
    {2, {5, 7}, {.halo = {4, 1}, .periodic = TSR_AXIS(0), .allow_empty = true}},
};
enum { CASES = sizeof cases / sizeof *cases };

static tsr_array *make(int k, tsr_layout **layout)
{
    tsr_array *a = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, cases[k].ndim, cases[k].shape, &cases[k].options,
                               layout));
    CHECK_OK(tsr_ones(*layout, TSR_F64, &a));
    return a;
}

static void halo_updates(void **state)
{
    (void)state;
    const scale_machine m = machine(tsrt_size(), 2);
    for (int k = 0; k < CASES; ++k) {
        tsr_layout *layout = NULL;
        tsr_array *a = make(k, &layout);
        scale_cost cost;
        CHECK_OK(tsr_halo_update(a, NULL)); /* the first one agrees, too */
        const tsri_counters before = tsri_counters_read();
        CHECK_OK(tsr_halo_update(a, NULL));
        const sent real = sent_since(before);
        CHECK_OK(scale_halo(&m, &layout->geometry, 8, &cost));
        check_sent(real, &cost, true);
        CHECK_OK(tsr_array_destroy(&a));
        CHECK_OK(tsr_layout_destroy(&layout));
    }
}

static void redistributions(void **state)
{
    (void)state;
    const scale_machine m = machine(tsrt_size(), 2);
    for (int k = 0; k < CASES; ++k)
        for (int axis = 0; axis < cases[k].ndim; ++axis) {
            tsr_layout *layout = NULL, *other = NULL;
            tsr_array *a = make(k, &layout), *b = NULL;
            scale_cost cost, agreement;
            CHECK_OK(tsr_layout_create(
                TSR_COMM_WORLD, cases[k].ndim, cases[k].shape,
                &(tsr_layout_options){.split = TSR_AXIS(axis), .allow_empty = true}, &other));
            CHECK_OK(tsr_zeros(other, TSR_F64, &b));
            const tsri_counters before = tsri_counters_read();
            CHECK_OK(tsr_redistribute_into(a, b));
            const sent real = sent_since(before);
            const bool equal = tsr_layout_equal(layout, other);
            scale_tree(&m, 1, &scale_reduction_bytes[1], &agreement);
            CHECK_OK(scale_redistribute(&m, &layout->geometry, &other->geometry, 8, &cost));
            const int agreements = equal ? 1 : 2;
            cost.all.messages += agreements * agreement.all.messages;
            cost.all.bytes += agreements * agreement.all.bytes;
            check_sent(real, &cost, false);
            CHECK_OK(tsr_array_destroy(&a));
            CHECK_OK(tsr_array_destroy(&b));
            CHECK_OK(tsr_layout_destroy(&layout));
            CHECK_OK(tsr_layout_destroy(&other));
        }
}

static void reductions(void **state)
{
    (void)state;
    const scale_machine m = machine(tsrt_size(), 2);
    tsr_layout *layout = NULL;
    tsr_array *a = make(0, &layout);
    scale_cost cost;
    tsr_scalar value;
    tsri_counters before = tsri_counters_read();
    CHECK_OK(tsr_sum(a, &value));
    scale_tree(&m, SCALE_REDUCTION_ROUNDS, scale_reduction_bytes, &cost);
    check_sent(sent_since(before), &cost, true);
    before = tsri_counters_read();
    CHECK_OK(tsri_agree(layout->context, TSR_OK, 7));
    scale_tree(&m, 1, &scale_reduction_bytes[1], &cost);
    check_sent(sent_since(before), &cost, true);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* Sums along every axis that leaves a split result. */
static void reductions_along_axes(void **state)
{
    (void)state;
    const scale_machine m = machine(tsrt_size(), 2);
    enum { AGREEMENTS = 3 };
    for (int k = 0; k < CASES; ++k)
        for (int axis = 0; axis < cases[k].ndim; ++axis) {
            tsr_layout *layout = NULL;
            tsr_array *a = make(k, &layout), *sum = NULL;
            scale_cost cost, agreement;
            const tsri_counters before = tsri_counters_read();
            CHECK_OK(tsr_sum_axes(a, TSR_AXIS(axis), NULL, &sum));
            const sent real = sent_since(before);
            const bool split = !tsr_array_layout(sum)->geometry.whole;
            if (split && layout->geometry.grid[axis] > 1) {
                scale_tree(&m, 1, &scale_reduction_bytes[1], &agreement);
                CHECK_OK(scale_reduce_axes(&m, &layout->geometry, TSR_AXIS(axis), 8, &cost));
                cost.all.messages += AGREEMENTS * agreement.all.messages;
                cost.all.bytes += AGREEMENTS * agreement.all.bytes;
                check_sent(real, &cost, false);
            }
            CHECK_OK(tsr_array_destroy(&sum));
            CHECK_OK(tsr_array_destroy(&a));
            CHECK_OK(tsr_layout_destroy(&layout));
        }
}

/* ---- machines that are not here -------------------------------------------------------------- */

static tsri_geometry chain(int ranks, int64_t block)
{
    const int64_t length = ranks * block;
    tsri_geometry g;
    CHECK_OK(tsri_geometry_init("test", &g, ranks, 1, &length,
                                &(tsr_layout_options){.halo = {3}, .periodic = TSR_AXIS(0)}));
    return g;
}

/* A ring: each rank sends three cells to each side, and two of a node's ranks to other nodes. */
static void rings_are_counted_by_hand(void **state)
{
    (void)state;
    const int sizes[] = {24, 1000, 1000000};
    for (int k = 0; k < 3; ++k) {
        scale_machine m = machine(sizes[k], 8);
        tsri_geometry g = chain(sizes[k], 100);
        scale_cost cost;
        CHECK_OK(scale_halo(&m, &g, 8, &cost));
        CHECK_DOUBLE(cost.all.messages, 2.0 * sizes[k], 1e-6 * sizes[k]);
        CHECK_DOUBLE(cost.all.bytes, 48.0 * sizes[k], 1e-6 * sizes[k]);
        CHECK_DOUBLE(cost.all.far_messages, 2.0 * sizes[k] / 8, 1e-6 * sizes[k]);
        CHECK_DOUBLE(cost.all.far_bytes, 48.0 * sizes[k] / 8, 1e-6 * sizes[k]);
        CHECK_DOUBLE(cost.node_bytes, 48, 0);
        CHECK_DOUBLE(cost.most.far_messages, 1, 0);
        /* a message, 48 bytes copied, and 48 through the link */
        CHECK_DOUBLE(cost.seconds, 1e-7 + 48e-9 + 1e-6 + 48e-9, 1e-15);
        tsri_geometry_clear(&g);
    }
}

/* All on one node: no message leaves it; all on their own: every one does. */
static void nodes_decide_what_is_far(void **state)
{
    (void)state;
    scale_cost near, far;
    tsri_geometry g = chain(64, 10);
    scale_machine m = machine(64, 64);
    CHECK_OK(scale_halo(&m, &g, 4, &near));
    CHECK(near.all.far_messages == 0 && near.node_bytes == 0 && near.all.messages == 128);
    m.ranks_per_node = 1;
    CHECK_OK(scale_halo(&m, &g, 4, &far));
    CHECK(far.all.far_messages == 128 && far.all.far_bytes == far.all.bytes);
    CHECK(far.seconds > near.seconds);
    tsri_geometry_clear(&g);

    const size_t bytes = 100;
    m = machine(1 << 20, 1 << 10);
    scale_tree(&m, 1, &bytes, &far);
    CHECK_DOUBLE(far.all.messages, 2.0 * ((1 << 20) - 1), 0);
    CHECK_DOUBLE(far.all.far_messages, 2.0 * ((1 << 10) - 1), 0);
    CHECK_DOUBLE(far.seconds, 2 * (20 * (1e-7 + 100e-9) + 10 * (1e-6 + 100e-9)), 1e-12);
    CHECK_DOUBLE(far.most.messages, 20, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halo_updates),
        cmocka_unit_test(redistributions),
        cmocka_unit_test(reductions),
        cmocka_unit_test(reductions_along_axes),
        cmocka_unit_test(rings_are_counted_by_hand),
        cmocka_unit_test(nodes_decide_what_is_far),
    };
    /* What is counted is messages, whole ones. */
    unsetenv("TESSERA_MESSAGE_LIMIT");
    setenv("TESSERA_TRANSPORT", "p2p", 1);
    return TSRT_RUN(argc, argv, tests);
}
