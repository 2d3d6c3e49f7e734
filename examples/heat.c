/* The heat equation on a square plate: a stencil in a time loop.
 *
 *     heat [--size N] [--steps N] [--boundary KIND] [--output PREFIX]
 *
 * The fields have the same bits at any rank count. */
/* ranks: 1 2 3 4 6 */
#define _POSIX_C_SOURCE 200809L
#include <tessera.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: heat [--size N] [--steps N] [--boundary KIND] [--output PREFIX]\n"
    "  --size N         cells along each side of the plate (128)\n"
    "  --steps N        time steps (400)\n"
    "  --boundary KIND  edge (insulated, the default), periodic, reflect, symmetric, zero,\n"
    "                   or a number: the temperature outside the plate\n"
    "  --output PREFIX  write the last field as PREFIX.npy and PREFIX.png\n";

typedef struct {
    int64_t size, steps;
    bool periodic;
    tsr_boundary_kind boundary;
    double outside; /* temperature of TSR_CONSTANT */
    const char *output;
} options;

/* ---- the equation ---------------------------------------------------------------------------- */

/* The first field: a hot spot at (0.3, 0.6). */
static tsr_status hot_spot(const int64_t *index, int64_t count, void *values, void *ctx)
{
    const double n = (double)((const options *)ctx)->size;
    const double x = ((double)index[0] + 0.5) / n;
    double *u = values;
    for (int64_t j = 0; j < count; ++j) {
        const double y = ((double)(index[1] + j) + 0.5) / n;
        u[j] = exp(-((x - 0.3) * (x - 0.3) + (y - 0.6) * (y - 0.6)) / 0.005);
    }
    return TSR_OK;
}

/* One explicit step.  The halo cells travel while the inner cells are computed. */
static void time_step(tsr_array *u, tsr_array *next)
{
    const double k = 0.2; /* dt / dx^2 for dt = 0.2 / N^2 and dx = 1 / N: stable up to 0.25 */
    TSR_CHECK(tsr_eval(next, "u + k*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)", TSR_ARG(u),
                       TSR_ARG(k)));
    TSR_CHECK(tsr_array_swap(u, next));
}

/* ---- options --------------------------------------------------------------------------------- */

static bool read_count(const char *text, int64_t least, int64_t *count)
{
    char *end = NULL;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    *count = value;
    return errno == 0 && end != text && *end == '\0' && value >= least;
}

static bool read_size(const char *text, options *opt)
{
    return read_count(text, 1, &opt->size);
}

static bool read_steps(const char *text, options *opt)
{
    return read_count(text, 0, &opt->steps);
}

static bool read_boundary(const char *text, options *opt)
{
    static const struct {
        const char *name;
        tsr_boundary_kind kind;
    } kinds[] = {{"edge", TSR_EDGE},
                 {"periodic", TSR_LEAVE}, /* there are no walls */
                 {"reflect", TSR_REFLECT},
                 {"symmetric", TSR_SYMMETRIC},
                 {"zero", TSR_CONSTANT}};
    opt->periodic = strcmp(text, "periodic") == 0;
    opt->outside = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
        if (strcmp(text, kinds[k].name) == 0) {
            opt->boundary = kinds[k].kind;
            return true;
        }
    char *end = NULL;
    opt->boundary = TSR_CONSTANT;
    opt->outside = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(opt->outside);
}

static bool read_output(const char *text, options *opt)
{
    opt->output = text;
    return *text != '\0' && strlen(text) + sizeof ".npy" <= FILENAME_MAX;
}

/* Read the command line.  False: `wrong` says why.  Every rank has the same arguments, so all
 * decide alike. */
static bool read_options(int argc, char **argv, options *opt, size_t room, char *wrong)
{
    static const struct {
        const char *name, *wants;
        bool (*read)(const char *text, options *opt);
    } known[] = {
        {"--size", "a number of cells >= 1", read_size},
        {"--steps", "a number of steps >= 0", read_steps},
        {"--boundary", "edge, periodic, reflect, symmetric, zero or a number", read_boundary},
        {"--output", "the beginning of a file name", read_output}};
    enum { KNOWN = sizeof known / sizeof *known };

    for (int a = 1; a < argc; a += 2) {
        const char *value = a + 1 < argc ? argv[a + 1] : "";
        int k = 0;
        while (k < KNOWN && strcmp(argv[a], known[k].name) != 0)
            ++k;
        if (k == KNOWN) {
            snprintf(wrong, room, "there is no option \"%s\"", argv[a]);
            return false;
        }
        if (!known[k].read(value, opt)) {
            snprintf(wrong, room, "%s needs %s, not \"%s\"", argv[a], known[k].wants, value);
            return false;
        }
    }
    return true;
}

static bool asks_for_help(int argc, char **argv)
{
    for (int a = 1; a < argc; ++a)
        if (strcmp(argv[a], "--help") == 0) return true;
    return false;
}

/* ---- the run --------------------------------------------------------------------------------- */

/* What the field must obey: how much heat there is, and between which temperatures. */
typedef struct {
    double heat, min, max;
} measure;

