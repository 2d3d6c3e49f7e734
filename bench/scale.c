/* What a halo update, a redistribution and reductions cost on machines of up to a million ranks,
 * from plans alone: nothing is sent, and no machine is needed.
 *
 *     scale [--ranks 64,4096,...] [--node RANKS] [--block N] [--axes N] [--width N] [--bytes N]
 *           [--latency US] [--overhead US] [--bandwidth GB/S] [--memory GB/S] [--look RANKS]
 *
 * The array grows with the ranks: --block cells along each of --axes axes a rank.  It is periodic,
 * redistributed from blocks to columns along the last axis, and summed along the first one.  Bytes
 * and messages are exact; where there are more ranks than --look, they are those of as many ranks,
 * chosen all over the machine. Seconds are those of bench/scale/model.c: a plain sum, without
 * contention. */
#include "scale/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *ranks;
    scale_machine machine;
    int64_t block, axes, width, bytes;
} options;

static void stop(const char *text)
{
    fprintf(stderr, "scale: %s\n", text);
    exit(EXIT_FAILURE);
}

static void must(tsr_status st)
{
    if (st != TSR_OK) stop(tsr_error_text());
}

/* ---- output ---------------------------------------------------------------------------------- */

static const char *with_unit(double value, const char *units[], double step, char text[32])
{
    int k = 0;
    while (value >= step && units[k + 1] != NULL) {
        value /= step;
        ++k;
    }
    snprintf(text, 32, "%.3g %s", value, units[k]);
    return text;
}

static const char *bytes_text(double bytes, char text[32])
{
    static const char *units[] = {"B", "kB", "MB", "GB", "TB", "PB", NULL};
    return with_unit(bytes, units, 1000, text);
}

static const char *time_text(double seconds, char text[32])
{
    static const char *units[] = {"us", "ms", "s", NULL};
    return with_unit(seconds * 1e6, units, 1000, text);
}

static void print_head(void)
{
    printf("%-12s %9s | %9s %9s | %9s %9s | %9s %9s | %9s\n", "", "", "a rank's", "", "between",
           "nodes", "a node's", "all", "");
    printf("%-12s %9s | %9s %9s | %9s %9s | %9s %9s | %9s\n", "operation", "ranks", "messages",
           "bytes", "messages", "bytes", "bytes", "bytes", "time");
}

static void print(const char *name, int ranks, const scale_cost *c)
{
    char text[5][32];
    printf("%-12s %9d | %9.0f %9s | %9.0f %9s | %9s %9s | %9s\n", name, ranks, c->most.messages,
           bytes_text(c->most.bytes, text[0]), c->most.far_messages,
           bytes_text(c->most.far_bytes, text[1]), bytes_text(c->node_bytes, text[2]),
           bytes_text(c->all.bytes, text[3]), time_text(c->seconds, text[4]));
}

/* ---- one machine ----------------------------------------------------------------------------- */

static tsri_geometry grid_of(const options *o, int ranks, tsr_axes split, const int64_t *shape)
{
    tsri_geometry g;
    tsr_layout_options layout = {
        .split = split, .periodic = ((tsr_axes)1 << o->axes) - 1, .allow_empty = true};
    for (int a = 0; a < o->axes; ++a)
        layout.halo[a] = o->width;
    must(tsri_geometry_init("scale", &g, ranks, (int)o->axes, shape, &layout));
    return g;
}

