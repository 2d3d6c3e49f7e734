/* Particles in a periodic square whose charges attract one another over a short range:
 * cloud-in-cell.
 *
 *     particles [--size N] [--particles N] [--steps N] [--output PREFIX]
 *
 * In each step the particles leave their charge on the grid, a screened potential is relaxed there,
 * and its slope pushes them; those that leave a block move to the rank that owns where they are.
 * They gather in clumps, so the blocks are cut anew when one rank has far more than its share.
 * Their number and charge are conserved. */
/* ranks: 1 2 3 4 */
/* test-args: --size 32 --particles 3000 --steps 40 */
#define _POSIX_C_SOURCE 200809L
#include <tessera.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: particles [--size N] [--particles N] [--steps N] [--output PREFIX]\n"
    "  --size N         cells along each side of the square (128)\n"
    "  --particles N    how many (100000)\n"
    "  --steps N        time steps (200)\n"
    "  --output PREFIX  write the last density as PREFIX.npy and PREFIX.png\n";

typedef struct {
    int64_t size, particles, steps;
    const char *output;
} options;

/* This rank's particles; lengths are in cells. */
typedef struct {
    int64_t n;
    double (*x)[2], (*v)[2];
    double *charge;
    int64_t *id;
} particles;

typedef struct {
    tsr_layout *grid;
    tsr_array *rho, *phi, *slope[2];
} fields;

/* What is the same all along: one number a rank, to compare loads. */
typedef struct {
    tsr_array *load;
    int rank, ranks;
    int cut; /* how often the blocks have been cut anew */
} team;

