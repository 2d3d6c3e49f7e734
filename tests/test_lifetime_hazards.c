/* ranks: 1 2 3 4 8 */
/* Faults that users of similar libraries have reported, of communicators, errors, lifetime and
 * threads; where each is tested:
 *
 *   message tags run out             eight_fields_a_thousand_times (tags are constants)
 *   10^5 create/destroy cycles       test_lifetime_many, test_lifetime_cycles
 *   created is not freed             the harness after each test, test_fault_matrix on error paths;
 *                                    handles_as_mpi_counts_them
 *   a rank that owns nothing,        an_empty_rank_and_garbage_in_outputs; test_layout_near_even
 *   outputs left undefined           for layouts, test_fault_matrix for handles after faults
 *   a failure on one rank alone      test_fault_matrix, test_array_fault, test_from_local_fault,
 *                                    test_base_agree, test_halo_errors
 *   a thread level too low           test_lifetime_thread_level, test_lifetime_thread_single; high
 *                                    enough: another_thread, test_lifetime_threads
 *   8 ranks on 2 cores               this program and those others that run at 8 ranks
 *   random numbers, locale, signals  nothing_of_the_process_changes
 *   a serial build in an MPI program tests/install/check, tools/check_symbols */
#define _XOPEN_SOURCE 700

#include "support/harness.h"

#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

/* ---- handles, counted where MPI makes and frees them -------------------------------------------
 */

static int64_t requests_made, comms_made, types_made;

#ifndef TSR_SERIAL
int MPI_Send_init(const void *data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    ++requests_made;
    return PMPI_Send_init(data, count, type, peer, tag, comm, request);
}

int MPI_Recv_init(void *data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    ++requests_made;
    return PMPI_Recv_init(data, count, type, peer, tag, comm, request);
}

int MPI_Request_free(MPI_Request *request)
{
    --requests_made;
    return PMPI_Request_free(request);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *split)
{
    ++comms_made;
    return PMPI_Comm_split(comm, color, key, split);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *duplicate)
{
    ++comms_made;
    return PMPI_Comm_dup(comm, duplicate);
}

int MPI_Comm_free(MPI_Comm *comm)
{
    --comms_made;
    return PMPI_Comm_free(comm);
}

int MPI_Type_commit(MPI_Datatype *type)
{
    ++types_made;
    return PMPI_Type_commit(type);
}

int MPI_Type_free(MPI_Datatype *type)
{
    --types_made;
    return PMPI_Type_free(type);
}
#endif

/* ---- what the tests work with ------------------------------------------------------------------
 */

static tsr_layout *ring(int64_t cells)
{
    tsr_layout *layout = NULL;
    CHECK_OK(tsr_layout_create(
        TSR_COMM_WORLD, 1, &cells,
        &(tsr_layout_options){.halo = {1}, .periodic = TSR_AXES(0), .allow_empty = true}, &layout));
    return layout;
}

static tsr_status row_numbers(const int64_t *index, int64_t count, void *values, void *ctx)
{
    (void)ctx;
    for (int64_t j = 0; j < count; ++j)
        ((double *)values)[j] = (double)(index[0] + j);
    return TSR_OK;
}

/* ---- tests -------------------------------------------------------------------------------------
 */

enum { FIELDS = 8, UPDATES = 1000 };

static void set_field(const tsr_array *field, double base)
{
    const tsr_view v = tsr_local(field);
    for (int64_t i = 0; i < v.extent[0]; ++i)
        TSR_AT(double, v, i) = base + (double)(v.start[0] + i);
}

static void check_halo(const tsr_array *field, double base, int64_t cells)
{
    const tsr_view v = tsr_local(field);
    const int64_t end = v.start[0] + v.extent[0];
    CHECK_DOUBLE(TSR_AT(double, v, -1), base + (double)((v.start[0] + cells - 1) % cells), 0);
    CHECK_DOUBLE(TSR_AT(double, v, v.extent[0]), base + (double)(end % cells), 0);
}

