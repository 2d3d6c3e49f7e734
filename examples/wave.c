/* The wave equation on a periodic square, by leapfrog: two fields, the older one overwritten.
 *
 *     wave [--size N] [--steps N] [--output PREFIX]
 *
 * A standing wave has a closed form, also on the grid: the last field is compared with it. */
/* ranks: 1 2 3 */
#define _POSIX_C_SOURCE 200809L
#include <tessera.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: wave [--size N] [--steps N] [--output PREFIX]\n"
    "  --size N         cells along each side of the square (96)\n"
    "  --steps N        time steps (400)\n"
    "  --output PREFIX  write the last field as PREFIX.npy and PREFIX.png\n";

typedef struct {
    int64_t size, steps;
    const char *output;
} options;

/* ---- the equation ---------------------------------------------------------------------------- */

static const double pi = 3.14159265358979323846;

/* (c dt / dx)^2: stable up to 1/2. */
static const double r = 0.25;

/* The standing wave has this many periods along each axis. */
enum { PERIODS_0 = 2, PERIODS_1 = 3 };

/* The phase that it gains in a step of the scheme. */
static double phase_per_step(int64_t size)
{
    const double a = sin(pi * PERIODS_0 / (double)size), b = sin(pi * PERIODS_1 / (double)size);
    return 2 * asin(sqrt(r * (a * a + b * b)));
}

/* The standing wave at a time at which its amplitude is `amplitude`. */
static void set_wave(tsr_array *u, int64_t size, double amplitude)
{
    const double kx = 2 * pi * PERIODS_0 / (double)size, ky = 2 * pi * PERIODS_1 / (double)size;
    TSR_CHECK(tsr_eval(u, "amplitude * cos(kx*i0) * cos(ky*i1)", TSR_ARG(amplitude), TSR_ARG(kx),
                       TSR_ARG(ky)));
}

/* u becomes the field a step later, and `before` what u was. */
static void time_step(tsr_array *u, tsr_array *before)
{
    TSR_CHECK(tsr_eval(before, "2*u - before + r*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)",
                       TSR_ARG(u), TSR_ARG(before), TSR_ARG(r)));
    TSR_CHECK(tsr_array_swap(u, before));
}

/* The energy that leapfrog keeps: of motion, and of tension between the two fields. */
static double energy(const tsr_array *u, const tsr_array *before)
{
    tsr_array *density = NULL;
    TSR_CHECK(tsr_eval_new(&density,
                           "((u - before)**2 + r*((u[1,0] - u) * (before[1,0] - before)"
                           " + (u[0,1] - u) * (before[0,1] - before))) / 2",
                           TSR_ARG(u), TSR_ARG(before), TSR_ARG(r)));
    tsr_scalar sum;
    TSR_CHECK(tsr_sum(density, &sum));
    tsr_array_destroy(&density);
    return tsr_to_double(sum);
}

/* How far the field is from the closed form after `steps` steps.  `scratch` is overwritten. */
static double distance(const tsr_array *u, tsr_array *scratch, const options *opt)
{
    set_wave(scratch, opt->size, cos((double)opt->steps * phase_per_step(opt->size)));
    TSR_CHECK(tsr_eval(scratch, "abs(u - scratch)", TSR_ARG(u), TSR_ARG(scratch)));
    tsr_scalar worst;
    TSR_CHECK(tsr_max(scratch, &worst));
    return tsr_to_double(worst);
}

/* ---- the run --------------------------------------------------------------------------------- */

static void show_progress(int64_t done, int64_t steps)
{
    static const char bar[] = "========================================";
    const int full = (int)sizeof bar - 1, now = (int)(full * done / steps);
    if (now == full * (done - 1) / steps) return;
    fprintf(stderr, "\r|%-*.*s|%s", full, now, bar, done == steps ? "\n" : "");
}

/* The file and the picture; a library without libpng writes no pictures. */
static void write_output(const char *prefix, const tsr_array *u)
{
    char path[FILENAME_MAX];
    snprintf(path, sizeof path, "%s.npy", prefix);
    TSR_CHECK(tsr_save(path, u));
    snprintf(path, sizeof path, "%s.png", prefix);
    const tsr_status drawn =
        tsr_save_png(path, u, &(tsr_picture_options){.map = TSR_MAP_SIGNED, .color_bar = true});
    if (drawn != TSR_ERR_UNSUPPORTED) TSR_CHECK(drawn);
}

static bool run(const options *opt)
{
    const tsr_axes both = TSR_AXES(0, 1);
    tsr_layout *square = NULL;
    TSR_CHECK(tsr_layout_create(
        TSR_COMM_WORLD, 2, TSR_SHAPE(opt->size, opt->size),
        &(tsr_layout_options){.split = both, .halo = {1, 1}, .periodic = both, .allow_empty = true},
        &square));
    const bool speaks = tsr_layout_rank(square) == 0;
    const bool shows_progress = speaks && isatty(STDERR_FILENO);

    tsr_array *u = NULL, *before = NULL;
    TSR_CHECK(tsr_empty(square, TSR_F64, &u));
    TSR_CHECK(tsr_empty_like(u, &before));
    set_wave(u, opt->size, 1);
    set_wave(before, opt->size, cos(phase_per_step(opt->size)));

    const double first = energy(u, before);
    for (int64_t n = 1; n <= opt->steps; ++n) {
        time_step(u, before);
        if (shows_progress) show_progress(n, opt->steps);
    }
    const double last = energy(u, before);
    if (opt->output != NULL) write_output(opt->output, u);

    /* Exact but for rounding, which adds up over the steps. */
    const double tolerance = 1e-13 * (double)(opt->steps + 10), error = distance(u, before, opt);
    const bool good = error <= tolerance && fabs(last - first) <= tolerance * first + 1e-24;
    if (speaks)
        printf("%lld steps, %d rank%s: energy %.17g -> %.17g, off the closed form by %.1e "
               "(at most %.1e)%s\n",
               (long long)opt->steps, tsr_layout_size(square),
               tsr_layout_size(square) == 1 ? "" : "s", first, last, error, tolerance,
               good ? "" : ": WRONG");

    tsr_array_destroy(&before);
    tsr_array_destroy(&u);
    tsr_layout_destroy(&square);
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
    const bool speaks = tsr_layout_rank(world) == 0;
    tsr_layout_destroy(&world);

    options opt = {.size = 96, .steps = 400};
    int result = 2;
    if (read_options(argc, argv, &opt))
        result = run(&opt) ? 0 : 1;
    else if (speaks)
        fputs(usage, stderr);
    return tsr_finalize() == TSR_OK ? result : 1;
}
