/* ranks: 1 2 3 4 */
/* timeout: 300 */
/* Every creating call, and the first use of every other collective call, with the n-th allocation,
 * MPI call or file call failing on each rank in turn: the same status and sentence on every rank,
 * no output, nothing left alive, nothing waiting, and the same call succeeds afterwards. */
#define _POSIX_C_SOURCE 200809L

#include "support/harness.h"

#include <dirent.h>
#include <stdio.h>

enum { MOST_CALLS = 400 };

/* What every trial starts with: made anew, so that the call under test is a first use. */
typedef struct stage {
    tsr_layout *layout;
    tsr_array *array, *second;
    char path[256];
} stage;

static void stage_begin(stage *s)
{
    *s = (stage){0};
    snprintf(s->path, sizeof s->path, "%s/fault.npy", tsrt_folder());
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(6, 5),
                               &(tsr_layout_options){.halo = {2, 1}, .periodic = TSR_AXES(0)},
                               &s->layout));
    CHECK_OK(tsr_full(s->layout, TSR_F64, tsr_f64(2), &s->array));
    CHECK_OK(tsr_ones(s->layout, TSR_I32, &s->second));
}

static void stage_end(stage *s)
{
    CHECK_OK(tsr_array_destroy(&s->array));
    CHECK_OK(tsr_array_destroy(&s->second));
    CHECK_OK(tsr_layout_destroy(&s->layout));
}

/* ---- the calls ------------------------------------------------------------------------------- */

/* A call that makes an array `out` from the stage `s`. */
#define MAKES(name, ...)                                                                           \
    static tsr_status name(stage *s)                                                               \
    {                                                                                              \
        tsr_array *out = s->array;                                                                 \
        const tsr_status st = (__VA_ARGS__);                                                       \
        CHECK((out == NULL) == (st != TSR_OK));                                                    \
        (void)tsr_array_destroy(&out);                                                             \
        return st;                                                                                 \
    }

static tsr_status indices(const int64_t *index, int64_t count, void *values, void *ctx)
{
    (void)ctx;
    for (int64_t j = 0; j < count; ++j)
        ((double *)values)[j] = (double)(index[0] + index[1] + j);
    return TSR_OK;
}

static const double global[30];

MAKES(empty, tsr_empty(s->layout, TSR_F64, &out))
MAKES(zeros, tsr_zeros(s->layout, TSR_C128, &out))
MAKES(ones, tsr_ones(s->layout, TSR_BOOL, &out))
MAKES(full, tsr_full(s->layout, TSR_AUTO, tsr_i64(3), &out))
MAKES(empty_like, tsr_empty_like(s->array, &out))
MAKES(zeros_like, tsr_zeros_like(s->array, &out))
MAKES(ones_like, tsr_ones_like(s->array, &out))
MAKES(full_like, tsr_full_like(s->array, tsr_f64(3), &out))
MAKES(arange, tsr_arange(TSR_COMM_WORLD, tsr_i64(0), tsr_i64(9), tsr_i64(1), TSR_AUTO, NULL, &out))
MAKES(linspace, tsr_linspace(TSR_COMM_WORLD, tsr_f64(0), tsr_f64(1), 9, true, TSR_AUTO, NULL, &out))
MAKES(fromfunction, tsr_fromfunction(s->layout, TSR_F64, indices, NULL, &out))
MAKES(from_global, tsr_from_global(s->layout, TSR_F64, global, NULL, &out))
MAKES(copy, tsr_copy(s->array, &out))
MAKES(astype, tsr_astype(s->array, TSR_I16, &out))
MAKES(load, tsr_load(s->path, TSR_COMM_WORLD, NULL, &out))

static tsr_status create_layout(const tsr_layout_options *options)
{
    tsr_layout *out = (tsr_layout *)&out;
    const tsr_status st = tsr_layout_create(TSR_COMM_WORLD, 2, TSR_SHAPE(12, 5), options, &out);
    CHECK((out == NULL) == (st != TSR_OK));
    (void)tsr_layout_destroy(&out);
    return st;
}

static tsr_status layout(stage *s)
{
    (void)s;
    return create_layout(&(tsr_layout_options){.split = TSR_AXES(0, 1), .halo = {1}});
}

static tsr_status layout_with_cuts(stage *s)
{
    int64_t cuts[64] = {0};
    (void)s;
    for (int k = 1; k < tsrt_size(); ++k)
        cuts[k] = k;
    cuts[tsrt_size()] = 12;
    return create_layout(&(tsr_layout_options){.cuts = {cuts}, .ncuts = {tsrt_size() + 1}});
}

