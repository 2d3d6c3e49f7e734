/* Reductions of whole arrays: ours against the floor (reading the elements), plain C loops and
 * NumPy.
 *
 *     reduce [--n 1000,100000,...] [--type f64,f32] [--op sum,dot,...] [--python PATH]
 *            [--rounds N] [--only NAME,...] [--json FILE]
 *
 * n elements over all ranks.  Of sums there is the plain one (TSR_FAST) too. */
#include "reduce/reduce.h"
#include "common.h"

#include <tessera.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const reduce_names[REDUCE_OPERATIONS] = {"sum", "dot", "norm", "var", "max", "argmax"};

typedef struct state {
    reduce_problem problem;
    int64_t all, first; /* elements of all ranks; the number of this rank's first one */
    tsr_array *x, *y;
    bool fast;
    double expected, part; /* the result, and that of this rank's elements */
    bench_python *numpy;   /* a process for each rank, or NULL */
} state;

/* ---- the ways -------------------------------------------------------------------------------- */

static volatile double kept; /* so that no loop is left out */

static void read_floor(void *ctx)
{
    kept = reduce_floor(&((state *)ctx)->problem);
}

static void loop(void *ctx)
{
    kept = reduce_loop(&((state *)ctx)->problem);
}

static double ours(const state *s)
{
    const tsr_reduce_options options = {.flags = s->fast ? TSR_FAST : 0};
    tsr_scalar value = {.dtype = TSR_F64};
    double norm = 0;
    int64_t place = 0;
    switch (s->problem.operation) {
    case REDUCE_SUM:
        TSR_CHECK(tsr_sum_with(s->x, &options, &value));
        break;
    case REDUCE_DOT:
        TSR_CHECK(tsr_vdot(s->x, s->y, &value));
        break;
    case REDUCE_NORM:
        TSR_CHECK(tsr_norm(s->x, 2, &norm));
        return norm;
    case REDUCE_VAR:
        TSR_CHECK(tsr_var_with(s->x, &options, &value));
        break;
    case REDUCE_MAX:
        TSR_CHECK(tsr_max(s->x, &value));
        break;
    default:
        TSR_CHECK(tsr_argmax(s->x, &place));
        return (double)place;
    }
    return tsr_to_double(value);
}

static void run_ours(void *ctx)
{
    kept = ours(ctx);
}

/* Seconds of a run, and its result. */
static void run_numpy(const state *s, int runs, double *answer)
{
    bench_python_ask(s->numpy, 2, answer, "run %d", runs);
}

static double time_numpy(void *ctx, int runs)
{
    double answer[2];
    run_numpy(ctx, runs, answer);
    return answer[0];
}