static measure take_measure(const tsr_array *u)
{
    tsr_scalar heat, min, max;
    TSR_CHECK(tsr_sum(u, &heat));
    TSR_CHECK(tsr_min(u, &min));
    TSR_CHECK(tsr_max(u, &max));
    return (measure){tsr_to_double(heat), tsr_to_double(min), tsr_to_double(max)};
}

/* Whether the last field is right.  An insulated or periodic plate keeps its heat; under any
 * boundary no cell gets hotter or colder than all that was there before. */
static bool check(const options *opt, measure first, measure last)
{
    const bool constant = opt->boundary == TSR_CONSTANT;
    const bool keeps_heat = !constant && opt->boundary != TSR_REFLECT;
    const double low = constant ? fmin(first.min, opt->outside) : first.min;
    const double high = constant ? fmax(first.max, opt->outside) : first.max;
    const double rounding = 1e-9 * fmax(fabs(low), fabs(high));

    bool good = last.min >= low - rounding && last.max <= high + rounding;
    if (keeps_heat) good = good && fabs(last.heat - first.heat) <= 1e-9 * first.heat;
    if (opt->size == 128 && opt->steps == 400 && opt->boundary == TSR_EDGE)
        good = good && fabs(last.max - 0.20364999696933966) <= 1e-12 &&
               fabs(last.heat - 257.35926993749206) <= 1e-9;
    return good;
}

static void show_progress(int64_t done, int64_t steps)
{
    enum { WIDTH = 50 };
    const int bars = (int)((double)done / (double)steps * WIDTH);
    static int drawn = -1;
    if (bars == drawn) return;
    drawn = bars;
    fprintf(stderr, "\r[%-*.*s] %3d%%%s", WIDTH, bars,
            "##################################################", bars * 100 / WIDTH,
            done == steps ? "\n" : "");
}

/* Write the field and its picture; false when the files could not be written. */
static bool write_output(const char *prefix, const tsr_array *u, bool speaks)
{
    char path[FILENAME_MAX];
    snprintf(path, sizeof path, "%s.npy", prefix);
    tsr_status saved = tsr_save(path, u);
    if (saved == TSR_OK) {
        snprintf(path, sizeof path, "%s.png", prefix);
        saved =
            tsr_save_png(path, u, &(tsr_picture_options){.map = TSR_MAP_EMBER, .color_bar = true});
    }
    if (saved != TSR_OK && speaks) fprintf(stderr, "heat: %s\n", tsr_error_text());
    return saved == TSR_OK || saved == TSR_ERR_UNSUPPORTED; /* pictures need libpng */
}

static bool run(options *opt)
{
    const tsr_axes both = TSR_AXES(0, 1);
    tsr_layout *plate = NULL;
    TSR_CHECK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(opt->size, opt->size),
                                &(tsr_layout_options){.split = both,
                                                      .halo = {1, 1},
                                                      .periodic = opt->periodic ? both : 0,
                                                      .allow_empty = true},
                                &plate));
    tsr_array *u = NULL, *next = NULL;
    TSR_CHECK(tsr_fromfunction(plate, TSR_F64, hot_spot, opt, &u));
    TSR_CHECK(
        tsr_array_set_boundary(u, both, TSR_BOTH_SIDES, opt->boundary, tsr_f64(opt->outside)));
    TSR_CHECK(tsr_empty_like(u, &next));
    const bool speaks = tsr_layout_rank(plate) == 0;
    const bool shows_progress = speaks && isatty(STDERR_FILENO);

    const measure first = take_measure(u);
    for (int64_t n = 1; n <= opt->steps; ++n) {
        time_step(u, next);
        if (shows_progress) show_progress(n, opt->steps);
    }
    const measure last = take_measure(u);

    const bool good = check(opt, first, last);
    if (speaks)
        printf("%lld steps, %d rank%s: heat %.17g -> %.17g (changed by %.1e of it), "
               "maximum %.17g%s\n",
               (long long)opt->steps, tsr_layout_size(plate),
               tsr_layout_size(plate) == 1 ? "" : "s", first.heat, last.heat,
               (last.heat - first.heat) / first.heat, last.max, good ? "" : ": WRONG");
    const bool written = opt->output == NULL || write_output(opt->output, u, speaks);

    tsr_array_destroy(&next);
    tsr_array_destroy(&u);
    tsr_layout_destroy(&plate);
    return good && written;
}

int main(int argc, char **argv)
{
    TSR_CHECK(tsr_init(&argc, &argv));
    tsr_layout *world = NULL; /* of no axes: tells who we are */
    TSR_CHECK(tsr_layout_create(TSR_COMM_WORLD, 0, NULL, NULL, &world));
    const bool speaks = tsr_layout_rank(world) == 0;
    tsr_layout_destroy(&world);

    options opt = {.size = 128, .steps = 400, .boundary = TSR_EDGE};
    char wrong[256];
    int result = 0;
    if (asks_for_help(argc, argv)) {
        if (speaks) fputs(usage, stdout);
    } else if (!read_options(argc, argv, &opt, sizeof wrong, wrong)) {
        if (speaks) fprintf(stderr, "heat: %s\n%s", wrong, usage);
        result = 2;
    } else if (!run(&opt)) {
        result = 1;
    }
    return tsr_finalize() == TSR_OK ? result : 1;
}
