/* What a C programmer would write, and the floor.  Compiled with -O3 -march=native -ffast-math. */
#include "reduce.h"

#include <math.h>

#define DEFINE_LOOPS(type)                                                                         \
    static double loop_##type(const reduce_problem *p)                                             \
    {                                                                                              \
        const type *x = p->x, *y = p->y;                                                           \
        const int64_t n = p->n;                                                                    \
        type sum = 0, mean = 0, largest = n > 0 ? x[0] : 0;                                        \
        int64_t place = 0;                                                                         \
        switch (p->operation) {                                                                    \
        case REDUCE_SUM:                                                                           \
            for (int64_t i = 0; i < n; ++i)                                                        \
                sum += x[i];                                                                       \
            return (double)sum;                                                                    \
        case REDUCE_DOT:                                                                           \
            for (int64_t i = 0; i < n; ++i)                                                        \
                sum += x[i] * y[i];                                                                \
            return (double)sum;                                                                    \
        case REDUCE_NORM:                                                                          \
            for (int64_t i = 0; i < n; ++i)                                                        \
                sum += x[i] * x[i];                                                                \
            return sqrt((double)sum);                                                              \
        case REDUCE_VAR:                                                                           \
            for (int64_t i = 0; i < n; ++i)                                                        \
                mean += x[i];                                                                      \
            mean /= (type)n;                                                                       \
            for (int64_t i = 0; i < n; ++i)                                                        \
                sum += (x[i] - mean) * (x[i] - mean);                                              \
            return (double)(sum / (type)n);                                                        \
        case REDUCE_MAX:                                                                           \
            for (int64_t i = 0; i < n; ++i)                                                        \
                largest = x[i] > largest ? x[i] : largest;                                         \
            return (double)largest;                                                                \
        default:                                                                                   \
            for (int64_t i = 1; i < n; ++i)                                                        \
                if (x[i] > x[place]) place = i;                                                    \
            return (double)place;                                                                  \
        }                                                                                          \
    }
DEFINE_LOOPS(float)
DEFINE_LOOPS(double)

double reduce_loop(const reduce_problem *p)
{
    return p->single ? loop_float(p) : loop_double(p);
}

static uint64_t read_all(int64_t words, const uint64_t *word)
{
    uint64_t any = 0;
    for (int64_t i = 0; i < words; ++i)
        any |= word[i];
    return any;
}

double reduce_floor(const reduce_problem *p)
{
    const int64_t words = p->n * (p->single ? 4 : 8) / 8;
    uint64_t any = read_all(words, p->x);
    if (p->operation == REDUCE_DOT) any |= read_all(words, p->y);
    if (p->operation == REDUCE_VAR) any |= read_all(words, p->x);
    return (double)any;
}
