#define _POSIX_C_SOURCE 200809L

#include "support/fault_matrix.h"

#include <dirent.h>
#include <stdio.h>

enum { MOST_CALLS = 400, MOST_CASES = 100 };

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
 * makes no agreement.  The victim says TSR_ERR_MPI, the others that all is well. */
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
        CHECK_OK(test->call(&s));
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

int fault_matrix_run(int argc, char **argv, const fault_case *cases, int count)
{
    struct CMUnitTest tests[MOST_CASES];
    CHECK(count <= MOST_CASES);
    for (int k = 0; k < count; ++k)
        tests[k] = (struct CMUnitTest){.name = cases[k].name,
                                       .test_func = matrix,
                                       .initial_state = (void *)(uintptr_t)&cases[k]};
    return tsrt_run(argc, argv, tests, (size_t)count);
}
