/* ranks: 1 2 3 4 6 */
/* timeout: 300 */
/* T-9: small random programs, each of whose results NumPy computes, too. */
#include "support/cells.h"
#include "support/file_cases.h"
#include "support/layout_cases.h"

#include <stdio.h>

enum { CASES = 8, LONG_CASES = 200, AXES = 3 };

static FILE *list;
static uint64_t seed;

static int below(int limit)
{
    return tsrt_random(&seed, limit);
}

/* ---- what NumPy is to check ------------------------------------------------------------------ */

static const char *name_of(const char *what, int number, int rank)
{
    static char names[2][64];
    static int next;
    char *name = names[next++ % 2];
    if (rank < 0)
        snprintf(name, sizeof names[0], "%s%d.npy", what, number);
    else
        snprintf(name, sizeof names[0], "%s%d_%d.npy", what, number, rank);
    return name;
}

static void keep(const char *what, int number, const tsr_array *array)
{
    CHECK_OK(tsr_save(file_path(name_of(what, number, -1)), array));
}

static void note(const char *what, int number, double value, const char *rest)
{
    if (list != NULL) fprintf(list, "%s | %d | %a | %s\n", what, number, value, rest);
}

/* Cells of C order as an array of a rank's own. */
static void keep_cells(const char *what, int number, int rank, int ndim, const int64_t *extent,
                       const double *cells)
{
    tsr_layout *own = NULL;
    tsr_array *array = NULL;

    CHECK_OK(tsr_layout_create(TSR_COMM_SELF, ndim, extent, NULL, &own));
    CHECK_OK(tsr_from_global(own, TSR_F64, cells, NULL, &array));
    CHECK_OK(tsr_save(file_path(name_of(what, number, rank)), array));
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&own));
}

/* ---- programs -------------------------------------------------------------------------------- */

typedef struct program {
    int number, ndim;
    int64_t shape[AXES];
    tsr_layout *layout;
    tsr_array *a, *b;
} program;

static tsr_status values(const int64_t *index, int64_t count, void *out, void *ctx)
{
    const program *p = ctx;
    uint64_t place = 0;

    for (int a = 0; a < p->ndim; ++a)
        place = place * (uint64_t)p->shape[a] + (uint64_t)index[a];
    for (int64_t i = 0; i < count; ++i, ++place) {
        uint64_t own = place * 2654435761U + (uint64_t)p->number;
        ((double *)out)[i] = (tsrt_random(&own, 2000001) - 1000000) / 1e5;
    }
    return TSR_OK;
}

static void begin(program *p, int number)
{
    tsr_layout_options options = {0};

    seed = (uint64_t)number * 6151 + 17;
    *p = (program){.number = number, .ndim = 1 + below(AXES)};
    options.split = (tsr_axes)(1 + below((1 << p->ndim) - 1));
    for (int a = 0; a < p->ndim; ++a) {
        p->shape[a] = 3 * tsrt_size() + 3 + below(5);
        options.halo[a] = below(3);
        if (below(2) == 0) options.periodic |= TSR_AXIS(a);
    }
    p->layout = make_layout(p->ndim, p->shape, &options);
    CHECK_OK(tsr_fromfunction(p->layout, TSR_F64, values, p, &p->a));
    CHECK_OK(tsr_eval_new(&p->b, "a*a - 3*a", TSR_ARG_AS("a", p->a)));
    keep("a", number, p->a);
    keep("b", number, p->b);
}

static void end(program *p)
{
    CHECK_OK(tsr_array_destroy(&p->a));
    CHECK_OK(tsr_array_destroy(&p->b));
    CHECK_OK(tsr_layout_destroy(&p->layout));
}

static void compute(program *p)
{
    tsr_array *result = NULL;
    tsr_scalar value;
    const int axis = below(p->ndim);
    char text[64];

    CHECK_OK(tsr_eval_new(&result, "2*a - sin(b)", TSR_ARG_AS("a", p->a), TSR_ARG_AS("b", p->b)));
    keep("expr", p->number, result);
    CHECK_OK(tsr_array_destroy(&result));
    CHECK_OK(tsr_sum_axes(p->a, TSR_AXIS(axis), NULL, &result));
    keep("axis", p->number, result);
    CHECK_OK(tsr_array_destroy(&result));
    snprintf(text, sizeof text, "%d", axis);
    note("axis", p->number, 0, text);

    CHECK_OK(tsr_sum(p->a, &value));
    note("sum", p->number, value.as.f, "");
    CHECK_OK(tsr_min(p->a, &value));
    note("min", p->number, value.as.f, "");
    CHECK_OK(tsr_max(p->a, &value));
    note("max", p->number, value.as.f, "");
    CHECK_OK(tsr_var(p->a, &value));
    note("var", p->number, value.as.f, "");
    CHECK_OK(tsr_vdot(p->a, p->b, &value));
    note("vdot", p->number, value.as.f, "");
}

