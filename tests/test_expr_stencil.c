/* ranks: 1 2 3 4 6 */
/* timeout: 300 */
/* Shifted operands: what they read at the boundaries, what they exchange, outputs that are shifted
 * operands, too, and T-1, T-2 as one expression. */
#include "support/expr_cases.h"

#include <math.h>

/* ---- T-1, T-2 -------------------------------------------------------------------------------- */

enum { N = 128 };
static const double K = 0.2;

static double serial_field[2][N][N];

static int inside(int i)
{
    return i < 0 ? 0 : i >= N ? N - 1 : i;
}

static double initial(int64_t i, int64_t j)
{
    const double x = ((double)i + 0.5) / N, y = ((double)j + 0.5) / N;
    return exp(-((x - 0.3) * (x - 0.3) + (y - 0.6) * (y - 0.6)) / 0.005);
}

static tsr_status hot_spot(const int64_t *index, int64_t count, void *values, void *ctx)
{
    (void)ctx;
    for (int64_t j = 0; j < count; ++j)
        ((double *)values)[j] = initial(index[0], index[1] + j);
    return TSR_OK;
}

static const double *serial_steps(int steps)
{
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            serial_field[0][i][j] = initial(i, j);
    for (int n = 0; n < steps; ++n) {
        const double(*u)[N] = (const double(*)[N])serial_field[n % 2];
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j)
                serial_field[1 - n % 2][i][j] =
                    u[i][j] + K * (u[inside(i - 1)][j] + u[inside(i + 1)][j] + u[i][inside(j - 1)] +
                                   u[i][inside(j + 1)] - 4 * u[i][j]);
    }
    return &serial_field[steps % 2][0][0];
}

static tsr_layout *plate(void)
{
    tsr_layout *layout = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(N, N),
                               &(tsr_layout_options){.split = TSR_AXES(0, 1), .halo = {1, 1}},
                               &layout));
    return layout;
}

static const char heat[] = "u + K*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)";

