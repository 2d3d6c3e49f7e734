/* Calls with an argument that is wrong on one rank only.  W(x, y) is x on that rank and y on the
 * others.  The first handle, which says who takes part, is right everywhere. */
#ifndef TESTS_ONE_RANK_WRONG_H
#define TESTS_ONE_RANK_WRONG_H

#include "support/fault_cases.h"

#define W(wrong_value, right_value) (wrong ? (wrong_value) : (right_value))

extern bool wrong; /* whether this rank errs */
extern stage s;

/* Where calls put their results. */
typedef struct places {
    tsr_array *array, *other;
    tsr_layout *layout;
    tsr_shm *shm;
    tsr_shm_array *map;
    tsr_pending *pending;
    tsr_scalar value;
    bool truth;
    double real;
    int64_t cell;
    int count;
    tsr_named_array *list;
} places;

/* A call with outputs in `o`, with wrong arguments on the first rank, and on the last: all ranks
 * get one error and no handle. */
#define FAILS(...)                                                                                 \
    do {                                                                                           \
        for (int victim = 0; victim < tsrt_size(); victim += tsrt_size() - 1) {                    \
            places o = {0};                                                                        \
            wrong = tsrt_rank() == victim;                                                         \
            expect_failure((__VA_ARGS__), &o, #__VA_ARGS__, __FILE__, __LINE__);                   \
        }                                                                                          \
    } while (0)
void expect_failure(tsr_status st, const places *o, const char *call, const char *file, int line);

/* A test with a stage of its own. */
#define STAGED(function) cmocka_unit_test_setup_teardown(function, begin_stage, end_stage)
int begin_stage(void **state);
int end_stage(void **state);

#endif