/* A strided selection, one element, and the whole array. */
static void pick(program *p)
{
    int64_t index[AXES], cells = 1;
    char text[128] = "", where[64] = "";
    tsr_array *part = NULL;
    tsr_scalar value;

    for (int a = 0; a < p->ndim; ++a) {
        const int n = (int)p->shape[a], step = 1 + below(3);
        const bool back = below(2) == 0;
        cells *= n;
        index[a] = below(2 * n) - n;
        snprintf(where + strlen(where), sizeof where - strlen(where), "%lld,", (long long)index[a]);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d:%d:%d", a == 0 ? "" : ", ",
                 back ? n - below(3) : below(3), back ? below(3) : n - below(3),
                 back ? -step : step);
    }
    CHECK_OK(tsr_select(p->a, text, &part));
    keep("part", p->number, part);
    note("part", p->number, 0, text);
    CHECK_OK(tsr_array_destroy(&part));
    CHECK_OK(tsr_get(p->a, index, &value));
    note("get", p->number, value.as.f, where);

    const int root = below(tsrt_size());
    double *all = malloc((size_t)cells * sizeof *all);
    CHECK_OK(tsr_gather(p->a, root, all));
    if (tsrt_rank() == root) keep_cells("all", p->number, -1, p->ndim, p->shape, all);
    note("all", p->number, 0, "");
    free(all);
}

/* Every rank keeps its storage, halo cells filled. */
static void update(program *p)
{
    static const tsr_boundary_kind kinds[] = {TSR_EDGE, TSR_SYMMETRIC, TSR_REFLECT, TSR_CONSTANT};
    static const char *const names[] = {"edge", "symmetric", "reflect", "constant"};
    const tsr_axes periodic = tsr_layout_periodic(p->layout);
    char modes[128] = "", blocks[256] = "";

    for (int a = 0; a < p->ndim; ++a) {
        const int kind = below(4);
        CHECK_OK(
            tsr_array_set_boundary(p->a, TSR_AXIS(a), TSR_BOTH_SIDES, kinds[kind], tsr_f64(0)));
        snprintf(modes + strlen(modes), sizeof modes - strlen(modes), "%s:%lld ",
                 (periodic >> a & 1u) != 0 ? "wrap" : names[kind],
                 (long long)tsr_local(p->a).halo_lo[a]);
    }
    CHECK_OK(tsr_halo_update(p->a, NULL));
    const tsr_view v = tsr_local(p->a);
    int64_t extent[AXES], first = 0;
    for (int a = 0; a < p->ndim; ++a) {
        extent[a] = v.halo_lo[a] + v.extent[a] + v.halo_hi[a];
        first += v.halo_lo[a] * v.stride[a];
    }
    keep_cells("halo", p->number, tsrt_rank(), p->ndim, extent, (const double *)v.data - first);
    note("update", p->number, tsrt_size(), modes);
    for (int rank = 0; rank < tsrt_size(); ++rank) {
        int64_t start[AXES], cells[AXES];
        blocks[0] = '\0';
        CHECK_OK(tsr_layout_block(p->layout, rank, start, cells));
        for (int a = 0; a < p->ndim; ++a)
            snprintf(blocks + strlen(blocks), sizeof blocks - strlen(blocks), "%lld,",
                     (long long)start[a]);
        note("halo", p->number, rank, blocks);
    }
}

static void T_9_random_programs(void **state)
{
    (void)state;
    const int cases = getenv("TSRT_LONG") != NULL ? LONG_CASES : CASES;
    program p;

    if (tsrt_rank() == 0) {
        list = fopen(file_path("list"), "w");
        CHECK(list != NULL);
    }
    for (int number = 0; number < cases; ++number) {
        begin(&p, number);
        compute(&p);
        pick(&p);
        update(&p);
        end(&p);
    }
    if (list != NULL) fclose(list);
    list = NULL;
    tsrt_barrier();
    run_python("random_programs.py .");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(T_9_random_programs)};
    return TSRT_RUN(argc, argv, tests);
}
