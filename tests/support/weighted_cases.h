/* Layouts cut by weights: the rule of the cuts, arrays of weights, and what is refused. */
#ifndef TSRT_SUPPORT_WEIGHTED_CASES_H
#define TSRT_SUPPORT_WEIGHTED_CASES_H

#include "support/layout_cases.h"

#define OPTIONS(...)                                                                               \
    &(tsr_layout_options)                                                                          \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* The examples of one axis. */
typedef struct axis_case {
    const char *id;
    int length;
    double weight[12];
    int blocks, minimum;
    int64_t cuts[6];
} axis_case;
enum { AXIS_CASES = 16 };
extern const axis_case axis_cases[AXIS_CASES];

/* An array of weights in some layout, made from all of them; halo cells hold NaN. */
tsr_array *weights_array(int ndim, const int64_t *shape, const double *weights, tsr_dtype dtype,
                         const tsr_layout_options *options);

/* Tests of the rule for one axis. */
void L_98_to_L_113_the_rule(void **state);
void L_118_no_room_for_the_minimum(void **state);
void random_profiles(void **state);
void huge_weights(void **state);

/* Tests of what is refused. */
void L_115_L_117_profiles_of_another_length(void **state);
void L_116_impossible_weights(void **state);
void other_arguments_that_are_refused(void **state);
void different_weights_are_a_mismatch(void **state);

#endif
