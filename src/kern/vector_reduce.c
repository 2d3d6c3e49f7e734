/* Sums of a block whose rounding does not matter. */
#include "kern/reducers.h"
#include "kern/vector_level.h"

enum { LANES = 32 };

/* Lanes in pairs of halves, which the compiler keeps as vectors. */
static double sum_lanes(double *lane)
{
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int k = 0; k < half; ++k)
            lane[k] += lane[k + half];
    return lane[0];
}

#define REDUCE(name, type, parameters, term)                                                       \
    static double name parameters                                                                  \
    {                                                                                              \
        double lane[LANES] = {0};                                                                  \
        int64_t i = 0;                                                                             \
        for (; i + LANES <= n; i += LANES)                                                         \
            for (int k = 0; k < LANES; ++k) {                                                      \
                const double x = (double)values[i + k];                                            \
                lane[k] += (term);                                                                 \
            }                                                                                      \
        for (int k = 0; i + k < n; ++k) {                                                          \
            const double x = (double)values[i + k];                                                \
            lane[k] += (term);                                                                     \
        }                                                                                          \
        return sum_lanes(lane);                                                                    \
    }

REDUCE(sum_F32, float, (int64_t n, const float *values), x)
REDUCE(sum_F64, double, (int64_t n, const double *values), x)
REDUCE(squares_F32, float, (int64_t n, const float *values, double origin),
       (x - origin) * (x - origin))
REDUCE(squares_F64, double, (int64_t n, const double *values, double origin),
       (x - origin) * (x - origin))

const tsri_reducers TSRI_AT_LEVEL(reducers) = {sum_F32, sum_F64, squares_F32, squares_F64};
