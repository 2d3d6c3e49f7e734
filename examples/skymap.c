/* A map of the sky from the samples of several detectors: every rank has some of the samples, and
 * the ranks of a node add theirs into one map, which they share.
 *
 *     skymap [--size N] [--samples N] [--detectors N] [--nproc-reduce N] [--output PREFIX]
 *
 * Each sample sees the sky at one pixel, with white noise; detectors differ in noise and so in
 * weight.  The binned map is the weighted mean of what each pixel was seen at.  Rank 0 bins all
 * samples by itself, too, and compares. */
/* ranks: 1 2 3 4 */
/* test-args: --size 40 --samples 4000 --nproc-reduce 2 */
#include <tessera.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: skymap [--size N] [--samples N] [--detectors N] [--nproc-reduce N] [--output PREFIX]\n"
    "  --size N          pixels along each side of the map (256)\n"
    "  --samples N       samples of each detector (400000)\n"
    "  --detectors N     how many look at the sky (4)\n"
    "  --nproc-reduce N  ranks that take turns in one map: more of them need less memory (1)\n"
    "  --output PREFIX   write the binned map as PREFIX.npy and PREFIX.png\n";

typedef struct {
    int64_t size, samples, detectors, nproc_reduce;
    const char *output;
} options;

/* ---- the sky and how it is seen ---------------------------------------------------------------
 */

static const double pi = 3.14159265358979323846;

/* The signal at a place in the unit square. */
static double sky(double x, double y)
{
    return sin(2 * pi * x) * cos(4 * pi * y) + 2 * exp(-50 * ((x - 0.7) * (x - 0.7) + y * y / 4));
}

/* A number in (0, 1) that looks random but belongs to the sample: the same whoever asks. */
static double uniform(uint64_t key)
{
    key = (key ^ key >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    key = (key ^ key >> 27) * UINT64_C(0x94d049bb133111eb);
    return ((double)((key ^ key >> 31) >> 11) + 0.5) * 0x1p-53;
}

static double white_noise(int64_t sample, int64_t detector)
{
    const uint64_t key = (uint64_t)sample * 2 + (uint64_t)detector * UINT64_C(0x9e3779b97f4a7c15);
    return sqrt(-2 * log(uniform(key + 1))) * cos(2 * pi * uniform(key + 2));
}

/* How noisy a detector is; a sample counts as much as its variance is small. */
static double deviation(int64_t detector)
{
    return 0.1 * (double)(1 + detector % 3);
}

typedef struct {
    int64_t i, j; /* the pixel */
    double value, weight;
} sample;

/* The detectors swing across the sky side by side, along a curve that fills it in the end. */
static sample observe(const options *opt, int64_t number, int64_t detector)
{
    const double t = (double)number / (double)opt->samples;
    const double x = 0.5 + 0.49 * sin(2 * pi * 97 * t + 0.01 * (double)detector);
    const double y = 0.5 + 0.49 * sin(2 * pi * 61 * t);
    sample s = {.i = (int64_t)(y * (double)opt->size), .j = (int64_t)(x * (double)opt->size)};
    s.value = sky(x, y) + deviation(detector) * white_noise(number, detector);
    s.weight = 1 / (deviation(detector) * deviation(detector));
    return s;
}

/* ---- binning ----------------------------------------------------------------------------------
 */

/* Samples [first, last) of all detectors. */
typedef struct {
    const options *opt;
    int64_t first, last;
} scan;

static tsr_status add_hits(tsr_view hits, void *ctx)
{
    const scan *mine = ctx;
    for (int64_t n = mine->first; n < mine->last; ++n)
        for (int64_t d = 0; d < mine->opt->detectors; ++d) {
            const sample s = observe(mine->opt, n, d);
            ++TSR_AT(int64_t, hits, s.i, s.j);
        }
    return TSR_OK;
}

/* Two maps in one: of weighted values, and of weights. */
static tsr_status add_values(tsr_view maps, void *ctx)
{
    const scan *mine = ctx;
    for (int64_t n = mine->first; n < mine->last; ++n)
        for (int64_t d = 0; d < mine->opt->detectors; ++d) {
            const sample s = observe(mine->opt, n, d);
            TSR_AT(double, maps, 0, s.i, s.j) += s.weight * s.value;
            TSR_AT(double, maps, 1, s.i, s.j) += s.weight;
        }
    return TSR_OK;
}

/* A row of the binned map; pixels that nobody saw are NaN. */
static tsr_status bin_row(const int64_t *index, int64_t count, void *values, void *ctx)
{
    const tsr_view *maps = ctx;
    for (int64_t k = 0; k < count; ++k) {
        const int64_t i = index[0], j = index[1] + k;
        ((double *)values)[k] = TSR_AT(double, *maps, 0, i, j) / TSR_AT(double, *maps, 1, i, j);
    }
    return TSR_OK;
}

/* The file and the picture; a library without libpng writes no pictures. */
static void write_output(const options *opt, const tsr_shm_array *maps)
{
    tsr_view view = tsr_shm_view(maps);
    tsr_layout *rows = NULL;
    tsr_array *binned = NULL;
    char path[FILENAME_MAX];

    TSR_CHECK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(opt->size, opt->size),
                                &(tsr_layout_options){.allow_empty = true}, &rows));
    TSR_CHECK(tsr_fromfunction(rows, TSR_F64, bin_row, &view, &binned));
    snprintf(path, sizeof path, "%s.npy", opt->output);
    TSR_CHECK(tsr_save(path, binned));
    snprintf(path, sizeof path, "%s.png", opt->output);
    const tsr_status drawn = tsr_save_png(path, binned, &(tsr_picture_options){.color_bar = true});
    if (drawn != TSR_ERR_UNSUPPORTED) TSR_CHECK(drawn);
    tsr_array_destroy(&binned);
    tsr_layout_destroy(&rows);
}

