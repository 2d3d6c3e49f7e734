/* The rule by which weights cut one axis. */
#include "support/weighted_cases.h"

#include "layout/weighted.h"

#include <math.h>

const axis_case axis_cases[AXIS_CASES] = {
    {"L-98", 12, {10, 10, 10, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 3, 1, {0, 1, 3, 12}},
    {"L-99", 12, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 4, 1, {0, 3, 6, 9, 12}},
    {"L-100", 10, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 3, 1, {0, 3, 7, 10}},
    {"L-101", 10, {0}, 3, 1, {0, 4, 7, 10}},
    {"L-102", 12, {100, 100, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 3, 2, {0, 2, 4, 12}},
    {"L-103", 12, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 100, 100}, 3, 2, {0, 8, 10, 12}},
    {"L-104", 6, {5, 1, 1, 1, 1, 1}, 2, 1, {0, 1, 6}},
    {"L-105", 8, {1, 2, 3, 4, 5, 6, 7, 8}, 4, 1, {0, 4, 5, 7, 8}},
    {"L-106", 8, {1, 2, 3, 4, 5, 6, 7, 8}, 4, 2, {0, 2, 4, 6, 8}},
    {"L-107", 8, {0, 0, 0, 8, 0, 0, 0, 0}, 2, 1, {0, 3, 8}},
    {"L-108", 8, {9, 0, 0, 0, 0, 0, 0, 0}, 4, 1, {0, 1, 2, 3, 8}},
    {"L-109", 8, {0, 0, 0, 0, 0, 0, 0, 9}, 4, 1, {0, 5, 6, 7, 8}},
    {"L-110", 4, {3, 0, 0, 3}, 2, 1, {0, 1, 4}},
    {"L-111", 6, {4, 1, 1, 1, 1, 4}, 2, 3, {0, 3, 6}},
    {"L-112", 6, {10, 0, 0, 0, 0, 10}, 2, 1, {0, 1, 6}},
    {"L-113", 12, {20, 20, 20, 20, 1, 1, 1, 1, 1, 1, 1, 1}, 3, 1, {0, 1, 3, 12}},
};

void L_98_to_L_113_the_rule(void **state)
{
    (void)state;
    for (int i = 0; i < AXIS_CASES; ++i) {
        const axis_case *c = &axis_cases[i];
        int64_t cuts[6];
        CHECK_OK(tsri_balanced_cuts("test", 0, c->length, c->weight, c->blocks, c->minimum, cuts));
        for (int k = 0; k <= c->blocks; ++k)
            if (cuts[k] != c->cuts[k])
                tsrt_fail(__FILE__, __LINE__, "%s: cut %d is %d, expected %d", c->id, k,
                          (int)cuts[k], (int)c->cuts[k]);
    }
}

void L_118_no_room_for_the_minimum(void **state)
{
    (void)state;
    const double ones[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    int64_t cuts[4];
    CHECK_STATUS(tsri_balanced_cuts("test", 0, 12, ones, 3, 5, cuts), TSR_ERR_VALUE);
    CHECK_TEXT("axis 0 has 12 cells for 3 blocks of at least 5");
    CHECK_OK(tsri_balanced_cuts("test", 0, 12, ones, 3, 4, cuts));
}

/* The rule again, with all sums and all candidates written out. */
static void plain_cuts(int length, const double *weight, int blocks, int minimum, int64_t *cuts)
{
    double sum[65] = {0};
    for (int i = 0; i < length; ++i)
        sum[i + 1] = sum[i] + weight[i];
    cuts[0] = 0;
    cuts[blocks] = length;
    for (int k = 1; k < blocks; ++k) {
        const double target = sum[length] * k / blocks;
        int j = 0;
        while (sum[j] < target)
            ++j;
        if (j > 0 && fabs(sum[j - 1] - target) <= fabs(sum[j] - target)) --j;
        int64_t cut = j;
        if (cut < cuts[k - 1] + minimum) cut = cuts[k - 1] + minimum;
        if (cut > length - (blocks - k) * minimum) cut = length - (blocks - k) * minimum;
        cuts[k] = cut;
    }
}

void random_profiles(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int round = 0; round < 20000; ++round) {
        const int length = 1 + tsrt_random(&seed, 64), blocks = 1 + tsrt_random(&seed, length);
        const int minimum = tsrt_random(&seed, length / blocks + 1);
        double weight[64], total = 0;
        int64_t cuts[65], plain[65];
        for (int i = 0; i < length; ++i) {
            weight[i] = tsrt_random(&seed, 3) * (round % 2 ? tsrt_random(&seed, 50) / 7.0 : 1);
            total += weight[i];
        }
        if (total == 0) weight[0] = 1;
        CHECK_OK(tsri_balanced_cuts("test", 0, length, weight, blocks, minimum, cuts));
        plain_cuts(length, weight, blocks, minimum, plain);
        for (int k = 0; k <= blocks; ++k)
            CHECK_INT(cuts[k], plain[k]);
    }
}

/* Sums and multiples of them beyond the largest number. */
void huge_weights(void **state)
{
    (void)state;
    const double most = 1.7e308, part = most / 16, two[] = {most, most};
    const double equal[] = {part, part, part, part, part, part, part, part};
    int64_t cuts[5];
    CHECK_OK(tsri_balanced_cuts("test", 0, 8, equal, 4, 1, cuts));
    for (int k = 0; k <= 4; ++k)
        CHECK_INT(cuts[k], 2 * k);
    CHECK_STATUS(tsri_balanced_cuts("test", 3, 2, two, 2, 1, cuts), TSR_ERR_VALUE);
    CHECK_TEXT("the sum of the weights along axis 3 is infinite");
}
