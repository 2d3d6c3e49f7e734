#include "kern/reducers.h"
#include "kern/vector_level.h"

#include <math.h>

/* As many lanes as are worth having of any type. */
enum { LANE_BYTES = 256 };

/* The best element so far in each lane, and whether there was a NaN. */
#define LOOP(type, bits, value, better)                                                            \
    for (; i + lanes <= n; i += lanes)                                                             \
        for (int k = 0; k < lanes; ++k) {                                                          \
            const type x = value(values[i + k]);                                                   \
            lane[k] = x better lane[k] ? x : lane[k];                                              \
            odd[k] |= (bits)(0 - (x != x));                                                        \
        }                                                                                          \
    for (int k = 0; i + k < n; ++k) {                                                              \
        const type x = value(values[i + k]);                                                       \
        lane[k] = x better lane[k] ? x : lane[k];                                                  \
        odd[k] |= (bits)(0 - (x != x));                                                            \
    }                                                                                              \
    for (int k = 1; k < lanes; ++k) {                                                              \
        lane[0] = lane[k] better lane[0] ? lane[k] : lane[0];                                      \
        odd[0] |= odd[k];                                                                          \
    }

#define EXTREME(suffix, type, bits, value, nan)                                                    \
    static void extreme_##suffix(int64_t n, const void *elements, bool max, void *best)            \
    {                                                                                              \
        enum { lanes = LANE_BYTES / sizeof(type) };                                                \
        const type *values = elements;                                                             \
        type lane[lanes], *const found = best;                                                     \
        bits odd[lanes] = {0};                                                                     \
        int64_t i = 0;                                                                             \
        for (int k = 0; k < lanes; ++k)                                                            \
            lane[k] = value(values[0]);                                                            \
        if (max) {                                                                                 \
            LOOP(type, bits, value, >)                                                             \
        } else {                                                                                   \
            LOOP(type, bits, value, <)                                                             \
        }                                                                                          \
        *found = odd[0] != 0 ? (nan) : lane[0];                                                    \
    }                                                                                              \
    static int64_t find_##suffix(int64_t n, const void *elements, const void *element)             \
    {                                                                                              \
        enum { lanes = LANE_BYTES / sizeof(type) };                                                \
        const type *values = elements, wanted = *(const type *)element;                            \
        int64_t i = 0;                                                                             \
        for (bits any = 0; i + lanes <= n; i += lanes) {                                           \
            for (int k = 0; k < lanes; ++k) {                                                      \
                const type x = value(values[i + k]);                                               \
                any |= (bits)(x == wanted) | (bits)((x != x) & (wanted != wanted));                \
            }                                                                                      \
            if (any != 0) break;                                                                   \
        }                                                                                          \
        for (; i < n - 1; ++i) {                                                                   \
            const type x = value(values[i]);                                                       \
            if (x == wanted || (x != x && wanted != wanted)) break;                                \
        }                                                                                          \
        return i;                                                                                  \
    }

#define AS_IS(x) (x)
#define AS_TRUTH(x) ((x) != 0)
#define INTEGER(suffix, type, ...) EXTREME(suffix, type, type, AS_IS, 0)
INTEGER_LIST(INTEGER)
EXTREME(BOOL, truth, truth, AS_TRUTH, 0)
EXTREME(F32, float, uint32_t, AS_IS, (float)NAN)
EXTREME(F64, double, uint64_t, AS_IS, (double)NAN)

const tsri_extreme_kernels TSRI_AT_LEVEL(extreme_kernels) = {
    {[TSR_BOOL] = extreme_BOOL, INTEGER_ROW(extreme), REAL_ROW(extreme)},
    {[TSR_BOOL] = find_BOOL, INTEGER_ROW(find), REAL_ROW(find)}};
