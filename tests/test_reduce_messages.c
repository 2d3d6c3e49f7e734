/* ranks: 1 2 3 4 6 8 */
/* What reductions send: shares go to the owners of the result alone, and nothing when nothing has
 * to move. */
#define _XOPEN_SOURCE 700

#include "support/harness.h"
#include "support/reduce_cases.h"

#include <sys/resource.h>

enum { RECORD_BYTES = 4096 };

static tsr_array *make(int ndim, const int64_t *shape, tsr_layout_options options)
{
    tsr_layout *layout = NULL;
    tsr_array *a = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, ndim, shape, &options, &layout));
    CHECK_OK(tsr_ones(layout, TSR_F64, &a));
    CHECK_OK(tsr_layout_destroy(&layout));
    return a;
}

/* What this rank sends in a call. */
typedef struct sent {
    int64_t messages, bytes;
} sent;

static sent sum_over(tsr_array *a, tsr_axes axes)
{
    tsr_array *result = NULL;
    const tsri_counters before = tsri_counters_read();
    CHECK_OK(tsr_sum_axes(a, axes, NULL, &result));
    const tsri_counters after = tsri_counters_read();
    CHECK_OK(tsr_array_destroy(&result));
    return (sent){after.messages - before.messages, after.message_bytes - before.message_bytes};
}

/* Agreements are small; cells are not. */
static void blocks_that_stay_send_no_cell(void **state)
{
    (void)state;
    enum { WIDE = 4096 };
    tsr_array *a = make(2, TSR_SHAPE(24, WIDE), (tsr_layout_options){0});
    tsr_array *b = make(2, TSR_SHAPE(24, WIDE), (tsr_layout_options){.split = TSR_AXIS(1)});
    CHECK(sum_over(a, TSR_AXIS(1)).bytes < RECORD_BYTES);
    CHECK(sum_over(b, TSR_AXIS(0)).bytes < RECORD_BYTES);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
}

/* Over a grid of rows: each rank sends its share once, in one message to each of the few owners,
 * whatever the number of ranks. */
static void shares_go_to_their_owners_once(void **state)
{
    (void)state;
    enum { WIDE = 8192 };
    if (tsrt_size() % 2 != 0) tsrt_skip("needs an even number of ranks");
    const int columns = tsrt_size() / 2;
    tsr_array *a = make(2, TSR_SHAPE(2, WIDE), (tsr_layout_options){.process_grid = {2, columns}});
    tsr_array *tiny = make(2, TSR_SHAPE(2, 16), (tsr_layout_options){.process_grid = {2, columns}});
    const sent all = sum_over(a, TSR_AXIS(0)), overhead = sum_over(tiny, TSR_AXIS(0));
    const int64_t share = WIDE / columns * (int64_t)sizeof(double);
    if (columns > 1) CHECK(all.bytes - overhead.bytes <= share);
    CHECK(all.messages - overhead.messages <= 2);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&tiny));
}

/* A replicated result goes up and down a tree: no rank sends more than log2(ranks) + 1 times. */
static void replicated_results_use_a_tree(void **state)
{
    (void)state;
    enum { WIDE = 1000 };
    tsr_array *a = make(2, TSR_SHAPE(24, WIDE), (tsr_layout_options){0});
    tsr_array *tiny = make(2, TSR_SHAPE(24, 1), (tsr_layout_options){0});
    const sent all = sum_over(a, TSR_AXIS(0)), overhead = sum_over(tiny, TSR_AXIS(0));
    int rounds = 1;
    for (int ranks = 1; ranks < tsrt_size(); ranks *= 2)
        ++rounds;
    CHECK_INT(all.messages, overhead.messages);
    CHECK(all.bytes - overhead.bytes <= rounds * WIDE * (int64_t)sizeof(double));
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&tiny));
}