static void predict(const options *o, int ranks)
{
    scale_machine m = o->machine;
    scale_cost cost;
    int grid[TSR_MAX_NDIM] = {0};
    int64_t shape[TSR_MAX_NDIM];
    const tsr_axes all = ((tsr_axes)1 << o->axes) - 1;

    m.ranks = ranks;
    tsri_grid_automatic(ranks, (int)o->axes, all, grid);
    for (int a = 0; a < o->axes; ++a)
        shape[a] = o->block * grid[a];
    tsri_geometry blocks = grid_of(o, ranks, all, shape);
    must(scale_halo(&m, &blocks, (size_t)o->bytes, &cost));
    print("halo", ranks, &cost);
    if (o->axes > 1) {
        tsri_geometry columns = grid_of(o, ranks, all & ~TSR_AXIS(o->axes - 1), shape);
        must(scale_redistribute(&m, &blocks, &columns, (size_t)o->bytes, &cost));
        print("redistribute", ranks, &cost);
        tsri_geometry_clear(&columns);
        must(scale_reduce_axes(&m, &blocks, TSR_AXIS(0), (size_t)o->bytes, &cost));
        print("sum_axes", ranks, &cost);
    }
    tsri_geometry_clear(&blocks);
    scale_tree(&m, SCALE_REDUCTION_ROUNDS, scale_reduction_bytes, &cost);
    print("sum", ranks, &cost);
    scale_tree(&m, 1, &scale_reduction_bytes[1], &cost);
    print("agreement", ranks, &cost);
}

/* ---- options --------------------------------------------------------------------------------- */

static bool read_option(options *o, const char *name, const char *value)
{
    struct {
        const char *name;
        double *number, unit;
    } numbers[] = {{"--latency", &o->machine.latency, 1e-6},
                   {"--overhead", &o->machine.overhead, 1e-6},
                   {"--bandwidth", &o->machine.bandwidth, 1e9},
                   {"--memory", &o->machine.memory, 1e9}};
    struct {
        const char *name;
        int64_t *count, least, most;
    } counts[] = {{"--block", &o->block, 1, 1 << 20},
                  {"--axes", &o->axes, 1, 6},
                  {"--width", &o->width, 0, 1 << 20},
                  {"--bytes", &o->bytes, 1, 16}};
    int *const sizes[] = {&o->machine.ranks_per_node, &o->machine.looked_at};
    static const char *const size_names[] = {"--node", "--look"};

    if (strcmp(name, "--ranks") == 0) return *(o->ranks = value) != '\0';
    for (int k = 0; k < 4; ++k) {
        if (strcmp(name, numbers[k].name) == 0)
            return (*numbers[k].number = atof(value) * numbers[k].unit) > 0;
        if (strcmp(name, counts[k].name) == 0) {
            *counts[k].count = atoll(value);
            return *counts[k].count >= counts[k].least && *counts[k].count <= counts[k].most;
        }
        if (k < 2 && strcmp(name, size_names[k]) == 0) return (*sizes[k] = atoi(value)) > 0;
    }
    return false;
}

int main(int argc, char **argv)
{
    options o = {.ranks = "64,512,4096,32768,262144,1000000",
                 .machine = {.ranks_per_node = 64,
                             .latency = 1.5e-6,
                             .overhead = 0.5e-6,
                             .bandwidth = 25e9,
                             .memory = 5e9,
                             .looked_at = 2048},
                 .block = 64,
                 .axes = 3,
                 .width = 1,
                 .bytes = 8};
    for (int a = 1; a < argc; a += 2)
        if (a + 1 == argc || !read_option(&o, argv[a], argv[a + 1]))
            stop("an option is not known or has no such value: see the head of bench/scale.c");
    printf("%d ranks a node, %.3g us a message, %.3g GB/s a node, %.3g GB/s a rank; %" PRId64
           "^%" PRId64 " cells a rank, %" PRId64 " bytes each, halo %" PRId64 "\n\n",
           o.machine.ranks_per_node, o.machine.latency * 1e6, o.machine.bandwidth * 1e-9,
           o.machine.memory * 1e-9, o.block, o.axes, o.bytes, o.width);
    print_head();
    for (const char *list = o.ranks; *list != '\0';) {
        const int ranks = atoi(list);
        if (ranks < 1 || ranks > 1 << 24) stop("--ranks needs numbers from 1 on, with commas");
        predict(&o, ranks);
        list += strcspn(list, ",");
        list += *list == ',';
    }
    return 0;
}
