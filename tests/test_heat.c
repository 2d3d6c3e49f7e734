/* ranks: 1 2 3 4 6 8 */
/* timeout: 300 */
/* End to end: the heat equation of T-1 to T-3 on 128 x 128 cells, to the bit the same as a serial
 * computation in this file, at every rank count; and X-5. */
#include "support/halo_fixture.h"

#include <math.h>

enum { N = 128 };

static double initial(int64_t i, int64_t j)
{
    const double x = ((double)i + 0.5) / N, y = ((double)j + 0.5) / N;
    return exp(-((x - 0.3) * (x - 0.3) + (y - 0.6) * (y - 0.6)) / 0.005);
}

static double step(double mid, double up, double down, double left, double right)
{
    const double k = 0.2 / (N * N), cell = 1.0 / N;
    return mid + k * (up + down + left + right - 4 * mid) / (cell * cell);
}

/* ---- serial ---------------------------------------------------------------------------------- */

static double serial_field[2][N][N];

static int inside(int i)
{
    return i < 0 ? 0 : i >= N ? N - 1 : i;
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
                    step(u[i][j], u[inside(i - 1)][j], u[inside(i + 1)][j], u[i][inside(j - 1)],
                         u[i][inside(j + 1)]);
    }
    return &serial_field[steps % 2][0][0];
}

/* ---- distributed ----------------------------------------------------------------------------- */

static tsr_status start_values(const int64_t *index, int64_t count, void *values, void *ctx)
{
    (void)ctx;
    for (int64_t j = 0; j < count; ++j)
        ((double *)values)[j] = initial(index[0], index[1] + j);
    return TSR_OK;
}

typedef struct heat {
    tsr_layout *layout;
    tsr_array *u, *next;
} heat;

static heat heat_begin(void)
{
    heat h = {0};
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(N, N),
                               &(tsr_layout_options){.split = TSR_AXES(0, 1), .halo = {1, 1}},
                               &h.layout));
    CHECK_OK(tsr_fromfunction(h.layout, TSR_F64, start_values, NULL, &h.u));
    CHECK_OK(tsr_array_set_boundary(h.u, TSR_ALL_AXES, TSR_BOTH_SIDES, TSR_EDGE, tsr_f64(0)));
    CHECK_OK(tsr_zeros_like(h.u, &h.next));
    return h;
}

static void heat_end(heat *h)
{
    CHECK_OK(tsr_array_destroy(&h->u));
    CHECK_OK(tsr_array_destroy(&h->next));
    CHECK_OK(tsr_layout_destroy(&h->layout));
}

static void step_box(const heat *h, int64_t i0, int64_t i1, int64_t j0, int64_t j1)
{
    const tsr_view u = tsr_local(h->u), w = tsr_local(h->next);
    for (int64_t i = i0; i < i1; ++i)
        for (int64_t j = j0; j < j1; ++j)
            TSR_AT(double, w, i, j) = step(TSR_AT(double, u, i, j), TSR_AT(double, u, i - 1, j),
                                           TSR_AT(double, u, i + 1, j), TSR_AT(double, u, i, j - 1),
                                           TSR_AT(double, u, i, j + 1));
}

static void step_blocking(heat *h)
{
    const tsr_view u = tsr_local(h->u);
    CHECK_OK(tsr_halo_update(h->u, &(tsr_halo_options){.faces_only = true}));
    step_box(h, 0, u.extent[0], 0, u.extent[1]);
    CHECK_OK(tsr_array_swap(h->u, h->next));
}

/* The inner cells while the halo is on its way, then the rim. */
static void step_overlapped(heat *h)
{
    const tsr_view u = tsr_local(h->u);
    const int64_t rows = u.extent[0], columns = u.extent[1];
    tsr_pending *pending = NULL;

    CHECK_OK(tsr_halo_start(1, &h->u, NULL, &pending));
    step_box(h, 1, rows - 1, 1, columns - 1);
    CHECK_OK(tsr_halo_finish(&pending));
    step_box(h, 0, 1, 0, columns);
    step_box(h, rows - 1, rows, 0, columns);
    step_box(h, 1, rows - 1, 0, 1);
    step_box(h, 1, rows - 1, columns - 1, columns);
    CHECK_OK(tsr_array_swap(h->u, h->next));
}

static void check_field(const heat *h, int steps, double expected_max)
{
    static double field[N][N];
    tsr_scalar sum, max;
    int row = 0, column = 0;

    CHECK_OK(tsr_sum(h->u, &sum));
    CHECK_DOUBLE(tsr_to_double(sum), 257.35926993749206, 1e-9);
    CHECK_OK(tsr_max(h->u, &max));
    CHECK_DOUBLE(tsr_to_double(max), expected_max, 1e-12);

    CHECK_OK(tsr_gather(h->u, TSR_ALL_RANKS, field));
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            if (field[i][j] > field[row][column]) {
                row = i;
                column = j;
            }
    CHECK_INT(row, 38);
    CHECK_INT(column, 76);
    CHECK_DOUBLE(field[row][column], tsr_to_double(max), 0);
    CHECK(memcmp(field, serial_steps(steps), sizeof field) == 0);
}

static void run(void (*one_step)(heat *))
{
    static const struct {
        int steps;
        double max;
    } stops[] = {{0, 0.9987800416299873},
                 {1, 0.9890973826926331},
                 {50, 0.6708218769886051},
                 {400, 0.20364999696933966}};
    heat h = heat_begin();
    int steps = 0;

    for (size_t k = 0; k < sizeof stops / sizeof stops[0]; ++k) {
        for (; steps < stops[k].steps; ++steps)
            one_step(&h);
        check_field(&h, steps, stops[k].max);
    }
    heat_end(&h);
}

static void T_1_T_2_heat_equation(void **state)
{
    (void)state;
    run(step_blocking);
}

static void T_3_heat_equation_without_blocking(void **state)
{
    (void)state;
    run(step_overlapped);
}

/* ---- X-5 ------------------------------------------------------------------------------------- */

static void X_5_one_rank(void **state)
{
    (void)state;
    const int64_t expected[8] = {5, 0, 1, 2, 3, 4, 5, 0};
    tsr_array *array = NULL;
    tsr_scalar sum;

    tsr_comm comm = fixture_comm(1);
    if (tsrt_rank() == 0) {
        CHECK_OK(tsr_arange(comm, tsr_i64(0), tsr_i64(6), tsr_i64(1), TSR_AUTO,
                            &(tsr_layout_options){.halo = {1}, .periodic = TSR_AXES(0)}, &array));
        CHECK_INT(tsr_array_dtype(array), TSR_I64);
        CHECK_OK(tsr_halo_update(array, NULL));
        const tsr_view v = tsr_local(array);
        for (int64_t i = -1; i < 7; ++i)
            CHECK_INT(TSR_AT(int64_t, v, i), expected[i + 1]);
        CHECK_OK(tsr_sum(array, &sum));
        CHECK_INT(tsr_to_int64(sum), 15);
        CHECK_OK(tsr_array_destroy(&array));
    }
    fixture_comm_end(comm);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(T_1_T_2_heat_equation),
        cmocka_unit_test(T_3_heat_equation_without_blocking),
        cmocka_unit_test(X_5_one_rank),
    };
    return TSRT_RUN(argc, argv, tests);
}