static tsr_status first_use_of_a_communicator(stage *s)
{
    tsr_array *out = s->array;
    tsr_comm comm = TSR_COMM_WORLD;
#ifndef TSR_SERIAL
    CHECK(MPI_Comm_dup(TSR_COMM_WORLD, &comm) == MPI_SUCCESS);
#endif
    const tsr_status st =
        tsr_arange(comm, tsr_i64(0), tsr_i64(9), tsr_i64(1), TSR_AUTO, NULL, &out);
    CHECK((out == NULL) == (st != TSR_OK));
    (void)tsr_array_destroy(&out);
#ifndef TSR_SERIAL
    CHECK(MPI_Comm_free(&comm) == MPI_SUCCESS);
#endif
    return st;
}

static tsr_status update(stage *s)
{
    return tsr_halo_update(s->array, NULL);
}

static tsr_status update_faces(stage *s)
{
    return tsr_halo_update(s->array, &(tsr_halo_options){.faces_only = true, .width_lo = {1}});
}

static tsr_status accumulate(stage *s)
{
    return tsr_halo_accumulate(s->array, NULL);
}

static tsr_status update_many(stage *s)
{
    return tsr_halo_update_many(2, (tsr_array *const[]){s->array, s->second}, NULL);
}

static tsr_status start_and_finish(stage *s)
{
    tsr_pending *pending = (tsr_pending *)s;
    tsr_status st = tsr_halo_start(1, &s->array, NULL, &pending);
    CHECK((pending == NULL) == (st != TSR_OK));
    if (st == TSR_OK) st = tsr_halo_finish(&pending);
    CHECK(pending == NULL);
    return st;
}

static tsr_status fill(tsr_view view, int axis, tsr_side side, const int64_t *lo, const int64_t *hi,
                       void *ctx)
{
    (void)view, (void)axis, (void)side, (void)lo, (void)hi, (void)ctx;
    return TSR_OK;
}

static tsr_status update_with_callback(stage *s)
{
    const tsr_boundary walls[4] = {[2] = {.kind = TSR_CALLBACK, .callback = fill}};
    return tsr_halo_update(s->array, &(tsr_halo_options){.boundary = walls});
}

static tsr_status gather(stage *s)
{
    double buffer[30];
    return tsr_gather(s->array, TSR_ALL_RANKS, buffer);
}

static tsr_status gather_to_last(stage *s)
{
    double buffer[30];
    return tsr_gather(s->array, tsrt_size() - 1, buffer);
}

/* A call that reads a scalar `value`. */
#define READS(name, ...)                                                                           \
    static tsr_status name(stage *s)                                                               \
    {                                                                                              \
        tsr_scalar value;                                                                          \
        return (__VA_ARGS__);                                                                      \
    }

READS(get, tsr_get(s->array, TSR_SHAPE(-1, 2), &value))
READS(sum, tsr_sum(s->array, &value))
READS(min, tsr_min(s->array, &value))
READS(max, tsr_max(s->second, &value))

static tsr_status save(stage *s)
{
    return tsr_save(s->path, s->array);
}

static tsr_status save_png(stage *s)
{
    char path[300];
    snprintf(path, sizeof path, "%s.png", s->path);
    const tsr_status st = tsr_save_png(path, s->array, NULL);
    return st == TSR_ERR_UNSUPPORTED ? TSR_OK : st; /* built without pictures */
}

/* ---- files ----------------------------------------------------------------------------------- */

static int files_in_folder(void)
{
    int count = 0;
    DIR *folder = opendir(tsrt_folder());
    CHECK(folder != NULL);
    while (readdir(folder) != NULL)
        ++count;
    closedir(folder);
    return count;
}

/* An old file of ones, which a failed save leaves as it was. */
static void old_file(stage *s)
{
    tsr_array *ones = NULL;
    CHECK_OK(tsr_ones(s->layout, TSR_F64, &ones));
    CHECK_OK(tsr_save(s->path, ones));
    CHECK_OK(tsr_array_destroy(&ones));
    tsrt_barrier();
}

static double last_number(const char *path)
{
    double value = -1;
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    CHECK(fseek(file, -(long)sizeof value, SEEK_END) == 0);
    CHECK(fread(&value, sizeof value, 1, file) == 1);
    CHECK_INT(ftell(file), 128 + 30 * 8);
    fclose(file);
    return value;
}

static void file_is_old_or_new(stage *s, tsr_status st)
{
    tsrt_barrier();
    if (tsrt_rank() == 0) CHECK_DOUBLE(last_number(s->path), st == TSR_OK ? 2 : 1, 0);
}

/* ---- the matrix ------------------------------------------------------------------------------ */

typedef struct fault_case {
    const char *name;
    tsr_status (*call)(stage *s);
    void (*before)(stage *s);
    void (*after)(stage *s, tsr_status st);
    bool exchanges; /* ends with an exchange, which makes no agreement */
} fault_case;

#define CASE(function)                                                                             \
    {                                                                                              \
        .name = #function, .call = function                                                        \
    }
#define HALO(function)                                                                             \
    {                                                                                              \
        .name = #function, .call = function, .exchanges = true                                     \
    }
