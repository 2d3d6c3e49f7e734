/* ranks: 1 2 3 4 8 */
/* timeout: 300 */
/* Exchanges through shared memory: the bits that messages give, at the cost that is promised, in
 * any order of finishing, with little shared memory or none. */
#define _POSIX_C_SOURCE 200809L
#include "support/data_in.h"

#include <stdio.h>

enum { PROGRAMS = 60, RUNS = 3 };

static uint64_t seed = 1;

static int below(int limit)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((seed >> 33) % (uint64_t)limit);
}

/* A communicator whose context is made with these settings; NULL: as the environment has it. */
static tsr_comm communicator(const char *transport, const char *limit)
{
    char was[2][40] = {"", ""};
    const char *names[] = {"TESSERA_TRANSPORT", "TESSERA_SHM_LIMIT"};
    const char *values[] = {transport, limit};
    tsr_layout *layout = NULL;

    for (int i = 0; i < 2; ++i) {
        const char *value = getenv(names[i]);
        snprintf(was[i], sizeof was[i], "%s", value != NULL ? value : "");
        if (values[i] != NULL) CHECK(setenv(names[i], values[i], 1) == 0);
    }
    tsr_comm comm = first_ranks(tsrt_size());
    CHECK_OK(tsr_layout_create(comm, 0, NULL, NULL, &layout));
    CHECK_OK(tsr_layout_destroy(&layout));
    for (int i = 0; i < 2; ++i)
        CHECK(setenv(names[i], was[i], 1) == 0);
    return comm;
}

/* Values whose sums depend on their order. */
static void fill(tsr_array *array, int run)
{
    tsr_view v = tsr_local(array);
    unsigned char *bytes = v.data;
    int64_t cells = 1, first = 0;
    uint64_t random = (uint64_t)(1000 * run + tsrt_rank());

    if (bytes == NULL) return;
    for (int a = 0; a < v.ndim; ++a) {
        cells *= v.halo_lo[a] + v.extent[a] + v.halo_hi[a];
        first += v.halo_lo[a] * v.stride[a];
    }
    double *cell = (double *)v.data - first;
    for (int64_t i = 0; i < cells; ++i) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        cell[i] = ((double)(random >> 11) - 4e15) * (i % 3 == 0 ? 1e-9 : 1e7);
    }
}

static void check_same(const tsr_array *array, const tsr_array *other)
{
    const tsr_view v = tsr_local(array), w = tsr_local(other);
    int64_t cells = 1, first = 0;

    if (v.data == NULL) return;
    for (int a = 0; a < v.ndim; ++a) {
        cells *= v.halo_lo[a] + v.extent[a] + v.halo_hi[a];
        first += v.halo_lo[a] * v.stride[a];
    }
    CHECK(memcmp((double *)v.data - first, (double *)w.data - first,
                 (size_t)cells * sizeof(double)) == 0);
}

/* The same program over communicators of different transports. */
enum { COMMS = 3 };

static void run_program(tsr_comm *comms)
{
    enum { NDIM = 3 };
    tsr_layout_options options = {.allow_empty = true};
    int64_t shape[NDIM];
    tsr_array *array[COMMS];
    const int ndim = 1 + below(NDIM);
    const bool long_runs = below(4) == 0; /* some pieces are read where they lie, some packed */

    for (int a = 0; a < ndim; ++a) {
        shape[a] = 1 + below(a == ndim - 1 && long_runs ? 900 : 9);
        options.halo_lo[a] = below(3);
        options.halo_hi[a] = below(3);
        options.periodic |= below(2) == 0 ? TSR_AXIS(a) : 0;
        options.split |= below(2) == 0 ? TSR_AXIS(a) : 0;
    }
    const tsr_halo_options halo = {.faces_only = below(3) == 0};
    const bool twice = below(2) == 0;
    for (int c = 0; c < COMMS; ++c) {
        tsr_layout *layout = NULL;
        CHECK_OK(tsr_layout_create(comms[c], ndim, shape, &options, &layout));
        CHECK_OK(tsr_empty(layout, TSR_F64, &array[c]));
        CHECK_OK(tsr_layout_destroy(&layout));
        for (int run = 0; run < RUNS; ++run) {
            fill(array[c], run);
            CHECK_OK(tsr_halo_accumulate(array[c], &halo));
            CHECK_OK(tsr_halo_update(array[c], &halo));
            if (twice) CHECK_OK(tsr_halo_accumulate(array[c], NULL));
        }
    }
    for (int c = 1; c < COMMS; ++c) {
        check_same(array[0], array[c]);
        CHECK_OK(tsr_array_destroy(&array[c]));
    }
    CHECK_OK(tsr_array_destroy(&array[0]));
}

static void same_bits_as_messages(void **state)
{
    (void)state;
    tsr_comm comms[COMMS] = {communicator("p2p", NULL), communicator("auto", NULL),
                             communicator("auto", "3000")};
    const int programs = getenv("TSRT_LONG") != NULL ? 100 * PROGRAMS : PROGRAMS;
    for (int k = 0; k < programs; ++k) {
        seed = (uint64_t)k;
        run_program(comms);
    }
    for (int c = 0; c < COMMS; ++c)
        free_ranks(&comms[c]);
}

/* ---- cost ------------------------------------------------------------------------------------ */

