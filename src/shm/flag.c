#define _POSIX_C_SOURCE 200809L

#include "shm/flag.h"

#include <sched.h>

/* About two microseconds: longer than a peer that runs takes to answer, much shorter than a time
 * slice. */
enum { SPINS = 64 };

static inline void pause_core(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

void tsri_relax(int *round)
{
    if (*round < SPINS) {
        ++*round;
        pause_core();
    } else {
        sched_yield();
    }
}

/* On x86 a compiler would take the instruction that reads, unless told of a newer processor. */
void tsri_claim_lines(void *memory, size_t bytes)
{
    unsigned char *line = memory;
    for (size_t done = 0; done < bytes; done += TSRI_CACHE_LINE) {
#if defined(__x86_64__) && defined(__GNUC__)
        __asm__ volatile("prefetchw %0" : : "m"(line[done]));
#elif defined(__GNUC__)
        __builtin_prefetch(&line[done], 1);
#endif
    }
}

void tsri_fetch_lines(const void *memory, size_t bytes)
{
    const unsigned char *line = memory;
    for (size_t done = 0; done < bytes; done += TSRI_CACHE_LINE) {
#if defined(__GNUC__)
        __builtin_prefetch(&line[done], 0);
#endif
    }
}