static const fault_case fault_cases[] = {
    CASE(layout),
    CASE(layout_with_cuts),
    CASE(first_use_of_a_communicator),
    CASE(empty),
    CASE(zeros),
    CASE(ones),
    CASE(full),
    CASE(empty_like),
    CASE(zeros_like),
    CASE(ones_like),
    CASE(full_like),
    CASE(arange),
    CASE(linspace),
    CASE(fromfunction),
    CASE(from_global),
    CASE(copy),
    CASE(astype),
    HALO(update),
    HALO(update_faces),
    HALO(accumulate),
    HALO(update_many),
    HALO(start_and_finish),
    CASE(update_with_callback),
    CASE(gather),
    CASE(gather_to_last),
    CASE(get),
    CASE(sum),
    CASE(min),
    CASE(max),
    CASE(save_png),
    {.name = "save", .call = save, .before = old_file, .after = file_is_old_or_new},
    {.name = "load", .call = load, .before = old_file}};
enum { FAULT_CASES = sizeof fault_cases / sizeof fault_cases[0] };

static void check_same_text(void)
{
    char text[1024] = "", mine[1024];
    snprintf(mine, sizeof mine, "%s", tsr_error_text());
    snprintf(text, sizeof text, "%s", mine);
    tsrt_bcast(text, sizeof text, 0);
    CHECK_STR(mine, text);
}

/* The owned cells of the stage's arrays are as they were. */
static void check_inputs(const stage *s)
{
    const tsr_view a = tsr_local(s->array), b = tsr_local(s->second);
    for (int64_t i = 0; i < a.extent[0]; ++i)
        for (int64_t j = 0; j < a.extent[1]; ++j) {
            CHECK_DOUBLE(TSR_AT(double, a, i, j), 2, 0);
            CHECK_INT(TSR_AT(int32_t, b, i, j), 1);
        }
}

/* A message of an exchange failed: that is no longer the first use but the exchange itself, which
 * makes no agreement.  The victim says TSR_ERR_MPI, the others that all is well; what the exchange
 * can do after that is MPI's to say. */
static bool failed_alone(tsr_status st, int victim)
{
    bool alone = st == TSR_ERR_MPI;
    tsrt_bcast(&alone, sizeof alone, victim);
    for (int rank = 0; rank < tsrt_size(); ++rank) {
        bool fine = rank == victim || st == TSR_OK;
        tsrt_bcast(&fine, sizeof fine, rank);
        alone = alone && fine;
    }
    return alone;
}

/* One trial; whether the fault was reached on the victim. */
static bool trial(const fault_case *test, int victim, int64_t n)
{
    stage s;
    stage_begin(&s);
    if (test->before != NULL) test->before(&s);
    const int files = tsrt_rank() == 0 ? files_in_folder() : 0;
    tsrt_barrier();

    tsri_fault_arm(tsrt_rank() == victim ? n : -1);
    const tsr_status st = test->call(&s);
    bool fired = tsri_fault_fired();
    tsri_fault_arm(-1);
    tsrt_bcast(&fired, sizeof fired, victim);
    const bool alone = test->exchanges && failed_alone(st, victim);
    if (!alone) CHECK_SAME_ON_ALL(st);
    if (!alone && (st != TSR_OK) != fired)
        tsrt_fail(__FILE__, __LINE__, "%s, call %lld of rank %d: fault %s but status %s",
                  test->name, (long long)n, victim, fired ? "fired" : "not reached",
                  tsr_status_name(st));
    if (test->after != NULL) test->after(&s, st);
    if (fired) {
        if (!alone) {
            check_same_text();
            check_inputs(&s);
        }
        tsrt_barrier();
        if (tsrt_rank() == 0) CHECK_INT(files_in_folder(), files);
        tsrt_barrier();
        if (!alone) CHECK_OK(test->call(&s));
    }
    stage_end(&s);
    return fired;
}

static void matrix(void **state)
{
    const fault_case *test = *state;
    for (int victim = 0; victim < tsrt_size(); ++victim)
        for (int64_t n = 0;; ++n) {
            const tsri_counters before = tsri_counters_read();
            const bool fired = trial(test, victim, n);
            const tsri_counters after = tsri_counters_read();
            CHECK_INT(after.live_blocks, before.live_blocks);
            CHECK_INT(after.live_requests, before.live_requests);
            CHECK_INT(after.live_comms, before.live_comms);
            if (!fired) break;
            CHECK(n < MOST_CALLS);
        }
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[FAULT_CASES];
    for (int k = 0; k < FAULT_CASES; ++k)
        tests[k] = (struct CMUnitTest){.name = fault_cases[k].name,
                                       .test_func = matrix,
                                       .initial_state = (void *)(uintptr_t)&fault_cases[k]};
    return TSRT_RUN(argc, argv, tests);
}