static void set_numpy(const state *s)
{
    double answer;
    bench_python_ask(s->numpy, 1, &answer, "set %s %s %lld %lld",
                     reduce_names[s->problem.operation], s->problem.single ? "f4" : "f8",
                     (long long)s->first, (long long)s->problem.n);
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* Sums of many single numbers, rounded at every step, are rough. */
static bool is_near(const state *s, double value, double expected)
{
    const bool sums = s->problem.operation == REDUCE_SUM || s->problem.operation == REDUCE_DOT;
    const double size = fabs(expected) + (sums ? sqrt((double)s->problem.n) : 0);
    return fabs(value - expected) <= (s->problem.single ? 5e-2 : 1e-11) * size;
}

static bool verify_loop(void *ctx)
{
    return is_near(ctx, reduce_loop(&((state *)ctx)->problem), ((state *)ctx)->part);
}

static bool verify_ours(void *ctx)
{
    const double value = ours(ctx);
    return is_near(ctx, value, ((state *)ctx)->expected);
}

static bool verify_numpy(void *ctx)
{
    double answer[2];
    run_numpy(ctx, 1, answer);
    return is_near(ctx, answer[1], ((state *)ctx)->part);
}

/* Over x and y of some cells, in long double. */
static double expected_of(const state *s, int64_t first, int64_t n);

/* ---- the elements ---------------------------------------------------------------------------- */

static double element(int64_t cell, uint64_t factor)
{
    return (double)((uint64_t)cell * factor >> 40) * 0x1p-23 - 1;
}
static const uint64_t x_factor = UINT64_C(0x9E3779B97F4A7C15);
static const uint64_t y_factor = UINT64_C(0xD1B54A32D192ED03);

static double expected_of(const state *s, int64_t first, int64_t n)
{
    long double sum = 0, product = 0, squares = 0;
    double most = -HUGE_VAL;
    int64_t place = 0;
    for (int64_t c = first; c < first + n; ++c) {
        const double x = element(c, x_factor), y = element(c, y_factor);
        sum += x;
        product += (long double)x * y;
        squares += (long double)x * x;
        if (x > most) {
            most = x;
            place = c - first;
        }
    }
    const long double mean = sum / n;
    const double values[] = {
        (double)sum, (double)product, (double)sqrtl(squares), (double)(squares / n - mean * mean),
        most,        (double)place};
    return values[s->problem.operation];
}

static tsr_array *make_array(tsr_layout *layout, bool single, uint64_t factor)
{
    tsr_array *array = NULL;
    TSR_CHECK(tsr_empty(layout, single ? TSR_F32 : TSR_F64, &array));
    const tsr_view v = tsr_local(array);
    for (int64_t i = 0; i < v.extent[0]; ++i) {
        const double value = element(v.start[0] + i, factor);
        if (single)
            TSR_AT(float, v, i) = (float)value;
        else
            TSR_AT(double, v, i) = value;
    }
    return array;
}

/* ---- the cases ------------------------------------------------------------------------------- */

static void measure(const bench_options *options, const state *made, reduce_operation operation,
                    bool fast)
{
    state s = *made;
    s.problem.operation = operation;
    s.fast = fast;
    s.expected = expected_of(&s, 0, s.all);
    s.part = expected_of(&s, s.first, s.problem.n);
    const bench_entry entries[] = {{"read", BENCH_FLOOR, &s, read_floor, bench_no_result, NULL},
                                   {"tessera", BENCH_OURS, &s, run_ours, verify_ours, NULL},
                                   {"loop", BENCH_HAND, &s, loop, verify_loop, NULL},
                                   {"numpy", BENCH_PEER, &s, NULL, verify_numpy, time_numpy}};
    char name[32], parameters[64];
    snprintf(name, sizeof name, "%s%s", fast ? "fast_" : "", reduce_names[operation]);
    snprintf(parameters, sizeof parameters, "%s n=%lld", s.problem.single ? "f32" : "f64",
             (long long)s.all);
    if (s.numpy != NULL) set_numpy(&s);
    bench_case(options, name, parameters, s.numpy != NULL ? 4 : 3, entries);
}

static void measure_all(const bench_options *options, int64_t n, bool single,
                        const char *operations, bench_python *numpy)
{
    tsr_layout *layout = NULL;
    state s = {.all = n, .problem.single = single, .numpy = numpy};
    TSR_CHECK(tsr_layout_create(TSR_COMM_WORLD, 1, &n, NULL, &layout));
    s.x = make_array(layout, single, x_factor);
    s.y = make_array(layout, single, y_factor);
    const tsr_view x = tsr_local(s.x), y = tsr_local(s.y);
    s.first = x.start[0];
    s.problem.n = x.extent[0];
    s.problem.x = x.data;
    s.problem.y = y.data;
    for (int o = 0; o < REDUCE_OPERATIONS; ++o) {
        if (!bench_has_word(operations, reduce_names[o])) continue;
        measure(options, &s, (reduce_operation)o, false);
        if (o == REDUCE_SUM || o == REDUCE_VAR) measure(options, &s, (reduce_operation)o, true);
    }
    TSR_CHECK(tsr_array_destroy(&s.x));
    TSR_CHECK(tsr_array_destroy(&s.y));
    TSR_CHECK(tsr_layout_destroy(&layout));
}

int main(int argc, char **argv)
{
    bench_pin();
    TSR_CHECK(tsr_init(&argc, &argv));
    const bench_options options = bench_read_options(argc, argv);
    const bench_list sizes =
        bench_numbers(argc, argv, "--n", "1000,100000,10000000,100000000", 1, INT64_C(1) << 40);
    const char *types = bench_option(argc, argv, "--type", "f64,f32");
    const char *operations = bench_option(argc, argv, "--op", "sum,dot,norm,var,max,argmax");
    const char *python = bench_option(argc, argv, "--python", "build/bench/venv/bin/python");
    bench_python *numpy = bench_python_start(python, "reduce/peers.py");
    bench_check_options(argc, argv);

    for (int single = 0; single < 2; ++single) {
        if (!bench_has_word(types, single ? "f32" : "f64")) continue;
        for (int k = 0; k < sizes.count; ++k)
            measure_all(&options, sizes.number[k], single, operations, numpy);
    }
    bench_python_end(numpy);
    return tsr_finalize();
}