static void *room(int64_t count, size_t size)
{
    void *memory = malloc((size_t)(count > 0 ? count : 1) * size);
    if (memory == NULL) {
        fputs("particles: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return memory;
}

/* ---- particles ------------------------------------------------------------------------------- */

/* A number in [0, 1) for a particle: the same whatever rank makes it. */
static double number_of(int64_t id, unsigned stream)
{
    uint64_t z = ((uint64_t)id * 8 + stream + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* One particle in four is in a disk that spins, the others are anywhere. */
static void place(const options *opt, int64_t id, double x[2], double v[2])
{
    const double size = (double)opt->size, pi = 3.14159265358979323846;
    v[0] = v[1] = 0;
    x[0] = size * number_of(id, 0);
    x[1] = size * number_of(id, 1);
    if (id % 4 == 0) {
        const double r = 0.2 * size * sqrt(number_of(id, 2)), angle = 2 * pi * number_of(id, 3);
        x[0] = 0.3 * size + r * cos(angle);
        x[1] = 0.4 * size + r * sin(angle);
        v[0] = -0.3 * sin(angle);
        v[1] = 0.3 * cos(angle);
    }
}

static particles create(const options *opt, const team *t)
{
    int64_t first, end;
    TSR_CHECK(tsr_near_even(opt->particles, t->ranks, t->rank, &first, &end));
    particles p = {.n = end - first};
    p.x = room(p.n, sizeof *p.x);
    p.v = room(p.n, sizeof *p.v);
    p.charge = room(p.n, sizeof *p.charge);
    p.id = room(p.n, sizeof *p.id);
    for (int64_t i = 0; i < p.n; ++i) {
        p.id[i] = first + i;
        p.charge[i] = 0.5 + number_of(first + i, 4);
        place(opt, first + i, p.x[i], p.v[i]);
    }
    return p;
}

/* To the ranks that own the cells they are in, back into the square where they left it. */
static void go_home(particles *p, const fields *f)
{
    int *owner = room(p->n, sizeof *owner);
    int64_t left = 0;
    const tsr_positions here = {.dtype = TSR_F64, .data = p->x};
    TSR_CHECK(tsr_layout_locate(f->grid, p->n, &here, TSR_WRAP, NULL, owner, &left));
    TSR_CHECK(tsr_migrate(TSR_COMM_WORLD, &p->n, owner, TSR_ROWS(p->x, sizeof *p->x),
                          TSR_ROWS(p->v, sizeof *p->v), TSR_ROWS(p->charge, sizeof *p->charge),
                          TSR_ROWS(p->id, sizeof *p->id)));
    free(owner);
}

/* ---- particles and grid ---------------------------------------------------------------------- */

/* The four cells around a position and their shares; the values of a cell are at its middle. */
typedef struct {
    int64_t i, j; /* the first of them, in the block of this rank: halo cells may be among them */
    double share[2][2];
} cloud;

static cloud cloud_at(const double x[2], const tsr_view *v)
{
    const double i = floor(x[0] - 0.5), j = floor(x[1] - 0.5);
    const double a = x[0] - 0.5 - i, b = x[1] - 0.5 - j;
    return (cloud){(int64_t)i - v->start[0],
                   (int64_t)j - v->start[1],
                   {{(1 - a) * (1 - b), (1 - a) * b}, {a * (1 - b), a * b}}};
}

/* Shares beside the block are left in its halo, and added to the cells of their owners. */
static void deposit(const particles *p, const fields *f)
{
    TSR_CHECK(tsr_eval(f->rho, "0"));
    TSR_CHECK(tsr_halo_clear(f->rho, TSR_ALL_AXES));
    const tsr_view rho = tsr_local(f->rho);
    for (int64_t k = 0; k < p->n; ++k) {
        const cloud c = cloud_at(p->x[k], &rho);
        for (int a = 0; a < 2; ++a)
            for (int b = 0; b < 2; ++b)
                TSR_AT(double, rho, c.i + a, c.j + b) += p->charge[k] * c.share[a][b];
    }
    TSR_CHECK(tsr_halo_accumulate(f->rho, NULL));
}

/* phi - 2 laplacian(phi) = rho - mean, near enough: Jacobi sweeps from the last step's phi. */
static void relax(const fields *f, double mean)
{
    tsr_array *phi = f->phi, *rho = f->rho, *next = f->slope[0];
    for (int sweep = 0; sweep < 6; ++sweep) {
        TSR_CHECK(tsr_eval(next,
                           "(rho - mean + 2*(phi[-1,0] + phi[1,0] + phi[0,-1] + phi[0,1])) / 9",
                           TSR_ARG(rho), TSR_ARG(mean), TSR_ARG(phi)));
        TSR_CHECK(tsr_array_swap(phi, next));
    }
}

static void push(particles *p, const fields *f)
{
    const double dt = 0.5, pull = 0.1;
    tsr_array *phi = f->phi;
    TSR_CHECK(tsr_eval(f->slope[0], "(phi[1,0] - phi[-1,0]) / 2", TSR_ARG(phi)));
    TSR_CHECK(tsr_eval(f->slope[1], "(phi[0,1] - phi[0,-1]) / 2", TSR_ARG(phi)));
    TSR_CHECK(tsr_halo_update_many(2, f->slope, NULL));
    const tsr_view slope[2] = {tsr_local(f->slope[0]), tsr_local(f->slope[1])};
    for (int64_t k = 0; k < p->n; ++k) {
        const cloud c = cloud_at(p->x[k], &slope[0]);
        for (int axis = 0; axis < 2; ++axis) {
            double force = 0;
            for (int a = 0; a < 2; ++a)
                for (int b = 0; b < 2; ++b)
                    force += c.share[a][b] * TSR_AT(double, slope[axis], c.i + a, c.j + b);
            p->v[k][axis] += dt * pull * force;
        }
    }
    for (int64_t k = 0; k < p->n; ++k)
        for (int axis = 0; axis < 2; ++axis)
            p->x[k][axis] += dt * p->v[k][axis];
}

/* ---- loads ----------------------------------------------------------------------------------- */

static void measure(const team *t, int64_t n, int64_t *total, int64_t *most)
{
    tsr_scalar sum, max;
    TSR_AT(int64_t, tsr_local(t->load), 0) = n;
    TSR_CHECK(tsr_sum(t->load, &sum));
    TSR_CHECK(tsr_max(t->load, &max));
    *total = tsr_to_int64(sum);
    *most = tsr_to_int64(max);
}

static const tsr_layout_options square = {.split = TSR_AXIS(0) | TSR_AXIS(1),
                                          .halo = {1, 1},
                                          .periodic = TSR_AXIS(0) | TSR_AXIS(1),
                                          .allow_empty = true};

static fields fields_on(tsr_layout *grid)
{
    fields f = {.grid = grid};
    TSR_CHECK(tsr_zeros(grid, TSR_F64, &f.rho));
    TSR_CHECK(tsr_zeros(grid, TSR_F64, &f.phi));
    for (int axis = 0; axis < 2; ++axis)
        TSR_CHECK(tsr_zeros(grid, TSR_F64, &f.slope[axis]));
    return f;
}

static void fields_destroy(fields *f)
{
    tsr_array_destroy(&f->rho);
    tsr_array_destroy(&f->phi);
    tsr_array_destroy(&f->slope[0]);
    tsr_array_destroy(&f->slope[1]);
    tsr_layout_destroy(&f->grid);
}

/* Cut the square so that the blocks have about equal charge, when a rank has more than half again
 * its share of the particles.  Looks every few steps: the cuts need not follow every move. */
static void keep_even(int64_t step, particles *p, fields *f, team *t)
{
    int64_t total, most;
    if (step % 5 != 1 || t->ranks == 1) return;
    measure(t, p->n, &total, &most);
    if (2 * most * t->ranks <= 3 * total) return;

    tsr_layout *grid = NULL;
    TSR_CHECK(tsr_layout_create_balanced(f->rho, &square, &grid));
    if (tsr_layout_equal(grid, f->grid)) {
        tsr_layout_destroy(&grid);
        return;
    }
    const fields even = fields_on(grid);
    TSR_CHECK(tsr_redistribute_into(f->phi, even.phi));
    fields_destroy(f);
    *f = even;
    ++t->cut;
    go_home(p, f);
    deposit(p, f);
}

/* ---- the run --------------------------------------------------------------------------------- */

/* On a line of its own that is drawn over; only where somebody looks at it. */
static void show_progress(int64_t done, int64_t steps)
{
    const int percent = (int)(100 * done / steps);
    if (percent == (int)(100 * (done - 1) / steps)) return;
    fprintf(stderr, "\r%3d%% [%.*s>%*s%s", percent, percent / 2,
            "--------------------------------------------------", 51 - percent / 2, "]",
            done == steps ? "\n" : "");
}

static double charge_of(const fields *f)
{
    tsr_scalar charge;
    TSR_CHECK(tsr_sum(f->rho, &charge));
    return tsr_to_double(charge);
}

/* The file and the picture; a library without libpng writes no pictures. */
static void write_output(const char *prefix, const tsr_array *rho)
{
    char path[FILENAME_MAX];
    snprintf(path, sizeof path, "%s.npy", prefix);
    TSR_CHECK(tsr_save(path, rho));
    snprintf(path, sizeof path, "%s.png", prefix);
    const tsr_status drawn =
        tsr_save_png(path, rho, &(tsr_picture_options){.map = TSR_MAP_EMBER, .color_bar = true});
    if (drawn != TSR_ERR_UNSUPPORTED) TSR_CHECK(drawn);
}

static bool run(const options *opt, team *t)
{
    tsr_layout *grid = NULL;
    TSR_CHECK(
        tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(opt->size, opt->size), &square, &grid));
    fields f = fields_on(grid);
    particles p = create(opt, t);
    const bool shows_progress = t->rank == 0 && isatty(STDERR_FILENO);
    int64_t number, most;

    go_home(&p, &f);
    deposit(&p, &f);
    const double charge = charge_of(&f);
    for (int64_t step = 1; step <= opt->steps; ++step) {
        keep_even(step, &p, &f, t);
        relax(&f, charge / (double)(opt->size * opt->size));
        push(&p, &f);
        go_home(&p, &f);
        deposit(&p, &f);
        if (shows_progress) show_progress(step, opt->steps);
    }
    measure(t, p.n, &number, &most);
    const double last = charge_of(&f);
    if (opt->output != NULL) write_output(opt->output, f.rho);

    const bool good = number == opt->particles && fabs(last - charge) <= 1e-9 * charge;
    if (t->rank == 0)
        printf("%" PRId64 " steps, %d rank%s: %" PRId64 " of %" PRId64
               " particles, charge %.15g -> "
               "%.15g, %" PRId64 " particles on one rank at most, cut anew %d time%s%s\n",
               opt->steps, t->ranks, t->ranks == 1 ? "" : "s", number, opt->particles, charge, last,
               most, t->cut, t->cut == 1 ? "" : "s", good ? "" : ": WRONG");
    free(p.x);
    free(p.v);
    free(p.charge);
    free(p.id);
    fields_destroy(&f);
    return good;
}

static bool read_count(const char *text, int64_t least, int64_t *count)
{
    char *end = NULL;
    *count = strtoll(text, &end, 10);
    return end != text && *end == '\0' && *count >= least && *count < INT32_MAX;
}

/* Every rank has the same arguments, so all decide alike. */
static bool read_options(int argc, char **argv, options *opt)
{
    bool good = argc % 2 == 1;
    for (int a = 1; good && a < argc; a += 2) {
        if (strcmp(argv[a], "--size") == 0)
            good = read_count(argv[a + 1], 1, &opt->size);
        else if (strcmp(argv[a], "--particles") == 0)
            good = read_count(argv[a + 1], 0, &opt->particles);
        else if (strcmp(argv[a], "--steps") == 0)
            good = read_count(argv[a + 1], 0, &opt->steps);
        else if (strcmp(argv[a], "--output") == 0)
            good = strlen(opt->output = argv[a + 1]) + sizeof ".npy" <= FILENAME_MAX;
        else
            good = false;
    }
    return good;
}

int main(int argc, char **argv)
{
    TSR_CHECK(tsr_init(&argc, &argv));
    tsr_layout *world = NULL; /* of no axes: tells who we are */
    TSR_CHECK(tsr_layout_create(TSR_COMM_WORLD, 0, NULL, NULL, &world));
    team t = {.rank = tsr_layout_rank(world), .ranks = tsr_layout_size(world)};
    tsr_layout_destroy(&world);

    options opt = {.size = 128, .particles = 100000, .steps = 200};
    int result = 2;
    if (read_options(argc, argv, &opt)) {
        tsr_layout *loads = NULL;
        TSR_CHECK(tsr_layout_create(TSR_COMM_WORLD, 1, TSR_SHAPE(t.ranks), NULL, &loads));
        TSR_CHECK(tsr_zeros(loads, TSR_I64, &t.load));
        tsr_layout_destroy(&loads);
        result = run(&opt, &t) ? 0 : 1;
        tsr_array_destroy(&t.load);
    } else if (t.rank == 0) {
        fputs(usage, stderr);
    }
    return tsr_finalize() == TSR_OK ? result : 1;
}
