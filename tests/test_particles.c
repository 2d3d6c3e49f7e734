/* ranks: 1 2 3 4 5 6 8 */
/* timeout: 300 */
/* End to end: particles in a periodic box.  T-7, T-8 and M-13. */
#include "support/harness.h"

#include <math.h>

enum { N = 64, PARTICLES = 2000, STEPS = 20 };

/* ---- particles, the same whatever rank makes them -------------------------------------------- */

static double number_of(int64_t id, int stream)
{
    uint64_t z = (uint64_t)id * 131 + (uint64_t)stream * 7919 + 1;
    for (int k = 0; k < 4; ++k)
        z = (z ^ z >> 29) * UINT64_C(0xd6e8feb86659fd93);
    return (double)(z >> 12) * 0x1p-52;
}

static void position_of(int64_t id, double x[2])
{
    for (int a = 0; a < 2; ++a)
        x[a] = number_of(id, a);
}

typedef struct swarm {
    int64_t n;
    double (*x)[2]; /* in the unit square */
    int64_t *id;
} swarm;

/* Each rank makes every size-th of them, wherever they are. */
static swarm swarm_make(void)
{
    swarm s = {0};
    s.x = malloc(PARTICLES * sizeof *s.x);
    s.id = malloc(PARTICLES * sizeof *s.id);
    for (int64_t id = tsrt_rank(); id < PARTICLES; id += tsrt_size()) {
        position_of(id, s.x[s.n]);
        s.id[s.n++] = id;
    }
    return s;
}

static void swarm_free(swarm *s)
{
    free(s->x);
    free(s->id);
}

static tsr_layout *box(int split)
{
    tsr_layout *layout = NULL;
    const tsr_axes both = TSR_AXES(0, 1);
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(N, N),
                               &(tsr_layout_options){.split = split == 2 ? both : TSR_AXIS(split),
                                                     .halo = {1, 1},
                                                     .periodic = both},
                               &layout));
    return layout;
}

/* By indices that the caller makes: floor(position / spacing), modulo the length by TSR_WRAP. */
static void home_by_cells(swarm *s, const tsr_layout *grid)
{
    int64_t(*cells)[2] = malloc((size_t)(s->n + 1) * sizeof *cells);
    int *owner = malloc((size_t)(s->n + 1) * sizeof *owner);
    for (int64_t i = 0; i < s->n; ++i)
        for (int a = 0; a < 2; ++a) {
            cells[i][a] = (int64_t)floor(s->x[i][a] * N);
            s->x[i][a] -= floor(s->x[i][a]);
            if (s->x[i][a] >= 1) s->x[i][a] = 0;
        }
    CHECK_OK(tsr_layout_owners(grid, s->n, &cells[0][0], TSR_WRAP, owner));
    CHECK_OK(tsr_migrate(TSR_COMM_WORLD, &s->n, owner, TSR_ROWS(s->x, sizeof *s->x),
                         TSR_ROWS(s->id, sizeof *s->id)));
    free(cells);
    free(owner);
}

static void home_by_positions(swarm *s, const tsr_layout *grid)
{
    int *owner = malloc((size_t)(s->n + 1) * sizeof *owner);
    const double spacing[2] = {1.0 / N, 1.0 / N};
    const tsr_positions where = {.dtype = TSR_F64, .data = s->x, .spacing = spacing};
    int64_t left = -1;
    CHECK_OK(tsr_layout_locate(grid, s->n, &where, TSR_WRAP, NULL, owner, &left));
    CHECK_INT(left, 0);
    CHECK_OK(tsr_migrate(TSR_COMM_WORLD, &s->n, owner, TSR_ROWS(s->x, sizeof *s->x),
                         TSR_ROWS(s->id, sizeof *s->id)));
    free(owner);
}

/* Every particle is there once, and on the rank that owns the cell it is in. */
static void check_homes(const swarm *s, const tsr_layout *grid)
{
    static unsigned char seen[PARTICLES], all[PARTICLES];
    memset(seen, 0, sizeof seen);
    memset(all, 0, sizeof all);
    for (int64_t i = 0; i < s->n; ++i) {
        int64_t cell[2];
        int owner = -1;
        for (int a = 0; a < 2; ++a) {
            CHECK(s->x[i][a] >= 0 && s->x[i][a] < 1);
            cell[a] = (int64_t)floor(s->x[i][a] * N);
        }
        CHECK_OK(tsr_layout_owner(grid, cell, &owner));
        CHECK_INT(owner, tsrt_rank());
        CHECK(s->id[i] >= 0 && s->id[i] < PARTICLES);
        ++seen[s->id[i]];
    }
    for (int r = 0; r < tsrt_size(); ++r) {
        unsigned char theirs[PARTICLES];
        memcpy(theirs, seen, sizeof theirs);
        tsrt_bcast(theirs, sizeof theirs, r);
        for (int k = 0; k < PARTICLES; ++k)
            all[k] = (unsigned char)(all[k] + theirs[k]);
    }
    for (int k = 0; k < PARTICLES; ++k)
        CHECK_INT(all[k], 1);
}

/* ---- T-7 ------------------------------------------------------------------------------------- */