static tsr_array *blocks(tsr_comm comm, tsr_axes split, int64_t rows, int64_t cols)
{
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;
    CHECK_OK(tsr_layout_create(
        comm, 2,
        TSR_SHAPE(split == TSR_AXES(0) ? rows * tsrt_size() : rows,
                  split == TSR_AXES(1) ? cols * tsrt_size() : cols),
        &(tsr_layout_options){.split = split, .halo = {1, 1}, .periodic = TSR_AXES(0, 1)},
        &layout));
    CHECK_OK(tsr_zeros(layout, TSR_F64, &array));
    CHECK_OK(tsr_layout_destroy(&layout));
    return array;
}

static tsr_array *cube(tsr_comm comm, tsr_axes split, int64_t n)
{
    return blocks(comm, split, n, n);
}

/* No message, no allocation; long rows are copied once, columns twice.  Rows are too
 * long to be packed as all short links are; blocks of the second size may lie in private memory. */
static void no_message_and_one_copy(void **state)
{
    (void)state;
    const int64_t sizes[] = {400, 1100}, cols = 1100;
    tsr_comm comm = communicator("auto", NULL);
    for (int k = 0; k < 4 && tsrt_size() > 1; ++k) {
        const int axis = k % 2;
        const int64_t rows = sizes[k / 2];
        tsr_array *array = blocks(comm, TSR_AXIS(axis), rows, cols);
        const tsr_halo_options faces = {.axes = TSR_AXIS(axis), .faces_only = true};
        CHECK_OK(tsr_halo_update(array, &faces));
        const tsri_counters before = tsri_counters_read();
        CHECK_OK(tsr_halo_update(array, &faces));
        const tsri_counters after = tsri_counters_read();
        CHECK_INT(after.allocations, before.allocations);
        if (getenv("TESSERA_RANKS_PER_NODE") == NULL && !tsrt_counts_messages()) {
            const int64_t copied = after.copied_bytes - before.copied_bytes,
                          halo = 2 * (axis == 0 ? cols : rows) * 8;
            CHECK_INT(after.messages, before.messages);
            CHECK(copied == (axis == 0 ? 1 : 2) * halo || (rows > sizes[0] && copied == 2 * halo));
        }
        CHECK_OK(tsr_array_destroy(&array));
    }
    free_ranks(&comm);
}

/* Creating, exchanging and destroying for ever leaves as much mapped as it found. */
static void cycles_are_flat(void **state)
{
    (void)state;
    const int cycles = getenv("TSRT_LONG") != NULL ? 100000 : 200;
    tsr_comm comm = communicator("auto", NULL);
    tsr_layout *layout = NULL;
    tsr_array *kept = cube(comm, TSR_AXES(0), 5), *array = NULL;
    layout = tsr_array_layout(kept);
    CHECK_OK(tsr_halo_update(kept, NULL));
    const tsri_counters before = tsri_counters_read();
    for (int k = 0; k < cycles; ++k) {
        CHECK_OK(tsr_zeros(layout, TSR_F64, &array));
        if (k % 10 == 0) CHECK_OK(tsr_halo_update(array, NULL));
        CHECK_OK(tsr_array_destroy(&array));
    }
    const tsri_counters after = tsri_counters_read();
    CHECK_INT(after.live_pieces, before.live_pieces);
    CHECK_INT(after.live_attachments, before.live_attachments);
    CHECK_OK(tsr_array_destroy(&kept));
    free_ranks(&comm);
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Several exchanges under way, finished in an order of each rank's own, with collective calls that
 * wait for other ranks between the finishes. */
static void finished_in_any_order(void **state)
{
    (void)state;
    enum { ARRAYS = 4 };
    tsr_array *array[ARRAYS];
    uint64_t own = 7 + (uint64_t)tsrt_rank();

    for (int k = 0; k < ARRAYS; ++k)
        array[k] = cube(TSR_COMM_WORLD, TSR_AXIS(k % 2), 3 + 100 * (k / 2));
    for (int round = 0; round < 40; ++round) {
        tsr_pending *pending[ARRAYS];
        for (int k = 0; k < ARRAYS; ++k) {
            fill(array[k], round);
            CHECK_OK(k == 3 ? tsr_halo_accumulate_start(1, &array[k], NULL, &pending[k])
                            : tsr_halo_start(1, &array[k], NULL, &pending[k]));
        }
        for (int left = ARRAYS; left > 0; --left) {
            own = own * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const int k = (int)((own >> 33) % (uint64_t)left);
            bool done = false;
            CHECK_OK(tsr_halo_test(pending[k], &done));
            CHECK_OK(tsr_halo_finish(&pending[k]));
            pending[k] = pending[left - 1];
        }
    }
    for (int k = 0; k < ARRAYS; ++k)
        CHECK_OK(tsr_array_destroy(&array[k]));
}

/* A test comes true without any rank's finish. */
static void testing_is_enough(void **state)
{
    (void)state;
    tsr_array *array = cube(TSR_COMM_WORLD, TSR_AXES(1), 20);
    for (int round = 0; round < 20; ++round) {
        tsr_pending *pending = NULL;
        bool done = false;
        CHECK_OK(tsr_halo_start(1, &array, NULL, &pending));
        while (!done)
            CHECK_OK(tsr_halo_test(pending, &done));
        tsrt_barrier();
        CHECK_OK(tsr_halo_finish(&pending));
    }
    CHECK_OK(tsr_array_destroy(&array));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_as_messages), cmocka_unit_test(no_message_and_one_copy),
        cmocka_unit_test(cycles_are_flat),       cmocka_unit_test(finished_in_any_order),
        cmocka_unit_test(testing_is_enough),
    };
    return TSRT_RUN(argc, argv, tests);
}
