/* Expressions on one core: ours against a fused C loop, NumPy with out=, numexpr with one thread,
 * and the floor, which moves the same bytes.
 *
 *     expressions [--n 1000,100000,...] [--type f64,f32] [--cases NAME,...] [--python PROGRAM]
 *                 [--rounds N] [--only NAME,...] [--json FILE]
 *
 * Stencils are cubes of about as many cells.  A line of one cell shows the fixed cost of a call. */
#include "expressions/expressions.h"
#include "common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double expr_weight_7[2] = {0.4, 0.1}, expr_weight_27[4] = {0.4, 0.05, 0.02, 0.0075};

static const char *const names[EXPR_END] = {"arithmetic", "sine",      "exp",       "log",
                                            "where",      "stencil_7", "stencil_27"};
static bench_python *python; /* NULL: NumPy and numexpr are not measured */

/* ---- texts ----------------------------------------------------------------------------------- */

/* w0*u + w1*(neighbours along one axis) + ..., as far as there are weights. */
static const char *stencil_text(int weights)
{
    static char text[2048];
    size_t end = 0;

    for (int away = 0; away < weights; ++away) {
        end +=
            (size_t)snprintf(text + end, sizeof text - end, "%sw%d*(", away > 0 ? " + " : "", away);
        bool first = true;
        for (int n = 0; n < 27; ++n) {
            const int s[] = {n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1};
            if ((s[0] != 0) + (s[1] != 0) + (s[2] != 0) != away) continue;
            end += (size_t)snprintf(text + end, sizeof text - end, "%sa[%d,%d,%d]",
                                    first ? "" : " + ", s[0], s[1], s[2]);
            first = false;
        }
        end += (size_t)snprintf(text + end, sizeof text - end, ")");
    }
    return text;
}

static void evaluate(const expr_data *e)
{
    static const char *const texts[] = {"2*a + b*d", "2*a + sin(a)", "exp(a)", "log(a)",
                                        "where(a > 0, sqrt(a), -a)"};
    static const char *stencil; /* of the case being measured */
    static expr_which made = EXPR_END;

    if (e->which == EXPR_ARITHMETIC) {
        TSR_CHECK(tsr_eval(e->out, texts[0], TSR_ARG_AS("a", e->a), TSR_ARG_AS("b", e->b),
                           TSR_ARG_AS("d", e->d)));
    } else if (e->which < EXPR_STENCIL_7) {
        TSR_CHECK(tsr_eval(e->out, texts[e->which], TSR_ARG_AS("a", e->a)));
    } else {
        const double *w = e->which == EXPR_STENCIL_7 ? expr_weight_7 : expr_weight_27;
        const int count = e->which == EXPR_STENCIL_7 ? 2 : 4;
        if (made != e->which) stencil = stencil_text(count);
        made = e->which;
        TSR_CHECK(tsr_eval(e->out, stencil, TSR_ARG_AS("a", e->a), TSR_ARG_AS("w0", w[0]),
                           TSR_ARG_AS("w1", w[1]), TSR_ARG_AS("w2", w[count - 2]),
                           TSR_ARG_AS("w3", w[count - 1])));
    }
}

/* ---- the check ------------------------------------------------------------------------------- */

static double pattern(int64_t i, int64_t first)
{
    return (double)((37 * i + first) % 1000) / 500 + 0.001;
}

static double load(const expr_data *e, const void *data, int64_t at)
{
    return e->dtype == TSR_F64 ? ((const double *)data)[at] : ((const float *)data)[at];
}

static double stencil_value(const expr_data *e, int64_t at)
{
    const double *w = e->which == EXPR_STENCIL_7 ? expr_weight_7 : expr_weight_27;
    double value = 0;

    for (int n = 0; n < 27; ++n) {
        const int s[] = {n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1};
        const int away = (s[0] != 0) + (s[1] != 0) + (s[2] != 0);
        if (e->which == EXPR_STENCIL_7 && away > 1) continue;
        value += w[away] * load(e, e->pa, at + s[0] * e->stride[0] + s[1] * e->stride[1] + s[2]);
    }
    return value;
}