/* All under way at once, finished in an order that changes. */
static void eight_fields_a_thousand_times(void **state)
{
    (void)state;
    const int64_t cells = 5 * tsrt_size();
    tsr_layout *layout = ring(cells);
    tsr_array *field[FIELDS];
    tsr_pending *pending[FIELDS];

    for (int f = 0; f < FIELDS; ++f)
        CHECK_OK(tsr_zeros(layout, TSR_F64, &field[f]));
    for (int update = 0; update < UPDATES; ++update) {
        for (int f = 0; f < FIELDS; ++f) {
            set_field(field[f], 1000.0 * (update * FIELDS + f));
            CHECK_OK(tsr_halo_start(1, &field[f], NULL, &pending[f]));
        }
        for (int i = 0; i < FIELDS; ++i)
            CHECK_OK(tsr_halo_finish(&pending[(3 * i + update) % FIELDS]));
        for (int f = 0; f < FIELDS; ++f)
            check_halo(field[f], 1000.0 * (update * FIELDS + f), cells);
    }
    for (int f = 0; f < FIELDS; ++f)
        CHECK_OK(tsr_array_destroy(&field[f]));
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void handles_as_mpi_counts_them(void **state)
{
    (void)state;
    const tsri_counters before = tsri_counters_read();
    const int64_t requests = requests_made, comms = comms_made;
    int64_t most = 0;

    for (int n = 0, fired = 1; fired; ++n) { /* the n-th call of rank 0 fails, until none does */
        tsr_layout *layout = ring(4 * tsrt_size());
        tsr_array *array = NULL;
        CHECK_OK(tsr_ones(layout, TSR_F64, &array));
        tsri_fault_arm(tsrt_rank() == 0 ? n : -1);
        const tsr_status st = tsr_halo_update(array, NULL);
        fired = tsri_fault_fired();
        tsri_fault_arm(-1);
        tsrt_bcast(&fired, sizeof fired, 0);
        CHECK(fired || st == TSR_OK);

        const tsri_counters now = tsri_counters_read();
        CHECK_INT(requests_made - requests, now.live_requests - before.live_requests);
        if (requests_made - requests > most) most = requests_made - requests;
        CHECK_OK(tsr_array_destroy(&array));
        CHECK_OK(tsr_layout_destroy(&layout));
        CHECK_INT(requests_made, requests);
    }
    const tsri_counters after = tsri_counters_read();
    CHECK(most > 0 || tsrt_size() == 1);
    CHECK_INT(comms_made - comms,
              after.live_comms + after.idle_comms - before.live_comms - before.idle_comms);
    CHECK_INT(types_made, 0);
}

/* A call that makes an array or a layout, with an argument that is wrong where `bad`. */
typedef tsr_status making(tsr_layout *layout, bool bad, void **out);
#define MAKES(name, ...)                                                                           \
    static tsr_status name(tsr_layout *layout, bool bad, void **out)                               \
    {                                                                                              \
        const tsr_dtype dtype = bad ? (tsr_dtype)99 : TSR_F64;                                     \
        tsr_array *a = *out; /* garbage */                                                         \
        (void)layout;                                                                              \
        const tsr_status st = (__VA_ARGS__);                                                       \
        *out = a;                                                                                  \
        (void)dtype;                                                                               \
        return st;                                                                                 \
    }
static const double data[16];
MAKES(empty, tsr_empty(layout, dtype, &a))
MAKES(zeros, tsr_zeros(layout, dtype, &a))
MAKES(ones, tsr_ones(layout, dtype, &a))
MAKES(full, tsr_full(layout, dtype, tsr_i64(3), &a))
MAKES(fromfunction, tsr_fromfunction(layout, dtype, row_numbers, NULL, &a))
MAKES(from_global, tsr_from_global(layout, dtype, data, NULL, &a))
MAKES(scatter, tsr_scatter(layout, dtype, 0, data, NULL, &a))
MAKES(from_pieces, tsr_from_pieces(TSR_COMM_WORLD, 1, TSR_SHAPE(tsrt_rank() % 2), 0, dtype, data,
                                   NULL, &(tsr_layout_options){.allow_empty = true}, &a))
MAKES(arange, tsr_arange(TSR_COMM_WORLD, tsr_i64(0), tsr_i64(1), tsr_i64(bad ? 0 : 1), TSR_AUTO,
                         &(tsr_layout_options){.allow_empty = true}, &a))
MAKES(linspace, tsr_linspace(TSR_COMM_WORLD, tsr_f64(0), tsr_f64(1), bad ? -1 : 1, true, TSR_AUTO,
                             &(tsr_layout_options){.allow_empty = true}, &a))
MAKES(load, tsr_load(bad ? "" : "garbage.npy", TSR_COMM_WORLD,
                     &(tsr_layout_options){.allow_empty = true}, &a))
static making *const all_makings[] = {empty,        zeros,       ones,        full,
                                      fromfunction, from_global, from_pieces, scatter,
                                      arange,       linspace,    load};

/* With one rank without cells; then with a wrong argument on the last rank alone. */
static void an_empty_rank_and_garbage_in_outputs(void **state)
{
    (void)state;
    const bool last = tsrt_rank() == tsrt_size() - 1;
    const int64_t cells = tsrt_size() - 1;
    tsr_layout *layout = ring(cells);
    tsr_array *rows = NULL;
    tsr_pending *pending = (tsr_pending *)&pending;
    tsr_scalar sum = tsr_f64(-7), least = tsr_f64(-7);

    CHECK_OK(tsr_fromfunction(layout, TSR_F64, row_numbers, NULL, &rows));
    CHECK_OK(tsr_save("garbage.npy", rows));
    for (size_t k = 0; k < sizeof all_makings / sizeof *all_makings; ++k) {
        void *out = &out;
        CHECK_OK(all_makings[k](layout, false, &out));
        CHECK(out != &out && out != NULL);
        tsr_array *made = out;
        CHECK_OK(tsr_halo_update(made, NULL));
        CHECK_OK(tsr_array_destroy(&made));
        out = &out;
        const tsr_status st = all_makings[k](layout, last, &out);
        CHECK_SAME_ON_ALL(st);
        CHECK(st != TSR_OK && out == NULL);
    }

    CHECK_STATUS(tsr_halo_start(1, &rows, &(tsr_halo_options){.axes = TSR_AXIS(5)}, &pending),
                 TSR_ERR_AXIS);
    CHECK(pending == NULL);
    pending = (tsr_pending *)&pending;
    CHECK_OK(tsr_halo_start(1, &rows, NULL, &pending));
    CHECK_OK(tsr_halo_finish(&pending));
    CHECK(pending == NULL);
    CHECK_OK(tsr_sum(rows, &sum));
    CHECK_DOUBLE(sum.as.f, (double)(cells * (cells - 1) / 2), 0);
    CHECK_STATUS(tsr_min(rows, &least), cells > 0 ? TSR_OK : TSR_ERR_VALUE);
    CHECK_INT(least.dtype, cells > 0 ? TSR_F64 : TSR_AUTO);
    CHECK_OK(tsr_array_destroy(&rows));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* ---- the process -------------------------------------------------------------------------------
 */

/* One call of every kind that computes, sends, formats or reads. */
static void use_the_library(void)
{
    tsr_layout *layout = NULL, *weighted = NULL;
    tsr_array *array = NULL, *loaded = NULL;
    tsr_scalar value;
    double buffer[96], weights[96];

    for (int i = 0; i < 96; ++i)
        weights[i] = 1.0 + i % 5;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(16, 6),
                               &(tsr_layout_options){.halo = {1, 1}, .periodic = TSR_AXES(1)},
                               &layout));
    CHECK_OK(
        tsr_layout_create_weighted(TSR_COMM_WORLD, 2, TSR_SHAPE(16, 6), weights, NULL, &weighted));
    CHECK_OK(tsr_from_global(layout, TSR_F64, weights, NULL, &array));
    CHECK_OK(tsr_array_set_boundary(array, TSR_AXES(0), TSR_BOTH_SIDES, TSR_EDGE, tsr_f64(0)));
    CHECK_OK(tsr_halo_update(array, NULL));
    CHECK_OK(tsr_halo_accumulate(array, NULL));
    CHECK_OK(tsr_sum(array, &value));
    CHECK_OK(tsr_max(array, &value));
    CHECK_OK(tsr_gather(array, TSR_ALL_RANKS, buffer));
    CHECK_OK(tsr_get(array, TSR_SHAPE(-1, 0), &value));
    CHECK_OK(tsr_save("process.npy", array));
    CHECK_OK(tsr_load("process.npy", TSR_COMM_WORLD, NULL, &loaded));
    const tsr_status drawn =
        tsr_save_png("process.png", array, &(tsr_picture_options){.color_bar = true});
    CHECK(drawn == TSR_OK || drawn == TSR_ERR_UNSUPPORTED);
    CHECK_STATUS(tsr_get(array, TSR_SHAPE(99, 0), &value), TSR_ERR_INDEX);
    CHECK_OK(tsr_array_destroy(&loaded));
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&weighted));
    CHECK_OK(tsr_layout_destroy(&layout));
}

