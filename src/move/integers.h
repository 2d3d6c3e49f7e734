/* Arithmetic of indices. */
#ifndef TSRI_MOVE_INTEGERS_H
#define TSRI_MOVE_INTEGERS_H

#include <stdint.h>

static inline int64_t tsri_min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t tsri_max_i64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Rounded toward minus infinity, and what is left, 0 to n - 1; n > 0. */
static inline int64_t tsri_floor_mod(int64_t a, int64_t n)
{
    const int64_t r = a % n;
    return r < 0 ? r + n : r;
}

static inline int64_t tsri_floor_div(int64_t a, int64_t n)
{
    return a / n - (a % n < 0);
}

/* The k for which start + k*step lies in [lo, hi), of 0 <= k < count: [*first, *end). */
static inline void tsri_steps_within(int64_t start, int64_t step, int64_t lo, int64_t hi,
                                     int64_t count, int64_t *first, int64_t *end)
{
    *first = 0;
    *end = count;
    if (step == 0 && (start < lo || start >= hi)) *end = 0;
    if (step > 0) {
        *first = tsri_max_i64(0, -tsri_floor_div(start - lo, step));
        *end = tsri_min_i64(count, -tsri_floor_div(start - hi, step));
    }
    if (step < 0) {
        *first = tsri_max_i64(0, -tsri_floor_div(hi - 1 - start, -step));
        *end = tsri_min_i64(count, -tsri_floor_div(lo - 1 - start, -step));
    }
}

#endif