/* Where cell number i lies. */
static int64_t place(const expr_data *e, int64_t i)
{
    const int64_t row = i / e->extent[2];
    if (e->which < EXPR_STENCIL_7) return i;
    return row / e->extent[1] * e->stride[0] + row % e->extent[1] * e->stride[1] + i % e->extent[2];
}

static double expected(const expr_data *e, int64_t i)
{
    const int64_t at = place(e, i);
    const double a = load(e, e->pa, at);

    switch (e->which) {
    case EXPR_ARITHMETIC:
        return 2 * a + load(e, e->pb, at) * load(e, e->pd, at);
    case EXPR_SINE:
        return 2 * a + sin(a);
    case EXPR_EXP:
        return exp(a);
    case EXPR_LOG:
        return log(a);
    case EXPR_WHERE:
        return a > 0 ? sqrt(a) : -a;
    default:
        return stencil_value(e, at);
    }
}

/* Every value, of large arrays some thousand of them. */
static int64_t step_of(const expr_data *e)
{
    return e->cells / 5000 + 1;
}

static double tolerance(const expr_data *e)
{
    return e->dtype == TSR_F64 ? 1e-13 : 1e-5;
}

static bool is_right(const expr_data *e)
{
    for (int64_t i = 0; i < e->cells; i += step_of(e)) {
        const double right = expected(e, i);
        if (fabs(load(e, e->pout, place(e, i)) - right) > tolerance(e) * (1 + fabs(right)))
            return false;
    }
    return true;
}

/* ---- the ways -------------------------------------------------------------------------------- */

static void run_ours(void *ctx)
{
    evaluate(ctx);
}

static void run_loop(void *ctx)
{
    expr_loop(ctx);
}

static void run_floor(void *ctx)
{
    expr_floor(ctx);
}

static bool verify_ours(void *ctx)
{
    const expr_data *e = ctx;
    TSR_CHECK(tsr_eval(e->out, "nan"));
    evaluate(e);
    return is_right(e);
}

static bool verify_loop(void *ctx)
{
    const expr_data *e = ctx;
    TSR_CHECK(tsr_eval(e->out, "nan"));
    expr_loop(e);
    return is_right(e);
}

/* The case that Python computes from now on. */
static void set_python_case(const expr_data *e)
{
    const int64_t size = e->which < EXPR_STENCIL_7 ? e->cells : e->extent[0];
    double answer;
    bench_python_ask(python, 1, &answer, "type %s 0", tsr_dtype_name(e->dtype));
    bench_python_ask(python, 1, &answer, "case %s %lld", names[e->which], (long long)size);
}

static bool sum_is_right(const expr_data *e, const char *who)
{
    double sum = 0, theirs;
    for (int64_t i = 0; i < e->cells; i += step_of(e))
        sum += expected(e, i);
    bench_python_ask(python, 1, &theirs, "sum %s %lld", who, (long long)step_of(e));
    return fabs(theirs - sum) <= 1e3 * tolerance(e) * (1 + fabs(sum));
}

static bool verify_numpy(void *ctx)
{
    return sum_is_right(ctx, "numpy");
}

static bool verify_numexpr(void *ctx)
{
    return sum_is_right(ctx, "numexpr");
}

static double time_in_python(const char *who, int runs)
{
    double seconds;
    bench_python_ask(python, 1, &seconds, "time %s %d", who, runs);
    return seconds / runs;
}

static double time_numpy(void *ctx, int runs)
{
    (void)ctx;
    return time_in_python("numpy", runs);
}

static double time_numexpr(void *ctx, int runs)
{
    (void)ctx;
    return time_in_python("numexpr", runs);
}

/* ---- the cases ------------------------------------------------------------------------------- */

static void store(const expr_data *e, void *data, int64_t at, double value)
{
    if (e->dtype == TSR_F64)
        ((double *)data)[at] = value;
    else
        ((float *)data)[at] = (float)value;
}

/* An operand that starts with pattern `first`; of cubes the halo, too. */
static void fill(const expr_data *e, void *data, int64_t first)
{
    const bool cube = e->which >= EXPR_STENCIL_7;
    const int64_t side = e->extent[0] + 2;

    for (int64_t i = 0; !cube && i < e->cells; ++i)
        store(e, data, i, pattern(i, first) - (e->which == EXPR_WHERE));
    for (int64_t i = 0; cube && i < side * side * side; ++i)
        store(e, data,
              (i / side / side - 1) * e->stride[0] + (i / side % side - 1) * e->stride[1] +
                  i % side - 1,
              pattern(i, first));
}

