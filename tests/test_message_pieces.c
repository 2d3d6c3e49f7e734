/* ranks: 1 2 3 4 */
/* Under a low message limit data go in pieces, each as long as the limit but the last; what arrives
 * is the same. */
#define _POSIX_C_SOURCE 200809L
#include "support/data_in.h"

enum { CELLS = 50, HALO = 3, BYTES = HALO * 8 };

static const char *const limits[] = {"1", "5", "8", "24", "25", "1000000"};
enum { LIMITS = 6 };

static int64_t pieces(int64_t bytes, int64_t limit)
{
    return (bytes + limit - 1) / limit;
}

/* A communicator with a context of its own, made under a limit. */
static tsr_comm limited(const char *limit)
{
    tsr_layout *layout = NULL;
    CHECK(setenv("TESSERA_MESSAGE_LIMIT", limit, 1) == 0);
    tsr_comm comm = first_ranks(tsrt_size());
    CHECK_OK(tsr_layout_create(comm, 0, NULL, NULL, &layout));
    CHECK_OK(tsr_layout_destroy(&layout));
    CHECK(unsetenv("TESSERA_MESSAGE_LIMIT") == 0);
    return comm;
}

/* A ring of blocks of CELLS cells, each its own index. */
static tsr_array *ring(tsr_comm comm)
{
    tsr_array *array = NULL;
    CHECK_OK(tsr_arange(comm, tsr_i64(0), tsr_i64(CELLS * tsrt_size()), tsr_i64(1), TSR_F64,
                        &(tsr_layout_options){.halo = {HALO}, .periodic = TSR_AXIS(0)}, &array));
    return array;
}

static void halos_in_pieces(void **state)
{
    (void)state;
    const int64_t size = tsrt_size(), length = CELLS * size;

    for (int i = 0; i < LIMITS; ++i) {
        const int64_t limit = atoi(limits[i]);
        tsr_comm comm = limited(limits[i]);
        tsr_array *array = ring(comm);
        CHECK_OK(tsr_halo_update(array, NULL));
        const tsri_counters before = tsri_counters_read();
        CHECK_OK(tsr_halo_update(array, NULL));
        const tsri_counters after = tsri_counters_read();
        const int64_t messages = size == 1   ? 0
                                 : size == 2 ? pieces(2 * BYTES, limit)
                                             : 2 * pieces(BYTES, limit);
        CHECK_INT(after.messages - before.messages, messages);
        CHECK_INT(after.message_bytes - before.message_bytes, size == 1 ? 0 : 2 * BYTES);
        CHECK_INT(after.allocations, before.allocations);

        const tsr_view v = tsr_local(array);
        for (int64_t k = -HALO; k < CELLS + HALO; ++k)
            CHECK_DOUBLE(TSR_AT(double, v, k), (double)((v.start[0] + k + length) % length), 0);
        CHECK_OK(tsr_array_destroy(&array));
        free_ranks(&comm);
    }
}

/* What a call sends beyond the same call without data: this many pieces. */
static void gathers_in_pieces(void **state)
{
    (void)state;
    const int64_t size = tsrt_size();
    double *all = malloc((size_t)(CELLS * size) * sizeof *all);
    CHECK(all != NULL);

    for (int i = 0; i < LIMITS; ++i) {
        const int64_t limit = atoi(limits[i]), root = size - 1;
        tsr_comm comm = limited(limits[i]);
        tsr_array *array = ring(comm);
        tsr_layout *nothing = NULL;
        tsr_array *none = NULL;
        CHECK_OK(tsr_layout_create(comm, 1, TSR_SHAPE(0),
                                   &(tsr_layout_options){.allow_empty = true}, &nothing));
        CHECK_OK(tsr_zeros(nothing, TSR_F64, &none));

        memset(all, 0, (size_t)(CELLS * size) * sizeof *all);
        const tsri_counters first = tsri_counters_read();
        CHECK_OK(tsr_gather(none, (int)root, all));
        const tsri_counters second = tsri_counters_read();
        CHECK_OK(tsr_gather(array, (int)root, all));
        const tsri_counters third = tsri_counters_read();
        const int64_t messages =
            third.messages - second.messages - (second.messages - first.messages);
        CHECK_INT(messages, tsrt_rank() == root ? 0 : pieces(CELLS * 8, limit));
        for (int64_t k = 0; k < CELLS * size && tsrt_rank() == root; ++k)
            CHECK_DOUBLE(all[k], (double)k, 0);

        CHECK_OK(tsr_array_destroy(&none));
        CHECK_OK(tsr_array_destroy(&array));
        CHECK_OK(tsr_layout_destroy(&nothing));
        free_ranks(&comm);
    }
    free(all);
}

/* A replicated array goes down a tree: the ranks but the root get it once. */
static void broadcasts_in_pieces(void **state)
{
    (void)state;
    const int64_t size = tsrt_size();
    double values[CELLS];

    for (int k = 0; k < CELLS; ++k)
        values[k] = tsrt_rank() == 0 ? k : -1;
    for (int i = 0; i < LIMITS; ++i) {
        int64_t sent[2] = {0, 0};
        tsr_comm comm = limited(limits[i]);
        for (int data = 0; data < 2; ++data) {
            tsr_layout *layout = NULL;
            tsr_array *array = NULL;
            CHECK_OK(tsr_layout_create(comm, 1, TSR_SHAPE(CELLS * data),
                                       &(tsr_layout_options){.split = TSR_WHOLE}, &layout));
            CHECK_OK(tsr_empty(layout, TSR_F64, &array)); /* the first of a communicator costs */
            CHECK_OK(tsr_array_destroy(&array));
            const tsri_counters before = tsri_counters_read();
            CHECK_OK(tsr_scatter(layout, TSR_F64, 0, values, NULL, &array));
            const tsri_counters after = tsri_counters_read();
            for (int r = 0; r < size; ++r) {
                int64_t theirs = after.messages - before.messages;
                tsrt_bcast(&theirs, sizeof theirs, r);
                sent[data] += theirs;
            }
            const tsr_view v = tsr_local(array);
            for (int64_t k = 0; k < CELLS * data; ++k)
                CHECK_DOUBLE(TSR_AT(double, v, k), (double)k, 0);
            CHECK_OK(tsr_array_destroy(&array));
            CHECK_OK(tsr_layout_destroy(&layout));
        }
        /* Storage may end beyond the last cell. */
        const int64_t least = (size - 1) * pieces(CELLS * 8, atoi(limits[i]));
        CHECK(sent[1] - sent[0] >= least && sent[1] - sent[0] <= least + (size - 1) * 64);
        free_ranks(&comm);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halos_in_pieces),
        cmocka_unit_test(gathers_in_pieces),
        cmocka_unit_test(broadcasts_in_pieces),
    };
    tsrt_count_messages();
    return TSRT_RUN(argc, argv, tests);
}