static void replicated_arrays_send_nothing(void **state)
{
    (void)state;
    tsr_array *a = make(2, TSR_SHAPE(4, 5), (tsr_layout_options){.split = TSR_WHOLE});
    const tsri_counters before = tsri_counters_read();
    tsr_scalar value;
    double norm;
    bool truth;
    int64_t cell;

    CHECK_OK(tsr_sum(a, &value));
    CHECK_DOUBLE(value.as.f, 20, 0);
    CHECK_OK(tsr_var(a, &value));
    CHECK_OK(tsr_vdot(a, a, &value));
    CHECK_OK(tsr_norm(a, 1, &norm));
    CHECK_OK(tsr_all(a, &truth));
    CHECK_OK(tsr_argmax(a, &cell));
    CHECK_OK(tsr_allclose(a, a, 0, 0, false, &truth));
    CHECK_OK(tsr_array_equal(a, a, false, &truth));
    CHECK(truth);
    CHECK_INT(tsri_counters_read().messages, before.messages);
    CHECK_OK(tsr_array_destroy(&a));
}

/* Whole-array reductions: up and down a tree, so at most one record up and one to each child. */
static void whole_reductions_allocate_nothing(void **state)
{
    (void)state;
    tsr_array *a = make(2, TSR_SHAPE(24, 30), (tsr_layout_options){.halo = {1, 1}});
    const tsri_counters before = tsri_counters_read();
    tsr_scalar value;
    double norm;
    int64_t cell;

    CHECK_OK(tsr_sum(a, &value));
    CHECK_OK(tsr_std(a, &value));
    CHECK_OK(tsr_norm(a, 2, &norm));
    CHECK_OK(tsr_argmin(a, &cell));
    CHECK_INT(tsri_counters_read().allocations, before.allocations);
    CHECK_OK(tsr_array_destroy(&a));
}

/* The most memory this process ever used, in KiB. */
static long peak(void)
{
    struct rusage usage;
    CHECK_INT(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

/* Elements are taken block by block, those of expressions too. */
static void reductions_need_little_memory(void **state)
{
    (void)state;
    const int64_t rows = 300 * (int64_t)tsrt_size(); /* 9.6 MB a rank */
    tsr_array *a = make(2, TSR_SHAPE(rows, 4000), (tsr_layout_options){.halo = {0, 1}});
    tsr_array *r = NULL;
    tsr_scalar value;
    double norm;
    int64_t cell;

    for (int time = 0; time < 2; ++time) {
        const long before = peak();
        const tsri_counters counters = tsri_counters_read();
        CHECK_OK(tsr_sum(a, &value));
        CHECK_OK(tsr_var(a, &value));
        CHECK_OK(tsr_vdot(a, a, &value));
        CHECK_OK(tsr_max(a, &value));
        CHECK_OK(tsr_argmax(a, &cell));
        CHECK_OK(tsr_sum_expr(&value, "sin(a) + a*a", TSR_ARG(a)));
        CHECK_OK(tsr_norm_expr(2, &norm, "f32(a) - 1", TSR_ARG(a)));
        if (time > 0) CHECK_INT(tsri_counters_read().allocations, counters.allocations);
        CHECK_OK(tsr_mean_axes_expr(TSR_AXIS(1), NULL, &r, "a + a*a", TSR_ARG(a)));
        CHECK_OK(tsr_array_destroy(&r));
        CHECK_OK(tsr_var_axes_expr(TSR_ALL_AXES, NULL, &r, "a + a*a", TSR_ARG(a)));
        CHECK_OK(tsr_array_destroy(&r));
        CHECK(TSRT_SANITIZED || peak() - before < 1024);
    }
    CHECK_OK(tsr_array_destroy(&a));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_that_stay_send_no_cell),
        cmocka_unit_test(shares_go_to_their_owners_once),
        cmocka_unit_test(replicated_results_use_a_tree),
        cmocka_unit_test(replicated_arrays_send_nothing),
        cmocka_unit_test(whole_reductions_allocate_nothing),
        cmocka_unit_test(reductions_need_little_memory),
    };
    unsetenv("TESSERA_MESSAGE_LIMIT"); /* what is counted is not cut */
    return TSRT_RUN(argc, argv, tests);
}
