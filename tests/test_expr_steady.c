/* ranks: 1 2 3 4 6 */
/* timeout: 300 */
/* What evaluation costs after the first time, that results do not depend on where a cell lies, and
 * faults in first uses. */
#include "kern/vector.h"
#include "support/expr_cases.h"

#include <stdio.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

typedef struct stage {
    tsr_layout *layout;
    tsr_array *u, *v, *n, *out;
} stage;

static stage stage_begin(void)
{
    stage s = {0};
    CHECK_OK(tsr_layout_create(
        TSR_COMM_WORLD, 2, TSR_SHAPE(12, 10),
        &(tsr_layout_options){.split = TSR_AXES(0, 1), .halo = {1, 1}, .periodic = TSR_AXIS(1)},
        &s.layout));
    CHECK_OK(tsr_ones(s.layout, TSR_F64, &s.u));
    CHECK_OK(tsr_ones(s.layout, TSR_F32, &s.v));
    CHECK_OK(tsr_ones(s.layout, TSR_I32, &s.n));
    CHECK_OK(tsr_full(s.layout, TSR_F64, tsr_f64(7), &s.out));
    CHECK_OK(tsr_array_set_boundary(s.u, TSR_AXIS(0), TSR_BOTH_SIDES, TSR_EDGE, tsr_f64(0)));
    return s;
}

static void stage_end(stage *s)
{
    CHECK_OK(tsr_array_destroy(&s->u));
    CHECK_OK(tsr_array_destroy(&s->v));
    CHECK_OK(tsr_array_destroy(&s->n));
    CHECK_OK(tsr_array_destroy(&s->out));
    CHECK_OK(tsr_layout_destroy(&s->layout));
}

static const char *const texts[] = {
    "2*u + sin(v)",
    "u + k*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)",
    "u[-1,-1] + v[1,0] + n[0,1]",
    "where(u > k, i0*i1, round(v, 1))",
    "isclose(u, v, equal_nan=True) + clip(n, 0, 3)",
    "n**n + g",
    "row*u + k**2",
};

static tsr_status evaluate(const stage *s, tsr_array *out, const char *text, double k)
{
    static const float row[10];
    static const int64_t g = 3;
    return tsr_eval(out, text, TSR_ARG_AS("u", s->u), TSR_ARG_AS("v", s->v), TSR_ARG_AS("n", s->n),
                    TSR_ARG(k), TSR_GLOBAL(row, 1, TSR_SHAPE(10)),
                    TSR_GLOBAL_AS("g", &g, 0, TSR_SHAPE(0)));
}

static void no_allocation_after_the_first_time(void **state)
{
    (void)state;
    stage s = stage_begin();
    tsr_expr *expr = NULL;

    CHECK_OK(tsr_expr_create(texts[0], &expr));
    for (size_t t = 0; t < sizeof texts / sizeof *texts; ++t) {
        tsr_array *const outs[] = {s.out, s.u};
        for (int into = 0; into < 2; ++into) {
            CHECK_OK(evaluate(&s, outs[into], texts[t], 0.5));
            CHECK_OK(tsr_eval(s.u, "1"));
            const tsri_counters before = tsri_counters_read();
            for (int k = 1; k < 5; ++k) {
                CHECK_OK(evaluate(&s, outs[into], texts[t], k)); /* another number */
                CHECK_OK(tsr_eval(s.u, "1"));
            }
            const tsri_counters after = tsri_counters_read();
            CHECK_INT(after.allocations, before.allocations);
        }
    }
    CHECK_OK(tsr_expr_eval(expr, s.out, TSR_ARG_AS("u", s.u), TSR_ARG_AS("v", s.v)));
    CHECK_OK(tsr_eval_where(s.out, "u > 0", "u", TSR_ARG_AS("u", s.u)));
    const tsri_counters before = tsri_counters_read();
    CHECK_OK(tsr_expr_eval(expr, s.out, TSR_ARG_AS("u", s.u), TSR_ARG_AS("v", s.v)));
    CHECK_OK(tsr_eval_where(s.out, "u > 0", "u", TSR_ARG_AS("u", s.u)));
    CHECK_INT(tsri_counters_read().allocations, before.allocations);
    CHECK_OK(tsr_expr_destroy(&expr));
    stage_end(&s);
}

/* What a program takes beside the arrays, as malloc counts it, and the most that it takes while it
 * is made. */