/* Shares of the four cells around a position; cell values are at cell middles. */
static void deposit(const swarm *s, const tsr_view *v)
{
    for (int64_t k = 0; k < s->n; ++k) {
        const double i = floor(s->x[k][0] * N - 0.5), j = floor(s->x[k][1] * N - 0.5);
        const double a = s->x[k][0] * N - 0.5 - i, b = s->x[k][1] * N - 0.5 - j;
        for (int m = 0; m < 4; ++m)
            TSR_AT(double, *v, (int64_t)i - v->start[0] + m / 2,
                   (int64_t)j - v->start[1] + m % 2) += (m / 2 ? a : 1 - a) * (m % 2 ? b : 1 - b);
    }
}

/* The same on a copy of the whole grid that each rank has, halo and all. */
static void deposit_replicated(const swarm *s, double *whole)
{
    tsr_layout *layout = NULL;
    tsr_array *copy = NULL;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(N, N),
                               &(tsr_layout_options){.split = TSR_WHOLE}, &layout));
    CHECK_OK(tsr_zeros(layout, TSR_F64, &copy));
    const tsr_view v = tsr_local(copy);
    for (int64_t k = 0; k < s->n; ++k) {
        const double i = floor(s->x[k][0] * N - 0.5), j = floor(s->x[k][1] * N - 0.5);
        const double a = s->x[k][0] * N - 0.5 - i, b = s->x[k][1] * N - 0.5 - j;
        for (int m = 0; m < 4; ++m)
            TSR_AT(double, v, ((int64_t)i + m / 2 + N) % N, ((int64_t)j + m % 2 + N) % N) +=
                (m / 2 ? a : 1 - a) * (m % 2 ? b : 1 - b);
    }
    CHECK_OK(tsr_allreduce_replicated(copy, TSR_SUM));
    CHECK_OK(tsr_gather(copy, TSR_ALL_RANKS, whole));
    CHECK_OK(tsr_array_destroy(&copy));
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void T_7_deposits_are_accumulated(void **state)
{
    static double distributed[N * N], replicated[N * N];
    (void)state;
    for (int split = 0; split < 3; ++split) {
        tsr_layout *grid = box(split);
        tsr_array *rho = NULL;
        CHECK_OK(tsr_zeros(grid, TSR_F64, &rho));
        CHECK_OK(tsr_halo_clear(rho, TSR_ALL_AXES));
        swarm s = swarm_make();
        deposit_replicated(&s, replicated);
        home_by_positions(&s, grid);
        const tsr_view v = tsr_local(rho);
        deposit(&s, &v);
        CHECK_OK(tsr_halo_accumulate(rho, NULL));

        tsr_scalar sum;
        CHECK_OK(tsr_sum(rho, &sum));
        CHECK_DOUBLE(tsr_to_double(sum), PARTICLES, 1e-9 * PARTICLES);
        CHECK_OK(tsr_gather(rho, TSR_ALL_RANKS, distributed));
        for (int c = 0; c < N * N; ++c)
            CHECK_DOUBLE(distributed[c], replicated[c], 1e-12);
        swarm_free(&s);
        CHECK_OK(tsr_array_destroy(&rho));
        CHECK_OK(tsr_layout_destroy(&grid));
    }
}

/* ---- T-8 and M-13 ---------------------------------------------------------------------------- */

static void T_8_M_13_twenty_steps(void **state)
{
    (void)state;
    for (int split = 0; split < 3; ++split) {
        tsr_layout *grid = box(split);
        swarm s = swarm_make();
        for (int step = 0; step < STEPS; ++step) {
            for (int64_t i = 0; i < s.n; ++i)
                for (int a = 0; a < 2; ++a)
                    s.x[i][a] += 0.2 * (number_of(s.id[i], 2 + a) - 0.5) +
                                 (step == 7 ? 3 * (number_of(s.id[i], 4) - 0.5) : 0);
            if (step % 2)
                home_by_cells(&s, grid);
            else
                home_by_positions(&s, grid);
            if (step % 5 == 4) check_homes(&s, grid);
        }
        swarm_free(&s);
        CHECK_OK(tsr_layout_destroy(&grid));
    }
}

/* Sends and receives match pairwise although no two ranks do the same: the first sends to itself
 * and the next, the others to both neighbours. */
static void one_left_one_right(void **state)
{
    (void)state;
    const int rank = tsrt_rank(), size = tsrt_size();
    int64_t n = 2, *id = malloc(2 * sizeof *id);
    const int owner[2] = {rank == 0 ? 0 : rank - 1, (rank + 1) % size};
    id[0] = 2 * rank;
    id[1] = 2 * rank + 1;
    CHECK_OK(tsr_migrate(TSR_COMM_WORLD, &n, owner, TSR_ROWS(id, sizeof *id)));
    int64_t k = 0;
    for (int from = 0; from < size; ++from)
        for (int row = 0; row < 2; ++row) {
            const int to = row == 1 ? (from + 1) % size : from == 0 ? 0 : from - 1;
            if (to == rank) CHECK_INT(id[k++], 2 * from + row);
        }
    CHECK_INT(k, n);
    free(id);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(T_7_deposits_are_accumulated),
        cmocka_unit_test(T_8_M_13_twenty_steps),
        cmocka_unit_test(one_left_one_right),
    };
    return TSRT_RUN(argc, argv, tests);
}
