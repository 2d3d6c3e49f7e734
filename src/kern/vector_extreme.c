/* The least and the greatest element of a block, and where it is. */
#include "kern/reducers.h"
#include "kern/vector_level.h"

#include <math.h>
#include <string.h>

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
    for (int half = lanes / 2; half > 0; half /= 2)                                                \
        for (int k = 0; k < half; ++k) {                                                           \
            lane[k] = lane[k + half] better lane[k] ? lane[k + half] : lane[k];                    \
            odd[k] |= odd[k + half];                                                               \
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

/* ---- keys ------------------------------------------------------------------------------------ */

#define SIGNED_KEY(x) ((int64_t)(x))
#define UNSIGNED_KEY(x) ((int64_t)((uint64_t)(x) ^ (uint64_t)1 << 63))

/* The bits of a number >= 0 are ordered as it is; adding 0 makes both zeros one. */
static inline int64_t key_of_real(double value)
{
    int64_t bits;
    value += 0.0;
    memcpy(&bits, &value, sizeof bits);
    return bits ^ ((bits >> 63) & INT64_MAX);
}

#define KEYS(suffix, type, value, key, nan)                                                        \
    static void keys_##suffix(int64_t n, const void *elements, int64_t flip, int64_t *keys)        \
    {                                                                                              \
        const type *values = elements;                                                             \
        for (int64_t i = 0; i < n; ++i) {                                                          \
            const type x = value(values[i]);                                                       \
            keys[i] = x != x ? (nan) : key(x) ^ flip;                                              \
        }                                                                                          \
    }
#define SIGNED_KEYS(suffix, type, ...) KEYS(suffix, type, AS_IS, SIGNED_KEY, 0)
#define UNSIGNED_KEYS(suffix, type, ...) KEYS(suffix, type, AS_IS, UNSIGNED_KEY, 0)
#define REAL_KEYS(suffix, type, ...) KEYS(suffix, type, AS_IS, key_of_real, INT64_MIN)
SIGNED_LIST(SIGNED_KEYS)
UNSIGNED_LIST(UNSIGNED_KEYS)
REAL_LIST(REAL_KEYS)
KEYS(BOOL, truth, AS_TRUTH, SIGNED_KEY, 0)

static void offer(int64_t n, const int64_t *keys, int64_t index, int64_t *best, int64_t *place)
{
    INDEPENDENT
    for (int64_t i = 0; i < n; ++i) {
        const int64_t key = keys[i], least = best[i], before = place[i];
        const bool wins = (key < least) | ((key == least) & (index < before));
        best[i] = wins ? key : least;
        place[i] = wins ? index : before;
    }
}

const tsri_extreme_kernels TSRI_AT_LEVEL(extreme_kernels) = {
    .extreme = {[TSR_BOOL] = extreme_BOOL, INTEGER_ROW(extreme), REAL_ROW(extreme)},
    .find = {[TSR_BOOL] = find_BOOL, INTEGER_ROW(find), REAL_ROW(find)},
    .keys = {[TSR_BOOL] = keys_BOOL, INTEGER_ROW(keys), REAL_ROW(keys)},
    .offer = offer};