static void T_1_T_2_heat(void **state)
{
    (void)state;
    tsr_layout *layout = plate();
    tsr_array *u = NULL, *next = NULL;
    tsr_scalar max, sum;
    static double field[N * N];

    CHECK_OK(tsr_fromfunction(layout, TSR_F64, hot_spot, NULL, &u));
    CHECK_OK(tsr_array_set_boundary(u, TSR_ALL_AXES, TSR_BOTH_SIDES, TSR_EDGE, tsr_f64(0)));
    CHECK_OK(tsr_empty_like(u, &next));
    for (int n = 1; n <= 50; ++n) {
        CHECK_OK(tsr_eval(next, heat, TSR_ARG(u), TSR_ARG(K)));
        CHECK_OK(tsr_array_swap(u, next));
        if (n != 1 && n != 50) continue;
        CHECK_OK(tsr_max(u, &max));
        CHECK_DOUBLE(tsr_to_double(max), n == 1 ? 0.9890973826926331 : 0.6708218769886051, 1e-12);
    }
    CHECK_OK(tsr_sum(u, &sum));
    CHECK_DOUBLE(tsr_to_double(sum), 257.35926993749206, 1e-9);
    CHECK_OK(tsr_gather(u, TSR_ALL_RANKS, field));
    CHECK(memcmp(field, serial_steps(50), sizeof field) == 0);

    /* the same into itself */
    CHECK_OK(tsr_array_destroy(&u));
    CHECK_OK(tsr_fromfunction(layout, TSR_F64, hot_spot, NULL, &u));
    CHECK_OK(tsr_array_set_boundary(u, TSR_ALL_AXES, TSR_BOTH_SIDES, TSR_EDGE, tsr_f64(0)));
    for (int n = 1; n <= 10; ++n)
        CHECK_OK(tsr_eval(u, heat, TSR_ARG(u), TSR_ARG(K)));
    CHECK_OK(tsr_gather(u, TSR_ALL_RANKS, field));
    CHECK(memcmp(field, serial_steps(10), sizeof field) == 0);
    CHECK_OK(tsr_array_destroy(&u));
    CHECK_OK(tsr_array_destroy(&next));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* ---- what is exchanged ----------------------------------------------------------------------- */

typedef struct cost {
    int64_t messages, bytes;
} cost;

static cost cost_of_eval(tsr_array *out, const char *text, int count, const tsr_arg *args)
{
    CHECK_OK(tsr_evalv(out, text, count, args));
    const tsri_counters before = tsri_counters_read();
    CHECK_OK(tsr_evalv(out, text, count, args));
    const tsri_counters after = tsri_counters_read();
    CHECK_INT(after.allocations, before.allocations);
    return (cost){after.messages - before.messages, after.message_bytes - before.message_bytes};
}

static cost cost_of_update(int count, tsr_array *const *arrays, const tsr_halo_options *options)
{
    CHECK_OK(tsr_halo_update_many(count, arrays, options));
    const tsri_counters before = tsri_counters_read();
    CHECK_OK(tsr_halo_update_many(count, arrays, options));
    const tsri_counters after = tsri_counters_read();
    return (cost){after.messages - before.messages, after.message_bytes - before.message_bytes};
}

static void check_cost(cost got, cost right)
{
    CHECK_INT(got.messages, right.messages);
    CHECK_INT(got.bytes, right.bytes);
}

/* No corners for a star, no more than the offsets ask for, one exchange for all arrays, and nothing
 * for operands that stay in place. */
static void only_what_is_read_is_exchanged(void **state)
{
    (void)state;
    tsr_layout *layout = NULL;
    tsr_array *u = NULL, *v = NULL, *out = NULL;

    CHECK_OK(tsr_layout_create(
        TSR_COMM_WORLD, 2, TSR_SHAPE(24, 24),
        &(tsr_layout_options){.split = TSR_AXES(0, 1), .halo = {2, 2}, .periodic = TSR_AXES(0, 1)},
        &layout));
    CHECK_OK(tsr_zeros(layout, TSR_F64, &u));
    CHECK_OK(tsr_zeros(layout, TSR_F64, &v));
    CHECK_OK(tsr_zeros(layout, TSR_F64, &out));
    const tsr_arg args[] = {TSR_ARG(u), TSR_ARG(v)};
    tsr_array *const both[] = {u, v};

    check_cost(cost_of_eval(out, "u + v", 2, args), (cost){0, 0});
    check_cost(cost_of_eval(out, "u[0,0] + v", 2, args), (cost){0, 0});
    check_cost(cost_of_eval(out, "u[-1,0] + u[1,0] + u[0,-1] + u[0,1] + v", 2, args),
               cost_of_update(1, both,
                              &(tsr_halo_options){
                                  .width_lo = {1, 1}, .width_hi = {1, 1}, .faces_only = true}));
    check_cost(cost_of_eval(out, "u[-2,0] + u[0,1]", 2, args),
               cost_of_update(1, both,
                              &(tsr_halo_options){.width_lo = {2, TSR_NO_HALO},
                                                  .width_hi = {TSR_NO_HALO, 1},
                                                  .faces_only = true}));
    check_cost(cost_of_eval(out, "u[-1,-1] + u", 2, args),
               cost_of_update(1, both,
                              &(tsr_halo_options){.width_lo = {1, 1},
                                                  .width_hi = {TSR_NO_HALO, TSR_NO_HALO}}));
    check_cost(cost_of_eval(out, "u[1,0] - v[1,0]", 2, args),
               cost_of_update(2, both,
                              &(tsr_halo_options){.width_lo = {TSR_NO_HALO, TSR_NO_HALO},
                                                  .width_hi = {1, TSR_NO_HALO},
                                                  .faces_only = true}));
    const cost column = cost_of_update(
        1, both,
        &(tsr_halo_options){.width_lo = {TSR_NO_HALO, TSR_NO_HALO}, .width_hi = {TSR_NO_HALO, 1}});
    const cost row = cost_of_update(
        1, both,
        &(tsr_halo_options){.width_lo = {1, TSR_NO_HALO}, .width_hi = {TSR_NO_HALO, TSR_NO_HALO}});
    const cost corner = cost_of_update(
        1, both, &(tsr_halo_options){.width_lo = {1, TSR_NO_HALO}, .width_hi = {TSR_NO_HALO, 1}});
    const cost mixed = cost_of_eval(out, "u[-1,0] - v[0,1]", 2, args);
    CHECK_INT(mixed.bytes, row.bytes + column.bytes);
    CHECK(mixed.messages <= row.messages + column.messages);
    /* both corners of a diagonal, and not the other two */
    const cost diagonal = cost_of_eval(out, "u[-1,1] + u[1,-1]", 2, args);
    CHECK_INT(diagonal.bytes, 2 * corner.bytes);
    const tsr_arg twice[] = {TSR_ARG_AS("a", u), TSR_ARG_AS("b", u)};
    check_cost(cost_of_eval(out, "a[1,0] - b[-1,0]", 2, twice),
               cost_of_update(1, both,
                              &(tsr_halo_options){.width_lo = {1, TSR_NO_HALO},
                                                  .width_hi = {1, TSR_NO_HALO},
                                                  .faces_only = true}));
    CHECK_OK(tsr_array_destroy(&u));
    CHECK_OK(tsr_array_destroy(&v));
    CHECK_OK(tsr_array_destroy(&out));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* ---- into itself ----------------------------------------------------------------------------- */

/* Every way to read a line, written into itself: as if a temporary had been made. */
static void check_into_itself(int ndim, const int64_t *shape, const char *text)
{
    tsr_layout_options options = {.periodic = TSR_AXIS(0),
                                  .split = ndim == 1 ? TSR_AXIS(0) : TSR_AXES(0, 1),
                                  .allow_empty = true};
    tsr_layout *layout = NULL;
    tsr_array *u = NULL, *fresh = NULL;

    for (int axis = 0; axis < ndim; ++axis) {
        options.halo_lo[axis] = 3 - axis;
        options.halo_hi[axis] = 1 + axis;
    }
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, ndim, shape, &options, &layout));
    CHECK_OK(tsr_zeros(layout, TSR_I64, &u));
    CHECK_OK(tsr_array_set_boundary(u, TSR_ALL_AXES, TSR_BOTH_SIDES, TSR_SYMMETRIC, tsr_i64(0)));
    CHECK_OK(tsr_eval(u, ndim == 1   ? "i0*i0 % 1013"
                         : ndim == 2 ? "i0*i0 % 1013 + i1*7"
                                     : "(i0*31 + i1)*17 + i2*i2"));
    CHECK_OK(tsr_eval_new(&fresh, text, TSR_ARG(u)));
    const size_t bytes = tsr_array_bytes(u);
    unsigned char *a = malloc(bytes + 1), *b = malloc(bytes + 1);
    CHECK(a != NULL && b != NULL);
    CHECK_OK(tsr_gather(fresh, TSR_ALL_RANKS, a));
    for (int round = 0; round < 2; ++round) {
        CHECK_OK(tsr_eval(u, text, TSR_ARG(u)));
        CHECK_OK(tsr_gather(u, TSR_ALL_RANKS, b));
        if (memcmp(a, b, bytes) != 0)
            tsrt_fail(__FILE__, __LINE__, "%s of %d axes, round %d", text, ndim, round);
        CHECK_OK(tsr_array_destroy(&fresh));
        CHECK_OK(tsr_eval_new(&fresh, text, TSR_ARG(u)));
        CHECK_OK(tsr_gather(fresh, TSR_ALL_RANKS, a));
    }
    free(a);
    free(b);
    CHECK_OK(tsr_array_destroy(&fresh));
    CHECK_OK(tsr_array_destroy(&u));
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void outputs_that_are_shifted(void **state)
{
    (void)state;
    static const int64_t lines[] = {1, 2, 5, 31, 4096, 20000};
    static const char *const of_lines[] = {"u[-1] + 2*u[1] - u", "u[-3]", "u[1]", "u[-3] + u[1]"};
    static const int64_t planes[][2] = {{1, 1}, {5, 3}, {40, 7}, {3, 2000}, {150, 150}};
    static const char *const of_planes[] = {"u[-1,2] + u[1,-1]", "u[-3,-2]", "u[0,1] - u[1,0]"};

    for (size_t n = 0; n < sizeof lines / sizeof *lines; ++n)
        for (size_t k = 0; k < sizeof of_lines / sizeof *of_lines; ++k)
            check_into_itself(1, &lines[n], of_lines[k]);
    for (size_t n = 0; n < sizeof planes / sizeof *planes; ++n)
        for (size_t k = 0; k < sizeof of_planes / sizeof *of_planes; ++k)
            check_into_itself(2, planes[n], of_planes[k]);
    check_into_itself(3, TSR_SHAPE(20, 12, 11), "u[-2,1,3] + u[1,-2,-1] + u");
}

/* ---- boundaries ------------------------------------------------------------------------------ */

/* Beyond a wall that is left alone are the halo cells as they are. */
static void walls_left_alone(void **state)
{
    (void)state;
    tsr_layout *layout = expr_line(6);
    tsr_array *u = NULL, *c = NULL;

    CHECK_OK(tsr_full(layout, TSR_F64, tsr_f64(9), &u));
    CHECK_OK(tsr_eval(u, "i0"));
    CHECK_OK(tsr_eval_new(&c, "u[-1] + u[1]", TSR_ARG(u)));
    expr_check(c, TSR_F64, (const double[]){10, 2, 4, 6, 8, 13}, 0, "left alone");
    CHECK_OK(tsr_array_destroy(&u));
    CHECK_OK(tsr_array_destroy(&c));
    CHECK_OK(tsr_layout_destroy(&layout));
}

static tsr_status fails(tsr_view view, int axis, tsr_side side, const int64_t *lo,
                        const int64_t *hi, void *ctx)
{
    (void)view, (void)axis, (void)side, (void)lo, (void)hi, (void)ctx;
    return TSR_ERR_IO;
}

static void a_boundary_function_that_fails(void **state)
{
    (void)state;
    tsr_layout *layout = expr_line(6);
    tsr_array *u = NULL, *c = NULL;

    CHECK_OK(tsr_ones(layout, TSR_F64, &u));
    CHECK_OK(tsr_array_set_boundary_function(u, TSR_AXIS(0), TSR_LOW_SIDE, fails, NULL));
    CHECK_STATUS(tsr_eval_new(&c, "u[-1]", TSR_ARG(u)), TSR_ERR_IO);
    CHECK(c == NULL);
    CHECK_OK(tsr_array_set_boundary(u, TSR_AXIS(0), TSR_LOW_SIDE, TSR_EDGE, tsr_f64(0)));
    CHECK_OK(tsr_eval_new(&c, "u[-1]", TSR_ARG(u)));
    CHECK_OK(tsr_array_destroy(&u));
    CHECK_OK(tsr_array_destroy(&c));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* While an exchange of the user's is under way. */
static void pending_exchanges(void **state)
{
    (void)state;
    tsr_layout *layout = expr_line(12);
    tsr_array *u = NULL, *c = NULL;
    tsr_pending *pending = NULL;

    CHECK_OK(tsr_ones(layout, TSR_F64, &u));
    CHECK_OK(tsr_halo_start(1, &u, NULL, &pending));
    CHECK_STATUS(tsr_eval(u, "1"), TSR_ERR_STATE);
    CHECK_STATUS(tsr_eval_new(&c, "u[1]", TSR_ARG(u)), TSR_ERR_STATE);
    CHECK(c == NULL);
    CHECK_OK(tsr_eval_new(&c, "u + 1", TSR_ARG(u))); /* reads the block alone */
    CHECK_OK(tsr_halo_finish(&pending));
    CHECK_OK(tsr_array_destroy(&u));
    CHECK_OK(tsr_array_destroy(&c));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* An exponent that one rank alone refuses, in a program that is fresh and in one that is kept:
 * nobody waits for its halo cells, and nothing is written. */
static void exponents_of_one_rank(void **state)
{
    (void)state;
    tsr_layout *layout = expr_line(12);
    tsr_array *u = NULL, *c = NULL;
    tsr_scalar s;

    CHECK_OK(tsr_full(layout, TSR_I64, tsr_i64(3), &u));
    CHECK_OK(tsr_full(layout, TSR_I64, tsr_i64(5), &c));
    for (int k = 0; k < 2; ++k) {
        const tsr_scalar n = tsr_i64(tsrt_rank() == tsrt_size() - 1 ? -1 : 2), two = tsr_i64(2);
        CHECK_STATUS(tsr_eval(c, "u[0]**n + u[1]", TSR_ARG(u), TSR_ARG(n)), TSR_ERR_VALUE);
        CHECK_STATUS(tsr_sum_expr(&s, "u[1]**n", TSR_ARG(u), TSR_ARG(n)), TSR_ERR_VALUE);
        CHECK_OK(tsr_sum(c, &s));
        CHECK_INT(tsr_to_int64(s), 12 * (k == 0 ? 5 : 12));
        CHECK_OK(tsr_array_set_boundary(u, TSR_AXIS(0), TSR_BOTH_SIDES, TSR_EDGE, tsr_f64(0)));
        CHECK_OK(tsr_eval(c, "u[0]**n + u[1]", TSR_ARG(u), TSR_ARG_AS("n", two)));
    }
    CHECK_OK(tsr_array_destroy(&u));
    CHECK_OK(tsr_array_destroy(&c));
    CHECK_OK(tsr_layout_destroy(&layout));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(T_1_T_2_heat),
                                       cmocka_unit_test(only_what_is_read_is_exchanged),
                                       cmocka_unit_test(outputs_that_are_shifted),
                                       cmocka_unit_test(walls_left_alone),
                                       cmocka_unit_test(a_boundary_function_that_fails),
                                       cmocka_unit_test(pending_exchanges),
                                       cmocka_unit_test(exponents_of_one_rank)};
    return TSRT_RUN(argc, argv, tests);
}
