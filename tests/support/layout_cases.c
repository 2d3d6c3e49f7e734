#include "support/layout_cases.h"

#include "base/checked.h"

tsr_layout *tsrt_layout(int rank, int size, int ndim, const int64_t *shape,
                        const tsr_layout_options *options)
{
    tsr_layout *layout = calloc(1, sizeof *layout);
    CHECK(layout != NULL);
    layout->rank = rank;
    layout->size = size;
    CHECK_OK(
        tsri_geometry_init("tsr_layout_create", &layout->geometry, size, ndim, shape, options));
    return layout;
}

void tsrt_layout_free(tsr_layout *layout)
{
    tsri_geometry_clear(&layout->geometry);
    free(layout);
}

void tsrt_on_layout(int size, int ndim, const int64_t *shape, const tsr_layout_options *options,
                    void (*check)(const tsr_layout *layout))
{
    for (int rank = 0; rank < size; ++rank) {
        tsr_layout *layout = tsrt_layout(rank, size, ndim, shape, options);
        check(layout);
        tsrt_layout_free(layout);
    }
    if (tsrt_size() == size) {
        tsr_layout *layout = NULL;
        CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, ndim, shape, options, &layout));
        CHECK_INT(tsr_layout_rank(layout), tsrt_rank());
        check(layout);
        CHECK_OK(tsr_layout_destroy(&layout));
        CHECK(layout == NULL);
    }
}

int tsrt_text_hash(void)
{
    const char *text = tsr_error_text();
    return (int)(tsri_hash(TSRI_HASH_START, text, strlen(text)) >> 33);
}

void tsrt_refused(int size, int ndim, const int64_t *shape, const tsr_layout_options *options,
                  tsr_status status, const char *text)
{
    tsri_geometry geometry = {0};
    CHECK_STATUS(tsri_geometry_init("tsr_layout_create", &geometry, size, ndim, shape, options),
                 status);
    CHECK_TEXT(text);
    CHECK_TEXT("tsr_layout_create");
    if (tsrt_size() == size) {
        tsr_layout *layout = (tsr_layout *)&geometry;
        CHECK_STATUS(tsr_layout_create(TSR_COMM_WORLD, ndim, shape, options, &layout), status);
        CHECK(layout == NULL);
        CHECK_TEXT(text);
        CHECK_SAME_ON_ALL(tsrt_text_hash());
    }
}

int tsrt_layout_faults(tsr_status (*create)(void *ctx, tsr_layout **layout), void *ctx)
{
    int most = 0;
    for (int victim = 0; victim < tsrt_size(); ++victim) {
        bool fired = true;
        for (int n = 0; fired; ++n) {
            tsr_layout *layout = (tsr_layout *)&layout;
            const tsri_counters before = tsri_counters_read();
            tsri_fault_arm(tsrt_rank() == victim ? n : -1);
            const tsr_status st = create(ctx, &layout);
            fired = tsri_fault_fired();
            tsri_fault_arm(-1);
            tsrt_bcast(&fired, sizeof fired, victim);
            CHECK((st != TSR_OK) == fired);
            CHECK((layout == NULL) == fired);
            CHECK_SAME_ON_ALL(st);
            if (fired) CHECK_SAME_ON_ALL(tsrt_text_hash());
            CHECK_OK(tsr_layout_destroy(&layout));
            CHECK_INT(tsri_counters_read().live_blocks, before.live_blocks);
            CHECK_INT(tsri_counters_read().live_comms, before.live_comms);
            if (n > most) most = n;
        }
    }
    return most;
}

void tsrt_check_cuts(const tsr_layout *layout, int axis, int count, const int64_t *cuts)
{
    int64_t found[64];
    CHECK(count <= 64);
    CHECK_INT(tsr_layout_process_grid(layout)[axis], count - 1);
    CHECK_OK(tsr_layout_cuts(layout, axis, found));
    for (int k = 0; k < count; ++k)
        CHECK_INT(found[k], cuts[k]);
}

static void check_nothing(const tsr_layout *layout)
{
    CHECK(layout != NULL);
}

void tsrt_accepted(int size, int ndim, const int64_t *shape, const tsr_layout_options *options)
{
    tsrt_on_layout(size, ndim, shape, options, check_nothing);
}

int tsrt_random(uint64_t *seed, int limit)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((*seed >> 33) % (uint64_t)limit);
}

/* Points 0 <= ... <= length in ascending order. */
static void random_cuts(uint64_t *seed, int64_t length, int blocks, int64_t *cuts)
{
    cuts[0] = 0;
    for (int k = 1; k < blocks; ++k) {
        const int64_t point = tsrt_random(seed, (int)length + 1);
        int place = k;
        for (; place > 1 && cuts[place - 1] > point; --place)
            cuts[place] = cuts[place - 1];
        cuts[place] = point;
    }
    cuts[blocks] = length;
}

void tsrt_random_layout_make(uint64_t *seed, tsrt_random_layout *layout)
{
    *layout = (tsrt_random_layout){.size = 1, .ndim = tsrt_random(seed, 5)};
    tsr_layout_options *options = &layout->options;
    options->allow_empty = true;
    for (int a = 0; a < layout->ndim; ++a) {
        const int blocks = 1 + tsrt_random(seed, layout->ndim > 2 ? 3 : 7);
        layout->shape[a] = tsrt_random(seed, 13);
        options->process_grid[a] = blocks;
        options->halo_lo[a] = tsrt_random(seed, 4);
        options->halo_hi[a] = tsrt_random(seed, 4);
        if (tsrt_random(seed, 2) == 0) options->periodic |= TSR_AXIS(a);
        if (tsrt_random(seed, 2) == 0) {
            random_cuts(seed, layout->shape[a], blocks, layout->cuts[a]);
            options->cuts[a] = layout->cuts[a];
            options->ncuts[a] = blocks + 1;
        }
        layout->size *= blocks;
    }
}
