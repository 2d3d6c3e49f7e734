/* Random programs on replicated arrays, whose bits are to be those of the same programs on arrays
 * of which each node has one copy. */
#include "support/node_programs.h"

#include "support/cells.h"
#include "support/node_steps.h"

enum { PROGRAMS = 6, LONG_PROGRAMS = 300, AXES = 3 };

static void make_arrays(node_program *p)
{
    static const tsr_dtype dtypes[] = {TSR_F64, TSR_I32, TSR_C128, TSR_I64};
    tsr_layout_options options = {.split = TSR_WHOLE, .node_shared = p->shared};
    int64_t shape[AXES];

    p->ndim = 1 + node_draw(p, AXES);
    for (int a = 0; a < p->ndim; ++a) {
        const int length = node_draw(p, 12);
        p->shape[a] = shape[a] = length < 2 ? length + node_draw(p, 2) : length;
        options.halo_lo[a] = node_draw(p, 3);
        options.halo_hi[a] = node_draw(p, 3);
        if (node_draw(p, 2) == 0) options.periodic |= TSR_AXIS(a);
    }
    if (node_draw(p, 2) == 0)
        for (int a = 0; a < p->ndim; ++a)
            options.halo_lo[a] = options.halo_hi[a] = 1;
    p->dtype = dtypes[node_draw(p, 2)];
    p->layout = make_layout(p->ndim, shape, &options);
    p->cut = make_layout(
        p->ndim, shape,
        &(tsr_layout_options){.split = TSR_AXIS(node_draw(p, p->ndim)), .allow_empty = true});
    CHECK_OK(tsr_zeros(p->layout, p->dtype, &p->a));
    CHECK_OK(tsr_full(p->layout, p->dtype, tsr_i64(3), &p->b));
}

static void run(node_program *p, int first)
{
    const int kinds = node_step_kinds();

    make_arrays(p);
    for (int k = 0; k < NODE_STEPS; ++k) {
        const int kind = first >= 0 ? (first + k) % kinds : node_draw(p, kinds);
        node_step_run(kind, p);
        node_note(p, p->a);
        node_note(p, p->b);
        p->step[k] = node_step_name(kind);
        p->end[k] = p->bytes;
    }
    /* Some rank may be through long before another. */
    if (tsrt_rank() % 2 == 0) CHECK_OK(tsr_array_destroy(&p->a));
    CHECK_OK(tsr_array_destroy(&p->b));
    CHECK_OK(tsr_array_destroy(&p->a));
    CHECK_OK(tsr_layout_destroy(&p->layout));
    CHECK_OK(tsr_layout_destroy(&p->cut));
}

static void compare(const node_program *p, const node_program *q, int number)
{
    size_t at = 0;
    while (at < p->bytes && at < q->bytes && p->log[at] == q->log[at])
        ++at;
    if (at == p->bytes && at == q->bytes) return;
    int k = 0;
    while (k < NODE_STEPS - 1 && p->end[k] <= at)
        ++k;
    tsrt_fail(__FILE__, __LINE__, "program %d: bytes %zu and %zu, byte %zu differs: step %d, %s",
              number, p->bytes, q->bytes, at, k, p->step[k]);
}

void node_programs(void **state)
{
    const int count = getenv("TSRT_LONG") != NULL ? LONG_PROGRAMS : PROGRAMS;

    (void)state;
    for (int n = 0; n < count; ++n) {
        node_program p = {.seed = 977 + (uint64_t)n},
                     q = {.seed = 977 + (uint64_t)n, .shared = true};
        const int first = n < 2 ? n * NODE_STEPS : -1; /* every step at least once */
        run(&p, first);
        run(&q, first);
        compare(&p, &q, n);
        free(p.log);
        free(q.log);
    }
}