/* ---- the check --------------------------------------------------------------------------------
 */

/* How far the maps are from those of all samples binned by one rank; hits must be the same. */
static double distance(const options *opt, const tsr_shm_array *hits, const tsr_shm_array *maps)
{
    const int64_t npix = opt->size * opt->size;
    const scan all = {opt, 0, opt->samples};
    tsr_view h = tsr_shm_view(hits), m = tsr_shm_view(maps);
    double worst = 0;

    h.data = calloc((size_t)npix, sizeof(int64_t));
    m.data = calloc((size_t)npix, 2 * sizeof(double));
    if (h.data == NULL || m.data == NULL) return INFINITY;
    if (add_hits(h, (void *)&all) != TSR_OK || add_values(m, (void *)&all) != TSR_OK)
        return INFINITY;
    if (memcmp(h.data, tsr_shm_data(hits), (size_t)npix * sizeof(int64_t)) != 0) worst = INFINITY;
    for (int64_t p = 0; p < 2 * npix; ++p) {
        const double own = ((double *)m.data)[p], shared = ((double *)tsr_shm_data(maps))[p];
        worst = fmax(worst, fabs(own - shared));
    }
    free(h.data);
    free(m.data);
    return worst;
}

/* ---- the run ----------------------------------------------------------------------------------
 */

static void print_memory(const tsr_shm *shm, const tsr_shm_array *hits, const tsr_shm_array *maps)
{
    const double MiB = 1024 * 1024;
    const size_t kept = tsr_shm_bytes(hits) + tsr_shm_bytes(maps);
    const size_t at_hits = tsr_shm_accumulate_bytes(hits), at_maps = tsr_shm_accumulate_bytes(maps);
    const size_t peak = kept + (at_hits > at_maps ? at_hits : at_maps);
    printf("%d node%s of %d rank%s, nproc_reduce %d: %.2f MiB a node, %.2f at most while it adds; "
           "private maps: %.2f\n",
           tsr_shm_nodes(shm), tsr_shm_nodes(shm) == 1 ? "" : "s", tsr_shm_node_size(shm),
           tsr_shm_node_size(shm) == 1 ? "" : "s", tsr_shm_nproc_reduce(shm), (double)kept / MiB,
           (double)peak / MiB, (double)kept * tsr_shm_node_size(shm) / MiB);
}

static bool run(const options *opt, int rank, int ranks)
{
    tsr_shm *shm = NULL;
    tsr_shm_array *hits = NULL, *maps = NULL;
    scan mine = {opt, opt->samples * rank / ranks, opt->samples * (rank + 1) / ranks};
    bool good = true;

    TSR_CHECK(tsr_shm_create(TSR_COMM_WORLD,
                             &(tsr_shm_options){.nproc_reduce = (int)opt->nproc_reduce}, &shm));
    TSR_CHECK(tsr_shm_zeros_node(shm, TSR_I64, 2, TSR_SHAPE(opt->size, opt->size), &hits));
    TSR_CHECK(tsr_shm_zeros_node(shm, TSR_F64, 3, TSR_SHAPE(2, opt->size, opt->size), &maps));
    TSR_CHECK(tsr_shm_accumulate(hits, TSR_SUM, add_hits, &mine));
    TSR_CHECK(tsr_shm_accumulate(maps, TSR_SUM, add_values, &mine));
    if (opt->output != NULL) write_output(opt, maps);

    if (rank == 0) {
        print_memory(shm, hits, maps);
        const double error = distance(opt, hits, maps);
        const double most = 1e-13 * (double)opt->samples; /* of rounding, in another order */
        good = error <= most;
        printf("%lld samples of %lld detectors, %d rank%s: off the serial map by %.1e (at most "
               "%.1e)%s\n",
               (long long)opt->samples, (long long)opt->detectors, ranks, ranks == 1 ? "" : "s",
               error, most, good ? "" : ": WRONG");
    }
    tsr_shm_destroy(&shm); /* and its arrays */
    return good;
}

static bool read_count(const char *text, int64_t *count)
{
    char *end = NULL;
    *count = strtoll(text, &end, 10);
    return end != text && *end == '\0' && *count >= 1 && *count < 1000000000;
}

/* Every rank has the same arguments, so all decide alike. */
static bool read_options(int argc, char **argv, options *opt)
{
    bool good = argc % 2 == 1;
    for (int a = 1; good && a < argc; a += 2) {
        if (strcmp(argv[a], "--size") == 0)
            good = read_count(argv[a + 1], &opt->size) && opt->size <= 30000;
        else if (strcmp(argv[a], "--samples") == 0)
            good = read_count(argv[a + 1], &opt->samples);
        else if (strcmp(argv[a], "--detectors") == 0)
            good = read_count(argv[a + 1], &opt->detectors);
        else if (strcmp(argv[a], "--nproc-reduce") == 0)
            good = read_count(argv[a + 1], &opt->nproc_reduce);
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
    const int rank = tsr_layout_rank(world), ranks = tsr_layout_size(world);
    tsr_layout_destroy(&world);

    options opt = {.size = 256, .samples = 400000, .detectors = 4, .nproc_reduce = 1};
    int result = 2;
    if (read_options(argc, argv, &opt))
        result = run(&opt, rank, ranks) ? 0 : 1;
    else if (rank == 0)
        fputs(usage, stderr);
    return tsr_finalize() == TSR_OK ? result : 1;
}
