/* Flags between processes that share memory: counters that only grow.
 *
 * A flag lies in memory of the rank that waits for it, so that waiting touches no other core's
 * cache lines and a rank may free its memory once it has waited for all that others write there.
 * Raising a flag makes everything written before visible to whoever sees it raised. */
#ifndef TSRI_SHM_FLAG_H
#define TSRI_SHM_FLAG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TSRI_CACHE_LINE = 64 };

/* So many bytes that what follows them starts a cache line. */
static inline size_t tsri_line_up(size_t bytes)
{
    return (bytes + TSRI_CACHE_LINE - 1) / TSRI_CACHE_LINE * TSRI_CACHE_LINE;
}

/* Alone on its cache line. */
typedef struct tsri_flag {
    _Alignas(TSRI_CACHE_LINE) _Atomic uint64_t value;
} tsri_flag;

static inline void tsri_flag_raise(tsri_flag *flag, uint64_t value)
{
    atomic_store_explicit(&flag->value, value, memory_order_release);
}

static inline bool tsri_flag_is_raised(const tsri_flag *flag, uint64_t value)
{
    return atomic_load_explicit(&flag->value, memory_order_acquire) >= value;
}

/* One round of a waiting loop: spins for the first rounds, then yields the core.  `round` starts at
 * 0 and belongs to the loop. */
void tsri_relax(int *round);

/* Ask for cache lines that are to be written soon and are likely to lie in another core's cache: a
 * store that waits for its line holds up all stores behind it. */
void tsri_claim_lines(void *memory, size_t bytes);
/* Ask for cache lines that are to be read at once. */
void tsri_fetch_lines(const void *memory, size_t bytes);

#endif