static void make_array(tsr_layout *layout, tsr_dtype dtype, tsr_array **array, void **data)
{
    TSR_CHECK(tsr_zeros(layout, dtype, array));
    *data = tsr_local(*array).data;
}

static expr_data make_data(expr_which which, tsr_dtype dtype, int64_t cells)
{
    expr_data e = {.which = which, .dtype = dtype, .cells = cells};
    const bool cube = which >= EXPR_STENCIL_7;
    const int64_t side = cube ? (int64_t)(cbrt((double)cells) + 0.5) : cells;
    tsr_layout *layout = NULL;

    TSR_CHECK(tsr_layout_create(TSR_COMM_WORLD, cube ? 3 : 1, TSR_SHAPE(side, side, side),
                                &(tsr_layout_options){.halo = {cube, cube, cube}}, &layout));
    make_array(layout, dtype, &e.out, &e.pout);
    make_array(layout, dtype, &e.a, &e.pa);
    const tsr_view v = tsr_local(e.a);
    memcpy(e.extent, v.extent, sizeof e.extent);
    memcpy(e.stride, v.stride, sizeof e.stride);
    if (cube) e.cells = side * side * side;
    fill(&e, e.pa, 0);
    if (which == EXPR_ARITHMETIC) {
        make_array(layout, dtype, &e.b, &e.pb);
        make_array(layout, dtype, &e.d, &e.pd);
        fill(&e, e.pb, 11);
        fill(&e, e.pd, 22);
    }
    tsr_layout_destroy(&layout);
    return e;
}

static void measure(const bench_options *options, expr_which which, tsr_dtype dtype, int64_t cells)
{
    expr_data e = make_data(which, dtype, cells);
    const bench_entry entries[] = {
        {"floor", BENCH_FLOOR, &e, run_floor, bench_no_result, NULL},
        {"tessera", BENCH_OURS, &e, run_ours, verify_ours, NULL},
        {"hand_fused", BENCH_HAND, &e, run_loop, verify_loop, NULL},
        {"numpy", BENCH_PEER, &e, NULL, verify_numpy, time_numpy},
        {"numexpr", BENCH_PEER, &e, NULL, verify_numexpr, time_numexpr},
    };
    char parameters[64];

    if (python != NULL) set_python_case(&e);
    snprintf(parameters, sizeof parameters, "%s %s n=%lld", names[which], tsr_dtype_name(dtype),
             (long long)e.cells);
    bench_case(options, "expressions", parameters, python != NULL ? 5 : 3, entries);
    tsr_array_destroy(&e.a);
    tsr_array_destroy(&e.b);
    tsr_array_destroy(&e.d);
    tsr_array_destroy(&e.out);
}

int main(int argc, char **argv)
{
    bench_pin();
    TSR_CHECK(tsr_init(&argc, &argv));
    const bench_options options = bench_read_options(argc, argv);
    const bench_list sizes = bench_numbers(argc, argv, "--n", "1,1000,100000,10000000", 1, 1 << 30);
    const char *types = bench_option(argc, argv, "--type", "f64,f32");
    const char *cases = bench_option(argc, argv, "--cases", NULL);
    int ranks;

    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks != 1) BENCH_STOP("expressions are measured on one rank");
    python = bench_python_start(bench_option(argc, argv, "--python", "build/bench/venv/bin/python"),
                                "expressions/peers.py");
    bench_check_options(argc, argv);
    for (int which = 0; which < EXPR_END; ++which) {
        if (cases != NULL && !bench_has_word(cases, names[which])) continue;
        for (int single = 0; single < 2; ++single)
            for (int k = 0; k < sizes.count; ++k)
                if (bench_has_word(types, single ? "f32" : "f64"))
                    measure(&options, (expr_which)which, single ? TSR_F32 : TSR_F64,
                            sizes.number[k]);
    }
    bench_python_end(python);
    return tsr_finalize();
}