#ifdef __GLIBC__
static size_t allocated(void)
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static void little_memory(void **state)
{
    (void)state;
    stage s = stage_begin();
    char text[4096] = "u";

    for (int n = 0; n < 27; ++n)
        snprintf(text + strlen(text), sizeof text - strlen(text), " + 0.%d*u[%d,%d]*sin(u*%d)",
                 n + 1, n / 9 - 1, n % 3 - 1, n);
    CHECK_OK(evaluate(&s, s.out, texts[1], 1)); /* what MPI takes at first */
    const size_t before = allocated();
    CHECK_OK(evaluate(&s, s.out, text, 1));
    for (size_t t = 0; t < sizeof texts / sizeof *texts; ++t)
        CHECK_OK(evaluate(&s, s.out, texts[t], 1));
    const size_t after = allocated();
    CHECK(after < before || after - before < 1 << 20);
    stage_end(&s);
}
#endif

/* More texts than are kept: the oldest are made anew, and nothing grows. */
static void programs_that_are_dropped(void **state)
{
    (void)state;
    stage s = stage_begin();
    int64_t live = 0;
    char text[32];

    for (int round = 0; round < 3; ++round) {
        for (int k = 0; k < 100; ++k) {
            snprintf(text, sizeof text, "u*%d + u[1,0]", k);
            CHECK_OK(tsr_eval(s.out, text, TSR_ARG_AS("u", s.u)));
            CHECK_DOUBLE(tsr_local(s.out).data == NULL ? k + 1 : *(double *)tsr_local(s.out).data,
                         k + 1, 0);
        }
        const int64_t now = tsri_counters_read().live_blocks;
        if (round > 0) CHECK_INT(now, live);
        live = now;
    }
    stage_end(&s);
}

/* ---- the same bits everywhere ---------------------------------------------------------------- */

static const char *const functions[] = {
    "sin(x)",  "exp(x)",        "log(x)",      "x**1.3",         "tanh(x)/x",
    "sqrt(x)", "arctan2(x, 2)", "x*x*x - 1/x", "sin(c64(x*1j))", "hypot(x, f32(x))"};

/* Blocks of every length, on rows of every length: each cell has the bits of the first. */
static void a_cell_has_the_same_bits_everywhere(void **state)
{
    (void)state;
    const double x = 0.7390851332151607;
    unsigned char first[16], cell[16];

    for (size_t f = 0; f < sizeof functions / sizeof *functions; ++f) {
        for (int64_t columns = 1; columns <= 70;
             columns = columns < 9 ? columns + 1 : columns + 7) {
            tsr_layout *layout = NULL;
            tsr_array *a = NULL, *c = NULL;
            CHECK_OK(tsr_layout_create(
                TSR_COMM_WORLD, 2, TSR_SHAPE(7, columns),
                &(tsr_layout_options){.split = TSR_AXES(0), .halo = {0, 2}, .allow_empty = true},
                &layout));
            CHECK_OK(tsr_full(layout, TSR_F64, tsr_f64(x), &a));
            CHECK_OK(tsr_eval_new(&c, functions[f], TSR_ARG_AS("x", a)));
            const tsr_view v = tsr_local(c);
            const size_t size = tsr_dtype_size(v.dtype);
            if (columns == 1 && tsrt_rank() == 0) memcpy(first, v.data, size);
            if (columns == 1) tsrt_bcast(first, sizeof first, 0);
            for (int64_t i = 0; i < v.extent[0]; ++i)
                for (int64_t j = 0; j < v.extent[1]; ++j) {
                    memcpy(cell,
                           (unsigned char *)v.data +
                               (size_t)(i * v.stride[0] + j * v.stride[1]) * size,
                           size);
                    if (memcmp(cell, first, size) != 0)
                        tsrt_fail(__FILE__, __LINE__, "%s, %lld columns, cell %lld, %lld",
                                  functions[f], (long long)columns, (long long)i, (long long)j);
                }
            CHECK_OK(tsr_array_destroy(&a));
            CHECK_OK(tsr_array_destroy(&c));
            CHECK_OK(tsr_layout_destroy(&layout));
        }
    }
}

/* Short rows are run through the halo cells between them, which stay as they are. */
static void halo_cells_between_short_rows(void **state)
{
    (void)state;
    for (int64_t columns = 6; columns < 70; columns += 7)
        for (int side = 0; side < 2; ++side) {
            tsr_layout *layout = NULL;
            tsr_array *u = NULL, *out = NULL;
            CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 3, TSR_SHAPE(2, 31, columns),
                                       &(tsr_layout_options){.split = TSR_AXIS(1),
                                                             .halo_lo = {0, 1, side},
                                                             .halo_hi = {0, 1, 1}},
                                       &layout));
            CHECK_OK(tsr_full(layout, TSR_F64, tsr_f64(3), &u));
            CHECK_OK(tsr_full(layout, TSR_F32, tsr_f64(7), &out));
            CHECK_OK(tsr_eval(out, "f32(2*u + u[0,0,1] + u[0,-1,0]*7)", TSR_ARG(u)));
            const tsr_view v = tsr_local(out);
            for (int64_t i = 0; i < v.extent[0]; ++i)
                for (int64_t j = 0; j < v.extent[1]; ++j)
                    for (int64_t k = 0; k < v.extent[2]; ++k)
                        CHECK(TSR_AT(float, v, i, j, k) == 30);
            expr_check_halo(out, 7);
            CHECK_OK(tsr_array_destroy(&u));
            CHECK_OK(tsr_array_destroy(&out));
            CHECK_OK(tsr_layout_destroy(&layout));
        }
}

