#include "base/machine.h"

#include <stdbool.h>

static tsri_level limit = TSRI_LEVEL_END;

static bool machine_has(tsri_level level)
{
#if defined(__GNUC__) && defined(__x86_64__)
    __builtin_cpu_init();
    if (level == TSRI_AVX2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (level == TSRI_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
    return level == TSRI_BASELINE;
}

tsri_level tsri_machine_level(void)
{
    tsri_level best = TSRI_BASELINE;

    for (tsri_level level = TSRI_BASELINE; level < TSRI_LEVEL_END && level <= limit; ++level)
        if (machine_has(level)) best = level;
    return best;
}

void tsri_machine_limit(tsri_level level)
{
    limit = level;
}
