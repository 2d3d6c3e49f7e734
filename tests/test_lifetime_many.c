/* ranks: 1 2 3 */
/* timeout: 300 */
/* variants: none */
/* Layouts and arrays made and destroyed many times.  Destroying is local, so each rank destroys in
 * an order of its own, and about twenty are alive at any time.  What is alive, the number of
 * mappings and the memory of the process stay as they are after a warm-up. */
#include "support/harness.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    ALIVE = 20,        /* objects kept, about */
    MOST = ALIVE + 16, /* never more */
    ROUNDS = 10,       /* times that all is destroyed and counted; the first two warm up */
    WARM_UP = 2,
    CYCLES = 100000, /* each makes a layout and an array */
    LONG_CYCLES = 1000000,
    MAPPINGS_SLACK = 4,
    MEMORY_SLACK_KIB = 1024
};

typedef struct object {
    tsr_layout *layout; /* one of the two */
    tsr_array *array;
} object;

typedef struct objects {
    int count;
    object object[MOST];
    uint64_t seed; /* of this rank alone */
} objects;

static int next(uint64_t *seed, int limit)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((*seed >> 33) % (uint64_t)limit);
}

static void add(objects *all, tsr_layout *layout, tsr_array *array)
{
    CHECK(all->count < MOST);
    all->object[all->count++] = (object){.layout = layout, .array = array};
}

/* Destroy in this rank's order until so many are left. */
static void thin_out(objects *all, int left)
{
    while (all->count > left) {
        object *gone = &all->object[next(&all->seed, all->count)];
        CHECK_OK(tsr_layout_destroy(&gone->layout));
        CHECK_OK(tsr_array_destroy(&gone->array));
        *gone = all->object[--all->count];
    }
}

/* ---- making, the same on all ranks ------------------------------------------------------------
 */

static tsr_layout *make_layout(uint64_t *seed)
{
    const int64_t shape[] = {8 + next(seed, 9), 1 + next(seed, 5), 1 + next(seed, 3)};
    const int ndim = 1 + next(seed, 3);
    tsr_layout_options options = {.halo = {next(seed, 3)}, .allow_empty = true};
    tsr_layout *layout = NULL;

    if (next(seed, 2) == 0) options.periodic = TSR_AXES(0);
    if (next(seed, 8) == 0) options.split = TSR_WHOLE;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, ndim, shape, &options, &layout));
    return layout;
}

static tsr_array *make_array(uint64_t *seed, tsr_layout *layout)
{
    const tsr_dtype dtype = (tsr_dtype)(TSR_BOOL + next(seed, TSR_DTYPE_END - TSR_BOOL));
    tsr_array *array = NULL;
    CHECK_OK(tsr_ones(layout, dtype, &array));
    return array;
}

/* The first exchange, which makes plans, buffers and requests; some ranks destroy the array while
 * it is pending. */
static void exchange(uint64_t *seed, uint64_t *own, tsr_array **array)
{
    tsr_pending *pending = NULL;

    if (next(seed, 2) == 0) {
        CHECK_OK(tsr_halo_update(*array, NULL));
        if (next(seed, 2) == 0) CHECK_OK(tsr_halo_accumulate(*array, NULL));
        return;
    }
    CHECK_OK(tsr_halo_start(1, array, NULL, &pending));
    if (next(own, 2) == 0) CHECK_OK(tsr_array_destroy(array));
    CHECK_OK(tsr_halo_finish(&pending));
}

static void cycle(uint64_t *seed, objects *all)
{
    tsr_layout *layout = make_layout(seed);
    tsr_array *array = make_array(seed, layout);

    if (next(seed, 4) == 0) exchange(seed, &all->seed, &array);
    add(all, layout, NULL);
    if (array != NULL) add(all, NULL, array);
    if (all->count > ALIVE) thin_out(all, ALIVE - next(&all->seed, 8));
}

/* ---- what stays flat --------------------------------------------------------------------------
 */

typedef struct usage {
    tsri_counters counters;
    int64_t mappings, memory_kib; /* 0: not known */
} usage;

static usage measure(void)
{
    usage now = {.counters = tsri_counters_read()};
    FILE *maps = fopen("/proc/self/maps", "r"), *status = fopen("/proc/self/status", "r");
    char line[512];

    for (int c = 0; maps != NULL && (c = getc(maps)) != EOF;)
        now.mappings += c == '\n';
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "VmRSS: %" SCNd64, &now.memory_kib) == 1) break;
    if (maps != NULL) fclose(maps);
    if (status != NULL) fclose(status);
    return now;
}

static void check_flat(const usage *before, const usage *now)
{
    CHECK_INT(now->counters.live_blocks, before->counters.live_blocks);
    CHECK_INT(now->counters.live_requests, before->counters.live_requests);
    CHECK_INT(now->counters.live_comms, before->counters.live_comms);
    CHECK_INT(now->counters.idle_comms, before->counters.idle_comms);
    if (TSRT_SANITIZED) return;
    CHECK(now->mappings <= before->mappings + MAPPINGS_SLACK);
    CHECK(now->memory_kib <= before->memory_kib + MEMORY_SLACK_KIB);
}

static void many_of_each(void **state)
{
    (void)state;
    const int cycles = getenv("TSRT_LONG") != NULL ? LONG_CYCLES : CYCLES;
    objects all = {.seed = 77 + (uint64_t)tsrt_rank()};
    uint64_t seed = 5;
    const int64_t requests = tsri_counters_read().live_requests;
    usage warm = measure();
    bool exchanged = false;

    if (TSRT_SANITIZED && tsrt_rank() == 0)
        puts("skipped: memory and mappings, because of sanitizers");
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < cycles / ROUNDS; ++i)
            cycle(&seed, &all);
        exchanged = exchanged || tsri_counters_read().live_requests > requests;
        thin_out(&all, 0);
        const usage now = measure();
        if (round < WARM_UP) warm = now;
        check_flat(&warm, &now);
    }
    CHECK(exchanged || tsrt_size() == 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_of_each)};
    tsrt_count_messages();
    return TSRT_RUN(argc, argv, tests);
}