/* The last rank's machine has fewer instructions than the others', or as many: all compute with
 * what it has, in bits. */
#ifndef TSR_SERIAL
static void check_level(tsri_level level)
{
    MPI_Comm comm;
    tsr_layout *layout = NULL;
    tsr_array *a = NULL, *c = NULL;

    if (tsrt_rank() == tsrt_size() - 1) tsri_machine_limit(level);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK_OK(tsr_layout_create(comm, 1, TSR_SHAPE(600), NULL, &layout));
    tsri_machine_limit(TSRI_LEVEL_END);
    CHECK_OK(tsr_zeros(layout, TSR_F64, &a));
    CHECK_OK(tsr_eval(a, "i0/7 - 40"));
    CHECK_OK(tsr_eval_new(&c, "sin(a)", TSR_ARG(a)));
    const tsr_view from = tsr_local(a), to = tsr_local(c);
    double right[600];
    tsri_vector_find(level, TSRI_VECTOR_SIN, TSR_F64)(from.extent[0], right,
                                                      (const void *[]){from.data});
    CHECK(memcmp(to.data, right, (size_t)to.extent[0] * sizeof *right) == 0);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&c));
    CHECK_OK(tsr_layout_destroy(&layout));
    MPI_Comm_free(&comm);
}

static void all_ranks_compute_as_the_weakest(void **state)
{
    (void)state;
    for (int level = (int)tsri_vector_level(); level >= TSRI_BASELINE; --level)
        check_level((tsri_level)level);
}
#endif

/* ---- faults ---------------------------------------------------------------------------------- */

/* One evaluation with the n-th allocation or MPI call failing on one rank: the same status on all,
 * unless a message of the exchange itself failed, which makes no agreement. */
static bool trial(const char *text, int victim, int64_t n)
{
    stage s = stage_begin();
    tsr_array *made = NULL;
    int worst = TSR_OK;

    tsri_fault_arm(tsrt_rank() == victim ? n : -1);
    const tsr_status st = text != NULL ? evaluate(&s, s.out, text, 2)
                                       : tsr_eval_new(&made, "u + u[0,1]", TSR_ARG_AS("u", s.u));
    bool fired = tsri_fault_fired();
    tsri_fault_arm(-1);
    tsrt_bcast(&fired, sizeof fired, victim);
    for (int r = 0; r < tsrt_size(); ++r) {
        int theirs = st;
        tsrt_bcast(&theirs, sizeof theirs, r);
        if (theirs > worst) worst = theirs;
    }
    if (worst != TSR_ERR_MPI) CHECK_SAME_ON_ALL(st);
    CHECK((worst != TSR_OK) == fired);
    CHECK((made != NULL) == (st == TSR_OK && text == NULL));
    if (fired && worst == TSR_ERR_NOMEM) expr_check_halo(s.out, 7);
    if (fired) CHECK_OK(evaluate(&s, s.out, texts[1], 2));
    CHECK_OK(tsr_array_destroy(&made));
    stage_end(&s);
    return fired;
}

static void check_faults(const char *text)
{
    for (int victim = 0; victim < tsrt_size(); ++victim)
        for (int64_t n = 0;; ++n) {
            const tsri_counters before = tsri_counters_read();
            const bool fired = trial(text, victim, n);
            CHECK_INT(tsri_counters_read().live_blocks, before.live_blocks);
            CHECK_INT(tsri_counters_read().live_requests, before.live_requests);
            if (!fired) break;
            CHECK(n < 400);
        }
}

static void faults_in_first_uses(void **state)
{
    (void)state;
    if (tsrt_size() > 3) {
        tsrt_skip("faults are tried at 1 to 3 ranks");
        return;
    }
    check_faults(texts[0]);
    check_faults(texts[1]);
    check_faults(texts[4]);
    check_faults(texts[5]);
    check_faults(NULL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_allocation_after_the_first_time),
#ifdef __GLIBC__
                                       cmocka_unit_test(little_memory),
#endif
                                       cmocka_unit_test(programs_that_are_dropped),
                                       cmocka_unit_test(a_cell_has_the_same_bits_everywhere),
                                       cmocka_unit_test(halo_cells_between_short_rows),
#ifndef TSR_SERIAL
                                       cmocka_unit_test(all_ranks_compute_as_the_weakest),
#endif
                                       cmocka_unit_test(faults_in_first_uses)};
    return TSRT_RUN(argc, argv, tests);
}