enum { SIGNALS = 65 };

static void read_handlers(struct sigaction *handlers)
{
    for (int s = 1; s < SIGNALS; ++s) {
        memset(&handlers[s], 0, sizeof handlers[s]);
        (void)sigaction(s, NULL, &handlers[s]);
    }
}

static void nothing_of_the_process_changes(void **state)
{
    (void)state;
    static const char *const languages[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8", "C"};
    struct sigaction before[SIGNALS], after[SIGNALS];
    char language[64];
    size_t k = 0;

    while (setlocale(LC_ALL, languages[k]) == NULL)
        ++k;
    snprintf(language, sizeof language, "%s", setlocale(LC_ALL, NULL));
    read_handlers(before);
    CHECK(fesetround(FE_UPWARD) == 0);
    srand(11);
    srandom(11);
    const int first = rand();
    const long long_first = random();
    const int second = rand();
    const long long_second = random();

    srand(11);
    srandom(11);
    CHECK_INT(rand(), first);
    CHECK_INT(random(), long_first);
    use_the_library();
    CHECK_INT(rand(), second);
    CHECK_INT(random(), long_second);

    CHECK_INT(fegetround(), FE_UPWARD);
    CHECK(fesetround(FE_TONEAREST) == 0);
    CHECK_STR(setlocale(LC_ALL, NULL), language);
    CHECK(setlocale(LC_ALL, "C") != NULL);
    read_handlers(after);
    for (int s = 1; s < SIGNALS; ++s) {
        CHECK(after[s].sa_handler == before[s].sa_handler);
        CHECK_INT(after[s].sa_flags, before[s].sa_flags);
    }
}

/* ---- threads -----------------------------------------------------------------------------------
 */

static void *works(void *unused)
{
    (void)unused;
    use_the_library();
    CHECK_TEXT("index[0] is 99");
    return NULL;
}

/* tsr_init() asks for a level at which any thread may call, one at a time; texts are a thread's. */
static void another_thread(void **state)
{
    (void)state;
    pthread_t thread;
    char text[64];

    CHECK_STATUS(tsr_near_even(-3, 1, 0, NULL, NULL), TSR_ERR_VALUE);
    snprintf(text, sizeof text, "%s", tsr_error_text());
#ifndef TSR_SERIAL
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    if (level < MPI_THREAD_SERIALIZED) tsrt_skip("this MPI does not give MPI_THREAD_SERIALIZED");
#endif
    CHECK(pthread_create(&thread, NULL, works, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK_TEXT(text);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_fields_a_thousand_times),
        cmocka_unit_test(handles_as_mpi_counts_them),
        cmocka_unit_test(an_empty_rank_and_garbage_in_outputs),
        cmocka_unit_test(nothing_of_the_process_changes),
        cmocka_unit_test(another_thread),
    };
    tsrt_count_messages();
    return TSRT_RUN(argc, argv, tests);
}
